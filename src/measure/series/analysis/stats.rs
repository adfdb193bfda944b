//! The statistics that the judgements rest on: order statistics, ranks, slopes; nothing that a few outliers can bend.

/// Makes a median absolute deviation the standard deviation that a normal distribution would have.
const MAD_TO_SIGMA: f64 = 1.4826;

/// The most values that are correlated with each other: their pairs are many.
const MOST_CORRELATED: usize = 4096;

/// The numbers that are said.
pub(crate) fn said(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|v| !v.is_nan()).collect()
}

/// The median; `None` of nothing. Of an even number of values the mean of the middle two.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The value that `share` of the values are below, between neighbours in proportion; NaN is left out.
pub(crate) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = said(values);
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let (below, rest) = (place.floor() as usize, place.fract());
    let (_, low, above) = sorted.select_nth_unstable_by(below, f64::total_cmp);
    let low = *low;
    let next = above.iter().copied().reduce(f64::min).unwrap_or(low);
    Some(low + (next - low) * rest)
}

/// The standard deviation, estimated from the median absolute deviation.
pub(crate) fn spread(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    let off: Vec<f64> = said(values).iter().map(|v| (v - middle).abs()).collect();
    Some(median(&off)? * MAD_TO_SIGMA)
}

/// Values with their weights, sorted, for quantiles of many shares.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weighted {
    sorted: Vec<(f64, f64)>,
    total: f64,
}

impl Weighted {
    /// Of the values that are said and weigh something; `None` where there are none.
    pub fn of(values: &[f64], weights: &[f64]) -> Option<Self> {
        let mut sorted: Vec<(f64, f64)> = values
            .iter()
            .copied()
            .zip(weights.iter().copied())
            .filter(|(v, w)| !v.is_nan() && *w > 0.0)
            .collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let total = sorted.iter().map(|(_, w)| w).sum();
        (!sorted.is_empty()).then_some(Self { sorted, total })
    }

    /// The weighted mean.
    pub fn mean(&self) -> f64 {
        self.sorted.iter().map(|(v, w)| v * w).sum::<f64>() / self.total
    }

    /// The smallest value that `share` of the weight is at or below.
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = share * self.total;
        let mut sum = 0.0;
        for (value, weight) in &self.sorted {
            sum += weight;
            // A hair less, so that sums of fractions do not miss their mark.
            if sum >= wanted * (1.0 - 1e-12) {
                return *value;
            }
        }
        self.sorted.last().map_or(f64::NAN, |(v, _)| *v)
    }
}

/// The chance that a standard normal variable is above `z`.
pub(crate) fn normal_above(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// The chance of `least` successes or more in `all` trials of which each succeeds with `chance`.
pub(crate) fn binomial_at_least(least: usize, all: usize, chance: f64) -> f64 {
    if least == 0 || chance >= 1.0 {
        return 1.0;
    }
    if chance <= 0.0 {
        return 0.0;
    }
    let ln_factorial = |n: usize| libm::lgamma(n as f64 + 1.0);
    let term = |k: usize| {
        let ways = ln_factorial(all) - ln_factorial(k) - ln_factorial(all - k);
        (ways + k as f64 * chance.ln() + (all - k) as f64 * (1.0 - chance).ln()).exp()
    };
    (least..=all).map(term).sum::<f64>().min(1.0)
}

/// A comparison of two samples by ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RankTest {
    /// The chance that a value of the first sample is above one of the second (ties count half): 0.5 is no
    /// difference.
    pub above: f64,
    /// The two-sided chance of a difference like this among samples of one population.
    pub p: f64,
}

/// Ranks of values, ties sharing their mean rank; and the sum of t^3 - t over all ties.
pub(crate) fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    let at = |i: usize| values.get(i).copied().unwrap_or(f64::NAN);
    order.sort_unstable_by(|a, b| at(*a).total_cmp(&at(*b)));
    let mut ranks = vec![0.0; values.len()];
    let mut ties = 0.0;
    let mut place = 0;
    for group in order.chunk_by(|a, b| at(*a) == at(*b)) {
        let rank = place as f64 + (group.len() as f64 + 1.0) / 2.0;
        for i in group {
            if let Some(slot) = ranks.get_mut(*i) {
                *slot = rank;
            }
        }
        place += group.len();
        ties += (group.len() as f64).powi(3) - group.len() as f64;
    }
    (ranks, ties)
}

/// The Mann-Whitney test, by its normal approximation with corrections for ties and continuity (good from some eight
/// values a side). `None` where a side is empty.
pub(crate) fn mann_whitney(first: &[f64], second: &[f64]) -> Option<RankTest> {
    let (m, n) = (first.len() as f64, second.len() as f64);
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let pooled: Vec<f64> = first.iter().chain(second).copied().collect();
    let (ranks, ties) = ranks(&pooled);
    let sum: f64 = ranks.iter().take(first.len()).sum();
    let u = sum - m * (m + 1.0) / 2.0;
    let all = m + n;
    let variance = m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    Some(RankTest {
        above: u / (m * n),
        p: two_sided((u - m * n / 2.0).abs(), variance),
    })
}

/// The Wilcoxon signed-rank test of whether `differences` lie around 0. `above` is the share of the rank sum that the
/// positive ones have. `None` where all are 0.
pub(crate) fn signed_ranks(differences: &[f64]) -> Option<RankTest> {
    let nonzero: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    if nonzero.is_empty() {
        return None;
    }
    let sizes: Vec<f64> = nonzero.iter().map(|d| d.abs()).collect();
    let (ranks, ties) = ranks(&sizes);
    let n = nonzero.len() as f64;
    let sum: f64 = nonzero
        .iter()
        .zip(&ranks)
        .filter(|(d, _)| **d > 0.0)
        .map(|(_, rank)| rank)
        .sum();
    let total = n * (n + 1.0) / 2.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    Some(RankTest {
        above: sum / total,
        p: two_sided((sum - total / 2.0).abs(), variance),
    })
}

/// The two-sided chance of a deviation, with the correction for continuity.
fn two_sided(deviation: f64, variance: f64) -> f64 {
    if variance <= 0.0 {
        return 1.0;
    }
    let z = (deviation - 0.5).max(0.0) / variance.sqrt();
    (2.0 * normal_above(z)).min(1.0)
}

/// The Theil-Sen slope of values a step apart: the median of the slopes of all pairs.
pub(crate) fn theil_sen(values: &[f64]) -> Option<f64> {
    let mut slopes = Vec::with_capacity(values.len() * values.len().saturating_sub(1) / 2);
    for (i, a) in values.iter().enumerate() {
        for (j, b) in values.iter().enumerate().skip(i + 1) {
            slopes.push((b - a) / (j - i) as f64);
        }
    }
    median(&slopes)
}

/// The Mann-Kendall test for a trend: the two-sided chance of as many rises over falls without one. `time` is how many
/// values are worth one that is independent: it makes the score as much more variable.
pub(crate) fn mann_kendall(values: &[f64], time: f64) -> f64 {
    let n = values.len() as f64;
    let mut score: f64 = 0.0;
    for (i, a) in values.iter().enumerate() {
        for b in values.iter().skip(i + 1) {
            score += match b.total_cmp(a) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Less => -1.0,
                std::cmp::Ordering::Equal => 0.0,
            };
        }
    }
    // Ties make the variance smaller: leaving that out keeps the test on the safe side.
    let variance = n * (n - 1.0) * (2.0 * n + 5.0) / 18.0;
    two_sided(score.abs() - 0.5, variance * time.max(1.0))
}

/// How many samples in a row carry as much as one independent one would: the integrated autocorrelation time,
/// 1 + 2 x the sum of the autocorrelations up to the first that is not positive. At least 1. Of very many samples the
/// means of neighbours are looked at, so that the answer can only be too long.
pub(crate) fn autocorrelation_time(values: &[f64]) -> f64 {
    let values = said(values);
    let coarse = values.len().div_ceil(MOST_CORRELATED).max(1);
    let means: Vec<f64> = values
        .chunks(coarse)
        .map(|chunk| chunk.iter().sum::<f64>() / chunk.len() as f64)
        .collect();
    correlation_time(&means) * coarse as f64
}

fn correlation_time(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 4 {
        return 1.0;
    }
    let mean = values.iter().sum::<f64>() / n as f64;
    let off: Vec<f64> = values.iter().map(|v| v - mean).collect();
    let variance: f64 = off.iter().map(|d| d * d).sum();
    // What rounding alone makes of equal values is no correlation.
    if variance <= mean * mean * n as f64 * f64::EPSILON {
        return 1.0;
    }
    let mut time = 1.0;
    for lag in 1..n / 2 {
        let covariance: f64 = off
            .iter()
            .zip(off.iter().skip(lag))
            .map(|(a, b)| a * b)
            .sum();
        let correlation = covariance / variance;
        if correlation <= 0.0 {
            break;
        }
        time += 2.0 * correlation;
    }
    time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(read: f64, expected: f64, within: f64) {
        assert!(
            (read - expected).abs() <= within,
            "{read} is not {expected}"
        );
    }

    #[test]
    fn order_statistics() {
        assert_eq!(median(&[3.0, f64::NAN, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(quantile(&[0.0, 10.0, 20.0], 0.75), Some(15.0));
        assert_eq!(median(&[]), None);
        // Deviations from the median 3: 2, 1, 0, 1, 97; their median 1.
        close(spread(&[1.0, 2.0, 3.0, 4.0, 100.0]).unwrap(), 1.4826, 1e-12);
    }

    #[test]
    fn weights_count() {
        let weighted = Weighted::of(&[1.0, 2.0, f64::NAN, 9.0], &[1.0, 2.0, 5.0, 1.0]).unwrap();
        assert_eq!(weighted.mean(), 3.5);
        assert_eq!(weighted.quantile(0.25), 1.0);
        assert_eq!(weighted.quantile(0.5), 2.0);
        assert_eq!(weighted.quantile(0.9), 9.0);
        assert_eq!(Weighted::of(&[1.0], &[0.0]), None);
    }

    #[test]
    fn the_normal_tail() {
        close(normal_above(0.0), 0.5, 1e-15);
        close(normal_above(1.959_964), 0.025, 1e-7);
        close(normal_above(-1.0), 0.841_344_746, 1e-9);
    }

    #[test]
    fn binomial_tails() {
        // 8 heads of 8: 1 / 256; 9 or 10 of 10: 11 / 1024.
        close(binomial_at_least(8, 8, 0.5), 1.0 / 256.0, 1e-12);
        close(binomial_at_least(9, 10, 0.5), 11.0 / 1024.0, 1e-12);
        assert_eq!(binomial_at_least(0, 0, 0.5), 1.0);
        close(binomial_at_least(1, 2, 0.25), 0.4375, 1e-12);
    }

    #[test]
    fn mann_whitney_of_a_worked_example() {
        // All of the first above all of the second: U = 25 of 25; z = (12.5 - 0.5) / sqrt(25 x 11 / 12) = 2.5067.
        let test = mann_whitney(&[6.0, 7.0, 8.0, 9.0, 10.0], &[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(test.above, 1.0);
        close(test.p, 0.012_186, 1e-5);
        let same = mann_whitney(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!((same.above, same.p), (0.5, 1.0));
        assert_eq!(mann_whitney(&[5.0; 9], &[5.0; 9]).unwrap().p, 1.0);
    }

    #[test]
    fn signed_ranks_of_a_worked_example() {
        // Ranks of sizes 1..8, the negative ones being 1 and 2: positive sum 33 of 36; z = (15 - 0.5) / sqrt(51).
        let test = signed_ranks(&[-1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
        close(test.above, 33.0 / 36.0, 1e-12);
        close(test.p, 2.0 * normal_above(14.5 / 51_f64.sqrt()), 1e-12);
        assert_eq!(signed_ranks(&[0.0, 0.0]), None);
    }

    #[test]
    fn slopes_do_not_mind_an_outlier() {
        assert_eq!(theil_sen(&[0.0, 2.0, 4.0, 600.0, 8.0]), Some(2.0));
        assert!(mann_kendall(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 1.0) < 0.001);
        assert!(mann_kendall(&[1.0, -1.0, 1.0, -1.0, 1.0, -1.0], 1.0) > 0.5);
    }

    #[test]
    fn runs_of_alike_values_lengthen_the_autocorrelation_time() {
        let alternating: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        assert_eq!(autocorrelation_time(&alternating), 1.0);
        let runs: Vec<f64> = (0..200).map(|i| f64::from((i / 10) % 2)).collect();
        assert!(autocorrelation_time(&runs) > 4.0);
        assert_eq!(autocorrelation_time(&[5.0; 50]), 1.0);
        assert_eq!(autocorrelation_time(&[1.25_f64.ln(); 720]), 1.0);
    }
}
