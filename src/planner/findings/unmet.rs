//! Volumes that do not get what is asked of them.

use super::queueing::or_faster;
use super::suggest::larger_size;
use super::vm_caps::id_of;
use super::{Context, Finding, FindingId, Severity, duration};
use crate::catalog::Axis;
use crate::deployment::{Deployment, Disk, DiskSpec, Role};
use crate::planner::assess::suffices;
use crate::planner::assessment::{VolumeResult, WorkloadView};
use crate::planner::evaluate::{Bottleneck, Outcome, evaluate};
use crate::planner::latency::queue_depth_to_reach;
use crate::planner::system::{Phase, System};
use crate::planner::timeline::steady;
use crate::units::{Iops, MBps, grouped};
use crate::workload::{Demand, Io};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let volumes = 0..context.assessment.volumes.len();
    volumes.filter_map(|index| worst(context, index)).collect()
}

/// The finding about the volume at `index` under the workload of which it gets the smallest part.
fn worst(context: &Context<'_>, index: usize) -> Option<Finding> {
    let workloads = &context.assessment.workloads;
    let (workload, unmet) = workloads
        .iter()
        .filter_map(|workload| Some((workload, Unmet::of(workload.volumes.get(index)?)?)))
        .min_by(|(_, a), (_, b)| a.share().total_cmp(&b.share()))?;
    let prefix = context.prefix(workload);
    let result = &workload.volumes[index];
    let loads: Vec<Io> = workload.volumes.iter().map(|result| result.io).collect();
    let text = format!("{prefix}{}", unmet.told(context, result, &loads, index));
    // What burst credit meets for a while has its warning there.
    let met_from_credit = unmet.is_met_in(&result.together.burst)
        && steady::met_for(context.deployment, &loads, index).is_some();
    let severity = if met_from_credit {
        Severity::Info
    } else {
        Severity::Warning
    };
    let finding = Finding::new(FindingId::DemandUnmet, severity, &result.volume, text)
        .figure("asked", unmet.asked, unmet.axis)
        .figure("sustained", unmet.gets, unmet.axis);
    Some(finding.fix_if(fix(context, workload, &loads, index)))
}

/// A demand, and what is got of it once credit is used up.
struct Unmet {
    axis: Axis,
    asked: f64,
    gets: f64,
}

impl Unmet {
    /// `None` where nothing is stated or all of it is got, or where nothing is known.
    fn of(result: &VolumeResult) -> Option<Self> {
        let outcome = result.together.sustained;
        let (axis, asked) = match result.io.demand {
            Demand::Max => return None,
            Demand::Iops(iops) => (Axis::Iops, iops.get()),
            Demand::Mbps(mbps) => (Axis::Mbps, mbps.get()),
        };
        let gets = on(&outcome, axis)?;
        (!suffices(gets, asked)).then_some(Self { axis, asked, gets })
    }

    fn share(&self) -> f64 {
        self.gets / self.asked
    }

    fn is_met_in(&self, outcome: &Outcome) -> bool {
        on(outcome, self.axis).is_some_and(|rate| suffices(rate, self.asked))
    }

    fn told(
        &self,
        context: &Context<'_>,
        result: &VolumeResult,
        loads: &[Io],
        index: usize,
    ) -> String {
        let pair = result.together;
        let bound = if pair.sustained.at_most {
            "at most "
        } else {
            ""
        };
        // A share that is nearly all must not read as all.
        let decimals = if self.share() >= 0.99 { 2 } else { 0 };
        let text = format!(
            "{} {} asked, {bound}{} sustained{} ({} %): stopped by {}",
            self.number(self.asked),
            self.axis,
            self.number(self.gets),
            context.with_all(),
            grouped(self.share() * 100.0, decimals),
            pair.sustained.bottleneck,
        );
        let in_burst = on(&pair.burst, self.axis).filter(|burst| *burst > self.gets * 1.01);
        match in_burst {
            Some(burst) if suffices(burst, self.asked) => {
                let lasts = steady::met_for(context.deployment, loads, index);
                let lasts = lasts.map_or_else(String::new, |s| {
                    format!(", for {} from full credit on", duration(s))
                });
                format!("{text}; met only in burst{lasts}")
            }
            Some(burst) => format!("{text}; in burst {}", self.number(burst)),
            None => text,
        }
    }

    fn number(&self, value: f64) -> String {
        number(value, self.axis)
    }
}

fn number(value: f64, axis: Axis) -> String {
    grouped(value, super::vm_caps::decimals(axis))
}

/// What `outcome` is on `axis`.
pub(super) fn on(outcome: &Outcome, axis: Axis) -> Option<f64> {
    match axis {
        Axis::Iops => outcome.iops.map(Iops::get),
        Axis::Mbps => outcome.mbps.map(MBps::get),
    }
}

/// What would meet the demand, where that is known. Of a ceiling of the VM its own finding says it at length.
fn fix(
    context: &Context<'_>,
    workload: &WorkloadView,
    loads: &[Io],
    index: usize,
) -> Option<String> {
    let outcome = workload.volumes[index].together.sustained;
    match outcome.bottleneck {
        Bottleneck::Disk { .. } => other_disks(context, loads, index),
        Bottleneck::QueueDepth => deeper(context, loads, index, outcome.iops?),
        limit => {
            let id = id_of(limit.ceiling()?, limit.axis()?);
            let is_told = context.told.contains(&id);
            is_told.then(|| format!("lift that ceiling of the VM: the fix of {id} names a size"))
        }
    }
}

/// Disks that are enough; beside them what the VM lets through, where that is less.
fn other_disks(context: &Context<'_>, loads: &[Io], index: usize) -> Option<String> {
    let deployment = &context.advised.deployment;
    let disks = steady::disks(context.catalog, deployment, &[loads.to_vec()], index);
    match disks.is_empty() {
        true => wider(context, loads, index).or_else(|| and_deeper(context, loads, index)),
        false => taken(context, &disks, loads, index),
    }
}

/// Disks in place of the members of the volume at `index`, the first as good as any.
fn taken(context: &Context<'_>, disks: &[Disk], loads: &[Io], index: usize) -> Option<String> {
    let deployment = &context.advised.deployment;
    let moved = with_members(deployment, index, disks.first()?);
    let outcome = sustained(&moved, loads, index)?;
    let larger = on_larger_size(context, &outcome, loads[index].demand);
    Some(format!(
        "take {}{}{}",
        any_of(disks, deployment.volumes[index].members.len()),
        context.advised.words(index),
        larger.unwrap_or_default()
    ))
}

/// Disks that are enough with more I/Os outstanding, where none are at the queue depth that there is.
fn and_deeper(context: &Context<'_>, loads: &[Io], index: usize) -> Option<String> {
    let deployment = &context.advised.deployment;
    let deep = without_depth(loads, index);
    let enough = steady::disks(
        context.catalog,
        deployment,
        std::slice::from_ref(&deep),
        index,
    );
    // Of a disk whose latency is not known nobody can say how deep the queue has to be.
    let with_depth = enough.into_iter().filter_map(|disk| {
        let depth = depth_for_all(&with_members(deployment, index, &disk), loads, index)?;
        Some((disk, depth))
    });
    let (disks, depths): (Vec<Disk>, Vec<f64>) = with_depth.unzip();
    let needed = depths.into_iter().reduce(f64::max)?;
    let disks = taken(context, &disks, &deep, index)?;
    Some(format!(
        "{disks}, and keep {} I/Os outstanding",
        grouped(needed.ceil(), 0)
    ))
}

/// How many I/Os have to be outstanding for all that is asked of the volume at `index`; `None` where the queue depth does not
/// stop it, or its latency is not known.
fn depth_for_all(deployment: &Deployment, loads: &[Io], index: usize) -> Option<f64> {
    let io = loads.get(index)?;
    let alone = Deployment {
        vm: None,
        ..deployment.clone()
    };
    let outcome = sustained(&alone, loads, index)?;
    let asked = sustained(&alone, &without_depth(loads, index), index)?;
    let latency = f64::from(io.queue_depth?.get()) / outcome.iops?.get();
    let is_stopped = outcome.bottleneck == Bottleneck::QueueDepth && !outcome.at_most;
    let asked = asked.iops?;
    is_stopped.then(|| queue_depth_to_reach(asked, latency))
}

/// The loads with as many I/Os outstanding on the volume at `index` as it takes.
fn without_depth(loads: &[Io], index: usize) -> Vec<Io> {
    let mut deep = loads.to_vec();
    deep[index].queue_depth = None;
    deep
}

/// The most disks of a stripe that are named where no VM says how many it takes.
const MOST_DISKS: usize = 32;

/// A wider stripe of the same disks, where no others in their place are enough.
fn wider(context: &Context<'_>, loads: &[Io], index: usize) -> Option<String> {
    let deployment = &context.advised.deployment;
    let volume = deployment.volumes.get(index)?;
    let member = volume.members.first()?;
    if volume.role != Role::Data {
        return None;
    }
    let most = deployment.room_for(volume).unwrap_or(MOST_DISKS);
    let count = steady::stripe(deployment, loads, index, most)?;
    let mut moved = deployment.clone();
    moved.volumes[index].members = vec![member.clone(); count];
    let unnamed = Disk {
        spec: DiskSpec {
            name: None,
            count: 1,
            ..member.spec.clone()
        },
        ..member.clone()
    };
    let outcome = sustained(&moved, loads, index)?;
    let larger = on_larger_size(context, &outcome, loads[index].demand);
    Some(format!(
        "take {}{}, a stripe: fewer of them do not do it, nor do others in their place{}",
        any_of(&[unnamed], count),
        context.advised.words(index),
        larger.unwrap_or_default()
    ))
}

/// The deployment with `disk` in place of every member of the volume at `index`.
pub(super) fn with_members(deployment: &Deployment, index: usize, disk: &Disk) -> Deployment {
    let mut moved = deployment.clone();
    for member in &mut moved.volumes[index].members {
        *member = disk.clone();
    }
    moved
}

/// That disks which are enough need a larger size, where the present one stops them at `outcome`, as the end of a sentence.
pub(super) fn on_larger_size(
    context: &Context<'_>,
    outcome: &Outcome,
    demand: Demand,
) -> Option<String> {
    let vm = context.deployment.vm.as_ref()?;
    let axis = match (outcome.bottleneck, demand) {
        (Bottleneck::Demand, _) => return None,
        (_, Demand::Mbps(_)) => Axis::Mbps,
        _ => Axis::Iops,
    };
    let lets = number(on(outcome, axis)?, axis);
    Some(format!(
        ", on {}: {} lets {lets} {axis} of it through",
        larger_size(context),
        vm.name
    ))
}

/// Disks to choose from, each `count` times: `2xP40 or 2xv2:size=1024,iops=5000,mbps=200`.
pub(super) fn any_of(disks: &[Disk], count: usize) -> String {
    let words = |disk: &Disk| match count {
        1 => disk.spec.to_string(),
        _ => format!("{count}x{}", disk.spec),
    };
    let all: Vec<String> = disks.iter().map(words).collect();
    all.join(" or ")
}

/// How many I/Os have to be outstanding; where that is not all that is missing, disks that are enough then, or else what stops
/// the volume.
fn deeper(context: &Context<'_>, loads: &[Io], index: usize, rate: Iops) -> Option<String> {
    let io = loads.get(index)?;
    let latency = f64::from(io.queue_depth?.get()) / rate.get();
    let outcome = sustained(context.deployment, &without_depth(loads, index), index)?;
    if let Bottleneck::Disk { .. } = outcome.bottleneck
        && let Some(disks) = other_disks(context, loads, index)
    {
        return Some(disks);
    }
    let needed = grouped(queue_depth_to_reach(outcome.iops?, latency).ceil(), 0);
    let keep = format!(
        "keep {needed} I/Os outstanding{}",
        or_faster(io.queue_depth?, outcome.iops?)
    );
    Some(match outcome.bottleneck {
        Bottleneck::Demand => keep,
        limit => format!(
            "{keep}; then {limit} stops it at {} IOPS",
            grouped(outcome.iops?.get(), 0)
        ),
    })
}

/// What the volume at `index` gets with all volumes at work, credit used up.
fn sustained(deployment: &Deployment, loads: &[Io], index: usize) -> Option<Outcome> {
    let system = System::new(deployment, loads);
    let flow = system.flows.iter().position(|flow| flow.volume == index)?;
    Some(evaluate(&system, Phase::Sustained).outcomes[flow])
}
