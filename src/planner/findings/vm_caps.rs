//! Where the VM's ceilings hold the disks back.

use super::beside_temp::{beside_temp, held, shared_with_temp};
use super::lifting::Lifting;
use super::suggest::{Need, Prices, goes_too, is_no_smaller, lifts, size_with, smallest_in_series};
use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Axis, VmSize};
use crate::planner::Bottleneck;
use crate::planner::assess::holds_back;
use crate::planner::assessment::{CeilingName, CeilingUse, VolumeResult, WorkloadView};
use crate::planner::system::Phase;
use crate::units::{Share, grouped};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let Some(vm) = &context.deployment.vm else {
        return Vec::new();
    };
    let rows = heaviest(context);
    let lifting = Lifting::smallest(context, vm, &rows);
    let mut found: Vec<Finding> = Vec::new();
    for row in &rows {
        let mut told = found.iter().filter(|of| of.severity == Severity::Warning);
        let first = told.find(|of| of.fix.is_some() && row_of(of, &rows).is_some());
        let first = first.map(|finding| finding.id);
        found.extend(finding(context, vm, row, (&lifting, first)));
    }
    found
}

/// Once there are prices: names the cheapest sizes in place of the smallest.
pub(super) fn name_cheapest(context: &Context<'_>, prices: Prices<'_>, found: &mut [Finding]) {
    let Some(vm) = &context.deployment.vm else {
        return;
    };
    let rows = heaviest(context);
    let held = found
        .iter_mut()
        .filter(|of| of.severity == Severity::Warning);
    let mut fixes = held
        .filter_map(|finding| Some((row_of(finding, &rows)?, finding.fix.as_mut()?)))
        .peekable();
    // Looking through all sizes is for a cap that was met.
    if fixes.peek().is_none() {
        return;
    }
    let lifting = Lifting::cheapest(context, vm, &rows, prices);
    let mut first = None;
    for (row, words) in fixes {
        *words = lifting.fix(row, first);
        first = first.or(Some(id(row)));
    }
}

/// The row that `finding` is about; `None` where only a part of what is asked of it is known: no size lifts that for sure.
fn row_of<'a>(finding: &Finding, rows: &'a [CeilingUse]) -> Option<&'a CeilingUse> {
    let mut known = rows.iter().filter(|row| row.asked.sustained.is_some());
    known.find(|row| id(row) == finding.id)
}

/// For each ceiling and axis, the row of the workload that asks most of it, as far as that is known.
fn heaviest(context: &Context<'_>) -> Vec<CeilingUse> {
    let asked = |row: &CeilingUse| {
        row.known_asked(Phase::Sustained)
            .or_else(|| row.known_asked(Phase::Burst))
            .unwrap_or(f64::NEG_INFINITY)
    };
    let mut heaviest: Vec<CeilingUse> = Vec::new();
    for row in context
        .assessment
        .workloads
        .iter()
        .flat_map(|w| &w.ceilings)
    {
        let same = |r: &&mut CeilingUse| r.ceiling == row.ceiling && r.axis == row.axis;
        match heaviest.iter_mut().find(same) {
            Some(known) if asked(row) > asked(known) => *known = *row,
            Some(_) => {}
            None => heaviest.push(*row),
        }
    }
    heaviest
}

pub(super) const fn id(row: &CeilingUse) -> FindingId {
    id_of(row.ceiling, row.axis)
}

/// The finding about a ceiling that holds disks back.
pub(super) const fn id_of(ceiling: CeilingName, axis: Axis) -> FindingId {
    match (ceiling, axis) {
        (CeilingName::Uncached, Axis::Iops) => FindingId::VmUncachedIops,
        (CeilingName::Uncached, Axis::Mbps) => FindingId::VmUncachedMbps,
        (CeilingName::Remote, Axis::Iops) => FindingId::VmRemoteIops,
        (CeilingName::Remote, Axis::Mbps) => FindingId::VmRemoteMbps,
        (CeilingName::Cached, Axis::Iops) => FindingId::VmCachedIops,
        (CeilingName::Cached, Axis::Mbps) => FindingId::VmCachedMbps,
    }
}

/// Decimals that people see: whole I/Os, tenths of a MB/s.
pub(super) const fn decimals(axis: Axis) -> usize {
    match axis {
        Axis::Iops => 0,
        Axis::Mbps => 1,
    }
}

/// Less than this part above a capacity is not worth a larger size.
const NOTICEABLE: f64 = 0.01;

/// Noticeably above.
pub(super) fn exceeds(asked: Option<f64>, capacity: f64) -> bool {
    asked.is_some_and(|a| a > capacity * (1.0 + NOTICEABLE))
}

fn finding(
    context: &Context<'_>,
    vm: &VmSize,
    row: &CeilingUse,
    (lifting, first): (&Lifting<'_>, Option<FindingId>),
) -> Option<Finding> {
    let capacity = row.capacity?;
    let in_burst = row.burst_capacity.unwrap_or(capacity);
    let axis = row.axis;
    let number = |v: f64| grouped(v, decimals(axis));
    let listed = row
        .listed
        .map_or_else(String::new, |l| format!(" (listed as {})", number(l)));
    let holds_back = |phase| {
        let workload = workload_of(context, row);
        workload.is_none_or(|of_row| holds_back(context.deployment, of_row, row, phase))
    };
    let (of_sustained, of_burst) = (
        row.known_asked(Phase::Sustained),
        row.known_asked(Phase::Burst),
    );
    let sustained =
        exceeds(of_sustained, capacity) && row.is_full() && holds_back(Phase::Sustained);
    let burst = exceeds(of_burst, in_burst) && row.is_full_in_burst() && holds_back(Phase::Burst);
    if !sustained && !burst {
        return of_hits(context, vm, row, &listed).or_else(|| beside_temp(context, vm, row));
    }
    let several = context.deployment.volumes.len() > 1;
    let together = if several { " together" } else { "" };
    let (severity, asked, text) = if sustained {
        let asked = of_sustained?;
        let burst = row.burst_capacity.map_or_else(String::new, |b| {
            format!(", {} while its burst credit lasts", number(b))
        });
        let text = format!(
            "{} could draw {} {axis}{together}; {} lets {}{listed} through its {} ceiling{burst}{}",
            whose(row.asked.sustained),
            number(asked),
            vm.name,
            number(capacity),
            row.ceiling.name(),
            shared_with_temp(context, row, Phase::Sustained),
        );
        (Severity::Warning, asked, text)
    } else {
        let asked = of_burst?;
        let text = format!(
            "in burst {} could draw {} {axis}{together}; {} lets {} through its {} ceiling{}{}",
            whose(row.asked.burst),
            number(asked),
            vm.name,
            number(in_burst),
            row.ceiling.name(),
            shared_with_temp(context, row, Phase::Burst),
            once_sustained(context, row, capacity),
        );
        (Severity::Info, asked, text)
    };
    let mut finding = Finding::new(id(row), severity, &vm.name, text)
        .figure("asked", asked, axis)
        .figure("capacity", capacity, axis);
    if let Some(burst) = row.burst_capacity {
        finding = finding.figure("burst_capacity", burst, axis);
    }
    Some(finding.fix_if(sustained.then(|| match row.asked.sustained {
        Some(_) => lifting.fix(row, first),
        None => learn_first(context, row, asked),
    })))
}

/// The disks that draw `asked`: those whose limits are known, where some are not.
const fn whose(asked: Option<f64>) -> &'static str {
    match asked {
        Some(_) => "the disks",
        None => "the disks whose limits are known",
    }
}

/// What to do where only a part of what is asked is known: no size is enough for sure.
fn learn_first(context: &Context<'_>, row: &CeilingUse, at_least: f64) -> String {
    let volumes = context.deployment.volumes.iter();
    let unknown = volumes.filter(|volume| context.has_unknown_limit(&volume.name));
    let names: Vec<&str> = unknown.map(|volume| volume.name.as_str()).collect();
    format!(
        "first learn the limits of {} (see {}): until then no size is enough for sure; it takes at least {} {} {}",
        names.join(", "),
        FindingId::UnknownCap,
        grouped(at_least, decimals(row.axis)),
        row.ceiling.name(),
        row.axis,
    )
}

/// Volumes of which every read hits the host cache draw as much as the cached ceiling lets through, whatever it is: no size
/// lifts it, a larger one raises it.
fn of_hits(context: &Context<'_>, vm: &VmSize, row: &CeilingUse, listed: &str) -> Option<Finding> {
    let capacity = row.capacity.filter(|_| row.is_full())?;
    let of_row = workload_of(context, row)?;
    let is_hit = |result: &&VolumeResult| {
        let load = result.load();
        let all = load.hit_share == Share::ALL && load.read_share == Share::ALL;
        let stopped = result.together.sustained.bottleneck;
        all && matches!(stopped, Bottleneck::VmCached { axis, .. } if axis == row.axis)
    };
    let names: Vec<&str> = (of_row.volumes.iter().filter(is_hit))
        .map(|result| result.volume.as_str())
        .collect();
    if names.is_empty() {
        return None;
    }
    let number = |value: f64| grouped(value, decimals(row.axis));
    let text = format!(
        "every read of {} hits the host cache, and nothing but the {} ceiling bounds it: {}{listed} {} on {}, whatever the \
         disks can do{}",
        names.join(", "),
        row.ceiling.name(),
        number(capacity),
        row.axis,
        vm.name,
        shared_with_temp(context, row, Phase::Sustained),
    );
    let need = Need {
        ceiling: row.ceiling,
        axis: row.axis,
        amount: capacity * (1.0 + NOTICEABLE),
    };
    let disks = context.deployment.data_disks();
    let larger = smallest_in_series(context.catalog, context.deployment, vm, |v| {
        lifts(v, &[need], disks) && is_no_smaller(vm, v)
    });
    let fix = larger.and_then(|size| {
        let raised = size.cached.base.on(row.axis)?;
        Some(format!(
            "only a larger size makes more, such as {}{}; faster disks or more of them do not",
            size_with(
                size,
                &format!("{} {} {}", number(raised), row.ceiling.name(), row.axis)
            ),
            goes_too(size),
        ))
    });
    let finding = Finding::new(id(row), Severity::Info, &vm.name, text);
    Some(finding.figure("capacity", capacity, row.axis).fix_if(fix))
}

/// What becomes of a ceiling that is met in burst alone once all credit is used up: what is asked of it fits, or another
/// ceiling lets less through, so that it is never full.
fn once_sustained(context: &Context<'_>, row: &CeilingUse, capacity: f64) -> String {
    if exceeds(row.known_asked(Phase::Sustained), capacity) {
        return stopped_first(context, row);
    }
    if row.asked.sustained.is_none() {
        return String::new();
    }
    match held(context, row) {
        Some((held, temp)) => format!(". Sustained {held} beside {}", temp.join(", ")),
        None => ". Sustained they fit".to_owned(),
    }
}

/// What stops the disks sustained before the ceiling of `row`.
fn stopped_first(context: &Context<'_>, row: &CeilingUse) -> String {
    match first_full(context, row) {
        Some(first) if first.axis == row.axis => {
            format!(
                ". Sustained the {} ceiling stops them first",
                first.ceiling.name()
            )
        }
        Some(first) => format!(
            ". Sustained the {} {} ceiling stops them first",
            first.ceiling.name(),
            first.axis
        ),
        None => ". Sustained other limits stop them first".to_owned(),
    }
}

/// The workload of which `row` is.
pub(super) fn workload_of<'a>(
    context: &'a Context<'_>,
    row: &CeilingUse,
) -> Option<&'a WorkloadView> {
    let mut workloads = context.assessment.workloads.iter();
    workloads.find(|workload| workload.ceilings.contains(row))
}

/// The ceiling that is full with all credit used up under the workload of `row`; one on its axis if there is one.
fn first_full<'a>(context: &'a Context<'_>, row: &CeilingUse) -> Option<&'a CeilingUse> {
    let full = workload_of(context, row)?
        .ceilings
        .iter()
        .filter(|other| other.is_full());
    full.filter(|other| other.used.sustained.is_some())
        .min_by_key(|other| other.axis != row.axis)
}
