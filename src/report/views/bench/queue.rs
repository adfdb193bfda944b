//! One I/O at a time, and what its latency means for deeper queues.

use super::run_column;
use crate::catalog::Basis;
use crate::measure::bench::{Bench, RunReport};
use crate::measure::judge::QueueDepth1Check;
use crate::report::{Cell, Column, Row, Table};
use crate::units::{Latency, grouped};

pub(super) fn queue_depth_1(bench: &Bench) -> Option<Table> {
    let rows: Vec<Row> = bench
        .runs
        .iter()
        .flat_map(|run| {
            run.judgement
                .queue_depth_1
                .iter()
                .map(move |check| queue_row(run, check))
        })
        .collect();
    let shown = |shown: bool, column: Column| if shown { column } else { column.on_request() };
    let checks = || {
        bench
            .runs
            .iter()
            .flat_map(|run| &run.judgement.queue_depth_1)
    };
    let typical = checks().any(|check| check.typical_latency_us.is_some());
    let reach = checks().any(|check| check.depth_to_reach_limit.is_some());
    let application = checks().find_map(|check| check.application);
    let depth = application.map_or_else(|| "N".to_owned(), |at| at.queue_depth.to_string());
    (!rows.is_empty()).then(|| Table {
        id: "queue-depth-1".to_owned(),
        title: "One I/O at a time: the rate is 1 / latency, whatever the disk is provisioned for"
            .to_owned(),
        columns: vec![
            run_column(bench),
            Column::new("test", "Test"),
            Column::new("iops", "IOPS"),
            Column::new("latency_us", "Latency us").ranked(2),
            Column::new("implied_latency_us", "Implied us"),
            Column::new("ceiling_iops", "1 / latency").on_request(),
            shown(typical, Column::new("typical_latency_us", "Usual us")),
            shown(
                typical,
                Column::new("ratio_to_typical", "Times usual").ranked(1),
            ),
            shown(reach, Column::new("depth_to_reach_limit", "QD for limit")),
            shown(
                application.is_some(),
                Column::new("application_iops", format!("IOPS at QD {depth}")),
            ),
            shown(
                application.is_some(),
                Column::new("application_latency_us", format!("us at QD {depth}")).ranked(4),
            ),
        ],
        rows,
    })
}

fn queue_row(run: &RunReport, check: &QueueDepth1Check) -> Row {
    let micros = |latency: Option<Latency>| Cell::known(latency.map(Latency::micros), 0);
    let usual = micros(check.typical_latency_us);
    let cached = check.cache_latency_us.map(|us| grouped(us.micros(), 0));
    let application = check.application;
    Row::new(vec![
        Cell::text(&run.label),
        Cell::text(&check.test),
        Cell::number(check.iops.get(), 0),
        micros(check.latency_us),
        micros(Some(check.implied_latency_us)),
        Cell::number(check.ceiling_iops.get(), 0),
        match (check.typical_basis.map(usual_basis), cached) {
            (Some(basis), Some(cached)) => usual.hinted(format!("{basis}; cached {cached}")),
            (Some(basis), None) => usual.hinted(basis),
            (None, Some(cached)) => usual.hinted(format!("cached {cached}")),
            (None, None) => usual,
        },
        Cell::known(check.ratio_to_typical, 2),
        Cell::known(check.depth_to_reach_limit, 0),
        application.map_or(Cell::EMPTY, |at| match at.at_most {
            true => Cell::at_most(at.iops.get(), 0),
            false => Cell::number(at.iops.get(), 0),
        }),
        micros(application.and_then(|at| at.latency_us)),
    ])
}

/// How sure a usual latency is: beside measured ones a figure of the spec is one that was given.
const fn usual_basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Measured => "given",
        other => crate::report::views::outcome::basis(other),
    }
}
