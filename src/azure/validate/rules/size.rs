//! Whether a VM's own size can be had anew where the VM is.

use super::Case;
use super::zones::list;
use crate::azure::facts::Power;
use crate::azure::remedies::with_remedy;
use crate::azure::validate::offers::Closed;
use crate::planner::{Finding, FindingId, Severity};

/// A size that the list of SKUs of the region says this subscription does not get where the VM is.
pub(super) fn not_offered(case: &Case<'_>) -> Option<Finding> {
    let (name, region) = (case.vm.size.as_deref()?, case.vm.region.as_ref()?);
    let closed = case.offers.closed(name, region, &case.vm.zones)?;
    let list = format!("the list of SKUs of {region}");
    let (why, severity) = match closed {
        Closed::InRegion { reason } => (
            format!(
                "{list} restricts {name} for this subscription{}",
                said(reason)
            ),
            Severity::Warning,
        ),
        Closed::InZone { zone, reason } => (
            format!(
                "{list} restricts {name} in zone {zone} for this subscription{}",
                said(reason)
            ),
            Severity::Warning,
        ),
        Closed::NotInZone { zone, sold } => (
            format!(
                "{list} has {name} in {}, not in zone {zone}",
                self::list(sold)
            ),
            Severity::Warning,
        ),
        // A list may be saved of a part of what there is.
        Closed::Unlisted { sizes } => (
            format!("{name} is not among the {sizes} sizes in {list}"),
            Severity::Info,
        ),
    };
    let text = format!("{why}: {}", what_follows(case));
    let subject = case.own_subject();
    let finding = Finding::new(FindingId::SizeNotOffered, severity, subject, text);
    Some(with_remedy(finding))
}

/// The reason that the list gives.
fn said(reason: &str) -> String {
    match reason {
        "" => String::new(),
        reason => format!(" ({reason})"),
    }
}

fn what_follows(case: &Case<'_>) -> &'static str {
    match case.power {
        Some(Power::Deallocated) => {
            "the VM may not start again, and none like it can be made there"
        }
        _ => {
            "the VM runs on, but may not start again once it is deallocated, and none like it can be made there"
        }
    }
}
