//! The result model: what a simulation says. Its JSON form is public and versioned ([`SCHEMA`]).
//!
//! Times are seconds since the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::paid::PaidBurst;
use super::sizing::Sizing;
use crate::catalog::price::BookInfo;
use crate::catalog::{Axis, DataInfo, Limits};
use crate::deployment::HostCaching;
use crate::planner::assessment::{CeilingName, VmView};
use crate::planner::evaluate::Bottleneck;
use crate::planner::findings::{Finding, duration};
use crate::planner::money::Cost;
use crate::units::{Iops, Latency, MBps, Share, grouped};
use crate::workload::traced::Traced;

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.simulate/1";

/// A deployment under a workload over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Simulation {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// What the plan is called, where it has a name.
    pub name: Option<String>,
    /// The VM; `None` when only disks were looked at.
    pub vm: Option<VmView>,
    /// How long it lasts.
    pub seconds: f64,
    /// How full every bucket is at the start.
    pub start_credit: Share,
    /// What the workload was made of, where it was measured; `None` where it was stated.
    pub traced: Option<Traced>,
    /// The volumes, in the order given.
    pub volumes: Vec<VolumeRun>,
    /// The credit buckets: those of the disks in the order of the volumes, then those of the VM. Equal members of a
    /// stripe, whose buckets stand alike at all times, share one.
    pub buckets: Vec<BucketRun>,
    /// The disks with on-demand bursting, and what of it is billed.
    pub paid_bursts: Vec<PaidBurst>,
    /// Which prices the costs of on-demand bursting rest on; `None` where they were not asked for.
    pub prices: Option<BookInfo>,
    /// What the VM and the disks cost a month; `None` where it was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The smallest VM size and disks for which nothing would be throttled.
    pub sizing: Sizing,
    /// What is wrong or worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What happens, piece by piece: within a segment every rate is constant.
    pub segments: Vec<Segment>,
}

/// One volume over the whole time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeRun {
    /// Name.
    pub name: String,
    /// What it is made of: `P30`, `4 x P30`.
    pub sku: String,
    /// Host caching that takes effect.
    pub caching: HostCaching,
    /// What its disks do without end, all members together.
    pub limits: Limits,
    /// What its disks do while they burst, all members together; `None` where they do not.
    pub burst: Option<Limits>,
    /// What speaks against that burst, where no source says that such a disk has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_doubt: Option<String>,
    /// What was asked, all in all; `None` where it asked for as much as it gets.
    pub asked: Option<Amount>,
    /// What was served; `None` where no limit on its path is known.
    pub served: Option<Amount>,
    /// A limit on its path is unknown, or what its queue depth makes: it may get less, not more.
    pub at_most: bool,
    /// Of disks of unknown latency at a stated queue depth: the least latency that an I/O must not exceed for what is
    /// served. `None` where the latency is known, no queue depth is stated, or the provider's promise is enough.
    #[serde(
        rename = "latency_needed_us",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub latency_needed: Option<Latency>,
    /// For how long a disk or the VM held it back.
    ///
    /// A volume with a stated demand is held back while it wants more than it gets. One that takes as much as it gets
    /// always wants more: it is held back while the limit that stops it is out of burst credit.
    pub throttled_seconds: f64,
    /// What stopped it for how long while it wanted more than it got: throttling first, then the longest.
    pub held_by: Vec<Held>,
    /// What was asked and had to wait.
    pub backlog: BacklogRun,
}

/// An amount of I/O.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Amount {
    /// I/Os.
    pub ios: f64,
    /// MB (10^6 bytes).
    pub mb: f64,
}

/// How long one limit held a volume.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Held {
    /// The limit.
    pub by: Bottleneck,
    /// Whether it counts as throttling ([`VolumeRun::throttled_seconds`]). A queue depth never does.
    pub throttles: bool,
    /// For how long.
    pub seconds: f64,
}

/// What was asked of a volume and had to wait. It is served first in, first out, as I/Os like those that were asked.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct BacklogRun {
    /// The most that waited at once: the most I/Os, and the most MB, which may have been at another time.
    pub peak: Amount,
    /// When the most MB waited; `None` where nothing ever waited.
    pub peak_at: Option<f64>,
    /// When the most I/Os waited; `None` where nothing ever waited.
    #[serde(default)]
    pub peak_ios_at: Option<f64>,
    /// For how long something waited.
    pub seconds: f64,
    /// When the last of it was worked off; `None` where nothing waited, or something still does at the end.
    pub worked_off_at: Option<f64>,
    /// What still waits at the end.
    pub left: Amount,
}

impl BacklogRun {
    /// The most that waited, in words: of one moment, or each with its own.
    #[must_use]
    pub fn most(&self) -> String {
        let (ios, mb) = (grouped(self.peak.ios, 0), grouped(self.peak.mb, 0));
        match (self.peak_ios_at, self.peak_at) {
            (Some(one), Some(other)) if one != other => format!(
                "up to {ios} I/Os (after {}), up to {mb} MB (after {})",
                duration(one),
                duration(other)
            ),
            _ => format!("up to {ios} I/Os ({mb} MB)"),
        }
    }
}

/// Where a bucket is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum BucketPlace {
    /// On each of some equal disks of a volume.
    Disk {
        /// The volume's name.
        volume: String,
        /// How many disks have such a bucket.
        disks: usize,
    },
    /// On a ceiling of the VM.
    Vm {
        /// Which.
        ceiling: CeilingName,
    },
}

/// One credit bucket over the whole time. Credits are I/Os or MB, as its axis says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BucketRun {
    /// Where it is.
    pub place: BucketPlace,
    /// What it is for.
    pub axis: Axis,
    /// The limit when it is empty, IOPS or MB/s.
    pub base: f64,
    /// The limit while it lasts, IOPS or MB/s.
    pub burst: f64,
    /// What it holds.
    pub full: f64,
    /// What it holds at the start.
    pub start: f64,
    /// What it holds at the end.
    pub end: f64,
    /// The least that it held.
    pub lowest: f64,
    /// When it became empty, every time.
    pub emptied_at: Vec<f64>,
    /// When it became full again, every time.
    pub filled_at: Vec<f64>,
    /// For how long it was empty.
    pub empty_seconds: f64,
    /// How long it takes to fill from its last level when nothing is asked any more; `None` where the base is 0.
    pub refill_seconds: Option<f64>,
}

/// A stretch of time with constant rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Segment {
    /// When it begins.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// The volumes, in the order of [`Simulation::volumes`].
    pub volumes: Vec<VolumeSegment>,
    /// The buckets, in the order of [`Simulation::buckets`].
    pub buckets: Vec<LevelChange>,
}

impl Segment {
    /// How long it lasts.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.end - self.start
    }
}

/// One volume in one segment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeSegment {
    /// What is asked; `None` where it asks for as much as it gets.
    pub asked: Option<Rate>,
    /// What is served; `None` where no limit on its path is known.
    pub served: Option<Rate>,
    /// What stops it.
    pub bottleneck: Bottleneck,
    /// Whether a disk or the VM holds it back ([`VolumeRun::throttled_seconds`]).
    pub throttled: bool,
    /// The latency that an I/O must not exceed for what is served ([`VolumeRun::latency_needed`]).
    #[serde(
        rename = "latency_needed_us",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub latency_needed: Option<Latency>,
    /// What waits at the end of the segment; I/Os of the segment's block size.
    pub backlog: Amount,
}

/// How fast I/O flows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// I/Os per second.
    pub iops: Iops,
    /// The same in MB/s.
    pub mbps: MBps,
}

/// A bucket at both ends of a segment; in between its level runs in a straight line.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelChange {
    /// Credits at the start.
    pub from: f64,
    /// Credits at the end.
    pub to: f64,
}
