//! A plain CSV with named columns: the way in for everything else.
//!
//! A line near the beginning names the columns, in any order and case; `,`, `;` or a tab separates them.
//!
//! * `time` (needed): seconds since the start, seconds or milliseconds since 1970, or a date and time
//!   (`2024-03-14T17:05:09Z`, `2024-03-14 17:05:09`, `03/14/2024 17:05:09`), or a time of day (`17:05:09`). `time_ms` counts
//!   milliseconds. Where nothing but disks and figures is beside it, `t`, `seconds`, `elapsed`, `minutes` and the like are
//!   time too.
//! * `disk`: the disk's name, where several are in the file. Without it all lines are of one disk.
//! * `iops`, `mbps` (10^6 bytes per second), `mibps` (2^20), `latency_ms`, `latency_us`, each also for one direction
//!   (`read_iops`, `write_mbps`, `read_latency_ms`), and `queue_depth`.
//!   Other spellings of heads are as those of a results CSV (`Latency [ms]`, `read MB/s`, `bw_kib`).
//! * Wide form: the disk behind the column's name, `iops:data1`, `mbps:data1`, `iops:data2`.
//!
//! An empty cell means "not said". The value of a line is the mean over the time since the line before.

mod guess;
mod heads;

use csv::StringRecord;
use jiff::Timestamp;

use super::builder::{SeriesBuilder, TooManyDisks};
use super::clock::{Clock, Tick, read_stamp};
use super::error::SeriesError;
use super::log::{Input, Log, Skipped, Wanted, io_error, too_many};
use super::model::{Source, StartTime};
use super::notice::Notice;
use super::number::{decimal, figure};
use super::options::ReadOptions;
use super::row::Row;
use crate::measure::local_number::Marks;
pub(in crate::measure) use guess::is_over_time;
pub(super) use guess::{nearly, sniff};
use heads::{Columns, Field, Time};

/// What a file looks like, for the message that there is none.
const LOOKED_FOR: &str = "a first line of column names with `time` (seconds, or dates) and one of `iops`, `mbps`, \
                          `latency_ms` (for several disks a `disk` column, or `iops:NAME`), and lines of numbers below";
/// The line of column names is one of so many: a mail may have words before it.
const HEAD_WITHIN: u64 = 40;
/// The disk's name where the file does not say it.
const ONLY_DISK: &str = "disk";
/// Seconds from here on count from 1970.
const EPOCH_FROM_S: f64 = 1e9;
/// Milliseconds from here on count from 1970.
const EPOCH_FROM_MS: f64 = 1e12;

/// What the first rows show of how numbers are written.
fn marks(rows: &[u8], columns: &Columns) -> Marks {
    let mut marks = Marks::new(columns.delimiter);
    let records = records(rows, columns.delimiter).into_byte_records();
    for record in records.map_while(Result::ok) {
        let record = StringRecord::from_byte_record_lossy(record);
        let numbers = columns.fields.iter().map(|(column, ..)| *column);
        numbers
            .filter_map(|column| record.get(column))
            .for_each(|cell| marks.see(cell.trim()));
    }
    marks
}

/// The records of rows.
fn records<R: std::io::Read>(rows: R, delimiter: u8) -> csv::Reader<R> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(rows)
}

/// Collects the lines.
struct Reader<'o> {
    columns: Columns,
    wide: Vec<Option<String>>,
    /// What the first rows show of how numbers are written.
    marks: Marks,
    options: &'o ReadOptions,
    builder: SeriesBuilder,
    clock: Clock,
    last: Option<(String, Tick)>,
    /// The last time of day, and how often midnight passed, where times have no date.
    of_day_ms: f64,
    midnights: u32,
    place: usize,
    wanted: Wanted,
}

/// Milliseconds of a day.
const DAY_MS: f64 = 86_400_000.0;

/// Milliseconds since midnight, or since the start, of `17:05:09` or `00:00:01.5`.
fn time_of_day(cell: &str) -> Option<f64> {
    let mut parts = cell.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = |part: &str| part.parse::<u16>().ok().map(f64::from);
    let (hours, minutes) = (whole(hours)?, whole(minutes)?);
    let seconds = decimal(seconds.as_bytes())?;
    let fits = parts.next().is_none() && minutes < 60.0 && (0.0..61.0).contains(&seconds);
    fits.then_some(((hours * 60.0 + minutes) * 60.0 + seconds) * 1e3)
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
    if let Some((one, other)) = columns.alike() {
        let what = format!(
            "columns {} and {} say the same: keep one of them, or name the disk of each, as in 'iops:data1'",
            one + 1,
            other + 1
        );
        let name = name.to_owned();
        return Err(SeriesError::Malformed {
            name,
            line: before,
            what,
        });
    }
    let head = lines.peek().map_err(|e| io_error(name, e))?;
    let marks = marks(head, &columns);
    let mut records = records(lines, columns.delimiter);
    let mut reader = Reader {
        wide: columns.wide(),
        columns,
        marks,
        options,
        builder: SeriesBuilder::new(Source::Csv),
        clock: Clock::new(options.interval_ms.unwrap_or(0)),
        last: None,
        of_day_ms: 0.0,
        midnights: 0,
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
        if let Some(what) = reader.doubt(&record) {
            let name = name.to_owned();
            return Err(SeriesError::Malformed { name, line, what });
        }
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
                match figure(cell, &self.marks) {
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

    /// What is to be said of IOPS that may be decimals or thousands.
    fn doubt(&self, record: &StringRecord) -> Option<String> {
        let iops =
            (self.columns.fields.iter()).filter(|(.., field)| matches!(field, Field::Iops(_)));
        iops.filter_map(|(column, ..)| record.get(*column))
            .find_map(|cell| self.marks.doubt(cell.trim()))
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
    fn stamp(&mut self, cell: &str, kind: Time) -> Option<StartTime> {
        let ms = match (figure(cell, &self.marks), kind) {
            (Some(number), Time::Number(unit)) => number * unit,
            (Some(number), Time::Any) if number >= EPOCH_FROM_MS => number,
            (Some(number), Time::Any) => number * 1e3,
            (None, _) => match time_of_day(cell) {
                Some(ms) => self.since_first_midnight(ms),
                None => return read_stamp(cell, None),
            },
        };
        (ms.abs() < 1e15).then_some(())?;
        let moment = Timestamp::from_millisecond(ms.round() as i64).ok()?;
        Some(StartTime::Utc(moment))
    }

    /// Times of day that fall by more than half a day are of the next one.
    fn since_first_midnight(&mut self, ms: f64) -> f64 {
        if self.of_day_ms - ms > DAY_MS / 2.0 {
            self.midnights += 1;
        }
        self.of_day_ms = ms;
        f64::from(self.midnights) * DAY_MS + ms
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
        notices.extend(self.clock.notices());
        Log {
            disks,
            notices,
            ..Log::default()
        }
        .with_skipped(skipped)
        .checked(name, Source::Csv, LOOKED_FOR)
    }
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

    /// Milliseconds from the first line to each.
    fn since_first(text: &str) -> Vec<u64> {
        let [disk] = disks(text).try_into().unwrap();
        disk.end_ms.iter().map(|end| end - disk.end_ms[0]).collect()
    }

    #[test]
    fn times_of_day_go_on_over_midnight() {
        let log = "time,iops\n23:59:58,10\n23:59:59,20\n00:00:00,30\n00:00:01.5,40\n";
        assert_eq!(since_first(log), [0, 1000, 2000, 3500]);
        assert_eq!(disks(log)[0].start, None, "the day is not known");
        // Elapsed times look alike, and may be of more than a day.
        let elapsed = "t,iops\n00:00:00,1\n00:01:00,2\n30:00:00,3\n";
        assert_eq!(since_first(elapsed), [0, 60_000, 108_000_000]);
        for cell in ["10:15", "1:2:3:4", "10:75:00", "a:b:c", "::"] {
            assert_eq!(time_of_day(cell), None, "{cell}");
        }
    }

    #[test]
    fn seconds_by_other_names_are_time_where_nothing_else_is_beside_them() {
        for (head, ends) in [
            ("t", [0, 1000, 2000]),
            ("elapsed_s", [0, 1000, 2000]),
            ("ms", [0, 1, 2]),
            ("minutes", [0, 60_000, 120_000]),
        ] {
            let log = format!("{head},iops\n0,1\n1,2\n2,3\n");
            assert_eq!(since_first(&log), ends, "{head}");
        }
        // How long each test ran.
        assert!(!sniff("seconds,test,iops\n60,RND4K Q1,100\n"));
    }

    #[test]
    fn a_time_without_a_figure_says_what_is_not_known() {
        let (line, what) = nearly("\nTime,Disk Reads/sec\n10:00:01,5\n").unwrap();
        assert_eq!(line, 2);
        assert!(
            what.contains("but not Disk Reads/sec: name one of iops"),
            "{what}"
        );
        for other in [
            "Date, we met again\nand so on\n",
            "Time\n1\n",
            "a,b\n1,2\n",
            "time,iops\n",
        ] {
            assert_eq!(nearly(other), None, "{other}");
        }
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
    fn quoted_thousands_between_commas() {
        let read = disks("time,iops,mbps\n0,900,\"12,5\"\n60,\"1,100\",1\n120,950.5,2\n");
        // A number that is not in groups of three shows that the comma is the decimal point.
        assert_eq!(read[0].total.iops.numbers(3), [900.0, 1.1, 950.5]);
        let read = disks("time,iops,mbps\n0,900,1\n60,\"1,100\",\"1,024.5\"\n\"1,020\",950.5,2\n");
        assert_eq!(read[0].total.iops.numbers(3), [900.0, 1100.0, 950.5]);
        assert_eq!(read[0].total.mbps.numbers(3), [1.0, 1024.5, 2.0]);
        assert_eq!(read[0].end_ms[2] - read[0].end_ms[0], 1_020_000);
        let error = read_text("time;iops\n0;5,000\n60;5,000\n").unwrap_err();
        let said = "line 2: '5,000' may be 5000 or a number with three decimals";
        assert!(error.to_string().contains(said), "{error}");
    }

    #[test]
    fn two_columns_of_one_meaning_are_refused() {
        let error = read_text("time,iops,IOPS\n0,5,6\n1,5,6\n").unwrap_err();
        let said = "line 1: columns 2 and 3 say the same";
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(
            disks("time,iops:a,iops:b,read_iops:a\n0,5,6,1\n1,5,6,1\n").len(),
            2
        );
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
