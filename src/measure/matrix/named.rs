//! Tables whose columns are settings and figures of one test each: read as the CSV that they are.

use super::super::csv;
use super::super::csv::columns::{Column, Heading};
use super::super::error::ParseError;
use super::super::model::{Format, Run, TestKind};
use super::super::test_name;
use super::UNNAMED;
use super::cell::{Cell, Unit};
use super::head::Head;
use super::tables::Table;

/// Names of rows that are worked out from the others.
const DERIVED: [&str; 8] = [
    "average", "avg", "mean", "median", "geomean", "total", "sum", "overall",
];

/// A name of one column of the named columns at least must be known beside the rows' names.
const TEST: &str = "test";

/// The table as tab-separated values, where its columns are named so that they can be read; `None` where they are
/// configurations or say nothing.
fn as_values(table: &Table) -> Option<String> {
    let heads = table.heads();
    let rule = table.lines.get(1).filter(|line| line.is_empty());
    rule?;
    let (first, others) = heads.split_first()?;
    // A column of figures of a configuration (`Disk A (MB/s)`) belongs to the matrix.
    let strange = |head: &&String| {
        Heading::read(head).is_none() && (Head::read(head).unit.is_some() || head.is_empty())
    };
    if others.iter().any(|head| strange(&head)) {
        return None;
    }
    let names_tests = Heading::read(first).is_none();
    let rates: Vec<bool> = (0..heads.len())
        .map(|at| is_rate_of_cells(table, at))
        .collect();
    let mut text = String::new();
    let mut names = heads.to_vec();
    if let Some(name) = names.first_mut().filter(|_| names_tests) {
        TEST.clone_into(name);
    }
    for (name, _) in names.iter_mut().zip(&rates).filter(|(_, rate)| **rate) {
        name.push_str(" bytes/s");
    }
    text.push_str(&names.join("\t"));
    for row in table.lines.iter().skip(1) {
        text.push('\n');
        let Some((name, cells)) = row.split_first() else {
            continue;
        };
        if names_tests && is_derived(name) {
            continue;
        }
        let name = if names_tests && test_name::parse_beginning(name).is_none() && !first.is_empty()
        {
            format!("{first} {name}")
        } else {
            name.clone()
        };
        text.push_str(&name);
        for (cell, rate) in cells
            .iter()
            .zip(rates.iter().skip(1).chain(std::iter::repeat(&false)))
        {
            text.push('\t');
            match rate_in(cell).filter(|_| *rate) {
                Some(bytes) => text.push_str(&bytes.to_string()),
                None => text.push_str(&alone(cell)),
            }
        }
    }
    csv::sniff(&text).then_some(text)
}

/// Bytes per second of a cell that says its unit (`98.9MiB/s`).
fn rate_in(cell: &str) -> Option<f64> {
    let Cell::Figures(figures) = Cell::read(cell, false) else {
        return None;
    };
    figures.iter().find_map(|figure| match figure.unit {
        Some(Unit::Bytes(factor)) => Some(figure.value * factor),
        _ => None,
    })
}

/// Whether a column is of a throughput whose unit its cells say (`BW`, `Read bandwidth`).
fn is_rate_of_cells(table: &Table, at: usize) -> bool {
    let with_unit = |head: &String| {
        let column = Heading::read(&format!("{head} bytes/s")).map(|heading| heading.column);
        Heading::read(head).is_none() && matches!(column, Some(Column::Throughput(_)))
    };
    let mut cells = table.rows().filter_map(|(_, row)| row.get(at)).peekable();
    table.heads().get(at).is_some_and(with_unit)
        && cells.peek().is_some()
        && cells.all(|cell| rate_in(cell).is_some() || !cell.contains(|c: char| c.is_ascii_digit()))
}

/// A figure without the range that it was found in: `12.5 (11.9–13.1)`, `12.5 ± 0.3`.
fn alone(cell: &str) -> String {
    let plain = cell.replace('"', "");
    let plain = plain.trim_start_matches(['~', '≈']);
    let figure = plain.split('±').next().unwrap_or_default();
    match figure.split_once('(') {
        Some((figure, range)) if range.contains(['–', '…', '~']) => figure.trim().to_owned(),
        _ => figure.trim().to_owned(),
    }
}

/// Whether a row is worked out from the others.
pub(super) fn is_derived(name: &str) -> bool {
    DERIVED.contains(&name.trim().to_lowercase().as_str())
}

/// Reads a table whose columns are named; `None` where they are not.
pub(super) fn read(table: &Table) -> Option<Result<Vec<Run>, ParseError>> {
    let text = as_values(table)?;
    let runs = csv::parse(&text).map_err(|error| at_line(error, table.start));
    Some(runs.map(|mut runs| {
        let caption = table.caption.as_deref();
        let kind = caption.and_then(test_name::parse);
        for run in &mut runs {
            run.format = Format::Matrix;
            if run.tool == "CSV" {
                run.tool = caption.unwrap_or(UNNAMED).to_owned();
            }
            for test in &mut run.tests {
                test.kind = with(test.kind, kind);
            }
        }
        runs
    }))
}

/// The error of a table that begins behind `before` lines of its text.
fn at_line(error: ParseError, before: usize) -> ParseError {
    match error {
        ParseError::Malformed { line, what } => ParseError::Malformed {
            line: line + before,
            what,
        },
        other => other,
    }
}

/// Says what is missing in a table of which some columns are known and one is of a figure.
pub(super) fn nearly(table: &Table) -> Option<ParseError> {
    let heads = table.heads().iter().filter(|head| !head.is_empty());
    let (known, unknown): (Vec<&String>, Vec<&String>) = heads.partition(|head| is_known(head));
    let figure = known.iter().any(|head| {
        Heading::read(head).is_some_and(|heading| heading.column.is_figure())
            || Head::read(head).unit.is_some()
    });
    let joined = |names: &[&String]| {
        let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        quoted.join(", ")
    };
    (figure && known.len() > 1).then(|| ParseError::Malformed {
        line: table.start + 1,
        what: format!(
            "of the table's columns {} were understood{}, and no row of it: rows want a test's name such as '4k randread QD1' or columns such as rw, block_size and queue_depth, and as many cells as there are heads",
            joined(&known),
            if unknown.is_empty() {
                String::new()
            } else {
                format!(", but not {}", joined(&unknown))
            },
        ),
    })
}

/// Whether a head says what its column holds, or whose direction or unit.
fn is_known(head: &str) -> bool {
    let matrix = Head::read(head);
    Heading::read(head).is_some() || matrix.share.is_some() || matrix.unit.is_some()
}

/// A kind, completed from the heading above the table (`Sequential reads`).
pub(super) fn with(own: TestKind, above: Option<TestKind>) -> TestKind {
    let Some(above) = above else {
        return own;
    };
    TestKind {
        pattern: own.pattern.or(above.pattern),
        read_share: own.read_share.or(above.read_share),
        block_size: own.block_size.or(above.block_size),
        queue_depth: own.queue_depth.or(above.queue_depth),
        threads: own.threads.or(above.threads),
    }
}
