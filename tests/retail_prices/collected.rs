//! Many items make the books of regions.

use std::collections::BTreeMap;

use diskcap::azure::retail::{Collector, Item, Page, Skipped, classify};
use diskcap::catalog::Family;
use diskcap::catalog::price::{Currency, ProvisionedPart, Region, TierPart};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixtures::{DAY, LRS, PREMIUM, collect, collect_text, disk, item, part, tier, with};

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
