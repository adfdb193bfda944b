//! Figures that hold only for a while.

use super::unmet::{any_of, on, on_larger_size, with_members};
use super::vm_caps::decimals;
use super::{Context, Finding, FindingId, Severity, duration};
use crate::catalog::Axis;
use crate::deployment::Role;
use crate::planner::assessment::{VolumeResult, VolumeView, WorkloadView};
use crate::planner::evaluate::{Bottleneck, Outcome, evaluate};
use crate::planner::plateaus::{EmptyBucket, Plateau};
use crate::planner::system::{Phase, System};
use crate::planner::timeline::steady;
use crate::units::{Iops, MBps, QueueDepth, grouped};
use crate::workload::{Demand, Io};

/// A fall smaller than this part is not worth a finding.
const NOTICEABLE: f64 = 0.01;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let workloads = &context.assessment.workloads;
    let mut found: Vec<Finding> = Vec::new();
    let mut data_bursts = false;
    let some_unknown = context.has_unknown_limits();
    for (index, volume) in context.assessment.volumes.iter().enumerate() {
        if context.has_unknown_limit(&volume.name) {
            continue;
        }
        let runs = workloads
            .iter()
            .filter_map(|w| Some((w, w.volumes.get(index)?.plateaus.as_slice())));
        let only = burst_only(context, Subject::Volume(index, volume), runs);
        let of_disk = only.iter().any(|f| f.id == FindingId::BurstOnly);
        data_bursts |= of_disk && volume.role != Role::Os;
        found.extend(only);
        if !some_unknown {
            found.extend(neighbour(context, index));
        }
    }
    if context.assessment.volumes.len() > 1 && !some_unknown {
        let runs = workloads.iter().map(|w| (w, w.plateaus.as_slice()));
        let all = burst_only(context, Subject::All, runs);
        // The credit of the OS disk alone is said with the OS disk.
        let is_of_os = |f: &Finding| f.id == FindingId::BurstOnly && !data_bursts;
        found.extend(all.into_iter().filter(|finding| !is_of_os(finding)));
    }
    found
}

/// A workload whose rate falls on an axis, and how.
type Falling<'a> = (&'a WorkloadView, Axis, &'a [Plateau]);

/// What falls once credit is used up.
#[derive(Clone, Copy)]
enum Subject<'a> {
    /// The volume at an index by itself.
    Volume(usize, &'a VolumeView),
    /// All volumes at once.
    All,
}

impl Subject<'_> {
    const fn role(self) -> Role {
        match self {
            Self::Volume(_, volume) => volume.role,
            Self::All => Role::Data,
        }
    }
}

/// One finding for everything about `subject` that falls once the credit of a disk is used up, and one for that of the
/// VM: what helps against the one does not help against the other.
fn burst_only<'a>(
    context: &Context<'_>,
    subject: Subject<'_>,
    runs: impl Iterator<Item = (&'a WorkloadView, &'a [Plateau])>,
) -> Vec<Finding> {
    let falling: Vec<Falling<'a>> = runs
        .filter_map(|(workload, plateaus)| {
            let axis = axis_of(plateaus.first()?, workload, subject);
            falls(plateaus, axis).then_some((workload, axis, plateaus))
        })
        .collect();
    let falling = heaviest(falling);
    let several = falling.len() > 1;
    let caused = |by_disk: bool| -> Vec<Falling<'a>> {
        let cause = |one: &&Falling<'a>| main_cause(&[**one]).map(|b| b.ceiling.is_none());
        let those = falling.iter().filter(|one| cause(one) == Some(by_disk));
        those.copied().collect()
    };
    [true, false]
        .into_iter()
        .map(|by_disk| (by_disk, caused(by_disk)))
        .filter(|(_, falling)| !falling.is_empty())
        .map(|(by_disk, falling)| told_of(context, subject, by_disk, several, &falling))
        .collect()
}

/// The finding about what falls by the credit of a disk, or of the VM.
fn told_of(
    context: &Context<'_>,
    subject: Subject<'_>,
    by_disk: bool,
    several: bool,
    falling: &[Falling<'_>],
) -> Finding {
    let sentences: Vec<String> = falling
        .iter()
        .map(|(workload, axis, plateaus)| match several {
            true => format!("{}: {}", workload.name, told(*axis, plateaus)),
            false => told(*axis, plateaus),
        })
        .collect();
    let id = if by_disk {
        FindingId::BurstOnly
    } else {
        FindingId::VmBurstOnly
    };
    let (name, prefix) = match subject {
        Subject::Volume(_, volume) => (volume.name.as_str(), ""),
        Subject::All => (context.of_all(), "all volumes at once: "),
    };
    let text = format!("{prefix}only from credit: {}", sentences.join(". "));
    // An OS disk is read at starts and seldom else.
    let severity = match (subject.role(), by_disk) {
        (Role::Os, true) => Severity::Info,
        _ => Severity::Warning,
    };
    let mut finding = Finding::new(id, severity, name, text);
    for (_, axis, plateaus) in falling {
        for plateau in *plateaus {
            finding = finding.figure("rate", rate(plateau, *axis), axis);
            if let Some(seconds) = plateau.lasts_seconds {
                finding = finding.figure("lasts", seconds, "s");
            }
        }
    }
    let instead = match (by_disk, subject) {
        (true, Subject::Volume(index, _)) => provisioned_for(context, index, falling),
        (true, Subject::All) => None,
        (false, _) => Some("a size whose base ceilings are enough".to_owned()),
    };
    let instead = instead.unwrap_or_else(|| "disks provisioned for as much".to_owned());
    // Without the one credit there is the other: what helps takes both.
    let of_vm = |plateau: &Plateau| plateau.ended_by.as_ref().map(|b| b.ceiling.is_some());
    let mut plateaus = falling.iter().flat_map(|(_, _, plateaus)| *plateaus);
    let and = match (
        plateaus.any(|plateau| of_vm(plateau) == Some(by_disk)),
        by_disk,
    ) {
        (false, _) => "",
        (true, true) if instead.contains("on a larger size") => "",
        (true, true) => "; and a size whose base ceilings are enough",
        (true, false) => "; and disks provisioned for as much",
    };
    finding.fix(format!(
        "plan with the last figures, or take {instead}{and}"
    ))
}

/// Disks for the volume at `index` whose provisioned figures are what the present ones do while their credit lasts; where
/// all it gets less than is asked of it, what is asked.
fn provisioned_for(context: &Context<'_>, index: usize, falling: &[Falling<'_>]) -> Option<String> {
    let mut asked = false;
    let mut load = |(workload, axis, plateaus): &Falling<'_>| -> Option<Vec<Io>> {
        let first = plateaus.first()?;
        let rate = rate(first, *axis);
        let mut loads: Vec<Io> = workload.volumes.iter().map(|v| v.io).collect();
        let own = loads.get_mut(index)?;
        own.queue_depth = None;
        // What a disk stops even while its credit lasts needs a disk for more than that.
        let stays_below = matches!(first.bottleneck, Bottleneck::Disk { .. });
        if stays_below && own.demand != Demand::Max {
            asked = true;
            return Some(loads);
        }
        own.demand = match axis {
            Axis::Iops => Demand::Iops(Iops::new(rate).ok()?),
            Axis::Mbps => Demand::Mbps(MBps::new(rate).ok()?),
        };
        Some(loads)
    };
    let loads: Option<Vec<Vec<Io>>> = falling.iter().map(&mut load).collect();
    let (loads, deployment) = (loads?, context.deployment);
    let disks = steady::disks(context.catalog, deployment, &loads, index);
    let count = deployment.volumes[index].members.len();
    let moved = with_members(deployment, index, disks.first()?);
    let larger = loads.iter().find_map(|loads| {
        let system = System::alone(&moved, index, loads);
        let outcome = evaluate(&system, Phase::Sustained).outcomes[0];
        on_larger_size(deployment, &outcome, loads[index].demand)
    });
    let as_much = match asked {
        true => "all that is asked",
        false => "as much",
    };
    Some(format!(
        "{}, provisioned for {as_much}{}",
        any_of(&disks, count),
        larger.unwrap_or_default()
    ))
}

/// The credit whose end lowers the rate most.
fn main_cause<'a>(falling: &[(&'a WorkloadView, Axis, &'a [Plateau])]) -> Option<&'a EmptyBucket> {
    let mut most: Option<(f64, &EmptyBucket)> = None;
    for (_, axis, plateaus) in falling {
        let first = rate(plateaus.first()?, *axis);
        for pair in plateaus.windows(2) {
            let fall = (rate(&pair[0], *axis) - rate(&pair[1], *axis)) / first;
            if let Some(bucket) = &pair[0].ended_by
                && most.is_none_or(|(largest, _)| fall > largest)
            {
                most = Some((fall, bucket));
            }
        }
    }
    most.map(|(_, bucket)| bucket)
}

/// Without the tests of one I/O at a time, where a deeper one falls on the same axis: it says the same, more weightily.
fn heaviest<'a>(
    falling: Vec<(&'a WorkloadView, Axis, &'a [Plateau])>,
) -> Vec<(&'a WorkloadView, Axis, &'a [Plateau])> {
    let shallow = |w: &WorkloadView| {
        let one = |v: &VolumeResult| v.io.queue_depth == Some(QueueDepth::ONE);
        w.volumes.iter().all(one)
    };
    let deep: Vec<Axis> = falling
        .iter()
        .filter(|(w, ..)| !shallow(w))
        .map(|(_, axis, _)| *axis)
        .collect();
    let keeps =
        |(w, axis, _): &(&WorkloadView, Axis, &[Plateau])| !shallow(w) || !deep.contains(axis);
    falling.into_iter().filter(keeps).collect()
}

/// The axis that the load is limited on at first; of a demand that is met, the one in which it is asked.
fn axis_of(plateau: &Plateau, workload: &WorkloadView, subject: Subject<'_>) -> Axis {
    let in_mbps = |result: &VolumeResult| matches!(result.io.demand, Demand::Mbps(_));
    let asked_in_mbps = match subject {
        Subject::Volume(index, _) => workload.volumes.get(index).is_some_and(in_mbps),
        Subject::All => workload.volumes.iter().all(in_mbps),
    };
    plateau.bottleneck.axis().unwrap_or(match asked_in_mbps {
        true => Axis::Mbps,
        false => Axis::Iops,
    })
}

fn rate(plateau: &Plateau, axis: Axis) -> f64 {
    let rate = match axis {
        Axis::Iops => plateau.iops,
        Axis::Mbps => plateau.mbps,
    };
    rate.unwrap_or(0.0)
}

fn falls(plateaus: &[Plateau], axis: Axis) -> bool {
    match (plateaus.first(), plateaus.last()) {
        (Some(first), Some(last)) => rate(last, axis) < rate(first, axis) * (1.0 - NOTICEABLE),
        _ => false,
    }
}

/// `200 MB/s for 30 min (VM uncached MB/s credit), then 48 MB/s; empty credit takes 95 min to fill when idle`.
fn told(axis: Axis, plateaus: &[Plateau]) -> String {
    let decimals = if axis == Axis::Iops { 0 } else { 1 };
    let part = |plateau: &Plateau| {
        let rate = grouped(rate(plateau, axis), decimals);
        match (plateau.lasts_seconds, &plateau.ended_by) {
            (Some(seconds), Some(bucket)) => {
                let whose = bucket.ceiling.map_or_else(
                    || "the disk's".to_owned(),
                    |ceiling| format!("the VM's {}", ceiling.name()),
                );
                format!(
                    "{rate} {axis} for {} ({whose} {} credit)",
                    duration(seconds),
                    bucket.axis
                )
            }
            (Some(seconds), None) => format!("{rate} {axis} for {}", duration(seconds)),
            (None, _) => format!("{rate} {axis}"),
        }
    };
    let parts: Vec<String> = plateaus.iter().map(part).collect();
    let refill = plateaus
        .iter()
        .filter_map(|p| p.ended_by.as_ref()?.refill_seconds)
        .max()
        .map(|seconds| {
            format!(
                "; empty credit takes {} to fill when idle",
                duration(seconds as f64)
            )
        });
    format!("{}{}", parts.join(", then "), refill.unwrap_or_default())
}

/// A volume that gets less when everybody has credit than when nobody has.
fn neighbour(context: &Context<'_>, index: usize) -> Option<Finding> {
    let rate = |o: &Outcome| o.iops.map_or(f64::INFINITY, Iops::get);
    let workloads = context.assessment.workloads.iter();
    let (workload, robbed) = workloads
        .filter_map(|workload| Some((workload, workload.volumes.get(index)?)))
        .find(|(_, r)| {
            rate(&r.together.burst) < rate(&r.together.sustained) * (1.0 - NOTICEABLE)
        })?;
    let (burst, sustained) = (&robbed.together.burst, &robbed.together.sustained);
    // In the unit of the ceiling that is shared.
    let axis = burst.bottleneck.axis().unwrap_or(Axis::Iops);
    let (in_burst, without) = (on(burst, axis)?, on(sustained, axis)?);
    let number = |value: f64| grouped(value, decimals(axis));
    let ceiling = burst.bottleneck.ceiling();
    let text = format!(
        "{}gets {} {axis} at {} an I/O while its neighbours burst, {} when they do not: they take a larger part of the \
         VM's {}ceiling",
        context.prefix(workload),
        number(in_burst),
        robbed.io.block_size,
        number(without),
        ceiling.map_or_else(String::new, |ceiling| format!("{} {axis} ", ceiling.name())),
    );
    let id = FindingId::NeighbourBurst;
    Some(
        Finding::new(id, Severity::Info, &robbed.volume, text)
            .figure("burst", in_burst, axis)
            .figure("sustained", without, axis),
    )
}
