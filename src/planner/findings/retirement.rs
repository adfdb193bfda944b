//! A size that is being retired, and which other does as much.

use super::suggest::{Prices, constrained};
use super::{Context, Finding, FindingId, Severity, elsewhere};
use crate::catalog::{VmSize, size_name};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let retiring = context
        .deployment
        .vm
        .as_ref()
        .and_then(|vm| Some((vm, vm.retirement.as_ref()?)));
    let Some((vm, day)) = retiring else {
        return Vec::new();
    };
    let name = &vm.name;
    let deployment = context.deployment;
    let text = match deployment.finds_in_service(context.catalog, vm) {
        true => format!("{name} retires on {day}: from then no VM of it runs and none can be made"),
        false => format!("the size was retired on {day}: no VM of it runs and none can be made"),
    };
    let finding = Finding::new(FindingId::RetiringSize, severity(context, vm), name, text);
    vec![match elsewhere::successor(context, vm, None) {
        Some(size) => finding.fix(advice(size, "smallest")),
        None => finding.fix(none_known(vm)),
    }]
}

/// Why no size is named to resize to, and what to do then.
fn none_known(vm: &VmSize) -> &'static str {
    match (vm.is_exchangeable(), vm.memory) {
        (true, None) => {
            "plan for a size of a newer generation: how much memory this one has is not known here, so that none can be \
             named that has no less for sure"
        }
        (true, Some(_)) => {
            "plan for a size of a newer generation: none is known that stays, takes what is deployed and has no less of \
             vCPUs, memory and base ceilings"
        }
        (false, _) => {
            "plan for a size of a newer generation with the same special hardware, of which the sizes known here say too \
             little to name one"
        }
    }
}

/// A VM that is to be made cannot be of a size that is retired; one that is there may have to be moved.
fn severity(context: &Context<'_>, vm: &VmSize) -> Severity {
    let deployment = context.deployment;
    if deployment.is_planned() && !deployment.finds_in_service(context.catalog, vm) {
        Severity::Error
    } else {
        Severity::Warning
    }
}

/// Once there are prices: names the cheapest size that does as much in place of the smallest.
pub(super) fn name_cheapest(context: &Context<'_>, prices: Prices<'_>, found: &mut [Finding]) {
    let is_it = |finding: &&mut Finding| finding.id == FindingId::RetiringSize;
    let (Some(finding), Some(vm)) = (found.iter_mut().find(is_it), &context.deployment.vm) else {
        return;
    };
    if let Some(size) = elsewhere::successor(context, vm, Some(prices)) {
        let difference = prices.difference(vm, size);
        let difference = difference.map_or_else(String::new, |words| format!(", {words}"));
        finding.fix = Some(advice(size, "cheapest") + &difference);
    }
}

/// That a size is the one to resize to.
pub(super) fn advice(size: &VmSize, superlative: &str) -> String {
    format!(
        "{} is the {superlative} {}size to resize to that stays, takes what is deployed and has no less of vCPUs, memory \
         and base ceilings",
        size_name(&size.name, size.interface),
        constrained(size)
    )
}
