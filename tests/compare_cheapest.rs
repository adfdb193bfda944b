//! The cheapest setting of a family is the cheapest of all: a search that tries everything finds none that costs less.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use diskcap::catalog::price::{BilledDisk, DiskUse, Need, PriceBook, Region, cheapest, embedded};
use diskcap::catalog::{Catalog, DiskRequest, Family, Redundancy};
use diskcap::units::{BlockSize, GiB, Iops, MBps};
use proptest::prelude::*;

fn need(size: u32, iops: u32, mbps: u32, most_disks: u32) -> Need {
    Need {
        size: GiB::whole(size),
        iops: Iops::whole(iops),
        block_size: Some(BlockSize::KIB_4),
        mbps: MBps::whole(mbps),
        redundancy: Redundancy::Lrs,
        max_shares: 1,
        hours: None,
        most_disks,
    }
}

/// What `disks` disks as in `request` cost a month, where the provider takes them and they deliver.
fn cost(book: &PriceBook, need: &Need, request: &DiskRequest, disks: u32) -> Option<f64> {
    let catalog = Catalog::embedded();
    let resolved = catalog.disk(request).ok()?;
    if !resolved.violations.is_empty() {
        return None;
    }
    let all = f64::from(disks);
    let (base, size) = (resolved.model.base, resolved.model.size?);
    let enough = base.iops?.get() * all >= need.iops.get()
        && base.mbps?.get() * all >= need.mbps.get()
        && base.mbps?.get() * all >= need.iops.get() * 4096.0 / 1e6
        && size.get() * all >= need.size.get();
    let billed = BilledDisk::of(catalog, request, &resolved.model);
    let total = book.disk_bill(&billed, &DiskUse::default()).total();
    (enough && total.is_priced()).then_some(total.known.amount * all)
}

/// Every tier as size, every tier as performance tier, performance plus or not, every number of disks.
fn least_of_tiers(book: &PriceBook, family: Family, need: &Need) -> Option<f64> {
    let tiers: Vec<_> = Catalog::embedded().tiers().of(family).collect();
    let mut least: Option<f64> = None;
    for disks in 1..=need.most_disks {
        let own = (need.size.get() / f64::from(disks)).ceil().max(1.0);
        let sizes = tiers
            .iter()
            .map(|tier| f64::from(tier.max_gib))
            .chain([own]);
        for size in sizes {
            let raised = tiers
                .iter()
                .map(|tier| Some(tier.name.clone()))
                .chain([None]);
            for performance_tier in raised {
                for performance_plus in [false, true] {
                    let request = DiskRequest {
                        size: GiB::new(size).ok(),
                        performance_tier: performance_tier.clone(),
                        performance_plus,
                        ..DiskRequest::new(family)
                    };
                    if let Some(found) = cost(book, need, &request, disks) {
                        least = Some(least.map_or(found, |least| least.min(found)));
                    }
                }
            }
        }
    }
    least
}

fn found(book: &PriceBook, family: Family, need: &Need) -> Option<f64> {
    let layout = cheapest(Catalog::embedded(), book, family, need)?;
    assert!(layout.delivers.iops >= Some(need.iops) && layout.delivers.mbps >= Some(need.mbps));
    assert!(layout.disks <= need.most_disks);
    Some(layout.cost.known.amount)
}

fn eastus() -> PriceBook {
    embedded(&Region::default_region()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_setting_of_a_tiered_family_costs_less(
        size in prop::sample::select(vec![1, 100, 512, 513, 2000, 4096, 5000, 40_000]),
        iops in 0_u32..30_000,
        mbps in 0_u32..1500,
        disks in 1_u32..4,
    ) {
        let (book, need) = (eastus(), need(size, iops, mbps, disks));
        for family in [Family::PremiumSsd, Family::StandardSsd, Family::StandardHdd] {
            let (found, least) = (found(&book, family, &need), least_of_tiers(&book, family, &need));
            match (found, least) {
                (Some(found), Some(least)) => prop_assert!((found - least).abs() < 1e-6, "{family}: {found}, not {least}"),
                (found, least) => prop_assert_eq!(found, least),
            }
        }
    }

    #[test]
    fn no_lower_setting_of_a_provisioned_family_delivers(
        size in 1_u32..70_000,
        iops in 0_u32..90_000,
        mbps in 0_u32..2500,
        disks in 1_u32..5,
    ) {
        let (book, need) = (eastus(), need(size, iops, mbps, disks));
        for family in [Family::PremiumSsdV2, Family::Ultra] {
            let Some(layout) = cheapest(Catalog::embedded(), &book, family, &need) else {
                continue;
            };
            let lower = |setting: f64| setting - 1.0;
            let request = &layout.request;
            let (own_size, own_iops, own_mbps) =
                (request.size.unwrap(), request.iops.unwrap(), request.mbps.unwrap());
            let fewer = [
                DiskRequest { size: GiB::new(lower(own_size.get())).ok(), ..request.clone() },
                DiskRequest { iops: Iops::new(lower(own_iops.get())).ok(), ..request.clone() },
                DiskRequest { mbps: MBps::new(lower(own_mbps.get())).ok(), ..request.clone() },
            ];
            for less in fewer {
                prop_assert_eq!(cost(&book, &need, &less, layout.disks), None, "{:?}", less);
            }
        }
    }
}

#[test]
fn settings_of_provisioned_families_are_whole_numbers() {
    // 10,000 IOPS over three disks are 3,333.33 each.
    let need = need(100, 10_000, 100, 3);
    let layout = cheapest(Catalog::embedded(), &eastus(), Family::PremiumSsdV2, &need).unwrap();
    assert_eq!(layout.request.iops.unwrap().get().fract(), 0.0);
    assert!(layout.delivers.iops.unwrap().get() >= 10_000.0);
}

#[test]
fn without_prices_the_smallest_that_delivers_is_taken() {
    let book = PriceBook::new(eastus().info().clone());
    let layout = cheapest(
        Catalog::embedded(),
        &book,
        Family::PremiumSsd,
        &need(1, 5000, 100, 4),
    );
    let layout = layout.unwrap();
    assert_eq!(
        (layout.disks, layout.model.tier.as_deref()),
        (1, Some("P30"))
    );
    assert!(!layout.cost.is_priced());
}
