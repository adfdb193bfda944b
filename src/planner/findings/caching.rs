//! Where host caching makes a volume slower.

use super::{Context, Finding, FindingId, Severity, of_all};
use crate::deployment::{Deployment, HostCaching, Role, Volume};
use crate::planner::assessment::{CacheView, VolumeResult};
use crate::planner::evaluate::Outcome;
use crate::units::{Share, grouped};
use crate::workload::Io;

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
    found.extend(unused_hits(context));
    found.extend(mostly_writing(context));
    found
}

/// Cached volumes that mostly write; of several workloads the one that writes most decides.
fn mostly_writing(context: &Context<'_>) -> Vec<Finding> {
    let volumes = context.deployment.volumes.iter().enumerate();
    let found = volumes.filter_map(|(index, volume)| {
        let workloads = context.assessment.workloads.iter();
        let shares = workloads.filter_map(|w| Some(w.volumes.get(index)?.io.read_share));
        let least = shares.min_by(|a, b| a.get().total_cmp(&b.get()))?;
        write_heavy(volume, volume.caching(), least)
    });
    found.collect()
}

/// Above this share of writes a disk mostly writes.
const MOSTLY: f64 = 0.5;

/// Host caching on a volume that mostly writes. An OS disk has its caching for starts.
pub(crate) fn write_heavy(
    volume: &Volume,
    caching: HostCaching,
    read_share: Share,
) -> Option<Finding> {
    let writes = read_share.rest();
    if caching == HostCaching::None || volume.role == Role::Os || writes <= MOSTLY {
        return None;
    }
    let percent = writes * 100.0;
    let why = match caching {
        HostCaching::ReadWrite => "they fill the cache, and must reach the disk in the end",
        _ => "the cache answers none of them",
    };
    let text = format!(
        "host caching {} with {} % writes: {why}; each counts against the VM's cached ceiling besides",
        caching.name(),
        grouped(percent, 0)
    );
    let id = FindingId::WriteHeavyCache;
    let finding = Finding::new(id, Severity::Warning, &volume.name, text);
    Some(
        finding
            .figure("write_share", percent, "%")
            .fix("set cache=none"),
    )
}

fn unused_hits(context: &Context<'_>) -> Option<Finding> {
    let workloads = context.assessment.workloads.iter();
    let loads = workloads.map(|workload| workload.volumes.iter().map(|v| v.io).collect());
    let loads: Vec<Vec<Io>> = loads.collect();
    hits_without_cache(context.deployment, loads.iter().map(Vec::as_slice))
}

/// Cache hits that are stated for volumes without host caching, in any of `loads` (each the I/O of every volume, at the
/// same time). Hits that a cached volume has as well, at the same time, were stated for all.
pub(in crate::planner) fn hits_without_cache<'a>(
    deployment: &Deployment,
    loads: impl Iterator<Item = &'a [Io]>,
) -> Option<Finding> {
    let is_cached = |volume: &Volume| volume.caching() != HostCaching::None;
    let mut names: Vec<&str> = Vec::new();
    let mut shares: Vec<Share> = Vec::new();
    for loads in loads {
        let volumes = deployment.volumes.iter().zip(loads);
        let (cached, others): (Vec<_>, Vec<_>) = volumes.partition(|(volume, _)| is_cached(volume));
        let is_used = |share: Share| cached.iter().any(|(_, io)| io.hit_share == share);
        let stated = |io: &Io| io.hit_share != Share::NONE && !is_used(io.hit_share);
        for (volume, io) in others.into_iter().filter(|(_, io)| stated(io)) {
            if !names.contains(&volume.name.as_str()) {
                names.push(&volume.name);
            }
            if !shares.contains(&io.hit_share) {
                shares.push(io.hit_share);
            }
        }
    }
    let share = shares.iter().map(Share::to_string).collect::<Vec<_>>();
    let share = share.join(" and ");
    let (subject, text) = match names.as_slice() {
        [] => return None,
        [name] => (
            *name,
            format!(
                "{share} cache hits are stated, but it has no host caching: they change nothing"
            ),
        ),
        several => (
            of_all(deployment),
            format!(
                "{share} cache hits are stated for {}, which have no host caching: they change nothing",
                several.join(", ")
            ),
        ),
    };
    Some(Finding::new(FindingId::HitShareUnused, Severity::Info, subject, text).usual_fix())
}

/// Gives volumes with ReadWrite caching one advice: where another finding says to take the caching off, so does the one
/// about the writes that it may lose, which by itself would let ReadOnly be.
pub(crate) fn agree(findings: &mut [Finding]) {
    for index in 0..findings.len() {
        if findings[index].id != FindingId::RwCacheData {
            continue;
        }
        let subject = &findings[index].subject;
        let of_volume = findings.iter().filter(|other| other.subject == *subject);
        let ids: Vec<FindingId> = of_volume.map(|other| other.id).collect();
        let first = AGAINST_CACHING.iter().find(|id| ids.contains(id));
        let Some(other) = first else {
            continue;
        };
        let rest = match other {
            FindingId::CacheLowersThroughput | FindingId::CacheLowersIops => {
                "; ReadOnly where the latency of cached reads matters more"
            }
            _ => "",
        };
        let fix = format!("set cache=none, as {} advises{rest}", other.code());
        findings[index].fix = Some(fix);
    }
}

/// The findings that say to take host caching off; those first that leave no choice.
const AGAINST_CACHING: [FindingId; 4] = [
    FindingId::SizeCaching,
    FindingId::WriteHeavyCache,
    FindingId::CacheLowersThroughput,
    FindingId::CacheLowersIops,
];

/// A deployment with the host caching that findings advise: what a fix names in place of a disk must not have a caching
/// that another finding of the same report warns of.
pub(crate) struct Advised {
    /// The deployment.
    pub(in crate::planner) deployment: Deployment,
    /// Who advises another caching than the present one, for each volume.
    by: Vec<Option<FindingId>>,
}

impl Advised {
    /// `deployment` as `found` advise it.
    pub(in crate::planner) fn of(deployment: &Deployment, found: &[Finding]) -> Self {
        let mut advised = deployment.clone();
        let by = advised.volumes.iter_mut().map(|volume| {
            let says = |id: &FindingId| {
                let mut of_volume = found.iter().filter(|of| of.subject == volume.name);
                of_volume.any(|of| of.id == *id)
            };
            let against = AGAINST_CACHING.into_iter().find(says);
            let id = against.or_else(|| Some(FindingId::RwCacheData).filter(says))?;
            let caching = match id {
                FindingId::RwCacheData => HostCaching::ReadOnly,
                _ => HostCaching::None,
            };
            set_caching(volume, caching);
            Some(id)
        });
        Self {
            by: by.collect(),
            deployment: advised,
        }
    }

    /// How the disks that a fix names for the volume at `index` are cached, and who advises it, as the end of what names
    /// them; nothing where they are cached as the present ones are.
    pub(in crate::planner) fn words(&self, index: usize) -> String {
        let by = self.by.get(index).copied().flatten();
        let caching = self.deployment.volumes.get(index).map(Volume::caching);
        match (by, caching) {
            (Some(id), Some(HostCaching::None)) => format!(" (uncached, as {id} advises)"),
            (Some(id), Some(caching)) => format!(" ({}, as {id} advises)", caching.name()),
            _ => String::new(),
        }
    }
}

/// Sets the caching of every disk of `volume`.
fn set_caching(volume: &mut Volume, caching: HostCaching) {
    for disk in &mut volume.members {
        disk.caching = caching;
        disk.spec.caching = Some(caching).filter(|caching| *caching != HostCaching::None);
    }
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
            .usual_fix(),
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
