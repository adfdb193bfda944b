//! Which sizes lift every cap that a deployment meets, and how a fix names them.

use super::elsewhere::Elsewhere;
use super::suggest::{
    Need, Prices, can_attach, cheapest_in_series, constrained, goes_too, is_no_smaller, lifts,
    on_other_controller, size_with, smallest_in_series,
};
use super::vm_caps::{decimals, workload_of};
use super::{Context, FindingId, elsewhere};
use crate::catalog::{Interface, VmSize, size_name};
use crate::deployment::Standing;
use crate::planner::assess::{needed, suffices};
use crate::planner::assessment::{CeilingName, CeilingUse};
use crate::units::grouped;

/// The sizes that lift every cap.
pub(super) struct Lifting<'a> {
    context: &'a Context<'a>,
    /// The present size.
    vm: &'a VmSize,
    /// The present size on its other controller.
    on_other: Option<&'a VmSize>,
    in_series: Option<&'a VmSize>,
    /// One of another series: cheaper, or where none of the own is enough.
    elsewhere: Option<&'a VmSize>,
    /// One that a resize of the deployed VM reaches, where it must be made anew for `elsewhere`.
    resized: Option<&'a VmSize>,
    /// One on the other controller that is cheaper or smaller than those.
    with_driver: Option<&'a VmSize>,
    prices: Option<Prices<'a>>,
    needs: Vec<Need>,
}

impl<'a> Lifting<'a> {
    /// The smallest of the series. `rows` are the ceilings under the workloads that ask most of them.
    pub(super) fn smallest(context: &'a Context<'a>, vm: &'a VmSize, rows: &[CeilingUse]) -> Self {
        let (needs, disks) = (needs(context, rows), context.deployment.data_disks());
        let holds = |v: &VmSize| {
            lifts(v, &needs, disks) && can_attach(v, context.deployment) && is_no_smaller(vm, v)
        };
        let in_series = smallest_in_series(context.catalog, context.deployment, vm, |v| holds(v));
        let stays = in_series.filter(|size| size.retirement.is_none());
        // Looking through all sizes is for a cap that was met.
        let is_met = !lifts(vm, &needs, disks);
        let elsewhere = match (stays, is_met && is_deployed(context)) {
            (None, _) => elsewhere::smallest(context, vm),
            // Who has the VM looks for what to resize to, not for its series.
            (Some(own), true) => elsewhere::smallest(context, vm).with_fewer_vcpus_than(own),
            (Some(_), false) => Elsewhere::default(),
        };
        let resized = resized(context, vm, elsewhere, None, None);
        let resized = resized.filter(|size| stays.is_none_or(|own| size.vcpus < own.vcpus));
        // One that a resize reaches is no worse than another of as many vCPUs.
        let (first, resized) = match (elsewhere.size, resized) {
            (Some(anew), Some(own)) if own.vcpus <= anew.vcpus => (Some(own), None),
            pair => pair,
        };
        let twin = on_other_controller(context.catalog, vm);
        let on_other = twin.filter(|v| holds(v));
        // Of the series, on the other controller: a smaller one.
        let smaller = twin
            .and_then(|twin| {
                smallest_in_series(context.catalog, context.deployment, twin, |v| holds(v))
            })
            .filter(|size| in_series.is_some_and(|own| size.vcpus < own.vcpus));
        Self {
            context,
            vm,
            on_other,
            in_series,
            elsewhere: first,
            resized,
            with_driver: smaller
                .or(elsewhere.with_driver)
                .filter(|_| on_other.is_none()),
            prices: None,
            needs,
        }
    }

    /// The cheapest ones; the smallest of the series where none of it has a price.
    pub(super) fn cheapest(
        context: &'a Context<'a>,
        vm: &'a VmSize,
        rows: &[CeilingUse],
        prices: Prices<'a>,
    ) -> Self {
        let (needs, disks) = (needs(context, rows), context.deployment.data_disks());
        let holds = |v: &&VmSize| {
            lifts(v, &needs, disks) && can_attach(v, context.deployment) && is_no_smaller(vm, v)
        };
        let cheapest = cheapest_in_series(context.catalog, context.deployment, vm, prices, holds);
        let stays = cheapest.filter(|size| size.retirement.is_none());
        let below = stays.and_then(|size| prices.hour(size));
        let smallest = Self::smallest(context, vm, rows);
        let elsewhere = elsewhere::cheapest(context, vm, prices, below);
        let driven = elsewhere.with_driver;
        Self {
            in_series: cheapest.or(smallest.in_series),
            elsewhere: elsewhere.size,
            resized: resized(context, vm, elsewhere, Some(prices), below),
            with_driver: driven.filter(|_| smallest.on_other.is_none()),
            prices: Some(prices),
            ..smallest
        }
    }

    /// What to do about the ceiling of `row`. Where the fix of `first` has said it at length, only what is different.
    pub(super) fn fix(&self, row: &CeilingUse, first: Option<FindingId>) -> String {
        if let Some(first) = first
            && let Some(again) = self.again(row, first)
        {
            return again;
        }
        let larger = self.larger(row);
        let Some(twin) = self.on_other else {
            return larger;
        };
        let controller = twin
            .interface
            .map_or("its other controller", Interface::name);
        format!(
            "the same size on {controller} lifts every cap met here ({}) at the same price, where the image has the \
             driver: compute with --interface {}; otherwise {larger}",
            capacity_words(twin, row),
            controller.to_lowercase(),
        )
    }

    /// That the sizes in the fix of `first` lift the cap of `row`, too; `None` where it names none.
    fn again(&self, row: &CeilingUse, first: FindingId) -> Option<String> {
        let named = |size: &VmSize| size_with(size, &capacity_words(size, row));
        let sizes = [
            self.on_other,
            self.in_series,
            self.resized,
            self.elsewhere,
            self.with_driver,
        ];
        let all: Vec<String> = sizes.into_iter().flatten().map(named).collect();
        (!all.is_empty()).then(|| format!("as for {first}: {}", all.join(" or ")))
    }

    /// The larger sizes that lift every cap.
    fn larger(&self, row: &CeilingUse) -> String {
        let on_own = self.on_own_controller(row);
        let controller = |size: &VmSize| size.interface.map(Interface::name);
        let Some((size, controller)) = self.with_driver.and_then(|s| Some((s, controller(s)?)))
        else {
            return on_own;
        };
        format!(
            "{on_own}; with the driver for {controller} in its image, {} is enough{}{}: compute with --interface {}",
            size_with(size, &capacity_words(size, row)),
            self.cost(size),
            self.local(size) + &self.slower(size),
            controller.to_lowercase(),
        )
    }

    /// What a deployed VM has to do for a size that has a local disk or none, unlike the present one.
    fn local(&self, size: &VmSize) -> String {
        let words = match (self.vm.has_local_disk(), size.has_local_disk()) {
            (true, false) => ", without a local disk: a deployed VM must be made anew for it",
            (false, true) => ", with a local disk: a deployed VM must be made anew for it",
            (true, true) if self.vm.nvme.is_some() && size.nvme.is_none() => {
                ", without the local NVMe disks of the present size"
            }
            _ => "",
        };
        words.to_owned()
    }

    /// Those on the controller that the VM has.
    fn on_own_controller(&self, row: &CeilingUse) -> String {
        let own = self.in_series.map_or_else(
            || self.none_in_series(),
            |size| {
                let superlative = match self.hour(size) {
                    Some(_) => "cheapest",
                    None => "smallest",
                };
                format!(
                    "{} is the {superlative} {}{} size that lifts every cap met here ({}){}{}",
                    name(size),
                    constrained(size),
                    size.series,
                    capacity_words(size, row),
                    self.cost(size),
                    goes_too(size),
                )
            },
        );
        let Some(size) = self.elsewhere else {
            return match (self.in_series, self.with_driver) {
                (None, None) => format!("{own}: look for another series, or provision less"),
                _ => own,
            };
        };
        let superlative = match self.prices {
            Some(_) => "cheapest",
            None => "smallest",
        };
        let own = match self.resized {
            Some(size) => format!(
                "{own}; of all sizes that the VM can be resized to, {} is the {superlative} that lifts every cap ({}){}{}",
                name(size),
                capacity_words(size, row),
                self.cost(size),
                self.local(size) + &self.slower(size),
            ),
            None => own,
        };
        format!(
            "{own}; of all sizes that take what is deployed, {} is the {superlative} {}that lifts every cap ({}){}{}",
            name(size),
            match size.parent {
                Some(_) => "constrained one ",
                None => "",
            },
            capacity_words(size, row),
            self.cost(size),
            self.local(size) + &self.slower(size),
        )
    }

    /// That the local disks of `size` are slower, where one is in use.
    fn slower(&self, size: &VmSize) -> String {
        elsewhere::slower_local(self.context, size).unwrap_or_default()
    }

    fn none_in_series(&self) -> String {
        let name = &self.vm.series;
        let all = super::suggest::series(self.context.catalog, self.vm);
        if all.iter().all(|v| v.name == self.vm.name) {
            return format!("no other {name} size is known");
        }
        let deployment = self.context.deployment;
        let disks = deployment.data_disks();
        let mut lifting: Vec<&VmSize> = all.clone();
        lifting.retain(|v| lifts(v, &self.needs, disks));
        if lifting.is_empty() {
            return self.not_met(&all, disks);
        }
        lifting.retain(|v| can_attach(v, deployment));
        if lifting.is_empty() {
            return format!("no {name} size takes these disks");
        }
        lifting.retain(|v| is_no_smaller(self.vm, v));
        match lifting.is_empty() {
            true => format!("the {name} sizes that lift every cap have fewer vCPUs or less memory"),
            false => format!("the {name} sizes that lift every cap are retired as well"),
        }
    }

    /// What none of the sizes of the series lets through; where each part passes some of them, all parts.
    fn not_met(&self, all: &[&VmSize], disks: usize) -> String {
        let name = &self.vm.series;
        let some_meet = |need: &Need| all.iter().any(|v| lifts(v, &[*need], 0));
        if all.iter().any(|v| lifts(v, &self.needs, 0)) {
            return format!(
                "no {name} size that lets all of it through has room for {disks} data disks"
            );
        }
        let (some, none): (Vec<&Need>, Vec<&Need>) =
            self.needs.iter().partition(|need| some_meet(need));
        let words = |needs: &[&Need]| {
            let one = |need: &&Need| {
                let amount = grouped(need.amount, decimals(need.axis));
                format!("{amount} {} {}", need.ceiling.name(), need.axis)
            };
            needs.iter().map(one).collect::<Vec<_>>().join(" and ")
        };
        match none.as_slice() {
            [] => format!("no {name} size lets {} through at once", words(&some)),
            none => format!("no {name} size lets all of it through ({})", words(none)),
        }
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

/// Whether the VM is there, and not only planned.
const fn is_deployed(context: &Context<'_>) -> bool {
    matches!(context.deployment.standing, Standing::Deployed(_))
}

/// The size to resize a deployed VM to, where it must be made anew for the one of `elsewhere`.
fn resized<'a>(
    context: &Context<'a>,
    vm: &VmSize,
    elsewhere: Elsewhere<'a>,
    prices: Option<Prices<'_>>,
    below: Option<f64>,
) -> Option<&'a VmSize> {
    let anew = elsewhere.size?.has_local_disk() != vm.has_local_disk();
    (anew && is_deployed(context))
        .then(|| elsewhere::resized(context, vm, prices, below))
        .flatten()
}

/// What a larger size has to let through. A ceiling of which the present size says nothing is none that was met.
fn needs(context: &Context<'_>, rows: &[CeilingUse]) -> Vec<Need> {
    let amount = |row: &CeilingUse| match workload_of(context, row) {
        Some(workload) => needed(context.deployment, workload, row),
        None => row.asked.sustained,
    };
    rows.iter()
        .filter(|row| row.capacity.is_some())
        .filter_map(|row| {
            Some(Need {
                ceiling: row.ceiling,
                axis: row.axis,
                amount: amount(row)?,
            })
        })
        .filter(|need| need.amount > 0.0)
        .collect()
}

/// A size, with the controller that it has to have where its ceilings hold for one only.
fn name(size: &VmSize) -> String {
    size_name(&size.name, size.interface)
}

/// What `size` lets through where `row` is: `384 uncached MB/s`. Where the present size holds all disks to one pair and
/// `size` has another for some families, theirs, if only that lets all of it through.
fn capacity_words(size: &VmSize, row: &CeilingUse) -> String {
    let base = |ceiling: CeilingName| {
        let ceiling = match ceiling {
            CeilingName::Uncached => size.uncached,
            CeilingName::Remote => *size.remote_ceiling(),
            CeilingName::Cached => size.cached,
        };
        ceiling.base.on(row.axis)
    };
    let is_short = |asked| base(CeilingName::Uncached).is_some_and(|has| !suffices(has, asked));
    let is_other = row.ceiling == CeilingName::Uncached
        && size.remote.is_some()
        && row.asked.sustained.is_some_and(is_short);
    let ceiling = if is_other {
        CeilingName::Remote
    } else {
        row.ceiling
    };
    format!(
        "{} {} {}",
        base(ceiling).map_or_else(
            || "unknown".to_owned(),
            |has| grouped(has, decimals(row.axis))
        ),
        ceiling.name(),
        row.axis,
    )
}
