//! A month's cost in comparisons.

use super::money::amount;
use crate::catalog::price::{BookInfo, EMBEDDED_CURRENCY, MissingPrice, VmOffer, WhyMissing};
use crate::compare::cost::Month;
use crate::report::{Cell, Tone};

/// A month's fixed cost; what it leaves out stands beside it in short.
pub(super) fn month(month: Option<&Month>) -> Cell {
    let Some(month) = month else {
        return Cell::EMPTY;
    };
    match month.fixed {
        None => Cell::EMPTY,
        Some(fixed) if month.without.is_empty() => amount(Some(fixed)),
        Some(fixed) => amount(Some(fixed)).hinted("plus use"),
    }
}

/// What a month's cost leaves out, and why.
pub(super) fn per_month_missing(month: Option<&Month>) -> Cell {
    missing(month.map_or(&[], |month| &month.without))
}

/// What a sum leaves out, and why.
pub(super) fn missing(parts: &[MissingPrice]) -> Cell {
    if parts.is_empty() {
        return Cell::EMPTY;
    }
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    Cell::text(parts.join("; ")).toned(Tone::Faint)
}

/// What of a month has no known price.
pub(super) fn without_price(month: Option<&Month>) -> impl Iterator<Item = String> + '_ {
    let missing = month.into_iter().flat_map(|month| &month.without);
    missing
        .filter(|missing| missing.why == WhyMissing::NoPrice)
        .map(|missing| missing.what.clone())
}

/// How many things without a price are named.
const MOST_NAMED: usize = 3;

/// Why a price is not there, and what may bring it; nothing where none is missing or no prices were asked for.
pub(super) fn unpriced(
    prices: Option<&BookInfo>,
    missing: impl Iterator<Item = String>,
) -> Option<String> {
    let prices = prices?;
    let mut names: Vec<String> = Vec::new();
    for name in missing {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let named = names.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>();
    let more = match names.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| {
        format!(
            "No price is known in {} of {}{more}. {}",
            prices.region,
            named.join(", "),
            fetches(prices)
        )
    })
}

/// How the VMs are bought in the prices.
pub(super) fn bought(offer: VmOffer) -> String {
    format!("VMs as bought: {}.", offer.label())
}

/// How prices of today are fetched.
pub(super) fn fetches(prices: &BookInfo) -> String {
    let mut command = format!("diskcap skus update --region {}", prices.region);
    if prices.currency != EMBEDDED_CURRENCY {
        command.push_str(&format!(" --currency {}", prices.currency));
    }
    format!("`{command}` fetches today's prices of the region.")
}

/// Which prices these are, and what those of `months` leave out.
pub(super) fn footnotes_of<'a>(
    prices: Option<&BookInfo>,
    mut months: impl Iterator<Item = &'a Month>,
) -> Vec<String> {
    let Some(prices) = prices else {
        return Vec::new();
    };
    let mut notes = vec![format!("Money: {prices}; 730 hours a month.")];
    if months.any(|month| !month.without.is_empty()) {
        notes.push("Plus use: transactions, mounts or bursting are billed on top.".to_owned());
    }
    notes
}
