//! The ceilings that there are percentages of.

use std::collections::BTreeMap;

use super::joint;
use super::limits::{DiskLimits, VmLimits};
use super::model::SharedUse;
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
    /// The most of it that can have been in use, where that is more than is sure.
    pub possible: Option<f64>,
    /// The percentage of burst credit used up.
    pub credit: Option<Track>,
    /// Whether the percentage was computed.
    pub computed: bool,
    /// Whose use it is, of a shared disk.
    pub shared: Option<SharedUse>,
}

impl Watched {
    /// The burst ceiling in percent of the sustained one.
    pub fn burst_percent(&self) -> Option<f64> {
        Some(self.burst? / self.ceiling? * 100.0).filter(|percent| *percent > 100.0)
    }
}

/// What each ceiling has.
pub(super) const AXES: [Axis; 2] = [Axis::Iops, Axis::Mbps];

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
    let credit = match axis {
        Axis::Iops => GaugeKind::BurstIopsUsed,
        Axis::Mbps => GaugeKind::BurstBandwidthUsed,
    };
    let (used, shared) = used(metrics, limits, subject, axis, ceiling)?;
    let Rate {
        track: used,
        possible,
        computed,
    } = used;
    Some(Watched {
        subject,
        label: label(limits, subject, shared.as_ref()),
        axis,
        ceiling,
        burst,
        cannot_burst: burst.is_none() && knows_burst(&stated, axis),
        on_demand: disk.is_some_and(|disk| disk.on_demand == Some(true)),
        used,
        possible,
        credit: metrics.own.gauge(subject, credit).cloned(),
        computed,
        shared,
    })
}

/// How much of a ceiling was in use, in percent of it; of a shared disk by whom.
fn used(
    metrics: &VmMetrics,
    limits: &VmLimits,
    subject: Subject,
    axis: Axis,
    ceiling: Option<f64>,
) -> Option<(Rate, Option<SharedUse>)> {
    let disk = limits.disk(subject);
    let of_disk = || of_disk(metrics, disk?, axis, ceiling?);
    if let Some(shared) = metrics.shared.iter().find(|of| of.subject == subject) {
        let own = (limits.vm.as_str(), &metrics.own);
        let (used, whose) = joint::together(own, shared, axis, ceiling, of_disk())?;
        return Some((used, Some(whose)));
    }
    // The VM also counts what the host cache answers: its reads and writes tell what reaches a disk only where none is.
    let uncached = || {
        disk.filter(|disk| disk.caching == Some(HostCaching::None))?;
        Some(rate(&metrics.own, subject, axis)?.percent_of(ceiling?))
    };
    let used = said_use(&metrics.own, subject, axis)
        .or_else(of_disk)
        .or_else(uncached)?;
    Some((used, None))
}

/// What people call it; of a disk whose use is that of several VMs with their names.
fn label(limits: &VmLimits, subject: Subject, shared: Option<&SharedUse>) -> String {
    let label = limits.label(subject);
    match shared {
        Some(shared) if shared.vms.len() > 1 => format!("{label} ({})", shared.vms.join(" + ")),
        _ => label,
    }
}

/// How much one VM has of a ceiling in use: as it says, else from its reads and writes. Shared disks are not cached, so that
/// all of them reach the disk.
pub(super) fn part(
    metrics: &ResourceMetrics,
    subject: Subject,
    axis: Axis,
    ceiling: Option<f64>,
) -> Option<Rate> {
    said_use(metrics, subject, axis)
        .or_else(|| Some(rate(metrics, subject, axis)?.percent_of(ceiling?)))
}

/// The percentage of a ceiling in use, as the metrics say it.
fn said_use(metrics: &ResourceMetrics, subject: Subject, axis: Axis) -> Option<Rate> {
    let track = metrics.gauge(subject, consumed(axis))?.clone();
    Some(Rate {
        track,
        possible: None,
        computed: false,
    })
}

const fn consumed(axis: Axis) -> GaugeKind {
    match axis {
        Axis::Iops => GaugeKind::IopsConsumed,
        Axis::Mbps => GaugeKind::BandwidthConsumed,
    }
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

/// Reads and writes together.
pub(super) struct Rate {
    /// The sum of the means. Maxima need not be of the same second: the higher of both is what was surely reached.
    pub track: Track,
    /// The most that it can have been within an interval: the highest sum of both maxima.
    pub possible: Option<f64>,
    /// Whether it was computed, and not said.
    pub computed: bool,
}

impl Rate {
    /// The same as percent of `whole`.
    fn percent_of(self, whole: f64) -> Self {
        let percent = |rate: f64| rate / whole * 100.0;
        let sample = |sample: Sample| Sample {
            average: sample.average.map(percent),
            maximum: sample.maximum.map(percent),
            ..sample
        };
        Self {
            track: Track::new(self.track.into_samples().into_iter().map(sample).collect()),
            possible: self.possible.map(percent),
            computed: true,
        }
    }
}

/// The percentage of a disk's ceiling in use, from the reads and writes that the disk itself says: what reaches it, of
/// whichever VM.
fn of_disk(metrics: &VmMetrics, disk: &DiskLimits, axis: Axis, ceiling: f64) -> Option<Rate> {
    let id = disk.id.as_ref()?;
    let (_, own) = metrics.disks.iter().find(|(of, _)| of == id)?;
    Some(rate(own, Subject::ManagedDisk, axis)?.percent_of(ceiling))
}

/// Reads and writes together, in IOPS or MB/s, where both are said.
pub(super) fn rate(metrics: &ResourceMetrics, subject: Subject, axis: Axis) -> Option<Rate> {
    let of = |way| match axis {
        Axis::Iops => metrics.track(subject, Measure::Iops(way)),
        Axis::Mbps => metrics.track(subject, Measure::ByteRate(way)),
    };
    let unit = match axis {
        Axis::Iops => 1.0,
        Axis::Mbps => MB,
    };
    let (reads, writes) = (of(Way::Read)?, of(Way::Write)?);
    let reads: BTreeMap<i64, &Sample> = reads.samples().iter().map(|s| (s.at_ms, s)).collect();
    let samples = writes.samples().iter();
    let pairs: Vec<(&Sample, &Sample)> = samples
        .filter_map(|write| Some((*reads.get(&write.at_ms)?, write)))
        .collect();
    let maxima = |(read, write): &(&Sample, &Sample)| read.maximum.zip(write.maximum);
    let together = |pair: &(&Sample, &Sample)| {
        let (read, write) = *pair;
        let means = read.average.zip(write.average);
        Sample {
            average: means.map(|(read, write)| (read + write) / unit),
            maximum: maxima(pair).map(|(read, write)| read.max(write) / unit),
            ..*write
        }
    };
    let sums = pairs.iter().filter_map(maxima);
    let possible = sums.map(|(read, write)| (read + write) / unit);
    let possible = possible.reduce(f64::max);
    let track = Track::new(pairs.iter().map(together).collect());
    (!track.is_empty()).then_some(Rate {
        track,
        possible,
        computed: true,
    })
}
