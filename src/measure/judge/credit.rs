//! Whether a run fits in burst credit: what its tests draw from each bucket, against what a full one holds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// How long a test ran, seconds: where it is not told, at least and at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spell {
    /// At least.
    pub least: f64,
    /// At most.
    pub most: f64,
}

/// How long a test ran; `None` where nothing tells.
///
/// CrystalDiskMark does not say how often it repeated a test: from once to the most that it offers. Counters do not say
/// how full a bucket was when they began, nor do their busiest samples come one after another.
#[must_use]
pub fn seconds_of(test: &Test, format: Format) -> Option<Spell> {
    match format {
        Format::CrystalDiskMark => {
            let one = test.seconds.unwrap_or(CDM_SECONDS);
            Some(Spell {
                least: one,
                most: one * CDM_MOST_LOOPS,
            })
        }
        _ if format.is_counters() => None,
        _ => test.seconds.map(|seconds| Spell {
            least: seconds,
            most: seconds,
        }),
    }
}

/// The most that credit makes of a run of known length on average.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunLimit {
    /// That rate.
    pub iops: Iops,
    /// How long the run is, seconds.
    pub seconds: f64,
    /// Whether tests before it drew on the same credit, if they ran one right after another.
    pub after_others: bool,
}

/// What the tests of one run have drawn so far, in the order of the report: at least and at most, for a host cache may have
/// answered in place of the disks. Nothing is credited back in between.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    least: Vec<f64>,
    most: Vec<f64>,
}

impl Ledger {
    /// Whether a test at `rate` fits in what is left; `by_cache` where a host cache may answer it.
    #[must_use]
    pub fn credit(
        &self,
        deployment: &Deployment,
        index: usize,
        measured: &Measured,
        rate: Iops,
        seconds: Option<Spell>,
        by_cache: bool,
    ) -> Credit {
        let Some(seconds) = seconds else {
            return Credit::Unknown;
        };
        let system = alone(deployment, index, &measured.io, Some(CacheState::Cold));
        let fits = |spent: &[f64], seconds| {
            draws(&system, rate, seconds)
                .all(|(place, drawn, bucket)| spent_on(spent, place) + drawn <= bucket)
        };
        if fits(&self.most, seconds.most) {
            Credit::Fits
        } else if by_cache || fits(&self.least, seconds.least) {
            Credit::Unknown
        } else {
            Credit::Exceeds
        }
    }

    /// The most that what is left in the buckets makes of a test on average, where that is less than burst makes: the
    /// base, and what is left spread over the run. `None` where its length is not told.
    #[must_use]
    pub fn run_limit(
        &self,
        deployment: &Deployment,
        index: usize,
        measured: &Measured,
        seconds: Option<Spell>,
    ) -> Option<RunLimit> {
        let seconds = seconds.filter(|of| of.least == of.most && of.least > 0.0)?;
        let system = alone(deployment, index, &measured.io, Some(CacheState::Cold));
        let uses = system.flows.first()?.uses(Phase::Burst);
        let limits = uses.iter().filter_map(|used| {
            let resource = system.resources.get(used.resource)?;
            let spent = spent_on(&self.least, used.resource);
            let left = (resource.bucket()? - spent).max(0.0) / seconds.least;
            let rate = (resource.base? + left).min(resource.burst?) / used.per_io;
            Some((rate, spent > 0.0))
        });
        let (rate, after_others) = limits.min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(RunLimit {
            iops: Iops::new(rate).ok()?,
            seconds: seconds.least,
            after_others,
        })
    }

    /// Books what a test drew at its measured rate; nothing for sure where a host cache may have answered.
    pub fn book(
        &mut self,
        deployment: &Deployment,
        index: usize,
        measured: &Measured,
        seconds: Option<Spell>,
        by_cache: bool,
    ) {
        let Some(seconds) = seconds else {
            return;
        };
        let system = alone(deployment, index, &measured.io, Some(CacheState::Cold));
        self.least.resize(system.resources.len(), 0.0);
        self.most.resize(system.resources.len(), 0.0);
        let least = if by_cache { 0.0 } else { seconds.least };
        for (spent, seconds) in [(&mut self.least, least), (&mut self.most, seconds.most)] {
            for (place, drawn, bucket) in draws(&system, measured.iops, seconds) {
                if let Some(spent) = spent.get_mut(place) {
                    // No more is drawn than there is.
                    *spent = (*spent + drawn).min(bucket);
                }
            }
        }
    }
}

fn spent_on(spent: &[f64], place: usize) -> f64 {
    spent.get(place).copied().unwrap_or(0.0)
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
