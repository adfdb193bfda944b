//! Drift: a rate or latency that rises or falls over the whole log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stats::{autocorrelation_time, mann_kendall, median, quantile, spread, theil_sen};

/// The fewest samples that a trend is looked for in.
pub(super) const FEWEST_SAMPLES: usize = 20;
/// The samples are summed up in this many blocks: it takes the noise out, and neighbours that are alike count once.
const BLOCKS: usize = 20;
/// A change over the whole log that matters.
const MATERIAL: f64 = 0.1;
/// A part of the log at this many times the rate or latency of another is not steady.
const WANDERING: f64 = 1.5;
/// The chance of a trend like this by accident that is still taken for one.
const CHANCE: f64 = 0.01;

/// A trend.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Drift {
    /// The change from the start of the log to its end, as a part of what it was at the start (-0.3: fell by 30 %).
    pub change: f64,
    /// The same for an hour.
    pub change_per_hour: f64,
    /// The chance of a trend like this by accident.
    pub p: f64,
}

/// Whether `values` are now higher and now lower, although no trend or level may be made out.
pub(super) fn wanders(values: &[f64]) -> bool {
    let blocks = values.chunks(values.len().div_ceil(BLOCKS).max(1));
    let blocks: Vec<f64> = blocks.filter_map(median).filter(|v| *v > 0.0).collect();
    let ends = (quantile(&blocks, 0.0)).zip(quantile(&blocks, 1.0));
    ends.is_some_and(|(low, high)| high > low * WANDERING)
}

/// The trend of `values` over `seconds`; `None` where there is none that matters, or too few samples to tell.
pub(super) fn drift(values: &[f64], seconds: f64) -> Option<Drift> {
    if values.len() < FEWEST_SAMPLES || seconds <= 0.0 {
        return None;
    }
    let size = values.len().div_ceil(BLOCKS);
    let blocks: Vec<f64> = values.chunks(size).filter_map(median).collect();
    let level = median(&blocks).filter(|level| *level > 0.0)?;
    let slope = theil_sen(&blocks)?;
    let (first, last) = ends(&blocks, slope)?;
    let change = last / first - 1.0;
    let p = mann_kendall(&blocks, worth_one(&blocks, slope));
    ((last - first).abs() >= MATERIAL * level && p <= CHANCE).then(|| Drift {
        change,
        change_per_hour: change * 3600.0 / seconds,
        p,
    })
}

/// Where the line through the blocks begins and ends; where it leaves what a rate can be, the first and last block.
fn ends(blocks: &[f64], slope: f64) -> Option<(f64, f64)> {
    let middle = (blocks.len() - 1) as f64 / 2.0;
    let off = (0..)
        .zip(blocks)
        .map(|(i, v)| v - slope * (f64::from(i) - middle));
    let level = median(&off.collect::<Vec<f64>>())?;
    let half = slope * blocks.len() as f64 / 2.0;
    let ends = if half.abs() < level {
        (level - half, level + half)
    } else {
        (*blocks.first()?, *blocks.last()?)
    };
    (ends.0 > 0.0).then_some(ends)
}

/// How many blocks are worth one that is independent, by what is left of them beside the trend: what wanders is not a
/// trend. Where that is less than a step of the trend it cannot turn the order of blocks, and does not matter.
fn worth_one(blocks: &[f64], slope: f64) -> f64 {
    let steps = (0..).zip(blocks);
    let beside: Vec<f64> = steps.map(|(i, v)| v - slope * f64::from(i)).collect();
    match spread(&beside) {
        Some(noise) if noise > slope.abs() => autocorrelation_time(&beside),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fall_by_a_third_is_told_and_its_pace() {
        // From 1200 to 900 in two hours: -300 of 1200.
        let values: Vec<f64> = (0..240)
            .map(|i| 1200.0 - 300.0 * f64::from(i) / 239.0)
            .collect();
        let drift = drift(&values, 7200.0).unwrap();
        assert!((drift.change - -0.25).abs() < 0.01, "{drift:?}");
        assert!((drift.change_per_hour * 2.0 - drift.change).abs() < 1e-12);
    }

    #[test]
    fn a_fall_is_never_by_more_than_all() {
        // 3,000 to 500 is 83 %; the other way it is five times as much again.
        let falls: Vec<f64> = (0..540)
            .map(|i| 3000.0 - 2500.0 * f64::from(i) / 539.0)
            .collect();
        let rises: Vec<f64> = falls.iter().rev().copied().collect();
        assert!((drift(&falls, 5400.0).unwrap().change + 0.833).abs() < 0.01);
        assert!((drift(&rises, 5400.0).unwrap().change - 5.0).abs() < 0.1);
    }

    #[test]
    fn a_working_day_is_not_steady() {
        let day = |i: u32| 1400.0 - 1100.0 * (f64::from(i) / 720.0 * std::f64::consts::TAU).cos();
        assert!(wanders(&(0..720).map(day).collect::<Vec<f64>>()));
        let noise = |i: u32| 1000.0 + 300.0 * f64::from(i * 37 % 101) / 100.0;
        assert!(!wanders(&(0..720).map(noise).collect::<Vec<f64>>()));
    }

    #[test]
    fn what_goes_up_and_down_does_not_drift() {
        let values: Vec<f64> = (0..200)
            .map(|i| 1000.0 + f64::from((i * 37) % 101))
            .collect();
        assert_eq!(drift(&values, 200.0), None);
        assert_eq!(drift(&[5.0; 100], 100.0), None);
        assert_eq!(drift(&[1.0, 2.0, 3.0], 3.0), None);
    }
}
