//! NDJSON: one JSON object a line, for tools that read a stream (`jq`, DuckDB, log collectors).
//!
//! Of a document it holds one table, as CSV does, with the same names; unknown is null. Fleets write a record a VM
//! instead ([`super::fleet`]).

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::document::{Document, Row};
use super::flat::{Layout, Plain, left_out, primary};
use super::json::compact;
use super::{Format, Render, RenderOptions, ReportError};

/// Below this, whole numbers are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A JSON object a line.
#[derive(Debug, Clone, Copy)]
pub struct Ndjson;

impl Render for Ndjson {
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let table = primary(document).ok_or(ReportError::Nothing {
            format: Format::Ndjson,
            wants: "table",
        })?;
        write(&Layout::of(&table), &table.rows)
    }

    fn left_out(&self, document: &Document) -> Vec<String> {
        left_out(document)
    }
}

/// The rows, a line each.
pub(super) fn write(layout: &Layout, rows: &[Row]) -> Result<Vec<u8>, ReportError> {
    let mut bytes = Vec::new();
    for row in rows {
        line(&mut bytes, &Line { layout, row })?;
    }
    Ok(bytes)
}

/// Adds a model as one line.
///
/// # Errors
/// [`ReportError::Library`] when the model has something that JSON cannot say.
pub fn line<T: Serialize>(bytes: &mut Vec<u8>, model: &T) -> Result<(), ReportError> {
    compact(bytes, model).map_err(ReportError::library(Format::Ndjson))?;
    bytes.push(b'\n');
    Ok(())
}

/// A row as a JSON object.
struct Line<'r> {
    layout: &'r Layout,
    row: &'r Row,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.layout.fields();
        let mut object = serializer.serialize_map(Some(fields.len()))?;
        for field in fields {
            match field.plain(self.row) {
                Plain::Empty => object.serialize_entry(&field.head, &())?,
                Plain::Text(text) => object.serialize_entry(&field.head, &text)?,
                Plain::Flag(flag) => object.serialize_entry(&field.head, &flag)?,
                Plain::Number(number) if number.fract() == 0.0 && number.abs() < EXACT => {
                    object.serialize_entry(&field.head, &(number as i64))?;
                }
                Plain::Number(number) => object.serialize_entry(&field.head, &number)?,
            }
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Cell, Column, Section, Table, render_document};

    #[test]
    fn a_row_is_a_line_and_unknown_is_null() {
        let table = Table {
            id: "t".into(),
            columns: vec![
                Column::new("name", "Name"),
                Column::new("iops", "IOPS"),
                Column::new("month", "A month"),
            ],
            rows: vec![
                Row::new(vec![
                    Cell::text("a \"b\"\u{1b}"),
                    Cell::number(5000.0, 0),
                    Cell::money(1.5, "USD"),
                ]),
                Row::new(vec![Cell::text("=1+1"), Cell::EMPTY]),
            ],
            ..Table::default()
        };
        let document = Document {
            sections: vec![Section::Table(table)],
            ..Document::default()
        };
        let options = RenderOptions::default();
        let bytes = render_document(&document, Format::Ndjson, &options).unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "{\"name\":\"a \\\"b\\\"\u{fffd}\",\"iops\":5000,\"month_usd\":1.5}\n\
             {\"name\":\"=1+1\",\"iops\":null,\"month_usd\":null}\n"
        );
    }
}
