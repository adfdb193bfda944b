//! Queue depth and block size.

use super::{Context, Finding, FindingId, Severity};
use crate::catalog::Axis;
use crate::planner::assessment::{VolumeResult, VolumeView, WorkloadView, crossing_block};
use crate::planner::evaluate::{Bottleneck, Outcome, evaluate};
use crate::planner::latency::queue_depth_to_reach;
use crate::planner::system::{Phase, System};
use crate::units::{BlockSize, Iops, QueueDepth, grouped};
use crate::workload::{Demand, Workload};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let standard: Vec<String> = Workload::standard_set(0)
        .into_iter()
        .map(|w| w.name)
        .collect();
    for workload in &context.assessment.workloads {
        // The standard tests are meant to sit on their bound: that is no finding.
        let meant = standard.contains(&workload.name);
        for (index, result) in workload.volumes.iter().enumerate() {
            let volume = &context.assessment.volumes[index];
            if !meant {
                found.extend(too_shallow(context, workload, index, result));
                found.extend(throughput_bound(context, volume, workload, result));
            }
        }
    }
    found.extend(large_io(context, &standard));
    found
}

fn too_shallow(
    context: &Context<'_>,
    workload: &WorkloadView,
    index: usize,
    result: &VolumeResult,
) -> Option<Finding> {
    let bound = result.alone.sustained;
    if bound.bottleneck != Bottleneck::QueueDepth {
        return None;
    }
    let depth = result.io.queue_depth?.get();
    let reachable = without_depth(context, workload, index);
    let (rate, cap) = (bound.iops?, reachable.iops?);
    let latency = f64::from(depth) / rate.get();
    let needed = queue_depth_to_reach(cap, latency);
    let members = context.assessment.volumes[index].members;
    let each = if members > 1 {
        format!(
            " ({} for each of its {members} disks)",
            grouped(needed / members as f64, 1)
        )
    } else {
        String::new()
    };
    let text = format!(
        "{}queue depth {depth} at {} us an I/O makes {rate} of {cap} IOPS",
        context.prefix(workload),
        grouped(latency * 1e6, 0),
    );
    let goal = match reachable.bottleneck {
        Bottleneck::Demand => "get all that is asked".to_owned(),
        limit => format!("reach {limit} ({cap})"),
    };
    let id = FindingId::QueueDepth;
    Some(
        Finding::new(id, severity(result.io.queue_depth), &result.volume, text)
            .figure("queue_depth", f64::from(depth), "I/Os")
            .figure("reached", rate.get(), "IOPS")
            .figure("limit", cap.get(), "IOPS")
            .figure("queue_depth_needed", needed, "I/Os")
            .fix(format!(
                "keep {} I/Os outstanding{each} at that latency to {goal}{}",
                grouped(needed.ceil(), 0),
                or_faster(result.io.queue_depth?, cap),
            )),
    )
}

/// The latency at which `depth` outstanding I/Os reach `rate`, as the other way out of a queue depth that is too small.
pub(in crate::planner) fn or_faster(depth: QueueDepth, rate: Iops) -> String {
    let most = f64::from(depth.get()) / rate.get();
    format!(
        ", or use a disk that answers within {} us",
        grouped((most * 1e6).floor(), 0)
    )
}

/// How much it weighs that a queue depth is what stops a volume. One at a time is what such a workload is: worth knowing,
/// not a mistake.
pub(in crate::planner) fn severity(depth: Option<QueueDepth>) -> Severity {
    match depth {
        Some(QueueDepth::ONE) => Severity::Info,
        _ => Severity::Warning,
    }
}

/// The volume by itself, with as many outstanding I/Os as it takes.
fn without_depth(context: &Context<'_>, workload: &WorkloadView, index: usize) -> Outcome {
    let mut loads: Vec<_> = workload.volumes.iter().map(|r| r.io).collect();
    loads[index].queue_depth = None;
    let system = System::alone(context.deployment, index, &loads);
    evaluate(&system, Phase::Sustained).outcomes[0]
}

fn throughput_bound(
    context: &Context<'_>,
    volume: &VolumeView,
    workload: &WorkloadView,
    result: &VolumeResult,
) -> Option<Finding> {
    let outcome = result.alone.sustained;
    // Who asks for MB/s is not short of IOPS.
    let asks_mbps = matches!(result.io.demand, Demand::Mbps(_));
    if outcome.bottleneck.axis() != Some(Axis::Mbps) || asks_mbps {
        return None;
    }
    let fix = match outcome.bottleneck.is_vm() {
        true => "read and write smaller blocks where IOPS matter, or lift that ceiling of the VM",
        false => "read and write smaller blocks where IOPS matter, or provision more MB/s",
    };
    let (block, iops) = (result.io.block_size, outcome.iops?);
    let crossing = crossing_block(volume.provisioned)?;
    let mut text = format!(
        "{}at {block} {} binds before IOPS: {iops} IOPS",
        context.prefix(workload),
        outcome.bottleneck,
    );
    // Below a sector there are no I/Os.
    if block.bytes_f64() > crossing && crossing >= BlockSize::SECTOR as f64 {
        text.push_str(&format!(
            "; the disk's own limits cross at {} KiB",
            grouped(crossing / 1024.0, 1)
        ));
    }
    Some(
        Finding::new(
            FindingId::BlockSizeMbps,
            Severity::Info,
            &result.volume,
            text,
        )
        .figure("block_size", block.bytes_f64(), "B")
        .figure("crossing_block_size", crossing, "B")
        .figure("iops", iops.get(), "IOPS")
        .fix(fix),
    )
}

/// Volumes whose I/Os count several times, where that is what stops them.
fn large_io(context: &Context<'_>, standard: &[String]) -> Vec<Finding> {
    let mut found = Vec::new();
    for workload in &context.assessment.workloads {
        if standard.contains(&workload.name) {
            continue;
        }
        for index in 0..workload.volumes.len() {
            found.extend(counted_several_times(context, workload, index));
        }
    }
    found
}

fn counted_several_times(
    context: &Context<'_>,
    workload: &WorkloadView,
    index: usize,
) -> Option<Finding> {
    let result = &workload.volumes[index];
    let outcome = result.alone.sustained;
    let members = &context.deployment.volumes[index].members;
    let unit = members.iter().find_map(|d| d.model.accounting_unit)?;
    let block = result.io.block_size;
    let times = block.units_of(unit);
    let limit = (outcome.bottleneck, outcome.bottleneck.axis());
    if times <= 1 || !matches!(limit, (Bottleneck::Disk { .. }, Some(Axis::Iops))) {
        return None;
    }
    let makes = outcome.iops.map_or_else(String::new, |iops| {
        let mbps = iops.throughput(block);
        format!(": {iops} I/Os a second, {mbps} MB/s")
    });
    let text = format!(
        "{}an I/O of {block} counts as {times} against the disk's IOPS limit{makes}",
        context.prefix(workload),
    );
    let is_whole = block.bytes_f64() == times as f64 * unit.bytes_f64();
    let in_units = || {
        let mbps = with_blocks(context, workload, index, unit).mbps?;
        Some(format!(
            "use I/Os of {unit}, or a multiple of that: they make {mbps} MB/s"
        ))
    };
    let fix = match is_whole {
        true => Some("provision more IOPS: smaller I/Os make no more MB/s".to_owned()),
        false => in_units(),
    };
    let finding = Finding::new(FindingId::LargeIo, Severity::Info, &result.volume, text);
    Some(
        finding
            .figure("counts_as", times as f64, "I/Os")
            .fix_if(fix),
    )
}

/// The volume by itself with I/Os of `block`, and as much of them as it gets.
fn with_blocks(
    context: &Context<'_>,
    workload: &WorkloadView,
    index: usize,
    block: BlockSize,
) -> Outcome {
    let mut loads: Vec<_> = workload.volumes.iter().map(|r| r.io).collect();
    loads[index].block_size = block;
    loads[index].demand = Demand::Max;
    let system = System::alone(context.deployment, index, &loads);
    evaluate(&system, Phase::Sustained).outcomes[0]
}
