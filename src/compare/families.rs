//! The disks that a need calls for, one of each family.

use super::disks::{Chosen, DiskNeed, Unmet};
use crate::catalog::azure::caching::LARGEST_CACHED;
use crate::catalog::price::{BookInfo, Currency, Need, PriceBook, PriceSource, Region, cheapest};
use crate::catalog::{Axis, Catalog, DiskRequest, Family, Redundancy};
use crate::deployment::DiskSpec;
use crate::units::{GiB, Iops, MBps};

/// The families that a cloud sells as disks of their own, in the order they are shown.
const SOLD: [Family; 5] = [
    Family::PremiumSsd,
    Family::PremiumSsdV2,
    Family::Ultra,
    Family::StandardSsd,
    Family::StandardHdd,
];

/// What each family has for `need`: the disk, or why there is none.
pub(super) fn answers(
    catalog: &Catalog,
    book: Option<&PriceBook>,
    need: &DiskNeed,
) -> Vec<Result<(DiskSpec, Chosen), Unmet>> {
    SOLD.into_iter()
        .map(|family| {
            let found = if need.iops.is_none() && need.mbps.is_none() {
                at_capacity(catalog, family, need.capacity).map(|spec| (spec, Chosen::Capacity))
            } else {
                reaching(catalog, book, family, need)
            };
            found.ok_or_else(|| Unmet {
                family,
                reason: reason(catalog, family, need),
            })
        })
        .collect()
}

/// The plain disk of that capacity, in whole GiB and no less than the family has: its tier; or with the performance that
/// is included, else the least.
fn at_capacity(catalog: &Catalog, family: Family, capacity: Option<GiB>) -> Option<DiskSpec> {
    let rules = family.provisioned_rules();
    let least = rules.filter(|rules| rules.included.is_none());
    let smallest = rules.map_or(1.0, |rules| rules.min_size.get());
    let whole = |asked: GiB| GiB::new(asked.get().ceil().max(smallest)).ok();
    let request = DiskRequest {
        size: capacity.and_then(whole),
        iops: least.map(|rules| rules.min_iops),
        mbps: least.map(|rules| rules.min_mbps),
        ..DiskRequest::new(family)
    };
    let resolved = catalog.disk(&request).ok()?;
    resolved
        .violations
        .is_empty()
        .then(|| DiskSpec::new(request))
}

/// The cheapest layout that reaches the need.
fn reaching(
    catalog: &Catalog,
    book: Option<&PriceBook>,
    family: Family,
    need: &DiskNeed,
) -> Option<(DiskSpec, Chosen)> {
    let unpriced;
    let book = match book {
        Some(book) => book,
        None => {
            unpriced = without_prices();
            &unpriced
        }
    };
    let wanted = Need {
        size: need.capacity.unwrap_or(GiB::ZERO),
        iops: need.iops_to_carry().unwrap_or(Iops::ZERO),
        block_size: Some(need.block_size()),
        mbps: need.mbps.unwrap_or(MBps::ZERO),
        redundancy: Redundancy::Lrs,
        max_shares: 1,
        hours: None,
        most_disks: need.max_stripe,
    };
    let layout = cheapest(catalog, book, family, &wanted)?;
    let chosen = if layout.cost.is_priced() {
        Chosen::Cheapest
    } else {
        Chosen::Smallest
    };
    let asked = wanted.size.get() / f64::from(layout.disks.max(1));
    let request = by_tier(catalog, layout.request, asked);
    let spec = DiskSpec {
        count: layout.disks,
        ..DiskSpec::new(request)
    };
    Some((spec, chosen))
}

/// A tier that was taken for its speed is paid for whole: its request names the tier, not the least size of it; the
/// largest size that can be cached, where the whole cannot.
fn by_tier(catalog: &Catalog, request: DiskRequest, asked: f64) -> DiskRequest {
    let larger = request.performance_tier.is_none()
        && request.size.is_some_and(|size| size.get() > asked.ceil());
    let tier = request
        .size
        .filter(|_| larger)
        .and_then(|size| catalog.tiers().for_size(request.family, size));
    let Some(tier) = tier else { return request };
    let can_be_cached = request.size.is_some_and(|size| size <= LARGEST_CACHED);
    if can_be_cached && GiB::whole(tier.max_gib) > LARGEST_CACHED {
        return DiskRequest {
            size: Some(LARGEST_CACHED),
            ..request
        };
    }
    DiskRequest {
        tier: Some(tier.name.clone()),
        size: None,
        ..request
    }
}

/// A book in which nothing has a price.
fn without_prices() -> PriceBook {
    PriceBook::new(BookInfo {
        region: Region::default_region(),
        currency: Currency::USD,
        vm_prices_of: None,
        disk_prices_of: None,
        source: PriceSource::Embedded,
    })
}

/// Why a family does not meet the need: what it has at most.
fn reason(catalog: &Catalog, family: Family, need: &DiskNeed) -> String {
    let largest = catalog.largest(family).unwrap_or(GiB::ZERO);
    let across = match need.max_stripe {
        0 | 1 => "one disk".to_owned(),
        many => format!("{many} disks"),
    };
    let disks = f64::from(need.max_stripe.max(1));
    let room = largest.get() * disks;
    if let Some(capacity) = need.capacity.filter(|asked| asked.get() > room) {
        return format!("{capacity} do not fit on {across}: the largest is {largest}");
    }
    let most = catalog.most(family, largest).times(disks);
    let figure = |axis, unit: &str| {
        most.on(axis)
            .map(|v| format!("{} {unit}", crate::units::grouped(v, 0)))
    };
    let figures: Vec<String> = [figure(Axis::Iops, "IOPS"), figure(Axis::Mbps, "MB/s")]
        .into_iter()
        .flatten()
        .collect();
    format!("at most {} on {across}", figures.join(" and "))
}
