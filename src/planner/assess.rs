//! Puts an [`Assessment`] together: every workload, every volume alone and all together, then the findings.

use super::allocate::Use;
use super::assessment::{
    Assessment, CacheView, CeilingName, CeilingUse, PhasePair, QueueDepth1, SCHEMA, Total, VmView,
    VolumeResult, VolumeView, WorkloadView, crossing_block,
};
use super::evaluate::{Allocation, evaluate, evaluate_with};
use super::findings;
use super::latency;
use super::paging::{self, Paging};
use super::plateaus;
use super::system::{Flow, Phase, Place, Resource, System};
use super::unusable::{provisioned, unusable};
use crate::catalog::{Axis, Catalog, VmSize};
use crate::deployment::{Deployment, Disk, DiskSpec, HostCaching, Volume};
use crate::units::{Iops, Share};
use crate::workload::{Demand, Io, Workload};

impl<T> PhasePair<T> {
    /// The one of `phase`.
    pub const fn at(&self, phase: Phase) -> &T {
        match phase {
            Phase::Burst => &self.burst,
            Phase::Sustained => &self.sustained,
        }
    }

    /// Both phases of something.
    pub fn each(of: impl Fn(Phase) -> T) -> Self {
        Self {
            burst: of(Phase::Burst),
            sustained: of(Phase::Sustained),
        }
    }
}

/// Assesses `deployment` under each of `workloads`. `catalog` serves the findings that suggest another size or disk.
///
/// Workloads must have one load for each volume; missing ones are left out of the result.
#[must_use]
pub fn assess(catalog: &Catalog, deployment: &Deployment, workloads: &[Workload]) -> Assessment {
    let volumes: Vec<VolumeView> = (0..deployment.volumes.len())
        .map(|index| volume_view(deployment, index))
        .collect();
    let pages = workloads
        .iter()
        .any(|workload| workload.name == paging::PROFILE);
    let workloads: Vec<WorkloadView> = workloads
        .iter()
        .map(|workload| workload_view(deployment, workload))
        .collect();
    let mut assessment = Assessment {
        schema: SCHEMA.to_owned(),
        data: catalog.info().clone(),
        region: deployment.region.clone(),
        name: None,
        vm: deployment.vm.as_ref().map(|vm| vm_view(vm, deployment)),
        volumes,
        workloads,
        findings: Vec::new(),
        cost: None,
        paging: pages.then(|| Paging::of_deployment(catalog, deployment, paging::DEFAULT_AMOUNT)),
    };
    assessment.findings = findings::all(catalog, deployment, &assessment);
    assessment
}

pub(super) fn vm_view(vm: &VmSize, deployment: &Deployment) -> VmView {
    VmView {
        size: vm.name.clone(),
        series: vm.series.clone(),
        interface: vm.interface,
        controllers: vm.controllers.clone(),
        vcpus: vm.vcpus,
        memory_gib: vm.memory,
        max_data_disks: vm.max_data_disks,
        data_disks: deployment.data_disks(),
        uncached: vm.uncached,
        remote: vm.remote,
        cached: vm.cached,
        origin: vm.origin.clone(),
    }
}

fn volume_view(deployment: &Deployment, index: usize) -> VolumeView {
    let volume = &deployment.volumes[index];
    let loads = vec![Io::RANDOM_4K; deployment.volumes.len()];
    let alone = System::alone(deployment, index, &loads);
    let provisioned = provisioned(volume);
    let first = volume.members.first();
    let queue_depth_1 = queue_depth_1(deployment, volume);
    VolumeView {
        name: volume.name.clone(),
        spec: specs(volume),
        sku: volume.label(),
        family: first.map_or(crate::catalog::Family::Custom, |d| d.model.family),
        role: volume.role,
        members: volume.members.len(),
        size_gib: volume.size(),
        caching: volume.caching(),
        mixed_caching: volume.has_mixed_caching(),
        provisioned,
        burst: first.and_then(|d| d.model.burst),
        burst_doubt: volume.burst_doubt().map(ToOwned::to_owned),
        queue_depth_1,
        queue_depth_to_saturate: provisioned
            .iops
            .zip(queue_depth_1)
            .map(|(iops, qd1)| latency::queue_depth_to_reach(iops, qd1.latency_us.seconds())),
        crossing_block_bytes: crossing_block(provisioned),
        unusable_sustained: unusable(volume, &alone, Phase::Sustained),
        unusable_burst: unusable(volume, &alone, Phase::Burst),
    }
}

/// The specification of the members, one of each where they differ.
fn specs(volume: &Volume) -> Vec<String> {
    let single = |disk: &Disk| DiskSpec {
        count: 1,
        ..disk.spec.clone()
    };
    match volume.members.as_slice() {
        [first, rest @ ..] if rest.iter().all(|disk| disk.spec == first.spec) => {
            vec![first.spec.to_string()]
        }
        all => all.iter().map(|disk| single(disk).to_string()).collect(),
    }
}

/// Latency and ceiling of one read at a time from the disk itself, no cache in between.
fn queue_depth_1(deployment: &Deployment, volume: &Volume) -> Option<QueueDepth1> {
    let seconds = latency::of_one_io(
        volume,
        deployment.cache_latency,
        &Io::RANDOM_4K,
        Phase::Sustained,
    )?;
    let latency_us = crate::units::Latency::from_micros(seconds * 1e6).ok()?;
    Some(QueueDepth1 {
        latency_us,
        basis: latency::basis(volume)?,
        ceiling_iops: latency_us.queue_depth_1_ceiling(),
    })
}

fn workload_view(deployment: &Deployment, workload: &Workload) -> WorkloadView {
    let system = System::new(deployment, &workload.loads);
    let together = PhasePair::each(|phase| evaluate(&system, phase));
    let unlimited = PhasePair::each(|phase| unlimited(&system, phase, together.at(phase)));
    let volumes = system
        .flows
        .iter()
        .enumerate()
        .map(|(flow, f)| volume_result(deployment, &workload.loads, f.volume, &together, flow))
        .collect();
    WorkloadView {
        name: workload.name.clone(),
        title: workload.title.clone(),
        source: workload.source.clone(),
        volumes,
        total: PhasePair {
            burst: total(&together.burst),
            sustained: total(&together.sustained),
        },
        plateaus: plateaus::together(deployment, &workload.loads),
        ceilings: ceilings(deployment, &system, &together, &unlimited),
    }
}

/// What the flows get in `phase` were there no ceilings of the VM.
fn unlimited(system: &System, phase: Phase, together: &Allocation) -> Allocation {
    let no_ceiling = |r: &Resource| of_disks(r, phase);
    let asking = asking(system, phase, no_ceiling, together);
    evaluate_with(&asking, phase, no_ceiling)
}

/// Whether the ceilings of the VM let through all that the disks could draw under `loads`, all credit used up. Not so
/// where one of them, or what is drawn of it, is unknown.
pub(super) fn passes(deployment: &Deployment, loads: &[Io]) -> bool {
    let phase = Phase::Sustained;
    let system = System::new(deployment, loads);
    let unlimited = unlimited(&system, phase, &evaluate(&system, phase));
    let ceilings = system
        .resources
        .iter()
        .enumerate()
        .filter(|(_, r)| r.is_vm());
    ceilings.into_iter().all(|(index, ceiling)| {
        let asked = asked(&system, &unlimited, phase, index);
        asked.is_some_and(|asked| asked == 0.0 || ceiling.base.is_some_and(|c| suffices(c, asked)))
    })
}

/// Whether a capacity is enough, but for rounding.
pub(super) fn suffices(capacity: f64, asked: f64) -> bool {
    capacity >= asked * (1.0 - 1e-9)
}

/// The system with a demand on every flow that nothing but a ceiling of the VM bounds (a temp disk, a cache in which
/// everything hits): such a flow asks for what it gets. Its queue depth alone would make it ask for the absurd.
///
/// It also gets what others leave that another ceiling stops. Of a ceiling that stops none of the others, or has room for
/// all that they can draw, it asks for no more than they would leave, could they draw all they can: it is content with the
/// rest, and fills it on any size.
fn asking(
    system: &System,
    phase: Phase,
    capacity_of: impl Fn(&Resource) -> Option<f64>,
    together: &Allocation,
) -> System {
    let mut asking = system.clone();
    let elastic = elastic(system, phase, &capacity_of);
    if !elastic.contains(&true) {
        return asking;
    }
    let others = evaluate_with(&idle(system, &elastic), phase, &capacity_of);
    let content = |index: usize| -> Option<f64> {
        let ceiling = &system.resources[index];
        let stops = |(outcome, elastic): (&super::Outcome, &bool)| {
            !elastic && outcome.bottleneck == super::Bottleneck::of(ceiling, phase)
        };
        let (capacity, drawn) = (ceiling.capacity(phase)?, others.used[index]?);
        let any_stopped = together.outcomes.iter().zip(&elastic).any(stops);
        if any_stopped && !suffices(capacity, drawn) {
            return None;
        }
        let left = (capacity - drawn).max(0.0);
        let flows = system.flows.iter().zip(&together.outcomes).zip(&elastic);
        let got: f64 = flows
            .filter(|(_, elastic)| **elastic)
            .filter_map(|((flow, outcome), _)| {
                let uses = flow.uses(phase).iter();
                let of_it = uses.filter(|used| used.resource == index);
                Some(of_it.map(|used| used.per_io).sum::<f64>() * outcome.iops?.get())
            })
            .sum();
        (got > left).then(|| left / got)
    };
    let flows = asking.flows.iter_mut().zip(&together.outcomes);
    for ((flow, outcome), _) in flows.zip(&elastic).filter(|(_, elastic)| **elastic) {
        let Some(rate) = outcome.iops else { continue };
        let parts = flow.uses(phase).iter();
        let part = parts
            .filter_map(|used| content(used.resource))
            .fold(1.0, f64::min);
        flow.io.demand = Demand::Iops(Iops::new(rate.get() * part).unwrap_or(rate));
    }
    asking
}

/// The system with nothing asked of the flows that are `elastic`.
fn idle(system: &System, elastic: &[bool]) -> System {
    let mut idle = system.clone();
    for (flow, _) in (idle.flows.iter_mut().zip(elastic)).filter(|(_, elastic)| **elastic) {
        flow.io.demand = Demand::Iops(Iops::ZERO);
    }
    idle
}

/// What has to pass a ceiling, sustained, for it to hold nobody back: what is asked of it but for what a temp disk or a
/// warm cache takes, which is content with the rest.
pub(super) fn needed(
    deployment: &Deployment,
    workload: &WorkloadView,
    row: &CeilingUse,
) -> Option<f64> {
    let phase = Phase::Sustained;
    let loads: Vec<Io> = workload.volumes.iter().map(|v| v.io).collect();
    let system = System::new(deployment, &loads);
    let no_ceiling = |r: &Resource| of_disks(r, phase);
    let elastic = elastic(&system, phase, no_ceiling);
    if !elastic.contains(&true) {
        return row.asked.sustained;
    }
    let is_it = |r: &Resource| name_of(r.place) == Some(row.ceiling) && r.axis == row.axis;
    let index = system.resources.iter().position(is_it)?;
    let others = idle(&system, &elastic);
    let drawn = evaluate_with(&others, phase, no_ceiling);
    asked(&others, &drawn, phase, index)
}

/// Which flows want as much as they get and have no limit of their own: only a ceiling of the VM bounds them.
fn elastic(
    system: &System,
    phase: Phase,
    capacity_of: impl Fn(&Resource) -> Option<f64>,
) -> Vec<bool> {
    let is_bound = |used: &Use| {
        let capacity = capacity_of(&system.resources[used.resource]);
        capacity.is_none_or(f64::is_finite)
    };
    let flows = system.flows.iter();
    flows
        .map(|flow| flow.io.demand == Demand::Max && !flow.uses(phase).iter().any(is_bound))
        .collect()
}

/// Whether a ceiling that is full in `phase` keeps anything from a volume that has a limit of its own; one that only a
/// temp disk or a warm cache fills does not.
pub(super) fn holds_back(
    deployment: &Deployment,
    workload: &WorkloadView,
    row: &CeilingUse,
    phase: Phase,
) -> bool {
    let loads: Vec<Io> = workload.volumes.iter().map(|v| v.io).collect();
    let system = System::new(deployment, &loads);
    let elastic = elastic(&system, phase, |r| of_disks(r, phase));
    if !elastic.contains(&true) {
        return true;
    }
    let stopped = |(result, elastic): (&VolumeResult, &bool)| {
        let bottleneck = result.together.at(phase).bottleneck;
        !elastic && bottleneck.ceiling() == Some(row.ceiling) && bottleneck.axis() == Some(row.axis)
    };
    workload.volumes.iter().zip(&elastic).any(stopped)
}

/// The capacity of a resource were there no ceilings of the VM.
const fn of_disks(resource: &Resource, phase: Phase) -> Option<f64> {
    if resource.is_vm() {
        Some(f64::INFINITY)
    } else {
        resource.capacity(phase)
    }
}

fn total(allocation: &Allocation) -> Total {
    let sum = |figure: fn(&super::Outcome) -> Option<f64>| {
        allocation.outcomes.iter().map(figure).sum::<Option<f64>>()
    };
    Total {
        iops: sum(|o| o.iops.map(Iops::get)),
        mbps: sum(|o| o.mbps.map(crate::units::MBps::get)),
        at_most: allocation.outcomes.iter().any(|o| o.at_most),
    }
}

fn volume_result(
    deployment: &Deployment,
    loads: &[Io],
    index: usize,
    together: &PhasePair<Allocation>,
    flow: usize,
) -> VolumeResult {
    let volume = &deployment.volumes[index];
    let alone = System::alone(deployment, index, loads);
    let burst = evaluate(&alone, Phase::Burst);
    VolumeResult {
        volume: volume.name.clone(),
        io: loads[index],
        alone: PhasePair {
            burst: burst.outcomes[0],
            sustained: evaluate(&alone, Phase::Sustained).outcomes[0],
        },
        together: PhasePair {
            burst: together.burst.outcomes[flow],
            sustained: together.sustained.outcomes[flow],
        },
        cache: cache_view(deployment, loads, index),
        plateaus: plateaus::alone(deployment, index, loads),
    }
}

fn cache_view(deployment: &Deployment, loads: &[Io], index: usize) -> Option<CacheView> {
    if !deployment.volumes[index].is_cached() {
        return None;
    }
    let with = |deployment: &Deployment, hit_share: Share| {
        let mut loads = loads.to_vec();
        loads[index].hit_share = hit_share;
        let system = System::alone(deployment, index, &loads);
        evaluate(&system, Phase::Sustained).outcomes[0]
    };
    Some(CacheView {
        cold: with(deployment, Share::NONE),
        warm: with(deployment, Share::ALL),
        uncached: with(&without_caching(deployment, index), Share::NONE),
    })
}

/// The deployment with the host caching of one volume set to None.
pub(super) fn without_caching(deployment: &Deployment, index: usize) -> Deployment {
    let mut other = deployment.clone();
    for member in &mut other.volumes[index].members {
        member.caching = HostCaching::None;
    }
    other
}

fn ceilings(
    deployment: &Deployment,
    system: &System,
    together: &PhasePair<Allocation>,
    unlimited: &PhasePair<Allocation>,
) -> Vec<CeilingUse> {
    let Some(vm) = &deployment.vm else {
        return Vec::new();
    };
    let row = |(index, resource): (usize, &Resource)| {
        let ceiling = name_of(resource.place)?;
        Some(CeilingUse {
            ceiling,
            axis: resource.axis,
            capacity: resource.base,
            listed: listed(vm, ceiling, resource),
            burst_capacity: resource
                .burst
                .filter(|b| resource.base.is_some_and(|c| *b > c)),
            asked: PhasePair::each(|phase| asked(system, unlimited.at(phase), phase, index)),
            asked_at_least: PhasePair::each(|phase| {
                asked_at_least(system, unlimited.at(phase), phase, index)
            }),
            used: PhasePair {
                burst: together.burst.used[index],
                sustained: together.sustained.used[index],
            },
        })
    };
    system
        .resources
        .iter()
        .enumerate()
        .filter_map(row)
        .collect()
}

/// What the flows would draw of the ceiling at `index` were there no ceilings; `None` where one of them has a disk whose
/// limit is unknown: nothing says what it would draw, unless it asks for a stated rate.
fn asked(system: &System, unlimited: &Allocation, phase: Phase, index: usize) -> Option<f64> {
    let mut flows = system.flows.iter().zip(&unlimited.outcomes);
    let is_unknown = |(flow, outcome): (&Flow, &super::Outcome)| {
        draws_unknown(system, flow, outcome, phase) && drawn_by(flow, phase, index).is_some()
    };
    if flows.any(is_unknown) {
        return None;
    }
    unlimited.used[index]
}

/// What the flows whose disks are known would draw of the ceiling at `index` were there no ceilings, where those of others
/// pass it, too: what is asked of it is that much at least.
fn asked_at_least(
    system: &System,
    unlimited: &Allocation,
    phase: Phase,
    index: usize,
) -> Option<f64> {
    if asked(system, unlimited, phase, index).is_some() {
        return None;
    }
    let flows = system.flows.iter().zip(&unlimited.outcomes);
    flows
        .filter(|(flow, outcome)| !draws_unknown(system, flow, outcome, phase))
        .filter_map(|(flow, outcome)| Some((drawn_by(flow, phase, index)?, outcome)))
        .map(|(per_io, outcome)| Some(per_io * outcome.iops?.get()))
        .sum()
}

/// Whether nothing says what `flow` would draw: a limit of its disks is unknown, and it asks for no stated rate.
fn draws_unknown(system: &System, flow: &Flow, outcome: &super::Outcome, phase: Phase) -> bool {
    let path = flow.uses(phase).iter();
    let mut limits = path.map(|used| of_disks(&system.resources[used.resource], phase));
    limits.any(|limit| limit.is_none()) && outcome.bottleneck != super::Bottleneck::Demand
}

/// What one I/O of `flow` draws of the resource at `index`; `None` where it does not pass it.
fn drawn_by(flow: &Flow, phase: Phase, index: usize) -> Option<f64> {
    let uses = flow.uses(phase).iter();
    let of_it = uses.filter(|used| used.resource == index);
    of_it.map(|used| used.per_io).reduce(|sum, part| sum + part)
}

const fn name_of(place: Place) -> Option<CeilingName> {
    match place {
        Place::Disk { .. } => None,
        Place::Uncached => Some(CeilingName::Uncached),
        Place::Remote => Some(CeilingName::Remote),
        Place::Cached => Some(CeilingName::Cached),
    }
}

/// The printed figure of a throughput ceiling, where it differs from the exact one as people see it.
fn listed(vm: &VmSize, ceiling: CeilingName, resource: &Resource) -> Option<f64> {
    if resource.axis == Axis::Iops {
        return None;
    }
    let ceiling = match ceiling {
        CeilingName::Uncached => Some(vm.uncached),
        CeilingName::Remote => vm.remote,
        CeilingName::Cached => Some(vm.cached),
    };
    ceiling?.listed().map(crate::units::MBps::get)
}
