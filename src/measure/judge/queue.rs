//! One I/O at a time: the measured rate and latency against 1 / latency, and what that latency means for an application.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Target;
use super::consistency::{self, one_at_a_time, rate};
use super::predict::predictions;
use super::usual::usual;
use super::verdict::TOLERANCE;
use crate::catalog::Basis;
use crate::measure::model::{Run, Test};
use crate::measure::test_name;
use crate::planner::latency::{at_depth, queue_depth_to_reach};
use crate::units::{BlockSize, Iops, Latency, QueueDepth, Share};
use crate::workload::{Io, Pattern};

/// What the measured latency makes of an application's queue depth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AtDepth {
    /// Outstanding I/Os of the application.
    pub queue_depth: QueueDepth,
    /// The rate that it can reach: queue depth over latency, at most that limit.
    pub iops: Iops,
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
    /// The latency that is usual for the disk, or for the host cache where that answers, microseconds.
    pub typical_latency_us: Option<Latency>,
    /// How sure that is.
    pub typical_basis: Option<Basis>,
    /// Measured over usual latency.
    pub ratio_to_typical: Option<f64>,
    /// Outstanding I/Os that reach the limit at this latency: the lowest limit on the path that is not below the measured
    /// rate.
    pub depth_to_reach_limit: Option<f64>,
    /// What it means at the application's queue depth, where one was given.
    pub application: Option<AtDepth>,
}

/// The checks of every test with one I/O outstanding.
pub(super) fn checks(
    run: &Run,
    target: Option<Target<'_>>,
    depth: Option<QueueDepth>,
) -> Vec<QueueDepth1Check> {
    run.tests
        .iter()
        .filter(|test| one_at_a_time(test) && tells_latency(test))
        .filter_map(|test| check(test, target, depth))
        .collect()
}

/// Large sequential I/O is bound by throughput even one at a time: its time is that of the transfer.
fn tells_latency(test: &Test) -> bool {
    let small = test
        .kind
        .block_size
        .is_some_and(|block| block <= BlockSize::KIB_64);
    small || test.kind.pattern != Some(Pattern::Sequential)
}

fn check(
    test: &Test,
    target: Option<Target<'_>>,
    depth: Option<QueueDepth>,
) -> Option<QueueDepth1Check> {
    let implied_latency_us = consistency::implied_latency(test)?;
    let latency = consistency::latency(test)?;
    let usual = target.and_then(|target| {
        let read_share = test.kind.read_share.unwrap_or(Share::ALL);
        usual(target, test, test.kind.block_size?, read_share)
    });
    let limit = target.and_then(|target| next_limit(target, test));
    Some(QueueDepth1Check {
        test: test_name::describe(&test.kind),
        iops: rate(test)?,
        latency_us: consistency::measured_latency(test),
        implied_latency_us,
        ceiling_iops: latency.queue_depth_1_ceiling(),
        typical_latency_us: usual.map(|usual| usual.latency),
        typical_basis: usual.map(|usual| usual.basis),
        ratio_to_typical: usual.map(|usual| latency.micros() / usual.latency.micros()),
        depth_to_reach_limit: limit.map(|limit| queue_depth_to_reach(limit, latency.seconds())),
        application: depth.and_then(|depth| at(depth, latency, limit)),
    })
}

/// The lowest limit on the path that is not below the measured rate; the highest where all are.
fn next_limit(target: Target<'_>, test: &Test) -> Option<Iops> {
    let io = Io {
        block_size: test.kind.block_size?,
        read_share: test.kind.read_share?,
        ..Io::RANDOM_4K
    };
    let found = predictions(target.deployment, target.volume, &io);
    let measured = rate(test)?.get();
    let reaches = |limit: &&Iops| limit.get() * (1.0 + TOLERANCE) >= measured;
    let mut limits: Vec<Iops> = found.iter().map(|prediction| prediction.iops).collect();
    limits.sort_by(|a, b| a.get().total_cmp(&b.get()));
    limits.iter().find(reaches).or(limits.last()).copied()
}

fn at(queue_depth: QueueDepth, latency: Latency, limit: Option<Iops>) -> Option<AtDepth> {
    let outstanding = f64::from(queue_depth.get());
    let bound = latency.ceiling(outstanding);
    let iops = limit.map_or(bound, |limit| limit.min(bound));
    Some(AtDepth {
        queue_depth,
        iops,
        latency_us: at_depth(Some(latency.seconds()), Some(outstanding), iops),
    })
}
