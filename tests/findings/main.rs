//! Findings that are right only when their numbers are.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod bursts;
mod caching;
mod ceilings;
mod clouds;
#[path = "../common/mod.rs"]
mod common;
mod demands;
mod prices;
mod retirement;
mod settings;
mod temp_disks;
mod unknown_latency;
mod unusable;

use common::{codes, request};
use diskcap::catalog::Catalog;
use diskcap::catalog::price::{
    BookInfo, Currency, PriceBook, PriceSource, Region, VmOffer, embedded,
};
use diskcap::planner::money::price;
use diskcap::planner::{Assessment, Finding, assess};

fn finding<'a>(a: &'a Assessment, code: &str, subject: &str) -> &'a Finding {
    let found = a
        .findings
        .iter()
        .find(|f| f.id.code() == code && f.subject == subject);
    found.unwrap_or_else(|| panic!("no {code} about {subject}: {:?}", codes(a)))
}

fn figure(finding: &Finding, name: &str, unit: &str) -> f64 {
    let found = finding
        .figures
        .iter()
        .find(|f| f.name == name && f.unit == unit);
    found.unwrap().value
}

/// `disks` on `vm` under the standard workloads with the prices of eastus.
fn priced(vm: &str, disks: &[&str]) -> Assessment {
    priced_by(&eastus(), vm, disks)
}

fn priced_by(book: &PriceBook, vm: &str, disks: &[&str]) -> Assessment {
    let catalog = Catalog::embedded();
    let plan = request(vm, disks).build(catalog).unwrap();
    let mut assessment = assess(catalog, &plan.deployment, &plan.workloads);
    price(
        catalog,
        &plan.deployment,
        book,
        VmOffer::Linux,
        &mut assessment,
    );
    assessment
}

/// The fix of a finding of `disks` on `vm` by the standard workloads, once prices are known.
fn priced_fix(book: &PriceBook, vm: &str, disks: &[&str], code: &str) -> String {
    let assessment = priced_by(book, vm, disks);
    let vm = &assessment.vm.as_ref().unwrap().size;
    finding(&assessment, code, vm).fix.clone().unwrap()
}

fn eastus() -> PriceBook {
    embedded(&Region::new("eastus")).unwrap()
}

/// A book with these prices an hour and nothing else.
fn book(prices: &[(&str, f64)]) -> PriceBook {
    let mut book = PriceBook::new(BookInfo {
        region: Region::new("eastus"),
        currency: Currency::USD,
        vm_prices_of: None,
        disk_prices_of: None,
        source: PriceSource::Embedded,
    });
    for (size, price) in prices {
        book.set_vm(size, VmOffer::Linux, *price);
    }
    book
}
