//! What the planner says of a plan, in words for what is deployed.

use std::sync::Arc;

use super::assemble::{Assembled, Member};
use super::model::Unknown;
use crate::azure::facts::{Backing, Region, VmFacts};
use crate::catalog::azure::zonal::only_in_zones;
use crate::catalog::{Catalog, Family, VmSize};
use crate::planner::findings::caching;
use crate::planner::money::Cost;
use crate::planner::{Finding, FindingId, Severity};

/// The planner's findings in words for what is deployed. Ceilings of a size that are not known are one finding; that the
/// limits of an unmanaged disk are not known is said elsewhere.
pub(super) fn of_deployed(findings: Vec<Finding>, assembled: &Assembled<'_>) -> Vec<Finding> {
    let mut worded: Vec<Finding> = Vec::with_capacity(findings.len());
    for finding in findings {
        let member = member(assembled, &finding.subject);
        let is_vhd = member.is_some_and(|m| matches!(m.seen.backing(), Backing::Vhd { .. }));
        if finding.id == FindingId::UnknownCap && is_vhd {
            continue;
        }
        let known = worded
            .iter_mut()
            .find(|known| is_same_cap(known, &finding))
            .filter(|_| member.is_none());
        match known {
            Some(known) => add_cap(&mut known.message, &finding.message),
            None => {
                let mut finding = reworded(finding, member);
                if finding.id == FindingId::OsDiskHdd {
                    finding.fix = Some(off_hdd(assembled));
                }
                worded.push(finding);
            }
        }
    }
    worded
}

/// How an OS disk comes off Standard HDD: to what the size takes.
fn off_hdd(assembled: &Assembled<'_>) -> String {
    let size = assembled.deployment.vm.as_ref();
    let premium = match size.and_then(|size| size.premium_storage) {
        Some(false) => "",
        _ => ", or Premium_LRS",
    };
    format!(
        "change it while the VM is deallocated: `az disk update --sku StandardSSD_LRS`{premium}"
    )
}

/// A finding of the planner about a VM that is deallocated: what holds only for a while holds for nobody, and what is
/// slow slows nobody down.
pub(super) fn while_off(finding: Finding) -> Option<Finding> {
    match finding.id {
        FindingId::BurstOnly | FindingId::VmBurstOnly => None,
        FindingId::VmUncachedIops
        | FindingId::VmUncachedMbps
        | FindingId::VmRemoteIops
        | FindingId::VmRemoteMbps
        | FindingId::VmCachedIops
        | FindingId::VmCachedMbps
        | FindingId::CacheLowersIops
        | FindingId::CacheLowersThroughput
        | FindingId::Unusable => Some(once_it_runs(Finding {
            severity: Severity::Info,
            ..finding
        })),
        FindingId::RetiringSize => Some(once_it_runs(finding)),
        _ => Some(finding),
    }
}

/// What another size costs more or less is billed of a VM that runs.
fn once_it_runs(finding: Finding) -> Finding {
    let fix = finding.fix.as_deref().map(|fix| {
        let more = fix.replace(" a month more", " a month more once it runs");
        more.replace(" a month less", " a month less once it runs")
    });
    Finding { fix, ..finding }
}

/// The first member of the volume that a finding is about.
fn member<'m, 'a>(assembled: &'m Assembled<'a>, subject: &str) -> Option<&'m Member<'a>> {
    let volume = assembled.deployment.position(subject)?;
    let mut members = assembled.members.iter();
    members.find(|member| member.volume == volume)
}

/// Whether both say of one size that a ceiling is not known.
fn is_same_cap(known: &Finding, other: &Finding) -> bool {
    known.id == FindingId::UnknownCap && other.id == known.id && known.subject == other.subject
}

/// Names one more ceiling of the size in the sentence about those that are not known.
fn add_cap(known: &mut String, other: &str) {
    let caps = |text: &str| -> Option<String> {
        let named = text.strip_prefix("no source gives its ")?;
        Some(named.split_once(':')?.0.to_owned())
    };
    if let (Some(caps_known), Some(cap)) = (caps(known), caps(other)) {
        *known = known.replacen(&caps_known, &format!("{caps_known}, {cap}"), 1);
    }
}

/// The finding with advice that can be followed on a deployed VM.
fn reworded(mut finding: Finding, member: Option<&Member<'_>>) -> Finding {
    let other = match (finding.id, member.map(|member| member.seen.itself)) {
        (FindingId::InterfaceCaps, _) => Some(
            "the VM can be converted to the other controller while it is deallocated, where its image has the drivers",
        ),
        (FindingId::UnknownCap, Some(None)) => {
            Some("read the disk itself too: `az disk list`, or `az disk show`")
        }
        (FindingId::UnknownCap, Some(Some(_))) => Some(
            "save the disk anew with a current version of the tool: this answer does not say its limits",
        ),
        _ => None,
    };
    finding.fix = match other {
        Some(fix) => Some(fix.to_owned()),
        // What is set on a deployed VM has no spec; what is advised in its place has one.
        None => finding.fix.map(|fix| as_set(&fix)),
    };
    finding
}

/// Advice about settings, as Azure names them or its CLI sets them.
fn as_set(fix: &str) -> String {
    let ways: Vec<String> = fix.split("; or ").map(way_as_set).collect();
    ways.join("; or ")
}

/// The same of one way out of several.
fn way_as_set(fix: &str) -> String {
    let tier = || {
        let (tier, rest) = fix.strip_prefix("tier=")?.split_once(' ')?;
        Some(format!("`az disk update --set tier={tier}` {rest}"))
    };
    let figures = || {
        let (iops, rest) = fix.strip_prefix("iops=")?.split_once(",mbps=")?;
        let (mbps, rest) = rest.split_once(' ')?;
        Some(format!(
            "`az disk update --disk-iops-read-write {iops} --disk-mbps-read-write {mbps}` {rest}"
        ))
    };
    // A plan is computed with a controller; a VM has one.
    let mut set = fix.replace("set cache=none", "set host caching to None");
    if let Some(rest) = set.strip_prefix("cache=none l") {
        set = format!("host caching None l{rest}");
    }
    for controller in [
        ": compute with --interface nvme",
        ": compute with --interface scsi",
    ] {
        set = set.replace(controller, "");
    }
    let typed = figures().or_else(tier);
    typed.unwrap_or_else(|| without_caching(&set))
}

/// A disk that is advised without a word about its host caching: of that other findings say what to do.
fn without_caching(fix: &str) -> String {
    let mut fix = fix.to_owned();
    for key in [":cache=none", ":cache=ro", ":cache=rw"] {
        while let Some((before, after)) = fix.split_once(key) {
            let next_key = after.strip_prefix(',');
            let next_key = next_key.filter(|rest| rest.starts_with(char::is_alphanumeric));
            fix = match next_key {
                Some(rest) => format!("{before}:{rest}"),
                None => format!("{before}{after}"),
            };
        }
    }
    fix
}

/// Ceilings of the host's SSD, which a disk without host caching does not pass.
const CACHED: [FindingId; 2] = [FindingId::VmCachedIops, FindingId::VmCachedMbps];

/// That host caching makes a volume slower.
const LOWERED: [FindingId; 2] = [FindingId::CacheLowersIops, FindingId::CacheLowersThroughput];

/// Where volumes are slower by their caching, that costs nothing to set and comes before a larger size.
fn caching_first(findings: &mut [Finding]) {
    let lowered = findings.iter().filter(|of| LOWERED.contains(&of.id));
    let lowered: Vec<(FindingId, String)> = lowered.map(|of| (of.id, of.subject.clone())).collect();
    let Some((id, _)) = lowered.first() else {
        return;
    };
    let mut volumes: Vec<&str> = lowered.iter().map(|(_, volume)| volume.as_str()).collect();
    volumes.sort_unstable();
    volumes.dedup();
    let first = format!(
        "set host caching of {} to None first, which costs nothing ({id})",
        volumes.join(", ")
    );
    let held = findings.iter_mut().filter(|of| CACHED.contains(&of.id));
    for finding in held {
        let fix = finding.fix.as_ref();
        finding.fix = fix.map(|fix| format!("{first}; where that is not enough, {fix}"));
    }
}

/// A fix that was looked for among what a list says `region` sells: says so where no size of the series does, and names the
/// sizes that are not in the list.
pub(super) fn listed(
    fix: &mut String,
    own: Option<&VmSize>,
    region: &Region,
    zones: &[Arc<str>],
    is_listed: impl Fn(&str) -> bool,
) {
    if let Some(own) = own {
        let (none, other) = (
            format!("no {} size ", own.series),
            format!("no other {} size ", own.series),
        );
        let sold = match zones {
            [] => format!("sold in {region} "),
            zones => format!("sold in zone {} of {region} ", zones.join(", ")),
        };
        *fix = fix
            .replace(&none, &(none.clone() + &sold))
            .replace(&other, &(other.clone() + &sold));
    }
    let words = fix.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    let sizes = words.filter(|word| {
        word.starts_with("Standard_") && word.contains(|c: char| c.is_ascii_digit())
    });
    let mut lacking: Vec<&str> = sizes.filter(|size| !is_listed(size)).collect();
    lacking.sort_unstable();
    lacking.dedup();
    if !lacking.is_empty() {
        let note = format!(
            " (the list of SKUs of {region} does not say whether it sells {})",
            lacking.join(", ")
        );
        fix.push_str(&note);
    }
}

/// What is said beside advice that names disks which only VMs in a zone get, for a VM that is in none.
pub(super) fn zonal(
    catalog: &Catalog,
    vm: &VmFacts,
    assembled: &Assembled<'_>,
    findings: &mut [Finding],
) {
    for (family, spec, rule) in lacking(catalog, vm, assembled) {
        let names = |fix: &&mut String| fix.contains(family.name()) || fix.contains(spec);
        let fixes = findings
            .iter_mut()
            .filter_map(|finding| finding.fix.as_mut());
        fixes.filter(names).for_each(|fix| {
            fix.push_str(&format!(" (this VM is in no zone: {rule})"));
        });
    }
}

/// The same of cheaper ways to have what its disks provide.
pub(super) fn zonal_ways(
    catalog: &Catalog,
    vm: &VmFacts,
    assembled: &Assembled<'_>,
    cost: &Cost,
) -> Option<Unknown> {
    let ways = || cost.volumes.iter().flat_map(|volume| &volume.alternatives);
    let named = |spec: &str| ways().any(|way| way.spec.as_ref().is_some_and(|s| s.contains(spec)));
    let lacking = lacking(catalog, vm, assembled).into_iter();
    let rules: Vec<String> = lacking
        .filter_map(|(_, spec, rule)| named(spec).then_some(rule))
        .collect();
    (!rules.is_empty()).then(|| Unknown {
        subject: vm.name.to_string(),
        what: format!(
            "whether all the cheaper ways are open to it: it is in no zone, and {}",
            rules.join("; ")
        ),
    })
}

/// The families that a VM in no zone may not get, with how specs of them begin and the rule; none that it has already: then
/// the region attaches them.
fn lacking(
    catalog: &Catalog,
    vm: &VmFacts,
    assembled: &Assembled<'_>,
) -> Vec<(Family, &'static str, String)> {
    let Some(region) = vm.region.as_ref().filter(|_| vm.zones.is_empty()) else {
        return Vec::new();
    };
    let has = |family| {
        let mut members = assembled.members.iter();
        members.any(|member| member.understood.disk.model.family == family)
    };
    let rule = |(family, spec)| {
        Some((
            family,
            spec,
            only_in_zones(catalog, region.as_str(), family)?,
        ))
    };
    let families = ZONAL.into_iter().filter(|(family, _)| !has(*family));
    families.filter_map(rule).collect()
}

/// The families that a VM in a zone gets, with how specs of them begin.
const ZONAL: [(Family, &str); 2] = [(Family::PremiumSsdV2, "v2:"), (Family::Ultra, "ultra:")];

/// One advice about host caching for each volume, with what was found of the deployed VM.
pub(super) fn agree(findings: &mut [Finding]) {
    caching::agree(findings);
    caching_first(findings);
    let of_cache = findings
        .iter_mut()
        .filter(|of| of.id == FindingId::RwCacheData);
    for finding in of_cache {
        finding.fix = finding.fix.as_deref().map(as_set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fix(id: FindingId, fix: &str) -> String {
        let finding = Finding::new(id, Severity::Info, "data", String::new()).fix(fix);
        reworded(finding, None).fix.unwrap()
    }

    #[test]
    fn what_is_set_is_named_as_azure_does_and_a_spec_says_no_caching() {
        assert_eq!(
            fix(FindingId::CacheLowersIops, "set cache=none"),
            "set host caching to None"
        );
        assert_eq!(
            fix(
                FindingId::VmUncachedIops,
                "with the driver for NVMe in its image, X (NVMe) is enough: compute with --interface nvme"
            ),
            "with the driver for NVMe in its image, X (NVMe) is enough"
        );
        assert_eq!(
            fix(
                FindingId::Unusable,
                "iops=6400,mbps=290 pays for no more than this VM sustains"
            ),
            "`az disk update --disk-iops-read-write 6400 --disk-mbps-read-write 290` pays for no more than this VM sustains"
        );
        assert_eq!(
            fix(
                FindingId::Unusable,
                "cache=none loses only 55 MB/s (200 - 145); or tier=P40 has the same IOPS and MB/s; or take a larger size"
            ),
            "host caching None loses only 55 MB/s (200 - 145); or `az disk update --set tier=P40` has the same IOPS and \
             MB/s; or take a larger size"
        );
        let spec = "take P30:cache=none or v2:size=128,iops=3500";
        assert_eq!(
            fix(FindingId::BurstOnly, spec),
            "take P30 or v2:size=128,iops=3500"
        );
        assert_eq!(
            fix(
                FindingId::BurstOnly,
                "take E30:cache=rw,perfplus, or P30:cache=rw, or more"
            ),
            "take E30:perfplus, or P30, or more"
        );
    }
}
