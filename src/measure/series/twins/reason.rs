//! Why a peer is called slow, in figures beside those of the others.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::Axis;
use crate::measure::series::analysis::stats::median;
use crate::measure::series::analysis::{ChangeCause, DipCause, DiskReport, Fence, Levels, Step};
use crate::units::{Latency, grouped};

/// A ratio that is worth a word.
const WORTH_SAYING: f64 = 1.1;

/// The least part of the others' rate that is told as a number.
const LEAST_PART: f64 = 0.01;

/// One reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Reason {
    /// Its mean latency beside that of the others (their median).
    Latency {
        /// Its own.
        own: Latency,
        /// The others'.
        others: Latency,
        /// The quotient.
        ratio: f64,
    },
    /// Its mean rate beside that of the others (their median), in I/Os per second or MB/s as the axis says.
    Rate {
        /// Which rate.
        axis: Axis,
        /// Its own.
        own: f64,
        /// The others'.
        others: f64,
        /// The quotient.
        ratio: f64,
    },
    /// Its collapses are its own making.
    Chokes {
        /// How many there are.
        dips: usize,
        /// The latency in them as a multiple of the usual one.
        latency_ratio: Option<f64>,
    },
    /// They come regularly.
    Fence(Fence),
    /// I/Os pile up: 5 % to 95 % of its samples, beside the most that the others have in 95 % of theirs.
    Outstanding {
        /// Its own, low.
        low: f64,
        /// Its own, high.
        high: f64,
        /// The others', high.
        others_high: f64,
    },
    /// It got slower for good.
    Slower(Step),
    /// It was slower for a time.
    SlowSpells(Levels),
    /// It stood still with I/Os waiting.
    Stalls {
        /// How often.
        times: usize,
        /// The longest, milliseconds.
        longest_ms: u64,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latency { own, others, ratio } => write!(
                f,
                "latency {own} where the others have {others} ({} times)",
                grouped(*ratio, 1)
            ),
            Self::Rate {
                axis,
                own,
                others,
                ratio,
            } => {
                let part = match *ratio {
                    ratio if ratio < LEAST_PART => format!("less than {LEAST_PART}"),
                    ratio => grouped(ratio, 2),
                };
                write!(
                    f,
                    "{} {axis} where the others have {} ({part} of it)",
                    grouped(*own, 0),
                    grouped(*others, 0),
                )
            }
            Self::Chokes { dips, .. } => write!(
                f,
                "it chokes: latency peaks exactly when the rate collapses ({dips} times)"
            ),
            Self::Fence(fence) => write!(
                f,
                "its collapses are a fence: every {} s by {}",
                grouped(fence.period_ms as f64 / 1e3, 1),
                fence.depth
            ),
            Self::Outstanding {
                low,
                high,
                others_high,
            } => write!(
                f,
                "{} to {} I/Os pile up, where the others have up to {}",
                grouped(*low, 0),
                grouped(*high, 0),
                grouped(*others_high, 0)
            ),
            Self::Slower(step) => step.fmt(f),
            Self::SlowSpells(levels) => levels.fmt(f),
            Self::Stalls { times, longest_ms } => write!(
                f,
                "it stalled {times} time(s), the longest for {} s",
                grouped(*longest_ms as f64 / 1e3, 1)
            ),
        }
    }
}

/// A figure of a report, where it has it.
type Figure = fn(&DiskReport) -> Option<f64>;

/// What speaks for calling `own` slower than the others.
pub(super) fn reasons(own: &DiskReport, others: &[&DiskReport]) -> Vec<Reason> {
    let usual = |of: Figure| {
        median(&others.iter().filter_map(|r| of(r)).collect::<Vec<f64>>()).filter(|v| *v > 0.0)
    };
    let mut found = Vec::new();
    let latency = |r: &DiskReport| r.latency.map(|d| d.mean.micros());
    if let (Some(mine), Some(theirs)) = (latency(own), usual(latency))
        && let (Ok(own), Ok(others)) = (Latency::from_micros(mine), Latency::from_micros(theirs))
        && mine / theirs >= WORTH_SAYING
    {
        found.push(Reason::Latency {
            own,
            others,
            ratio: mine / theirs,
        });
    }
    let rates: [(Axis, Figure); 2] = [
        (Axis::Iops, |r| r.iops.map(|d| d.mean.get())),
        (Axis::Mbps, |r| r.mbps.map(|d| d.mean.get())),
    ];
    for (axis, rate) in rates {
        if let (Some(own), Some(others)) = (rate(own), usual(rate))
            && own * WORTH_SAYING <= others
        {
            let ratio = own / others;
            found.push(Reason::Rate {
                axis,
                own,
                others,
                ratio,
            });
            break;
        }
    }
    found.extend(own_making(own, others));
    found
}

/// Collapses, standstills and piled up I/Os.
fn own_making(own: &DiskReport, others: &[&DiskReport]) -> Vec<Reason> {
    let mut found = Vec::new();
    if let Some(dips) = own.dips.as_ref().filter(|d| d.cause == DipCause::Choked) {
        found.push(Reason::Chokes {
            dips: dips.each.len(),
            latency_ratio: dips.latency_ratio,
        });
    }
    let fence = own.fence.as_ref().filter(|f| f.cause == DipCause::Choked);
    found.extend(fence.cloned().map(Reason::Fence));
    let step = own.step.filter(|step| step.cause == ChangeCause::Slower);
    found.extend(step.map(Reason::Slower));
    let slower = own.levels.clone().filter(Levels::got_slower);
    found.extend(slower.map(Reason::SlowSpells));
    if let Some(stalls) = &own.stalls {
        found.push(Reason::Stalls {
            times: stalls.each.len(),
            longest_ms: stalls.longest_ms,
        });
    }
    let high = |r: &DiskReport| r.outstanding.map(|o| o.spread.p95);
    let others_high = others.iter().filter_map(|r| high(r)).reduce(f64::max);
    if let (Some(mine), Some(others_high)) = (own.outstanding, others_high)
        && mine.spread.p5 > others_high
    {
        found.push(Reason::Outstanding {
            low: mine.spread.p5,
            high: mine.spread.p95,
            others_high,
        });
    }
    found
}
