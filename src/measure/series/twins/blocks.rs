//! Samples summed up in blocks that are long enough to be independent of each other.
//!
//! Neighbouring samples are alike: a test that took each for a new observation would find differences everywhere.
//! The autocorrelation says how many samples are worth one; blocks are twice as long.

use crate::catalog::Axis;
use crate::measure::series::analysis::stats::{autocorrelation_time, median};
use crate::measure::series::model::DiskSeries;

/// The fewest blocks that a peer is compared by.
pub(super) const FEWEST: usize = 8;
/// The most blocks that are made: more say nothing new.
const MOST: usize = 64;
/// A standstill counts as this part of the usual rate, so that its logarithm is finite.
const STANDSTILL: f64 = 0.01;

/// What slowness is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// Latency: the higher, the slower.
    Latency,
    /// A rate: the lower, the slower (if as much was asked).
    Rate(Axis),
}

impl Metric {
    /// Latency where all have it, else a rate that all have.
    pub fn of(series: &[&DiskSeries]) -> Option<Self> {
        let all = |says: fn(&DiskSeries) -> bool| series.iter().all(|s| says(s));
        if all(|s| !s.total.latency.is_empty()) {
            Some(Self::Latency)
        } else if all(|s| !s.total.iops.is_empty()) {
            Some(Self::Rate(Axis::Iops))
        } else if all(|s| !s.total.mbps.is_empty()) {
            Some(Self::Rate(Axis::Mbps))
        } else {
            None
        }
    }

    /// The samples with what they weigh.
    pub fn samples(self, series: &DiskSeries) -> Vec<Option<Sample>> {
        let rate = |i: usize, axis: Axis| match axis {
            Axis::Iops => series.total.iops.number(i),
            Axis::Mbps => series.total.mbps.number(i),
        };
        (0..series.len())
            .map(|i| {
                let seconds = series.seconds(i).max(1e-3);
                Some(match self {
                    Self::Latency => Sample {
                        value: series.total.latency.number(i)?,
                        weight: seconds * series.total.iops.number(i).unwrap_or(1.0),
                    },
                    Self::Rate(axis) => Sample {
                        value: rate(i, axis)?,
                        weight: seconds,
                    },
                })
            })
            .collect()
    }

    /// Slowness on a logarithmic scale: the same step up is the same factor slower.
    pub fn slowness(self, value: f64) -> f64 {
        match self {
            Self::Latency => value.ln(),
            Self::Rate(_) => -value.ln(),
        }
    }
}

/// A value and its weight: the I/Os that a latency is of, the time that a rate is of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub value: f64,
    pub weight: f64,
}

/// The slowness of blocks of samples; what is not said is passed over.
pub(super) fn blocks(metric: Metric, samples: &[Option<Sample>]) -> Vec<f64> {
    let said: Vec<Sample> = samples.iter().flatten().copied().collect();
    let values: Vec<f64> = said.iter().map(|s| s.value).collect();
    let floor = median(&values).unwrap_or(0.0) * STANDSTILL;
    let single: Vec<f64> = values
        .iter()
        .map(|v| metric.slowness(v.max(floor)))
        .collect();
    whole(&said, length(&single))
        .map(|block| metric.slowness(mean(block).max(floor)))
        .filter(|slowness| slowness.is_finite())
        .collect()
}

/// The mean of blocks of numbers, which are as long as makes them independent of each other where what is beyond `most`,
/// either way, is taken for as much.
pub(super) fn blocks_of(values: &[f64], most: f64) -> Vec<f64> {
    let clamped: Vec<f64> = values.iter().map(|v| v.clamp(-most, most)).collect();
    whole(values, length(&clamped))
        .map(|block| block.iter().sum::<f64>() / block.len() as f64)
        .collect()
}

fn mean(block: &[Sample]) -> f64 {
    let weights: f64 = block.iter().map(|s| s.weight).sum();
    let sum: f64 = block.iter().map(|s| s.value * s.weight).sum();
    if weights > 0.0 {
        sum / weights
    } else {
        f64::NAN
    }
}

/// How many samples make a block.
fn length(values: &[f64]) -> usize {
    let independent = (2.0 * autocorrelation_time(values)).ceil() as usize;
    independent.max(values.len().div_ceil(MOST)).max(1)
}

/// The blocks that are whole.
fn whole<T>(values: &[T], length: usize) -> impl Iterator<Item = &[T]> {
    values.chunks_exact(length.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_weighs_its_latencies_by_their_ios() {
        // 900 I/Os at 1 ms and 100 at 11 ms: 2 ms.
        let samples =
            [(1000.0, 900.0), (11_000.0, 100.0)].map(|(value, weight)| Sample { value, weight });
        assert_eq!(mean(&samples), 2000.0);
    }

    #[test]
    fn independent_samples_make_many_blocks_and_alike_ones_few() {
        let noise: Vec<f64> = (0..512).map(|i| f64::from((i * 7919) % 101)).collect();
        let slow: Vec<f64> = (0..512).map(|i| f64::from((i / 64) % 2)).collect();
        assert!(blocks_of(&noise, 1e3).len() > 40);
        assert!(blocks_of(&slow, 1e3).len() < FEWEST);
        // From 7 times as slow to 11 times, after a third of the time: slow throughout.
        let slower: Vec<f64> = (0..512)
            .map(|i| if i < 170 { 7_f64.ln() } else { 11_f64.ln() })
            .collect();
        assert!(blocks_of(&slower, 1e3).len() < FEWEST);
        assert_eq!(blocks_of(&slower, 1.25_f64.ln()).len(), 64);
    }
}
