//! Whether a run fits in burst credit: what its tests draw from each bucket, against what a full one holds.

use super::measured::Measured;
use super::predict::{CacheState, alone};
use crate::deployment::Deployment;
use crate::measure::model::{Format, Test};
use crate::planner::{Phase, System};
use crate::units::Iops;
use crate::workload::Io;

/// How long CrystalDiskMark measures one test, seconds, unless set otherwise: its default.
pub const CDM_SECONDS: f64 = 5.0;
/// How often CrystalDiskMark repeats one test at most.
pub const CDM_MOST_LOOPS: f64 = 9.0;

/// What a test would draw at a burst rate, against what is left in the buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credit {
    /// It fits: a full bucket carries the run to the end of this test.
    Fits,
    /// It does not: the bucket is empty before the test ends.
    Exceeds,
    /// How long the test ran is not known.
    Unknown,
}

/// How long a test ran at most, seconds.
///
/// CrystalDiskMark does not say how often it repeated a test: the most that it offers is reckoned with.
#[must_use]
pub fn seconds_of(test: &Test, format: Format) -> Option<f64> {
    match format {
        Format::CrystalDiskMark => Some(test.seconds.unwrap_or(CDM_SECONDS) * CDM_MOST_LOOPS),
        _ => test.seconds,
    }
}

/// What the tests of one run have drawn so far, in the order of the report. Nothing is credited back in between.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    spent: Vec<f64>,
}

impl Ledger {
    /// Whether `test` at `rate` fits in what is left.
    #[must_use]
    pub fn credit(
        &self,
        deployment: &Deployment,
        index: usize,
        measured: &Measured,
        rate: Iops,
        seconds: Option<f64>,
    ) -> Credit {
        let Some(seconds) = seconds else {
            return Credit::Unknown;
        };
        let system = alone(deployment, index, &measured.io, Some(CacheState::Cold));
        let fits = draws(&system, rate, seconds)
            .all(|(place, drawn, bucket)| self.spent_on(place) + drawn <= bucket);
        if fits { Credit::Fits } else { Credit::Exceeds }
    }

    /// Books what a test drew at its measured rate.
    pub fn book(
        &mut self,
        deployment: &Deployment,
        index: usize,
        measured: &Measured,
        seconds: Option<f64>,
    ) {
        let system = alone(deployment, index, &measured.io, Some(CacheState::Cold));
        self.spent.resize(system.resources.len(), 0.0);
        for (place, drawn, _) in draws(&system, measured.iops, seconds.unwrap_or(0.0)) {
            if let Some(spent) = self.spent.get_mut(place) {
                *spent += drawn;
            }
        }
    }

    fn spent_on(&self, place: usize) -> f64 {
        self.spent.get(place).copied().unwrap_or(0.0)
    }
}

/// What burst credit of disk and VM makes of `io` on the volume at `index`, without its host cache; `None` where that is no
/// more than holds without it.
#[must_use]
pub fn with_credit(deployment: &Deployment, index: usize, io: &Io) -> Option<Iops> {
    let system = alone(deployment, index, io, Some(CacheState::Cold));
    // The way that all I/O takes in the end: what a cache absorbs in burst is no credit.
    let uses = (system.flows.first()).map_or(&[][..], |flow| flow.uses(Phase::Sustained));
    let lowest = |phase| {
        let rates = uses.iter().filter_map(|used| {
            let capacity = system.resources.get(used.resource)?.capacity(phase)?;
            (used.per_io > 0.0).then(|| capacity / used.per_io)
        });
        rates.reduce(f64::min)
    };
    let burst = lowest(Phase::Burst)?;
    let more = lowest(Phase::Sustained).is_some_and(|held| burst > held);
    Iops::new(burst).ok().filter(|_| more)
}

/// The buckets that `rate` draws on for so long: the resource, what is drawn and what a full bucket holds.
fn draws(system: &System, rate: Iops, seconds: f64) -> impl Iterator<Item = (usize, f64, f64)> {
    let uses = system
        .flows
        .first()
        .map_or(&[][..], |flow| flow.uses(Phase::Burst));
    uses.iter().filter_map(move |used| {
        let resource = system.resources.get(used.resource)?;
        let above = rate.get() * used.per_io - resource.base?;
        let bucket = resource.bucket()?;
        (above > 0.0).then_some((used.resource, above * seconds, bucket))
    })
}
