//! A price book: what one region charges in one currency.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::PriceError;
use super::meter::{DiskMeter, PriceUnit, TierName, TierPart};
use super::money::{Currency, Money};
use super::region::Region;
use crate::catalog::{Family, Redundancy};

/// Where the prices of a book come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PriceSource {
    /// The snapshot inside the program.
    Embedded,
    /// A copy that the user fetched later.
    Refreshed,
}

/// What a book is about and how old it is: a report that shows money shows this.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BookInfo {
    /// The region.
    pub region: Region,
    /// The currency of every price in it.
    pub currency: Currency,
    /// The day of the VM prices; `None` where the book has none.
    #[schemars(with = "Option<String>")]
    pub vm_prices_of: Option<Date>,
    /// The day of the disk prices; `None` where the book has none.
    #[schemars(with = "Option<String>")]
    pub disk_prices_of: Option<Date>,
    /// Where the prices come from.
    pub source: PriceSource,
}

impl BookInfo {
    /// The age in whole days of the oldest prices in the book on the day `today`; `None` for an empty book,
    /// 0 where the prices are of a later day.
    #[must_use]
    pub fn age_days(&self, today: Date) -> Option<u32> {
        let oldest = self
            .vm_prices_of
            .into_iter()
            .chain(self.disk_prices_of)
            .min()?;
        let days = today.since(oldest).map(|span| span.get_days()).unwrap_or(0);
        Some(u32::try_from(days).unwrap_or(0))
    }
}

impl fmt::Display for BookInfo {
    /// `retail prices in USD, eastus: VMs of 2026-08-01, disks of 2026-07-12 (embedded)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = |date: Option<Date>| {
            date.map_or_else(|| "unknown".to_owned(), |day| format!("of {day}"))
        };
        let source = match self.source {
            PriceSource::Embedded => "embedded",
            PriceSource::Refreshed => "refreshed",
        };
        write!(
            f,
            "retail prices in {}, {}: VMs {}, disks {} ({source})",
            self.currency,
            self.region,
            date(self.vm_prices_of),
            date(self.disk_prices_of),
        )
    }
}

/// How a VM is bought.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum VmOffer {
    /// Pay as you go, without a Windows licence.
    #[default]
    Linux,
    /// Pay as you go, with a Windows licence.
    Windows,
    /// Spot, without a Windows licence.
    SpotLinux,
    /// Spot, with a Windows licence.
    SpotWindows,
    /// Reserved for one year; the compute only, a Windows licence comes on top.
    Reserved1Year,
    /// Reserved for three years; the compute only, a Windows licence comes on top.
    Reserved3Years,
}

impl VmOffer {
    /// Every offer.
    pub const ALL: [Self; 6] = [
        Self::Linux,
        Self::Windows,
        Self::SpotLinux,
        Self::SpotWindows,
        Self::Reserved1Year,
        Self::Reserved3Years,
    ];

    /// Whether the VM runs Windows.
    #[must_use]
    pub const fn is_windows(self) -> bool {
        matches!(self, Self::Windows | Self::SpotWindows)
    }

    /// The offer in words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Linux => "Linux",
            Self::Windows => "Windows",
            Self::SpotLinux => "Linux spot",
            Self::SpotWindows => "Windows spot",
            Self::Reserved1Year => "reserved for one year",
            Self::Reserved3Years => "reserved for three years",
        }
    }
}

/// The prices of one VM size, each for an hour, in the currency of its book. `None` means unknown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VmPrices {
    /// The size as the price list spells it, `Standard_D2s_v3`.
    pub size: String,
    /// Pay as you go, without a Windows licence.
    pub linux: Option<f64>,
    /// Pay as you go, with a Windows licence.
    pub windows: Option<f64>,
    /// Spot, without a Windows licence.
    pub spot_linux: Option<f64>,
    /// Spot, with a Windows licence.
    pub spot_windows: Option<f64>,
    /// One year's reservation, spread over its hours.
    pub reserved_1y: Option<f64>,
    /// Three years' reservation, spread over its hours.
    pub reserved_3y: Option<f64>,
}

impl VmPrices {
    /// The hour's price of `offer`.
    #[must_use]
    pub const fn per_hour(&self, offer: VmOffer) -> Option<f64> {
        match offer {
            VmOffer::Linux => self.linux,
            VmOffer::Windows => self.windows,
            VmOffer::SpotLinux => self.spot_linux,
            VmOffer::SpotWindows => self.spot_windows,
            VmOffer::Reserved1Year => self.reserved_1y,
            VmOffer::Reserved3Years => self.reserved_3y,
        }
    }

    /// Sets the hour's price of `offer`.
    pub const fn set(&mut self, offer: VmOffer, price: f64) {
        let place = match offer {
            VmOffer::Linux => &mut self.linux,
            VmOffer::Windows => &mut self.windows,
            VmOffer::SpotLinux => &mut self.spot_linux,
            VmOffer::SpotWindows => &mut self.spot_windows,
            VmOffer::Reserved1Year => &mut self.reserved_1y,
            VmOffer::Reserved3Years => &mut self.reserved_3y,
        };
        *place = Some(price);
    }
}

/// A price and the unit it is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitPrice {
    /// The price of one unit.
    pub price: Money,
    /// The unit.
    pub unit: PriceUnit,
}

/// The prices of one region in one currency. What is not in it is not known to be sold there.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceBook {
    info: BookInfo,
    vms: BTreeMap<String, VmPrices>,
    disks: HashMap<DiskMeter, f64>,
}

/// The form in which sizes are compared: lower case, without `Standard_`, blanks as `_`.
fn size_key(size: &str) -> String {
    const PREFIX: &str = "standard_";
    let key: String = size
        .trim()
        .chars()
        .map(|letter| {
            if letter == ' ' {
                '_'
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect();
    match key.strip_prefix(PREFIX) {
        Some(rest) => rest.to_owned(),
        None => key,
    }
}

impl PriceBook {
    /// A book without prices.
    #[must_use]
    pub fn new(info: BookInfo) -> Self {
        Self {
            info,
            vms: BTreeMap::new(),
            disks: HashMap::new(),
        }
    }

    /// What the book is about and how old it is.
    #[must_use]
    pub const fn info(&self) -> &BookInfo {
        &self.info
    }

    /// The currency of every price in it.
    #[must_use]
    pub const fn currency(&self) -> Currency {
        self.info.currency
    }

    /// Whether there is no price in it at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.vms.is_empty() && self.disks.is_empty()
    }

    /// Puts the prices of a size in, in place of those it had.
    pub fn insert_vm(&mut self, prices: VmPrices) {
        self.vms.insert(size_key(&prices.size), prices);
    }

    /// Sets the hour's price of one offer of a size.
    pub fn set_vm(&mut self, size: &str, offer: VmOffer, price: f64) {
        self.vms
            .entry(size_key(size))
            .or_insert_with(|| VmPrices {
                size: size.to_owned(),
                ..VmPrices::default()
            })
            .set(offer, price);
    }

    /// Sets the price of a disk meter, for the meter's own unit.
    pub fn set_disk(&mut self, meter: DiskMeter, price: f64) {
        self.disks.insert(meter, price);
    }

    /// Dates the prices that are in it.
    pub(crate) fn date_prices(&mut self, day: Date) {
        self.info.vm_prices_of = (!self.vms.is_empty()).then_some(day);
        self.info.disk_prices_of = (!self.disks.is_empty()).then_some(day);
    }

    /// The prices of a size, whose name is matched without regard to case, with or without `Standard_`.
    ///
    /// # Errors
    /// [`PriceError::SizeNotPriced`] when the region has no price for it.
    pub fn vm(&self, size: &str) -> Result<&VmPrices, PriceError> {
        self.vms
            .get(&size_key(size))
            .ok_or_else(|| PriceError::SizeNotPriced {
                size: size.to_owned(),
                region: self.info.region.clone(),
            })
    }

    /// The price of a disk meter; `None` where it is not known.
    #[must_use]
    pub fn disk(&self, meter: DiskMeter) -> Option<UnitPrice> {
        self.disks.get(&meter).map(|price| UnitPrice {
            price: Money::new(*price, self.info.currency),
            unit: meter.unit(),
        })
    }

    /// The tiers of a family that have a price with this redundancy, smallest first.
    #[must_use]
    pub fn tiers(&self, family: Family, redundancy: Redundancy) -> Vec<TierName> {
        let mut tiers: Vec<TierName> = self
            .disks
            .keys()
            .filter_map(|meter| match meter {
                DiskMeter::Tier {
                    tier,
                    redundancy: of,
                    part: TierPart::Disk,
                } if tier.family == family && *of == redundancy => Some(*tier),
                _ => None,
            })
            .collect();
        tiers.sort_unstable();
        tiers
    }

    /// All sizes with their prices, sorted by name.
    pub fn vms(&self) -> impl Iterator<Item = &VmPrices> {
        self.vms.values()
    }

    /// All disk meters with their prices, sorted by family, tier, part and redundancy.
    #[must_use]
    pub fn disks(&self) -> Vec<(DiskMeter, f64)> {
        let mut disks: Vec<(DiskMeter, f64)> = self
            .disks
            .iter()
            .map(|(meter, price)| (*meter, *price))
            .collect();
        disks.sort_unstable_by_key(|(meter, _)| meter.order());
        disks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> BookInfo {
        BookInfo {
            region: Region::new("East US"),
            currency: Currency::USD,
            vm_prices_of: Some(Date::constant(2026, 8, 1)),
            disk_prices_of: Some(Date::constant(2026, 7, 12)),
            source: PriceSource::Embedded,
        }
    }

    #[test]
    fn sizes_match_in_any_spelling() {
        let mut book = PriceBook::new(info());
        book.set_vm("Standard_E8-4ds_v5", VmOffer::Linux, 0.5);
        for name in [
            "standard_e8-4ds_v5",
            "E8-4ds_v5",
            "Standard_E8-4ds v5",
            " e8-4DS_V5 ",
        ] {
            assert_eq!(book.vm(name).unwrap().linux, Some(0.5), "{name}");
        }
        assert_eq!(
            book.vm("E8ds_v5").unwrap_err().to_string(),
            "E8ds_v5 has no price in eastus: it is not sold there, or not yet in these prices"
        );
    }

    #[test]
    fn age_counts_from_the_oldest_prices() {
        // 12 July to 11 August 2026: 19 days left of July and 11 of August.
        assert_eq!(info().age_days(Date::constant(2026, 8, 11)), Some(30));
        assert_eq!(info().age_days(Date::constant(2026, 7, 1)), Some(0));
        // 12 July 2026 to 12 July 2027: not a leap year.
        assert_eq!(info().age_days(Date::constant(2027, 7, 12)), Some(365));
        let empty = BookInfo {
            vm_prices_of: None,
            disk_prices_of: None,
            ..info()
        };
        assert_eq!(empty.age_days(Date::constant(2026, 8, 11)), None);
    }

    #[test]
    fn a_book_says_what_it_is() {
        assert_eq!(
            info().to_string(),
            "retail prices in USD, eastus: VMs of 2026-08-01, disks of 2026-07-12 (embedded)"
        );
    }

    #[test]
    fn tiers_come_smallest_first() {
        let mut book = PriceBook::new(info());
        for tier in ["P30", "P4", "P10", "E4"] {
            book.set_disk(DiskMeter::tier(tier.parse().unwrap(), Redundancy::Lrs), 1.0);
        }
        let names: Vec<String> = book
            .tiers(Family::PremiumSsd, Redundancy::Lrs)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, ["P4", "P10", "P30"]);
        assert!(book.tiers(Family::PremiumSsd, Redundancy::Zrs).is_empty());
    }
}
