//! What is asked of the disks: block size, read share, queue depth, cache-hit share, demand; and named profiles.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{BlockSize, Iops, MBps, QueueDepth, Share};

/// How much a workload wants.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Demand {
    /// As much as it gets.
    #[default]
    Max,
    /// So many I/Os a second.
    Iops(Iops),
    /// So many MB/s.
    Mbps(MBps),
}

impl Demand {
    /// The demand in I/Os a second of `block` bytes each; `None` for as much as it gets.
    #[must_use]
    pub fn iops(self, block: BlockSize) -> Option<Iops> {
        match self {
            Self::Max => None,
            Self::Iops(iops) => Some(iops),
            Self::Mbps(mbps) => Some(mbps.iops_at(block)),
        }
    }
}

/// Whether consecutive I/Os are neighbours on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// Random offsets.
    #[default]
    Random,
    /// One after the other.
    Sequential,
}

/// The I/O that one volume is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Io {
    /// Random or sequential.
    pub pattern: Pattern,
    /// Bytes of one I/O.
    pub block_size: BlockSize,
    /// Share of reads; the rest are writes.
    pub read_share: Share,
    /// Share of the reads that the host cache answers (counts only on cached disks).
    pub hit_share: Share,
    /// Outstanding I/Os; `None` means enough to reach every limit.
    pub queue_depth: Option<QueueDepth>,
    /// How much is wanted.
    pub demand: Demand,
}

impl Io {
    /// Random 4 KiB reads, uncached, as much as it gets.
    pub const RANDOM_4K: Self = Self {
        pattern: Pattern::Random,
        block_size: BlockSize::KIB_4,
        read_share: Share::ALL,
        hit_share: Share::NONE,
        queue_depth: None,
        demand: Demand::Max,
    };
}
