//! Latency that is longer than is usual for the disk, although no limit makes its I/Os wait.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::caps::{Expected, Extent};
use crate::catalog::Axis;
use crate::measure::series::analysis::{DiskReport, Hold};
use crate::units::Latency;

/// A rate that stays below this part of every limit is held by none: what comes in bursts of less than a sample waits at 90 %.
const BELOW_LIMITS: f64 = 0.9;

/// How long I/Os took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlowLatency {
    /// The median of the log, microseconds.
    pub took_us: Latency,
    /// The longest that is usual for one such I/O, microseconds.
    pub usual_us: Latency,
    /// Whether every limit on the way is known; if not, one that is not known may make its I/Os wait.
    #[serde(default)]
    pub limits_known: bool,
}

impl SlowLatency {
    /// In words: `each I/O takes 2.62 ms, where up to 1.5 ms is usual for such a disk`.
    #[must_use]
    pub fn words(&self) -> String {
        format!(
            "each I/O takes {}, where up to {} is usual for such a disk",
            self.took_us, self.usual_us
        )
    }
}

/// Whether latencies are there and a usual one to hold them against, but not the size of the I/Os that took them: of large
/// ones nothing usual is known.
pub(super) fn is_of_unknown_size(expected: &Expected, report: &DiskReport) -> bool {
    let comparable = expected.longest_usual.is_some() && report.latency.is_some();
    comparable && report.iops.zip(report.mbps).is_none()
}

/// Whether a disk of which that is `expected` was slow all the while; `None` where a limit on its way may have made its I/Os
/// wait, no usual latency is known, or none of its own limits.
pub(super) fn slow(expected: &Expected, report: &DiskReport) -> Option<SlowLatency> {
    let extent = Some(expected.extent).filter(|extent| *extent != Extent::NoneOfDisk)?;
    let usual = expected.longest_usual?;
    // Without their size it is not known whether they are of those that a usual latency is known for.
    report.iops.zip(report.mbps)?;
    let took = report.latency?.p50;
    let reached = |axis: Axis| match axis {
        Axis::Iops => report.iops.map(|of| of.p95.get()),
        Axis::Mbps => report.mbps.map(|of| of.p95.get()),
    };
    let is_near = |axis: Axis| {
        let mut limits = expected.caps.iter().filter_map(|cap| cap.limits.on(axis));
        let reached = reached(axis);
        reached.is_some_and(|rate| limits.any(|limit| rate >= limit * BELOW_LIMITS))
    };
    let waits = is_near(Axis::Iops) || is_near(Axis::Mbps);
    (took > usual && !waits).then_some(SlowLatency {
        took_us: took,
        usual_us: usual,
        limits_known: extent == Extent::Whole && !at_unknown_limit(report),
    })
}

/// Whether I/Os queued up behind some limit that none of the known ones is.
fn at_unknown_limit(report: &DiskReport) -> bool {
    let mut holds = report.plateaus.iter().map(|plateau| &plateau.hold);
    holds.any(|hold| *hold == Hold::UnknownLimit)
}
