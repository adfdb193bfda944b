//! What holds for a disk besides its speed as set: how far it can be raised, who may share it, what it is not for.

use super::Catalog;
use super::azure::caching::LARGEST_CACHED;
use super::azure::tiers::Tier;
use super::disk::{DiskModel, DiskRequest, Family, Redundancy};
use super::limits::Limits;
use crate::units::GiB;

/// What holds for a disk of its family and size, whatever its settings.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskFacts {
    /// The largest disk of the family; `None` for what is not sold as a disk.
    pub largest: Option<GiB>,
    /// The most that a disk of this size can be set to, without bursting, on each axis.
    pub most: Limits,
    /// How many VMs may attach it at once.
    pub max_shares: Option<u32>,
    /// The redundancies that it is offered with; none for what is not sold as a disk.
    pub redundancies: Vec<Redundancy>,
    /// What it cannot be used for, or what it needs: a few words each.
    pub limits_of_use: Vec<String>,
}

impl Catalog {
    /// What holds for `model` besides its speed as set.
    #[must_use]
    pub fn facts(&self, model: &DiskModel) -> DiskFacts {
        let tier = model
            .size
            .and_then(|size| self.tiers.for_size(model.family, size));
        let rules = model.family.provisioned_rules();
        let redundancies = redundancies(tier, model.family);
        DiskFacts {
            largest: self.largest(model.family),
            most: model
                .size
                .map_or(Limits::UNKNOWN, |size| self.most(model.family, size)),
            max_shares: tier
                .map(|tier| tier.max_shares)
                .or_else(|| rules.map(|rules| rules.max_shares)),
            limits_of_use: limits_of_use(model, &redundancies),
            redundancies,
        }
    }

    /// The largest disk of a family; `None` for what is not sold as a disk.
    #[must_use]
    pub fn largest(&self, family: Family) -> Option<GiB> {
        let tier = self.tiers.of(family).next_back();
        let rules = family.provisioned_rules();
        tier.map(|tier| GiB::whole(tier.max_gib))
            .or_else(|| rules.map(|rules| rules.max_size))
    }

    /// The most that a disk of `family` and `size` can be set to without bursting, on each axis: by a performance tier
    /// or performance plus, or by provisioning. Unknown for what is not sold as a disk.
    #[must_use]
    pub fn most(&self, family: Family, size: GiB) -> Limits {
        if let Some(rules) = family.provisioned_rules() {
            let iops = rules.iops_cap(size);
            return Limits::new(iops, rules.mbps_cap(iops));
        }
        let plain = DiskRequest {
            size: Some(size),
            ..DiskRequest::new(family)
        };
        let plus = DiskRequest {
            performance_plus: true,
            ..plain.clone()
        };
        let raised = self.tiers.of(family).map(|tier| DiskRequest {
            performance_tier: Some(tier.name.clone()),
            ..plain.clone()
        });
        raised
            .chain([plain.clone(), plus])
            .filter_map(|request| self.disk(&request).ok())
            .filter(|resolved| resolved.violations.is_empty())
            .map(|resolved| resolved.model.base)
            .fold(Limits::UNKNOWN, Limits::higher)
    }
}

fn redundancies(tier: Option<&Tier>, family: Family) -> Vec<Redundancy> {
    match tier {
        Some(tier) if tier.zrs => vec![Redundancy::Lrs, Redundancy::Zrs],
        Some(_) => vec![Redundancy::Lrs],
        None if family.provisioned_rules().is_some() => vec![Redundancy::Lrs],
        None => Vec::new(),
    }
}

fn limits_of_use(model: &DiskModel, redundancies: &[Redundancy]) -> Vec<String> {
    let family = model.family;
    let (tiered, provisioned) = (family.is_tiered(), family.provisioned_rules().is_some());
    let words = [
        (
            family.is_local(),
            "lost when the VM is deallocated, resized or moved".to_owned(),
        ),
        (provisioned, "not as OS disk".to_owned()),
        (
            family == Family::StandardHdd,
            "as OS disk until 2028-09-08 only".to_owned(),
        ),
        (provisioned, "no host caching".to_owned()),
        (
            tiered && !model.cacheable,
            format!("host caching up to {LARGEST_CACHED} and unshared only"),
        ),
        (
            family.needs_premium_storage(),
            "needs a size with premium storage".to_owned(),
        ),
        (
            family == Family::Ultra,
            "needs a size, region and zone that offer it".to_owned(),
        ),
        (redundancies == [Redundancy::Lrs], "LRS only".to_owned()),
    ];
    let holding = words.into_iter().filter(|(holds, _)| *holds);
    holding.map(|(_, words)| words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Iops, MBps};

    fn most(family: Family, size: u32) -> (f64, f64) {
        let most = Catalog::embedded().most(family, GiB::whole(size));
        let (iops, mbps) = (most.iops.map(Iops::get), most.mbps.map(MBps::get));
        (iops.unwrap(), mbps.unwrap())
    }

    #[test]
    fn how_far_a_disk_can_be_raised() {
        // Up to 4,096 GiB: as P50. From 513 GiB performance plus: P30 8,000 / 300, P50 20,000 / 900.
        assert_eq!(most(Family::PremiumSsd, 512), (7500.0, 250.0));
        assert_eq!(most(Family::PremiumSsd, 1024), (8000.0, 300.0));
        assert_eq!(most(Family::PremiumSsd, 4096), (20_000.0, 900.0));
        // 500 per GiB; 0.25 MB/s per IOPS, at most 2,000.
        assert_eq!(most(Family::PremiumSsdV2, 16), (8000.0, 2000.0));
        assert_eq!(most(Family::PremiumSsdV2, 512), (80_000.0, 2000.0));
        assert_eq!(most(Family::StandardHdd, 512), (500.0, 60.0));
        let nothing = Catalog::embedded().most(Family::Temp, GiB::whole(100));
        assert_eq!(nothing, Limits::UNKNOWN);
    }

    #[test]
    fn what_a_disk_is_not_for() {
        let catalog = Catalog::embedded();
        let facts = |family, size| {
            let request = DiskRequest {
                size: Some(GiB::whole(size)),
                ..DiskRequest::new(family)
            };
            catalog.facts(&catalog.disk(&request).unwrap().model)
        };
        let v2 = facts(Family::PremiumSsdV2, 100);
        assert_eq!(v2.redundancies, [Redundancy::Lrs]);
        assert_eq!(
            (v2.largest, v2.max_shares),
            (Some(GiB::whole(65_536)), Some(15))
        );
        assert!(v2.limits_of_use.iter().any(|l| l == "not as OS disk"));
        let p30 = facts(Family::PremiumSsd, 1024);
        assert_eq!(p30.redundancies, [Redundancy::Lrs, Redundancy::Zrs]);
        assert_eq!(p30.limits_of_use, ["needs a size with premium storage"]);
        let p50 = facts(Family::PremiumSsd, 4096);
        assert!(p50.limits_of_use.iter().any(|l| l.contains("4,095 GiB")));
    }
}
