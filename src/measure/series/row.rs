//! One sample of one disk on its way into a series.

use super::column::Column;
use super::model::{DiskSeries, Gauge, GaugeKind, Lane};

/// Rates above these are no rates: a counter was reset, or ran over. (No disk makes a thousand million I/Os or a
/// terabyte a second.)
const IMPOSSIBLE_IOPS: f64 = 1e9;
const IMPOSSIBLE_MBPS: f64 = 1e6;

/// Rates and latency of one direction in one sample. `None`: not said.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Rates {
    /// I/Os per second.
    pub iops: Option<f64>,
    /// MB/s.
    pub mbps: Option<f64>,
    /// Microseconds.
    pub latency: Option<f64>,
}

impl Rates {
    fn impossible(&self) -> bool {
        let out = |value: Option<f64>, most: f64| value.is_some_and(|v| !(0.0..=most).contains(&v));
        out(self.iops, IMPOSSIBLE_IOPS) || out(self.mbps, IMPOSSIBLE_MBPS)
    }

    /// A latency of nothing is no latency.
    fn tidy(&mut self) {
        if self.iops == Some(0.0) || self.latency.is_some_and(|us| us.is_nan() || us <= 0.0) {
            self.latency = None;
        }
    }

    /// Both directions together. A direction that is not said counts as none of it, if the other one is said.
    fn sum(read: Self, write: Self) -> Self {
        Self {
            iops: add(read.iops, write.iops),
            mbps: add(read.mbps, write.mbps),
            latency: mean_latency((read.latency, read.iops), (write.latency, write.iops)),
        }
    }

    /// Two samples one after the other, `first` and `then` seconds long.
    fn join(a: Self, first: f64, b: Self, then: f64) -> Self {
        Self {
            iops: weighted(a.iops, first, b.iops, then),
            mbps: weighted(a.mbps, first, b.mbps, then),
            latency: mean_latency(
                (a.latency, a.iops.map(|iops| iops * first)),
                (b.latency, b.iops.map(|iops| iops * then)),
            ),
        }
    }

    fn of(lane: &Lane, index: usize) -> Self {
        Self {
            iops: lane.iops.number(index),
            mbps: lane.mbps.number(index),
            latency: lane.latency.number(index),
        }
    }

    fn store(self, lane: &mut Lane, index: usize) {
        lane.iops.set(index, self.iops);
        lane.mbps.set(index, self.mbps);
        lane.latency.set(index, self.latency);
    }
}

fn add(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0.0) + b.unwrap_or(0.0)),
    }
}

fn weighted(a: Option<f64>, weight_a: f64, b: Option<f64>, weight_b: f64) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) if weight_a + weight_b > 0.0 => {
            Some((a * weight_a + b * weight_b) / (weight_a + weight_b))
        }
        (a, b) => a.or(b),
    }
}

/// The mean of two latencies, each with its number of I/Os (or its rate, over the same time).
///
/// Where a number is not known, both are taken to come from the same queue depth, so that the numbers are in inverse
/// proportion to the latencies: the mean weighted by I/O count is then the harmonic one.
pub(super) fn mean_latency(
    (a, ios_a): (Option<f64>, Option<f64>),
    (b, ios_b): (Option<f64>, Option<f64>),
) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => match (ios_a, ios_b) {
            (Some(m), Some(n)) => weighted(Some(a), m, Some(b), n),
            _ => Some(2.0 / (1.0 / a + 1.0 / b)),
        },
        (a, b) => a.or(b),
    }
}

/// One sample of one disk.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Row {
    /// Milliseconds since the start of the log.
    pub end_ms: u64,
    /// Milliseconds.
    pub length_ms: u32,
    /// Reads and writes together; made from the two where the log does not say it.
    pub total: Rates,
    /// Reads.
    pub read: Rates,
    /// Writes.
    pub write: Rates,
    /// I/Os outstanding on average.
    pub queue_depth: Option<f64>,
    /// Longest latency, microseconds.
    pub latency_max: Option<f64>,
    /// 99th percentile, microseconds.
    pub latency_p99: Option<f64>,
    /// Percentages in the order of [`GaugeKind::ALL`].
    pub gauges: [Option<f64>; GaugeKind::ALL.len()],
}

impl Row {
    /// Whether some rate is negative or beyond any device.
    pub fn impossible(&self) -> bool {
        [self.total, self.read, self.write]
            .iter()
            .any(Rates::impossible)
    }

    /// Whether it says anything at all.
    pub fn is_blank(&self) -> bool {
        let rates = |rates: &Rates| rates.iops.or(rates.mbps).or(rates.latency).is_some();
        let beside = [self.queue_depth, self.latency_max, self.latency_p99];
        let all = || beside.iter().chain(&self.gauges);
        ![self.read, self.write, self.total].iter().any(rates) && all().all(Option::is_none)
    }

    /// Adds what another table says of the same sample.
    pub fn add(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.total, other.total),
            (&mut self.read, other.read),
            (&mut self.write, other.write),
        ] {
            own.iops = own.iops.or(other.iops);
            own.mbps = own.mbps.or(other.mbps);
            own.latency = own.latency.or(other.latency);
        }
        self.queue_depth = self.queue_depth.or(other.queue_depth);
        for (own, other) in self.gauges.iter_mut().zip(other.gauges) {
            *own = own.or(other);
        }
    }

    /// Makes the sum of both directions where the log does not say it, and leaves out latencies of nothing.
    pub fn complete(&mut self) {
        self.read.tidy();
        self.write.tidy();
        let sum = Rates::sum(self.read, self.write);
        self.total.iops = self.total.iops.or(sum.iops);
        self.total.mbps = self.total.mbps.or(sum.mbps);
        self.total.tidy();
        if self.total.iops != Some(0.0) {
            self.total.latency = self.total.latency.or(sum.latency);
        }
    }

    /// Sets the percentage of `kind`.
    pub fn gauge(&mut self, kind: GaugeKind, percent: Option<f64>) {
        let place = GaugeKind::ALL.iter().position(|k| *k == kind);
        if let Some(slot) = place.and_then(|i| self.gauges.get_mut(i)) {
            *slot = percent;
        }
    }

    /// One sample made of two that follow each other.
    pub fn join(a: &Self, b: &Self) -> Self {
        let (first, then) = (f64::from(a.length_ms), f64::from(b.length_ms));
        let mut gauges = a.gauges;
        for (slot, other) in gauges.iter_mut().zip(b.gauges) {
            *slot = weighted(*slot, first, other, then);
        }
        Self {
            end_ms: b.end_ms,
            length_ms: a.length_ms.saturating_add(b.length_ms),
            total: Rates::join(a.total, first, b.total, then),
            read: Rates::join(a.read, first, b.read, then),
            write: Rates::join(a.write, first, b.write, then),
            queue_depth: weighted(a.queue_depth, first, b.queue_depth, then),
            latency_max: larger(a.latency_max, b.latency_max),
            latency_p99: larger(a.latency_p99, b.latency_p99),
            gauges,
        }
    }

    /// Sample `index` of a series.
    pub fn of(series: &DiskSeries, index: usize) -> Option<Self> {
        let mut row = Self {
            end_ms: *series.end_ms.get(index)?,
            length_ms: *series.length_ms.get(index)?,
            total: Rates::of(&series.total, index),
            read: Rates::of(&series.read, index),
            write: Rates::of(&series.write, index),
            queue_depth: series.queue_depth.number(index),
            latency_max: series.latency_max.number(index),
            latency_p99: series.latency_p99.number(index),
            gauges: [None; GaugeKind::ALL.len()],
        };
        for gauge in &series.gauges {
            row.gauge(gauge.kind, gauge.percent.number(index));
        }
        Some(row)
    }

    /// Appends it to a series.
    pub fn append_to(&self, series: &mut DiskSeries) {
        let index = series.len();
        series.end_ms.push(self.end_ms);
        series.length_ms.push(self.length_ms);
        self.total.store(&mut series.total, index);
        self.read.store(&mut series.read, index);
        self.write.store(&mut series.write, index);
        series.queue_depth.set(index, self.queue_depth);
        series.latency_max.set(index, self.latency_max);
        series.latency_p99.set(index, self.latency_p99);
        for (kind, percent) in GaugeKind::ALL.into_iter().zip(self.gauges) {
            if percent.is_some() {
                gauge_of(series, kind).set(index, percent);
            }
        }
    }
}

/// The counter of `kind`, added where the series has none yet.
fn gauge_of(series: &mut DiskSeries, kind: GaugeKind) -> &mut Column<f64> {
    let place = series.gauges.iter().position(|gauge| gauge.kind == kind);
    let place = place.unwrap_or(series.gauges.len());
    if place == series.gauges.len() {
        series.gauges.push(Gauge {
            kind,
            percent: Column::default(),
        });
    }
    &mut series.gauges[place].percent
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(iops: f64, mbps: f64, latency: f64) -> Rates {
        Rates {
            iops: Some(iops),
            mbps: Some(mbps),
            latency: Some(latency),
        }
    }

    #[test]
    fn latencies_are_weighted_by_io_count() {
        // 300 reads of 2 ms and 100 writes of 10 ms: (300 x 2 + 100 x 10) / 400 = 4 ms.
        let mut row = Row {
            read: rates(300.0, 3.0, 2000.0),
            write: rates(100.0, 1.0, 10_000.0),
            ..Row::default()
        };
        row.complete();
        assert_eq!(row.total, rates(400.0, 4.0, 4000.0));
    }

    #[test]
    fn joining_weighs_rates_by_time_and_latency_by_ios() {
        // 1 s of 100 IOPS at 1 ms, then 3 s of 300 IOPS at 2 ms: 1000 I/Os in 4 s; (100 x 1 + 900 x 2) / 1000 = 1.9 ms.
        let a = Row {
            end_ms: 1000,
            length_ms: 1000,
            total: rates(100.0, 1.0, 1000.0),
            ..Row::default()
        };
        let b = Row {
            end_ms: 4000,
            length_ms: 3000,
            total: rates(300.0, 3.0, 2000.0),
            ..Row::default()
        };
        let both = Row::join(&a, &b);
        assert_eq!((both.end_ms, both.length_ms), (4000, 4000));
        assert_eq!(both.total, rates(250.0, 2.5, 1900.0));
    }

    #[test]
    fn without_counts_the_same_queue_depth_is_assumed() {
        // At one outstanding each: 1 ms makes 1,000 IOPS, 4 ms 250; (1000 x 1 + 250 x 4) / 1250 = 1.6 ms.
        assert_eq!(
            mean_latency((Some(1.0), None), (Some(4.0), None)),
            Some(1.6)
        );
    }

    #[test]
    fn nothing_finished_means_no_latency() {
        let mut row = Row {
            read: rates(0.0, 0.0, 5.0),
            write: rates(0.0, 0.0, 0.0),
            ..Row::default()
        };
        row.complete();
        assert_eq!(row.total.latency, None);
        assert_eq!(row.total.iops, Some(0.0));
    }

    #[test]
    fn figures_beyond_any_device_are_told() {
        let mut row = Row {
            read: rates(1.8e16, 0.0, 0.0),
            ..Row::default()
        };
        assert!(row.impossible());
        row.read = rates(5.0, -1.0, 0.0);
        assert!(row.impossible());
        assert!(Row::default().is_blank());
    }
}
