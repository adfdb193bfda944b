//! What is kept of a simulation while it runs: segments, bucket levels, burst transactions.

use std::ops::ControlFlow;

use super::engine::{Bucket, Change, Observer, Queue, Stretch};
use super::model::{Amount, BucketPlace, BucketRun, LevelChange, Rate, Segment, VolumeSegment};
use super::paid::{self, Meter};
use crate::deployment::{Deployment, Disk};
use crate::planner::allocate::Stop;
use crate::planner::assessment::CeilingName;
use crate::planner::evaluate::Bottleneck;
use crate::planner::system::{Phase, Place, Resource, System};
use crate::units::{Iops, Latency, MBps};

/// Rates that differ by less than this part are the same rate: the rest is rounding.
const SAME: f64 = 1e-12;

/// A bucket that is followed.
struct Tracked {
    resource: usize,
    run: BucketRun,
    /// Use of its resource in the last segment.
    used: f64,
}

/// Keeps what a simulation shows.
pub(in crate::planner) struct Recorder {
    tracked: Vec<Tracked>,
    /// Position in `tracked` of each resource; `None` where it has no bucket, or stands for itself elsewhere.
    position: Vec<Option<usize>>,
    unknown: Vec<bool>,
    pub(in crate::planner) segments: Vec<Segment>,
    pub(super) meters: Vec<Meter>,
    /// Flows with an unknown limit on their path.
    pub(super) at_most: Vec<bool>,
    /// Something happened since the last segment, so that the next one is another.
    turned: bool,
}

impl Recorder {
    pub(super) fn new(deployment: &Deployment, system: &System, credit: f64) -> Self {
        let tracked = track(deployment, system, credit);
        let unknown: Vec<bool> = system.resources.iter().map(|r| r.base.is_none()).collect();
        let mut position = vec![None; system.resources.len()];
        for (index, tracked) in tracked.iter().enumerate() {
            position[tracked.resource] = Some(index);
        }
        Self {
            tracked,
            position,
            unknown,
            segments: Vec::new(),
            meters: paid::meters(deployment, system),
            at_most: vec![false; system.flows.len()],
            turned: true,
        }
    }

    /// The buckets, with what they hold at the end.
    pub(in crate::planner) fn buckets(&self) -> Vec<BucketRun> {
        let finished = |tracked: &Tracked| {
            let run = &tracked.run;
            BucketRun {
                refill_seconds: (run.base > 0.0).then(|| (run.full - run.end) / run.base),
                ..run.clone()
            }
        };
        self.tracked.iter().map(finished).collect()
    }

    fn note_unknown(&mut self, system: &System) {
        for (at_most, flow) in self.at_most.iter_mut().zip(&system.flows) {
            *at_most |= flow.passes_unknown(Phase::Sustained, |index| self.unknown[index]);
        }
    }

    fn levels(&mut self, stretch: &Stretch<'_>) -> Vec<LevelChange> {
        let seconds = stretch.end - stretch.start;
        let tracked = self.tracked.iter_mut().map(|tracked| {
            let from = stretch.levels[tracked.resource];
            let to = stretch.buckets[tracked.resource].level;
            let run = &mut tracked.run;
            run.end = to;
            run.lowest = run.lowest.min(from).min(to);
            if from == 0.0 && to == 0.0 {
                run.empty_seconds += seconds;
            }
            LevelChange { from, to }
        });
        tracked.collect()
    }

    /// Whether buckets are used as in the last segment. Remembers how they are now.
    fn same_use(&mut self, buckets: &[Bucket]) -> bool {
        let mut same = true;
        for tracked in &mut self.tracked {
            let used = buckets[tracked.resource].used;
            same &= alike(tracked.used, used);
            tracked.used = used;
        }
        same
    }

    /// Adds a segment, or lengthens the last one where nothing is different.
    fn keep(&mut self, segment: Segment, same_use: bool) {
        let turned = std::mem::replace(&mut self.turned, false);
        if let Some(last) = self.segments.last_mut().filter(|_| same_use && !turned) {
            let mut pairs = last.volumes.iter().zip(&segment.volumes);
            if pairs.all(|(a, b)| same_rates(a, b)) {
                last.end = segment.end;
                last.volumes = segment.volumes;
                for (bucket, later) in last.buckets.iter_mut().zip(segment.buckets) {
                    bucket.to = later.to;
                }
                return;
            }
        }
        self.segments.push(segment);
    }
}

impl Observer for Recorder {
    fn stretch(&mut self, stretch: &Stretch<'_>) -> ControlFlow<()> {
        self.note_unknown(stretch.system);
        let queues = stretch.queues.iter().enumerate();
        let volumes = queues
            .map(|(index, queue)| volume_segment(stretch, index, queue))
            .collect();
        let segment = Segment {
            start: stretch.start,
            end: stretch.end,
            volumes,
            buckets: self.levels(stretch),
        };
        for meter in &mut self.meters {
            meter.pass(segment.seconds(), stretch.buckets);
        }
        let same_use = self.same_use(stretch.buckets);
        self.keep(segment, same_use);
        ControlFlow::Continue(())
    }

    fn event(&mut self, seconds: f64, resource: usize, change: Change) {
        self.turned = true;
        if let Some(position) = self.position[resource] {
            let run = &mut self.tracked[position].run;
            match change {
                Change::Emptied => run.emptied_at.push(seconds),
                Change::Filled => run.filled_at.push(seconds),
            }
        }
    }
}

fn alike(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= SAME * a.abs().max(b.abs())
}

fn same_rates(a: &VolumeSegment, b: &VolumeSegment) -> bool {
    let same = |a: Option<Rate>, b: Option<Rate>| match (a, b) {
        (Some(a), Some(b)) => {
            alike(a.iops.get(), b.iops.get()) && alike(a.mbps.get(), b.mbps.get())
        }
        (a, b) => a == b,
    };
    let micros = |part: &VolumeSegment| part.latency_needed.map(Latency::micros);
    let same_need = match (micros(a), micros(b)) {
        (Some(a), Some(b)) => alike(a, b),
        (a, b) => a == b,
    };
    a.bottleneck == b.bottleneck
        && same_need
        && a.throttled == b.throttled
        && same(a.asked, b.asked)
        && same(a.served, b.served)
}

fn volume_segment(stretch: &Stretch<'_>, index: usize, queue: &Queue) -> VolumeSegment {
    let rate = |ios: f64, mb: f64| {
        let (iops, mbps) = (Iops::new(ios).ok()?, MBps::new(ios * mb).ok()?);
        Some(Rate { iops, mbps })
    };
    VolumeSegment {
        asked: rate(queue.demand, queue.mb()),
        served: rate(queue.rate, queue.served_mb),
        bottleneck: bottleneck(stretch, queue),
        throttled: is_throttled(stretch, queue),
        latency_needed: latency_needed(stretch, index, queue.rate),
        backlog: Amount {
            ios: queue.waiting_ios(),
            mb: queue.backlog(),
        },
    }
}

/// The latency that an I/O of the flow at `index` must not exceed for `rate`, where nobody knows it.
fn latency_needed(stretch: &Stretch<'_>, index: usize, rate: f64) -> Option<Latency> {
    let flow = stretch.system.flows.get(index)?;
    let seconds = flow.latency_needed(Phase::Sustained, rate)?;
    Latency::from_micros(seconds * 1e6).ok()
}

fn bottleneck(stretch: &Stretch<'_>, queue: &Queue) -> Bottleneck {
    match queue.stop {
        Stop::Bound if queue.wants_more() => Bottleneck::QueueDepth,
        Stop::Bound => Bottleneck::Demand,
        Stop::Resource(index) => {
            let phase = if stretch.levels[index] > 0.0 {
                Phase::Burst
            } else {
                Phase::Sustained
            };
            Bottleneck::of(&stretch.system.resources[index], phase)
        }
        Stop::Nothing => Bottleneck::Unknown,
    }
}

/// Whether a disk or the VM holds the flow back: with a stated demand, while it wants more than it gets; without, while
/// the limit that stops it is out of credit.
pub(super) fn is_throttled(stretch: &Stretch<'_>, queue: &Queue) -> bool {
    let Stop::Resource(index) = queue.stop else {
        return false;
    };
    if queue.demand.is_finite() {
        return queue.wants_more();
    }
    stretch.buckets[index].full > 0.0 && stretch.levels[index] == 0.0
}

/// The buckets to follow: one for each resource that has one, and one for all equal members of a volume.
fn track(deployment: &Deployment, system: &System, credit: f64) -> Vec<Tracked> {
    let mut tracked: Vec<Tracked> = Vec::new();
    for (index, resource) in system.resources.iter().enumerate() {
        let Some(run) = bucket_run(deployment, resource, credit) else {
            continue;
        };
        let twin = tracked.iter_mut().rev().find(|known| {
            let other = &system.resources[known.resource];
            other.axis == resource.axis && are_twins(deployment, other.place, resource.place)
        });
        match twin.map(|known| &mut known.run.place) {
            Some(BucketPlace::Disk { disks, .. }) => *disks += 1,
            _ => tracked.push(Tracked {
                resource: index,
                run,
                used: 0.0,
            }),
        }
    }
    tracked
}

/// Whether two places are equal members of one volume, which carry the same load at all times.
pub(super) fn are_twins(deployment: &Deployment, a: Place, b: Place) -> bool {
    let disk = |place: Place| match place {
        Place::Disk { volume, member } => {
            Some((volume, &deployment.volumes[volume].members[member]))
        }
        _ => None,
    };
    let alike = |a: &Disk, b: &Disk| a.model == b.model && a.caching == b.caching;
    match (disk(a), disk(b)) {
        (Some((volume, a)), Some((other, b))) => volume == other && alike(a, b),
        _ => false,
    }
}

fn bucket_run(deployment: &Deployment, resource: &Resource, credit: f64) -> Option<BucketRun> {
    let full = resource.bucket()?;
    let vm = |ceiling| BucketPlace::Vm { ceiling };
    let place = match resource.place {
        Place::Disk { volume, .. } => BucketPlace::Disk {
            volume: deployment.volumes[volume].name.clone(),
            disks: 1,
        },
        Place::Uncached => vm(CeilingName::Uncached),
        Place::Remote => vm(CeilingName::Remote),
        Place::Cached => vm(CeilingName::Cached),
    };
    let start = full * credit;
    Some(BucketRun {
        place,
        axis: resource.axis,
        base: resource.base?,
        burst: resource.burst?,
        full,
        start,
        end: start,
        lowest: start,
        emptied_at: Vec::new(),
        filled_at: Vec::new(),
        empty_seconds: 0.0,
        refill_seconds: None,
    })
}
