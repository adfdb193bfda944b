//! Premium SSD, Standard SSD and Standard HDD: the size rounds up to a tier, and the tier decides the limits.

use super::caching::cacheable;
use super::size;
use super::tiers::{Tier, TierTable};
use crate::catalog::disk::{
    Burst, BurstKind, DiskError, DiskModel, DiskRequest, Family, Redundancy, Resolved, Violation,
};
use crate::catalog::limits::Limits;
use crate::units::GiB;

/// The largest disk that stays within P50 as performance tier, GiB; only larger ones may be set to P60 and above
/// (performance tiers page, 2024-03-04).
pub const LARGEST_BELOW_P60_GIB: u32 = 4096;

/// Applies the rules to a request.
pub(in crate::catalog) fn resolve(
    tiers: &TierTable,
    request: &DiskRequest,
) -> Result<Resolved, DiskError> {
    refuse_provisioning(request)?;
    let mut violations = Vec::new();
    let (size, baseline, tier) = choose_tiers(tiers, request, &mut violations)?;
    let plus = performance_plus(request, baseline, &mut violations);
    let base = plus.map_or(tier.limits, |expanded| tier.limits.higher(expanded));
    let burst = burst(request, baseline, base, &mut violations);
    let redundancy = redundancy(request, baseline, &mut violations);
    check_shares(request, baseline, &mut violations);
    Ok(Resolved {
        model: DiskModel {
            label: label(baseline, tier, plus.is_some()),
            family: request.family,
            tier: Some(tier.name.clone()),
            size: Some(size),
            redundancy,
            lane: request.family.lane(),
            base,
            write: None,
            burst,
            accounting_unit: request.family.accounting_unit(),
            latency: None,
            latency_bound: None,
            cacheable: cacheable(request.family, size, request.max_shares),
        },
        violations,
    })
}

fn label(baseline: &Tier, tier: &Tier, plus: bool) -> String {
    let mut label = baseline.name.clone();
    if tier.name != baseline.name {
        label.push_str(" as ");
        label.push_str(&tier.name);
    }
    if plus {
        label.push_str(" perfplus");
    }
    label
}

fn refuse_provisioning(request: &DiskRequest) -> Result<(), DiskError> {
    let setting = match (request.iops, request.mbps) {
        (Some(_), _) => "iops",
        (None, Some(_)) => "mbps",
        (None, None) => return Ok(()),
    };
    Err(DiskError::NotASetting {
        setting,
        family: request.family.name().to_owned(),
        rule: if request.family == Family::PremiumSsd {
            "the tier decides its IOPS and MB/s; choose another tier or size, or raise it with tier="
        } else {
            "the tier decides its IOPS and MB/s; choose another tier or size"
        },
    })
}

/// The size, the baseline tier of that size, and the tier whose limits hold.
fn choose_tiers<'a>(
    tiers: &'a TierTable,
    request: &DiskRequest,
    violations: &mut Vec<Violation>,
) -> Result<(GiB, &'a Tier, &'a Tier), DiskError> {
    let family = request.family;
    let missing = DiskError::Missing {
        family: family.name(),
        missing: "a tier or a size, such as P30 or size=1TiB",
    };
    let named = |name: &Option<String>| {
        name.as_deref()
            .map(|name| tiers.named(family, name))
            .transpose()
    };
    let named_tier = named(&request.tier)?;
    // A family without performance tiers refuses them all, also those of another family.
    let raised = match &request.performance_tier {
        Some(asked) if family != Family::PremiumSsd => tiers.named(family, asked).ok(),
        asked => named(asked)?,
    };
    let size = match (request.size, named_tier) {
        (Some(size), _) => whole_size(tiers, family, size, violations),
        (None, Some(tier)) => GiB::whole(tier.max_gib),
        (None, None) => return Err(missing),
    };
    let baseline = tiers.for_size(family, size).ok_or(missing)?;
    // A tier named for a size of another tier asks for that tier's performance, unless one is asked for by itself.
    let tier = match (raised, named_tier) {
        (Some(raised), named) => {
            if let Some(named) = named.filter(|named| named.min_gib < baseline.min_gib) {
                performance_tier(tiers, named, baseline, size, violations);
            }
            performance_tier(tiers, raised, baseline, size, violations)
        }
        (None, Some(named)) => performance_tier(tiers, named, baseline, size, violations),
        (None, None) => baseline,
    };
    if let (Some(asked), None) = (&request.performance_tier, raised) {
        violations.push(no_performance_tier(asked, baseline, size));
    }
    Ok((size, baseline, tier))
}

/// The size in whole GiB, within what the family has.
fn whole_size(
    tiers: &TierTable,
    family: Family,
    asked: GiB,
    violations: &mut Vec<Violation>,
) -> GiB {
    let bound = |tier: Option<&Tier>, gib: fn(&Tier) -> u32| GiB::whole(tier.map_or(1, gib));
    let min = bound(tiers.of(family).next(), |tier| tier.min_gib);
    let max = bound(tiers.of(family).next_back(), |tier| tier.max_gib);
    size::within(family, (min, max), asked, violations)
}

/// The tier whose limits hold when `asked` is wanted for a disk of `size`: `asked` itself where that is allowed, the
/// nearest allowed one otherwise.
fn performance_tier<'a>(
    tiers: &'a TierTable,
    asked: &'a Tier,
    baseline: &'a Tier,
    size: GiB,
    violations: &mut Vec<Violation>,
) -> &'a Tier {
    if asked.name == baseline.name {
        return baseline;
    }
    if asked.family != Family::PremiumSsd {
        violations.push(no_performance_tier(&asked.name, baseline, size));
        return baseline;
    }
    if asked.min_gib < baseline.min_gib {
        violations.push(Violation::TierBelowBaseline {
            asked: asked.name.clone(),
            baseline: baseline.name.clone(),
        });
        return baseline;
    }
    let highest = highest_tier(tiers, baseline);
    if asked.min_gib > highest.min_gib {
        violations.push(Violation::TierTooHigh {
            asked: asked.name.clone(),
            highest: highest.name.clone(),
        });
        return highest;
    }
    asked
}

/// That the family of `baseline`, to which `size` rounds up, has no performance tiers.
fn no_performance_tier(asked: &str, baseline: &Tier, size: GiB) -> Violation {
    Violation::NotOffered {
        feature: format!("performance tier {asked}"),
        rule: format!(
            "{} has no performance tiers: {size} is {}",
            baseline.family, baseline.name
        ),
    }
}

/// The highest performance tier that a disk of this baseline tier may be set to.
fn highest_tier<'a>(tiers: &'a TierTable, baseline: &'a Tier) -> &'a Tier {
    let bounded = baseline.max_gib <= LARGEST_BELOW_P60_GIB;
    tiers
        .of(baseline.family)
        .rfind(|tier| !bounded || tier.max_gib <= LARGEST_BELOW_P60_GIB)
        .unwrap_or(baseline)
}

/// The expanded limits, where asked for and offered.
fn performance_plus(
    request: &DiskRequest,
    baseline: &Tier,
    violations: &mut Vec<Violation>,
) -> Option<Limits> {
    if request.performance_plus && baseline.performance_plus.is_none() {
        violations.push(Violation::NotOffered {
            feature: "performance plus".to_owned(),
            rule: format!(
                "performance plus needs a disk of 513 GiB or larger; {} ends at {} GiB",
                baseline.name, baseline.max_gib
            ),
        });
    }
    baseline
        .performance_plus
        .filter(|_| request.performance_plus)
}

/// The burst of a disk: on demand where enabled and offered, else from credits where the size has them.
/// Raising the performance tier lifts the base; the burst stays that of the size, and is none where it lifts nothing.
fn burst(
    request: &DiskRequest,
    baseline: &Tier,
    base: Limits,
    violations: &mut Vec<Violation>,
) -> Option<Burst> {
    if request.on_demand_burst && baseline.on_demand.is_none() {
        violations.push(Violation::NotOffered {
            feature: "on-demand bursting".to_owned(),
            rule: if request.family == Family::PremiumSsd {
                "a Premium SSD of 512 GiB or smaller always bursts from credits".to_owned()
            } else {
                format!("{} has no on-demand bursting", request.family)
            },
        });
    }
    let (limits, kind) = match (baseline.on_demand, baseline.credit_burst) {
        (Some(limits), _) if request.on_demand_burst => (limits, BurstKind::OnDemand),
        (_, Some((limits, seconds))) => (limits, BurstKind::Credit { seconds }),
        _ => return None,
    };
    let limits = base.higher(limits);
    (limits != base).then_some(Burst { limits, kind })
}

fn redundancy(
    request: &DiskRequest,
    baseline: &Tier,
    violations: &mut Vec<Violation>,
) -> Redundancy {
    if request.redundancy == Redundancy::Zrs && !baseline.zrs {
        violations.push(Violation::NotOffered {
            feature: "ZRS".to_owned(),
            rule: format!("{} is offered with LRS only", request.family),
        });
        return Redundancy::Lrs;
    }
    request.redundancy
}

fn check_shares(request: &DiskRequest, baseline: &Tier, violations: &mut Vec<Violation>) {
    if !(1..=baseline.max_shares).contains(&request.max_shares) {
        violations.push(Violation::NotOffered {
            feature: format!("shared disk ({} VMs)", request.max_shares),
            rule: match baseline.max_shares {
                1 => format!(
                    "{} cannot be attached to several VMs at once",
                    baseline.name
                ),
                most => format!(
                    "{} can be attached to {most} VMs at once at most",
                    baseline.name
                ),
            },
        });
    }
}
