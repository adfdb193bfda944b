//! The catalogue as documents: lists of VM sizes and disk tiers, and one size, tier or family by itself.

use serde::{Serialize, Serializer};

use super::retiring;
use crate::catalog::azure::provisioned::ProvisionedRules;
use crate::catalog::query::{SortValue, VmColumn};
use crate::catalog::{Axis, Catalog, Ceiling, DataInfo, Family, Limits, Tier, VmSize};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};
use crate::units::{GiB, Iops, MBps, grouped};

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
    /// The sizes; ids of fields as in the other formats.
    pub sizes: Vec<SizeRow<'a>>,
}

/// One VM size, every column of it.
#[derive(Debug, Clone, Copy)]
pub struct SizeRow<'a>(pub &'a VmSize);

impl Serialize for SizeRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(VmColumn::ALL.iter().map(|column| {
            let value = match column.value(self.0) {
                Some(SortValue::Number(number)) => number.into(),
                Some(SortValue::Text(text)) => text.into(),
                None => serde_json::Value::Null,
            };
            (column.id(), value)
        }))
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
            sizes: sizes.into_iter().map(SizeRow).collect(),
        }
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
        let by_interface = self.sizes.iter().any(|size| size.0.interface.is_some());
        let row = |size: &SizeRow<'_>| {
            let cells = VmColumn::ALL
                .iter()
                .map(|column| size_cell(*column, size.0));
            Row::new(cells.collect())
        };
        Document {
            title: counted(self.sizes.len(), "VM size"),
            sections: vec![Section::Table(Table {
                id: "sizes".to_owned(),
                title: String::new(),
                columns: VmColumn::ALL
                    .iter()
                    .map(|c| size_column(*c, by_interface))
                    .collect(),
                rows: self.sizes.iter().map(row).collect(),
            })],
            footnotes: std::iter::once(format!("Data: {}.", self.data))
                .chain(retiring::note(self.sizes.iter().map(|size| {
                    (size.0.name.as_str(), size.0.retirement.as_deref())
                })))
                .collect(),
            ..Document::default()
        }
    }
}

/// Disk tiers, as many as were asked for.
#[derive(Debug, Clone, Serialize)]
pub struct TierList<'a> {
    /// `diskcap.tiers/1`.
    pub schema: &'static str,
    /// Which data it is.
    pub data: &'a DataInfo,
    /// The tiers.
    pub tiers: Vec<TierRow<'a>>,
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
        }
    }
}

impl<'a> TierList<'a> {
    /// A list of `tiers`.
    pub fn new(catalog: &'a Catalog, tiers: impl Iterator<Item = &'a Tier>) -> Self {
        Self {
            schema: "diskcap.tiers/1",
            data: catalog.info(),
            tiers: tiers.map(TierRow::from).collect(),
        }
    }
}

impl Report for TierList<'_> {
    fn document(&self) -> Document {
        let iops = |v: Option<Iops>| Cell::known(v.map(Iops::get), 0);
        let mbps = |v: Option<MBps>| Cell::known(v.map(MBps::get), 0);
        let whole = |v: u32| Cell::number(f64::from(v), 0);
        let row = |t: &TierRow<'_>| {
            Row::new(vec![
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
            ])
        };
        Document {
            title: match self.tiers.as_slice() {
                [one] => format!("{}, {}", one.tier, one.family.name()),
                several => counted(several.len(), "disk tier"),
            },
            sections: vec![Section::Table(Table {
                id: "tiers".to_owned(),
                title: String::new(),
                columns: tier_columns(self.tiers.len() == 1),
                rows: self.tiers.iter().map(row).collect(),
            })],
            footnotes: vec![format!("Data: {}.", self.data)],
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
}

impl<'a> SizeDetail<'a> {
    /// The detail of `vm`.
    #[must_use]
    pub fn new(catalog: &'a Catalog, vm: &'a VmSize) -> Self {
        Self {
            schema: "diskcap.size/1",
            data: catalog.info(),
            size: SizeRow(vm),
            note: vm.note.as_deref(),
            origin: &vm.origin,
        }
    }
}

impl Report for SizeDetail<'_> {
    fn document(&self) -> Document {
        let vm = self.size.0;
        let mut footnotes = vec![
            format!("Data: {}.", self.data),
            format!("Source: {}, {}.", self.origin.source, self.origin.date),
        ];
        footnotes.extend(self.note.map(|note| format!("Note: {note}.")));
        Document {
            title: vm.name.clone(),
            subtitle: vm.interface.map(|i| format!("with {i} controller")),
            sections: vec![Section::Table(ceilings(vm)), Section::Table(properties(vm))],
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

/// A family whose size, IOPS and MB/s are provisioned apart.
#[derive(Debug, Clone, Serialize)]
pub struct FamilyDetail {
    /// `diskcap.family/1`.
    pub schema: &'static str,
    /// The family.
    pub family: Family,
    /// The finding that explains the ranges.
    #[serde(skip)]
    pub range_id: &'static str,
    /// Its figures, by name.
    pub ranges: Vec<Range>,
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

impl From<&ProvisionedRules> for FamilyDetail {
    fn from(rules: &ProvisionedRules) -> Self {
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

impl Report for FamilyDetail {
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
            sections: vec![Section::Table(Table {
                id: "ranges".to_owned(),
                title: "What can be provisioned".to_owned(),
                columns: vec![
                    Column::new("setting", "Setting"),
                    Column::new("min", "From"),
                    Column::new("max", "To"),
                    Column::new("rule", "Rule"),
                ],
                rows: self.ranges.iter().map(row).collect(),
            })],
            footnotes: vec![format!(
                "`diskcap explain {}` tells the rule and its source.",
                self.range_id
            )],
            ..Document::default()
        }
    }
}
