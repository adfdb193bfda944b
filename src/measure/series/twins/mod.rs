//! Peers of the same kind: which of them is slow, by how much, how sure that is, and what it costs.
//!
//! Slowness is latency where all peers have it, else the rate. By rates only what a benchmark (fio) logged is called slow:
//! of other logs nobody knows whether as much was asked. A peer is called slow when all of this holds:
//!
//! * it is [`MATERIAL`] times as slow as the others or more (with noise alone the ratio stays near 1),
//! * a rank test of blocks that are long enough to be independent is sure to [`CONFIDENCE`], corrected for the number
//!   of peers. Peers measured at the same time are compared moment by moment, so that a load that rises and falls for
//!   all does not hide a difference; others as a whole,
//! * of three or more it is [`OUTLYING`] robust standard deviations out, so that one of many that differ anyway is
//!   not blamed,
//! * it is not merely asked for more: more I/Os, or larger ones, than the others.

mod blocks;
mod compare;
mod delivery;
mod fleet;
mod judge;
mod reason;

pub use compare::Slowness;
pub use delivery::{Delivery, Layout};
pub use fleet::{FleetGroup, FleetMember, fleet};
pub use reason::Reason;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::align::aligned;
use super::analysis::stats::median;
use super::analysis::{DiskReport, Known, Verdict, analyse};
use super::model::{DiskSeries, Source};
use crate::catalog::Axis;
use crate::planner::FindingId;
use crate::planner::findings::duration;
use crate::units::grouped;
use blocks::{FEWEST, Metric, blocks_of};

/// From so many times as slow on a difference matters.
pub const MATERIAL: f64 = 1.25;
/// How sure a difference has to be.
pub const CONFIDENCE: f64 = 0.99;
/// How far out among three or more peers, in robust standard deviations of the others.
pub const OUTLYING: f64 = 3.5;
/// A peer.
#[derive(Debug, Clone, Copy)]
pub struct Peer<'s> {
    /// What to call it.
    pub name: &'s str,
    /// What it did.
    pub series: &'s DiskSeries,
}

/// What is to be said of a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PeerVerdict {
    /// Slower than the others.
    Slow,
    /// As fast as the others on the whole, but it chokes or stalls and most of them do not.
    Erratic,
    /// Slower, but more is asked of it: more I/Os or larger ones.
    BusierThanOthers,
    /// It did less, and nothing says whether less was asked of it.
    DidLess,
    /// So little is asked of it beside the others that its latency tells nothing of it.
    HardlyUsed,
    /// Like the others.
    Alike,
    /// Too few independent samples to tell.
    NotEnough,
}

impl PeerVerdict {
    /// Its stable id.
    #[must_use]
    pub const fn id(self) -> FindingId {
        match self {
            Self::Slow => FindingId::PeerSlow,
            Self::Erratic => FindingId::PeerErratic,
            Self::BusierThanOthers => FindingId::PeerBusier,
            Self::Alike => FindingId::PeerAlike,
            Self::DidLess | Self::HardlyUsed | Self::NotEnough => FindingId::PeerNotEnough,
        }
    }
}

impl fmt::Display for PeerVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slow => "slow: replace or repair it",
            Self::Erratic => {
                "erratic: as fast as the others at times, but it chokes or gets slower where they do not"
            }
            Self::BusierThanOthers => "slower because more is asked of it, not at fault",
            Self::DidLess => {
                "it did less than the others: whether it is slow or less was asked of it is told by latencies, which the \
                 log does not have"
            }
            Self::HardlyUsed => "not enough load to tell: it is hardly used beside the others",
            Self::Alike => "nothing speaks against it",
            Self::NotEnough => "not enough samples to tell",
        })
    }
}

/// One peer beside the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeerReport {
    /// Its name.
    pub name: String,
    /// What is to be said of it.
    pub verdict: PeerVerdict,
    /// How much slower it is than the others; `None` where that cannot be told.
    pub slowness: Option<Slowness>,
    /// Why it is called slow, erratic or hardly used.
    pub reasons: Vec<Reason>,
    /// How many independent blocks of samples it has.
    pub blocks: usize,
    /// Whether it answers as fast as is usual for the disk that it is named to be, slow beside the others or not.
    #[serde(default)]
    pub as_usual: bool,
    /// What it did over time.
    pub report: DiskReport,
}

impl PeerReport {
    /// The verdict in words, with its figures and reasons.
    #[must_use]
    pub fn words(&self) -> String {
        self.words_as(&self.verdict.to_string())
    }

    /// Whether nothing but the beginning differs from the rest of its log, which is long enough to judge that.
    fn is_even(&self) -> bool {
        self.report.not_judged.is_empty() && self.report.verdicts == [Verdict::Steady]
    }

    /// The same with the verdict in other words.
    pub(crate) fn words_as(&self, verdict: &str) -> String {
        let figures = match (self.verdict, &self.slowness) {
            (PeerVerdict::NotEnough, _) if self.is_even() => {
                " (by itself it keeps one level: nothing in its own log speaks against it)"
                    .to_owned()
            }
            (PeerVerdict::NotEnough, _) if self.blocks >= FEWEST => {
                " (it has enough, a peer falls short)".to_owned()
            }
            (PeerVerdict::NotEnough, _) => format!(
                " ({} independent blocks of samples, {FEWEST} are needed)",
                self.blocks
            ),
            (
                PeerVerdict::Slow | PeerVerdict::BusierThanOthers | PeerVerdict::DidLess,
                Some(slowness),
            ) => format!(
                " ({} times as slow, between {} and {} with 95 % confidence; {:.1} % sure that it is no accident)",
                grouped(slowness.ratio, 2),
                grouped(slowness.low, 2),
                grouped(slowness.high, 2),
                slowness.sure_pct()
            ),
            _ => String::new(),
        };
        let reasons: String = self
            .reasons
            .iter()
            .map(|reason| format!("; {reason}"))
            .collect();
        format!("{verdict}{figures}{reasons}")
    }
}

impl fmt::Display for PeerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.words())
    }
}

/// What slowness was measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ComparedBy {
    /// Latency.
    Latency,
    /// I/Os per second: the logs have no latency. Logs of fio are taken to have asked for as much.
    Iops,
    /// MB/s: the logs have neither latency nor IOPS.
    Mbps,
}

/// Peers beside each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TwinsReport {
    /// What they were compared by; `None` where there is nothing that all of them have.
    pub compared_by: Option<ComparedBy>,
    /// They were measured at the same time and compared moment by moment.
    pub same_time: bool,
    /// Each of them, in the order given.
    pub peers: Vec<PeerReport>,
    /// What a mirror of them delivers.
    pub mirror: Option<Delivery>,
    /// What a stripe of them delivers.
    pub stripe: Option<Delivery>,
    /// Those that less was asked of than of the others: what all deliver together does not follow from their rates.
    #[serde(default)]
    pub asked_less: Vec<String>,
}

impl TwinsReport {
    /// The peer that has the fewest independent blocks of samples, where these are too few, and how much longer to log.
    #[must_use]
    pub fn shortfall(&self) -> Option<String> {
        if self.is_alone() {
            return Some("give the logs of its peers, too".to_owned());
        }
        let short = self.peers.iter().filter(|peer| peer.blocks < FEWEST);
        let least = short.min_by_key(|peer| peer.blocks)?;
        Some(self.changing().map_or_else(|| too_few(least), change))
    }

    /// The peer that changed from one level to another on the way: its samples are of two disks, as it were, and more of them
    /// make no more of one.
    fn changing(&self) -> Option<&PeerReport> {
        let mut peers = self.peers.iter();
        peers.find(|peer| peer.report.step.is_some() || peer.report.levels.is_some())
    }

    /// The same of one peer, where it is short itself; else of the one that keeps it from being compared.
    #[must_use]
    pub fn shortfall_of(&self, peer: &PeerReport) -> Option<String> {
        if peer.blocks < FEWEST && !self.is_alone() && self.changing().is_none() {
            return Some(too_few(peer));
        }
        self.shortfall()
    }

    /// Whether there is one disk only, and so nothing to compare it with.
    #[must_use]
    pub const fn is_alone(&self) -> bool {
        self.peers.len() == 1
    }

    /// The peers that deserve a look: slow or erratic.
    pub fn suspicious(&self) -> impl Iterator<Item = &PeerReport> {
        self.peers
            .iter()
            .filter(|p| matches!(p.verdict, PeerVerdict::Slow | PeerVerdict::Erratic))
    }
}

/// That a peer changed on the way, and what to do about it.
fn change(peer: &PeerReport) -> String {
    let (step, levels) = (peer.report.step, peer.report.levels.as_ref());
    let at = step.map(|step| step.at_ms);
    let at = at.or_else(|| Some(levels?.each.get(1)?.from_ms));
    let at = duration(at.unwrap_or_default() as f64 / 1e3);
    format!(
        "{} is another from {at} on, so that logging for longer tells no more: compare the time before and the time after by \
         themselves",
        peer.name
    )
}

/// How many blocks a peer has, and how much longer to log.
fn too_few(least: &PeerReport) -> String {
    let times = FEWEST as f64 / least.blocks as f64;
    match least.blocks {
        0 => format!(
            "{} has no independent block of samples, {FEWEST} are needed: log longer, all peers at the same time",
            least.name
        ),
        blocks => format!(
            "{} has {blocks} independent blocks of samples, {FEWEST} are needed: log at least {} times as long",
            least.name,
            grouped((times * 10.0).ceil() / 10.0, 1)
        ),
    }
}

/// Compares peers of the same kind and settings.
#[must_use]
pub fn twins(peers: &[Peer<'_>]) -> TwinsReport {
    let series: Vec<&DiskSeries> = peers.iter().map(|peer| peer.series).collect();
    let reports: Vec<DiskReport> = peers
        .iter()
        .map(|peer| DiskReport {
            disk: peer.name.to_owned(),
            ..analyse(peer.series, &Known::default())
        })
        .collect();
    let metric = Metric::of(&series).filter(|_| peers.len() > 1);
    let compared = metric.map(|metric| Compared::of(metric, &series));
    let judged: Vec<PeerReport> = (0..reports.len())
        .filter_map(|i| judge::peer(i, &reports, compared.as_ref()))
        .collect();
    let asked_less = judge::asked_less(&judged);
    let is_even = asked_less.is_empty() && reports.len() > 1;
    let delivery = |layout| {
        is_even
            .then(|| delivery::delivery(layout, &judged))
            .flatten()
    };
    TwinsReport {
        compared_by: metric.map(|metric| match metric {
            Metric::Latency => ComparedBy::Latency,
            Metric::Rate(Axis::Iops) => ComparedBy::Iops,
            Metric::Rate(Axis::Mbps) => ComparedBy::Mbps,
        }),
        same_time: compared.is_some_and(|c| c.same_time),
        mirror: delivery(Layout::Mirror),
        stripe: delivery(Layout::Stripe),
        asked_less,
        peers: judged,
    }
}

/// Blocks of all peers that have enough of them.
struct Compared {
    /// The peers that are compared, by their place among all.
    places: Vec<usize>,
    blocks: Vec<Vec<f64>>,
    counts: Vec<usize>,
    same_time: bool,
    /// By rates of logs that are no benchmark's: they say what was asked as much as what was answered.
    by_rate_alone: bool,
}

impl Compared {
    fn of(metric: Metric, series: &[&DiskSeries]) -> Self {
        let samples: Vec<_> = series.iter().map(|s| metric.samples(s)).collect();
        let paired = aligned(series).and_then(|indices| moments(metric, &samples, &indices));
        let same_time = paired.is_some();
        let all: Vec<Vec<f64>> =
            paired.unwrap_or_else(|| samples.iter().map(|s| blocks::blocks(metric, s)).collect());
        let counts: Vec<usize> = all.iter().map(Vec::len).collect();
        let (places, blocks) = all
            .into_iter()
            .enumerate()
            .filter(|(_, blocks)| blocks.len() >= FEWEST)
            .unzip();
        Self {
            places,
            blocks,
            counts,
            same_time,
            by_rate_alone: metric != Metric::Latency
                && series.iter().any(|s| s.source != Source::FioLog),
        }
    }

    fn blocks_of(&self, peer: usize) -> usize {
        self.counts.get(peer).copied().unwrap_or(0)
    }

    fn slowness(&self, peer: usize) -> Option<Slowness> {
        let place = self.places.iter().position(|p| *p == peer)?;
        if self.places.len() < 2 {
            return None;
        }
        if self.same_time {
            compare::together(place, &self.blocks)
        } else {
            compare::apart(place, &self.blocks)
        }
    }
}

/// For each peer the blocks of its slowness beyond the median of those that it is compared with, moment by moment; `None` where there are
/// too few common moments.
fn moments(
    metric: Metric,
    samples: &[Vec<Option<blocks::Sample>>],
    indices: &[Vec<usize>],
) -> Option<Vec<Vec<f64>>> {
    let count = indices.first()?.len();
    let at = |peer: usize, moment: usize| -> Option<f64> {
        let index = *indices.get(peer)?.get(moment)?;
        let sample = (*samples.get(peer)?.get(index)?)?;
        (sample.value > 0.0).then(|| metric.slowness(sample.value))
    };
    let row =
        |moment| -> Option<Vec<f64>> { (0..samples.len()).map(|peer| at(peer, moment)).collect() };
    let rows: Vec<Vec<f64>> = (0..count).filter_map(row).collect();
    let of_peer = |peer: usize| rows.iter().filter_map(move |row| row.get(peer).copied());
    let level = |peer| median(&of_peer(peer).collect::<Vec<f64>>());
    let levels: Vec<f64> = (0..samples.len()).filter_map(level).collect();
    let mut beyond = vec![Vec::with_capacity(count); samples.len()];
    for (peer, out) in beyond.iter_mut().enumerate() {
        let usual = compare::usual_of(peer, &levels);
        for row in &rows {
            let others = usual.iter().filter_map(|other| row.get(*other).copied());
            out.push(row.get(peer)? - median(&others.collect::<Vec<f64>>())?);
        }
    }
    // Seven or eleven times as slow is one answer to whether it is slow: a change from one to the other makes no doubt.
    let most = MATERIAL.ln();
    let blocks = beyond.iter().map(|values| blocks_of(values, most));
    let blocks: Vec<Vec<f64>> = blocks.collect();
    blocks.iter().all(|b| b.len() >= FEWEST).then_some(blocks)
}
