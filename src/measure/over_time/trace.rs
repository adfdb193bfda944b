//! A disk's rates and latency over time, thinned to what a picture can show.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::label::Labelled;
use crate::measure::series::{DiskSeries, StartTime};
use crate::units::{Iops, Latency, MBps};

/// So many stretches are kept apart; of each the samples with the lowest and highest rate and the longest latency.
const STRETCHES: usize = 250;

/// Rates and latency over time. All lists are equally long; what is `None` in all of them is a gap.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Where it begins, minutes after the earliest disk of the report; 0 where their clocks are not comparable.
    pub offset_minutes: f64,
    /// End of each sample that is kept, minutes since the start of the log.
    pub minutes: Vec<f64>,
    /// I/Os per second.
    pub iops: Vec<Option<Iops>>,
    /// MB/s.
    pub mbps: Vec<Option<MBps>>,
    /// Mean latency, microseconds.
    pub latency_us: Vec<Option<Latency>>,
}

/// The earliest start of the disks, where their clocks are comparable.
pub(super) fn origin(disks: &[Labelled<'_>]) -> Option<StartTime> {
    let starts: Option<Vec<StartTime>> = disks.iter().map(|disk| disk.series.start).collect();
    let starts = starts?;
    let first = *starts.first()?;
    let alike = starts.iter().all(|start| start.comparable(first));
    starts
        .into_iter()
        .filter(|_| alike)
        .min_by_key(|start| start.scale_ms())
}

impl Trace {
    /// The trace of a disk beside others of which the first began at `origin`.
    pub(super) fn of(disk: &DiskSeries, origin: Option<StartTime>) -> Self {
        let offset = origin.zip(disk.start).map_or(0, |(origin, start)| {
            start.scale_ms().saturating_sub(origin.scale_ms())
        });
        let mut trace = Self {
            offset_minutes: offset as f64 / MS_PER_MINUTE,
            ..Self::default()
        };
        let mut last: Option<usize> = None;
        for index in kept(disk) {
            if let Some(from) = last.and_then(|last| gap(disk, last, index)) {
                trace.push(from, None, None, None);
            }
            let end = disk.end_ms.get(index).copied().unwrap_or_default();
            let total = &disk.total;
            trace.push(
                end,
                total.iops.get(index),
                total.mbps.get(index),
                total.latency.get(index),
            );
            last = Some(index);
        }
        trace
    }

    fn push(
        &mut self,
        end_ms: u64,
        iops: Option<Iops>,
        mbps: Option<MBps>,
        latency: Option<Latency>,
    ) {
        self.minutes.push(end_ms as f64 / MS_PER_MINUTE);
        self.iops.push(iops);
        self.mbps.push(mbps);
        self.latency_us.push(latency);
    }
}

const MS_PER_MINUTE: f64 = 60_000.0;

/// Where a gap begins between two samples that are kept, if there is one among the samples from one to the other.
fn gap(disk: &DiskSeries, from: usize, to: usize) -> Option<u64> {
    (from + 1..=to).find_map(|i| {
        let before = *disk.end_ms.get(i - 1)?;
        let pause = disk.start_of(i)?.saturating_sub(before);
        (pause * 2 > u64::from(disk.interval_ms)).then_some(before)
    })
}

/// The samples that are kept, in order.
fn kept(disk: &DiskSeries) -> Vec<usize> {
    let count = disk.len();
    if count <= STRETCHES * 3 {
        return (0..count).collect();
    }
    let rate = |i: &usize| {
        let iops = disk.total.iops.number(*i);
        iops.or_else(|| disk.total.mbps.number(*i))
    };
    let latency = |i: &usize| disk.total.latency.number(*i);
    let length = count.div_ceil(STRETCHES);
    let mut kept = Vec::with_capacity(STRETCHES * 3);
    for from in (0..count).step_by(length) {
        let samples = from..(from + length).min(count);
        let of = |value: &dyn Fn(&usize) -> Option<f64>, sign: f64| {
            samples
                .clone()
                .filter_map(|i| Some((i, sign * value(&i)?)))
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(i, _)| i)
        };
        let mut chosen: Vec<usize> = [of(&rate, -1.0), of(&rate, 1.0), of(&latency, 1.0)]
            .into_iter()
            .flatten()
            .collect();
        if chosen.is_empty() {
            chosen.push(from);
        }
        chosen.sort_unstable();
        chosen.dedup();
        kept.extend(chosen);
    }
    kept
}
