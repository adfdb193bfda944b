//! Two stretches of a log beside each other: whether the load changed between them, or how it was answered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::View;
use crate::catalog::Axis;

/// Latencies that differ by less than this are as long.
const AS_LONG: f64 = 1.1;
/// I/Os that differ in size by this much are of another load, whose latencies do not compare.
const OTHER_SIZE: f64 = 1.5;
/// Rates that differ by less than this are as high.
pub(super) const AS_HIGH: f64 = 1.1;

/// What changed between two stretches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeCause {
    /// What was asked: more I/Os, or fewer, answered no slower, or no faster.
    Load,
    /// It got slower: fewer I/Os although each took longer, or as many that each took longer.
    Slower,
    /// It got faster: more I/Os although each took less, or as many that each took less.
    Faster,
    /// Latency is not known: not to be told.
    #[default]
    Unknown,
}

/// The rate and latency of one stretch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Stretch {
    pub rate: f64,
    /// Microseconds.
    pub latency: Option<f64>,
    /// The mean size of an I/O, MB.
    pub size: Option<f64>,
}

impl Stretch {
    /// The samples `from..to`; `None` where they have no rate.
    pub fn of(view: &View<'_>, from: usize, to: usize) -> Option<Self> {
        let rates = [Axis::Iops, Axis::Mbps].map(|axis| view.mean_on(axis, from, to));
        let [iops, mbps] = rates;
        Some(Self {
            rate: view.rate_of(from, to)?,
            latency: view.latency_of(from, to),
            size: iops
                .filter(|iops| *iops > 0.0)
                .zip(mbps)
                .map(|(iops, mbps)| mbps / iops),
        })
    }
}

/// What changed from `before` to `after`.
pub(super) fn cause(before: Stretch, after: Stretch) -> ChangeCause {
    let Some((was, is)) = before.latency.zip(after.latency) else {
        return ChangeCause::Unknown;
    };
    let sizes = before.size.zip(after.size);
    if sizes.is_some_and(|(a, b)| a.max(b) >= a.min(b) * OTHER_SIZE) {
        return ChangeCause::Load;
    }
    let (longer, shorter) = (is > was * AS_LONG, is * AS_LONG < was);
    let higher = after.rate > before.rate * AS_HIGH;
    let lower = after.rate * AS_HIGH < before.rate;
    match (higher, lower) {
        (true, _) if shorter => ChangeCause::Faster,
        (_, true) if longer => ChangeCause::Slower,
        (false, false) if longer => ChangeCause::Slower,
        (false, false) if shorter => ChangeCause::Faster,
        _ => ChangeCause::Load,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn told(before: (f64, f64), after: (f64, f64), expected: ChangeCause) {
        let of = |(rate, latency): (f64, f64)| Stretch {
            rate,
            latency: Some(latency),
            size: None,
        };
        assert_eq!(cause(of(before), of(after)), expected);
    }

    #[test]
    fn what_changed_is_told_by_rate_and_latency() {
        told((3000.0, 5300.0), (1500.0, 10_700.0), ChangeCause::Slower);
        told((1500.0, 1200.0), (1500.0, 6000.0), ChangeCause::Slower);
        told((1500.0, 10_700.0), (3000.0, 5300.0), ChangeCause::Faster);
        // Five times the rate at the same latency, or a longer one: more was asked.
        told((800.0, 1050.0), (4000.0, 1100.0), ChangeCause::Load);
        told((800.0, 1050.0), (4000.0, 3000.0), ChangeCause::Load);
        told((4000.0, 1100.0), (800.0, 1050.0), ChangeCause::Load);
        let blind = Stretch::default();
        assert_eq!(cause(blind, blind), ChangeCause::Unknown);
        // 8 KiB I/Os, then a backup of 1 MiB each: longer latencies at fewer I/Os, and nothing got slower.
        let of = |rate, latency, size| Stretch {
            rate,
            latency: Some(latency),
            size: Some(size),
        };
        let backup = cause(of(3000.0, 1000.0, 0.008), of(200.0, 15_000.0, 1.049));
        assert_eq!(backup, ChangeCause::Load);
    }
}
