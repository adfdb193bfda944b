//! How the latencies of a test are spread, for pictures: percentiles, and a histogram where the tool has one.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::measure::judge::Judgement;
use crate::measure::model::{Histogram, Percentile, Run};
use crate::measure::test_name::describe;
use crate::units::{Latency, Share};

/// The percentiles that a histogram is asked for: enough for a smooth curve, the tail by nines.
const PERCENTS: [f64; 18] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99, 99.999,
];
/// The fewest percentiles that make a curve.
const FEWEST: usize = 3;
/// Bins of a histogram to a power of ten: each a tenth longer than the one before, and wider than any tool's.
const BINS_PER_DECADE: f64 = 20.0;

/// How the latencies of one test are spread.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencySpread {
    /// The test: its kind where that tells it apart, else as the results name it.
    pub test: String,
    /// Percentiles, ascending.
    pub percentiles: Vec<Percentile>,
    /// A histogram, evenly divided by powers of ten, no bin left out between the first and the last; empty where the
    /// tool has none.
    pub bins: Vec<LatencyBin>,
}

/// One bin of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatencyBin {
    /// Where it begins, microseconds.
    pub from_us: Latency,
    /// Where it ends, microseconds.
    pub to_us: Latency,
    /// The part of all I/Os that took as long.
    pub share: Share,
}

/// The spreads of the tests that have some percentiles.
pub(super) fn of_run(run: &Run, judgement: &Judgement) -> Vec<LatencySpread> {
    let tests = run.tests.iter().zip(&judgement.tests);
    // A tool's own names may be long: the kind of test is enough where it tells tests apart.
    let mut kinds: HashMap<String, usize> = HashMap::new();
    for test in &run.tests {
        *kinds.entry(describe(&test.kind)).or_default() += 1;
    }
    let unique = |kind: &String| kinds.get(kind) == Some(&1);
    let spreads = tests.filter_map(|(test, report)| {
        let histogram = test.histogram.as_ref().filter(|h| h.count() > 0);
        let percentiles = match (histogram, &test.latency) {
            (Some(histogram), _) => smooth(histogram),
            (None, Some(latency)) => latency.percentiles.clone(),
            (None, None) => Vec::new(),
        };
        (percentiles.len() >= FEWEST).then(|| LatencySpread {
            test: Some(describe(&test.kind))
                .filter(unique)
                .unwrap_or_else(|| report.name.clone()),
            percentiles,
            bins: histogram.map_or_else(Vec::new, bins),
        })
    });
    spreads.collect()
}

/// The percentiles that the histogram has enough I/Os for: at least one above each.
fn smooth(histogram: &Histogram) -> Vec<Percentile> {
    let count = histogram.count() as f64;
    let known: Vec<f64> = PERCENTS
        .into_iter()
        .filter(|percent| count * (100.0 - percent) >= 100.0)
        .collect();
    histogram.percentiles(&known)
}

/// The histogram in bins of one width on a logarithmic scale. What took no time at all counts as a nanosecond.
fn bins(histogram: &Histogram) -> Vec<LatencyBin> {
    let place = |latency: Latency| {
        let nanoseconds = (latency.micros() * 1e3).max(1.0);
        (nanoseconds.log10() * BINS_PER_DECADE).floor() as usize
    };
    let places = histogram.bins.iter().map(|bin| place(bin.latency));
    let (Some(first), Some(last)) = (places.clone().min(), places.max()) else {
        return Vec::new();
    };
    let mut counts = vec![0_u64; last - first + 1];
    for bin in &histogram.bins {
        if let Some(count) = counts.get_mut(place(bin.latency) - first) {
            *count = count.saturating_add(bin.count);
        }
    }
    let all = histogram.count() as f64;
    let edge =
        |place: usize| Latency::from_micros(10_f64.powf(place as f64 / BINS_PER_DECADE - 3.0));
    let bin = |(index, count): (usize, u64)| {
        Some(LatencyBin {
            from_us: edge(first + index).ok()?,
            to_us: edge(first + index + 1).ok()?,
            share: Share::new(count as f64 / all).ok()?,
        })
    };
    counts.into_iter().enumerate().filter_map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::model::Bin;

    fn histogram(bins: &[(f64, u64)]) -> Histogram {
        Histogram::from_bins(bins.iter().map(|(us, count)| Bin {
            latency: Latency::from_micros(*us).unwrap(),
            count: *count,
        }))
    }

    #[test]
    fn bins_are_a_twentieth_of_a_power_of_ten_wide_without_a_hole() {
        // 100 us is the 100,000th nanosecond: place 100; 200 us place 106.
        let bins = bins(&histogram(&[(100.0, 30), (101.0, 60), (200.0, 10)]));
        let shares: Vec<f64> = bins.iter().map(|bin| bin.share.get()).collect();
        assert_eq!(shares, [0.9, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1]);
        assert!((bins[0].from_us.micros() - 100.0).abs() < 1e-6);
        assert!((bins[0].to_us.micros() - 112.2018).abs() < 1e-3);
    }

    #[test]
    fn a_tail_needs_ios_in_it() {
        let few = smooth(&histogram(&[(100.0, 99), (900.0, 1)]));
        assert_eq!(few.last().map(|p| p.percent), Some(99.0));
        let many = smooth(&histogram(&[(100.0, 99_000), (900.0, 1_000)]));
        assert_eq!(many.last().map(|p| p.percent), Some(99.999));
    }
}
