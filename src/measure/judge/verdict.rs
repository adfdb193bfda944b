//! What one figure means, held against the predictions for it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::credit::{Credit, RunLimit};
use super::flushes::FlushTime;
use super::measured::{Measured, Unjudged};
use super::predict::{CacheState, Prediction};
use crate::catalog::Basis;
use crate::planner::{Bottleneck, Phase};
use crate::units::{Iops, Latency};

/// How far a figure may be from a limit and still be at it, unless told: 7.5 %. Limits are enforced by token buckets and
/// show up to some 3 % above their figure in published runs; benchmarks vary by a few percent from run to run.
pub const TOLERANCE: f64 = 0.075;

/// How many times its typical latency a disk may take and still be as usual: 1.5. Typical figures are one field
/// report's, rounded, and vary with region, size and day.
pub const LATENCY_SLACK: f64 = 1.5;

/// Where an expected latency comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum LatencySource {
    /// The figure of the disk, typical for its family or given; or of the host cache, where that may answer.
    Disk {
        /// How sure it is.
        basis: Basis,
    },
    /// A test of the same run at queue depth 1.
    SameRun {
        /// The test.
        test: String,
    },
}

/// The latency that one I/O is expected to take when nothing queues.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectedLatency {
    /// The latency, microseconds.
    pub latency_us: Latency,
    /// Where it comes from.
    pub source: LatencySource,
}

impl ExpectedLatency {
    /// How many times as long still counts as expected.
    #[must_use]
    pub fn slack(&self, tolerance: f64) -> f64 {
        match self.source {
            LatencySource::Disk {
                basis: Basis::Measured,
            } => 1.0 + tolerance,
            _ => LATENCY_SLACK,
        }
    }
}

/// What a figure fits that is not on the path of the named disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    /// What it fits, with its figure.
    pub name: String,
    /// Measured over that figure.
    pub ratio: f64,
}

/// What a measured figure was limited by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Verdict {
    /// At a named limit, within the tolerance.
    At {
        /// The limit.
        prediction: Prediction,
    },
    /// Below every limit because of its queue depth: outstanding I/Os over latency.
    LatencyBound {
        /// What the latency was held against; `None` where none is known for such I/O.
        expected: Option<ExpectedLatency>,
        /// Whether it takes burst credit: the limits that hold without end are lower.
        #[serde(default)]
        burst: bool,
    },
    /// More than any limit on the path allows.
    AboveEveryLimit {
        /// What it does fit, nearest first.
        fits: Vec<Fit>,
        /// What credit makes of a run this long, where it is that which it is above.
        #[serde(default)]
        run_limit: Option<RunLimit>,
    },
    /// Faster than the disk or its host cache answers so few I/Os at a time: another cache or another disk did. That the
    /// rate may be near a limit is chance.
    FasterThanDisk {
        /// The latency that it was held against.
        expected: ExpectedLatency,
        /// The highest limit on the path, where the rate is above that too.
        above: Option<Prediction>,
        /// What it does fit where it is above every limit, nearest first.
        fits: Vec<Fit>,
        /// What holds without end, where the rate is above that and not above every limit.
        #[serde(default)]
        exceeded: Option<Prediction>,
        /// The host cache that was named may have answered: it takes such I/O, and its limits let the rate through.
        #[serde(default)]
        host_cache: bool,
    },
    /// More than holds without end, less than burst credit or cache would give: one of them ran out on the way, or was
    /// not full.
    BetweenLimits {
        /// What holds without end.
        lower: Prediction,
        /// What holds in burst, or with a warm cache.
        upper: Prediction,
        /// Whether full burst credit carries a run this long: then it was not full, or something else held it.
        #[serde(default)]
        credit_lasts: bool,
    },
    /// Less than every limit, and queue depth does not explain it.
    BelowEveryLimit {
        /// The latency that was expected, where latency is what falls short.
        expected: Option<ExpectedLatency>,
        /// What holds without end, where it is above that, on credit, and yet slow.
        #[serde(default)]
        exceeded: Option<Prediction>,
    },
    /// Below the limits because of the flushes that its writes wait for, which took most of the time.
    FlushBound {
        /// What they took.
        flushes: FlushTime,
    },
    /// Below the limits because no more was asked of the disk: counters, or a test that did not keep its queue full.
    AskedForLess,
    /// Counters below the limits although I/Os queued for longer than such a disk takes: something else held them.
    Queued {
        /// The latency that is usual.
        expected: ExpectedLatency,
    },
    /// Held against nothing.
    Unjudged {
        /// Why.
        reason: Unjudged,
    },
}

impl Verdict {
    /// What it is of counters: they fall short of nothing, for they are no attempt to reach a limit.
    #[must_use]
    pub fn of_counters(self) -> Self {
        match self {
            Self::BelowEveryLimit { .. } => Self::AskedForLess,
            other => other,
        }
    }

    /// The verdict in a table cell: `at disk IOPS (burst)`.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::At { prediction } => format!("at {}", prediction.limit),
            Self::LatencyBound { burst: true, .. } => "latency-bound (burst)".to_owned(),
            Self::LatencyBound { .. } => "latency-bound".to_owned(),
            Self::AboveEveryLimit { .. } => "above every limit".to_owned(),
            Self::FasterThanDisk { .. } => "faster than the disk".to_owned(),
            Self::BetweenLimits { .. } => "between limits".to_owned(),
            Self::BelowEveryLimit {
                exceeded: Some(_), ..
            } => "slower than the disk".to_owned(),
            Self::BelowEveryLimit { .. } => "below every limit".to_owned(),
            Self::FlushBound { .. } => "flush-bound".to_owned(),
            Self::AskedForLess => "asked for less".to_owned(),
            Self::Queued { .. } => "below, with a queue".to_owned(),
            Self::Unjudged { .. } => "-".to_owned(),
        }
    }
}

/// A verdict with the rate that it was held against.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The predicted rate; `None` where there is none to compare with.
    pub predicted: Option<Iops>,
}

impl Decision {
    const fn new(verdict: Verdict, predicted: Option<Iops>) -> Self {
        Self { verdict, predicted }
    }

    /// Whether it is below what it is held against.
    pub(super) const fn falls_short(&self) -> bool {
        matches!(self.verdict, Verdict::BelowEveryLimit { .. })
    }

    /// Whether no limit of disk or VM is what it is at or above.
    pub(super) const fn is_below_limits(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::BelowEveryLimit { .. }
                | Verdict::LatencyBound { .. }
                | Verdict::BetweenLimits { .. }
                | Verdict::FasterThanDisk { above: None, .. }
        )
    }
}

/// What a figure is held against.
#[derive(Debug, Clone)]
pub struct Against<'a> {
    /// Every limit on its path.
    pub predictions: &'a [Prediction],
    /// The latency of one I/O: that of the same run, else of the disk or its host cache, by which of them answered.
    pub expected: Option<ExpectedLatency>,
    /// The disk's own, where none of the same run is known.
    pub disk: Option<ExpectedLatency>,
    /// What one I/O takes on the disk at least, where it is too large for a known latency and none of the same run is known.
    pub least: Option<ExpectedLatency>,
    /// Whether the run fits in burst credit.
    pub credit: Credit,
    /// The most that credit makes of a run this long on average, where that is known and no host cache may answer.
    pub run_limit: Option<RunLimit>,
    /// Whether the expected latency is that of the host cache: then credit has no part in it.
    pub by_cache: bool,
    /// What burst credit of disk and VM makes without a host cache, where it makes more.
    pub with_credit: Option<Iops>,
    /// Whether the volume's host cache may answer such I/O.
    pub host_cache: bool,
    /// Whether the figures are counters, which are no attempt to reach a limit.
    pub is_counters: bool,
    /// The options of the test that hold it back, where its reader notes some.
    pub held_back: Option<&'a str>,
    /// How far from a limit still counts as at it.
    pub tolerance: f64,
}

impl Against<'_> {
    /// The lowest and the highest prediction.
    fn range(&self) -> Option<(Prediction, Prediction)> {
        let by_rate = |a: &&Prediction, b: &&Prediction| a.iops.get().total_cmp(&b.iops.get());
        let lowest = self.predictions.iter().min_by(by_rate)?;
        let highest = self.predictions.iter().max_by(by_rate)?;
        Some((*lowest, *highest))
    }

    /// The lowest prediction.
    pub(super) fn lowest(&self) -> Option<Prediction> {
        self.range().map(|(lowest, _)| lowest)
    }

    /// The prediction that a figure that is too low is held against: that of burst where the run fits in credit.
    pub(super) fn main(&self) -> Option<Prediction> {
        let first = |phase| self.predictions.iter().find(|p| p.phase == phase);
        let burst = first(Phase::Burst).filter(|_| self.credit == Credit::Fits);
        burst
            .or_else(|| first(Phase::Sustained))
            .or_else(|| self.predictions.first())
            .copied()
    }

    /// What holds without end, where `rate` is above it: only credit or a cache made it.
    pub(super) fn exceeded(&self, rate: Iops) -> Option<Prediction> {
        let mut held = self.predictions.iter();
        let held = held.find(|prediction| prediction.phase == Phase::Sustained);
        held.filter(|held| rate.get() > held.iops.get()).copied()
    }

    /// Whether `rate` takes burst credit.
    pub(super) fn takes_credit(&self, rate: Iops) -> bool {
        let is_burst =
            |of: &Prediction| of.phase == Phase::Burst && of.cache != Some(CacheState::Warm);
        let most = 1.0 + self.tolerance;
        let makes = (self.with_credit).is_some_and(|credit| rate.get() <= credit.get() * most);
        makes
            && !self.by_cache
            && self.exceeded(rate).is_some_and(|held| {
                let mut all = self.predictions.iter();
                all.any(|of| is_burst(of) && of.iops.get() > held.iops.get())
            })
    }

    /// The limits that so few I/Os at a time can reach: of the disk and the way to it none far above what its latency
    /// makes of them. What a host cache makes is assumed, and an assumed latency rules nothing out; a temp disk, whose
    /// limit is the cached one too, is a disk.
    fn reachable(&self, measured: &Measured) -> Vec<Prediction> {
        let is_assumed = |of: &&ExpectedLatency| {
            let basis = Basis::Assumed;
            of.source == LatencySource::Disk { basis }
        };
        let known = self.disk.as_ref().or(self.least.as_ref());
        let known = known.filter(|of| !is_assumed(of));
        let most = known.zip(measured.outstanding);
        let most = most
            .map(|(of, outstanding)| (of.latency_us.ceiling(outstanding), of.slack(self.tolerance)))
            .map(|(bound, slack)| bound.get() * slack);
        let is_reachable = |of: &&Prediction| {
            let at_cache = matches!(of.limit, Bottleneck::VmCached { .. });
            let cached = self.host_cache && (at_cache || of.cache == Some(CacheState::Warm));
            cached || most.is_none_or(|most| of.iops.get() <= most)
        };
        self.predictions
            .iter()
            .filter(is_reachable)
            .copied()
            .collect()
    }

    fn between(&self, lower: Prediction, upper: Prediction) -> Verdict {
        let of_cache = self.host_cache || upper.cache == Some(CacheState::Warm);
        Verdict::BetweenLimits {
            lower,
            upper,
            credit_lasts: !of_cache && self.credit == Credit::Fits,
        }
    }

    /// The expected latency, where it is the disk's own.
    fn disk_latency(&self) -> Option<&ExpectedLatency> {
        let expected = self.expected.as_ref();
        expected.filter(|of| matches!(of.source, LatencySource::Disk { .. }))
    }

    /// The rate that the queue depth allows, where it is below every rate that the limits allow.
    pub(super) fn latency_bound(&self, measured: &Measured) -> Option<Iops> {
        self.bound_of(self.expected.as_ref()?, measured)
    }

    /// The most that the queue depth makes of large I/O, where that is below every rate that the limits allow.
    pub(super) fn least_bound(&self, measured: &Measured) -> Option<Iops> {
        self.bound_of(self.least.as_ref()?, measured)
    }

    fn bound_of(&self, one: &ExpectedLatency, measured: &Measured) -> Option<Iops> {
        let bound = one.latency_us.ceiling(measured.outstanding?);
        let highest = self.range().map(|(_, highest)| highest.iops);
        highest
            .is_none_or(|highest| bound.get() < highest.get())
            .then_some(bound)
    }
}

/// Decides what `measured` was limited by. `fits` names what else the figure fits, asked only when it is above all.
///
/// The nearest limit within the tolerance wins, of those that its queue depth can reach; else it is faster than the disk
/// or above all, or its queue depth explains it, or it lies between what holds without and with credit, or it falls short.
#[must_use]
pub fn decide(
    measured: &Measured,
    against: &Against<'_>,
    fits: impl FnOnce() -> Vec<Fit>,
) -> Decision {
    let rate = measured.iops.get();
    let bound = against.latency_bound(measured);
    let bound_verdict = || Verdict::LatencyBound {
        expected: against.expected.clone(),
        burst: against.takes_credit(measured.iops),
    };
    if let Some(decision) = beyond_credit(rate, against) {
        return decision;
    }
    let reachable = against.reachable(measured);
    if let Some(decision) = nearest(rate, against.tolerance, &reachable, bound, bound_verdict()) {
        return decision;
    }
    let range = against.range();
    if let (Some(bound), Some(expected)) = (bound, against.disk_latency())
        && rate > bound.get() * expected.slack(against.tolerance)
    {
        return faster_than_disk(measured, against, expected, bound, fits);
    }
    if let (Some(bound), Some(least)) = (against.least_bound(measured), &against.least) {
        let is_faster = rate > bound.get() * least.slack(against.tolerance);
        if is_faster && !against.host_cache {
            return faster_than_disk(measured, against, least, bound, fits);
        }
        // A limit that is below what the queue depth makes at most is what it is held against.
        let by_queue = against
            .main()
            .is_none_or(|main| main.iops.get() >= bound.get())
            || against
                .lowest()
                .is_some_and(|lowest| rate > lowest.iops.get());
        if !is_faster && by_queue {
            return Decision::new(bound_verdict(), None);
        }
    }
    if let Some((_, highest)) = range
        && rate > highest.iops.get()
    {
        let verdict = Verdict::AboveEveryLimit {
            fits: fits(),
            run_limit: None,
        };
        return Decision::new(verdict, Some(highest.iops));
    }
    if let (Some(bound), Some(expected)) = (bound, &against.expected) {
        if rate * expected.slack(against.tolerance) >= bound.get() {
            return Decision::new(bound_verdict(), Some(bound));
        }
        // Where a limit is below what the queue depth makes, the limit is what it is held against.
        if against
            .main()
            .is_none_or(|main| main.iops.get() >= bound.get())
        {
            let verdict = Verdict::BelowEveryLimit {
                expected: against.expected.clone(),
                exceeded: against.exceeded(measured.iops),
            };
            return Decision::new(verdict, Some(bound));
        }
        if let Some((lower, upper)) = range
            && rate > lower.iops.get()
        {
            let verdict = against.between(lower, upper);
            return Decision::new(verdict, Some(bound));
        }
    }
    let Some((lower, upper)) = range else {
        let reason = Unjudged::NoLimit;
        return Decision::new(Verdict::Unjudged { reason }, None);
    };
    if measured.outstanding == Some(1.0)
        && bound.is_none()
        && let Some(decision) = one_at_a_time(measured, against, upper)
    {
        return decision;
    }
    if rate > lower.iops.get() {
        let verdict = against.between(lower, upper);
        return Decision::new(verdict, Some(upper.iops));
    }
    let verdict = Verdict::BelowEveryLimit {
        expected: None,
        exceeded: None,
    };
    Decision::new(verdict, against.main().map(|main| main.iops))
}

/// More than the `bound` that the `expected` latency of the disk makes of so few I/Os at a time.
fn faster_than_disk(
    measured: &Measured,
    against: &Against<'_>,
    expected: &ExpectedLatency,
    bound: Iops,
    fits: impl FnOnce() -> Vec<Fit>,
) -> Decision {
    let is_above =
        |of: &Prediction| measured.iops.get() > of.iops.get() * (1.0 + against.tolerance);
    let highest = against.range().map(|(_, highest)| highest);
    let above = highest.filter(is_above);
    let exceeded = against.exceeded(measured.iops);
    let verdict = Verdict::FasterThanDisk {
        expected: expected.clone(),
        above,
        fits: above.map_or_else(Vec::new, |_| fits()),
        exceeded: exceeded.filter(|held| above.is_none() && is_above(held)),
        host_cache: against.host_cache && above.is_none(),
    };
    Decision::new(verdict, Some(bound))
}

/// A rate that burst would let through, but not for so long: credit does not last.
fn beyond_credit(rate: f64, against: &Against<'_>) -> Option<Decision> {
    let limit = against.run_limit?;
    let most = 1.0 + against.tolerance;
    let (_, highest) = against.range()?;
    let is_beyond = rate > limit.iops.get() * most && rate <= highest.iops.get() * most;
    is_beyond.then(|| {
        let verdict = Verdict::AboveEveryLimit {
            fits: Vec::new(),
            run_limit: Some(limit),
        };
        Decision::new(verdict, Some(limit.iops))
    })
}

/// One I/O at a time whose latency makes no less than the `highest` limit, or is not known: below the limits nothing but
/// latency holds it, unless it takes far longer than expected.
fn one_at_a_time(
    measured: &Measured,
    against: &Against<'_>,
    highest: Prediction,
) -> Option<Decision> {
    let expected = against.expected.clone();
    let held = expected.as_ref().map(|of| {
        let most = of.latency_us.queue_depth_1_ceiling().min(highest.iops);
        (most, of.slack(against.tolerance))
    });
    let as_expected = held.is_none_or(|(most, slack)| measured.iops.get() * slack >= most.get());
    let burst = against.takes_credit(measured.iops);
    as_expected.then(|| {
        let verdict = Verdict::LatencyBound { expected, burst };
        Decision::new(verdict, held.map(|(most, _)| most))
    })
}

/// The limit or latency bound that is nearest to `rate`, within the tolerance.
fn nearest(
    rate: f64,
    tolerance: f64,
    limits: &[Prediction],
    bound: Option<Iops>,
    bound_verdict: Verdict,
) -> Option<Decision> {
    let limits = limits.iter().map(|prediction| {
        let verdict = Verdict::At {
            prediction: *prediction,
        };
        (prediction.iops, verdict)
    });
    let all = limits.chain(bound.map(|bound| (bound, bound_verdict)));
    all.map(|(predicted, verdict)| ((rate / predicted.get() - 1.0).abs(), predicted, verdict))
        .filter(|(off, ..)| *off <= tolerance)
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, predicted, verdict)| Decision::new(verdict, Some(predicted)))
}
