//! Rates that only burst credit makes: they hold for as long as it lasts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bind::Bound;
use super::{Request, caps};
use crate::deployment::HostCaching;
use crate::measure::series::DiskSeries;
use crate::measure::series::analysis::DiskReport;
use crate::planner::findings::duration;
use crate::planner::{Bottleneck, Phase};
use crate::units::Iops;

/// A rate above what holds without end, on average over the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OnCredit {
    /// The limit that holds without end, in words with its figure.
    pub limit: String,
    /// How long a full bucket lasts at the average rate, seconds: at most, where others draw on it too.
    pub lasts_seconds: f64,
}

impl OnCredit {
    /// `on burst credit: it is above the disk's IOPS limit, 500 IOPS; a full bucket lasts 30 min at most, so it
    /// cannot last`, where the log is `span_ms` long.
    #[must_use]
    pub fn words(&self, span_ms: u64) -> String {
        let lasts = duration(self.lasts_seconds);
        let rest = if span_ms as f64 / 1e3 > self.lasts_seconds {
            "and the log is longer: a cache answered, or it is a larger disk or VM"
        } else {
            "so it cannot last"
        };
        format!(
            "on burst credit: on average it is above {}; a full bucket lasts {lasts} at most, {rest}",
            self.limit
        )
    }
}

/// Whether a device draws on burst credit over the whole of its log: the limit on its way of which the credit is used up
/// first. `None` where a host cache may have answered, which draws on none.
pub(super) fn on_credit(
    request: &Request<'_>,
    disk: &DiskSeries,
    bound: Option<&Bound>,
    report: &DiskReport,
) -> Option<OnCredit> {
    let (deployment, bound) = (request.deployment?, *bound?);
    let volume = deployment.volumes.get(bound.volume)?;
    if volume.caching() != HostCaching::None {
        return None;
    }
    let io = caps::seen(disk);
    let block = io.block_size;
    let told = report.iops.map(|of| of.mean.get());
    let device = told.or_else(|| Some(report.mbps?.mean.iops_at(block).get()))?;
    let rate = device * bound.of as f64;
    let system = caps::alone(deployment, bound, &io);
    let drawn = system.flows.first()?.uses(Phase::Burst).iter();
    let drawn = drawn.filter_map(|used| {
        let resource = system.resources.get(used.resource)?;
        let (base, bucket) = (resource.base?, resource.bucket()?);
        let use_of_it = rate * used.per_io;
        (use_of_it > base * (1.0 + request.tolerance)).then(|| {
            let lasts = bucket / (use_of_it - base);
            (resource, base / used.per_io, lasts)
        })
    });
    let (resource, held, lasts_seconds) = drawn.min_by(|a, b| a.2.total_cmp(&b.2))?;
    let (limit, phase) = (Bottleneck::of(resource, Phase::Sustained), Phase::Sustained);
    let held = caps::prediction(limit, phase, Iops::new(held).ok()?, &io, request.vm);
    Some(OnCredit {
        limit: held.words(),
        lasts_seconds,
    })
}
