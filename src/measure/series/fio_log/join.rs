//! The logs of one job put together: IOPS from one, MB/s and latency from others, over the same intervals.

use super::bins::{Binned, Grain};
use super::name::LogKind;
use super::spread::{Quantity, Spread};
use super::{FioLog, LogName, unit};
use crate::measure::model::Percentile;
use crate::measure::series::builder::SeriesBuilder;
use crate::measure::series::column::Column;
use crate::measure::series::log::Log;
use crate::measure::series::model::{DiskSeries, Source, StartTime};
use crate::measure::series::notice::{LatencyUnit, Notice};
use crate::measure::series::options::ReadOptions;
use crate::measure::series::row::{Rates, Row};
use crate::units::Latency;

/// Times from here on count from 1970, not from the job's start, milliseconds (the year 2001).
const EPOCH_FROM_MS: u64 = 1_000_000_000_000;
/// The percentiles that are given over all counted I/Os.
const PERCENTILES: [f64; 6] = [50.0, 90.0, 95.0, 99.0, 99.9, 99.99];

/// The logs of one job, by what they are good for.
struct Set<'l> {
    iops: Option<&'l Binned>,
    mbps: Option<&'l Binned>,
    latency: Option<&'l Binned>,
}

impl<'l> Set<'l> {
    fn of(logs: &'l [FioLog]) -> Self {
        let first =
            |fits: &dyn Fn(&Binned) -> bool| logs.iter().map(|l| &l.binned).find(|b| fits(b));
        let find = |kind: LogKind| first(&|b| b.kind == kind && b.grain != Grain::Histogram);
        let counting = |grain: Grain| first(&|b| b.grain == grain);
        let single = || counting(Grain::Single);
        let histogram = || counting(Grain::Histogram);
        let of_single = |kind: LogKind| find(kind).filter(|b| b.grain == Grain::Single);
        Self {
            iops: find(LogKind::Iops).or_else(single).or_else(histogram),
            mbps: find(LogKind::Bandwidth)
                .or_else(|| single().filter(|log| has_bytes(log)))
                .or_else(|| histogram().filter(|log| has_bytes(log)))
                .filter(|b| b.grain == Grain::Window || has_bytes(b)),
            // What counts I/Os has their percentiles, and needs no weights.
            latency: of_single(LogKind::Latency)
                .or_else(|| of_single(LogKind::CompletionLatency))
                .or_else(histogram)
                .or_else(|| find(LogKind::Latency))
                .or_else(|| find(LogKind::CompletionLatency))
                .or_else(|| find(LogKind::SubmissionLatency)),
        }
    }

    fn each(&self) -> impl Iterator<Item = &'l Binned> {
        [self.iops, self.mbps, self.latency].into_iter().flatten()
    }
}

fn has_bytes(log: &Binned) -> bool {
    log.bins.iter().any(|b| b.lanes.iter().any(|l| l.bytes > 0))
}

/// Puts the logs of one job together.
pub(crate) fn join(logs: &[FioLog], options: &ReadOptions) -> Log {
    let Some(name) = logs.first().map(|log| &log.name) else {
        return Log::default();
    };
    let set = Set::of(logs);
    let grid = Grid::of(&set);
    let mut notices = notices(logs, &set);
    if grid.apart {
        notices.push(Notice::LogsApart);
    }
    let known = options.fio_latency.is_none().then_some(set.latency);
    let known = known.flatten().and_then(|log| log.unit);
    let unit = grid.latency.as_ref().map(|_| {
        known.unwrap_or_else(|| {
            let (unit, by) = unit::told(grid.rows(), options);
            notices.push(Notice::FioLatencyUnit { unit, by });
            unit
        })
    });
    let (start, base_ms) = grid.start();
    let mut builder = SeriesBuilder::new(Source::FioLog);
    if let Ok(place) = builder.disk(&label(name), 0) {
        for mut row in grid.rows() {
            row.end_ms -= base_ms;
            if let Some(unit) = unit {
                unit::scale(&mut row, unit);
            }
            builder.push(place, row);
        }
    }
    let (mut disks, more) = builder.finish(start);
    notices.extend(more);
    for disk in &mut disks {
        disk.host.clone_from(&name.host);
        disk.log.clone_from(&name.prefix);
        disk.quality.merged = set.each().map(|log| log.merged).max().unwrap_or(1);
        disk.io_latency = percentiles(&set, unit);
        if drop_unweighted(disk) {
            notices.push(Notice::NoCommonLatency);
        }
    }
    Log {
        disks,
        notices,
        ..Log::default()
    }
}

fn label(name: &LogName) -> String {
    match name.job {
        Some(job) if job > 1 => format!("{}.{job}", name.label()),
        _ => name.label(),
    }
}

/// The logs of a job over common intervals.
struct Grid {
    width_ms: u64,
    iops: Option<Spread>,
    mbps: Option<Spread>,
    latency: Option<Spread>,
    /// Some of the logs are of another time, and were left out.
    apart: bool,
}

impl Grid {
    fn of(set: &Set<'_>) -> Self {
        let width_ms = set.each().map(|log| log.width_ms).max().unwrap_or(1000);
        let on = |log: Option<&Binned>, what| log.map(|log| Spread::of(log, width_ms, what));
        let mut grid = Self {
            width_ms,
            iops: on(set.iops, Quantity::Iops),
            mbps: on(set.mbps, Quantity::Mbps),
            latency: on(set.latency, Quantity::Latency),
            apart: false,
        };
        // One log may count from 1970 and another from the job's start.
        let first = grid.each().next().map(|s| (s.first, s.end()));
        let (from, to) = first.unwrap_or_default();
        for spread in [&mut grid.iops, &mut grid.mbps, &mut grid.latency] {
            if spread
                .as_ref()
                .is_some_and(|s| s.end() <= from || s.first >= to)
            {
                *spread = None;
                grid.apart = true;
            }
        }
        grid
    }

    fn each(&self) -> impl Iterator<Item = &Spread> {
        [&self.iops, &self.mbps, &self.latency]
            .into_iter()
            .flatten()
    }

    /// One row for every interval from the first to the last that any log says something of. Latencies are in the
    /// unit of the log.
    fn rows(&self) -> impl Iterator<Item = Row> {
        let first = self.each().map(|s| s.first).min().unwrap_or(0);
        let last = self.each().map(Spread::end).max().unwrap_or(0);
        (first..last).map(|slot| self.row(slot))
    }

    fn row(&self, slot: u64) -> Row {
        let value = |of: &Option<Spread>, lane: usize| {
            let values = &of.as_ref()?.at(slot)?.lanes;
            values.get(lane).copied().flatten()
        };
        let rates = |lane: usize| Rates {
            iops: value(&self.iops, lane),
            mbps: value(&self.mbps, lane),
            latency: value(&self.latency, lane),
        };
        let extremes = self.latency.as_ref().and_then(|spread| spread.at(slot));
        Row {
            end_ms: (slot + 1).saturating_mul(self.width_ms),
            length_ms: u32::try_from(self.width_ms).unwrap_or(u32::MAX),
            read: rates(0),
            write: rates(1),
            total: rates(2),
            latency_max: extremes.and_then(|e| e.max),
            latency_p99: extremes.and_then(|e| e.p99),
            ..Row::default()
        }
    }

    /// The moment that time counts from, where fio logged times since 1970, and how far that is.
    fn start(&self) -> (Option<StartTime>, u64) {
        let first = self.rows().next().map(|row| row.end_ms);
        let Some(first) = first.filter(|end_ms| *end_ms >= EPOCH_FROM_MS) else {
            return (None, 0);
        };
        let base = first - self.width_ms;
        let moment = i64::try_from(base)
            .ok()
            .and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
        (moment.map(StartTime::Utc), base)
    }
}

/// What is to be known of the logs.
fn notices(logs: &[FioLog], set: &Set<'_>) -> Vec<Notice> {
    let mut notices: Vec<Notice> = logs.iter().filter_map(|log| log.skipped.notice()).collect();
    let trims = logs.iter().map(|log| log.binned.trims).max().unwrap_or(0);
    if trims > 0 {
        notices.push(Notice::TrimsLeftOut { samples: trims });
    }
    let factor = set.each().map(|log| log.merged).max().unwrap_or(1);
    if factor > 1 {
        notices.push(Notice::Merged { factor });
    }
    let Some(latency) = set.latency else {
        return notices;
    };
    if latency.several_jobs && latency.grain == Grain::Window {
        notices.push(Notice::EqualDepthAssumed);
    }
    match latency.kind {
        LogKind::CompletionLatency => notices.push(Notice::CompletionLatency),
        LogKind::SubmissionLatency => notices.push(Notice::SubmissionLatencyOnly),
        _ => {}
    }
    notices
}

/// Percentiles over all counted I/Os.
fn percentiles(set: &Set<'_>, unit: Option<LatencyUnit>) -> Vec<Percentile> {
    let counter = set.latency.filter(|log| log.grain.counts());
    let (Some(log), Some(unit)) = (counter, unit) else {
        return Vec::new();
    };
    PERCENTILES
        .into_iter()
        .filter_map(|percent| {
            let value = log.counter.quantile_of_all(percent / 100.0)?;
            let latency = Latency::from_micros(value / unit.per_micro()).ok()?;
            Some(Percentile { percent, latency })
        })
        .collect()
}

/// Reads and writes with latencies but without IOPS: their common latency cannot be weighted, so it is left out.
fn drop_unweighted(disk: &mut DiskSeries) -> bool {
    let both = |i| disk.read.latency.get(i).is_some() && disk.write.latency.get(i).is_some();
    let unweighted = disk.total.iops.is_empty() && (0..disk.len()).any(both);
    if unweighted {
        disk.total.latency = Column::default();
    }
    unweighted
}
