//! Warm-up: a beginning that is unlike the rest, which is steady.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::{ChangeCause, Stretch, cause};
use super::stats::{median, spread};
use super::view::{View, at};
use crate::units::grouped;

/// The fewest samples that a beginning is looked for in.
pub(super) const FEWEST_SAMPLES: usize = 10;
/// How far a sample of the steady part may be from its median,
const BAND: f64 = 0.15;
/// or by how many standard deviations of the steady part.
const NOISE: f64 = 4.0;
/// So many samples in a row within the band are the steady part's.
const SETTLED: usize = 5;
/// So much of the steady part has to be within the band.
const STEADY: f64 = 0.8;
/// The longest beginning, as a part of the log.
const LONGEST: f64 = 0.34;
/// The fewest samples of a beginning: the first sample of many tools is a partial one.
const SHORTEST: usize = 2;
/// A beginning is this far from the rest,
const UNLIKE: f64 = 0.3;
/// and by so many standard deviations of its logarithm: neighbours are alike, so that their mean is no surer than one.
const BEYOND_NOISE: f64 = 3.0;

/// As much of the steady part as far from its level as the beginning shows that it is no beginning: a collapse that
/// comes again.
const RECURS: f64 = 0.05;

/// A beginning that is unlike the rest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// How long it lasted, milliseconds.
    pub length_ms: u64,
    /// Its mean rate as a multiple of the steady one: above 1 a cache or burst credit that ran out, below 1 a cache
    /// that had to fill, unless the load was another.
    pub ratio: f64,
    /// How many samples it takes.
    pub samples: usize,
    /// What changed when it ended.
    #[serde(default)]
    pub cause: ChangeCause,
}

impl WarmUp {
    /// In words: how long it was and how fast, and `why`.
    pub(crate) fn words(&self, why: &str) -> String {
        format!(
            "the first {} s ran at {} times the later rate: {why}",
            grouped(self.length_ms as f64 / 1e3, 1),
            grouped(self.ratio, 1)
        )
    }
}

/// Whether the rate is as low, or as high, again and again as at the beginning.
fn recurs(rest: &[f64], level: f64, ratio: f64) -> bool {
    let as_far = |v: &&f64| {
        let rate = **v / level;
        if ratio < 1.0 {
            rate <= ratio * (1.0 + BAND)
        } else {
            rate >= ratio * (1.0 - BAND)
        }
    };
    rest.iter().filter(as_far).count() as f64 > RECURS * rest.len() as f64
}

/// The beginning of a series; `None` where it is like the rest, or the rest is not steady.
pub(super) fn warm_up(view: &View<'_>) -> Option<WarmUp> {
    let rate = view.rate();
    let n = rate.len();
    if n < FEWEST_SAMPLES {
        return None;
    }
    let later = rate.get(n / 2..)?;
    let level = median(later).filter(|level| *level > 0.0)?;
    let band = (NOISE * spread(later)? / level).max(BAND);
    let within = |v: f64| (v / level - 1.0).abs() <= band;
    let settled = rate
        .windows(SETTLED)
        .position(|window| window.iter().all(|v| within(*v)))?;
    let rest = rate.get(settled..)?;
    let steady = rest.iter().filter(|v| within(**v)).count() as f64 / rest.len() as f64;
    if settled < SHORTEST || settled as f64 > n as f64 * LONGEST || steady < STEADY {
        return None;
    }
    let ratio = view.rate_of(0, settled)? / level;
    let logs: Vec<f64> = rest.iter().filter(|v| **v > 0.0).map(|v| v.ln()).collect();
    let noise = BEYOND_NOISE * spread(&logs)?;
    let unlike = (ratio - 1.0).abs() >= UNLIKE && ratio.ln().abs() >= noise;
    let begin = at(rate, 0).is_some() && unlike && !recurs(rest, level, ratio);
    let (from, to) = view.span(0, settled);
    begin.then_some(WarmUp {
        length_ms: to - from,
        ratio,
        samples: settled,
        cause: cause(
            Stretch::of(view, 0, settled)?,
            Stretch::of(view, settled, n)?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collapse_that_comes_again_is_no_beginning() {
        // Two of fifteen samples at 356 where 2,700 is usual: 13 %.
        let fence: Vec<f64> = (2..120)
            .map(|i| if i % 15 < 2 { 356.0 } else { 2700.0 })
            .collect();
        assert!(recurs(&fence, 2700.0, 0.13));
        assert!(!recurs(&[2700.0; 118], 2700.0, 0.13));
    }
}
