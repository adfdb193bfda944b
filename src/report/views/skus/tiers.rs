//! Disk tiers as a document.

use serde::Serialize;

use super::counted;
use super::latency::{LatencyPromise, QueueDepth1, latency_notes, promise_note};
use crate::catalog::price::{BilledDisk, BookInfo, DiskUse, Money, PriceBook, TierName};
use crate::catalog::{Catalog, DataInfo, Family, Limits, Redundancy, Tier};
use crate::report::views::money::amount;
use crate::report::views::month::{footnotes_of, unpriced};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};
use crate::units::{Iops, MBps};

/// Disk tiers, as many as were asked for.
#[derive(Debug, Clone, Serialize)]
pub struct TierList<'a> {
    /// `diskcap.tiers/1`.
    pub schema: &'static str,
    /// Which data it is.
    pub data: &'a DataInfo,
    /// The prices; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<&'a BookInfo>,
    /// The tiers.
    pub tiers: Vec<TierRow<'a>>,
    /// The latency of the family, where there is one tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_depth_1: Option<QueueDepth1<'a>>,
    /// What is promised of it, where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_promise: Option<LatencyPromise<'a>>,
    /// Whether the price was asked for: else it is shown on request.
    #[serde(skip)]
    price_asked: bool,
}

/// One disk tier, limits spelt out.
#[derive(Debug, Clone, Serialize)]
pub struct TierRow<'a> {
    tier: &'a str,
    family: Family,
    min_gib: u32,
    max_gib: u32,
    iops: Option<Iops>,
    mbps: Option<MBps>,
    burst_iops: Option<Iops>,
    burst_mbps: Option<MBps>,
    burst_minutes: Option<f64>,
    on_demand_iops: Option<Iops>,
    on_demand_mbps: Option<MBps>,
    perfplus_iops: Option<Iops>,
    perfplus_mbps: Option<MBps>,
    max_shares: u32,
    zrs: bool,
    /// A month of it with LRS, without what is billed by use; `None` where no price is known.
    month: Option<Money>,
    /// The same with ZRS.
    month_zrs: Option<Money>,
    /// 10,000 transactions with LRS; `None` where they are not billed or their price is not known.
    ten_thousand_transactions: Option<Money>,
}

impl<'a> From<&'a Tier> for TierRow<'a> {
    fn from(tier: &'a Tier) -> Self {
        let (credit, seconds) = tier.credit_burst.unzip();
        let credit = credit.unwrap_or(Limits::UNKNOWN);
        let on_demand = tier.on_demand.unwrap_or(Limits::UNKNOWN);
        let plus = tier.performance_plus.unwrap_or(Limits::UNKNOWN);
        Self {
            tier: &tier.name,
            family: tier.family,
            min_gib: tier.min_gib,
            max_gib: tier.max_gib,
            iops: tier.limits.iops,
            mbps: tier.limits.mbps,
            burst_iops: credit.iops,
            burst_mbps: credit.mbps,
            burst_minutes: seconds.map(|s| s / 60.0),
            on_demand_iops: on_demand.iops,
            on_demand_mbps: on_demand.mbps,
            perfplus_iops: plus.iops,
            perfplus_mbps: plus.mbps,
            max_shares: tier.max_shares,
            zrs: tier.zrs,
            month: None,
            month_zrs: None,
            ten_thousand_transactions: None,
        }
    }
}

impl<'a> TierList<'a> {
    /// A list of `tiers`.
    pub fn new(catalog: &'a Catalog, tiers: impl Iterator<Item = &'a Tier>) -> Self {
        Self {
            schema: "diskcap.tiers/1",
            data: catalog.info(),
            prices: None,
            tiers: tiers.map(TierRow::from).collect(),
            queue_depth_1: None,
            latency_promise: None,
            price_asked: false,
        }
        .with_latency(catalog)
    }

    /// With the latency of the family, where there is one tier.
    fn with_latency(mut self, catalog: &'a Catalog) -> Self {
        if let [one] = self.tiers.as_slice() {
            self.queue_depth_1 = QueueDepth1::of(catalog, one.family);
            self.latency_promise = LatencyPromise::of(catalog, one.family);
        }
        self
    }

    /// With the prices of `book`; of several tiers, where they were not `asked` for, on request.
    #[must_use]
    pub fn with_prices(mut self, book: &'a PriceBook, asked: bool) -> Self {
        for tier in &mut self.tiers {
            tier.month = month(book, tier.tier, Redundancy::Lrs);
            tier.month_zrs = month(book, tier.tier, Redundancy::Zrs);
            tier.ten_thousand_transactions = transactions(book, tier.tier);
        }
        Self {
            prices: Some(book.info()),
            price_asked: asked || self.tiers.len() == 1,
            ..self
        }
    }

    /// The columns of the prices, where there are some.
    fn price_columns(&self) -> Vec<Column> {
        let Some(prices) = self.prices else {
            return Vec::new();
        };
        let columns = [("month", "LRS a month"), ("month_zrs", "ZRS a month")];
        let column = |(id, title)| {
            let column = Column::new(id, title).in_currency(prices.currency.to_string());
            match self.price_asked {
                true => column.ranked(2),
                false => column.on_request(),
            }
        };
        columns.map(column).to_vec()
    }

    /// Which prices are shown, whose are not known, and what comes on top.
    fn price_notes(&self) -> Vec<String> {
        let Some(prices) = self.prices.filter(|_| self.price_asked) else {
            return Vec::new();
        };
        let mut notes = footnotes_of(Some(prices), std::iter::empty());
        let mut unknown: Vec<String> = (self.tiers.iter())
            .filter(|tier| tier.month.is_none())
            .map(|tier| tier.tier.to_owned())
            .collect();
        let mut billing = self.tiers.iter().filter(|t| t.family.bills_transactions());
        if let Some(first) = billing.next() {
            let price = first.ten_thousand_transactions;
            notes.push(match price.filter(|_| self.tiers.len() == 1) {
                Some(price) => format!("Transactions are billed on top: {price} for 10,000."),
                None => "Standard SSD and Standard HDD bill transactions on top.".to_owned(),
            });
            if price.is_none() {
                unknown.push(format!("{} transactions", first.family.name()));
            }
        }
        notes.extend(unpriced(Some(prices), unknown.into_iter()));
        notes
    }
}

/// What 10,000 transactions of the tier `name` cost with LRS, where they are billed.
fn transactions(book: &PriceBook, name: &str) -> Option<Money> {
    let tier: TierName = name.parse().ok()?;
    let price = book.transaction_price(tier, Redundancy::Lrs);
    Some(price.filter(|_| tier.family.bills_transactions())?.price)
}

/// A month of the tier `name`, without what is billed by use.
fn month(book: &PriceBook, name: &str, redundancy: Redundancy) -> Option<Money> {
    let disk = BilledDisk::tiered(name.parse().ok()?, redundancy);
    let total = book.disk_bill(&disk, &DiskUse::default()).total();
    total.is_priced().then_some(total.known)
}

impl Report for TierList<'_> {
    fn document(&self) -> Document {
        let iops = |v: Option<Iops>| Cell::known(v.map(Iops::get), 0);
        let mbps = |v: Option<MBps>| Cell::known(v.map(MBps::get), 0);
        let whole = |v: u32| Cell::number(f64::from(v), 0);
        let row = |t: &TierRow<'_>| {
            Row::new(
                [
                    Cell::text(t.tier),
                    Cell::text(t.family.name()),
                    whole(t.min_gib),
                    whole(t.max_gib),
                    iops(t.iops),
                    mbps(t.mbps),
                    iops(t.burst_iops),
                    mbps(t.burst_mbps),
                    Cell::known(t.burst_minutes, 0),
                    iops(t.on_demand_iops),
                    mbps(t.on_demand_mbps),
                    iops(t.perfplus_iops),
                    mbps(t.perfplus_mbps),
                    whole(t.max_shares),
                    Cell::flag(t.zrs),
                ]
                .into_iter()
                .chain(
                    self.prices
                        .iter()
                        .flat_map(|_| [amount(t.month), amount(t.month_zrs)]),
                )
                .collect(),
            )
        };
        let mut columns = tier_columns(self.tiers.len() == 1);
        columns.extend(self.price_columns());
        Document {
            title: match self.tiers.as_slice() {
                [one] => format!("{}, {}", one.tier, one.family.name()),
                several => counted(several.len(), "disk tier"),
            },
            sections: vec![Section::Table(Table {
                id: "tiers".to_owned(),
                title: String::new(),
                columns,
                rows: self.tiers.iter().map(row).collect(),
            })],
            footnotes: std::iter::once(format!("Data: {}.", self.data))
                .chain(self.price_notes())
                .chain(self.queue_depth_1.iter().flat_map(latency_notes))
                .chain(self.latency_promise.iter().map(promise_note))
                .collect(),
            ..Document::default()
        }
    }
}

/// The columns of tiers; of a lone one no width leaves any out.
fn tier_columns(lone: bool) -> Vec<Column> {
    let columns = [
        Column::new("tier", "Tier"),
        Column::new("family", "Family").ranked(4),
        Column::new("min_gib", "From GiB").ranked(3),
        Column::new("max_gib", "To GiB"),
        Column::new("iops", "IOPS"),
        Column::new("mbps", "MB/s"),
        Column::new("burst_iops", "Burst IOPS"),
        Column::new("burst_mbps", "Burst MB/s"),
        Column::new("burst_minutes", "Burst min").ranked(5),
        Column::new("on_demand_iops", "On-demand IOPS").ranked(6),
        Column::new("on_demand_mbps", "On-demand MB/s").ranked(6),
        Column::new("perfplus_iops", "Perf. plus IOPS").ranked(7),
        Column::new("perfplus_mbps", "Perf. plus MB/s").ranked(7),
        Column::new("max_shares", "Shares").ranked(8),
        Column::new("zrs", "ZRS").ranked(8),
    ];
    let kept = |column: Column| if lone { column.ranked(0) } else { column };
    columns.map(kept).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::price::{DiskMeter, Region, TierPart, embedded};

    /// The embedded prices have an E30 (76.80 USD in eastus) and no transactions; a refreshed copy has those of E4 for all.
    #[test]
    fn transactions_are_told_with_their_price_where_it_is_known() {
        let catalog = Catalog::embedded();
        let mut book = embedded(&Region::new("eastus")).unwrap();
        let notes = |book: &PriceBook| {
            let tier = catalog.tiers().any_named("E30").unwrap();
            let list = TierList::new(catalog, std::iter::once(tier)).with_prices(book, false);
            assert_eq!(list.tiers[0].month.unwrap().to_string(), "76.80 USD");
            list.document().footnotes.join("\n")
        };
        let unknown = notes(&book);
        let said = "No price is known in eastus of Standard SSD transactions. `diskcap skus update";
        assert!(unknown.contains(said), "{unknown}");
        let meter = DiskMeter::Tier {
            tier: "E4".parse().unwrap(),
            redundancy: Redundancy::Lrs,
            part: TierPart::Transactions,
        };
        book.set_disk(meter, 0.002);
        let known = notes(&book);
        assert!(
            known.contains("billed on top: 0.002 USD for 10,000."),
            "{known}"
        );
        assert!(!known.contains("No price is known"), "{known}");
    }
}
