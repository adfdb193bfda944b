//! The disks that may take the place of one, the smallest first.

use crate::catalog::{Catalog, DiskRequest, Limits};
use crate::deployment::{Disk, DiskSpec};
use crate::units::{GiB, Iops, MBps};

/// Disks of the same family as `member`, the smallest first, of which one may be enough for `peak`.
pub(super) fn candidates(catalog: &Catalog, member: &Disk, peak: Limits) -> Vec<Disk> {
    let spec = &member.spec;
    let family = member.model.family;
    let present = member.request_in_effect();
    let disk = |request: DiskRequest| {
        let model = catalog.disk(&request).ok()?.model;
        // Caching that the present disk cannot have is no part of what takes its place.
        let is_had = member.caching == member.effective_caching();
        let spec = DiskSpec {
            caching: spec.caching.filter(|_| is_had),
            os: spec.os,
            ..DiskSpec::new(request)
        };
        let disk = Disk {
            spec,
            model,
            violations: Vec::new(),
            caching: member.caching,
            write_accelerator: member.write_accelerator,
        };
        // A disk that cannot be cached as the present one is cannot take its place.
        (disk.effective_caching() == member.effective_caching()).then_some(disk)
    };
    // The families without tiers are provisioned, or there is no choice.
    if !family.is_tiered() {
        let least = provisioned(catalog, &present, peak).and_then(disk);
        return least.into_iter().collect();
    }
    let of_tier = |name: &String, performance_plus| {
        disk(DiskRequest {
            tier: Some(name.clone()),
            size: None,
            performance_tier: None,
            performance_plus,
            ..present.clone()
        })
    };
    // Performance plus costs nothing: it lifts a tier with room for what there is before a larger one is taken.
    let has_room = |gib: u32| {
        member
            .model
            .size
            .is_some_and(|size| size <= GiB::whole(gib))
    };
    let tiers = catalog.tiers().of(family);
    let mut disks: Vec<Disk> = tiers
        .flat_map(|tier| {
            let offered = tier.performance_plus.is_some() && !present.on_demand_burst;
            let lifted = (offered && has_room(tier.max_gib)).then(|| of_tier(&tier.name, true));
            let lifted = lifted.flatten().map(|disk| without_credit(disk, member));
            [of_tier(&tier.name, false), lifted]
        })
        .flatten()
        .collect();
    // Of tiers that do alike (P1 to P4), the smallest speaks for all, and the smallest with room for what there is.
    disks.dedup_by(|larger, smaller| {
        let has_same_room = has_room_of(larger, member) == has_room_of(smaller, member);
        let (a, b) = (&larger.model, &smaller.model);
        has_same_room && a.base == b.base && a.burst == b.burst && a.cacheable == b.cacheable
    });
    disks
}

/// Whether `disk` holds as much as `present`, as far as what that holds is known.
pub(super) fn has_room_of(disk: &Disk, present: &Disk) -> bool {
    present.model.size.is_none() || disk.model.size >= present.model.size
}

/// A disk with performance plus as advice in place of `present`: that it bursts beyond its expanded limits is not
/// documented, so only one that is there already is taken to.
fn without_credit(mut disk: Disk, present: &Disk) -> Disk {
    if !present.spec.request.performance_plus {
        disk.model.burst = None;
    }
    disk
}

/// The least that can be provisioned for `peak`, with more IOPS where the MB/s need them and a larger size where the
/// IOPS need it; `None` where nothing is enough.
pub(super) fn provisioned(
    catalog: &Catalog,
    request: &DiskRequest,
    peak: Limits,
) -> Option<DiskRequest> {
    let rules = request.family.provisioned_rules()?;
    let mbps = MBps::new(peak.mbps?.get().ceil()).ok()?.max(rules.min_mbps);
    let iops = Iops::new(peak.iops?.get().ceil()).ok()?;
    let for_mbps = Iops::new(rules.iops_for(mbps)?.get().ceil()).ok()?;
    let iops = iops.max(rules.min_iops).max(for_mbps);
    let size = rules
        .size_for(iops)?
        .max(request.size.unwrap_or(rules.min_size));
    let request = DiskRequest {
        size: Some(size),
        iops: Some(iops),
        mbps: Some(mbps),
        ..request.clone()
    };
    let limits = catalog.disk(&request).ok()?.model.base;
    (limits.iops >= Some(iops) && limits.mbps >= Some(mbps)).then_some(request)
}
