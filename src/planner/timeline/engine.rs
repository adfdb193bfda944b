//! The simulation itself: what every flow gets, from event to event.
//!
//! Between two events every rate is constant, so every bucket and every backlog changes in a straight line and the next
//! event can be computed: a bucket is empty or full, a backlog is worked off, the step ends.
//!
//! What waits is served first in, first out, and as it was asked: with the block size, the reads, the hits and the
//! pattern of its own step. While I/O of an earlier step waits, that of the step that runs waits behind it. (How many
//! are outstanding is the step's that runs.)
//!
//! # Why it ends
//! Within a step no event comes sooner than `shortest` after the one before: what would happen sooner is taken to
//! happen at once ([`Engine::settle`]), and every round of that empties a bucket or a backlog for good, since no time
//! passes in which one could grow, and a step adds at most one backlog to each flow. So a step has at most
//! `lasts / shortest` events. That bound alone would be large; `shortest` therefore doubles whenever a step has had
//! [`PATIENCE`] events for each bucket and flow, which no deployment of disks behind a VM is known to reach: a step of
//! n buckets and flows has at most `PATIENCE x n x log2(lasts / shortest)` events, whatever the system does.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::deployment::Deployment;
use crate::planner::allocate::{Contender, Stop, allocate};
use crate::planner::system::{Flow, Phase, Resource, System};
use crate::units::MB;
use crate::workload::{Io, Schedule, Step};

/// Events that are this close are one, seconds: no I/O takes less, so rates have no meaning within it.
const SHORTEST: f64 = 1e-6;
/// The same for long steps, as a part of the step: beyond the precision of the clock.
const SHORTEST_PART: f64 = 1e-12;
/// Events for each bucket and flow after which events have to lie further apart.
const PATIENCE: usize = 8;
/// What differs by less than this part of it does so by rounding: it neither spends nor earns credit, and is no burst.
pub(super) const SAME: f64 = 1e-9;

/// What became of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Emptied,
    Filled,
}

/// A resource over time: its two capacities, and its credit where it has a bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bucket {
    base: f64,
    burst: f64,
    /// Credits of a full bucket; 0 where there is none.
    pub(super) full: f64,
    /// Credits left.
    pub(super) level: f64,
    /// Use of the resource, per second.
    pub(super) used: f64,
    /// What the level loses per second; negative where it gains.
    drain: f64,
}

impl Bucket {
    /// `None` stands for a resource that is not to be looked at.
    fn new(resource: Option<&Resource>, credit: f64) -> Self {
        let base = resource.and_then(|r| r.base).unwrap_or(f64::INFINITY);
        let full = resource.and_then(Resource::bucket).unwrap_or(0.0);
        Self {
            base,
            burst: resource.and_then(|r| r.burst).unwrap_or(base),
            full,
            level: full * credit,
            used: 0.0,
            drain: 0.0,
        }
    }

    /// While credit is left, the burst; then the base. (A bucket that is empty and fills again has a little credit at
    /// once and so the burst capacity. That changes nothing before somebody wants more than the base: a resource that
    /// is not full does not decide what anybody gets, however large it is.)
    const fn capacity(&self) -> f64 {
        if self.level > 0.0 {
            self.burst
        } else {
            self.base
        }
    }

    fn set_used(&mut self, used: f64) {
        let drain = used - self.base;
        self.used = used;
        self.drain = if self.full > 0.0 && drain.abs() > SAME * self.base {
            drain
        } else {
            0.0
        };
    }

    /// Seconds to the next event; infinite where none comes.
    fn until(&self) -> f64 {
        if self.drain > 0.0 && self.level > 0.0 {
            self.level / self.drain
        } else if self.drain < 0.0 && self.level < self.full {
            (self.full - self.level) / -self.drain
        } else {
            f64::INFINITY
        }
    }

    /// Lets `seconds` pass; an event within `shortest` after them happens with them.
    fn pass(&mut self, seconds: f64, shortest: f64) -> Option<Change> {
        let rising = self.drain < 0.0;
        let (goal, change) = if rising {
            (self.full, Change::Filled)
        } else {
            (0.0, Change::Emptied)
        };
        if self.drain == 0.0 || self.level == goal {
            return None;
        }
        let left = (self.level - goal) / self.drain;
        let arrived = left <= seconds + shortest;
        self.level = if arrived {
            goal
        } else {
            self.level - self.drain * seconds
        };
        arrived.then_some(change)
    }
}

const fn mb_of(io: &Io) -> f64 {
    io.block_size.bytes_f64() / MB
}

/// I/O of an earlier step that still waits. It is served as it was asked.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Waiting {
    io: Io,
    /// How much of it, MB.
    mb: f64,
    /// At which rate it was asked last, I/Os per second.
    demand: f64,
}

/// A flow over time: what it wants, what it gets, and what waits: first in, first out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Queue {
    /// What is asked, I/Os per second; infinite for as much as it gets.
    pub(super) demand: f64,
    /// The I/O that is asked.
    io: Io,
    /// I/O of another kind that was asked before and goes first.
    earlier: VecDeque<Waiting>,
    /// MB that were asked as `io` and not yet served.
    recent: f64,
    /// What it gets, I/Os per second; infinite where nothing limits it.
    pub(super) rate: f64,
    /// MB of one I/O of those that are served.
    pub(super) served_mb: f64,
    /// What stops it.
    pub(super) stop: Stop,
    /// Whether something waited when the rate was set.
    waited: bool,
    /// The last demand that was not 0.
    last_demand: f64,
    /// Whether I/O of another kind is served from now on.
    turned: bool,
}

impl Queue {
    const IDLE: Self = Self {
        demand: 0.0,
        io: Io::RANDOM_4K,
        earlier: VecDeque::new(),
        recent: 0.0,
        rate: 0.0,
        served_mb: 0.0,
        stop: Stop::Bound,
        waited: false,
        last_demand: 0.0,
        turned: true,
    };

    /// Asks for `demand` I/Os a second like `io` from now on.
    fn ask(&mut self, io: &Io, demand: f64) {
        self.demand = demand;
        self.turned = true;
        if demand > 0.0 || self.recent == 0.0 {
            // Who takes as much as it gets takes what waits first.
            if self.recent > 0.0 && (demand.is_infinite() || !self.io.is_alike(io)) {
                self.earlier.push_back(Waiting {
                    io: self.io,
                    mb: std::mem::take(&mut self.recent),
                    demand: self.last_demand,
                });
            }
            self.io = *io;
        }
        if demand > 0.0 && demand.is_finite() {
            self.last_demand = demand;
        }
    }

    /// The I/O that is served now.
    fn serving(&self) -> &Io {
        self.earlier.front().map_or(&self.io, |first| &first.io)
    }

    /// The demand behind what is served now: what waits keeps the weight it had.
    fn weight(&self) -> f64 {
        self.earlier
            .front()
            .map_or(self.last_demand, |first| first.demand)
    }

    /// MB of one I/O of those that are asked.
    pub(super) const fn mb(&self) -> f64 {
        mb_of(&self.io)
    }

    /// What waits, MB.
    pub(super) fn backlog(&self) -> f64 {
        self.recent + self.earlier.iter().map(|part| part.mb).sum::<f64>()
    }

    /// What waits, I/Os as they were asked.
    pub(super) fn waiting_ios(&self) -> f64 {
        let earlier = self.earlier.iter().map(|part| part.mb / mb_of(&part.io));
        self.recent / self.mb() + earlier.sum::<f64>()
    }

    fn waits(&self) -> bool {
        self.recent > 0.0 || !self.earlier.is_empty()
    }

    /// Whether it wants more than it gets.
    pub(super) fn wants_more(&self) -> bool {
        self.waited || self.rate < self.demand * (1.0 - SAME)
    }

    /// What waits of the I/O that is asked now gains, MB per second; negative where it is worked off.
    fn gain(&self) -> f64 {
        if self.demand.is_infinite() {
            return 0.0;
        }
        if !self.earlier.is_empty() {
            return self.demand * self.mb();
        }
        let gain = self.demand - self.rate;
        if gain.abs() <= SAME * self.demand {
            0.0
        } else {
            gain * self.mb()
        }
    }

    /// Seconds until what is served first is worked off; infinite where it is not.
    fn until(&self) -> f64 {
        let (waiting, loss) = match self.earlier.front() {
            Some(first) => (first.mb, self.rate * self.served_mb),
            None => (self.recent, -self.gain()),
        };
        if waiting > 0.0 && loss > 0.0 {
            waiting / loss
        } else {
            f64::INFINITY
        }
    }

    /// Lets `seconds` pass; says whether what is served first is worked off, or would be within `shortest` after them.
    fn pass(&mut self, seconds: f64, shortest: f64) -> bool {
        let done = self.until() <= seconds + shortest;
        let recent = (self.recent + self.gain() * seconds).max(0.0);
        match self.earlier.front_mut() {
            None => self.recent = if done { 0.0 } else { recent },
            Some(first) => {
                self.recent = recent;
                first.mb = (first.mb - self.rate * self.served_mb * seconds).max(0.0);
                if done {
                    self.earlier.pop_front();
                    self.turned = true;
                }
            }
        }
        done
    }

    /// The rate that it does not exceed: what is asked, or as much as it gets while something waits.
    fn bound(&self, flow: &Flow) -> f64 {
        let latency_bound = flow.latency_bound(Phase::Sustained);
        if self.waits() {
            latency_bound
        } else {
            self.demand.min(latency_bound)
        }
    }
}

/// A stretch of time in which nothing changes.
pub(super) struct Stretch<'a> {
    /// Seconds since the start.
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) system: &'a System,
    /// One for each resource: the levels at the start.
    pub(super) levels: &'a [f64],
    /// One for each resource, at the end.
    pub(super) buckets: &'a [Bucket],
    /// One for each flow, at the end.
    pub(super) queues: &'a [Queue],
}

/// Who looks on.
pub(super) trait Observer {
    /// A stretch has passed; `Break` ends the simulation.
    fn stretch(&mut self, stretch: &Stretch<'_>) -> ControlFlow<()>;

    /// At `seconds`, something became of the bucket of the resource at this index.
    fn event(&mut self, _seconds: f64, _resource: usize, _change: Change) {}
}

/// A deployment over time.
pub(super) struct Engine<'a> {
    deployment: &'a Deployment,
    system: System,
    buckets: Vec<Bucket>,
    queues: Vec<Queue>,
    capacities: Vec<f64>,
    used: Vec<f64>,
    levels: Vec<f64>,
    events: Vec<(usize, Change)>,
    /// Whether somebody may get something else than before. (A bucket that is full again changes nothing: its capacity
    /// was the burst already.)
    stale: bool,
}

impl<'a> Engine<'a> {
    /// `system` as it is before the first step of `schedule`; resources for which `counts` does not hold limit nothing.
    pub(super) fn new(
        deployment: &'a Deployment,
        system: System,
        schedule: &Schedule,
        counts: impl Fn(&Resource) -> bool,
    ) -> Self {
        let credit = schedule.credit.get();
        let bucket = |r: &Resource| Bucket::new(counts(r).then_some(r), credit);
        let buckets: Vec<Bucket> = system.resources.iter().map(bucket).collect();
        Self {
            deployment,
            queues: vec![Queue::IDLE; system.flows.len()],
            capacities: vec![0.0; buckets.len()],
            used: vec![0.0; buckets.len()],
            levels: vec![0.0; buckets.len()],
            events: Vec::new(),
            stale: true,
            buckets,
            system,
        }
    }

    /// The resources and flows.
    pub(super) const fn system(&self) -> &System {
        &self.system
    }

    /// The credit that each bucket has left.
    pub(super) fn credit_left(&self) -> Vec<f64> {
        self.buckets.iter().map(|bucket| bucket.level).collect()
    }

    /// What waits in each flow, MB.
    pub(super) fn backlogs(&self) -> Vec<f64> {
        self.queues.iter().map(Queue::backlog).collect()
    }

    /// Runs the whole schedule, or up to where `observer` breaks off.
    pub(super) fn run(
        &mut self,
        schedule: &Schedule,
        observer: &mut impl Observer,
    ) -> ControlFlow<()> {
        self.run_steps(schedule.over_time(), observer)
    }

    /// Goes on with `steps`, or up to where `observer` breaks off; to that time starts with them.
    pub(super) fn run_steps<'s>(
        &mut self,
        steps: impl Iterator<Item = &'s Step>,
        observer: &mut impl Observer,
    ) -> ControlFlow<()> {
        let mut start = 0.0;
        for step in steps {
            self.load(&step.loads);
            self.step(start, step, observer)?;
            start += step.lasts.get();
        }
        ControlFlow::Continue(())
    }

    fn load(&mut self, loads: &[Io]) {
        self.stale = true;
        self.system.reload(loads);
        for (queue, flow) in self.queues.iter_mut().zip(&self.system.flows) {
            queue.ask(&flow.io, flow.demand());
        }
    }

    /// Leads the flows by what they serve now.
    fn turn(&mut self) {
        let by_demand = self.system.is_weighed_by_demand();
        for (index, queue) in self.queues.iter_mut().enumerate() {
            if !std::mem::replace(&mut queue.turned, false) {
                continue;
            }
            self.system.lead(self.deployment, index, queue.serving());
            let weight = queue.weight();
            if by_demand && weight > 0.0 {
                self.system.flows[index].weight = weight;
            }
        }
    }

    fn step(&mut self, start: f64, step: &Step, observer: &mut impl Observer) -> ControlFlow<()> {
        let lasts = step.lasts.get();
        let patience = PATIENCE * (self.buckets.len() + self.queues.len()).max(1);
        let mut shortest = SHORTEST.max(lasts * SHORTEST_PART);
        let (mut elapsed, mut count) = (0.0, 0);
        while elapsed < lasts {
            let until = self.settle(start + elapsed, shortest, observer);
            let left = lasts - elapsed;
            let is_last = until + shortest >= left;
            let seconds = if is_last { left } else { until };
            self.levels.clear();
            self.levels
                .extend(self.buckets.iter().map(|bucket| bucket.level));
            self.stale |= self.pass(seconds, shortest);
            let from = start + elapsed;
            elapsed = if is_last { lasts } else { elapsed + seconds };
            self.report(from, start + elapsed, observer)?;
            count += 1;
            if count % patience == 0 {
                shortest *= 2.0;
            }
        }
        ControlFlow::Continue(())
    }

    /// Allocates where it is time to, and takes at once what would happen within `shortest`. Answers how long it is to
    /// the next event.
    fn settle(&mut self, now: f64, shortest: f64, observer: &mut impl Observer) -> f64 {
        if self.stale {
            self.allocate();
        }
        let mut until = self.next_event();
        while until <= shortest {
            if self.pass(0.0, shortest) {
                self.allocate();
            }
            until = self.next_event();
        }
        self.tell(now, observer);
        until
    }

    fn allocate(&mut self) {
        self.stale = false;
        self.turn();
        for (capacity, bucket) in self.capacities.iter_mut().zip(&self.buckets) {
            *capacity = bucket.capacity();
        }
        let flows = self.system.flows.iter().zip(&self.queues);
        let contenders: Vec<Contender<'_>> = flows
            .map(|(flow, queue)| Contender {
                uses: flow.uses(Phase::Sustained),
                weight: flow.weight,
                bound: queue.bound(flow),
            })
            .collect();
        let grants = allocate(&contenders, &self.capacities);
        self.used.fill(0.0);
        for ((flow, queue), grant) in self.system.flows.iter().zip(&mut self.queues).zip(grants) {
            queue.rate = grant.rate;
            queue.stop = grant.stop;
            queue.served_mb = mb_of(queue.serving());
            queue.waited = queue.waits();
            for part in flow.uses(Phase::Sustained) {
                self.used[part.resource] += grant.rate * part.per_io;
            }
        }
        for (bucket, used) in self.buckets.iter_mut().zip(&self.used) {
            bucket.set_used(*used);
        }
    }

    /// Seconds to the next event; infinite where none comes.
    fn next_event(&self) -> f64 {
        let buckets = self.buckets.iter().map(Bucket::until);
        buckets
            .chain(self.queues.iter().map(Queue::until))
            .fold(f64::INFINITY, f64::min)
    }

    /// Lets `seconds` pass. Says whether something was used up, so that others may get something else.
    fn pass(&mut self, seconds: f64, shortest: f64) -> bool {
        let mut used_up = false;
        for (index, bucket) in self.buckets.iter_mut().enumerate() {
            if let Some(change) = bucket.pass(seconds, shortest) {
                self.events.push((index, change));
                used_up |= change == Change::Emptied;
            }
        }
        for queue in &mut self.queues {
            used_up |= queue.pass(seconds, shortest);
        }
        used_up
    }

    fn report(&mut self, start: f64, end: f64, observer: &mut impl Observer) -> ControlFlow<()> {
        let flow = observer.stretch(&Stretch {
            start,
            end,
            system: &self.system,
            levels: &self.levels,
            buckets: &self.buckets,
            queues: &self.queues,
        });
        self.tell(end, observer);
        flow
    }

    fn tell(&mut self, now: f64, observer: &mut impl Observer) {
        for (resource, change) in self.events.drain(..) {
            observer.event(now, resource, change);
        }
    }
}
