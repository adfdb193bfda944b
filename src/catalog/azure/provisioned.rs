//! Families whose size, IOPS and MB/s are provisioned apart from each other: the common rules.

use super::refusals::out_of_range;
use crate::catalog::disk::{
    DiskError, DiskModel, DiskRequest, Family, Redundancy, Resolved, Setting, Violation,
};
use crate::catalog::limits::Limits;
use crate::units::{GiB, Iops, MBps, grouped};

/// The ranges of a provisioned family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProvisionedRules {
    /// The family.
    pub family: Family,
    /// Short name for tables.
    pub label: &'static str,
    /// The smallest disk, GiB.
    pub min_size: GiB,
    /// The largest disk, GiB.
    pub max_size: GiB,
    /// The fewest IOPS.
    pub min_iops: Iops,
    /// How many IOPS each GiB allows.
    pub iops_per_gib: f64,
    /// The most IOPS of any size.
    pub max_iops: Iops,
    /// The least MB/s.
    pub min_mbps: MBps,
    /// How many MB/s each provisioned I/O per second allows.
    pub mbps_per_iops: f64,
    /// The most MB/s of any size.
    pub max_mbps: MBps,
    /// What a disk has when nothing is asked, free of charge; `None` where no default is documented.
    pub included: Option<Limits>,
    /// How many VMs may attach one disk at once.
    pub max_shares: u32,
    /// The id of the finding that a setting is out of these ranges.
    pub range_id: &'static str,
    /// The id of the finding that host caching was asked for.
    pub caching_id: &'static str,
}

impl ProvisionedRules {
    /// The most IOPS that a disk of `size` may have.
    #[must_use]
    pub fn iops_cap(&self, size: GiB) -> Iops {
        let by_size = Iops::new(self.iops_per_gib * size.get()).unwrap_or(self.max_iops);
        by_size.max(self.min_iops).min(self.max_iops)
    }

    /// The most MB/s that a disk with `iops` provisioned may have.
    #[must_use]
    pub fn mbps_cap(&self, iops: Iops) -> MBps {
        let by_iops = MBps::new(self.mbps_per_iops * iops.get()).unwrap_or(self.max_mbps);
        by_iops.max(self.min_mbps).min(self.max_mbps)
    }

    /// The smallest disk, in whole GiB, that may have `iops`; `None` where no disk may.
    #[must_use]
    pub fn size_for(&self, iops: Iops) -> Option<GiB> {
        if iops > self.max_iops {
            return None;
        }
        if iops <= self.iops_cap(self.min_size) {
            return Some(self.min_size);
        }
        GiB::new((iops.get() / self.iops_per_gib).ceil()).ok()
    }

    /// The fewest IOPS, provisioned, that allow `mbps`; `None` where no disk may have so much.
    #[must_use]
    pub fn iops_for(&self, mbps: MBps) -> Option<Iops> {
        if mbps > self.max_mbps {
            return None;
        }
        let needed = Iops::new(mbps.get() / self.mbps_per_iops).ok()?;
        Some(needed.max(self.min_iops))
    }

    /// The lowest whole IOPS and MB/s that can be set and give at least `wanted`; `None` where no disk may have so much.
    #[must_use]
    pub fn lowest_for(&self, wanted: Limits) -> Option<Limits> {
        let mbps = wanted.mbps?.get().round();
        let mbps = MBps::new(mbps).ok()?.max(self.min_mbps);
        let allowing = Iops::new(self.iops_for(mbps)?.get().ceil()).ok()?;
        let iops = Iops::new(wanted.iops?.get().round()).ok()?.max(allowing);
        Some(Limits::new(iops, mbps))
    }
}

/// Applies the rules to a request.
pub(in crate::catalog) fn resolve(
    rules: &ProvisionedRules,
    request: &DiskRequest,
) -> Result<Resolved, DiskError> {
    refuse_tiers(rules.family, request)?;
    let mut violations = unavailable(rules, request);
    let size = request.size.ok_or(DiskError::Missing {
        family: rules.family.name(),
        missing: "a size, such as size=128",
    })?;
    let range = (rules.min_size, rules.max_size);
    let size = super::size::within(rules.family, range, size, &mut violations);
    let iops = provisioned_iops(rules, request, size, &mut violations)?;
    let mbps = provisioned_mbps(rules, request, iops, &mut violations)?;
    Ok(Resolved {
        model: DiskModel {
            label: rules.label.to_owned(),
            family: rules.family,
            tier: None,
            size: Some(size),
            redundancy: Redundancy::Lrs,
            lane: rules.family.lane(),
            base: Limits::new(iops, mbps),
            write: None,
            burst: None,
            accounting_unit: rules.family.accounting_unit(),
            latency: None,
            latency_bound: None,
            cacheable: false,
        },
        violations,
    })
}

fn refuse_tiers(family: Family, request: &DiskRequest) -> Result<(), DiskError> {
    if request.tier.is_some() || request.performance_tier.is_some() {
        return Err(DiskError::NotASetting {
            setting: "tier",
            family: family.name().to_owned(),
            rule: "it has no tiers: size, IOPS and MB/s are set apart from each other (size=, iops=, mbps=)",
        });
    }
    Ok(())
}

/// The features that provisioned families do not have.
fn unavailable(rules: &ProvisionedRules, request: &DiskRequest) -> Vec<Violation> {
    let name = rules.family.name();
    let shares = format!("shared disk ({} VMs)", request.max_shares);
    [
        (
            request.on_demand_burst,
            "on-demand bursting",
            format!("{name} does not burst: provision the IOPS and MB/s instead"),
        ),
        (
            request.performance_plus,
            "performance plus",
            format!("{name} has no performance plus: provision the IOPS and MB/s instead"),
        ),
        (
            request.redundancy == Redundancy::Zrs,
            "ZRS",
            format!("{name} is offered with LRS only"),
        ),
        (
            !(1..=rules.max_shares).contains(&request.max_shares),
            shares.as_str(),
            format!(
                "{name} can be attached to 1 to {} VMs at once",
                rules.max_shares
            ),
        ),
    ]
    .into_iter()
    .filter(|(asked, ..)| *asked)
    .map(|(_, feature, rule)| Violation::NotOffered {
        feature: feature.to_owned(),
        rule,
    })
    .collect()
}

/// `3,000 to 10,000`; one figure where both are the same.
fn range<T: PartialEq + std::fmt::Display>(min: T, max: T) -> String {
    if min == max {
        format!("only {max}")
    } else {
        format!("{min} to {max}")
    }
}

fn provisioned_iops(
    rules: &ProvisionedRules,
    request: &DiskRequest,
    size: GiB,
    violations: &mut Vec<Violation>,
) -> Result<Iops, DiskError> {
    let asked = request
        .iops
        .or(rules.included.and_then(|limits| limits.iops))
        .ok_or(DiskError::Missing {
            family: rules.family.name(),
            missing: "provisioned IOPS, such as iops=5000",
        })?;
    let (min, max) = (rules.min_iops, rules.iops_cap(size));
    let figures = [asked, min, max].map(Iops::get);
    violations.extend(out_of_range(Setting::Iops, figures, || {
        format!(
            "up to {} IOPS per GiB, {} for the smallest disk, {} for any: {size} may have {} IOPS",
            grouped(rules.iops_per_gib, 2),
            rules.iops_cap(rules.min_size),
            rules.max_iops,
            range(min, max),
        )
    }));
    Ok(asked.max(min).min(max))
}

fn provisioned_mbps(
    rules: &ProvisionedRules,
    request: &DiskRequest,
    iops: Iops,
    violations: &mut Vec<Violation>,
) -> Result<MBps, DiskError> {
    let asked = request
        .mbps
        .or(rules.included.and_then(|limits| limits.mbps))
        .ok_or(DiskError::Missing {
            family: rules.family.name(),
            missing: "provisioned MB/s, such as mbps=200",
        })?;
    let (min, max) = (rules.min_mbps, rules.mbps_cap(iops));
    let figures = [asked, min, max].map(MBps::get);
    violations.extend(out_of_range(Setting::Mbps, figures, || {
        format!(
            "{} MB/s per provisioned IOPS, at most {}: {iops} IOPS may have {} MB/s",
            grouped(rules.mbps_per_iops, 2),
            rules.max_mbps,
            range(min, max),
        )
    }));
    Ok(asked.max(min).min(max))
}
