//! Findings as remarks.

use crate::planner::{Finding, Severity};
use crate::report::{Note, Notes, Tone};

impl From<&Finding> for Note {
    fn from(finding: &Finding) -> Self {
        Self {
            label: finding.severity.name().to_owned(),
            tone: tone(finding.severity),
            id: finding.id.code().to_owned(),
            subject: finding.subject.clone(),
            text: finding.message.clone(),
            fix: finding.fix.clone(),
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

/// A list of findings, in the order given.
#[must_use]
pub fn notes(findings: &[Finding]) -> Notes {
    Notes {
        id: "findings".to_owned(),
        title: "Findings".to_owned(),
        items: findings.iter().map(Note::from).collect(),
    }
}
