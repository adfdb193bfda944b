//! What deserves a look, as findings with stable ids.

use super::DiskOverTime;
use super::together::{held_by_vm, kinds};
use crate::catalog::Axis;
use crate::measure::IN_BURST;
use crate::measure::grounds::with_remedy;
use crate::measure::identify::SAME_RATE;
use crate::measure::identify::candidates::Candidate;
use crate::measure::judge::predict::Prediction;
use crate::measure::series::analysis::{
    ChangeCause, DiskReport, Hold, NotJudged, Plateau, TOLERANCE, Verdict, WarmUp,
};
use crate::measure::series::twins::{PeerReport, PeerVerdict, TwinsReport};
use crate::measure::series::{Cap, CapKind};
use crate::planner::findings::duration;
use crate::planner::{Finding, FindingId, Severity};
use crate::units::grouped;

/// The findings of one disk over time; `together` are those that share a limit of the VM, added up.
pub(super) fn of_disk(disk: &DiskOverTime, together: &[DiskOverTime]) -> Vec<Finding> {
    let report = &disk.report;
    let has_credit = (disk.volume.is_some()).then(|| disk.limits.iter().any(|cap| cap.in_burst));
    let told = report.verdicts.iter();
    let told = told.filter(|verdict| **verdict != Verdict::Steady);
    let found = told.map(|verdict| {
        let unnamed = match verdict {
            Verdict::Throttled(plateau) if plateau.hold == Hold::UnknownLimit => Some(plateau),
            _ => None,
        };
        let shared = unnamed.and_then(|plateau| shared_limit(plateau, together));
        let mut message = match verdict {
            Verdict::WarmUp(beginning) if on_credit_first(beginning, disk) => {
                beginning.words("burst credit, which then ran out")
            }
            _ => verdict.words(has_credit),
        };
        if let Some(shared) = shared {
            message.push_str(&format!("; meanwhile {shared}"));
        }
        if let Verdict::Throttled(plateau) = verdict {
            message.extend(ran_out(plateau, disk));
        }
        let severity = severity(verdict, &disk.limits);
        let finding = Finding::new(verdict.id(), severity, &report.disk, message);
        let finding = figures(finding, verdict);
        if unnamed.is_some() && disk.limits.is_empty() {
            return finding
                .fix("name the VM and its disks (--vm, --disk) to see which limit that is");
        }
        finding
    });
    found.collect()
}

/// Whether a beginning that was faster is the time on burst credit that is told with the limit that holds from then on.
fn on_credit_first(beginning: &WarmUp, disk: &DiskOverTime) -> bool {
    let length = beginning.length_ms;
    let from_then_on = |held: &&Plateau| {
        let from = held.spans.first().map(|span| span.0);
        from.is_some_and(|from| from <= length.saturating_mul(2))
            && burst_before(held, disk).is_some()
    };
    beginning.ratio > 1.0 && disk.report.plateaus.iter().any(|held| from_then_on(&held))
}

/// That burst credit ran out: the limit that holds lets more through in burst, and more went through before.
fn ran_out(held: &Plateau, disk: &DiskOverTime) -> Option<String> {
    let begins = held.spans.first()?.0;
    let burst = burst_before(held, disk)?;
    let before = burst.spans.iter().filter(|span| span.0 < begins);
    let seconds = before.map(|(from, to)| (to - from) as f64 / 1e3).sum();
    Some(format!(
        "; its burst credit had run out, after {} at {} {}",
        duration(seconds),
        grouped(burst.level, 0),
        burst.axis
    ))
}

/// The constant rate that burst credit made, before another was held by the limit without it.
fn burst_before<'d>(held: &Plateau, disk: &'d DiskOverTime) -> Option<&'d Plateau> {
    let begins = held.spans.first()?.0;
    let in_burst = disk
        .limits
        .iter()
        .filter(|cap| cap.in_burst && is_burst_of(&cap.name, &held.hold));
    let most = in_burst
        .filter_map(|cap| cap.limits.on(held.axis))
        .reduce(f64::max)?;
    disk.report.plateaus.iter().find(|other| {
        let before = other.spans.first().is_some_and(|span| span.0 < begins);
        let is_more = other.level > held.level && other.level <= most * (1.0 + TOLERANCE);
        before && other.axis == held.axis && is_more
    })
}

/// Whether `name` is that of the burst limit of one of the limits that hold.
fn is_burst_of(name: &str, hold: &Hold) -> bool {
    let limit = name.split_once(IN_BURST).map(|(limit, _)| limit);
    let is = |own: &str, limit: &str| own == limit || own.starts_with(&format!("{limit},"));
    limit.is_some_and(|limit| hold.names().any(|own| is(own, limit)))
}

/// What was faster than anything on the volume's way lets through: it was not this disk. `of_vm` are the limits of the VM,
/// of which one may explain the figure.
pub(super) fn above(
    disk: &DiskOverTime,
    highest: &Prediction,
    of_vm: &[Cap],
    tolerance: f64,
) -> Option<Finding> {
    let iops = disk.report.iops.as_ref().map(|of| of.max.get());
    let mbps = disk.report.mbps.as_ref().map(|of| of.max.get());
    let (axis, most, limit) = match (highest.limit.axis()?, iops, mbps) {
        (Axis::Iops, Some(most), _) => (Axis::Iops, most, highest.iops.get()),
        (Axis::Mbps, _, Some(most)) => (Axis::Mbps, most, highest.mbps.get()),
        _ => return None,
    };
    if most <= limit * (1.0 + tolerance) {
        return None;
    }
    let message = format!(
        "reaches {} {axis}, {} times the highest limit on its way ({}): a cache or another disk answered then{}",
        grouped(most, 0),
        grouped(most / limit, 2),
        highest.words(),
        fits(most, axis, &disk.limits, of_vm, tolerance)
    );
    let finding = Finding::new(
        FindingId::AboveLimits,
        Severity::Warning,
        &disk.report.disk,
        message,
    )
    .figure("measured", most, axis)
    .figure("limit", limit, axis);
    Some(with_remedy(finding))
}

/// `; the rate fits the VM's uncached IOPS limit in burst, 20,000 IOPS`: the limit on the volume's way that is nearest to
/// `most`, else the VM's limit that is.
fn fits(most: f64, axis: Axis, own: &[Cap], of_vm: &[Cap], tolerance: f64) -> String {
    let off = |cap: &Cap| {
        let limit = match axis {
            Axis::Iops => cap.limits.iops?.get(),
            Axis::Mbps => cap.limits.mbps?.get(),
        };
        Some((most / limit - 1.0).abs()).filter(|off| *off <= tolerance)
    };
    let nearest = |caps: &[Cap]| {
        let near = caps.iter().filter_map(|cap| Some((off(cap)?, cap.clone())));
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cap)| cap)
    };
    let fitting = nearest(own).or_else(|| nearest(of_vm));
    fitting.map_or_else(String::new, |cap| {
        format!(
            "; the rate fits {}, which several disks or a larger one reach",
            cap.name
        )
    })
}

/// The limit of the VM that was full, by several disks together, while one of them was at `plateau`.
fn shared_limit(plateau: &Plateau, together: &[DiskOverTime]) -> Option<String> {
    together.iter().find_map(|sum| {
        let shared = held_by_vm(sum).find(|of_sum| plateau.goes_with(of_sum))?;
        Some(format!(
            "{} are at {}",
            sum.report.disk,
            shared.hold.limits()
        ))
    })
}

/// That the I/Os of a disk took longer than usual all the while.
pub(super) fn slow(disk: &DiskOverTime) -> Option<Finding> {
    let slow = disk.slow_latency?;
    let why = match slow.limits_known {
        true => "it is below every limit on its way, so that none makes it wait",
        false => "it is below every limit that is known, so that none of these makes it wait",
    };
    let message = format!("{}; {why}", slow.words());
    let (id, name) = (FindingId::SlowLatency, &disk.report.disk);
    let finding = Finding::new(id, Severity::Warning, name, message)
        .figure("took", slow.took_us.millis(), "ms")
        .figure("usual", slow.usual_us.millis(), "ms");
    Some(with_remedy(finding))
}

/// What could not be judged because logs are too short, disks of the same number of samples in one.
pub(super) fn too_short<'d>(reports: impl Iterator<Item = &'d DiskReport>) -> Vec<Finding> {
    let mut groups: Vec<(&[NotJudged], Vec<&str>)> = Vec::new();
    for report in reports.filter(|report| !report.not_judged.is_empty()) {
        let same = |(other, _): &&mut (&[NotJudged], _)| *other == report.not_judged;
        match groups.iter_mut().find(same) {
            Some((_, disks)) => disks.push(&report.disk),
            None => groups.push((&report.not_judged, vec![&report.disk])),
        }
    }
    let finding = |(not_judged, disks): (&[NotJudged], Vec<&str>)| {
        let samples = not_judged.first().map_or(0, |n| n.samples);
        let needed = not_judged.iter().map(|n| n.needed).max().unwrap_or(0);
        let concerns: Vec<String> = not_judged.iter().map(ToString::to_string).collect();
        let count = match samples {
            1 => "1 sample is".to_owned(),
            count => format!("{count} samples are"),
        };
        let message = format!("{count} too few to judge {}", concerns.join(", "));
        let subject = match disks.as_slice() {
            few @ ([_] | [_, _] | [_, _, _]) => few.join(", "),
            many => format!("{} disks", many.len()),
        };
        Finding::new(FindingId::SeriesNotJudged, Severity::Info, subject, message)
            .figure("samples", samples as f64, "samples")
            .figure("needed", needed as f64, "samples")
    };
    groups.into_iter().map(finding).collect()
}

/// What speaks against the device, and what a limit holds back, is a warning.
fn severity(verdict: &Verdict, limits: &[Cap]) -> Severity {
    match verdict {
        verdict if verdict.blames_device() => Severity::Warning,
        Verdict::Throttled(plateau) if only_own_limits(plateau, limits) => Severity::Info,
        Verdict::Throttled(plateau) if plateau.hold.is_named() => Severity::Warning,
        Verdict::Step(step) if step.cause == ChangeCause::Slower => Severity::Warning,
        Verdict::Levels(levels) if levels.got_slower() => Severity::Warning,
        Verdict::Saturated(_) => Severity::Warning,
        _ => Severity::Info,
    }
}

/// Whether a sum of disks is held by nothing but what each disk says itself.
fn only_own_limits(plateau: &Plateau, limits: &[Cap]) -> bool {
    let is_own = |kind| kind == CapKind::DisksTogether;
    plateau.hold.is_named() && kinds(&plateau.hold, limits).all(is_own)
}

/// The numbers of a verdict by themselves.
fn figures(finding: Finding, verdict: &Verdict) -> Finding {
    let percent = |share: crate::units::Share| share.get() * 100.0;
    match verdict {
        Verdict::Stalls { times, longest_ms } => finding
            .figure("times", *times as f64, "times")
            .figure("longest", *longest_ms as f64 / 1e3, "s"),
        Verdict::Fence(fence) => finding
            .figure("period", fence.period_ms as f64 / 1e3, "s")
            .figure("depth", percent(fence.depth), "%")
            .figure("time", percent(fence.share), "%"),
        Verdict::Dips { dips, share, .. } => {
            finding
                .figure("dips", *dips as f64, "times")
                .figure("time", percent(*share), "%")
        }
        Verdict::Throttled(plateau) => finding.figure("level", plateau.level, plateau.axis).figure(
            "time",
            percent(plateau.share),
            "%",
        ),
        Verdict::Saturated(saturation) => finding.figure("time", percent(saturation.share), "%"),
        Verdict::Step(step) => finding
            .figure("at", step.at_ms as f64 / 1e3, "s")
            .figure("before", step.rate_before, step.axis)
            .figure("after", step.rate_after, step.axis),
        Verdict::Levels(levels) => finding.figure("levels", levels.each.len() as f64, "levels"),
        Verdict::RateDrift(drift) | Verdict::LatencyDrift(drift) => {
            finding.figure("change", drift.change * 100.0, "%")
        }
        Verdict::WarmUp(warm_up) => finding
            .figure("length", warm_up.length_ms as f64 / 1e3, "s")
            .figure("ratio", warm_up.ratio, "times"),
        Verdict::Steady => finding,
    }
}

/// The findings of peers: which of them is slow or erratic, and what that costs.
/// `alone` says of a disk that has no peer why, where there are other groups beside its own; `tiers` are the limits of disks, one of
/// which may be what holds a slow one.
pub(super) fn of_peers(
    report: &TwinsReport,
    alone: Option<&NoPeer>,
    tiers: &[Candidate],
) -> Vec<Finding> {
    let found = report.peers.iter().filter_map(|peer| {
        let severity = match peer.verdict {
            PeerVerdict::Slow if peer.as_usual => Severity::Info,
            PeerVerdict::Slow | PeerVerdict::Erratic => Severity::Warning,
            PeerVerdict::BusierThanOthers
            | PeerVerdict::DidLess
            | PeerVerdict::HardlyUsed
            | PeerVerdict::NotEnough => Severity::Info,
            PeerVerdict::Alike => return None,
        };
        let held = held_by(peer, report, tiers);
        let words = match &held {
            _ if report.is_alone() => alone.map_or_else(
                || "it is the only disk, there is none to compare it with".to_owned(),
                |alone| alone.why.clone(),
            ),
            _ if report.compared_by.is_none() => {
                "the logs have neither latency, IOPS nor MB/s of all disks: nothing to compare them by".to_owned()
            }
            _ if peer.verdict == PeerVerdict::Slow && peer.as_usual => {
                peer.words_as("slower than the others, but as fast as is usual for such a disk")
            }
            Some(held) => format!("{}; {held}", peer.words_as("slow, as a limit makes it")),
            None => peer.words(),
        };
        let finding = Finding::new(peer.verdict.id(), severity, &peer.name, words);
        let finding = match &peer.slowness {
            Some(slowness) => finding.figure("ratio", slowness.ratio, "times").figure(
                "confidence",
                slowness.confidence * 100.0,
                "%",
            ),
            None => finding,
        };
        let short = (peer.verdict == PeerVerdict::NotEnough)
            .then(|| match alone.filter(|_| report.is_alone()) {
                Some(alone) => Some(alone.fix.to_owned()),
                None => report.shortfall_of(peer),
            })
            .flatten();
        let cost = || cost(report, peer).filter(|_| held.is_none());
        Some(match short.or_else(cost) {
            Some(cost) => finding.fix(cost),
            None if held.is_some() => with_remedy(finding),
            None => finding,
        })
    });
    together(found.collect())
}

/// Why a disk has no peer, and what to do about it.
pub(super) struct NoPeer {
    pub why: String,
    pub fix: &'static str,
}

/// The limit at which a slow peer is flat for most of the time: one on its way, else that of some tier. A rate that its peers
/// do not exceed, either, does not make it slow.
fn held_by(peer: &PeerReport, report: &TwinsReport, tiers: &[Candidate]) -> Option<String> {
    let slow = Some(peer).filter(|peer| peer.verdict == PeerVerdict::Slow)?;
    let mean = |peer: &PeerReport, axis| match axis {
        Axis::Iops => peer.report.iops.map(|of| of.mean.get()),
        Axis::Mbps => peer.report.mbps.map(|of| of.mean.get()),
    };
    let faster = |axis| {
        let others = report.peers.iter().filter(|other| other.name != peer.name);
        let own = mean(peer, axis).unwrap_or(f64::INFINITY);
        let mut others = others.filter_map(|other| mean(other, axis));
        others.any(|other| other > own * SAME_RATE)
    };
    let flat = |plateau: &&Plateau| plateau.share.get() > 0.5 && faster(plateau.axis);
    let plateau = slow.report.plateaus.iter().find(flat)?;
    let at = format!(
        "it is flat at {} {}",
        grouped(plateau.level, 0),
        plateau.axis
    );
    match plateau.hold {
        Hold::Cap { .. } => return Some(format!("{at}, held by {}", plateau.hold.limits())),
        Hold::Load | Hold::Parts { .. } => return None,
        Hold::UnknownLimit | Hold::Unknown => {}
    }
    let off = |tier: &Candidate| {
        let limit = tier.limits.on(plateau.axis)?;
        Some((plateau.level / limit - 1.0).abs()).filter(|off| *off <= SAME_RATE - 1.0)
    };
    let near = tiers.iter().filter_map(|tier| Some((off(tier)?, tier)));
    let (_, tier) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let limit = grouped(tier.limits.on(plateau.axis)?, 0);
    Some(format!(
        "{at}, where the {} is held ({limit} {}): see whether it is one before you replace it",
        tier.name, plateau.axis
    ))
}

/// More peers than this that all lack samples alike are told of as one.
const MOST_ALIKE: usize = 3;

/// The findings, those of many peers with too few samples in one.
fn together(found: Vec<Finding>) -> Vec<Finding> {
    let mut told: Vec<Finding> = Vec::new();
    for finding in &found {
        let is_alike = |other: &&Finding| {
            other.id == FindingId::PeerNotEnough
                && (other.id, &other.message) == (finding.id, &finding.message)
        };
        let alike = found.iter().filter(is_alike).count();
        if alike <= MOST_ALIKE {
            told.push(finding.clone());
        } else if !told.iter().any(|told| is_alike(&told)) {
            let subject = format!("{alike} disks");
            let (severity, words) = (finding.severity, finding.message.clone());
            told.push(with_remedy(Finding::new(
                finding.id, severity, subject, words,
            )));
        }
    }
    told
}

/// What a mirror gains when a slow member is replaced.
fn cost(report: &TwinsReport, peer: &PeerReport) -> Option<String> {
    let mirror = report.mirror.as_ref()?;
    let replaced = mirror.gain.filter(|gain| *gain > 1.0).is_some();
    (peer.verdict == PeerVerdict::Slow && replaced && mirror.slowest == peer.name)
        .then(|| mirror.to_string())
}
