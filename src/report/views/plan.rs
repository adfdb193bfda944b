//! A plan's assessment as a document.

use super::findings;
use super::outcome::{
    basis, bottleneck, burst_doubts, figure, iops_of, mbps_of, outcome_cells, outcome_columns,
    unknown_latencies,
};
use super::plan_ceilings::ceilings;
use super::plan_charts::charts;
use super::plan_words::sentences;
use crate::catalog::{Axis, BurstKind, Ceiling, VmSize};
use crate::planner::assessment::{
    CacheView, PhasePair, Total, VmView, VolumeResult, VolumeView, WorkloadView,
};
use crate::planner::evaluate::{Bottleneck, Outcome};
use crate::planner::findings::duration;
use crate::planner::{Assessment, FindingId};
use crate::report::{Cell, Checked, Column, Document, Report, Row, Section, Table, Tone};
use crate::units::{Iops, MBps, grouped};

impl Report for Assessment {
    fn document(&self) -> Document {
        let mut sections = Vec::new();
        let sets = Set::all(self);
        for set in &sets {
            sections.push(Section::Table(effective(self, set)));
            if self.volumes.len() > 1 {
                sections.push(Section::Table(together(self, set)));
            }
        }
        sections.extend(findings::sections(&self.findings));
        sections.push(Section::Table(disks(self)));
        sections.extend(sets.iter().filter_map(cache_table).map(Section::Table));
        if self.vm.is_some() {
            sections.push(Section::Table(ceilings(self)));
        }
        if let Some(paging) = &self.paging {
            sections.extend(super::paging::sections(paging, true));
        }
        if let Some(cost) = &self.cost {
            sections.extend(super::money::tables(cost).into_iter().map(Section::Table));
        }
        sections.extend(charts(self).into_iter().map(Section::Chart));
        sections.push(Section::Words {
            title: "The maths in words, each volume by itself".to_owned(),
            paragraphs: sentences(self),
        });
        Document {
            title: title(self),
            subtitle: self.vm.as_ref().map(vm_line),
            sections,
            footnotes: footnotes(self),
            unfilled: findings::unfilled(),
            by_flag: super::money::by_flag(self.cost.as_ref()),
            ..Document::default()
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        let vm = self.vm.as_ref().map(|vm| vm.size.as_str());
        let name = self.name.as_deref().or(vm).unwrap_or("disks");
        Box::new(std::iter::once(findings::checked(name, vm, &self.findings)))
    }
}

fn title(assessment: &Assessment) -> String {
    let what = match &assessment.vm {
        Some(vm) => format!("disks on {}", vm.size),
        None => "disks by themselves (no VM, so no VM ceilings)".to_owned(),
    };
    match &assessment.name {
        Some(name) => format!("{name}: {what}"),
        None => format!("Plan: {what}"),
    }
}

fn vm_line(vm: &VmView) -> String {
    let mut parts = vec![format!("{} vCPUs", vm.vcpus)];
    parts.extend(vm.memory_gib.map(|m| m.to_string()));
    if let Some(most) = vm.max_data_disks {
        parts.push(format!("{} of {most} data disks", vm.data_disks));
    }
    parts.extend(controllers(vm));
    parts.join(", ")
}

/// The controller that the figures hold for; where the size has several, which.
fn controllers(vm: &VmView) -> Option<String> {
    let names: Vec<String> = vm.controllers.iter().map(ToString::to_string).collect();
    let several = (names.len() > 1).then(|| names.join(" or "));
    match (vm.interface, several) {
        (Some(own), Some(all)) => Some(format!("{own} controller (of {all})")),
        (Some(own), None) => Some(format!("{own} controller")),
        (None, Some(all)) => Some(format!("{all} controller")),
        (None, None) => None,
    }
}

/// The workloads that one table shows: IOPS from one, MB/s from another, where the standard tests are looked at.
struct Set<'a> {
    id: String,
    caption: String,
    iops: &'a WorkloadView,
    mbps: &'a WorkloadView,
}

impl<'a> Set<'a> {
    fn all(assessment: &'a Assessment) -> Vec<Self> {
        if let Some((random, sequential)) = assessment.standard_pair() {
            return vec![Self {
                id: "effective".to_owned(),
                caption: "IOPS: random 4 KiB reads at depth; MB/s: sequential 1 MiB reads"
                    .to_owned(),
                iops: random,
                mbps: sequential,
            }];
        }
        let several = assessment.workloads.len() > 1;
        let set = |w: &'a WorkloadView| Self {
            id: if several {
                format!("effective-{}", w.name)
            } else {
                "effective".to_owned()
            },
            caption: caption(w),
            iops: w,
            mbps: w,
        };
        assessment.workloads.iter().map(set).collect()
    }

    /// Whether IOPS and MB/s are those of the same I/O.
    fn is_one(&self) -> bool {
        std::ptr::eq(self.iops, self.mbps)
    }

    /// The id of another table of this set.
    fn id_of(&self, table: &str) -> String {
        self.id.replace("effective", table)
    }

    /// Each volume with what it gets for IOPS and for MB/s.
    fn results(
        &self,
        assessment: &'a Assessment,
    ) -> impl Iterator<Item = (&'a VolumeView, &'a VolumeResult, &'a VolumeResult)> + use<'a> {
        let (iops, mbps) = (self.iops, self.mbps);
        let results = iops.volumes.iter().zip(&mbps.volumes);
        let volumes = assessment.volumes.iter().zip(results);
        volumes.map(|(volume, (random, sequential))| (volume, random, sequential))
    }
}

/// What the workload does, where it does the same on every volume.
fn caption(workload: &WorkloadView) -> String {
    match workload.loads().as_slice() {
        [one] if workload.source.is_empty() => one.clone(),
        [one] => format!("{}: {one}", workload.name),
        _ => format!("{}: see the load column", workload.name),
    }
}

/// What stops IOPS and MB/s, once where both are stopped by limits of the same place.
fn effective(assessment: &Assessment, set: &Set<'_>) -> Table {
    let title = format!("Effective limits, each volume by itself ({})", set.caption);
    let mut columns = vec![
        Column::new("volume", "Volume"),
        Column::new("sku", "SKU").ranked(5),
        if set.is_one() && set.iops.loads().len() > 1 {
            Column::new("load", "Load").ranked(1)
        } else {
            Column::new("load", "Load").on_request()
        },
        Column::new("caching", "Cache").ranked(6),
    ];
    columns.extend(outcome_columns(set.is_one()));
    columns.extend([
        Column::new("provisioned_iops", "Prov. IOPS").ranked(8),
        Column::new("provisioned_mbps", "Prov. MB/s").ranked(8),
        Column::new("queue_depth_1_iops", "QD1 IOPS").ranked(7),
        Column::new("queue_depth_to_saturate", "QD for prov. IOPS").ranked(9),
        Column::new("unusable_iops", "Unusable IOPS").ranked(10),
        Column::new("unusable_mbps", "Unusable MB/s").ranked(10),
    ]);
    let rows = set.results(assessment).map(|(volume, random, sequential)| {
        let mut cells = vec![
            Cell::text(&volume.name),
            Cell::text(&volume.sku),
            Cell::text(random.load().to_string()),
            Cell::text(if volume.mixed_caching {
                "mixed"
            } else {
                volume.caching.name()
            }),
        ];
        cells.extend(outcome_cells(&random.alone, &sequential.alone));
        cells.extend([
            Cell::known(volume.provisioned.iops.map(Iops::get), 0),
            Cell::known(volume.provisioned.mbps.map(MBps::get), 1),
            Cell::known(volume.queue_depth_1.map(|q| q.ceiling_iops.get()), 0),
            Cell::known(volume.queue_depth_to_saturate, 0),
            Cell::known(volume.unusable_sustained.iops.map(Iops::get), 0),
            Cell::known(volume.unusable_sustained.mbps.map(MBps::get), 1),
        ]);
        Row::new(cells)
    });
    Table {
        rows: rows.collect(),
        id: set.id.clone(),
        title,
        columns,
    }
}

fn together(assessment: &Assessment, set: &Set<'_>) -> Table {
    let mut columns = vec![
        Column::new("volume", "Volume"),
        Column::new("sku", "SKU").ranked(5),
    ];
    columns.extend(outcome_columns(set.is_one()));
    let mut rows: Vec<Row> = set
        .results(assessment)
        .map(|(volume, random, sequential)| {
            let mut cells = vec![Cell::text(&volume.name), Cell::text(&volume.sku)];
            cells.extend(outcome_cells(&random.together, &sequential.together));
            Row::new(cells)
        })
        .collect();
    rows.push(total_row(&set.iops.total, &set.mbps.total));
    Table {
        id: set.id_of("together"),
        title: "All volumes at once".to_owned(),
        columns,
        rows,
    }
}

fn total_row(iops: &PhasePair<Total>, mbps: &PhasePair<Total>) -> Row {
    Row {
        cells: vec![
            Cell::text("(total)"),
            Cell::EMPTY,
            figure(iops.sustained.iops, 0, iops.sustained.at_most),
            figure(iops.burst.iops, 0, iops.burst.at_most),
            figure(mbps.sustained.mbps, 1, mbps.sustained.at_most),
            figure(mbps.burst.mbps, 1, mbps.burst.at_most),
        ],
        tone: Tone::Good,
        ..Row::default()
    }
}

fn disks(assessment: &Assessment) -> Table {
    let columns = vec![
        Column::new("volume", "Volume"),
        Column::new("sku", "SKU"),
        Column::new("size_gib", "GiB").ranked(3),
        Column::new("provisioned_iops", "IOPS"),
        Column::new("provisioned_mbps", "MB/s"),
        Column::new("disk_burst", "Burst of a disk").ranked(4),
        Column::new("latency_us", "QD1 us").ranked(6),
        Column::new("queue_depth_1_iops", "QD1 IOPS").ranked(1),
        Column::new("queue_depth_to_saturate", "QD for prov. IOPS").ranked(1),
        Column::new("unusable_iops", "Unusable IOPS").ranked(2),
        Column::new("unusable_mbps", "Unusable MB/s").ranked(2),
        Column::new("burst_unusable_iops", "Unusable IOPS in burst").on_request(),
        Column::new("burst_unusable_mbps", "Unusable MB/s in burst").on_request(),
        Column::new("crossing_block_kib", "Crossing KiB").ranked(7),
        Column::new("spec", "Spec").on_request(),
    ];
    Table {
        id: "disks".to_owned(),
        title: "What is provisioned".to_owned(),
        columns,
        rows: assessment.volumes.iter().map(disk_row).collect(),
    }
}

fn disk_row(volume: &VolumeView) -> Row {
    let unusable = |value: Option<f64>, decimals| {
        let tone = if value.is_some_and(|v| v > 0.0) {
            Tone::Warning
        } else {
            Tone::Plain
        };
        Cell::known(value, decimals).toned(tone)
    };
    let qd1 = volume.queue_depth_1;
    let basis = qd1.map(|q| basis(q.basis));
    let latency = Cell::known(qd1.map(|q| q.latency_us.micros()), 0);
    Row::new(vec![
        Cell::text(&volume.name),
        Cell::text(&volume.sku),
        Cell::known(volume.size_gib.map(crate::units::GiB::get), 0),
        Cell::known(volume.provisioned.iops.map(Iops::get), 0),
        Cell::known(volume.provisioned.mbps.map(MBps::get), 1),
        disk_burst(volume),
        basis.map_or(latency.clone(), |b| latency.hinted(b)),
        Cell::known(qd1.map(|q| q.ceiling_iops.get()), 0),
        Cell::known(volume.queue_depth_to_saturate, 0),
        unusable(volume.unusable_sustained.iops.map(Iops::get), 0),
        unusable(volume.unusable_sustained.mbps.map(MBps::get), 1),
        unusable(volume.unusable_burst.iops.map(Iops::get), 0),
        unusable(volume.unusable_burst.mbps.map(MBps::get), 1),
        Cell::known(volume.crossing_block_bytes.map(|b| b / 1024.0), 1),
        Cell::text(volume.spec.join(" + ")),
    ])
}

fn disk_burst(volume: &VolumeView) -> Cell {
    let Some(burst) = volume.burst else {
        return Cell::EMPTY;
    };
    let part = |axis| {
        burst
            .limits
            .on(axis)
            .map_or_else(|| "?".to_owned(), |v| grouped(v, 1))
    };
    let kind = match burst.kind {
        BurstKind::Credit { seconds } => duration(seconds),
        BurstKind::OnDemand => "on demand, billed".to_owned(),
    };
    Cell::text(format!(
        "{} / {}, {kind}",
        part(Axis::Iops),
        part(Axis::Mbps)
    ))
}

/// What host caching makes of the cached volumes under the workloads of a set; nothing where no volume is cached.
fn cache_table(set: &Set<'_>) -> Option<Table> {
    let results = set.iops.volumes.iter().zip(&set.mbps.volumes);
    let rows: Vec<Row> = results
        .filter_map(|(random, sequential)| {
            let (iops, mbps) = (random.cache?, sequential.cache?);
            let mut cells = vec![Cell::text(&random.volume)];
            let outcomes = |cache: &CacheView| [cache.cold, cache.warm, cache.uncached];
            // What only the queue depth stops below an unknown ceiling is no figure of the cache.
            let is_unknown = |outcome: &Outcome| {
                outcome.at_most && matches!(outcome.bottleneck, Bottleneck::QueueDepth)
            };
            for (iops, mbps) in outcomes(&iops).iter().zip(&outcomes(&mbps)) {
                let known = |outcome: &Outcome, cell| match is_unknown(outcome) {
                    true => Cell::EMPTY,
                    false => cell,
                };
                cells.extend([known(iops, iops_of(iops)), known(mbps, mbps_of(mbps))]);
            }
            for cache in [&iops, &mbps] {
                for outcome in [&cache.cold, &cache.warm] {
                    cells.push(match is_unknown(outcome) {
                        true => Cell::EMPTY,
                        false => bottleneck(outcome),
                    });
                }
            }
            Some(Row::new(cells))
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        id: set.id_of("cache"),
        title: format!(
            "Host cache: cold, warm (every read hits), and caching None; sustained ({})",
            set.caption
        ),
        columns: cache_columns(set.is_one()),
        rows,
    })
}

/// The columns of [`cache_table`]; `one` as in [`outcome_columns`].
fn cache_columns(one: bool) -> Vec<Column> {
    let [cold, warm] = if one {
        ["Cold stopped by", "Warm stopped by"]
    } else {
        ["IOPS cold stopped by", "IOPS warm stopped by"]
    };
    let second = |column: Column| if one { column.on_request() } else { column };
    vec![
        Column::new("volume", "Volume"),
        Column::new("cold_iops", "IOPS cold"),
        Column::new("cold_mbps", "MB/s cold"),
        Column::new("warm_iops", "IOPS warm"),
        Column::new("warm_mbps", "MB/s warm"),
        Column::new("none_iops", "IOPS None"),
        Column::new("none_mbps", "MB/s None"),
        Column::new("bottleneck_cold", cold).ranked(3),
        Column::new("bottleneck_warm", warm).ranked(4),
        second(Column::new("bottleneck_cold_mbps", "MB/s cold stopped by").ranked(5)),
        second(Column::new("bottleneck_warm_mbps", "MB/s warm stopped by").ranked(6)),
    ]
}

/// How traffic of both kinds of disks is held on sizes with two uncached ceilings.
///
/// Nothing of a size with one ceiling for all.
pub(super) fn two_ceilings(uncached: &Ceiling, remote: Option<&Ceiling>) -> Option<String> {
    let name = VmSize::REMOTE_NAME;
    Some(match remote?.is_within(uncached) {
        true => format!(
            "All remote disks stay within the uncached ceiling, those of the {name} one within that too: no burst of it is documented."
        ),
        false => format!(
            "Tiered disks stay within the uncached ceiling, all remote disks together within the {name} one: an assumption."
        ),
    })
}

fn footnotes(assessment: &Assessment) -> Vec<String> {
    let mut notes = vec![format!("Data: {}.", assessment.data)];
    notes.extend(
        assessment
            .cost
            .as_ref()
            .map(|c| format!("Money: {}; 730 hours a month.", c.prices)),
    );
    notes.extend(assessment.cost.iter().flat_map(super::money::left_out));
    let cost = assessment.cost.as_ref();
    notes.extend(cost.and_then(super::money::nothing_to_save));
    let vm = assessment.vm.as_ref();
    notes.extend(
        cost.zip(vm)
            .and_then(|(cost, vm)| super::money::ways_apart(cost, vm)),
    );
    let bursts = assessment.volumes.iter();
    notes.extend(burst_doubts(
        bursts.map(|v| (v.name.as_str(), v.burst_doubt.as_deref())),
    ));
    notes.extend(untold_latencies(assessment));
    notes.extend(workload_sources(assessment));
    if let Some(vm) = &assessment.vm {
        notes.push(format!(
            "{}: {}, {}.",
            vm.size, vm.origin.source, vm.origin.date
        ));
        notes.extend(two_ceilings(&vm.uncached, vm.remote.as_ref()));
    }
    notes
}

/// Why figures of the headline are upper bounds, where no finding says it: the standard tests are nothing that was asked.
fn untold_latencies(assessment: &Assessment) -> Option<String> {
    let mut findings = assessment.findings.iter();
    if findings.any(|finding| finding.id == FindingId::LatencyUnknown) {
        return None;
    }
    let (random, sequential) = assessment.headline()?;
    let results = random.volumes.iter().chain(&sequential.volumes);
    unknown_latencies(results.flat_map(|result| {
        let outcomes = [result.alone.sustained, result.alone.burst];
        outcomes.map(|outcome| (result.volume.as_str(), outcome.latency_needed))
    }))
}

/// The workloads that have a source, those of the same source in one line.
fn workload_sources(assessment: &Assessment) -> Vec<String> {
    let mut lines: Vec<(&str, Vec<&str>)> = Vec::new();
    for workload in assessment.workloads.iter().filter(|w| !w.source.is_empty()) {
        match lines
            .iter_mut()
            .find(|(source, _)| *source == workload.source)
        {
            Some((_, names)) => names.push(&workload.name),
            None => lines.push((&workload.source, vec![&workload.name])),
        }
    }
    let line = |(source, names): (&str, Vec<&str>)| format!("{}: {source}.", names.join(", "));
    lines.into_iter().map(line).collect()
}
