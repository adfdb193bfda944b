//! What holds a constant rate where it is: a limit that is known by name, some other one, or nothing but the load.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TOLERANCE;
use super::plateau::common_time;
use crate::catalog::Axis;
use crate::measure::series::model::Cap;
use crate::units::Latency;

/// From how many outstanding I/Os on there may be more asked than served.
const QUEUED: f64 = 2.0;
/// More outstanding I/Os than this are a queue, where no usual latency is known to tell by: what takes as many at a time
/// without a limit is faster than that.
const FEW: f64 = 8.0;
/// Longer than any managed disk takes for one I/O, 20 ms: what takes longer waited in a queue.
const NEVER_ALONE: Latency = Latency::whole(20_000);
/// So many times the longest that is usual, and I/Os wait: a disk that is merely slow does not take as long.
const WAITED_FOR_SURE: f64 = 3.0;
/// So many times the shortest latency of the same log, and I/Os waited in a queue.
const WAITED: f64 = 1.5;
/// Limits this near to each other cannot be told apart by a rate.
const SAME_LIMIT: f64 = 0.01;

/// What holds the rate where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Hold {
    /// A limit that is known by name.
    Cap {
        /// Its name.
        name: String,
        /// The plateau's rate as a part of the limit.
        ratio: f64,
        /// Other limits that are as high: either or all of them may hold it.
        #[serde(default)]
        also: Vec<String>,
    },
    /// Of disks added up: some of them are at limits of their own meanwhile.
    Parts {
        /// Those disks.
        disks: Vec<String>,
    },
    /// Some limit: I/Os queue up behind it.
    UnknownLimit,
    /// The load itself: nothing queues, no more is asked.
    Load,
    /// Not to be told: the queue is not known, or not whether so few I/Os at a time wait in one.
    Unknown,
}

impl Hold {
    /// The names of the limits that may hold it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let (first, more) = match self {
            Self::Cap { name, also, .. } => (Some(name), also.as_slice()),
            _ => (None, &[][..]),
        };
        first.into_iter().chain(more).map(String::as_str)
    }

    /// The same as words; empty where none is known by name.
    #[must_use]
    pub fn limits(&self) -> String {
        let names: Vec<&str> = self.names().collect();
        names.join(" and ")
    }

    /// Whether a limit is known by name.
    #[must_use]
    pub const fn is_named(&self) -> bool {
        matches!(self, Self::Cap { .. })
    }
}

/// What is known of a disk before anything is judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Known<'a> {
    /// The limits that its constant rates may sit on, beside those that the log states itself.
    pub caps: &'a [Cap],
    /// The longest that one of its I/Os takes and is as usual; `None` where no usual latency is known.
    pub longest_usual: Option<Latency>,
    /// Of disks added up, those that were at limits of their own, and when.
    pub parts: &'a [Part<'a>],
    /// The part of a limit that still counts as being on it.
    pub tolerance: f64,
}

/// A disk of several that are added up, at a limit of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part<'a> {
    /// Its name.
    pub disk: &'a str,
    /// When it was at the limit: start and end, in order, milliseconds since the start of the series.
    pub spans: &'a [(u64, u64)],
}

impl Default for Known<'_> {
    /// Nothing is known.
    fn default() -> Self {
        Self {
            caps: &[],
            longest_usual: None,
            parts: &[],
            tolerance: TOLERANCE,
        }
    }
}

/// How a disk answered while its rate was constant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answers {
    /// I/Os outstanding on average.
    pub outstanding: Option<f64>,
    /// Their latency, microseconds.
    pub latency: Option<f64>,
    /// The shortest latency of the same log, microseconds.
    pub shortest: Option<f64>,
    /// Whether rates pile up there: a rate that is even by itself keeps as close to its mean.
    pub piled_up: bool,
}

/// What holds a rate of `level` that was kept in `spans`.
pub(super) fn hold(
    (level, axis): (f64, Axis),
    spans: &[(u64, u64)],
    known: &Known<'_>,
    answers: &Answers,
) -> Hold {
    nearest_cap(level, axis, known)
        .or_else(|| parts(spans, known.parts))
        .unwrap_or_else(|| unnamed(known.longest_usual, answers))
}

/// The disks that were at limits of their own for most of the time.
fn parts(spans: &[(u64, u64)], parts: &[Part<'_>]) -> Option<Hold> {
    let all: u64 = spans.iter().map(|(from, to)| to - from).sum();
    let at_limit = parts
        .iter()
        .filter(|part| common_time(part.spans, spans) * 2 > all);
    let mut disks: Vec<String> = at_limit.map(|part| part.disk.to_owned()).collect();
    disks.dedup();
    (!disks.is_empty()).then_some(Hold::Parts { disks })
}

/// What holds a rate that is near no limit: as few I/Os as make it at the usual latency are all that was asked. That some limit
/// does takes more than a rate that is even: I/Os that surely wait, or rates that pile up where there is a queue.
fn unnamed(longest_usual: Option<Latency>, answers: &Answers) -> Hold {
    let Some(outstanding) = answers.outstanding else {
        return Hold::Unknown;
    };
    let beyond = |most: f64| answers.latency.is_some_and(|took| took > most);
    let wait = || {
        beyond(NEVER_ALONE.micros())
            || longest_usual.is_some_and(|usual| beyond(usual.micros() * WAITED_FOR_SURE))
            || answers.shortest.is_some_and(|least| beyond(least * WAITED))
    };
    let piled_up = |least: f64| answers.piled_up && outstanding > least;
    match longest_usual {
        _ if outstanding < QUEUED => Hold::Load,
        Some(longest) if !beyond(longest.micros()) => Hold::Load,
        Some(_) if piled_up(QUEUED) || wait() => Hold::UnknownLimit,
        None if piled_up(FEW) || wait() => Hold::UnknownLimit,
        _ => Hold::Unknown,
    }
}

/// The limit that a level sits on, if one is near enough: the nearest, with those that are as high.
fn nearest_cap(level: f64, axis: Axis, known: &Known<'_>) -> Option<Hold> {
    let near = known.caps.iter().filter_map(|cap| {
        let limit = cap.limits.on(axis).filter(|limit| *limit > 0.0)?;
        let off = (level / limit - 1.0).abs();
        (off <= known.tolerance).then_some((cap, limit, off))
    });
    let near: Vec<(&Cap, f64, f64)> = near.collect();
    let (first, limit, _) = near.iter().min_by(|a, b| a.2.total_cmp(&b.2))?;
    let is_other = |(cap, other, _): &&(&Cap, f64, f64)| {
        cap.name != first.name && (other / limit - 1.0).abs() <= SAME_LIMIT
    };
    Some(Hold::Cap {
        name: first.name.clone(),
        ratio: level / limit,
        also: (near.iter().filter(is_other))
            .map(|(cap, ..)| cap.name.clone())
            .collect(),
    })
}

/// What holds a rate at which `outstanding` I/Os were in flight, in words.
pub(super) struct Words<'a> {
    pub hold: &'a Hold,
    pub outstanding: Option<f64>,
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.hold {
            Hold::Cap { ratio, also, .. } => {
                let that = if also.is_empty() {
                    "that limit"
                } else {
                    "each"
                };
                let limits = self.hold.limits();
                write!(f, "held by {limits} ({:.0} % of {that})", ratio * 100.0)
            }
            Hold::Parts { disks } => {
                write!(
                    f,
                    "held by the limits of {}, each at its own",
                    disks.join(", ")
                )
            }
            Hold::UnknownLimit => f.write_str("held by some limit, I/Os queue up behind it"),
            Hold::Load => f.write_str("no more was asked of the disk"),
            Hold::Unknown if self.outstanding.is_some() => {
                f.write_str("held by a limit, or no more was asked (it is not sure that I/Os wait)")
            }
            Hold::Unknown => {
                f.write_str("held by a limit, or no more was asked (the queue is not known)")
            }
        }
    }
}
