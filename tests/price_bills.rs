//! Bills against the embedded unit prices, worked by hand. The arithmetic stands beside each.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use diskcap::catalog::price::transactions::Transactions;
use diskcap::catalog::price::{
    Alternative, BilledDisk, BookInfo, BurstPart, Currency, DiskMeter, DiskUse, Money, Need,
    PriceBook, PriceSource, PriceUnit, Region, TierName, TierPart, Total, VmOffer, Way,
    alternatives, embedded, on_demand_break_even_hours,
};
use diskcap::catalog::{Catalog, DiskRequest, Family, Limits, Redundancy};
use diskcap::units::{GiB, Iops, MBps};

fn eastus() -> PriceBook {
    embedded(&Region::default_region()).unwrap()
}

fn near(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

#[track_caller]
fn assert_amount(total: &Total, amount: f64) {
    assert!(total.is_complete(), "{total}");
    assert!(near(total.known.amount, amount), "{total} is not {amount}");
    assert_eq!(total.known.currency, Currency::USD);
}

/// The bill of what `request` resolves to, without use.
fn bill(book: &PriceBook, request: &DiskRequest) -> diskcap::catalog::price::Bill {
    let catalog = Catalog::embedded();
    let resolved = catalog.disk(request).unwrap();
    assert_eq!(resolved.violations, []);
    let disk = BilledDisk::of(catalog, request, &resolved.model);
    book.disk_bill(&disk, &DiskUse::default())
}

fn premium(size: u32) -> DiskRequest {
    DiskRequest {
        size: Some(GiB::whole(size)),
        ..DiskRequest::new(Family::PremiumSsd)
    }
}

fn provisioned(family: Family, size: u32, iops: u32, mbps: u32) -> DiskRequest {
    DiskRequest {
        size: Some(GiB::whole(size)),
        iops: Some(Iops::whole(iops)),
        mbps: Some(MBps::whole(mbps)),
        ..DiskRequest::new(family)
    }
}

#[test]
fn premium_ssd_v2_of_the_documentation() {
    // 512 GiB, 40,000 IOPS, 200 MB/s. Unit prices of eastus: 0.00011 a GiB-hour, 0.000007 an IOPS-hour,
    // 0.000055 a MB/s-hour; a month has 730 hours.
    let bill = bill(
        &eastus(),
        &provisioned(Family::PremiumSsdV2, 512, 40_000, 200),
    );
    let parts: Vec<(f64, PriceUnit, f64, f64)> = bill
        .lines
        .iter()
        .map(|line| {
            (
                line.quantity,
                line.unit,
                line.unit_price.amount,
                line.per_month.amount,
            )
        })
        .collect();
    // capacity: 512 x 0.00011 x 730 = 0.05632 x 730 = 41.1136
    assert_eq!(
        (parts[0].0, parts[0].1, parts[0].2),
        (512.0, PriceUnit::GibHour, 0.00011)
    );
    assert!(near(parts[0].3, 41.1136));
    // IOPS: 40,000 - 3,000 free = 37,000; 37,000 x 0.000007 x 730 = 0.259 x 730 = 189.07
    assert_eq!(
        (parts[1].0, parts[1].1, parts[1].2),
        (37_000.0, PriceUnit::IopsHour, 7e-6)
    );
    assert!(near(parts[1].3, 189.07));
    // MB/s: 200 - 125 free = 75; 75 x 0.000055 x 730 = 0.004125 x 730 = 3.01125
    assert_eq!(
        (parts[2].0, parts[2].1, parts[2].2),
        (75.0, PriceUnit::MbpsHour, 5.5e-5)
    );
    assert!(near(parts[2].3, 3.01125));
    assert_eq!(parts.len(), 3);
    // 41.1136 + 189.07 + 3.01125 = 233.19485
    assert_amount(&bill.total(), 233.19485);
}

#[test]
fn premium_ssd_v2_within_its_free_part_costs_its_capacity() {
    let bill = bill(
        &eastus(),
        &provisioned(Family::PremiumSsdV2, 100, 3000, 125),
    );
    assert_eq!(bill.lines.len(), 1);
    // 100 x 0.00011 x 730 = 8.03
    assert_amount(&bill.total(), 8.03);
}

#[test]
fn ultra_of_the_documentation() {
    // 3 TiB = 3,072 GiB, 100,000 IOPS, 2,000 MB/s, nothing free. Unit prices of eastus: 0.000164 a GiB-hour,
    // 0.000068 an IOPS-hour, 0.000479 a MB/s-hour.
    let bill = bill(&eastus(), &provisioned(Family::Ultra, 3072, 100_000, 2000));
    let amounts: Vec<f64> = bill
        .lines
        .iter()
        .map(|line| line.per_month.amount)
        .collect();
    // 3,072 x 0.000164 x 730 = 0.503808 x 730 = 367.77984
    assert!(near(amounts[0], 367.77984));
    // 100,000 x 0.000068 x 730 = 6.8 x 730 = 4,964
    assert!(near(amounts[1], 4964.0));
    // 2,000 x 0.000479 x 730 = 0.958 x 730 = 699.34
    assert!(near(amounts[2], 699.34));
    // 367.77984 + 4,964 + 699.34 = 6,031.11984
    assert_amount(&bill.total(), 6031.11984);
}

#[test]
fn ultra_reservation_costs_each_vcpu() {
    // 8 vCPUs x 0.006 x 730 = 35.04
    assert_amount(&eastus().ultra_reservation_bill(8).total(), 35.04);
}

#[test]
fn a_premium_disk_costs_its_tier() {
    let book = eastus();
    let p30 = premium(1024);
    assert_amount(&bill(&book, &p30).total(), 135.17);
    let zrs = DiskRequest {
        redundancy: Redundancy::Zrs,
        ..p30.clone()
    };
    assert_amount(&bill(&book, &zrs).total(), 202.73);
    // the size rounds up: 513 GiB is a P30 too
    assert_amount(&bill(&book, &premium(513)).total(), 135.17);
    // a performance tier is what is billed: the P50 of a disk of P30's size costs a P50
    let raised = DiskRequest {
        performance_tier: Some("P50".to_owned()),
        ..p30.clone()
    };
    assert_amount(&bill(&book, &raised).total(), 495.5657);
    // performance plus has no meter
    let plus = DiskRequest {
        performance_plus: true,
        ..p30
    };
    assert_amount(&bill(&book, &plus).total(), 135.17);
}

#[test]
fn a_standard_disk_costs_its_tier_and_transactions() {
    let mut book = eastus();
    let e30: TierName = "E30".parse().unwrap();
    let disk = BilledDisk::tiered(e30, Redundancy::Lrs);
    // 100 a second for 8 hours on 20 days: 360,000 an hour x 160 hours = 57,600,000
    let used = DiskUse {
        transactions: Some(Transactions {
            per_hour: 360_000.0,
            hours: 160.0,
        }),
        ..DiskUse::default()
    };
    let without_use = book.disk_bill(&disk, &DiskUse::default()).total();
    assert!(near(without_use.known.amount, 76.8));
    assert_eq!(
        without_use.to_string(),
        "at least 76.80 USD (not counted: E30 LRS transactions: billed by use, price unknown)"
    );
    let without_price = book.disk_bill(&disk, &used).total();
    assert_eq!(
        without_price.to_string(),
        "at least 76.80 USD (not counted: E30 LRS transactions: price unknown)"
    );
    // the price list carries it for the smallest tier: 57,600,000 / 10,000 x 0.002 = 11.52; with 76.80 it is 88.32
    book.set_disk(
        DiskMeter::Tier {
            tier: "E4".parse().unwrap(),
            redundancy: Redundancy::Lrs,
            part: TierPart::Transactions,
        },
        0.002,
    );
    assert_amount(&book.disk_bill(&disk, &used).total(), 88.32);
}

#[test]
fn a_shared_disk_costs_its_mounts_apart() {
    let mut book = eastus();
    let request = DiskRequest {
        max_shares: 3,
        ..premium(1024)
    };
    let catalog = Catalog::embedded();
    let model = catalog.disk(&request).unwrap().model;
    let disk = BilledDisk::of(catalog, &request, &model);
    let on = |mounts| DiskUse {
        mounts,
        ..DiskUse::default()
    };
    assert_eq!(
        book.disk_bill(&disk, &on(None)).total().to_string(),
        "at least 135.17 USD (not counted: P30 LRS mount: billed by use, price unknown)"
    );
    assert_eq!(
        book.disk_bill(&disk, &on(Some(2))).total().to_string(),
        "at least 135.17 USD (not counted: P30 LRS mount: price unknown)"
    );
    book.set_disk(
        DiskMeter::Tier {
            tier: "P30".parse().unwrap(),
            redundancy: Redundancy::Lrs,
            part: TierPart::Mount,
        },
        6.5,
    );
    // 135.17 + 2 x 6.50 = 148.17
    assert_amount(&book.disk_bill(&disk, &on(Some(2))).total(), 148.17);
}

/// eastus with made-up fees for on-demand bursting: 20.00 a month, 0.005 for 10,000 transactions.
fn with_burst_fees() -> PriceBook {
    let mut book = eastus();
    let lrs = Redundancy::Lrs;
    for (part, price) in [
        (BurstPart::Enablement, 20.0),
        (BurstPart::Transactions, 0.005),
    ] {
        book.set_disk(
            DiskMeter::Burst {
                redundancy: lrs,
                part,
            },
            price,
        );
    }
    book
}

#[test]
fn on_demand_bursting_costs_enablement_and_transactions() {
    let request = DiskRequest {
        on_demand_burst: true,
        ..premium(1024)
    };
    let catalog = Catalog::embedded();
    let model = catalog.disk(&request).unwrap().model;
    let disk = BilledDisk::of(catalog, &request, &model);
    // the published example: 130,000 burst transactions are 13 units of 10,000
    let used = DiskUse {
        burst_transactions: Some(130_000.0),
        ..DiskUse::default()
    };
    let bill = with_burst_fees().disk_bill(&disk, &used);
    assert_eq!(bill.lines[2].quantity, 13.0);
    // 135.17 + 20.00 + 13 x 0.005 = 155.235
    assert_amount(&bill.total(), 155.235);
    // the embedded prices know neither fee
    let unknown = eastus().disk_bill(&disk, &used).total();
    assert_eq!(unknown.missing.len(), 2);
    assert!(near(unknown.known.amount, 135.17));
}

#[test]
fn bursting_that_a_disk_cannot_have_is_not_billed() {
    // 512 GiB: always bursts from credits, whatever is asked
    let request = DiskRequest {
        on_demand_burst: true,
        ..premium(512)
    };
    let catalog = Catalog::embedded();
    let model = catalog.disk(&request).unwrap().model;
    let disk = BilledDisk::of(catalog, &request, &model);
    assert!(!disk.on_demand_burst);
}

#[test]
fn local_disks_cost_nothing_and_a_custom_volume_is_unknown() {
    let book = eastus();
    for (family, complete) in [
        (Family::Temp, true),
        (Family::LocalNvme, true),
        (Family::Custom, false),
    ] {
        let disk = BilledDisk {
            family,
            ..BilledDisk::tiered("P1".parse().unwrap(), Redundancy::Lrs)
        };
        let total = book.disk_bill(&disk, &DiskUse::default()).total();
        assert_eq!(total.known.amount, 0.0);
        assert_eq!(total.is_complete(), complete, "{family}");
    }
}

#[test]
fn a_vm_costs_its_hours() {
    let book = eastus();
    let month = |size, offer| book.vm_bill(size, offer).unwrap().total();
    // Standard_D2s_v3 in eastus: 0.096 Linux, 0.188 Windows, 0.018816 Linux spot an hour; x 730
    assert_amount(&month("D2s_v3", VmOffer::Linux), 70.08);
    assert_amount(&month("D2s_v3", VmOffer::Windows), 137.24);
    assert_amount(&month("D2s_v3", VmOffer::SpotLinux), 13.73568);
    let reserved = month("Standard_D2s_v3", VmOffer::Reserved1Year);
    assert_eq!(
        reserved.to_string(),
        "at least 0.00 USD (not counted: Standard_D2s_v3 reserved for one year: price unknown)"
    );
    assert!(book.vm_bill("Standard_Nothing_v1", VmOffer::Linux).is_err());
    // another region, another price: 0.12 in westeurope
    let west = embedded(&Region::new("West Europe")).unwrap();
    assert_amount(
        &west.vm_bill("D2s_v3", VmOffer::Linux).unwrap().total(),
        87.6,
    );
}

#[test]
fn zone_redundant_v2_has_no_price() {
    let mut disk = BilledDisk::provisioned(
        Family::PremiumSsdV2,
        GiB::whole(100),
        Iops::whole(3000),
        MBps::whole(125),
    );
    disk.redundancy = Redundancy::Zrs;
    let total = eastus().disk_bill(&disk, &DiskUse::default()).total();
    assert_eq!(total.missing.len(), 1);
    assert_eq!(total.complete(), None);
}

#[test]
fn totals_add_up_and_keep_what_they_miss() {
    let book = eastus();
    let disk = bill(&book, &premium(1024)).total();
    let vm = book.vm_bill("D2s_v3", VmOffer::Linux).unwrap().total();
    // 2 x 135.17 + 70.08 = 340.42
    let both = disk.times(2.0).plus(&vm).unwrap();
    assert_amount(&both, 340.42);
    // a month's 340.42 for 3,200 effective IOPS is 0.10638125 each
    assert!(near(both.per(3200.0).unwrap().amount, 0.106_381_25));
    assert_eq!(both.per(0.0), None);
}

fn beyond(iops: u32, mbps: u32) -> Limits {
    Limits::whole(iops, mbps)
}

fn unusable(request: &DiskRequest, beyond: Limits) -> Total {
    let catalog = Catalog::embedded();
    let model = catalog.disk(request).unwrap().model;
    eastus().unusable(catalog, request, &model, beyond)
}

#[test]
fn unusable_settings_cost_their_rate() {
    let v2 = provisioned(Family::PremiumSsdV2, 512, 40_000, 200);
    // 10,000 x 0.000007 x 730 = 51.1; 50 x 0.000055 x 730 = 2.0075
    assert_amount(&unusable(&v2, beyond(10_000, 50)), 53.1075);
    // no more than is billed: of 40,000 IOPS 37,000, of 200 MB/s 75: 189.07 + 3.01125
    assert_amount(&unusable(&v2, beyond(39_000, 190)), 192.08125);
    assert_amount(&unusable(&v2, Limits::UNKNOWN), 0.0);
    // 6,000 IOPS and 250 MB/s of which 2,000 and 50 are lost: 2,000 x 0.000007 x 730 + 2.0075 = 12.2275
    let double = provisioned(Family::PremiumSsdV2, 130, 6000, 250);
    assert_amount(&unusable(&double, beyond(2000, 50)), 12.2275);
    let ultra = provisioned(Family::Ultra, 3072, 100_000, 2000);
    // 50,000 x 0.000068 x 730 = 2,482; 1,000 x 0.000479 x 730 = 349.67
    assert_amount(&unusable(&ultra, beyond(50_000, 1000)), 2831.67);
}

#[test]
fn unusable_tiers_cost_the_difference_to_the_cheapest_that_delivers() {
    let raised = DiskRequest {
        performance_tier: Some("P50".to_owned()),
        ..premium(1024)
    };
    // P50 gives 7,500 IOPS and 250 MB/s; of 5,000 and 200 a P30 is enough: 495.5657 - 135.17 = 360.3957
    assert_amount(&unusable(&raised, beyond(2500, 50)), 360.3957);
    // 6,000 IOPS need a P40, which gives as much as the P50: 495.5657 - 259.0457 = 236.52
    assert_amount(&unusable(&raised, beyond(1500, 0)), 236.52);
    // a P50 by its size has no lower tier, however little of it is used
    assert_amount(&unusable(&premium(4096), beyond(7000, 240)), 0.0);
    let e30 = DiskRequest {
        size: Some(GiB::whole(1024)),
        ..DiskRequest::new(Family::StandardSsd)
    };
    assert_amount(&unusable(&e30, beyond(300, 60)), 0.0);
}

fn need(iops: u32, mbps: u32, size: u32) -> Need {
    Need {
        size: GiB::whole(size),
        iops: Iops::whole(iops),
        block_size: None,
        mbps: MBps::whole(mbps),
        redundancy: Redundancy::Lrs,
        max_shares: 1,
        hours: None,
        most_disks: 4,
    }
}

fn found(all: &[Alternative], way: Way) -> &Alternative {
    all.iter().find(|one| one.way == way).unwrap()
}

#[test]
fn ways_to_7500_iops_and_250_mbps_on_a_tib() {
    let catalog = Catalog::embedded();
    let all = alternatives(catalog, &eastus(), &need(7500, 250, 1024));
    let cost = |way| &found(&all, way).layout.as_ref().unwrap().cost;
    // v2: 1,024 x 0.00011 x 730 = 82.2272; 4,500 x 0.000007 x 730 = 22.995; 125 x 0.000055 x 730 = 5.01875
    assert_amount(cost(Way::PremiumSsdV2), 110.24095);
    // four v2 of 256 GiB have 12,000 IOPS and 500 MB/s for nothing: 1,024 x 0.00011 x 730
    assert_amount(cost(Way::StripeV2), 82.2272);
    // a P30 with performance plus gives 8,000 IOPS and 300 MB/s
    assert_amount(cost(Way::PerformancePlus), 135.17);
    // a P40 gives 7,500 IOPS and 250 MB/s, as a tier or as the performance tier of a P30
    assert_amount(cost(Way::Tier), 259.0457);
    assert_amount(cost(Way::PerformanceTier), 259.0457);
    // two P30 of 512 GiB would be P20; 2 x 513 GiB or more: 2 x 135.17. Three or four P20 give 6,900 or 9,200
    // IOPS; four cost 292.88
    assert_amount(cost(Way::Stripe), 270.34);
    // Ultra: 1,024 x 0.000164 x 730 = 122.59328; 7,500 x 0.000068 x 730 = 372.3; 250 x 0.000479 x 730 = 87.4175
    assert_amount(cost(Way::Ultra), 582.31078);
    // on-demand bursting: the fees are not in the embedded prices
    assert_eq!(cost(Way::OnDemandBurst).missing.len(), 2);
    let order: Vec<Way> = all.iter().map(|one| one.way).collect();
    assert_eq!(
        order,
        [
            Way::StripeV2,
            Way::PremiumSsdV2,
            Way::PerformancePlus,
            Way::Tier,
            Way::PerformanceTier,
            Way::Stripe,
            Way::Ultra,
            Way::OnDemandBurst,
        ]
    );
    assert_eq!(
        found(&all, Way::PerformancePlus).reason,
        "P30 perfplus of 1,024 GiB: 8,000 IOPS, 300 MB/s"
    );
}

#[test]
fn more_disks_may_make_a_cheaper_stripe() {
    let wide = Need {
        most_disks: 8,
        ..need(7500, 250, 1024)
    };
    let all = alternatives(Catalog::embedded(), &eastus(), &wide);
    let layout = found(&all, Way::Stripe).layout.as_ref().unwrap();
    // seven disks of 147 GiB are P15: 7 x 1,100 = 7,700 IOPS; 7 x 38.012142 = 266.084994
    assert_eq!((layout.disks, layout.model.label.as_str()), (7, "P15"));
    assert_amount(&layout.cost, 266.084_994);
}

#[test]
fn needs_beyond_a_family_say_so() {
    let all = alternatives(Catalog::embedded(), &eastus(), &need(100_000, 3000, 1024));
    for way in [
        Way::Tier,
        Way::PerformanceTier,
        Way::PerformancePlus,
        Way::OnDemandBurst,
        Way::Stripe,
        Way::PremiumSsdV2,
    ] {
        assert!(found(&all, way).layout.is_none(), "{way}");
    }
    assert_eq!(
        found(&all, Way::PremiumSsdV2).reason,
        "no Premium SSD v2 of 1,024 GiB gives 100,000 IOPS and 3,000 MB/s"
    );
    // 3,000 MB/s need 12,000 IOPS at least: the 100,000 are enough
    let ultra = found(&all, Way::Ultra).layout.as_ref().unwrap();
    assert_eq!(ultra.request.iops, Some(Iops::whole(100_000)));
    // four v2 of 25,000 IOPS and 750 MB/s: 88,000 x 0.000007 x 730 = 449.68; 2,500 x 0.000055 x 730 = 100.375; 82.2272
    assert_eq!(all[0].way, Way::StripeV2);
    assert_amount(&all[0].layout.as_ref().unwrap().cost, 632.2822);
    assert_eq!(all[1].way, Way::Ultra);
}

#[test]
fn settings_follow_from_each_other() {
    // 1,000 MB/s need 4,000 IOPS of a v2, and those 8 GiB
    let all = alternatives(Catalog::embedded(), &eastus(), &need(100, 1000, 2));
    let v2 = &found(&all, Way::PremiumSsdV2)
        .layout
        .as_ref()
        .unwrap()
        .request;
    assert_eq!(
        (v2.size, v2.iops),
        (Some(GiB::whole(8)), Some(Iops::whole(4000)))
    );
}

#[test]
fn zone_redundancy_leaves_the_provisioned_families_out() {
    let zrs = Need {
        redundancy: Redundancy::Zrs,
        ..need(5000, 200, 1024)
    };
    let all = alternatives(Catalog::embedded(), &eastus(), &zrs);
    assert_amount(
        &found(&all, Way::Tier).layout.as_ref().unwrap().cost,
        202.73,
    );
    assert_eq!(
        found(&all, Way::Ultra).reason,
        "Ultra Disk is offered with LRS only"
    );
}

#[test]
fn bursting_pays_up_to_a_number_of_hours() {
    let book = with_burst_fees();
    let catalog = Catalog::embedded();
    let request = DiskRequest {
        on_demand_burst: true,
        ..premium(1024)
    };
    let disk = BilledDisk::of(catalog, &request, &catalog.disk(&request).unwrap().model);
    let p30 = (Iops::whole(5000), MBps::whole(200));
    let peak = (Iops::whole(7500), MBps::whole(250));
    let p40 = Money::new(259.0457, Currency::USD);
    // 259.0457 - 135.17 - 20 = 103.8757 are left for transactions; an hour makes
    // 2,500 x 3,600 = 9,000,000 of them: 900 x 0.005 = 4.50; 103.8757 / 4.5 = 23.083488...
    let hours = on_demand_break_even_hours(&book, &disk, p30, peak, p40).unwrap();
    assert!((hours - 103.8757 / 4.5).abs() < 1e-9, "{hours}");
    assert_eq!(
        on_demand_break_even_hours(&eastus(), &disk, p30, peak, p40),
        None
    );
    assert_eq!(
        on_demand_break_even_hours(&book, &disk, p30, p30, p40),
        None
    );

    // the same in the list: 20 hours a month are below it, so bursting is cheaper than the P40
    let some = Need {
        hours: Some(20.0),
        ..need(7500, 250, 1024)
    };
    let all = alternatives(catalog, &book, &some);
    // 135.17 + 20 + 20 x 4.50 = 245.17
    assert_amount(
        &found(&all, Way::OnDemandBurst)
            .layout
            .as_ref()
            .unwrap()
            .cost,
        245.17,
    );
}

#[test]
fn a_book_without_prices_says_what_it_misses() {
    let book = PriceBook::new(BookInfo {
        region: Region::new("nowhere"),
        currency: "EUR".parse().unwrap(),
        vm_prices_of: None,
        disk_prices_of: None,
        source: PriceSource::Refreshed,
    });
    assert!(book.is_empty());
    let total = bill(&book, &provisioned(Family::Ultra, 100, 1000, 10)).total();
    let missing: Vec<String> = total.missing.into_iter().map(|one| one.what).collect();
    assert_eq!(
        missing,
        [
            "Ultra Disk LRS capacity",
            "Ultra Disk LRS IOPS",
            "Ultra Disk LRS MB/s"
        ]
    );
    assert_eq!(total.known, Money::zero("EUR".parse().unwrap()));
}
