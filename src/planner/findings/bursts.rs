//! Figures that hold only for a while.

use super::{Context, Finding, FindingId, Severity, duration};
use crate::planner::assessment::{BurstNote, VolumeResult};
use crate::planner::evaluate::Outcome;
use crate::units::grouped;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for volume in &context.assessment.volumes {
        let results: Vec<&VolumeResult> = context
            .assessment
            .workloads
            .iter()
            .flat_map(|w| w.volumes.iter().filter(|r| r.volume == volume.name))
            .collect();
        for (vm, id) in [
            (false, FindingId::BurstOnly),
            (true, FindingId::VmBurstOnly),
        ] {
            found.extend(burst_only(&volume.name, &results, vm, id));
        }
        found.extend(neighbour(&volume.name, &results));
    }
    found
}

/// One finding for all axes on which the volume by itself draws on the disk's, or on the VM's, credit.
fn burst_only(name: &str, results: &[&VolumeResult], vm: bool, id: FindingId) -> Option<Finding> {
    let mut drawn: Vec<BurstNote> = Vec::new();
    for note in results
        .iter()
        .flat_map(|r| &r.bursts)
        .filter(|n| n.vm == vm)
    {
        // The heaviest draw on each axis speaks for all.
        match drawn.iter_mut().find(|d| d.span.axis == note.span.axis) {
            Some(known) if known.span.rate < note.span.rate => *known = *note,
            Some(_) => {}
            None => drawn.push(*note),
        }
    }
    if drawn.is_empty() {
        return None;
    }
    let part = |note: &BurstNote| {
        let (span, axis) = (note.span, note.span.axis);
        format!(
            "{} {axis} last {} from full credit, then {} {axis} hold (empty credit takes {} to fill when idle)",
            grouped(span.rate, 1),
            duration(span.lasts_seconds),
            grouped(span.base, 1),
            duration(span.refill_seconds),
        )
    };
    let parts: Vec<String> = drawn.iter().map(part).collect();
    let whose = if vm {
        "the VM's burst"
    } else {
        "the disk's burst"
    };
    let text = format!("only in {whose}: {}", parts.join("; "));
    let mut finding = Finding::new(id, Severity::Warning, name, text);
    for note in drawn {
        let span = note.span;
        finding = finding
            .figure("burst", span.rate, span.axis)
            .figure("base", span.base, span.axis)
            .figure("lasts", span.lasts_seconds, "s")
            .figure("refill", span.refill_seconds, "s");
    }
    let fix = if vm {
        "plan with the sustained figures, or take a size whose base ceiling is enough"
    } else {
        "plan with the sustained figures, or take a larger tier or Premium SSD v2, which do not burst"
    };
    Some(finding.fix(fix))
}

/// A volume that gets less when everybody has credit than when nobody has.
fn neighbour(name: &str, results: &[&VolumeResult]) -> Option<Finding> {
    let rate = |o: &Outcome| o.iops.map_or(f64::INFINITY, crate::units::Iops::get);
    let robbed = results
        .iter()
        .find(|r| rate(&r.together.burst) < rate(&r.together.sustained) * (1.0 - 1e-6))?;
    let (burst, sustained) = (
        rate(&robbed.together.burst),
        rate(&robbed.together.sustained),
    );
    let text = format!(
        "gets {} IOPS while its neighbours burst, {} when they do not: they take a larger part of the VM's ceiling",
        grouped(burst, 0),
        grouped(sustained, 0),
    );
    Some(
        Finding::new(FindingId::NeighbourBurst, Severity::Info, name, text)
            .figure("burst", burst, "IOPS")
            .figure("sustained", sustained, "IOPS"),
    )
}
