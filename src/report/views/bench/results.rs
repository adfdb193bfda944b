//! Every test with its figures, what is predicted for it, and its verdict.

use super::{run_column, tests};
use crate::measure::bench::{Bench, RunReport};
use crate::measure::judge::verdict::Verdict;
use crate::measure::judge::{Raise, TestReport};
use crate::report::views::decimals::decimals;
use crate::report::{Cell, Column, Row, Table, Tone};
use crate::units::{Iops, Latency, MBps};

pub(super) fn results(bench: &Bench) -> Table {
    let judged = bench.runs.iter().any(|run| run.volume.is_some());
    let predicted = |column: Column| if judged { column } else { column.on_request() };
    let raised = raised(bench);
    let most = |column: Column| match raised {
        Some(_) => column,
        None => column.on_request(),
    };
    let raised = raised.unwrap_or("Burst");
    Table {
        id: "results".to_owned(),
        title: if judged {
            "Measured against predicted"
        } else {
            "Measured"
        }
        .to_owned(),
        columns: vec![
            run_column(bench),
            Column::new("volume", "Volume").on_request(),
            Column::new("test", "Test"),
            Column::new("iops", "IOPS"),
            Column::new("mbps", "MB/s"),
            Column::new("latency_us", "Latency us").ranked(4),
            Column::new("implied_latency_us", "Implied us").ranked(5),
            predicted(Column::new("predicted_iops", "Pred. IOPS").ranked(2)),
            most(Column::new("predicted_most_iops", format!("{raised} IOPS")).ranked(2)),
            predicted(Column::new("predicted_mbps", "Pred. MB/s").ranked(3)),
            most(Column::new("predicted_most_mbps", format!("{raised} MB/s")).ranked(3)),
            Column::new("held_against_iops", "Held against").on_request(),
            predicted(Column::new("ratio", "Ratio")),
            predicted(Column::new("verdict", "Verdict")),
            Column::new("meaning", "Meaning").on_request(),
        ],
        rows: tests(bench)
            .map(|(run, test)| result_row(run, test))
            .collect(),
    }
}

fn result_row(run: &RunReport, test: &TestReport) -> Row {
    let micros = |latency: Option<Latency>| Cell::known(latency.map(Latency::micros), 0);
    let bounded = |at_most: bool, value: Option<f64>, decimals| match value {
        Some(value) if at_most => Cell::at_most(value, decimals),
        value => Cell::known(value, decimals),
    };
    let predicted = |value, decimals| bounded(test.predicted_at_most, value, decimals);
    let most = |value, decimals| bounded(test.predicted_most_at_most, value, decimals);
    let verdict = match &test.verdict {
        Verdict::Unjudged { .. } => Cell::EMPTY,
        verdict => Cell::text(verdict.title()).toned(tone(verdict)),
    };
    Row::new(vec![
        Cell::text(&run.label),
        run.volume.as_ref().map_or(Cell::EMPTY, Cell::text),
        Cell::text(&test.name),
        Cell::known(
            test.iops.map(Iops::get),
            decimals(test.iops.map(Iops::get), 0),
        ),
        Cell::known(
            test.mbps.map(MBps::get),
            decimals(test.mbps.map(MBps::get), 1),
        ),
        micros(test.latency_us),
        micros(test.implied_latency_us),
        predicted(
            test.predicted_iops.map(Iops::get),
            decimals(test.predicted_iops.map(Iops::get), 0),
        ),
        most(
            test.predicted_most_iops.map(Iops::get),
            decimals(test.predicted_most_iops.map(Iops::get), 0),
        ),
        predicted(
            test.predicted_mbps.map(MBps::get),
            decimals(test.predicted_mbps.map(MBps::get), 1),
        ),
        most(
            test.predicted_most_mbps.map(MBps::get),
            decimals(test.predicted_most_mbps.map(MBps::get), 1),
        ),
        Cell::known(test.held_against_iops.map(Iops::get), 0),
        Cell::known(test.ratio, decimals(test.ratio, 2)),
        verdict,
        Cell::text(&test.words),
    ])
}

/// What raises predictions above what holds without end, in a word; `None` where nothing does.
pub(super) fn raised(bench: &Bench) -> Option<&'static str> {
    let by = |raise| tests(bench).any(|(_, test)| test.predicted_most_by == Some(raise));
    match (by(Raise::Credit), by(Raise::HostCache)) {
        (true, true) => Some("Burst/cached"),
        (true, false) => Some("Burst"),
        (false, true) => Some("Cached"),
        (false, false) => None,
    }
}

const fn tone(verdict: &Verdict) -> Tone {
    match verdict {
        Verdict::At { .. } => Tone::Good,
        Verdict::LatencyBound { .. }
        | Verdict::FlushBound { .. }
        | Verdict::AskedForLess
        | Verdict::Unjudged { .. } => Tone::Plain,
        Verdict::AboveEveryLimit { .. }
        | Verdict::FasterThanDisk { .. }
        | Verdict::BetweenLimits { .. }
        | Verdict::Queued { .. } => Tone::Warning,
        Verdict::BelowEveryLimit { .. } => Tone::Bad,
    }
}
