//! What changed between two price books, as a document.

use serde::Serialize;

use super::sku_changes::SkuChanges;
use crate::catalog::price::{BookInfo, Change, Money, PriceBook, PriceChange};
use crate::report::views::money::amount;
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

/// The changes from one book to another.
#[derive(Debug, Clone, Serialize)]
pub struct PriceChanges {
    /// `diskcap.price-changes/1`.
    pub schema: &'static str,
    /// The earlier prices.
    pub from: BookInfo,
    /// The later prices.
    pub to: BookInfo,
    /// What changed.
    pub changes: Vec<Changed>,
    /// What changed of VM sizes and disks, where they were refreshed, too.
    pub skus: Option<SkuChanges>,
}

/// One price that changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changed {
    /// What it is the price of.
    pub what: String,
    /// Before; `None` when it is new.
    pub from: Option<Money>,
    /// After; `None` when it is gone.
    pub to: Option<Money>,
    /// By how many per cent it rose.
    pub percent: Option<f64>,
}

impl From<PriceChange> for Changed {
    fn from(change: PriceChange) -> Self {
        let what = change.what.to_string();
        let (from, to, percent) = match change.change {
            Change::Added(to) => (None, Some(to), None),
            Change::Removed(from) => (Some(from), None, None),
            Change::Changed { from, to, percent } => (Some(from), Some(to), Some(percent)),
        };
        Self {
            what,
            from,
            to,
            percent,
        }
    }
}

impl PriceChanges {
    /// The changes from `old` to `new`.
    #[must_use]
    pub fn new(old: &PriceBook, new: &PriceBook, changes: Vec<PriceChange>) -> Self {
        Self {
            schema: "diskcap.price-changes/1",
            from: old.info().clone(),
            to: new.info().clone(),
            changes: changes.into_iter().map(Changed::from).collect(),
            skus: None,
        }
    }

    /// With what changed of VM sizes and disks.
    #[must_use]
    pub fn with_skus(mut self, skus: Option<SkuChanges>) -> Self {
        self.skus = skus;
        self
    }
}

impl Report for PriceChanges {
    fn document(&self) -> Document {
        let row = |c: &Changed| {
            Row::new(vec![
                Cell::text(&c.what),
                amount(c.from),
                amount(c.to),
                Cell::known(c.percent, 1),
            ])
        };
        let mut footnotes = vec![format!("From {}.", self.from), format!("To {}.", self.to)];
        footnotes.extend(self.skus.iter().flat_map(SkuChanges::footnotes));
        let skus = self.skus.iter().map(|skus| Section::Table(skus.table()));
        let prices = Section::Table(Table {
            id: "changes".to_owned(),
            title: String::new(),
            columns: vec![
                Column::new("what", "Price of"),
                Column::new("from", "Before"),
                Column::new("to", "After"),
                Column::new("percent", "Change %"),
            ],
            rows: self.changes.iter().map(row).collect(),
        });
        Document {
            title: format!(
                "{} prices changed in {}",
                self.changes.len(),
                self.to.region
            ),
            subtitle: None,
            sections: std::iter::once(prices).chain(skus).collect(),
            footnotes,
            ..Document::default()
        }
    }
}
