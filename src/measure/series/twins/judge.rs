//! What is to be said of one peer.

use super::compare::Slowness;
use super::reason::reasons;
use super::{CONFIDENCE, Compared, MATERIAL, OUTLYING, PeerReport, PeerVerdict};
use crate::measure::series::analysis::stats::median;
use crate::measure::series::analysis::{DiskReport, Verdict};

/// So many times the others' rate and a peer is asked for more.
const MORE_IOS: f64 = 1.25;
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
    let verdict = verdict(own, &others, slowness.as_ref());
    let named = matches!(verdict, PeerVerdict::Slow | PeerVerdict::Erratic);
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
        report: own.clone(),
    })
}

fn verdict(own: &DiskReport, others: &[&DiskReport], slowness: Option<&Slowness>) -> PeerVerdict {
    let Some(slowness) = slowness else {
        return PeerVerdict::NotEnough;
    };
    let slow = slowness.ratio >= MATERIAL
        && slowness.confidence >= CONFIDENCE
        && slowness.deviation.is_none_or(|d| d >= OUTLYING);
    if slow && is_busier(own, others) {
        return PeerVerdict::BusierThanOthers;
    }
    let faulty = |report: &DiskReport| report.verdicts.iter().any(Verdict::blames_device);
    let others_faulty = others.iter().filter(|r| faulty(r)).count();
    match slow {
        true => PeerVerdict::Slow,
        false if faulty(own) && others_faulty * 2 < others.len() => PeerVerdict::Erratic,
        false => PeerVerdict::Alike,
    }
}

/// Whether more I/Os, or larger ones, are asked of it than of the others.
fn is_busier(own: &DiskReport, others: &[&DiskReport]) -> bool {
    let beyond = |of: fn(&DiskReport) -> Option<f64>, times: f64| {
        let usual = median(&others.iter().filter_map(|r| of(r)).collect::<Vec<f64>>());
        of(own)
            .zip(usual)
            .is_some_and(|(own, usual)| own >= usual * times)
    };
    let rate = |r: &DiskReport| {
        let iops = r.iops.map(|d| d.mean.get());
        iops.or_else(|| r.mbps.map(|d| d.mean.get()))
    };
    let size = |r: &DiskReport| Some(r.mbps?.mean.get() / r.iops?.mean.get());
    beyond(rate, MORE_IOS) || beyond(size, LARGER_IOS)
}
