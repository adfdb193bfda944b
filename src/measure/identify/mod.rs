//! Which disk, cache or ceiling a run's figures fit, with the reasons; and where what was measured is.
//!
//! A limit shows as a plateau: tests of different kinds end at the same rate. Candidates are the tiers of every family and
//! the ceilings of the VM, where one is named, else of every size: there are hundreds of these, so that they count only
//! where several tests end at the same rate on both axes. One that any figure exceeds, or whose disks answer in
//! another time, is ruled out; of the others those rank first whose limits are hit on both axes, by most tests, most
//! nearly. Nothing is invented: where no candidate fits, that is the answer.

pub mod candidates;
mod evidence;
mod fit;
pub mod place;
mod single;

use std::cmp::{Ordering, Reverse};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{Run, Test};
use crate::catalog::{Axis, Catalog, VmSize};
use crate::units::{Iops, Latency, MBps, Share};
use candidates::{Candidate, CandidateKind, LimitState};
use evidence::Evidence;
pub use fit::SAME_RATE;
pub(super) use fit::is_too_fast;
use fit::{Hits, contradiction};
pub use place::Place;
use single::Single;

/// How many candidates are listed.
const LISTED: usize = 6;

/// The fewest figures that must be at the limits of a disk that nobody named, 2: one is near some limit by chance.
const PLATEAU: usize = 2;

/// Distances from a limit within the same 3 % do not tell limits apart: limits are enforced by token buckets, and
/// published runs show up to some 3 % above them.
const SAME_DISTANCE: f64 = 0.03;

/// A candidate that figures fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Match {
    /// What it is.
    pub kind: CandidateKind,
    /// Its name.
    pub name: String,
    /// Its limit in IOPS.
    pub iops: Option<Iops>,
    /// Its limit in MB/s.
    pub mbps: Option<MBps>,
    /// The figure that documentation prints for it, where it differs.
    pub listed_mbps: Option<MBps>,
    /// How many tests are at its IOPS limit.
    pub iops_hits: usize,
    /// How many tests are at its MB/s limit.
    pub mbps_hits: usize,
    /// The mean distance of these from it, as a share.
    pub distance: f64,
    /// Which tests, and how near.
    pub reasons: Vec<String>,
}

impl Match {
    /// Whether both limits are hit.
    #[must_use]
    pub const fn on_both_axes(&self) -> bool {
        self.iops_hits > 0 && self.mbps_hits > 0
    }
}

/// A limit of the named VM that it is not, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RuledOut {
    /// Its name, with its figures.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// What a run's figures fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Identification {
    /// Where what was measured is.
    pub place: Place,
    /// Why it is said to be there.
    pub reasons: Vec<String>,
    /// Which limit the figures fit, in a sentence.
    pub conclusion: String,
    /// Mean latency of one random I/O at a time, microseconds, where there is such a test.
    pub queue_depth_1_latency_us: Option<Latency>,
    /// What fits, best first.
    pub matches: Vec<Match>,
    /// Which limits of the named VM do not.
    pub ruled_out: Vec<RuledOut>,
}

/// Says what the figures of `run` fit, on `vm` where it is named.
#[must_use]
pub fn identify(
    catalog: &Catalog,
    run: &Run,
    vm: Option<&VmSize>,
    tolerance: f64,
) -> Identification {
    if run.format.is_counters() {
        return of_counters();
    }
    if let Some(why) = run.page_cache() {
        return of_page_cache(run, why);
    }
    let evidence = Evidence::new(run);
    let mut disks = candidates::disks(catalog);
    disks.extend(more_mbps(&disks, &evidence, tolerance));
    let ceilings = match vm {
        Some(vm) => candidates::of_vm(catalog, vm),
        None => candidates::of_all_vms(catalog),
    };
    let mut ranked: Vec<(&Candidate, Hits<'_>)> = disks
        .iter()
        .chain(&ceilings)
        .filter_map(|candidate| Some((candidate, fitting(candidate, &evidence, vm, tolerance)?)))
        .collect();
    ranked.sort_by(|a, b| better(a, b, &evidence));
    let best = ranked
        .first()
        .filter(|(_, hits)| hits.axes() == 2)
        .map(|(candidate, _)| *candidate);
    let (place, reasons) = place::place(catalog, &disks, &evidence, best, tolerance);
    let not_told = |candidate: &&Candidate| !ranked.iter().any(|(known, _)| known == candidate);
    let ruled_out = ceilings.iter().filter(|_| vm.is_some()).filter(not_told);
    let all: Vec<&Candidate> = disks.iter().chain(&ceilings).collect();
    let may_be = match best {
        Some(_) => None,
        None => by_direction(run, &all, tolerance)
            .or_else(|| of_some_size(&ceilings, vm, &evidence, tolerance)),
    };
    let single = Single {
        disks: &disks,
        evidence: &evidence,
        tolerance,
    };
    Identification {
        place,
        reasons,
        conclusion: conclusion(&ranked, vm, &single, may_be.is_some())
            .unwrap_or_else(|| single.too_few())
            + &single.each_if(ranked.is_empty())
            + may_be.as_deref().unwrap_or_default(),
        queue_depth_1_latency_us: evidence.one.as_ref().map(|one| one.latency),
        ruled_out: ruled_out
            .filter_map(|c| rule_out(c, &evidence, tolerance))
            .collect(),
        matches: ranked
            .iter()
            .take(LISTED)
            .map(|(c, hits)| matched(c, hits))
            .collect(),
    }
}

/// The disk whose MB/s can be set, with more of them than it comes with, where figures rule out that it is as it comes.
fn more_mbps(disks: &[Candidate], evidence: &Evidence, tolerance: f64) -> Option<Candidate> {
    let set = disks.iter().find_map(Candidate::with_more_mbps);
    let (as_it_comes, more, most) = set?;
    let within = |point: &evidence::Point| point.mbps <= most;
    let rules_out = |disk| contradiction(disk, evidence, tolerance).is_some();
    let needs_more = rules_out(as_it_comes) && !rules_out(&more);
    (needs_more && evidence.points.iter().all(within)).then_some(more)
}

/// The candidate that fits IOPS and MB/s best, where one does.
fn best_of<'c>(
    candidates: &[&'c Candidate],
    evidence: &Evidence,
    tolerance: f64,
) -> Vec<&'c Candidate> {
    let fits = |candidate: &&'c Candidate| {
        let hits = Hits::new(candidate, evidence, tolerance);
        let fits = hits.axes() == 2 && contradiction(candidate, evidence, tolerance).is_none();
        fits.then_some((*candidate, hits))
    };
    let mut found: Vec<(&Candidate, Hits<'_>)> = candidates.iter().filter_map(fits).collect();
    found.sort_by(|a, b| better(a, b, evidence));
    found.into_iter().map(|(candidate, _)| candidate).collect()
}

/// Reads at the limit of a host cache and writes at that of the disk behind it, where nothing fits both.
fn by_direction(run: &Run, candidates: &[&Candidate], tolerance: f64) -> Option<String> {
    let of = |share: Share| {
        let has = |test: &&Test| test.kind.read_share == Some(share);
        let tests = run.tests.iter().filter(has).cloned().collect();
        Evidence::new(&Run {
            tests,
            ..run.clone()
        })
    };
    let (read, written) = (of(Share::ALL), of(Share::NONE));
    let cached = |candidate: &&&Candidate| candidate.kind == CandidateKind::VmCached;
    let disk = |candidate: &&&Candidate| matches!(candidate.kind, CandidateKind::Disk(_));
    let caches: Vec<&Candidate> = candidates.iter().filter(cached).copied().collect();
    let disks: Vec<&Candidate> = candidates.iter().filter(disk).copied().collect();
    let cache = *best_of(&caches, &read, tolerance).first()?;
    let disk = *best_of(&disks, &written, tolerance).first()?;
    Some(format!(
        "; by themselves the reads fit the {} and the writes the {}: as such a disk makes behind a ReadOnly host cache",
        cache.title(),
        disk.title()
    ))
}

/// How many limits of VM sizes are named that few figures would be at.
const SIZES_NAMED: usize = 3;

/// Limits of VM sizes that few figures are at: there are so many of them that some are met by chance.
fn of_some_size(
    ceilings: &[Candidate],
    vm: Option<&VmSize>,
    evidence: &Evidence,
    tolerance: f64,
) -> Option<String> {
    let all: Vec<&Candidate> = ceilings.iter().filter(|_| vm.is_none()).collect();
    let found = best_of(&all, evidence, tolerance);
    let named: Vec<String> = (found.iter().take(SIZES_NAMED))
        .map(|candidate| candidate.title())
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "; of VM sizes, which may be chance, IOPS and MB/s fit the {}: name yours with --vm",
            named.join("; the ")
        )
    })
}

/// What is asked of a disk does not tell what it is: an average of counters that lies at some limit lies there by chance.
fn of_counters() -> Identification {
    Identification {
        place: Place::Unclear,
        reasons: Vec::new(),
        conclusion:
            "these are counters of what was asked of the disk, which do not tell what it can do; \
                     `diskcap bench series` shows whether its rate sits on a limit over time"
                .to_owned(),
        queue_depth_1_latency_us: None,
        matches: Vec::new(),
        ruled_out: Vec::new(),
    }
}

/// What went through the page cache of the guest tells of that, and a figure near some limit lies there by chance.
fn of_page_cache(run: &Run, why: &str) -> Identification {
    let one = Evidence::new(run).one;
    // Where the command is not known, I/O may have been direct.
    let unknown = why.contains("command line is not there");
    Identification {
        place: if unknown { Place::Unclear } else { Place::Memory },
        reasons: vec![why.to_owned()],
        conclusion: "the guest's page cache may have made these figures, which are held against no disk: measure with direct I/O"
            .to_owned(),
        queue_depth_1_latency_us: one.map(|one| one.latency),
        matches: Vec::new(),
        ruled_out: Vec::new(),
    }
}

/// The order of two candidates: hit on more axes; of a capacity that the drive may have; hit by more tests; nearer, where
/// that tells them apart; a limit that takes no credit or setting; the limit that more sizes have.
fn better(a: &(&Candidate, Hits<'_>), b: &(&Candidate, Hits<'_>), evidence: &Evidence) -> Ordering {
    let key = |(candidate, hits): &(&Candidate, Hits<'_>)| {
        let steps = (hits.distance() / SAME_DISTANCE) as u32;
        let larger = fit::is_larger(candidate, evidence);
        (
            Reverse(hits.axes()),
            larger,
            Reverse(hits.each.len()),
            steps,
            candidate.state != LimitState::Plain,
            Reverse(candidate.count),
        )
    };
    key(a)
        .cmp(&key(b))
        .then(a.1.distance().total_cmp(&b.1.distance()))
}

/// The hits of a candidate that fits.
fn fitting<'a>(
    candidate: &Candidate,
    evidence: &'a Evidence,
    vm: Option<&VmSize>,
    tolerance: f64,
) -> Option<Hits<'a>> {
    let hits = Hits::new(candidate, evidence, tolerance);
    let enough = match (candidate.kind, vm) {
        (CandidateKind::Disk(_), _) => hits.each.len() >= PLATEAU,
        (_, Some(_)) => !hits.each.is_empty(),
        (_, None) => hits.is_plateau(Axis::Iops) && hits.is_plateau(Axis::Mbps),
    };
    (enough && contradiction(candidate, evidence, tolerance).is_none()).then_some(hits)
}

fn matched(candidate: &Candidate, hits: &Hits<'_>) -> Match {
    Match {
        kind: candidate.kind,
        name: candidate.name.clone(),
        iops: candidate.limits.iops,
        mbps: candidate.limits.mbps,
        listed_mbps: candidate.listed_mbps,
        iops_hits: hits.on(Axis::Iops),
        mbps_hits: hits.on(Axis::Mbps),
        distance: hits.distance(),
        reasons: hits.words(),
    }
}

fn rule_out(candidate: &Candidate, evidence: &Evidence, tolerance: f64) -> Option<RuledOut> {
    let reason = contradiction(candidate, evidence, tolerance).or_else(|| {
        (!evidence.points.is_empty()).then(|| "no figure is at its limits".to_owned())
    })?;
    Some(RuledOut {
        name: candidate.title(),
        reason,
    })
}

/// `may_be` where a limit of some size is named behind it. `None` where nothing fits because there are too few tests for anything to.
fn conclusion(
    ranked: &[(&Candidate, Hits<'_>)],
    vm: Option<&VmSize>,
    single: &Single<'_>,
    may_be: bool,
) -> Option<String> {
    let evidence = single.evidence;
    match ranked.first() {
        Some((best, hits)) if hits.axes() == 2 => {
            let not = if best.kind == CandidateKind::VmCached {
                ": the VM's limit, not the disk's"
            } else {
                ""
            };
            Some(format!("IOPS and MB/s fit the {}{not}", best.title()))
        }
        Some(_) => Some(one_axis(ranked, single)),
        None if evidence.queued().count() < PLATEAU => None,
        None => {
            let limits = match vm {
                Some(vm) => format!("fits two figures, and none of {} fits one", vm.name),
                None if may_be => "fits two figures".to_owned(),
                None => "or VM size fits two figures".to_owned(),
            };
            Some(format!("no limit of a managed disk {limits}"))
        }
    }
}

/// The best on each axis, where nothing fits both.
fn one_axis(ranked: &[(&Candidate, Hits<'_>)], single: &Single<'_>) -> String {
    let evidence = single.evidence;
    if let Some((best, _)) = ranked.first().filter(|(best, _)| best.is_of_any_mbps()) {
        return format!(
            "the IOPS fit the {}, which may be set to the MB/s",
            best.title()
        );
    }
    let on = |axis: Axis| {
        let best = ranked.iter().find(|(_, hits)| hits.on(axis) > 0);
        match (best, axis) {
            (Some((best, _)), _) => format!("the {axis} fit the {}", best.title()),
            (None, Axis::Mbps) if !evidence.tested(axis) => {
                "there is no sequential test".to_owned()
            }
            (None, Axis::Iops) if !evidence.tested(axis) => {
                "there is no test of small I/O".to_owned()
            }
            (None, _) => (single.on(axis)).unwrap_or_else(|| format!("the {axis} fit nothing")),
        }
    };
    let figures = format!("{}, {}", on(Axis::Iops), on(Axis::Mbps));
    if evidence.tested(Axis::Iops) && evidence.tested(Axis::Mbps) {
        format!("nothing fits both: {figures}")
    } else {
        figures
    }
}
