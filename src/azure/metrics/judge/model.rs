//! What a judgement of metrics says.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::azure::metrics::Subject;
use crate::catalog::Axis;
use crate::planner::Finding;

/// Whether anything held the disks back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Throttling {
    /// A ceiling was reached for whole intervals.
    Throttled,
    /// A ceiling was reached for parts of intervals only.
    Touched,
    /// No ceiling was reached, and there are metrics of all: of the VM's, and of every disk's.
    None,
    /// No ceiling was reached of those that there are metrics of; of others there are none.
    NotSeen,
    /// There are no metrics that would say.
    Unknown,
}

/// Which of the two levels of a ceiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// What holds without end.
    Sustained,
    /// What holds while bursting.
    Burst,
}

/// Time spent at a ceiling without a break.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// What the ceiling is of.
    pub subject: Subject,
    /// What people call it.
    pub label: String,
    /// IOPS or throughput.
    pub axis: Axis,
    /// Sustained or burst.
    pub level: Level,
    /// Begin of the first interval.
    #[schemars(with = "String")]
    pub start: Timestamp,
    /// End of the last interval.
    #[schemars(with = "String")]
    pub end: Timestamp,
    /// How long, seconds.
    pub seconds: f64,
    /// How much of it the mean of the interval was at the ceiling; in the rest only its highest value was. Seconds.
    pub whole_seconds: f64,
    /// The highest mean of an interval, percent of the sustained ceiling.
    pub highest_average: Option<f64>,
    /// The highest value, percent of the sustained ceiling.
    pub highest_maximum: Option<f64>,
    /// What other ceilings showed meanwhile.
    pub beside: Vec<Beside>,
}

/// What another ceiling showed in the same time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Beside {
    /// What the ceiling is of.
    pub subject: Subject,
    /// What people call it.
    pub label: String,
    /// IOPS or throughput.
    pub axis: Axis,
    /// The highest mean of an interval, percent.
    pub highest_average: f64,
}

/// How near one ceiling came to be reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CeilingUse {
    /// What the ceiling is of.
    pub subject: Subject,
    /// What people call it.
    pub label: String,
    /// IOPS or throughput.
    pub axis: Axis,
    /// The ceiling, in IOPS or MB/s; what holds without end. `None`: unknown.
    pub ceiling: Option<f64>,
    /// What may be reached while bursting, where more than that.
    pub burst: Option<f64>,
    /// The highest mean of an interval, percent.
    pub highest_average: Option<f64>,
    /// When that was.
    #[schemars(with = "Option<String>")]
    pub highest_at: Option<Timestamp>,
    /// The highest value within an interval, percent.
    pub highest_maximum: Option<f64>,
    /// The most that it can have been within an interval, percent, where it was computed from reads and writes whose
    /// maxima need not be of the same second: those of both together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_possible: Option<f64>,
    /// Time at the ceiling, whole intervals, seconds.
    pub throttled_seconds: f64,
    /// Time in which only the highest value of the interval was at the ceiling, seconds.
    pub touched_seconds: f64,
    /// Time above the sustained ceiling and below that of bursting, seconds.
    pub bursting_seconds: f64,
    /// How many intervals have a value.
    pub samples: usize,
    /// How many intervals between the first and the last of all metrics have none.
    pub missing: usize,
    /// Whether the percentage was computed from reads, writes and the ceiling, in want of a metric of its own.
    pub computed: bool,
    /// Whose use it is, of a disk that several VMs may have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedUse>,
}

/// Whose use of a shared disk is added up: its ceiling is there once, for all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SharedUse {
    /// The VMs that are added up, by name.
    pub vms: Vec<String>,
    /// The VMs that have it too and of which there are no metrics of the same intervals: the figures are the least that
    /// they can be.
    pub unknown: Vec<String>,
    /// In how many intervals all that are added up have a value.
    pub whole: usize,
}

impl SharedUse {
    /// Whether nobody is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.unknown.is_empty()
    }
}

/// How much of its burst credit something used up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CreditUse {
    /// Whose credit.
    pub subject: Subject,
    /// What people call it.
    pub label: String,
    /// Credit for IOPS or throughput.
    pub axis: Axis,
    /// The most that was used up, percent.
    pub highest_used: f64,
    /// When that was.
    #[schemars(with = "String")]
    pub at: Timestamp,
}

/// What a disk was used for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskUse {
    /// The disk.
    pub subject: Subject,
    /// What people call it.
    pub label: String,
    /// Share of the I/Os that wrote, 0 to 1.
    pub write_share: Option<f64>,
    /// Share of the bytes that were written, 0 to 1.
    pub write_byte_share: Option<f64>,
    /// Share of the reads that the host cache answered, percent, on average.
    pub cache_read_hit: Option<f64>,
    /// The highest mean of an interval, IOPS, reads and writes together.
    pub peak_iops: Option<f64>,
    /// The highest mean of an interval, MB/s, reads and writes together.
    pub peak_mbps: Option<f64>,
    /// The highest mean latency of an interval, milliseconds.
    pub highest_latency_ms: Option<f64>,
    /// When that was.
    #[schemars(with = "Option<String>")]
    pub highest_latency_at: Option<Timestamp>,
    /// Burst transactions that were billed, where the disk's own metrics say.
    pub paid_bursts: Option<f64>,
}

/// What the metrics of one VM say of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MetricsJudgement {
    /// The VM.
    pub vm: String,
    /// Whether anything held it back.
    pub throttling: Throttling,
    /// The same in one sentence, with what held it back and how near the rest came.
    pub summary: String,
    /// Begin of the time that the metrics cover.
    #[schemars(with = "Option<String>")]
    pub from: Option<Timestamp>,
    /// Its end.
    #[schemars(with = "Option<String>")]
    pub until: Option<Timestamp>,
    /// Usual length of an interval, seconds.
    pub interval_seconds: Option<f64>,
    /// Every ceiling that there are metrics of: those that throttled first, then by how near they came.
    pub ceilings: Vec<CeilingUse>,
    /// The ceilings of the VM and its disks that there are no metrics of, by name: nothing is said of them.
    #[serde(default)]
    pub without_metrics: Vec<String>,
    /// Every time spent at a ceiling, longest first.
    pub spans: Vec<Span>,
    /// Burst credits, the most used up first.
    pub credits: Vec<CreditUse>,
    /// What the disks were used for.
    pub disks: Vec<DiskUse>,
    /// What is wrong, or worth knowing.
    pub findings: Vec<Finding>,
    /// What a reader should know of the figures.
    pub notes: Vec<String>,
}
