//! Needs taken from what is planned or deployed: the same delivery, or everything that its disks could do.
//!
//! The volumes on data disks are taken with their capacity and redundancy. An OS disk stays as it is: what it does beside
//! them counts at the ceilings of the VM. Local disks are left out. A volume on which a workload was looked at gets that
//! workload's block size, reads and cache hits; under the standard tests, its IOPS are random 4 KiB reads and its MB/s
//! sequential 1 MiB reads, both wanted.

mod lost;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kept::KeptVolume;
use super::need::{Need, VolumeNeed};
use crate::catalog::price::{Money, Total, VmOffer};
use crate::catalog::{Catalog, Family, Interface, Redundancy};
use crate::deployment::spec::DiskSpec;
use crate::deployment::{HostCaching, Role};
use crate::planner::Assessment;
use crate::planner::assessment::{VolumeResult, VolumeView};
use crate::units::{Iops, MBps, Share};

/// What of a deployment is wanted again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// What it delivers, all volumes at once, burst credit used up.
    #[default]
    Delivered,
    /// What its disks are provisioned for: no ceiling of the VM may hold them back.
    Provisioned,
}

/// The deployment that a need was taken from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Like {
    /// What it is called: the VM, or the plan.
    pub name: String,
    /// Its VM size, where it has one.
    pub size: Option<String>,
    /// What of it is wanted again.
    pub wanted: Wanted,
    /// The volumes that the need is made of, in its order.
    pub volumes: Vec<LikeVolume>,
    /// Volumes that are left as they are: OS and local disks. Those that [`Need::kept`] has count at the VM's ceilings.
    pub left: Vec<String>,
    /// Its region, where that is known.
    pub region: Option<String>,
    /// How its VM was priced, where it was.
    pub offer: Option<VmOffer>,
    /// A month of its VM and of these volumes, where every price of it is known.
    pub month: Option<Money>,
    /// Prices of it that are not known.
    pub unpriced: Vec<String>,
    /// What it has, and the best answer has not.
    pub lost: Vec<String>,
    /// The disk controller that it has, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controller: Option<Interface>,
    /// Its volumes with Write Accelerator.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accelerated: Vec<String>,
    /// Whether it is deployed and in no availability zone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_no_zone: bool,
}

/// What is known of a deployed VM besides its assessment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deployed {
    /// The region that it is in.
    pub region: Option<String>,
    /// How it is billed.
    pub offer: Option<VmOffer>,
    /// The disk controller that it has.
    pub controller: Option<Interface>,
    /// Its volumes with Write Accelerator.
    pub accelerated: Vec<String>,
    /// Whether it is in no availability zone.
    pub in_no_zone: bool,
    /// Whether it is of generation 1, which takes no disks over NVMe.
    pub is_generation_1: bool,
}

impl Deployed {
    /// Asks of sizes what it needs of them.
    pub fn constrain(&self, need: &mut Need) {
        if self.is_generation_1 {
            need.size.interface = Some(Interface::Scsi);
        }
    }
}

/// A volume of it as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LikeVolume {
    /// Name.
    pub volume: String,
    /// What it is made of: `4 x P30`.
    pub sku: String,
    /// IOPS as wanted.
    pub iops: Option<Iops>,
    /// MB/s as wanted.
    pub mbps: Option<MBps>,
    /// Whether its queue depth, not its disks, is what the IOPS were taken from.
    pub queue_bound: bool,
    /// The family of its disks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
    /// How many VMs may attach each of its disks, where that is more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_shares: Option<u32>,
    /// Its host caching, where it has some and nothing says which reads it answers: then none are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncounted_cache: Option<HostCaching>,
}

/// Why no need can be taken from a deployment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LikeError {
    /// There is no volume on a data disk.
    #[error("'{name}' has no volume on a data disk: there is nothing to look for")]
    NoVolume {
        /// What it is called.
        name: String,
    },
    /// A capacity is not known.
    #[error(
        "'{name}' does not say the capacity of {volume}: plan it with size=, or read its disk too"
    )]
    NoCapacity {
        /// What it is called.
        name: String,
        /// The volume.
        volume: String,
    },
    /// What a volume does is not known, or only how much it is at most.
    #[error(
        "what {volume} of '{name}' reaches is not known for sure, since a limit on its way is not: give the need itself with --volume"
    )]
    NotKnown {
        /// What it is called.
        name: String,
        /// The volume.
        volume: String,
    },
    /// It was saved without a workload.
    #[error("'{name}' was looked at under no workload")]
    NoWorkload {
        /// What it is called.
        name: String,
    },
}

/// The need of which `assessment`, called `name`, is an answer, and what is to be told of it.
///
/// The VM size must have at least its vCPUs and memory, and its CPU architecture where `catalog` knows it.
///
/// # Errors
/// [`LikeError`] when something that the need rests on is not known.
pub fn like(
    catalog: &Catalog,
    assessment: &Assessment,
    name: &str,
    wanted: Wanted,
) -> Result<(Need, Like), LikeError> {
    let (iops_of, mbps_of) = assessment.headline().ok_or_else(|| LikeError::NoWorkload {
        name: name.to_owned(),
    })?;
    let one = std::ptr::eq(iops_of, mbps_of);
    let mut needs = Vec::new();
    let mut bound = Vec::new();
    let mut kept = Vec::new();
    let results = iops_of.volumes.iter().zip(&mbps_of.volumes);
    for (volume, (random, sequential)) in assessment.volumes.iter().zip(results) {
        let load = Load {
            random,
            sequential: (!one).then_some(sequential),
        };
        if volume.role == Role::Os {
            // Of what is not known for sure nothing can be counted.
            let load = need_of(volume, &load, name, wanted).ok();
            kept.extend(load.and_then(|load| KeptVolume::of(catalog, load, volume.spec.clone())));
        }
        if volume.role == Role::Data {
            needs.push(need_of(volume, &load, name, wanted)?);
            bound.push(wanted == Wanted::Provisioned && queue_bound(volume, &load));
        }
    }
    if needs.is_empty() {
        return Err(LikeError::NoVolume {
            name: name.to_owned(),
        });
    }
    let like = Like::new(assessment, name, wanted, needs.iter().zip(bound));
    let mut need = Need {
        kept,
        ..Need::new(needs)
    };
    if let Some(vm) = &assessment.vm {
        need.size.vcpus.min = Some(vm.vcpus);
        need.size.memory_gib.min = vm.memory_gib;
        let size = catalog.vm(&vm.size, vm.interface).ok();
        need.size.arch = size.and_then(|size| size.arch.clone());
    }
    need.size.local_disk = assessment.volumes.iter().any(|v| v.role == Role::Local);
    Ok((need, like))
}

/// What a volume does under the workload of IOPS, and under that of MB/s where it is another one.
struct Load<'a> {
    random: &'a VolumeResult,
    sequential: Option<&'a VolumeResult>,
}

fn need_of(
    volume: &VolumeView,
    load: &Load<'_>,
    name: &str,
    wanted: Wanted,
) -> Result<VolumeNeed, LikeError> {
    let capacity = volume.size_gib.ok_or_else(|| LikeError::NoCapacity {
        name: name.to_owned(),
        volume: volume.name.clone(),
    })?;
    let not_known = || LikeError::NotKnown {
        name: name.to_owned(),
        volume: volume.name.clone(),
    };
    let (iops, mbps) = match wanted {
        Wanted::Delivered => delivered(load),
        Wanted::Provisioned => provisioned(volume, load),
    }
    .ok_or_else(not_known)?;
    let plain = VolumeNeed {
        iops: Some(iops),
        mbps,
        redundancy: redundancy(volume),
        ..VolumeNeed::new(volume.name.clone(), capacity)
    };
    if load.sequential.is_some() {
        return Ok(plain);
    }
    let io = &load.random.io;
    let cached = volume.caching != HostCaching::None && io.hit_share != Share::NONE;
    Ok(VolumeNeed {
        block_size: Some(io.block_size),
        read_share: io.read_share,
        hit_share: cached.then_some(io.hit_share),
        queue_depth: io.queue_depth,
        ..plain
    })
}

/// What all volumes at once get with burst credit used up; `None` where that is not known, or only at most.
fn delivered(load: &Load<'_>) -> Option<(Iops, Option<MBps>)> {
    let sure = |result: &VolumeResult| {
        let outcome = result.together.sustained;
        (!outcome.at_most).then_some(outcome)
    };
    let iops = sure(load.random)?.iops?;
    let mbps = match load.sequential {
        Some(result) => Some(sure(result)?.mbps?),
        None => None,
    };
    // What rounding adds must not ask for a larger disk.
    let iops = Iops::new(iops.get().floor()).ok()?;
    Some((
        iops,
        mbps.and_then(|mbps| MBps::new((mbps.get() * 10.0).floor() / 10.0).ok()),
    ))
}

/// What the disks are provisioned for. Under one workload: as many of its I/Os as that lets through, those that the host
/// cache answers beside them, and no more than its queue depth can have under way.
fn provisioned(volume: &VolumeView, load: &Load<'_>) -> Option<(Iops, Option<MBps>)> {
    if load.sequential.is_some() {
        return Some((volume.provisioned.iops?, Some(volume.provisioned.mbps?)));
    }
    let disks = disks_iops(volume, load)?;
    let iops = by_queue(volume, load).map_or(disks, |queue| disks.min(queue));
    Some((Iops::new(iops.floor()).ok()?, None))
}

/// The I/Os of one workload at which the disks are full: those that the cache answers do not reach them.
fn disks_iops(volume: &VolumeView, load: &Load<'_>) -> Option<f64> {
    let io = &load.random.io;
    let (iops, mbps) = (volume.provisioned.iops?, volume.provisioned.mbps?);
    let reach = if volume.caching == HostCaching::None {
        1.0
    } else {
        1.0 - io.read_share.get() * io.hit_share.get()
    };
    Some(iops.get().min(mbps.iops_at(io.block_size).get()) / reach)
}

/// The rate of one workload's queue depth over the latency, where both are known.
fn by_queue(volume: &VolumeView, load: &Load<'_>) -> Option<f64> {
    let depth = load.random.io.queue_depth?;
    Some(volume.queue_depth_1?.ceiling_iops.get() * f64::from(depth.get()))
}

fn queue_bound(volume: &VolumeView, load: &Load<'_>) -> bool {
    let queue = by_queue(volume, load).filter(|_| load.sequential.is_none());
    let disks = disks_iops(volume, load);
    queue.zip(disks).is_some_and(|(queue, disks)| queue < disks)
}

/// How many VMs may attach each of its disks, where that is more than one.
fn max_shares(volume: &VolumeView) -> Option<u32> {
    let specs = volume.spec.iter();
    let parsed = specs.filter_map(|spec| spec.parse::<DiskSpec>().ok());
    let shares = parsed.map(|spec| spec.request.max_shares).max();
    shares.filter(|shares| *shares > 1)
}

fn redundancy(volume: &VolumeView) -> Redundancy {
    let mut specs = volume
        .spec
        .iter()
        .filter_map(|spec| spec.parse::<DiskSpec>().ok());
    Redundancy::of_zones(specs.any(|spec| spec.request.redundancy == Redundancy::Zrs))
}

impl Like {
    fn new<'a>(
        assessment: &Assessment,
        name: &str,
        wanted: Wanted,
        needs: impl Iterator<Item = (&'a VolumeNeed, bool)>,
    ) -> Self {
        let mut volumes = Vec::new();
        for (need, queue_bound) in needs {
            let view = assessment.volumes.iter().find(|v| v.name == need.name);
            volumes.push(LikeVolume {
                volume: need.name.clone(),
                sku: view.map(|view| view.sku.clone()).unwrap_or_default(),
                iops: need.iops,
                mbps: need.mbps,
                queue_bound,
                family: view.map(|view| view.family),
                max_shares: view.and_then(max_shares),
                uncounted_cache: view
                    .map(|view| view.caching)
                    .filter(|caching| *caching != HostCaching::None && need.hit_share.is_none()),
            });
        }
        let taken = |name: &str| volumes.iter().any(|volume| volume.volume == name);
        let left = assessment.volumes.iter().filter(|v| !taken(&v.name));
        let left = left.map(|volume| volume.name.clone()).collect();
        let (month, unpriced) = today(assessment, taken);
        let cost = assessment.cost.as_ref();
        Self {
            name: name.to_owned(),
            size: assessment.vm.as_ref().map(|vm| vm.size.clone()),
            wanted,
            volumes,
            left,
            region: assessment.region.clone(),
            offer: cost.and_then(|cost| Some(cost.vm.as_ref()?.offer)),
            month,
            unpriced,
            lost: Vec::new(),
            controller: assessment.vm.as_ref().and_then(|vm| vm.interface),
            accelerated: Vec::new(),
            in_no_zone: false,
        }
    }

    /// Adds what is known of the deployed VM.
    pub fn heed(&mut self, deployed: Deployed) {
        self.region = deployed.region.or(self.region.take());
        self.offer = self.offer.or(deployed.offer);
        self.controller = deployed.controller.or(self.controller);
        self.accelerated = deployed.accelerated;
        self.in_no_zone = deployed.in_no_zone;
    }
}

/// A month of the VM and of the volumes that are wanted again, and what of it has no known price.
fn today(assessment: &Assessment, taken: impl Fn(&str) -> bool) -> (Option<Money>, Vec<String>) {
    let Some(cost) = &assessment.cost else {
        return (None, Vec::new());
    };
    let mut total = Total::zero(cost.total.known.currency);
    let mut unpriced = Vec::new();
    let volumes = cost.volumes.iter().filter(|volume| taken(&volume.volume));
    let vm = cost.vm.as_ref().and_then(|vm| vm.month.as_ref());
    for month in volumes.map(|volume| &volume.month).chain(vm) {
        match total.clone().plus(month) {
            Ok(sum) => total = sum,
            Err(error) => unpriced.push(error.to_string()),
        }
    }
    if vm.is_none() {
        let why = cost.vm.as_ref().and_then(|vm| vm.why_not.clone());
        unpriced.push(why.unwrap_or_else(|| "the VM".to_owned()));
    }
    unpriced.extend(total.missing.iter().map(ToString::to_string));
    let month = unpriced.is_empty().then_some(total.known);
    (month, unpriced)
}
