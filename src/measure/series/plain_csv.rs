//! A plain CSV with named columns: the way in for everything else.
//!
//! A line near the beginning names the columns, in any order and case; `,`, `;` or a tab separates them.
//!
//! * `time` (needed; also `seconds`, `elapsed`): seconds since the start, seconds or milliseconds since 1970, or a date and time
//!   (`2024-03-14T17:05:09Z`, `2024-03-14 17:05:09`, `03/14/2024 17:05:09`). `time_ms` counts milliseconds.
//! * `disk`: the disk's name, where several are in the file. Without it all lines are of one disk.
//! * `iops`, `mbps` (10^6 bytes per second), `mibps` (2^20), `latency_ms`, `latency_us`, each also for one direction
//!   (`read_iops`, `write_mbps`, `read_latency_ms`), and `queue_depth`.
//!   Other spellings of heads are as those of a results CSV (`Latency [ms]`, `read MB/s`, `bw_kib`).
//! * Wide form: the disk behind the column's name, `iops:data1`, `mbps:data1`, `iops:data2`.
//!
//! An empty cell means "not said". The value of a line is the mean over the time since the line before.

use csv::StringRecord;
use jiff::Timestamp;

use super::builder::{SeriesBuilder, TooManyDisks};
use super::clock::{Clock, Tick, read_stamp};
use super::error::SeriesError;
use super::log::{Input, Log, Skipped, Wanted, io_error, too_many};
use super::model::{Source, StartTime};
use super::notice::Notice;
use super::number::decimal;
use super::options::ReadOptions;
use super::row::{Rates, Row};
use crate::measure::csv::columns::{Column as Heads, Heading, Statistic};
use crate::measure::local_number::{shows_decimal_comma, with_point};
use crate::measure::scan::grouped_number;
use crate::units::{MB, Share};

/// What a file looks like, for the message that there is none.
const LOOKED_FOR: &str = "a first line of column names with `time` and one of `iops`, `mbps`, `latency_ms` \
                          (for several disks a `disk` column, or `iops:NAME`), and lines of numbers below";
/// The line of column names is one of so many: a mail may have words before it.
const HEAD_WITHIN: u64 = 40;
/// The disk's name where the file does not say it.
const ONLY_DISK: &str = "disk";
/// Seconds from here on count from 1970.
const EPOCH_FROM_S: f64 = 1e9;
/// Milliseconds from here on count from 1970.
const EPOCH_FROM_MS: f64 = 1e12;

/// Reads, writes, or both.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Side {
    Total,
    Read,
    Write,
}

impl Side {
    fn of(self, row: &mut Row) -> &mut Rates {
        match self {
            Self::Total => &mut row.total,
            Self::Read => &mut row.read,
            Self::Write => &mut row.write,
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Field {
    Iops(Side),
    /// In units of so many MB/s.
    Mbps(Side, f64),
    /// In units of so many microseconds.
    Latency(Side, f64),
    QueueDepth,
}

impl Field {
    /// Reads a head as [`Heading`] does, for `bench` and here alike.
    fn of(head: &str) -> Option<(Self, bool)> {
        if head.eq_ignore_ascii_case("outstanding") {
            return Some((Self::QueueDepth, false));
        }
        let heading = Heading::read(head)?;
        let side = match heading.side {
            None => Side::Total,
            Some(share) if share == Share::ALL => Side::Read,
            Some(_) => Side::Write,
        };
        let field = match heading.column {
            Heads::Iops => Self::Iops(side),
            Heads::Throughput(bytes) => Self::Mbps(side, bytes / MB),
            Heads::Latency(Statistic::Mean, Some(micros)) => Self::Latency(side, micros),
            Heads::QueueDepth => Self::QueueDepth,
            _ => return None,
        };
        Some((field, heading.maybe_bits))
    }

    fn put(self, figure: f64, row: &mut Row) {
        match self {
            Self::Iops(side) => side.of(row).iops = Some(figure),
            Self::Mbps(side, unit) => side.of(row).mbps = Some(figure * unit),
            Self::Latency(side, unit) => side.of(row).latency = Some(figure * unit),
            Self::QueueDepth => row.queue_depth = Some(figure),
        }
    }
}

/// How time is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Time {
    /// Numbers of so many milliseconds.
    Number(f64),
    /// Numbers of seconds, or dates.
    Any,
}

/// The columns of a file.
#[derive(Debug, PartialEq)]
struct Columns {
    time: (usize, Time),
    disk: Option<usize>,
    /// Column, disk in wide form, meaning.
    fields: Vec<(usize, Option<String>, Field)>,
    ignored: Vec<String>,
    /// Heads whose unit may have been meant as bits.
    maybe_bits: Vec<String>,
    delimiter: u8,
}

impl Columns {
    /// The columns that a line names; `None` where there is no time or nothing over it.
    fn of(line: &str) -> Option<Self> {
        let delimiter = [b',', b';', b'\t']
            .into_iter()
            .max_by_key(|d| line.bytes().filter(|b| b == d).count())?;
        let mut time = None;
        let mut disk = None;
        let mut fields = Vec::new();
        let mut ignored = Vec::new();
        let mut doubtful = Vec::new();
        for (i, cell) in line.split(char::from(delimiter)).enumerate() {
            let cell = cell.trim().trim_matches('"').trim();
            let (name, of) = cell
                .split_once(':')
                .map_or((cell, None), |(n, d)| (n, Some(d.trim())));
            let name = name.trim();
            match plain_name(name).as_str() {
                "time" | "timestamp" | "date" | "time_s" | "time_sec" | "time_seconds"
                | "datetime" | "date_time" | "seconds" | "sec" | "elapsed" | "elapsed_s"
                | "elapsed_seconds" | "zeit" | "zeitstempel" | "heure"
                    if time.is_none() =>
                {
                    time = Some((i, Time::Any))
                }
                "time_ms" | "timestamp_ms" if time.is_none() => time = Some((i, Time::Number(1.0))),
                "disk" | "device" if disk.is_none() => disk = Some(i),
                _ => match Field::of(name) {
                    Some((field, maybe_bits)) => {
                        fields.push((i, of.map(str::to_owned), field));
                        if maybe_bits {
                            doubtful.push(cell.to_owned());
                        }
                    }
                    None => ignored.push(cell.to_owned()),
                },
            }
        }
        let columns = Self {
            time: time?,
            disk,
            fields,
            ignored,
            maybe_bits: doubtful,
            delimiter,
        };
        (!columns.fields.is_empty()).then_some(columns)
    }

    /// The disks of wide form in their order; one without a name for the columns that name none.
    fn wide(&self) -> Vec<Option<String>> {
        let mut disks: Vec<Option<String>> = Vec::new();
        for (_, disk, _) in &self.fields {
            if !disks.contains(disk) {
                disks.push(disk.clone());
            }
        }
        disks
    }
}

/// A head in lower case, its words parted by `_` (`Time [s]` is `time_s`).
fn plain_name(head: &str) -> String {
    let lower = head.to_lowercase();
    let words = lower.split(|c: char| c.is_whitespace() || "_()[]/".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// Whether a cell of the text shows that the comma is the decimal point: where it does not part the cells.
fn shows_comma(text: &[u8], delimiter: u8) -> bool {
    let text = String::from_utf8_lossy(text);
    delimiter != b','
        && text
            .split(['\n', '\r', char::from(delimiter)])
            .any(shows_decimal_comma)
}

/// Collects the lines.
struct Reader<'o> {
    columns: Columns,
    wide: Vec<Option<String>>,
    /// Whether a cell near the beginning shows that the comma is the decimal point.
    decimal_comma: bool,
    options: &'o ReadOptions,
    builder: SeriesBuilder,
    clock: Clock,
    last: Option<(String, Tick)>,
    place: usize,
    wanted: Wanted,
}

/// Reads a file.
pub(super) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let Input {
        name,
        mut lines,
        options,
    } = input;
    let mut columns = None;
    while lines.line_number() < HEAD_WITHIN
        && let Some(line) = lines.next_line().map_err(|e| io_error(name, e))?
    {
        columns = Columns::of(&String::from_utf8_lossy(line));
        if columns.is_some() {
            break;
        }
    }
    let Some(columns) = columns else {
        return Err(no_samples(name));
    };
    let before = lines.line_number();
    let head = lines.peek().map_err(|e| io_error(name, e))?;
    let decimal_comma = shows_comma(head, columns.delimiter);
    let mut records = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(columns.delimiter)
        .from_reader(lines);
    let mut reader = Reader {
        wide: columns.wide(),
        columns,
        decimal_comma,
        options,
        builder: SeriesBuilder::new(Source::Csv),
        clock: Clock::new(options.interval_ms.unwrap_or(0)),
        last: None,
        place: 0,
        wanted: Wanted::default(),
    };
    let mut skipped = Skipped::default();
    let mut bytes = csv::ByteRecord::new();
    while records
        .read_byte_record(&mut bytes)
        .map_err(|e| io_error(name, e.into()))?
    {
        let line = before + bytes.position().map_or(0, csv::Position::line);
        let record = StringRecord::from_byte_record_lossy(bytes.clone());
        if !reader.record(&record).map_err(too_many(name))? {
            skipped.at(line);
        }
    }
    reader.finish(name, skipped)
}

fn no_samples(name: &str) -> SeriesError {
    SeriesError::NoSamples {
        name: name.to_owned(),
        format: Source::Csv,
        looked_for: LOOKED_FOR,
        instead: None,
    }
}

impl Reader<'_> {
    /// Takes a line; whether it could be understood.
    fn record(&mut self, record: &StringRecord) -> Result<bool, TooManyDisks> {
        let Some(tick) = self.tick(record) else {
            return Ok(false);
        };
        let mut understood = true;
        let wide = std::mem::take(&mut self.wide);
        for disk in &wide {
            let mut row = Row {
                end_ms: tick.end_ms,
                length_ms: tick.length_ms,
                ..Row::default()
            };
            for (column, _, field) in self.columns.fields.iter().filter(|f| f.1 == *disk) {
                let cell = record.get(*column).unwrap_or_default().trim();
                match self.number(cell) {
                    Some(figure) => field.put(figure, &mut row),
                    None => understood &= cell.is_empty() || cell == "-",
                }
            }
            let named = self.columns.disk.and_then(|i| record.get(i)).map(str::trim);
            let name = match (named.filter(|n| !n.is_empty()), disk) {
                (Some(of), Some(disk)) => format!("{of} {disk}"),
                (Some(name), None) => name.to_owned(),
                (None, Some(name)) => name.clone(),
                (None, None) => ONLY_DISK.to_owned(),
            };
            self.push(&name, row)?;
        }
        self.wide = wide;
        Ok(understood)
    }

    /// A cell's number; its thousands may be parted.
    fn number(&self, cell: &str) -> Option<f64> {
        if self.decimal_comma {
            return decimal(with_point(cell, true).as_bytes());
        }
        decimal(cell.as_bytes()).or_else(|| grouped_number(&with_point(cell, false)))
    }

    fn push(&mut self, name: &str, row: Row) -> Result<(), TooManyDisks> {
        if self.wanted.check(name, self.options) {
            let place = self.builder.disk(name, self.place)?;
            self.place = place + 1;
            self.builder.push(place, row);
        }
        Ok(())
    }

    /// The time of a line; lines of several disks share it.
    fn tick(&mut self, record: &StringRecord) -> Option<Tick> {
        let (column, kind) = self.columns.time;
        let cell = record.get(column)?.trim();
        if let Some((last, tick)) = &self.last
            && last == cell
        {
            return Some(*tick);
        }
        let stamp = self.stamp(cell, kind)?;
        let tick = self.clock.tick(Some(stamp));
        self.last = Some((cell.to_owned(), tick));
        self.place = 0;
        Some(tick)
    }

    /// A point in time. Seconds since the start count from 1970 here, and forget it at the end.
    fn stamp(&self, cell: &str, kind: Time) -> Option<StartTime> {
        let ms = match (decimal(cell.as_bytes()), kind) {
            (Some(number), Time::Number(unit)) => number * unit,
            (Some(number), Time::Any) if number >= EPOCH_FROM_MS => number,
            (Some(number), Time::Any) => number * 1e3,
            (None, _) => return read_stamp(cell, None),
        };
        (ms.abs() < 1e15).then_some(())?;
        let moment = Timestamp::from_millisecond(ms.round() as i64).ok()?;
        Some(StartTime::Utc(moment))
    }

    fn finish(self, name: &str, skipped: Skipped) -> Result<Log, SeriesError> {
        let since_1970 = |start: &StartTime| match start {
            StartTime::Utc(moment) => moment.as_second() as f64 >= EPOCH_FROM_S,
            StartTime::Local(_) => true,
        };
        let start = self.clock.start.filter(since_1970);
        let (disks, mut notices) = self.builder.finish(start);
        if disks.is_empty()
            && let Some(missing) = self.wanted.none_there(name, self.options)
        {
            return Err(missing);
        }
        if !self.columns.ignored.is_empty() {
            notices.push(Notice::ColumnsIgnored {
                names: self.columns.ignored,
            });
        }
        for head in self.columns.maybe_bits {
            notices.push(Notice::UnitDoubtful { head });
        }
        if self.clock.steps_back > 0 {
            notices.push(Notice::ClockSteppedBack {
                times: self.clock.steps_back,
            });
        }
        Log {
            disks,
            notices,
            ..Log::default()
        }
        .with_skipped(skipped)
        .checked(name, Source::Csv, LOOKED_FOR)
    }
}

/// Whether one of the text's first lines names a time column and something over it.
pub(super) fn sniff(text: &str) -> bool {
    text.lines()
        .take(HEAD_WITHIN as usize)
        .any(|line| Columns::of(line).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::series::lines::Lines;
    use crate::measure::series::model::DiskSeries;

    fn read_text(text: &str) -> Result<Log, SeriesError> {
        read(Input {
            name: "x.csv",
            lines: Lines::new(text.as_bytes()).unwrap(),
            options: &ReadOptions::default(),
        })
    }

    fn disks(text: &str) -> Vec<DiskSeries> {
        read_text(text).unwrap().disks
    }

    #[test]
    fn long_form() {
        let disks = disks(
            "time,disk,iops,mbps,latency_ms\n0,data1,100,1.5,2\n0,log,50,,0.5\n10,data1,300,4.5,4\n10,log,70,,0.7\n",
        );
        assert_eq!(disks.len(), 2);
        assert_eq!(disks[0].name, "data1");
        assert_eq!(disks[0].end_ms, [10_000, 20_000]);
        assert_eq!(disks[0].interval_ms, 10_000);
        assert_eq!(disks[0].total.iops.numbers(2), [100.0, 300.0]);
        assert_eq!(disks[0].total.latency.numbers(2), [2000.0, 4000.0]);
        assert!(disks[1].total.mbps.is_empty());
        assert_eq!(disks[0].start, None);
    }

    #[test]
    fn wide_form_with_german_numbers() {
        let disks = disks("Time;IOPS:data1;MiBps:data1;iops:data2\n0;1,5;1;\n1;2,5;2;7\n");
        assert_eq!(disks[0].total.iops.numbers(2), [1.5, 2.5]);
        assert_eq!(disks[0].total.mbps.number(1), Some(2.097_152));
        assert_eq!(disks[1].total.iops.numbers(1), [7.0]);
    }

    #[test]
    fn heads_of_many_spellings_and_grouped_numbers() {
        for (head, cell, mbps) in [
            ("MB/s", "12", 12.0),
            ("Throughput (KB/s)", "12000", 12.0),
            ("bw_kib", "1000", 1.024),
            ("bandwidth_mib", "1", 1.048_576),
            ("Mbit/s", "80", 10.0),
        ] {
            let read = disks(&format!("Time [s],{head}\n0,{cell}\n1,{cell}\n"));
            assert_eq!(read[0].total.mbps.number(1), Some(mbps), "{head}");
        }
        for head in [
            "latency (ms)",
            "Latency [ms]",
            "lat_ms",
            "avg_latency_ms",
            "Latency ms",
        ] {
            let read = disks(&format!("time,iops,{head}\n0,5,2\n1,5,2\n"));
            assert_eq!(read[0].total.latency.number(1), Some(2000.0), "{head}");
        }
        for head in ["seconds", "Time (sec)", "Elapsed [s]", "elapsed seconds"] {
            let read = disks(&format!("{head},iops\n0,5\n60,7\n120,9\n"));
            assert_eq!(read[0].total.iops.numbers(3), [5.0, 7.0, 9.0], "{head}");
        }
        let german = disks("Zeit;IOPS;MB/s (read)\n0;1.510;12,5\n1;1.620;12,5\n");
        assert_eq!(german[0].total.iops.numbers(2), [1510.0, 1620.0]);
        assert_eq!(german[0].read.mbps.number(0), Some(12.5));
        let mailed = disks("Hi,\nas asked:\n\n> time,iops\n> 0,5\n> 1,6\n");
        assert_eq!(mailed[0].total.iops.numbers(2), [5.0, 6.0]);
        let log = read_text("time,Mb/s\n0,5\n1,5\n").unwrap();
        assert!(log.notices.contains(&Notice::UnitDoubtful {
            head: "Mb/s".to_owned()
        }));
    }

    #[test]
    fn directions_and_dates() {
        let disks = disks(
            "timestamp\tread_iops\twrite_iops\tread_latency_us\n2024-03-14T10:00:00Z\t5\t7\t900\n\
             2024-03-14T10:01:00Z\t6\t8\t800\n",
        );
        assert_eq!(disks[0].total.iops.numbers(2), [12.0, 14.0]);
        let first: Timestamp = "2024-03-14T09:59:00Z".parse().unwrap();
        assert_eq!(disks[0].start, Some(StartTime::Utc(first)));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let log = read_text("time,iops,colour\n0,5,red\n1,x,\n2,7,\n").unwrap();
        assert!(log.notices.contains(&Notice::ColumnsIgnored {
            names: vec!["colour".to_owned()]
        }));
        assert!(
            log.notices
                .contains(&Notice::MalformedLines { count: 1, first: 3 })
        );
        for text in ["", "iops\n5\n", "time,iops\n", "a,b\n1,2\n"] {
            assert!(read_text(text).is_err(), "{text:?} was read");
        }
    }
}
