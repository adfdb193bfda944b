//! What finding ids mean, as documents.

use std::str::FromStr;

use serde::Serialize;

use crate::azure::remedies as deployed;
use crate::catalog::Catalog;
use crate::measure::compare::NoteId;
use crate::measure::grounds as judgement;
use crate::planner::FindingId;
use crate::planner::findings::{Explanation, UnknownFinding, grounds as model};
use crate::report::text::capitalised;
use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

impl FindingId {
    /// What it means: by the model, by the rules that measurements are judged by, or by a cloud's documentation.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they ask for every id.
    #[must_use]
    pub fn explanation(self) -> Explanation {
        let documented = Catalog::documented(self.code());
        let rule = model::rule(self)
            .or_else(|| judgement::rule(self))
            .or_else(|| documented.map(|text| (text.rule, text.source)));
        let title = self.title().or_else(|| documented?.title);
        let (Some(title), Some((rule, source))) = (title, rule) else {
            unreachable!("every id is explained: tested, but not of {self}");
        };
        Explanation {
            title,
            rule,
            source,
        }
    }
}

impl FindingId {
    /// What to do about it, whatever its numbers: of a plan, of measurements, or of what is deployed. `None` where it only
    /// says something worth knowing, or its own fix says all.
    #[must_use]
    pub fn what_to_do(self) -> Option<&'static str> {
        let planned = self.remedy().or_else(|| judgement::remedy(self));
        planned.or_else(|| deployed::remedy(self))
    }
}

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
    /// What to do about it, where there is something.
    pub fix: Option<&'static str>,
    /// The ids of findings that are about the same thing.
    pub related: Vec<&'static str>,
    /// Where the documentation says the same, from the folder of the project on; it has no page of notes.
    pub page: Option<String>,
}

impl Explained {
    fn new(id: &'static str, explanation: Explanation, fix: Option<&'static str>) -> Self {
        let finding = FindingId::of_code(id);
        let related = finding.into_iter().flat_map(FindingId::related);
        Self {
            id,
            title: explanation.title,
            rule: explanation.rule,
            source: explanation.source,
            fix,
            related: related.map(FindingId::code).collect(),
            page: finding.map(|_| format!("docs/src/findings.md#{}", id.to_lowercase())),
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
        Self::new(id.code(), id.explanation(), id.what_to_do())
    }
}

impl From<NoteId> for Explained {
    fn from(id: NoteId) -> Self {
        Self::new(id.code(), id.explanation(), id.remedy())
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
        let text = |title: &str, text: String| Section::Text {
            title: title.to_owned(),
            paragraphs: vec![text],
        };
        let mut sections = vec![text("Rule", self.rule.to_owned())];
        let fix = self.fix.map(|fix| format!("{}.", capitalised(fix)));
        sections.extend(fix.map(|fix| text("What to do", fix)));
        if !self.related.is_empty() {
            sections.push(text("Related findings", self.related.join(", ")));
        }
        Document {
            title: format!("{}: {}", self.id, self.title),
            sections,
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
        let columns = ["id", "title", "rule", "fix", "related", "source"];
        let heads = [
            "Finding",
            "What it says",
            "Rule",
            "What to do",
            "Related",
            "Source",
        ];
        let row = |e: &Explained| {
            let text = |text: &str| match text {
                "" => Cell::EMPTY,
                text => Cell::text(text),
            };
            let fix = e.fix.unwrap_or_default();
            let cells = [e.id, e.title, e.rule, fix, &e.related.join(", "), e.source];
            Row::new(cells.map(text).to_vec())
        };
        let column = |(id, head): (&'static str, &str)| match id {
            "rule" | "fix" | "related" | "source" => Column::new(id, head).on_request(),
            _ => Column::new(id, head),
        };
        Document {
            title: "Findings".to_owned(),
            footnotes: vec![
                "`diskcap explain ID` tells the rule, its source and what to do.".to_owned(),
            ],
            sections: vec![Section::Table(Table {
                id: "findings".to_owned(),
                title: String::new(),
                columns: columns.into_iter().zip(heads).map(column).collect(),
                rows: self.0.iter().map(row).collect(),
            })],
            ..Document::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Documented;

    #[test]
    fn every_id_is_explained_in_one_place() {
        for id in FindingId::ALL {
            let documented = Catalog::documented(id.code());
            let rules = [
                model::rule(*id).is_some(),
                judgement::rule(*id).is_some(),
                documented.is_some(),
            ];
            assert_eq!(rules.iter().filter(|has| **has).count(), 1, "{id}: rule");
            let of_cloud = documented.and_then(|text| text.title);
            assert!(id.title().is_some() != of_cloud.is_some(), "{id}: title");
            let said = id.explanation();
            assert!(
                said.rule.ends_with('.') && !said.rule.contains("  "),
                "{id}"
            );
            assert!(
                !said.source.is_empty() && !said.source.ends_with('.'),
                "{id}"
            );
            assert!(!said.title.is_empty() && !said.title.ends_with('.'), "{id}");
        }
    }

    #[test]
    fn what_to_do_is_said_in_one_place() {
        for id in FindingId::ALL {
            let said = [id.remedy(), judgement::remedy(*id), deployed::remedy(*id)];
            let said: Vec<&str> = said.into_iter().flatten().collect();
            assert!(said.len() <= 1, "{id}");
            let is_part = |words: &&str| !words.ends_with('.') && !words.contains("  ");
            assert!(said.iter().all(is_part), "{id}: {said:?}");
            let measured = id.code().starts_with("SERIES-") || id.code().starts_with("PEER-");
            let fine = matches!(id, FindingId::SeriesSteady | FindingId::PeerAlike);
            assert!(!measured || said.is_empty() == fine, "{id}");
        }
    }

    #[test]
    fn nothing_is_documented_of_no_id_or_twice() {
        let mut ids: Vec<&str> = Catalog::all_documented()
            .map(|Documented { id, .. }| *id)
            .collect();
        let all = ids.len();
        assert!(ids.iter().all(|id| FindingId::of_code(id).is_some()));
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }
}
