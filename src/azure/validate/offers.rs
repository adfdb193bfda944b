//! Where sizes and disks are offered: what a list of SKUs says, and the recorded offers where none was read.

use std::collections::{HashMap, HashSet};

use crate::azure::facts::{DiskSkuFacts, FleetFacts, Offer, Region, SkuFacts, VmSkuFacts};
use crate::catalog::{Catalog, Family, Redundancy, VmSize};

/// The offers of the SKU lists that were read.
#[derive(Debug, Default)]
pub(super) struct Offers<'a> {
    sizes: HashMap<String, &'a VmSkuFacts>,
    disks: Vec<&'a DiskSkuFacts>,
}

impl<'a> Offers<'a> {
    pub(super) fn new(facts: &'a FleetFacts) -> Self {
        let mut offers = Self::default();
        for sku in &facts.skus {
            match sku {
                SkuFacts::Vm(vm) => {
                    offers.sizes.insert(vm.size.name.to_ascii_lowercase(), vm);
                }
                SkuFacts::Disk(disk) => offers.disks.push(disk),
            }
        }
        offers
    }

    /// What the lists say of a size.
    pub(super) fn size(&self, name: &str) -> Option<&'a VmSkuFacts> {
        if self.sizes.is_empty() {
            return None;
        }
        self.sizes.get(&name.to_ascii_lowercase()).copied()
    }

    /// The offer of a size in a region.
    pub(super) fn size_in(&self, name: &str, region: &Region) -> Option<&'a Offer> {
        let offers = &self.size(name)?.offers;
        offers.iter().find(|offer| offer.region == *region)
    }

    /// Whether a list says of `region` that `size` cannot be had there: it is restricted in all of the region, or others of
    /// its series are listed and it is not. What no list tells of is not known to be missing.
    fn lacks(&self, size: &VmSize, region: &Region, series: &HashSet<&str>) -> bool {
        match self.size_in(&size.name, region) {
            Some(offer) => offer.restrictions.iter().any(|of| of.zones.is_empty()),
            None => series.contains(size.series.as_str()),
        }
    }

    /// `catalog` without the sizes that a list says cannot be had in `region`; `None` where none says anything of it.
    pub(super) fn sold_in(&self, catalog: &Catalog, region: &Region) -> Option<Catalog> {
        let listed = self.sizes.values();
        let listed = listed.filter(|vm| vm.offers.iter().any(|offer| offer.region == *region));
        let series: HashSet<&str> = listed.map(|vm| vm.size.series.as_str()).collect();
        (!series.is_empty()).then(|| catalog.without(|size| self.lacks(size, region, &series)))
    }

    /// The zones of a region that offer disks of a family; an empty list where it has none. `None` where nothing says.
    pub(super) fn zones(
        &self,
        catalog: &Catalog,
        region: &Region,
        family: Family,
    ) -> Option<Vec<String>> {
        let of_family = self
            .disks
            .iter()
            .filter(|disk| disk.sku.family == Some(family));
        let mut listed = of_family
            .flat_map(|disk| &disk.offers)
            .filter(|offer| offer.region == *region);
        if let Some(offer) = listed.next() {
            return Some(offer.zones.iter().map(ToString::to_string).collect());
        }
        let recorded = catalog.region_offers(region.as_str(), family, Redundancy::Lrs)?;
        Some(recorded.iter().map(ToString::to_string).collect())
    }
}
