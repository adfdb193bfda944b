//! One I/O at a time: the measured rate and latency against 1 / latency, and what that latency means for an application.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Target;
use super::TestReport;
use super::consistency::{self, one_at_a_time, rate, reached};
use super::flushes::setting_the_pace;
use super::predict::{CacheState, Prediction, predictions};
use super::usual::{Usual, may_answer};
use super::verdict::{ExpectedLatency, LatencySource, TOLERANCE, Verdict};
use crate::catalog::Basis;
use crate::measure::model::{Run, Test};
use crate::measure::test_name;
use crate::planner::Phase;
use crate::planner::latency::{at_depth, queue_depth_to_reach};
use crate::units::{BlockSize, Iops, Latency, QueueDepth, Share};
use crate::workload::{Io, Pattern};

/// What the measured latency makes of an application's queue depth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AtDepth {
    /// Outstanding I/Os of the application.
    pub queue_depth: QueueDepth,
    /// The rate that it can reach: queue depth over latency, at most the limit, and at most what tests of the same run
    /// with deeper queues made; never less than was measured with one outstanding.
    pub iops: Iops,
    /// Whether it is an upper bound only: no limit is known, or tests with other queue depths made less than latency and
    /// limits allow.
    #[serde(default)]
    pub at_most: bool,
    /// The latency that it then sees, microseconds.
    pub latency_us: Option<Latency>,
}

/// A test with one I/O outstanding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueueDepth1Check {
    /// The test.
    pub test: String,
    /// The measured rate.
    pub iops: Iops,
    /// Mean latency as measured, microseconds.
    pub latency_us: Option<Latency>,
    /// 1 / IOPS, microseconds (Little's law).
    pub implied_latency_us: Latency,
    /// The ceiling that the latency sets: 1 / latency, as measured, else as implied.
    pub ceiling_iops: Iops,
    /// The latency that is usual for the disk, microseconds.
    pub typical_latency_us: Option<Latency>,
    /// How sure that is.
    pub typical_basis: Option<Basis>,
    /// Measured over usual latency.
    pub ratio_to_typical: Option<f64>,
    /// The latency that is usual for the host cache, where that may answer, microseconds.
    #[serde(default)]
    pub cache_latency_us: Option<Latency>,
    /// Outstanding I/Os that reach the limit at this latency: the limit that holds without burst credit, or the measured
    /// rate where that is above it. `None` where the latency is not that of the disk and cache that were named, or where
    /// tests of the same run made less with as many.
    pub depth_to_reach_limit: Option<f64>,
    /// What it means at the application's queue depth, where one was given.
    pub application: Option<AtDepth>,
}

/// The checks of every test with one I/O outstanding.
pub(super) fn checks(
    run: &Run,
    reports: &[TestReport],
    target: Option<Target<'_>>,
    depth: Option<QueueDepth>,
) -> Vec<QueueDepth1Check> {
    let tests = run.tests.iter().zip(reports);
    tests
        .filter(|(test, _)| one_at_a_time(test) && tells_latency(test))
        .filter_map(|(test, report)| check(run, (test, report), target, depth))
        .collect()
}

/// Whether the latency is of something else than the disk that was named: nothing follows from it for that disk.
const fn is_disowned(verdict: &Verdict) -> bool {
    matches!(
        verdict,
        Verdict::FasterThanDisk { .. } | Verdict::AboveEveryLimit { .. }
    )
}

/// Large sequential I/O is bound by throughput even one at a time: its time is that of the transfer. Where flushes set the
/// pace, a write itself may have gone no further than memory.
fn tells_latency(test: &Test) -> bool {
    if setting_the_pace(test).is_some() {
        return false;
    }
    let small = test
        .kind
        .block_size
        .is_some_and(|block| block <= BlockSize::KIB_64);
    small || test.kind.pattern != Some(Pattern::Sequential)
}

fn check(
    run: &Run,
    (test, report): (&Test, &TestReport),
    target: Option<Target<'_>>,
    depth: Option<QueueDepth>,
) -> Option<QueueDepth1Check> {
    let latency = consistency::latency(test)?;
    let implied_latency_us = consistency::implied_latency(test).unwrap_or(latency);
    let usual = target.and_then(|target| {
        let read_share = test.kind.read_share.unwrap_or(Share::ALL);
        Some(Usual::new(target, test.kind.block_size?, read_share))
    });
    let usual = usual.unwrap_or_default();
    let typical = usual.disk.as_ref().map(|usual| usual.latency_us);
    let path = target.map(|target| Path::of(target, test, &usual, latency));
    let is_known = path != Some(Path::Unknown) && !is_disowned(&report.verdict);
    let own = Some(latency).filter(|_| is_known);
    let limit = target.zip(path);
    let limit = limit.and_then(|(target, path)| held_limit(target, test, path));
    Some(QueueDepth1Check {
        test: test_name::describe(&test.kind),
        iops: reached(test)?,
        latency_us: consistency::measured_latency(test),
        implied_latency_us,
        ceiling_iops: latency.queue_depth_1_ceiling(),
        typical_latency_us: typical,
        typical_basis: usual.disk.as_ref().and_then(basis),
        ratio_to_typical: typical.map(|usual| latency.micros() / usual.micros()),
        cache_latency_us: usual.cache.map(|usual| usual.latency_us),
        depth_to_reach_limit: limit
            .zip(own)
            .map(|(limit, own)| (limit, depth_to_reach(limit, own, reached(test))))
            .filter(|(limit, depth)| !is_refuted(run, test, *limit, *depth))
            .map(|(_, depth)| depth),
        application: depth
            .zip(own)
            .and_then(|(depth, own)| at(run, test, depth, own, limit)),
    })
}

const fn basis(usual: &ExpectedLatency) -> Option<Basis> {
    match usual.source {
        LatencySource::Disk { basis } => Some(basis),
        LatencySource::SameRun { .. } => None,
    }
}

/// Who answered one I/O at a time, by its latency: the limit that it is held against is of the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Path {
    /// The disk, or whatever there is where nothing is cached.
    Disk,
    /// The host cache.
    Cache,
    /// Disk or cache, which is not known.
    Unknown,
}

impl Path {
    fn of(target: Target<'_>, test: &Test, usual: &Usual, latency: Latency) -> Self {
        let volume = target.deployment.volumes.get(target.volume);
        let read_share = test.kind.read_share.unwrap_or(Share::ALL);
        if !volume.is_some_and(|volume| may_answer(volume, read_share)) {
            return Self::Disk;
        }
        match usual.of(Some(latency), TOLERANCE) {
            None => Self::Unknown,
            found if found == usual.disk.as_ref() => Self::Disk,
            Some(_) => Self::Cache,
        }
    }
}

/// The limit that holds without burst credit on the way of what answered; the measured rate itself where that is above it.
fn held_limit(target: Target<'_>, test: &Test, path: Path) -> Option<Iops> {
    let io = Io {
        block_size: test.kind.block_size?,
        read_share: test.kind.read_share.unwrap_or(Share::ALL),
        ..Io::RANDOM_4K
    };
    let found = predictions(target.deployment, target.volume, &io);
    let measured = reached(test)?;
    let held = |warm: bool| {
        let of = |limit: &&Prediction| {
            limit.phase == Phase::Sustained && (limit.cache == Some(CacheState::Warm)) == warm
        };
        found.iter().find(of).map(|limit| limit.iops)
    };
    // What a full cache makes is not listed apart where it is no more than the disk.
    let warm = Some(path == Path::Cache).filter(|warm| *warm);
    let limit = warm.and_then(held).or_else(|| held(false));
    limit.map(|limit| limit.max(measured))
}

/// How many at a time reach `limit`: one, where one did.
fn depth_to_reach(limit: Iops, own: Latency, alone: Option<Iops>) -> f64 {
    let reaches = |alone: Iops| alone.get() * (1.0 + TOLERANCE) >= limit.get();
    if alone.is_some_and(reaches) {
        return 1.0;
    }
    queue_depth_to_reach(limit, own.seconds())
}

/// Whether tests of the same run with as deep a queue made less than the limit that `depth` should reach: then the latency
/// of one at a time does not tell what would.
fn is_refuted(run: &Run, test: &Test, limit: Iops, depth: f64) -> bool {
    let whole = depth.ceil().clamp(1.0, f64::from(u32::MAX)) as u32;
    let bound = measured_bound(run, test, whole).filter(|_| whole > 1);
    bound.is_some_and(|made| made.get() < limit.get() * (1.0 - TOLERANCE))
}

fn at(
    run: &Run,
    test: &Test,
    queue_depth: QueueDepth,
    latency: Latency,
    limit: Option<Iops>,
) -> Option<AtDepth> {
    let outstanding = f64::from(queue_depth.get());
    let bound = latency.ceiling(outstanding);
    let expected = limit.map_or(bound, |limit| limit.min(bound));
    let seen = measured_bound(run, test, queue_depth.get()).unwrap_or(expected);
    let iops = reached(test)
        .map_or(seen, |alone| seen.max(alone))
        .min(expected);
    Some(AtDepth {
        queue_depth,
        iops,
        at_most: limit.is_none() || iops.get() < expected.get(),
        latency_us: at_depth(Some(latency.seconds()), Some(outstanding), iops),
    })
}

/// What was measured with a deeper queue.
pub(super) struct Deeper {
    /// The test.
    pub name: String,
    /// Its rate.
    pub iops: Iops,
}

/// The test of the same kind that made most with more outstanding.
pub(super) fn deeper(run: &Run, test: &Test) -> Option<Deeper> {
    let own = test.kind.outstanding()?;
    let tests = run.tests.iter().filter(|other| is_same_kind(other, test));
    let tests = tests.filter(|other| other.kind.outstanding().is_some_and(|n| n > own));
    let found = tests.filter_map(|other| {
        Some(Deeper {
            name: test_name::describe(&other.kind),
            iops: rate(other)?,
        })
    });
    found.max_by(|a, b| a.iops.get().total_cmp(&b.iops.get()))
}

/// Whether two whole tests differ in their outstanding I/Os only.
fn is_same_kind(other: &Test, test: &Test) -> bool {
    let kind = |test: &Test| {
        let kind = test.kind;
        (kind.pattern, kind.read_share, kind.block_size)
    };
    other.part_of.is_none() && kind(other) == kind(test)
}

/// The most that `depth` outstanding can make by the tests of the same kind with several outstanding: no more than what
/// a queue as deep or deeper made, and no more I/Os for each outstanding one than a shallower queue made.
fn measured_bound(run: &Run, test: &Test, depth: u32) -> Option<Iops> {
    let same = |other: &&Test| is_same_kind(other, test);
    let tested = || {
        run.tests.iter().filter(same).filter_map(|other| {
            let outstanding = other.kind.outstanding().filter(|n| *n > 1)?;
            Some((outstanding, rate(other)?))
        })
    };
    let deeper = tested().filter(|(n, _)| *n >= depth);
    let deeper = deeper.map(|(_, rate)| rate).reduce(Iops::max);
    let shallower = tested()
        .filter(|(n, _)| *n < depth)
        .filter_map(|(n, rate)| Iops::new(rate.get() * f64::from(depth) / f64::from(n)).ok());
    deeper.into_iter().chain(shallower).reduce(Iops::min)
}
