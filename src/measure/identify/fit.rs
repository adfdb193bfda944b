//! How well one candidate fits: which figures are at its limits, and what contradicts it.

use super::candidates::{Candidate, CandidateKind};
use super::evidence::{Evidence, Point};
use crate::catalog::{Axis, Family};
use crate::units::Latency;

/// A disk that answers in less than this part of its typical latency is another disk, 0.4: typical figures are of one
/// report, and newer sizes answer in up to half of them.
pub const FASTER_THAN_TYPICAL: f64 = 0.4;

/// A spinning disk takes at least this for a random I/O, 1 ms: half a turn at 15,000 rpm is 2 ms, and what a cache of
/// the service answers brings the mean down.
pub const SPINNING_LATENCY: Latency = Latency::whole(1000);

/// No local SSD takes longer than this for one I/O, 1 ms.
pub const LOCAL_AT_MOST: Latency = Latency::whole(1000);

/// Figures that a limit holds are this near to each other, 1.03: in published runs at a limit they are within 2.2 %.
pub const SAME_RATE: f64 = 1.03;

/// The figures that are at a candidate's limits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hits<'a> {
    /// Each figure with the axis it is on and measured over limit.
    pub each: Vec<(&'a Point, Axis, f64)>,
}

impl<'a> Hits<'a> {
    pub(super) fn new(candidate: &Candidate, evidence: &'a Evidence, tolerance: f64) -> Self {
        let each = evidence.points.iter().filter_map(|point| {
            let (limit, axis) = candidate.rate(point.block)?;
            let ratio = point.rate / limit;
            ((ratio - 1.0).abs() <= tolerance).then_some((point, axis, ratio))
        });
        Self {
            each: each.collect(),
        }
    }

    /// How many figures are at the limit of one axis.
    pub(super) fn on(&self, axis: Axis) -> usize {
        self.each.iter().filter(|(_, own, _)| *own == axis).count()
    }

    /// Whether at least two figures end at the limit of one axis, at the same rate: what a limit does, and a device that
    /// happens to be as fast hardly does to reads and writes, with one and with many outstanding.
    pub(super) fn is_plateau(&self, axis: Axis) -> bool {
        let ratios = || {
            self.each
                .iter()
                .filter(|(_, own, _)| *own == axis)
                .map(|hit| hit.2)
        };
        let (least, most) = (ratios().reduce(f64::min), ratios().reduce(f64::max));
        let same = least
            .zip(most)
            .is_some_and(|(least, most)| most / least <= SAME_RATE);
        self.on(axis) > 1 && same
    }

    /// How many axes are hit.
    pub(super) fn axes(&self) -> usize {
        usize::from(self.on(Axis::Iops) > 0) + usize::from(self.on(Axis::Mbps) > 0)
    }

    /// The mean distance from the limits.
    pub(super) fn distance(&self) -> f64 {
        let sum: f64 = self
            .each
            .iter()
            .map(|(.., ratio)| (ratio - 1.0).abs())
            .sum();
        sum / self.each.len().max(1) as f64
    }

    /// The figures in words: `IOPS: RND4K Q32T1 read 1.03, ...; MB/s: ...` (measured over limit).
    pub(super) fn words(&self) -> Vec<String> {
        [Axis::Iops, Axis::Mbps]
            .into_iter()
            .filter(|axis| self.on(*axis) > 0)
            .map(|axis| {
                let figures: Vec<String> = self
                    .each
                    .iter()
                    .filter(|(_, own, _)| *own == axis)
                    .map(|(point, _, ratio)| format!("{} at {ratio:.3} times", point.name))
                    .collect();
                format!("{axis}: {}", figures.join(", "))
            })
            .collect()
    }
}

/// Whether the drive is smaller than the smallest such disk: it may be one part of it, but hardly is.
pub(super) fn is_larger(candidate: &Candidate, evidence: &Evidence) -> bool {
    let sizes = evidence.capacity.zip(candidate.sizes);
    sizes.is_some_and(|(capacity, (smallest, _))| capacity.get().ceil() < smallest.get())
}

/// Why a candidate cannot be what was measured; `None` where nothing speaks against it.
pub(super) fn contradiction(
    candidate: &Candidate,
    evidence: &Evidence,
    tolerance: f64,
) -> Option<String> {
    too_fast(candidate, evidence, tolerance)
        .or_else(|| wrong_latency(candidate, evidence, tolerance))
        .or_else(|| too_small(candidate, evidence))
}

/// Whether a candidate is out for another reason than the rates: such disks answer in another time, or are smaller.
pub(super) fn is_of_other_kind(candidate: &Candidate, evidence: &Evidence, tolerance: f64) -> bool {
    let latency = wrong_latency(candidate, evidence, tolerance);
    latency.or_else(|| too_small(candidate, evidence)).is_some()
}

/// The figure that is furthest above a limit.
fn too_fast(candidate: &Candidate, evidence: &Evidence, tolerance: f64) -> Option<String> {
    let over = evidence.points.iter().filter_map(|point| {
        let (limit, axis) = candidate.rate(point.block)?;
        let ratio = point.rate / limit;
        (ratio > 1.0 + tolerance).then_some((point, axis, ratio))
    });
    let (point, axis, ratio) = over.max_by(|a, b| a.2.total_cmp(&b.2))?;
    let figure = figure(point, axis);
    Some(format!(
        "{} makes {figure}, {ratio:.2} times its limit",
        point.name
    ))
}

/// A figure in the unit of an axis: `5,000 IOPS`, `200.4 MB/s`.
pub(super) fn figure(point: &Point, axis: Axis) -> String {
    match axis {
        Axis::Iops => format!("{} IOPS", crate::units::grouped(point.rate, 0)),
        Axis::Mbps => format!("{} MB/s", crate::units::grouped(point.mbps.get(), 1)),
    }
}

fn wrong_latency(candidate: &Candidate, evidence: &Evidence, tolerance: f64) -> Option<String> {
    let one = evidence.one.as_ref()?;
    let took = format!("{} takes {}", one.name, one.latency);
    if candidate.kind.is_local() {
        // At the limit itself the time is that of the throttle.
        let at_limit = Hits::new(candidate, evidence, tolerance);
        let throttled = at_limit
            .each
            .iter()
            .any(|(point, ..)| point.name == one.name);
        return (one.latency > LOCAL_AT_MOST && !throttled)
            .then(|| format!("{took}: longer than a local SSD ({LOCAL_AT_MOST} at most)"));
    }
    let floor = least_latency(candidate);
    is_too_fast(candidate, one.latency)
        .then(|| format!("{took}: faster than such a disk answers (about {floor} at least)"))
}

/// Whether an I/O that took so long was answered by something else: no such disk is as fast. What is on the host may be.
pub(in crate::measure) fn is_too_fast(candidate: &Candidate, took: Latency) -> bool {
    !candidate.kind.is_local() && took < least_latency(candidate)
}

/// The latency below which it is another disk.
fn least_latency(candidate: &Candidate) -> Latency {
    if candidate.kind == CandidateKind::Disk(Family::StandardHdd) {
        return SPINNING_LATENCY;
    }
    let typical = candidate.typical.map(|typical| typical.read);
    let part = typical
        .and_then(|typical| Latency::from_micros(typical.micros() * FASTER_THAN_TYPICAL).ok());
    part.unwrap_or(super::place::LOCAL_LATENCY)
}

fn too_small(candidate: &Candidate, evidence: &Evidence) -> Option<String> {
    let (capacity, (_, largest)) = (evidence.capacity?, candidate.sizes?);
    (capacity > largest)
        .then(|| format!("the drive holds {capacity}, such a disk {largest} at most"))
}
