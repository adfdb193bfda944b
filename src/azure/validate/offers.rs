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

/// Why a size cannot be had where a VM is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closed<'a, 'z> {
    /// The subscription may not have it in the region.
    InRegion { reason: &'a str },
    /// The subscription may not have it in the zone of the VM.
    InZone { zone: &'z str, reason: &'a str },
    /// It is sold in other zones only.
    NotInZone { zone: &'z str, sold: &'a [Arc<str>] },
    /// The list of all that is sold, of so many sizes, has it not.
    Unlisted { sizes: usize },
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
        match self.closed(name, region, zones) {
            Some(Closed::Unlisted { .. }) => Listing::NotSold,
            Some(_) => Listing::Restricted,
            None if self.size_in(name, region).is_some() => Listing::Sold,
            None => Listing::NotSaid,
        }
    }

    /// Why a VM in `zones` of `region` cannot have a size; `None` where it can, or no list says.
    pub(super) fn closed<'z>(
        &self,
        name: &str,
        region: &Region,
        zones: &'z [Arc<str>],
    ) -> Option<Closed<'a, 'z>> {
        let Some(offer) = self.size_in(name, region) else {
            let sizes = *self.listed.get(region)?;
            return (sizes >= WHOLE).then_some(Closed::Unlisted { sizes });
        };
        let mut of_region = offer.restrictions.iter().filter(|of| of.zones.is_empty());
        if let Some(restricted) = of_region.next() {
            let reason = &restricted.reason;
            return Some(Closed::InRegion { reason });
        }
        let in_zone = |zone: &'z Arc<str>| {
            let mut restrictions = offer.restrictions.iter();
            let restricted = restrictions.find(|of| of.zones.contains(zone));
            let is_lacking = !offer.zones.is_empty() && !offer.zones.contains(zone);
            match restricted.map(|of| &*of.reason) {
                Some(reason) => Some(Closed::InZone { zone, reason }),
                None => is_lacking.then_some(Closed::NotInZone {
                    zone,
                    sold: &offer.zones,
                }),
            }
        };
        zones.iter().find_map(in_zone)
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
