//! Rules about what is deployed, besides the planner's: one small function each. Their ids are explained with the
//! planner's ([`FindingId`](crate::planner::FindingId)).

mod attachment;
mod billing;
mod disk;
mod features;
mod off;
mod size;
mod zones;

use std::borrow::Cow;

use super::assemble::{Assembled, Member};
use super::disk::{Seen, Understood};
use super::offers::Offers;
use super::owners::{Beside, Owners};
use crate::azure::facts::{FleetFacts, Power, VmFacts};
use crate::azure::remedies::with_remedy;
use crate::catalog::price::{Money, PriceBook};
use crate::catalog::{Catalog, VmSize};
use crate::deployment::Volume;
use crate::planner::{Finding, FindingId, Severity};

pub(super) use attachment::of_lacking;
pub(super) use billing::saved_while_off;
pub(super) use disk::unattached;
pub(super) use off::OffSaving;

/// What the rules about a VM look at.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) facts: &'a FleetFacts,
    pub(super) vm: &'a VmFacts,
    pub(super) size: Option<&'a VmSize>,
    pub(super) assembled: &'a Assembled<'a>,
    pub(super) offers: &'a Offers<'a>,
    pub(super) owners: &'a Owners<'a>,
    /// Whether it runs, where that is known.
    pub(super) power: Option<Power>,
    pub(super) book: Option<&'a PriceBook>,
    /// A month of the VM without its disks, where that is known.
    pub(super) vm_month: Option<Money>,
}

impl<'a> Case<'a> {
    /// The name of a member's volume.
    pub(super) fn subject(&self, member: &Member<'_>) -> &'a str {
        let volumes = &self.assembled.deployment.volumes;
        volumes
            .get(member.volume)
            .map_or("", |volume| volume.name.as_str())
    }

    /// The name of a member: its volume's, and in a stripe its own besides.
    pub(super) fn subject_of_disk(&self, member: &Member<'_>) -> Cow<'a, str> {
        let volume = self.subject(member);
        let volumes = &self.assembled.deployment.volumes;
        let is_stripe = volumes.get(member.volume).is_some_and(Volume::is_stripe);
        match member.seen.attached {
            Some(attached) if is_stripe => match attached.lun {
                Some(lun) => format!("{volume}/lun{lun}").into(),
                None => format!("{volume}/{}", attached.name.as_deref().unwrap_or("?")).into(),
            },
            _ => volume.into(),
        }
    }

    /// The other VMs that have a member's disk.
    pub(super) fn beside(&self, member: &Member<'a>) -> Vec<Beside<'a>> {
        self.owners.beside(self.facts, self.vm, member)
    }

    /// What a finding about the VM as a whole is about: its size, as the planner has it.
    pub(super) fn own_subject(&self) -> &'a str {
        match (self.size, &self.vm.size) {
            (Some(size), _) => &size.name,
            (None, Some(name)) => name,
            (None, None) => &self.vm.name,
        }
    }
}

/// What the rules about one disk look at.
#[derive(Clone, Copy)]
pub(super) struct DiskCase<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) subject: &'a str,
    pub(super) seen: Seen<'a>,
    pub(super) understood: &'a Understood,
    pub(super) book: Option<&'a PriceBook>,
}

/// What all rules say of a VM.
pub(super) fn of_vm(case: &Case<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for member in &case.assembled.members {
        let of = DiskCase {
            catalog: case.catalog,
            subject: &case.subject_of_disk(member),
            seen: member.seen,
            understood: &member.understood,
            book: case.book,
        };
        of_disk(&of, &mut found);
    }
    attachment::findings(case, &mut found);
    billing::findings(case, &mut found);
    zones::findings(case, &mut found);
    found.extend(size::not_offered(case));
    features::findings(case, &mut found);
    found
}

/// Of a VM without a known disk there is this to say.
pub(super) fn disks_unknown(name: &str) -> Finding {
    with_remedy(Finding::new(
        FindingId::DisksUnknown,
        Severity::Warning,
        name,
        "no disk of it is known: nothing could be judged",
    ))
}

/// What the rules say of a disk, attached or not.
pub(super) fn of_disk(case: &DiskCase<'_>, found: &mut Vec<Finding>) {
    disk::findings(case, found);
}
