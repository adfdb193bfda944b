//! One VM size as a document.

use serde::Serialize;

use super::SizeRow;
use super::prices::{OfferPrice, offers, offers_table};
use crate::catalog::price::{BookInfo, PriceBook};
use crate::catalog::{Axis, Catalog, Ceiling, DataInfo, VmSize};
use crate::report::views::month::{footnotes_of, unpriced};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};
use crate::units::GiB;

/// One VM size, with everything that is known of it.
#[derive(Debug, Clone, Serialize)]
pub struct SizeDetail<'a> {
    /// `diskcap.size/1`.
    pub schema: &'static str,
    /// Which data it is.
    pub data: &'a DataInfo,
    /// Every column.
    pub size: SizeRow<'a>,
    /// What the source contradicts or leaves out.
    pub note: Option<&'a str>,
    /// Where the figures come from.
    pub origin: &'a crate::catalog::Origin,
    /// The prices; `None` where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<&'a BookInfo>,
    /// What it costs without disks, one for each way to buy it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offers: Vec<OfferPrice>,
}

impl<'a> SizeDetail<'a> {
    /// The detail of `vm`.
    #[must_use]
    pub fn new(catalog: &'a Catalog, vm: &'a VmSize) -> Self {
        Self {
            schema: "diskcap.size/1",
            data: catalog.info(),
            size: SizeRow { vm, month: None },
            note: vm.note.as_deref(),
            origin: &vm.origin,
            prices: None,
            offers: Vec::new(),
        }
    }

    /// With the prices of `book`.
    #[must_use]
    pub fn with_prices(self, book: &'a PriceBook) -> Self {
        Self {
            prices: Some(book.info()),
            offers: offers(book, &self.size.vm.name),
            ..self
        }
    }
}

impl Report for SizeDetail<'_> {
    fn document(&self) -> Document {
        let vm = self.size.vm;
        let mut footnotes = vec![
            format!("Data: {}.", self.data),
            format!("Source: {}, {}.", self.origin.source, self.origin.date),
        ];
        footnotes.extend(self.note.map(|note| format!("Note: {note}.")));
        footnotes.extend(footnotes_of(self.prices, std::iter::empty()));
        let unknown = self.offers.iter().filter(|offer| offer.hour.is_none());
        let unknown = unknown.map(|offer| offer.offer.label().to_owned());
        footnotes.extend(unpriced(self.prices, unknown));
        let prices = self.prices.map(|prices| offers_table(prices, &self.offers));
        Document {
            title: vm.name.clone(),
            subtitle: vm.interface.map(|i| format!("with {i} controller")),
            sections: ([ceilings(vm), properties(vm)].into_iter())
                .chain(prices)
                .map(Section::Table)
                .collect(),
            footnotes,
            ..Document::default()
        }
    }
}

fn ceilings(vm: &VmSize) -> Table {
    let row = |name: &str, ceiling: &Ceiling| {
        let burst = |axis| ceiling.burst.and_then(|limits| limits.on(axis));
        let exact = Cell::known(ceiling.base.on(Axis::Mbps), 1);
        let mbps = match ceiling.listed_mbps {
            Some(listed) => exact.hinted(format!("listed as {listed}")),
            None => exact,
        };
        Row::new(vec![
            Cell::text(name),
            Cell::known(ceiling.base.on(Axis::Iops), 0),
            mbps,
            Cell::known(burst(Axis::Iops), 0),
            Cell::known(burst(Axis::Mbps), 1),
        ])
    };
    let mut rows = vec![row("uncached", &vm.uncached)];
    let remote = match vm.remote {
        Some(_) => VmSize::REMOTE_NAME.to_owned(),
        None => format!("{} (as uncached)", VmSize::REMOTE_NAME),
    };
    rows.push(row(&remote, vm.remote_ceiling()));
    rows.push(row("cached + temp", &vm.cached));
    rows.extend(vm.nvme.iter().flat_map(|nvme| {
        [
            ("local NVMe, reads", nvme.read),
            ("local NVMe, writes", nvme.write),
        ]
        .map(|(name, base)| {
            let ceiling = Ceiling {
                base,
                ..Ceiling::default()
            };
            row(name, &ceiling)
        })
    }));
    Table {
        id: "ceilings".to_owned(),
        title: "Ceilings".to_owned(),
        columns: vec![
            Column::new("ceiling", "Ceiling"),
            Column::new("iops", "IOPS"),
            Column::new("mbps", "MB/s"),
            Column::new("burst_iops", "Burst IOPS"),
            Column::new("burst_mbps", "Burst MB/s"),
        ],
        rows,
    }
}

fn properties(vm: &VmSize) -> Table {
    let text = |value: Option<&str>| value.map_or(Cell::EMPTY, Cell::text);
    let yes = |value: Option<bool>| value.map_or(Cell::EMPTY, Cell::flag);
    let gib = |value: Option<GiB>| value.map_or(Cell::EMPTY, |v| Cell::text(v.to_string()));
    let controllers: Vec<String> = vm.controllers.iter().map(ToString::to_string).collect();
    let rows = [
        ("Series", text(Some(&vm.series))),
        ("Constrained form of", text(vm.parent.as_deref())),
        ("vCPUs", Cell::number(f64::from(vm.vcpus), 0)),
        ("Memory", gib(vm.memory)),
        ("Architecture", text(vm.arch.as_deref())),
        (
            "Data disks, at most",
            Cell::known(vm.max_data_disks.map(f64::from), 0),
        ),
        ("Premium storage", yes(vm.premium_storage)),
        ("Premium-storage caching", yes(vm.premium_caching)),
        ("Ultra listed in a region", yes(vm.ultra)),
        (
            "Disk controllers",
            if controllers.is_empty() {
                Cell::EMPTY
            } else {
                Cell::text(controllers.join(", "))
            },
        ),
        ("Host cache", gib(vm.cache_size)),
        ("Temp disk", gib(vm.temp.as_ref().map(|t| t.size))),
        (
            "Local NVMe, all disks",
            gib(vm.nvme.as_ref().and_then(|n| n.total)),
        ),
        ("Retires on", text(vm.retirement.as_deref())),
    ];
    Table {
        id: "properties".to_owned(),
        title: "Properties".to_owned(),
        columns: vec![
            Column::new("property", "Property"),
            Column::new("value", "Value"),
        ],
        rows: rows
            .into_iter()
            .map(|(name, cell)| Row::new(vec![Cell::text(name), cell]))
            .collect(),
    }
}
