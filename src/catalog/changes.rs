//! What a refreshed catalogue changed against another one: figures of VM sizes and disk tiers, and what a region offers.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::azure::tiers::Tier;
use super::limits::{Axis, Limits};
use super::vm::{Interface, VmSize};
use super::{Catalog, Family, Redundancy};
use crate::units::{GiB, MBps};

/// A figure before or after.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Figure {
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// Words.
    Text(String),
}

/// A figure that changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SkuChange {
    /// The VM size, tier or kind of disk.
    pub what: String,
    /// What of it.
    pub figure: String,
    /// Before; `None` where it was unknown or there was none.
    pub from: Option<Figure>,
    /// After; `None` where it is unknown or there is none any more.
    pub to: Option<Figure>,
}

/// A figure with its name.
type Named = (&'static str, Option<Figure>);

/// What changed from `old` to `new`: VM sizes, then disk tiers, then what `region` offers.
#[must_use]
pub fn changes(old: &Catalog, new: &Catalog, region: &str) -> Vec<SkuChange> {
    let mut all = sizes(old, new);
    all.extend(tiers(old, new));
    all.extend(offers(old, new, region));
    all
}

fn compare(what: &str, old: &[Named], new: &[Named], all: &mut Vec<SkuChange>) {
    for ((figure, from), (_, to)) in old.iter().zip(new) {
        if from != to {
            all.push(SkuChange {
                what: what.to_owned(),
                figure: (*figure).to_owned(),
                from: from.clone(),
                to: to.clone(),
            });
        }
    }
}

fn sizes(old: &Catalog, new: &Catalog) -> Vec<SkuChange> {
    type Key<'a> = (&'a str, Option<Interface>);
    fn key(vm: &VmSize) -> Key<'_> {
        (vm.name.as_str(), vm.interface)
    }
    let before: HashMap<Key<'_>, &VmSize> = old.vms().iter().map(|vm| (key(vm), vm)).collect();
    let mut all = Vec::new();
    for vm in new.vms() {
        let name = match vm.interface {
            Some(interface) => format!("{} ({interface})", vm.name),
            None => vm.name.clone(),
        };
        match before.get(&key(vm)) {
            Some(old) => compare(&name, &of_size(old), &of_size(vm), &mut all),
            None => all.push(SkuChange {
                what: name,
                figure: "size".to_owned(),
                from: None,
                to: Some(Figure::Text("new".to_owned())),
            }),
        }
    }
    all
}

fn of_size(vm: &VmSize) -> Vec<Named> {
    let limits =
        |limits: Limits| [Axis::Iops, Axis::Mbps].map(|axis| limits.on(axis).map(Figure::Number));
    let gib = |size: Option<GiB>| size.map(|size| Figure::Number(size.get()));
    let flag = |flag: Option<bool>| flag.map(Figure::Flag);
    let count = |count: Option<u32>| count.map(|count| Figure::Number(f64::from(count)));
    let [uncached_iops, uncached_mbps] = limits(vm.uncached.base);
    let [cached_iops, cached_mbps] = limits(vm.cached.base);
    let nvme = vm.nvme.as_ref();
    vec![
        ("vCPUs", count(Some(vm.vcpus))),
        ("memory GiB", gib(vm.memory)),
        ("most data disks", count(vm.max_data_disks)),
        ("premium storage", flag(vm.premium_storage)),
        ("Ultra", flag(vm.ultra)),
        ("uncached IOPS", uncached_iops),
        ("uncached MB/s", uncached_mbps),
        ("cached IOPS", cached_iops),
        ("cached MB/s", cached_mbps),
        (
            "cached write MB/s",
            vm.cached_write_mbps.map(MBps::get).map(Figure::Number),
        ),
        ("cache GiB", gib(vm.cache_size)),
        ("temp disk GiB", gib(vm.temp.as_ref().map(|temp| temp.size))),
        ("local NVMe GiB", gib(nvme.and_then(|nvme| nvme.total))),
        ("local NVMe disks", count(nvme.and_then(|nvme| nvme.disks))),
        ("retired on", vm.retirement.clone().map(Figure::Text)),
    ]
}

fn tiers(old: &Catalog, new: &Catalog) -> Vec<SkuChange> {
    let mut all = Vec::new();
    for tier in new.tiers().all() {
        if let Ok(before) = old.tiers().named(tier.family, &tier.name) {
            compare(&tier.name, &of_tier(before), &of_tier(tier), &mut all);
        }
    }
    all
}

fn of_tier(tier: &Tier) -> Vec<Named> {
    let on = |limits: Option<Limits>, axis| {
        limits
            .and_then(|limits| limits.on(axis))
            .map(Figure::Number)
    };
    let credit = tier.credit_burst.map(|(limits, _)| limits);
    vec![
        ("IOPS", on(Some(tier.limits), Axis::Iops)),
        ("MB/s", on(Some(tier.limits), Axis::Mbps)),
        ("burst IOPS", on(credit, Axis::Iops)),
        ("burst MB/s", on(credit, Axis::Mbps)),
        ("on-demand IOPS", on(tier.on_demand, Axis::Iops)),
        ("on-demand MB/s", on(tier.on_demand, Axis::Mbps)),
        (
            "most shares",
            Some(Figure::Number(f64::from(tier.max_shares))),
        ),
    ]
}

/// What a region offers, in words: the zones, `without zones`, `no`.
fn offers(old: &Catalog, new: &Catalog, region: &str) -> Vec<SkuChange> {
    let shown = |catalog: &Catalog, family: Family, redundancy: Redundancy| {
        let zones = catalog.region_offers(region, family, redundancy);
        match (zones, catalog.offered(region, family, redundancy)) {
            (Some([]), _) => Some(Figure::Text("without zones".to_owned())),
            (Some(zones), _) => {
                let zones: Vec<String> = zones.iter().map(ToString::to_string).collect();
                Some(Figure::Text(format!("zones {}", zones.join(" "))))
            }
            (None, Some(false)) => Some(Figure::Text("no".to_owned())),
            (None, _) => None,
        }
    };
    let kinds = Family::arm_skus().filter_map(|sku| Some((sku, Family::from_arm_sku(sku)?)));
    let mut all = Vec::new();
    for (sku, (family, redundancy)) in kinds {
        let of = |catalog| [("offered", shown(catalog, family, redundancy))];
        compare(&format!("{sku} in {region}"), &of(old), &of(new), &mut all);
    }
    all
}
