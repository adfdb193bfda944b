//! Tables whose columns are settings and figures of one test each: read as the CSV that they are.

use super::super::csv::{self, columns::Heading};
use super::super::error::ParseError;
use super::super::model::{Format, Run, TestKind};
use super::super::test_name;
use super::UNNAMED;
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
    let mut text = "\n".repeat(table.start);
    let mut names = heads.to_vec();
    if let Some(name) = names.first_mut().filter(|_| names_tests) {
        TEST.clone_into(name);
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
        for cell in cells {
            text.push('\t');
            text.push_str(cell.trim_start_matches(['~', '≈']).trim());
        }
    }
    csv::sniff(&text).then_some(text)
}

/// Whether a row is worked out from the others.
fn is_derived(name: &str) -> bool {
    DERIVED.contains(&name.to_lowercase().as_str())
}

/// Reads a table whose columns are named; `None` where they are not.
pub(super) fn read(table: &Table) -> Option<Result<Vec<Run>, ParseError>> {
    let text = as_values(table)?;
    let runs = csv::parse(&text);
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
