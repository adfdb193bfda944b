//! The line of column names.

use std::collections::HashMap;

use super::super::row::{Rates, Row};
use crate::measure::csv::columns::{Column as Heads, Heading, Statistic};
use crate::units::{MB, Share};

/// Reads, writes, or both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
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
pub(super) enum Field {
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

    pub fn put(self, figure: f64, row: &mut Row) {
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
pub(super) enum Time {
    /// Numbers of so many milliseconds.
    Number(f64),
    /// Numbers of seconds, or dates.
    Any,
}

/// The columns of a file.
#[derive(Debug, PartialEq)]
pub(super) struct Columns {
    pub time: (usize, Time),
    /// Whether the head of time may also mean how long something took.
    pub loose: bool,
    pub disk: Option<usize>,
    /// Column, disk in wide form, meaning.
    pub fields: Vec<(usize, Option<String>, Field)>,
    pub ignored: Vec<String>,
    /// Heads whose unit may have been meant as bits.
    pub maybe_bits: Vec<String>,
    pub delimiter: u8,
}

impl Columns {
    /// The columns that a line names; `None` where there is no time or nothing over it.
    pub fn of(line: &str) -> Option<Self> {
        Self::with_time(line).filter(|columns| !columns.fields.is_empty())
    }

    /// The columns that a line names; `None` where there is no time among them.
    pub fn with_time(line: &str) -> Option<Self> {
        let delimiter = [b',', b';', b'\t']
            .into_iter()
            .max_by_key(|d| line.bytes().filter(|b| b == d).count())?;
        let mut time = None;
        let mut loose = None;
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
                "time" | "timestamp" | "date" | "time_s" | "datetime" | "date_time" | "zeit"
                | "zeitstempel" | "heure"
                    if time.is_none() =>
                {
                    time = Some((i, Time::Any))
                }
                "time_ms" | "timestamp_ms" if time.is_none() => time = Some((i, Time::Number(1.0))),
                "disk" | "device" if disk.is_none() => disk = Some(i),
                other if loose.is_none() && loose_time(other).is_some() => {
                    loose = loose_time(other).map(|time| (i, time, cell.to_owned()));
                }
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
        // Beside settings of tests such a column is how long each of them ran.
        let alone = ignored.is_empty();
        let (time, is_loose) = match (time, loose) {
            (None, Some((i, time, _))) if alone => (Some((i, time)), true),
            (time, Some((_, _, name))) => {
                ignored.push(name);
                (time, false)
            }
            (time, None) => (time, false),
        };
        Some(Self {
            time: time?,
            loose: is_loose,
            disk,
            fields,
            ignored,
            maybe_bits: doubtful,
            delimiter,
        })
    }

    /// Two columns that say the same of the same disk.
    pub fn alike(&self) -> Option<(usize, usize)> {
        let mut of_disks: HashMap<Option<&str>, Vec<(usize, Field)>> = HashMap::new();
        self.fields.iter().find_map(|(column, disk, field)| {
            let known = of_disks.entry(disk.as_deref()).or_default();
            let same = known.iter().find(|(_, other)| other == field);
            let found = same.map(|(other, _)| (*other, *column));
            known.push((*column, *field));
            found
        })
    }

    /// The disks of wide form in their order; one without a name for the columns that name none.
    pub fn wide(&self) -> Vec<Option<String>> {
        let mut disks: Vec<Option<String>> = Vec::new();
        for (_, disk, _) in &self.fields {
            if !disks.contains(disk) {
                disks.push(disk.clone());
            }
        }
        disks
    }
}

/// Heads that may mean time, or how long something took, with their unit.
fn loose_time(name: &str) -> Option<Time> {
    let unit = match name {
        "t" | "elapsed" | "runtime" => return Some(Time::Any),
        "t_s" | "s" | "sec" | "secs" | "second" | "seconds" | "elapsed_s" | "elapsed_sec"
        | "elapsed_seconds" | "time_sec" | "time_seconds" => 1e3,
        "t_ms" | "ms" | "msec" | "milliseconds" | "elapsed_ms" | "time_msec" => 1.0,
        "min" | "minute" | "minutes" | "elapsed_min" | "elapsed_minutes" | "time_min" => 6e4,
        _ => return None,
    };
    Some(Time::Number(unit))
}

/// A head in lower case, its words parted by `_` (`Time [s]` is `time_s`).
fn plain_name(head: &str) -> String {
    let lower = head.to_lowercase();
    let words = lower.split(|c: char| c.is_whitespace() || "_()[]/".contains(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}
