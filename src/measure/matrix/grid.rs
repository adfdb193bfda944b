//! Tables over the values of a setting: block sizes, queue depths or threads above, directions or tests at the side.
//!
//! ```text
//! Block Size | 4k            (IOPS) | 64k           (IOPS)
//! Read       | 416.79 MB/s (104.1k) | 415.00 MB/s   (6.4k)
//! ```

use super::super::csv::columns::{Column, Heading};
use super::super::error::ParseError;
use super::super::fio::merge::read_share;
use super::super::model::{Run, Test, TestKind};
use super::super::scan::both_rates;
use super::super::test_name;
use super::cell::{Cell, Figure, Unit};
use super::head::Section;
use super::named::with;
use super::reader::{has_room, text_shows_decimal_comma};
use super::tables::Table;
use super::{UNNAMED, new_run, set};
use crate::units::{BlockSize, Share};

/// Names of rows that are the sum of the reads and the writes.
const TOTALS: [&str; 4] = ["total", "sum", "all", "combined"];

/// How far throughput over IOPS may be from the block size: sizes are told in thousands as well.
const SIZE_TOLERANCE: f64 = 0.1;

/// A column: one value of the setting, and the unit that its head says.
struct Setting {
    name: String,
    kind: TestKind,
    unit: Option<Unit>,
}

/// The setting that a head names, if it is one of a test.
fn setting(head: &str) -> Option<Column> {
    let column = Heading::read(head)?.column;
    matches!(
        column,
        Column::BlockSize(_) | Column::QueueDepth | Column::Threads
    )
    .then_some(column)
}

/// A value of a setting: `4k`, `16`.
fn value(setting: Column, text: &str) -> Option<TestKind> {
    let text = text.trim();
    let count = || text.parse().ok().filter(|&count: &u32| count > 0);
    let mut kind = TestKind::default();
    match setting {
        Column::BlockSize(1) => kind.block_size = Some(text.parse::<BlockSize>().ok()?),
        Column::BlockSize(factor) => {
            let bytes = u64::from(count()?).checked_mul(factor)?;
            kind.block_size = Some(BlockSize::from_bytes(bytes).ok()?);
        }
        Column::QueueDepth => kind.queue_depth = Some(count()?),
        Column::Threads => kind.threads = Some(count()?),
        _ => return None,
    }
    Some(kind)
}

/// The columns of a line of heads; `None` where they are no values of the setting that the first names.
fn columns(line: &[String]) -> Option<Vec<Setting>> {
    let (label, heads) = line.split_first()?;
    let setting = setting(label)?;
    let column = |head: &String| {
        let unit = Unit::within(head);
        let name = head.split('(').next()?.trim();
        Some(Setting {
            name: name.to_owned(),
            kind: value(setting, name)?,
            unit,
        })
    };
    heads.iter().map(column).collect()
}

/// A table with the values of a setting at the side and directions or tests above, turned over.
fn turned(table: &Table) -> Option<Table> {
    let (label, heads) = table.heads().split_first()?;
    let setting = setting(label)?;
    let rows: Vec<&[String]> = table.rows().map(|(_, row)| row).collect();
    let names = |row: &&[String]| value(setting, row.first()?);
    let valued = rows.iter().all(|row| names(row).is_some());
    let tests = heads.iter().all(|head| row_kind(head).is_some());
    if !valued || !tests || heads.is_empty() {
        return None;
    }
    let column = |at: usize| {
        let cells = rows
            .iter()
            .map(|row| row.get(at).cloned().unwrap_or_default());
        cells.collect::<Vec<String>>()
    };
    let head = [vec![label.clone()], column(0)].concat();
    let lines = heads.iter().enumerate().map(|(index, head)| {
        let cells = column(index + 1);
        [vec![head.clone()], cells].concat()
    });
    Some(Table {
        lines: std::iter::once(head).chain(lines).collect(),
        ..table.clone()
    })
}

/// Reads a table over the values of a setting; `None` where it is none.
pub(super) fn read(table: &Table) -> Option<Result<Run, ParseError>> {
    if let Some(turned) = turned(table) {
        return read_rows(&turned);
    }
    read_rows(table)
}

fn read_rows(table: &Table) -> Option<Result<Run, ParseError>> {
    let mut above = columns(table.heads())?;
    let all = table.caption.as_deref().and_then(Unit::within);
    let mut run = new_run(table.caption.as_deref().unwrap_or(UNNAMED));
    let caption = table.caption.as_deref().and_then(test_name::parse);
    let mut passed_over = Vec::new();
    let text = table.lines.iter().flatten().map(String::as_str);
    let comma = text_shows_decimal_comma(&text.collect::<Vec<_>>().join("|"));
    for (line, row) in table.rows() {
        if let Some(next) = columns(row) {
            above = next;
            continue;
        }
        let Some((name, cells)) = row.split_first() else {
            continue;
        };
        let known = row_kind(name);
        if cells
            .iter()
            .all(|cell| !Cell::read(cell, comma).is_figure())
        {
            continue;
        }
        let Some(own) = known.map(|kind| with(kind, caption)) else {
            passed_over.push(name.clone());
            continue;
        };
        for (column, cell) in above.iter().zip(cells) {
            let Cell::Figures(figures) = Cell::read(cell, comma) else {
                continue;
            };
            let kind = with(own, Some(column.kind));
            let unit = column.unit.or(all);
            match test(&format!("{name} {}", column.name), kind, unit, &figures) {
                Some(test) => run.tests.push(test),
                None => return Some(Err(unit_missing(line, name, cell))),
            }
        }
    }
    if run.tests.is_empty() {
        return None;
    }
    totals(&mut run.tests);
    if !passed_over.is_empty() {
        run.notes.push(format!(
            "rows that were passed over: {}",
            passed_over.join(", ")
        ));
    }
    Some(Ok(run))
}

/// What the name of a row says: a direction, a test or a total.
fn row_kind(name: &str) -> Option<TestKind> {
    if is_total(name) {
        return Some(TestKind::default());
    }
    let direction = || {
        Some(TestKind {
            read_share: Section::read(name)?.share,
            ..TestKind::default()
        })
    };
    test_name::parse(name).or_else(direction)
}

fn is_total(name: &str) -> bool {
    TOTALS.contains(&name.trim().to_lowercase().as_str())
}

/// A figure whose unit nothing says.
fn unit_missing(line: usize, name: &str, cell: &str) -> ParseError {
    ParseError::Malformed {
        line,
        what: format!(
            "'{name}' was understood, but not the unit of '{cell}': write it behind the figure (`15 MB/s`) or over the \
             column (`4k (IOPS)`)"
        ),
    }
}

/// A test of one cell; `None` where the unit of a figure is not known.
fn test(name: &str, kind: TestKind, unit: Option<Unit>, figures: &[Figure]) -> Option<Test> {
    let mut test = Test {
        name: name.to_owned(),
        kind,
        ..Test::default()
    };
    for figure in figures {
        let said = figure.unit.or(unit.filter(|&unit| has_room(&test, unit)));
        let unit = said.or_else(|| iops_by_size(&test, figure.value))?;
        set(&mut test, unit, figure.value);
    }
    (test.iops, test.mbps) = both_rates(test.iops, test.mbps, kind.block_size);
    Some(test)
}

/// IOPS, where the throughput beside a figure without a unit makes the block size of it.
fn iops_by_size(test: &Test, value: f64) -> Option<Unit> {
    let bytes = test.mbps?.get() * 1e6 / value;
    let block = test.kind.block_size?.bytes_f64();
    ((bytes / block - 1.0).abs() <= SIZE_TOLERANCE).then_some(Unit::Iops(1.0))
}

/// Makes the reads and the writes of each total its parts: they ran at the same time.
fn totals(tests: &mut [Test]) {
    for at in 0..tests.len() {
        let Some(total) = tests.get(at).filter(|test| {
            let name = test.name.split(' ').next().unwrap_or_default();
            is_total(name)
        }) else {
            continue;
        };
        let kind = total.kind;
        let of = |share: Share| {
            let before = tests.get(..at)?;
            before.iter().rposition(|test| {
                test.kind
                    == TestKind {
                        read_share: Some(share),
                        ..kind
                    }
            })
        };
        let (Some(reads), Some(writes)) = (of(Share::ALL), of(Share::NONE)) else {
            continue;
        };
        let name = total.name.clone();
        let parts: Vec<&Test> = [reads, writes]
            .iter()
            .filter_map(|&at| tests.get(at))
            .collect();
        let share = read_share(&parts);
        for part in [reads, writes] {
            if let Some(part) = tests.get_mut(part) {
                part.part_of = Some(name.clone());
            }
        }
        if let Some(total) = tests.get_mut(at) {
            total.kind.read_share = share;
        }
    }
}
