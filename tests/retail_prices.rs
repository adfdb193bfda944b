//! Retail price lists: what each kind of item becomes, and which of several prices holds. All numbers are made up.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use diskcap::azure::retail::{Collector, Item, Page, Skipped, Tally, Target, classify};
use diskcap::catalog::price::{
    BurstPart, Currency, DiskMeter, PriceBook, ProvisionedPart, Region, TierPart, VmOffer,
};
use diskcap::catalog::{Family, Redundancy};
use jiff::civil::Date;
use proptest::prelude::*;
use serde_json::{Value, json};

const DAY: Date = Date::constant(2026, 9, 1);

/// An item as the API lists it, with `fields` in place of the usual ones.
fn item(fields: Value) -> Item {
    let mut item = json!({
        "currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": 1.0, "unitPrice": 1.0,
        "armRegionName": "eastus", "location": "US East", "effectiveStartDate": "2020-01-01T00:00:00Z",
        "meterId": "00000000-0000-0000-0000-000000000000", "meterName": "", "productId": "X", "skuId": "X/1",
        "productName": "", "skuName": "", "serviceName": "Storage", "serviceId": "X", "serviceFamily": "Storage",
        "unitOfMeasure": "1/Month", "type": "Consumption", "isPrimaryMeterRegion": true, "armSkuName": ""
    });
    for (key, value) in fields.as_object().unwrap() {
        item[key] = value.clone();
    }
    serde_json::from_value(item).unwrap()
}

fn disk(product: &str, sku: &str, meter: &str, unit: &str, price: f64) -> Value {
    json!({"productName": product, "skuName": sku, "meterName": meter, "unitOfMeasure": unit, "retailPrice": price})
}

fn vm(product: &str, sku: &str, arm: &str, price: f64) -> Value {
    json!({"serviceName": "Virtual Machines", "productName": product, "skuName": sku, "meterName": sku,
           "armSkuName": arm, "unitOfMeasure": "1 Hour", "retailPrice": price})
}

fn with(mut fields: Value, key: &str, value: impl Into<Value>) -> Value {
    fields[key] = value.into();
    fields
}

fn tier(name: &str, redundancy: Redundancy, part: TierPart) -> DiskMeter {
    DiskMeter::Tier {
        tier: name.parse().unwrap(),
        redundancy,
        part,
    }
}

const LRS: Redundancy = Redundancy::Lrs;
const ZRS: Redundancy = Redundancy::Zrs;
const PREMIUM: &str = "Premium SSD Managed Disks";

#[track_caller]
fn assert_disk(fields: Value, meter: DiskMeter, price: f64) {
    let (target, found) = classify(&item(fields)).unwrap();
    assert_eq!(target, Target::Disk(meter));
    assert!(
        (found - price).abs() < 1e-12 * price,
        "{found} is not {price}"
    );
}

#[track_caller]
fn assert_vm(fields: Value, size: &str, offer: VmOffer, price: f64) {
    let (target, found) = classify(&item(fields)).unwrap();
    let size = size.to_owned();
    assert_eq!(target, Target::Vm { size, offer });
    assert!(
        (found - price).abs() < 1e-12 * price,
        "{found} is not {price}"
    );
}

#[track_caller]
fn assert_skipped(fields: Value, reason: Skipped) {
    assert_eq!(classify(&item(fields)), Err(reason));
}

#[test]
fn disk_mount_and_operations_share_a_sku_and_are_told_apart() {
    let of = |meter, unit, price| disk(PREMIUM, "P10 LRS", meter, unit, price);
    assert_disk(
        of("P10 LRS Disk", "1/Month", 17.5),
        tier("P10", LRS, TierPart::Disk),
        17.5,
    );
    assert_disk(
        of("P10 LRS Disk Mount", "1/Month", 1.25),
        tier("P10", LRS, TierPart::Mount),
        1.25,
    );
    let standard = "Standard SSD Managed Disks";
    assert_disk(
        disk(standard, "E10 ZRS", "E10 ZRS Disk Operations", "10K", 0.003),
        tier("E10", ZRS, TierPart::Transactions),
        0.003,
    );
    assert_disk(
        disk(
            "Standard HDD Managed Disks",
            "S4 LRS",
            "S4 LRS Disk Operations",
            "10K",
            0.0007,
        ),
        tier("S4", LRS, TierPart::Transactions),
        0.0007,
    );
}

#[test]
fn the_arm_name_of_a_disk_does_not_matter() {
    for arm in [
        "Premium_SSD_Managed_Disk_P10",
        "Premium_SSD_Managed_Disks_P10",
        "",
    ] {
        let fields = disk(PREMIUM, "P10 ZRS", "P10 ZRS Disk", "1/Month", 30.0);
        assert_disk(
            with(fields, "armSkuName", arm),
            tier("P10", ZRS, TierPart::Disk),
            30.0,
        );
    }
}

#[test]
fn blanks_and_case_do_not_matter() {
    let fields = disk(
        " Premium SSD managed disks ",
        "P10 LRS ",
        "P10 LRS Disk ",
        "1/Month ",
        17.5,
    );
    let fields = with(fields, "serviceName", "storage");
    assert_disk(fields, tier("P10", LRS, TierPart::Disk), 17.5);
    let fields = vm(
        "Virtual Machines DSv3 Series Windows ",
        "D2s v3 ",
        " Standard_D2s_v3",
        0.2,
    );
    assert_vm(fields, "Standard_D2s_v3", VmOffer::Windows, 0.2);
}

#[test]
fn older_names_of_disks_are_understood() {
    assert_disk(
        disk(PREMIUM, "P10", "P10 Disks", "1/Month", 17.5),
        tier("P10", LRS, TierPart::Disk),
        17.5,
    );
    assert_disk(
        disk(PREMIUM, "P10 ZRS", "P10 Disks", "1/Month", 26.0),
        tier("P10", ZRS, TierPart::Disk),
        26.0,
    );
}

#[test]
fn other_meters_of_disk_products_are_left() {
    for (sku, meter) in [
        ("P60 - Special LRS", "P60 - Special LRS Disk"),
        ("Snapshots LRS", "LRS Snapshots"),
        ("P10 LRS", "P10 ZRS Disk"),
        ("P10 LRS", "P10 LRS Disk Operations"),
        ("E10 LRS", "E10 LRS Disk"),
        ("P10 LRS", ""),
    ] {
        assert_skipped(
            disk(PREMIUM, sku, meter, "1/Month", 5.0),
            Skipped::OtherMeter,
        );
    }
    let v2 = "Azure Premium SSD v2";
    for sku in [
        "Confidential Compute Encryption LRS",
        "Instant Access Snapshots LRS",
    ] {
        assert_skipped(disk(v2, sku, sku, "1 GiB/Hour", 0.1), Skipped::OtherMeter);
    }
}

#[test]
fn unmanaged_disks_have_the_same_meters_under_another_product() {
    let fields = disk("Premium Page Blob", "P4 LRS", "P4 LRS Disk", "1/Month", 5.0);
    assert_skipped(fields, Skipped::OtherProduct);
}

fn part(family: Family, part: ProvisionedPart) -> DiskMeter {
    DiskMeter::Provisioned {
        family,
        redundancy: LRS,
        part,
    }
}

#[test]
fn premium_lrs_of_v2_is_v2() {
    let of = |meter, unit, price| disk("Azure Premium SSD v2", "Premium LRS", meter, unit, price);
    let v2 = |which| part(Family::PremiumSsdV2, which);
    assert_disk(
        of("Premium LRS Provisioned Capacity", "1 GiB/Hour", 0.0002),
        v2(ProvisionedPart::Capacity),
        0.0002,
    );
    assert_disk(
        of("Premium LRS Provisioned IOPS", "1/Hour", 6e-6),
        v2(ProvisionedPart::Iops),
        6e-6,
    );
    assert_disk(
        of("Premium LRS Provisioned Throughput (MBps)", "1/Hour", 5e-5),
        v2(ProvisionedPart::Mbps),
        5e-5,
    );
    // v2 has no reservation of vCPUs
    let fields = of(
        "Premium LRS Reservation per vCPU Provisioned",
        "1/Hour",
        0.01,
    );
    assert_skipped(fields, Skipped::OtherMeter);
}

#[test]
fn ultra_has_four_parts_and_small_numbers() {
    let text = r#"[
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS","meterName":"Ultra LRS Provisioned IOPS",
         "unitOfMeasure":"1/Hour","type":"Consumption","retailPrice":7.7E-05,"armRegionName":"eastus","currencyCode":"USD"},
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS","meterName":"Ultra LRS Provisioned Capacity",
         "unitOfMeasure":"1 GiB/Hour","type":"Consumption","retailPrice":0.00021,"armRegionName":"eastus","currencyCode":"USD"},
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS",
         "meterName":"Ultra LRS Provisioned Throughput (MBps)",
         "unitOfMeasure":"1/Hour","type":"Consumption","retailPrice":0.0005,"armRegionName":"eastus","currencyCode":"USD"},
        {"serviceName":"Storage","productName":"Ultra Disks","skuName":"Ultra LRS",
         "meterName":"Ultra LRS Reservation per vCPU Provisioned",
         "unitOfMeasure":"1/Hour","type":"Consumption","retailPrice":0.007,"armRegionName":"eastus","currencyCode":"USD"}
    ]"#;
    let (books, tally) = collect_text(text);
    let book = &books[&Region::new("eastus")];
    let of = |which| book.disk(part(Family::Ultra, which)).unwrap().price.amount;
    assert_eq!(of(ProvisionedPart::Iops), 7.7e-5);
    assert_eq!(of(ProvisionedPart::Capacity), 2.1e-4);
    assert_eq!(of(ProvisionedPart::Mbps), 5e-4);
    assert_eq!(of(ProvisionedPart::VcpuReservation), 0.007);
    assert_eq!((tally.used, tally.skipped.len()), (4, 0));
}

#[test]
fn on_demand_bursting_has_two_meters() {
    let burst = |part| DiskMeter::Burst {
        redundancy: LRS,
        part,
    };
    assert_disk(
        disk(
            PREMIUM,
            "Burst Enablement LRS",
            "LRS Burst Enablement",
            "1/Month",
            22.0,
        ),
        burst(BurstPart::Enablement),
        22.0,
    );
    assert_disk(
        disk(
            PREMIUM,
            "Burst Transactions LRS",
            "LRS Burst Transactions",
            "10K",
            0.004,
        ),
        burst(BurstPart::Transactions),
        0.004,
    );
}

#[test]
fn units_are_converted_or_refused() {
    // a price an hour of what is billed by the month: x 730
    assert_disk(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Hour", 0.02),
        tier("P10", LRS, TierPart::Disk),
        14.6,
    );
    // a price for a million transactions: / 100
    let standard = "Standard SSD Managed Disks";
    assert_disk(
        disk(standard, "E10 LRS", "E10 LRS Disk Operations", "1M", 0.3),
        tier("E10", LRS, TierPart::Transactions),
        0.003,
    );
    // a price a GiB-month of what is billed by the hour: / 730
    assert_disk(
        disk(
            "Azure Premium SSD v2",
            "Premium LRS",
            "Premium LRS Provisioned Capacity",
            "1 GiB/Month",
            0.073,
        ),
        part(Family::PremiumSsdV2, ProvisionedPart::Capacity),
        0.0001,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Day", 0.5),
        Skipped::OtherUnit,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1 GB/Month", 0.5),
        Skipped::OtherUnit,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "10K", 0.5),
        Skipped::OtherUnit,
    );
    assert_skipped(
        disk(
            standard,
            "E10 LRS",
            "E10 LRS Disk Operations",
            "1/Month",
            0.5,
        ),
        Skipped::OtherUnit,
    );
    let fields = with(
        vm(
            "Virtual Machines Dv9 Series",
            "D2 v9",
            "Standard_D2_v9",
            0.1,
        ),
        "unitOfMeasure",
        "1 GB",
    );
    assert_skipped(fields, Skipped::OtherUnit);
}

#[test]
fn vm_rows_are_told_apart() {
    let linux = "Virtual Machines Dv9 Series";
    let windows = "Virtual Machines Dv9 Series Windows";
    let arm = "Standard_D2s_v9";
    assert_vm(vm(linux, "D2s v9", arm, 0.1), arm, VmOffer::Linux, 0.1);
    assert_vm(
        vm("Virtual Machines Dv9-series Linux", "D2s v9", arm, 0.1),
        arm,
        VmOffer::Linux,
        0.1,
    );
    assert_vm(vm(windows, "D2s v9", arm, 0.2), arm, VmOffer::Windows, 0.2);
    assert_vm(
        vm(linux, "D2s v9 Spot", arm, 0.03),
        arm,
        VmOffer::SpotLinux,
        0.03,
    );
    assert_vm(
        vm(windows, "Standard_D2s_v9 Spot", arm, 0.06),
        arm,
        VmOffer::SpotWindows,
        0.06,
    );
    assert_vm(
        vm(linux, "A2", "Basic_A2", 0.05),
        "Basic_A2",
        VmOffer::Linux,
        0.05,
    );
    assert_skipped(
        vm(linux, "D2s v9 Low Priority", arm, 0.02),
        Skipped::LowPriority,
    );
    assert_skipped(
        with(
            vm(linux, "D2s v9", arm, 0.02),
            "meterName",
            "D2s v9 Low Priority",
        ),
        Skipped::LowPriority,
    );
    assert_skipped(
        with(vm(linux, "D2s v9", arm, 0.08), "type", "DevTestConsumption"),
        Skipped::DevTest,
    );
    assert_skipped(
        with(vm(linux, "D2s v9", arm, 0.08), "type", "Barter"),
        Skipped::OtherType,
    );
    assert_skipped(
        vm("Dsv9 Series DedicatedHost", "Dsv9 Type1", "Dsv9_Type1", 4.0),
        Skipped::OtherProduct,
    );
    assert_skipped(
        vm(
            "Dasv9 Series Dedicated Host",
            "Dasv9 Type1",
            "Dasv9_Type1",
            4.0,
        ),
        Skipped::OtherProduct,
    );
    assert_skipped(
        vm("Dv9 Series CloudServices", "D2s v9", arm, 0.1),
        Skipped::OtherProduct,
    );
    assert_skipped(
        vm("Dv9 Series Cloud Services", "D2s v9", arm, 0.1),
        Skipped::OtherProduct,
    );
    assert_skipped(vm(linux, "D2s v9 Expired", arm, 0.1), Skipped::Withdrawn);
    assert_skipped(vm(linux, "D2s v9", "", 0.1), Skipped::NoSize);
    assert_skipped(
        with(
            vm(linux, "D2s v9", arm, 0.1),
            "serviceName",
            "Virtual Machines Licenses",
        ),
        Skipped::OtherService,
    );
}

#[test]
fn a_reservation_carries_the_price_of_its_term() {
    let of = |term: &str, price: f64| {
        let fields = vm(
            "Virtual Machines Dv9 Series",
            "D2s v9",
            "Standard_D2s_v9",
            price,
        );
        with(with(fields, "type", "Reservation"), "reservationTerm", term)
    };
    // 438 for a year's 8,760 hours, 876 for the 26,280 of three
    assert_vm(
        of("1 Year", 438.0),
        "Standard_D2s_v9",
        VmOffer::Reserved1Year,
        0.05,
    );
    assert_vm(
        of("3 Years", 876.0),
        "Standard_D2s_v9",
        VmOffer::Reserved3Years,
        876.0 / 26_280.0,
    );
    assert_skipped(of("5 Years", 1000.0), Skipped::OtherTerm);
    assert_skipped(of("", 1000.0), Skipped::OtherTerm);
    let fields = disk(PREMIUM, "P30 LRS", "P30 LRS Disk", "1/Month", 1200.0);
    let fields = with(
        with(fields, "type", "Reservation"),
        "reservationTerm",
        "1 Year",
    );
    // 1,200 for twelve months
    assert_disk(fields, tier("P30", LRS, TierPart::Reserved1Year), 100.0);
}

#[test]
fn a_price_of_0_is_none() {
    assert_skipped(
        vm(
            "Virtual Machines Dv9 Series",
            "D2s v9",
            "Standard_D2s_v9",
            0.0,
        ),
        Skipped::Zero,
    );
    assert_skipped(
        disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Month", -1.0),
        Skipped::NoPrice,
    );
    let fields = disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Month", 1.0);
    let fields = with(
        with(fields, "retailPrice", Value::Null),
        "unitPrice",
        Value::Null,
    );
    assert_skipped(fields, Skipped::NoPrice);
}

fn collect(items: &[Value]) -> (BTreeMap<Region, PriceBook>, Tally) {
    let mut collector = Collector::new(Currency::USD, DAY);
    for fields in items {
        collector.add(&Ok(item(fields.clone())));
    }
    collector.finish()
}

fn collect_text(text: &str) -> (BTreeMap<Region, PriceBook>, Tally) {
    let mut collector = Collector::new(Currency::USD, DAY);
    for item in &Page::parse(text).unwrap().items {
        collector.add(item);
    }
    collector.finish()
}

fn p10(price: f64) -> Value {
    disk(PREMIUM, "P10 LRS", "P10 LRS Disk", "1/Month", price)
}

/// The price of a P10 among `items`, and how many items were used and skipped as superseded.
fn p10_among(items: &[Value]) -> (Option<f64>, usize, usize) {
    let (books, tally) = collect(items);
    let meter = tier("P10", LRS, TierPart::Disk);
    let book = books.get(&Region::new("eastus"));
    let price = book
        .and_then(|book| book.disk(meter))
        .map(|price| price.price.amount);
    (
        price,
        tally.used,
        tally
            .skipped
            .get(&Skipped::Superseded)
            .copied()
            .unwrap_or(0),
    )
}

#[test]
fn free_parts_do_not_hide_the_price_above_them() {
    let row = |meter: &str, minimum: f64, price: f64| {
        let fields = disk(
            "Azure Premium SSD v2",
            "Premium LRS",
            meter,
            "1/Hour",
            price,
        );
        with(fields, "tierMinimumUnits", minimum)
    };
    let (iops, mbps) = (
        "Premium LRS Provisioned IOPS",
        "Premium LRS Provisioned Throughput (MBps)",
    );
    let global = with(row(iops, 0.0, 0.0), "armRegionName", "Global");
    let rows = [
        row(iops, 0.0, 0.0),
        row(iops, 3000.0, 6e-6),
        row(mbps, 125.0, 5e-5),
        row(mbps, 0.0, 0.0),
        global,
    ];
    let (books, tally) = collect(&rows);
    let book = &books[&Region::new("eastus")];
    let of = |which| {
        book.disk(part(Family::PremiumSsdV2, which))
            .unwrap()
            .price
            .amount
    };
    assert_eq!(of(ProvisionedPart::Iops), 6e-6);
    assert_eq!(of(ProvisionedPart::Mbps), 5e-5);
    assert_eq!(tally.skipped, BTreeMap::from([(Skipped::Zero, 3)]));
    assert_eq!(books.len(), 1);
}

#[test]
fn of_tiered_prices_the_first_holds() {
    let row = |minimum: f64, price: f64| with(p10(price), "tierMinimumUnits", minimum);
    assert_eq!(
        p10_among(&[row(100.0, 15.0), row(0.0, 17.5), row(1000.0, 12.0)]),
        (Some(17.5), 1, 2)
    );
}

#[test]
fn the_newest_price_that_holds_wins() {
    let from = |start: &str, price: f64| with(p10(price), "effectiveStartDate", start);
    let old = from("2020-01-01T00:00:00Z", 10.0);
    let new = from("2026-08-01T00:00:00Z", 12.0);
    let later = from("2026-10-01T00:00:00Z", 14.0);
    for order in [
        [&old, &new, &later],
        [&later, &new, &old],
        [&new, &later, &old],
    ] {
        assert_eq!(p10_among(&order.map(Clone::clone)), (Some(12.0), 1, 1));
    }
    let (_, tally) = collect(&[later]);
    assert_eq!(tally.skipped, BTreeMap::from([(Skipped::NotYet, 1)]));
}

#[test]
fn a_price_that_ended_gives_way_but_is_better_than_none() {
    let ended = with(
        with(p10(10.0), "effectiveStartDate", "2026-06-01T00:00:00Z"),
        "effectiveEndDate",
        "2026-08-31T23:59:00Z",
    );
    assert_eq!(p10_among(&[ended.clone(), p10(12.0)]), (Some(12.0), 1, 1));
    assert_eq!(p10_among(std::slice::from_ref(&ended)), (Some(10.0), 1, 0));
    assert_eq!(collect(&[ended]).1.ended, 1);
    // ends on the day itself: still holds
    let last_day = with(p10(10.0), "effectiveEndDate", "2026-09-01T23:59:00Z");
    assert_eq!(collect(&[last_day]).1.ended, 0);
    // ends before it begins: never held
    let void = with(
        with(p10(0.01), "effectiveStartDate", "2025-09-01T00:00:00Z"),
        "effectiveEndDate",
        "2025-08-31T23:59:00Z",
    );
    assert_eq!(p10_among(&[void.clone(), p10(12.0)]), (Some(12.0), 1, 0));
    assert_eq!(
        collect(&[void]).1.skipped,
        BTreeMap::from([(Skipped::Void, 1)])
    );
}

#[test]
fn bills_use_the_primary_meter() {
    let other = with(
        with(p10(11.0), "isPrimaryMeterRegion", false),
        "effectiveStartDate",
        "2026-08-01T00:00:00Z",
    );
    assert_eq!(p10_among(&[other.clone(), p10(12.0)]), (Some(12.0), 1, 1));
    assert_eq!(p10_among(&[p10(12.0), other.clone()]), (Some(12.0), 1, 1));
    // where there is no other, the one there is
    assert_eq!(p10_among(&[other]), (Some(11.0), 1, 0));
}

#[test]
fn regions_and_currencies_are_kept_apart() {
    let west = with(p10(20.0), "armRegionName", "westeurope");
    let euro = with(p10(18.0), "currencyCode", "EUR");
    let rows = [
        p10(17.5),
        west,
        euro,
        with(p10(1.0), "armRegionName", "Zone 1"),
        with(p10(1.0), "armRegionName", ""),
    ];
    let (books, tally) = collect(&rows);
    let price = |region: &str| {
        books[&Region::new(region)]
            .disk(tier("P10", LRS, TierPart::Disk))
            .unwrap()
            .price
            .amount
    };
    assert_eq!(
        (books.len(), price("eastus"), price("westeurope")),
        (2, 17.5, 20.0)
    );
    assert_eq!(
        tally.skipped,
        BTreeMap::from([(Skipped::OtherCurrency, 1), (Skipped::NoRegion, 2)])
    );
    assert_eq!(tally.items(), rows.len());

    let mut only = Collector::new(Currency::USD, DAY).only(Region::new("West Europe"));
    rows.iter()
        .for_each(|fields| only.add(&Ok(item(fields.clone()))));
    let (books, tally) = only.finish();
    assert_eq!(
        books.keys().map(Region::as_str).collect::<Vec<_>>(),
        ["westeurope"]
    );
    assert_eq!(tally.skipped[&Skipped::OtherRegion], 2);
}

#[test]
fn a_count_that_disagrees_and_an_odd_item_change_nothing() {
    let text = format!(
        r#"{{"BillingCurrency":"USD","Items":[{},{{"retailPrice":"free"}},null],"NextPageLink":null,"Count":100}}"#,
        json!({"serviceName":"Storage","productName":PREMIUM,"skuName":"P10 LRS","meterName":"P10 LRS Disk",
               "unitOfMeasure":"1/Month","type":"Consumption","retailPrice":17.5,"armRegionName":"eastus","currencyCode":"USD"})
    );
    let (books, tally) = collect_text(&text);
    assert_eq!(books.len(), 1);
    assert_eq!(tally.skipped, BTreeMap::from([(Skipped::Malformed, 2)]));
    assert!(
        tally
            .first_malformed
            .unwrap()
            .contains("invalid type: string \"free\"")
    );
    assert_eq!(
        books[&Region::new("eastus")].info().disk_prices_of,
        Some(DAY)
    );
    assert_eq!(books[&Region::new("eastus")].info().vm_prices_of, None);
}

/// A field of an item: words that occur, in odd company, or anything at all.
fn field() -> impl Strategy<Value = Option<String>> {
    let word = prop::sample::select(vec![
        "Storage",
        "Virtual Machines",
        PREMIUM,
        "Azure Premium SSD v2",
        "Ultra Disks",
        "P10",
        "P0",
        "E10",
        "LRS",
        "ZRS",
        "Disk",
        "Mount",
        "Operations",
        "Premium",
        "Ultra",
        "Provisioned",
        "IOPS",
        "Capacity",
        "Burst",
        "Enablement",
        "1",
        "10K",
        "1/Month",
        "1 GiB/Hour",
        "/",
        "0 Hour",
        "Consumption",
        "Reservation",
        "1 Year",
        "Standard_D2s_v9",
        "Standard_",
        "Windows",
        "Spot",
        "eastus",
        "USD",
        "2026-13-45T",
        "é",
    ]);
    let words = prop::collection::vec(word, 0..5).prop_map(|words| words.join(" "));
    prop::option::of(prop_oneof![4 => words, 1 => any::<String>()])
}

proptest! {
    #[test]
    fn any_item_is_a_price_above_0_or_skipped(
        fields in prop::array::uniform12(field()),
        numbers in prop::array::uniform3(prop::option::of(any::<f64>())),
        primary in any::<Option<bool>>(),
    ) {
        let [currency, region, start, end, meter, product, sku, service, unit, kind, arm, term] = fields;
        let item = Item {
            currency_code: currency,
            tier_minimum_units: numbers[0],
            retail_price: numbers[1],
            unit_price: numbers[2],
            arm_region_name: region,
            effective_start_date: start,
            effective_end_date: end,
            meter_name: meter,
            product_name: product,
            sku_name: sku,
            service_name: service,
            unit_of_measure: unit,
            kind,
            is_primary_meter_region: primary,
            arm_sku_name: arm,
            reservation_term: term,
        };
        if let Ok((_, price)) = classify(&item) {
            prop_assert!(price > 0.0 && price.is_finite());
        }
        let mut collector = Collector::new(Currency::USD, DAY);
        collector.add(&Ok(item));
        prop_assert_eq!(collector.finish().1.items(), 1);
    }

    #[test]
    fn any_text_is_a_page_or_an_error(text in any::<String>()) {
        let _ = Page::parse(&text);
    }
}

/// Over recorded answers, where there are some: every item is used or skipped for a named reason, and the current
/// prices of VMs are near those of the embedded snapshot.
#[test]
fn recorded_answers_are_understood() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/prices");
    let Ok(files) = std::fs::read_dir(folder) else {
        return;
    };
    for path in files.map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let page = Page::parse(&text).unwrap();
        let (books, tally) = collect_text(&text);
        assert_eq!(tally.items(), page.items.len(), "{}", path.display());
        for reason in [
            Skipped::Malformed,
            Skipped::OtherUnit,
            Skipped::OtherMeter,
            Skipped::NoPrice,
            Skipped::OtherType,
        ] {
            assert_eq!(
                tally.skipped.get(&reason),
                None,
                "{}: {reason}",
                path.display()
            );
        }
        for (region, book) in books {
            let Ok(snapshot) = diskcap::catalog::price::embedded(&region) else {
                continue;
            };
            for (meter, price) in book.disks() {
                let Some(known) = snapshot.disk(meter) else {
                    continue;
                };
                let ratio = price / known.price.amount;
                assert!(
                    (0.5..2.0).contains(&ratio),
                    "{region} {meter}: {price}, {}",
                    known.price
                );
            }
        }
    }
}
