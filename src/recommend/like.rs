//! Needs taken from what is planned or deployed: the same delivery, or everything that its disks could do.
//!
//! The volumes on data disks are taken with their capacity and redundancy; an OS disk and local disks stay as they are
//! and are left out. A volume on which a workload was looked at gets that workload's block size, reads and cache hits;
//! under the standard tests, its IOPS are random 4 KiB reads and its MB/s sequential 1 MiB reads, both wanted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::need::{Need, VolumeNeed};
use crate::catalog::price::{Money, Total};
use crate::catalog::{Catalog, Redundancy};
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
    /// Volumes that are left as they are: OS and local disks.
    pub left: Vec<String>,
    /// A month of its VM and of these volumes; `None` where it was saved without prices, or one of them is unknown.
    pub month: Option<Money>,
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
    let results = iops_of.volumes.iter().zip(&mbps_of.volumes);
    for (volume, (random, sequential)) in assessment.volumes.iter().zip(results) {
        if volume.role == Role::Data {
            let load = Load {
                random,
                sequential: (!one).then_some(sequential),
            };
            needs.push(need_of(volume, &load, name, wanted)?);
        }
    }
    if needs.is_empty() {
        return Err(LikeError::NoVolume {
            name: name.to_owned(),
        });
    }
    let like = Like::new(assessment, name, wanted, &needs);
    let mut need = Need::new(needs);
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

/// What the disks are provisioned for; under one workload, as many of its I/Os as that lets through.
fn provisioned(volume: &VolumeView, load: &Load<'_>) -> Option<(Iops, Option<MBps>)> {
    let (iops, mbps) = (volume.provisioned.iops?, volume.provisioned.mbps?);
    if load.sequential.is_some() {
        return Some((iops, Some(mbps)));
    }
    let by_mbps = mbps.iops_at(load.random.io.block_size);
    let iops = Iops::new(iops.get().min(by_mbps.get()).floor()).ok()?;
    Some((iops, None))
}

fn redundancy(volume: &VolumeView) -> Redundancy {
    let mut specs = volume
        .spec
        .iter()
        .filter_map(|spec| spec.parse::<DiskSpec>().ok());
    if specs.any(|spec| spec.request.redundancy == Redundancy::Zrs) {
        Redundancy::Zrs
    } else {
        Redundancy::Lrs
    }
}

impl Like {
    fn new(assessment: &Assessment, name: &str, wanted: Wanted, needs: &[VolumeNeed]) -> Self {
        let taken = |volume: &&VolumeView| needs.iter().any(|need| need.name == volume.name);
        let volume = |(volume, need): (&VolumeView, &VolumeNeed)| LikeVolume {
            volume: volume.name.clone(),
            sku: volume.sku.clone(),
            iops: need.iops,
            mbps: need.mbps,
        };
        let views = assessment.volumes.iter();
        Self {
            name: name.to_owned(),
            size: assessment.vm.as_ref().map(|vm| vm.size.clone()),
            wanted,
            volumes: views.clone().filter(taken).zip(needs).map(volume).collect(),
            left: views
                .filter(|volume| !taken(volume))
                .map(|volume| volume.name.clone())
                .collect(),
            month: month(assessment, needs),
        }
    }
}

/// A month of the VM and of the volumes that are wanted again.
fn month(assessment: &Assessment, needs: &[VolumeNeed]) -> Option<Money> {
    let cost = assessment.cost.as_ref()?;
    let whole = |total: &Total| total.missing.is_empty().then_some(total.known);
    let mut sum = whole(cost.vm.as_ref()?.month.as_ref()?)?;
    let volumes = cost.volumes.iter();
    for volume in volumes.filter(|volume| needs.iter().any(|need| need.name == volume.volume)) {
        sum.amount += whole(&volume.month)?.amount;
    }
    Some(sum)
}
