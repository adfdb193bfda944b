//! Where sizes and disks are offered: what a list of SKUs says, and the recorded offers where none was read.

use std::collections::HashMap;
use std::sync::Arc;

use crate::azure::facts::{DiskSkuFacts, FleetFacts, Offer, Region, SkuFacts, VmSkuFacts};
use crate::catalog::{Catalog, Family, Redundancy};

/// A list of so many sizes of a region is that of all that it sells; regions sell some hundreds.
const WHOLE: usize = 100;

/// The offers of the SKU lists that were read.
#[derive(Debug, Default)]
pub(super) struct Offers<'a> {
    sizes: HashMap<String, &'a VmSkuFacts>,
    disks: Vec<&'a DiskSkuFacts>,
    /// How many sizes are listed of each region.
    listed: HashMap<&'a Region, usize>,
}

/// What lists say of a size where a VM is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// It can be had.
    Sold,
    /// It is listed, and cannot be had there: not in the region, or not in the zone.
    Restricted,
    /// The list of all that is sold has it not.
    NotSold,
    /// A list of some sizes has it not, or there is none.
    NotSaid,
}

impl Listing {
    /// Whether it is known that the size cannot be had.
    pub(super) const fn is_closed(self) -> bool {
        matches!(self, Self::Restricted | Self::NotSold)
    }
}

impl<'a> Offers<'a> {
    pub(super) fn new(facts: &'a FleetFacts) -> Self {
        let mut offers = Self::default();
        for sku in &facts.skus {
            match sku {
                SkuFacts::Vm(vm) => {
                    for offer in &vm.offers {
                        *offers.listed.entry(&offer.region).or_default() += 1;
                    }
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

    /// Whether a list says which sizes `region` sells.
    pub(super) fn lists_sizes_of(&self, region: &Region) -> bool {
        self.listed.contains_key(region)
    }

    /// What the lists say of a size for a VM in `zones` of `region`.
    pub(super) fn listing(&self, name: &str, region: &Region, zones: &[Arc<str>]) -> Listing {
        let Some(offer) = self.size_in(name, region) else {
            let is_whole = self.listed.get(region).is_some_and(|count| *count >= WHOLE);
            return match is_whole {
                true => Listing::NotSold,
                false => Listing::NotSaid,
            };
        };
        let of_region = offer.restrictions.iter().any(|of| of.zones.is_empty());
        let is_closed = |zone: &Arc<str>| {
            let is_restricted = offer.restrictions.iter().any(|of| of.zones.contains(zone));
            let is_lacking = !offer.zones.is_empty() && !offer.zones.contains(zone);
            is_restricted || is_lacking
        };
        match of_region || zones.iter().any(is_closed) {
            true => Listing::Restricted,
            false => Listing::Sold,
        }
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
