//! A series as plain numbers, NaN for "not said": what the judgements compute with.

use super::stats::{quantile, said};
use crate::catalog::Axis;
use crate::measure::series::model::DiskSeries;

/// The part of the samples that are the quickest.
const QUICK: f64 = 0.05;

/// One disk over time as plain numbers.
#[derive(Debug)]
pub(super) struct View<'d> {
    /// The series itself.
    pub disk: &'d DiskSeries,
    /// Length of each sample, seconds.
    pub seconds: Vec<f64>,
    /// I/Os per second.
    pub iops: Vec<f64>,
    /// MB/s.
    pub mbps: Vec<f64>,
    /// Microseconds.
    pub latency: Vec<f64>,
    /// I/Os outstanding, counted or by Little's law.
    pub outstanding: Vec<f64>,
}

impl<'d> View<'d> {
    /// The view of a series.
    pub fn of(disk: &'d DiskSeries) -> Self {
        let n = disk.len();
        Self {
            disk,
            seconds: (0..n).map(|i| disk.seconds(i)).collect(),
            iops: disk.total.iops.numbers(n),
            mbps: disk.total.mbps.numbers(n),
            latency: disk.total.latency.numbers(n),
            outstanding: (0..n)
                .map(|i| disk.outstanding(i).unwrap_or(f64::NAN))
                .collect(),
        }
    }

    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.seconds.len()
    }

    /// The rate to look for collapses in: IOPS where they are known, else MB/s.
    pub fn rate(&self) -> &[f64] {
        self.on(self.axis())
    }

    /// The axis of [`Self::rate`].
    pub fn axis(&self) -> Axis {
        if said(&self.iops).is_empty() {
            Axis::Mbps
        } else {
            Axis::Iops
        }
    }

    /// The rates on one axis.
    pub fn on(&self, axis: Axis) -> &[f64] {
        match axis {
            Axis::Iops => &self.iops,
            Axis::Mbps => &self.mbps,
        }
    }

    /// Start and end of the samples `from..to`, milliseconds since the start of the series.
    pub fn span(&self, from: usize, to: usize) -> (u64, u64) {
        let start = self.disk.start_of(from).unwrap_or_default();
        let last = to.checked_sub(1).and_then(|i| self.disk.end_ms.get(i));
        (start, last.copied().unwrap_or(start).max(start))
    }

    /// Seconds of all samples together.
    pub fn all_seconds(&self) -> f64 {
        self.seconds.iter().sum()
    }

    /// Seconds of the samples `from..to`.
    pub fn seconds_of(&self, from: usize, to: usize) -> f64 {
        self.seconds.get(from..to).unwrap_or_default().iter().sum()
    }

    /// The mean latency of the samples `from..to`, weighted by their I/Os (by their time where the rate is not known).
    pub fn latency_of(&self, from: usize, to: usize) -> Option<f64> {
        let (mut sum, mut weights) = (0.0, 0.0);
        for i in from..to {
            let (Some(latency), Some(seconds)) = (at(&self.latency, i), at(&self.seconds, i))
            else {
                continue;
            };
            let weight = seconds * at(&self.iops, i).unwrap_or(1.0);
            sum += latency * weight;
            weights += weight;
        }
        (weights > 0.0).then(|| sum / weights)
    }

    /// The latency that the quickest samples have, microseconds: not a single one, which may be an accident.
    pub fn shortest_latency(&self) -> Option<f64> {
        quantile(&said(&self.latency), QUICK)
    }

    /// The mean of the outstanding I/Os of the samples `from..to`, weighted by time.
    pub fn outstanding_of(&self, from: usize, to: usize) -> Option<f64> {
        mean(&self.outstanding, &self.seconds, from, to)
    }

    /// The mean rate of the samples `from..to` on one axis, weighted by time.
    pub fn mean_on(&self, axis: Axis, from: usize, to: usize) -> Option<f64> {
        mean(self.on(axis), &self.seconds, from, to)
    }

    /// The mean rate of the samples `from..to`, weighted by time.
    pub fn rate_of(&self, from: usize, to: usize) -> Option<f64> {
        mean(self.rate(), &self.seconds, from, to)
    }
}

/// The number at `index`, where it is said.
pub(super) fn at(values: &[f64], index: usize) -> Option<f64> {
    values.get(index).copied().filter(|v| !v.is_nan())
}

fn mean(values: &[f64], seconds: &[f64], from: usize, to: usize) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for i in from..to {
        if let (Some(value), Some(weight)) = (at(values, i), at(seconds, i)) {
            sum += value * weight;
            weights += weight;
        }
    }
    (weights > 0.0).then(|| sum / weights)
}
