//! The ceilings that there are percentages of.

use std::collections::BTreeMap;

use super::limits::{DiskLimits, VmLimits};
use crate::azure::metrics::track::{Sample, Track};
use crate::azure::metrics::{ResourceMetrics, Subject, VmMetrics};
use crate::catalog::{Axis, Ceiling};
use crate::deployment::HostCaching;
use crate::measure::series::GaugeKind;
use crate::measure::series::azmon::{Measure, Way};
use crate::units::MB;

/// One ceiling on one axis, and how much of it was in use.
pub(super) struct Watched {
    pub subject: Subject,
    pub label: String,
    pub axis: Axis,
    /// In IOPS or MB/s.
    pub ceiling: Option<f64>,
    /// While bursting, where that is more.
    pub burst: Option<f64>,
    /// Whether the base is known and no burst is documented.
    pub cannot_burst: bool,
    /// Whether bursting is paid for and has no credit that could run out.
    pub on_demand: bool,
    /// The percentage in use.
    pub used: Track,
    /// The percentage of burst credit used up.
    pub credit: Option<Track>,
    /// Whether the percentage was computed.
    pub computed: bool,
}

impl Watched {
    /// The burst ceiling in percent of the sustained one.
    pub fn burst_percent(&self) -> Option<f64> {
        Some(self.burst? / self.ceiling? * 100.0).filter(|percent| *percent > 100.0)
    }
}

const AXES: [Axis; 2] = [Axis::Iops, Axis::Mbps];

/// Every ceiling that something is known of.
pub(super) fn watched(metrics: &VmMetrics, limits: &VmLimits) -> Vec<Watched> {
    let mut subjects = metrics.own.subjects();
    subjects.extend(limits.disks.iter().map(DiskLimits::subject));
    subjects.sort_unstable();
    subjects.dedup();
    let each = subjects
        .into_iter()
        .flat_map(|subject| AXES.map(|axis| (subject, axis)));
    each.filter_map(|(subject, axis)| watch(metrics, limits, subject, axis))
        .collect()
}

fn watch(metrics: &VmMetrics, limits: &VmLimits, subject: Subject, axis: Axis) -> Option<Watched> {
    let disk = limits.disk(subject);
    let stated = match subject {
        Subject::VmCached => limits.cached,
        Subject::VmUncached => limits.uncached,
        _ => disk.map(|disk| disk.ceiling).unwrap_or_default(),
    };
    let ceiling = stated
        .base
        .on(axis)
        .or_else(|| said(&metrics.own, subject, axis, false));
    let burst = stated
        .burst_on(axis)
        .filter(|burst| Some(*burst) > ceiling)
        .or_else(|| said(&metrics.own, subject, axis, true))
        .filter(|burst| Some(*burst) > ceiling);
    let (used, credit) = match axis {
        Axis::Iops => (GaugeKind::IopsConsumed, GaugeKind::BurstIopsUsed),
        Axis::Mbps => (GaugeKind::BandwidthConsumed, GaugeKind::BurstBandwidthUsed),
    };
    let metric = metrics.own.gauge(subject, used).cloned();
    let computed = metric.is_none();
    let used = metric.or_else(|| computed_use(metrics, disk?, axis, ceiling?))?;
    Some(Watched {
        subject,
        label: limits.label(subject),
        axis,
        ceiling,
        burst,
        cannot_burst: burst.is_none() && knows_burst(&stated, axis),
        on_demand: disk.is_some_and(|disk| disk.on_demand == Some(true)),
        used,
        credit: metrics.own.gauge(subject, credit).cloned(),
        computed,
    })
}

/// Whether what is stated of a ceiling says that it does not burst.
fn knows_burst(stated: &Ceiling, axis: Axis) -> bool {
    stated.base.on(axis).is_some() && stated.burst.is_none()
}

/// A limit as the metrics themselves state it: the lowest that was stated, should it have been changed meanwhile.
fn said(metrics: &ResourceMetrics, subject: Subject, axis: Axis, burst: bool) -> Option<f64> {
    let (measure, unit) = match axis {
        Axis::Iops => (Measure::IopsLimit(burst), 1.0),
        Axis::Mbps => (Measure::ByteLimit(burst), MB),
    };
    let samples = metrics.track(subject, measure)?.samples().iter();
    let values = samples
        .filter_map(|sample| sample.average)
        .filter(|v| *v > 0.0);
    values
        .reduce(|a, b| if b < a { b } else { a })
        .map(|value| value / unit)
}

/// The percentage of a disk's ceiling in use, from its reads and writes.
///
/// The disk's own metrics count what reaches it. Those of the VM also count what the host cache answers, so that they
/// tell it only where nothing is cached.
fn computed_use(metrics: &VmMetrics, disk: &DiskLimits, axis: Axis, ceiling: f64) -> Option<Track> {
    let own = disk.id.as_ref().and_then(|id| {
        let found = metrics.disks.iter().find(|(of, _)| of == id)?;
        rate(&found.1, Subject::ManagedDisk, axis)
    });
    let uncached = || {
        (disk.caching == Some(HostCaching::None))
            .then(|| rate(&metrics.own, disk.subject(), axis))
            .flatten()
    };
    let percent = |sample: &Sample| Sample {
        average: sample.average.map(|rate| rate / ceiling * 100.0),
        maximum: None,
        ..*sample
    };
    let rate = own.or_else(uncached)?;
    Some(Track::new(rate.samples().iter().map(percent).collect()))
}

/// Reads and writes together, in IOPS or MB/s, where both are said. Their maxima need not be of the same second.
pub(super) fn rate(metrics: &ResourceMetrics, subject: Subject, axis: Axis) -> Option<Track> {
    let of = |way| match axis {
        Axis::Iops => metrics.track(subject, Measure::Iops(way)),
        Axis::Mbps => metrics.track(subject, Measure::ByteRate(way)),
    };
    let unit = match axis {
        Axis::Iops => 1.0,
        Axis::Mbps => MB,
    };
    let (reads, writes) = (of(Way::Read)?, of(Way::Write)?);
    let read: BTreeMap<i64, f64> = reads
        .samples()
        .iter()
        .filter_map(|s| Some((s.at_ms, s.average?)))
        .collect();
    let both = writes.samples().iter().filter_map(|sample| {
        let sum = sample.average? + read.get(&sample.at_ms)?;
        Some(Sample {
            average: Some(sum / unit),
            maximum: None,
            ..*sample
        })
    });
    Some(Track::new(both.collect())).filter(|track| !track.is_empty())
}
