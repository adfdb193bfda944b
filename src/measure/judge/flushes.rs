//! Flushes (fsync, fdatasync) between the writes of a test: what they took of its time.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consistency::RATE_AGREEMENT;
use crate::measure::model::Test;
use crate::units::{Latency, Share, grouped};

/// Flushes that took this part of the time of a test set its pace: a half.
const SETS_THE_PACE: f64 = 0.5;

/// The percentile of flushes that is told beside their mean: what databases are sized by.
const TOLD_PERCENT: f64 = 99.0;

/// What the flushes of a test took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlushTime {
    /// How long one took on average, microseconds: the time of the disk, and of the file system on it.
    pub mean_us: Latency,
    /// What 99 % of them stayed under, microseconds; `None` where the tool does not say.
    pub p99_us: Option<Latency>,
    /// The part of the time of all threads that they took: one waits for its flush before it writes on.
    pub share: Share,
}

impl FlushTime {
    /// That of a test; `None` where it did not flush, or its tool does not say how often, how long one took or how long it
    /// ran. Where it does not name the threads, one is taken, and `None` where flushes took longer than one thread ran.
    #[must_use]
    pub fn of(test: &Test) -> Option<Self> {
        let flushes = test.flushes.as_deref()?;
        let mean = flushes.latency.mean?;
        let threads = test.kind.threads;
        let time = test.seconds? * f64::from(threads.unwrap_or(1));
        let share = flushes.count? as f64 * mean.seconds() / time;
        if threads.is_none() && share > 1.0 + RATE_AGREEMENT {
            return None;
        }
        let mut percentiles = flushes.latency.percentiles.iter();
        let told = percentiles.find(|of| (of.percent - TOLD_PERCENT).abs() < 1e-6);
        Some(Self {
            mean_us: mean,
            p99_us: told.map(|of| of.latency),
            share: Share::new(share.min(1.0)).ok()?,
        })
    }

    /// Whether they, and not the writes, set the pace.
    #[must_use]
    pub fn sets_the_pace(&self) -> bool {
        self.share.get() >= SETS_THE_PACE
    }

    /// In words: `flushes of 4.8 ms each (99 % of them within 15.8 ms) took 87 % of the time`.
    #[must_use]
    pub fn words(&self) -> String {
        let within = self.p99_us.map_or_else(String::new, |p99| {
            format!(" ({TOLD_PERCENT} % of them within {p99})")
        });
        let percent = grouped(self.share.get() * 100.0, 0);
        let mean = self.mean_us;
        format!("flushes of {mean} each{within} took {percent} % of the time")
    }
}

/// Those that set the pace of a test.
pub(in crate::measure) fn setting_the_pace(test: &Test) -> Option<FlushTime> {
    FlushTime::of(test).filter(FlushTime::sets_the_pace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::model::{Flushes, LatencyStats, Percentile};

    /// 1,000 flushes of 4 ms in 10 s of so many threads: 4 s.
    fn flushed(threads: u32) -> Test {
        let mut test = Test {
            seconds: Some(10.0),
            flushes: Some(Box::new(Flushes {
                count: Some(1000),
                latency: LatencyStats {
                    mean: Latency::from_micros(4000.0).ok(),
                    percentiles: vec![Percentile {
                        percent: 99.0,
                        latency: Latency::whole(9000),
                    }],
                    ..LatencyStats::default()
                },
            })),
            ..Test::default()
        };
        test.kind.threads = Some(threads);
        test
    }

    #[test]
    fn flushes_take_their_part_of_the_time_of_all_threads() {
        let one = FlushTime::of(&flushed(1)).unwrap();
        assert!((one.share.get() - 0.4).abs() < 1e-12);
        assert!(!one.sets_the_pace());
        assert_eq!(
            one.words(),
            "flushes of 4 ms each (99 % of them within 9 ms) took 40 % of the time"
        );
        let four = FlushTime::of(&flushed(4)).unwrap();
        assert!((four.share.get() - 0.1).abs() < 1e-12);
    }

    /// 1,000 flushes of 40 ms in 10 s are those of four threads or more.
    #[test]
    fn flushes_of_threads_that_are_not_named_have_no_share() {
        let mut test = flushed(1);
        test.flushes.as_mut().unwrap().latency.mean = Some(Latency::whole(40_000));
        assert_eq!(FlushTime::of(&test).unwrap().share, Share::ALL);
        test.kind.threads = None;
        assert_eq!(FlushTime::of(&test), None);
        // 10.2 s of 10 s are one thread's, as its figures are rounded.
        test.flushes.as_mut().unwrap().latency.mean = Some(Latency::whole(10_200));
        assert_eq!(FlushTime::of(&test).unwrap().share, Share::ALL);
    }

    #[test]
    fn what_is_not_told_is_not_reckoned() {
        let mut test = flushed(1);
        test.seconds = None;
        assert_eq!(FlushTime::of(&test), None);
        assert_eq!(FlushTime::of(&Test::default()), None);
    }
}
