//! Which of the read problems belongs to which VM or disk.

use std::collections::HashMap;

use super::model::ReadNote;
use crate::azure::facts::{FleetFacts, Problem, ReadProblem};
use crate::azure::remedies::with_remedy;
use crate::planner::{Finding, FindingId, Severity};

/// The read problems by the resource that they are about.
#[derive(Debug, Default)]
pub(super) struct Problems<'a> {
    vms: HashMap<&'a str, Vec<&'a ReadProblem>>,
    disks: HashMap<&'a str, Vec<&'a ReadProblem>>,
    /// Those of no VM and no disk.
    pub(super) others: Vec<&'a ReadProblem>,
}

/// How a subject of a VM, or of a disk, begins.
const VM: &str = "VM ";
const DISK: &str = "disk ";

impl<'a> Problems<'a> {
    pub(super) fn new(facts: &'a FleetFacts) -> Self {
        let mut sorted = Self::default();
        for problem in &facts.problems {
            let subject = problem.subject.as_deref().unwrap_or_default();
            if let Some(name) = subject.strip_prefix(VM) {
                sorted.vms.entry(name).or_default().push(problem);
            } else if let Some(name) = subject.strip_prefix(DISK) {
                sorted.disks.entry(name).or_default().push(problem);
            } else {
                sorted.others.push(problem);
            }
        }
        sorted.give_back(facts);
        sorted
    }

    /// Problems about a resource that was left out belong to nobody.
    fn give_back(&mut self, facts: &FleetFacts) {
        let known: std::collections::HashSet<&str> = match self.vms.is_empty() {
            true => Default::default(),
            false => facts.vms.iter().map(|vm| &*vm.name).collect(),
        };
        let disks: std::collections::HashSet<&str> = match self.disks.is_empty() {
            true => Default::default(),
            false => facts.disks.iter().map(|disk| &*disk.name).collect(),
        };
        for (problems, known) in [(&mut self.vms, known), (&mut self.disks, disks)] {
            let others = &mut self.others;
            problems.retain(|name, of_name| {
                let has_owner = known.contains(name);
                if !has_owner {
                    others.append(of_name);
                }
                has_owner
            });
        }
    }

    pub(super) fn of_vm(&self, name: &str) -> &[&'a ReadProblem] {
        self.vms.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn of_disk(&self, name: &str) -> &[&'a ReadProblem] {
        self.disks.get(name).map_or(&[], Vec::as_slice)
    }
}

/// The notes of problems.
pub(super) fn notes(problems: &[&ReadProblem]) -> Vec<ReadNote> {
    problems
        .iter()
        .map(|problem| ReadNote::from(*problem))
        .collect()
}

/// Of a disk whose answer does say its limits, and says what cannot be, it is no advice to look for them elsewhere.
pub(super) fn not_believed(subject: &str, problems: &[&ReadProblem], findings: &mut [Finding]) {
    let is_limit = |field: &str| field.starts_with("diskIOPS") || field.starts_with("diskMBps");
    let is_it = |problem: &&ReadProblem| match &problem.problem {
        Problem::Implausible { .. } => true,
        Problem::Odd { field, .. } => is_limit(field),
        _ => false,
    };
    if !problems.iter().any(is_it) {
        return;
    }
    let unknown = findings
        .iter_mut()
        .filter(|of| of.id == FindingId::UnknownCap && of.subject == subject);
    for finding in unknown {
        finding.fix = Some(
            "the answer says limits that cannot be, which are not used: check the disk with `az disk show`"
                .to_owned(),
        );
    }
}

/// Values that cannot be are findings, too.
pub(super) fn implausible(subject: &str, problems: &[&ReadProblem]) -> Vec<Finding> {
    let of = |problem: &&ReadProblem| match &problem.problem {
        Problem::Implausible { .. } => Some(with_remedy(Finding::new(
            FindingId::ImplausibleValue,
            Severity::Warning,
            subject,
            problem.problem.to_string(),
        ))),
        _ => None,
    };
    problems.iter().filter_map(of).collect()
}
