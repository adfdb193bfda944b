//! Which other size would lift a cap.

use crate::catalog::{Axis, Catalog, VmSize};
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

/// The smallest size of the series of `vm`, not constrained, for which `holds`: fewest vCPUs, then least memory.
/// Within a series the price follows the vCPUs, so the smallest is the cheapest.
pub(in crate::planner) fn smallest_in_series<'a>(
    catalog: &'a Catalog,
    vm: &VmSize,
    holds: impl Fn(&&'a VmSize) -> bool,
) -> Option<&'a VmSize> {
    let memory = |v: &VmSize| v.memory.map_or(f64::INFINITY, crate::units::GiB::get);
    let in_series =
        |v: &&VmSize| v.series == vm.series && v.interface == vm.interface && v.parent.is_none();
    let mut sizes: Vec<&VmSize> = catalog.vms().iter().filter(in_series).collect();
    sizes.sort_by(|a, b| (a.vcpus.cmp(&b.vcpus)).then(memory(a).total_cmp(&memory(b))));
    sizes.into_iter().find(holds)
}

/// The smallest size of the series that meets every need and takes `disks` data disks.
pub(super) fn lifting<'a>(
    catalog: &'a Catalog,
    vm: &VmSize,
    needs: &[Need],
    disks: usize,
) -> Option<&'a VmSize> {
    let meets = |v: &VmSize, need: &Need| {
        capacity(v, need.ceiling, need.axis).is_some_and(|c| c >= need.amount * (1.0 - 1e-9))
    };
    smallest_in_series(catalog, vm, |v| {
        needs.iter().all(|need| meets(v, need))
            && v.max_data_disks.is_some_and(|most| most as usize >= disks)
    })
}
