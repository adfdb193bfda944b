//! Whether a VM's disks were really throttled, when and by what, and how near the rest came. Pure.
//!
//! The platform says for each ceiling how much of it was in use, in percent of that ceiling alone: the cached and the
//! uncached path of the VM and every disk each have two (IOPS and bandwidth). So 80 % on the uncached path says
//! nothing of the cached one, which may be full. Above 100 % is bursting, which has a ceiling of its own. Source:
//! Azure, disk performance metrics (storage I/O utilization metrics).

mod findings;
mod hold;
mod joint;
mod limits;
mod model;
mod unused;
mod uses;
mod watched;
mod without;
mod words;

pub use limits::{DiskLimits, Lowering, VmLimits};
pub use model::{
    Beside, CeilingUse, CreditUse, DiskUse, Level, MetricsJudgement, SharedUse, Span, Throttling,
};

use super::VmMetrics;
use super::track::moment;
use crate::catalog::Limits;
use crate::catalog::price::Money;
use watched::Watched;

/// Judges the metrics of a VM against its ceilings.
#[must_use]
pub fn judge(metrics: &VmMetrics, limits: &VmLimits) -> MetricsJudgement {
    judge_priced(metrics, limits, &|_, _| None)
}

/// What a month of a disk costs less with these settings; `None` where that is not known.
pub(crate) type Saving<'s> = dyn Fn(&DiskLimits, Limits) -> Option<Money> + 's;

/// The same, with the money that lower settings save.
#[must_use]
pub(crate) fn judge_priced(
    metrics: &VmMetrics,
    limits: &VmLimits,
    saving: &Saving<'_>,
) -> MetricsJudgement {
    let all = watched::watched(metrics, limits);
    let (from_ms, until_ms) = period(metrics, &all);
    let intervals = |length_ms: u32| {
        let whole = (until_ms - from_ms) / i64::from(length_ms.max(1));
        usize::try_from(whole).unwrap_or(0)
    };
    let mut ceilings: Vec<CeilingUse> = all.iter().map(|w| w.summary(intervals)).collect();
    ceilings.sort_by(|a, b| {
        let weight = |c: &CeilingUse| (c.throttled_seconds, c.touched_seconds);
        let (held_a, held_b) = (weight(a), weight(b));
        held_b
            .0
            .total_cmp(&held_a.0)
            .then(held_b.1.total_cmp(&held_a.1))
            .then(nearness(b).total_cmp(&nearness(a)))
    });
    let mut spans: Vec<Span> = all.iter().flat_map(Watched::spans).collect();
    for span in &mut spans {
        span.beside = hold::beside(span, &all);
    }
    spans.sort_by(|a, b| {
        b.whole_seconds
            .total_cmp(&a.whole_seconds)
            .then(b.seconds.total_cmp(&a.seconds))
            .then(a.start.cmp(&b.start))
    });
    let known = from_ms < until_ms;
    let without_metrics = without::metrics(&ceilings, limits);
    let mut judgement = MetricsJudgement {
        vm: limits.vm.clone(),
        throttling: throttling(&ceilings, without_metrics.is_empty()),
        summary: String::new(),
        from: known.then(|| moment(from_ms)),
        until: known.then(|| moment(until_ms)),
        interval_seconds: all
            .iter()
            .find_map(|w| w.used.usual_ms())
            .map(|ms| f64::from(ms) / 1e3),
        ceilings,
        without_metrics,
        spans,
        credits: uses::credits(&all),
        disks: uses::disks(metrics, limits),
        findings: Vec::new(),
        notes: Vec::new(),
    };
    judgement.summary = words::summary(&judgement);
    judgement.findings = findings::findings(&judgement, limits, saving);
    judgement.notes = findings::notes(&judgement);
    judgement
}

fn nearness(of: &CeilingUse) -> f64 {
    of.highest_average.or(of.highest_maximum).unwrap_or(0.0)
}

/// `all`: whether there are metrics of all ceilings.
fn throttling(ceilings: &[CeilingUse], all: bool) -> Throttling {
    if ceilings.is_empty() {
        Throttling::Unknown
    } else if ceilings.iter().any(|c| c.throttled_seconds > 0.0) {
        Throttling::Throttled
    } else if ceilings.iter().any(|c| c.touched_seconds > 0.0) {
        Throttling::Touched
    } else if all {
        Throttling::None
    } else {
        Throttling::NotSeen
    }
}

/// From the first to the last value, milliseconds since 1970: of the ceilings, else of anything.
fn period(metrics: &VmMetrics, all: &[Watched]) -> (i64, i64) {
    let used = all.iter().map(|w| &w.used);
    let own = metrics.own.tracks.iter().map(|(.., track)| track);
    let disks = metrics.disks.iter().flat_map(|(_, own)| &own.tracks);
    let any = own.chain(disks.map(|(.., track)| track));
    let span = |tracks: &mut dyn Iterator<Item = &super::track::Track>| {
        let ends = tracks.filter_map(|track| {
            let samples = track.samples();
            Some((samples.first()?.at_ms, samples.last()?.end_ms()))
        });
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    span(&mut used.into_iter())
        .or_else(|| span(&mut any.into_iter()))
        .unwrap_or((0, 0))
}
