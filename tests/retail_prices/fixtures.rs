//! Items as the price list writes them.

use std::collections::BTreeMap;

use diskcap::azure::retail::{Collector, Item, Page, Skipped, Tally, Target, classify};
use diskcap::catalog::price::{
    Currency, DiskMeter, PriceBook, ProvisionedPart, Region, TierPart, VmOffer,
};
use diskcap::catalog::{Family, Redundancy};
use jiff::civil::Date;
use serde_json::{Value, json};

pub const DAY: Date = Date::constant(2026, 9, 1);

/// An item as the API lists it, with `fields` in place of the usual ones.
pub fn item(fields: Value) -> Item {
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

pub fn disk(product: &str, sku: &str, meter: &str, unit: &str, price: f64) -> Value {
    json!({"productName": product, "skuName": sku, "meterName": meter, "unitOfMeasure": unit, "retailPrice": price})
}

pub fn vm(product: &str, sku: &str, arm: &str, price: f64) -> Value {
    json!({"serviceName": "Virtual Machines", "productName": product, "skuName": sku, "meterName": sku,
           "armSkuName": arm, "unitOfMeasure": "1 Hour", "retailPrice": price})
}

pub fn with(mut fields: Value, key: &str, value: impl Into<Value>) -> Value {
    fields[key] = value.into();
    fields
}

pub fn tier(name: &str, redundancy: Redundancy, part: TierPart) -> DiskMeter {
    DiskMeter::Tier {
        tier: name.parse().unwrap(),
        redundancy,
        part,
    }
}

pub const LRS: Redundancy = Redundancy::Lrs;

pub const ZRS: Redundancy = Redundancy::Zrs;

pub const PREMIUM: &str = "Premium SSD Managed Disks";

#[track_caller]
pub fn assert_disk(fields: Value, meter: DiskMeter, price: f64) {
    let (target, found) = classify(&item(fields)).unwrap();
    assert_eq!(target, Target::Disk(meter));
    assert!(
        (found - price).abs() < 1e-12 * price,
        "{found} is not {price}"
    );
}

#[track_caller]
pub fn assert_vm(fields: Value, size: &str, offer: VmOffer, price: f64) {
    let (target, found) = classify(&item(fields)).unwrap();
    let size = size.to_owned();
    assert_eq!(target, Target::Vm { size, offer });
    assert!(
        (found - price).abs() < 1e-12 * price,
        "{found} is not {price}"
    );
}

#[track_caller]
pub fn assert_skipped(fields: Value, reason: Skipped) {
    assert_eq!(classify(&item(fields)), Err(reason));
}

pub fn part(family: Family, part: ProvisionedPart) -> DiskMeter {
    DiskMeter::Provisioned {
        family,
        redundancy: LRS,
        part,
    }
}

pub fn collect_text(text: &str) -> (BTreeMap<Region, PriceBook>, Tally) {
    let mut collector = Collector::new(Currency::USD, DAY);
    for item in &Page::parse(text).unwrap().items {
        collector.add(item);
    }
    collector.finish()
}

pub fn collect(items: &[Value]) -> (BTreeMap<Region, PriceBook>, Tally) {
    let mut collector = Collector::new(Currency::USD, DAY);
    for fields in items {
        collector.add(&Ok(item(fields.clone())));
    }
    collector.finish()
}
