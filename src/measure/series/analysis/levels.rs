//! Levels: a disk that kept one rate and latency for a while, then another, and another: a slow spell that it came back
//! from, loads in turn.

use std::fmt;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::{ChangeCause, Stretch, cause};
use super::stats::{median, said};
use super::step::{LEAST_SHARE, SHORTEST, between, is_step};
use super::view::View;
use crate::catalog::Axis;
use crate::planner::findings::duration;
use crate::units::{Latency, grouped};

/// The fewest levels that are told here: two are a step.
const FEWEST: usize = 3;
/// The most that are looked for.
const MOST: usize = 8;
/// Where levels begin is looked for between the medians of as many blocks, and then between samples.
const BLOCKS: usize = 200;

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
        for (i, level) in self.each.iter().enumerate() {
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
        Ok(())
    }
}

/// The levels of a series from its sample `settled` on, in rate or latency; `None` where there are not three at least.
pub(super) fn levels(view: &View<'_>, settled: usize) -> Option<Levels> {
    let logs = Logs::of(view, settled);
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
    fn of(view: &View<'_>, settled: usize) -> Self {
        let has_latency = !said(&view.latency).is_empty();
        let axes = [Some(view.rate()), has_latency.then_some(&view.latency[..])];
        let axes: Vec<&[f64]> = axes.into_iter().flatten().collect();
        let is_said = |i: &usize| {
            let mut values = axes.iter().map(|axis| axis.get(*i));
            values.all(|value| value.is_some_and(|v| *v > 0.0))
        };
        let places: Vec<usize> = (settled..view.len()).filter(is_said).collect();
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

    /// The samples of the most levels that differ each from the next.
    fn parts(&self) -> Option<Vec<Range<usize>>> {
        let count = self.places.len();
        let shortest = SHORTEST.max((count as f64 * LEAST_SHARE).ceil() as usize);
        let size = count.div_ceil(BLOCKS).max(1);
        let blocks: Vec<Vec<f64>> = (self.axes.iter())
            .map(|axis| axis.chunks(size).filter_map(median).collect())
            .collect();
        let cuts = Cuts::of(&blocks, shortest.div_ceil(size));
        let most = MOST.min(count / shortest);
        let mut tried = (FEWEST..=most).rev();
        tried.find_map(|levels| self.told(&cuts.best(levels)?, size))
    }

    /// The samples of levels that begin at the blocks `begins`, where they are levels.
    fn told(&self, begins: &[usize], size: usize) -> Option<Vec<Range<usize>>> {
        let mut begins: Vec<usize> = begins.iter().map(|block| block * size).collect();
        begins.push(self.places.len());
        for i in 1..begins.len().saturating_sub(1) {
            let &[from, at, to] = begins.get(i - 1..=i + 1)? else {
                return None;
            };
            *begins.get_mut(i)? = self.change(from, at, to)?;
        }
        let place = |i: &usize| self.places.get(*i).copied().unwrap_or(self.end);
        let begins: Vec<usize> = begins.iter().map(place).collect();
        Some(begins.windows(2).map(|w| w[0]..w[1]).collect())
    }

    /// Where between `from` and `to` a change is that is about `at`, on the axis that has one.
    fn change(&self, from: usize, at: usize, to: usize) -> Option<usize> {
        self.axes.iter().find_map(|axis| {
            let (before, after) = (axis.get(from..at)?, axis.get(at..to)?);
            let exact = between(axis.get(from..to)?, median(before)?, median(after)?)? + from;
            let (before, after) = (axis.get(from..exact)?, axis.get(exact..to)?);
            is_step(before, after).then_some(exact)
        })
    }
}

/// The best cuts of blocks into one level, two, and so on: those that leave the least squares beside the levels.
struct Cuts {
    /// For each number of levels, and each number of first blocks cut into them, where the last level begins.
    begins: Vec<Vec<Option<usize>>>,
    blocks: usize,
}

impl Cuts {
    fn of(axes: &[Vec<f64>], shortest: usize) -> Self {
        let blocks = axes.first().map_or(0, Vec::len);
        let sums: Vec<Vec<(f64, f64)>> = axes.iter().map(|axis| sums(axis)).collect();
        let beside = |from: usize, to: usize| -> f64 {
            let of = |sums: &Vec<(f64, f64)>| {
                let (a, b) = (sums.get(from)?, sums.get(to)?);
                Some(b.1 - a.1 - (b.0 - a.0).powi(2) / (to - from) as f64)
            };
            sums.iter().filter_map(of).sum()
        };
        let long = shortest.max(1);
        let mut least: Vec<f64> = (0..=blocks)
            .map(|to| {
                if to < long {
                    f64::INFINITY
                } else {
                    beside(0, to)
                }
            })
            .collect();
        let mut begins = vec![vec![Some(0); blocks + 1]];
        for _ in 1..MOST {
            let best = |to: usize| {
                let places = long..(to + 1).saturating_sub(long);
                let costs = places.filter_map(|at| Some((at, least.get(at)? + beside(at, to))));
                let costs = costs.filter(|(_, cost)| cost.is_finite());
                costs.min_by(|a, b| a.1.total_cmp(&b.1))
            };
            let row: Vec<Option<(usize, f64)>> = (0..=blocks).map(best).collect();
            least = (row.iter())
                .map(|cell| cell.map_or(f64::INFINITY, |(_, cost)| cost))
                .collect();
            begins.push(row.iter().map(|cell| cell.map(|(at, _)| at)).collect());
        }
        Self { begins, blocks }
    }

    /// The blocks that begin each of `levels` levels.
    fn best(&self, levels: usize) -> Option<Vec<usize>> {
        let mut to = self.blocks;
        let mut found = Vec::with_capacity(levels);
        for row in self.begins.get(..levels)?.iter().rev() {
            to = (*row.get(to)?)?;
            found.push(to);
        }
        found.reverse();
        Some(found)
    }
}

/// The sums of the first values and of their squares, for each number of them.
fn sums(values: &[f64]) -> Vec<(f64, f64)> {
    let mut sum = (0.0, 0.0);
    let after = values.iter().map(|v| {
        sum = (sum.0 + v, sum.1 + v * v);
        sum
    });
    std::iter::once((0.0, 0.0)).chain(after).collect()
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

    #[test]
    fn one_level_or_a_step_is_not_told_here() {
        assert_eq!(parts(&[(720, 3000.0, 5.3)]), None);
        assert_eq!(parts(&[(300, 3000.0, 5.3), (720, 1500.0, 10.7)]), None);
    }
}
