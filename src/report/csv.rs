//! CSV after RFC 4180: one table, every column, unrounded numbers, empty for unknown.
//!
//! The tools that read CSV (spreadsheets, pandas, DuckDB, a database's import) want one head and rows of one length,
//! so a CSV holds **one** table: the first of the document, or the one that [`Selection`](super::Selection) left.
//! A document without tables gives its remarks. The heads are those of every flat format (`report::flat`).
//!
//! A text that a spreadsheet would take for a formula gets an apostrophe in front, which makes it a text there.

use super::document::{Document, Row};
use super::flat::{Layout, Plain, left_out, primary};
use super::value::machine;
use super::{Format, Render, RenderOptions, ReportError};

/// Comma-separated values.
#[derive(Debug, Clone, Copy)]
pub struct Csv;

impl Render for Csv {
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let table = primary(document).ok_or(ReportError::Nothing {
            format: Format::Csv,
            wants: "table",
        })?;
        write(&Layout::of(&table), &table.rows, options.header)
    }

    fn left_out(&self, document: &Document) -> Vec<String> {
        left_out(document)
    }
}

/// Rows, with the heads before them where `header` asks for it.
pub(super) fn write(layout: &Layout, rows: &[Row], header: bool) -> Result<Vec<u8>, ReportError> {
    let fields = layout.fields();
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    let failed = || ReportError::library(Format::Csv);
    if header {
        let heads = fields.iter().map(|field| harmless(&field.head));
        writer.write_record(heads).map_err(failed())?;
    }
    for row in rows {
        let texts = fields.iter().map(|field| match field.plain(row) {
            Plain::Empty => String::new(),
            Plain::Text(text) => harmless(&text),
            Plain::Number(number) => machine(number),
            Plain::Flag(flag) => flag.to_string(),
        });
        writer.write_record(texts).map_err(failed())?;
    }
    writer
        .into_inner()
        .map_err(|error| ReportError::library(Format::Csv)(error.into_error()))
}

/// The text, with an apostrophe in front where a spreadsheet would compute it.
fn harmless(text: &str) -> String {
    let computed = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        && text.parse::<f64>().is_err();
    if computed {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Cell, Column, Row, Section, Table, render_document};

    fn csv_of(columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> String {
        let table = Table {
            id: "t".into(),
            columns,
            rows: rows.into_iter().map(Row::new).collect(),
            ..Table::default()
        };
        let document = Document {
            sections: vec![Section::Table(table)],
            ..Document::default()
        };
        let bytes = render_document(&document, Format::Csv, &RenderOptions::default()).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn units_are_in_the_heads_and_unknown_is_empty() {
        let text = csv_of(
            vec![
                Column::new("name", "Name"),
                Column::new("size_gib", "Size").on_request(),
            ],
            vec![
                vec![Cell::text("a, \"b\"\nc"), Cell::number(1024.0, 0)],
                vec![Cell::text("d"), Cell::EMPTY],
                vec![],
            ],
        );
        assert_eq!(
            text,
            "name,size_gib\r\n\"a, \"\"b\"\"\nc\",1024\r\nd,\r\n,\r\n"
        );
    }

    #[test]
    fn upper_bounds_are_told_apart() {
        let text = csv_of(
            vec![Column::new("iops", "IOPS")],
            vec![
                vec![Cell::at_most(4000.0, 0)],
                vec![Cell::number(500.25, 0)],
                vec![Cell::EMPTY],
            ],
        );
        assert_eq!(
            text,
            "iops,iops_at_most\r\n4000,true\r\n500.25,false\r\n,\r\n"
        );
    }

    #[test]
    fn the_currency_is_named() {
        let one = csv_of(
            vec![Column::new("month", "")],
            vec![vec![Cell::money(76.5, "USD")]],
        );
        assert_eq!(one, "month_usd\r\n76.5\r\n");
        let named = csv_of(
            vec![Column::new("usd_month", "")],
            vec![vec![Cell::money(1.0, "USD")]],
        );
        assert_eq!(named, "usd_month\r\n1\r\n");
        let two = csv_of(
            vec![Column::new("month", "")],
            vec![vec![Cell::money(1.0, "USD")], vec![Cell::money(2.0, "EUR")]],
        );
        assert_eq!(two, "month,month_currency\r\n1,USD\r\n2,EUR\r\n");
    }

    #[test]
    fn formulas_are_text() {
        let text = csv_of(
            vec![Column::new("a", ""), Column::new("b", "")],
            vec![vec![Cell::text("=cmd|' /C calc'!A0"), Cell::text("-5")]],
        );
        assert_eq!(text, "a,b\r\n'=cmd|' /C calc'!A0,-5\r\n");
    }
}
