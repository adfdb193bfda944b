//! Paging times as a table and an advice, for plans and for measured results.

use super::outcome::basis;
use crate::planner::findings::duration;
use crate::planner::paging::{Paging, PagingDrive};
use crate::report::{Cell, Column, Row, Section, Table, Tone};

/// The table of the drives, and where the page file belongs. `sustained` is whether every time keeps within the limits
/// that hold without burst credit: a measured drive does only where its disk is named.
pub(super) fn sections(paging: &Paging, sustained: bool) -> [Section; 2] {
    [
        Section::Table(table(paging)),
        Section::Text {
            title: "Where the page file belongs".to_owned(),
            paragraphs: vec![paging.advice.clone(), assumption(paging, sustained)],
        },
    ]
}

fn assumption(paging: &Paging, sustained: bool) -> String {
    let within = if sustained {
        "both within the IOPS and MB/s that hold without burst credit"
    } else {
        "drives whose disk is not named as they were measured, burst credit included"
    };
    format!(
        "One I/O at a time, each waiting for the latency of the drive: random, every page of {} by itself; clustered, {} at \
         once, which is assumed; {within}.",
        paging.page_bytes, paging.cluster_bytes
    )
}

fn table(paging: &Paging) -> Table {
    let amount = paging.amount_gib.get();
    let amount = if amount < 1.0 {
        format!("{} MiB", crate::units::grouped(amount * 1024.0, 0))
    } else {
        paging.amount_gib.to_string()
    };
    Table {
        id: "paging".to_owned(),
        title: format!("Paging {amount}, seconds"),
        columns: vec![
            Column::new("drive", "Drive"),
            Column::new("local", "Local").ranked(2),
            Column::new("latency_us", "Read us").ranked(1),
            Column::new("in_random_s", "In, random"),
            Column::new("in_clustered_s", "In, clustered"),
            Column::new("out_random_s", "Out, random").ranked(3),
            Column::new("out_clustered_s", "Out, clustered").ranked(3),
        ],
        rows: paging
            .drives
            .iter()
            .map(|drive| row(drive, paging))
            .collect(),
    }
}

fn row(drive: &PagingDrive, paging: &Paging) -> Row {
    let time = |seconds: Option<f64>| {
        let cell = Cell::known(seconds, 1);
        match seconds.filter(|seconds| *seconds >= 120.0) {
            Some(seconds) => cell.hinted(duration(seconds)),
            None => cell,
        }
    };
    let latency = Cell::known(drive.latency_us.map(crate::units::Latency::micros), 0);
    Row {
        cells: vec![
            Cell::text(&drive.name),
            Cell::flag(drive.local),
            match drive.basis {
                Some(own) => latency.hinted(basis(own)),
                None => latency,
            },
            time(drive.page_in.random_seconds),
            time(drive.page_in.clustered_seconds),
            time(drive.page_out.random_seconds),
            time(drive.page_out.clustered_seconds),
        ],
        tone: if paging.best.as_ref() == Some(&drive.name) {
            Tone::Good
        } else {
            Tone::Plain
        },
        ..Row::default()
    }
}
