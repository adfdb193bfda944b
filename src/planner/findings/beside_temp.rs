//! Cached disks beside a temp disk: both pass the cached ceiling.

use super::unmet::on;
use super::vm_caps::{decimals, exceeds, id, workload_of};
use super::{Context, Finding, Severity};
use crate::catalog::{Axis, Lane, VmSize};
use crate::deployment::Volume;
use crate::planner::assessment::{CeilingName, CeilingUse, VolumeResult};
use crate::planner::system::Phase;
use crate::units::grouped;

/// What the temp disks get of the cached ceiling of `row`, which they share with what is cached: their names and how much.
fn of_temp<'a>(
    context: &'a Context<'_>,
    row: &CeilingUse,
    phase: Phase,
) -> Option<(Vec<&'a str>, f64)> {
    let is_temp = |volume: &&Volume| volume.members.iter().all(|d| d.model.lane == Lane::Temp);
    let of_row = workload_of(context, row).filter(|_| row.ceiling == CeilingName::Cached)?;
    let temp: Vec<(&str, f64)> = (context.deployment.volumes.iter().filter(is_temp))
        .filter_map(|volume| {
            let result = of_row.volumes.iter().find(|r| r.volume == volume.name)?;
            Some((
                volume.name.as_str(),
                on(result.together.at(phase), row.axis)?,
            ))
        })
        .filter(|(_, rate)| *rate > 0.0)
        .collect();
    let rate = temp.iter().map(|(_, rate)| rate).sum();
    let names: Vec<&str> = temp.into_iter().map(|(name, _)| name).collect();
    (!names.is_empty()).then_some((names, rate))
}

/// That a temp disk takes its part of the cached ceiling of `row`, as the end of a sentence; nothing where none does.
pub(super) fn shared_with_temp(context: &Context<'_>, row: &CeilingUse, phase: Phase) -> String {
    of_temp(context, row, phase).map_or_else(String::new, |(names, rate)| {
        format!(
            "; the temp disk shares it, and {} gets {} {} of it",
            names.join(", "),
            grouped(rate, decimals(row.axis)),
            row.axis
        )
    })
}

/// What cached disks get that the ceiling of `row` stops, sustained, though it has room for them (`data gets 19,000 of
/// 25,000 IOPS`), and the temp disks that take the rest.
pub(super) fn held<'a>(
    context: &'a Context<'_>,
    row: &CeilingUse,
) -> Option<(String, Vec<&'a str>)> {
    let (temp, _) = of_temp(context, row, Phase::Sustained)?;
    let is_held = |result: &&VolumeResult| {
        let stopped = result.together.sustained.bottleneck;
        !temp.contains(&result.volume.as_str())
            && stopped.ceiling() == Some(row.ceiling)
            && stopped.axis() == Some(row.axis)
    };
    let number = |value: f64| grouped(value, decimals(row.axis));
    let told = |result: &VolumeResult| {
        let gets = on(&result.together.sustained, row.axis)?;
        let alone = on(&result.alone.sustained, row.axis)?;
        let (name, axis) = (&result.volume, row.axis);
        exceeds(Some(alone), gets)
            .then(|| format!("{name} gets {} of {} {axis}", number(gets), number(alone)))
    };
    let results = workload_of(context, row)?.volumes.iter();
    let told: Vec<String> = results.filter(is_held).filter_map(told).collect();
    (!told.is_empty()).then(|| (told.join(", "), temp))
}

/// Cached disks that the cached ceiling has room for, and that get less of it beside a temp disk that takes all it gets.
pub(super) fn beside_temp(context: &Context<'_>, vm: &VmSize, row: &CeilingUse) -> Option<Finding> {
    let capacity = row.capacity.filter(|_| row.is_full())?;
    let (held, temp) = held(context, row)?;
    let text = format!(
        "{}{held}: the temp disk ({}) shares the {} ceiling of {} {} and takes all it gets",
        context.prefix(workload_of(context, row)?),
        temp.join(", "),
        row.ceiling.name(),
        grouped(capacity, decimals(row.axis)),
        row.axis,
    );
    let demand = match row.axis {
        Axis::Iops => ("iops", 1000),
        Axis::Mbps => ("mbps", 100),
    };
    let fix = format!(
        "say what is asked of the temp disk, such as --{} {}={}: it takes no more then; or plan with these figures",
        demand.0,
        temp.first()?,
        demand.1,
    );
    let finding = Finding::new(id(row), Severity::Info, &vm.name, text);
    Some(finding.figure("capacity", capacity, row.axis).fix(fix))
}
