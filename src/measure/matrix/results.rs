//! Tables with one test a row, its disk beside it and one column of figures that say their units, or with test and figures
//! in one cell:
//!
//! ```text
//! | Disk | Test                | Result      |
//! | P30  | random read 4k QD32 | 5,010 IOPS  |
//! ```
//!
//! or the same as separated values (`Disk,Test,Result`).

use super::super::model::{Run, Test, TestKind};
use super::super::test_name;
use super::cell::Figure;
use super::row::without_tool;
use super::tables::Table;
use super::{free, new_run, set, text_shows_decimal_comma};

/// Heads of a column of figures.
const RESULTS: [&str; 9] = [
    "result",
    "results",
    "value",
    "measured",
    "measurement",
    "figure",
    "score",
    "performance",
    "rate",
];

/// Whether a head is that of a column of figures.
pub(in crate::measure) fn is_result(head: &str) -> bool {
    let head = head.trim_matches([':', '.', '"']).to_lowercase();
    RESULTS.contains(&head.as_str())
}

/// A row: whose it is, and what was measured.
type Found = (String, String, TestKind, Vec<Figure>);

/// Reads such a table, one run for each disk; `None` where it is none.
pub(super) fn read(table: &Table) -> Option<Vec<Run>> {
    let heads = table.heads();
    let figures = heads.iter().position(|head| is_result(head))?;
    let text = table.lines.iter().flatten().map(String::as_str);
    let comma = text_shows_decimal_comma(&text.collect::<Vec<_>>().join("|"));
    let mut runs: Vec<Run> = Vec::new();
    for (_, row) in table.rows() {
        let (of, name, kind, figures) = match heads.len() {
            2 => in_one_cell(row, figures, comma)?,
            3 => in_two_cells(row, figures, comma)?,
            _ => return None,
        };
        let mut test = Test {
            name,
            kind,
            ..Test::default()
        };
        for figure in figures {
            set(&mut test, figure.unit?, figure.value);
        }
        match runs.iter_mut().find(|run| run.tool == of) {
            Some(run) => run.tests.push(test),
            None => runs.push(Run {
                tests: vec![test],
                ..new_run(&of)
            }),
        }
    }
    for test in runs.iter_mut().flat_map(|run| &mut run.tests) {
        let block = test.kind.block_size;
        (test.iops, test.mbps) = super::both_rates(test.iops, test.mbps, block);
    }
    (!runs.is_empty()).then_some(runs)
}

/// `| P30 | random read 4k QD32: 5,010 IOPS |`.
fn in_one_cell(row: &[String], at: usize, comma: bool) -> Option<Found> {
    let [first, second] = row else {
        return None;
    };
    let (of, cell) = if at == 0 {
        (second, first)
    } else {
        (first, second)
    };
    let (name, kind, figures) = free::read(cell, comma)?;
    Some((of.clone(), name, kind, figures))
}

/// `| P30 | random read 4k QD32 | 5,010 IOPS |`.
fn in_two_cells(row: &[String], at: usize, comma: bool) -> Option<Found> {
    let figures = free::figures(row.get(at)?, comma)?;
    let mut others = row.iter().enumerate().filter(|(index, _)| *index != at);
    let (first, second) = (others.next()?.1, others.next()?.1);
    let kind = |cell: &String| test_name::parse(without_tool(cell));
    let (of, test, kind) = match (kind(first), kind(second)) {
        (None, Some(kind)) => (first, second, kind),
        (Some(kind), None) => (second, first, kind),
        _ => return None,
    };
    Some((of.clone(), test.clone(), kind, figures))
}
