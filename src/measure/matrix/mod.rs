//! A results matrix as people paste it: tests as rows, configurations as columns.
//!
//! Cells are parted by tabs, by the bars of a Markdown table, by two or more blanks, by `;` or `,`, or at worst by single
//! blanks. A row is a line that begins with a test's name (as `test_name` reads it) and goes on
//! with figures. The line of heads stands before the rows; without one, columns are numbered. The direction of a test comes
//! from its own name, from a section heading (`[Read]`, `[Write]`) or from the head of the column (`Laptop Write`).
//!
//! A line may also say a test and its figures by itself (`free`), a table one test a row (`results`), or settings of a
//! test in columns of their own beside the configurations (`wide`).
//!
//! Figures are MB/s unless a unit is said: in the cell, the head, the row's name, the section or a caption, in this
//! order. IOPS and MB/s are worked out from each other where the name tells the block size. Ratios and percentages
//! (`8.4x`) are passed over. Each configuration becomes a run, whose tool is the head of its column.

mod cell;
mod free;
mod grid;
mod head;
mod named;
mod pairs;
mod quantity;
mod reader;
mod results;
mod row;
mod tables;
mod turned;
mod unit;
mod wide;

use cell::Unit;
pub(super) use free::beside as free_lines_beside;
use head::is_disk;
use reader::Reader;
pub(super) use results::is_result;
use row::{Row, Split};
use tables::{Table, separated, tables};
use turned::{labelled, turned};
use wide::Wide;

use super::error::ParseError;
use super::model::{Format, LatencyStats, Run, Test};
use super::runs::Runs;
use crate::units::{Iops, Latency, MBps};

/// What a text without a result should have held.
const LOOKED_FOR: &str =
    "lines that begin with a test's name such as 'RND4K Q32T16' and go on with figures";

/// The run of columns that have no name of their own, where no heading names them either.
const UNNAMED: &str = "results";

/// Longest line that is taken for a row, bytes.
const LONGEST_ROW: usize = 4096;

/// A larger text that holds no result is not read again to say what it nearly is.
const LARGEST_GUESS: usize = 1 << 20;

/// Tables that could not be read and are told of.
const MOST_FAILURES: usize = 4;

/// Whether `text` holds a row of a matrix: with a second figure, or in a table with bars or tabs. A CSV with named
/// columns is none, though its rows may begin with names of tests.
#[must_use]
pub fn sniff(text: &str) -> bool {
    let mut rows = text.lines().filter_map(|line| Row::read(line, false));
    let tells = |row: Row| {
        let figures = row.cells.iter().filter(|cell| cell.is_figure()).count();
        figures > 1 || matches!(row.split, Split::Bars | Split::Tabs)
    };
    (rows.any(tells) && !super::csv::sniff(text))
        || pairs::sniff(text)
        || (!super::crystaldiskmark::sniff(text)
            && text.lines().any(|line| free::read(line, false).is_some()))
        || separated(text, results::is_result).is_some_and(|table| results::read(&table).is_some())
        || tables(text).iter().any(|table| {
            whole_table(table).is_some() || labelled(table).is_some() || turned(table).is_some()
        })
        || wide::sniff(text)
}

/// Reads all tables in `text`: one run for every configuration.
///
/// # Errors
/// [`ParseError::NoResult`] when no line begins with a test's name and goes on with figures.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut runs = Runs::of(text);
    if let Some(read) = separated(text, results::is_result).and_then(|table| results::read(&table))
    {
        read?.into_iter().for_each(|run| runs.push(run));
        return finish(runs, Vec::new());
    }
    pairs::read(text).into_iter().for_each(|run| runs.push(run));
    let mut failed = Vec::new();
    let mut reader = Reader::new(text);
    let tables = tables(text);
    let mut tables = tables.iter().peekable();
    let mut taken = 0;
    let lines: Vec<&str> = text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some(table) = tables.next_if(|table| table.start == index) {
            if let Some(read) = whole_table(table) {
                match read {
                    Ok(read) => read.into_iter().for_each(|run| runs.push(run)),
                    Err(error) => failed.push(error),
                }
                taken = index + table.lines.len();
            } else if let Some(lines) = labelled(table).or_else(|| turned(table)) {
                for (number, line) in lines {
                    reader.number = number;
                    reader.line(&line);
                }
                taken = index + table.lines.len();
            }
        }
        if index >= taken
            && let Some(table) = Wide::at(&lines, index)
        {
            taken = index + table.lines;
            match table.runs() {
                Ok(read) => read.into_iter().for_each(|run| runs.push(run)),
                Err(error) => failed.push(error),
            }
        }
        if index >= taken {
            reader.number = index + 1;
            reader.line(line.trim_start_matches(['>', '\u{feff}']));
        }
    }
    match reader.finish() {
        Ok(others) => others.into_iter().for_each(|run| runs.push(run)),
        Err(ParseError::NoResult { .. }) => {}
        Err(error) => failed.push(error),
    }
    finish(runs, failed)
}

/// The runs; of tables that could not be read their first run says so, or the error where there is none.
fn finish(runs: Runs, failed: Vec<ParseError>) -> Result<Vec<Run>, ParseError> {
    match runs.finish(LOOKED_FOR) {
        Ok(mut runs) => {
            let notes = failed
                .iter()
                .map(|error| format!("a table in the same input could not be read: {error}"));
            if let Some(first) = runs.first_mut() {
                first.notes.extend(notes.take(MOST_FAILURES));
            }
            Ok(runs)
        }
        Err(error) => Err(failed.into_iter().next().unwrap_or(error)),
    }
}

/// What is wrong with a text that holds no result, but a table of which some columns are known.
pub(super) fn nearly(text: &str) -> Option<ParseError> {
    if text.len() > LARGEST_GUESS {
        return None;
    }
    tables(text).iter().find_map(named::nearly)
}

/// Reads a table whose columns are no configurations; `None` where they are.
fn whole_table(table: &Table) -> Option<Result<Vec<Run>, ParseError>> {
    let grid = || Some(grid::read(table)?.map(|run| vec![run]));
    let results = || results::read(table);
    named::read(table).or_else(grid).or_else(results)
}

/// A run without tests yet.
fn new_run(name: &str) -> Run {
    Run {
        format: Format::Matrix,
        tool: name.to_owned(),
        version: None,
        host: None,
        os: None,
        date: None,
        target: is_disk(name).then(|| name.to_owned()),
        comment: None,
        tests: Vec::new(),
        notes: Vec::new(),
    }
}

/// Sets a figure; one that is out of all range is left out.
fn set(test: &mut Test, unit: Unit, value: f64) {
    match unit {
        Unit::Bytes(factor) => test.mbps = MBps::from_bytes_per_s(value * factor).ok(),
        Unit::Iops(factor) => test.iops = Iops::new(value * factor).ok(),
        Unit::Micros(factor) => {
            let mean = Latency::from_micros(value * factor).ok();
            test.latency = mean.map(|mean| LatencyStats {
                mean: Some(mean),
                ..LatencyStats::default()
            });
        }
    }
}

/// A line as a heading: without Markdown's marks.
fn caption(line: &str) -> String {
    line.trim_matches(|c: char| c.is_whitespace() || "#*_|:".contains(c))
        .to_owned()
}
