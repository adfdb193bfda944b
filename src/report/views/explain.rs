//! What finding ids mean, as documents.

use serde::Serialize;

use crate::planner::FindingId;
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

/// One id, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The id.
    pub id: FindingId,
    /// One line.
    pub title: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
}

impl From<FindingId> for Explained {
    fn from(id: FindingId) -> Self {
        let explanation = id.explanation();
        Self {
            id,
            title: explanation.title,
            rule: explanation.rule,
            source: explanation.source,
        }
    }
}

impl Report for Explained {
    fn document(&self) -> Document {
        Document {
            title: format!("{}: {}", self.id, self.title),
            sections: vec![Section::Text {
                title: "Rule".to_owned(),
                paragraphs: vec![self.rule.to_owned()],
            }],
            footnotes: vec![format!("Source: {}.", self.source)],
            ..Document::default()
        }
    }
}

/// Every id, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Index(Vec<Explained>);

impl Default for Index {
    fn default() -> Self {
        Self(
            FindingId::ALL
                .iter()
                .map(|id| Explained::from(*id))
                .collect(),
        )
    }
}

impl Report for Index {
    fn document(&self) -> Document {
        let columns = ["id", "title", "rule", "source"];
        let heads = ["Finding", "What it says", "Rule", "Source"];
        let row = |e: &Explained| {
            let cells = [e.id.code(), e.title, e.rule, e.source];
            Row::new(cells.map(Cell::text).to_vec())
        };
        let column = |(id, head): (&'static str, &str)| match id {
            "rule" | "source" => Column::new(id, head).on_request(),
            _ => Column::new(id, head),
        };
        Document {
            title: "Findings".to_owned(),
            sections: vec![Section::Table(Table {
                id: "findings".to_owned(),
                title: "`diskcap explain ID` tells the rule and its source".to_owned(),
                columns: columns.into_iter().zip(heads).map(column).collect(),
                rows: self.0.iter().map(row).collect(),
            })],
            ..Document::default()
        }
    }
}
