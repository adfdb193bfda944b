//! Series side by side in time.

use std::collections::HashMap;

use super::model::{DiskSeries, Source};

/// Intervals this near to each other are the same.
const SAME_INTERVAL: f64 = 0.1;

/// The samples that all series have at the same time: for each series the indices, in time order, all equally many.
///
/// `None` where it is not known that the times are of one clock (the logs say no moment, and they are not one and the
/// same log), or where their intervals differ.
#[must_use]
pub fn aligned(series: &[&DiskSeries]) -> Option<Vec<Vec<usize>>> {
    let first = series.first()?;
    let step = f64::from(first.interval_ms).max(1.0);
    let alike = series
        .iter()
        .all(|s| (f64::from(s.interval_ms) / step - 1.0).abs() <= SAME_INTERVAL);
    if !alike || !series.iter().all(|s| same_clock(first, s)) {
        return None;
    }
    let origin = |s: &DiskSeries| s.start.map_or(0, |start| start.scale_ms());
    let base = series.iter().map(|s| origin(s)).min()?;
    let places: Vec<HashMap<u64, usize>> = series
        .iter()
        .map(|s| {
            let shift = (origin(s) - base) as f64;
            let slot = |end: &u64| ((*end as f64 + shift) / step).round() as u64;
            s.end_ms
                .iter()
                .enumerate()
                .map(|(i, end)| (slot(end), i))
                .collect()
        })
        .collect();
    let mut common: Vec<u64> = places.first()?.keys().copied().collect();
    common.retain(|slot| places.iter().all(|p| p.contains_key(slot)));
    common.sort_unstable();
    let indices = places
        .iter()
        .map(|p| {
            common
                .iter()
                .filter_map(|slot| p.get(slot).copied())
                .collect()
        })
        .collect();
    Some(indices)
}

fn same_clock(a: &DiskSeries, b: &DiskSeries) -> bool {
    match (a.start, b.start) {
        (Some(x), Some(y)) => x.comparable(y),
        // Every fio log counts from the start of its own job.
        (None, None) => a.source != Source::FioLog && a.log == b.log,
        _ => false,
    }
}
