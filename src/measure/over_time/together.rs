//! Disks that share a limit of the VM, added up: each of them may be far from any limit of its own while the VM is full.

use super::bind::Bound;
use super::caps::{self, IN_BURST};
use super::label::Labelled;
use super::{DiskOverTime, Request, Trace};
use crate::catalog::Limits;
use crate::deployment::{Deployment, HostCaching};
use crate::measure::series::analysis::{Known, Part, analyse};
use crate::measure::series::{Cap, CapKind, DiskSeries, StartTime, sum};
use crate::planner::{Phase, Place, System};

/// The shared ceilings, and what their users together are called.
const SHARED: [(Place, &str); 3] = [
    (Place::Uncached, "all uncached disks"),
    (Place::Remote, "all remote disks"),
    (Place::Cached, "all cached disks"),
];

/// What the disks' own limits are called, added up.
const OWN_LIMITS: &str = "the disks' own limits together";

/// For each ceiling of the VM that two or more of the disks use, their sum over time. Disks of which it is open what
/// passes the ceiling (reads of a cached disk that may hit) are left out, and so is a ceiling with such a user.
pub(super) fn together(
    disks: &[Labelled<'_>],
    bound: &[Option<Bound>],
    judged: &[DiskOverTime],
    request: &Request<'_>,
    origin: Option<StartTime>,
) -> Vec<DiskOverTime> {
    let (Some(deployment), Some(vm)) = (request.deployment, request.vm) else {
        return Vec::new();
    };
    let sums = SHARED.iter().filter_map(|(place, name)| {
        let of_vm = caps::of_ceiling(vm, *place);
        let users = disks.iter().zip(bound).zip(judged);
        let users = users.filter_map(|((disk, bound), judged)| {
            let bound = (*bound)?;
            uses(deployment, bound, *place).then_some((disk.series, (bound, judged)))
        });
        let (users, users_as): (Vec<&DiskSeries>, Vec<(Bound, &DiskOverTime)>) = users.unzip();
        let (bound, judged): (Vec<Bound>, Vec<&DiskOverTime>) = users_as.into_iter().unzip();
        let parts = at_limits(&judged);
        let series = (users.len() > 1 && !of_vm.is_empty())
            .then(|| sum(&users, name))
            .flatten()?;
        let own = match place {
            // What a host cache answers passes no disk.
            Place::Cached => Vec::new(),
            _ => own_limits(deployment, &users, &bound),
        };
        let limits: Vec<Cap> = of_vm.into_iter().chain(own).collect();
        let known = Known {
            caps: &limits,
            longest_usual: None,
            parts: &parts,
            tolerance: request.tolerance,
        };
        Some(DiskOverTime {
            volume: None,
            sku: None,
            on_credit: None,
            slow_latency: None,
            latency_of_unknown_size: false,
            report: analyse(&series, &known),
            trace: Trace::of(&series, origin),
            limits,
        })
    });
    sums.collect()
}

/// When each of the disks was at a limit that is known by name.
fn at_limits<'a>(disks: &[&'a DiskOverTime]) -> Vec<Part<'a>> {
    let of_disk = |disk: &'a DiskOverTime| {
        let held = disk.report.plateaus.iter().filter(|of| of.hold.is_named());
        held.map(|of| Part {
            disk: &disk.report.disk,
            spans: &of.spans,
        })
    };
    disks.iter().copied().flat_map(of_disk).collect()
}

/// What the disks' own limits add up to, without and with burst: their sum is at it while each of them is at its own.
fn own_limits(deployment: &Deployment, disks: &[&DiskSeries], bound: &[Bound]) -> Vec<Cap> {
    let name = OWN_LIMITS;
    let all = |phase, name: String| -> Option<Cap> {
        let each = disks.iter().zip(bound);
        let each = each.map(|(disk, bound)| caps::own(deployment, *bound, disk, phase));
        let each: Option<Vec<Limits>> = each.collect();
        let limits = each?.into_iter().reduce(Limits::plus)?;
        Some(Cap {
            name,
            limits,
            kind: CapKind::DisksTogether,
        })
    };
    let held = all(Phase::Sustained, name.to_owned());
    let burst = all(Phase::Burst, format!("{name}{IN_BURST}"));
    let burst = burst.filter(|burst| held.as_ref().is_none_or(|held| held.limits != burst.limits));
    held.into_iter().chain(burst).collect()
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
