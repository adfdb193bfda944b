//! What the provider's rules say about single disks: ranges, tiers, caching, OS disks, stripes.

use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Family, Lane, Setting, Violation};
use crate::deployment::{Disk, HostCaching, Role, Volume};
use crate::units::{GiB, grouped};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for volume in &context.deployment.volumes {
        let mut kinds: Vec<&Disk> = Vec::new();
        for disk in &volume.members {
            if !kinds.contains(&disk) {
                kinds.push(disk);
            }
        }
        for disk in kinds {
            found.extend(disk.violations.iter().map(|v| violation(volume, disk, v)));
            found.extend(caching(volume, disk));
            found.extend(os_disk(volume, disk));
        }
        found.extend(stripe(volume));
        if volume.role == Role::Local {
            let text = "what is stored here is lost when the VM is deallocated, resized or moved";
            let finding = Finding::new(FindingId::LocalData, Severity::Info, &volume.name, text);
            found.push(finding.fix("keep only what can be made again: page file, tempdb, scratch"));
        }
    }
    found
}

const fn unit(setting: Setting) -> &'static str {
    match setting {
        Setting::Size => "GiB",
        Setting::Iops => "IOPS",
        Setting::Mbps => "MB/s",
    }
}

fn violation(volume: &Volume, disk: &Disk, violation: &Violation) -> Finding {
    let error = |id, text: String| Finding::new(id, Severity::Error, &volume.name, text);
    let label = &disk.model.label;
    match violation {
        Violation::OutOfRange {
            setting,
            asked,
            min,
            max,
            rule,
        } => {
            let id = match disk.model.family {
                Family::PremiumSsdV2 => FindingId::V2Range,
                Family::Ultra => FindingId::UltraRange,
                _ => FindingId::DiskRange,
            };
            let (unit, number) = (unit(*setting), |v: f64| grouped(v, 2));
            let nearest = asked.clamp(*min, *max);
            let allowed = if min == max {
                format!("only {}", number(*max))
            } else {
                format!("{} to {}", number(*min), number(*max))
            };
            let text = format!(
                "{} {unit} asked, {allowed} allowed ({rule}); computed with {}",
                number(*asked),
                number(nearest),
            );
            error(id, text)
                .figure("asked", *asked, unit)
                .figure("min", *min, unit)
                .figure("max", *max, unit)
                .fix(format!("ask for {allowed} {unit}"))
        }
        Violation::TierBelowBaseline { asked, baseline } => error(
            FindingId::PerformanceTier,
            format!("performance tier {asked} is below {baseline}, the baseline of {label}"),
        )
        .fix(format!("leave the tier out, or set one above {baseline}")),
        Violation::TierTooHigh { asked, highest } => error(
            FindingId::PerformanceTier,
            format!("performance tier {asked} is too high for {label}: {highest} is the highest"),
        )
        .fix(format!("set {highest} or a lower tier")),
        Violation::NotOffered { feature, rule } => error(
            FindingId::FeatureNotOffered,
            format!("{feature} is not offered for {label}: {rule}"),
        ),
    }
}

/// The largest disk that host caching is supported for. Source: Azure, premium storage design for high performance.
const LARGEST_CACHED: GiB = GiB::whole(4095);

fn caching(volume: &Volume, disk: &Disk) -> Option<Finding> {
    if disk.caching == HostCaching::None {
        return None;
    }
    let name = disk.caching.name();
    if disk.model.cacheable {
        let risky = volume.role == Role::Data && disk.caching == HostCaching::ReadWrite;
        return match (risky, volume.role == Role::Os && disk.spec.caching.is_none()) {
            (true, _) => Some(
                Finding::new(
                    FindingId::RwCacheData,
                    Severity::Warning,
                    &volume.name,
                    "writes are acknowledged before they are on the disk: a host failure loses them unless the \
                     application flushes",
                )
                .fix("use ReadOnly for read-heavy data, None for logs and write-heavy data"),
            ),
            (false, true) => Some(Finding::new(
                FindingId::OsCacheDefault,
                Severity::Info,
                &volume.name,
                "no caching was given: ReadWrite, the platform's default for OS disks, is assumed",
            )),
            _ => None,
        };
    }
    let (id, why) = match disk.model.family {
        Family::PremiumSsdV2 => (
            FindingId::V2Caching,
            "Premium SSD v2 has no host caching".to_owned(),
        ),
        Family::Ultra => (
            FindingId::UltraCaching,
            "Ultra disks have no host caching".to_owned(),
        ),
        Family::Temp | Family::LocalNvme | Family::Custom => (
            FindingId::FeatureNotOffered,
            format!("host caching is not offered for {}", disk.model.label),
        ),
        _ if disk.spec.request.max_shares > 1 => (
            FindingId::SharedDiskCaching,
            "a shared disk cannot be cached".to_owned(),
        ),
        _ => (
            FindingId::LargeDiskCaching,
            format!(
                "a disk of {} cannot be cached: the largest is {LARGEST_CACHED}",
                disk.model
                    .size
                    .map_or_else(|| "unknown size".to_owned(), |s| s.to_string()),
            ),
        ),
    };
    let text = format!("caching {name} asked: {why}; computed with None");
    Some(Finding::new(id, Severity::Error, &volume.name, text).fix("set cache=none"))
}

fn os_disk(volume: &Volume, disk: &Disk) -> Option<Finding> {
    if volume.role != Role::Os {
        return None;
    }
    match disk.model.family {
        Family::PremiumSsdV2 | Family::Ultra => Some(
            Finding::new(
                FindingId::OsDiskKind,
                Severity::Error,
                &volume.name,
                format!("{} cannot be an OS disk", disk.model.label),
            )
            .fix("use Premium SSD or Standard SSD for the OS disk"),
        ),
        Family::StandardHdd => Some(
            Finding::new(
                FindingId::OsDiskHdd,
                Severity::Warning,
                &volume.name,
                "Standard HDD as OS disk: slow starts, and a lower availability promise for the VM",
            )
            .fix("use Standard SSD or Premium SSD for the OS disk"),
        ),
        _ => None,
    }
}

fn stripe(volume: &Volume) -> Option<Finding> {
    let (first, rest) = volume.members.split_first()?;
    let limits = |d: &Disk| (d.model.base, d.model.burst, d.model.lane == Lane::Remote);
    if rest
        .iter()
        .any(|d| limits(d) != limits(first) || d.model.size != first.model.size)
    {
        return Some(unequal(volume));
    }
    let caching = |d: &Disk| d.effective_caching();
    rest.iter().any(|d| caching(d) != caching(first)).then(|| {
        Finding::new(
            FindingId::StripeCaching,
            Severity::Warning,
            &volume.name,
            "its members have different host caching: the stripe follows the slower ones",
        )
        .fix("give every member the same caching")
    })
}

fn unequal(volume: &Volume) -> Finding {
    let sum: Option<f64> = volume
        .members
        .iter()
        .map(|d| d.model.base.iops.map(crate::units::Iops::get))
        .sum();
    let striped = crate::planner::unusable::provisioned(volume).iops;
    let labels: Vec<&str> = volume
        .members
        .iter()
        .map(|d| d.model.label.as_str())
        .collect();
    let mut text = format!("its members are not alike ({})", labels.join(", "));
    if let (Some(sum), Some(striped)) = (sum, striped) {
        let sum = grouped(sum, 0);
        text.push_str(&format!(
            ": as a stripe they reach {striped} of the {sum} IOPS they are provisioned for together"
        ));
    }
    Finding::new(
        FindingId::StripeUnequal,
        Severity::Warning,
        &volume.name,
        text,
    )
    .fix("make the members alike in kind, size and settings")
}
