//! What a deployed VM can be resized to: what its region sells where it is, on a disk controller that it can have.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::offers::Offers;
use crate::azure::facts::{FleetFacts, Region, VmFacts};
use crate::catalog::{Catalog, Interface, VmSize};

/// What decides which sizes a VM can have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Place<'a> {
    /// Its region, where a list says what is sold there.
    region: Option<&'a Region>,
    /// Its zones there.
    zones: &'a [Arc<str>],
    /// Whether it is of generation 1, which NVMe is not for (Azure, "General FAQ for NVMe": Generation 2 only).
    is_generation_1: bool,
}

impl<'a> Place<'a> {
    pub(super) fn of(facts: &FleetFacts, offers: &Offers<'_>, vm: &'a VmFacts) -> Self {
        let listed = vm.region.as_ref().filter(|at| offers.lists_sizes_of(at));
        Self {
            region: listed,
            zones: if listed.is_some() { &vm.zones } else { &[] },
            is_generation_1: is_generation_1(facts, vm),
        }
    }

    /// Whether it is known that the VM cannot have `size`.
    fn lacks(&self, offers: &Offers<'_>, size: &VmSize) -> bool {
        let needs_nvme = !size.likely_runs_on(Interface::Scsi);
        let is_closed = |region| offers.listing(&size.name, region, self.zones).is_closed();
        (self.is_generation_1 && needs_nvme) || self.region.is_some_and(is_closed)
    }

    const fn is_anywhere(&self) -> bool {
        self.region.is_none() && !self.is_generation_1
    }
}

/// A text that no other place has.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let region = self.region.map_or("", Region::as_str);
        let generation = u8::from(self.is_generation_1);
        write!(f, "{region}/{}/{generation}", self.zones.join(","))
    }
}

/// Whether a VM is of generation 1, as its OS disk says.
pub(super) fn is_generation_1(facts: &FleetFacts, vm: &VmFacts) -> bool {
    let os = vm.os_disk.as_ref();
    let disk = os.and_then(|os| facts.behind(os, vm));
    disk.is_some_and(|disk| disk.is_generation_1 == Some(true))
}

/// The catalogues of the places that VMs are at, where they lack something of the whole one.
pub(super) fn markets<'a>(
    catalog: &Catalog,
    facts: &'a FleetFacts,
    offers: &Offers<'_>,
) -> HashMap<Place<'a>, Catalog> {
    let mut markets = HashMap::new();
    for vm in &facts.vms {
        let place = Place::of(facts, offers, vm);
        if !place.is_anywhere() && !markets.contains_key(&place) {
            let left = catalog.without(|size| place.lacks(offers, size));
            markets.insert(place, left);
        }
    }
    markets
}
