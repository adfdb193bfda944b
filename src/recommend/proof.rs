//! An answer before the planner: does it deliver, all volumes at once, whichever load each of them is at?

use super::kept::KeptVolume;
use super::need::{Hold, Need};
use crate::catalog::Axis;
use crate::deployment::Deployment;
use crate::planner::evaluate::evaluate_with;
use crate::planner::{Phase, Place, Resource, System};
use crate::units::{Iops, Share};
use crate::workload::Io;

use super::disks::SAME;
use super::model::{LimitUse, LimitedPlace};

/// What the planner says of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proof {
    /// Every limit that is used, in the order of the system.
    pub limits: Vec<LimitUse>,
}

/// Whether `deployment` delivers `need`: in every combination of the volumes' loads, headroom included, each volume
/// gets all that it asks, and no limit on its path is unknown. The volumes of `deployment` are those of the need, then
/// those that stay as they are.
#[must_use]
pub fn delivers(need: &Need, deployment: &Deployment) -> bool {
    proof(need, deployment).is_some()
}

/// The proof that `deployment` delivers; `None` where it does not.
pub(super) fn proof(need: &Need, deployment: &Deployment) -> Option<Proof> {
    let most = uses(need, deployment)?;
    let plain = Need {
        headroom: Share::NONE,
        ..need.clone()
    };
    let asked = uses(&plain, deployment)?;
    let limits = most.iter().zip(&asked).filter(|((_, used), _)| *used > 0.0);
    Some(Proof {
        limits: limits
            .filter_map(|((resource, used), (_, asked))| {
                limit(need, deployment, resource, (*used, *asked))
            })
            .collect(),
    })
}

/// The most that is used of each resource of `deployment`, headroom included; `None` where it does not deliver.
fn uses(need: &Need, deployment: &Deployment) -> Option<Vec<(Resource, f64)>> {
    let mut most: Vec<(Resource, f64)> = Vec::new();
    for loads in combinations(need) {
        let system = System::new(deployment, &loads);
        let allocation = evaluate_with(&system, Phase::Sustained, |r| need.hold.capacity(r));
        for (flow, outcome) in system.flows.iter().zip(&allocation.outcomes) {
            let got = outcome.iops.map_or(0.0, Iops::get);
            // What stays as it is has the latency that it has, known or not.
            let stays = flow.volume >= need.volumes.len();
            let mut limits = (flow.uses(Phase::Sustained).iter())
                .map(|used| need.hold.capacity(&system.resources[used.resource]));
            let in_doubt = if stays {
                limits.any(|limit| limit.is_none())
            } else {
                outcome.at_most
            };
            if in_doubt || got < flow.demand() * (1.0 - SAME) {
                return None;
            }
        }
        most.resize_with(system.resources.len(), || (system.resources[0], 0.0));
        for ((index, resource), used) in system.resources.iter().enumerate().zip(&allocation.used) {
            most[index] = (*resource, most[index].1.max(used.unwrap_or(0.0)));
        }
    }
    Some(most)
}

/// A limit with what is used of it, and what of that is asked.
fn limit(
    need: &Need,
    deployment: &Deployment,
    resource: &Resource,
    (used, asked): (f64, f64),
) -> Option<LimitUse> {
    let place = match resource.place {
        // The members of a stripe are alike: one of them stands for all.
        Place::Disk { member: 1.., .. } => return None,
        // What stays as it is was not chosen for its own limits.
        Place::Disk { volume, .. } if volume >= need.volumes.len() => return None,
        Place::Disk { volume, .. } => LimitedPlace::Disk {
            volume: deployment.volumes.get(volume)?.name.clone(),
        },
        Place::Uncached => LimitedPlace::Uncached,
        Place::Remote => LimitedPlace::Remote,
        Place::Cached => LimitedPlace::Cached,
    };
    Some(LimitUse {
        place,
        axis: resource.axis,
        capacity: need.hold.capacity(resource)?,
        used,
        asked: Some(asked),
    })
}

/// Every choice of one load a volume.
fn combinations(need: &Need) -> Vec<Vec<Io>> {
    let mut all: Vec<Vec<Io>> = vec![Vec::new()];
    let wanted = need.volumes.iter().map(|v| v.loads(need.headroom));
    for loads in wanted.chain(need.kept.iter().map(KeptVolume::loads)) {
        all = all
            .iter()
            .flat_map(|begun| {
                loads.iter().map(|io| {
                    let mut next = begun.clone();
                    next.push(*io);
                    next
                })
            })
            .collect();
    }
    all
}

/// What each volume gets for as long as `hold`, without headroom: its rate when all volumes are at the load of `axis`.
pub(super) fn delivered(
    need: &Need,
    deployment: &Deployment,
    hold: Hold,
    axis: Axis,
) -> Vec<Option<f64>> {
    let load = |loads: Vec<Io>| match axis {
        Axis::Iops => loads.first().copied(),
        Axis::Mbps => loads.last().copied(),
    };
    let wanted = need.volumes.iter().map(|v| v.loads(Share::NONE));
    let all = wanted.chain(need.kept.iter().map(KeptVolume::loads));
    let loads: Vec<Io> = all.filter_map(load).collect();
    let system = System::new(deployment, &loads);
    let allocation = evaluate_with(&system, Phase::Sustained, |r| hold.capacity(r));
    allocation
        .outcomes
        .iter()
        .map(|outcome| match axis {
            Axis::Iops => outcome.iops.map(Iops::get),
            Axis::Mbps => outcome.mbps.map(crate::units::MBps::get),
        })
        .collect()
}
