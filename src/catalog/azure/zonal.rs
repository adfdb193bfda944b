//! Which disks are attached only to VMs in a zone.

use crate::catalog::{Catalog, Family, Redundancy};

/// That disks of `family` are attached only to VMs in a zone in most regions that have zones, as `region` has; nothing
/// where it has none for them, or the family is attached everywhere.
///
/// Source: Azure, "Deploy a Premium SSD v2" (limitations: in most regions with availability zones only zonal VMs take
/// them, a subset takes non-zonal ones with further limits) and "Using Azure Ultra Disks" (single VM where a region has
/// no zones for them, availability zones elsewhere), read 2026-12.
#[must_use]
pub fn only_in_zones(catalog: &Catalog, region: &str, family: Family) -> Option<String> {
    family.provisioned_rules()?;
    // Of most regions nothing is recorded of these families: then the zones of others tell that it has some.
    let own = catalog.region_offers(region, family, Redundancy::Lrs);
    let zonal = own.map_or_else(|| has_zones(catalog, region), |zones| !zones.is_empty());
    zonal.then(|| {
        format!(
            "most regions with zones, as {region} is one, attach {family} only to VMs in a zone"
        )
    })
}

fn has_zones(catalog: &Catalog, region: &str) -> bool {
    let offers = |redundancy| catalog.region_offers(region, Family::PremiumSsd, redundancy);
    offers(Redundancy::Zrs).is_some() || offers(Redundancy::Lrs).is_some_and(|z| !z.is_empty())
}
