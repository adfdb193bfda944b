//! A result against nothing but itself: do its figures agree with each other?

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measure::model::{Run, Test, TestKind};
use crate::measure::test_name;
use crate::units::{Iops, Latency, Share, grouped};
use crate::workload::Pattern;

/// How far IOPS x block size may be from MB/s, 3 %: figures are printed with three digits or more.
pub const RATE_AGREEMENT: f64 = 0.03;

/// How many times the implied latency a measured one may be, either way: 1.25. The ends of a run and the time between
/// two I/Os of a thread count in one of them only.
pub const LATENCY_AGREEMENT: f64 = 1.25;

/// Reads and writes of the same kind that differ by this much are worth saying: 2 times.
pub const ASYMMETRY: f64 = 2.0;

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
        let ratio = measured_us.micros() / implied_us.micros();
        let off = ratio > LATENCY_AGREEMENT || ratio * LATENCY_AGREEMENT < 1.0;
        off.then_some(Mismatch::LittlesLaw {
            measured_us,
            implied_us,
        })
    };
    rates().into_iter().chain(littles_law()).collect()
}

/// What a run's tests say about each other: reads against writes of the same kind, and what a deeper queue brings.
#[must_use]
pub fn relations(run: &Run) -> Vec<String> {
    let asymmetries = run.tests.iter().filter_map(|read| asymmetry(run, read));
    asymmetries.chain(queue_gain(run)).collect()
}

fn asymmetry(run: &Run, read: &Test) -> Option<String> {
    let whole = |test: &&Test| test.part_of.is_none();
    if read.kind.read_share != Some(Share::ALL) || !whole(&read) {
        return None;
    }
    let same = |test: &&Test| {
        let kind = TestKind {
            read_share: Some(Share::ALL),
            ..test.kind
        };
        test.kind.read_share == Some(Share::NONE) && kind == read.kind
    };
    let write = run.tests.iter().filter(whole).find(same)?;
    let ratio = rate(write)?.get() / rate(read)?.get();
    let both = TestKind {
        read_share: None,
        ..read.kind
    };
    let name = test_name::describe(&both);
    if ratio >= ASYMMETRY {
        Some(format!(
            "{name}: writes are {ratio:.1} times reads: a cache on the way takes them, or reads miss one"
        ))
    } else if ratio > 0.0 && ratio * ASYMMETRY <= 1.0 {
        let times = grouped(1.0 / ratio, 1);
        Some(format!(
            "{name}: reads are {times} times writes: a cache answers them, or writes wait for the medium"
        ))
    } else {
        None
    }
}

/// The random small read tests with one and with the most outstanding.
pub(crate) fn shallow_and_deep(run: &Run) -> Option<(&Test, &Test)> {
    let reads = || {
        run.tests.iter().filter(|test| {
            test.part_of.is_none()
                && test.kind.pattern == Some(Pattern::Random)
                && test.kind.read_share == Some(Share::ALL)
                && rate(test).is_some_and(|rate| rate.get() > 0.0)
        })
    };
    let shallow = reads().find(|test| one_at_a_time(test))?;
    let same = |test: &&Test| test.kind.block_size == shallow.kind.block_size;
    let deep = reads()
        .filter(same)
        .max_by_key(|test| test.kind.outstanding())?;
    (deep.kind.outstanding()? > 1).then_some((shallow, deep))
}

fn queue_gain(run: &Run) -> Option<String> {
    let (shallow, deep) = shallow_and_deep(run)?;
    let gain = rate(deep)?.get() / rate(shallow)?.get();
    let depth = deep.kind.outstanding()?;
    Some(format!(
        "{depth} random reads at a time make {gain:.1} times the rate of one ({} and {} IOPS)",
        rate(deep)?,
        rate(shallow)?
    ))
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
