//! What finding ids mean, as documents.

use std::str::FromStr;

use serde::Serialize;

use crate::measure::compare::NoteId;
use crate::planner::FindingId;
use crate::planner::findings::{Explanation, UnknownFinding};
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

/// One id, explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The id: of a finding, or of a note of a comparison.
    pub id: &'static str,
    /// One line.
    pub title: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
}

impl Explained {
    const fn new(id: &'static str, explanation: Explanation) -> Self {
        Self {
            id,
            title: explanation.title,
            rule: explanation.rule,
            source: explanation.source,
        }
    }

    /// Every finding, then every note of a comparison whose id is not a finding's.
    pub fn all() -> impl Iterator<Item = Self> {
        let notes = NoteId::ALL.iter().map(|id| Self::from(*id));
        let findings = FindingId::ALL.iter().map(|id| Self::from(*id));
        let is_new = |note: &Self| FindingId::from_str(note.id).is_err();
        findings.chain(notes.filter(is_new))
    }
}

impl From<FindingId> for Explained {
    fn from(id: FindingId) -> Self {
        Self::new(id.code(), id.explanation())
    }
}

impl From<NoteId> for Explained {
    fn from(id: NoteId) -> Self {
        Self::new(id.code(), id.explanation())
    }
}

impl FromStr for Explained {
    type Err = UnknownFinding;

    /// The id of a finding, or of a note of a comparison.
    fn from_str(input: &str) -> Result<Self, UnknownFinding> {
        let finding = FindingId::from_str(input).map(Self::from);
        finding.or_else(|unknown| NoteId::from_str(input).map(Self::from).map_err(|_| unknown))
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
        Self(Explained::all().collect())
    }
}

impl Report for Index {
    fn document(&self) -> Document {
        let columns = ["id", "title", "rule", "source"];
        let heads = ["Finding", "What it says", "Rule", "Source"];
        let row = |e: &Explained| {
            let cells = [e.id, e.title, e.rule, e.source];
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
