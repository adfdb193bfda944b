//! What the VM size says: features, number of disks, unknown ceilings, other controllers.

use super::suggest::{
    Prices, can_attach, cheapest_in_series, constrained, goes_too, is_no_smaller,
    on_other_controller, series, smallest_in_series, takes,
};
use super::{Context, Finding, FindingId, Severity, elsewhere, retirement};
use crate::catalog::{Axis, Catalog, Family, Limits, VmSize};
use crate::deployment::{Disk, HostCaching, Volume};
use crate::planner::assessment::{CeilingUse, WorkloadView};
use crate::units::{Share, grouped};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found = unknown_disks(context);
    let Some(vm) = &context.deployment.vm else {
        return found;
    };
    found.extend(premium(context, vm));
    found.extend(unlisted(context, vm));
    found.extend(caching(context, vm));
    found.extend(too_many(context, vm));
    found.extend(unknown_ceilings(context, vm));
    found.extend(other_interface(context, vm));
    found.extend(unknown_controller(context, vm));
    found
}

fn volumes_where<'a>(
    context: &'a Context<'_>,
    holds: impl Fn(&Volume) -> bool + 'a,
) -> impl Iterator<Item = &'a Volume> {
    context.deployment.volumes.iter().filter(move |v| holds(v))
}

fn premium(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    if vm.premium_storage != Some(false) {
        return Vec::new();
    }
    let twin = context.catalog.premium_twin(vm).map(|twin| {
        let stays =
            (twin.retirement.as_ref()).and_then(|_| elsewhere::successor(context, vm, None));
        let instead = stays.map(|size| format!("; {}", retirement::advice(size, "smallest")));
        format!(
            "{} has the same vCPUs and memory with premium storage{}{}",
            twin.name,
            goes_too(twin),
            instead.unwrap_or_default()
        )
    });
    let needs = |volume: &Volume| {
        let mut families = volume.members.iter().map(|disk| disk.model.family);
        families.any(Family::needs_premium_storage)
    };
    volumes_where(context, needs)
        .map(|volume| {
            let text = format!(
                "{} on {}, which has no premium storage",
                volume.label(),
                vm.name
            );
            let id = FindingId::PremiumUnsupported;
            let finding = Finding::new(id, Severity::Error, &volume.name, text);
            finding
                .fix("take a kind of disk that this size takes, or a size with premium storage")
                .fix_if(twin.clone())
        })
        .collect()
}

/// Disks of a family that the size is not known to take.
fn unlisted(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    let unlisted = |disk: &&Disk| vm.lists(disk.model.family) != Some(true);
    let volumes = context.deployment.volumes.iter();
    volumes
        .filter_map(|volume| Some((volume, volume.members.iter().find(unlisted)?.model.family)))
        .map(|(volume, family)| {
            let text = format!("no region is known in which {} offers {family}", vm.name);
            let id = FindingId::UltraUnlisted;
            Finding::new(id, Severity::Warning, &volume.name, text).fix(format!(
                "check the size's zones with {}, or use {}",
                Catalog::SIZE_LIST,
                Family::STEADY
            ))
        })
        .collect()
}

fn caching(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    if vm.premium_caching != Some(false) {
        return Vec::new();
    }
    // The documentation speaks of premium disks.
    let is_cached = |disk: &Disk| {
        disk.model.family.needs_premium_storage() && disk.effective_caching() != HostCaching::None
    };
    volumes_where(context, |v| v.members.iter().any(is_cached))
        .map(|volume| {
            let text = format!(
                "{} is documented without premium-storage caching: caching {} may be set and is less sure to work as \
                 computed",
                vm.name,
                volume.caching().name()
            );
            Finding::new(FindingId::SizeCaching, Severity::Warning, &volume.name, text)
                .usual_fix()
        })
        .collect()
}

fn too_many(context: &Context<'_>, vm: &VmSize) -> Option<Finding> {
    let (disks, most) = (context.deployment.data_disks(), vm.max_data_disks?);
    (disks > most as usize).then(|| {
        let text = format!("{disks} data disks, the size takes {most}");
        let smallest = smallest_in_series(context.catalog, context.deployment, vm, |v| {
            takes(v, disks) && can_attach(v, context.deployment) && is_no_smaller(vm, v)
        });
        Finding::new(FindingId::TooManyDisks, Severity::Error, &vm.name, text)
            .figure("data_disks", disks as f64, "disks")
            .figure("max_data_disks", f64::from(most), "disks")
            .fix(none_takes(context, vm, disks))
            .fix_if(smallest.map(|size| room(size, "smallest", disks) + &goes_too(size)))
    })
}

/// Why no size of the series is named for so many disks, and what to do then.
fn none_takes(context: &Context<'_>, vm: &VmSize, disks: usize) -> String {
    let name = &vm.series;
    let mut all = series(context.catalog, vm);
    all.retain(|size| takes(size, disks));
    let is_smaller = |size: &VmSize| !is_no_smaller(vm, size);
    let why = if all.is_empty() {
        format!("no {name} size takes {disks}")
    } else if all.iter().all(|size| is_smaller(size)) {
        format!("the {name} sizes that take {disks} have fewer vCPUs or less memory")
    } else if !all.iter().any(|size| can_attach(size, context.deployment)) {
        format!("no {name} size takes such disks")
    } else {
        format!("the {name} sizes that take {disks} are retired")
    };
    format!("take fewer disks, or a size of another series: {why}")
}

/// That `size` is the smallest or cheapest that has room for so many disks.
fn room(size: &VmSize, superlative: &str, disks: usize) -> String {
    format!(
        "{} is the {superlative} {}{} size that takes {disks} ({})",
        size.name,
        constrained(size),
        size.series,
        size.max_data_disks.unwrap_or_default()
    )
}

/// Once there are prices: names the cheapest size that takes all disks in place of the smallest.
pub(super) fn name_cheapest(context: &Context<'_>, prices: Prices<'_>, found: &mut [Finding]) {
    let is_it = |finding: &&mut Finding| finding.id == FindingId::TooManyDisks;
    let (Some(finding), Some(vm)) = (found.iter_mut().find(is_it), &context.deployment.vm) else {
        return;
    };
    let disks = context.deployment.data_disks();
    let cheapest = cheapest_in_series(context.catalog, context.deployment, vm, prices, |v| {
        takes(v, disks) && can_attach(v, context.deployment) && is_no_smaller(vm, v)
    });
    if let Some(size) = cheapest {
        let difference = prices.difference(vm, size);
        let difference = difference.map_or_else(String::new, |words| format!(", {words}"));
        finding.fix = Some(room(size, "cheapest", disks) + &difference + &goes_too(size));
    }
}

/// Ceilings that some volume's path needs and nobody knows.
fn unknown_ceilings(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    let mut seen = Vec::new();
    let workloads = &context.assessment.workloads;
    for row in workloads.iter().flat_map(|w| &w.ceilings) {
        if row.capacity.is_none() && is_asked(row) && !seen.contains(&(row.ceiling, row.axis)) {
            seen.push((row.ceiling, row.axis));
        }
    }
    seen.into_iter()
        .map(|(ceiling, axis)| {
            let text = format!(
                "no source gives its {} {axis}: results that depend on it are upper bounds",
                ceiling.name()
            );
            Finding::new(FindingId::UnknownCap, Severity::Warning, &vm.name, text).fix(format!(
                "measure it, or look it up with {}",
                Catalog::SIZE_LIST
            ))
        })
        .collect()
}

fn is_asked(row: &CeilingUse) -> bool {
    row.asked.sustained != Some(0.0) || row.asked.burst != Some(0.0)
}

/// Disk limits that nobody gave (custom volumes, local disks).
fn unknown_disks(context: &Context<'_>) -> Vec<Finding> {
    let volumes = context.deployment.volumes.iter().enumerate();
    let finding = |(index, volume): (usize, &Volume)| {
        unknown_limits(volume).or_else(|| unknown_writes(context, index, volume))
    };
    volumes.filter_map(finding).collect()
}

/// Limits of writes that nobody gave, of a disk that is written to.
fn unknown_writes(context: &Context<'_>, index: usize, volume: &Volume) -> Option<Finding> {
    let model = &volume.members.first()?.model;
    let mut workloads = context.assessment.workloads.iter();
    let writes = |workload: &WorkloadView| {
        let result = workload.volumes.get(index);
        result.is_some_and(|result| result.io.read_share != Share::ALL)
    };
    let unknown: Vec<Axis> = [Axis::Iops, Axis::Mbps]
        .into_iter()
        .filter(|axis| model.knows_only_reads(*axis))
        .collect();
    if unknown.is_empty() || !workloads.any(writes) {
        return None;
    }
    let axes: Vec<String> = unknown.iter().map(Axis::to_string).collect();
    let text = format!(
        "no source gives the {} of its writes, which are slower than its reads: results are upper bounds",
        axes.join(" and ")
    );
    let fix = "measure writes on such a VM, and reckon with that figure";
    Some(Finding::new(FindingId::UnknownCap, Severity::Warning, &volume.name, text).fix(fix))
}

fn unknown_limits(volume: &Volume) -> Option<Finding> {
    let model = &volume.members.first()?.model;
    let known = |axis| model.knows(axis);
    let (limits, fix) = match (known(Axis::Iops), known(Axis::Mbps)) {
        (true, true) => return None,
        (false, true) => ("IOPS limit is", "give it with iops=N"),
        (true, false) => ("MB/s limit is", "give it with mbps=N"),
        (false, false) => (
            "IOPS and MB/s limits are",
            "give them with iops=N and mbps=N",
        ),
    };
    let text = format!("its {limits} not known: results are upper bounds");
    Some(Finding::new(FindingId::UnknownCap, Severity::Warning, &volume.name, text).fix(fix))
}

/// Says so when a controller was asked for and nothing says which ones the size has.
fn unknown_controller(context: &Context<'_>, vm: &VmSize) -> Option<Finding> {
    let asked = context.deployment.interface?;
    let text = format!(
        "asked for {}; which disk controllers the size has is not known",
        asked.name()
    );
    (vm.interface.is_none() && vm.controllers.is_empty()).then(|| {
        Finding::new(
            FindingId::ControllerUnknown,
            Severity::Warning,
            &vm.name,
            text,
        )
        .usual_fix()
    })
}

/// Says so when the same size has higher ceilings on the other controller.
fn other_interface(context: &Context<'_>, vm: &VmSize) -> Option<Finding> {
    let own = vm.interface?;
    let outcomes = context.assessment.workloads.iter().flat_map(|w| &w.volumes);
    // Only where a ceiling of the VM holds somebody back would another controller help.
    if !outcomes
        .into_iter()
        .any(|r| r.together.sustained.bottleneck.is_vm())
    {
        return None;
    }
    let twin = on_other_controller(context.catalog, vm)?;
    let other = twin.interface?;
    if twin.uncached == vm.uncached && twin.remote == vm.remote {
        return None;
    }
    let ceilings = |v: &VmSize| {
        let uncached = format!("{} uncached", pair(v.uncached.base));
        match v.remote {
            Some(remote) => format!("{uncached}; {} {}", pair(remote.base), VmSize::REMOTE_NAME),
            None => uncached,
        }
    };
    let text = format!(
        "computed for {} ({}); on {} the size has {}",
        own.name(),
        ceilings(vm),
        other.name(),
        ceilings(twin)
    );
    let compute = || format!("compute with --interface {}", other.name().to_lowercase());
    let finding = Finding::new(FindingId::InterfaceCaps, Severity::Info, &vm.name, text);
    Some(finding.fix_if(is_better(twin, vm).then(compute)))
}

/// Whether a ceiling of remote disks on `size` is higher than on `other`; one that is not known is not.
fn is_better(size: &VmSize, other: &VmSize) -> bool {
    let higher = |new: Limits, old: Limits| {
        let is = |axis: Axis| (new.on(axis)).zip(old.on(axis)).is_some_and(|(n, o)| n > o);
        is(Axis::Iops) || is(Axis::Mbps)
    };
    higher(size.uncached.base, other.uncached.base)
        || higher(size.remote_ceiling().base, other.remote_ceiling().base)
}

/// `25,600 IOPS, 600 MB/s`.
fn pair(limits: Limits) -> String {
    let unknown = || "unknown".to_owned();
    let iops = limits.iops.map_or_else(unknown, |i| i.to_string());
    let mbps = limits.mbps.map_or_else(unknown, |m| grouped(m.get(), 1));
    format!("{iops} IOPS, {mbps} MB/s")
}
