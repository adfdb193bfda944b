//! The Azure Retail Prices API: its answers, and what in them is a price of a VM or of a disk.
//!
//! The API needs no account. A [`Page`] is the wire's shape, [`classify`] tells what an [`Item`] is the price of, and a
//! [`Collector`] decides which of several prices of a meter holds.

mod classify;
mod client;
mod collect;
mod item;
pub mod query;
mod unit;

pub use classify::{Skipped, Target, classify};
pub use client::{FetchedRegion, RetailClient, RetailError};
pub use collect::{Collector, Tally};
pub use item::{Item, Page, PageError};

/// The currencies that the API gives prices in. Source: Microsoft Learn, Azure Retail Prices REST API overview,
/// supported currencies.
pub const CURRENCIES: [&str; 17] = [
    "USD", "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "EUR", "GBP", "INR", "JPY", "KRW", "NOK",
    "NZD", "RUB", "SEK", "TWD",
];
