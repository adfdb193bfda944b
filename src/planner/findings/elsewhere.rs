//! The cheapest of all sizes that lifts every cap and on which everything that is deployed still works.

use super::Context;
use super::suggest::{Prices, on_size, takes};
use crate::catalog::{Interface, VmSize};
use crate::deployment::{Deployment, Disk, HostCaching, Role};
use crate::planner::assess::passes;
use crate::units::GiB;
use crate::workload::Io;

/// The cheapest size, of any series, whose ceilings hold nothing back under any of the workloads; of equally cheap ones
/// that with the fewest vCPUs.
pub(super) fn cheapest<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    prices: Prices<'_>,
) -> Option<&'a VmSize> {
    if !vm.is_exchangeable() {
        return None;
    }
    let replaces =
        |other: &&VmSize| is_no_less(vm, other) && is_at_home(context.deployment, vm, other);
    let mut sizes: Vec<(f64, &VmSize)> = (context.catalog.vms().iter())
        .filter(replaces)
        .filter_map(|size| Some((prices.hour(size)?, size)))
        .collect();
    sizes.sort_by(|(a, one), (b, other)| {
        let size = |vm: &VmSize| (vm.vcpus, vm.memory);
        a.total_cmp(b).then_with(|| {
            size(one)
                .partial_cmp(&size(other))
                .unwrap_or(std::cmp::Ordering::Equal)
        })
    });
    let loads: Vec<Vec<Io>> = (context.assessment.workloads.iter())
        .map(|workload| workload.volumes.iter().map(|v| v.io).collect())
        .collect();
    let carries = |other: &VmSize| {
        on_size(context.catalog, context.deployment, other).is_some_and(|moved| {
            has_room(context.deployment, &moved) && loads.iter().all(|loads| passes(&moved, loads))
        })
    };
    sizes
        .into_iter()
        .map(|(_, size)| size)
        .find(|size| carries(size))
}

/// Whether `other` has what programs need of `vm`: its CPU's architecture, as many vCPUs at full speed, as much memory.
fn is_no_less(vm: &VmSize, other: &VmSize) -> bool {
    other.parent.is_none()
        && other.retirement.is_none()
        && other.is_exchangeable()
        && (vm.has_cpu_credit() || !other.has_cpu_credit())
        && other.arch == vm.arch
        && other.vcpus >= vm.vcpus
        && other
            .memory
            .zip(vm.memory)
            .is_some_and(|(new, old)| new >= old)
}

/// Whether the disks of `deployment` can be attached to `other`: their number, what their families and their caching
/// need, on the controller that the VM has now. Where that is not known it is SCSI: an image may have no driver for NVMe.
fn is_at_home(deployment: &Deployment, vm: &VmSize, other: &VmSize) -> bool {
    let controller = deployment.interface.or(vm.interface);
    let controller = controller.unwrap_or(if vm.runs_on(Interface::Scsi) {
        Interface::Scsi
    } else {
        Interface::Nvme
    });
    let attaches = |disk: &Disk| {
        let family = disk.model.family;
        let cached = disk.effective_caching() != HostCaching::None;
        (!family.needs_premium_storage() || other.premium_storage == Some(true))
            && other.lists(family) == Some(true)
            && (!cached || other.premium_caching == Some(true))
    };
    takes(other, deployment.data_disks())
        && other.runs_on(controller)
        && deployment
            .volumes
            .iter()
            .flat_map(|v| &v.members)
            .all(attaches)
}

/// Whether the local disks of `moved` are no smaller and no slower than those of `deployment`.
fn has_room(deployment: &Deployment, moved: &Deployment) -> bool {
    let local = |d: &Deployment| -> Vec<Option<GiB>> {
        let volumes = d.volumes.iter().filter(|v| v.role == Role::Local);
        volumes.map(|volume| volume.size()).collect()
    };
    let (old, new) = (local(deployment), local(moved));
    let cached = |d: &Deployment| d.vm.as_ref().map(|vm| vm.cached.base);
    let is_as_fast = || {
        let (old, new) = (cached(deployment)?, cached(moved)?);
        Some(new.iops >= old.iops && new.mbps >= old.mbps)
    };
    old.is_empty()
        || (old.iter().zip(&new).all(|(old, new)| new >= old) && is_as_fast() == Some(true))
}
