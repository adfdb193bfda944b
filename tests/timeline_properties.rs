//! What must hold of every workload over time, whatever the disks and the steps.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod common;

use std::collections::VecDeque;

use common::{check_disks_of_fixes, request};
use diskcap::catalog::Catalog;
use diskcap::deployment::{Deployment, HostCaching};
use diskcap::planner::timeline::model::{BucketPlace, Segment, VolumeSegment};
use diskcap::planner::{Phase, Simulation, System, simulate};
use diskcap::units::{BlockSize, Iops, MBps, QueueDepth, Seconds, Share};
use diskcap::workload::{Demand, Io, Schedule, Step};
use proptest::prelude::*;

const SIZES: [&str; 6] = [
    "",
    "Standard_D2s_v3",
    "Standard_L8s_v2",
    "Standard_D8s_v5",
    "Standard_E8bds_v5",
    "Standard_B2ms",
];

const DISKS: [&str; 8] = [
    "P4",
    "P10",
    "P20",
    "2xP15",
    "E20",
    "P30:burst=on",
    "v2:size=64",
    "S30",
];

/// Rates and levels are compared to this part of what they are out of.
const CLOSE: f64 = 1e-6;
/// What long sums lose, as a part of them.
const EXACT: f64 = 1e-10;
/// Events that are this close may be taken together, seconds.
const TOGETHER: f64 = 1e-5;

fn io() -> impl Strategy<Value = Io> {
    let block = prop_oneof![Just(4096_u64), Just(65_536), Just(262_145), Just(1 << 20)];
    let depth = prop_oneof![3 => Just(None), 1 => (1_u32..64).prop_map(Some)];
    let demand = prop_oneof![
        1 => Just(Demand::Max),
        4 => (0_u32..6000).prop_map(|n| Demand::Iops(Iops::whole(n))),
        2 => (0_u32..300).prop_map(|n| Demand::Mbps(MBps::whole(n))),
    ];
    (block, 0_u8..=100, 0_u8..=100, depth, demand).prop_map(|(block, read, hit, depth, demand)| {
        Io {
            block_size: BlockSize::from_bytes(block).unwrap(),
            read_share: Share::percent(read),
            hit_share: Share::percent(hit),
            queue_depth: depth.and_then(QueueDepth::new),
            demand,
            ..Io::RANDOM_4K
        }
    })
}

fn caching() -> impl Strategy<Value = HostCaching> {
    prop_oneof![
        3 => Just(HostCaching::None),
        1 => Just(HostCaching::ReadOnly),
        1 => Just(HostCaching::ReadWrite)
    ]
}

/// A deployment, its steps, and how full its buckets are.
#[derive(Debug, Clone)]
struct Case {
    vm: usize,
    disks: Vec<(usize, HostCaching)>,
    steps: Vec<(u32, Vec<Io>)>,
    credit: u8,
}

fn case() -> impl Strategy<Value = Case> {
    (1_usize..5).prop_flat_map(|volumes| {
        let disks = prop::collection::vec((0..DISKS.len(), caching()), volumes);
        let step = (1_u32..5000, prop::collection::vec(io(), volumes));
        let steps = prop::collection::vec(step, 1..6);
        (0..SIZES.len(), disks, steps, 0_u8..=100).prop_map(|(vm, disks, steps, credit)| Case {
            vm,
            disks,
            steps,
            credit,
        })
    })
}

impl Case {
    fn deployment(&self) -> Deployment {
        let name = |(index, (disk, caching)): (usize, &(usize, HostCaching))| {
            let separator = if DISKS[*disk].contains(':') { ',' } else { ':' };
            format!(
                "d{index}={}{separator}cache={}",
                DISKS[*disk],
                caching.name()
            )
        };
        let specs: Vec<String> = self.disks.iter().enumerate().map(name).collect();
        let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
        request(SIZES[self.vm], &specs)
            .build(Catalog::embedded())
            .unwrap()
            .deployment
    }

    fn schedule(&self) -> Schedule {
        let step = |(lasts, loads): &(u32, Vec<Io>)| Step {
            lasts: Seconds::whole(*lasts),
            loads: loads.clone(),
        };
        let steps = self.steps.iter().map(step).collect();
        let schedule = Schedule::new(steps, 1.try_into().unwrap()).unwrap();
        schedule.from_credit(Share::percent(self.credit))
    }

    fn run(&self) -> Simulation {
        simulate(Catalog::embedded(), &self.deployment(), &self.schedule())
    }

    /// The step that holds at the start of `segment`.
    fn loads_at(&self, segment: &Segment) -> &[Io] {
        let mut end = 0.0;
        let at = |(lasts, _): &&(u32, Vec<Io>)| {
            end += f64::from(*lasts);
            segment.start < end
        };
        &self.steps.iter().find(at).unwrap().1
    }
}

/// What each volume serves in each segment: the first that was asked and is not yet served.
fn serving(case: &Case, simulation: &Simulation) -> Vec<Vec<Io>> {
    let mut waiting = vec![(VecDeque::<(Io, f64)>::new(), 0.0_f64); case.disks.len()];
    let segments = simulation.segments.iter().map(|segment| {
        let loads = case.loads_at(segment).iter();
        let volumes = waiting.iter_mut().zip(loads).zip(&segment.volumes);
        let served = volumes.map(|(((waiting, most), io), part)| {
            let asked = part.asked.map_or(0.0, |rate| rate.mbps.get()) * segment.seconds();
            // Without what rounding leaves: sums of long times, and events that are taken together.
            let total: f64 = waiting.iter().map(|(_, mb)| mb).sum();
            *most = total.max(*most);
            let rounding = EXACT * most.max(1.0) + TOGETHER * part.served.unwrap().mbps.get();
            while waiting.front().is_some_and(|(_, mb)| *mb <= rounding) {
                waiting.pop_front();
            }
            let first = waiting.front().map_or(*io, |(first, _)| *first);
            waiting.push_back((*io, asked));
            let mut served = served_mb(part, segment);
            for (_, mb) in waiting.iter_mut() {
                let now = served.min(*mb);
                *mb -= now;
                served -= now;
            }
            first
        });
        served.collect()
    });
    segments.collect()
}

fn served_mb(part: &VolumeSegment, segment: &Segment) -> f64 {
    part.served.unwrap().mbps.get() * segment.seconds()
}

/// MB served of each volume up to `seconds`.
fn served_until(simulation: &Simulation, seconds: f64) -> Vec<f64> {
    let mut sums = vec![0.0; simulation.volumes.len()];
    for segment in &simulation.segments {
        let part = (seconds.min(segment.end) - segment.start).max(0.0);
        for (sum, volume) in sums.iter_mut().zip(&segment.volumes) {
            *sum += volume.served.unwrap().mbps.get() * part;
        }
    }
    sums
}

fn near(a: f64, b: f64, scale: f64) -> bool {
    (a - b).abs() <= CLOSE * scale.abs().max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn segments_cover_the_time_without_gap(case in case()) {
        let s = case.run();
        prop_assert_eq!(s.segments[0].start, 0.0);
        for pair in s.segments.windows(2) {
            prop_assert!(pair[0].end == pair[1].start && pair[0].start < pair[0].end);
        }
        prop_assert!(near(s.segments.last().unwrap().end, s.seconds, s.seconds));
    }

    #[test]
    fn what_is_served_was_asked_and_what_is_not_waits(case in case()) {
        let s = case.run();
        let mut backlog = vec![0.0; s.volumes.len()];
        for segment in &s.segments {
            for (before, part) in backlog.iter_mut().zip(&segment.volumes) {
                let Some(asked) = part.asked else {
                    // Who takes as much as it gets takes what waits first.
                    prop_assert!(part.backlog.mb <= *before);
                    *before = part.backlog.mb;
                    continue;
                };
                let asked = asked.mbps.get() * segment.seconds();
                let scale = asked + *before;
                let served = served_mb(part, segment);
                prop_assert!(served <= scale + CLOSE * scale.max(1.0), "{served} of {scale}");
                prop_assert!(near(*before + asked - served, part.backlog.mb, scale));
                *before = part.backlog.mb;
            }
        }
    }

    #[test]
    fn credit_stays_in_its_bucket_and_adds_up(case in case()) {
        let s = case.run();
        let deployment = case.deployment();
        for (segment, loads) in s.segments.iter().zip(serving(&case, &s)) {
            let system = System::new(&deployment, &loads);
            for (bucket, change) in s.buckets.iter().zip(&segment.buckets) {
                prop_assert!(change.from >= 0.0 && change.from <= bucket.full);
                prop_assert!(change.to >= 0.0 && change.to <= bucket.full);
                let used = used_of(&s, &system, bucket.place.clone(), bucket.axis, segment);
                let kept = change.from - (used - bucket.base) * segment.seconds();
                prop_assert!(
                    near(kept.clamp(0.0, bucket.full), change.to, bucket.full),
                    "{bucket:?}: {} to {}, {used} used for {} s", change.from, change.to, segment.seconds()
                );
            }
        }
        for pair in s.segments.windows(2) {
            for (before, after) in pair[0].buckets.iter().zip(&pair[1].buckets) {
                prop_assert!(near(before.to, after.from, before.to.max(1e3)));
            }
        }
    }

    #[test]
    fn no_limit_is_exceeded_and_no_burst_goes_unpaid(case in case()) {
        let s = case.run();
        let deployment = case.deployment();
        for (segment, loads) in s.segments.iter().zip(serving(&case, &s)) {
            let system = System::new(&deployment, &loads);
            for (index, resource) in system.resources.iter().enumerate() {
                let used = use_of(&system, index, segment);
                let Some(most) = resource.burst else { continue };
                prop_assert!(used <= most * (1.0 + CLOSE), "{resource:?} carries {used}");
            }
            for (bucket, change) in s.buckets.iter().zip(&segment.buckets) {
                if change.from == 0.0 {
                    let used = used_of(&s, &system, bucket.place.clone(), bucket.axis, segment);
                    prop_assert!(used <= bucket.base * (1.0 + CLOSE));
                }
            }
        }
    }

    #[test]
    fn splitting_a_step_changes_nothing(case in case(), which in 0_usize..6, at in 0.01..0.99_f64) {
        let whole = case.run();
        let schedule = case.schedule();
        let mut steps = schedule.steps().to_vec();
        let which = which % steps.len();
        let (mut first, mut second) = (steps[which].clone(), steps[which].clone());
        let lasts = first.lasts.get();
        first.lasts = Seconds::new(lasts * at).unwrap();
        second.lasts = Seconds::new(lasts * (1.0 - at)).unwrap();
        steps.splice(which..=which, [first, second]);
        let split = Schedule::new(steps, 1.try_into().unwrap()).unwrap().from_credit(schedule.credit);
        let split = simulate(Catalog::embedded(), &case.deployment(), &split);
        for part in 1..=20 {
            let seconds = whole.seconds * f64::from(part) / 20.0;
            let (a, b) = (served_until(&whole, seconds), served_until(&split, seconds));
            for (a, b) in a.iter().zip(&b) {
                prop_assert!(near(*a, *b, *a), "after {seconds} s: {a} and {b} MB");
            }
        }
        for (a, b) in whole.buckets.iter().zip(&split.buckets) {
            prop_assert!(near(a.end, b.end, a.full));
            prop_assert_eq!(a.emptied_at.len(), b.emptied_at.len());
        }
        for (a, b) in whole.volumes.iter().zip(&split.volumes) {
            prop_assert!(near(a.throttled_seconds, b.throttled_seconds, whole.seconds));
            prop_assert!(near(a.backlog.peak.mb, b.backlog.peak.mb, a.backlog.peak.mb));
        }
        prop_assert_eq!(whole.sizing, split.sizing);
    }

    #[test]
    fn the_order_of_the_volumes_does_not_matter(case in case(), by in 0_usize..4) {
        let straight = case.run();
        let by = by % case.disks.len();
        let mut turned = case.clone();
        turned.disks.rotate_left(by);
        for (_, loads) in &mut turned.steps {
            loads.rotate_left(by);
        }
        let mut turned = turned.run();
        turned.volumes.rotate_right(by);
        for (a, b) in straight.volumes.iter().zip(&turned.volumes) {
            let (a_mb, b_mb) = (a.served.unwrap().mb, b.served.unwrap().mb);
            prop_assert!(near(a_mb, b_mb, a_mb), "{a_mb} and {b_mb} MB");
            prop_assert!(near(a.throttled_seconds, b.throttled_seconds, straight.seconds));
            prop_assert!(near(a.backlog.left.mb, b.backlog.left.mb, a.backlog.left.mb));
        }
    }

    /// Where sizing says that the present VM and disks are enough, nothing is throttled, and the other way round, but for
    /// what waits because of its queue depth. What lasts is not throttled when the same comes again and again.
    #[test]
    fn sizing_agrees_with_what_happens(case in case()) {
        let s = case.run();
        prop_assume!(s.sizing.unbounded.is_empty());
        let enough = s.sizing.disks.iter().all(|d| d.present_is_enough)
            && s.sizing.vm.as_ref().is_none_or(|vm| vm.present_is_enough);
        let throttled = s.volumes.iter().any(|v| v.throttled_seconds > 0.0);
        let waits = s.volumes.iter().any(|v| v.backlog.left.mb > 0.0);
        check_disks_of_fixes(&s.findings);
        prop_assert!(!enough || !throttled);
        prop_assert!(enough || throttled || waits);
        let lasts = s.sizing.disks.iter().all(|d| d.present_lasts)
            && s.sizing.vm.as_ref().is_none_or(|vm| vm.present_lasts);
        if lasts {
            let schedule = case.schedule();
            let again = Schedule::new(schedule.steps().to_vec(), 20.try_into().unwrap()).unwrap();
            let again = simulate(Catalog::embedded(), &case.deployment(), &again.from_credit(schedule.credit));
            prop_assert!(again.volumes.iter().all(|v| v.throttled_seconds == 0.0));
        }
    }
}

/// What the flows put on the resource at `index`.
fn use_of(system: &System, index: usize, segment: &Segment) -> f64 {
    let flows = system.flows.iter().zip(&segment.volumes);
    let parts = flows.flat_map(|(flow, part)| {
        let uses = flow
            .uses(Phase::Sustained)
            .iter()
            .filter(|used| used.resource == index);
        uses.map(|used| used.per_io * part.served.unwrap().iops.get())
    });
    parts.sum()
}

/// What the flows put on the resource of a bucket.
fn used_of(
    simulation: &Simulation,
    system: &System,
    place: BucketPlace,
    axis: diskcap::catalog::Axis,
    segment: &Segment,
) -> f64 {
    use diskcap::planner::Place;
    let is_it = |candidate: Place| match (candidate, &place) {
        (Place::Disk { volume, .. }, BucketPlace::Disk { volume: name, .. }) => {
            simulation.volumes[volume].name == *name
        }
        (Place::Uncached, BucketPlace::Vm { ceiling }) => ceiling.name() == "uncached",
        (Place::Remote, BucketPlace::Vm { ceiling }) => ceiling.name() == "v2/Ultra",
        (Place::Cached, BucketPlace::Vm { ceiling }) => ceiling.name() == "cached",
        _ => false,
    };
    let index = system
        .resources
        .iter()
        .position(|r| r.axis == axis && is_it(r.place));
    use_of(system, index.unwrap(), segment)
}
