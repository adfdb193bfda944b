//! CSV after RFC 4180: one table, every column, unrounded numbers, empty for unknown.
//!
//! The tools that read CSV (spreadsheets, pandas, DuckDB, a database's import) want one head and rows of one length,
//! so a CSV holds **one** table: the first of the document, or the one that [`Selection`](super::Selection) left.
//! A document without tables gives its remarks. Heads are the column ids, which name the unit. Two columns are added
//! where the data calls for them: `…_at_most` behind a column of which some figure is only an upper bound, and
//! `…_currency` behind a column of money in several currencies; money in one currency gets it as the ending of the
//! head (`month` becomes `month_usd`), unless the head names it already.
//!
//! A text that a spreadsheet would take for a formula gets an apostrophe in front, which makes it a text there.

use std::borrow::Cow;

use super::document::{Document, Table, Value};
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
        write(&table, options.header).map_err(ReportError::library(Format::Csv))
    }

    fn left_out(&self, document: &Document) -> Vec<String> {
        let ids = document.ids();
        ids.into_iter().skip(1).map(ToOwned::to_owned).collect()
    }
}

/// The table that a one-table format shows.
fn primary(document: &Document) -> Option<Cow<'_, Table>> {
    let table = document.tables().next().map(Cow::Borrowed);
    table.or_else(|| {
        document
            .notes()
            .next()
            .map(|notes| Cow::Owned(notes.to_table()))
    })
}

fn write(table: &Table, header: bool) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let fields: Vec<Field> = (0..table.columns.len())
        .flat_map(|index| fields_of(table, index))
        .collect();
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    if header {
        writer.write_record(fields.iter().map(|field| harmless(&field.head)))?;
    }
    for row in &table.rows {
        writer.write_record(fields.iter().map(|field| {
            let value = &row.cell(field.column).value;
            match field.part {
                Part::Value => plain(value),
                Part::AtMost => at_most(value),
                Part::Currency => harmless(currency(value).unwrap_or_default()),
            }
        }))?;
    }
    Ok(writer.into_inner()?)
}

/// One column of the file.
struct Field {
    head: String,
    column: usize,
    part: Part,
}

/// What of a cell a field carries.
#[derive(Clone, Copy)]
enum Part {
    Value,
    AtMost,
    Currency,
}

/// The fields that the column at `index` needs.
fn fields_of(table: &Table, index: usize) -> Vec<Field> {
    let values = || table.rows.iter().map(|row| &row.cell(index).value);
    let id = table.columns.get(index).map_or("", |column| &*column.id);
    let field = |head: String, part| Field {
        head,
        column: index,
        part,
    };
    let mut currencies: Vec<&str> = values().filter_map(currency).collect();
    currencies.sort_unstable();
    currencies.dedup();
    let mut fields = Vec::with_capacity(2);
    match currencies.as_slice() {
        [one] => fields.push(field(with_currency(id, one), Part::Value)),
        several => {
            fields.push(field(id.to_owned(), Part::Value));
            if several.len() > 1 {
                fields.push(field(format!("{id}_currency"), Part::Currency));
            }
        }
    }
    if values().any(|value| matches!(value, Value::Number { at_most: true, .. })) {
        fields.push(field(format!("{id}_at_most"), Part::AtMost));
    }
    fields
}

/// The head of a column of money that names its currency, once.
fn with_currency(id: &str, currency: &str) -> String {
    let currency = currency.to_ascii_lowercase();
    if id.split('_').any(|part| part == currency) {
        id.to_owned()
    } else {
        format!("{id}_{currency}")
    }
}

/// The currency of an amount that is known.
fn currency(value: &Value) -> Option<&str> {
    match value {
        Value::Money { currency, .. } if !value.is_unknown() => Some(currency),
        _ => None,
    }
}

fn at_most(value: &Value) -> String {
    match value {
        Value::Number { at_most, .. } if !value.is_unknown() => at_most.to_string(),
        _ => String::new(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => harmless(text),
        Value::Flag(flag) => flag.to_string(),
        Value::Empty | Value::Number { .. } | Value::Money { .. } => {
            value.as_number().map(machine).unwrap_or_default()
        }
    }
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
    use crate::report::{Cell, Column, Row, Section, render_document};

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
