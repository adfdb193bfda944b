//! What to say of a disk, weightiest first, in plain words.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DiskReport;
use super::change::ChangeCause;
use super::dips::{DipCause, Dips};
use super::drift::Drift;
use super::fence::Fence;
use super::hold::Hold;
use super::levels::Levels;
use super::plateau::Plateau;
use super::saturation::Saturation;
use super::stalls::Stalls;
use super::step::Step;
use super::warm_up::WarmUp;
use crate::measure::series::model::GaugeKind;
use crate::planner::FindingId;
use crate::units::{Share, grouped};

/// Saturation of less time than this is not worth a word.
const WORTH_SAYING: f64 = 0.05;

/// One thing to say of a disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Verdict {
    /// Nothing finished although I/Os were waiting.
    Stalls {
        /// How often.
        times: usize,
        /// The longest, milliseconds.
        longest_ms: u64,
    },
    /// Regular collapses.
    Fence(Fence),
    /// Collapses that are not regular.
    Dips {
        /// How many.
        dips: usize,
        /// How much of the time they took.
        share: Share,
        /// Who made the rate fall.
        cause: DipCause,
        /// The latency in them as a multiple of the usual one.
        latency_ratio: Option<f64>,
    },
    /// A constant rate that a limit holds.
    Throttled(Plateau),
    /// A counter that says itself that a limit is reached.
    Saturated(Saturation),
    /// From one moment on the rate or the latency is another, for good.
    Step(Step),
    /// One level of the rate or the latency after the other.
    Levels(Levels),
    /// The rate drifts.
    RateDrift(Drift),
    /// The latency drifts.
    LatencyDrift(Drift),
    /// The beginning is unlike the rest.
    WarmUp(WarmUp),
    /// Nothing of all that.
    Steady,
}

impl Verdict {
    /// Its stable id.
    #[must_use]
    pub const fn id(&self) -> FindingId {
        match self {
            Self::Stalls { .. } => FindingId::SeriesStalls,
            Self::Fence(_) => FindingId::SeriesFence,
            Self::Dips { .. } => FindingId::SeriesDips,
            Self::Throttled(_) => FindingId::SeriesThrottled,
            Self::Saturated(_) => FindingId::SeriesSaturated,
            Self::Step(_) | Self::Levels(_) => FindingId::SeriesStep,
            Self::RateDrift(_) => FindingId::SeriesRateDrift,
            Self::LatencyDrift(_) => FindingId::SeriesLatencyDrift,
            Self::WarmUp(_) => FindingId::SeriesWarmUp,
            Self::Steady => FindingId::SeriesSteady,
        }
    }

    /// The code of its id.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.id().code()
    }

    /// What makes a beginning faster than the rest, where nothing is known of the disk.
    const LENT: &'static str = "a cache or burst credit that ran out";

    /// In words, where it is known whether there is burst credit on the disk's way.
    #[must_use]
    pub fn words(&self, has_credit: Option<bool>) -> String {
        let words = self.to_string();
        match (self, has_credit) {
            (Self::WarmUp(_), Some(false)) => words.replace(
                Self::LENT,
                "a cache that ran out (there is no burst credit on its way)",
            ),
            _ => words,
        }
    }

    /// Whether it speaks against the device rather than of load, limits or the beginning of a test.
    #[must_use]
    pub fn blames_device(&self) -> bool {
        match self {
            Self::Stalls { .. } => true,
            Self::Fence(fence) => fence.cause == DipCause::Choked,
            Self::Dips { cause, .. } => *cause == DipCause::Choked,
            _ => false,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u64| grouped(ms as f64 / 1e3, 1);
        match self {
            Self::Stalls { times, longest_ms } => write!(
                f,
                "stalled {times} time(s), the longest for {} s: I/Os were waiting and none finished",
                seconds(*longest_ms)
            ),
            Self::Fence(fence) => fence.fmt(f),
            Self::Dips {
                dips, share, cause, ..
            } => write!(f, "{dips} dip(s), {share} of the time; {cause}"),
            Self::Throttled(plateau) => plateau.fmt(f),
            Self::Saturated(saturation) => saturation.fmt(f),
            Self::Step(step) => step.fmt(f),
            Self::Levels(levels) => levels.fmt(f),
            Self::RateDrift(drift) => write!(f, "the rate {}", moved(drift)),
            Self::LatencyDrift(drift) => write!(f, "the latency {}", moved(drift)),
            Self::WarmUp(warm_up) => f.write_str(&warm_up.words(match warm_up.cause {
                ChangeCause::Load if warm_up.ratio > 1.0 => "more was asked then",
                ChangeCause::Load => "less was asked then",
                _ if warm_up.ratio > 1.0 => Self::LENT,
                _ => "warming up",
            })),
            Self::Steady => {
                f.write_str("steady: no plateau at a known limit, no collapse, no step, no drift")
            }
        }
    }
}

fn moved(drift: &Drift) -> String {
    let way = if drift.change > 0.0 { "rose" } else { "fell" };
    format!(
        "{way} by {} % over the log",
        grouped(drift.change.abs() * 100.0, 0)
    )
}

/// What to say of a report, weightiest first. What `wanders` is not steady.
pub(super) fn verdicts(report: &DiskReport, wanders: bool) -> Vec<Verdict> {
    let mut said = Vec::new();
    said.extend(report.stalls.as_ref().map(stalled));
    match (&report.fence, &report.dips) {
        (Some(fence), _) => said.push(Verdict::Fence(fence.clone())),
        (None, Some(dips)) if !is_of_stalls(dips, report.stalls.as_ref()) => {
            said.push(dipped(dips));
        }
        (None, Some(_)) => {}
        (None, None) => {}
    }
    // Between its collapses a choking device runs at what it can: that is no limit to speak of.
    let chokes = said.iter().any(Verdict::blames_device);
    let held = |p: &&Plateau| match p.hold {
        Hold::Cap { .. } => true,
        Hold::UnknownLimit => !chokes,
        // A rate that is merely even is no sign of a limit: noise is close to its mean, too.
        Hold::Unknown => p.is_shown() && !chokes,
        Hold::Load | Hold::Parts { .. } => false,
    };
    said.extend(
        report
            .plateaus
            .iter()
            .filter(held)
            .cloned()
            .map(Verdict::Throttled),
    );
    let telling = |s: &&Saturation| {
        s.share.get() >= WORTH_SAYING
            && !matches!(s.gauge, GaugeKind::CacheReadHit | GaugeKind::Busy)
    };
    said.extend(
        report
            .saturation
            .iter()
            .filter(telling)
            .copied()
            .map(Verdict::Saturated),
    );
    let step = report
        .step
        .filter(|step| !told_as_flat(step, &report.plateaus));
    said.extend(step.map(Verdict::Step));
    said.extend(report.levels.clone().map(Verdict::Levels));
    said.extend(report.rate_drift.map(Verdict::RateDrift));
    said.extend(report.latency_drift.map(Verdict::LatencyDrift));
    said.extend(report.warm_up.map(Verdict::WarmUp));
    said.sort_by_key(|verdict| !verdict.blames_device());
    let is_held = |of: &Plateau| matches!(of.hold, Hold::Parts { .. });
    let is_held = report.plateaus.iter().any(is_held);
    if said.is_empty() && !wanders && report.not_judged.is_empty() && !is_held {
        said.push(Verdict::Steady);
    }
    said
}

/// Whether a step is from one constant rate to another that a known limit holds: the limit says more.
fn told_as_flat(step: &Step, plateaus: &[Plateau]) -> bool {
    let most = |plateau: &Plateau, (from, to): (u64, u64)| {
        let within = |span: &(u64, u64)| span.1.min(to).saturating_sub(span.0.max(from));
        let at_it: u64 = plateau.spans.iter().map(within).sum();
        let whole: u64 = plateau.spans.iter().map(|(from, to)| to - from).sum();
        at_it * 2 > whole
    };
    let before = plateaus.iter().any(|of| most(of, (0, step.at_ms)));
    let mut after = plateaus
        .iter()
        .filter(|of| most(of, (step.at_ms, u64::MAX)));
    before && after.any(|of| of.hold.is_named())
}

/// Whether every dip is a standstill, which says more of the same event.
fn is_of_stalls(dips: &Dips, stalls: Option<&Stalls>) -> bool {
    let all = || stalls.into_iter().flat_map(|stalls| &stalls.each);
    (dips.each.iter()).all(|dip| all().any(|s| s.from_ms < dip.to_ms && dip.from_ms < s.to_ms))
}

fn stalled(stalls: &Stalls) -> Verdict {
    Verdict::Stalls {
        times: stalls.each.len(),
        longest_ms: stalls.longest_ms,
    }
}

fn dipped(dips: &Dips) -> Verdict {
    Verdict::Dips {
        dips: dips.each.len(),
        share: dips.share,
        cause: dips.cause,
        latency_ratio: dips.latency_ratio,
    }
}
