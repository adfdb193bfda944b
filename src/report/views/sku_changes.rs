//! What a refreshed catalogue changed, as a document.

use serde::Serialize;

use crate::catalog::Dataset;
use crate::catalog::changes::{Figure, SkuChange};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

/// What changed of VM sizes and disks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkuChanges {
    /// The embedded data.
    pub from: Dataset,
    /// The refreshed data.
    pub to: Dataset,
    /// What changed.
    pub changes: Vec<SkuChange>,
}

impl SkuChanges {
    /// The table of the changes.
    #[must_use]
    pub fn table(&self) -> Table {
        let row = |change: &SkuChange| {
            Row::new(vec![
                Cell::text(&change.what),
                Cell::text(&change.figure),
                figure(change.from.as_ref()),
                figure(change.to.as_ref()),
            ])
        };
        Table {
            id: "skus".to_owned(),
            title: format!(
                "{} figures of VM sizes and disks changed",
                self.changes.len()
            ),
            columns: vec![
                Column::new("what", "Size or disk"),
                Column::new("figure", "Figure"),
                Column::new("from", "Before"),
                Column::new("to", "After"),
            ],
            rows: self.changes.iter().map(row).collect(),
        }
    }

    /// Where the data comes from.
    pub(super) fn footnotes(&self) -> [String; 2] {
        let line = |word: &str, data: &Dataset| format!("{word} {} of {}.", data.source, data.date);
        [
            line("Sizes and disks: from", &self.from),
            line("Sizes and disks: to", &self.to),
        ]
    }
}

impl Report for SkuChanges {
    fn document(&self) -> Document {
        Document {
            title: "Changes of VM sizes and disks".to_owned(),
            subtitle: None,
            sections: vec![Section::Table(self.table())],
            footnotes: self.footnotes().to_vec(),
            ..Document::default()
        }
    }
}

fn figure(figure: Option<&Figure>) -> Cell {
    match figure {
        None => Cell::EMPTY,
        Some(Figure::Number(number)) => Cell::number(*number, 1),
        Some(Figure::Flag(flag)) => Cell::flag(*flag),
        Some(Figure::Text(text)) => Cell::text(text),
    }
}
