//! How to judge, and what it comes to on one VM: its workloads, its prices, its assessment.

use std::collections::BTreeMap;

use super::assemble::Assembled;
use super::market::Place;
use super::model::Unknown;
use super::stripes::Stripe;
use super::{Validator, power, shapes};
use crate::azure::facts::{Named, Os, Power, Region, VmFacts};
use crate::azure::metrics::Metrics;
use crate::catalog::price::{PriceBook, VmOffer};
use crate::deployment::{Deployment, PlanRequest};
use crate::workload::Workload;

/// How to judge.
#[derive(Debug, Default)]
pub struct Options {
    /// Disks that guests stripe into one volume. Only VMs that have members of a stripe have it.
    pub stripes: Vec<Stripe>,
    /// The workload: only its profiles, settings and demands are looked at, and the day, on which sizes may be retired. Nothing said: the standard tests. Demands
    /// and profiles of volumes that a VM does not have do not concern it.
    pub workload: PlanRequest,
    /// The prices, where costs are wanted.
    pub prices: Option<Prices>,
    /// Azure Monitor's metrics of the VMs and disks, where there are some.
    pub metrics: Option<Metrics>,
}

/// The prices of every region that VMs and disks are in.
#[derive(Debug)]
pub struct Prices {
    /// By region.
    pub books: BTreeMap<String, PriceBook>,
    /// A region whose prices hold for all; `None` for each its own.
    pub region: Option<String>,
    /// How VMs are bought; `None` for pay as you go by their operating system.
    pub offer: Option<VmOffer>,
}

impl Prices {
    fn book(&self, region: Option<&Region>) -> Option<&PriceBook> {
        let region = self.region.as_deref().or(region.map(Region::as_str))?;
        self.books.get(region)
    }
}

impl<'a> Validator<'a> {
    /// The prices of a region; where they are wanted and there are none, that is said.
    pub(super) fn book(
        &self,
        region: Option<&Region>,
        subject: &str,
        unknowns: &mut Vec<Unknown>,
    ) -> Option<&'a PriceBook> {
        let prices = self.options.prices.as_ref()?;
        let book = prices.book(region);
        if book.is_none() {
            let what = match region {
                Some(region) => format!("prices: there are none of {region}"),
                None => "prices: its region is not said".to_owned(),
            };
            unknowns.push(Unknown {
                subject: subject.to_owned(),
                what,
            });
        }
        book
    }

    /// What is asked of the volumes of one VM.
    pub(super) fn workloads(&self, deployment: &Deployment) -> Vec<Workload> {
        let wanted = &self.options.workload;
        let is_there = |name: &str| deployment.position(name).is_some();
        let profiled = wanted.volume_profiles.iter().map(|(name, _)| name);
        let mut named = wanted.demands.iter().map(|(name, _)| name).chain(profiled);
        if named.all(|name| is_there(name)) {
            return wanted.workloads(deployment).unwrap_or_default();
        }
        let mut wanted = wanted.clone();
        wanted.demands.retain(|(name, _)| is_there(name));
        wanted.volume_profiles.retain(|(name, _)| is_there(name));
        wanted.workloads(deployment).unwrap_or_default()
    }

    pub(super) fn assess(
        &self,
        vm: &VmFacts,
        assembled: &Assembled<'_>,
        workloads: &[Workload],
        book: Option<&PriceBook>,
    ) -> shapes::Assessed {
        let prices = self.options.prices.as_ref();
        let bill = book.map(|book| shapes::Billing {
            book,
            offer: prices
                .and_then(|prices| prices.offer)
                .unwrap_or_else(|| offer_of(vm)),
            is_deallocated: power::of(self.facts, vm) == Some(Power::Deallocated),
            size: vm.size.as_deref(),
        });
        // What is advised is to be had.
        let place = Place::of(self.facts, &self.offers, vm);
        let own = self.markets.get(&place);
        let market = shapes::Market {
            catalog: own.unwrap_or(self.catalog),
            place: own.map(|_| place.to_string()),
        };
        self.shapes
            .assess(&market, assembled, workloads, bill.as_ref())
    }
}

/// How a VM is billed: by its operating system, the licence that comes with it and whether it is a spot VM.
pub(super) fn offer_of(vm: &VmFacts) -> VmOffer {
    let windows = vm.os.as_ref().and_then(Named::known) == Some(Os::Windows);
    let licensed = windows && vm.own_license != Some(true);
    match (licensed, vm.spot == Some(true)) {
        (true, false) => VmOffer::Windows,
        (false, false) => VmOffer::Linux,
        (true, true) => VmOffer::SpotWindows,
        (false, true) => VmOffer::SpotLinux,
    }
}
