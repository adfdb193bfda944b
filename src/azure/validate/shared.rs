//! What disks that several VMs have give all of these together: what one of them does not let through, another may use.

use super::Validator;
use super::assemble::Assembled;
use super::owners::id_of;
use super::rules::Case;
use super::words::while_off;
use crate::azure::facts::{Power, ResourceId, VmFacts};
use crate::catalog::price::{Money, PriceBook};
use crate::catalog::{Axis, Catalog, Limits};
use crate::deployment::{Deployment, Volume};
use crate::planner::findings::lost::{self, By, Lost, lower_setting, why_no_setting};
use crate::planner::money::add_waste;
use crate::planner::unusable::{provisioned, unusable};
use crate::planner::{Finding, FindingId, Phase, System};
use crate::units::{Iops, MBps, and};
use crate::workload::Io;

impl Validator<'_> {
    /// Puts what all VMs do not let through of shared disks in place of what this one does not by itself, where the others
    /// are known well enough.
    pub(super) fn say_of_shared(&self, case: &Case<'_>, findings: &mut Vec<Finding>) {
        let volumes = case.assembled.deployment.volumes.iter().enumerate();
        for (index, volume) in volumes.filter(|(_, volume)| !volume.also_on.is_empty()) {
            let is_it = |of: &Finding| of.id == FindingId::Unusable && of.subject == volume.name;
            let place = findings.iter().position(is_it);
            let together_lost = place.and_then(|place| Some((place, self.lost(case, index)?)));
            let Some((place, lost)) = together_lost else {
                continue;
            };
            findings.remove(place);
            let together = together(case, volume, lost);
            findings.extend(match case.power {
                Some(Power::Deallocated) => together.and_then(while_off),
                _ => together,
            });
        }
    }

    /// What the VMs that have the disks of a volume let through together, less than it is provisioned for. `None` where not
    /// all of them were read, their sizes are not known, or their disks are not the same volume there.
    fn lost(&self, case: &Case<'_>, index: usize) -> Option<Lost> {
        let deployment = &case.assembled.deployment;
        let paid = provisioned(deployment.volumes.get(index)?);
        let own = [Phase::Sustained, Phase::Burst].map(|phase| alone(deployment, index, phase));
        let disks = ids(case.assembled, index)?;
        let members = case.assembled.members_of(index);
        let beside = case.owners.beside_any(case.facts, case.vm, members);
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
    let members = assembled.members_of(index);
    let mut ids: Vec<&ResourceId> = members.map(id_of).collect::<Option<_>>()?;
    ids.sort_by_key(|id| id.to_string().to_lowercase());
    Some(ids)
}

/// What all VMs do not let through; `None` where that is not worth a finding.
fn together(case: &Case<'_>, volume: &Volume, lost: Lost) -> Option<Finding> {
    let vms = all_names(&case.vm.name, volume);
    let by = By::Together(&vms);
    let mut finding = lost::finding(&volume.name, provisioned(volume), lost, by)?;
    if let Some(book) = case.book {
        let wasted = wasted(case.catalog, book, volume, lost.burst);
        add_waste(
            case.catalog,
            &case.assembled.deployment,
            volume,
            wasted,
            &mut finding,
        );
    }
    Some(finding.fix(match lost.is_always() {
        false => "leave it where their bursts are what it is for, or take larger sizes".to_owned(),
        true => lower(volume, lost.burst, &vms),
    }))
}

/// The VM called `own` and all others that have a volume.
fn all_names(own: &str, volume: &Volume) -> String {
    let others = volume.also_on.iter().map(String::as_str);
    let mut all: Vec<&str> = others.chain([own]).collect();
    all.sort_unstable();
    and(&all)
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
    if let Some(setting) = lower_setting(volume, lost) {
        let (iops, mbps) = (setting.iops.get(), setting.mbps.get());
        return format!(
            "`az disk update --disk-iops-read-write {iops:.0} --disk-mbps-read-write {mbps:.0}` gives all that {vms} let \
             through together in burst; or take larger sizes"
        );
    }
    match why_no_setting(volume) {
        Some(why) => format!("take larger sizes: {why}"),
        None => "take larger sizes, or a disk with less".to_owned(),
    }
}
