//! A validation as a document: one VM with all that a plan shows of it, or many with a line each.

mod alike;
mod fleet;
mod one;
pub(in crate::report) mod rows;
mod tables;

use super::findings;
use crate::azure::validate::{DiskValidation, FleetValidation, VmIdentity, VmValidation};
use crate::planner::{Finding, Severity};
use crate::report::{Checked, Document, Report, SourceFile};

impl Report for FleetValidation {
    fn document(&self) -> Document {
        match (self.vms.as_slice(), self.disks.as_slice()) {
            ([vm], []) => one::document(self, vm),
            _ => fleet::document(self),
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        let vms = self.vms.iter().map(checked_vm);
        Box::new(vms.chain(self.disks.iter().map(checked_disk)))
    }
}

/// What is said where nothing was found; where not everything is known, that is said too.
fn clean(is_known: bool) -> &'static str {
    match is_known {
        true => "Nothing is wrong by the rules known here.",
        false => {
            "Nothing is wrong by the rules known here, as far as the answers tell: what is not known stands below."
        }
    }
}

/// Whether a finding is about the VM as a whole, which it calls by its name or by its size.
fn is_about(vm: &VmIdentity, finding: &Finding) -> bool {
    let is = |name: &str| name.eq_ignore_ascii_case(&finding.subject);
    vm.size.as_deref().is_some_and(is) || is(&vm.name)
}

/// A VM with what was found on it. What is about its size is about the VM.
fn checked_vm(vm: &VmValidation) -> Checked {
    let of = &vm.vm;
    let mut checked = Checked {
        id: of.id.clone(),
        file: source_file(&of.source),
        ..findings::checked(
            &with_group(of.resource_group.as_deref(), &of.name),
            Some(&of.name),
            &vm.findings,
        )
    };
    for finding in &mut checked.findings {
        if is_about(of, finding) {
            finding.subject.clone_from(&of.name);
        }
    }
    checked
}

/// A disk that none of the VMs has, with what was found on it.
fn checked_disk(disk: &DiskValidation) -> Checked {
    let name = disk.disk.name.as_ref().unwrap_or(&disk.disk.volume);
    Checked {
        id: disk.disk.id.clone(),
        file: source_file(&disk.source),
        ..findings::checked(
            &with_group(disk.resource_group.as_deref(), name),
            None,
            &disk.findings,
        )
    }
}

/// A name that tells apart what is called alike in several groups.
fn with_group(group: Option<&str>, name: &str) -> String {
    group.map_or_else(|| name.to_owned(), |group| format!("{group}/{name}"))
}

/// The file that something was read from; an address is none.
fn source_file(source: &str) -> Option<SourceFile> {
    let is_file = !source.contains("://");
    is_file.then(|| SourceFile {
        path: source.to_owned(),
        ..SourceFile::default()
    })
}

/// What was not read and is missing in a validation.
fn incomplete(validation: &FleetValidation) -> Vec<String> {
    let problems = validation.problems.iter().filter(|note| note.leaves_out);
    problems
        .map(|note| format!("{}: {}", note.source, note.text))
        .collect()
}

/// What could not be read at all, or is broken: pipelines are told that the check did not succeed.
fn unread(validation: &FleetValidation) -> Vec<String> {
    let of_vms = validation.vms.iter().flat_map(|vm| &vm.problems);
    let of_disks = validation.disks.iter().flat_map(|disk| &disk.problems);
    let all = validation.problems.iter().chain(of_vms).chain(of_disks);
    let errors = all.filter(|note| note.severity == Severity::Error);
    errors
        .map(|note| format!("{}: {}", note.source, note.text))
        .collect()
}

/// What every validation says at its end: data and prices.
fn footnotes(validation: &FleetValidation) -> Vec<String> {
    let mut notes = vec![format!("Data: {}.", validation.data)];
    notes.extend(
        validation
            .prices
            .iter()
            .map(|info| format!("Money: {info}; 730 hours a month.")),
    );
    notes
}
