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

use super::candidates::candidates;
use super::engine::{Engine, Observer, Stretch};
use super::outlook::{Outlook, outlook_of_disks, outlook_with};
use crate::catalog::{Axis, Catalog, Interface, Limits, VmSize};
use crate::deployment::{Deployment, Disk};
use crate::planner::findings::suggest::{
    can_attach, is_no_smaller, on_other_controller, on_size, smallest_in_series,
};
use crate::planner::latency::queue_depth_to_reach;
use crate::planner::system::{Phase, Place, Resource, System};
use crate::units::{GiB, Iops, MBps};
use crate::workload::{Demand, Io, Schedule};

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
    /// because too few I/Os are outstanding, as far as their latency is known
    /// ([`VolumeRun::latency_needed`](super::model::VolumeRun::latency_needed)).
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

/// What becomes of the present disks.
#[derive(Debug, Clone, Copy)]
struct Outlooks {
    /// With the I/Os that the workload keeps outstanding.
    as_asked: Outlook,
    /// With as many as it takes.
    at_depth: Outlook,
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
