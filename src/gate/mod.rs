//! What becomes of findings in a pipeline: which are suppressed, and whether the rest make it fail.
//!
//! A room of its own beside the planner, because findings of every kind pass it (a plan's, those of measured results,
//! those of deployed VMs). It is pure: a suppression file comes as text, today's date comes from the caller.
//!
//! ```
//! use diskcap::gate::{Gate, Suppression};
//! use diskcap::planner::Severity;
//!
//! let text = "[[suppress]]\nid = 'UNUSABLE'\nsubject = 'log*'\nreason = 'resized in spring'\nexpires = 2027-03-31";
//! let entries = Suppression::parse_all(text, "suppressions.toml")?;
//! let mut gate = Gate::new(entries, jiff::civil::date(2026, 12, 1), Some(Severity::Warning));
//! // For each VM: gate.judge(&["Standard_D2s_v3"], &mut findings);
//! let verdict = gate.verdict();
//! assert_eq!((verdict.failing, verdict.remarks.len()), (0, 1)); // The entry matched nothing.
//! # Ok::<(), diskcap::gate::SuppressionError>(())
//! ```

mod entry;
mod file;
mod remark;

use jiff::civil::Date;

pub use entry::Suppression;
pub use file::{Problem, SuppressionError};
pub use remark::Remark;

use crate::planner::findings::Suppressed;
use crate::planner::{Finding, Severity};

/// Suppressions on a day, and the severity from which on findings fail.
///
/// VM after VM is [judged](Self::judge); what is kept between them is counts alone.
#[derive(Debug, Clone)]
pub struct Gate {
    entries: Vec<Counted>,
    today: Date,
    fail_on: Option<Severity>,
    failing: usize,
    suppressed: usize,
}

/// An entry, and what came of it.
#[derive(Debug, Clone)]
struct Counted {
    entry: Suppression,
    /// How many findings it fitted.
    fitted: usize,
    /// How many of those count because it has expired.
    missed: usize,
}

/// What all findings together come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// How many findings are at or above the severity that fails; 0 where none fails.
    pub failing: usize,
    /// How many are suppressed.
    pub suppressed: usize,
    /// What is to be said of the suppressions themselves, in their order.
    pub remarks: Vec<Remark>,
}

impl Gate {
    /// Before any finding. An entry holds through its last day; `today` is that of the caller.
    #[must_use]
    pub fn new(entries: Vec<Suppression>, today: Date, fail_on: Option<Severity>) -> Self {
        let entries = entries.into_iter().map(|entry| Counted {
            entry,
            fitted: 0,
            missed: 0,
        });
        Self {
            entries: entries.collect(),
            today,
            fail_on,
            failing: 0,
            suppressed: 0,
        }
    }

    /// Marks those of one VM's (or plan's) `findings` that an entry suppresses, and counts the others. `vm` is every
    /// name that the VM goes by: its name, its resource id, its size; an entry that names a VM has to fit one of them.
    pub fn judge(&mut self, vm: &[&str], findings: &mut [Finding]) {
        self.judge_by_names(vm, |_| Vec::new(), findings);
    }

    /// The same where subjects go by other names as well: those that `names` has for one.
    pub fn judge_by_names<'n>(
        &mut self,
        vm: &[&str],
        names: impl Fn(&str) -> Vec<&'n str>,
        findings: &mut [Finding],
    ) {
        for finding in findings {
            let also = names(&finding.subject);
            finding.suppressed = self.suppression(vm, &also, finding).map(Box::new);
            if finding.suppressed.is_some() {
                self.suppressed += 1;
            } else if self.fail_on.is_some_and(|least| finding.severity <= least) {
                self.failing += 1;
            }
        }
    }

    /// What suppresses `finding`: the first entry that fits and holds. All that fit are counted.
    fn suppression(&mut self, vm: &[&str], also: &[&str], finding: &Finding) -> Option<Suppressed> {
        let today = self.today;
        let mut fitting: Vec<&mut Counted> = self.entries.iter_mut().collect();
        fitting.retain(|counted| counted.entry.fits(vm, also, finding));
        let holds = |counted: &&mut Counted| !counted.entry.has_expired(today);
        let first = fitting.iter().find(|counted| holds(counted));
        let suppressed = first.map(|counted| counted.entry.to_suppressed());
        for counted in fitting {
            counted.fitted += 1;
            counted.missed += usize::from(suppressed.is_none());
        }
        suppressed
    }

    /// The severity from which on findings fail.
    #[must_use]
    pub const fn fail_on(&self) -> Option<Severity> {
        self.fail_on
    }

    /// What all that was judged comes to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let remark = |counted: &Counted| {
            let Counted {
                entry,
                fitted,
                missed,
            } = counted;
            match entry.expires {
                Some(last) if entry.has_expired(self.today) => Some(Remark::Expired {
                    entry: entry.to_string(),
                    last,
                    findings: *missed,
                }),
                _ if *fitted == 0 => Some(Remark::Unused {
                    entry: entry.to_string(),
                }),
                _ => None,
            }
        };
        Verdict {
            failing: self.failing,
            suppressed: self.suppressed,
            remarks: self.entries.iter().filter_map(remark).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::planner::FindingId;

    fn finding(id: FindingId, severity: Severity, subject: &str) -> Finding {
        Finding::new(id, severity, subject, "a message")
    }

    fn gate(text: &str, fail_on: Option<Severity>) -> Gate {
        let entries = Suppression::parse_all(text, "s.toml").unwrap();
        Gate::new(entries, date(2026, 6, 15), fail_on)
    }

    /// A warning on `log`, an info on `data`, a warning on the VM.
    fn three() -> [Finding; 3] {
        [
            finding(FindingId::Unusable, Severity::Warning, "log"),
            finding(FindingId::Unusable, Severity::Info, "data"),
            finding(FindingId::VmUncachedMbps, Severity::Warning, "D2s_v3"),
        ]
    }

    fn reasons(findings: &[Finding]) -> Vec<Option<&str>> {
        let suppressed = findings.iter().map(|f| f.suppressed.as_deref());
        suppressed.map(|s| Some(s?.reason.as_str())).collect()
    }

    #[test]
    fn what_is_not_suppressed_counts_from_the_severity_that_fails() {
        for (fail_on, failing) in [
            (None, 0),
            (Some(Severity::Error), 0),
            (Some(Severity::Warning), 2),
            (Some(Severity::Info), 3),
        ] {
            let mut gate = gate("", fail_on);
            gate.judge(&["vm"], &mut three());
            assert_eq!(gate.verdict().failing, failing, "{fail_on:?}");
        }
    }

    #[test]
    fn an_entry_fits_by_id_subject_and_vm_whatever_the_case() {
        let suppressed = |entry: &str| {
            let text = format!("[[suppress]]\nreason = 'r'\n{entry}");
            let mut gate = gate(&text, Some(Severity::Info));
            let mut findings = three();
            gate.judge(
                &["web-1", "/subscriptions/S/vm/web-1", "D2s_v3"],
                &mut findings,
            );
            let verdict = gate.verdict();
            assert_eq!(verdict.failing + verdict.suppressed, 3);
            findings.map(|f| f.suppressed.is_some())
        };
        assert_eq!(suppressed("id = 'unusable'"), [true, true, false]);
        assert_eq!(
            suppressed("id = 'UNUSABLE'\nsubject = 'LOG'"),
            [true, false, false]
        );
        assert_eq!(
            suppressed("id = '*'\nsubject = 'd?ta'"),
            [false, true, false]
        );
        // As tables of many VMs print it.
        assert_eq!(
            suppressed("id = '*'\nsubject = 'web-1/log'"),
            [true, false, false]
        );
        // What is about the VM goes by each of its names.
        for name in ["web-1", "D2S_v3", "web-1/web-1"] {
            assert_eq!(
                suppressed(&format!("id = '*'\nsubject = '{name}'")),
                [false, false, true],
                "{name}"
            );
        }
        assert_eq!(
            suppressed("id = 'VM-*'\nvm = 'WEB-*'"),
            [false, false, true]
        );
        assert_eq!(
            suppressed("id = 'VM-*'\nvm = '*/web-1'"),
            [false, false, true]
        );
        assert_eq!(
            suppressed("id = 'VM-*'\nvm = 'db-*'"),
            [false, false, false]
        );
    }

    #[test]
    fn a_subject_goes_by_its_other_names_too() {
        let mut gate = gate(
            "[[suppress]]\nreason = 'r'\nid = '*'\nsubject = 'web-1-data'",
            None,
        );
        let mut findings = three();
        let names = |subject: &str| match subject {
            "data" => vec!["web-1-data"],
            _ => Vec::new(),
        };
        gate.judge_by_names(&["web-1"], names, &mut findings);
        assert_eq!(
            findings.map(|f| f.suppressed.is_some()),
            [false, true, false]
        );
    }

    #[test]
    fn an_entry_holds_through_its_last_day_and_is_told_of_after() {
        let entry =
            |day: &str| format!("[[suppress]]\nid = 'UNUSABLE'\nreason = 'r'\nexpires = {day}\n");
        for (day, holds) in [("2026-06-15", true), ("2026-06-14", false)] {
            let mut gate = gate(&entry(day), Some(Severity::Info));
            gate.judge(&[], &mut three());
            let verdict = gate.verdict();
            assert_eq!(
                (verdict.suppressed, verdict.failing),
                if holds { (2, 1) } else { (0, 3) }
            );
            assert_eq!(verdict.remarks.is_empty(), holds);
            if let [remark] = verdict.remarks.as_slice() {
                assert!(remark.is_warning());
                assert_eq!(
                    remark.to_string(),
                    "s.toml, line 1: the suppression of UNUSABLE expired on 2026-06-14: 2 findings that it fits count again"
                );
            }
        }
    }

    #[test]
    fn an_entry_that_fits_nothing_is_told_of() {
        let mut gate = gate(
            "[[suppress]]\nid = 'V2-*'\nsubject = 'log'\nvm = 'a'\nreason = 'r'",
            None,
        );
        gate.judge(&["vm"], &mut three());
        let remarks = gate.verdict().remarks;
        assert!(!remarks[0].is_warning());
        assert_eq!(
            remarks[0].to_string(),
            "s.toml, line 1: the suppression of V2-* (subject log, vm a) fits no finding"
        );
    }

    #[test]
    fn the_first_entry_that_holds_gives_the_reason_and_every_one_that_fits_is_used() {
        let text = "[[suppress]]\nid='UNUSABLE'\nreason='old'\nexpires='2020-01-01'\n\
                    [[suppress]]\nid='UNUSABLE'\nreason='first'\n[[suppress]]\nid='*'\nreason='second'\nexpires = 2030-01-01";
        let mut gate = gate(text, Some(Severity::Info));
        let mut findings = three();
        gate.judge(&["vm"], &mut findings);
        assert_eq!(
            reasons(&findings),
            [Some("first"), Some("first"), Some("second")]
        );
        let source = &findings[2].suppressed.as_ref().unwrap();
        assert_eq!(source.source, "s.toml, line 8");
        assert_eq!(source.expires, Some(date(2030, 1, 1)));
        let verdict = gate.verdict();
        assert_eq!((verdict.failing, verdict.suppressed), (0, 3));
        let [expired] = verdict.remarks.as_slice() else {
            panic!("{:?}", verdict.remarks);
        };
        assert_eq!(
            expired.to_string(),
            "s.toml, line 1: the suppression of UNUSABLE expired on 2020-01-01: no finding needs it, it can go"
        );
    }
}
