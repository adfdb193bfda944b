//! A month's cost in comparisons.

use super::money::amount;
use crate::catalog::price::BookInfo;
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
    let missing: Vec<String> = month
        .into_iter()
        .flat_map(|month| &month.without)
        .map(ToString::to_string)
        .collect();
    if missing.is_empty() {
        Cell::EMPTY
    } else {
        Cell::text(missing.join("; ")).toned(Tone::Faint)
    }
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
