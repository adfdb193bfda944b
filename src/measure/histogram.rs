//! What a latency histogram tells: its total, its percentiles, and the histogram of several together.

use std::collections::BTreeMap;

use super::model::{Bin, Histogram, Percentile};
use crate::units::Latency;

impl Histogram {
    /// From bins in any order; empty ones are left out, and those of the same latency put together.
    #[must_use]
    pub fn from_bins(bins: impl IntoIterator<Item = Bin>) -> Self {
        let bins: Vec<Bin> = bins.into_iter().filter(|bin| bin.count > 0).collect();
        if bins.is_sorted_by(|a, b| a.latency < b.latency) {
            return Self { bins };
        }
        // Latencies are finite and not negative, and the bits of such floats sort as the floats do.
        let mut sums: BTreeMap<u64, Bin> = BTreeMap::new();
        for bin in bins {
            let sum = sums
                .entry(bin.latency.micros().to_bits())
                .or_insert(Bin { count: 0, ..bin });
            sum.count = sum.count.saturating_add(bin.count);
        }
        Self {
            bins: sums.into_values().collect(),
        }
    }

    /// All I/Os.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bins
            .iter()
            .fold(0, |sum, bin| sum.saturating_add(bin.count))
    }

    /// The latency of the bin in which `percent` of the I/Os are reached; `None` where there are no I/Os.
    #[must_use]
    pub fn percentile(&self, percent: f64) -> Option<Latency> {
        let wanted = percent / 100.0 * self.count() as f64;
        let mut seen = 0_u64;
        self.bins
            .iter()
            .find(|bin| {
                seen = seen.saturating_add(bin.count);
                seen as f64 >= wanted
            })
            .map(|bin| bin.latency)
    }

    /// The percentiles `percents`, in their order.
    #[must_use]
    pub fn percentiles(&self, percents: &[f64]) -> Vec<Percentile> {
        percents
            .iter()
            .filter_map(|&percent| {
                let latency = self.percentile(percent)?;
                Some(Percentile { percent, latency })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(us: f64, count: u64) -> Bin {
        let latency = Latency::from_micros(us).unwrap();
        Bin { latency, count }
    }

    #[test]
    fn bins_are_sorted_put_together_and_never_empty() {
        let histogram =
            Histogram::from_bins([bin(200.0, 5), bin(100.0, 90), bin(7.0, 0), bin(200.0, 5)]);
        assert_eq!(histogram.bins, [bin(100.0, 90), bin(200.0, 10)]);
        assert_eq!(histogram.count(), 100);
    }

    #[test]
    fn a_percentile_is_the_bin_that_reaches_it() {
        let histogram = Histogram::from_bins([bin(100.0, 90), bin(200.0, 9), bin(900.0, 1)]);
        let at = |percent| histogram.percentile(percent).unwrap().micros();
        assert_eq!(at(50.0), 100.0);
        assert_eq!(at(90.0), 100.0);
        assert_eq!(at(90.5), 200.0);
        assert_eq!(at(99.0), 200.0);
        assert_eq!(at(100.0), 900.0);
        assert_eq!(Histogram::default().percentile(50.0), None);
    }
}
