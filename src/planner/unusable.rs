//! What a disk is provisioned for beyond what the VM lets through.

use super::system::{Phase, Place, System};
use crate::catalog::{Axis, DiskModel, Limits};
use crate::deployment::{Deployment, Role, Volume};
use crate::units::{Iops, MBps};
use crate::workload::Io;

/// The limits that the members of `volume` are paid for, added up as a stripe gives them: n times its smallest member.
#[must_use]
pub fn provisioned(volume: &Volume) -> Limits {
    striped(volume, |model, axis| model.base.on(axis))
}

/// The limits of `volume` while its members burst, added up in the same way; `None` where none of them bursts.
#[must_use]
pub fn bursting(volume: &Volume) -> Option<Limits> {
    let burst = |model: &DiskModel, axis| {
        let burst = model.burst.and_then(|burst| burst.limits.on(axis));
        burst.or(model.base.on(axis))
    };
    let some_burst = volume.members.iter().any(|m| m.model.burst.is_some());
    some_burst.then(|| striped(volume, burst))
}

fn striped(volume: &Volume, limit: impl Fn(&DiskModel, Axis) -> Option<f64>) -> Limits {
    let count = volume.members.len() as f64;
    let least = |axis| {
        let figures = volume.members.iter().map(|m| limit(&m.model, axis));
        let all: Option<Vec<f64>> = figures.collect();
        all.map(|all| count * all.into_iter().fold(f64::INFINITY, f64::min))
    };
    Limits {
        iops: least(Axis::Iops).and_then(|v| Iops::new(v).ok()),
        mbps: least(Axis::Mbps).and_then(|v| MBps::new(v).ok()),
    }
}

/// What `volume` is provisioned for beyond what the VM's ceilings let through in `phase`, when nothing else is at
/// work. `system` is that of the volume alone. An axis is `None` when a figure that it needs is unknown.
#[must_use]
pub fn unusable(volume: &Volume, system: &System, phase: Phase) -> Limits {
    let provisioned = provisioned(volume);
    let beyond = |axis: Axis| -> Option<f64> {
        let paid = provisioned.on(axis)?;
        let passing = ceiling_of(system, axis, phase)?;
        Some((paid - passing).max(0.0))
    };
    Limits {
        iops: beyond(Axis::Iops).and_then(|v| Iops::new(v).ok()),
        mbps: beyond(Axis::Mbps).and_then(|v| MBps::new(v).ok()),
    }
}

/// What several volumes lose together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Together {
    /// What is provisioned beyond what passes.
    pub lost: Limits,
    /// What the volumes that pass the ceiling in question are provisioned for.
    pub paid: Limits,
    /// The ceilings in question: of IOPS, of MB/s.
    pub over: [Option<Place>; 2],
    /// Whether the limits of some volume are unknown: at least that much is lost.
    pub at_least: bool,
}

/// What all volumes together are provisioned for beyond what the VM's ceilings let through in `phase`: the most over any
/// ceiling, of the volumes that pass it. Where a ceiling or what some volume is provisioned for is unknown, the known ones
/// say how much is lost at least; an axis is `None` when they lose nothing.
#[must_use]
pub fn unusable_together(deployment: &Deployment, phase: Phase) -> Together {
    let loads = vec![Io::RANDOM_4K; deployment.volumes.len()];
    let system = System::new(deployment, &loads);
    // Lost, and paid, over which ceiling.
    let beyond = |axis: Axis| -> Option<(f64, f64, Option<Place>)> {
        let mut most = (0.0_f64, 0.0_f64, None);
        let mut unsure = false;
        for (index, ceiling) in system.resources.iter().enumerate() {
            if !ceiling.is_vm() || ceiling.axis != axis {
                continue;
            }
            let passing = system.flows.iter().filter(|flow| {
                let uses = flow.uses(Phase::Sustained);
                uses.iter().any(|u| u.resource == index)
            });
            // Local disks come with the size: nothing is provisioned for them.
            let paid = passing
                .map(|flow| &deployment.volumes[flow.volume])
                .filter(|volume| volume.role != Role::Local)
                .map(|volume| provisioned(volume).on(axis));
            let (known, unknown): (Vec<_>, Vec<_>) = paid.partition(Option::is_some);
            unsure |= !unknown.is_empty();
            let paid: f64 = known.into_iter().flatten().sum();
            match ceiling.capacity(phase) {
                Some(capacity) if paid - capacity > most.0 => {
                    most = (paid - capacity, paid, Some(ceiling.place));
                }
                Some(_) => {}
                None => unsure |= paid > 0.0,
            }
        }
        (most.0 > 0.0 || !unsure).then_some(most)
    };
    let (iops, mbps) = (beyond(Axis::Iops), beyond(Axis::Mbps));
    let limits = |part: fn((f64, f64, Option<Place>)) -> f64| Limits {
        iops: iops.and_then(|both| Iops::new(part(both)).ok()),
        mbps: mbps.and_then(|both| MBps::new(part(both)).ok()),
    };
    Together {
        lost: limits(|(lost, ..)| lost),
        paid: limits(|(_, paid, _)| paid),
        over: [iops, mbps].map(|found| found.and_then(|(.., place)| place)),
        at_least: deployment.volumes.iter().any(is_unknown),
    }
}

/// Whether a limit that `volume` is paid for is unknown.
fn is_unknown(volume: &Volume) -> bool {
    let paid = provisioned(volume);
    volume.role != Role::Local && (paid.iops.is_none() || paid.mbps.is_none())
}

/// The lowest of the VM's ceilings on the path of the system's only flow; infinite where it passes none. With host
/// caching that is the cached one too: misses and writes pass both.
fn ceiling_of(system: &System, axis: Axis, phase: Phase) -> Option<f64> {
    let on_path = |index: usize| {
        let flow = system.flows.first();
        // The sustained path is the complete one: a ReadWrite cache does not hide writes in it.
        flow.is_some_and(|f| f.uses(Phase::Sustained).iter().any(|u| u.resource == index))
    };
    system
        .resources
        .iter()
        .enumerate()
        .filter(|(index, r)| r.axis == axis && r.is_vm() && on_path(*index))
        .map(|(_, r)| r.capacity(phase))
        .try_fold(f64::INFINITY, |least, capacity| Some(least.min(capacity?)))
}
