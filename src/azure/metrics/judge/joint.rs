//! What several VMs ask of one disk together. Each has metrics of its own part, and the disk's ceiling is there once.

use std::collections::BTreeMap;

use super::model::SharedUse;
use super::watched::{Rate, part};
use crate::azure::metrics::track::{Sample, Track};
use crate::azure::metrics::{ResourceMetrics, Shared};
use crate::catalog::Axis;

/// What `vm`, whose metrics are `own`, and the others use of a disk that they share, in percent of its ceiling.
///
/// Their parts are added up. Where these are not all, what the disk itself says (`of_disk`) is: it counts every VM's.
pub(super) fn together(
    (vm, own): (&str, &ResourceMetrics),
    shared: &Shared,
    axis: Axis,
    ceiling: Option<f64>,
    of_disk: Option<Rate>,
) -> Option<(Rate, SharedUse)> {
    let own = part(own, shared.subject, axis, ceiling);
    let parts = own.map(|own| added_up(vm, own, shared, axis, ceiling));
    match (parts, of_disk) {
        (Some((rate, whose)), _) if whose.is_complete() => Some((rate, whose)),
        (_, Some(of_disk)) => Some(of_all(vm, shared, of_disk)),
        (parts, None) => parts,
    }
}

/// What the disk itself says: that of all VMs, whichever of them there are metrics of.
fn of_all(vm: &str, shared: &Shared, of_disk: Rate) -> (Rate, SharedUse) {
    let others = shared.others.iter().map(|other| other.vm.clone());
    let mut whose = SharedUse {
        vms: others.chain([vm.to_owned()]).collect(),
        unknown: Vec::new(),
        whole: of_disk.track.samples().len(),
    };
    whose.vms.sort_unstable();
    (of_disk, whose)
}

/// The part of the VM at hand and those of the others. Values of other intervals than its own cannot be added to them.
fn added_up(
    vm: &str,
    own: Rate,
    shared: &Shared,
    axis: Axis,
    ceiling: Option<f64>,
) -> (Rate, SharedUse) {
    let mut whose = SharedUse {
        vms: vec![vm.to_owned()],
        ..SharedUse::default()
    };
    let length = own.track.usual_ms();
    let mut parts = vec![own];
    for other in &shared.others {
        let known = other.metrics.as_ref();
        let known = known.and_then(|(subject, of)| part(of, *subject, axis, ceiling));
        match known.filter(|part| part.track.usual_ms() == length) {
            Some(part) => {
                whose.vms.push(other.vm.clone());
                parts.push(part);
            }
            None => whose.unknown.push(other.vm.clone()),
        }
    }
    whose.vms.sort_unstable();
    let (rate, whole) = sum(parts);
    whose.whole = whole;
    (rate, whose)
}

/// All parts of each interval, and in how many intervals all have a value. An interval of which only some have one has the
/// least that it can be. A part by itself is as it is.
fn sum(parts: Vec<Rate>) -> (Rate, usize) {
    let parts = match <[Rate; 1]>::try_from(parts) {
        Ok([only]) => {
            let whole = only.track.samples().len();
            return (only, whole);
        }
        Err(parts) => parts,
    };
    let count = parts.len();
    let computed = parts.iter().any(|part| part.computed);
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
        possible: highest,
        computed,
    };
    (rate, whole)
}

fn plus(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one + other),
        (one, other) => one.or(other),
    }
}
