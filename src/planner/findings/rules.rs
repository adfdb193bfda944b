//! What the provider's rules say about single disks: ranges, tiers, caching, OS disks, stripes.

use super::{Context, Finding, FindingId, Severity, raised};
use crate::catalog::{Axis, DiskRequest, Refusal, Setting, Violation};
use crate::deployment::{Disk, DiskSpec, HostCaching, Role, Volume};
use crate::units::{GiB, Iops, MBps, grouped};

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found = os_disks(context);
    for volume in &context.deployment.volumes {
        let mut kinds: Vec<&Disk> = Vec::new();
        for disk in &volume.members {
            if !kinds.contains(&disk) {
                kinds.push(disk);
            }
        }
        for disk in kinds {
            found.extend(not_sold(context, volume, disk));
            found.extend(disk.violations.iter().map(|v| violation(volume, disk, v)));
            found.extend(caching(volume, disk));
            found.extend(os_disk(volume, disk));
            found.extend(remarks(context, volume, disk));
        }
        found.extend(stripe(volume));
        if volume.role == Role::Local {
            let text = "what is stored here is lost when the VM is deallocated, resized or moved";
            let finding = Finding::new(FindingId::LocalData, Severity::Info, &volume.name, text);
            found.push(finding.usual_fix());
        }
    }
    found
}

/// A disk that the region is known not to sell.
fn not_sold(context: &Context<'_>, volume: &Volume, disk: &Disk) -> Option<Finding> {
    let region = context.deployment.region.as_deref()?;
    let (family, redundancy) = (disk.model.family, disk.model.redundancy);
    let offered = context.catalog.offered(region, family, redundancy);
    (offered == Some(false)).then(|| {
        let text = format!(
            "{region} sells no {} with {redundancy} by the list that was read",
            family.name()
        );
        Finding::new(
            FindingId::RegionNotOffered,
            Severity::Warning,
            &volume.name,
            text,
        )
        .usual_fix()
    })
}

/// A VM boots from one disk.
fn os_disks(context: &Context<'_>) -> Vec<Finding> {
    let os = context
        .deployment
        .volumes
        .iter()
        .filter(|v| v.role == Role::Os);
    let wrong = os
        .enumerate()
        .filter_map(|(index, volume)| match (index, volume.is_stripe()) {
            (1.., _) => Some((volume, "is a second OS disk: a VM has one")),
            (_, true) => Some((volume, "is a striped OS disk: an OS disk is one disk")),
            _ => None,
        });
    wrong
        .map(|(volume, text)| {
            Finding::new(FindingId::OsDisks, Severity::Error, &volume.name, text).usual_fix()
        })
        .collect()
}

/// What is worth knowing about a disk's settings.
fn remarks(context: &Context<'_>, volume: &Volume, disk: &Disk) -> Vec<Finding> {
    let info = |id, text: String| Finding::new(id, Severity::Info, &volume.name, text);
    let mut found = Vec::new();
    let on_demand = |kind| matches!(kind, Some(crate::catalog::BurstKind::OnDemand));
    if on_demand(disk.model.burst.map(|b| b.kind)) {
        let base = |axis| {
            disk.model
                .base
                .on(axis)
                .map_or_else(|| "unknown".into(), |v| grouped(v, 0))
        };
        let text = format!(
            "what it does above {} IOPS or {} MB/s is billed as burst transactions, and the enablement besides",
            base(Axis::Iops),
            base(Axis::Mbps)
        );
        found.push(info(FindingId::OnDemandBurst, text).usual_fix());
    }
    let shares = disk.spec.request.max_shares;
    if shares > 1 {
        let text = format!(
            "up to {shares} VMs share its IOPS and MB/s; they are shown as if this VM had them alone"
        );
        let shared = info(FindingId::SharedDisk, text).usual_fix();
        found.push(match disk.model.sharing_doubt() {
            Some(doubt) => Finding {
                severity: Severity::Warning,
                message: format!("{}. Doubtful: {doubt}", shared.message),
                ..shared
            },
            None => shared,
        });
    }
    let request = &disk.spec.request;
    let of_size = |size| context.catalog.tiers().for_size(disk.model.family, size);
    if let (Some(tier), Some(size), None) = (&request.tier, request.size, &request.performance_tier)
        && let Some(own) = of_size(size)
        && Some(&own.name) != disk.model.tier.as_ref()
    {
        let text = format!(
            "{tier} with {size} is read as a disk of {} with {tier} as its performance tier",
            own.name
        );
        found.push(info(FindingId::TierBySize, text).fix(tier_or_size(disk, tier, &own.name)));
    }
    found.extend(raised::in_vain(context, volume, disk));
    found
}

/// The two disks that a tier beside a size of tier `own` may mean, as specs: a full one of the tier, or one of the size.
fn tier_or_size(disk: &Disk, tier: &str, own: &str) -> String {
    let spec = |tier: &str, size: Option<GiB>| {
        let request = DiskRequest {
            tier: Some(tier.to_owned()),
            size,
            ..disk.request_in_effect()
        };
        let spec = DiskSpec {
            caching: disk.spec.caching,
            os: disk.spec.os,
            ..DiskSpec::new(request)
        };
        spec.to_string()
    };
    format!(
        "take {} for a full disk of {tier}, or {} for the tier of that size",
        spec(tier, None),
        spec(own, disk.spec.request.size)
    )
}

fn violation(volume: &Volume, disk: &Disk, violation: &Violation) -> Finding {
    let error = |id, text: String| Finding::new(id, Severity::Error, &volume.name, text);
    let label = &disk.model.label;
    let size = (disk.model.size).map_or_else(|| label.clone(), |size| size.to_string());
    match violation {
        Violation::OutOfRange {
            setting,
            asked,
            min,
            max,
            rule,
        } => {
            let id = FindingId::of_code(disk.model.family.range_id());
            let id = id.unwrap_or(FindingId::DiskRange);
            let (unit, number) = (setting.unit(), |v: f64| grouped(v, 2));
            let nearest = asked.clamp(*min, *max);
            let (allowed, only) = if min == max {
                (number(*max), "only ")
            } else {
                (format!("{} to {}", number(*min), number(*max)), "")
            };
            let text = format!(
                "{} {unit} asked, {only}{allowed} allowed ({rule}); computed with {}",
                number(*asked),
                number(nearest),
            );
            error(id, text)
                .figure("asked", *asked, unit)
                .figure("min", *min, unit)
                .figure("max", *max, unit)
                .fix(match allowing(disk, *setting, *asked) {
                    Some(other) => format!("ask for {allowed} {unit}, or set {other}"),
                    None => format!("ask for {allowed} {unit}"),
                })
        }
        Violation::TierBelowBaseline { asked, baseline }
            if disk.spec.request.tier.as_ref() == Some(asked) =>
        {
            let text = format!(
                "{asked} was named with {size}, which makes it {baseline}: a tier named with a larger size is no tier of \
                 it; computed as {baseline}"
            );
            error(FindingId::PerformanceTier, text).fix(tier_or_size(disk, asked, baseline))
        }
        Violation::TierBelowBaseline { asked, baseline } => error(
            FindingId::PerformanceTier,
            format!(
                "performance tier {asked} is below {baseline}, which {size} has by its size; computed as {baseline}"
            ),
        )
        .fix("leave tier= out"),
        Violation::TierTooHigh { asked, highest } => error(
            FindingId::PerformanceTier,
            format!(
                "performance tier {asked} is too high for a disk of {size}: {highest} is the highest; computed with \
                 {highest}"
            ),
        )
        .fix(format!("set {highest} or a lower tier")),
        Violation::NotOffered { feature, rule } => error(
            FindingId::FeatureNotOffered,
            format!("{feature} is not offered for {label}: {rule}"),
        )
        .usual_fix(),
    }
}

/// The other settings of a provisioned disk that allow as much as was asked of `setting` (`iops=4800`, `size=40`), and
/// what is asked of the others besides where that can be had; `None` where none do.
fn allowing(disk: &Disk, setting: Setting, asked: f64) -> Option<String> {
    let rules = disk.model.family.provisioned_rules()?;
    let request = &disk.spec.request;
    let iops_for = |mbps: MBps| Iops::new(rules.iops_for(mbps)?.get().ceil()).ok();
    let for_mbps = request.mbps.and_then(iops_for);
    let can_be_had = |iops: &Iops| *iops >= rules.min_iops && rules.size_for(*iops).is_some();
    let own = request.iops.filter(can_be_had);
    let is_too_high = match setting {
        Setting::Mbps => asked > rules.min_mbps.get() && for_mbps.is_some(),
        Setting::Iops => own.is_some(),
        Setting::Size => false,
    };
    if !is_too_high {
        return None;
    }
    let iops = [own, for_mbps].into_iter().flatten().reduce(Iops::max)?;
    let size = rules.size_for(iops)?;
    let more = (own.is_none_or(|own| own < iops)).then(|| format!("iops={:.0}", iops.get()));
    let larger = (disk.model.size? < size).then(|| format!("size={:.0}", size.get()));
    let words: Vec<String> = more.into_iter().chain(larger).collect();
    (!words.is_empty()).then(|| words.join(" and "))
}

fn caching(volume: &Volume, disk: &Disk) -> Option<Finding> {
    if disk.caching == HostCaching::None {
        return None;
    }
    let Some(refusal) = disk.model.caching_refusal(disk.spec.request.max_shares) else {
        return cached(volume, disk);
    };
    let why = format!(
        "caching {} asked: {}; computed with None",
        disk.caching.name(),
        refusal.why
    );
    Some(refused(volume, Refusal { why, ..refusal }))
}

/// What is worth knowing of a disk that is cached.
fn cached(volume: &Volume, disk: &Disk) -> Option<Finding> {
    match volume.role {
        Role::Data if disk.caching == HostCaching::ReadWrite => Some(
            Finding::new(
                FindingId::RwCacheData,
                Severity::Warning,
                &volume.name,
                "writes are acknowledged before they are on the disk: a host failure loses them unless the \
                 application flushes",
            )
            .usual_fix(),
        ),
        Role::Os if disk.spec.caching.is_none() => Some(Finding::new(
            FindingId::OsCacheDefault,
            Severity::Info,
            &volume.name,
            "no caching was given: ReadWrite, the platform's default for OS disks, is assumed",
        )
        .usual_fix()),
        _ => None,
    }
}

fn os_disk(volume: &Volume, disk: &Disk) -> Option<Finding> {
    let refusal = disk.model.os_refusal();
    refusal
        .filter(|_| volume.role == Role::Os)
        .map(|refusal| refused(volume, refusal))
}

/// What the catalogue says that a disk cannot be or have, as a finding.
fn refused(volume: &Volume, refusal: Refusal) -> Finding {
    let id = FindingId::of_code(refusal.id).unwrap_or(FindingId::FeatureNotOffered);
    Finding::new(id, id.usual_severity(), &volume.name, refusal.why).fix(refusal.instead)
}

fn stripe(volume: &Volume) -> Vec<Finding> {
    let Some((first, rest)) = volume.members.split_first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let local = |d: &Disk| d.model.family.is_local();
    if rest.iter().any(|d| local(d) != local(first)) {
        let text = "its members are partly local, partly remote: local data does not survive a deallocation";
        let finding = Finding::new(FindingId::StripeMixed, Severity::Error, &volume.name, text);
        found.push(finding.usual_fix());
    }
    let kind = |d: &Disk| (d.model.base, d.model.burst, d.model.size, d.model.family);
    if rest.iter().any(|d| kind(d) != kind(first)) {
        found.push(unequal(volume));
    }
    let caching = |d: &Disk| d.effective_caching();
    if rest.iter().any(|d| caching(d) != caching(first)) {
        let text = "its members have different host caching: the stripe follows the slower ones";
        let finding = Finding::new(
            FindingId::StripeCaching,
            Severity::Warning,
            &volume.name,
            text,
        );
        found.push(finding.usual_fix());
    }
    found
}

fn unequal(volume: &Volume) -> Finding {
    let striped = crate::planner::unusable::provisioned(volume);
    let labels: Vec<&str> = volume
        .members
        .iter()
        .map(|d| d.model.label.as_str())
        .collect();
    let mut text = format!("its members are not alike ({})", labels.join(", "));
    let lost = |axis: Axis| {
        let members = volume.members.iter();
        let sum: f64 = members
            .map(|d| d.model.base.on(axis))
            .sum::<Option<f64>>()?;
        let reached = striped.on(axis).filter(|reached| *reached < sum)?;
        let shown = |value| grouped(value, super::vm_caps::decimals(axis));
        Some(format!("{} of {} {axis}", shown(reached), shown(sum)))
    };
    let lost: Vec<String> = [Axis::Iops, Axis::Mbps]
        .into_iter()
        .filter_map(lost)
        .collect();
    if !lost.is_empty() {
        text.push_str(&format!(
            ": as a stripe they reach {} that they have one by one",
            lost.join(" and ")
        ));
    }
    Finding::new(
        FindingId::StripeUnequal,
        Severity::Warning,
        &volume.name,
        text,
    )
    .usual_fix()
}
