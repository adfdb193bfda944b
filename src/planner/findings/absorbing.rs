//! Figures that hold only while a host cache absorbs writes.

use super::{Context, Finding, FindingId, Severity};
use crate::deployment::HostCaching;
use crate::planner::assessment::{VolumeResult, WorkloadView};
use crate::units::{Iops, grouped};

/// A fall smaller than this part is not worth a finding.
const NOTICEABLE: f64 = 0.01;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let volumes = context.deployment.volumes.iter().enumerate();
    let absorbing = volumes.filter(|(_, volume)| volume.caching() == HostCaching::ReadWrite);
    let found = absorbing.filter_map(|(index, volume)| {
        let workloads = context.assessment.workloads.iter();
        let falls = workloads.filter_map(|w| Fall::of(w, w.volumes.get(index)?));
        let falls: Vec<Fall<'_>> = falls.collect();
        finding(&volume.name, &falls)
    });
    found.collect()
}

/// What a workload gets while the cache absorbs its writes, and what as soon as they are destaged as fast as they come,
/// credit being left. I/Os a second.
struct Fall<'a> {
    workload: &'a WorkloadView,
    absorbed: f64,
    destaged: f64,
}

impl<'a> Fall<'a> {
    fn of(workload: &'a WorkloadView, result: &VolumeResult) -> Option<Self> {
        let fall = Self {
            workload,
            absorbed: result.alone.burst.iops.map(Iops::get)?,
            destaged: result.plateaus.first()?.iops?,
        };
        (fall.destaged < fall.absorbed * (1.0 - NOTICEABLE)).then_some(fall)
    }
}

fn finding(volume: &str, falls: &[Fall<'_>]) -> Option<Finding> {
    let several = falls.len() > 1;
    let sentences = falls.iter().map(|fall| {
        let whose = several.then(|| format!("{}: ", fall.workload.name));
        format!(
            "{}{} IOPS, then {}",
            whose.unwrap_or_default(),
            grouped(fall.absorbed, 0),
            grouped(fall.destaged, 0)
        )
    });
    let sentences: Vec<String> = sentences.collect();
    let worst = falls
        .iter()
        .min_by(|a, b| (a.destaged / a.absorbed).total_cmp(&(b.destaged / b.absorbed)))?;
    let text = format!(
        "only while the host cache absorbs the writes, for how long is not documented: {}",
        sentences.join(". ")
    );
    Some(
        Finding::new(FindingId::CacheBurst, Severity::Info, volume, text)
            .figure("absorbed", worst.absorbed, "IOPS")
            .figure("destaged", worst.destaged, "IOPS")
            .usual_fix(),
    )
}
