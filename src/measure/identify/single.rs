//! Figures that are at a limit each by itself: they may be there by chance, and are told with that.

use super::PLATEAU;
use super::SAME_DISTANCE;
use super::candidates::{Candidate, LimitState};
use super::evidence::{Evidence, Point};
use super::fit::{self, contradiction};
use crate::catalog::Axis;

/// How many disks are named that a single figure would be.
const WOULD_BE: usize = 3;

/// How many figures are named that each are at a limit by themselves, and how many that are at none.
const FIGURES_NAMED: usize = 3;

/// What single figures of a run would be.
pub(super) struct Single<'a> {
    pub disks: &'a [Candidate],
    pub evidence: &'a Evidence,
    pub tolerance: f64,
}

impl Single<'_> {
    /// Of so few figures that none can tell, what the first that is at a limit would be.
    pub fn too_few(&self) -> String {
        let would = self
            .evidence
            .queued()
            .find_map(|point| self.would_be(point));
        let would = would.map_or_else(String::new, |would| format!("; {would}"));
        format!("too few tests to tell{would}")
    }

    /// What the figures of one axis would be, each by itself, where no disk fits two of them.
    pub fn on(&self, axis: Axis) -> Option<String> {
        let mut own = self.evidence.queued().filter(|point| point.axis() == axis);
        own.find_map(|point| Some(format!("by itself {}", self.would_be(point)?)))
    }

    /// Where nothing (`is_all`) fits two figures: those that are at a limit by themselves, and those that are at none.
    pub fn each_if(&self, is_all: bool) -> String {
        let points: Vec<&Point> = self.evidence.queued().collect();
        if !is_all || points.len() < PLATEAU {
            return String::new();
        }
        let mut rest = Vec::new();
        let mut each = Vec::new();
        for point in points {
            match self.would_be(point) {
                Some(would) => each.push(format!("; {}: {would}", point.name)),
                None => rest.push(point.name.as_str()),
            }
        }
        if each.is_empty() {
            return String::new();
        }
        each.truncate(FIGURES_NAMED);
        format!("{}{}", each.concat(), at_none(&rest))
    }

    /// The disks whose limit one figure is at, likeliest first: `5,000 IOPS would be a P30`. What is ruled out by other
    /// figures only where nothing else is at it.
    fn would_be(&self, point: &Point) -> Option<String> {
        let rules_out = |disk: &&Candidate| contradiction(disk, self.evidence, self.tolerance);
        let (possible, not): (Vec<&Candidate>, Vec<&Candidate>) =
            (self.disks.iter()).partition(|disk| rules_out(disk).is_none());
        Self::named(point, &possible, self.tolerance).or_else(|| {
            // What answers in another time is no such disk, whatever its rates are near to.
            let of_kind = not.into_iter();
            let of_kind =
                of_kind.filter(|disk| !fit::is_of_other_kind(disk, self.evidence, self.tolerance));
            let not: Vec<&Candidate> = of_kind.collect();
            let would = Self::named(point, &not, self.tolerance)?;
            Some(format!("{would}, which other figures rule out"))
        })
    }

    /// The same of some disks and within a tolerance, by the axis that it is at their limits of.
    fn named(point: &Point, disks: &[&Candidate], tolerance: f64) -> Option<String> {
        let hit = |disk: &&Candidate| {
            let (limit, axis) = disk.rate(point.block)?;
            let off = (point.rate / limit - 1.0).abs();
            (off <= tolerance).then_some((axis, off))
        };
        let mut found: Vec<(&Candidate, Axis, f64)> = (disks.iter())
            .filter_map(|disk| hit(disk).map(|(axis, off)| (*disk, axis, off)))
            .collect();
        let steps = |off: f64| (off / SAME_DISTANCE) as u32;
        found.sort_by_key(|(disk, _, off)| (steps(*off), disk.state != LimitState::Plain));
        let (_, first, _) = *found.first()?;
        let of = |axis: Axis| {
            let own = found.iter().filter(|(_, own, _)| *own == axis);
            let names: Vec<&str> = (own.take(WOULD_BE))
                .map(|(disk, ..)| disk.name.as_str())
                .collect();
            let names = (!names.is_empty()).then(|| names.join(" or "))?;
            Some((fit::figure(point, axis), names))
        };
        let other = match first {
            Axis::Iops => Axis::Mbps,
            Axis::Mbps => Axis::Iops,
        };
        let (figure, names) = of(first)?;
        let also = of(other).map_or_else(String::new, |(figure, names)| {
            format!(", and {figure} {}", with_article(&names))
        });
        let names = with_article(&names);
        Some(format!("{figure} would be {names}{also}"))
    }
}

/// `a P30`, `an E10`, `an S4`: letters before a number are spelt.
fn with_article(names: &str) -> String {
    let mut letters = names.chars();
    let (first, second) = (letters.next(), letters.next());
    let is_spelt = second.is_some_and(|second| second.is_ascii_digit());
    let article = match first {
        Some('A' | 'E' | 'I' | 'O' | 'U') => "an",
        Some('F' | 'L' | 'M' | 'S') if is_spelt => "an",
        _ => "a",
    };
    format!("{article} {names}")
}

/// `; RND4K Q32T1 write is at none`.
fn at_none(rest: &[&str]) -> String {
    let named = rest.get(..FIGURES_NAMED).unwrap_or(rest).join(", ");
    match (rest.len(), rest.len().saturating_sub(FIGURES_NAMED)) {
        (0, _) => String::new(),
        (1, _) => format!("; {named} is at none"),
        (_, 0) => format!("; {named} are at none"),
        (_, more) => format!("; {named} and {more} more are at none"),
    }
}
