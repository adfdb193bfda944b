//! The traces that a workload was made of, as a table and notes.

use super::simulate::bad_time;
use crate::recommend::from_trace::{Covered, FromTrace, VolumeFromTrace};
use crate::report::{Cell, Column, Row, Table};
use crate::units::{BlockSize, Iops, KIB, MBps, Share};
use crate::workload::traced::{Traced, TracedVolume};

/// What the traces say of each volume.
pub(super) fn table(traced: &Traced) -> Table {
    Table {
        id: "traces".to_owned(),
        title: "The traces that the load was taken from".to_owned(),
        columns: vec![
            Column::new("volume", "Volume"),
            Column::new("devices", "Device"),
            Column::new("logs", "Log").ranked(6),
            Column::new("samples", "Samples").ranked(3),
            Column::new("mean_iops", "Mean IOPS"),
            Column::new("peak_iops", "Peak IOPS").ranked(1),
            Column::new("mean_mbps", "Mean MB/s"),
            Column::new("peak_mbps", "Peak MB/s").ranked(1),
            Column::new("mean_block_kib", "Mean block KiB").ranked(2),
            Column::new("read_percent", "Reads %").ranked(4),
            Column::new("no_sample_s", "Without sample").ranked(5),
        ],
        rows: traced.volumes.iter().map(row).collect(),
    }
}

fn row(volume: &TracedVolume) -> Row {
    Row::new(vec![
        Cell::text(&volume.volume),
        Cell::text(volume.devices.join(", ")),
        Cell::text(volume.logs.join(", ")),
        Cell::number(volume.samples as f64, 0),
        Cell::known(volume.iops.map(Iops::get), 1),
        Cell::known(volume.peak_iops.map(Iops::get), 1),
        Cell::known(volume.mbps.map(MBps::get), 2),
        Cell::known(volume.peak_mbps.map(MBps::get), 2),
        Cell::known(volume.block_size.map(kib), 1),
        Cell::known(volume.read_share.map(percent), 1),
        without_sample(volume),
    ])
}

fn kib(block: BlockSize) -> f64 {
    block.bytes_f64() / KIB as f64
}

fn percent(share: Share) -> f64 {
    100.0 * share.get()
}

fn without_sample(volume: &TracedVolume) -> Cell {
    bad_time(volume.unknown.get())
}

/// What a need was taken from.
pub(super) fn need(taken: &FromTrace) -> Table {
    let of_time = |unit: &str| match taken.covered {
        Covered(Share::ALL) => format!("Most {unit}"),
        covered => format!("{unit}, {covered}"),
    };
    let peak = |column: Column| match taken.covered {
        // The need is the peak.
        Covered(Share::ALL) => column.on_request(),
        _ => column.ranked(1),
    };
    let rows = taken.volumes.iter().filter_map(|volume| {
        let mut facts = taken.traces.volumes.iter();
        let facts = facts.find(|facts| facts.volume == volume.volume)?;
        Some(need_row(volume, facts))
    });
    Table {
        id: "from-trace".to_owned(),
        title: "The traces that the need was taken from".to_owned(),
        columns: vec![
            Column::new("volume", "Volume"),
            Column::new("devices", "Device"),
            Column::new("logs", "Log").ranked(6),
            Column::new("samples", "Samples").ranked(4),
            Column::new("covered_iops", of_time("IOPS")),
            Column::new("mean_iops", "Mean IOPS").ranked(5),
            peak(Column::new("peak_iops", "Peak IOPS")),
            Column::new("covered_mbps", of_time("MB/s")),
            Column::new("mean_mbps", "Mean MB/s").ranked(5),
            peak(Column::new("peak_mbps", "Peak MB/s")),
            Column::new("busy_block_kib", "Block KiB").ranked(2),
            Column::new("busy_read_percent", "Reads %").ranked(3),
            Column::new("no_sample_s", "Without sample").ranked(5),
        ],
        rows: rows.collect(),
    }
}

fn need_row(taken: &VolumeFromTrace, facts: &TracedVolume) -> Row {
    Row::new(vec![
        Cell::text(&taken.volume),
        Cell::text(facts.devices.join(", ")),
        Cell::text(facts.logs.join(", ")),
        Cell::number(facts.samples as f64, 0),
        Cell::known(taken.iops.map(Iops::get), 0),
        Cell::known(facts.iops.map(Iops::get), 1),
        Cell::known(facts.peak_iops.map(Iops::get), 1),
        Cell::known(taken.mbps.map(MBps::get), 1),
        Cell::known(facts.mbps.map(MBps::get), 2),
        Cell::known(facts.peak_mbps.map(MBps::get), 2),
        Cell::known(taken.block_size.map(kib), 1),
        Cell::known(taken.read_share.map(percent), 1),
        without_sample(facts),
    ])
}

/// What is to be known of a need that rests on traces.
pub(super) fn need_notes(taken: &FromTrace) -> Vec<String> {
    let mut notes = vec![match taken.covered {
        Covered(Share::ALL) => {
            "The need is the most that the traces show of each volume, IOPS and MB/s by themselves."
                .to_owned()
        }
        Covered(share) => format!(
            "The need is the {} over time of each volume, IOPS and MB/s by themselves: for up to {} of the time it was more, up \
             to the peak (--percentile max). `diskcap simulate --trace` shows what waits then.",
            taken.covered,
            Share::new(1.0 - share.get()).unwrap_or(Share::NONE)
        ),
    }];
    notes.push(
        "Block size and reads are those of the time at or above it. What the need itself says of a volume goes over the \
         trace."
            .to_owned(),
    );
    notes.extend(self::notes(&taken.traces));
    notes
}

/// What is to be known of figures that rest on traces.
pub(super) fn notes(traced: &Traced) -> Vec<String> {
    let mut notes = vec![
        "A trace tells what was served, not what was asked for: where the measured disk was at a limit, more may have \
         been wanted."
            .to_owned(),
    ];
    let any = |unsaid: fn(&TracedVolume) -> bool| traced.volumes.iter().any(unsaid);
    if any(|volume| volume.block_size.is_none()) {
        notes.push(
            "No block size where a trace does not say both IOPS and MB/s: it is as the plan or the flags say, else 4 KiB \
             (1 MiB where the trace says MB/s)."
                .to_owned(),
        );
    }
    if any(|volume| volume.read_share.is_none()) {
        notes.push(
            "No share of reads where a trace does not tell reads from writes: it is as the plan or the flags say, else \
             reads only."
                .to_owned(),
        );
    }
    if !traced.left_out.is_empty() {
        notes.push(format!(
            "In the traces and no volume: {}.",
            traced.left_out.join(", ")
        ));
    }
    notes.extend(traced.notes.iter().map(|note| format!("{note}.")));
    notes
}

/// From when on, and how finely.
pub(super) fn when(traced: &Traced) -> Option<String> {
    let start = traced
        .start
        .as_ref()
        .map(|start| format!("as measured from {start}"));
    let every = traced.every.map(|every| {
        let every = crate::planner::findings::duration(every.get());
        format!("averaged over {every}")
    });
    let parts: Vec<String> = start.into_iter().chain(every).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
