//! What the planner says of a plan, in words for what is deployed.

use super::assemble::{Assembled, Member};
use crate::azure::facts::Backing;
use crate::planner::findings::caching;
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
        | FindingId::Unusable => Some(Finding {
            severity: Severity::Info,
            ..finding
        }),
        _ => Some(finding),
    }
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

/// One advice about host caching for each volume, with what was found of the deployed VM.
pub(super) fn agree(findings: &mut [Finding]) {
    caching::agree(findings);
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
