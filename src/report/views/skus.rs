//! The catalogue as documents: lists of VM sizes and disk tiers, and one size, tier or family by itself, with prices.

use serde::{Serialize, Serializer};

use super::money::amount;
use super::month::{bought, footnotes_of};
use super::retiring;
use crate::catalog::price::{BookInfo, Money, PriceBook, VmOffer};
use crate::catalog::query::{SortValue, VmColumn};
use crate::catalog::{Catalog, DataInfo, VmSize};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

mod family;
mod latency;
mod prices;
mod size;
mod tiers;

pub use family::{FamilyDetail, PartPrice, Range};
pub use latency::{LatencyPromise, QueueDepth1};
pub use prices::OfferPrice;
pub use size::SizeDetail;
pub use tiers::{TierList, TierRow};

/// `1 VM size`, `7 VM sizes`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", crate::units::grouped(count as f64, 0))
}

/// VM sizes, as many as were asked for.
#[derive(Debug, Clone, Serialize)]
pub struct SizeList<'a> {
    /// `diskcap.sizes/1`.
    pub schema: &'static str,
    /// Which data it is.
    pub data: &'a DataInfo,
    /// The prices; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<&'a BookInfo>,
    /// How the VMs are bought in these prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<VmOffer>,
    /// The sizes; ids of fields as in the other formats.
    pub sizes: Vec<SizeRow<'a>>,
    /// Whether the price was asked for: else it is shown on request.
    #[serde(skip)]
    price_asked: bool,
}

/// One VM size, every column of it.
#[derive(Debug, Clone, Copy)]
pub struct SizeRow<'a> {
    /// The size.
    pub vm: &'a VmSize,
    /// A month of it without disks; `None` where no price of it is known.
    pub month: Option<Money>,
}

/// The id of the column of a VM's price.
pub const VM_MONTH: &str = "vm_month";

impl Serialize for SizeRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let columns = VmColumn::ALL.iter().map(|column| {
            let value = match column.value(self.vm) {
                Some(SortValue::Number(number)) => number.into(),
                Some(SortValue::Text(text)) => text.into(),
                None => serde_json::Value::Null,
            };
            (column.id(), value)
        });
        let price = self.month.map(|month| (VM_MONTH, month.amount.into()));
        serializer.collect_map(columns.chain(price))
    }
}

impl<'a> SizeList<'a> {
    /// A list of `sizes`, series by series, small ones first.
    pub fn new(catalog: &'a Catalog, sizes: impl Iterator<Item = &'a VmSize>) -> Self {
        let mut sizes: Vec<&VmSize> = sizes.collect();
        sizes.sort_by_key(|vm| (&vm.series, vm.vcpus, &vm.name));
        Self {
            schema: "diskcap.sizes/1",
            data: catalog.info(),
            prices: None,
            offer: None,
            sizes: sizes
                .into_iter()
                .map(|vm| SizeRow { vm, month: None })
                .collect(),
            price_asked: false,
        }
    }

    /// With the prices of `book`, bought as `offer`; where they were not `asked` for, on request.
    #[must_use]
    pub fn with_prices(mut self, book: &'a PriceBook, offer: VmOffer, asked: bool) -> Self {
        for size in &mut self.sizes {
            let bill = book.vm_bill(&size.vm.name, offer).ok();
            size.month = bill.and_then(|bill| bill.total().complete());
        }
        Self {
            prices: Some(book.info()),
            offer: Some(offer),
            price_asked: asked,
            ..self
        }
    }

    /// The column of the price, where there are prices.
    fn price_column(&self) -> Option<Column> {
        let currency = self.prices?.currency.to_string();
        let column = Column::new(VM_MONTH, "VM a month").in_currency(currency);
        Some(match self.price_asked {
            true => column.ranked(1),
            false => column.on_request(),
        })
    }

    /// Which prices are shown, and whose are not known.
    fn price_notes(&self) -> Vec<String> {
        let Some((prices, offer)) = self.prices.zip(self.offer).filter(|_| self.price_asked) else {
            return Vec::new();
        };
        let mut notes = footnotes_of(Some(prices), std::iter::empty());
        notes.push(bought(offer));
        let unknown = self.sizes.iter().filter(|size| size.month.is_none());
        let names = unknown.map(|size| size.vm.name.clone());
        notes.extend(super::month::unpriced(Some(prices), names));
        notes
    }
}

/// How dearly each column of the list is kept; those that are not named are shown on request.
const RANKS: [(VmColumn, u8); 12] = [
    (VmColumn::Name, 0),
    (VmColumn::Vcpus, 1),
    (VmColumn::Memory, 1),
    (VmColumn::UncachedIops, 0),
    (VmColumn::UncachedMbps, 0),
    (VmColumn::UncachedBurstIops, 4),
    (VmColumn::UncachedBurstMbps, 4),
    (VmColumn::RemoteIops, 3),
    (VmColumn::RemoteMbps, 3),
    (VmColumn::CachedIops, 2),
    (VmColumn::CachedMbps, 2),
    (VmColumn::DataDisks, 5),
];

fn size_column(column: VmColumn, by_interface: bool) -> Column {
    let shown = Column::new(column.id(), column.title());
    match RANKS.iter().find(|(ranked, _)| *ranked == column) {
        Some((_, rank)) => shown.ranked(*rank),
        None if column == VmColumn::Interface && by_interface => shown,
        None => shown.on_request(),
    }
}

fn size_cell(column: VmColumn, vm: &VmSize) -> Cell {
    match column.value(vm) {
        Some(SortValue::Number(number)) => Cell::number(number, 1),
        Some(SortValue::Text(text)) => Cell::text(text),
        None => Cell::EMPTY,
    }
}

impl Report for SizeList<'_> {
    fn document(&self) -> Document {
        let by_interface = self.sizes.iter().any(|size| size.vm.interface.is_some());
        let row = |size: &SizeRow<'_>| {
            let cells = VmColumn::ALL
                .iter()
                .map(|column| size_cell(*column, size.vm));
            let price = self.prices.map(|_| amount(size.month));
            Row::new(cells.chain(price).collect())
        };
        let columns = VmColumn::ALL.iter();
        let columns = columns.map(|column| size_column(*column, by_interface));
        Document {
            title: counted(self.sizes.len(), "VM size"),
            sections: vec![Section::Table(Table {
                id: "sizes".to_owned(),
                title: String::new(),
                columns: columns.chain(self.price_column()).collect(),
                rows: self.sizes.iter().map(row).collect(),
            })],
            footnotes: std::iter::once(format!("Data: {}.", self.data))
                .chain(self.price_notes())
                .chain(retiring::note(self.sizes.iter().map(|size| {
                    (size.vm.name.as_str(), size.vm.retirement.as_deref())
                })))
                .collect(),
            ..Document::default()
        }
    }
}
