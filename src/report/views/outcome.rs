//! Cells that several views share: what a volume gets and what stops it.

use crate::catalog::Basis;
use crate::compare::reach::LoadPair;
use crate::planner::assessment::PhasePair;
use crate::planner::evaluate::{Bottleneck, Outcome};
use crate::report::{Cell, Column, Tone};
use crate::units::{Iops, Latency, MBps};

pub(super) fn iops_of(outcome: &Outcome) -> Cell {
    figure(outcome.iops.map(Iops::get), 0, outcome.at_most)
}

pub(super) fn mbps_of(outcome: &Outcome) -> Cell {
    figure(outcome.mbps.map(MBps::get), 1, outcome.at_most)
}

pub(super) fn figure(value: Option<f64>, decimals: u8, at_most: bool) -> Cell {
    match value {
        Some(value) if at_most => Cell::at_most(value, decimals),
        value => Cell::known(value, decimals),
    }
}

pub(super) fn bottleneck(outcome: &Outcome) -> Cell {
    let tone = match outcome.bottleneck {
        b if b.is_vm() => Tone::Warning,
        Bottleneck::Demand if !outcome.at_most => Tone::Good,
        _ => Tone::Plain,
    };
    Cell::text(outcome.stopped_by()).toned(tone)
}

/// The columns of [`outcome_cells`]. Where there is little room, what stops a volume is kept longer than its bursts. Where IOPS and MB/s are those of `one` I/O, one thing stops both: it is shown once.
pub(super) fn outcome_columns(one: bool) -> [Column; 8] {
    let (stopped, mbps_stopped) = if one {
        (
            "Stopped by",
            Column::new("bottleneck_mbps", "MB/s stopped by").on_request(),
        )
    } else {
        (
            "IOPS stopped by",
            Column::new("bottleneck_mbps", "MB/s stopped by"),
        )
    };
    [
        Column::new("sustained_iops", "IOPS"),
        Column::new("burst_iops", "IOPS burst").ranked(4),
        Column::new("sustained_mbps", "MB/s"),
        Column::new("burst_mbps", "MB/s burst").ranked(4),
        Column::new("bottleneck_iops", stopped),
        mbps_stopped,
        Column::new("burst_bottleneck_iops", "IOPS burst stopped by").on_request(),
        Column::new("burst_bottleneck_mbps", "MB/s burst stopped by").on_request(),
    ]
}

pub(super) fn outcome_cells(
    random: &PhasePair<Outcome>,
    sequential: &PhasePair<Outcome>,
) -> [Cell; 8] {
    [
        iops_of(&random.sustained),
        iops_of(&random.burst),
        mbps_of(&sequential.sustained),
        mbps_of(&sequential.burst),
        bottleneck(&random.sustained),
        bottleneck(&sequential.sustained),
        bottleneck(&random.burst),
        bottleneck(&sequential.burst),
    ]
}

pub(super) const fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Documented => "documented",
        Basis::Measured => "measured",
        Basis::Typical => "typical",
        Basis::Assumed => "assumed",
    }
}

/// Where the figures of the workloads come from, each source once.
pub(super) fn load_sources(loads: Option<&LoadPair>) -> Vec<String> {
    let loads = loads
        .into_iter()
        .flat_map(|loads| [&loads.iops, &loads.mbps]);
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for load in loads.filter(|load| !load.source.is_empty()) {
        match notes.iter_mut().find(|(source, _)| *source == load.source) {
            Some((_, names)) if names.contains(&load.name.as_str()) => {}
            Some((_, names)) => names.push(&load.name),
            None => notes.push((&load.source, vec![&load.name])),
        }
    }
    let note = |(source, names): (&str, Vec<&str>)| format!("{}: {source}.", names.join(", "));
    notes.into_iter().map(note).collect()
}

/// What `≤` stands for where nobody knows what is behind it.
pub(super) const AT_MOST: &str = "≤: a limit on the way, or what the queue depth makes, is unknown; the true figure may be lower.";

/// Why figures of volumes by name are upper bounds, each with the latency that an I/O must not exceed for them.
pub(super) fn unknown_latencies<'a>(
    volumes: impl Iterator<Item = (&'a str, Option<Latency>)>,
) -> Option<String> {
    let mut needed: Vec<(&str, Latency)> = Vec::new();
    for (name, latency) in volumes.filter_map(|(name, latency)| Some((name, latency?))) {
        match needed.iter_mut().find(|(known, _)| *known == name) {
            Some((_, least)) if latency < *least => *least = latency,
            Some(_) => {}
            None => needed.push((name, latency)),
        }
    }
    let each = needed
        .iter()
        .map(|(name, latency)| format!("{name} {latency}"));
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| {
        format!(
            "≤: what the queue depth makes of disks of unknown latency; it holds where an I/O takes no more than: {}.",
            each.join(", ")
        )
    })
}

/// Bursts that are reckoned with and that no source gives the disk: of volumes by name, each with what speaks against.
pub(super) fn burst_doubts<'a>(
    volumes: impl Iterator<Item = (&'a str, Option<&'a str>)>,
) -> Vec<String> {
    volumes
        .filter_map(|(name, doubt)| Some(format!("Burst of {name}: {}.", doubt?)))
        .collect()
}
