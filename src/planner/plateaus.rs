//! What a constant load gets from full credit on: one plateau after the other, until nothing changes any more.
//!
//! Taken from the [`timeline`](super::timeline), so that buckets that drain at once (a disk's and the VM's, IOPS and
//! MB/s) are reckoned with each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assessment::CeilingName;
use super::evaluate::Bottleneck;
use super::timeline::model::{BucketPlace, BucketRun, Segment};
use super::timeline::record_constant;
use crate::catalog::Axis;
use crate::deployment::Deployment;
use crate::workload::Io;

/// A stretch of constant rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plateau {
    /// I/Os per second, all volumes looked at together; `None` when no limit on a path is known.
    pub iops: Option<f64>,
    /// MB/s.
    pub mbps: Option<f64>,
    /// What stops the first volume looked at.
    pub bottleneck: Bottleneck,
    /// How long it lasts, seconds; `None` for the last one, which holds from then on.
    pub lasts_seconds: Option<f64>,
    /// The bucket that is empty at its end; `None` for the last one.
    pub ended_by: Option<EmptyBucket>,
}

/// A credit bucket that ran empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmptyBucket {
    /// The VM's ceiling; `None` for a disk's own bucket.
    pub ceiling: Option<CeilingName>,
    /// The volumes whose disks ran empty, where several are at work: those whose buckets for that limit did at once; none
    /// for the VM's ceiling.
    #[serde(default)]
    pub volumes: Vec<String>,
    /// Which limit it is for.
    pub axis: Axis,
    /// How long it takes to fill while nothing is asked, seconds; of disks that run empty together, all of them.
    pub refill_seconds: Option<u64>,
}

/// Rates closer than this part of each other are one plateau.
const SAME: f64 = 1e-9;

/// The plateaus of the volume at `index` by itself.
#[must_use]
pub fn alone(deployment: &Deployment, index: usize, loads: &[Io]) -> Vec<Plateau> {
    let one = Deployment {
        vm: deployment.vm.clone(),
        interface: None,
        region: None,
        volumes: vec![deployment.volumes[index].clone()],
        ..*deployment
    };
    together(&one, &loads[index..=index])
}

/// The plateaus of all volumes at once, added up.
#[must_use]
pub fn together(deployment: &Deployment, loads: &[Io]) -> Vec<Plateau> {
    of_some(deployment, loads, |_| true)
}

/// The plateaus of the volumes, by index, that `counts`, added up, with all at work.
pub(super) fn of_some(
    deployment: &Deployment,
    loads: &[Io],
    counts: impl Fn(usize) -> bool,
) -> Vec<Plateau> {
    let Some(recorder) = record_constant(deployment, loads) else {
        return Vec::new();
    };
    let buckets = recorder.buckets();
    let mut plateaus: Vec<Plateau> = Vec::new();
    let segments = &recorder.segments;
    for (index, segment) in segments.iter().enumerate() {
        let ended_by = emptied(segment, segments.get(index + 1), &buckets);
        append(&mut plateaus, segment, ended_by, &counts);
    }
    if let Some(last) = plateaus.last_mut() {
        (last.lasts_seconds, last.ended_by) = (None, None);
    }
    plateaus
}

/// Adds a segment: to the last plateau where the rates are the same, else as a new one.
fn append(
    plateaus: &mut Vec<Plateau>,
    segment: &Segment,
    ended_by: Option<EmptyBucket>,
    counts: impl Fn(usize) -> bool,
) {
    let volumes = || {
        let all = segment.volumes.iter().enumerate();
        all.filter(|(index, _)| counts(*index)).map(|(_, v)| v)
    };
    let sum = |of: fn(&super::timeline::model::Rate) -> f64| -> Option<f64> {
        let served = volumes().map(|v| v.served.as_ref().map(of));
        served.sum()
    };
    let iops = sum(|rate| rate.iops.get());
    let mbps = sum(|rate| rate.mbps.get());
    let alike = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= SAME * a.abs().max(b.abs()),
        (a, b) => a == b,
    };
    match plateaus.last_mut() {
        Some(last) if alike(last.iops, iops) && alike(last.mbps, mbps) => {
            last.lasts_seconds = last.lasts_seconds.map(|s| s + segment.seconds());
            last.ended_by = ended_by;
        }
        _ => plateaus.push(Plateau {
            iops,
            mbps,
            bottleneck: volumes()
                .next()
                .map_or(Bottleneck::Unknown, |v| v.bottleneck),
            lasts_seconds: Some(segment.seconds()),
            ended_by,
        }),
    }
}

/// The bucket that runs empty at the end of `segment`. Of several the one that lowers what is served: a ceiling of
/// the VM that stops a volume in `next`; else what stops the one that loses most; else a disk's before the VM's.
fn emptied(
    segment: &Segment,
    next: Option<&Segment>,
    buckets: &[BucketRun],
) -> Option<EmptyBucket> {
    let ends = segment.buckets.iter().zip(buckets);
    let empty: Vec<&BucketRun> = ends
        .filter(|(level, bucket)| level.from > 0.0 && level.to <= bucket.full * SAME)
        .map(|(_, bucket)| bucket)
        .collect();
    let stopped_by = next.and_then(|next| most_lowered(segment, next));
    let lowers = |bucket: &&&BucketRun| stopped_by.is_some_and(|by| is_of(bucket, by));
    // A full ceiling of the VM sets the sum, whatever its disks could do.
    let sets_the_sum = |bucket: &&&BucketRun| {
        let is_vm = matches!(bucket.place, BucketPlace::Vm { .. });
        let stops = |next: &Segment| next.volumes.iter().any(|v| is_of(bucket, v.bottleneck));
        is_vm && next.is_some_and(stops)
    };
    let by_vm = empty.iter().find(sets_the_sum);
    let bucket = by_vm
        .or_else(|| empty.iter().find(lowers))
        .or(empty.first())?;
    let (ceiling, volumes) = match &bucket.place {
        BucketPlace::Vm { ceiling } => (Some(*ceiling), Vec::new()),
        BucketPlace::Disk { .. } if segment.volumes.len() > 1 => (None, volumes_of(bucket, &empty)),
        BucketPlace::Disk { .. } => (None, Vec::new()),
    };
    Some(EmptyBucket {
        ceiling,
        volumes,
        axis: bucket.axis,
        refill_seconds: refill(bucket, &empty),
    })
}

/// The volumes of the disks that run empty with `bucket`, for the same limit.
fn volumes_of(bucket: &BucketRun, empty: &[&BucketRun]) -> Vec<String> {
    let mut volumes: Vec<String> = Vec::new();
    for run in empty.iter().filter(|run| run.axis == bucket.axis) {
        if let BucketPlace::Disk { volume, .. } = &run.place
            && !volumes.contains(volume)
        {
            volumes.push(volume.clone());
        }
    }
    volumes
}

/// How long `bucket` takes to fill; of a disk's as long as the slowest of the disks that ran empty with it: members of a
/// stripe burst together or not at all.
fn refill(bucket: &BucketRun, empty: &[&BucketRun]) -> Option<u64> {
    let is_disk = |run: &BucketRun| matches!(run.place, BucketPlace::Disk { .. });
    let goes_along = |run: &&&BucketRun| {
        run.axis == bucket.axis && (run.place == bucket.place || is_disk(run) && is_disk(bucket))
    };
    let seconds = |run: &&BucketRun| (run.base > 0.0).then(|| run.full / run.base);
    let each: Option<Vec<f64>> = empty.iter().filter(goes_along).map(seconds).collect();
    let slowest = each?.into_iter().fold(0.0, f64::max);
    Some(slowest.round() as u64)
}

/// What stops the volume in `next` that loses most of what it has in `segment`.
fn most_lowered(segment: &Segment, next: &Segment) -> Option<Bottleneck> {
    let mut most = (0.0, None);
    for (before, after) in segment.volumes.iter().zip(&next.volumes) {
        let (Some(had), Some(has)) = (&before.served, &after.served) else {
            continue;
        };
        let lost = had.mbps.get() - has.mbps.get();
        if lost > most.0 {
            most = (lost, Some(after.bottleneck));
        }
    }
    most.1
}

/// Whether `bottleneck` is the ceiling of this bucket.
fn is_of(bucket: &BucketRun, bottleneck: Bottleneck) -> bool {
    let of = match bucket.place {
        BucketPlace::Vm { ceiling } => Some(ceiling),
        BucketPlace::Disk { .. } => None,
    };
    of == bottleneck.ceiling() && bottleneck.axis() == Some(bucket.axis)
}
