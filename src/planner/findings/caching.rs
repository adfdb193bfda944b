//! Where host caching makes a volume slower.

use super::{Context, Finding, FindingId, Severity};
use crate::planner::assessment::{CacheView, VolumeResult};
use crate::planner::evaluate::Outcome;
use crate::units::{Share, grouped};

/// A loss smaller than this is not worth a finding.
const NOTICEABLE: f64 = 0.005;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    let results = context.assessment.workloads.iter().flat_map(|w| &w.volumes);
    for finding in results
        .filter(|result| !context.has_unknown_limit(&result.volume))
        .filter_map(finding)
    {
        let same = |f: &&mut Finding| f.id == finding.id && f.subject == finding.subject;
        match found.iter_mut().find(same) {
            Some(known) if loss(known) < loss(&finding) => *known = finding,
            Some(_) => {}
            None => found.push(finding),
        }
    }
    found
}

/// What part of the uncached figure is lost.
fn loss(finding: &Finding) -> f64 {
    let value = |name| {
        finding
            .figures
            .iter()
            .find(|f| f.name == name)
            .map(|f| f.value)
    };
    match (value("with_caching"), value("without_caching")) {
        (Some(with), Some(without)) => 1.0 - with / without,
        _ => 0.0,
    }
}

fn finding(result: &VolumeResult) -> Option<Finding> {
    let cache = result.cache.as_ref()?;
    let cached = result.alone.sustained;
    let (with, without) = (cached.iops?.get(), cache.uncached.iops?.get());
    if with >= without * (1.0 - NOTICEABLE) {
        return None;
    }
    let by_throughput = cached.bottleneck.axis() == Some(crate::catalog::Axis::Mbps);
    let (id, unit, figure): (_, _, fn(&Outcome) -> f64) = if by_throughput {
        let mbps = |o: &Outcome| o.mbps.map_or(0.0, crate::units::MBps::get);
        (FindingId::CacheLowersThroughput, "MB/s", mbps)
    } else {
        let iops = |o: &Outcome| o.iops.map_or(0.0, crate::units::Iops::get);
        (FindingId::CacheLowersIops, "IOPS", iops)
    };
    let (with, without) = (figure(&cached), figure(&cache.uncached));
    let text = format!(
        "{} {unit} with host caching, {} {unit} without: stopped by {}{}",
        grouped(with, 1),
        grouped(without, 1),
        cached.bottleneck,
        even_warm(result, cache, without, figure),
    );
    Some(
        Finding::new(id, Severity::Warning, &result.volume, text)
            .figure("with_caching", with, unit)
            .figure("without_caching", without, unit)
            .fix("set cache=none, unless latency of cached reads matters more"),
    )
}

/// Whether a warm cache would make up for it, in words.
fn even_warm(
    result: &VolumeResult,
    cache: &CacheView,
    without: f64,
    figure: fn(&Outcome) -> f64,
) -> String {
    let warm = figure(&cache.warm);
    if result.io.read_share == Share::NONE || result.io.hit_share == Share::ALL {
        String::new()
    } else if warm < without * (1.0 - NOTICEABLE) {
        ", even when every read hits".to_owned()
    } else {
        format!(" ({} when every read hits)", grouped(warm, 1))
    }
}
