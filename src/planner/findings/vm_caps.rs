//! Where the VM's ceilings hold the disks back.

use super::suggest::{Need, Prices, cheapest_in_series, lifts, smallest_in_series};
use super::{Context, Finding, FindingId, Severity, elsewhere};
use crate::catalog::{Axis, VmSize};
use crate::planner::assessment::{CeilingName, CeilingUse};
use crate::units::grouped;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let Some(vm) = &context.deployment.vm else {
        return Vec::new();
    };
    let rows = heaviest(context);
    let lifting = Lifting::smallest(context, vm, &needs(&rows));
    rows.iter()
        .filter_map(|row| finding(context, vm, row, &lifting))
        .collect()
}

/// Once there are prices: names the cheapest sizes in place of the smallest.
pub(super) fn name_cheapest(context: &Context<'_>, prices: Prices<'_>, found: &mut [Finding]) {
    let Some(vm) = &context.deployment.vm else {
        return;
    };
    let rows = heaviest(context);
    let of = |finding: &Finding| rows.iter().find(|row| id(row) == finding.id);
    let mut fixes = (found.iter_mut())
        .filter_map(|finding| Some((of(finding)?, finding.fix.as_mut()?)))
        .peekable();
    // Looking through all sizes is for a cap that was met.
    if fixes.peek().is_none() {
        return;
    }
    let lifting = Lifting::cheapest(context, vm, &needs(&rows), prices);
    for (row, words) in fixes {
        *words = fix(context, vm, row, &lifting);
    }
}

/// What a larger size has to let through.
fn needs(rows: &[CeilingUse]) -> Vec<Need> {
    rows.iter()
        .filter_map(|row| {
            Some(Need {
                ceiling: row.ceiling,
                axis: row.axis,
                amount: row.asked.sustained?,
            })
        })
        .filter(|need| need.amount > 0.0)
        .collect()
}

/// The sizes that lift every cap.
struct Lifting<'a> {
    in_series: Option<&'a VmSize>,
    /// Another one that is cheaper, or the only one.
    elsewhere: Option<&'a VmSize>,
    prices: Option<Prices<'a>>,
}

impl<'a> Lifting<'a> {
    fn smallest(context: &Context<'a>, vm: &VmSize, needs: &[Need]) -> Self {
        let disks = context.deployment.data_disks();
        Self {
            in_series: smallest_in_series(context.catalog, vm, |v| lifts(v, needs, disks)),
            elsewhere: None,
            prices: None,
        }
    }

    /// The cheapest ones; the smallest of the series where none of it has a price.
    fn cheapest(context: &Context<'a>, vm: &VmSize, needs: &[Need], prices: Prices<'a>) -> Self {
        let disks = context.deployment.data_disks();
        let holds = |v: &&VmSize| lifts(v, needs, disks);
        let in_series = cheapest_in_series(context.catalog, vm, prices, holds);
        let cheaper = |other: &&VmSize| {
            let most = in_series.and_then(|size| prices.hour(size));
            most.is_none_or(|most| prices.hour(other).is_some_and(|hour| hour < most))
        };
        let elsewhere = elsewhere::cheapest(context, vm, prices).filter(cheaper);
        match in_series {
            Some(_) => Self {
                in_series,
                elsewhere,
                prices: Some(prices),
            },
            None => Self {
                elsewhere,
                prices: elsewhere.map(|_| prices),
                ..Self::smallest(context, vm, needs)
            },
        }
    }

    /// What `size` costs more than `vm`, as the end of a sentence; nothing without prices.
    fn cost(&self, vm: &VmSize, size: &VmSize) -> String {
        let difference = self.prices.and_then(|prices| prices.difference(vm, size));
        difference.map_or_else(String::new, |difference| format!(", {difference}"))
    }
}

/// For each ceiling and axis, the row of the workload that asks most of it, as far as that is known.
fn heaviest(context: &Context<'_>) -> Vec<CeilingUse> {
    let asked = |row: &CeilingUse| {
        row.asked
            .sustained
            .or(row.asked.burst)
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

const fn id(row: &CeilingUse) -> FindingId {
    match (row.ceiling, row.axis) {
        (CeilingName::Uncached, Axis::Iops) => FindingId::VmUncachedIops,
        (CeilingName::Uncached, Axis::Mbps) => FindingId::VmUncachedMbps,
        (CeilingName::Remote, Axis::Iops) => FindingId::VmRemoteIops,
        (CeilingName::Remote, Axis::Mbps) => FindingId::VmRemoteMbps,
        (CeilingName::Cached, Axis::Iops) => FindingId::VmCachedIops,
        (CeilingName::Cached, Axis::Mbps) => FindingId::VmCachedMbps,
    }
}

/// Decimals that people see: whole I/Os, tenths of a MB/s.
const fn decimals(axis: Axis) -> usize {
    match axis {
        Axis::Iops => 0,
        Axis::Mbps => 1,
    }
}

/// Less than this part above a capacity is not worth a larger size.
const NOTICEABLE: f64 = 0.01;

/// Noticeably above.
fn exceeds(asked: Option<f64>, capacity: f64) -> bool {
    asked.is_some_and(|a| a > capacity * (1.0 + NOTICEABLE))
}

fn finding(
    context: &Context<'_>,
    vm: &VmSize,
    row: &CeilingUse,
    lifting: &Lifting<'_>,
) -> Option<Finding> {
    let capacity = row.capacity?;
    let in_burst = row.burst_capacity.unwrap_or(capacity);
    let axis = row.axis;
    let number = |v: f64| grouped(v, decimals(axis));
    let listed = row
        .listed
        .map_or_else(String::new, |l| format!(" (listed as {})", number(l)));
    let sustained = exceeds(row.asked.sustained, capacity) && row.is_full();
    let burst = exceeds(row.asked.burst, in_burst) && row.is_full_in_burst();
    if !sustained && !burst {
        return None;
    }
    let several = context.deployment.volumes.len() > 1;
    let together = if several { " together" } else { "" };
    let (severity, asked, text) = if sustained {
        let asked = row.asked.sustained?;
        let burst = row.burst_capacity.map_or_else(String::new, |b| {
            format!(", {} while its burst credit lasts", number(b))
        });
        let text = format!(
            "the disks could draw {} {axis}{together}; {} lets {}{listed} through its {} ceiling{burst}",
            number(asked),
            vm.name,
            number(capacity),
            row.ceiling.name(),
        );
        (Severity::Warning, asked, text)
    } else {
        let asked = row.asked.burst?;
        let text = format!(
            "in burst the disks could draw {} {axis}{together}; {} lets {} through its {} ceiling. Sustained they fit",
            number(asked),
            vm.name,
            number(in_burst),
            row.ceiling.name(),
        );
        (Severity::Info, asked, text)
    };
    let mut finding = Finding::new(id(row), severity, &vm.name, text)
        .figure("asked", asked, axis)
        .figure("capacity", capacity, axis);
    if let Some(burst) = row.burst_capacity {
        finding = finding.figure("burst_capacity", burst, axis);
    }
    Some(finding.fix_if(sustained.then(|| fix(context, vm, row, lifting))))
}

fn fix(context: &Context<'_>, vm: &VmSize, row: &CeilingUse, lifting: &Lifting<'_>) -> String {
    let own = match lifting.in_series {
        Some(size) => {
            let priced = lifting
                .prices
                .is_some_and(|prices| prices.hour(size).is_some());
            format!(
                "{} is the {} {} size that lifts every cap met here ({}){}",
                size.name,
                if priced { "cheapest" } else { "smallest" },
                size.series,
                capacity_words(size, row),
                lifting.cost(vm, size),
            )
        }
        None => none_in_series(context, vm, row),
    };
    let Some(size) = lifting.elsewhere else {
        return own;
    };
    let local = match (has_local_disk(vm), has_local_disk(size)) {
        (true, false) => ", without a local disk",
        _ => "",
    };
    format!(
        "{own}; of all sizes that take what is deployed {} is the cheapest that does ({}){}{local}",
        size.name,
        capacity_words(size, row),
        lifting.cost(vm, size),
    )
}

const fn has_local_disk(vm: &VmSize) -> bool {
    vm.temp.is_some() || vm.nvme.is_some()
}

fn none_in_series(context: &Context<'_>, vm: &VmSize, row: &CeilingUse) -> String {
    let series = &vm.series;
    let other = |v: &&VmSize| v.parent.is_none() && v.name != vm.name;
    let what = if smallest_in_series(context.catalog, vm, other).is_none() {
        format!("no other {series} size is known")
    } else {
        let asked = grouped(row.asked.sustained.unwrap_or_default(), 0);
        format!(
            "no {series} size lets all of it through ({asked} {} here)",
            row.axis
        )
    };
    format!("{what}: look for another series, or provision less")
}

/// What `size` lets through where `row` is: `384 uncached MB/s`.
fn capacity_words(size: &VmSize, row: &CeilingUse) -> String {
    let ceiling = match row.ceiling {
        CeilingName::Uncached => size.uncached,
        CeilingName::Remote => *size.remote_ceiling(),
        CeilingName::Cached => size.cached,
    };
    let capacity = ceiling.base.on(row.axis).unwrap_or_default();
    format!(
        "{} {} {}",
        grouped(capacity, decimals(row.axis)),
        row.ceiling.name(),
        row.axis,
    )
}
