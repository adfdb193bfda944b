//! What the planner predicts for one test on one volume by itself: every phase, cold and warm cache.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{Axis, Basis, LatencyFigure, VmSize};
use crate::deployment::{Deployment, HostCaching, Volume};
use crate::measure::IN_BURST;
use crate::planner::{Bottleneck, Outcome, Phase, Resource, System, evaluate, evaluate_with};
use crate::units::{Iops, Latency, MB, MBps, Share, grouped};
use crate::workload::Io;

/// Whether the host cache holds what is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CacheState {
    /// Every read misses.
    Cold,
    /// Every read hits.
    Warm,
}

/// A rate at which one named limit is full.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prediction {
    /// Credit buckets full or empty.
    pub phase: Phase,
    /// What the host cache holds, where the volume has one.
    pub cache: Option<CacheState>,
    /// I/Os per second at the test's block size.
    pub iops: Iops,
    /// MB/s at the test's block size.
    pub mbps: MBps,
    /// The limit.
    pub limit: Bottleneck,
    /// The figure that documentation prints for it, where it differs.
    pub listed_mbps: Option<MBps>,
    /// Another limit on the path is unknown: the true figure may be lower.
    pub at_most: bool,
    /// The share of the I/O that passes the limit, where the host cache answers the rest: the limit's own figure is that
    /// share of the rate.
    #[serde(default)]
    pub passing: Option<Share>,
}

impl Prediction {
    /// The figure of the limit, on its own axis: `3,500 IOPS`, `131.1 MB/s (listed as 128)`.
    #[must_use]
    pub fn figure(&self) -> String {
        let whole = match (self.limit.axis(), self.listed_mbps) {
            (Some(Axis::Iops), _) => format!("{} IOPS", self.iops),
            (_, Some(listed)) => format!("{} MB/s (listed as {listed})", self.mbps),
            _ => format!("{} MB/s", self.mbps),
        };
        match self.passing.and_then(|share| self.own(share)) {
            Some((own, share)) => {
                format!("{own} ({share} of {whole}: the host cache answers the rest)")
            }
            None => whole,
        }
    }

    /// The limit's own figure, where `share` of the I/O passes it.
    fn own(&self, share: Share) -> Option<(String, Share)> {
        let part = |whole: f64| grouped(whole * share.get(), 0);
        let own = match self.limit.axis()? {
            Axis::Iops => format!("{} IOPS", part(self.iops.get())),
            Axis::Mbps => format!("{} MB/s", part(self.mbps.get())),
        };
        Some((own, share))
    }

    /// The limit as a DBA would say it: `the disk's IOPS limit in burst`.
    #[must_use]
    pub fn words(&self) -> String {
        let (whose, which, axis, burst) = match self.limit {
            Bottleneck::Disk { axis, burst } => ("the disk's", "", axis, burst),
            Bottleneck::VmUncached { axis, burst } => ("the VM's", "uncached", axis, burst),
            Bottleneck::VmRemote { axis, burst } => ("the VM's", VmSize::REMOTE_NAME, axis, burst),
            Bottleneck::VmCached { axis, burst } => ("the VM's", "cached", axis, burst),
            other => return other.to_string(),
        };
        let burst = if burst { IN_BURST } else { "" };
        let gap = if which.is_empty() { "" } else { " " };
        format!("{whose} {which}{gap}{axis} limit{burst}, {}", self.figure())
    }
}

/// The predictions for `io` on the volume at `index`, nothing else at work, the sustained one with a cold cache first.
/// One that says the same as an earlier one is left out; so is one without any known limit.
#[must_use]
pub fn predictions(deployment: &Deployment, index: usize, io: &Io) -> Vec<Prediction> {
    let vm = deployment.vm.as_ref();
    let mut found: Vec<Prediction> = Vec::new();
    let systems: Vec<_> = states(deployment, index)
        .into_iter()
        .map(|cache| (cache, alone(deployment, index, io, cache)))
        .collect();
    for (cache, system) in &systems {
        for phase in [Phase::Sustained, Phase::Burst] {
            let outcome = evaluate(system, phase).outcomes.first().copied();
            let next = outcome.and_then(|outcome| of_outcome(&outcome, phase, *cache, vm));
            let next = next.map(|next| Prediction {
                passing: passing(system, next.limit, phase, io),
                ..next
            });
            add(&mut found, next);
        }
    }
    for (cache, system) in &systems {
        for next in in_part(system, *cache, io, vm) {
            add(&mut found, Some(next));
        }
    }
    found
}

/// Adds a prediction that says what none before says.
fn add(found: &mut Vec<Prediction>, next: Option<Prediction>) {
    let known = |next: &Prediction| {
        let mut all = found.iter();
        all.any(|known| {
            known.limit == next.limit
                && !is_more(known.iops, next.iops)
                && !is_more(next.iops, known.iops)
        })
    };
    if let Some(next) = next.filter(|next| !known(next)) {
        found.push(next);
    }
}

/// What holds where only some credit is left: that of the disks, that of the VM, or that of both while a ReadWrite cache
/// no longer absorbs writes.
fn in_part(
    system: &System,
    cache: Option<CacheState>,
    io: &Io,
    vm: Option<&VmSize>,
) -> Vec<Prediction> {
    let credits = [(true, false), (false, true), (true, true), (false, false)];
    let ways = [Phase::Burst, Phase::Sustained];
    let states = ways
        .into_iter()
        .flat_map(|way| credits.map(|(disk, vm)| (way, disk, vm)));
    let of = |(way, of_disk, of_vm): (Phase, bool, bool)| {
        let has_credit = |is_vm: bool| if is_vm { of_vm } else { of_disk };
        let capacity = |resource: &Resource| {
            let credit = has_credit(resource.is_vm());
            resource.capacity(if credit {
                Phase::Burst
            } else {
                Phase::Sustained
            })
        };
        let allocation = evaluate_with(system, way, capacity);
        let outcome = allocation.outcomes.first().copied()?;
        let bursts = has_credit(outcome.bottleneck.is_vm());
        let limit = named(system, outcome.bottleneck, bursts);
        of_outcome(&outcome, Phase::Burst, cache, vm).map(|found| Prediction {
            limit,
            listed_mbps: vm.and_then(|vm| listed(vm, limit)),
            passing: passing(system, limit, way, io),
            ..found
        })
    };
    states.filter_map(of).collect()
}

/// The share of `io` that passes `limit` on its way in `way`; `None` where all of it does.
fn passing(system: &System, limit: Bottleneck, way: Phase, io: &Io) -> Option<Share> {
    let axis = limit.axis()?;
    let is_it = |resource: &Resource| {
        let both = Phase::ALL.map(|phase| Bottleneck::of(resource, phase));
        both.contains(&limit)
    };
    let uses = system.flows.first()?.uses(way).iter();
    let of_one: f64 = uses
        .filter(|used| system.resources.get(used.resource).is_some_and(is_it))
        .map(|used| used.per_io)
        .sum();
    let whole = match axis {
        Axis::Iops => 1.0,
        Axis::Mbps => io.block_size.bytes_f64() / MB,
    };
    let share = of_one / whole;
    Share::new(share).ok().filter(|_| share < 1.0 - ROUNDING)
}

/// A limit by its name with or without credit.
fn named(system: &System, limit: Bottleneck, credit: bool) -> Bottleneck {
    let phase = if credit {
        Phase::Burst
    } else {
        Phase::Sustained
    };
    let plain = |resource: &Resource| Bottleneck::of(resource, Phase::Sustained);
    let same = |resource: &&Resource| {
        let of = [plain(resource), Bottleneck::of(resource, Phase::Burst)];
        of.contains(&limit)
    };
    let mut found = system.resources.iter().filter(same);
    found
        .next()
        .map_or(limit, |resource| Bottleneck::of(resource, phase))
}

/// What a host cache may hold, cold first; one state without a name where the volume has none.
fn states(deployment: &Deployment, index: usize) -> Vec<Option<CacheState>> {
    let volume = deployment.volumes.get(index);
    if volume.is_some_and(|volume| volume.caching() != HostCaching::None) {
        vec![Some(CacheState::Cold), Some(CacheState::Warm)]
    } else {
        vec![None]
    }
}

/// What raises a rate above the one that holds without end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Raise {
    /// Burst credit.
    Credit,
    /// The host cache answers.
    HostCache,
}

/// What one test is predicted to make, whatever it did make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Without burst credit and with nothing in the host cache.
    pub least: Iops,
    /// Whether that is an upper bound: a limit on the way, or the latency that its queue depth is of, is not known.
    pub at_most: bool,
    /// The most that credit or a full host cache makes; `None` where they make no more.
    pub most: Option<Most>,
}

/// The most that credit or a full host cache makes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Most {
    /// The rate.
    pub iops: Iops,
    /// Which of them makes it.
    pub by: Raise,
    /// Whether it is an upper bound: how fast the cache or the disk answers, or a limit on the way, is not known.
    pub at_most: bool,
}

/// What `io` makes on the volume at `index`, by its limits and by its queue depth where it has one. `None` where nothing
/// is known.
///
/// The latency of a host cache that is only assumed bounds nothing: caches were measured several times as fast. What it
/// makes is then an upper bound.
#[must_use]
pub fn reach(deployment: &Deployment, index: usize, io: &Io) -> Option<Reach> {
    let volume = deployment.volumes.get(index)?;
    let absorbs = volume.caching() == HostCaching::ReadWrite && io.read_share != Share::ALL;
    let quick = quick_cache(deployment, volume, io);
    let mut found: Option<Reach> = None;
    let mut cache_makes_more = false;
    for cache in states(deployment, index) {
        let usual = alone(deployment, index, io, cache);
        let quick = quick.as_ref().map(|quick| alone(quick, index, io, cache));
        for phase in [Phase::Sustained, Phase::Burst] {
            let outcome = evaluate(quick.as_ref().unwrap_or(&usual), phase);
            let outcome = outcome.outcomes.first().copied();
            let at_most = outcome.is_some_and(|outcome| outcome.at_most);
            let held_by_cache = outcome
                .is_some_and(|outcome| matches!(outcome.bottleneck, Bottleneck::VmCached { .. }));
            let rate = outcome.and_then(|outcome| outcome.iops);
            let Some(rate) = rate.filter(|rate| rate.get() > 0.0) else {
                continue;
            };
            let Some(of) = &mut found else {
                // Where the cache's own limit holds, no cache makes more of it: only its credit does.
                cache_makes_more = !held_by_cache;
                found = Some(Reach {
                    least: rate,
                    at_most,
                    most: None,
                });
                continue;
            };
            let from_cache = cache == Some(CacheState::Warm) || (absorbs && phase == Phase::Burst);
            let assumed = evaluate(&usual, phase).outcomes.first().copied();
            let assumed = assumed.and_then(|outcome| outcome.iops);
            *of = of.or(Most {
                iops: rate,
                by: if from_cache && cache_makes_more {
                    Raise::HostCache
                } else {
                    Raise::Credit
                },
                at_most: at_most || quick.is_some() && assumed.is_some_and(|of| is_more(rate, of)),
            });
        }
    }
    found
}

/// As [`reach`], of I/O so large that no latency is known for it: it takes no less time than small I/O, so that what the
/// latency of that makes of its queue depth is an upper bound, where it is below the limits.
pub(super) fn reach_of_large(deployment: &Deployment, index: usize, io: &Io) -> Option<Reach> {
    let without_queue = Io {
        queue_depth: None,
        ..*io
    };
    let free = reach(deployment, index, &without_queue)?;
    let Some(held) = reach(deployment, index, io) else {
        return Some(free);
    };
    let (lowers_least, lowers_most) = (
        is_more(free.least, held.least),
        is_more(free.highest(), held.highest()),
    );
    if !lowers_least && !lowers_most {
        return Some(free);
    }
    Some(Reach {
        least: held.least,
        at_most: lowers_least || free.at_most,
        most: held.most.map(|most| Most {
            at_most: most.at_most || lowers_most,
            ..most
        }),
    })
}

/// Faster than any host cache answers, 1 us.
const QUICK: Latency = Latency::whole(1);

/// The deployment with a host cache that bounds no rate, where its latency is only assumed and has a part in `io`.
fn quick_cache(deployment: &Deployment, volume: &Volume, io: &Io) -> Option<Deployment> {
    let assumed = deployment
        .cache_latency
        .filter(|of| of.basis == Basis::Assumed)?;
    let cached = volume.caching() != HostCaching::None && io.queue_depth.is_some();
    cached.then(|| Deployment {
        cache_latency: Some(LatencyFigure {
            read: QUICK,
            write: QUICK,
            ..assumed
        }),
        ..deployment.clone()
    })
}

/// Whether one rate is more than another by more than rounding.
fn is_more(one: Iops, other: Iops) -> bool {
    one.get() > other.get() * (1.0 + ROUNDING)
}

impl Reach {
    /// The most that it makes, with whatever raises it.
    fn highest(&self) -> Iops {
        self.most.map_or(self.least, |most| most.iops)
    }

    /// With another state that makes as much.
    fn or(self, other: Most) -> Self {
        Self {
            most: if is_more(other.iops, self.highest()) {
                Some(other)
            } else {
                self.most
            },
            ..self
        }
    }
}

/// Rates that differ by no more than this share are one rate.
const ROUNDING: f64 = 1e-9;

/// What holds for `io` without end: no burst credit, nothing in the host cache. `None` where no limit is known.
#[must_use]
pub fn sustained(deployment: &Deployment, index: usize, io: &Io) -> Option<Prediction> {
    let found = predictions(deployment, index, io);
    let first = found.into_iter().next()?;
    (first.phase == Phase::Sustained && first.cache != Some(CacheState::Warm)).then_some(first)
}

/// The volume by itself under `io`.
pub(super) fn alone(
    deployment: &Deployment,
    index: usize,
    io: &Io,
    cache: Option<CacheState>,
) -> System {
    let io = super::usual::state_of(*io, cache.unwrap_or(CacheState::Cold));
    let loads = vec![io; deployment.volumes.len()];
    System::alone(deployment, index, &loads)
}

fn of_outcome(
    outcome: &Outcome,
    phase: Phase,
    cache: Option<CacheState>,
    vm: Option<&VmSize>,
) -> Option<Prediction> {
    Some(Prediction {
        phase,
        cache,
        iops: outcome.iops.filter(|rate| rate.get() > 0.0)?,
        mbps: outcome.mbps?,
        limit: outcome.bottleneck,
        listed_mbps: vm.and_then(|vm| listed(vm, outcome.bottleneck)),
        at_most: outcome.at_most,
        passing: None,
    })
}

/// The printed figure of a VM's sustained MB/s ceiling.
pub(crate) fn listed(vm: &VmSize, limit: Bottleneck) -> Option<MBps> {
    let mbps = Axis::Mbps;
    match limit {
        Bottleneck::VmUncached { axis, burst: false } if axis == mbps => vm.uncached.listed(),
        Bottleneck::VmRemote { axis, burst: false } if axis == mbps => vm.remote?.listed(),
        Bottleneck::VmCached { axis, burst: false } if axis == mbps => vm.cached.listed(),
        _ => None,
    }
}

/// The limits on the volume's path that no source gives a figure for: `disk MB/s`.
#[must_use]
pub fn unknown_limits(deployment: &Deployment, index: usize, io: &Io) -> Vec<String> {
    let system = alone(deployment, index, io, Some(CacheState::Cold));
    let Some(flow) = system.flows.first() else {
        return Vec::new();
    };
    let resource = |index: usize| system.resources.get(index);
    let mut names: Vec<String> = flow
        .uses(Phase::Sustained)
        .iter()
        .filter_map(|used| resource(used.resource).filter(|r| r.base.is_none()))
        .map(|resource| Bottleneck::of(resource, Phase::Sustained).to_string())
        .collect();
    names.dedup();
    names
}
