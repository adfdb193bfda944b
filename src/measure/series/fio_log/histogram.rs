//! fio's histogram logs: `NAME_clat_hist.N.log`, of `write_hist_log` with `log_hist_msec`.
//!
//! A line is `time, direction, block size, bin, bin, ...`: how many I/Os completed in each bin of latency since the
//! line before (`flush_hist_samples` of fio's iolog.c writes differences). Bins are those of fio's stat.c
//! (`plat_val_to_idx`): 64 to a group, the first two groups a bin for every value, every further group twice as wide.
//! fio 2 has 19 groups and counts microseconds, fio 3 has 29 and counts nanoseconds, so the number of bins tells the
//! unit; each step of `log_hist_coarseness` makes two bins one. The last bin holds all that took longer, too.
//!
//! The block size is that of the I/O that ended the interval. MB/s are made of it only where it never changes.

use super::bins::{Binned, Bins, Grain};
use super::line::Direction;
use super::name::{LogKind, LogName};
use super::{FioLog, HEAD, rounded, usual_spacing};
use crate::measure::series::error::SeriesError;
use crate::measure::series::log::{Input, Skipped, io_error};
use crate::measure::series::model::Source;
use crate::measure::series::notice::LatencyUnit;

/// log2 of the bins in a group (`FIO_IO_U_PLAT_BITS`).
const GROUP_BITS: u32 = 6;
/// Groups of fio 3 and fio 2 (`FIO_IO_U_PLAT_GROUP_NR`), and what they count.
const GROUPS: [(usize, LatencyUnit); 2] = [
    (29, LatencyUnit::Nanoseconds),
    (19, LatencyUnit::Microseconds),
];
/// The highest `log_hist_coarseness`.
const MOST_COARSE: u32 = 6;
/// The most bins of a line.
const MOST_BINS: usize = 29 << GROUP_BITS;
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

/// Which latencies the bins stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// `log_hist_coarseness`: two to the power of it are one.
    coarseness: u32,
    pub unit: LatencyUnit,
}

impl Layout {
    /// The layout that has so many bins; `None` where fio has none such.
    fn of(bins: usize) -> Option<Self> {
        GROUPS.into_iter().find_map(|(groups, unit)| {
            let coarseness = (0..=MOST_COARSE).find(|by| (groups << GROUP_BITS) >> by == bins)?;
            Some(Self { coarseness, unit })
        })
    }

    /// The latency that a bin stands for: the middle of its range, as fio takes it.
    pub fn middle(self, bin: u16) -> u64 {
        let first = u64::from(bin) << self.coarseness;
        let from = lowest(first);
        let width = lowest(first + (1 << self.coarseness)) - from;
        if width == 1 { from } else { from + width / 2 }
    }
}

/// The lowest latency of a bin of full fineness.
fn lowest(bin: u64) -> u64 {
    let in_group = 1 << GROUP_BITS;
    match (bin >> GROUP_BITS).checked_sub(1) {
        None => bin,
        Some(doublings) => (in_group + bin % in_group) << doublings,
    }
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
    let mut skipped = Skipped::default();
    let mut record = Record::blank();
    let mut head: Vec<(u64, Record)> = Vec::new();
    while head.len() < HEAD
        && let Some(line) = lines.next_line().map_err(|e| io_error(name, e))?
    {
        if record.read(line) {
            head.push((lines.line_number(), record.clone()));
        } else if !line.trim_ascii().is_empty() {
            skipped.at(lines.line_number());
        }
    }
    let bins = usual_bins(&head);
    let Some(layout) = bins.and_then(Layout::of) else {
        return Err(SeriesError::NoSamples {
            name: name.to_owned(),
            format: Source::FioLog,
            looked_for: LOOKED_FOR,
            instead: bins.map(|bins| format!("lines with {bins} bins")),
        });
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
    while let Some(line) = lines.next_line().map_err(|e| io_error(name, e))? {
        let taken = record.read(line) && record.bins == bins;
        if !(taken && sums.add_histogram(&record, layout)) && !line.trim_ascii().is_empty() {
            skipped.at(lines.line_number());
        }
    }
    let binned = Binned {
        unit: Some(layout.unit),
        ..sums.finish()
    };
    if binned.is_blank() {
        return Err(SeriesError::NoSamples {
            name: name.to_owned(),
            format: Source::FioLog,
            looked_for: "I/Os in the bins",
            instead: (binned.trims > 0).then(|| "trims".to_owned()),
        });
    }
    Ok(FioLog {
        name: LogName::of_histogram(name),
        binned,
        skipped,
    })
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
    fn the_number_of_bins_tells_version_and_coarseness() {
        let told = |bins| Layout::of(bins).map(|layout| (layout.unit, layout.coarseness));
        assert_eq!(told(1856), Some((LatencyUnit::Nanoseconds, 0)));
        assert_eq!(told(29), Some((LatencyUnit::Nanoseconds, 6)));
        assert_eq!(told(1216), Some((LatencyUnit::Microseconds, 0)));
        assert_eq!(told(304), Some((LatencyUnit::Microseconds, 2)));
        assert_eq!(told(1000), None);
    }

    #[test]
    fn bins_stand_for_the_middle_of_their_range() {
        let fine = Layout::of(1856).unwrap();
        // Exact up to 127; from 128 on two values a bin, from 256 on four, and so on.
        for (bin, middle) in [
            (0, 0),
            (127, 127),
            (128, 129),
            (191, 255),
            (192, 258),
            // Group 10: 64 bins of 2^9 from 2^15 on. 32,768 + 5 x 512 + 256.
            (10 * 64 + 5, 35_584),
            // The last one ends at 2^34 ns, the 17 s that fio's documentation names as the longest.
            (1855, (1 << 34) - (1 << 26)),
        ] {
            assert_eq!(fine.middle(bin), middle, "{bin}");
        }
        // Four to one: bins 640 to 643 of the fine ones, 32,768 to 34,816.
        assert_eq!(Layout::of(464).unwrap().middle(160), 33_792);
    }

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
