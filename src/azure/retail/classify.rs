//! What an item of the price list is the price of.
//!
//! Names decide, not the SKU: the disk, its mounts and its operations share one `skuName`, and `armSkuName` is spelt in
//! two ways for Premium SSD and empty for the other families.

use std::fmt;

use super::item::Item;
use super::unit::{Period, Unit};
use crate::catalog::price::{
    BurstPart, DiskMeter, HOURS_PER_MONTH, HOURS_PER_YEAR, PriceUnit, ProvisionedPart, TierName,
    TierPart, VmOffer,
};
use crate::catalog::{Family, Redundancy};

/// What a price belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// A VM size, bought in some way; the price is for an hour.
    Vm {
        /// The size, as the price list spells it.
        size: String,
        /// How it is bought.
        offer: VmOffer,
    },
    /// A meter of a disk; the price is for the meter's unit.
    Disk(DiskMeter),
}

/// Why an item is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skipped {
    /// It is not of the form of an item.
    Malformed,
    /// Another service than virtual machines or storage.
    OtherService,
    /// A product that is neither a VM nor a managed disk (page blobs, cloud services, dedicated hosts, …).
    OtherProduct,
    /// A meter of a managed disk's product that no disk is billed by (snapshots, special disks, encryption, …).
    OtherMeter,
    /// A price of no single region (`Global`, `Zone 1`).
    NoRegion,
    /// A price of another region than the one asked for.
    OtherRegion,
    /// A price in another currency than the one asked for.
    OtherCurrency,
    /// A price for subscriptions for development and test.
    DevTest,
    /// A type of price that is not known.
    OtherType,
    /// The low-priority price that Batch uses.
    LowPriority,
    /// A size or meter that is no longer sold.
    Withdrawn,
    /// A reservation for another term than one or three years.
    OtherTerm,
    /// A VM price without the name of a size.
    NoSize,
    /// A unit of measure that the meter is not priced in.
    OtherUnit,
    /// A price of 0: a free part, or a size that is not sold yet. Never the price of something.
    Zero,
    /// No price, or one that is no number above 0.
    NoPrice,
    /// A price that begins after the day asked for.
    NotYet,
    /// A price that ends before it begins.
    Void,
    /// Another item is the current price of the same meter.
    Superseded,
}

impl Skipped {
    /// The reason in words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Malformed => "not of the form of an item",
            Self::OtherService => "another service",
            Self::OtherProduct => "neither a VM nor a managed disk",
            Self::OtherMeter => "a meter that no disk is billed by",
            Self::NoRegion => "a price of no single region",
            Self::OtherRegion => "another region",
            Self::OtherCurrency => "another currency",
            Self::DevTest => "a development and test price",
            Self::OtherType => "an unknown type of price",
            Self::LowPriority => "a low-priority price",
            Self::Withdrawn => "no longer sold",
            Self::OtherTerm => "a reservation for another term than one or three years",
            Self::NoSize => "a VM price without a size",
            Self::OtherUnit => "an unexpected unit of measure",
            Self::Zero => "a price of 0",
            Self::NoPrice => "no price",
            Self::NotYet => "a price that begins later",
            Self::Void => "a price that ends before it begins",
            Self::Superseded => "not the current price of its meter",
        }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}

/// The type of a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Consumption,
    Reservation,
}

/// What `item` is the price of, and the price in the target's own unit.
///
/// Region, currency, dates and tiers are not looked at here: [`super::Collector`] decides between items.
///
/// # Errors
/// [`Skipped`] when it is not a price of a VM or of a managed disk, or no price at all.
pub fn classify(item: &Item) -> Result<(Target, f64), Skipped> {
    let service = Item::text(&item.service_name);
    let is_vm = service.eq_ignore_ascii_case("Virtual Machines");
    if !is_vm && !service.eq_ignore_ascii_case("Storage") {
        return Err(Skipped::OtherService);
    }
    let kind = kind(item)?;
    let (target, term_hours) = if is_vm {
        vm(item, kind)?
    } else {
        (Target::Disk(disk(item, kind)?), HOURS_PER_YEAR)
    };
    let price = positive(item)?;
    let per_unit = match kind {
        // A reservation's price is that of the whole term, whatever its unit says.
        Kind::Reservation => match &target {
            Target::Vm { .. } => price / term_hours,
            Target::Disk(_) => price / (term_hours / HOURS_PER_MONTH),
        },
        Kind::Consumption => {
            let unit = Unit::parse(Item::text(&item.unit_of_measure)).ok_or(Skipped::OtherUnit)?;
            convert(price, unit, &target)?
        }
    };
    // a conversion may leave what a number can hold
    if per_unit.is_finite() && per_unit > 0.0 {
        Ok((target, per_unit))
    } else {
        Err(Skipped::NoPrice)
    }
}

fn kind(item: &Item) -> Result<Kind, Skipped> {
    match Item::text(&item.kind).to_ascii_lowercase().as_str() {
        "consumption" => Ok(Kind::Consumption),
        "reservation" => Ok(Kind::Reservation),
        "devtestconsumption" => Err(Skipped::DevTest),
        _ => Err(Skipped::OtherType),
    }
}

fn positive(item: &Item) -> Result<f64, Skipped> {
    match item.retail_price.or(item.unit_price) {
        Some(0.0) => Err(Skipped::Zero),
        Some(price) if price > 0.0 && price.is_finite() => Ok(price),
        _ => Err(Skipped::NoPrice),
    }
}

/// The hours of a reservation's term.
fn term_hours(item: &Item) -> Result<f64, Skipped> {
    match Item::text(&item.reservation_term)
        .to_ascii_lowercase()
        .as_str()
    {
        "1 year" => Ok(HOURS_PER_YEAR),
        "3 years" => Ok(3.0 * HOURS_PER_YEAR),
        _ => Err(Skipped::OtherTerm),
    }
}

/// The offer of a VM item, and for a reservation the hours of its term.
fn vm(item: &Item, kind: Kind) -> Result<(Target, f64), Skipped> {
    let product = Item::text(&item.product_name).to_ascii_lowercase();
    let compact: String = product.split_whitespace().collect();
    if compact.contains("cloudservices") || compact.contains("dedicatedhost") {
        return Err(Skipped::OtherProduct);
    }
    let names =
        [&item.sku_name, &item.meter_name].map(|name| Item::text(name).to_ascii_lowercase());
    let names_have = |word: &str| names.iter().any(|name| name.contains(word));
    if names_have("low priority") {
        return Err(Skipped::LowPriority);
    }
    if names_have("expired") || product.contains("expired") {
        return Err(Skipped::Withdrawn);
    }
    let size = Item::text(&item.arm_sku_name);
    let lower = size.to_ascii_lowercase();
    if !(lower.starts_with("standard_") || lower.starts_with("basic_")) {
        return Err(Skipped::NoSize);
    }
    let windows = product.split_whitespace().any(|word| word == "windows");
    let spot = names_have("spot");
    let hours = match kind {
        Kind::Consumption => 1.0,
        Kind::Reservation => term_hours(item)?,
    };
    let offer = match (kind, spot, windows) {
        (Kind::Reservation, _, true) => return Err(Skipped::OtherProduct),
        (Kind::Reservation, _, false) if hours > HOURS_PER_YEAR => VmOffer::Reserved3Years,
        (Kind::Reservation, _, false) => VmOffer::Reserved1Year,
        (Kind::Consumption, true, false) => VmOffer::SpotLinux,
        (Kind::Consumption, true, true) => VmOffer::SpotWindows,
        (Kind::Consumption, false, false) => VmOffer::Linux,
        (Kind::Consumption, false, true) => VmOffer::Windows,
    };
    let size = size.to_owned();
    Ok((Target::Vm { size, offer }, hours))
}

/// The disk meter that an item is the price of.
fn disk(item: &Item, kind: Kind) -> Result<DiskMeter, Skipped> {
    let product = Item::text(&item.product_name).to_ascii_lowercase();
    let family = match product.as_str() {
        "premium ssd managed disks" => Family::PremiumSsd,
        "standard ssd managed disks" => Family::StandardSsd,
        "standard hdd managed disks" => Family::StandardHdd,
        "azure premium ssd v2" => Family::PremiumSsdV2,
        "ultra disks" => Family::Ultra,
        _ => return Err(Skipped::OtherProduct),
    };
    let meter = Item::text(&item.meter_name).to_ascii_lowercase();
    let sku = Item::text(&item.sku_name).to_ascii_lowercase();
    let (words, redundancy) = split_redundancy(&meter, &sku).ok_or(Skipped::OtherMeter)?;
    let meter = match family {
        Family::PremiumSsdV2 => provisioned(family, redundancy, &words, "premium"),
        Family::Ultra => provisioned(family, redundancy, &words, "ultra"),
        _ => tiered(family, redundancy, &words),
    }
    .ok_or(Skipped::OtherMeter)?;
    match (kind, meter) {
        (Kind::Consumption, meter) => Ok(meter),
        (
            Kind::Reservation,
            DiskMeter::Tier {
                tier,
                redundancy,
                part: TierPart::Disk,
            },
        ) => {
            match Item::text(&item.reservation_term)
                .to_ascii_lowercase()
                .as_str()
            {
                "1 year" => Ok(DiskMeter::Tier {
                    tier,
                    redundancy,
                    part: TierPart::Reserved1Year,
                }),
                _ => Err(Skipped::OtherTerm),
            }
        }
        (Kind::Reservation, _) => Err(Skipped::OtherMeter),
    }
}

/// The words of a meter's name without the redundancy, and the redundancy: of the meter's name, else of the SKU's
/// (older names such as `P10 Disks` carry it there only, or not at all, when it is LRS). `None` where the two differ.
fn split_redundancy(meter: &str, sku: &str) -> Option<(Vec<String>, Redundancy)> {
    let find = |name: &str| {
        name.split_whitespace().find_map(|word| match word {
            "lrs" => Some(Redundancy::Lrs),
            "zrs" => Some(Redundancy::Zrs),
            _ => None,
        })
    };
    let redundancy = match (find(meter), find(sku)) {
        (Some(meter), Some(sku)) if meter != sku => return None,
        (Some(one), _) | (None, Some(one)) => one,
        (None, None) => Redundancy::Lrs,
    };
    let words = meter
        .split_whitespace()
        .filter(|word| !matches!(*word, "lrs" | "zrs"))
        .map(str::to_owned)
        .collect();
    Some((words, redundancy))
}

/// `p10 disk`, `p10 disk mount`, `e10 disk operations`, `burst enablement`: exactly these words, so that
/// `p60 - special disk` is none.
fn tiered(family: Family, redundancy: Redundancy, words: &[String]) -> Option<DiskMeter> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let burst =
        |part| (family == Family::PremiumSsd).then_some(DiskMeter::Burst { redundancy, part });
    let (tier, part) = match words.as_slice() {
        ["burst", "enablement"] => return burst(BurstPart::Enablement),
        ["burst", "transactions"] => return burst(BurstPart::Transactions),
        [tier, "disk" | "disks"] => (tier, TierPart::Disk),
        [tier, "disk", "mount" | "mounts"] => (tier, TierPart::Mount),
        [tier, "disk", "operations"] => (tier, TierPart::Transactions),
        _ => return None,
    };
    let tier: TierName = tier.parse().ok()?;
    let billed =
        tier.family == family && (part != TierPart::Transactions || family != Family::PremiumSsd);
    billed.then_some(DiskMeter::Tier {
        tier,
        redundancy,
        part,
    })
}

/// `premium provisioned iops`, `ultra provisioned throughput (mbps)`, `ultra reservation per vcpu provisioned`.
fn provisioned(
    family: Family,
    redundancy: Redundancy,
    words: &[String],
    head: &str,
) -> Option<DiskMeter> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (first, rest) = words.split_first()?;
    if *first != head {
        return None;
    }
    let part = match rest {
        ["provisioned", "capacity"] => ProvisionedPart::Capacity,
        ["provisioned", "iops"] => ProvisionedPart::Iops,
        ["provisioned", "throughput"] | ["provisioned", "throughput", "(mbps)"] => {
            ProvisionedPart::Mbps
        }
        ["reservation", "per", "vcpu", "provisioned"] if family == Family::Ultra => {
            ProvisionedPart::VcpuReservation
        }
        _ => return None,
    };
    Some(DiskMeter::Provisioned {
        family,
        redundancy,
        part,
    })
}

/// The price in the target's own unit, from the unit of measure that it is listed in.
fn convert(price: f64, listed: Unit, target: &Target) -> Result<f64, Skipped> {
    let wanted = match target {
        Target::Vm { .. } => PriceUnit::Hour,
        Target::Disk(meter) => meter.unit(),
    };
    let price = price / listed.count;
    if listed.gib != (wanted == PriceUnit::GibHour) {
        return Err(Skipped::OtherUnit);
    }
    match (wanted, listed.period) {
        (PriceUnit::TenThousand, None) => Ok(price * 1e4),
        (PriceUnit::TenThousand, Some(_)) | (_, None) => Err(Skipped::OtherUnit),
        (PriceUnit::Month, Some(Period::Month)) => Ok(price),
        (PriceUnit::Month, Some(Period::Hour)) => Ok(price * HOURS_PER_MONTH),
        (_, Some(Period::Hour)) => Ok(price),
        (_, Some(Period::Month)) => Ok(price / HOURS_PER_MONTH),
    }
}
