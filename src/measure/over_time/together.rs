//! Disks that share a limit of the VM, added up: each of them may be far from any limit of its own while the VM is full.

use super::bind::Bound;
use super::caps;
use super::label::Labelled;
use super::{DiskOverTime, Request, Trace};
use crate::catalog::{Limits, VmSize};
use crate::deployment::{Deployment, HostCaching, Volume};
use crate::measure::IN_BURST;
use crate::measure::series::analysis::{Hold, Known, Part, Plateau, analyse};
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

/// Disks that use one ceiling of the VM.
pub(super) struct Together {
    /// Their sum over time.
    pub sum: DiskOverTime,
    /// The places among all disks of those that may wait for it: some of their I/O passes it.
    waiting: Vec<usize>,
}

/// One of the disks that use a ceiling.
struct User<'a> {
    series: &'a DiskSeries,
    bound: Bound,
    judged: &'a DiskOverTime,
}

/// For each ceiling of the VM that two or more of the disks use, their sum over time. Disks of which it is open what
/// passes the ceiling (reads of a cached disk that may hit) are left out, and so is a ceiling with such a user.
pub(super) fn together(
    disks: &[Labelled<'_>],
    bound: &[Option<Bound>],
    judged: &[DiskOverTime],
    request: &Request<'_>,
    origin: Option<StartTime>,
) -> Vec<Together> {
    let (Some(deployment), Some(vm)) = (request.deployment, request.vm) else {
        return Vec::new();
    };
    let is_within = (vm.remote).is_some_and(|remote| remote.is_within(&vm.uncached));
    let sums = SHARED.iter().filter_map(|(place, name)| {
        let of_vm = caps::of_ceiling(vm, *place);
        let name = match place {
            Place::Remote if is_within => format!("all {} disks", VmSize::REMOTE_NAME),
            _ => (*name).to_owned(),
        };
        let all = disks.iter().zip(bound).zip(judged);
        let users = all.filter_map(|((disk, bound), judged)| {
            let user = User {
                series: disk.series,
                bound: (*bound)?,
                judged,
            };
            uses(deployment, user.bound, *place).then_some(user)
        });
        let users: Vec<User<'_>> = users.collect();
        let parts = at_limits(&users);
        let each: Vec<&DiskSeries> = users.iter().map(|user| user.series).collect();
        let series = (users.len() > 1 && !of_vm.is_empty())
            .then(|| sum(&each, &name))
            .flatten()?;
        let own = match place {
            // What a host cache answers passes no disk.
            Place::Cached => Vec::new(),
            _ => own_limits(deployment, &users),
        };
        let limits: Vec<Cap> = of_vm.into_iter().chain(own).collect();
        let known = Known {
            caps: &limits,
            longest_usual: None,
            parts: &parts,
            tolerance: request.tolerance,
        };
        let sum = DiskOverTime {
            volume: None,
            sku: None,
            on_credit: None,
            slow_latency: None,
            latency_of_unknown_size: false,
            report: analyse(&series, &known),
            trace: Trace::of(&series, origin),
            limits,
        };
        let passes = |bound: Option<Bound>| bound.is_some_and(|of| passes(deployment, of, *place));
        let each = bound.iter().enumerate();
        let waiting = each.filter(|(_, bound)| passes(**bound));
        Some(Together {
            sum,
            waiting: waiting.map(|(at, _)| at).collect(),
        })
    });
    sums.collect()
}

/// Where disks together are at a ceiling of the VM, that makes the I/Os of each wait that pass it: none is slow by itself.
pub(super) fn excuse(disks: &mut [DiskOverTime], together: &[Together]) {
    let full = together.iter().filter(|of| held_by_vm(&of.sum).count() > 0);
    for place in full.flat_map(|of| &of.waiting) {
        if let Some(disk) = disks.get_mut(*place) {
            disk.slow_latency = None;
        }
    }
}

/// The constant rates of a sum of disks that a limit of the VM may hold.
pub(super) fn held_by_vm(sum: &DiskOverTime) -> impl Iterator<Item = &Plateau> {
    let is_vm = |kind| kind != CapKind::DisksTogether;
    let all = sum.report.plateaus.iter();
    all.filter(move |of| kinds(&of.hold, &sum.limits).any(is_vm))
}

/// Of what the limits are that may hold a rate, of which `limits` are known beside those that a log states itself.
pub(super) fn kinds(hold: &Hold, limits: &[Cap]) -> impl Iterator<Item = CapKind> {
    hold.names().map(|name| {
        let known = limits.iter().find(|cap| cap.name == name);
        known.map_or(CapKind::One, |cap| cap.kind)
    })
}

/// When each of the disks was at a limit that is known by name.
fn at_limits<'a>(users: &[User<'a>]) -> Vec<Part<'a>> {
    let of_disk = |disk: &'a DiskOverTime| {
        let held = disk.report.plateaus.iter().filter(|of| of.hold.is_named());
        held.map(|of| Part {
            disk: &disk.report.disk,
            spans: &of.spans,
        })
    };
    users
        .iter()
        .map(|user| user.judged)
        .flat_map(of_disk)
        .collect()
}

/// What the disks' own limits add up to, without and with burst: their sum is at it while each of them is at its own.
fn own_limits(deployment: &Deployment, users: &[User<'_>]) -> Vec<Cap> {
    let name = OWN_LIMITS;
    let all = |phase, name: String| -> Option<Cap> {
        let each = users.iter();
        let each = each.map(|user| caps::own(deployment, user.bound, user.series, phase));
        let each: Option<Vec<Limits>> = each.collect();
        let limits = each?.into_iter().reduce(Limits::plus)?;
        Some(Cap {
            name,
            limits,
            kind: CapKind::DisksTogether,
            in_burst: phase == Phase::Burst,
        })
    };
    let held = all(Phase::Sustained, name.to_owned());
    let burst = all(Phase::Burst, format!("{name}{IN_BURST}"));
    let burst = burst.filter(|burst| held.as_ref().is_none_or(|held| held.limits != burst.limits));
    held.into_iter().chain(burst).collect()
}

/// Whether everything that the volume does passes the ceiling.
fn uses(deployment: &Deployment, bound: Bound, place: Place) -> bool {
    let caching = deployment.volumes.get(bound.volume).map(Volume::caching);
    let is_all = place == Place::Cached || caching == Some(HostCaching::None);
    is_all && passes(deployment, bound, place)
}

/// Whether something that the volume does passes the ceiling.
fn passes(deployment: &Deployment, bound: Bound, place: Place) -> bool {
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
