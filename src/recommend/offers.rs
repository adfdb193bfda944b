//! The disks of a family that can be had at all, whatever is asked of them.

use super::need::{Hold, VolumeNeed};
use crate::catalog::{Catalog, DiskModel, DiskRequest, Family};
use crate::deployment::{Deployment, Disk, DiskSpec, HostCaching, Role, Standing, Volume};
use crate::planner::System;
use crate::workload::Io;

/// A disk that can be had, with what it can do for as long as the need holds.
pub(super) struct Offer {
    pub request: DiskRequest,
    pub model: DiskModel,
    pub caps: [Option<f64>; 2],
}

/// The disks of a family that can be had: of a tiered one every tier, at its largest, with every performance tier, with
/// and without performance plus; of a provisioned one its smallest, as a sample.
pub(super) fn offers(
    catalog: &Catalog,
    family: Family,
    wanted: &VolumeNeed,
    hold: Hold,
) -> Vec<Offer> {
    let plain = DiskRequest {
        redundancy: wanted.redundancy,
        ..DiskRequest::new(family)
    };
    let mut requests: Vec<DiskRequest> = Vec::new();
    if let Some(rules) = family.provisioned_rules() {
        requests.push(DiskRequest {
            size: Some(rules.min_size),
            iops: Some(rules.min_iops),
            mbps: Some(rules.min_mbps),
            ..plain.clone()
        });
    }
    for baseline in catalog.tiers().of(family) {
        for raised in catalog.tiers().of(family) {
            let own = raised.name == baseline.name;
            if !own && (family != Family::PremiumSsd || raised.min_gib < baseline.min_gib) {
                continue;
            }
            for performance_plus in [false, true] {
                requests.push(DiskRequest {
                    tier: Some(baseline.name.clone()),
                    performance_tier: (!own).then(|| raised.name.clone()),
                    performance_plus,
                    ..plain.clone()
                });
            }
        }
    }
    let offer = |request: DiskRequest| {
        let resolved = catalog.disk(&request).ok()?;
        let model = resolved.model;
        let disk = Disk {
            spec: DiskSpec::new(request.clone()),
            model: model.clone(),
            violations: Vec::new(),
            caching: HostCaching::None,
            write_accelerator: false,
        };
        let system = System::new(&one_disk(catalog, disk), &[Io::RANDOM_4K]);
        let cap = |index: usize| hold.capacity(system.resources.get(index)?);
        resolved.violations.is_empty().then_some(Offer {
            request,
            model,
            caps: [cap(0), cap(1)],
        })
    };
    requests.into_iter().filter_map(offer).collect()
}

/// A volume of one disk, without a VM.
pub(super) fn one_disk(catalog: &Catalog, disk: Disk) -> Deployment {
    Deployment {
        vm: None,
        cache_latency: catalog.host_cache_latency(),
        interface: None,
        region: None,
        standing: Standing::Planned(None),
        volumes: vec![Volume {
            name: "volume".to_owned(),
            role: Role::Data,
            members: vec![disk],
            also_on: Vec::new(),
        }],
    }
}

/// The disk of `offer` as it can be cached: just below the largest that can be, where its tier goes beyond.
pub(super) fn cacheable(
    catalog: &Catalog,
    offer: &Offer,
    caching: HostCaching,
) -> Option<(DiskRequest, DiskModel)> {
    if caching == HostCaching::None || offer.model.cacheable {
        return Some((offer.request.clone(), offer.model.clone()));
    }
    let request = DiskRequest {
        size: Some(crate::catalog::azure::caching::LARGEST_CACHED),
        ..offer.request.clone()
    };
    let resolved = catalog.disk(&request).ok()?;
    let same = resolved.violations.is_empty()
        && resolved.model.cacheable
        && resolved.model.label == offer.model.label;
    same.then_some((request, resolved.model))
}
