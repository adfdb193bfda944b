//! Workloads over time: steps one after the other, and how often they repeat.

use std::num::NonZeroU32;

use super::Io;
use crate::units::{Seconds, Share};

/// The most that a schedule may hold of steps x repeats x volumes: what can be simulated and reported in a minute and a
/// few gigabytes. A day of one-second steps for 40 volumes stays below.
pub const MOST_CELLS: usize = 4_000_000;

/// The longest that a schedule may last: ten years.
pub const LONGEST: Seconds = Seconds::whole(3650 * 86_400);

/// A stretch of time with one load on each volume.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// How long it lasts.
    pub lasts: Seconds,
    /// The I/O of every volume, in the deployment's order.
    pub loads: Vec<Io>,
}

/// A workload over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    steps: Vec<Step>,
    repeat: NonZeroU32,
    /// How full every bucket of burst credit is at the start.
    pub credit: Share,
}

/// Why steps are no schedule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ScheduleError {
    /// There is no step.
    #[error("a workload over time needs at least one step")]
    NoStep,
    /// A step takes no time.
    #[error("step {number} lasts no time: give it one, such as 20min")]
    NoTime {
        /// Which step, counted from 1.
        number: usize,
    },
    /// A step has not one load for each volume.
    #[error("step {number} has loads for {got} volumes, not for {expected}")]
    Volumes {
        /// Which step, counted from 1.
        number: usize,
        /// How many it has.
        got: usize,
        /// How many it should have.
        expected: usize,
    },
    /// All steps together are too many.
    #[error(
        "{steps} steps, {repeat} times, for {volumes} volumes are more than {MOST_CELLS} figures: take longer steps, or \
         repeat less often"
    )]
    TooMany {
        /// How many steps.
        steps: usize,
        /// How often they repeat.
        repeat: u32,
        /// For how many volumes.
        volumes: usize,
    },
    /// All steps together take too long.
    #[error("the steps last {days:.0} days together: at most 3,650 days can be simulated")]
    TooLong {
        /// How long, days.
        days: f64,
    },
}

impl Schedule {
    /// `steps`, `repeat` times over, from full credit.
    ///
    /// # Errors
    /// [`ScheduleError`] when there is no step, a step takes no time or has another number of loads than the first,
    /// or all of them are too many or too long.
    pub fn new(steps: Vec<Step>, repeat: NonZeroU32) -> Result<Self, ScheduleError> {
        let expected = steps.first().ok_or(ScheduleError::NoStep)?.loads.len();
        for (index, step) in steps.iter().enumerate() {
            let (number, got) = (index + 1, step.loads.len());
            if step.lasts.get() <= 0.0 {
                return Err(ScheduleError::NoTime { number });
            }
            if got != expected {
                return Err(ScheduleError::Volumes {
                    number,
                    got,
                    expected,
                });
            }
        }
        let cells = (steps.len())
            .saturating_mul(repeat.get() as usize)
            .saturating_mul(expected.max(1));
        if cells > MOST_CELLS {
            return Err(ScheduleError::TooMany {
                steps: steps.len(),
                repeat: repeat.get(),
                volumes: expected,
            });
        }
        let schedule = Self {
            steps,
            repeat,
            credit: Share::ALL,
        };
        let seconds = schedule.seconds();
        if seconds > LONGEST.get() {
            return Err(ScheduleError::TooLong {
                days: seconds / 86_400.0,
            });
        }
        Ok(schedule)
    }

    /// The same loads for `lasts`, once.
    ///
    /// # Errors
    /// As [`Schedule::new`].
    pub fn constant(loads: Vec<Io>, lasts: Seconds) -> Result<Self, ScheduleError> {
        Self::new(vec![Step { lasts, loads }], NonZeroU32::MIN)
    }

    /// The same steps from buckets of which `credit` is full.
    #[must_use]
    pub const fn from_credit(mut self, credit: Share) -> Self {
        self.credit = credit;
        self
    }

    /// The same with as many I/Os outstanding as it takes; `None` where none of its loads says how many.
    #[must_use]
    pub fn without_depth(&self) -> Option<Self> {
        let mut loads = self.steps.iter().flat_map(|step| &step.loads);
        loads.any(|io| io.queue_depth.is_some()).then(|| {
            let mut deep = self.clone();
            for io in deep.steps.iter_mut().flat_map(|step| &mut step.loads) {
                io.queue_depth = None;
            }
            deep
        })
    }

    /// The steps, once.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How often the steps follow one another.
    #[must_use]
    pub const fn repeat(&self) -> u32 {
        self.repeat.get()
    }

    /// Every step in the order of time, repeats and all.
    pub fn over_time(&self) -> impl Iterator<Item = &Step> {
        (0..self.repeat.get()).flat_map(|_| &self.steps)
    }

    /// How long it lasts, repeats and all.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        let once: f64 = self.steps.iter().map(|step| step.lasts.get()).sum();
        once * f64::from(self.repeat.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(seconds: u32, volumes: usize) -> Step {
        Step {
            lasts: Seconds::whole(seconds),
            loads: vec![Io::RANDOM_4K; volumes],
        }
    }

    fn error(steps: Vec<Step>, repeat: u32) -> String {
        let repeat = NonZeroU32::new(repeat).unwrap();
        Schedule::new(steps, repeat).unwrap_err().to_string()
    }

    #[test]
    fn repeats_follow_one_another() {
        let twice = NonZeroU32::new(2).unwrap();
        let schedule = Schedule::new(vec![step(60, 1), step(30, 1)], twice).unwrap();
        let lengths: Vec<f64> = schedule.over_time().map(|s| s.lasts.get()).collect();
        assert_eq!(lengths, [60.0, 30.0, 60.0, 30.0]);
        assert_eq!(schedule.seconds(), 180.0);
        assert_eq!(schedule.credit, Share::ALL);
    }

    #[test]
    fn what_is_no_schedule_says_why() {
        assert!(error(vec![], 1).contains("at least one"));
        assert!(error(vec![step(1, 1), step(0, 1)], 1).contains("step 2 lasts no time"));
        assert!(error(vec![step(1, 1), step(1, 2)], 1).contains("2 volumes, not for 1"));
        assert!(error(vec![step(1, 1)], u32::MAX).contains("4294967295 times"));
        assert!(error(vec![step(u32::MAX, 1)], 1).contains("49710 days"));
    }
}
