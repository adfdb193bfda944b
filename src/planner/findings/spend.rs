//! Provisioned performance that the VM does not let through.

use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Family, Limits};
use crate::planner::assessment::VolumeView;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    context
        .assessment
        .volumes
        .iter()
        .filter_map(finding)
        .collect()
}

fn some_of(limits: Limits) -> bool {
    let above = |v: Option<f64>| v.is_some_and(|v| v > 0.0);
    above(limits.iops.map(crate::units::Iops::get))
        || above(limits.mbps.map(crate::units::MBps::get))
}

fn words(limits: Limits) -> String {
    let iops = limits
        .iops
        .filter(|v| v.get() > 0.0)
        .map(|v| format!("{v} IOPS"));
    let mbps = limits
        .mbps
        .filter(|v| v.get() > 0.0)
        .map(|v| format!("{v} MB/s"));
    let parts: Vec<String> = iops.into_iter().chain(mbps).collect();
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join(" and ")
    }
}

fn finding(volume: &VolumeView) -> Option<Finding> {
    let (sustained, burst) = (volume.unusable_sustained, volume.unusable_burst);
    if !some_of(sustained) {
        return None;
    }
    let always = some_of(burst);
    let severity = if always {
        Severity::Warning
    } else {
        Severity::Info
    };
    let text = if always {
        format!(
            "{} of what it is provisioned for are never let through by the VM, {} once the VM's burst credit is used up",
            words(burst),
            words(sustained)
        )
    } else {
        format!(
            "{} of what it is provisioned for are let through only while the VM has burst credit",
            words(sustained)
        )
    };
    let mut finding = Finding::new(FindingId::Unusable, severity, &volume.name, text);
    for (when, limits) in [("sustained", sustained), ("burst", burst)] {
        if let Some(iops) = limits.iops {
            finding = finding.figure(&format!("unusable_{when}"), iops.get(), "IOPS");
        }
        if let Some(mbps) = limits.mbps {
            finding = finding.figure(&format!("unusable_{when}"), mbps.get(), "MB/s");
        }
    }
    Some(finding.fix_if(always.then(|| fix(volume)).flatten()))
}

/// For families whose performance is provisioned apart from the capacity: the setting that pays for no more than passes.
fn fix(volume: &VolumeView) -> Option<String> {
    if !matches!(volume.family, Family::PremiumSsdV2 | Family::Ultra) {
        return None;
    }
    let each = 1.0 / volume.members as f64;
    let iops = volume.provisioned.iops?.get() - volume.unusable_burst.iops?.get();
    let mbps = volume.provisioned.mbps?.get() - volume.unusable_burst.mbps?.get();
    Some(format!(
        "iops={:.0},mbps={:.0} pays for no more than this VM lets through in burst, or take a larger size",
        iops * each,
        mbps * each,
    ))
}
