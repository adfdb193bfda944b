//! A need in words, for whoever reads an answer or the code that was made of it.

use super::need::{Hold, Need, VolumeNeed};
use crate::catalog::Redundancy;
use crate::units::{Share, grouped};

impl VolumeNeed {
    /// What is wanted of it: `wal: 128 GiB, 3,000 IOPS, blocks of 8 KiB`. What is as it is without a word (only reads, any
    /// queue depth) is not told.
    #[must_use]
    pub fn in_words(&self) -> String {
        let mut parts = vec![self.capacity_gib.to_string()];
        match (self.iops, self.mbps, self.block_size) {
            (Some(iops), Some(mbps), Some(block)) => parts.push(format!(
                "{iops} IOPS in blocks of {block} or {mbps} MB/s in blocks of {}",
                self.block_of_mbps()
            )),
            (iops, mbps, block) => {
                parts.extend(iops.map(|v| format!("{v} IOPS")));
                parts.extend(mbps.map(|v| format!("{v} MB/s")));
                parts.extend(block.map(|v| format!("blocks of {v}")));
            }
        }
        if self.read_share != Share::ALL {
            parts.push(format!("{} reads", self.read_share));
        }
        parts.extend(self.hit_share.map(|v| format!("{v} cache hits")));
        parts.extend(self.queue_depth.map(|v| format!("queue depth {v}")));
        parts.extend(self.latency_below.map(|v| format!("latency below {v}")));
        parts.extend((self.redundancy == Redundancy::Zrs).then(|| "zone-redundant".to_owned()));
        format!("{}: {}", self.name, parts.join(", "))
    }
}

impl Need {
    /// What holds for all of it: for how long, and with which headroom.
    #[must_use]
    pub fn conditions(&self) -> Vec<String> {
        let hold = match self.hold {
            Hold::Sustained => "sustained".to_owned(),
            Hold::Peak { minutes } => {
                format!("for {} min from full burst credit", grouped(minutes, 1))
            }
        };
        let headroom =
            (self.headroom != Share::NONE).then(|| format!("{} headroom", self.headroom));
        std::iter::once(hold).chain(headroom).collect()
    }
}
