//! What disks that several VMs have give all of these together: what one of them does not let through, another may use.

use super::Validator;
use super::assemble::Assembled;
use super::owners::{Beside, id_of, names};
use super::rules::Case;
use super::savings::{WASTE, without_money, without_waste};
use super::words::while_off;
use crate::azure::facts::{Power, ResourceId, VmFacts};
use crate::catalog::price::{Money, PriceBook};
use crate::catalog::{Axis, Catalog, Limits};
use crate::deployment::{Deployment, Volume};
use crate::planner::findings::spend::{NOTICEABLE, only_sustained, some_of, with_figures, words};
use crate::planner::unusable::{provisioned, unusable};
use crate::planner::{Finding, FindingId, Phase, Severity, System};
use crate::units::{Iops, MBps};
use crate::workload::Io;

/// What a volume is provisioned for beyond what all VMs that have its disks let through together.
#[derive(Debug, Clone, Copy)]
struct Lost {
    sustained: Limits,
    burst: Limits,
}

impl Validator<'_> {
    /// Puts what all VMs do not let through of shared disks in place of what this one does not by itself.
    pub(super) fn say_of_shared(&self, case: &Case<'_>, findings: &mut Vec<Finding>) {
        let mut shared = Vec::new();
        for (index, volume) in case.assembled.deployment.volumes.iter().enumerate() {
            let beside = beside(case, index);
            if beside.is_empty() {
                continue;
            }
            let is_it = |of: &Finding| of.id == FindingId::Unusable && of.subject == volume.name;
            if let Some(place) = findings.iter().position(is_it) {
                let alone = findings.remove(place);
                let found = match self.lost(case, index, &beside) {
                    Some(lost) => together(case, volume, lost, &all_names(case, &beside)),
                    None => Some(by_itself(alone, &beside)),
                };
                findings.extend(match case.power {
                    Some(Power::Deallocated) => found.and_then(while_off),
                    _ => found,
                });
            }
            shared.push((volume.name.as_str(), beside));
        }
        let own = case.own_subject();
        let of_all = |of: &&mut Finding| of.id == FindingId::Unusable && of.subject == own;
        if let Some((volume, beside)) = shared.first()
            && let Some(finding) = findings.iter_mut().find(of_all)
        {
            of_all_volumes(finding, volume, beside);
        }
    }

    /// What the VMs that have the disks of a volume let through together, less than it is provisioned for. `None` where not
    /// all of them were read, their sizes are not known, or their disks are not the same volume there.
    fn lost(&self, case: &Case<'_>, index: usize, beside: &[Beside<'_>]) -> Option<Lost> {
        let deployment = &case.assembled.deployment;
        let paid = provisioned(deployment.volumes.get(index)?);
        let own = [Phase::Sustained, Phase::Burst].map(|phase| alone(deployment, index, phase));
        let disks = ids(case.assembled, index)?;
        let others = beside.iter().map(|other| self.alone_on(other.vm?, &disks));
        let others: Option<Vec<[Limits; 2]>> = others.collect();
        let others = others?;
        // Each lets through what is paid less what it loses: of all that is lost once less than the sum.
        let lost = |phase: usize, axis: Axis| -> Option<f64> {
            let paid = paid.on(axis)?;
            let mut passing = paid - own.get(phase)?.on(axis)?;
            for other in &others {
                passing += paid - other.get(phase)?.on(axis)?;
            }
            Some((paid - passing).max(0.0))
        };
        let limits = |phase| -> Option<Limits> {
            let iops = Iops::new(lost(phase, Axis::Iops)?).ok()?;
            let mbps = MBps::new(lost(phase, Axis::Mbps)?).ok()?;
            Some(Limits::new(iops, mbps))
        };
        Some(Lost {
            sustained: limits(0)?,
            burst: limits(1)?,
        })
    }

    /// What another VM by itself does not let through of the volume of these disks, sustained and in burst.
    fn alone_on(&self, vm: &VmFacts, disks: &[&ResourceId]) -> Option<[Limits; 2]> {
        let vm = self.facts.vm(vm.id.as_ref()?)?;
        let size = self.sizes.of(vm).size?;
        let assembled = self.assemble(vm, Some(size))?;
        let volumes = 0..assembled.deployment.volumes.len();
        let mut same = volumes.filter(|index| ids(&assembled, *index).as_deref() == Some(disks));
        let index = same.next()?;
        let phases = [Phase::Sustained, Phase::Burst];
        Some(phases.map(|phase| alone(&assembled.deployment, index, phase)))
    }
}

fn alone(deployment: &Deployment, index: usize, phase: Phase) -> Limits {
    let loads = vec![Io::RANDOM_4K; deployment.volumes.len()];
    let system = System::alone(deployment, index, &loads);
    let volume = deployment.volumes.get(index);
    volume.map_or(Limits::UNKNOWN, |volume| unusable(volume, &system, phase))
}

/// The ids of a volume's disks, in one order on all VMs.
fn ids<'a>(assembled: &Assembled<'a>, index: usize) -> Option<Vec<&'a ResourceId>> {
    let members = assembled.members.iter();
    let members = members.filter(|member| member.volume == index);
    let mut ids: Vec<&ResourceId> = members.map(id_of).collect::<Option<_>>()?;
    ids.sort_by_key(|id| id.to_string().to_lowercase());
    Some(ids)
}

/// The other VMs that have a disk of a volume, each once.
fn beside<'a>(case: &Case<'a>, index: usize) -> Vec<Beside<'a>> {
    let members = case.assembled.members.iter();
    let members = members.filter(|member| member.volume == index);
    let mut all: Vec<Beside<'_>> = Vec::new();
    for other in members.flat_map(|member| case.beside(member)) {
        if !all.iter().any(|known| known.is_same(&other)) {
            all.push(other);
        }
    }
    all
}

fn all_names(case: &Case<'_>, beside: &[Beside<'_>]) -> String {
    let mut all = vec![Beside {
        name: &case.vm.name,
        vm: Some(case.vm),
    }];
    all.extend_from_slice(beside);
    all.sort_by_key(|vm| vm.name);
    names(&all)
}

/// What all VMs do not let through; `None` where that is not worth a finding.
fn together(case: &Case<'_>, volume: &Volume, lost: Lost, vms: &str) -> Option<Finding> {
    let paid = provisioned(volume);
    let part = |axis| Some(lost.sustained.on(axis)? / paid.on(axis)?);
    let mut axes = [Axis::Iops, Axis::Mbps].into_iter();
    if !axes.any(|axis| part(axis).is_some_and(|part| part > NOTICEABLE)) {
        return None;
    }
    let brackets = "; in brackets what is provisioned - what they let through";
    let only_in_burst = only_sustained(lost.sustained, lost.burst);
    let (severity, text) = match (some_of(lost.burst), some_of(only_in_burst)) {
        (false, _) => (
            Severity::Info,
            format!(
                "{} of what it is provisioned for are let through by {vms} together only while they have burst credit{brackets}",
                words(lost.sustained, paid)
            ),
        ),
        (true, false) => (
            Severity::Warning,
            format!(
                "{} of what it is provisioned for are never let through by {vms} together{brackets}",
                words(lost.burst, paid)
            ),
        ),
        (true, true) => (
            Severity::Warning,
            format!(
                "{} of what it is provisioned for are never let through by {vms} together, {} once their burst credit is used \
                 up{brackets}",
                words(lost.burst, paid),
                words(only_in_burst, paid)
            ),
        ),
    };
    let mut finding = Finding::new(FindingId::Unusable, severity, &volume.name, text);
    for (when, limits) in [("sustained", lost.sustained), ("burst", lost.burst)] {
        finding = with_figures(finding, when, limits);
    }
    let wasted = case
        .book
        .map(|book| wasted(case.catalog, book, volume, lost.burst));
    if let Some(wasted) = wasted.filter(|wasted| wasted.amount > 0.0) {
        let words = format!("{WASTE}what never passes costs {wasted}");
        finding.message.push_str(&words);
        finding = finding.figure("unusable_cost_per_month", wasted.amount, wasted.currency);
    }
    let fix = match severity {
        Severity::Info => {
            "leave it where their bursts are what it is for, or take larger sizes".to_owned()
        }
        _ => lower(volume, lost.burst, vms),
    };
    Some(finding.fix(fix))
}

/// What a month of what is lost costs.
fn wasted(catalog: &Catalog, book: &PriceBook, volume: &Volume, lost: Limits) -> Money {
    let part = 1.0 / volume.members.len() as f64;
    let each = Limits {
        iops: lost.iops.and_then(|v| Iops::new(v.get() * part).ok()),
        mbps: lost.mbps.and_then(|v| MBps::new(v.get() * part).ok()),
    };
    let members = volume.members.iter();
    let months = members.map(|disk| {
        book.unusable(catalog, &disk.spec.request, &disk.model, each)
            .known
    });
    let none = Money::new(0.0, book.currency());
    months.fold(none, |sum, month| sum.plus(month).unwrap_or(sum))
}

/// How to pay for no more than all VMs let through in burst.
fn lower(volume: &Volume, lost: Limits, vms: &str) -> String {
    let setting = || {
        let rules = volume.members.first()?.model.family.provisioned_rules()?;
        let paid = provisioned(volume);
        let part = 1.0 / volume.members.len() as f64;
        let each = |axis: Axis| Some((paid.on(axis)? - lost.on(axis)?) * part);
        let lowest = rules.lowest_for(Limits {
            iops: Iops::new(each(Axis::Iops)?).ok(),
            mbps: MBps::new(each(Axis::Mbps)?).ok(),
        })?;
        let (iops, mbps) = (lowest.iops?.get(), lowest.mbps?.get());
        Some(format!(
            "`az disk update --disk-iops-read-write {iops:.0} --disk-mbps-read-write {mbps:.0}` gives all that {vms} let \
             through together in burst; or take larger sizes"
        ))
    };
    setting().unwrap_or_else(|| "take larger sizes, or a disk with less".to_owned())
}

/// What one VM does not let through, where it is not known what others that have the disk do.
fn by_itself(mut finding: Finding, beside: &[Beside<'_>]) -> Finding {
    let names = names(beside);
    let (has, does) = match beside.len() {
        1 => ("has", "does"),
        _ => ("have", "do"),
    };
    without_money(&mut finding);
    let text = without_waste(&finding.message);
    finding.message = format!(
        "by this VM itself: {text}; {names} {has} the disk too, and what is let through there is not known"
    );
    finding.severity = Severity::Info;
    finding.fix = Some(format!(
        "read {names} and the disks there too: nothing is to be set lower before it is known what {names} {does} with it"
    ));
    finding
}

/// That disks of all volumes together, among which there is a shared one, are no waste of this VM.
fn of_all_volumes(finding: &mut Finding, volume: &str, beside: &[Beside<'_>]) {
    let names = names(beside);
    let words = format!(
        "; of that {volume} is shared, and {names} may use what this VM does not let through"
    );
    finding.message.push_str(&words);
    finding.severity = Severity::Info;
    let fix = finding.fix.take();
    finding.fix = fix.map(|fix| match fix.strip_prefix("provision less, or ") {
        Some(rest) => rest.to_owned(),
        None => fix,
    });
}
