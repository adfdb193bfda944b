//! A family of disks whose size, IOPS and MB/s are provisioned apart, as a document.

use serde::Serialize;

use super::latency::{LatencyPromise, QueueDepth1, latency_notes, promise_note};
use crate::catalog::azure::provisioned::ProvisionedRules;
use crate::catalog::price::{BookInfo, DiskMeter, Money, PriceBook, ProvisionedPart};
use crate::catalog::{Axis, Catalog, Family, Redundancy};
use crate::report::views::money::amount;
use crate::report::views::month::{footnotes_of, unpriced};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};
use crate::units::grouped;

/// A family whose size, IOPS and MB/s are provisioned apart.
#[derive(Debug, Clone, Serialize)]
pub struct FamilyDetail<'a> {
    /// `diskcap.family/1`.
    pub schema: &'static str,
    /// The family.
    pub family: Family,
    /// The finding that explains the ranges.
    #[serde(skip)]
    pub range_id: &'static str,
    /// Its figures, by name.
    pub ranges: Vec<Range>,
    /// What one I/O at a time takes; `None` where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_depth_1: Option<QueueDepth1<'a>>,
    /// What is promised of it, where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_promise: Option<LatencyPromise<'a>>,
    /// The prices; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<&'a BookInfo>,
    /// What each part costs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PartPrice>,
}

/// What a month of one unit of a part costs.
#[derive(Debug, Clone, Serialize)]
pub struct PartPrice {
    /// One of what.
    pub part: &'static str,
    /// Its month; `None` where it is not known.
    pub month: Option<Money>,
    /// What of it is free, in words.
    pub free: String,
}

/// A range of a provisioned setting.
#[derive(Debug, Clone, Serialize)]
pub struct Range {
    /// The setting, with its unit.
    pub setting: &'static str,
    /// The least.
    pub min: f64,
    /// The most.
    pub max: f64,
    /// What else holds.
    pub rule: String,
}

impl<'a> FamilyDetail<'a> {
    /// The detail of the family of `rules`.
    #[must_use]
    pub fn new(catalog: &'a Catalog, rules: &ProvisionedRules) -> Self {
        let included = rules.included.map_or_else(String::new, |limits| {
            let part = |axis| limits.on(axis).unwrap_or_default();
            format!(
                "; {} IOPS and {} MB/s are included",
                grouped(part(Axis::Iops), 0),
                grouped(part(Axis::Mbps), 0)
            )
        });
        let per_gib = grouped(rules.iops_per_gib, 2);
        // Where the least is more than the rule gives, the least is also the most.
        let least = rules.min_iops.get() / rules.iops_per_gib;
        let small = match least > rules.min_size.get() {
            true => format!(", {} up to {} GiB", rules.min_iops, grouped(least, 2)),
            false => String::new(),
        };
        Self {
            schema: "diskcap.family/1",
            family: rules.family,
            range_id: rules.range_id,
            queue_depth_1: QueueDepth1::of(catalog, rules.family),
            latency_promise: LatencyPromise::of(catalog, rules.family),
            prices: None,
            parts: Vec::new(),
            ranges: vec![
                Range {
                    setting: "size_gib",
                    min: rules.min_size.get(),
                    max: rules.max_size.get(),
                    rule: "in steps of 1 GiB".to_owned(),
                },
                Range {
                    setting: "iops",
                    min: rules.min_iops.get(),
                    max: rules.max_iops.get(),
                    rule: format!("at most {per_gib} per GiB{small}{included}"),
                },
                Range {
                    setting: "mbps",
                    min: rules.min_mbps.get(),
                    max: rules.max_mbps.get(),
                    rule: format!("at most {} per provisioned IOPS", rules.mbps_per_iops),
                },
            ],
        }
    }
}

impl<'a> FamilyDetail<'a> {
    /// With the prices of `book`.
    #[must_use]
    pub fn with_prices(self, book: &'a PriceBook) -> Self {
        let included = self
            .family
            .provisioned_rules()
            .and_then(|rules| rules.included);
        let parts = [
            (ProvisionedPart::Capacity, "GiB", None),
            (ProvisionedPart::Iops, "IOPS", Some(Axis::Iops)),
            (ProvisionedPart::Mbps, "MB/s", Some(Axis::Mbps)),
        ];
        let price = |(part, name, axis): (ProvisionedPart, &'static str, Option<Axis>)| {
            let unit = book.disk(DiskMeter::Provisioned {
                family: self.family,
                redundancy: Redundancy::Lrs,
                part,
            });
            let free = axis.and_then(|axis| included?.on(axis));
            PartPrice {
                part: name,
                month: unit.map(|unit| unit.price.times(unit.unit.per_month())),
                free: free.map_or_else(String::new, |free| {
                    format!("the first {} are free", grouped(free, 0))
                }),
            }
        };
        Self {
            prices: Some(book.info()),
            parts: parts.map(price).to_vec(),
            ..self
        }
    }

    fn price_table(&self) -> Option<Table> {
        let prices = self.prices?;
        let row = |part: &PartPrice| {
            Row::new(vec![
                Cell::text(format!("1 {}", part.part)),
                amount(part.month),
                match part.free.as_str() {
                    "" => Cell::EMPTY,
                    free => Cell::text(free),
                },
            ])
        };
        Some(Table {
            id: "prices".to_owned(),
            title: format!("What it costs in {}", prices.region),
            columns: vec![
                Column::new("part", "Part"),
                Column::new("month", "A month").in_currency(prices.currency.to_string()),
                Column::new("free", "Free"),
            ],
            rows: self.parts.iter().map(row).collect(),
        })
    }

    fn footnotes(&self) -> Vec<String> {
        let mut notes = vec![format!(
            "`diskcap explain {}` tells the rule and its source.",
            self.range_id
        )];
        notes.extend(footnotes_of(self.prices, std::iter::empty()));
        let unknown = self.parts.iter().filter(|part| part.month.is_none());
        let unknown = unknown.map(|part| format!("{} {}", self.family.name(), part.part));
        notes.extend(unpriced(self.prices, unknown));
        notes.extend(self.queue_depth_1.iter().flat_map(latency_notes));
        notes.extend(self.latency_promise.iter().map(promise_note));
        notes
    }
}

impl Report for FamilyDetail<'_> {
    fn document(&self) -> Document {
        let row = |r: &Range| {
            Row::new(vec![
                Cell::text(r.setting),
                Cell::number(r.min, 0),
                Cell::number(r.max, 0),
                Cell::text(&r.rule),
            ])
        };
        Document {
            title: self.family.name().to_owned(),
            sections: [Section::Table(Table {
                id: "ranges".to_owned(),
                title: "What can be provisioned".to_owned(),
                columns: vec![
                    Column::new("setting", "Setting"),
                    Column::new("min", "From"),
                    Column::new("max", "To"),
                    Column::new("rule", "Rule"),
                ],
                rows: self.ranges.iter().map(row).collect(),
            })]
            .into_iter()
            .chain(self.price_table().map(Section::Table))
            .collect(),
            footnotes: self.footnotes(),
            ..Document::default()
        }
    }
}
