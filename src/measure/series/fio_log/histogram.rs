//! fio's histogram logs: `NAME_clat_hist.N.log`, of `write_hist_log` with `log_hist_msec`.
//!
//! A line is `time, direction, block size, bin, bin, ...`: how many I/Os completed in each bin of latency since the
//! line before (`flush_hist_samples` of fio's iolog.c writes differences).
//!
//! The block size is that of the I/O that ended the interval. MB/s are made of it only where it never changes.

use super::bins::{Binned, Bins, Grain};
use super::layout::{Layout, MOST_BINS};
use super::line::Direction;
use super::name::{LogKind, LogName};
use super::{FioLog, HEAD, rounded, usual_spacing};
use crate::measure::series::error::SeriesError;
use crate::measure::series::lines::Lines;
use crate::measure::series::log::{Input, Skipped, io_error};
use crate::measure::series::model::Source;

/// Columns before the bins.
const BEFORE: usize = 3;
/// Fewest columns: 19 bins, and those before.
const FEWEST_COLUMNS: usize = 19 + BEFORE;
/// How many lines are looked at to know a histogram log: the first may be torn.
const LOOKED_AT: usize = 3;

/// What a log looks like, for the message that there is none.
const LOOKED_FOR: &str = "lines of time in ms, direction, block size, and 1,856 bins (fio 3) or 1,216 (fio 2), or \
                          these halved up to six times by log_hist_coarseness";

/// Whether a file begins like a histogram log: many whole numbers in a line, nothing else.
pub(in crate::measure::series) fn is_histogram(head: &[u8]) -> bool {
    let lines = head.split(|byte| *byte == b'\n').take(LOOKED_AT);
    lines.into_iter().any(is_of_bins)
}

fn is_of_bins(line: &[u8]) -> bool {
    let whole = |cell: &[u8]| {
        let cell = cell.trim_ascii();
        !cell.is_empty() && cell.iter().all(u8::is_ascii_digit)
    };
    // A long line may be cut at the end of the head.
    let mut cells = line.trim_ascii().split(|byte| *byte == b',');
    let columns = cells.by_ref().take(FEWEST_COLUMNS);
    columns.filter(|cell| whole(cell)).count() == FEWEST_COLUMNS
        && cells.all(|cell| whole(cell) || cell.trim_ascii().is_empty())
}

/// One line. Most bins of a line are empty: only the others are kept.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub time_ms: u64,
    pub direction: Direction,
    /// Bytes of the I/O that ended the interval.
    pub block: u64,
    /// Bin and count, ascending.
    pub counts: Vec<(u16, u64)>,
    /// How many bins the line has.
    bins: usize,
}

impl Record {
    const fn blank() -> Self {
        Self {
            time_ms: 0,
            direction: Direction::Unsaid,
            block: 0,
            counts: Vec::new(),
            bins: 0,
        }
    }

    /// Reads a line into this record; whether it is one.
    fn read(&mut self, line: &[u8]) -> bool {
        self.counts.clear();
        self.parse(line).is_some()
    }

    fn parse(&mut self, line: &[u8]) -> Option<()> {
        let mut rest = line.trim_ascii();
        // An older fio ends lines with a comma.
        rest = rest.strip_suffix(b",").unwrap_or(rest);
        (self.time_ms, rest) = number(rest)?;
        let direction;
        (direction, rest) = number(rest)?;
        self.direction = Direction::of(direction)?;
        (self.block, rest) = number(rest)?;
        self.bins = 0;
        while !rest.is_empty() {
            // By far the most frequent cell.
            if let Some(behind) = rest.strip_prefix(b"0, ") {
                rest = behind;
            } else {
                let count;
                (count, rest) = number(rest)?;
                if count > 0 {
                    self.counts.push((u16::try_from(self.bins).ok()?, count));
                }
            }
            self.bins += 1;
            if self.bins > MOST_BINS {
                return None;
            }
        }
        Some(())
    }
}

/// The whole number that a text begins with, and what stands behind it and its comma.
fn number(text: &[u8]) -> Option<(u64, &[u8])> {
    let text = text.trim_ascii_start();
    let end = memchr::memchr(b',', text).unwrap_or(text.len());
    let (cell, rest) = text.split_at(end);
    let digits = cell.trim_ascii_end();
    if digits.is_empty() || digits.len() > 19 {
        return None;
    }
    let value = digits.iter().try_fold(0_u64, |value, byte| {
        byte.is_ascii_digit()
            .then(|| value * 10 + u64::from(byte - b'0'))
    })?;
    Some((value, rest.strip_prefix(b",").unwrap_or_default()))
}

/// Reads one log.
pub(in crate::measure::series) fn read(input: Input<'_>) -> Result<FioLog, SeriesError> {
    let Input {
        name, mut lines, ..
    } = input;
    let none = |looked_for, instead| SeriesError::NoSamples {
        name: name.to_owned(),
        format: Source::FioLog,
        looked_for,
        instead,
    };
    let mut skipped = Skipped::default();
    let head = head(name, &mut lines, &mut skipped)?;
    let bins = usual_bins(&head);
    let Some(layout) = bins.and_then(Layout::of) else {
        let instead = bins.map(|bins| format!("lines with {bins} bins"));
        return Err(none(LOOKED_FOR, instead));
    };
    let bins = bins.unwrap_or_default();
    let mut sums = Bins::new(
        LogKind::CompletionLatency,
        Grain::Histogram,
        width_ms(&head),
    );
    for (line, record) in &head {
        if record.bins != bins || !sums.add_histogram(record, layout) {
            skipped.at(*line);
        }
    }
    let mut record = Record::blank();
    while let Some(line) = lines.next_line().map_err(|e| io_error(name, e))? {
        let whole = record.read(line) && record.bins == bins;
        let taken = whole && sums.add_histogram(&record, layout);
        if !taken && !line.trim_ascii().is_empty() {
            skipped.at(lines.line_number());
        }
    }
    let binned = Binned {
        unit: Some(layout.unit),
        ..sums.finish()
    };
    if binned.is_blank() {
        let trims = (binned.trims > 0).then(|| "trims".to_owned());
        return Err(none("I/Os in the bins", trims));
    }
    Ok(FioLog {
        name: LogName::of_histogram(name),
        binned,
        skipped,
    })
}

/// The first lines that are of a histogram log, with their numbers.
fn head(
    name: &str,
    lines: &mut Lines<'_>,
    skipped: &mut Skipped,
) -> Result<Vec<(u64, Record)>, SeriesError> {
    let mut record = Record::blank();
    let mut head = Vec::new();
    while head.len() < HEAD
        && let Some(line) = lines.next_line().map_err(|e| io_error(name, e))?
    {
        if record.read(line) {
            head.push((lines.line_number(), record.clone()));
        } else if !line.trim_ascii().is_empty() {
            skipped.at(lines.line_number());
        }
    }
    Ok(head)
}

/// The number of bins that most lines have; a torn line has another.
fn usual_bins(head: &[(u64, Record)]) -> Option<usize> {
    let having = |bins: usize| {
        head.iter()
            .filter(|(_, record)| record.bins == bins)
            .count()
    };
    head.iter()
        .map(|(_, record)| record.bins)
        .max_by_key(|bins| having(*bins))
}

/// The interval that was asked of fio.
fn width_ms(head: &[(u64, Record)]) -> u64 {
    let times = head
        .iter()
        .map(|(_, record)| (record.direction, record.time_ms));
    rounded(usual_spacing(&times.collect::<Vec<_>>()).unwrap_or(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_spellings() {
        let zeros = |n: usize| "0, ".repeat(n);
        let mut record = Record::blank();
        let line = format!("1001, 1, 4096, {}7, {}0", zeros(20), zeros(7));
        assert!(record.read(line.as_bytes()));
        assert_eq!(
            (record.time_ms, record.direction, record.block),
            (1001, Direction::Write, 4096)
        );
        assert_eq!(
            (record.bins, record.counts.as_slice()),
            (29, &[(20, 7)][..])
        );
        assert!(record.read(line.replace(' ', "").as_bytes()) && record.bins == 29);
        for wrong in [
            "",
            "1001",
            "1001, 3, 4096, 1",
            "1001, 0, 4096, x",
            "1, 0, 0, -1",
        ] {
            assert!(!record.read(wrong.as_bytes()), "{wrong}");
        }
    }
}
