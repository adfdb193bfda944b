//! Tables by columns: each column with its head and what it shows of a row.

use crate::report::{Cell, Column, Row, Table, Tone};

/// A column: its head, and its cell for a row of type `R`.
pub(super) struct Field<R> {
    column: Column,
    cell: Box<dyn Fn(&R) -> Cell>,
}

impl<R> Field<R> {
    /// A column that shows of each row what `cell` says.
    pub(super) fn new(column: Column, cell: impl Fn(&R) -> Cell + 'static) -> Self {
        Self {
            column,
            cell: Box::new(cell),
        }
    }

    /// The same column, shown only when asked for.
    pub(super) fn on_request(self) -> Self {
        self.shown_if(false)
    }

    /// The same column, shown unless asked for only where `holds`.
    pub(super) fn shown_if(mut self, holds: bool) -> Self {
        if !holds {
            self.column = self.column.on_request();
        }
        self
    }
}

/// A table of `rows` with these columns.
pub(super) fn table<R>(
    id: &str,
    title: &str,
    fields: Vec<Field<R>>,
    rows: &[R],
    tone: impl Fn(&R) -> Tone,
) -> Table {
    let row = |row: &R| Row {
        cells: fields.iter().map(|field| (field.cell)(row)).collect(),
        tone: tone(row),
        ..Row::default()
    };
    Table {
        id: id.to_owned(),
        title: title.to_owned(),
        rows: rows.iter().map(row).collect(),
        columns: fields.into_iter().map(|field| field.column).collect(),
    }
}
