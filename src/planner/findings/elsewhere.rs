//! The cheapest or smallest of all sizes that lifts every cap and on which everything that is deployed still works.

use super::Context;
use super::suggest::{Prices, accelerates, is_no_smaller, is_second, may_replace, on_size, takes};
use crate::catalog::disk::Lane;
use crate::catalog::{Ceiling, DiskModel, Family, Limits, VmSize};
use crate::deployment::{Deployment, Disk, HostCaching, Role, Volume};
use crate::planner::assess::{passes, suffices};
use crate::planner::evaluate::{Outcome, evaluate};
use crate::planner::system::{Phase, System};
use crate::units::Iops;
use crate::workload::{Demand, Io};

/// The sizes that take the place of the present one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Elsewhere<'a> {
    /// The first on the controller that the VM has.
    pub(super) size: Option<&'a VmSize>,
    /// One of a size with other ceilings on each controller, on the one that the VM has not, for an image with the driver:
    /// where it is cheaper or smaller than the first.
    pub(super) with_driver: Option<&'a VmSize>,
}

impl Elsewhere<'_> {
    /// Those of them that have fewer vCPUs than `own`.
    pub(super) fn with_fewer_vcpus_than(self, own: &VmSize) -> Self {
        let has_fewer = |size: &&VmSize| size.vcpus < own.vcpus;
        Self {
            size: self.size.filter(has_fewer),
            with_driver: self.with_driver.filter(has_fewer),
        }
    }
}

/// The cheapest size, of any series, whose ceilings hold nothing back under any of the workloads; of equally cheap ones
/// that with the fewest vCPUs. Only those whose hour costs less than `below`, where that is given.
pub(super) fn cheapest<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    prices: Prices<'_>,
    below: Option<f64>,
) -> Elsewhere<'a> {
    let hour = |size: &VmSize| {
        prices
            .hour(size)
            .filter(|h| below.is_none_or(|most| *h < most))
    };
    first(context, vm, hour, |_| true)
}

/// The same by size: the one with the fewest vCPUs, then the least memory.
pub(super) fn smallest<'a>(context: &Context<'a>, vm: &VmSize) -> Elsewhere<'a> {
    first(context, vm, |_| Some(0.0), |_| true)
}

/// Like [`cheapest`], or without prices like [`smallest`], of the sizes that a resize of a deployed VM reaches: with a local
/// disk where it has one, without where it has none.
pub(super) fn resized<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    prices: Option<Prices<'_>>,
    below: Option<f64>,
) -> Option<&'a VmSize> {
    let rank = |size: &VmSize| match prices {
        Some(prices) => prices
            .hour(size)
            .filter(|h| below.is_none_or(|most| *h < most)),
        None => Some(0.0),
    };
    let reached = |size: &VmSize| !is_out_of_reach(vm, size);
    first(context, vm, rank, reached).size
}

/// The first by `rank`, then by vCPUs and memory; only those that have a rank and are among `those`.
fn first<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    rank: impl Fn(&VmSize) -> Option<f64>,
    those: impl Fn(&VmSize) -> bool,
) -> Elsewhere<'a> {
    let mut found = Elsewhere::default();
    if !vm.is_exchangeable() {
        return found;
    }
    let loads: Vec<Vec<Io>> = (context.assessment.workloads.iter())
        .map(|workload| workload.volumes.iter().map(|v| v.io).collect())
        .collect();
    let carries = |other: &VmSize| {
        on_size(context.catalog, context.deployment, other).is_some_and(|moved| {
            let serves = |loads: &Vec<Io>| {
                passes(&moved, loads) && serves_local(context.deployment, &moved, loads)
            };
            has_space(context.deployment, &moved) && loads.iter().all(serves)
        })
    };
    for size in ranked(context, vm, &rank)
        .into_iter()
        .filter(|size| those(size))
    {
        let keeps = keeps_controller(context.deployment, vm, size);
        let place = match (keeps, size.interface) {
            (true, _) => &mut found.size,
            (false, Some(_)) => &mut found.with_driver,
            (false, None) => continue,
        };
        if place.is_none() && carries(size) {
            *place = Some(size);
        }
        if found.size.is_some() {
            break;
        }
    }
    let less = |one: &VmSize, other: &VmSize| {
        let by = |size: &VmSize| {
            (
                rank(size),
                size.vcpus,
                size.memory.map(crate::units::GiB::get),
            )
        };
        by(one) < by(other)
    };
    found.with_driver =
        (found.with_driver).filter(|with| found.size.is_none_or(|size| less(with, size)));
    found
}

/// The size to move to from one that retires: the cheapest, without prices the smallest, of those that a resize reaches,
/// with ceilings no lower than those that are used; of equal ones that of the newest generation.
pub(super) fn successor<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    prices: Option<Prices<'_>>,
) -> Option<&'a VmSize> {
    if !vm.is_exchangeable() {
        return None;
    }
    let rank = |size: &VmSize| prices.map_or(Some(0.0), |prices| prices.hour(size));
    let does_as_much = |other: &&VmSize| {
        keeps_controller(context.deployment, vm, other)
            && !is_out_of_reach(vm, other)
            && is_no_slower(context.deployment, vm, other)
            && on_size(context.catalog, context.deployment, other)
                .is_some_and(|moved| has_room(context.deployment, &moved))
    };
    ranked(context, vm, rank).into_iter().find(does_as_much)
}

/// The sizes that can take the place of `vm` and have a rank, by it, then by vCPUs and memory, the newest generation first;
/// in place of a constrained size constrained ones before all others; of equal ones those that a resize reaches first.
fn ranked<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    rank: impl Fn(&VmSize) -> Option<f64>,
) -> Vec<&'a VmSize> {
    let replaces = |other: &&VmSize| is_no_less(vm, other) && is_at_home(context.deployment, other);
    let mut sizes: Vec<(f64, &VmSize)> = (context.catalog.vms().iter())
        .filter(replaces)
        .filter_map(|size| Some((rank(size)?, size)))
        .collect();
    let memory = |vm: &VmSize| vm.memory.map_or(f64::INFINITY, crate::units::GiB::get);
    sizes.sort_by(|(a, one), (b, other)| {
        (is_second(vm, one).cmp(&is_second(vm, other)))
            .then_with(|| a.total_cmp(b))
            .then_with(|| one.vcpus.cmp(&other.vcpus))
            .then_with(|| memory(one).total_cmp(&memory(other)))
            .then_with(|| is_out_of_reach(vm, one).cmp(&is_out_of_reach(vm, other)))
            .then_with(|| other.generation().cmp(&one.generation()))
    });
    sizes.into_iter().map(|(_, size)| size).collect()
}

/// Whether no resize of a deployed VM of the size `vm` reaches `other`: one has a local disk, the other has none.
fn is_out_of_reach(vm: &VmSize, other: &VmSize) -> bool {
    other.has_local_disk() != vm.has_local_disk()
}

/// Whether the ceilings of `other` that the disks of `deployment` pass are no lower than those of `vm`, remote ones in burst
/// neither. The cached burst of older series is left out: newer ones have a base many times theirs, and no burst.
fn is_no_slower(deployment: &Deployment, vm: &VmSize, other: &VmSize) -> bool {
    // A disk on the host's SSD, an ephemeral OS disk too, passes the cached ceiling.
    let is_cached = |disk: &Disk| {
        disk.effective_caching() != HostCaching::None || disk.model.lane == Lane::Temp
    };
    let cached = deployment
        .volumes
        .iter()
        .any(|volume| volume.role == Role::Local || volume.members.iter().any(is_cached));
    let holds = |new: &Ceiling, old: &Ceiling| {
        covers(new.base, old.base)
            && covers(new.burst.unwrap_or(new.base), old.burst.unwrap_or(old.base))
    };
    holds(&other.uncached, &vm.uncached)
        && holds(other.remote_ceiling(), vm.remote_ceiling())
        && (!cached || covers(other.cached.base, vm.cached.base))
}

/// Whether `other` has what programs need of `vm`: its CPU's architecture, as many vCPUs at full speed, as much memory.
fn is_no_less(vm: &VmSize, other: &VmSize) -> bool {
    may_replace(vm, other)
        && other.retirement.is_none()
        && other.is_exchangeable()
        && (vm.has_cpu_credit() || !other.has_cpu_credit())
        && other.likely_arch() == vm.likely_arch()
        && is_no_smaller(vm, other)
        && other.memory.is_some()
        && vm.memory.is_some()
}

/// Whether `other` has the controller that the VM has now. Of two it is SCSI: an image may have no driver for NVMe.
fn keeps_controller(deployment: &Deployment, vm: &VmSize, other: &VmSize) -> bool {
    deployment
        .interface
        .or_else(|| vm.first_controller())
        .is_some_and(|own| other.likely_runs_on(own))
}

/// Whether the disks of `deployment` can be attached to `other`: their number, what their families, their caching and
/// their Write Accelerator need.
fn is_at_home(deployment: &Deployment, other: &VmSize) -> bool {
    let attaches = |disk: &Disk| {
        let family = disk.model.family;
        let cached = disk.effective_caching() != HostCaching::None;
        (!family.needs_premium_storage() || other.premium_storage == Some(true))
            && other.lists(family) == Some(true)
            && (!cached || other.premium_caching == Some(true))
    };
    takes(other, deployment.data_disks())
        && accelerates(other, deployment) == Some(true)
        && deployment
            .volumes
            .iter()
            .flat_map(|v| &v.members)
            .all(attaches)
}

/// The local disks of a deployment.
fn local_disks(deployment: &Deployment) -> impl Iterator<Item = &DiskModel> {
    let volumes = deployment.volumes.iter();
    let local = volumes.filter(|volume| volume.role == Role::Local);
    local
        .flat_map(|volume| &volume.members)
        .map(|disk| &disk.model)
}

/// Whether the local disks of `moved` are no smaller than those of `deployment`.
fn has_space(deployment: &Deployment, moved: &Deployment) -> bool {
    local_disks(deployment)
        .zip(local_disks(moved))
        .all(|(old, new)| new.size >= old.size)
}

/// The same, and no slower, the host's SSD that carries the temp disk among them.
fn has_room(deployment: &Deployment, moved: &Deployment) -> bool {
    let host = |d: &Deployment| d.vm.as_ref().map_or(Limits::UNKNOWN, |vm| vm.cached.base);
    let mut pairs = local_disks(deployment).zip(local_disks(moved));
    local_disks(deployment).next().is_none()
        || (has_space(deployment, moved)
            && covers(host(moved), host(deployment))
            && pairs.all(|(old, new)| covers(new.base, old.base)))
}

/// Whether the local disks of which `loads` states what is asked get no less of it on `moved`. One without a demand takes
/// what it gets, on any size: that it gets much on this one is no need.
fn serves_local(deployment: &Deployment, moved: &Deployment, loads: &[Io]) -> bool {
    let is_stated =
        |(volume, io): (&Volume, &Io)| volume.role == Role::Local && io.demand != Demand::Max;
    if !deployment.volumes.iter().zip(loads).any(is_stated) {
        return true;
    }
    let sustained = |d: &Deployment| evaluate(&System::new(d, loads), Phase::Sustained).outcomes;
    let rate = |outcome: Outcome| outcome.iops.map(Iops::get);
    let pairs = sustained(deployment).into_iter().zip(sustained(moved));
    // There is one flow for each volume that has a load.
    let volumes = deployment.volumes.iter().zip(loads).zip(pairs);
    volumes
        .filter(|(of_volume, _)| is_stated(*of_volume))
        .all(|(_, (old, new))| match (rate(old), rate(new)) {
            (Some(old), Some(new)) => suffices(new, old),
            (old, _) => old.is_none(),
        })
}

/// That the local disks of `size` are slower than the present ones, as the end of a sentence; nothing where they are not,
/// or where one of them is not known.
pub(super) fn slower_local(context: &Context<'_>, size: &VmSize) -> Option<String> {
    let moved = on_size(context.catalog, context.deployment, size)?;
    // A temp disk has the ceiling of the host's SSD where it has no limit of its own.
    let iops = |model: &DiskModel, vm: &VmSize| match model.family {
        Family::Temp => model.base.iops.or(vm.cached.base.iops),
        _ => model.base.iops,
    };
    let vm = context.deployment.vm.as_ref()?;
    let pairs = local_disks(context.deployment).zip(local_disks(&moved));
    let mut slower = pairs.filter_map(|(old, new)| {
        let (had, has) = (iops(old, vm)?, iops(new, size)?);
        let name = new.family.name();
        (has < had).then(|| format!(", with a {name} of {has} IOPS in place of {had}"))
    });
    slower.next()
}

/// Whether limits are no lower than others; what is unknown is lower than all that is known.
fn covers(limits: Limits, others: Limits) -> bool {
    limits.iops >= others.iops && limits.mbps >= others.mbps
}
