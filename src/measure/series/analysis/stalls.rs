//! Stalls: (nearly) nothing finishes although I/Os are waiting.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stats::median;
use super::view::{View, at};
use crate::measure::series::model::GaugeKind;

/// So little of the usual rate is a standstill.
const STANDSTILL: f64 = 0.01;
/// So many I/Os outstanding are waiting ones.
const WAITING: f64 = 0.5;
/// A disk this busy has I/Os waiting, percent.
const BUSY_PERCENT: f64 = 90.0;

/// One stall.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stall {
    /// Its start, milliseconds since the start of the series.
    pub from_ms: u64,
    /// Its end.
    pub to_ms: u64,
}

/// All stalls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Stalls {
    /// Each of them, in order.
    pub each: Vec<Stall>,
    /// All of them together, milliseconds.
    pub total_ms: u64,
    /// The longest, milliseconds.
    pub longest_ms: u64,
}

/// The stalls of a series; `None` where there are none. A standstill without a sign of waiting I/Os is a pause.
pub(super) fn stalls(view: &View<'_>) -> Option<Stalls> {
    let rate = view.rate();
    let moving: Vec<f64> = rate.iter().copied().filter(|v| *v > 0.0).collect();
    let usual = median(&moving)?;
    let still = |i: usize| at(rate, i).is_some_and(|v| v <= usual * STANDSTILL);
    let mut each = Vec::new();
    let mut i = 0;
    while i < view.len() {
        let to = (i..view.len()).find(|j| !still(*j)).unwrap_or(view.len());
        if to > i && is_waiting(view, i, to) {
            let (from_ms, to_ms) = view.span(i, to);
            each.push(Stall { from_ms, to_ms });
        }
        i = to.max(i + 1);
    }
    let length = |stall: &Stall| stall.to_ms - stall.from_ms;
    (!each.is_empty()).then(|| Stalls {
        total_ms: each.iter().map(length).sum(),
        longest_ms: each.iter().map(length).max().unwrap_or(0),
        each,
    })
}

/// Whether I/Os were waiting in the samples `from..to`: the log counts them, or says that the disk was busy, or what
/// finished right behind had waited through at least half of the time.
fn is_waiting(view: &View<'_>, from: usize, to: usize) -> bool {
    let disk = view.disk;
    let counted: Vec<f64> = (from..to)
        .filter_map(|i| disk.queue_depth.number(i))
        .collect();
    if let Some(waiting) = median(&counted) {
        return waiting >= WAITING;
    }
    let busy = disk.gauge(GaugeKind::Busy);
    if busy.is_some_and(|b| (from..to).any(|i| b.number(i).is_some_and(|p| p >= BUSY_PERCENT))) {
        return true;
    }
    let waited = at(&view.latency, to)
        .into_iter()
        .chain(disk.latency_max.number(to))
        .reduce(f64::max);
    let half = view.seconds_of(from, to) * 1e6 / 2.0;
    waited.is_some_and(|us| us >= half)
}
