//! What a workload over time that was measured was made of, for the reader of its results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{BlockSize, Iops, MBps, Seconds, Share};

/// The traces that a workload was made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Traced {
    /// The moment that 0 s stands for, where the traces say it: in UTC (with a `Z`), or as a clock on the wall showed
    /// it.
    pub start: Option<String>,
    /// How long the traces are together.
    pub lasts: Seconds,
    /// The length that they were averaged over; `None` where every sample counts by itself.
    pub every: Option<Seconds>,
    /// The volumes that a trace was found for.
    pub volumes: Vec<TracedVolume>,
    /// Devices in the traces that are no volume's.
    pub left_out: Vec<String>,
    /// What else is to be known of the figures.
    pub notes: Vec<String>,
}

/// What the traces say of one volume, all of its devices together. Means are over the whole time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TracedVolume {
    /// The volume's name.
    pub volume: String,
    /// Its devices as the traces name them, at least one.
    pub devices: Vec<String>,
    /// The inputs that they were read from.
    pub logs: Vec<String>,
    /// How many samples there are.
    pub samples: usize,
    /// Time without a sample, in which the load was taken to be as before it, or none.
    pub unknown: Seconds,
    /// Mean IOPS; `None` where the traces do not say them.
    pub iops: Option<Iops>,
    /// Mean MB/s; `None` where the traces do not say them.
    pub mbps: Option<MBps>,
    /// The most IOPS of any sample, or of any stretch where they were averaged.
    pub peak_iops: Option<Iops>,
    /// The most MB/s of any sample, or of any stretch where they were averaged.
    pub peak_mbps: Option<MBps>,
    /// Mean block size, bytes: MB/s / IOPS; `None` where not both are known.
    #[serde(rename = "block_size_bytes")]
    pub block_size: Option<BlockSize>,
    /// Share of reads, of the I/Os, else of the bytes; `None` where the traces do not tell reads from writes.
    pub read_share: Option<Share>,
}
