//! The result model: what [`super::assess()`] says. Its JSON form is public and versioned ([`SCHEMA`]).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::evaluate::Outcome;
use super::findings::Finding;
use super::money::Cost;
use super::paging::Paging;
use super::plateaus::Plateau;
use super::system::Phase;
use crate::catalog::{
    Axis, Basis, Burst, Ceiling, DataInfo, Family, Interface, Limits, Origin, VmSize,
};
use crate::deployment::{HostCaching, Role};
use crate::units::{BlockSize, GiB, Iops, Latency, Share};
use crate::workload::{Io, Workload};

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.plan/1";

/// Effective limits, bottlenecks and findings of one deployment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// What the plan is called, where it has a name.
    pub name: Option<String>,
    /// The region, where one was named.
    #[serde(default)]
    pub region: Option<String>,
    /// The VM; `None` when only disks were looked at.
    pub vm: Option<VmView>,
    /// The volumes, in the order given.
    pub volumes: Vec<VolumeView>,
    /// What each workload gets, in the order given.
    pub workloads: Vec<WorkloadView>,
    /// What is wrong or worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What it costs, where that was asked.
    pub cost: Option<Cost>,
    /// How long paging takes, where paging is looked at.
    pub paging: Option<Paging>,
}

impl Assessment {
    /// What is left where only sums are wanted: no volumes and no ceilings, of each workload its totals, of the cost
    /// its total. [`Self::headline`] holds as before.
    #[must_use]
    pub fn in_brief(mut self) -> Self {
        self.volumes = Vec::new();
        self.paging = None;
        for workload in &mut self.workloads {
            workload.volumes = Vec::new();
            workload.plateaus = Vec::new();
            workload.ceilings = Vec::new();
        }
        if let Some(cost) = &mut self.cost {
            cost.volumes = Vec::new();
        }
        self
    }

    /// The same for a VM whose size, and so whose ceilings nobody knows: every figure is at most what it says, and what
    /// only a ceiling would bound (reads that all hit a warm cache) is unknown.
    #[must_use]
    pub fn under_unknown_ceilings(mut self) -> Self {
        for volume in &mut self.volumes {
            volume.unusable_sustained = Limits::UNKNOWN;
            volume.unusable_burst = Limits::UNKNOWN;
        }
        for workload in &mut self.workloads {
            workload.total.burst.at_most = true;
            workload.total.sustained.at_most = true;
            for result in &mut workload.volumes {
                let hits = result.cache.is_some() && result.io.hit_share == Share::ALL;
                let reads = result.io.read_share != Share::NONE;
                let [alone, together] = [&mut result.alone, &mut result.together];
                for pair in [alone, together] {
                    for outcome in [&mut pair.burst, &mut pair.sustained] {
                        outcome.at_most = true;
                        if hits && reads && !outcome.is_bounded() {
                            *outcome = Outcome::UNKNOWN;
                        }
                    }
                }
                if let Some(cache) = &mut result.cache {
                    cache.cold.at_most = true;
                    cache.uncached.at_most = true;
                    cache.warm.at_most = true;
                    if reads && !cache.warm.is_bounded() {
                        cache.warm = Outcome::UNKNOWN;
                    }
                }
            }
        }
        self
    }

    /// The workloads that IOPS and MB/s are read from at a glance. Of the standard set these are the random one at
    /// depth and the sequential one; otherwise both are the first workload. `None` without any.
    #[must_use]
    pub fn headline(&self) -> Option<(&WorkloadView, &WorkloadView)> {
        self.standard_pair().or_else(|| {
            let first = self.workloads.first()?;
            Some((first, first))
        })
    }

    /// The random workload at depth and the sequential one, where the workloads are the standard set.
    #[must_use]
    pub fn standard_pair(&self) -> Option<(&WorkloadView, &WorkloadView)> {
        let standard = Workload::standard_set(0);
        let names = self.workloads.iter().map(|w| &w.name);
        match self.workloads.as_slice() {
            [random, sequential, ..] if names.eq(standard.iter().map(|w| &w.name)) => {
                Some((random, sequential))
            }
            _ => None,
        }
    }
}

/// The VM size of an assessment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmView {
    /// Canonical name.
    pub size: String,
    /// Series.
    pub series: String,
    /// The controller that the caps hold for, where they differ by it.
    pub interface: Option<Interface>,
    /// The controllers that the size can be deployed with; none where no source names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub controllers: Vec<Interface>,
    /// vCPUs.
    pub vcpus: u32,
    /// Memory.
    pub memory_gib: Option<GiB>,
    /// Most data disks.
    pub max_data_disks: Option<u32>,
    /// Data disks of this deployment.
    pub data_disks: usize,
    /// Ceiling of uncached traffic.
    pub uncached: Ceiling,
    /// The ceiling of their own that some families have, where there is one.
    pub remote: Option<Ceiling>,
    /// Ceiling of host cache and temp disk.
    pub cached: Ceiling,
    /// Where the figures come from.
    pub origin: Origin,
}

/// A volume, before any workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeView {
    /// Name.
    pub name: String,
    /// The specification, as it can be given again; one a member where they differ.
    pub spec: Vec<String>,
    /// What it is made of: `P30`, `4 x P30`.
    pub sku: String,
    /// Family of its first member.
    pub family: Family,
    /// What it is for.
    pub role: Role,
    /// Number of disks.
    pub members: usize,
    /// Capacity of all members.
    pub size_gib: Option<GiB>,
    /// Host caching that takes effect; of a stripe that of its first member.
    pub caching: HostCaching,
    /// Whether the members of the stripe have different host caching.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mixed_caching: bool,
    /// What is provisioned, all members together.
    pub provisioned: Limits,
    /// Burst of each member, where there is one.
    pub burst: Option<Burst>,
    /// What speaks against that burst, where no source says that such a disk has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_doubt: Option<String>,
    /// One I/O at a time: latency and the ceiling that follows from it; `None` when the latency is unknown.
    pub queue_depth_1: Option<QueueDepth1>,
    /// Outstanding I/Os that reach the provisioned IOPS.
    pub queue_depth_to_saturate: Option<f64>,
    /// The block size above which the MB/s limit binds before the IOPS limit.
    pub crossing_block_bytes: Option<f64>,
    /// What the VM does not let through, credit buckets empty.
    pub unusable_sustained: Limits,
    /// What the VM does not let through, credit buckets full.
    pub unusable_burst: Limits,
}

/// What one I/O at a time can do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueueDepth1 {
    /// Latency of a read, microseconds.
    pub latency_us: Latency,
    /// How sure it is.
    pub basis: Basis,
    /// 1 / latency.
    pub ceiling_iops: Iops,
}

/// What one workload gets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkloadView {
    /// Short name.
    pub name: String,
    /// What it stands for.
    pub title: String,
    /// Where its figures come from; empty when they were given.
    pub source: String,
    /// What each volume gets, in the order of the volumes.
    pub volumes: Vec<VolumeResult>,
    /// All volumes at once, added up.
    pub total: PhasePair<Total>,
    /// All volumes at once from full credit on.
    pub plateaus: Vec<Plateau>,
    /// Use of the VM's ceilings with all volumes at work.
    pub ceilings: Vec<CeilingUse>,
}

impl WorkloadView {
    /// What it does on one volume after the other, once where it is the same on all.
    #[must_use]
    pub fn loads(&self) -> Vec<String> {
        let any_cached = self.volumes.iter().any(|volume| volume.cache.is_some());
        let said = |volume: &VolumeResult| match any_cached {
            true => volume.io,
            false => volume.load(),
        };
        let mut loads: Vec<String> = self.volumes.iter().map(|v| said(v).to_string()).collect();
        loads.dedup();
        loads
    }
}

impl VolumeResult {
    /// What is asked of it as far as it counts: where nothing is cached, nothing hits.
    #[must_use]
    pub fn load(&self) -> Io {
        match self.cache {
            Some(_) => self.io,
            None => Io {
                hit_share: Share::NONE,
                ..self.io
            },
        }
    }
}

/// A result with credit buckets full and empty.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct PhasePair<T> {
    /// Credit buckets full.
    pub burst: T,
    /// Credit buckets empty.
    pub sustained: T,
}

impl PhasePair<Option<f64>> {
    /// Whether neither figure is known.
    pub(crate) const fn is_unknown(&self) -> bool {
        self.burst.is_none() && self.sustained.is_none()
    }
}

/// What one volume gets from one workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeResult {
    /// The volume's name.
    pub volume: String,
    /// What is asked of it.
    pub io: Io,
    /// With nothing else at work.
    pub alone: PhasePair<Outcome>,
    /// With all volumes at work.
    pub together: PhasePair<Outcome>,
    /// By itself with a cold and with a warm host cache, where it has one.
    pub cache: Option<CacheView>,
    /// By itself from full credit on: every rate that it falls to, and how long it keeps it.
    pub plateaus: Vec<Plateau>,
}

/// What the host cache makes of a volume, sustained and by itself.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CacheView {
    /// Every read misses.
    pub cold: Outcome,
    /// Every read hits.
    pub warm: Outcome,
    /// Without host caching.
    pub uncached: Outcome,
}

/// A sum over volumes. `None` when a part of it is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Total {
    /// I/Os per second.
    pub iops: Option<f64>,
    /// MB/s.
    pub mbps: Option<f64>,
    /// A limit on the way of one of them is unknown: the true sum may be lower, not higher.
    pub at_most: bool,
}

/// Which of the VM's ceilings is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CeilingName {
    /// Uncached traffic to remote disks.
    Uncached,
    /// All remote traffic, on sizes with a higher pair for some families; that of these families, where the pair is no
    /// higher.
    Remote,
    /// Host cache and temp disk.
    Cached,
}

impl CeilingName {
    /// The name in tables and sentences.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uncached => "uncached",
            Self::Remote => VmSize::REMOTE_NAME,
            Self::Cached => "cached",
        }
    }
}

/// How one ceiling of the VM stands when all volumes are at work. Figures are IOPS or MB/s, by `axis`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CeilingUse {
    /// The ceiling.
    pub ceiling: CeilingName,
    /// Which limit of it.
    pub axis: Axis,
    /// What holds without end; `None` when unknown.
    pub capacity: Option<f64>,
    /// The figure that documentation prints for it, where it differs.
    pub listed: Option<f64>,
    /// What holds while credit lasts, where it is more.
    pub burst_capacity: Option<f64>,
    /// What the disks would draw if this VM had no ceilings.
    pub asked: PhasePair<Option<f64>>,
    /// Where `asked` is unknown because the limits of some disks are: what the others would draw.
    #[serde(default, skip_serializing_if = "PhasePair::is_unknown")]
    pub asked_at_least: PhasePair<Option<f64>>,
    /// What they draw.
    pub used: PhasePair<Option<f64>>,
}

impl CeilingUse {
    /// What the disks would draw in `phase`, of those whose limits are known where some are not.
    #[must_use]
    pub fn known_asked(&self, phase: Phase) -> Option<f64> {
        let asked = *self.asked.at(phase);
        asked.or(*self.asked_at_least.at(phase))
    }

    /// Asked over capacity, credit buckets empty.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        let capacity = self.capacity.filter(|c| *c > 0.0)?;
        Some(self.asked.sustained? / capacity)
    }

    /// Whether it is full with credit buckets empty: only then does it hold anybody back.
    #[must_use]
    pub fn is_full(&self) -> bool {
        let full =
            |used: Option<f64>, capacity: f64| used.is_none_or(|u| u >= capacity * (1.0 - 1e-9));
        self.capacity
            .is_some_and(|capacity| full(self.used.sustained, capacity))
    }

    /// The same with credit buckets full.
    #[must_use]
    pub fn is_full_in_burst(&self) -> bool {
        let capacity = self.burst_capacity.or(self.capacity);
        let used = self.used.burst;
        capacity.is_some_and(|capacity| used.is_none_or(|u| u >= capacity * (1.0 - 1e-9)))
    }

    /// What is left of the capacity, credit buckets empty; `None` also where nothing says what is asked.
    #[must_use]
    pub fn headroom(&self) -> Option<f64> {
        self.asked.sustained?;
        Some((self.capacity? - self.used.sustained?).max(0.0))
    }
}

/// The block size at which two limits bind alike: MB/s over IOPS.
#[must_use]
pub fn crossing_block(limits: Limits) -> Option<f64> {
    let (iops, mbps) = (limits.iops?, limits.mbps?);
    (iops.get() > 0.0).then(|| mbps.bytes_per_s() / iops.get())
}

/// A block size from exact bytes, for printing a crossing; `None` outside what a block can be.
#[must_use]
pub fn nearest_block(bytes: f64) -> Option<BlockSize> {
    BlockSize::from_bytes(bytes.round() as u64).ok()
}
