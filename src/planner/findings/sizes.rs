//! What the VM size says: features, number of disks, retirement, unknown ceilings, other controllers.

use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Axis, Family, Interface, VmSize};
use crate::deployment::{HostCaching, Volume};
use crate::planner::assessment::CeilingUse;
use crate::units::grouped;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found = unknown_disks(context);
    let Some(vm) = &context.deployment.vm else {
        return found;
    };
    found.extend(premium(context, vm));
    found.extend(ultra(context, vm));
    found.extend(caching(context, vm));
    found.extend(too_many(context, vm));
    found.extend(retirement(vm));
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

fn has_family(volume: &Volume, families: &[Family]) -> bool {
    volume
        .members
        .iter()
        .any(|d| families.contains(&d.model.family))
}

fn premium(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    if vm.premium_storage != Some(false) {
        return Vec::new();
    }
    let families = [Family::PremiumSsd, Family::PremiumSsdV2, Family::Ultra];
    volumes_where(context, |v| has_family(v, &families))
        .map(|volume| {
            let text = format!(
                "{} on {}, which has no premium storage",
                volume.label(),
                vm.name
            );
            Finding::new(
                FindingId::PremiumUnsupported,
                Severity::Error,
                &volume.name,
                text,
            )
            .fix_if(premium_twin(context, vm))
        })
        .collect()
}

/// The size of the same name with the `s` of premium storage, where there is one.
fn premium_twin(context: &Context<'_>, vm: &VmSize) -> Option<String> {
    let twin = context.catalog.vms().iter().find(|other| {
        other.premium_storage == Some(true)
            && other.parent.is_none()
            && other.vcpus == vm.vcpus
            && other.memory == vm.memory
            && without_s(&other.series) == without_s(&vm.series)
    })?;
    Some(format!(
        "{} has the same vCPUs and memory with premium storage",
        twin.name
    ))
}

/// A series name without its premium-storage letter: `Dsv3` and `Dv3`, `DSv2` and `Dv2` are twins.
fn without_s(series: &str) -> String {
    series.chars().filter(|c| !matches!(c, 's' | 'S')).collect()
}

fn ultra(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    if vm.ultra == Some(true) {
        return Vec::new();
    }
    volumes_where(context, |v| has_family(v, &[Family::Ultra]))
        .map(|volume| {
            let text = format!("no region is known in which {} offers Ultra disks", vm.name);
            Finding::new(
                FindingId::UltraUnlisted,
                Severity::Warning,
                &volume.name,
                text,
            )
            .fix("check the size's zones with `az vm list-skus`, or use Premium SSD v2")
        })
        .collect()
}

fn caching(context: &Context<'_>, vm: &VmSize) -> Vec<Finding> {
    if vm.premium_caching != Some(false) {
        return Vec::new();
    }
    volumes_where(context, |v| v.caching() != HostCaching::None)
        .map(|volume| {
            let text = format!(
                "{} is documented without premium-storage caching: caching {} may be set and is less sure to work as \
                 computed",
                vm.name,
                volume.caching().name()
            );
            Finding::new(FindingId::SizeCaching, Severity::Warning, &volume.name, text)
                .fix("set cache=none")
        })
        .collect()
}

fn too_many(context: &Context<'_>, vm: &VmSize) -> Option<Finding> {
    let (disks, most) = (context.deployment.data_disks(), vm.max_data_disks?);
    (disks > most as usize).then(|| {
        let text = format!("{disks} data disks, the size takes {most}");
        let room = |v: &&VmSize| v.max_data_disks.is_some_and(|m| m as usize >= disks);
        Finding::new(FindingId::TooManyDisks, Severity::Error, &vm.name, text)
            .figure("data_disks", disks as f64, "disks")
            .figure("max_data_disks", f64::from(most), "disks")
            .fix_if(
                super::suggest::smallest_in_series(context.catalog, vm, room).map(|size| {
                    format!(
                        "{} is the smallest {} size that takes {disks} ({})",
                        size.name,
                        size.series,
                        size.max_data_disks.unwrap_or_default()
                    )
                }),
            )
    })
}

fn retirement(vm: &VmSize) -> Option<Finding> {
    let day = vm.retirement.as_ref()?;
    let text = format!("{} is retired on {day}", vm.name);
    Some(
        Finding::new(FindingId::RetiringSize, Severity::Warning, &vm.name, text)
            .fix("plan for a size of a newer generation"),
    )
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
            Finding::new(FindingId::UnknownCap, Severity::Warning, &vm.name, text)
                .fix("measure it, or look it up with `az vm list-skus`")
        })
        .collect()
}

fn is_asked(row: &CeilingUse) -> bool {
    row.asked.sustained != Some(0.0) || row.asked.burst != Some(0.0)
}

/// Disk limits that nobody gave (custom volumes, local disks).
fn unknown_disks(context: &Context<'_>) -> Vec<Finding> {
    let volumes = context.deployment.volumes.iter();
    volumes.filter_map(unknown_limits).collect()
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
    let other = match own {
        Interface::Scsi => Interface::Nvme,
        Interface::Nvme => Interface::Scsi,
    };
    let twin = context.catalog.vm(&vm.name, Some(other)).ok()?;
    if twin.interface != Some(other) || twin.uncached == vm.uncached {
        return None;
    }
    let pair = |v: &VmSize| {
        let iops = v
            .uncached
            .base
            .iops
            .map_or_else(|| "unknown".into(), |i| i.to_string());
        let mbps = v.uncached.base.mbps.map(|m| grouped(m.get(), 1));
        format!(
            "{iops} IOPS, {} MB/s",
            mbps.unwrap_or_else(|| "unknown".into())
        )
    };
    let text = format!(
        "computed for {} ({} uncached); on {} the size has {}",
        own.name(),
        pair(vm),
        other.name(),
        pair(twin)
    );
    Some(
        Finding::new(FindingId::InterfaceCaps, Severity::Info, &vm.name, text).fix(format!(
            "compute with --interface {}",
            other.name().to_lowercase()
        )),
    )
}
