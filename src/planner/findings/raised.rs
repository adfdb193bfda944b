//! A performance tier that is raised for nothing: what it gives is had without it, or with a lower one.

use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Axis, Catalog, DiskRequest, Limits, Tier};
use crate::deployment::{Disk, Volume};
use crate::planner::assessment::VolumeView;
use crate::units::{MBps, grouped};

/// What is more than a figure by less than this is so by rounding.
const ROUNDING: f64 = 1e-9;

/// A performance tier that does not lift what performance plus lifts already, and is paid for.
pub(super) fn in_vain(context: &Context<'_>, volume: &Volume, disk: &Disk) -> Option<Finding> {
    let request = &disk.spec.request;
    let tier = request.performance_tier.as_ref()?;
    let without = DiskRequest {
        performance_tier: None,
        ..request.clone()
    };
    let same = context.catalog.disk(&without).ok()?.model;
    let base = disk.model.base;
    let is_in_vain = request.performance_plus
        && disk.violations.is_empty()
        && same.base == base
        && same.tier.as_ref() != Some(tier);
    is_in_vain.then(|| {
        let text = format!(
            "performance tier {tier} lifts nothing: with performance plus the disk has {} with it and without, and the \
             tier is paid for",
            figures(base)
        );
        let id = FindingId::TierRaised;
        Finding::new(id, Severity::Warning, &volume.name, text).fix("leave tier= out")
    })
}

/// A performance tier that gives what a lower one gives: some tiers differ by their size alone. Of what is deployed that is
/// said with every disk.
pub(super) fn no_more_than_lower(
    context: &Context<'_>,
    index: usize,
    view: &VolumeView,
) -> Option<Finding> {
    let volume = context.deployment.volumes.get(index)?;
    let own = &volume.members.first()?.model;
    let none = Limits {
        iops: crate::units::Iops::new(0.0).ok(),
        mbps: MBps::new(0.0).ok(),
    };
    let lower = lower_tier(context.catalog, volume, view, none)
        .filter(|_| context.deployment.is_planned())?;
    let (set, of_size) = (own.tier.as_deref()?, own.size?);
    let text = format!(
        "performance tier {set} gives no more than {} does: {}{}",
        lower.name,
        figures(own.base),
        if volume.is_stripe() { " a disk" } else { "" },
    );
    let of_size = context.catalog.tiers().for_size(own.family, of_size)?;
    let fix = match of_size.name == lower.name {
        true => "leave tier= out, which is billed as the smaller disk".to_owned(),
        false => format!(
            "set tier={}, which is billed as the smaller disk",
            lower.name
        ),
    };
    let id = FindingId::TierRaised;
    Some(Finding::new(id, Severity::Warning, &volume.name, text).fix(fix))
}

/// `7,500 IOPS and 250 MB/s`.
fn figures(limits: Limits) -> String {
    let part = |axis: Axis| Some(format!("{} {axis}", grouped(limits.on(axis)?, 0)));
    let parts: Vec<String> = [Axis::Iops, Axis::Mbps]
        .into_iter()
        .filter_map(part)
        .collect();
    parts.join(" and ")
}

/// The lowest performance tier, no lower than that of the disks' size, that has what is not `lost` of a raised one; `None`
/// where the disks are not set to a tier above it.
pub(super) fn lower_tier<'c>(
    catalog: &'c Catalog,
    disks: &Volume,
    volume: &VolumeView,
    lost: Limits,
) -> Option<&'c Tier> {
    let (first, rest) = disks.members.split_first()?;
    let own = &first.model;
    if rest.iter().any(|disk| disk.model.label != own.label) {
        return None;
    }
    let table = catalog.tiers();
    let set = table.named(own.family, own.tier.as_deref()?).ok()?;
    let of_size = table.for_size(own.family, own.size?)?;
    let passing = |axis: Axis| -> Option<f64> {
        let passing = volume.provisioned.on(axis)? - lost.on(axis)?;
        Some(passing / volume.members as f64)
    };
    let (iops, mbps) = (passing(Axis::Iops)?, passing(Axis::Mbps)?);
    let has = |limits: Limits, axis: Axis, least: f64| {
        limits.on(axis).is_some_and(|v| v >= least - ROUNDING)
    };
    let mut enough = table.of(own.family).filter(|tier| {
        let within = (of_size.max_gib..set.max_gib).contains(&tier.max_gib);
        within && has(tier.limits, Axis::Iops, iops) && has(tier.limits, Axis::Mbps, mbps)
    });
    enough.next()
}
