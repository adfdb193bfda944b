//! What changed between two price books.

use std::collections::BTreeMap;
use std::fmt;

use super::bill::Priced;
use super::book::{PriceBook, VmOffer};
use super::money::{Money, MoneyError};

/// How a price changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// It is new.
    Added(Money),
    /// It is gone.
    Removed(Money),
    /// It is another one.
    Changed {
        /// Before.
        from: Money,
        /// After.
        to: Money,
        /// By how many per cent it rose (negative: fell).
        percent: f64,
    },
}

/// A price that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct PriceChange {
    /// What it is the price of.
    pub what: Priced,
    /// How it changed.
    pub change: Change,
}

impl fmt::Display for PriceChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.change {
            Change::Added(to) => write!(f, "{}: new, {to}", self.what),
            Change::Removed(from) => write!(f, "{}: gone, was {from}", self.what),
            Change::Changed { from, to, percent } => {
                write!(f, "{}: {from} to {to} ({percent:+.1} %)", self.what)
            }
        }
    }
}

/// What changed from `old` to `new`: VMs by size, then disks by family and tier.
///
/// # Errors
/// [`MoneyError::Mixed`] when the books are in different currencies.
pub fn diff(old: &PriceBook, new: &PriceBook) -> Result<Vec<PriceChange>, MoneyError> {
    if old.currency() != new.currency() {
        return Err(MoneyError::Mixed {
            left: old.currency(),
            right: new.currency(),
        });
    }
    let currency = new.currency();
    let mut prices: BTreeMap<Key, (Priced, Option<f64>, Option<f64>)> = BTreeMap::new();
    for (key, what, price) in all(old) {
        prices.entry(key).or_insert((what, None, None)).1 = Some(price);
    }
    for (key, what, price) in all(new) {
        prices.entry(key).or_insert((what, None, None)).2 = Some(price);
    }
    let money = |amount| Money::new(amount, currency);
    Ok(prices
        .into_values()
        .filter_map(|(what, from, to)| {
            let change = match (from, to) {
                (None, Some(to)) => Change::Added(money(to)),
                (Some(from), None) => Change::Removed(money(from)),
                (Some(from), Some(to)) if differs(from, to) => Change::Changed {
                    from: money(from),
                    to: money(to),
                    percent: (to / from - 1.0) * 100.0,
                },
                _ => return None,
            };
            Some(PriceChange { what, change })
        })
        .collect())
}

/// Whether two prices differ by more than the rounding of their text form.
fn differs(from: f64, to: f64) -> bool {
    (to - from).abs() > from * 1e-9
}

/// Sorts VMs by name and offer before disks by meter.
type Key = (
    bool,
    String,
    Option<VmOffer>,
    Option<(crate::catalog::Family, u16, u8, bool)>,
);

/// Every price of a book.
fn all(book: &PriceBook) -> impl Iterator<Item = (Key, Priced, f64)> {
    let vms = book.vms().flat_map(|prices| {
        VmOffer::ALL.into_iter().filter_map(|offer| {
            let price = prices.per_hour(offer)?;
            let size = prices.size.clone();
            let key = (false, size.to_lowercase(), Some(offer), None);
            Some((key, Priced::Vm { size, offer }, price))
        })
    });
    let disks = book.disks().into_iter().map(|(meter, price)| {
        let key = (true, String::new(), None, Some(meter.order()));
        (key, Priced::Disk(meter), price)
    });
    vms.chain(disks)
}
