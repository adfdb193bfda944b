//! Whether VMs and disks agree on which of them belong together: they are saved by separate calls, and a detach may stop
//! half-way.

use super::Case;
use crate::azure::facts::{DiskFacts, DiskState, FleetFacts, Named, ResourceId, VmFacts};
use crate::azure::remedies::with_remedy;
use crate::planner::{Finding, FindingId, Severity};

/// The disks of a VM that say that they are another's, or nobody's.
pub(super) fn findings(case: &Case<'_>, found: &mut Vec<Finding>) {
    for member in &case.assembled.members {
        let (Some(disk), Some(id)) = (member.seen.itself, &case.vm.id) else {
            continue;
        };
        let subject = case.subject_of_disk(member);
        let lun = member.seen.attached.and_then(|attached| attached.lun);
        found.extend(of_another(disk, id, case.vm, &subject).map(|found| with_lun(found, lun)));
        let other = disk.attached_to.iter().filter(|vm| *vm != id);
        let lacking = other.filter_map(|vm| lacks(case.facts, vm, disk));
        found.extend(lacking.map(|vm| is_lacked(&subject, vm)));
    }
}

/// The VM has the disk; the disk does not say so.
fn of_another(disk: &DiskFacts, id: &ResourceId, vm: &VmFacts, subject: &str) -> Option<Finding> {
    let is_unattached = disk.state.as_ref().and_then(Named::known) == Some(DiskState::Unattached);
    let says = match disk.attached_to.as_slice() {
        [] if is_unattached => "no VM".to_owned(),
        [] => return None,
        some if some.contains(id) => return None,
        some => names(some),
    };
    let text = format!(
        "is among the disks of {}, and says itself that it is attached to {says}: VM and disk were saved at \
         different times, or attaching it failed half-way",
        vm.name
    );
    Some(mismatch(subject, text, vm))
}

/// The VMs that a disk says it is attached to, and that were read without it.
pub(in crate::azure::validate) fn of_lacking<'a>(
    facts: &'a FleetFacts,
    disk: &'a DiskFacts,
) -> impl Iterator<Item = Finding> + 'a {
    let vms = disk.attached_to.iter();
    let lacking = vms.filter_map(|vm| lacks(facts, vm, disk));
    lacking.map(|vm| is_lacked(&disk.name, vm))
}

/// The VM of this id, where it was read, its disks are known and `disk` is none of them.
fn lacks<'a>(facts: &'a FleetFacts, vm: &ResourceId, disk: &DiskFacts) -> Option<&'a VmFacts> {
    let vm = facts.vm(vm)?;
    let has = |own: &crate::azure::facts::AttachedDisk| match (&own.id, &disk.id) {
        (Some(own), Some(id)) => own == id,
        _ => own
            .name
            .as_deref()
            .is_some_and(|own| own.eq_ignore_ascii_case(&disk.name)),
    };
    let is_known = vm.disks().next().is_some();
    (is_known && !vm.disks().any(has)).then_some(vm)
}

/// The disk says that a VM has it; the VM does not.
fn is_lacked(subject: &str, vm: &VmFacts) -> Finding {
    let text = format!(
        "says that it is attached to {}, which does not have it among its disks: VM and disk were saved at different \
         times, or a detach stopped half-way",
        vm.name
    );
    mismatch(subject, text, vm)
}

/// The finding with the place of the disk in the command of its fix, where that is known.
fn with_lun(finding: Finding, lun: Option<u32>) -> Finding {
    let place = lun.map(|lun| format!("--lun {lun}"));
    let fix = finding.fix.as_deref().zip(place);
    match fix {
        Some((fix, place)) => Finding {
            fix: Some(fix.replace("--lun LUN", &place)),
            ..finding
        },
        None => finding,
    }
}

fn mismatch(subject: &str, text: String, vm: &VmFacts) -> Finding {
    let finding = with_remedy(Finding::new(
        FindingId::AttachmentMismatch,
        Severity::Warning,
        subject,
        text,
    ));
    // An instance of a scale set is no VM to `az vm`.
    let instance = (vm.id.as_ref()).and_then(|id| Some((id.scale_set()?, id.name())));
    let Some((scale_set, instance)) = instance else {
        return finding;
    };
    let detach =
        format!("`az vmss disk detach --vmss-name {scale_set} --instance-id {instance} --lun LUN`");
    let fix = finding.fix.as_deref();
    let fix = fix.map(|fix| fix.replace("`az vm disk detach`", &detach));
    Finding { fix, ..finding }
}

fn names(ids: &[ResourceId]) -> String {
    let names: Vec<&str> = ids.iter().map(ResourceId::name).collect();
    names.join(" and ")
}
