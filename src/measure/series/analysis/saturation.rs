//! Counters that say themselves how much of a limit is used.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::View;
use crate::measure::series::model::GaugeKind;
use crate::units::Share;

/// From here on a limit, or a credit, is used up, percent.
const FULL_PERCENT: f64 = 95.0;

/// How long a counter stood at its end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Saturation {
    /// What it counts.
    pub gauge: GaugeKind,
    /// How much of the time it stood at 95 % or above.
    pub share: Share,
    /// Its highest value, percent.
    pub max_percent: f64,
}

impl fmt::Display for Saturation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.gauge {
            GaugeKind::Busy => "busy",
            GaugeKind::IopsConsumed => "at its IOPS limit",
            GaugeKind::BandwidthConsumed => "at its throughput limit",
            GaugeKind::BurstIopsUsed => "out of burst credit for IOPS",
            GaugeKind::BurstBandwidthUsed => "out of burst credit for throughput",
            GaugeKind::CacheReadHit => "answered by the host cache",
        };
        write!(f, "{what} for {} of the time", self.share)
    }
}

/// The counters that stood at their end at some time.
pub(super) fn saturation(view: &View<'_>) -> Vec<Saturation> {
    let all = view.all_seconds();
    view.disk
        .gauges
        .iter()
        .filter_map(|gauge| {
            let said = |i: &usize| gauge.percent.number(*i);
            let full: f64 = (0..view.len())
                .filter(|i| said(i).is_some_and(|p| p >= FULL_PERCENT))
                .map(|i| view.disk.seconds(i))
                .sum();
            let max = (0..view.len()).filter_map(|i| said(&i)).reduce(f64::max)?;
            let share = Share::new((full / all).clamp(0.0, 1.0)).ok()?;
            (full > 0.0).then_some(Saturation {
                gauge: gauge.kind,
                share,
                max_percent: max,
            })
        })
        .collect()
}
