//! Levels: a disk that kept one rate and latency for a while, then another, and another: a slow spell that it came back
//! from, loads in turn.

use std::fmt;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::{ChangeCause, Stretch, cause};
use super::dips::Dips;
use super::stats::{median, said, spread};
use super::step::{between, is_apart, is_step, shortest};
use super::view::View;
use crate::catalog::Axis;
use crate::planner::findings::duration;
use crate::units::{Latency, grouped};

/// The fewest levels that are told here: two are a step.
const FEWEST: usize = 3;
/// The most that are told in words.
const MOST_TOLD: usize = 8;
/// More places than this where one may begin are of a rate that wanders.
const MOST_LOOKED_AT: usize = 400;
/// So many steps of a window are as long as itself.
const STEPS: usize = 4;
/// From one scale to the next so many samples are summed up in one.
const SCALE: usize = 4;

/// One level.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// When it began, milliseconds since the start of the series.
    pub from_ms: u64,
    /// When it ended.
    pub to_ms: u64,
    /// Which rate is told.
    pub axis: Axis,
    /// The mean rate of it, in I/Os per second or MB/s as the axis says.
    pub rate: f64,
    /// The mean latency of it, microseconds.
    pub latency: Option<Latency>,
    /// What changed from the level before; none for the first.
    pub cause: Option<ChangeCause>,
}

impl Level {
    /// How long it was, milliseconds.
    #[must_use]
    pub const fn length_ms(&self) -> u64 {
        self.to_ms.saturating_sub(self.from_ms)
    }
}

/// The levels of a disk, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Levels {
    /// Each of them.
    pub each: Vec<Level>,
}

impl Levels {
    /// Whether the disk, and not the load, was slower in one of them than in the one before.
    #[must_use]
    pub fn got_slower(&self) -> bool {
        let slower = Some(ChangeCause::Slower);
        self.each.iter().any(|level| level.cause == slower)
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} levels in turn: ", self.each.len())?;
        for (i, level) in self.each.iter().take(MOST_TOLD).enumerate() {
            if i > 0 {
                let from = level.from_ms as f64 / 1e3;
                write!(f, "; from {} on ", duration(from))?;
            }
            write!(f, "{} {}", grouped(level.rate, 0), level.axis)?;
            if let Some(latency) = level.latency {
                write!(f, " at {latency}")?;
            }
            f.write_str(match level.cause {
                Some(ChangeCause::Load) => " (another load)",
                Some(ChangeCause::Slower) => " (it got slower)",
                Some(ChangeCause::Faster) => " (it got faster)",
                Some(ChangeCause::Unknown) | None => "",
            })?;
        }
        match self.each.len().saturating_sub(MOST_TOLD) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// The levels of a series from its sample `settled` on, in rate or latency, without its `dips`, which are told as such;
/// `None` where there are not three at least.
pub(super) fn levels(view: &View<'_>, settled: usize, dips: Option<&Dips>) -> Option<Levels> {
    let logs = Logs::of(view, settled, dips);
    let parts = logs.parts()?;
    let stretch = |part: &Range<usize>| Stretch::of(view, part.start, part.end);
    let stretches: Option<Vec<Stretch>> = parts.iter().map(stretch).collect();
    let mut before: Option<Stretch> = None;
    let each = parts.iter().zip(stretches?).map(|(part, of)| {
        let (from_ms, to_ms) = view.span(part.start, part.end);
        Level {
            from_ms,
            to_ms,
            axis: view.axis(),
            rate: of.rate,
            latency: of.latency.and_then(|us| Latency::from_micros(us).ok()),
            cause: before.replace(of).map(|before| cause(before, of)),
        }
    });
    Some(Levels {
        each: each.collect(),
    })
}

/// The samples that say all that is looked at, as logarithms: of the rate, and of the latency where it is known.
struct Logs {
    /// Their places in the series.
    places: Vec<usize>,
    axes: Vec<Vec<f64>>,
    /// How many samples the series has.
    end: usize,
}

impl Logs {
    fn of(view: &View<'_>, settled: usize, dips: Option<&Dips>) -> Self {
        let has_latency = !said(&view.latency).is_empty();
        let axes = [Some(view.rate()), has_latency.then_some(&view.latency[..])];
        let axes: Vec<&[f64]> = axes.into_iter().flatten().collect();
        let is_said = |i: &usize| {
            let mut values = axes.iter().map(|axis| axis.get(*i));
            values.all(|value| value.is_some_and(|v| *v > 0.0))
        };
        let is_level = |i: &usize| !dips.is_some_and(|dips| dips.hold(view.span(*i, i + 1)));
        let places = (settled..view.len()).filter(is_said).filter(is_level);
        let places: Vec<usize> = places.collect();
        let logs = |axis: &&[f64]| {
            let values = places.iter().filter_map(|i| axis.get(*i));
            values.map(|v| v.ln()).collect()
        };
        Self {
            axes: axes.iter().map(logs).collect(),
            places,
            end: view.len(),
        }
    }

    /// The samples of the levels that differ each from the next.
    fn parts(&self) -> Option<Vec<Range<usize>>> {
        let count = self.places.len();
        let shortest = shortest(count);
        let mut begins: Vec<usize> = (self.axes.iter())
            .flat_map(|axis| changes(axis, shortest))
            .collect();
        begins.sort_unstable();
        begins.dedup();
        if begins.len() > MOST_LOOKED_AT {
            return None;
        }
        let begins = self.kept(begins, shortest);
        if begins.len() + 1 < FEWEST {
            return None;
        }
        let place = |i: usize| self.places.get(i).copied().unwrap_or(self.end);
        let bounds = std::iter::once(0).chain(begins).chain([count]);
        let bounds: Vec<usize> = bounds.map(place).collect();
        Some(bounds.windows(2).map(|w| w[0]..w[1]).collect())
    }

    /// The places that part two levels, each at the sample where it does: the weakest of those that do not go first, for
    /// what they part may be a level with its neighbour.
    fn kept(&self, mut begins: Vec<usize>, shortest: usize) -> Vec<usize> {
        let end = self.places.len();
        let around = |begins: &[usize], i: usize| {
            let before = i.checked_sub(1).and_then(|i| begins.get(i));
            let after = begins.get(i + 1).copied().unwrap_or(end);
            (before.copied().unwrap_or(0), after)
        };
        let part = |begins: &[usize], i: usize| {
            let (from, to) = around(begins, i);
            let at = begins.get(i).copied().unwrap_or(end);
            self.part(from, at, to, shortest)
        };
        let mut parts: Vec<Part> = (0..begins.len()).map(|i| part(&begins, i)).collect();
        loop {
            let weakest = (parts.iter().enumerate()).filter(|(_, part)| part.exact.is_none());
            let weakest = weakest.min_by(|a, b| a.1.height.total_cmp(&b.1.height));
            let Some((i, _)) = weakest else {
                break;
            };
            begins.remove(i);
            parts.remove(i);
            for near in [i.checked_sub(1), Some(i)].into_iter().flatten() {
                if let Some(slot) = parts.get_mut(near) {
                    *slot = part(&begins, near);
                }
            }
        }
        parts.into_iter().filter_map(|part| part.exact).collect()
    }

    /// What `at` parts of the samples `from..to`, on the axis that tells most.
    fn part(&self, from: usize, at: usize, to: usize, shortest: usize) -> Part {
        let of = |axis: &Vec<f64>| {
            let (before, after) = (axis.get(from..at)?, axis.get(at..to)?);
            let (was, is) = (median(before)?, median(after)?);
            let height = (is - was).abs();
            let exact = between(axis.get(from..to)?, was, is)? + from;
            let is_long = exact >= from + shortest && exact + shortest <= to;
            let parted = is_long && is_step(axis.get(from..exact)?, axis.get(exact..to)?);
            Some(Part {
                height,
                exact: parted.then_some(exact),
            })
        };
        let parts = self.axes.iter().filter_map(of);
        let key = |part: &Part| (part.exact.is_some(), part.height);
        let most = parts.max_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        most.unwrap_or_default()
    }
}

/// What a place parts.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    /// How far what is before it and what is behind it are from each other.
    height: f64,
    /// The sample that parts them, where both are levels.
    exact: Option<usize>,
}

/// Where `values` may change from one level to another that is kept for `shortest` of them: in windows so long, and in ever
/// longer ones of medians, for a change may take its time.
fn changes(values: &[f64], shortest: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut scaled = values.to_vec();
    let mut each = 1;
    while scaled.len() >= 2 * shortest {
        found.extend(steps(&scaled, shortest).into_iter().map(|at| at * each));
        scaled = (scaled.chunks_exact(SCALE)).filter_map(median).collect();
        each *= SCALE;
    }
    found
}

/// The places of `values` before and behind which windows of `width` are at levels of their own: of neighbours the one where
/// these are furthest from each other.
fn steps(values: &[f64], width: usize) -> Vec<usize> {
    let step = width.div_ceil(STEPS).max(1);
    let width = step * STEPS;
    let windows = values.windows(width).step_by(step);
    let windows = windows.map(|window| Some((median(window)?, spread(window)?)));
    let windows: Vec<Option<(f64, f64)>> = windows.collect();
    let heights = windows.iter().zip(windows.iter().skip(STEPS));
    let heights = heights.map(|pair| match pair {
        (Some(before), Some(after)) if is_apart(*before, *after) => after.0 - before.0,
        _ => 0.0,
    });
    let heights: Vec<f64> = heights.collect();
    let mut found = Vec::new();
    let mut first = 0;
    for group in heights.chunk_by(|a, b| a.signum() == b.signum() && *a != 0.0 && *b != 0.0) {
        let each = (first..).zip(group).filter(|(_, height)| **height != 0.0);
        let most = each.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        found.extend(most.map(|(i, _)| i * step + width));
        first += group.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The samples of levels of `rate` and `latency`, each until a sample, with 12 % of scatter from end to end.
    fn parts(levels: &[(usize, f64, f64)]) -> Option<Vec<Range<usize>>> {
        let end = levels.last()?.0;
        let of = |i: usize| levels.iter().find(|level| i < level.0).unwrap();
        let off = |i: usize| 1.0 + 0.02 * (i * 7 % 13) as f64 / 2.0 - 0.06;
        let rates = (0..end).map(|i| (of(i).1 * off(i)).ln());
        let latencies = (0..end).map(|i| (of(i).2 / off(i)).ln());
        let logs = Logs {
            places: (0..end).collect(),
            axes: vec![rates.collect(), latencies.collect()],
            end,
        };
        logs.parts()
    }

    #[test]
    fn a_spell_is_a_level_of_its_own() {
        let spell = [(300, 3000.0, 5.3), (480, 1500.0, 10.7), (720, 3000.0, 5.3)];
        assert_eq!(parts(&spell), Some(vec![0..300, 300..480, 480..720]));
        let of_latency = [(300, 1500.0, 1.2), (420, 1500.0, 12.0), (720, 1500.0, 1.2)];
        assert_eq!(parts(&of_latency), Some(vec![0..300, 300..420, 420..720]));
        let falling = [(120, 600.0, 1.0), (360, 4000.0, 4.0), (540, 2000.0, 16.0)];
        assert_eq!(parts(&falling), Some(vec![0..120, 120..360, 360..540]));
    }

    /// Noise that is the same in every run: sums of twelve even numbers are as good as normal, of deviation 1.
    fn noise() -> impl Iterator<Item = f64> {
        let mut state = 1_u64;
        std::iter::repeat_with(move || {
            let even = std::iter::repeat_with(|| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 33) as f64 / f64::from(1_u32 << 31)
            });
            even.take(12).sum::<f64>() - 6.0
        })
    }

    /// The levels of rates alone, as logarithms.
    fn of_rates(rates: Vec<f64>) -> Option<Vec<Range<usize>>> {
        let end = rates.len();
        let logs = Logs {
            places: (0..end).collect(),
            axes: vec![rates],
            end,
        };
        logs.parts()
    }

    #[test]
    fn a_short_spell_of_a_long_log_is_found() {
        // Ten hours of seconds with 20 minutes, 3.3 %, at half the rate; 10 % of noise.
        let rates = noise().take(36_000).enumerate().map(|(i, off)| {
            let half = (10_000..11_200).contains(&i);
            let level = if half { 2500_f64 } else { 5000.0 };
            level.ln() + 0.1 * off
        });
        let found = of_rates(rates.collect()).unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[1].start.abs_diff(10_000) <= 2, "{found:?}");
        assert!(found[1].end.abs_diff(11_200) <= 2, "{found:?}");
    }

    #[test]
    fn more_levels_than_eight_are_found() {
        // Twelve levels of 300 samples: 5,000 and 2,500 in turn.
        let rates = noise().take(3600).enumerate().map(|(i, off)| {
            let level = if i / 300 % 2 == 0 { 5000_f64 } else { 2500.0 };
            level.ln() + 0.05 * off
        });
        let found = of_rates(rates.collect()).unwrap();
        let lengths: Vec<usize> = found.iter().map(Range::len).collect();
        assert_eq!(lengths, [300; 12]);
    }

    #[test]
    fn noise_makes_no_levels() {
        for deviation in [0.03, 0.1, 0.3] {
            let even = noise().take(36_000).map(|off| deviation * off);
            assert_eq!(of_rates(even.collect()), None, "{deviation}");
            // Neighbours that are alike, 20 samples long.
            let mut last = 0.0;
            let alike = noise().take(36_000).map(|off| {
                last = 0.95 * last + deviation * off;
                last
            });
            assert_eq!(of_rates(alike.collect()), None, "{deviation}");
        }
        // A day that rises and falls.
        let day = (0..8640).map(|i| (f64::from(i) / 1375.0).sin());
        assert_eq!(of_rates(day.collect()), None);
    }

    #[test]
    fn one_level_or_a_step_is_not_told_here() {
        assert_eq!(parts(&[(720, 3000.0, 5.3)]), None);
        assert_eq!(parts(&[(300, 3000.0, 5.3), (720, 1500.0, 10.7)]), None);
    }
}
