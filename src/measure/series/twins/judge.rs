//! What is to be said of one peer.

use super::compare::Slowness;
use super::reason::reasons;
use super::{CONFIDENCE, Compared, MATERIAL, OUTLYING, PeerReport, PeerVerdict};
use crate::measure::series::analysis::stats::{binomial_at_least, median};
use crate::measure::series::analysis::{ChangeCause, DipCause, DiskReport, Levels, Verdict};

/// So many times the others' rate and a peer is asked for more.
const MORE_IOS: f64 = 1.25;
/// Of a peer that has less than this part of the I/Os outstanding that the others have, a tenth, the few that it does tell
/// nothing: one that is slow under the same load has as many of them or more.
const HARDLY_USED: f64 = 0.1;
/// So many times the others' I/O size and a peer is asked for larger ones.
const LARGER_IOS: f64 = 1.5;

/// The report of the peer at `place`.
pub(super) fn peer(
    place: usize,
    reports: &[DiskReport],
    compared: Option<&Compared>,
) -> Option<PeerReport> {
    let own = reports.get(place)?;
    let others: Vec<&DiskReport> = reports
        .iter()
        .enumerate()
        .filter_map(|(i, report)| (i != place).then_some(report))
        .collect();
    let slowness = compared.and_then(|c| c.slowness(place));
    let by_rate = compared.is_some_and(|c| c.by_rate_alone);
    let verdict = match verdict(own, &others, slowness.as_ref(), by_rate) {
        PeerVerdict::Slow | PeerVerdict::Erratic if is_hardly_used(own, &others) => {
            PeerVerdict::HardlyUsed
        }
        verdict => verdict,
    };
    let blamed = matches!(verdict, PeerVerdict::Slow | PeerVerdict::Erratic);
    let named = blamed || verdict == PeerVerdict::HardlyUsed;
    Some(PeerReport {
        name: own.disk.clone(),
        verdict,
        slowness,
        reasons: if named {
            reasons(own, &others)
        } else {
            Vec::new()
        },
        blocks: compared.map_or(0, |c| c.blocks_of(place)),
        as_usual: false,
        report: own.clone(),
    })
}

fn verdict(
    own: &DiskReport,
    others: &[&DiskReport],
    slowness: Option<&Slowness>,
    by_rate_alone: bool,
) -> PeerVerdict {
    let Some(slowness) = slowness else {
        return match gets_slower(own, others) {
            true => PeerVerdict::Erratic,
            false => PeerVerdict::NotEnough,
        };
    };
    let slow = slowness.ratio >= MATERIAL
        && slowness.confidence >= CONFIDENCE
        && slowness.deviation.is_none_or(|d| d >= OUTLYING);
    if slow && is_busier(own, others) {
        return PeerVerdict::BusierThanOthers;
    }
    match slow {
        true if by_rate_alone => PeerVerdict::DidLess,
        true => PeerVerdict::Slow,
        false if is_erratic(own, others) || gets_slower(own, others) => PeerVerdict::Erratic,
        false => PeerVerdict::Alike,
    }
}

/// Whether it gets slower, for good or for a time, where most of the others do not.
fn gets_slower(own: &DiskReport, others: &[&DiskReport]) -> bool {
    let slower = |report: &DiskReport| {
        let step = report.step.filter(|step| step.cause == ChangeCause::Slower);
        step.is_some() || report.levels.as_ref().is_some_and(Levels::got_slower)
    };
    let of_others = others.iter().filter(|report| slower(report)).count();
    slower(own) && of_others * 2 < others.len()
}

/// The peers that less was asked of: their rate is well below the others', and their latency no longer. That of one that is
/// slow says nothing.
pub(super) fn asked_less(peers: &[PeerReport]) -> Vec<String> {
    let is = |peer: &PeerReport| {
        let others = peers.iter().filter(|other| other.name != peer.name);
        let others: Vec<&DiskReport> = others.map(|other| &other.report).collect();
        let usual = |of: fn(&DiskReport) -> Option<f64>| {
            median(&others.iter().filter_map(|r| of(r)).collect::<Vec<f64>>())
        };
        let less = rate(&peer.report)
            .zip(usual(rate))
            .is_some_and(|(own, usual)| own * MORE_IOS <= usual);
        let latency = latency(&peer.report).zip(usual(latency));
        let no_longer = latency.is_some_and(|(own, usual)| own <= usual * MATERIAL);
        matches!(peer.verdict, PeerVerdict::DidLess | PeerVerdict::HardlyUsed)
            || (less && no_longer && peer.verdict != PeerVerdict::Slow)
    };
    let found = peers.iter().filter(|peer| is(peer));
    found.map(|peer| peer.name.clone()).collect()
}

fn latency(report: &DiskReport) -> Option<f64> {
    report.latency.map(|d| d.mean.micros())
}

fn rate(report: &DiskReport) -> Option<f64> {
    let iops = report.iops.map(|d| d.mean.get());
    iops.or_else(|| report.mbps.map(|d| d.mean.get()))
}

/// Whether it chokes or stalls where most of the others do not, and more often than accident would have it: single dips
/// come to every disk.
fn is_erratic(own: &DiskReport, others: &[&DiskReport]) -> bool {
    let blamed = |report: &DiskReport| report.verdicts.iter().any(Verdict::blames_device);
    let others_blamed = others.iter().filter(|r| blamed(r)).count();
    if !blamed(own) || others_blamed * 2 >= others.len() {
        return false;
    }
    // A standstill and a fence are no accidents: noise makes neither.
    let choked_fence = own
        .fence
        .as_ref()
        .is_some_and(|f| f.cause == DipCause::Choked);
    if own.stalls.is_some() || choked_fence {
        return true;
    }
    let dips = |report: &DiskReport| {
        let each = report.dips.iter().flat_map(|dips| &dips.each);
        each.filter(|dip| dip.cause == DipCause::Choked).count()
    };
    let all = dips(own) + others.iter().map(|r| dips(r)).sum::<usize>();
    let time: u64 = others.iter().map(|r| r.span_ms).sum::<u64>() + own.span_ms;
    let share = own.span_ms as f64 / time.max(1) as f64;
    let peers = others.len() as f64 + 1.0;
    binomial_at_least(dips(own), all, share) * peers <= 1.0 - CONFIDENCE
}

/// Whether hardly an I/O is in flight beside those of the others. Where latencies are not known it is not told.
fn is_hardly_used(own: &DiskReport, others: &[&DiskReport]) -> bool {
    // Little's law.
    let in_flight = |report: &DiskReport| {
        let iops = report.iops.map(|of| of.mean.get());
        iops.zip(latency(report)).map(|(iops, took)| iops * took)
    };
    let others: Vec<f64> = others.iter().filter_map(|of| in_flight(of)).collect();
    let usual = median(&others);
    (in_flight(own).zip(usual)).is_some_and(|(own, usual)| own < usual * HARDLY_USED)
}

/// Whether more I/Os, or larger ones, are asked of it than of the others.
fn is_busier(own: &DiskReport, others: &[&DiskReport]) -> bool {
    let beyond = |of: fn(&DiskReport) -> Option<f64>, times: f64| {
        let usual = median(&others.iter().filter_map(|r| of(r)).collect::<Vec<f64>>());
        of(own)
            .zip(usual)
            .is_some_and(|(own, usual)| own >= usual * times)
    };
    let size = |r: &DiskReport| Some(r.mbps?.mean.get() / r.iops?.mean.get());
    beyond(rate, MORE_IOS) || beyond(size, LARGER_IOS)
}
