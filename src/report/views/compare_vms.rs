//! VM sizes side by side as a document.

use std::collections::BTreeMap;

use super::capped_chart::{CappedChart, ChartCap};
use super::compare_sizes::{named, sizes, tone};
use super::month::{bought, footnotes_of, unpriced, without_price};
use super::outcome::{
    burst_doubts, iops_of, load_sources, mbps_of, outcome_cells, outcome_columns, unknown_latencies,
};
use crate::catalog::{Axis, Ceiling, Limits, VmSize};
use crate::compare::VmComparison;
use crate::compare::reach::LoadPair;
use crate::compare::vms::{SizeReach, SizeRow, VolumeReach};
use crate::deployment::DiskSpec;
use crate::planner::{FindingId, Outcome};
use crate::report::{
    Bar, Cell, Chart, Column, Document, Note, Notes, Report, Row, Section, Table, Tone,
};

impl Report for VmComparison {
    fn document(&self) -> Document {
        let mut sections = vec![Section::Table(sizes(self))];
        let refused = refused(self);
        if !refused.items.is_empty() {
            sections.push(Section::Notes(refused));
        }
        if !self.volumes.is_empty() {
            sections.push(Section::Text {
                title: "Which size lifts every cap".to_owned(),
                paragraphs: vec![lifting(self)],
            });
            if self.volumes.len() > 1 {
                sections.push(Section::Table(matrix(self)));
            }
            sections.push(Section::Table(effective(self)));
        }
        sections.extend(charts(self).into_iter().map(Section::Chart));
        Document {
            title: "VM sizes compared".to_owned(),
            subtitle: subtitle(self),
            sections,
            footnotes: footnotes(self),
            ..Document::default()
        }
    }
}

fn subtitle(comparison: &VmComparison) -> Option<String> {
    let loads = comparison.loads.as_ref()?;
    let volumes = comparison.volumes.iter();
    let volumes: Vec<String> = volumes.map(|volume| volume.spec.join(" + ")).collect();
    Some(format!(
        "Disks: {}. {}",
        volumes.join(", "),
        loads.caption()
    ))
}

/// How many sizes are named with what speaks against them; a list of hundreds helps nobody.
const MOST_NAMED: usize = 3;

/// What speaks against the disks on sizes that cannot take them, by finding.
fn refused(comparison: &VmComparison) -> Notes {
    let reaches = comparison.sizes.iter().filter_map(|row| row.reach.as_ref());
    let mut by_id: Vec<(Option<FindingId>, Vec<&str>)> = Vec::new();
    for refusal in reaches.flat_map(|reach| &reach.refused) {
        match by_id.iter_mut().find(|(id, _)| *id == refusal.id) {
            Some((_, said)) if !said.contains(&&*refusal.message) => said.push(&refusal.message),
            Some(_) => {}
            None => by_id.push((refusal.id, vec![&refusal.message])),
        }
    }
    let item = |(id, said): (Option<FindingId>, Vec<&str>)| {
        let named: Vec<&str> = said.iter().take(MOST_NAMED).copied().collect();
        let more = match said.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!("; and {more} more like that"),
        };
        Note {
            label: "refused".to_owned(),
            tone: Tone::Bad,
            id: id.map_or_else(String::new, |id| id.code().to_owned()),
            text: format!("{}{more}", named.join("; ")),
            ..Note::default()
        }
    };
    let has_figures = |reach: &SizeReach| !reach.refused.is_empty() && reach.total.is_some();
    let mut reaches = comparison.sizes.iter().filter_map(|row| row.reach.as_ref());
    let title = match reaches.any(has_figures) {
        true => {
            "Sizes that cannot take the disks (their figures are what would hold if they could)"
        }
        false => "Sizes that cannot take the disks",
    };
    Notes {
        id: "refused".to_owned(),
        title: title.to_owned(),
        items: by_id.into_iter().map(item).collect(),
    }
}

fn lifting(comparison: &VmComparison) -> String {
    let Some(first) = &comparison.first_lifting else {
        return "None of these sizes takes the disks and lets everything through, all at once and without bursting."
            .to_owned();
    };
    let priced = |name: &String| {
        let row = comparison
            .sizes
            .iter()
            .find(|row| row.size.label() == *name);
        match row.and_then(|row| row.size.month.as_ref()?.fixed) {
            Some(fixed) => format!("{name} ({fixed} a month without disks)"),
            None => name.clone(),
        }
    };
    let cheapest = match &comparison.cheapest_lifting {
        Some(cheapest) if cheapest != first => format!(" The cheapest is {}.", priced(cheapest)),
        Some(_) => " It is also the cheapest.".to_owned(),
        None => String::new(),
    };
    format!(
        "{} is the first (by vCPUs, then memory) that takes the disks and lets everything through, all at once and \
         without bursting.{cheapest}",
        priced(first)
    )
}

/// Sizes by disks: what each reaches by itself, without bursting; the ceiling that stops it stands beside.
fn matrix(comparison: &VmComparison) -> Table {
    let mut columns = vec![Column::new("size", "Size")];
    for volume in &comparison.volumes {
        let id = identifier(&volume.name);
        columns.push(Column::new(
            format!("{id}_iops"),
            format!("{} IOPS", volume.name),
        ));
        columns.push(Column::new(
            format!("{id}_mbps"),
            format!("{} MB/s", volume.name),
        ));
    }
    let stopped = |cell: Cell, outcome: &Outcome| {
        if outcome.bottleneck.is_vm() {
            cell.toned(Tone::Warning).hinted("VM")
        } else {
            cell
        }
    };
    let pair = |reach: Option<&VolumeReach>| match reach {
        None => [Cell::EMPTY, Cell::EMPTY],
        Some(VolumeReach { alone, .. }) => [
            stopped(iops_of(&alone.iops.sustained), &alone.iops.sustained),
            stopped(mbps_of(&alone.mbps.sustained), &alone.mbps.sustained),
        ],
    };
    let row = |row: &SizeRow| {
        let mut cells = vec![named(row)];
        for index in 0..comparison.volumes.len() {
            let reach = row.reach.as_ref();
            cells.extend(pair(reach.and_then(|reach| reach.volumes.get(index))));
        }
        Row {
            cells,
            tone: tone(row),
            ..Row::default()
        }
    };
    Table {
        id: "matrix".to_owned(),
        title: "Sizes by disks: each disk by itself, without bursting (VM: stopped by the size)"
            .to_owned(),
        columns,
        rows: comparison.sizes.iter().map(row).collect(),
    }
}

/// A name as part of a column's id.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    name.to_lowercase().chars().map(plain).collect()
}

/// Every size and volume in a row of its own, with what stops it.
fn effective(comparison: &VmComparison) -> Table {
    let several = comparison.volumes.len() > 1;
    let mut columns = vec![Column::new("size", "Size"), Column::new("volume", "Volume")];
    let one = comparison.loads.as_ref().is_some_and(LoadPair::is_one);
    columns.extend(outcome_columns(one));
    let together = [
        Column::new("together_iops", "IOPS, all at once").ranked(2),
        Column::new("together_mbps", "MB/s, all at once").ranked(2),
    ];
    columns.extend(together.map(|column| if several { column } else { column.on_request() }));
    let rows = comparison.sizes.iter().flat_map(|row| {
        let volumes = row.reach.iter().flat_map(|reach| &reach.volumes);
        volumes.map(|volume| {
            let mut cells = vec![named(row), Cell::text(&volume.volume)];
            cells.extend(outcome_cells(&volume.alone.iops, &volume.alone.mbps));
            cells.push(iops_of(&volume.together.iops.sustained));
            cells.push(mbps_of(&volume.together.mbps.sustained));
            Row {
                cells,
                tone: tone(row),
                ..Row::default()
            }
        })
    });
    Table {
        id: "effective".to_owned(),
        title: "What each disk reaches by itself".to_owned(),
        columns,
        rows: rows.collect(),
    }
}

fn charts(comparison: &VmComparison) -> Vec<Chart> {
    let charts = [Axis::Iops, Axis::Mbps].into_iter();
    if comparison.volumes.is_empty() {
        charts
            .filter_map(|axis| ceiling_chart(comparison, axis))
            .collect()
    } else {
        charts
            .filter_map(|axis| reach_chart(comparison, axis))
            .collect()
    }
}

fn ceiling_chart(comparison: &VmComparison, axis: Axis) -> Option<Chart> {
    let any_remote = comparison.sizes.iter().any(|row| row.size.remote.is_some());
    let group = |row: &SizeRow| {
        let remote = any_remote.then(|| row.size.remote_ceiling());
        let cached = row.size.cached.base.on(axis);
        let no_cache = cached.is_none() && row.size.premium_caching == Some(false);
        let values = vec![
            row.size.uncached.base.on(axis).into(),
            remote.map_or(Bar::Absent, |ceiling| ceiling.base.on(axis).into()),
            if no_cache { Bar::Absent } else { cached.into() },
        ];
        (row.size.short_label(), values)
    };
    CappedChart {
        id: "ceilings",
        title: "Ceilings of the sizes",
        axis,
        series: &["uncached", VmSize::REMOTE_NAME, "cached"],
        groups: comparison.sizes.iter().map(group).collect(),
        caps: &[],
    }
    .chart()
}

/// What all disks reach at once on each size; across, what they are provisioned for together.
fn reach_chart(comparison: &VmComparison, axis: Axis) -> Option<Chart> {
    let group = |row: &SizeRow| {
        let total = row.reach.as_ref().and_then(|reach| reach.total);
        let pair = total.map(|total| match axis {
            Axis::Iops => total.iops,
            Axis::Mbps => total.mbps,
        });
        let values = vec![
            pair.and_then(|pair| pair.sustained.value).into(),
            pair.and_then(|pair| pair.burst.value).into(),
        ];
        (row.size.short_label(), values)
    };
    let provisioned = comparison.volumes.iter().map(|v| v.provisioned);
    let sum = provisioned
        .map(|limits| Some((limits.iops?.get(), limits.mbps?.get())))
        .try_fold((0.0, 0.0), |sum, limits| {
            let (iops, mbps) = limits?;
            Some((sum.0 + iops, sum.1 + mbps))
        });
    let line = |(iops, mbps): (f64, f64)| {
        let base = Limits {
            iops: crate::units::Iops::new(iops).ok(),
            mbps: crate::units::MBps::new(mbps).ok(),
        };
        ChartCap::new(
            "provisioned",
            &Ceiling {
                base,
                ..Ceiling::default()
            },
        )
    };
    let caps: Vec<ChartCap> = sum.into_iter().map(line).collect();
    CappedChart {
        id: "reached",
        title: "Reached, all disks at once",
        axis,
        series: &["sustained", "in burst"],
        groups: comparison.sizes.iter().map(group).collect(),
        caps: &caps,
    }
    .chart()
}

/// Which sizes take NVMe drivers in the image, where others do not.
fn nvme_only(comparison: &VmComparison) -> Option<String> {
    let (only, others): (Vec<&SizeRow>, Vec<&SizeRow>) =
        (comparison.sizes.iter()).partition(|row| row.size.is_nvme_only());
    let (first, rest) = only.split_first().filter(|_| !others.is_empty())?;
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "NVMe controller only, with the driver for it in the image: {}{more}.",
        first.size.size
    ))
}

/// What counts as the own limit of a local disk.
fn local_without_demand(comparison: &VmComparison) -> Option<String> {
    let specs = comparison.volumes.iter().flat_map(|volume| &volume.spec);
    let mut specs = specs.filter_map(|spec| spec.parse::<DiskSpec>().ok());
    let any = specs.any(|spec| spec.request.family.is_local());
    any.then(|| {
        "A local disk is as fast as the size makes it: it is held back where a demand is stated (--iops, --mbps) and not met; \
         without a demand it takes all there is."
            .to_owned()
    })
}

fn footnotes(comparison: &VmComparison) -> Vec<String> {
    let mut notes = vec![format!("Data: {}.", comparison.data)];
    let months = comparison.volumes.iter().filter_map(|v| v.month.as_ref());
    notes.extend(footnotes_of(comparison.prices.as_ref(), months));
    if comparison.prices.is_some() {
        notes.push(bought(comparison.offer));
    }
    let rows = comparison.sizes.iter().flat_map(|row| {
        let month = row.size.month.as_ref();
        let of_size = month.is_none().then(|| row.size.size.clone());
        of_size.into_iter().chain(without_price(month))
    });
    notes.extend(unpriced(comparison.prices.as_ref(), rows));
    notes.extend(nvme_only(comparison));
    let volumes = comparison.volumes.iter();
    notes.extend(burst_doubts(
        volumes.map(|v| (v.name.as_str(), v.burst_doubt.as_deref())),
    ));
    let reached = comparison.sizes.iter().filter_map(|row| row.reach.as_ref());
    let volumes = reached.flat_map(|reach| &reach.volumes);
    notes.extend(unknown_latencies(volumes.map(|volume| {
        (volume.volume.as_str(), volume.alone.latency_needed())
    })));
    notes.extend(super::retiring::note(
        comparison
            .sizes
            .iter()
            .map(|row| (row.size.size.as_str(), row.size.retirement.as_deref())),
    ));
    notes.extend(load_sources(comparison.loads.as_ref()));
    notes.extend(local_without_demand(comparison));
    if !comparison.volumes.is_empty() {
        notes.extend(two_ceilings_of(&comparison.sizes));
    }
    notes
}

/// How the ceilings of remote disks go together; where that is not the same on all sizes that have two, those that
/// differ from most are named.
fn two_ceilings_of(sizes: &[SizeRow]) -> Vec<String> {
    let mut of_sizes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for size in sizes.iter().map(|row| &row.size) {
        if let Some(note) = super::plan::two_ceilings(&size.uncached, size.remote.as_ref()) {
            of_sizes.entry(note).or_default().push(size.short_label());
        }
    }
    let most = of_sizes.values().map(Vec::len).max();
    let rest = of_sizes.iter().find(|(_, names)| Some(names.len()) == most);
    let rest = rest.map(|(note, _)| note.clone());
    let named = of_sizes
        .iter()
        .filter(|(note, _)| Some(*note) != rest.as_ref());
    let mut notes: Vec<String> = named
        .map(|(note, names)| format!("{}: {note}", names.join(", ")))
        .collect();
    notes.extend(rest.map(|note| match notes.is_empty() {
        true => note,
        false => format!("Other sizes: {note}"),
    }));
    notes
}
