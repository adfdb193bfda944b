//! A step: one moment from which on the rate or the latency is another, for good.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::{AS_HIGH, ChangeCause, Stretch, cause};
use super::stats::{median, ranks, spread};
use super::view::View;
use crate::catalog::Axis;
use crate::planner::findings::duration;
use crate::units::{Latency, grouped};

/// The fewest samples that a step is looked for in.
pub(super) const FEWEST_SAMPLES: usize = 20;
/// The shortest side of a step, in samples,
const SHORTEST: usize = 5;
/// and as a part of the log,
const LEAST_SHARE: f64 = 0.05;
/// where that is not more samples than these: so many in a row are no noise, however long the log is.
const LONG_ENOUGH: usize = 60;
/// A step is by this factor at least,
const MATERIAL: f64 = 1.25;
/// and by so many standard deviations of the logarithm on either side of it: a steady rise is no step.
const BEYOND_NOISE: f64 = 4.0;
/// As many samples may be nearer to the level of the other side.
const STRAYS: f64 = 0.05;

/// A step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Step {
    /// When it was, milliseconds since the start of the series.
    pub at_ms: u64,
    /// Which rate is told.
    pub axis: Axis,
    /// The mean rate before it, in I/Os per second or MB/s as the axis says.
    pub rate_before: f64,
    /// The mean rate after it.
    pub rate_after: f64,
    /// The mean latency before it, microseconds.
    pub latency_before: Option<Latency>,
    /// The mean latency after it, microseconds.
    pub latency_after: Option<Latency>,
    /// What changed.
    pub cause: ChangeCause,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from {} on ", duration(self.at_ms as f64 / 1e3))?;
        let (before, after) = (grouped(self.rate_before, 0), grouped(self.rate_after, 0));
        let as_before = self.rate_after.max(self.rate_before)
            <= self.rate_after.min(self.rate_before) * AS_HIGH;
        match self.latency_before.zip(self.latency_after) {
            Some((was, is)) if as_before => write!(
                f,
                "each I/O took {is} ({was} before), at {after} {} as before",
                self.axis
            ),
            Some((was, is)) => write!(
                f,
                "{after} {} ({before} before), each I/O taking {is} ({was} before)",
                self.axis
            ),
            None => write!(f, "{after} {} ({before} before)", self.axis),
        }?;
        f.write_str(match self.cause {
            ChangeCause::Load => ": another load",
            ChangeCause::Slower => {
                ": it got slower for good (a limit that holds since, such as one of spent burst credit, a neighbour, or the device)"
            }
            ChangeCause::Faster => ": it got faster for good",
            ChangeCause::Unknown => ": another load or another pace, which latencies would tell",
        })
    }
}

/// The step of a series, in its rate or else in its latency; `None` where there is none, or too few samples to tell.
pub(super) fn step(view: &View<'_>) -> Option<Step> {
    let at = place(view.rate()).or_else(|| place(&view.latency))?;
    let (before, after) = (
        Stretch::of(view, 0, at)?,
        Stretch::of(view, at, view.len())?,
    );
    let latency = |of: Stretch| of.latency.and_then(|us| Latency::from_micros(us).ok());
    Some(Step {
        at_ms: view.span(at, at + 1).0,
        axis: view.axis(),
        rate_before: before.rate,
        rate_after: after.rate,
        latency_before: latency(before),
        latency_after: latency(after),
        cause: cause(before, after),
    })
}

/// The first sample after the step of `values`, where they have one: the levels are those on either side of where ranks
/// differ most (Pettitt), and the step is where hardly a sample is nearer to the level of the other side.
fn place(values: &[f64]) -> Option<usize> {
    let said = (0..values.len()).zip(values);
    let said = said.filter(|(_, value)| **value > 0.0);
    let (places, logs): (Vec<usize>, Vec<f64>) = said.map(|(i, value)| (i, value.ln())).unzip();
    let count = logs.len();
    if count < FEWEST_SAMPLES {
        return None;
    }
    let shortest = shortest(count);
    let (ranks, _) = ranks(&logs);
    let mut sum = 0.0;
    let sums = ranks.iter().map(|rank| {
        sum += rank - (count as f64 + 1.0) / 2.0;
        sum
    });
    let splits = (1..).zip(sums);
    let splits = splits.filter(|(at, _): &(usize, f64)| *at >= shortest && at + shortest <= count);
    let (about, _) = splits.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let (before, after) = logs.split_at_checked(about)?;
    let at = between(&logs, median(before)?, median(after)?)?;
    let (before, after) = logs.split_at_checked(at)?;
    let is_long = at >= shortest && at + shortest <= count;
    (is_long && is_step(before, after))
        .then(|| places.get(at).copied())
        .flatten()
}

/// How many of `logs` come before the step from one level to another, so that as few as can be are on the wrong side of it.
pub(super) fn between(logs: &[f64], was: f64, is: f64) -> Option<usize> {
    let mut score = 0_i64;
    let scores = logs.iter().map(|v| {
        score += if (v - was).abs() < (v - is).abs() {
            1
        } else {
            -1
        };
        score
    });
    let best = (1..).zip(scores).max_by_key(|(_, score)| *score);
    best.map(|(at, _)| at)
}

/// How many samples a level of a log of `count` has at least.
pub(super) fn shortest(count: usize) -> usize {
    let share = (count as f64 * LEAST_SHARE).ceil() as usize;
    SHORTEST.max(share.min(LONG_ENOUGH))
}

/// Whether two sides of which these are the medians and spreads, as logarithms, are far enough from each other.
pub(super) fn is_apart(before: (f64, f64), after: (f64, f64)) -> bool {
    let height = (after.0 - before.0).abs();
    height >= MATERIAL.ln() && height >= BEYOND_NOISE * before.1.max(after.1)
}

/// Whether two sides, as logarithms, are levels of their own.
pub(super) fn is_step(before: &[f64], after: &[f64]) -> bool {
    let (Some(was), Some(is)) = (median(before), median(after)) else {
        return false;
    };
    let noise = |side| spread(side).unwrap_or(f64::INFINITY);
    let strays = |side: &[f64], own: f64, other: f64| {
        let nearer = side
            .iter()
            .filter(|v| (**v - other).abs() < (**v - own).abs());
        nearer.count() as f64 > side.len() as f64 * STRAYS
    };
    is_apart((was, noise(before)), (is, noise(after)))
        && !strays(before, was, is)
        && !strays(after, is, was)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `before` until `at`, then `after`, each with 12 % of scatter from end to end.
    fn stepped(before: f64, after: f64, at: u32) -> Vec<f64> {
        let of = |i: u32| if i < at { before } else { after };
        (0..360)
            .map(|i| of(i) * (1.0 + 0.02 * f64::from(i * 7 % 13) - 0.12))
            .collect()
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        for at in [60, 130, 180, 240, 300] {
            assert_eq!(place(&stepped(3000.0, 1500.0, at)), Some(at as usize));
            assert_eq!(place(&stepped(1.2, 6.0, at)), Some(at as usize));
        }
    }

    #[test]
    fn what_comes_back_rises_slowly_or_scatters_is_no_step() {
        let both = |i: u32| {
            if (100..200).contains(&i) {
                1500.0
            } else {
                3000.0
            }
        };
        assert_eq!(place(&(0..360).map(both).collect::<Vec<f64>>()), None);
        let rise = (0..360).map(|i| 1000.0 + 5.0 * f64::from(i));
        assert_eq!(place(&rise.collect::<Vec<f64>>()), None);
        assert_eq!(place(&stepped(3000.0, 2900.0, 180)), None);
        let scattered = (0..360).map(|i| 1000.0 + 600.0 * f64::from(i * 37 % 101) / 100.0);
        assert_eq!(place(&scattered.collect::<Vec<f64>>()), None);
    }
}
