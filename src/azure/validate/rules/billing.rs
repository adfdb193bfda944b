//! What is billed and does no work.

use super::Case;
use super::off::{self, OffSaving};
use crate::azure::facts::Power;
use crate::azure::remedies::with_remedy;
use crate::azure::validate::assemble::Member;
use crate::azure::validate::owners::{Beside, names};
use crate::azure::validate::power;
use crate::catalog::Family;
use crate::planner::money::disk_month;
use crate::planner::{Finding, FindingId, Severity};
use crate::units::grouped;

pub(super) fn findings(case: &Case<'_>, found: &mut Vec<Finding>) {
    found.extend(not_running(case));
    found.extend(ultra_reservation(case));
}

/// A VM that does not run.
fn not_running(case: &Case<'_>) -> Option<Finding> {
    match case.power? {
        Power::Deallocated => Some(deallocated(case)),
        Power::Stopped => Some(stopped(case)),
        Power::Running | Power::Starting | Power::Stopping | Power::Deallocating => None,
    }
}

fn stopped(case: &Case<'_>) -> Finding {
    let mut text = "is stopped and not deallocated: its size is billed as if it ran".to_owned();
    let month = case.vm_month.filter(|month| month.amount > 0.0);
    if let Some(month) = month {
        text.push_str(&format!(", {month} a month"));
    }
    let subject = case.own_subject();
    let id = FindingId::VmStopped;
    let finding = with_remedy(Finding::new(id, Severity::Warning, subject, text));
    match month {
        Some(month) => finding.figure("vm_cost_per_month", month.amount, month.currency),
        None => finding,
    }
}

/// On which disks that finding says that money is saved while the VM is off.
pub(in crate::azure::validate) fn saved_while_off(case: &Case<'_>) -> Vec<OffSaving> {
    match case.power {
        Some(Power::Deallocated) => off::savings(case),
        _ => Vec::new(),
    }
}

fn deallocated(case: &Case<'_>) -> Finding {
    let mut elsewhere = Vec::new();
    let mut own = Vec::new();
    for member in &case.assembled.members {
        match counted_elsewhere(case, member) {
            Some(words) => elsewhere.push(words),
            None => own.push(member),
        }
    }
    let month = case.book.and_then(|book| {
        let months = own.iter();
        let months = months.map(|m| disk_month(case.catalog, book, &m.understood.disk).known);
        let sum = months.reduce(|sum, more| sum.plus(more).unwrap_or(sum))?;
        (sum.amount > 0.0).then_some(sum)
    });
    let named = named(case, &own);
    let mut text = match own.len() {
        0 => "is deallocated".to_owned(),
        1 => format!("is deallocated; its disk is billed on{named}"),
        disks => format!("is deallocated; its {disks} disks are billed on{named}"),
    };
    if let Some(month) = month {
        text.push_str(&format!(": {month} a month"));
    }
    for words in elsewhere {
        text.push_str("; ");
        text.push_str(&words);
    }
    let mut finding = Finding::new(
        FindingId::VmDeallocated,
        Severity::Info,
        case.own_subject(),
        text,
    );
    if let Some(month) = month {
        // What they are billed is not what a fix saves.
        finding = finding.figure("disks_billed_monthly", month.amount, month.currency);
    }
    let Some((fix, saved)) = off::cheaper(case) else {
        return finding;
    };
    match saved {
        Some(saved) => finding.figure("saving_per_month", saved.amount, saved.currency),
        None => finding,
    }
    .fix(fix)
}

/// Why a disk is not billed for nothing because this VM is off, or not a second time: others have it too.
fn counted_elsewhere(case: &Case<'_>, member: &Member<'_>) -> Option<String> {
    let disk = case.subject_of_disk(member);
    let power = |other: &Beside<'_>| other.vm.and_then(|vm| power::of(case.facts, vm));
    let mut others = case.beside(member);
    others.retain(|other| power(other) != Some(Power::Deallocated));
    if others.is_empty() {
        let first = case.owners.before(case.vm, member)?;
        return Some(format!("{disk} is shared, and counted with {}", first.name));
    }
    let (on, unknown): (Vec<Beside<'_>>, Vec<Beside<'_>>) =
        others.into_iter().partition(|other| power(other).is_some());
    let said = [
        (on, "not deallocated"),
        (unknown, "not known to be deallocated"),
    ];
    let said = said.iter().filter(|(vms, _)| !vms.is_empty());
    let said: Vec<String> = said
        .map(|(vms, how)| {
            let are = if vms.len() == 1 { "is" } else { "are" };
            format!("with {}, which {are} {how}", names(vms))
        })
        .collect();
    Some(format!("{disk} is shared {}", said.join(", and ")))
}

/// So many disks are named; more are a number.
const NAMED: usize = 8;

/// Disks of a VM, by volume: ` (os P10, lun0 P30)`; nothing where they are many.
fn named(case: &Case<'_>, members: &[&Member<'_>]) -> String {
    let name = |member: &&Member<'_>| {
        let subject = case.subject_of_disk(member);
        format!("{subject} {}", member.understood.disk.model.label)
    };
    let names: Vec<String> = members.iter().map(name).collect();
    match names.len() {
        1..=NAMED => format!(" ({})", names.join(", ")),
        _ => String::new(),
    }
}

/// Ultra is enabled, and no Ultra disk is there.
fn ultra_reservation(case: &Case<'_>) -> Option<Finding> {
    let members = &case.assembled.members;
    let is_ultra = |family| family == Family::Ultra;
    // What is not provisioned reserves nothing.
    let deallocated = case.power == Some(Power::Deallocated);
    if case.vm.ultra_enabled != Some(true)
        || deallocated
        || members
            .iter()
            .any(|m| is_ultra(m.understood.disk.model.family))
    {
        return None;
    }
    let vcpus = case.vm.vcpus.or(case.size.map(|size| size.vcpus));
    let month = case
        .book
        .zip(vcpus)
        .map(|(book, vcpus)| book.ultra_reservation_bill(vcpus).total().known)
        .filter(|month| month.amount > 0.0);
    let mut text =
        "may use Ultra disks and has none: a reservation is billed for each vCPU".to_owned();
    if let Some(month) = month {
        text.push_str(&format!(
            " ({} {} a month)",
            grouped(month.amount, 2),
            month.currency
        ));
    }
    let finding = with_remedy(Finding::new(
        FindingId::UltraReservation,
        Severity::Warning,
        case.own_subject(),
        text,
    ));
    Some(match month {
        Some(month) => finding.figure("reservation_cost_per_month", month.amount, month.currency),
        None => finding,
    })
}
