//! What one disk did over time: pure judgements of a [`DiskSeries`], one concern a file.

mod change;
mod dips;
mod distribution;
mod drift;
mod fence;
mod hold;
mod levels;
mod outstanding;
mod plateau;
mod saturation;
mod stalls;
pub(super) mod stats;
mod step;
mod verdict;
mod view;
mod warm_up;

pub use change::ChangeCause;
pub use dips::{Dip, DipCause, Dips};
pub use distribution::Distribution;
pub use drift::Drift;
pub use fence::Fence;
pub use hold::{Hold, Known, Part};
pub use levels::{Level, Levels};
pub use outstanding::Outstanding;
pub use plateau::Plateau;
pub use saturation::Saturation;
pub use stalls::{Stall, Stalls};
pub use step::Step;
pub use verdict::Verdict;
pub use warm_up::WarmUp;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{Cap, DiskSeries, Quality, StartTime};
use crate::measure::model::Percentile;
use crate::units::{Iops, Latency, MBps};
use view::View;

/// How near to a limit a rate has to be to sit on it, unless told otherwise.
pub const TOLERANCE: f64 = 0.075;

/// What a series was too short to be judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Concern {
    /// Constant rates, and the limits that they are at.
    Plateaus,
    /// Dips and fences.
    Dips,
    /// Drift, and steps.
    Drift,
    /// The beginning.
    WarmUp,
}

/// A judgement that was not made, because there are not enough samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotJudged {
    /// What was not judged.
    pub concern: Concern,
    /// How many samples there are.
    pub samples: usize,
    /// How many are needed.
    pub needed: usize,
}

impl fmt::Display for NotJudged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.concern {
            Concern::Plateaus => "constant rates and the limits that they are at",
            Concern::Dips => "dips and fences",
            Concern::Drift => "drift",
            Concern::WarmUp => "the beginning",
        };
        write!(f, "{what} ({} are needed)", self.needed)
    }
}

/// Everything that is to be said of one disk over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskReport {
    /// The disk.
    pub disk: String,
    /// The host, where known.
    pub host: Option<String>,
    /// When it began, where known.
    pub start: Option<StartTime>,
    /// From the first sample to the last, milliseconds.
    pub span_ms: u64,
    /// How many samples.
    pub samples: usize,
    /// Usual length of a sample, milliseconds.
    pub interval_ms: u32,
    /// How whole the log is.
    pub quality: Quality,
    /// I/Os per second over the samples, weighted by time.
    pub iops: Option<Distribution<Iops>>,
    /// MB/s over the samples, weighted by time.
    pub mbps: Option<Distribution<MBps>>,
    /// Mean latencies of the samples, weighted by I/O count, microseconds.
    pub latency: Option<Distribution<Latency>>,
    /// Percentiles over all single I/Os, where the log has them.
    pub io_latency: Vec<Percentile>,
    /// Outstanding I/Os.
    pub outstanding: Option<Outstanding>,
    /// Constant rates, highest first.
    pub plateaus: Vec<Plateau>,
    /// Falls of the rate that it came back from.
    pub dips: Option<Dips>,
    /// Regular ones.
    pub fence: Option<Fence>,
    /// Standstills with I/Os waiting.
    pub stalls: Option<Stalls>,
    /// A moment from which on the rate or the latency is another, for good.
    #[serde(default)]
    pub step: Option<Step>,
    /// Three levels of the rate or the latency, or more, one after the other; two are a step.
    #[serde(default)]
    pub levels: Option<Levels>,
    /// A trend of the rate; none beside a step or levels, which is no trend.
    pub rate_drift: Option<Drift>,
    /// A trend of the latency.
    pub latency_drift: Option<Drift>,
    /// A beginning that is unlike the rest.
    pub warm_up: Option<WarmUp>,
    /// Counters that say themselves that a limit is reached.
    pub saturation: Vec<Saturation>,
    /// What to say of it, weightiest first.
    pub verdicts: Vec<Verdict>,
    /// What could not be judged.
    pub not_judged: Vec<NotJudged>,
}

/// Judges one disk over time by what is `known` of it.
#[must_use]
pub fn analyse(disk: &DiskSeries, known: &Known<'_>) -> DiskReport {
    let view = View::of(disk);
    let caps: Vec<Cap> = known.caps.iter().chain(&disk.caps).cloned().collect();
    let known = Known {
        caps: &caps,
        ..*known
    };
    let dips = dips::dips(&view);
    let warm_up = warm_up::warm_up(&view);
    let settled = warm_up.map_or(0, |w| w.samples);
    // The end of a beginning is told as that.
    let step = step::step(&view).filter(|step| {
        let of_beginning = |w: WarmUp| step.at_ms <= w.length_ms.saturating_mul(2);
        !warm_up.is_some_and(of_beginning)
    });
    let levels = levels::levels(&view, settled, dips.as_ref());
    // Of three levels the mean of two never ran.
    let step = step.filter(|_| levels.is_none());
    let steady = |values: &[f64]| match (step, &levels) {
        (Some(_), _) | (_, Some(_)) => Vec::new(),
        (None, None) => values.get(settled..).unwrap_or_default().to_vec(),
    };
    let seconds = view.seconds_of(settled, view.len());
    // One average since boot has no length, and is all that there is.
    let weights = if view.all_seconds() > 0.0 {
        view.seconds.clone()
    } else {
        vec![1.0; view.len()]
    };
    let ios: Vec<f64> = (0..view.len())
        .map(|i| weights.get(i).unwrap_or(&0.0) * view::at(&view.iops, i).unwrap_or(1.0))
        .collect();
    let mut report = DiskReport {
        disk: disk.name.clone(),
        host: disk.host.clone(),
        start: disk.start,
        span_ms: disk.span_ms(),
        samples: disk.len(),
        interval_ms: disk.interval_ms,
        quality: disk.quality,
        iops: Distribution::of(&view.iops, &weights),
        mbps: Distribution::of(&view.mbps, &weights),
        latency: Distribution::of(&view.latency, &ios),
        io_latency: disk.io_latency.clone(),
        outstanding: outstanding::outstanding(&view),
        plateaus: plateau::plateaus(&view, &known),
        fence: dips
            .as_ref()
            .and_then(|dips| fence::fence(dips, disk.span_ms())),
        dips,
        stalls: stalls::stalls(&view),
        rate_drift: drift::drift(&steady(view.rate()), seconds),
        latency_drift: drift::drift(&steady(&view.latency), seconds),
        step,
        levels,
        warm_up,
        saturation: saturation::saturation(&view),
        verdicts: Vec::new(),
        not_judged: not_judged(disk.len()),
    };
    let wanders = drift::wanders(view.rate()) || drift::wanders(&view.latency);
    report.verdicts = verdict::verdicts(&report, wanders);
    report
}

fn not_judged(samples: usize) -> Vec<NotJudged> {
    [
        (Concern::Plateaus, plateau::SHORTEST_RUN),
        (Concern::Dips, dips::FEWEST_SAMPLES),
        (Concern::WarmUp, warm_up::FEWEST_SAMPLES),
        (Concern::Drift, drift::FEWEST_SAMPLES),
    ]
    .into_iter()
    .filter(|(_, needed)| samples < *needed)
    .map(|(concern, needed)| NotJudged {
        concern,
        samples,
        needed,
    })
    .collect()
}
