//! The limits that a device's constant rates may sit on: those of the planner, for the I/O that the device saw.

use super::{Bound, Request};
use crate::catalog::{Axis, Catalog, Limits, VmSize};
use crate::deployment::Deployment;
use crate::measure::IN_BURST;
use crate::measure::identify::candidates::{self, LimitState};
use crate::measure::judge::predict::{self, Prediction};
use crate::measure::judge::{Target, longest_usual};
use crate::measure::series::analysis::Known;
use crate::measure::series::{Cap, CapKind, DiskSeries};
use crate::planner::{Bottleneck, Phase, Place, System};
use crate::units::{BlockSize, Iops, Latency, MB, MBps, Share};
use crate::workload::Io;

/// How much is known of the limits on a device's way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Extent {
    /// Every one, of its volume and of the VM.
    Whole,
    /// Some of its volume's own: another one may be lower.
    InPart,
    /// Not all, and none of its volume's own.
    #[default]
    NoneOfDisk,
}

/// What is expected of a device.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Expected {
    /// Its limits: of its volume and of the VM on the way to it; of the VM alone where it is not known which volume it
    /// is; none where the VM is not known either.
    pub caps: Vec<Cap>,
    /// How much of its limits these are.
    pub extent: Extent,
    /// The longest that one of its I/Os takes and is as usual.
    pub longest_usual: Option<Latency>,
}

impl Expected {
    /// The same to judge by.
    pub fn known(&self, tolerance: f64) -> Known<'_> {
        Known {
            caps: &self.caps,
            longest_usual: self.longest_usual,
            tolerance,
            ..Known::default()
        }
    }
}

/// What is expected of a device.
pub(super) fn of(
    catalog: &Catalog,
    request: &Request<'_>,
    disk: &DiskSeries,
    bound: Option<&Bound>,
) -> Expected {
    match (request.deployment, bound, request.vm) {
        (Some(deployment), Some(bound), _) => {
            let (io, volume) = (seen(disk), bound.volume);
            let target = Target { deployment, volume };
            let found = of_volume(deployment, *bound, &io);
            Expected {
                extent: extent(target, &io, &found),
                caps: found.into_iter().map(|(_, cap)| cap).collect(),
                longest_usual: longest_usual(target, &io, request.tolerance),
            }
        }
        (_, _, Some(vm)) => Expected {
            caps: of_vm(catalog, vm),
            ..Expected::default()
        },
        (_, _, None) => Expected::default(),
    }
}

/// How much of the limits of a volume under `io` those are that were `found`; those of a VM that is not named are not known.
fn extent(target: Target<'_>, io: &Io, found: &[(Bottleneck, Cap)]) -> Extent {
    let Target { deployment, volume } = target;
    let all = predict::unknown_limits(deployment, volume, io).is_empty();
    let has_own = found.iter().any(|(limit, _)| !limit.is_vm());
    match all && deployment.vm.is_some() && !found.is_empty() {
        true => Extent::Whole,
        false if has_own => Extent::InPart,
        false => Extent::NoneOfDisk,
    }
}

/// The highest rate that everything on the way of a device that is a volume by itself lets through, in burst and with a
/// warm cache; `None` where that is not known.
pub(super) fn highest(
    request: &Request<'_>,
    disk: &DiskSeries,
    bound: Option<&Bound>,
) -> Option<Prediction> {
    let (deployment, bound) = (request.deployment?, bound.filter(|bound| bound.of == 1)?);
    let io = seen(disk);
    if !predict::unknown_limits(deployment, bound.volume, &io).is_empty() {
        return None;
    }
    let found = predict::predictions(deployment, bound.volume, &io).into_iter();
    found.max_by(|a, b| a.iops.get().total_cmp(&b.iops.get()))
}

/// The I/O that a device saw on average: its size and share of reads, where the log says them.
pub(super) fn seen(disk: &DiskSeries) -> Io {
    let sum = |of: &dyn Fn(usize) -> Option<f64>| -> Option<f64> {
        let said = (0..disk.len()).filter_map(|i| Some(of(i)? * disk.seconds(i)));
        said.reduce(|a, b| a + b).filter(|sum| *sum > 0.0)
    };
    let ios = sum(&|i| disk.total.iops.number(i));
    let bytes = sum(&|i| disk.total.mbps.number(i)).map(|mb| mb * MB);
    let block = bytes
        .zip(ios)
        .and_then(|(bytes, ios)| BlockSize::from_bytes((bytes / ios).round() as u64).ok());
    let reads = sum(&|i| disk.read.iops.number(i)).or(sum(&|i| disk.read.mbps.number(i)));
    let writes = sum(&|i| disk.write.iops.number(i)).or(sum(&|i| disk.write.mbps.number(i)));
    let share = match (reads, writes) {
        (Some(reads), Some(writes)) => Share::new(reads / (reads + writes)).ok(),
        (Some(_), None) => Some(Share::ALL),
        (None, Some(_)) => Some(Share::NONE),
        (None, None) => None,
    };
    Io {
        block_size: block.unwrap_or(Io::RANDOM_4K.block_size),
        read_share: share.unwrap_or(Io::RANDOM_4K.read_share),
        ..Io::RANDOM_4K
    }
}

/// What the device's own disks let through of the I/O that it saw, as its rate; `None` where a limit of theirs is not known.
pub(super) fn own(
    deployment: &Deployment,
    bound: Bound,
    disk: &DiskSeries,
    phase: Phase,
) -> Option<Limits> {
    let io = seen(disk);
    let system = alone(deployment, bound, &io);
    let uses = system.flows.first()?.uses(phase).iter();
    let rates = uses.filter_map(|used| {
        let resource = system.resources.get(used.resource)?;
        (!resource.is_vm()).then(|| Some(resource.capacity(phase)? / used.per_io))
    });
    let rates: Option<Vec<f64>> = rates.collect();
    let whole = Iops::new(rates?.into_iter().reduce(f64::min)?).ok()?;
    let both = Limits {
        iops: Some(whole),
        mbps: Some(whole.throughput(io.block_size)),
    };
    Some(both.times(1.0 / bound.of as f64))
}

/// The volume of a device by itself under `io`.
pub(super) fn alone(deployment: &Deployment, bound: Bound, io: &Io) -> System {
    let loads = vec![*io; deployment.volumes.len()];
    System::alone(deployment, bound.volume, &loads)
}

/// Every limit on the volume's way, as rates of the device: with a cold cache, sustained and in burst.
fn of_volume(deployment: &Deployment, bound: Bound, io: &Io) -> Vec<(Bottleneck, Cap)> {
    let system = alone(deployment, bound, io);
    let Some(flow) = system.flows.first() else {
        return Vec::new();
    };
    let vm = deployment.vm.as_ref();
    let mut found: Vec<(Bottleneck, Cap)> = Vec::new();
    for phase in [Phase::Sustained, Phase::Burst] {
        for used in flow.uses(phase) {
            let Some(resource) = system.resources.get(used.resource) else {
                continue;
            };
            let rate = resource.capacity(phase).map(|limit| limit / used.per_io);
            let limit = Bottleneck::of(resource, phase);
            let known = found.iter().any(|(known, _)| *known == limit);
            let rate = rate.filter(|rate| !known && rate.is_finite() && *rate > 0.0);
            let cap = rate.and_then(|rate| cap(limit, phase, rate, io, bound.of, vm));
            found.extend(cap.map(|cap| (limit, cap)));
        }
    }
    found
}

/// A limit that lets `rate` I/Os a second of the volume through, as a rate of one of the `of` devices that it is made of.
fn cap(
    limit: Bottleneck,
    phase: Phase,
    rate: f64,
    io: &Io,
    of: usize,
    vm: Option<&VmSize>,
) -> Option<Cap> {
    // A member of a stripe has its own part of the disks' limits, and of the VM's what the others leave.
    let is_own = matches!(limit, Bottleneck::Disk { .. });
    let told = if is_own { rate / of as f64 } else { rate };
    let prediction = prediction(limit, phase, Iops::new(told).ok()?, io, vm);
    let (shared, parts) = match (of, is_own) {
        (1, _) => (String::new(), 1),
        (of, true) => (format!(", one disk of {of}"), 1),
        (of, false) => (format!(", shared by {of} disks"), of),
    };
    let whole = on(limit.axis()?, prediction.iops.get(), prediction.mbps.get());
    Some(Cap {
        name: format!("{}{shared}", prediction.words()),
        limits: whole.times(1.0 / parts as f64),
        kind: CapKind::One,
        in_burst: is_in_burst(limit),
    })
}

/// A limit that lets `iops` of I/Os like `io` through.
pub(super) fn prediction(
    limit: Bottleneck,
    phase: Phase,
    iops: Iops,
    io: &Io,
    vm: Option<&VmSize>,
) -> Prediction {
    Prediction {
        phase,
        cache: None,
        iops,
        mbps: iops.throughput(io.block_size),
        limit,
        listed_mbps: vm.and_then(|vm| predict::listed(vm, limit)),
        at_most: false,
        passing: None,
    }
}

/// Whether a limit is one that holds only on burst credit.
const fn is_in_burst(limit: Bottleneck) -> bool {
    matches!(
        limit,
        Bottleneck::Disk { burst: true, .. }
            | Bottleneck::VmUncached { burst: true, .. }
            | Bottleneck::VmRemote { burst: true, .. }
            | Bottleneck::VmCached { burst: true, .. }
    )
}

fn on(axis: Axis, iops: f64, mbps: f64) -> Limits {
    match axis {
        Axis::Iops => Limits {
            iops: Iops::new(iops).ok(),
            mbps: None,
        },
        Axis::Mbps => Limits {
            iops: None,
            mbps: MBps::new(mbps).ok(),
        },
    }
}

/// Every limit of a VM, for a device of which nothing else is known.
pub(super) fn of_vm(catalog: &Catalog, vm: &VmSize) -> Vec<Cap> {
    let candidates = candidates::of_vm(catalog, vm);
    let cap = |candidate: candidates::Candidate| Cap {
        name: format!("the {}", candidate.name),
        limits: candidate.limits,
        kind: CapKind::One,
        in_burst: candidate.state == LimitState::Burst,
    };
    candidates.into_iter().map(cap).collect()
}

/// The limits of one of the VM's ceilings, which all that use it share.
pub(super) fn of_ceiling(vm: &VmSize, place: Place) -> Vec<Cap> {
    let (what, ceiling) = match place {
        Place::Uncached => ("uncached", Some(vm.uncached)),
        Place::Remote => (VmSize::REMOTE_NAME, vm.remote),
        Place::Cached => ("cached", Some(vm.cached)),
        Place::Disk { .. } => return Vec::new(),
    };
    let Some(ceiling) = ceiling else {
        return Vec::new();
    };
    let name = format!("the VM's {what} limit");
    let in_burst = format!("{name}{IN_BURST}");
    let base = Cap {
        name: match ceiling.listed() {
            Some(listed) => format!("{name}, listed as {listed} MB/s"),
            None => name.clone(),
        },
        limits: ceiling.base,
        kind: CapKind::One,
        in_burst: false,
    };
    let burst = ceiling.burst.filter(|burst| *burst != ceiling.base);
    let burst = burst.map(|limits| Cap {
        name: in_burst,
        limits,
        kind: CapKind::One,
        in_burst: true,
    });
    std::iter::once(base).chain(burst).collect()
}
