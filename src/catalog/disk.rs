//! Disks as a catalogue sells them: what was asked for, and what it can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::{Axis, Limits};
use crate::units::{BlockSize, GiB, Iops, Latency, MBps};

/// A family of disks.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Premium SSD (v1), tiers P1 to P80.
    PremiumSsd,
    /// Standard SSD, tiers E1 to E80.
    StandardSsd,
    /// Standard HDD, tiers S4 to S80.
    StandardHdd,
    /// Premium SSD v2.
    PremiumSsdV2,
    /// Ultra Disk.
    Ultra,
    /// The host-local temp disk (SCSI) of the VM size.
    Temp,
    /// The local NVMe disks of the VM size.
    LocalNvme,
    /// Any array or hypervisor volume, as its owner describes it.
    Custom,
}

/// Storage redundancy of a managed disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Redundancy {
    /// Three copies in one datacentre.
    #[default]
    Lrs,
    /// Three copies across zones.
    Zrs,
}

impl Redundancy {
    /// Across zones, or not.
    #[must_use]
    pub const fn of_zones(zones: bool) -> Self {
        if zones { Self::Zrs } else { Self::Lrs }
    }
}

/// What somebody asks for when they ask for a disk, before any rule has been applied.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskRequest {
    /// The family.
    pub family: Family,
    /// The tier by name (`P30`), canonical case, where one was named.
    pub tier: Option<String>,
    /// The capacity; where only a tier is named, the largest of that tier is taken.
    pub size: Option<GiB>,
    /// Provisioned IOPS (Premium SSD v2, Ultra, custom).
    pub iops: Option<Iops>,
    /// Provisioned MB/s (Premium SSD v2, Ultra, custom).
    pub mbps: Option<MBps>,
    /// A performance tier above the baseline (Premium SSD).
    pub performance_tier: Option<String>,
    /// On-demand bursting was enabled (Premium SSD larger than 512 GiB).
    pub on_demand_burst: bool,
    /// Performance plus was enabled at creation.
    pub performance_plus: bool,
    /// Redundancy.
    pub redundancy: Redundancy,
    /// How many VMs may attach it at once.
    pub max_shares: u32,
    /// Measured or promised latency at queue depth 1, taking the place of the typical one.
    pub latency: Option<Latency>,
}

impl DiskRequest {
    /// A plain disk of `family`, nothing else said.
    #[must_use]
    pub const fn new(family: Family) -> Self {
        Self {
            family,
            tier: None,
            size: None,
            iops: None,
            mbps: None,
            performance_tier: None,
            on_demand_burst: false,
            performance_plus: false,
            redundancy: Redundancy::Lrs,
            max_shares: 1,
            latency: None,
        }
    }
}

/// Which VM ceilings the traffic of a disk counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// Remote disk held to the uncached premium ceiling.
    Remote,
    /// Remote disk that may use the higher ceiling of sizes that have one.
    RemoteFast,
    /// Host-local disk behind the cached ceiling.
    Temp,
    /// Directly attached local NVMe.
    LocalNvme,
}

/// How a disk exceeds its base limits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum BurstKind {
    /// From a bucket of credits that holds `seconds` at full burst.
    Credit {
        /// How long a full bucket lasts at full burst, seconds.
        seconds: f64,
    },
    /// As often and as long as wanted, billed by use.
    OnDemand,
}

/// The burst of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Burst {
    /// The limits while bursting.
    pub limits: Limits,
    /// What the burst is paid with.
    pub kind: BurstKind,
}

/// How sure a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The provider's API or documentation says so.
    Documented,
    /// Given by the user or by a benchmark.
    Measured,
    /// Usual for the family; not a promise.
    Typical,
    /// Taken over from something alike.
    Assumed,
}

/// Latency of one I/O at queue depth 1, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyFigure {
    /// Of a read.
    pub read: Latency,
    /// Of a write.
    pub write: Latency,
    /// How sure it is.
    pub basis: Basis,
}

impl LatencyFigure {
    /// A latency that somebody measured or promises, for reads and writes alike.
    #[must_use]
    pub const fn measured(latency: Latency) -> Self {
        Self {
            read: latency,
            write: latency,
            basis: Basis::Measured,
        }
    }
}

/// What one I/O at queue depth 1 hardly ever exceeds: a bound, not a figure to reckon with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatencyBound {
    /// Of a read.
    pub read: Latency,
    /// Of a write.
    pub write: Latency,
}

/// A disk after the rules of its family: what a planner needs to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskModel {
    /// Short name for tables: `P30`, `P30 as P50`, `v2`, `Ultra`, `temp`, `custom`.
    pub label: String,
    /// The family.
    pub family: Family,
    /// The billed tier, for tiered families.
    pub tier: Option<String>,
    /// Capacity, where known.
    pub size: Option<GiB>,
    /// Redundancy.
    pub redundancy: Redundancy,
    /// Which VM ceilings its traffic counts against.
    pub lane: Lane,
    /// Limits without bursting: the tier's, or as provisioned.
    pub base: Limits,
    /// Limits of writes, where they are lower than `base` is for reads (local disks).
    pub write: Option<Limits>,
    /// The burst, where it has one.
    pub burst: Option<Burst>,
    /// An I/O larger than this counts as several against the IOPS limit.
    pub accounting_unit: Option<BlockSize>,
    /// Latency at queue depth 1: measured where given, else typical; `None` where nothing trustworthy is published.
    pub latency: Option<LatencyFigure>,
    /// What an I/O at queue depth 1 hardly ever exceeds, where somebody promises that much ([`Catalog::latency_bound`](super::Catalog::latency_bound)):
    /// all that is known where there is no latency.
    pub latency_bound: Option<LatencyBound>,
    /// Whether the family and size allow host caching at all.
    pub cacheable: bool,
}

impl DiskModel {
    /// Whether its limit on `axis` is known. A temp disk has none of its own: the VM's cached ceiling carries it.
    #[must_use]
    pub fn knows(&self, axis: Axis) -> bool {
        self.base.on(axis).is_some() || self.lane == Lane::Temp
    }

    /// Whether only the limit of reads on `axis` is known of a disk whose writes have another. A temp disk has none of its own.
    #[must_use]
    pub fn knows_only_reads(&self, axis: Axis) -> bool {
        let no_writes = self.write.is_some_and(|limits| limits.on(axis).is_none());
        no_writes && self.base.on(axis).is_some() && self.lane != Lane::Temp
    }

    /// Whether both of its limits are known.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.knows(Axis::Iops) && self.knows(Axis::Mbps)
    }
}

/// Which setting of a disk is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// Capacity in GiB.
    Size,
    /// Provisioned IOPS.
    Iops,
    /// Provisioned MB/s.
    Mbps,
}

impl Setting {
    /// Its unit, for people.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Size => "GiB",
            Self::Iops => "IOPS",
            Self::Mbps => "MB/s",
        }
    }
}

/// A request that the provider would refuse. The model is still computed, with the nearest allowed value.
#[derive(Debug, Clone, PartialEq)]
pub enum Violation {
    /// A provisioned setting is out of its range.
    OutOfRange {
        /// The setting.
        setting: Setting,
        /// What was asked.
        asked: f64,
        /// The least allowed.
        min: f64,
        /// The most allowed.
        max: f64,
        /// What the range follows from, in words ("500 IOPS per GiB above 6 GiB").
        rule: String,
    },
    /// The performance tier is below the baseline of the size.
    TierBelowBaseline {
        /// The tier asked.
        asked: String,
        /// The baseline tier of the size.
        baseline: String,
    },
    /// The performance tier is above the highest for the size.
    TierTooHigh {
        /// The tier asked.
        asked: String,
        /// The highest tier allowed.
        highest: String,
    },
    /// A setting that the family or size does not have (the rule, in words).
    NotOffered {
        /// What was asked for: `performance tier`, `performance plus`, `on-demand bursting`, `ZRS`, `shared disk`.
        feature: String,
        /// Why it is not to be had.
        rule: String,
    },
}

/// A request that cannot be understood at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DiskError {
    /// No such tier.
    #[error("unknown disk tier '{input}'{}", super::lookup::did_you_mean(.nearest))]
    UnknownTier {
        /// The name as given.
        input: String,
        /// The nearest names.
        nearest: Vec<String>,
    },
    /// Something that the family cannot do without was not given.
    #[error("{family} needs {missing}")]
    Missing {
        /// The family, in words.
        family: &'static str,
        /// What is missing, with an example.
        missing: &'static str,
    },
    /// A limit that would let nothing through.
    #[error(
        "{setting}=0 lets nothing through: give what the disk can do, or leave {setting} out where that is not known"
    )]
    ZeroLimit {
        /// The key.
        setting: &'static str,
    },
    /// A local disk of a size that has none.
    #[error("{vm} has no {family}{}", has_one(.instead.as_deref()))]
    NoLocalDisk {
        /// The family, in words.
        family: &'static str,
        /// The VM size.
        vm: String,
        /// A size that is the same but for that.
        instead: Option<String>,
    },
    /// A setting that makes no sense for the family.
    #[error("{setting} cannot be set on {family}: {rule}")]
    NotASetting {
        /// The key.
        setting: &'static str,
        /// The family, in words.
        family: String,
        /// What decides it instead.
        rule: &'static str,
    },
}

/// A resolved request: the model, and what the provider would refuse of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// What the disk can do.
    pub model: DiskModel,
    /// What would be refused.
    pub violations: Vec<Violation>,
}

fn has_one(size: Option<&str>) -> String {
    size.map_or_else(String::new, |size| format!("; {size} has one"))
}
