//! Rules about a disk by itself.

use super::DiskCase;
use crate::azure::facts::{Backing, DiskFacts, DiskState, Named};
use crate::azure::remedies::with_remedy;
use crate::azure::validate::disk::Oddity;
use crate::catalog::price::{BilledDisk, DiskUse, Money, Total};
use crate::catalog::{Family, Limits, Tier, Violation};
use crate::planner::{Finding, FindingId, Severity};
use crate::units::grouped;

pub(super) fn findings(case: &DiskCase<'_>, found: &mut Vec<Finding>) {
    let oddities = case.understood.oddities.iter();
    found.extend(oddities.map(|oddity| odd(case, oddity)));
    found.extend(tier_raised(case));
    found.extend(on_demand_burst(case));
    found.extend(kept_elsewhere(case));
}

/// What differs from the rules known here.
fn odd(case: &DiskCase<'_>, oddity: &Oddity) -> Finding {
    let finding = |id, severity, text: String| Finding::new(id, severity, case.subject, text);
    match oddity {
        Oddity::Beyond(violation) => with_remedy(finding(
            FindingId::DeployedLimits,
            Severity::Warning,
            beyond(violation),
        )),
        Oddity::Differs { reported, rules } => finding(
            FindingId::DeployedLimits,
            Severity::Info,
            format!(
                "reports {}, where {} has {}: used as reported",
                pair(*reported),
                case.understood.disk.model.label,
                pair(*rules)
            ),
        ),
        Oddity::UnknownTier(tier) => finding(
            FindingId::UnknownDiskSku,
            Severity::Warning,
            format!("says tier {tier}, which is not known here: its reported limits are used"),
        ),
        Oddity::UnknownSku(sku) => with_remedy(finding(
            FindingId::UnknownDiskSku,
            Severity::Warning,
            format!(
                "SKU {sku} is not known here: taken as a remote disk with {}",
                pair(case.understood.disk.model.base)
            ),
        )),
    }
}

fn pair(limits: Limits) -> String {
    let iops = limits
        .iops
        .map_or_else(|| "unknown".to_owned(), |iops| iops.to_string());
    let mbps = limits
        .mbps
        .map_or_else(|| "unknown".to_owned(), |mbps| mbps.to_string());
    format!("{iops} IOPS and {mbps} MB/s")
}

fn beyond(violation: &Violation) -> String {
    match violation {
        Violation::OutOfRange {
            setting,
            asked,
            min,
            max,
            rule,
        } => {
            let unit = setting.unit();
            format!(
                "is deployed with {} {unit}, where {} to {} are known as possible ({rule})",
                grouped(*asked, 2),
                grouped(*min, 2),
                grouped(*max, 2)
            )
        }
        Violation::TierBelowBaseline { asked, baseline } => {
            format!("says tier {asked}, below {baseline}, the tier of its size")
        }
        Violation::TierTooHigh { asked, highest } => {
            format!("says tier {asked}, above {highest}, the highest known for its size")
        }
        Violation::NotOffered { feature, rule } => format!("has {feature}: {rule}"),
    }
}

/// Whether nobody has the disk.
fn is_unattached(case: &DiskCase<'_>) -> bool {
    let state = case.seen.itself.and_then(|disk| disk.state.as_ref());
    let is_it = state.and_then(Named::known) == Some(DiskState::Unattached);
    case.seen.attached.is_none() && is_it
}

/// A tier above that of the size is billed as the larger disk.
fn tier_raised(case: &DiskCase<'_>) -> Option<Finding> {
    let model = &case.understood.disk.model;
    let tier = model.tier.as_deref()?;
    let baseline = case.catalog.tiers().of_size_beside(model)?;
    let set = case.catalog.tiers().named(model.family, tier).ok()?;
    let own = set.limits;
    let text = format!(
        "set to {tier} ({}), its size is {} ({})",
        pair(own),
        baseline.name,
        pair(baseline.limits)
    );
    let finding = Finding::new(FindingId::TierRaised, Severity::Warning, case.subject, text);
    let lower_to = |tier: &Tier| lowering(case, tier).filter(|month| month.amount > 0.0);
    let less = |tier: &Tier| {
        let month = lower_to(tier);
        month.map_or_else(String::new, |month| format!(": {month} less a month"))
    };
    let when = match is_unattached(case) {
        true => format!("where it is kept, lower it to {}", baseline.name),
        false => format!("lower it to {} when the busy time is over", baseline.name),
    };
    let mut fix = format!("{when} ({}){}", set_tier(baseline), less(baseline));
    // Some tiers differ by their size alone.
    let mut tiers = case.catalog.tiers().of(model.family);
    let same = tiers.find(|tier| {
        let between = (baseline.max_gib + 1..set.max_gib).contains(&tier.max_gib);
        between && tier.limits == own
    });
    if let Some(same) = same {
        fix.push_str(&format!(
            "; as long as it is busy, {} does the same ({}){}",
            same.name,
            set_tier(same),
            less(same)
        ));
    }
    let finding = match lower_to(baseline) {
        Some(month) => finding.figure("raised_cost_per_month", month.amount, month.currency),
        None => finding,
    };
    Some(finding.fix(fix))
}

fn set_tier(tier: &Tier) -> String {
    format!("`az disk update --set tier={}`", tier.name)
}

/// What a month costs less with another performance tier; `None` without prices.
fn lowering(case: &DiskCase<'_>, tier: &Tier) -> Option<Money> {
    let (book, disk) = (case.book?, &case.understood.disk);
    let billed = BilledDisk::of(case.catalog, &disk.spec.request, &disk.model);
    let lowered = BilledDisk {
        tier: tier.name.parse().ok(),
        ..billed.clone()
    };
    let month = |disk| book.disk_bill(disk, &DiskUse::default()).total().known;
    let less = month(&billed).amount - month(&lowered).amount;
    Some(Money::new(less, book.currency()))
}

/// What it costs that on-demand bursting is enabled, used or not. That it is, the planner says.
fn on_demand_burst(case: &DiskCase<'_>) -> Option<Finding> {
    let (book, disk) = (case.book?, &case.understood.disk);
    let billed = BilledDisk::of(case.catalog, &disk.spec.request, &disk.model);
    if !billed.on_demand_burst {
        return None;
    }
    let without = BilledDisk {
        on_demand_burst: false,
        ..billed.clone()
    };
    let month = |disk| book.disk_bill(disk, &DiskUse::default()).total().known;
    let (amount, currency) = (
        month(&billed).amount - month(&without).amount,
        book.currency(),
    );
    (amount > 0.0).then(|| {
        let text = format!(
            "on-demand bursting costs {} {currency} a month while it is enabled, used or not, and each burst besides",
            grouped(amount, 2)
        );
        let finding = Finding::new(FindingId::PaidBurst, Severity::Info, case.subject, text);
        with_remedy(finding.figure("enablement_cost_per_month", amount, currency))
    })
}

/// Disks that are no managed disks.
fn kept_elsewhere(case: &DiskCase<'_>) -> Option<Finding> {
    match case.seen.backing() {
        Backing::Vhd { .. } => Some(with_remedy(Finding::new(
            FindingId::UnmanagedDisk,
            Severity::Warning,
            case.subject,
            "is a page blob in a storage account, an unmanaged disk; these retired on 2026-03-31, and a VM with one cannot be \
             started any more; its limits follow from the account and are unknown here",
        ))),
        Backing::Ephemeral { .. } => Some(
            Finding::new(
                FindingId::LocalData,
                Severity::Info,
                case.subject,
                "is an ephemeral OS disk: what is written to it is lost when the VM is reimaged, resized or moved",
            )
            .fix("keep data on managed disks"),
        ),
        Backing::Managed | Backing::Unknown => None,
    }
}

/// A disk that no VM has, and its month.
pub(in crate::azure::validate) fn unattached(
    facts: &DiskFacts,
    month: Option<&Total>,
) -> Option<Finding> {
    let state = facts.state.as_ref().and_then(Named::known)?;
    let why = match state {
        DiskState::Unattached => "is attached to no VM and billed all the same",
        DiskState::ActiveSas if facts.attached_to.is_empty() => {
            "is being exported, attached to no VM, and billed all the same"
        }
        DiskState::ReadyToUpload => "waits for an upload and is billed meanwhile",
        _ => return None,
    };
    let known = month.map(|month| month.known).filter(|m| m.amount > 0.0);
    let mut text = why.to_owned();
    if let Some(month) = known {
        text.push_str(&format!(": {month} a month"));
    }
    if let Some(since) = facts
        .ownership_changed
        .filter(|_| state == DiskState::Unattached)
    {
        text.push_str(&format!(
            ", since {}",
            jiff::tz::TimeZone::UTC.to_datetime(since).date()
        ));
    }
    let finding = Finding::new(
        FindingId::DiskUnattached,
        Severity::Warning,
        &*facts.name,
        text,
    );
    // Nothing says yet that a disk can go that is being copied: no money that a fix saves.
    let fix = match state {
        DiskState::ActiveSas => {
            "find out who exports it before anything else: it may be a replica of Azure Site Recovery or a copy under \
             way; `az disk revoke-access` ends an export that nobody needs"
        }
        DiskState::ReadyToUpload => "finish the upload, or delete the disk where it was given up",
        _ => return Some(to_delete(finding, facts, known)),
    };
    let finding = finding.fix(fix);
    Some(match known {
        Some(month) => finding.figure("billed_monthly", month.amount, month.currency),
        None => finding,
    })
}

/// A disk that nobody has: its whole price ends with it, and the data can be kept for less.
fn to_delete(finding: Finding, disk: &DiskFacts, month: Option<Money>) -> Finding {
    let ends = match month {
        Some(month) => format!("{month} less a month"),
        None => "its whole price ends".to_owned(),
    };
    let finding = finding.fix(format!(
        "take a snapshot first where its data may be wanted (`az snapshot create{}`), which is billed for what is used of the \
         disk only; then delete the disk where nobody needs it (`az disk delete`): {ends}",
        only_incremental(disk)
    ));
    match month {
        Some(month) => finding.figure("cost_per_month", month.amount, month.currency),
        None => finding,
    }
}

/// Of Premium SSD v2 and Ultra there are incremental snapshots only (Azure, create an incremental snapshot).
fn only_incremental(disk: &DiskFacts) -> &'static str {
    let family = disk.sku.as_ref().and_then(|sku| sku.family);
    match family {
        Some(Family::PremiumSsdV2 | Family::Ultra) => " --incremental true",
        _ => "",
    }
}
