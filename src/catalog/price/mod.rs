//! Prices: what VMs and disks cost in a region, and the arithmetic of their bills.
//!
//! A [`PriceBook`] holds the prices of one region in one currency. The program embeds a snapshot ([`embedded`]), kept
//! packed until money is asked for; a refreshed copy takes its place where there is a newer one
//! ([`crate::catalog::refresh`]). An unknown price is `None`, and every [`Total`] says what it misses.
//!
//! ```
//! use diskcap::catalog::price::{BilledDisk, DiskUse, Region, embedded};
//! use diskcap::catalog::{Family, Redundancy};
//!
//! let book = embedded(&Region::new("East US"))?;
//! let disk = BilledDisk::tiered("P30".parse()?, Redundancy::Lrs);
//! let bill = book.disk_bill(&disk, &DiskUse::default());
//! assert_eq!(bill.total().to_string(), "135.17 USD");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alternatives;
mod bill;
mod book;
mod cheapest;
mod diff;
mod embedded;
mod meter;
mod money;
mod region;
pub(crate) mod rows;
pub mod transactions;
mod unusable;

pub use alternatives::{Alternative, Layout, Need, Way, alternatives, on_demand_break_even_hours};
pub use bill::{Bill, BillLine, BilledDisk, DiskUse, MissingPrice, Priced, WhyMissing};
pub use book::{BookInfo, PriceBook, PriceSource, UnitPrice, VmOffer, VmPrices};
pub use cheapest::cheapest;
pub use diff::{Change, PriceChange, diff};
pub use embedded::{EMBEDDED_CURRENCY, embedded, embedded_info, embedded_regions, regions_hint};
pub use meter::{BurstPart, DiskMeter, NotATier, PriceUnit, ProvisionedPart, TierName, TierPart};
pub use money::{Currency, Money, MoneyError, Total};
pub use region::{DEFAULT_REGION, Region};

use crate::catalog::DataError;

/// Hours of a billing month. Source: the Azure pricing calculator, which takes a month as 730 hours (8,760 / 12).
pub const HOURS_PER_MONTH: f64 = 730.0;

/// Hours of a year of a reservation: 365 days.
pub const HOURS_PER_YEAR: f64 = 8_760.0;

/// Why there are no prices.
#[derive(Debug, thiserror::Error)]
pub enum PriceError {
    /// No price data has this region.
    #[error("no prices of region '{region}'{}", embedded::regions_hint(.nearest))]
    UnknownRegion {
        /// The region as asked.
        region: Region,
        /// The nearest names.
        nearest: Vec<String>,
    },
    /// The region's prices are known in other currencies only.
    #[error(
        "no {currency} prices of {region}: the embedded prices are in {EMBEDDED_CURRENCY}; \
         `diskcap skus update --region {region} --currency {currency}` fetches them"
    )]
    OtherCurrency {
        /// The region.
        region: Region,
        /// The currency asked.
        currency: Currency,
    },
    /// The region has no price of a VM size.
    #[error("{size} has no price in {region}: it is not sold there, or not yet in these prices")]
    SizeNotPriced {
        /// The size as asked.
        size: String,
        /// The region.
        region: Region,
    },
    /// A price table is wrong.
    #[error("{0}")]
    Table(#[from] DataError),
    /// A price table cannot be written as text.
    #[error("prices cannot be written as text: {0}")]
    Text(String),
    /// The packed snapshot cannot be unpacked.
    #[error("the embedded prices cannot be unpacked")]
    Packed(#[source] std::io::Error),
}
