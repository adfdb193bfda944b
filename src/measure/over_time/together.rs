//! Disks that share a limit of the VM, added up: each of them may be far from any limit of its own while the VM is full.

use super::bind::Bound;
use super::label::Labelled;
use super::{DiskOverTime, Request, Trace, caps};
use crate::deployment::{Deployment, HostCaching};
use crate::measure::series::analysis::analyse;
use crate::measure::series::{DiskSeries, StartTime, sum};
use crate::planner::{Phase, Place, System};

/// The shared ceilings, and what their users together are called.
const SHARED: [(Place, &str); 3] = [
    (Place::Uncached, "all uncached disks"),
    (Place::Remote, "all remote disks"),
    (Place::Cached, "all cached disks"),
];

/// For each ceiling of the VM that two or more of the disks use, their sum over time. Disks of which it is open what
/// passes the ceiling (reads of a cached disk that may hit) are left out, and so is a ceiling with such a user.
pub(super) fn together(
    disks: &[Labelled<'_>],
    bound: &[Option<Bound>],
    request: &Request<'_>,
    origin: Option<StartTime>,
) -> Vec<DiskOverTime> {
    let (Some(deployment), Some(vm)) = (request.deployment, request.vm) else {
        return Vec::new();
    };
    let sums = SHARED.iter().filter_map(|(place, name)| {
        let limits = caps::of_ceiling(vm, *place);
        let users: Vec<&DiskSeries> = disks
            .iter()
            .zip(bound)
            .filter_map(|(disk, bound)| uses(deployment, (*bound)?, *place).then_some(disk.series))
            .collect();
        let series = (users.len() > 1 && !limits.is_empty())
            .then(|| sum(&users, name))
            .flatten()?;
        Some(DiskOverTime {
            volume: None,
            sku: None,
            report: analyse(&series, &limits, request.tolerance),
            trace: Trace::of(&series, origin),
            limits,
        })
    });
    sums.collect()
}

/// Whether everything that the volume does passes the ceiling.
fn uses(deployment: &Deployment, bound: Bound, place: Place) -> bool {
    let Some(volume) = deployment.volumes.get(bound.volume) else {
        return false;
    };
    if place != Place::Cached && volume.caching() != HostCaching::None {
        return false;
    }
    let loads = vec![crate::workload::Io::RANDOM_4K; deployment.volumes.len()];
    let system = System::alone(deployment, bound.volume, &loads);
    system.flows.iter().any(|flow| {
        let mut used = flow.uses(Phase::Sustained).iter();
        used.any(|used| {
            let resource = system.resources.get(used.resource);
            resource.is_some_and(|resource| resource.place == place)
        })
    })
}
