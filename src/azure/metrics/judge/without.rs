//! The ceilings that there are no metrics of: that nothing was seen of them says nothing.

use super::limits::{DiskLimits, VmLimits};
use super::model::CeilingUse;
use super::watched::AXES;
use super::words::axis;
use crate::azure::metrics::Subject;
use crate::catalog::Axis;
use crate::deployment::HostCaching;

/// The ceilings of the VM and its disks that none of `ceilings` is of, by name.
pub(super) fn metrics(ceilings: &[CeilingUse], limits: &VmLimits) -> Vec<String> {
    let all = expected(limits).into_iter();
    let all = all.flat_map(|subject| AXES.map(|axis| (subject, axis)));
    let has = |(subject, axis): &(Subject, Axis)| {
        let mut known = ceilings.iter();
        known.any(|c| (c.subject, c.axis) == (*subject, *axis))
    };
    let lacking = all.filter(|of| !has(of));
    lacking
        .map(|(subject, of)| format!("{} {}", limits.label(subject), axis(of)))
        .collect()
}

/// What has ceilings: the uncached path, the cached one where a disk takes it, and every disk.
fn expected(limits: &VmLimits) -> Vec<Subject> {
    let is_cached = |disk: &DiskLimits| disk.caching != Some(HostCaching::None);
    let some_cached = limits.disks.is_empty() || limits.disks.iter().any(is_cached);
    let cached = some_cached.then_some(Subject::VmCached);
    let disks = limits.disks.iter().map(DiskLimits::subject);
    let of_vm = [Subject::VmUncached].into_iter().chain(cached);
    of_vm.chain(disks).collect()
}
