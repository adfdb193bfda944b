//! Fences: dips that come as regularly as pickets.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dips::{Dip, DipCause, Dips};
use super::stats::median;
use crate::units::{Share, grouped};

/// The fewest intervals between dips that can be called regular.
const FEWEST_INTERVALS: usize = 6;
/// How far an interval may be from the median one.
const JITTER: f64 = 0.25;
/// So many of the intervals have to be that near. Of intervals between accidents (exponentially distributed) 17 % are
/// within 25 % of their median, so that six of them look regular in one of a thousand logs.
const REGULAR: f64 = 0.75;

/// Regular collapses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fence {
    /// How many there are.
    pub dips: usize,
    /// The median time from the start of one to the start of the next, milliseconds.
    pub period_ms: u64,
    /// How many of these times are within 25 % of the median.
    pub regular: Share,
    /// The median depth, as a part of the usual rate.
    pub depth: Share,
    /// How much of the time the rate is down.
    pub share: Share,
    /// Who makes it fall.
    pub cause: DipCause,
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a fence: every {} s the rate falls by {} ({} times, {} of the time down); {}",
            grouped(self.period_ms as f64 / 1e3, 1),
            self.depth,
            self.dips,
            self.share,
            self.cause
        )
    }
}

/// The fence in the dips, if there is one: of those where the device choked, else of all, else of those where the
/// load fell. `all_ms` is the length of the series.
pub(super) fn fence(dips: &Dips, all_ms: u64) -> Option<Fence> {
    let of = |cause: DipCause| -> Vec<Dip> {
        dips.each
            .iter()
            .copied()
            .filter(|d| d.cause == cause)
            .collect()
    };
    [
        of(DipCause::Choked),
        dips.each.clone(),
        of(DipCause::LoadFell),
    ]
    .iter()
    .find_map(|group| regular(group, dips.cause, all_ms))
}

fn regular(dips: &[Dip], all_cause: DipCause, all_ms: u64) -> Option<Fence> {
    let intervals: Vec<f64> = dips
        .windows(2)
        .filter_map(|pair| match pair {
            [a, b] => Some((b.from_ms - a.from_ms) as f64),
            _ => None,
        })
        .collect();
    if intervals.len() < FEWEST_INTERVALS {
        return None;
    }
    let period = median(&intervals)?;
    let near = intervals
        .iter()
        .filter(|interval| (*interval - period).abs() <= period * JITTER)
        .count();
    let regular = near as f64 / intervals.len() as f64;
    if regular < REGULAR {
        return None;
    }
    let depths: Vec<f64> = dips.iter().map(|d| d.depth.get()).collect();
    let down: u64 = dips.iter().map(|d| d.to_ms - d.from_ms).sum();
    let share = |v: f64| Share::new(v.clamp(0.0, 1.0)).unwrap_or(Share::NONE);
    let one_cause = dips
        .first()
        .map(|d| d.cause)
        .filter(|c| dips.iter().all(|d| d.cause == *c));
    Some(Fence {
        dips: dips.len(),
        period_ms: period.round() as u64,
        regular: share(regular),
        depth: share(median(&depths)?),
        share: share(down as f64 / all_ms.max(1) as f64),
        cause: one_cause.unwrap_or(all_cause),
    })
}
