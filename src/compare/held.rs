//! What of a size holds disks back, all at once and without bursting: its ceilings, and its local disks.

use super::vms::CapHit;
use crate::catalog::Axis;
use crate::deployment::HostCaching;
use crate::planner::assessment::{CeilingName, CeilingUse};
use crate::planner::{Assessment, Outcome};
use crate::units::Iops;
use crate::workload::{Demand, Io};

/// What holds the disks of a size back.
pub(super) struct Held {
    /// The ceilings that do.
    pub caps: Vec<CapHit>,
    /// Whether nothing does; `None` where a ceiling that they draw on is unknown.
    pub lifts: Option<bool>,
}

impl Held {
    pub fn of(assessment: &Assessment) -> Self {
        let uses: Vec<CeilingUse> = ceilings(assessment)
            .into_iter()
            .filter(|row| row.ceiling != CeilingName::Cached || is_cached(assessment))
            .collect();
        let mut caps = hits(&uses);
        caps.extend(beside_local(assessment, &caps));
        let unmet = unmet_local(assessment);
        caps.extend(unmet.iter().filter_map(UnmetLocal::cap));
        let is_unknown =
            |row: &CeilingUse| row.capacity.is_none() && row.asked.sustained != Some(0.0);
        let lifts = if !caps.is_empty() || !unmet.is_empty() {
            Some(false)
        } else if uses.iter().any(is_unknown) {
            None
        } else {
            Some(true)
        };
        Self { caps, lifts }
    }
}

/// Whether the host cache serves a volume. A local disk is held by the same ceiling, and that is its own limit: without a
/// demand it holds nothing back.
fn is_cached(assessment: &Assessment) -> bool {
    let volumes = assessment.volumes.iter();
    volumes
        .filter(|view| !view.family.is_local())
        .any(|view| view.caching != HostCaching::None)
}

/// How the ceilings stand under the headline workloads, each once a workload.
fn ceilings(assessment: &Assessment) -> Vec<CeilingUse> {
    let Some((iops, mbps)) = assessment.headline() else {
        return Vec::new();
    };
    let second = (iops.name != mbps.name).then_some(&mbps.ceilings);
    iops.ceilings
        .iter()
        .chain(second.into_iter().flatten())
        .copied()
        .collect()
}

/// The ceilings of which more is asked than they have, each where most is asked of it.
fn hits(uses: &[CeilingUse]) -> Vec<CapHit> {
    let mut hits: Vec<CapHit> = Vec::new();
    for hit in uses.iter().filter_map(CapHit::of) {
        let same = |known: &&mut CapHit| (known.ceiling, known.axis) == (hit.ceiling, hit.axis);
        match hits.iter_mut().find(same) {
            Some(known) if hit.weight() > known.weight() => *known = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }
    hits
}

/// The ceilings that have room for what is cached, and hold it back all the same: a local disk takes all it gets of them.
fn beside_local(assessment: &Assessment, known: &[CapHit]) -> Vec<CapHit> {
    let mut found: Vec<CapHit> = Vec::new();
    let Some((iops, mbps)) = assessment.headline() else {
        return found;
    };
    for workload in [iops, mbps] {
        for (view, result) in assessment.volumes.iter().zip(&workload.volumes) {
            let (alone, together) = (&result.alone.sustained, &result.together.sustained);
            let less = |(one, other): (Iops, Iops)| one.get() < other.get() * (1.0 - 1e-9);
            let is_held =
                together.iops.zip(alone.iops).is_some_and(less) && !view.family.is_local();
            let Some((ceiling, axis)) = (together.bottleneck.ceiling())
                .zip(together.bottleneck.axis())
                .filter(|_| is_held)
            else {
                continue;
            };
            let same = |hit: &CapHit| (hit.ceiling, hit.axis) == (ceiling, axis);
            let row = |row: &&CeilingUse| (row.ceiling, row.axis) == (ceiling, axis);
            let capacity = workload.ceilings.iter().find(row).and_then(|r| r.capacity);
            if let Some(capacity) = capacity
                && !known.iter().chain(&found).any(same)
            {
                found.push(CapHit {
                    ceiling,
                    axis,
                    capacity,
                    asked: None,
                });
            }
        }
    }
    found
}

/// A demand of a local disk that the size does not meet.
struct UnmetLocal {
    outcome: Outcome,
    io: Io,
    capacity: Option<f64>,
}

impl UnmetLocal {
    /// The ceiling that stops it; `None` where it is a limit of the disk itself.
    fn cap(&self) -> Option<CapHit> {
        let (ceiling, axis) = self
            .outcome
            .bottleneck
            .ceiling()
            .zip(self.outcome.bottleneck.axis())?;
        let iops = self.io.demand.iops(self.io.block_size)?;
        Some(CapHit {
            ceiling,
            axis,
            capacity: self.capacity?,
            asked: Some(match axis {
                Axis::Iops => iops.get(),
                Axis::Mbps => iops.throughput(self.io.block_size).get(),
            }),
        })
    }
}

/// The local disks that get less than was asked of them by number, each by itself.
fn unmet_local(assessment: &Assessment) -> Vec<UnmetLocal> {
    let Some((iops, mbps)) = assessment.headline() else {
        return Vec::new();
    };
    let workloads = if iops.name == mbps.name {
        vec![iops]
    } else {
        vec![iops, mbps]
    };
    let unmet = workloads.into_iter().flat_map(|workload| {
        let volumes = assessment.volumes.iter().zip(&workload.volumes);
        let asked = volumes
            .filter(|(view, result)| view.family.is_local() && result.io.demand != Demand::Max);
        asked.filter_map(|(_, result)| {
            let outcome = result.alone.sustained;
            let axis = outcome.bottleneck.axis()?;
            let row = |row: &&CeilingUse| {
                (Some(row.ceiling), row.axis) == (outcome.bottleneck.ceiling(), axis)
            };
            Some(UnmetLocal {
                outcome,
                io: result.io,
                capacity: workload
                    .ceilings
                    .iter()
                    .find(row)
                    .and_then(|row| row.capacity),
            })
        })
    });
    unmet.collect()
}

impl CapHit {
    /// The ceiling, where more is asked of it than it has (by more than rounding).
    fn of(row: &CeilingUse) -> Option<Self> {
        let hit = Self {
            ceiling: row.ceiling,
            axis: row.axis,
            capacity: row.capacity?,
            asked: row.asked.sustained,
        };
        (hit.weight() > hit.capacity * (1.0 + 1e-9)).then_some(hit)
    }

    fn weight(&self) -> f64 {
        self.asked.unwrap_or(f64::INFINITY)
    }
}
