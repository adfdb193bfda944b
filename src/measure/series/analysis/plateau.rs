//! Plateaus: time spent at a constant rate, and the limit that it sits on.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hold::{self, Answers, Hold, Known};
use super::stats::median;
use super::view::{View, at};
use crate::catalog::Axis;
use crate::units::{Iops, MBps, Share};

/// How far the samples of a run may be from its mean.
const FLATNESS: f64 = 0.035;
/// Rates pile up at a level where so much of the time is spent below the noise of it,
const LEAST_BELOW: f64 = 0.05;
/// and at most this part of that above the noise: what scatters about a mean does so to both sides.
const MOST_ABOVE_PILED: f64 = 0.1;
/// Noise reaches so many times the median distance from the level, 3.5 standard deviations.
const NOISE: f64 = 5.2;
/// The fewest samples in a row that make a level.
pub(super) const SHORTEST_RUN: usize = 5;
/// Samples this near to a level are at it, and levels this near to each other are one.
const SAME_LEVEL: f64 = 0.05;
/// A level counts when it holds this share of the time,
const LEAST_SHARE: f64 = 0.1;
/// or when it is kept for so many samples in a row.
const LONG_RUN: usize = 20;
/// More time than this above a level, as a part of the time at it, and it is no ceiling.
const MOST_ABOVE: f64 = 0.25;
/// The median distance from the median, as a part of the level, of samples that a limit holds is at most this.
const HELD_SPREAD: f64 = 0.013;
/// The same of samples that merely scatter: those near any level lie evenly over the width of [`SAME_LEVEL`].
const SCATTERED_SPREAD: f64 = 0.024;
/// How much nearer than that so many samples may come by chance, times the root of their number.
const SPREAD_BY_CHANCE: f64 = 0.075;
/// What few samples have to keep to.
const LEAST_SPREAD: f64 = 0.005;

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
    /// Whether rates pile up there: with time below it and next to none above, or as one level below another. A limit does
    /// that, and noise does not.
    #[serde(default)]
    pub piled_up: bool,
    /// What holds it there.
    pub hold: Hold,
}

impl Plateau {
    /// Whether anything shows that it is more than a rate that is even by itself.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.piled_up || self.hold != Hold::Unknown
    }

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
        hold::Words {
            hold: &self.hold,
            outstanding: self.outstanding,
        }
        .fmt(f)
    }
}

/// Samples in a row at one level.
#[derive(Debug, Clone, Copy)]
struct Run {
    level: f64,
    seconds: f64,
}

/// A level that counts as a plateau.
struct Found {
    level: Level,
    plateau: Plateau,
}

impl Found {
    fn is_named(&self) -> bool {
        self.plateau.hold.is_named()
    }
}

/// The plateaus of both rates, highest first; only one axis of those that show the same time, and no moment in two.
pub(super) fn plateaus(view: &View<'_>, known: &Known<'_>) -> Vec<Plateau> {
    let mut found = on_axis(view, Axis::Iops, known);
    for one in on_axis(view, Axis::Mbps, known) {
        match (found.iter_mut()).find(|other| same_time(&other.plateau, &one.plateau)) {
            // Constant I/O sizes make both rates flat at once: the axis with the named limit says more.
            Some(other) => {
                if one.is_named() && !other.is_named() {
                    *other = one;
                }
            }
            None => found.push(one),
        }
    }
    apart(found, view, known)
}

/// Each moment is of one plateau: that with a named limit, else the longer one. What is then too short is none.
fn apart(found: Vec<Found>, view: &View<'_>, known: &Known<'_>) -> Vec<Plateau> {
    let mut ranked: Vec<(usize, Found)> = found.into_iter().enumerate().collect();
    let share = |found: &Found| found.plateau.share.get();
    ranked.sort_by(|(_, a), (_, b)| {
        (b.is_named().cmp(&a.is_named())).then_with(|| share(b).total_cmp(&share(a)))
    });
    let mut taken = vec![false; view.len()];
    let mut kept = Vec::new();
    for (place, one) in ranked {
        let level = one.level.without(&taken);
        if !level.counts(view) {
            continue;
        }
        for (from, to) in &level.runs {
            taken.get_mut(*from..*to).unwrap_or_default().fill(true);
        }
        let axis = one.plateau.axis;
        kept.push((
            place,
            level.plateau(view, axis, known, one.plateau.piled_up),
        ));
    }
    kept.sort_by_key(|(place, _)| *place);
    kept.into_iter().map(|(_, plateau)| plateau).collect()
}

/// Whether both share more than half of the time of the longer one.
fn same_time(a: &Plateau, b: &Plateau) -> bool {
    let total = |spans: &[(u64, u64)]| spans.iter().map(|(from, to)| to - from).sum::<u64>();
    common_time(&a.spans, &b.spans) * 2 > total(&a.spans).max(total(&b.spans))
}

/// The time that two lists of spans, each in order, have in common.
pub(super) fn common_time(a: &[(u64, u64)], b: &[(u64, u64)]) -> u64 {
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

fn on_axis(view: &View<'_>, axis: Axis, known: &Known<'_>) -> Vec<Found> {
    let values = view.on(axis);
    let mut levels: Vec<Level> = levels(&runs(values, &view.seconds))
        .iter()
        .map(|runs| Level::of(mean_level(runs), values))
        .collect();
    levels.retain(|level| level.counts(view) && level.is_kept(values));
    let levels = distinct(levels, &view.seconds);
    let mut at_higher = vec![false; values.len()];
    let mut found = Vec::new();
    for level in levels.into_iter().rev() {
        let piled_up = level.is_piled_up(values, &at_higher, &view.seconds);
        let plateau = level.plateau(view, axis, known, piled_up);
        let limit = plateau.level * (1.0 + SAME_LEVEL);
        let above: f64 = values
            .iter()
            .zip(&at_higher)
            .zip(&view.seconds)
            .filter(|((value, at_higher), _)| **value > limit && !**at_higher)
            .map(|(_, seconds)| seconds)
            .sum();
        let one = Found { level, plateau };
        if one.is_named() || above <= one.level.seconds(&view.seconds) * MOST_ABOVE {
            for (from, to) in one.level.bridged() {
                at_higher.get_mut(from..to).unwrap_or_default().fill(true);
            }
            found.push(one);
        }
    }
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
    /// From and to of samples in a row, all of them at the level.
    runs: Vec<(usize, usize)>,
}

impl Level {
    fn of(rate: f64, values: &[f64]) -> Self {
        let near = |i: usize| at(values, i).is_some_and(|v| (v - rate).abs() <= rate * SAME_LEVEL);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for i in (0..values.len()).filter(|i| near(*i)) {
            match runs.last_mut() {
                Some((_, to)) if i == *to => *to = i + 1,
                _ => runs.push((i, i + 1)),
            }
        }
        Self { rate, runs }
    }

    /// The same, where a single sample off the level does not part two of them.
    fn bridged(&self) -> Vec<(usize, usize)> {
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (from, to) in &self.runs {
            match joined.last_mut() {
                Some((_, end)) if *from <= *end + 1 => *end = *to,
                _ => joined.push((*from, *to)),
            }
        }
        joined
    }

    /// The same without the samples that are `taken`.
    fn without(&self, taken: &[bool]) -> Self {
        let free = |i: &usize| taken.get(*i).is_some_and(|taken| !taken);
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for i in (self.runs.iter())
            .flat_map(|(from, to)| *from..*to)
            .filter(free)
        {
            match runs.last_mut() {
                Some((_, to)) if i == *to => *to = i + 1,
                _ => runs.push((i, i + 1)),
            }
        }
        Self {
            rate: self.rate,
            runs,
        }
    }

    /// Whether it takes enough of the time, or is kept for long.
    fn counts(&self, view: &View<'_>) -> bool {
        let mut bridged = self.bridged().into_iter();
        let long = bridged.any(|(from, to)| to - from >= LONG_RUN);
        long || self.seconds(&view.seconds) >= view.all_seconds() * LEAST_SHARE
    }

    /// Whether its samples crowd at one rate, and that in the middle of those near it: the edge of rates that scatter crowds
    /// to one side. Where rates merely scatter about a mean, those near any level are spread over the whole width that counts
    /// as near.
    fn is_kept(&self, values: &[f64]) -> bool {
        let Some((middle, spread, count)) = self.middle(values) else {
            return false;
        };
        let by_chance = SCATTERED_SPREAD - SPREAD_BY_CHANCE / (count as f64).sqrt();
        let most = by_chance.clamp(LEAST_SPREAD, HELD_SPREAD);
        let is_middle = (middle - self.rate).abs() <= self.rate * HELD_SPREAD;
        is_middle && spread <= self.rate * most
    }

    /// The median of its samples, their median distance from it, and how many they are.
    fn middle(&self, values: &[f64]) -> Option<(f64, f64, usize)> {
        let own = (self.runs.iter()).filter_map(|(from, to)| values.get(*from..*to));
        let own: Vec<f64> = own.flatten().copied().collect();
        let middle = median(&own)?;
        let off: Vec<f64> = own.iter().map(|value| (value - middle).abs()).collect();
        Some((middle, median(&off)?, own.len()))
    }

    /// Whether time is spent below it, or at a higher level, and next to none above it otherwise; the noise of the level itself
    /// is left out.
    fn is_piled_up(&self, values: &[f64], at_higher: &[bool], seconds: &[f64]) -> bool {
        let Some((middle, spread, _)) = self.middle(values) else {
            return false;
        };
        let noise = spread * NOISE;
        let rates = values.iter().zip(at_higher).zip(seconds);
        let rates = rates.filter(|((_, at_higher), _)| !**at_higher);
        let is_lower = at_higher.contains(&true);
        let (mut above, mut below, mut all) = (0.0, 0.0, 0.0);
        for ((value, _), seconds) in rates {
            all += seconds;
            if *value > middle + noise {
                above += seconds;
            } else if *value < middle - noise {
                below += seconds;
            }
        }
        let beside = if is_lower { all } else { below };
        beside >= all * LEAST_BELOW && above <= beside * MOST_ABOVE_PILED
    }

    fn seconds(&self, seconds: &[f64]) -> f64 {
        self.runs
            .iter()
            .filter_map(|(from, to)| seconds.get(*from..*to))
            .flatten()
            .sum()
    }

    /// The mean latency at it, weighted by I/Os, microseconds.
    fn latency(&self, view: &View<'_>) -> Option<f64> {
        let of_runs = self.runs.iter().filter_map(|(from, to)| {
            let weight = view.seconds_of(*from, *to) * view.rate_of(*from, *to)?;
            Some((view.latency_of(*from, *to)? * weight, weight))
        });
        let (sum, weights) = of_runs.fold((0.0, 0.0), |all, of| (all.0 + of.0, all.1 + of.1));
        (weights > 0.0).then(|| sum / weights)
    }

    fn plateau(&self, view: &View<'_>, axis: Axis, known: &Known<'_>, piled_up: bool) -> Plateau {
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
        let answers = Answers {
            outstanding,
            latency: self.latency(view),
            shortest: view.shortest_latency(),
            piled_up,
        };
        let hold = hold::hold((self.rate, axis), &spans, known, &answers);
        let share = self.seconds(&view.seconds) / view.all_seconds();
        Plateau {
            axis,
            level: self.rate,
            share: Share::new(share.clamp(0.0, 1.0)).unwrap_or(Share::NONE),
            longest_ms: spans.iter().map(|(from, to)| to - from).max().unwrap_or(0),
            spans,
            outstanding,
            piled_up,
            hold,
        }
    }
}
