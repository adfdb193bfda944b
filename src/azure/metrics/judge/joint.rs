//! What several VMs ask of one disk together. Each has metrics of its own part, and the disk's ceiling is there once.

use std::collections::BTreeMap;

use super::model::SharedUse;
use super::watched::{Rate, part};
use crate::azure::metrics::track::{Sample, Track};
use crate::azure::metrics::{Subject, VmMetrics};
use crate::catalog::Axis;

/// The part of the VM at hand and those of the others that have the disk, in percent of its ceiling; `own` as it is where
/// nobody else is known to share it.
pub(super) fn together(
    metrics: &VmMetrics,
    vm: &str,
    subject: Subject,
    axis: Axis,
    ceiling: Option<f64>,
    own: Rate,
) -> (Rate, Option<SharedUse>) {
    let shared = metrics.shared.iter().find(|of| of.subject == subject);
    let Some(shared) = shared else {
        return (own, None);
    };
    let mut whose = SharedUse {
        vms: vec![vm.to_owned()],
        ..SharedUse::default()
    };
    let mut parts = vec![own];
    for other in &shared.others {
        let known = other.metrics.as_ref();
        match known.and_then(|(subject, of)| part(of, *subject, axis, ceiling)) {
            Some(rate) => {
                whose.vms.push(other.vm.clone());
                parts.push(rate);
            }
            None => whose.unknown.push(other.vm.clone()),
        }
    }
    whose.vms.sort_unstable();
    let (rate, whole) = sum(parts);
    whose.whole = whole;
    (rate, Some(whose))
}

/// All parts of each interval, and in how many intervals all have a value. An interval of which only some have one has the
/// least that it can be.
fn sum(parts: Vec<Rate>) -> (Rate, usize) {
    let count = parts.len();
    let mut highest = Some(0.0);
    let mut intervals: BTreeMap<(i64, u32), (Sample, usize)> = BTreeMap::new();
    for part in parts {
        let most = part
            .possible
            .or_else(|| Some(part.track.highest_maximum()?.0));
        highest = highest.zip(most).map(|(sum, most)| sum + most);
        for sample in part.track.into_samples() {
            let entry = intervals.entry((sample.at_ms, sample.length_ms));
            let together = entry.or_insert((
                Sample {
                    average: None,
                    maximum: None,
                    ..sample
                },
                0,
            ));
            together.0.average = plus(together.0.average, sample.average);
            // Maxima need not be of the same second: the highest is what was surely reached.
            together.0.maximum = together
                .0
                .maximum
                .into_iter()
                .chain(sample.maximum)
                .reduce(f64::max);
            together.1 += 1;
        }
    }
    let whole = intervals.values().filter(|(_, of)| *of == count).count();
    // What all asked for on average was surely reached, too.
    let samples = intervals.into_values().map(|(sample, _)| Sample {
        maximum: sample.maximum.and_then(|_| sample.highest()),
        ..sample
    });
    let rate = Rate {
        track: Track::new(samples.collect()),
        possible: highest.filter(|_| count > 1),
    };
    (rate, whole)
}

fn plus(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}
