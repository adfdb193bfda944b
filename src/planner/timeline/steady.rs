//! Disks that meet a constant demand without end.

use super::candidates::{candidates, has_room_of, provisioned};
use super::record_constant;
use super::sizing::peaks;
use crate::catalog::{Catalog, DiskRequest, Family, Limits, Redundancy};
use crate::deployment::{Deployment, Disk, DiskSpec, HostCaching, Role};
use crate::planner::Bottleneck;
use crate::planner::evaluate::evaluate;
use crate::planner::system::{Phase, System};
use crate::units::Seconds;
use crate::workload::{Demand, Io, Schedule};

/// How long the volume at `index` gets what `loads` ask of it, from full credit on and with all volumes at work, seconds;
/// `None` where it does not from the start, or without end.
pub(in crate::planner) fn met_for(
    deployment: &Deployment,
    loads: &[Io],
    index: usize,
) -> Option<f64> {
    let recorder = record_constant(deployment, loads)?;
    let falls_short = |segment: &&super::model::Segment| {
        let volume = segment.volumes.get(index);
        volume.is_some_and(|volume| volume.bottleneck != Bottleneck::Demand)
    };
    let first = recorder.segments.iter().find(falls_short)?;
    (first.start > 0.0).then_some(first.start)
}

/// The disks that meet the demand of the volume at `index` under each of `loads` without end and without the VM, one for
/// each of its members: the smallest of its family, then one of a faster family where that is smaller, then, of a tiered
/// one, the least of the family that is provisioned. None that holds less than the present ones, or that a VM without
/// premium storage does not take.
pub(in crate::planner) fn disks(
    catalog: &Catalog,
    deployment: &Deployment,
    loads: &[Vec<Io>],
    index: usize,
) -> Vec<Disk> {
    let volume = &deployment.volumes[index];
    let Some(member) = volume.members.first() else {
        return Vec::new();
    };
    let vm = deployment.vm.as_ref();
    let has_premium = vm.is_none_or(|vm| vm.premium_storage != Some(false));
    let mut alone = Deployment {
        vm: None,
        ..deployment.clone()
    };
    let peak_of = |loads: &Vec<Io>| -> Option<Limits> {
        let schedule = Schedule::constant(asked(loads, index), Seconds::whole(1)).ok()?;
        peaks(&alone, &schedule).get(index).copied()
    };
    let of_each: Option<Vec<Limits>> = loads.iter().map(peak_of).collect();
    let Some(peak) = of_each.and_then(|each| each.into_iter().reduce(highest)) else {
        return Vec::new();
    };
    let mut meets = |disk: &Disk| {
        let region = deployment.region.as_deref();
        let offered = region
            .and_then(|region| catalog.offered(region, disk.model.family, disk.model.redundancy));
        let members = vec![disk.clone(); volume.members.len()];
        let met = |loads: &Vec<Io>| is_met(&mut alone, loads, index, members.clone());
        let is_taken = has_premium || !disk.model.family.needs_premium_storage();
        is_taken && offered != Some(false) && has_room_of(disk, member) && loads.iter().all(met)
    };
    let own = candidates(catalog, member, peak)
        .into_iter()
        .find(|disk| meets(disk));
    let fits = |disk: &Disk| volume.role != Role::Os || disk.model.os_refusal().is_none();
    let mut families = Family::ALL.into_iter();
    let other = families
        .find(|family| family.provisioned_rules().is_some())
        .filter(|_| member.model.family.is_tiered())
        .and_then(|family| of_provisioned(catalog, family, member, peak))
        .filter(|disk| fits(disk) && meets(disk));
    // A faster family does it with a smaller disk, which may well cost less.
    let most = own.as_ref().and_then(|disk| disk.model.size);
    let is_smaller =
        |disk: &Disk| most.is_none_or(|most| disk.model.size.is_some_and(|s| s < most));
    let faster = Family::ALL
        .into_iter()
        .find(|family| family.slower().contains(&member.model.family))
        .and_then(|family| {
            let candidates = candidates(catalog, &in_family(member, family), peak);
            candidates.into_iter().find(|disk| meets(disk))
        })
        .filter(is_smaller);
    own.into_iter().chain(faster).chain(other).collect()
}

/// The least number of disks like the first of the volume at `index`, more than it has and `most` at most, that meet its
/// demand without end and without the VM, striped.
pub(in crate::planner) fn stripe(
    deployment: &Deployment,
    loads: &[Io],
    index: usize,
    most: usize,
) -> Option<usize> {
    let volume = deployment.volumes.get(index)?;
    let (member, count) = (volume.members.first()?.clone(), volume.members.len());
    let mut alone = Deployment {
        vm: None,
        ..deployment.clone()
    };
    let mut counts = count + 1..=most;
    counts.find(|count| is_met(&mut alone, loads, index, vec![member.clone(); *count]))
}

/// All that `loads` ask of the volume at `index`: what their queue depth makes of it on the present disks is none of another.
fn asked(loads: &[Io], index: usize) -> Vec<Io> {
    let mut all = loads.to_vec();
    if let Some(io) = all.get_mut(index).filter(|io| io.demand != Demand::Max) {
        io.queue_depth = None;
    }
    all
}

/// `present` as a disk of another tiered family, to choose from that.
fn in_family(present: &Disk, family: Family) -> Disk {
    let mut disk = present.clone();
    disk.model.family = family;
    disk.spec.request.family = family;
    disk
}

/// The higher of two on either axis; unknown where one of them is.
fn highest(one: Limits, other: Limits) -> Limits {
    let (iops, mbps) = (one.iops.zip(other.iops), one.mbps.zip(other.mbps));
    Limits {
        iops: iops.map(|(one, other)| one.max(other)),
        mbps: mbps.map(|(one, other)| one.max(other)),
    }
}

/// The least of a provisioned `family` in place of `present`; `None` where it would not be the same but for its figures.
fn of_provisioned(catalog: &Catalog, family: Family, present: &Disk, peak: Limits) -> Option<Disk> {
    family.provisioned_rules()?;
    let model = &present.model;
    let alike = model.redundancy == Redundancy::Lrs
        && present.spec.request.max_shares == 1
        && present.effective_caching() == HostCaching::None
        && !model.family.is_local();
    let request = DiskRequest {
        size: Some(model.size.filter(|_| alike)?),
        ..DiskRequest::new(family)
    };
    let request = provisioned(catalog, &request, peak)?;
    Some(Disk {
        model: catalog.disk(&request).ok()?.model,
        spec: DiskSpec::new(request),
        violations: Vec::new(),
        caching: HostCaching::None,
        write_accelerator: false,
    })
}

/// Whether the volume at `index` gets its demand from `members` by itself, credit used up. What their latency makes of a
/// queue depth must be known, but where they are of the family of the present ones, whose latency is as little known.
fn is_met(alone: &mut Deployment, loads: &[Io], index: usize, members: Vec<Disk>) -> bool {
    let family = |disks: &[Disk]| disks.first().map(|disk| disk.model.family);
    let stays = family(&members) == family(&alone.volumes[index].members);
    let is_limited = members.iter().all(|disk| disk.model.is_limited());
    let present = std::mem::replace(&mut alone.volumes[index].members, members);
    let system = System::alone(alone, index, loads);
    let outcome = evaluate(&system, Phase::Sustained).outcomes[0];
    alone.volumes[index].members = present;
    let is_sure = !outcome.at_most || (is_limited && stays && outcome.latency_needed.is_some());
    outcome.bottleneck == Bottleneck::Demand && is_sure
}
