//! One suppression: which findings it fits, why, and until when.

use std::fmt;

use jiff::civil::Date;
use wildmatch::WildMatch;

use crate::planner::Finding;
use crate::planner::findings::Suppressed;

/// An accepted finding, as a suppression file names it. In patterns `*` stands for any letters, `?` for one; case does
/// not matter.
#[derive(Debug, Clone, PartialEq)]
pub struct Suppression {
    /// Which ids.
    pub(super) id: WildMatch,
    /// Which subjects (a volume, a size, a run); all where none is named.
    pub(super) subject: Option<WildMatch>,
    /// Which VMs; all where none is named.
    pub(super) vm: Option<WildMatch>,
    /// Why it is accepted.
    pub reason: String,
    /// The last day on which it holds.
    pub expires: Option<Date>,
    /// The file that it stands in.
    pub file: String,
    /// The line where it begins.
    pub line: usize,
}

impl Suppression {
    /// Whether it is of `finding`, on a VM that goes by the names `vm`; expired or not. What is about the VM as a whole goes
    /// by each of them, anything else by its subject and by the names in `also`.
    #[must_use]
    pub fn fits(&self, vm: &[&str], also: &[&str], finding: &Finding) -> bool {
        let of = |pattern: &Option<WildMatch>, names: &[&str]| {
            let pattern = pattern.as_ref();
            pattern.is_none_or(|pattern| names.iter().any(|name| pattern.matches(name)))
        };
        // Tables of many VMs print a subject with its VM: `web/lun0`.
        let own = finding.subject.as_str();
        let is_of_vm = vm.iter().any(|name| name.eq_ignore_ascii_case(own));
        let names = if is_of_vm { vm } else { also };
        let of_subject = || {
            let mut subjects = std::iter::once(&own).chain(names);
            subjects.any(|subject| {
                let with_vm = |vm: &&str| of(&self.subject, &[&format!("{vm}/{subject}")]);
                of(&self.subject, &[subject]) || vm.iter().any(with_vm)
            })
        };
        self.id.matches(finding.id.code()) && of_subject() && of(&self.vm, vm)
    }

    /// Whether its last day is before `today`.
    #[must_use]
    pub fn has_expired(&self, today: Date) -> bool {
        self.expires.is_some_and(|last| last < today)
    }

    /// What is put on a finding.
    pub(super) fn to_suppressed(&self) -> Suppressed {
        Suppressed {
            reason: self.reason.clone(),
            expires: self.expires,
            source: self.place(),
        }
    }

    /// Where it stands.
    fn place(&self) -> String {
        format!("{}, line {}", self.file, self.line)
    }
}

/// Where it stands and what it is of: `s.toml, line 3: the suppression of V2-* (subject log)`.
impl fmt::Display for Suppression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |name, pattern: &Option<WildMatch>| {
            let pattern = pattern.as_ref()?;
            Some(format!("{name} {}", pattern.pattern()))
        };
        let of = [named("subject", &self.subject), named("vm", &self.vm)];
        let of: Vec<String> = of.into_iter().flatten().collect();
        let id = self.id.pattern();
        write!(f, "{}: the suppression of {id}", self.place())?;
        if !of.is_empty() {
            write!(f, " ({})", of.join(", "))?;
        }
        Ok(())
    }
}
