//! fio's logs over time: `_bw`, `_iops`, `_lat`, `_clat`, `_slat`, with or without `log_avg_msec`.
//!
//! What the values mean, from fio's own source: `_bw` is in KiB/s; `_iops` holds a 1 for every I/O where nothing is
//! averaged; a window without I/O has no entry; latencies are nanoseconds since fio 3 and were microseconds before.
//! Where every I/O has an entry, it is the count of entries and the sum of block sizes that make IOPS and MB/s:
//! the `_bw` value of a single I/O is only its size over its own latency.

mod bins;
mod histogram;
mod join;
mod layout;
mod line;
mod name;
mod sketch;
mod spread;
mod unit;

use bins::{Binned, Bins, Grain};
use line::{Direction, Entry, Layout, Line};
pub use name::{LogKind, LogName};

pub(super) use histogram::{is_histogram, read as read_histogram};
pub(super) use join::join;
pub(super) use line::sniff;

use super::error::SeriesError;
use super::log::{Input, Skipped, io_error};
use super::model::Source;
use super::options::ReadOptions;

/// What a log looks like, for the message that there is none.
const LOOKED_FOR: &str =
    "lines such as `1000, 24889, 0, 0` (time in ms, value, direction, block size)";
/// How many entries are looked at before the columns and the interval are decided.
const HEAD: usize = 256;
/// Entries closer than this, milliseconds, without a block size: single I/Os.
const SINGLE_IOS_BELOW_MS: u64 = 5;
/// A measured interval this near to a rounder number means that number.
const ROUNDING: f64 = 0.01;

/// One log, read.
#[derive(Debug)]
pub(super) struct FioLog {
    name: LogName,
    binned: Binned,
    skipped: Skipped,
}

impl FioLog {
    /// Whether both are logs of the same job of the same run.
    pub fn same_run(&self, other: &Self) -> bool {
        self.name.same_run(&other.name)
    }
}

/// Reads one log. Its kind stands in its name, or in the options.
pub(super) fn read(input: Input<'_>) -> Result<FioLog, SeriesError> {
    let Input {
        name,
        mut lines,
        options,
    } = input;
    let log_name = named(name, options)?;
    let mut skipped = Skipped::default();
    let mut head = Vec::with_capacity(HEAD);
    while head.len() < HEAD {
        match lines.next_line().map_err(|e| io_error(name, e))? {
            Some(line) => match Line::parse(line) {
                Some(line) => head.push(line),
                None if line.trim_ascii().is_empty() => {}
                None => skipped.at(lines.line_number()),
            },
            None => break,
        }
    }
    let plan = Plan::of(&head, log_name.kind, options);
    let mut bins = Bins::new(log_name.kind, plan.grain, plan.width_ms);
    for line in &head {
        if !line
            .entry(plan.layout)
            .is_some_and(|entry| bins.add(&entry))
        {
            skipped.at(lines.line_number());
        }
    }
    while let Some(line) = lines.next_line().map_err(|e| io_error(name, e))? {
        let entry = Line::parse(line).and_then(|line| line.entry(plan.layout));
        if !entry.is_some_and(|entry| bins.add(&entry)) && !line.trim_ascii().is_empty() {
            skipped.at(lines.line_number());
        }
    }
    let binned = bins.finish();
    if binned.is_blank() {
        return Err(SeriesError::NoSamples {
            name: name.to_owned(),
            format: Source::FioLog,
            looked_for: LOOKED_FOR,
            instead: (binned.trims > 0).then(|| "trims".to_owned()),
        });
    }
    Ok(FioLog {
        name: log_name,
        binned,
        skipped,
    })
}

fn named(name: &str, options: &ReadOptions) -> Result<LogName, SeriesError> {
    match (LogName::of(name), options.fio_kind) {
        (Some(parts), Some(kind)) => Ok(LogName { kind, ..parts }),
        (Some(parts), None) => Ok(parts),
        (None, Some(kind)) => Ok(LogName {
            prefix: name.to_owned(),
            kind,
            job: None,
            host: None,
        }),
        (None, None) => Err(SeriesError::FioKindUnknown {
            name: name.to_owned(),
        }),
    }
}

/// What the first entries say of a log.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plan {
    layout: Layout,
    grain: Grain,
    width_ms: u64,
}

impl Plan {
    fn of(head: &[Line], kind: LogKind, options: &ReadOptions) -> Self {
        let layout = if head.iter().any(Line::third_is_no_direction) {
            Layout::MeanAndHighest
        } else {
            Layout::One
        };
        let entries: Vec<Entry> = head.iter().filter_map(|line| line.entry(layout)).collect();
        let times = entries.iter().map(|entry| (entry.direction, entry.time_ms));
        let spacing = usual_spacing(&times.collect::<Vec<_>>());
        let sized = entries.iter().any(|entry| entry.block > 0);
        let close = spacing.is_some_and(|ms| ms < SINGLE_IOS_BELOW_MS);
        let ones = entries.iter().all(|entry| entry.value == 1);
        let single = match kind {
            LogKind::Iops => ones && (sized || close),
            _ => sized || close,
        };
        if single {
            return Self {
                layout,
                grain: Grain::Single,
                width_ms: u64::from(options.bin_ms.max(1)),
            };
        }
        Self {
            layout,
            grain: Grain::Window,
            width_ms: rounded(spacing.unwrap_or(1000)),
        }
    }
}

/// The lower median of what lies between the times of one direction (windows without I/O make some of them longer);
/// `None` where there are not two entries.
fn usual_spacing(times: &[(Direction, u64)]) -> Option<u64> {
    let mut spacings = Vec::with_capacity(times.len());
    for direction in [
        Direction::Read,
        Direction::Write,
        Direction::Trim,
        Direction::Unsaid,
    ] {
        let mut last = None;
        for (_, time_ms) in times.iter().filter(|(of, _)| *of == direction) {
            if let Some(last) = last
                && *time_ms >= last
            {
                spacings.push(time_ms - last);
            }
            last = Some(*time_ms);
        }
    }
    let middle = spacings.len().saturating_sub(1) / 2;
    (!spacings.is_empty()).then(|| *spacings.select_nth_unstable(middle).1)
}

/// The interval that was asked of fio: windows come a few milliseconds early or late.
fn rounded(spacing_ms: u64) -> u64 {
    let spacing = spacing_ms.max(1);
    let step = 10_u64.pow(spacing.ilog10().saturating_sub(1));
    [step * 10, step * 5, step]
        .into_iter()
        .map(|step| (spacing + step / 2) / step.max(1) * step)
        .find(|round| *round > 0 && round.abs_diff(spacing) as f64 <= spacing as f64 * ROUNDING)
        .unwrap_or(spacing)
}
