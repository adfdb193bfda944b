//! Money that can be saved is in sums once: of several ways on one disk with one of them, and of a disk that several VMs have
//! with one of these.

use super::rules::{Case, OffSaving, saved_while_off};
use crate::planner::{Finding, FindingId};

/// What is billed once of the disks that an earlier VM has too, each of them or all of a stripe.
pub(super) fn of_shared(case: &Case<'_>, findings: &mut [Finding]) {
    if case.book.is_none() {
        return;
    }
    let members = case.assembled.members.iter();
    let before = |member| {
        Some((
            case.subject_of_disk(member),
            case.owners.before(case.vm, member)?,
        ))
    };
    let with_others: Vec<_> = members.filter_map(before).collect();
    for finding in findings {
        let is_its = |disk: &str| is_on_one_disk(&finding.subject, disk);
        let mut firsts = with_others.iter();
        if let Some((_, first)) = firsts.find(|(disk, _)| is_its(disk)) {
            billed_with(finding, &first.name);
        }
    }
}

/// A disk that an earlier VM has too is billed once: sums over VMs have it, and what is saved on it, with the first.
fn billed_with(finding: &mut Finding, first: &str) {
    let words = match finding.id {
        FindingId::SharedDisk => {
            format!("; it is billed once: sums of all VMs have it with {first}")
        }
        _ if finding.per_month().is_some() => format!("; sums have its money with {first}"),
        _ => return,
    };
    without_money(finding);
    finding.message.push_str(&words);
}

/// Of several ways to save money on one disk, one has it.
pub(super) fn counted_once(case: &Case<'_>, findings: &mut [Finding]) {
    saved_once(findings, &saved_while_off(case));
}

/// What is saved on a disk by one way is not saved again by another: what is saved while its VM is off has the money; else
/// the way that saves most.
fn saved_once(findings: &mut [Finding], off: &[OffSaving]) {
    for index in 0..findings.len() {
        let within = match within_off(&findings[index], off) {
            true => Some(FindingId::VmDeallocated),
            false => outdone(findings, index),
        };
        if let Some(within) = within {
            let finding = &mut findings[index];
            without_money(finding);
            let words = format!("; sums have its money with {within}");
            finding.message.push_str(&words);
        }
    }
}

/// Whether what is saved while the VM is off holds what a finding says can be saved.
fn within_off(finding: &Finding, off: &[OffSaving]) -> bool {
    let on_disk = |off: &&OffSaving| is_on_one_disk(&off.disk, &finding.subject);
    let mut on_disk = off.iter().filter(on_disk);
    match finding.id {
        _ if finding.per_month().is_none() => false,
        // Bursting by use ends with the family, and with nothing else.
        FindingId::PaidBurst | FindingId::OnDemandBurstUnused => on_disk.any(|off| off.ends_bursts),
        _ => saving_on_disk(finding).is_some() && on_disk.next().is_some(),
    }
}

/// The finding that says of the same disk that more, or as much, is saved.
fn outdone(findings: &[Finding], index: usize) -> Option<FindingId> {
    let finding = findings.get(index)?;
    let own = saving_on_disk(finding)?;
    let mut others = findings.iter().enumerate();
    others.find_map(|(other, of)| {
        let theirs = saving_on_disk(of)?;
        let is_more = other != index && (theirs, index) > (own, other);
        (is_more && is_on_one_disk(&of.subject, &finding.subject)).then_some(of.id)
    })
}

/// What a finding says can be saved on one disk.
fn saving_on_disk(finding: &Finding) -> Option<f64> {
    let is_saving = matches!(
        finding.id,
        FindingId::TierRaised | FindingId::Unusable | FindingId::PaidUnused
    );
    let money = finding.per_month().filter(|_| is_saving)?;
    Some(money.amount)
}

/// Whether `disk` is `whole`, or one of its members (`data/lun0` of `data`).
fn is_within(disk: &str, whole: &str) -> bool {
    let rest = disk.strip_prefix(whole);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether the subject of one is that of the other, or one of its members.
fn is_on_one_disk(one: &str, other: &str) -> bool {
    is_within(one, other) || is_within(other, one)
}

fn without_money(finding: &mut Finding) {
    let figures = &mut finding.figures;
    figures.retain(|figure| figure.per_month().is_none());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::Severity;

    fn saving(id: FindingId, subject: &str, amount: f64) -> Finding {
        let finding = Finding::new(id, Severity::Warning, subject, "text");
        finding.figure("saving_per_month", amount, "USD")
    }

    fn sums(mut findings: Vec<Finding>, off: &[OffSaving]) -> Vec<Option<f64>> {
        saved_once(&mut findings, off);
        let months = findings.iter().map(Finding::per_month);
        months.map(|m| m.map(|m| m.amount)).collect()
    }

    #[test]
    fn what_is_saved_on_a_disk_counts_once() {
        let (paid, unusable) = (FindingId::PaidUnused, FindingId::Unusable);
        let several = vec![
            saving(unusable, "lun0", 233.6),
            saving(paid, "lun0", 367.54),
            saving(unusable, "lun1", 5.0),
        ];
        assert_eq!(sums(several, &[]), [None, Some(367.54), Some(5.0)]);
        let equal = vec![saving(paid, "lun0", 5.0), saving(unusable, "lun0", 5.0)];
        assert_eq!(sums(equal, &[]).into_iter().flatten().count(), 1);
    }

    /// Of three disks the first is changed to another family while the VM is off, the tier of the second is lowered, and
    /// nothing is done to the third, which another VM has.
    #[test]
    fn what_is_saved_while_a_vm_is_off_is_not_saved_again() {
        let off = |disk: &str, ends_bursts| OffSaving {
            disk: disk.to_owned(),
            ends_bursts,
        };
        let off = [off("lun0", true), off("lun1", false)];
        let raised = FindingId::TierRaised;
        let found = ["lun0", "lun1", "lun2"].map(|disk| saving(raised, disk, 204.4));
        let bursts = ["lun0", "lun1"].map(|disk| saving(FindingId::PaidBurst, disk, 24.5));
        let whole = saving(FindingId::VmDeallocated, "size", 278.97);
        let all: Vec<Finding> = found.into_iter().chain(bursts).chain([whole]).collect();
        assert_eq!(
            sums(all, &off),
            [None, None, Some(204.4), None, Some(24.5), Some(278.97)]
        );
    }
}
