//! Zones of a VM and its disks.

use std::sync::Arc;

use super::Case;
use crate::azure::remedies::with_remedy;
use crate::azure::validate::assemble::Member;
use crate::catalog::Family;
use crate::planner::{Finding, FindingId, Severity};

pub(super) fn findings(case: &Case<'_>, found: &mut Vec<Finding>) {
    for member in &case.assembled.members {
        found.extend(mismatch(case, member));
        found.extend(not_offered(case, member));
    }
    found.extend(stripes(case));
}

fn zones_of<'a>(member: &Member<'a>) -> &'a [Arc<str>] {
    member.seen.itself.map_or(&[], |disk| &disk.zones)
}

/// `zone 1`, `zones 2, 3`.
pub(super) fn list(zones: &[Arc<str>]) -> String {
    let plural = if zones.len() == 1 { "zone" } else { "zones" };
    format!("{plural} {}", zones.join(", "))
}

/// A zonal disk in another zone than its zonal VM.
fn mismatch(case: &Case<'_>, member: &Member<'_>) -> Option<Finding> {
    let (own, disk) = (&case.vm.zones, zones_of(member));
    if own.is_empty() || disk.is_empty() || disk.iter().any(|zone| own.contains(zone)) {
        return None;
    }
    let text = format!("is in {}, its VM in {}", list(disk), list(own));
    let subject = case.subject(member);
    let finding = Finding::new(FindingId::ZoneMismatch, Severity::Warning, subject, text);
    Some(with_remedy(finding))
}

/// Premium SSD v2 or Ultra in a zone that is not listed to offer it.
fn not_offered(case: &Case<'_>, member: &Member<'_>) -> Option<Finding> {
    let family = member.understood.disk.model.family;
    if !matches!(family, Family::PremiumSsdV2 | Family::Ultra) {
        return None;
    }
    let region = case.vm.region.as_ref()?;
    let why = match (case.vm.zones.first(), family) {
        (Some(zone), _) => in_zone(case, family, zone)?,
        (None, Family::Ultra) => {
            let offer = case.offers.size_in(case.vm.size.as_deref()?, region)?;
            if offer.ultra.regional || offer.ultra.zones.is_empty() {
                return None;
            }
            format!(
                "the VM is in no zone, and its size takes Ultra disks in {} only",
                list(&offer.ultra.zones)
            )
        }
        (None, _) => return None,
    };
    let text = format!("{family} in {region}: {why}");
    let subject = case.subject(member);
    let finding = Finding::new(FindingId::ZoneNotOffered, Severity::Warning, subject, text);
    Some(with_remedy(finding))
}

fn in_zone(case: &Case<'_>, family: Family, zone: &Arc<str>) -> Option<String> {
    let region = case.vm.region.as_ref()?;
    let offered = case.offers.zones(case.catalog, region, family);
    if let Some(zones) = offered
        && !zones.is_empty()
        && !zones.iter().any(|offered| **offered == **zone)
    {
        return Some(format!(
            "zone {zone} is not listed to offer it, {} {}",
            zones.join(", "),
            if zones.len() == 1 { "is" } else { "are" }
        ));
    }
    if family != Family::Ultra {
        return None;
    }
    let offer = case.offers.size_in(case.vm.size.as_deref()?, region)?;
    let listed = &offer.ultra;
    (!listed.regional && !listed.zones.is_empty() && !listed.zones.contains(zone)).then(|| {
        format!(
            "the size takes Ultra disks in {}, not in zone {zone}",
            list(&listed.zones)
        )
    })
}

/// Members of one stripe that say different zones.
fn stripes(case: &Case<'_>) -> Vec<Finding> {
    let volumes = case.assembled.deployment.volumes.iter().enumerate();
    let striped = volumes.filter(|(_, volume)| volume.is_stripe());
    let finding = |(index, volume): (usize, &crate::deployment::Volume)| {
        let members = case.assembled.members.iter();
        let mut zones: Vec<&[Arc<str>]> = members
            .filter(|member| member.volume == index)
            .map(zones_of)
            .collect();
        zones.sort_unstable();
        zones.dedup();
        if zones.len() < 2 {
            return None;
        }
        let named = |zones: &&[Arc<str>]| match zones {
            [] => "no zone".to_owned(),
            some => list(some),
        };
        let named: Vec<String> = zones.iter().map(named).collect();
        let text = format!("its members are in {}", named.join(" and "));
        let finding = Finding::new(
            FindingId::StripeZones,
            Severity::Warning,
            &volume.name,
            text,
        );
        Some(with_remedy(finding))
    };
    striped.filter_map(finding).collect()
}
