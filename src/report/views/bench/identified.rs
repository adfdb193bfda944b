//! What was measured by its figures, where no disk was named.

use super::run_column;
use crate::measure::bench::Bench;
use crate::measure::identify::RuledOut;
use crate::report::{Cell, Column, Row, Section, Table};
use crate::units::{Iops, MBps};

/// What was measured, where no disk was named.
pub(super) fn identified(bench: &Bench) -> Section {
    let several = bench.runs.len() > 1;
    let mut paragraphs = Vec::new();
    for run in &bench.runs {
        let Some(identification) = &run.identification else {
            continue;
        };
        let prefix = if several {
            format!("{}: ", run.label)
        } else {
            String::new()
        };
        let place = identification.place.headline();
        paragraphs.push(format!("{prefix}{place}; {}.", identification.conclusion));
        if !identification.reasons.is_empty() {
            let reasons = identification.reasons.join("; ");
            paragraphs.push(format!("{prefix}why: {reasons}."));
        }
        for RuledOut { name, reason } in &identification.ruled_out {
            paragraphs.push(format!("{prefix}not the {name}: {reason}."));
        }
    }
    Section::Text {
        title: "What it is, by its figures".to_owned(),
        paragraphs,
    }
}

pub(super) fn matches(bench: &Bench) -> Option<Table> {
    let mut rows = Vec::new();
    for run in &bench.runs {
        for found in run
            .identification
            .iter()
            .flat_map(|identification| &identification.matches)
        {
            let mbps = Cell::known(found.mbps.map(MBps::get), 1);
            rows.push(Row::new(vec![
                Cell::text(&run.label),
                Cell::text(&found.name),
                Cell::known(found.iops.map(Iops::get), 0),
                match found.listed_mbps {
                    Some(listed) => mbps.hinted(format!("listed as {listed}")),
                    None => mbps,
                },
                Cell::number(found.iops_hits as f64, 0),
                Cell::number(found.mbps_hits as f64, 0),
                Cell::number(found.distance * 100.0, 1),
                Cell::text(found.reasons.join("; ")),
            ]));
        }
    }
    (!rows.is_empty()).then(|| Table {
        id: "fits".to_owned(),
        title: "Limits that the figures fit, best first".to_owned(),
        columns: vec![
            run_column(bench),
            Column::new("limit", "Limit"),
            Column::new("iops", "IOPS"),
            Column::new("mbps", "MB/s"),
            Column::new("iops_tests", "Tests at IOPS").ranked(2),
            Column::new("mbps_tests", "Tests at MB/s").ranked(2),
            Column::new("distance_percent", "Off %").ranked(1),
            Column::new("reasons", "Reasons").on_request(),
        ],
        rows,
    })
}
