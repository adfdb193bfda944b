//! Plateaus: time spent at a constant rate, and the limit that it sits on.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::{View, at};
use crate::catalog::Axis;
use crate::measure::series::model::Cap;
use crate::units::{Iops, MBps, Share};

/// How far the samples of a run may be from its mean.
const FLATNESS: f64 = 0.035;
/// The fewest samples in a row that make a level.
const SHORTEST_RUN: usize = 5;
/// Samples this near to a level are at it, and levels this near to each other are one.
const SAME_LEVEL: f64 = 0.05;
/// A level counts when it holds this share of the time,
const LEAST_SHARE: f64 = 0.1;
/// or when it is kept for so many samples in a row.
const LONG_RUN: usize = 20;
/// More time than this above a level, as a part of the time at it, and it is no ceiling.
const MOST_ABOVE: f64 = 0.25;
/// From how many outstanding I/Os on there is more asked than served.
const QUEUED: f64 = 2.0;

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
    },
    /// Some limit: I/Os queue up behind it.
    UnknownLimit,
    /// The load itself: nothing queues, no more is asked.
    Load,
    /// Not to be told: the queue is not known.
    Unknown,
}

/// A constant rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plateau {
    /// Which rate is constant.
    pub axis: Axis,
    /// The rate, in I/Os per second or MB/s as the axis says.
    pub level: f64,
    /// How much of the time was spent at it.
    pub share: Share,
    /// The longest time without a break, milliseconds.
    pub longest_ms: u64,
    /// Where it was: start and end of each run, milliseconds since the start of the series.
    pub spans: Vec<(u64, u64)>,
    /// I/Os outstanding on average meanwhile.
    pub outstanding: Option<f64>,
    /// What holds it there.
    pub hold: Hold,
}

impl Plateau {
    /// Whether most of its time is also spent at `other`.
    #[must_use]
    pub fn goes_with(&self, other: &Self) -> bool {
        let own: u64 = self.spans.iter().map(|(from, to)| to - from).sum();
        common_time(&self.spans, &other.spans) * 2 > own
    }
}

impl fmt::Display for Plateau {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = match self.axis {
            Axis::Iops => Iops::new(self.level).map(|v| format!("{v} IOPS")),
            Axis::Mbps => MBps::new(self.level).map(|v| format!("{v} MB/s")),
        }
        .unwrap_or_default();
        write!(f, "flat at {rate} for {} of the time: ", self.share)?;
        match &self.hold {
            Hold::Cap { name, ratio } => {
                write!(f, "held by {name} ({:.0} % of that limit)", ratio * 100.0)
            }
            Hold::UnknownLimit => f.write_str("held by some limit, I/Os queue up behind it"),
            Hold::Load => f.write_str("no more was asked of the disk"),
            Hold::Unknown => {
                f.write_str("held by a limit, or no more was asked (the queue is not known)")
            }
        }
    }
}

/// Samples in a row at one level.
#[derive(Debug, Clone, Copy)]
struct Run {
    level: f64,
    seconds: f64,
}

/// The plateaus of both rates, highest first; only one axis of those that show the same time.
pub(super) fn plateaus(view: &View<'_>, caps: &[Cap], tolerance: f64) -> Vec<Plateau> {
    let mut found = on_axis(view, Axis::Iops, caps, tolerance);
    for plateau in on_axis(view, Axis::Mbps, caps, tolerance) {
        match found.iter_mut().find(|other| same_time(other, &plateau)) {
            // Constant I/O sizes make both rates flat at once: the axis with the named limit says more.
            Some(other) => {
                let named = |p: &Plateau| matches!(p.hold, Hold::Cap { .. });
                if named(&plateau) && !named(other) {
                    *other = plateau;
                }
            }
            None => found.push(plateau),
        }
    }
    found
}

/// Whether both share more than half of the time of the longer one.
fn same_time(a: &Plateau, b: &Plateau) -> bool {
    let total = |spans: &[(u64, u64)]| spans.iter().map(|(from, to)| to - from).sum::<u64>();
    common_time(&a.spans, &b.spans) * 2 > total(&a.spans).max(total(&b.spans))
}

/// The time that two lists of spans, each in order, have in common.
fn common_time(a: &[(u64, u64)], b: &[(u64, u64)]) -> u64 {
    common(a, b).map(|(from, to)| to - from).sum()
}

/// Where two lists of stretches, each in order, are both.
fn common<T: Ord + Copy>(a: &[(T, T)], b: &[(T, T)]) -> impl Iterator<Item = (T, T)> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    std::iter::from_fn(move || {
        loop {
            let (x, y) = (**a.peek()?, **b.peek()?);
            if x.1 < y.1 {
                a.next();
            } else {
                b.next();
            }
            let both = (x.0.max(y.0), x.1.min(y.1));
            if both.0 < both.1 {
                return Some(both);
            }
        }
    })
}

/// The levels, lowest first, without those of which most samples are at another one that is kept for longer: noise
/// makes several levels of one.
fn distinct(mut levels: Vec<Level>, seconds: &[f64]) -> Vec<Level> {
    levels.sort_by(|a, b| b.seconds(seconds).total_cmp(&a.seconds(seconds)));
    let mut kept: Vec<Level> = Vec::new();
    for level in levels {
        let time = |runs: &mut dyn Iterator<Item = (usize, usize)>| -> f64 {
            let stretches = runs.filter_map(|(from, to)| seconds.get(from..to));
            stretches.flatten().sum()
        };
        let own = level.seconds(seconds);
        let of_another = |other: &Level| time(&mut common(&level.runs, &other.runs)) * 2.0 > own;
        if !kept.iter().any(of_another) {
            kept.push(level);
        }
    }
    kept.sort_by(|a, b| a.rate.total_cmp(&b.rate));
    kept
}

fn on_axis(view: &View<'_>, axis: Axis, caps: &[Cap], tolerance: f64) -> Vec<Plateau> {
    let values = view.on(axis);
    let all = view.all_seconds();
    let mut levels: Vec<Level> = levels(&runs(values, &view.seconds))
        .iter()
        .map(|runs| Level::of(mean_level(runs), values))
        .collect();
    levels.retain(|level| {
        let long = level.runs.iter().any(|(from, to)| to - from >= LONG_RUN);
        long || level.seconds(&view.seconds) >= all * LEAST_SHARE
    });
    let levels = distinct(levels, &view.seconds);
    // For each sample the level it is at, counted from 1; 0 for none.
    let mut at_level = vec![0_usize; values.len()];
    for (rank, level) in (1..).zip(&levels) {
        for (from, to) in &level.runs {
            at_level.get_mut(*from..*to).unwrap_or_default().fill(rank);
        }
    }
    let mut found = Vec::new();
    for (rank, level) in (1..).zip(&levels) {
        let plateau = level.plateau(view, axis, caps, tolerance);
        let named = matches!(plateau.hold, Hold::Cap { .. });
        let limit = plateau.level * (1.0 + SAME_LEVEL);
        let above: f64 = values
            .iter()
            .zip(&at_level)
            .zip(&view.seconds)
            .filter(|((value, level), _)| **value > limit && **level <= rank)
            .map(|(_, seconds)| seconds)
            .sum();
        if named || above <= plateau.share.get() * all * MOST_ABOVE {
            found.push(plateau);
        }
    }
    found.reverse();
    found
}

/// Samples in a row that stay near their mean. A single one off the level does not end a run.
fn runs(values: &[f64], seconds: &[f64]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < values.len() {
        let (to, level, time) = grow(values, seconds, from);
        if to - from >= SHORTEST_RUN && level > 0.0 {
            found.push(Run {
                level,
                seconds: time,
            });
            from = to;
        } else {
            from += 1;
        }
    }
    found
}

/// How far a run that starts at `from` goes, its mean and its time.
fn grow(values: &[f64], seconds: &[f64], from: usize) -> (usize, f64, f64) {
    let Some(first) = at(values, from) else {
        return (from, 0.0, 0.0);
    };
    let near = |value: Option<f64>, level: f64| {
        value.is_some_and(|v| (v - level).abs() <= level.abs() * FLATNESS)
    };
    let (mut level, mut count, mut to) = (first, 1.0, from + 1);
    let mut time = at(seconds, from).unwrap_or(0.0);
    loop {
        let skip = usize::from(!near(at(values, to), level));
        let Some(value) = at(values, to + skip).filter(|v| near(Some(*v), level)) else {
            return (to, level, time);
        };
        count += 1.0;
        level += (value - level) / count;
        time += at(seconds, to + skip).unwrap_or(0.0);
        to += skip + 1;
    }
}

/// Runs grouped by their level, lowest first.
fn levels(runs: &[Run]) -> Vec<Vec<Run>> {
    let mut sorted = runs.to_vec();
    sorted.sort_by(|a, b| a.level.total_cmp(&b.level));
    let mut groups: Vec<Vec<Run>> = Vec::new();
    for run in sorted {
        match groups.last_mut() {
            Some(group) if run.level <= mean_level(group) * (1.0 + SAME_LEVEL) => group.push(run),
            _ => groups.push(vec![run]),
        }
    }
    groups
}

/// The mean level of runs, weighted by their time.
fn mean_level(runs: &[Run]) -> f64 {
    let time: f64 = runs.iter().map(|run| run.seconds).sum();
    if time > 0.0 {
        runs.iter().map(|run| run.level * run.seconds).sum::<f64>() / time
    } else {
        runs.first().map_or(0.0, |run| run.level)
    }
}

/// A level with all the samples that are at it.
struct Level {
    rate: f64,
    /// From and to of samples in a row, a single one off the level among them.
    runs: Vec<(usize, usize)>,
}

impl Level {
    fn of(rate: f64, values: &[f64]) -> Self {
        let near = |i: usize| at(values, i).is_some_and(|v| (v - rate).abs() <= rate * SAME_LEVEL);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for i in (0..values.len()).filter(|i| near(*i)) {
            match runs.last_mut() {
                Some((_, to)) if i <= *to + 1 => *to = i + 1,
                _ => runs.push((i, i + 1)),
            }
        }
        Self { rate, runs }
    }

    fn seconds(&self, seconds: &[f64]) -> f64 {
        self.runs
            .iter()
            .filter_map(|(from, to)| seconds.get(*from..*to))
            .flatten()
            .sum()
    }

    fn plateau(&self, view: &View<'_>, axis: Axis, caps: &[Cap], tolerance: f64) -> Plateau {
        let spans: Vec<(u64, u64)> = self.runs.iter().map(|(a, b)| view.span(*a, *b)).collect();
        let (mut waiting, mut weights) = (0.0, 0.0);
        for (from, to) in &self.runs {
            if let Some(outstanding) = view.outstanding_of(*from, *to) {
                let seconds = view.seconds_of(*from, *to);
                waiting += outstanding * seconds;
                weights += seconds;
            }
        }
        let outstanding = (weights > 0.0).then(|| waiting / weights);
        let hold = nearest_cap(self.rate, axis, caps, tolerance).unwrap_or(match outstanding {
            Some(waiting) if waiting >= QUEUED => Hold::UnknownLimit,
            Some(_) => Hold::Load,
            None => Hold::Unknown,
        });
        let share = self.seconds(&view.seconds) / view.all_seconds();
        Plateau {
            axis,
            level: self.rate,
            share: Share::new(share.clamp(0.0, 1.0)).unwrap_or(Share::NONE),
            longest_ms: spans.iter().map(|(from, to)| to - from).max().unwrap_or(0),
            spans,
            outstanding,
            hold,
        }
    }
}

/// The limit that a level sits on, if one is near enough: the nearest.
fn nearest_cap(level: f64, axis: Axis, caps: &[Cap], tolerance: f64) -> Option<Hold> {
    caps.iter()
        .filter_map(|cap| {
            let limit = cap.limits.on(axis).filter(|limit| *limit > 0.0)?;
            Some((cap, level / limit))
        })
        .filter(|(_, ratio)| (ratio - 1.0).abs() <= tolerance)
        .min_by(|a, b| (a.1 - 1.0).abs().total_cmp(&(b.1 - 1.0).abs()))
        .map(|(cap, ratio)| Hold::Cap {
            name: cap.name.clone(),
            ratio,
        })
}
