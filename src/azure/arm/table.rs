//! Resources as the rows of a text table: what the portal's Resource Graph Explorer, its lists and PowerShell save.
//! Objects lie in their cells as JSON.

use std::io::{self, BufRead};

use super::walk::walk_object;
use crate::azure::facts::collector::Collector;
use crate::azure::facts::problem::Problem;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    delimiter: u8,
    /// Lines before the header: a separator for spreadsheets (`sep=;`), the type that PowerShell writes (`#TYPE …`).
    lines_before: usize,
}

/// The dialect of a text that begins with the header of such a table.
pub(super) fn dialect(text: &str) -> Option<Dialect> {
    let is_preface = |line: &&str| line.starts_with("#TYPE ") || line.starts_with("sep=");
    let lines_before = text.lines().take_while(is_preface).count();
    let header = text.lines().nth(lines_before)?;
    if header.starts_with(['{', '[']) {
        return None;
    }
    let mut delimiters = [b',', b';', b'\t'].into_iter();
    let delimiter = delimiters.find(|delimiter| is_header(header, *delimiter))?;
    Some(Dialect {
        delimiter,
        lines_before,
    })
}

/// Whether a line names columns of resources.
fn is_header(line: &str, delimiter: u8) -> bool {
    let lower = line.to_ascii_lowercase();
    let mut names = lower.split(char::from(delimiter)).map(|name| {
        let name = name.trim().trim_matches('"');
        matches!(name, "id" | "name" | "type")
    });
    lower.contains(char::from(delimiter)) && names.any(|is_ours| is_ours)
}

/// Reads the rows.
pub(super) fn read_table(
    mut reader: impl BufRead,
    dialect: Dialect,
    collector: &mut Collector<'_>,
) -> io::Result<()> {
    let mut skipped = Vec::new();
    for _ in 0..dialect.lines_before {
        reader.read_until(b'\n', &mut skipped)?;
    }
    let mut csv = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(dialect.delimiter)
        .from_reader(reader);
    let line = |position: Option<&csv::Position>| {
        position.map(|position| dialect.lines_before + position.line() as usize)
    };
    let header = match csv.headers() {
        Ok(header) => header.clone(),
        Err(error) => {
            collector.problem(Some(dialect.lines_before + 1), csv_problem(&error));
            return Ok(());
        }
    };
    for record in csv.records() {
        match record {
            Ok(record) => {
                if let Err(error) = read_row(&header, &record, collector) {
                    let reason = error.to_string();
                    collector.problem(line(record.position()), Problem::Malformed { reason });
                }
            }
            Err(error) => {
                collector.problem(line(error.position()), csv_problem(&error));
                break;
            }
        }
    }
    Ok(())
}

fn read_row(
    header: &csv::StringRecord,
    record: &csv::StringRecord,
    collector: &mut Collector<'_>,
) -> Result<(), serde::de::value::Error> {
    // Exports write what is not there as `null`, and an empty list as `[]`.
    let says = |(_, cell): &(&str, &str)| !matches!(cell.trim(), "null" | "[]");
    let cells = header.iter().zip(record.iter()).filter(says);
    walk_object(serde::de::value::MapDeserializer::new(cells), collector)
}

fn csv_problem(error: &csv::Error) -> Problem {
    Problem::Malformed {
        reason: error.to_string(),
    }
}
