//! What burst credit was used up, and what disks were used for.

use super::limits::{DiskLimits, VmLimits};
use super::model::{CreditUse, DiskUse};
use super::watched::{Watched, rate};
use crate::azure::metrics::track::{Track, moment};
use crate::azure::metrics::{ResourceMetrics, Subject, VmMetrics};
use crate::catalog::Axis;
use crate::measure::series::GaugeKind;
use crate::measure::series::azmon::{Measure, Way};

/// The burst credit of every ceiling that has some, the most used up first.
pub(super) fn credits(all: &[Watched]) -> Vec<CreditUse> {
    let mut credits: Vec<CreditUse> = all
        .iter()
        .filter_map(|watched| {
            let credit = watched.credit.as_ref()?;
            let highest = [credit.highest_average(), credit.highest_maximum()];
            let (highest_used, at) = highest
                .into_iter()
                .flatten()
                .reduce(|a, b| if b.0 > a.0 { b } else { a })?;
            Some(CreditUse {
                subject: watched.subject,
                label: watched.label.clone(),
                axis: watched.axis,
                highest_used,
                at: moment(at),
            })
        })
        .collect();
    credits.sort_by(|a, b| b.highest_used.total_cmp(&a.highest_used));
    credits
}

/// What every disk was used for: those of `limits`, and LUNs that only the metrics name.
pub(super) fn disks(metrics: &VmMetrics, limits: &VmLimits) -> Vec<DiskUse> {
    let mut subjects = metrics.own.subjects();
    subjects.retain(|s| matches!(s, Subject::OsDisk | Subject::Lun(_) | Subject::TempDisk));
    subjects.extend(limits.disks.iter().map(DiskLimits::subject));
    subjects.sort_unstable();
    subjects.dedup();
    let uses = subjects.into_iter().map(|s| disk(metrics, limits, s));
    uses.filter(DiskUse::says_anything).collect()
}

fn disk(metrics: &VmMetrics, limits: &VmLimits, subject: Subject) -> DiskUse {
    let id = limits.disk(subject).and_then(|disk| disk.id.as_ref());
    let own = metrics
        .disks
        .iter()
        .find(|(of, _)| Some(of) == id)
        .map(|(_, own)| own);
    // What the VM counts for a disk is what the VM asked of it; the disk's own metrics leave out what the cache
    // answered.
    let of_vm = (&metrics.own, subject);
    let of_disk = own.map(|own| (own, Subject::ManagedDisk));
    let first = |of: &dyn Fn(&ResourceMetrics, Subject) -> Option<f64>| {
        of(of_vm.0, of_vm.1).or_else(|| of_disk.and_then(|(own, subject)| of(own, subject)))
    };
    let peak = |axis| first(&|m, s| Some(rate(m, s, axis)?.track.highest_average()?.0));
    let latency = metrics.own.track(subject, Measure::Latency);
    let slowest = latency.and_then(Track::highest_average);
    let hit = metrics.own.gauge(subject, GaugeKind::CacheReadHit);
    DiskUse {
        subject,
        label: limits.label(subject),
        write_share: first(&|m, s| write_share(m, s, Measure::Iops)),
        write_byte_share: first(&|m, s| write_share(m, s, Measure::ByteRate)),
        cache_read_hit: hit.and_then(mean),
        peak_iops: peak(Axis::Iops),
        peak_mbps: peak(Axis::Mbps),
        highest_latency_ms: slowest.map(|(ms, _)| ms),
        highest_latency_at: slowest.map(|(_, at)| moment(at)),
        paid_bursts: own
            .and_then(|own| own.track(Subject::ManagedDisk, Measure::PaidBursts))
            .map(|track| track.samples().iter().filter_map(|s| s.average).sum()),
    }
}

impl DiskUse {
    fn says_anything(&self) -> bool {
        let figures = [
            self.write_share,
            self.write_byte_share,
            self.cache_read_hit,
            self.peak_iops,
            self.peak_mbps,
            self.highest_latency_ms,
            self.paid_bursts,
        ];
        figures.iter().any(Option::is_some)
    }
}

/// The share that writes have of all I/Os or bytes, 0 to 1; `None` where there were none of either, or not both are
/// said.
fn write_share(metrics: &ResourceMetrics, subject: Subject, of: fn(Way) -> Measure) -> Option<f64> {
    let total = |way| metrics.track(subject, of(way)).map(amount);
    let (reads, writes) = (total(Way::Read)?, total(Way::Write)?);
    (reads + writes > 0.0).then(|| writes / (reads + writes))
}

/// A rate over all its intervals.
fn amount(track: &Track) -> f64 {
    let samples = track.samples().iter();
    samples
        .filter_map(|s| Some(s.average? * f64::from(s.length_ms)))
        .sum()
}

/// The mean over all intervals, each as long as it is.
fn mean(track: &Track) -> Option<f64> {
    let covered: f64 = track
        .samples()
        .iter()
        .filter(|s| s.average.is_some())
        .map(|s| f64::from(s.length_ms))
        .sum();
    (covered > 0.0).then(|| amount(track) / covered)
}
