//! Findings as remarks.

use crate::planner::{Finding, Severity};
use crate::report::{Checked, Note, Notes, Section, Tone};

impl From<&Finding> for Note {
    fn from(finding: &Finding) -> Self {
        Self {
            label: finding.severity.name().to_owned(),
            tone: tone(finding.severity),
            id: finding.id.code().to_owned(),
            subject: finding.subject.clone(),
            owner: None,
            text: finding.message.clone(),
            fix: finding.fix.clone(),
            fix_for_all: None,
        }
    }
}

pub(super) const fn tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Warning,
        Severity::Info => Tone::Faint,
    }
}

/// What is said in place of findings where all of them are suppressed.
pub(super) const ALL_SUPPRESSED: &str = "Nothing is wrong but what is suppressed.";

/// A finding that is not suppressed.
pub(super) fn open(finding: &Finding) -> Option<Note> {
    let is_open = finding.suppressed.is_none();
    is_open.then(|| Note::from(finding))
}

/// The findings that are not suppressed, in the order given.
#[must_use]
pub fn notes(findings: &[Finding]) -> Notes {
    open_notes(findings.iter().filter_map(open).collect())
}

/// Findings under their heading.
pub(super) fn open_notes(items: Vec<Note>) -> Notes {
    Notes {
        id: "findings".to_owned(),
        title: "Findings".to_owned(),
        items,
    }
}

/// The findings that are suppressed, with the reasons in place of what they say; `None` where there are none.
#[must_use]
pub fn suppressed(findings: &[Finding]) -> Option<Notes> {
    suppressed_notes(findings.iter().filter_map(accepted).collect())
}

/// Suppressed findings under their heading.
pub(super) fn suppressed_notes(items: Vec<Note>) -> Option<Notes> {
    (!items.is_empty()).then(|| Notes {
        id: "suppressed".to_owned(),
        title: "Suppressed findings".to_owned(),
        items,
    })
}

/// The list of findings of a report that has none to show.
pub(super) fn unfilled() -> Vec<Notes> {
    vec![open_notes(Vec::new())]
}

/// Both, where there are any.
#[must_use]
pub fn sections(findings: &[Finding]) -> Vec<Section> {
    let open = Some(notes(findings)).filter(|notes| !notes.items.is_empty());
    let both = open.into_iter().chain(suppressed(findings));
    both.map(Section::Notes).collect()
}

/// Why a finding is suppressed, in place of what it says.
pub(super) fn accepted(finding: &Finding) -> Option<Note> {
    let suppressed = finding.suppressed.as_ref()?;
    let until = suppressed.expires;
    let until = until.map_or_else(String::new, |day| format!("until {day}, "));
    Some(Note {
        text: format!("{} ({until}{})", suppressed.reason, suppressed.source),
        tone: Tone::Faint,
        fix: None,
        ..Note::from(finding)
    })
}

/// Something that was checked, and what was found on it.
pub(super) fn checked(name: &str, vm: Option<&str>, findings: &[Finding]) -> Checked {
    Checked {
        name: name.to_owned(),
        vm: vm.map(ToOwned::to_owned),
        findings: findings.to_vec(),
        ..Checked::default()
    }
}
