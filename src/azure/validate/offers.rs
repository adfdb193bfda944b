//! Where sizes and disks are offered: what a list of SKUs says, and the recorded offers where none was read.

use std::collections::{HashMap, HashSet};

use crate::azure::facts::{DiskSkuFacts, FleetFacts, Offer, Region, SkuFacts, VmSkuFacts};
use crate::catalog::{Catalog, Family, Redundancy, VmSize};

/// A list of so many sizes of a region is that of all that it sells; regions sell some hundreds.
const WHOLE: usize = 100;

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

    /// `catalog` without the sizes that a list says cannot be had in `region`: those that are restricted in all of it, and
    /// those that the list lacks beside others of their series, or as a whole one. `None` where none says anything of it.
    pub(super) fn sold_in(&self, catalog: &Catalog, region: &Region) -> Option<Catalog> {
        let listed = self.sizes.values();
        let listed = listed.filter(|vm| vm.offers.iter().any(|offer| offer.region == *region));
        let listed: Vec<&str> = listed.map(|vm| vm.size.series.as_str()).collect();
        let is_whole = listed.len() >= WHOLE;
        let series: HashSet<&str> = listed.into_iter().collect();
        let lacks = |size: &VmSize| match self.size_in(&size.name, region) {
            Some(offer) => offer.restrictions.iter().any(|of| of.zones.is_empty()),
            None => is_whole || series.contains(size.series.as_str()),
        };
        (!series.is_empty()).then(|| catalog.without(lacks))
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
