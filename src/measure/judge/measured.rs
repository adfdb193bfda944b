//! A test as the planner sees it: the I/O that was asked for, and the rate that was reached.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consistency;
use crate::measure::model::Test;
use crate::measure::test_name;
use crate::units::{BlockSize, Iops, MBps, Share};
use crate::workload::{Demand, Io};

/// Why a test is held against nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Unjudged {
    /// It is one direction of I/O that went both ways at once: the sum is judged.
    #[error("a share of '{of}', which is judged as a whole")]
    Part {
        /// The test that it is a share of.
        of: String,
    },
    /// It tells neither IOPS nor MB/s, or moved nothing.
    #[error("the result tells no rate")]
    NoRate,
    /// It tells a latency alone, which is a rate only together with the I/Os that were outstanding.
    #[error(
        "the result tells a latency alone, without the queue depth that would make a rate of it"
    )]
    LatencyAlone,
    /// IOPS and MB/s limits cannot be told apart without the size of an I/O.
    #[error("the result does not tell the block size, nor IOPS and MB/s to work it out from")]
    NoBlockSize,
    /// No disk was named that it could be held against.
    #[error("no disk was named for it")]
    NoDisk,
    /// None of the limits on its path is known.
    #[error("no limit on its path is known")]
    NoLimit,
}

/// The part of a test that is held against a prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What was asked for, without a queue depth: that bounds the rate apart.
    pub io: Io,
    /// Outstanding I/Os of all threads, where known.
    pub outstanding: Option<f64>,
    /// The rate.
    pub iops: Iops,
    /// What was taken for granted because the tool does not say it.
    pub assumed: Vec<String>,
}

impl Measured {
    /// The comparable part of `test`.
    ///
    /// # Errors
    /// [`Unjudged`] where it has none.
    pub fn new(test: &Test) -> Result<Self, Unjudged> {
        if let Some(of) = &test.part_of {
            return Err(Unjudged::Part { of: of.clone() });
        }
        let moved = |rate: f64| rate > 0.0;
        let mut assumed = Vec::new();
        let implied = consistency::reached(test).filter(|_| consistency::rate(test).is_none());
        if implied.is_some() {
            assumed.push("IOPS from queue depth over latency, where no rate is told".to_owned());
        }
        let told = test.iops.or(implied);
        let iops = told.filter(|rate| moved(rate.get()));
        let mbps = test.mbps.filter(|rate| moved(rate.get()));
        let block_size = match (test.kind.block_size, iops, mbps) {
            (_, None, None) => {
                let is_told = test.iops.is_some() || test.mbps.is_some();
                return Err(match consistency::measured_latency(test) {
                    Some(_) if !is_told => Unjudged::LatencyAlone,
                    _ => Unjudged::NoRate,
                });
            }
            (Some(block), ..) => block,
            (None, Some(iops), Some(mbps)) => {
                let block = block_of(iops, mbps).ok_or(Unjudged::NoBlockSize)?;
                let size = test_name::size_in_words(block);
                assumed.push(format!("block size {size}, from MB/s over IOPS"));
                block
            }
            _ => return Err(Unjudged::NoBlockSize),
        };
        let rate = iops.or_else(|| mbps.map(|mbps| mbps.iops_at(block_size)));
        let read_share = test.kind.read_share.unwrap_or_else(|| {
            assumed.push("reads: the tool does not tell the direction".to_owned());
            Share::ALL
        });
        Ok(Self {
            io: Io {
                pattern: test.kind.pattern.unwrap_or_default(),
                block_size,
                read_share,
                hit_share: Share::NONE,
                queue_depth: None,
                demand: Demand::Max,
            },
            outstanding: test.kind.outstanding().filter(|n| *n > 0).map(f64::from),
            iops: rate.ok_or(Unjudged::NoRate)?,
            assumed,
        })
    }
}

fn block_of(iops: Iops, mbps: MBps) -> Option<BlockSize> {
    BlockSize::from_bytes((mbps.bytes_per_s() / iops.get()).round() as u64).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::model::TestKind;

    #[test]
    fn the_block_size_follows_from_both_rates() {
        // 40.96 MB/s over 5,000 IOPS are 8,192 bytes.
        let test = Test {
            iops: Some(Iops::whole(5000)),
            mbps: MBps::new(40.96).ok(),
            ..Test::default()
        };
        let measured = Measured::new(&test).unwrap();
        assert_eq!(measured.io.block_size, BlockSize::KIB_8);
        assert_eq!(measured.assumed.len(), 2);
    }

    #[test]
    fn what_cannot_be_compared_says_why() {
        let only_iops = Test {
            iops: Some(Iops::whole(5000)),
            ..Test::default()
        };
        assert_eq!(Measured::new(&only_iops), Err(Unjudged::NoBlockSize));
        let idle = Test {
            iops: Some(Iops::ZERO),
            kind: TestKind {
                block_size: Some(BlockSize::KIB_4),
                ..TestKind::default()
            },
            ..Test::default()
        };
        assert_eq!(Measured::new(&idle), Err(Unjudged::NoRate));
    }
}
