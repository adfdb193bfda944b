//! Facts as the result shows them.

use std::sync::Arc;

use super::assemble::{Assembled, Member};
use super::disk::{Seen, Understood};
use super::market::is_generation_1;
use super::model::{BackingKind, DeployedDisk, Unknown, VmIdentity};
use super::options::offer_of;
use super::power;
use crate::azure::facts::{Backing, FleetFacts, Named, Os, Power, Region, ResourceId, VmFacts};
use crate::catalog::Catalog;
use crate::catalog::price::{PriceBook, Total};
use crate::deployment::Role;
use crate::planner::money::disk_month;

fn texts(shared: &[Arc<str>]) -> Vec<String> {
    shared.iter().map(ToString::to_string).collect()
}

/// The name of a fixed set, or as it was written.
fn name_of<T: Copy>(named: &Named<T>, name: impl Fn(T) -> &'static str) -> String {
    match named {
        Named::Known(value) => name(*value).to_owned(),
        Named::Other(text) => text.to_string(),
    }
}

pub(super) fn identity(facts: &FleetFacts, vm: &VmFacts) -> VmIdentity {
    let id = vm.id.as_ref();
    VmIdentity {
        name: vm.name.to_string(),
        id: id.map(ToString::to_string),
        resource_group: vm.resource_group.as_deref().map(str::to_owned),
        subscription: id.and_then(ResourceId::subscription).map(str::to_owned),
        region: vm.region.as_ref().map(Region::to_string),
        zones: texts(&vm.zones),
        size: vm.size.as_deref().map(str::to_owned),
        os: vm.os.as_ref().map(|os| name_of(os, os_name)),
        power: match &vm.power {
            Some(said) => Some(name_of(said, power_name)),
            None => power::of(facts, vm).map(|power| power_name(power).to_owned()),
        },
        controller: vm.controller.as_ref().and_then(Named::known),
        scale_set: vm.scale_set.as_deref().map(str::to_owned),
        source: vm.source.to_string(),
        offer: vm.os.as_ref().map(|_| offer_of(vm)),
        is_generation_1: is_generation_1(facts, vm),
    }
}

impl VmIdentity {
    /// Whether it is said to run Windows.
    #[must_use]
    pub fn is_windows(&self) -> bool {
        self.os.as_deref() == Some(os_name(Os::Windows))
    }
}

const fn os_name(os: Os) -> &'static str {
    match os {
        Os::Windows => "Windows",
        Os::Linux => "Linux",
    }
}

const fn power_name(power: Power) -> &'static str {
    match power {
        Power::Running => "running",
        Power::Starting => "starting",
        Power::Stopping => "stopping",
        Power::Stopped => "stopped",
        Power::Deallocating => "deallocating",
        Power::Deallocated => "deallocated",
    }
}

/// What is not known of the disks of a VM.
pub(super) fn unknowns<'a>(assembled: &'a Assembled<'_>) -> impl Iterator<Item = Unknown> + 'a {
    assembled.members.iter().flat_map(|member| {
        let volume = assembled.deployment.volumes.get(member.volume);
        let subject = volume.map_or("", |volume| volume.name.as_str());
        let whats = member.understood.unknowns.iter();
        whats.map(move |what| Unknown {
            subject: subject.to_owned(),
            what: what.clone(),
        })
    })
}

pub(super) fn disks(
    catalog: &Catalog,
    assembled: &Assembled<'_>,
    book: Option<&PriceBook>,
) -> Vec<DeployedDisk> {
    let row = |member: &Member<'_>| {
        let volume = assembled.deployment.volumes.get(member.volume);
        let month = book.map(|book| disk_month(catalog, book, &member.understood.disk));
        DeployedDisk {
            volume: volume.map_or_else(String::new, |volume| volume.name.clone()),
            ..deployed(member.seen, &member.understood, month)
        }
    };
    assembled.members.iter().map(row).collect()
}

/// A disk that no VM has.
pub(super) fn other_disk(
    seen: Seen<'_>,
    understood: &Understood,
    month: Option<Total>,
) -> DeployedDisk {
    deployed(seen, understood, month)
}

fn deployed(seen: Seen<'_>, understood: &Understood, month: Option<Total>) -> DeployedDisk {
    let disk = &understood.disk;
    let (attached, itself) = (seen.attached, seen.itself);
    let id = itself.and_then(|disk| disk.id.as_ref());
    let id = id.or_else(|| attached?.id.as_ref());
    let name = itself.map(|disk| &*disk.name);
    let name = name.or_else(|| attached?.name.as_deref());
    DeployedDisk {
        volume: name.unwrap_or_default().to_owned(),
        role: if seen.os { Role::Os } else { Role::Data },
        lun: attached.and_then(|disk| disk.lun),
        name: name.map(str::to_owned),
        id: id.map(ToString::to_string),
        backing: match seen.backing() {
            Backing::Managed => BackingKind::Managed,
            Backing::Ephemeral { .. } => BackingKind::Ephemeral,
            Backing::Vhd { .. } => BackingKind::Unmanaged,
            Backing::Unknown => BackingKind::Unknown,
        },
        sku: seen.sku().map(ToString::to_string),
        label: disk.model.label.clone(),
        size_gib: disk.model.size,
        tier: seen.tier().map(str::to_owned),
        caching: seen.caching().unwrap_or(disk.caching),
        limits: disk.model.base,
        burst: disk.model.burst,
        zones: itself.map_or_else(Vec::new, |disk| texts(&disk.zones)),
        max_shares: Some(disk.spec.request.max_shares).filter(|shares| *shares > 1),
        read_itself: itself.is_some(),
        month,
        write_accelerator: disk.write_accelerator,
    }
}
