//! Dips: the rate falls well below its usual level and comes back. The question is who made it fall.
//!
//! When the load falls, the disk has less to do: fewer I/Os are outstanding and each is as fast as before, or faster.
//! When the device chokes, as many I/Os as before are outstanding, or more, and each takes longer (by Little's law
//! that much longer as the rate is lower). So latency and outstanding I/Os tell the two apart.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stats::{median, quantile, spread};
use super::view::{View, at};
use crate::units::Share;

/// The fewest samples that dips are looked for in.
pub(super) const FEWEST_SAMPLES: usize = 8;
/// A dip goes below this part of the usual level,
const BELOW: f64 = 0.7;
/// and below the noise of the level by so many standard deviations of its logarithm (one sample in three millions),
const NOISE: f64 = 5.0;
/// but a standstill is always one.
const STANDSTILL: f64 = 0.01;
/// The usual level is what so much of the samples around are below.
const USUAL: f64 = 0.75;
/// The samples around, at least and at most.
const AROUND: (usize, usize) = (31, 301);
/// So many samples before a dip show that the rate fell: one of them is at the level.
const JUST_BEFORE: usize = 3;
/// After a dip the rate is back at this part of the level before, or the level itself has changed.
const BACK: f64 = 0.8;
/// The latency of a choking device is at least so many times the usual one,
const CHOKED_LATENCY: f64 = 1.5;
/// and at least this part of the usual I/Os is still outstanding.
const CHOKED_OUTSTANDING: f64 = 0.7;
/// With less load the latency is at most so many times the usual one,
const LOAD_LATENCY: f64 = 1.15;
/// and at most this part of the usual I/Os is outstanding.
const LOAD_OUTSTANDING: f64 = 0.85;
/// A cause is that of the dips as a whole when it has this part of them.
const MAJORITY: f64 = 0.6;

/// Who made the rate fall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DipCause {
    /// Less was asked of the disk.
    LoadFell,
    /// The device did not keep up.
    Choked,
    /// Latency and outstanding I/Os do not tell.
    Unclear,
    /// Neither is known.
    NotKnown,
}

impl fmt::Display for DipCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LoadFell => "the load fell: less was asked of the disk, whose I/Os took no longer",
            Self::Choked => "the device choked: latency peaked as the rate collapsed, with the I/Os still waiting",
            Self::Unclear => "the cause is not clear: latency and queue do not tell load from device",
            Self::NotKnown => "the cause is not known: the log has neither latency nor queue",
        })
    }
}

/// One dip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dip {
    /// Its start, milliseconds since the start of the series.
    pub from_ms: u64,
    /// Its end.
    pub to_ms: u64,
    /// How far the rate fell, as a part of the level before (1: to nothing).
    pub depth: Share,
    /// Who made it fall.
    pub cause: DipCause,
}

/// All dips.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dips {
    /// Each of them, in order.
    pub each: Vec<Dip>,
    /// How much of the time they took.
    pub share: Share,
    /// The median depth.
    pub depth: Share,
    /// The median latency in the dips as a multiple of the usual one.
    pub latency_ratio: Option<f64>,
    /// The median of the outstanding I/Os in the dips as a multiple of the usual number.
    pub outstanding_ratio: Option<f64>,
    /// The cause that most of them have.
    pub cause: DipCause,
}

impl Dips {
    /// Whether a stretch of time, of one sample, is in one of them.
    pub(super) fn hold(&self, (from_ms, to_ms): (u64, u64)) -> bool {
        let next = self.each.partition_point(|dip| dip.to_ms <= from_ms);
        self.each.get(next).is_some_and(|dip| dip.from_ms < to_ms)
    }
}

/// Samples of a dip, with what the cause is told by.
#[derive(Debug, Clone, Copy)]
struct Found {
    from: usize,
    to: usize,
    depth: f64,
    latency: Option<f64>,
    outstanding: Option<f64>,
    cause: DipCause,
}

/// The dips of a series; `None` where there are none, or too few samples to tell.
pub(super) fn dips(view: &View<'_>) -> Option<Dips> {
    if view.len() < FEWEST_SAMPLES {
        return None;
    }
    let mut found = find(view.rate());
    if found.is_empty() {
        return None;
    }
    let usual = Usual::of(view, &found);
    for dip in &mut found {
        usual.judge(view, dip);
    }
    let seconds: f64 = found.iter().map(|d| view.seconds_of(d.from, d.to)).sum();
    let middle =
        |of: fn(&Found) -> Option<f64>| median(&found.iter().filter_map(of).collect::<Vec<f64>>());
    let share = |v: f64| Share::new(v.clamp(0.0, 1.0)).unwrap_or(Share::NONE);
    Some(Dips {
        share: share(seconds / view.all_seconds()),
        depth: share(middle(|d| Some(d.depth)).unwrap_or(0.0)),
        latency_ratio: middle(|d| d.latency),
        outstanding_ratio: middle(|d| d.outstanding),
        cause: common_cause(&found),
        each: found
            .iter()
            .map(|d| {
                let (from_ms, to_ms) = view.span(d.from, d.to);
                Dip {
                    from_ms,
                    to_ms,
                    depth: share(d.depth),
                    cause: d.cause,
                }
            })
            .collect(),
    })
}

fn common_cause(found: &[Found]) -> DipCause {
    let part = |cause: DipCause| {
        found.iter().filter(|d| d.cause == cause).count() as f64 / found.len() as f64
    };
    [DipCause::Choked, DipCause::LoadFell, DipCause::NotKnown]
        .into_iter()
        .find(|cause| part(*cause) >= MAJORITY)
        .unwrap_or(DipCause::Unclear)
}

/// The usual level around each sample: high enough that collapses do not drag it down.
fn levels(values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let width = (n / 8).clamp(AROUND.0, AROUND.1);
    let step = (width / 8).max(1);
    let mut levels = Vec::with_capacity(n);
    for first in (0..n).step_by(step) {
        let middle = first + step / 2;
        let from = middle
            .saturating_sub(width / 2)
            .min(n.saturating_sub(width));
        let around = values.get(from..(from + width).min(n)).unwrap_or_default();
        let level = quantile(around, USUAL).unwrap_or(f64::NAN);
        levels.resize((first + step).min(n), level);
    }
    levels
}

/// Below which part of the level a sample is in a dip, and above which it is out of it again.
///
/// Rates are noisy in proportion, so that their logarithms are what spreads evenly; median and median absolute deviation
/// do not mind the collapses themselves, as long as they take less than half of the time.
fn thresholds(values: &[f64], levels: &[f64]) -> (f64, f64) {
    let usual: Vec<f64> = values
        .iter()
        .zip(levels)
        .map(|(v, level)| v / level)
        .filter(|ratio| *ratio > 0.0)
        .map(f64::ln)
        .collect();
    let (Some(middle), Some(noise)) = (median(&usual), spread(&usual)) else {
        return (STANDSTILL, STANDSTILL);
    };
    let below = BELOW.min((middle - NOISE * noise).exp()).max(STANDSTILL);
    (below, f64::midpoint(below, middle.exp()))
}

/// Whether the rate was up just before sample `i`: what is quiet from the beginning, before it rises, has not fallen.
fn falls(values: &[f64], i: usize, up: f64) -> bool {
    let before = values.get(i.saturating_sub(JUST_BEFORE)..i);
    before.is_some_and(|before| before.iter().any(|v| *v >= up))
}

/// Where the rate falls and comes back.
fn find(values: &[f64]) -> Vec<Found> {
    let levels = levels(values);
    let (below, back) = thresholds(values, &levels);
    let longest = ((values.len() / 8).clamp(AROUND.0, AROUND.1) / 2).max(1);
    let mut found = Vec::new();
    let mut i = 0;
    while i < values.len() {
        let level = at(&levels, i).filter(|level| *level > 0.0);
        let (Some(level), Some(value)) = (level, at(values, i)) else {
            i += 1;
            continue;
        };
        if value >= below * level {
            i += 1;
            continue;
        }
        let to = (i..values.len())
            .find(|j| at(values, *j).is_some_and(|v| v >= back * level))
            .unwrap_or(values.len());
        // What comes first is a start, what never comes back an end, what takes too long a change of level.
        let comes_back = to < values.len()
            && at(&levels, to).is_some_and(|after| after >= BACK * level)
            && to - i <= longest;
        if falls(values, i, back * level) && comes_back {
            let inside = values.get(i..to).unwrap_or_default();
            let mean = inside.iter().filter(|v| !v.is_nan()).sum::<f64>() / (to - i) as f64;
            found.push(Found {
                from: i,
                to,
                depth: 1.0 - mean / level,
                latency: None,
                outstanding: None,
                cause: DipCause::NotKnown,
            });
        }
        i = to.max(i + 1);
    }
    found
}

/// What is usual outside of the dips.
struct Usual {
    latency: Option<f64>,
    outstanding: Option<f64>,
}

impl Usual {
    fn of(view: &View<'_>, dips: &[Found]) -> Self {
        let mut inside = vec![false; view.len()];
        for dip in dips {
            // The sample behind a dip still shows the I/Os that were late.
            for slot in inside.iter_mut().take(dip.to + 1).skip(dip.from) {
                *slot = true;
            }
        }
        let outside = |values: &[f64]| {
            let outside: Vec<f64> = values
                .iter()
                .zip(&inside)
                .filter_map(|(v, inside)| (!inside).then_some(*v))
                .collect();
            median(&outside).filter(|v| *v > 0.0)
        };
        Self {
            latency: outside(&view.latency),
            outstanding: outside(&view.outstanding),
        }
    }

    /// Tells who made the rate fall.
    fn judge(&self, view: &View<'_>, dip: &mut Found) {
        let waiting = view.outstanding_of(dip.from, dip.to);
        // Where nothing finished, the I/Os that were waiting finish right behind the dip.
        let late = view
            .latency_of(dip.from, dip.to)
            .or_else(|| view.latency_of(dip.to, dip.to + 1));
        let ratio = |value: Option<f64>, usual: Option<f64>| Some(value? / usual?);
        dip.latency = ratio(late, self.latency);
        dip.outstanding = ratio(waiting, self.outstanding);
        dip.cause = match (dip.latency, dip.outstanding) {
            (None, None) => DipCause::NotKnown,
            (latency, outstanding) => {
                let choked = latency.is_none_or(|l| l >= CHOKED_LATENCY)
                    && outstanding.is_none_or(|o| o >= CHOKED_OUTSTANDING);
                let load = latency.is_none_or(|l| l <= LOAD_LATENCY)
                    && outstanding.is_none_or(|o| o <= LOAD_OUTSTANDING);
                match (choked, load) {
                    (true, false) => DipCause::Choked,
                    (false, true) => DipCause::LoadFell,
                    _ => DipCause::Unclear,
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_before_a_rise_is_no_dip() {
        // 80 samples at 600, then 120 at 3,490: the rate rises and never falls.
        let mut values = vec![600.0; 80];
        values.extend([3490.0; 120]);
        assert!(find(&values).is_empty());
        // A fall of four samples among the 120 is one.
        for slot in &mut values[140..144] {
            *slot = 400.0;
        }
        let found = find(&values);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].from, found[0].to), (140, 144));
    }
}
