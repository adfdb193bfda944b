//! Tables with one test a row, its disk beside it and one column of figures that say their units, or with test and figures
//! in one cell:
//!
//! ```text
//! | Disk | Test                | Result      |
//! | P30  | random read 4k QD32 | 5,010 IOPS  |
//! ```
//!
//! or the same as separated values (`Disk,Test,Result`), without a disk too (`Test,Result`).

use super::super::error::ParseError;
use super::super::local_number::doubt;
use super::super::model::{Run, Test, TestKind};
use super::super::scan::both_rates;
use super::super::test_name;
use super::cell::{Figure, Unit};
use super::reader::{text_shows_decimal_comma, text_shows_decimal_point};
use super::row::without_tool;
use super::tables::Table;
use super::{UNNAMED, free, new_run, set};

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

/// Reads such a table, one run for each disk; `None` where it is none, an error where a figure may mean two things.
pub(super) fn read(table: &Table) -> Option<Result<Vec<Run>, ParseError>> {
    let heads = table.heads();
    let figures = heads.iter().position(|head| is_result(head))?;
    let text: Vec<&str> = table.lines.iter().flatten().map(String::as_str).collect();
    let text = text.join("|");
    let comma = text_shows_decimal_comma(&text);
    let point = text_shows_decimal_point(&text);
    let mut runs: Vec<Run> = Vec::new();
    for (line, row) in table.rows() {
        let (of, name, kind, figures) = match heads.len() {
            2 => in_one_cell(row, figures, comma)
                .or_else(|| of_no_disk(table, row, figures, comma))?,
            3 => in_two_cells(row, figures, comma)?,
            _ => return None,
        };
        let mut test = Test {
            name,
            kind,
            ..Test::default()
        };
        for figure in figures {
            let unit = figure.unit?;
            if figure.doubtful && unit == Unit::Iops(1.0) && !point {
                let what = doubt(&format!("{:.3}", figure.value));
                return Some(Err(ParseError::Malformed { line, what }));
            }
            set(&mut test, unit, figure.value);
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
        (test.iops, test.mbps) = both_rates(test.iops, test.mbps, block);
    }
    (!runs.is_empty()).then_some(Ok(runs))
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

/// `| random read 4k QD32 | 5,010 IOPS |`: of what the heading above names, if it does.
fn of_no_disk(table: &Table, row: &[String], at: usize, comma: bool) -> Option<Found> {
    let [_, _] = row else {
        return None;
    };
    let figures = free::figures(row.get(at)?, comma)?;
    let name = row.get(1 - at)?;
    let kind = test_name::parse(without_tool(name))?;
    let of = table.caption.clone();
    let of = of.unwrap_or_else(|| UNNAMED.to_owned());
    Some((of, name.clone(), kind, figures))
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
