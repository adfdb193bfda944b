//! The ceilings of a plan's VM as a table.

use crate::catalog::Axis;
use crate::planner::assessment::CeilingUse;
use crate::planner::{Assessment, Phase};
use crate::report::{Cell, Column, Row, Table, Tone};
use crate::units::grouped;

/// The ceilings of the VM, each under the workload that asks most of it.
pub(super) fn ceilings(assessment: &Assessment) -> Table {
    let mut heaviest: Vec<(&str, CeilingUse)> = Vec::new();
    let asked = |row: &CeilingUse| row.known_asked(Phase::Burst).unwrap_or(f64::INFINITY);
    for workload in &assessment.workloads {
        for row in &workload.ceilings {
            let same =
                |(_, r): &&mut (&str, CeilingUse)| r.ceiling == row.ceiling && r.axis == row.axis;
            if row.asked.burst == Some(0.0) && row.asked.sustained == Some(0.0) {
                continue;
            }
            match heaviest.iter_mut().find(same) {
                Some(known) if asked(row) > asked(&known.1) => *known = (&workload.name, *row),
                Some(_) => {}
                None => heaviest.push((&workload.name, *row)),
            }
        }
    }
    let columns = vec![
        Column::new("ceiling", "Ceiling"),
        Column::new("unit", "Unit"),
        Column::new("capacity", "Cap"),
        Column::new("burst_capacity", "Cap burst"),
        Column::new("asked", "Could draw"),
        Column::new("burst_asked", "Could draw burst").ranked(2),
        Column::new("asked_at_least", "Could draw at least").on_request(),
        Column::new("ratio", "Draw/cap"),
        Column::new("used", "Used").ranked(3),
        Column::new("burst_used", "Used burst").on_request(),
        Column::new("headroom", "Headroom").ranked(4),
        Column::new("workload", "Workload").ranked(5),
    ];
    Table {
        id: "ceilings".to_owned(),
        title: "Ceilings of the VM, all volumes at once".to_owned(),
        columns,
        rows: heaviest
            .iter()
            .map(|(name, row)| ceiling_row(name, row))
            .collect(),
    }
}

fn ceiling_row(workload: &str, row: &CeilingUse) -> Row {
    let decimals = if row.axis == Axis::Iops { 0 } else { 1 };
    let known = |value| Cell::known(value, decimals);
    let capacity = match row.listed {
        Some(listed) => known(row.capacity).hinted(format!("listed as {}", grouped(listed, 1))),
        None => known(row.capacity),
    };
    let tone = match row.ratio() {
        Some(ratio) if ratio > 1.0 + 1e-9 => Tone::Warning,
        _ => Tone::Plain,
    };
    Row::new(vec![
        Cell::text(row.ceiling.name()),
        Cell::text(row.axis.to_string()),
        capacity,
        known(row.burst_capacity),
        known(row.asked.sustained),
        known(row.asked.burst),
        known(row.asked_at_least.sustained),
        Cell::known(row.ratio(), 2).toned(tone),
        known(row.used.sustained),
        known(row.used.burst),
        known(row.headroom()),
        Cell::text(workload),
    ])
}
