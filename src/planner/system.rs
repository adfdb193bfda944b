//! A deployment under a workload, as resources and flows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::allocate::Use;
use super::latency;
use super::paths::{Shares, shares};
use crate::catalog::{Axis, BurstKind, Ceiling, DiskModel, Lane, Limits, VmSize};
use crate::deployment::{Deployment, Disk, HostCaching, Volume};
use crate::units::MB;
use crate::workload::{Demand, Io};

/// Whether credit buckets are full or empty.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Every credit bucket is full, a ReadWrite cache still absorbs writes.
    Burst,
    /// Every credit bucket is empty, destaging keeps pace with writes.
    Sustained,
}

impl Phase {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Burst, Self::Sustained];
}

/// Where a resource is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A member of a volume.
    Disk {
        /// Index of the volume in the deployment.
        volume: usize,
        /// Index of the member in the volume.
        member: usize,
    },
    /// The VM's ceiling of uncached traffic to remote disks.
    Uncached,
    /// The VM's higher ceiling of all remote traffic, on sizes that have one; where it is no higher, that of the families
    /// that have it alone.
    Remote,
    /// The VM's ceiling of host cache and temp disk.
    Cached,
}

/// One limit that flows share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resource {
    /// Where it is.
    pub place: Place,
    /// What it limits.
    pub axis: Axis,
    /// What holds without end, IOPS or MB/s; `None` when unknown.
    pub base: Option<f64>,
    /// What holds while credit lasts; the base where there is no burst.
    pub burst: Option<f64>,
    /// How long a full credit bucket lasts at full burst, seconds; `None` where there is no bucket.
    pub bucket_seconds: Option<f64>,
}

impl Resource {
    /// The capacity in `phase`; `None` when unknown.
    #[must_use]
    pub const fn capacity(&self, phase: Phase) -> Option<f64> {
        match phase {
            Phase::Burst => self.burst,
            Phase::Sustained => self.base,
        }
    }

    /// Whether it is one of the VM's ceilings.
    #[must_use]
    pub const fn is_vm(&self) -> bool {
        !matches!(self.place, Place::Disk { .. })
    }

    /// The credits of a full bucket, I/Os or MB: (burst - base) x its seconds. `None` where there is no bucket.
    #[must_use]
    pub fn bucket(&self) -> Option<f64> {
        let above = self.burst? - self.base?;
        (above > 0.0).then_some(above * self.bucket_seconds?)
    }
}

/// One volume's I/O.
#[derive(Debug, Clone, PartialEq)]
pub struct Flow {
    /// Index of the volume in the deployment.
    pub volume: usize,
    /// What is asked.
    pub io: Io,
    /// How fast it rises against the others.
    pub weight: f64,
    /// The I/O that its ways are those of: `io`, or in a simulation what was asked before and goes first.
    led: Io,
    sustained: Way,
    /// In the burst phase, where that differs.
    burst: Option<Way>,
}

/// The way of one I/O through the system.
#[derive(Debug, Clone, PartialEq, Default)]
struct Way {
    /// What it uses of each resource, the disks' first.
    uses: Vec<Use>,
    /// How long it takes by itself, seconds; `None` where unknown.
    latency: Option<f64>,
    /// The most that it takes, seconds, as far as that is promised; `None` where nothing is, and where `latency` is known.
    latency_bound: Option<f64>,
    /// Whether it writes to a disk of which only the limits of reads are known: writes are slower.
    writes_unknown: bool,
}

/// Where the ways of a flow lead: its volume, the first resource of the volume's disks, the VM's ceilings.
#[derive(Debug, Clone, Copy)]
struct Route<'a> {
    deployment: &'a Deployment,
    volume: &'a Volume,
    start: usize,
    ceilings: Option<&'a VmCeilings>,
}

impl Way {
    /// Sets it to that of an I/O like `io`.
    fn lead(&mut self, route: Route<'_>, io: &Io, phase: Phase) {
        self.uses.clear();
        path(
            route.volume,
            io,
            phase,
            route.start,
            route.ceilings,
            &mut self.uses,
        );
        let cache = route.deployment.cache_latency;
        self.latency = latency::of_one_io(route.volume, cache, io, phase);
        self.latency_bound = match self.latency {
            Some(_) => None,
            None => latency::bound_of_one_io(route.volume, cache, io, phase),
        };
        let writes_unknown = |disk: &Disk| {
            let mut axes = [Axis::Iops, Axis::Mbps].into_iter();
            let written = || shares(disk.model.lane, disk.effective_caching(), io, phase);
            axes.any(|axis| disk.model.knows_only_reads(axis)) && written().disk_writes > 0.0
        };
        self.writes_unknown = route.volume.members.iter().any(writes_unknown);
    }
}

impl Flow {
    /// The flow of the volume at `index`, whose disks' resources begin at `start`; its weight is still to be set.
    fn new(
        deployment: &Deployment,
        index: usize,
        io: &Io,
        start: usize,
        ceilings: Option<&VmCeilings>,
    ) -> Self {
        // Only a ReadWrite cache makes a difference: it absorbs writes for a while.
        let absorbs = |disk: &Disk| disk.effective_caching() == HostCaching::ReadWrite;
        let differs = deployment.volumes[index].members.iter().any(absorbs);
        let mut flow = Self {
            volume: index,
            io: *io,
            weight: 1.0,
            led: *io,
            sustained: Way::default(),
            burst: differs.then(Way::default),
        };
        flow.lead(deployment, io, start, ceilings);
        flow
    }

    /// Sets its ways to those of an I/O like `io`. A long workload has many: their room is used again.
    fn lead(
        &mut self,
        deployment: &Deployment,
        io: &Io,
        start: usize,
        ceilings: Option<&VmCeilings>,
    ) {
        let route = Route {
            deployment,
            volume: &deployment.volumes[self.volume],
            start,
            ceilings,
        };
        self.led = *io;
        self.sustained.lead(route, io, Phase::Sustained);
        if let Some(burst) = &mut self.burst {
            burst.lead(route, io, Phase::Burst);
        }
    }

    /// What each I/O uses of each resource in `phase`, the disks' first.
    #[must_use]
    pub fn uses(&self, phase: Phase) -> &[Use] {
        &self.way(phase).uses
    }

    /// Whether a limit on its way in `phase` is not known: of those for which `is_unknown` says so, or of writes.
    pub(super) fn passes_unknown(&self, phase: Phase, is_unknown: impl Fn(usize) -> bool) -> bool {
        let way = self.way(phase);
        way.writes_unknown || way.uses.iter().any(|used| is_unknown(used.resource))
    }

    /// The demand in I/Os per second; infinite for as much as it gets.
    #[must_use]
    pub fn demand(&self) -> f64 {
        self.io
            .demand
            .iops(self.io.block_size)
            .map_or(f64::INFINITY, crate::units::Iops::get)
    }

    /// Mean latency of one I/O by itself, seconds; `None` where unknown.
    #[must_use]
    pub const fn latency_seconds(&self, phase: Phase) -> Option<f64> {
        self.way(phase).latency
    }

    const fn way(&self, phase: Phase) -> &Way {
        match (phase, &self.burst) {
            (Phase::Burst, Some(burst)) => burst,
            _ => &self.sustained,
        }
    }

    /// The rate that the queue depth allows: queue depth / latency. Infinite where either is not known.
    #[must_use]
    pub fn latency_bound(&self, phase: Phase) -> f64 {
        match (self.io.queue_depth, self.latency_seconds(phase)) {
            (Some(depth), Some(latency)) if latency > 0.0 => f64::from(depth.get()) / latency,
            _ => f64::INFINITY,
        }
    }

    /// The rate that the queue depth surely makes, though nobody knows the latency: queue depth / the most that is promised,
    /// 0 where nothing is. Infinite where there is no queue depth, or [`latency_bound`](Self::latency_bound) says it.
    fn sure_rate(&self, phase: Phase) -> f64 {
        match (self.io.queue_depth, self.latency_seconds(phase)) {
            (Some(depth), None) => {
                let most = self.way(phase).latency_bound;
                most.map_or(0.0, |most| f64::from(depth.get()) / most)
            }
            _ => f64::INFINITY,
        }
    }

    /// The mean latency, seconds, that an I/O must not exceed for `rate` I/Os per second at the queue depth; `None` where
    /// the latency is known, there is no queue depth, or this one surely makes the rate.
    #[must_use]
    pub fn latency_needed(&self, phase: Phase, rate: f64) -> Option<f64> {
        let depth = f64::from(self.io.queue_depth?.get());
        let in_doubt = rate.is_finite() && rate > self.sure_rate(phase) * (1.0 + ROUNDING);
        in_doubt.then(|| depth / rate)
    }
}

/// A rate that is more than another by less than this part is so by rounding.
const ROUNDING: f64 = 1e-9;

/// A deployment under a workload: what can be full, and who uses it.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// The resources: disks first, then the VM's ceilings.
    pub resources: Vec<Resource>,
    /// The flows, one for each volume looked at.
    pub flows: Vec<Flow>,
    /// The first resource of each flow's disks.
    starts: Vec<usize>,
    ceilings: Option<VmCeilings>,
}

impl System {
    /// All volumes of `deployment` at once, each under its load of `loads` (in the deployment's order).
    #[must_use]
    pub fn new(deployment: &Deployment, loads: &[Io]) -> Self {
        Self::of(deployment, loads, |_| true)
    }

    /// The volume at `index` by itself: nothing else on the VM is at work.
    #[must_use]
    pub fn alone(deployment: &Deployment, index: usize, loads: &[Io]) -> Self {
        Self::of(deployment, loads, |volume| volume == index)
    }

    fn of(deployment: &Deployment, loads: &[Io], wanted: impl Fn(usize) -> bool) -> Self {
        let members: usize = deployment.volumes.iter().map(|v| v.members.len()).sum();
        let mut resources = Vec::with_capacity(2 * members + 6);
        let volumes = deployment.volumes.iter().zip(loads).enumerate();
        let chosen: Vec<(usize, &Io)> = volumes
            .filter(|(index, _)| wanted(*index))
            .map(|(index, (_, io))| (index, io))
            .collect();
        let mut starts = Vec::with_capacity(chosen.len());
        for (index, _) in &chosen {
            starts.push(resources.len());
            disk_resources(*index, &deployment.volumes[*index], &mut resources);
        }
        let ceilings = deployment
            .vm
            .as_ref()
            .map(|vm| VmCeilings::new(vm, &mut resources));
        let flows = chosen
            .iter()
            .zip(&starts)
            .map(|(&(index, io), start)| {
                Flow::new(deployment, index, io, *start, ceilings.as_ref())
            })
            .collect();
        let mut system = Self {
            resources,
            flows,
            starts,
            ceilings,
        };
        system.set_weights();
        system
    }

    /// Puts the flows under other loads (in the deployment's order). Their ways are still those of the I/O before:
    /// [`System::lead`] sets them.
    pub(super) fn reload(&mut self, loads: &[Io]) {
        for flow in &mut self.flows {
            if let Some(io) = loads.get(flow.volume) {
                flow.io = *io;
            }
        }
        self.set_weights();
    }

    /// Leads the flow at `index` like an I/O of `io`, which need not be one that is asked now; the deployment is the
    /// one that the system was made of. What only depends on the deployment is kept.
    pub(super) fn lead(&mut self, deployment: &Deployment, index: usize, io: &Io) {
        let flow = &mut self.flows[index];
        if !flow.led.is_alike(io) {
            flow.lead(deployment, io, self.starts[index], self.ceilings.as_ref());
        }
    }

    /// Whether every flow states a demand, so that the demands are the weights.
    pub(super) fn is_weighed_by_demand(&self) -> bool {
        self.flows.iter().all(|f| f.io.demand != Demand::Max)
    }

    /// Weights: the demands when every flow states one; else the queue depths when every flow states one; else equal.
    fn set_weights(&mut self) {
        let by_demand = self.is_weighed_by_demand();
        let by_depth = self.flows.iter().all(|f| f.io.queue_depth.is_some());
        for flow in &mut self.flows {
            let weight = match (by_demand, flow.io.queue_depth) {
                (true, _) => flow.demand(),
                (false, Some(depth)) if by_depth => f64::from(depth.get()),
                _ => 1.0,
            };
            // A demand of 0 gets 0 whatever its weight, which must only be positive.
            flow.weight = if weight > 0.0 { weight } else { 1.0 };
        }
    }
}

/// Appends the IOPS and the MB/s resource of every member.
fn disk_resources(volume_index: usize, volume: &Volume, resources: &mut Vec<Resource>) {
    for (member_index, member) in volume.members.iter().enumerate() {
        let place = Place::Disk {
            volume: volume_index,
            member: member_index,
        };
        for axis in [Axis::Iops, Axis::Mbps] {
            resources.push(disk_resource(&member.model, place, axis));
        }
    }
}

fn disk_resource(model: &DiskModel, place: Place, axis: Axis) -> Resource {
    let base = model.base.on(axis);
    let burst = model.burst.as_ref();
    let raised = match (base, burst.and_then(|b| b.limits.on(axis))) {
        (Some(base), Some(burst)) => Some(burst.max(base)),
        _ => base,
    };
    // The SCSI temp disk has no limit of its own where the cached ceiling of the VM carries it.
    let unlimited = (model.lane == Lane::Temp && base.is_none()).then_some(f64::INFINITY);
    let (base, bucket_seconds) = match burst.map(|b| b.kind) {
        Some(BurstKind::Credit { seconds }) => (base, Some(seconds)),
        // On-demand bursting has no bucket: its limit holds as long as it is paid for.
        Some(BurstKind::OnDemand) => (raised, None),
        None => (base, None),
    };
    Resource {
        place,
        axis,
        base: base.or(unlimited),
        burst: raised.or(unlimited),
        bucket_seconds,
    }
}

/// Indices of the VM's ceilings among the resources: the IOPS one; the MB/s one follows it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct VmCeilings {
    uncached: usize,
    remote: Option<usize>,
    /// Whether that is a ceiling of the families that have it alone, within the uncached one of all remote traffic.
    is_within: bool,
    cached: usize,
    /// What a written byte counts against the cached ceiling, 1 unless writes are slower than reads.
    cached_write_factor: f64,
}

impl VmCeilings {
    fn new(vm: &VmSize, resources: &mut Vec<Resource>) -> Self {
        let uncached = push_ceiling(Place::Uncached, &vm.uncached, resources);
        let is_within = (vm.remote).is_some_and(|remote| remote.is_within(&vm.uncached));
        let remote = vm.remote.map(|remote| {
            let of_all = if is_within {
                remote
            } else {
                larger(&remote, &vm.uncached)
            };
            push_ceiling(Place::Remote, &of_all, resources)
        });
        let cached = push_ceiling(Place::Cached, &vm.cached, resources);
        let cached_write_factor = match (vm.cached.base.mbps, vm.cached_write_mbps) {
            (Some(read), Some(write)) if write.get() > 0.0 => (read.get() / write.get()).max(1.0),
            _ => 1.0,
        };
        Self {
            uncached,
            remote,
            is_within,
            cached,
            cached_write_factor,
        }
    }
}

/// The larger of two ceilings, axis by axis; unknown where the first is.
fn larger(a: &Ceiling, b: &Ceiling) -> Ceiling {
    let max = |x: Limits, y: Limits| Limits {
        iops: x.iops.map(|v| y.iops.map_or(v, |w| v.max(w))),
        mbps: x.mbps.map(|v| y.mbps.map_or(v, |w| v.max(w))),
    };
    let burst_of = |c: &Ceiling| c.burst.unwrap_or(c.base);
    let bursts = a.burst.is_some() || b.burst.is_some();
    Ceiling {
        base: max(a.base, b.base),
        burst: bursts.then(|| max(burst_of(a), burst_of(b))),
        listed_mbps: a.listed_mbps,
    }
}

fn push_ceiling(place: Place, ceiling: &Ceiling, resources: &mut Vec<Resource>) -> usize {
    let index = resources.len();
    for axis in [Axis::Iops, Axis::Mbps] {
        let base = ceiling.base.on(axis);
        resources.push(Resource {
            place,
            axis,
            base,
            burst: base.and(ceiling.burst_on(axis)),
            bucket_seconds: ceiling.bucket_seconds(),
        });
    }
    index
}

/// Adds to `uses` what each I/O uses of every resource on its path.
fn path(
    volume: &Volume,
    io: &Io,
    phase: Phase,
    start: usize,
    vm: Option<&VmCeilings>,
    uses: &mut Vec<Use>,
) {
    uses.reserve(2 * volume.members.len() + 6);
    let mut on_vm = VmShares::default();
    let part = 1.0 / volume.members.len() as f64;
    for (index, member) in volume.members.iter().enumerate() {
        let lane = member.model.lane;
        let shares = shares(lane, member.effective_caching(), io, phase);
        disk_uses(&member.model, &shares, io, part, start + 2 * index, uses);
        on_vm.add(lane, &shares, part);
    }
    if let Some(vm) = vm {
        on_vm.push(vm, io, uses);
    }
}

fn push_pair(index: usize, ios: f64, mb: f64, uses: &mut Vec<Use>) {
    for (resource, per_io) in [(index, ios), (index + 1, mb)] {
        if per_io > 0.0 {
            uses.push(Use { resource, per_io });
        }
    }
}

fn disk_uses(
    model: &DiskModel,
    shares: &Shares,
    io: &Io,
    part: f64,
    index: usize,
    uses: &mut Vec<Use>,
) {
    let units = model
        .accounting_unit
        .map_or(1, |unit| io.block_size.units_of(unit)) as f64;
    let factor = |axis| write_factor(model, axis);
    let ios = shares.disk_reads + shares.disk_writes * factor(Axis::Iops);
    let bytes = shares.disk_reads + shares.disk_writes * factor(Axis::Mbps);
    let mb = io.block_size.bytes_f64() / MB;
    push_pair(index, ios * units * part, bytes * mb * part, uses);
}

/// What a write counts against the read limit, where writes have a lower one.
fn write_factor(model: &DiskModel, axis: Axis) -> f64 {
    let write = model.write.and_then(|limits| limits.on(axis));
    match (model.base.on(axis), write) {
        (Some(read), Some(write)) if write > 0.0 => read / write,
        _ => 1.0,
    }
}

/// How much of one average I/O of a volume counts against each of the VM's ceilings.
#[derive(Default)]
struct VmShares {
    remote: f64,
    remote_fast: f64,
    cached_reads: f64,
    cached_writes: f64,
}

impl VmShares {
    /// Adds a member that takes `part` of the volume's I/O.
    fn add(&mut self, lane: Lane, shares: &Shares, part: f64) {
        let to_disk = part * (shares.disk_reads + shares.disk_writes);
        match lane {
            Lane::Remote => self.remote += to_disk,
            Lane::RemoteFast => self.remote_fast += to_disk,
            Lane::Temp | Lane::LocalNvme => {}
        }
        self.cached_reads += part * shares.cached_reads;
        self.cached_writes += part * shares.cached_writes;
    }

    /// Tiered disks stay within the uncached pair, and all remote traffic within the larger pair where there is one. Where
    /// the pair of the faster families is the smaller one, they stay within that too.
    fn push(&self, vm: &VmCeilings, io: &Io, uses: &mut Vec<Use>) {
        let mb = io.block_size.bytes_f64() / MB;
        let all = self.remote + self.remote_fast;
        match vm.remote {
            Some(index) if vm.is_within => {
                push_pair(vm.uncached, all, all * mb, uses);
                push_pair(index, self.remote_fast, self.remote_fast * mb, uses);
            }
            Some(index) => {
                push_pair(vm.uncached, self.remote, self.remote * mb, uses);
                push_pair(index, all, all * mb, uses);
            }
            None => push_pair(vm.uncached, all, all * mb, uses),
        }
        let ios = self.cached_reads + self.cached_writes;
        let bytes = self.cached_reads + self.cached_writes * vm.cached_write_factor;
        push_pair(vm.cached, ios, bytes * mb, uses);
    }
}
