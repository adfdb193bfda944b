//! How a quantity spread over the samples.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stats::Weighted;
use crate::measure::series::column::Quantity;

/// How a quantity spread over the samples. Rates are weighted by time, latencies by I/O count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Distribution<Q> {
    /// The mean.
    pub mean: Q,
    /// The lowest.
    pub min: Q,
    /// 1 % were at or below.
    pub p1: Q,
    /// 5 % were at or below.
    pub p5: Q,
    /// Half were at or below.
    pub p50: Q,
    /// 95 % were at or below.
    pub p95: Q,
    /// 99 % were at or below.
    pub p99: Q,
    /// The highest.
    pub max: Q,
}

impl<Q: Quantity> Distribution<Q> {
    /// Of numbers in the unit of `Q` with their weights; `None` where nothing is said.
    pub(super) fn of(values: &[f64], weights: &[f64]) -> Option<Self> {
        let weighted = Weighted::of(values, weights)?;
        let at = |share: f64| Q::try_from(weighted.quantile(share)).ok();
        Some(Self {
            mean: Q::try_from(weighted.mean()).ok()?,
            min: at(0.0)?,
            p1: at(0.01)?,
            p5: at(0.05)?,
            p50: at(0.5)?,
            p95: at(0.95)?,
            p99: at(0.99)?,
            max: at(1.0)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Latency;

    #[test]
    fn a_latency_with_few_ios_weighs_little() {
        // 990 I/Os at 1 ms and 10 at 100 ms: mean 1.99 ms, not 50.5.
        let spread: Distribution<Latency> =
            Distribution::of(&[1000.0, 100_000.0], &[990.0, 10.0]).unwrap();
        assert!((spread.mean.micros() - 1990.0).abs() < 1e-9);
        assert_eq!(spread.p95, Latency::whole(1000));
        assert_eq!(spread.p99, Latency::whole(1000));
        assert_eq!(spread.max, Latency::whole(100_000));
        assert_eq!(Distribution::<Latency>::of(&[f64::NAN], &[1.0]), None);
    }
}
