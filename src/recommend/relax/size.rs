//! The constraints on the VM size, each dropped by itself.

use super::Relaxer;
use crate::catalog::{Bounds, Interface, VmSize};
use crate::recommend::model::{Blame, Constraint};
use crate::recommend::need::SizeNeed;
use crate::recommend::search::{Answer, PricedSize};

/// A constraint that a range sets: what it is, whether it is set, how it is dropped, how far a size is from it, and in
/// words what was asked and what the size has.
type Range = (
    Constraint,
    bool,
    fn(&mut SizeNeed),
    fn(&SizeNeed, &VmSize) -> Option<f64>,
    fn(&SizeNeed, &VmSize) -> (String, String),
);

/// Any other constraint.
type Other = (
    Constraint,
    bool,
    fn(&mut SizeNeed),
    fn(&SizeNeed, &VmSize) -> (String, String),
);

impl Relaxer<'_> {
    /// Those that alone stand in the way.
    pub(super) fn sizes(&self) -> Vec<Blame> {
        let ranges = ranges(&self.need.size).into_iter();
        let ranges = ranges.filter(|(_, is_set, ..)| *is_set);
        let ranges = ranges.filter_map(|(constraint, _, drop, distance, words)| {
            self.nearest(constraint, drop, distance, words)
        });
        let others = others(&self.need.size).into_iter();
        let others = others.filter(|(_, is_set, ..)| *is_set);
        let others = others.filter_map(|(constraint, _, drop, words)| {
            let need = self.with(|need| drop(&mut need.size));
            let words = |answer: &Answer<'_>| words(&self.need.size, answer.vm);
            self.found(constraint, None, &need, words)
        });
        ranges.chain(others).collect()
    }

    /// The size that delivers and is nearest to the range, the cheapest of equally near ones.
    fn nearest(
        &self,
        constraint: Constraint,
        drop: fn(&mut SizeNeed),
        distance: fn(&SizeNeed, &VmSize) -> Option<f64>,
        words: fn(&SizeNeed, &VmSize) -> (String, String),
    ) -> Option<Blame> {
        let asked = &self.need.size;
        let mut search = self.market.search(&self.with(|need| drop(&mut need.size)));
        let mut sizes: Vec<(f64, PricedSize<'_>)> = (search.sizes.iter())
            .filter_map(|size| Some((distance(asked, size.vm)?, *size)))
            .collect();
        // By price they come already.
        sizes.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let answer = sizes.into_iter().find_map(|(_, size)| {
            Some(Answer {
                vm: size.vm,
                vm_month: size.month,
                picks: search.on(size.vm)?,
            })
        })?;
        let words = |answer: &Answer<'_>| words(asked, answer.vm);
        Some(self.blame(constraint, None, &answer, words))
    }
}

fn ranges(size: &SizeNeed) -> [Range; 3] {
    [
        (
            Constraint::Vcpus,
            size.vcpus != Bounds::default(),
            |s| s.vcpus = Bounds::default(),
            |s, vm| {
                let Bounds { min, max } = s.vcpus;
                Some(outside(
                    min.map(f64::from),
                    max.map(f64::from),
                    f64::from(vm.vcpus),
                ))
            },
            |s, vm| (range(s.vcpus), vm.vcpus.to_string()),
        ),
        (
            Constraint::Memory,
            size.memory_gib != Bounds::default(),
            |s| s.memory_gib = Bounds::default(),
            |s, vm| {
                let Bounds { min, max } = s.memory_gib;
                let gib = crate::units::GiB::get;
                Some(outside(min.map(gib), max.map(gib), gib(vm.memory?)))
            },
            |s, vm| {
                let has = vm
                    .memory
                    .map_or_else(String::new, |memory| memory.to_string());
                (range(s.memory_gib), has)
            },
        ),
        (
            Constraint::Generation,
            size.generation != Bounds::default(),
            |s| s.generation = Bounds::default(),
            |s, vm| {
                let Bounds { min, max } = s.generation;
                let generation = f64::from(vm.generation());
                Some(outside(min.map(f64::from), max.map(f64::from), generation))
            },
            |s, vm| (range(s.generation), vm.generation().to_string()),
        ),
    ]
}

fn others(size: &SizeNeed) -> [Other; 4] {
    [
        (
            Constraint::Series,
            !size.series.is_empty() || !size.not_series.is_empty(),
            |s| {
                s.series.clear();
                s.not_series.clear();
            },
            |s, vm| (series(s), vm.series.clone()),
        ),
        (
            Constraint::Arch,
            size.arch.is_some(),
            |s| s.arch = None,
            |s, vm| {
                let has = vm.likely_arch().unwrap_or("unknown");
                (s.arch.clone().unwrap_or_default(), has.to_owned())
            },
        ),
        (
            Constraint::LocalDisk,
            size.local_disk,
            |s| s.local_disk = false,
            |_, _| ("a local disk".to_owned(), "none".to_owned()),
        ),
        (
            Constraint::Interface,
            size.interface.is_some(),
            |s| s.interface = None,
            |s, vm| {
                let name = |i: Option<Interface>| i.map_or("any", |i| i.name());
                (name(s.interface).to_owned(), name(vm.interface).to_owned())
            },
        ),
    ]
}

/// How far `value` is outside of a range; 0 within.
fn outside(min: Option<f64>, max: Option<f64>, value: f64) -> f64 {
    let below = min.map_or(0.0, |min| min - value);
    let above = max.map_or(0.0, |max| value - max);
    below.max(above).max(0.0)
}

fn range<T: std::fmt::Display + PartialEq>(bounds: Bounds<T>) -> String {
    match (bounds.min, bounds.max) {
        (Some(min), Some(max)) if min == max => min.to_string(),
        (min, max) => {
            let end = |end: Option<T>| end.map_or_else(String::new, |value| value.to_string());
            format!("{}..{}", end(min), end(max))
        }
    }
}

fn series(size: &SizeNeed) -> String {
    let denied = size.not_series.iter().map(|series| format!("not {series}"));
    let all: Vec<String> = size.series.iter().cloned().chain(denied).collect();
    all.join(", ")
}
