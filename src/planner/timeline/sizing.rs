//! The smallest VM size and the smallest disks for which a workload over time is never throttled, however often it is
//! repeated: what only lasts as long as a full bucket of credit is not enough.
//!
//! While nothing is throttled, every flow runs at what is asked of it, and no limit depends on another. So the disks are
//! judged one volume at a time without the VM, and the VM without the disks' limits; where each of them never throttles
//! by itself, they do not together. Every candidate runs through the simulation itself, up to the first moment at which
//! it throttles, and then through the steps once more.
//!
//! What takes the place of the present ones is for all that is asked, with as many I/Os outstanding as that takes: where the
//! workload keeps fewer, it is said how many.
//!
//! Where host caching speaks against itself, the present disks are judged as they are, and what would be enough without
//! the caching that a finding advises against.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine::{Engine, Observer, Stretch};
use super::record::is_throttled;
use crate::catalog::{Axis, Catalog, DiskRequest, Interface, Limits, VmSize};
use crate::deployment::{Deployment, Disk, DiskSpec};
use crate::planner::findings::suggest::{
    can_attach, is_no_smaller, on_other_controller, on_size, smallest_in_series,
};
use crate::planner::latency::queue_depth_to_reach;
use crate::planner::system::{Phase, Place, Resource, System};
use crate::units::{GiB, Iops, MBps};
use crate::workload::{Demand, Io, Schedule};

/// A limit that falls short of a peak by less than this part of it does so by rounding.
const SAME: f64 = 1e-9;

/// What would be enough.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sizing {
    /// The VM; `None` where there is none, or a volume asks for as much as it gets.
    pub vm: Option<VmNeed>,
    /// The disks of every volume that states its demand.
    pub disks: Vec<DiskNeed>,
    /// The volumes that ask for as much as they get: no disk and no VM is enough for them.
    pub unbounded: Vec<String>,
}

/// Which VM size would be enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmNeed {
    /// The series that was looked through.
    pub series: String,
    /// Its smallest size that never throttles these volumes however often the workload is repeated, takes their number
    /// of disks, and has their features; `None` where no size of the series does (a size whose ceiling is unknown does not count).
    pub smallest: Option<String>,
    /// The disk controller that this holds for; `None` where the ceilings of that size hold for every one.
    #[serde(default)]
    pub smallest_interface: Option<Interface>,
    /// The day on which the smallest size retires, `YYYY-MM-DD`; `None` where it stays, or none is announced.
    #[serde(default)]
    pub smallest_retires: Option<String>,
    /// Whether the present size is enough for the time that was simulated.
    pub present_is_enough: bool,
    /// Whether it never throttles however often the workload is repeated, and not only until its burst credit is used up.
    #[serde(default)]
    pub present_lasts: bool,
    /// The same with as many I/Os outstanding as it takes for all that is asked.
    #[serde(default)]
    pub present_lasts_at_depth: bool,
    /// The day on which the present size retires or was retired, `YYYY-MM-DD`; `None` where it stays, or none is
    /// announced.
    #[serde(default)]
    pub present_retires: Option<String>,
    /// Whether that day is past.
    #[serde(default)]
    pub present_is_retired: bool,
    /// The other disk controller of the present size, where the size is enough on that one only.
    #[serde(default)]
    pub other_controller: Option<Interface>,
}

/// Which disks would be enough for a volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskNeed {
    /// The volume's name.
    pub volume: String,
    /// How many disks it is striped over.
    pub members: usize,
    /// The most that is asked of each of them.
    pub peak: Limits,
    /// The smallest disk of the same family that never throttles however often the workload is repeated, as a disk spec,
    /// one for each member: the smallest tier, or the least provisioned IOPS and MB/s. `None` where the family has none,
    /// or no choice.
    pub smallest: Option<String>,
    /// Whether the smallest has room for what the present disk has room for; `None` where a capacity is unknown.
    pub has_room: Option<bool>,
    /// Whether the present disks are enough for the time that was simulated: they never throttle, and no backlog grows
    /// because too few I/Os are outstanding.
    pub present_is_enough: bool,
    /// Whether they never throttle however often the workload is repeated, and not only until their burst credit is used
    /// up.
    #[serde(default)]
    pub present_lasts: bool,
    /// The same with as many I/Os outstanding as it takes for all that is asked.
    #[serde(default)]
    pub present_lasts_at_depth: bool,
    /// How many I/Os have to be outstanding for all that is asked, on the smallest disks, or on the present ones where
    /// these last; `None` where the workload keeps as many, or nothing says how long an I/O takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_depth_needed: Option<f64>,
}

impl DiskNeed {
    /// The smallest disks as one spec, as many as the volume has; `None` where there are none.
    #[must_use]
    pub fn smallest_spec(&self) -> Option<String> {
        let one = self.smallest.as_ref()?;
        Some(match self.members {
            1 => one.clone(),
            members => format!("{members}x{one}"),
        })
    }
}

/// What would be enough for `deployment` under `schedule`, from its start credit; `advised` is the deployment with the host
/// caching that findings advise.
pub(super) fn size(
    catalog: &Catalog,
    deployment: &Deployment,
    advised: &Deployment,
    schedule: &Schedule,
) -> Sizing {
    let is_bounded = |volume: usize| {
        let loads = schedule
            .steps()
            .iter()
            .filter_map(|step| step.loads.get(volume));
        loads.into_iter().all(|io| io.demand != Demand::Max)
    };
    let (bounded, unbounded): (Vec<usize>, Vec<usize>) =
        (0..deployment.volumes.len()).partition(|volume| is_bounded(*volume));
    let without_vm = |of: &Deployment| Deployment {
        vm: None,
        ..of.clone()
    };
    let without_depth = schedule.without_depth();
    let deep = without_depth.as_ref().unwrap_or(schedule);
    let (mut alone, mut instead) = (without_vm(deployment), without_vm(advised));
    let (own_peaks, new_peaks) = (peaks(&alone, deep), peaks(&instead, deep));
    let held_peaks = (without_depth.as_ref()).map(|_| peaks(&alone, schedule));
    let disks = bounded.into_iter().filter_map(|volume| {
        let at_depth = outlook_of_disks(&mut alone, volume, deep, own_peaks[volume])?;
        let as_asked = match &held_peaks {
            Some(held) => outlook_of_disks(&mut alone, volume, schedule, held[volume])?,
            None => at_depth,
        };
        let present = Outlooks { as_asked, at_depth };
        let smallest = smallest_disk(catalog, &mut instead, volume, deep, new_peaks[volume]);
        let taken = (smallest.as_ref()).filter(|_| !present.at_depth.never_throttles());
        let depth = depth_needed(advised, volume, schedule, taken);
        let need = disk_need(&alone, volume, own_peaks[volume], present, smallest)?;
        Some(DiskNeed {
            queue_depth_needed: depth,
            ..need
        })
    });
    let disks = disks.collect();
    Sizing {
        vm: (deployment.vm.as_ref())
            .filter(|_| unbounded.is_empty())
            .map(|vm| {
                vm_need(
                    catalog,
                    (deployment, advised),
                    vm,
                    (schedule, without_depth.as_ref()),
                )
            }),
        disks,
        unbounded: (unbounded.into_iter())
            .map(|volume| deployment.volumes[volume].name.clone())
            .collect(),
    }
}

fn vm_need(
    catalog: &Catalog,
    (deployment, advised): (&Deployment, &Deployment),
    vm: &VmSize,
    (schedule, without_depth): (&Schedule, Option<&Schedule>),
) -> VmNeed {
    let disks = deployment.data_disks();
    let outlook_on = |deployment: &Deployment, candidate: &VmSize, schedule: &Schedule| {
        let takes = |most: u32| most as usize >= disks;
        let fits = candidate.max_data_disks.is_some_and(takes)
            && has_features(vm, candidate)
            && can_attach(candidate, deployment);
        let moved = on_size(catalog, deployment, candidate).filter(|_| fits);
        moved.map_or(Outlook::THROTTLED, |moved| {
            let first = schedule.steps().first().map_or(&[][..], |step| &step.loads);
            let system = System::new(&moved, first);
            Outlook::of(&moved, system, schedule, Resource::is_vm)
        })
    };
    let deep = without_depth.unwrap_or(schedule);
    let enough = |candidate: &VmSize| outlook_on(advised, candidate, deep).never_throttles();
    let present = outlook_on(deployment, vm, schedule);
    let at_depth = without_depth.map_or(present, |deep| outlook_on(deployment, vm, deep));
    let lasts = at_depth.never_throttles();
    // In place of one that is not enough none is named that has less of the rest.
    let smallest = smallest_in_series(catalog, deployment, vm, |v| {
        (lasts || is_no_smaller(vm, v)) && enough(v)
    });
    let twin = on_other_controller(catalog, vm).filter(|v| !lasts && enough(v));
    VmNeed {
        series: vm.series.clone(),
        smallest: smallest.map(|size| size.name.clone()),
        smallest_interface: smallest.and_then(|size| size.interface),
        smallest_retires: smallest.and_then(|size| size.retirement.clone()),
        present_is_enough: !present.throttled,
        present_lasts: present.never_throttles(),
        present_lasts_at_depth: lasts,
        present_retires: vm.retirement.clone(),
        present_is_retired: !deployment.finds_in_service(catalog, vm),
        other_controller: twin.and_then(|size| size.interface),
    }
}

/// Whether a size has what the present one has, as far as disks need it.
fn has_features(vm: &VmSize, candidate: &VmSize) -> bool {
    let keeps = |have: Option<bool>, had: Option<bool>| have == Some(true) || had != Some(true);
    keeps(candidate.premium_storage, vm.premium_storage) && keeps(candidate.ultra, vm.ultra)
}

/// What becomes of the volume at `index` with its present disks, without a VM.
fn outlook_of_disks(
    alone: &mut Deployment,
    index: usize,
    schedule: &Schedule,
    peak: Limits,
) -> Option<Outlook> {
    let members = alone.volumes.get(index)?.members.clone();
    Some(outlook_with(alone, index, schedule, peak, &members))
}

/// What becomes of the volume at `index` with `members` in place of its own, without a VM; it has its own again then.
fn outlook_with(
    alone: &mut Deployment,
    index: usize,
    schedule: &Schedule,
    peak: Limits,
    members: &[Disk],
) -> Outlook {
    let volume = &mut alone.volumes[index];
    let loads = || {
        schedule
            .steps()
            .iter()
            .filter_map(|step| step.loads.get(index))
    };
    let is_shallow = loads().any(|io| io.queue_depth.is_some());
    let plainly = volume
        .members
        .first()
        .and_then(|m| plainly_enough(members, m, peak));
    match plainly {
        Some(true) if !is_shallow => return Outlook::FOR_GOOD,
        Some(false) => return Outlook::THROTTLED,
        _ => {}
    }
    let own = std::mem::replace(&mut volume.members, members.to_vec());
    let first = schedule.steps().first().map_or(&[][..], |step| &step.loads);
    let system = System::alone(alone, index, first);
    let outlook = Outlook::of(alone, system, schedule, |_| true);
    alone.volumes[index].members = own;
    outlook
}

/// The smallest disk of its family that is enough for the volume at `index`, one for each member.
fn smallest_disk(
    catalog: &Catalog,
    alone: &mut Deployment,
    index: usize,
    schedule: &Schedule,
    peak: Limits,
) -> Option<Disk> {
    let volume = alone.volumes.get(index)?;
    let (member, count) = (volume.members.first()?, volume.members.len());
    let candidates = candidates(catalog, member, peak);
    candidates.into_iter().find(|disk| {
        let members = vec![disk.clone(); count];
        outlook_with(alone, index, schedule, peak, &members).never_throttles()
    })
}

fn disk_need(
    alone: &Deployment,
    index: usize,
    peak: Limits,
    outlooks: Outlooks,
    smallest: Option<Disk>,
) -> Option<DiskNeed> {
    let outlook = outlooks.as_asked;
    let volume = alone.volumes.get(index)?;
    let size_of = |disk: &Disk| disk.model.size.map(GiB::get);
    let present = volume.members.first()?;
    let sizes = smallest.as_ref().and_then(size_of).zip(size_of(present));
    Some(DiskNeed {
        volume: volume.name.clone(),
        members: volume.members.len(),
        peak,
        has_room: sizes.map(|(new, present)| new >= present),
        smallest: smallest.map(|disk| disk.spec.to_string()),
        present_is_enough: !outlook.throttled && !outlook.backlog_grows,
        present_lasts: outlook.never_throttles(),
        present_lasts_at_depth: outlooks.at_depth.never_throttles(),
        queue_depth_needed: None,
    })
}

/// How many I/Os have to be outstanding for all that is asked of the volume at `index`, on `disk` for each of its members
/// where it is given; `None` where the workload keeps as many, or how long an I/O takes is not known.
fn depth_needed(
    deployment: &Deployment,
    index: usize,
    schedule: &Schedule,
    disk: Option<&Disk>,
) -> Option<f64> {
    let mut moved = deployment.clone();
    if let Some(disk) = disk {
        moved.volumes.get_mut(index)?.members.fill(disk.clone());
    }
    let needed = |loads: &[Io]| {
        let system = System::alone(&moved, index, loads);
        let flow = system.flows.first()?;
        let kept = f64::from(flow.io.queue_depth?.get());
        let rate = Iops::new(flow.demand()).ok()?;
        let needed = queue_depth_to_reach(rate, flow.latency_seconds(Phase::Sustained)?);
        (needed > kept).then_some(needed)
    };
    let steps = schedule.steps().iter();
    steps
        .filter_map(|step| needed(&step.loads))
        .reduce(f64::max)
}

/// What can be said of disks that carry the same traffic as `present` without looking at time: limits that hold without
/// end and are not below `peak` are enough; burst limits below it are not. `None` where time decides.
fn plainly_enough(members: &[Disk], present: &Disk, peak: Limits) -> Option<bool> {
    let same_traffic = |disk: &Disk| {
        disk.model.accounting_unit == present.model.accounting_unit
            && disk.effective_caching() == present.effective_caching()
            && disk.model.write.is_none()
            && present.model.write.is_none()
    };
    if !members.iter().all(same_traffic) {
        return None;
    }
    let on = |limits: Limits, axis| limits.on(axis).unwrap_or(0.0);
    let reaches = |limits: Limits| {
        let axes = [Axis::Iops, Axis::Mbps];
        axes.iter()
            .all(|axis| on(limits, *axis) >= peak.on(*axis).unwrap_or(f64::INFINITY))
    };
    if members.iter().all(|disk| reaches(disk.model.base)) {
        return Some(true);
    }
    let falls_short = |disk: &Disk| {
        let most = disk
            .model
            .burst
            .map_or(disk.model.base, |burst| burst.limits);
        let axes = [Axis::Iops, Axis::Mbps];
        axes.iter().any(|axis| {
            let most = on(most, *axis).max(on(disk.model.base, *axis));
            most < peak.on(*axis).unwrap_or(0.0) * (1.0 - SAME)
        })
    };
    members.iter().any(falls_short).then_some(false)
}

/// Disks of the same family as `member`, the smallest first, of which one may be enough for `peak`.
pub(super) fn candidates(catalog: &Catalog, member: &Disk, peak: Limits) -> Vec<Disk> {
    let spec = &member.spec;
    let family = member.model.family;
    let present = member.request_in_effect();
    let disk = |request: DiskRequest| {
        let model = catalog.disk(&request).ok()?.model;
        // Caching that the present disk cannot have is no part of what takes its place.
        let is_had = member.caching == member.effective_caching();
        let spec = DiskSpec {
            caching: spec.caching.filter(|_| is_had),
            os: spec.os,
            ..DiskSpec::new(request)
        };
        let disk = Disk {
            spec,
            model,
            violations: Vec::new(),
            caching: member.caching,
            write_accelerator: member.write_accelerator,
        };
        // A disk that cannot be cached as the present one is cannot take its place.
        (disk.effective_caching() == member.effective_caching()).then_some(disk)
    };
    // The families without tiers are provisioned, or there is no choice.
    if !family.is_tiered() {
        let least = provisioned(catalog, &present, peak).and_then(disk);
        return least.into_iter().collect();
    }
    let of_tier = |name: &String, performance_plus| {
        disk(DiskRequest {
            tier: Some(name.clone()),
            size: None,
            performance_tier: None,
            performance_plus,
            ..present.clone()
        })
    };
    // Performance plus costs nothing: it lifts a tier with room for what there is before a larger one is taken.
    let has_room = |gib: u32| {
        member
            .model
            .size
            .is_some_and(|size| size <= GiB::whole(gib))
    };
    let tiers = catalog.tiers().of(family);
    let mut disks: Vec<Disk> = tiers
        .flat_map(|tier| {
            let offered = tier.performance_plus.is_some() && !present.on_demand_burst;
            let lifted = (offered && has_room(tier.max_gib)).then(|| of_tier(&tier.name, true));
            let lifted = lifted.flatten().map(|disk| without_credit(disk, member));
            [of_tier(&tier.name, false), lifted]
        })
        .flatten()
        .collect();
    // Of tiers that do alike (P1 to P4), the smallest speaks for all, and the smallest with room for what there is.
    disks.dedup_by(|larger, smaller| {
        let has_same_room = has_room_of(larger, member) == has_room_of(smaller, member);
        let (a, b) = (&larger.model, &smaller.model);
        has_same_room && a.base == b.base && a.burst == b.burst && a.cacheable == b.cacheable
    });
    disks
}

/// Whether `disk` holds as much as `present`, as far as what that holds is known.
pub(super) fn has_room_of(disk: &Disk, present: &Disk) -> bool {
    present.model.size.is_none() || disk.model.size >= present.model.size
}

/// A disk with performance plus as advice in place of `present`: that it bursts beyond its expanded limits is not
/// documented, so only one that is there already is taken to.
fn without_credit(mut disk: Disk, present: &Disk) -> Disk {
    if !present.spec.request.performance_plus {
        disk.model.burst = None;
    }
    disk
}

/// The least that can be provisioned for `peak`, with more IOPS where the MB/s need them and a larger size where the
/// IOPS need it; `None` where nothing is enough.
pub(super) fn provisioned(
    catalog: &Catalog,
    request: &DiskRequest,
    peak: Limits,
) -> Option<DiskRequest> {
    let rules = request.family.provisioned_rules()?;
    let mbps = MBps::new(peak.mbps?.get().ceil()).ok()?.max(rules.min_mbps);
    let iops = Iops::new(peak.iops?.get().ceil()).ok()?;
    let for_mbps = Iops::new(rules.iops_for(mbps)?.get().ceil()).ok()?;
    let iops = iops.max(rules.min_iops).max(for_mbps);
    let size = rules
        .size_for(iops)?
        .max(request.size.unwrap_or(rules.min_size));
    let request = DiskRequest {
        size: Some(size),
        iops: Some(iops),
        mbps: Some(mbps),
        ..request.clone()
    };
    let limits = catalog.disk(&request).ok()?.model.base;
    (limits.iops >= Some(iops) && limits.mbps >= Some(mbps)).then_some(request)
}

/// What becomes of the present disks.
#[derive(Debug, Clone, Copy)]
struct Outlooks {
    /// With the I/Os that the workload keeps outstanding.
    as_asked: Outlook,
    /// With as many as it takes.
    at_depth: Outlook,
}

/// What becomes of a workload that is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outlook {
    /// It is throttled in the simulated time.
    throttled: bool,
    /// It is not, and lives on credit that is used up sooner or later.
    credit_falls: bool,
    /// It is not, and more and more waits, since too few I/Os are outstanding.
    backlog_grows: bool,
}

impl Outlook {
    /// Nothing is throttled, however often the workload is repeated.
    const FOR_GOOD: Self = Self {
        throttled: false,
        credit_falls: false,
        backlog_grows: false,
    };
    const THROTTLED: Self = Self {
        throttled: true,
        ..Self::FOR_GOOD
    };

    /// However often the workload is repeated.
    const fn never_throttles(self) -> bool {
        !self.throttled && !self.credit_falls
    }

    /// That of `system` under `schedule`; only the resources that count throttle it.
    ///
    /// As long as nothing is throttled, what is used does not depend on the credit that is left, and once through the
    /// steps changes a bucket by the same amount each time, less what a full one does not take. So a bucket that has
    /// less after one more time through them has less after each, and one that has not never will.
    fn of(
        deployment: &Deployment,
        system: System,
        schedule: &Schedule,
        counts: impl Fn(&Resource) -> bool,
    ) -> Self {
        let unknown = |r: &Resource| counts(r) && r.base.is_none();
        let mut watch = Watch(system.resources.iter().map(unknown).collect());
        let full: Vec<f64> = system
            .resources
            .iter()
            .map(|r| r.bucket().unwrap_or(0.0))
            .collect();
        let mut engine = Engine::new(deployment, system, schedule, &counts);
        if engine.run(schedule, &mut watch).is_break() {
            return Self::THROTTLED;
        }
        let (credit, waiting) = (engine.credit_left(), engine.backlogs());
        if engine
            .run_steps(schedule.steps().iter(), &mut watch)
            .is_break()
        {
            // How much would wait in the end is not known: what waits already may well be more each time.
            return Self {
                throttled: false,
                credit_falls: true,
                backlog_grows: waiting.iter().any(|waits| *waits > 0.0),
            };
        }
        let (left, waits) = (engine.credit_left(), engine.backlogs());
        let falls = left.iter().zip(&credit).zip(&full);
        let mut falls = falls.map(|((left, had), full)| had - left > SAME * full);
        let mut grows = waits.iter().zip(&waiting);
        Self {
            throttled: false,
            credit_falls: falls.any(|falls| falls),
            backlog_grows: grows.any(|(waits, had)| *waits > had * (1.0 + SAME) + SAME),
        }
    }
}

/// Breaks off at the first throttling, and where a resource whose limit is unknown is used. Holds which these are.
struct Watch(Vec<bool>);

impl Observer for Watch {
    fn stretch(&mut self, stretch: &Stretch<'_>) -> ControlFlow<()> {
        let throttled = stretch
            .queues
            .iter()
            .any(|queue| is_throttled(stretch, queue));
        let unsure = self
            .0
            .iter()
            .zip(stretch.buckets)
            .any(|(unknown, b)| *unknown && b.used > 0.0);
        if throttled || unsure {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// The most that is asked of a disk of each volume, were there no limits.
pub(super) fn peaks(deployment: &Deployment, schedule: &Schedule) -> Vec<Limits> {
    let first = schedule.steps().first().map_or(&[][..], |step| &step.loads);
    let system = System::new(deployment, first);
    let mut most = Most(vec![0.0; system.resources.len()]);
    let mut engine = Engine::new(deployment, system, schedule, |_| false);
    // Nothing breaks off a search for the most.
    let _ = engine.run(schedule, &mut most);
    let mut peaks = vec![[0.0_f64; 2]; deployment.volumes.len()];
    for (resource, used) in engine.system().resources.iter().zip(&most.0) {
        if let Place::Disk { volume, .. } = resource.place {
            let peak = &mut peaks[volume][usize::from(resource.axis == Axis::Mbps)];
            *peak = peak.max(*used);
        }
    }
    let limits = |[iops, mbps]: [f64; 2]| Limits {
        iops: Iops::new(iops).ok(),
        mbps: MBps::new(mbps).ok(),
    };
    peaks.into_iter().map(limits).collect()
}

/// The most that was used of each resource.
struct Most(Vec<f64>);

impl Observer for Most {
    fn stretch(&mut self, stretch: &Stretch<'_>) -> ControlFlow<()> {
        for (most, bucket) in self.0.iter_mut().zip(stretch.buckets) {
            *most = most.max(bucket.used);
        }
        ControlFlow::Continue(())
    }
}
