//! Which sizes lift every cap that a deployment meets, and how a fix names them.

use super::suggest::{Need, Prices, cheapest_in_series, lifts, smallest_in_series};
use super::vm_caps::decimals;
use super::{Context, elsewhere};
use crate::catalog::VmSize;
use crate::planner::assessment::{CeilingName, CeilingUse};
use crate::units::grouped;

/// The sizes that lift every cap.
pub(super) struct Lifting<'a> {
    context: &'a Context<'a>,
    /// The present size.
    vm: &'a VmSize,
    in_series: Option<&'a VmSize>,
    /// Another one that is cheaper, or the only one.
    elsewhere: Option<&'a VmSize>,
    prices: Option<Prices<'a>>,
}

impl<'a> Lifting<'a> {
    /// The smallest of the series. `rows` are the ceilings under the workloads that ask most of them.
    pub(super) fn smallest(context: &'a Context<'a>, vm: &'a VmSize, rows: &[CeilingUse]) -> Self {
        let (needs, disks) = (needs(rows), context.deployment.data_disks());
        Self {
            context,
            vm,
            in_series: smallest_in_series(context.catalog, vm, |v| lifts(v, &needs, disks)),
            elsewhere: None,
            prices: None,
        }
    }

    /// The cheapest ones; the smallest of the series where none of it has a price.
    pub(super) fn cheapest(
        context: &'a Context<'a>,
        vm: &'a VmSize,
        rows: &[CeilingUse],
        prices: Prices<'a>,
    ) -> Self {
        let (needs, disks) = (needs(rows), context.deployment.data_disks());
        let holds = |v: &&VmSize| lifts(v, &needs, disks);
        let cheapest = cheapest_in_series(context.catalog, vm, prices, holds);
        let below = cheapest.and_then(|size| prices.hour(size));
        let smallest = Self::smallest(context, vm, rows);
        Self {
            in_series: cheapest.or(smallest.in_series),
            elsewhere: elsewhere::cheapest(context, vm, prices, below),
            prices: Some(prices),
            ..smallest
        }
    }

    /// What to do about the ceiling of `row`.
    pub(super) fn fix(&self, row: &CeilingUse) -> String {
        let own = self.in_series.map_or_else(
            || self.none_in_series(row),
            |size| {
                let superlative = match self.hour(size) {
                    Some(_) => "cheapest",
                    None => "smallest",
                };
                format!(
                    "{} is the {superlative} {} size that lifts every cap met here ({}){}",
                    size.name,
                    size.series,
                    capacity_words(size, row),
                    self.cost(size),
                )
            },
        );
        let Some(size) = self.elsewhere else {
            return match self.in_series {
                Some(_) => own,
                None => format!("{own}: look for another series, or provision less"),
            };
        };
        let local = match (self.vm.has_local_disk(), size.has_local_disk()) {
            (true, false) => ", without a local disk",
            _ => "",
        };
        format!(
            "{own}; of all sizes that take what is deployed, {} is the cheapest that lifts every cap ({}){}{local}",
            size.name,
            capacity_words(size, row),
            self.cost(size),
        )
    }

    fn none_in_series(&self, row: &CeilingUse) -> String {
        let series = &self.vm.series;
        let other = |v: &&VmSize| v.parent.is_none() && v.name != self.vm.name;
        if smallest_in_series(self.context.catalog, self.vm, other).is_none() {
            return format!("no other {series} size is known");
        }
        let asked = grouped(row.asked.sustained.unwrap_or_default(), 0);
        format!(
            "no {series} size lets all of it through ({asked} {} here)",
            row.axis
        )
    }

    fn hour(&self, size: &VmSize) -> Option<f64> {
        self.prices?.hour(size)
    }

    /// What `size` costs more than the present one, as the end of a sentence; nothing where that is not known.
    fn cost(&self, size: &VmSize) -> String {
        let difference = self
            .prices
            .and_then(|prices| prices.difference(self.vm, size));
        difference.map_or_else(String::new, |difference| format!(", {difference}"))
    }
}

/// What a larger size has to let through. A ceiling of which the present size says nothing is none that was met.
fn needs(rows: &[CeilingUse]) -> Vec<Need> {
    rows.iter()
        .filter(|row| row.capacity.is_some())
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
