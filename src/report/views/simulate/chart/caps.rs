//! Which limits a simulation's picture shows: all that ever stopped something, and those near what was served.

use crate::catalog::{Axis, Limits, VmSize};
use crate::planner::Simulation;
use crate::planner::assessment::CeilingName;
use crate::planner::evaluate::Bottleneck;
use crate::planner::timeline::model::{BucketPlace, VolumeRun};
use crate::report::Cap;

/// A cap that stopped nothing is drawn where it lies below this many times what was asked or served at most; above it
/// explains nothing.
const IN_SIGHT: f64 = 1.5;

/// A limit with its burst.
struct Limit {
    name: String,
    base: Limits,
    burst: Option<Limits>,
    /// What it is called where it stops something, by axis and burst.
    stop: fn(Axis, bool) -> Bottleneck,
    /// Whose disks it is a limit of; `None` for the VM's.
    volume: Option<usize>,
    /// Whether it is drawn only where it stopped something.
    reticent: bool,
}

/// The caps of the panel of one axis, in which nothing reaches higher than `most`.
pub(super) fn caps(simulation: &Simulation, axis: Axis, most: f64) -> Vec<Cap> {
    let limits = ceilings(simulation, axis).chain(disks(simulation));
    limits
        .flat_map(|limit| {
            let base = limit.base.on(axis);
            let burst = limit.burst.and_then(|limits| limits.on(axis));
            let burst = burst.filter(|burst| base.is_none_or(|base| *burst > base));
            let cap = |value: Option<f64>, bursting: bool| {
                let value = value?;
                let near = !limit.reticent && value <= most * IN_SIGHT;
                let name = format!("{}{}", limit.name, if bursting { " burst" } else { "" });
                let drawn =
                    near || ever_stops(simulation, limit.volume, (limit.stop)(axis, bursting));
                drawn.then_some(Cap { name, value })
            };
            [cap(base, false), cap(burst, true)].into_iter().flatten()
        })
        .collect()
}

/// Whether a limit ever stopped the volume; `None`: any volume.
fn ever_stops(simulation: &Simulation, volume: Option<usize>, stop: Bottleneck) -> bool {
    let segments = simulation.segments.iter();
    segments
        .flat_map(|segment| segment.volumes.iter().enumerate())
        .any(|(index, part)| part.bottleneck == stop && volume.is_none_or(|volume| volume == index))
}

/// The ceilings of the VM. The cached one holds other traffic than that of most disks and would mislead beside it, so
/// it is drawn where it stopped something or lent credit.
fn ceilings(simulation: &Simulation, axis: Axis) -> impl Iterator<Item = Limit> {
    let lent = simulation.buckets.iter().any(|bucket| {
        let cached = BucketPlace::Vm {
            ceiling: CeilingName::Cached,
        };
        bucket.place == cached && bucket.axis == axis && bucket.lowest < bucket.full
    });
    simulation.vm.iter().flat_map(move |vm| {
        let limit = |name: &str, ceiling: crate::catalog::Ceiling, stop| Limit {
            name: name.to_owned(),
            base: ceiling.base,
            burst: ceiling.burst,
            stop,
            volume: None,
            reticent: false,
        };
        let uncached = limit("VM uncached", vm.uncached, |axis, burst| {
            Bottleneck::VmUncached { axis, burst }
        });
        let remote = vm.remote.map(|ceiling| {
            limit(
                &format!("VM {}", VmSize::REMOTE_NAME),
                ceiling,
                |axis, burst| Bottleneck::VmRemote { axis, burst },
            )
        });
        let cached = Limit {
            reticent: !lent,
            ..limit("VM cached", vm.cached, |axis, burst| Bottleneck::VmCached {
                axis,
                burst,
            })
        };
        [Some(uncached), remote, Some(cached)].into_iter().flatten()
    })
}

/// The limits of the disks: of the only volume as they are, else where they stopped a volume that has its own line.
fn disks(simulation: &Simulation) -> impl Iterator<Item = Limit> {
    let several = simulation.volumes.len() > 1;
    let drawn = if super::has_own_lines(simulation) {
        simulation.volumes.as_slice()
    } else {
        &[]
    };
    drawn.iter().enumerate().map(move |(index, volume)| Limit {
        name: disk_name(volume, several),
        base: volume.limits,
        burst: volume.burst,
        stop: |axis, burst| Bottleneck::Disk { axis, burst },
        volume: Some(index),
        reticent: several,
    })
}

/// `P30`, and beside others `data: P30` where the volume has a name of its own.
fn disk_name(volume: &VolumeRun, several: bool) -> String {
    if several && volume.name != volume.sku {
        format!("{}: {}", volume.name, volume.sku)
    } else {
        volume.sku.clone()
    }
}
