//! One peer against the others: by ranks, with the size of the difference and how sure it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MATERIAL;
use crate::measure::series::analysis::stats::{
    RankTest, mann_whitney, median, quantile, signed_ranks, spread,
};

/// The two-sided 95 % quantile of the normal distribution.
const Z_95: f64 = 1.959_964;
/// Peers that differ less than this (on the logarithmic scale: 5 %) are alike, however small their own spread is.
const NATURAL_SPREAD: f64 = 0.05;

/// How much slower a peer is than the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slowness {
    /// So many times as slow as the others (2: twice the latency, or half the rate): the middle of all differences, of which
    /// the next two are the bounds.
    pub ratio: f64,
    /// At least so many times (95 % confidence).
    pub low: f64,
    /// At most so many times (95 % confidence).
    pub high: f64,
    /// The chance that a block of this peer is slower than one of the others (0.5: no difference).
    pub slower: f64,
    /// How sure it is that there is a difference at all: 1 less the chance of an accident, for all peers together.
    pub confidence: f64,
    /// How far out it is among the peers, in robust standard deviations of the others; unknown of a pair.
    pub deviation: Option<f64>,
    /// How many independent blocks that rests on.
    pub blocks: usize,
}

impl Slowness {
    /// The confidence in per cent as people are told it: never quite sure.
    #[must_use]
    pub const fn sure_pct(&self) -> f64 {
        (self.confidence * 100.0).min(99.9)
    }
}

/// Compares blocks that were not measured at the same time.
pub(super) fn apart(index: usize, all: &[Vec<f64>]) -> Option<Slowness> {
    let own = all.get(index)?;
    let each: Vec<f64> = all.iter().filter_map(|b| median(b)).collect();
    let usual = usual_of(index, &each);
    let others = usual.into_iter().filter_map(|place| all.get(place));
    let others: Vec<f64> = others.flatten().copied().collect();
    let test = mann_whitney(own, &others)?;
    let levels: Vec<f64> = rest(index, all).filter_map(|b| median(b)).collect();
    let mut differences: Vec<f64> = own
        .iter()
        .flat_map(|a| others.iter().map(move |b| a - b))
        .collect();
    let (m, n) = (own.len() as f64, others.len() as f64);
    let margin = Z_95 * (m * n * (m + n + 1.0) / 12.0).sqrt();
    let bounds = Bounds::of(&mut differences, margin);
    Some(Slowness {
        deviation: deviation(median(own)?, &levels),
        ..result(test, &bounds, all.len(), own.len())
    })
}

/// Compares blocks of differences to the others, measured at the same time.
pub(super) fn together(index: usize, all: &[Vec<f64>]) -> Option<Slowness> {
    let own = all.get(index)?;
    // Where all differences are 0 there is nothing to rank, and no difference.
    let test = signed_ranks(own).unwrap_or(RankTest { above: 0.5, p: 1.0 });
    let mut means: Vec<f64> = own
        .iter()
        .enumerate()
        .flat_map(|(i, a)| own.iter().skip(i).map(move |b| f64::midpoint(*a, *b)))
        .collect();
    let n = own.len() as f64;
    let margin = Z_95 * (n * (n + 1.0) * (2.0 * n + 1.0) / 24.0).sqrt();
    let bounds = Bounds::of(&mut means, margin);
    let levels: Vec<f64> = rest(index, all).filter_map(|b| median(b)).collect();
    Some(Slowness {
        deviation: deviation(median(own)?, &levels),
        ..result(test, &bounds, all.len(), own.len())
    })
}

/// The peers that one is compared with, by their levels (on the logarithmic scale): the others, without those that are far
/// from most. One slow peer among three others would move their middle, and make the rest look fast.
pub(super) fn usual_of(index: usize, levels: &[f64]) -> Vec<usize> {
    let middle = median(levels).unwrap_or(0.0);
    let others = || (0..levels.len()).filter(|place| *place != index);
    let is_near = |place: &usize| {
        let level = levels.get(*place);
        level.is_some_and(|level| (level - middle).abs() < MATERIAL.ln())
    };
    let near: Vec<usize> = others().filter(is_near).collect();
    if near.is_empty() {
        others().collect()
    } else {
        near
    }
}

fn rest(index: usize, all: &[Vec<f64>]) -> impl Iterator<Item = &Vec<f64>> {
    all.iter()
        .enumerate()
        .filter(move |(i, _)| *i != index)
        .map(|(_, blocks)| blocks)
}

/// A difference with its confidence bounds (Hodges and Lehmann).
struct Bounds {
    middle: f64,
    low: f64,
    high: f64,
}

impl Bounds {
    /// The middle of `differences`, and those that so many of them lie between.
    fn of(differences: &mut [f64], margin: f64) -> Self {
        let count = differences.len() as f64;
        let outside = ((count / 2.0 - margin) / (count - 1.0).max(1.0)).clamp(0.0, 0.5);
        let at = |share: f64| quantile(differences, share).unwrap_or(f64::NAN);
        Self {
            middle: at(0.5),
            low: at(outside),
            high: at(1.0 - outside),
        }
    }
}

fn result(test: RankTest, bounds: &Bounds, peers: usize, blocks: usize) -> Slowness {
    Slowness {
        ratio: bounds.middle.exp(),
        low: bounds.low.exp(),
        high: bounds.high.exp(),
        slower: test.above,
        // Each peer is tested, so each test has to be that much stricter (Bonferroni).
        confidence: (1.0 - test.p * peers as f64).max(0.0),
        deviation: None,
        blocks,
    }
}

/// How far `level` is from the others, in their robust standard deviations.
fn deviation(level: f64, others: &[f64]) -> Option<f64> {
    if others.len() < 2 {
        return None;
    }
    let scale = spread(others)?.max(NATURAL_SPREAD);
    Some((level - median(others)?) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight values around `level`, evenly spaced, 0.07 apart in all.
    fn around(level: f64) -> Vec<f64> {
        (0..8).map(|i| level + 0.01 * f64::from(i)).collect()
    }

    #[test]
    fn twice_as_slow_among_three() {
        let all = [around(0.0), around(0.01), around(2_f64.ln())];
        let slow = apart(2, &all).unwrap();
        assert!(
            (slow.ratio - 2.0 / 0.005_f64.exp()).abs() < 1e-9,
            "{slow:?}"
        );
        assert!(slow.low > 1.8 && slow.high < 2.2, "{slow:?}");
        assert_eq!(slow.slower, 1.0);
        assert!(slow.confidence > 0.99);
        assert!(slow.deviation.unwrap() > 10.0);
        let fast = apart(0, &all).unwrap();
        assert!(fast.ratio < 1.0);
    }

    #[test]
    fn a_slow_peer_makes_no_other_look_fast() {
        // Three of 1 ms and one twice as slow: each of the three is held against the other two.
        assert_eq!(usual_of(0, &[0.0, 0.01, 0.02, 2_f64.ln()]), [1, 2]);
        assert_eq!(usual_of(3, &[0.0, 0.01, 0.02, 2_f64.ln()]), [0, 1, 2]);
        // Of two neither is the usual one.
        assert_eq!(usual_of(0, &[0.0, 2_f64.ln()]), [1]);
        let all = [around(0.0), around(0.0), around(0.0), around(2_f64.ln())];
        let one = apart(0, &all).unwrap();
        assert!((one.ratio - 1.0).abs() < 1e-9, "{one:?}");
        assert!(one.low <= 1.0 && 1.0 <= one.high, "{one:?}");
    }

    #[test]
    fn alike_ones_are_alike() {
        let pair = apart(0, &[around(0.0), around(0.0)]).unwrap();
        assert_eq!((pair.ratio, pair.slower, pair.confidence), (1.0, 0.5, 0.0));
        assert_eq!(pair.deviation, None);
        let same = together(0, &[vec![0.0; 8], vec![0.0; 8]]).unwrap();
        assert_eq!((same.ratio, same.slower, same.confidence), (1.0, 0.5, 0.0));
    }

    #[test]
    fn differences_at_the_same_time() {
        let slower = together(0, &[around(0.5), around(-0.57)]).unwrap();
        assert!((slower.ratio - 0.535_f64.exp()).abs() < 1e-9);
        assert!(slower.confidence > 0.97, "{slower:?}");
        assert_eq!(slower.slower, 1.0);
    }
}
