//! Which other size would lift a cap.

use crate::catalog::price::{HOURS_PER_MONTH, Money, PriceBook, VmOffer};
use crate::catalog::{Axis, Catalog, DiskRequest, Interface, VmSize};
use crate::deployment::{Deployment, Role};
use crate::planner::assess::suffices;
use crate::planner::assessment::CeilingName;

/// A demand on one of the VM's ceilings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Need {
    pub(super) ceiling: CeilingName,
    pub(super) axis: Axis,
    pub(super) amount: f64,
}

/// The capacity of `vm` for a need; the higher pair falls back to the uncached one where a size has no separate pair.
fn capacity(vm: &VmSize, ceiling: CeilingName, axis: Axis) -> Option<f64> {
    let limits = match ceiling {
        CeilingName::Uncached => vm.uncached.base,
        CeilingName::Remote => vm.remote.map_or(vm.uncached.base, |c| c.base),
        CeilingName::Cached => vm.cached.base,
    };
    limits.on(axis)
}

/// The prices that sizes are compared by.
#[derive(Debug, Clone, Copy)]
pub(in crate::planner) struct Prices<'a> {
    pub(in crate::planner) book: &'a PriceBook,
    pub(in crate::planner) offer: VmOffer,
}

impl Prices<'_> {
    /// The price of an hour; `None` where it is not known.
    pub(super) fn hour(&self, vm: &VmSize) -> Option<f64> {
        self.book.vm(&vm.name).ok()?.per_hour(self.offer)
    }

    /// What a month of `other` costs more than one of `vm`, in words; nothing where either has no price.
    pub(super) fn difference(&self, vm: &VmSize, other: &VmSize) -> Option<String> {
        let more = (self.hour(other)? - self.hour(vm)?) * HOURS_PER_MONTH;
        let amount = Money::new(more.abs(), self.book.currency());
        Some(if more == 0.0 {
            "at the same price".to_owned()
        } else if more < 0.0 {
            format!("for {amount} a month less")
        } else {
            format!("for {amount} a month more")
        })
    }
}

/// The deployment on another size, whose local disks take the place of the present ones; `None` where it lacks them.
pub(in crate::planner) fn on_size(
    catalog: &Catalog,
    deployment: &Deployment,
    vm: &VmSize,
) -> Option<Deployment> {
    let mut moved = Deployment {
        vm: Some(vm.clone()),
        ..deployment.clone()
    };
    for volume in moved.volumes.iter_mut().filter(|v| v.role == Role::Local) {
        for member in &mut volume.members {
            let request = DiskRequest {
                family: member.model.family,
                ..member.spec.request.clone()
            };
            member.model = catalog.local_disk(vm, &request).ok()?.model;
        }
    }
    Some(moved)
}

/// The same size on the controller that it does not have now, where its ceilings there are known.
pub(in crate::planner) fn on_other_controller<'a>(
    catalog: &'a Catalog,
    vm: &VmSize,
) -> Option<&'a VmSize> {
    let other = match vm.interface? {
        Interface::Scsi => Interface::Nvme,
        Interface::Nvme => Interface::Scsi,
    };
    let twin = catalog.vm(&vm.name, Some(other)).ok()?;
    (twin.interface == Some(other)).then_some(twin)
}

/// A size with its figures in one bracket: `Standard_E4bds_v5 (SCSI, 340 uncached MB/s)`.
pub(super) fn size_with(size: &VmSize, figures: &str) -> String {
    let controller = size.interface.map(|interface| format!("{interface}, "));
    format!(
        "{} ({}{figures})",
        size.name,
        controller.unwrap_or_default()
    )
}

/// Whether a size of the series of `vm` retires, no earlier than `vm` does; `None` for one that is no advice: it is retired, or
/// goes first.
fn retires_later(
    catalog: &Catalog,
    deployment: &Deployment,
    vm: &VmSize,
    size: &VmSize,
) -> Option<bool> {
    match (&size.retirement, &vm.retirement) {
        (None, _) => Some(false),
        (Some(its), Some(own)) if its >= own && deployment.finds_in_service(catalog, size) => {
            Some(true)
        }
        _ => None,
    }
}

/// The smallest size of the series of `vm` for which `holds`: fewest vCPUs, then least memory. One that retires, as long as
/// it outlasts `vm`, only where none stays; a constrained one only in place of a constrained one, and then first.
pub(in crate::planner) fn smallest_in_series<'a>(
    catalog: &'a Catalog,
    deployment: &Deployment,
    vm: &VmSize,
    holds: impl Fn(&&'a VmSize) -> bool,
) -> Option<&'a VmSize> {
    let sizes = series(catalog, vm).into_iter();
    sizes
        .filter_map(|size| Some((retires_later(catalog, deployment, vm, size)?, size)))
        .filter(|(_, size)| holds(size))
        .min_by_key(|(goes, size)| (*goes, is_second(vm, size)))
        .map(|(_, size)| size)
}

/// The cheapest size of the series of `vm` for which `holds`, the smallest of equally cheap ones; one that retires as in
/// [`smallest_in_series`]. `None` where none of them has a price.
pub(super) fn cheapest_in_series<'a>(
    catalog: &'a Catalog,
    deployment: &Deployment,
    vm: &VmSize,
    prices: Prices<'_>,
    holds: impl Fn(&&'a VmSize) -> bool,
) -> Option<&'a VmSize> {
    let sizes = series(catalog, vm).into_iter();
    sizes
        .filter(|size| holds(size))
        .filter_map(|size| {
            Some((
                retires_later(catalog, deployment, vm, size)?,
                prices.hour(size)?,
                size,
            ))
        })
        .min_by(|(a, cost, one), (b, other, two)| {
            let by = |goes: &bool, size: &VmSize| (*goes, is_second(vm, size));
            by(a, one).cmp(&by(b, two)).then(cost.total_cmp(other))
        })
        .map(|(_, _, size)| size)
}

/// That a size retires as `vm` does, as the end of a sentence; nothing for one that stays.
pub(super) fn goes_too(size: &VmSize) -> String {
    let day = size.retirement.as_ref();
    day.map_or_else(String::new, |day| format!(", but retires on {day} as well"))
}

/// A larger size than the present one, in words: one that retires has none of its series that stays.
pub(super) fn larger_size(context: &super::Context<'_>) -> &'static str {
    match retires(context) {
        true => "a larger size of a series that stays",
        false => "a larger size",
    }
}

/// Whether the present size is retired, or will be.
pub(super) fn retires(context: &super::Context<'_>) -> bool {
    let vm = context.deployment.vm.as_ref();
    vm.is_some_and(|vm| vm.retirement.is_some())
}

/// Whether a size has no fewer vCPUs and no less memory than `vm`, as far as is known: some series have higher ceilings on
/// smaller sizes.
pub(in crate::planner) fn is_no_smaller(vm: &VmSize, size: &VmSize) -> bool {
    let memory = size.memory.zip(vm.memory);
    size.vcpus >= vm.vcpus && memory.is_none_or(|(new, old)| new >= old)
}

/// Whether a size comes behind others in place of `vm`: one with all its vCPUs, where `vm` has fewer for the sake of
/// licences.
pub(super) const fn is_second(vm: &VmSize, size: &VmSize) -> bool {
    vm.parent.is_some() && size.parent.is_none()
}

/// Whether a size may be named in place of `vm`: a constrained one only in place of a constrained one, with no fewer vCPUs.
pub(super) const fn may_replace(vm: &VmSize, size: &VmSize) -> bool {
    size.parent.is_none() || (vm.parent.is_some() && size.vcpus >= vm.vcpus)
}

/// What a constrained size is told with.
pub(super) const fn constrained(size: &VmSize) -> &'static str {
    match size.parent {
        Some(_) => "constrained ",
        None => "",
    }
}

/// The sizes of the series of `vm` on its controller that may be named in its place, the smallest first.
pub(super) fn series<'a>(catalog: &'a Catalog, vm: &VmSize) -> Vec<&'a VmSize> {
    let memory = |v: &VmSize| v.memory.map_or(f64::INFINITY, crate::units::GiB::get);
    let in_series =
        |v: &&VmSize| v.series == vm.series && v.interface == vm.interface && may_replace(vm, v);
    let mut sizes: Vec<&VmSize> = catalog.vms().iter().filter(in_series).collect();
    sizes.sort_by(|a, b| (a.vcpus.cmp(&b.vcpus)).then(memory(a).total_cmp(&memory(b))));
    sizes
}

/// Whether a size meets every need and takes `disks` data disks.
pub(super) fn lifts(vm: &VmSize, needs: &[Need], disks: usize) -> bool {
    let meets = |need: &Need| {
        capacity(vm, need.ceiling, need.axis).is_some_and(|c| suffices(c, need.amount))
    };
    needs.iter().all(meets) && takes(vm, disks)
}

/// Whether the families of the disks can be attached to a size, as far as is known: some need premium storage.
pub(in crate::planner) fn can_attach(vm: &VmSize, deployment: &Deployment) -> bool {
    let mut disks = deployment.volumes.iter().flat_map(|v| &v.members);
    let takes_premium = vm.premium_storage != Some(false)
        || !disks.any(|disk| disk.model.family.needs_premium_storage());
    takes_premium && accelerates(vm, deployment) != Some(false)
}

/// Whether a size has Write Accelerator for as many disks as have it; `None` where no source gives its number.
pub(super) fn accelerates(vm: &VmSize, deployment: &Deployment) -> Option<bool> {
    let disks = deployment.volumes.iter().flat_map(|v| &v.members);
    let wanted = disks.filter(|disk| disk.write_accelerator).count();
    match wanted {
        0 => Some(true),
        _ => vm.most_accelerated().map(|most| most as usize >= wanted),
    }
}

/// Whether a size takes `disks` data disks.
pub(super) fn takes(vm: &VmSize, disks: usize) -> bool {
    vm.max_data_disks.is_some_and(|most| most as usize >= disks)
}
