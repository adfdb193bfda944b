//! A result against nothing but itself: do its figures agree with each other?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flushes::{FlushTime, setting_the_pace};
use crate::measure::model::Test;
use crate::units::{Iops, Latency};

/// How far IOPS x block size may be from MB/s, 3 %: figures are printed with three digits or more.
pub const RATE_AGREEMENT: f64 = 0.03;

/// How many times the implied latency a measured one may be, either way: 1.25. The ends of a run and the time between
/// two I/Os of a thread count in one of them only.
pub const LATENCY_AGREEMENT: f64 = 1.25;

/// A remark on figures of one test, or of two, that do not go together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Mismatch {
    /// MB/s is not IOPS x block size.
    Rates {
        /// MB/s over IOPS x block size.
        ratio: f64,
    },
    /// Latency is not outstanding I/Os over IOPS (Little's law).
    LittlesLaw {
        /// Measured latency, microseconds.
        measured_us: Latency,
        /// Outstanding I/Os over IOPS, microseconds.
        implied_us: Latency,
    },
}

impl Mismatch {
    /// Whether the latency is below what the queue depth implies.
    pub(crate) fn is_of_an_idle_queue(&self) -> bool {
        matches!(self, Self::LittlesLaw { measured_us, implied_us } if measured_us < implied_us)
    }

    /// Its figures alone: `2.00 times`, `5.5 ms for 2.62 ms`.
    pub(crate) fn figures(&self) -> String {
        match self {
            Self::Rates { ratio } => format!("{ratio:.2} times"),
            Self::LittlesLaw {
                measured_us,
                implied_us,
            } => format!("{measured_us} for {implied_us}"),
        }
    }

    /// In words, with its numbers.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Rates { ratio } => format!(
                "MB/s are {ratio:.2} times IOPS x block size: block sizes or units are mixed"
            ),
            Self::LittlesLaw {
                measured_us,
                implied_us,
            } => {
                let why = if measured_us.micros() < implied_us.micros() {
                    "the queue was not kept full, or time went elsewhere (flushes, the tool itself): the disk did not set the pace"
                } else {
                    "more I/Os were outstanding than the test names, or the latency is of other I/Os"
                };
                format!(
                    "latency is {measured_us} where queue depth over IOPS implies {implied_us}: {why}"
                )
            }
        }
    }
}

/// The latency that Little's law implies: outstanding I/Os over IOPS. `None` for one direction of two, which shares the
/// outstanding I/Os with the other.
#[must_use]
pub fn implied_latency(test: &Test) -> Option<Latency> {
    if test.part_of.is_some() {
        return None;
    }
    let outstanding = test.kind.outstanding().filter(|n| *n > 0)?;
    Latency::implied(f64::from(outstanding), rate(test)?)
}

/// The rate in IOPS, from MB/s where only these are told.
#[must_use]
pub fn rate(test: &Test) -> Option<Iops> {
    test.iops
        .or_else(|| Some(test.mbps?.iops_at(test.kind.block_size?)))
}

/// The rate as told, else the one that Little's law implies where nothing but a latency is told: outstanding I/Os over
/// latency.
#[must_use]
pub fn reached(test: &Test) -> Option<Iops> {
    rate(test).or_else(|| {
        let outstanding = test.kind.outstanding().filter(|n| *n > 0)?;
        let alone = test.iops.is_none() && test.mbps.is_none() && test.part_of.is_none();
        let latency = measured_latency(test).filter(|_| alone)?;
        Some(latency.ceiling(f64::from(outstanding)))
    })
}

/// The mean latency as measured, else as implied.
#[must_use]
pub fn latency(test: &Test) -> Option<Latency> {
    measured_latency(test).or_else(|| implied_latency(test))
}

/// The mean latency as the tool tells it.
#[must_use]
pub fn measured_latency(test: &Test) -> Option<Latency> {
    test.latency.as_ref()?.mean.filter(|mean| mean.get() > 0.0)
}

/// Whether one I/O was outstanding at a time, in a test that is whole.
#[must_use]
pub fn one_at_a_time(test: &Test) -> bool {
    test.part_of.is_none() && test.kind.outstanding() == Some(1)
}

/// What does not go together in one test.
#[must_use]
pub fn mismatches(test: &Test) -> Vec<Mismatch> {
    let rates = || {
        let product = test.iops?.throughput(test.kind.block_size?).get();
        let ratio = test.mbps?.get() / product;
        let off = product > 0.0 && (ratio - 1.0).abs() > RATE_AGREEMENT;
        off.then_some(Mismatch::Rates { ratio })
    };
    let littles_law = || {
        let (measured_us, implied_us) = (measured_latency(test)?, implied_latency(test)?);
        // Behind a flush the queue is empty until it is done.
        let writing = FlushTime::of(test).map_or(1.0, |flushes| 1.0 - flushes.share.get());
        let idle = measured_us.micros() * LATENCY_AGREEMENT < implied_us.micros() * writing;
        let idle = idle && setting_the_pace(test).is_none();
        let long = measured_us.micros() > implied_us.micros() * LATENCY_AGREEMENT;
        (idle || long).then_some(Mismatch::LittlesLaw {
            measured_us,
            implied_us,
        })
    };
    rates().into_iter().chain(littles_law()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::model::{LatencyStats, TestKind};
    use crate::units::{BlockSize, MBps};

    fn test(iops: u32, mbps: f64, latency_us: Option<f64>) -> Test {
        Test {
            kind: TestKind {
                block_size: Some(BlockSize::KIB_4),
                queue_depth: Some(32),
                ..TestKind::default()
            },
            iops: Some(Iops::whole(iops)),
            mbps: MBps::new(mbps).ok(),
            latency: latency_us.map(|us| LatencyStats {
                mean: Latency::from_micros(us).ok(),
                ..LatencyStats::default()
            }),
            ..Test::default()
        }
    }

    #[test]
    fn figures_that_agree_make_no_remark() {
        // 8,000 x 4,096 bytes = 32.768 MB/s; 32 / 8,000 = 4 ms
        assert_eq!(mismatches(&test(8000, 32.768, Some(4100.0))), []);
    }

    #[test]
    fn mixed_units_and_an_idle_queue_are_told() {
        // 31.25 MiB/s printed as MB/s is 4.6 % less than 32.768.
        let mixed = mismatches(&test(8000, 31.25, None));
        assert!(
            matches!(mixed.as_slice(), [Mismatch::Rates { ratio }] if (ratio - 0.953_67).abs() < 1e-4)
        );
        let idle = mismatches(&test(8000, 32.768, Some(1000.0)));
        assert!(idle[0].words().contains("not kept full"), "{idle:?}");
    }
}
