//! Provisioned performance that the VM does not let through.

use super::raised::{lower_tier, no_more_than_lower};
use super::suggest::larger_size;
use super::vm_caps::decimals;
use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Axis, Catalog, Limits};
use crate::deployment::{Deployment, HostCaching, Role, Volume};
use crate::planner::assess::without_caching;
use crate::planner::assessment::VolumeView;
use crate::planner::system::{Phase, Place, System};
use crate::planner::unusable::{Together, unusable, unusable_together};
use crate::units::{GiB, Iops, MBps, grouped};
use crate::workload::Io;

pub(super) fn findings(context: &Context<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = context
        .assessment
        .volumes
        .iter()
        .enumerate()
        .filter_map(|(index, volume)| {
            // Of what is not let through the fix names the lower tier.
            finding(context, index, volume).or_else(|| no_more_than_lower(context, index, volume))
        })
        .collect();
    found.extend(together(context));
    found
}

/// A loss of less than this part of what is provisioned is not worth a finding.
pub(crate) const NOTICEABLE: f64 = 0.02;

/// What all volumes together are provisioned for beyond the VM's ceilings, where that is more than each by itself loses.
fn together(context: &Context<'_>) -> Option<Finding> {
    let (deployment, volumes) = (context.deployment, &context.assessment.volumes);
    let vm = deployment.vm.as_ref()?;
    if volumes.len() < 2 {
        return None;
    }
    let in_phase = |phase| unusable_together(deployment, phase);
    let (of_sustained, of_burst) = (in_phase(Phase::Sustained), in_phase(Phase::Burst));
    let (sustained, burst) = (of_sustained.lost, of_burst.lost);
    let single = |axis| {
        volumes
            .iter()
            .filter_map(|v| v.unusable_sustained.on(axis))
            .sum::<f64>()
    };
    let more = |axis: Axis| {
        sustained
            .on(axis)
            .is_some_and(|v| v > single(axis) * (1.0 + NOTICEABLE) + 1.0)
    };
    if !more(Axis::Iops) && !more(Axis::Mbps) {
        return None;
    }
    let more = Together {
        lost: only_sustained(sustained, burst),
        ..of_sustained
    };
    let than = match (some_of(burst), some_of(more.lost)) {
        (true, false) => format!(
            "{} more than the VM lets through",
            words_together(&of_burst)
        ),
        (true, true) => format!(
            "{} more than the VM lets through in burst, {} more than it sustains",
            words_together(&of_burst),
            words_together(&more)
        ),
        (false, _) => format!(
            "{} more than the VM sustains",
            words_together(&of_sustained)
        ),
    };
    let whose = match of_sustained.at_least {
        true => "the volumes whose limits are known are together",
        false => "all volumes together are",
    };
    let shared = shared_by_plan(deployment);
    let others_use = match shared.as_slice() {
        [] => String::new(),
        names => format!(
            "; of that other VMs may use what is shared ({})",
            names.join(", ")
        ),
    };
    let text = format!("{whose} provisioned for {than}{BRACKETS}{others_use}");
    let severity = match some_of(burst) && shared.is_empty() {
        true => Severity::Warning,
        false => Severity::Info,
    };
    let mut finding = Finding::new(FindingId::Unusable, severity, &vm.name, text);
    for (when, limits) in [("sustained", sustained), ("burst", burst)] {
        finding = with_figures(finding, when, limits);
    }
    Some(finding.fix(format!(
        "provision less, or take {}; volumes that are never busy at once may be meant so",
        larger_size(context)
    )))
}

pub(crate) fn with_figures(mut finding: Finding, when: &str, limits: Limits) -> Finding {
    for axis in [Axis::Iops, Axis::Mbps] {
        if let Some(value) = limits.on(axis) {
            finding = finding.figure(&format!("unusable_{when}"), value, axis);
        }
    }
    finding
}

pub(crate) fn some_of(limits: Limits) -> bool {
    let above = |v: Option<f64>| v.is_some_and(|v| v > 0.0);
    above(limits.iops.map(crate::units::Iops::get))
        || above(limits.mbps.map(crate::units::MBps::get))
}

/// What the brackets of [`words`] hold.
const BRACKETS: &str = "; in brackets what is provisioned - what the VM lets through";

/// What is lost of what is paid, and how it comes about; of the cached ceiling with the disks that pass it.
fn words_together(together: &Together) -> String {
    words_of(together.lost, together.paid, |axis| {
        let [iops, mbps] = together.over;
        let over = match axis {
            Axis::Iops => iops,
            Axis::Mbps => mbps,
        };
        match over {
            Some(Place::Cached) => " of the cached disks",
            _ => "",
        }
    })
}

/// `2,000 IOPS (6,000 - 4,000) and 50 MB/s (250 - 200)`: what is lost of what is paid, and how it comes about.
pub(crate) fn words(lost: Limits, paid: Limits) -> String {
    words_of(lost, paid, |_| "")
}

fn words_of(lost: Limits, paid: Limits, whose: impl Fn(Axis) -> &'static str) -> String {
    let part = |axis: Axis| {
        let lost = lost.on(axis).filter(|lost| *lost > 0.0)?;
        let shown = |value| grouped(value, decimals(axis));
        let sum = paid.on(axis).map_or_else(String::new, |paid| {
            format!(" ({}{} - {})", shown(paid), whose(axis), shown(paid - lost))
        });
        Some(format!("{} {axis}{sum}", shown(lost)))
    };
    let parts: Vec<String> = [Axis::Iops, Axis::Mbps]
        .into_iter()
        .filter_map(part)
        .collect();
    if parts.is_empty() {
        "nothing".to_owned()
    } else {
        parts.join(" and ")
    }
}

/// What is lost sustained, on the axes where it reads otherwise than what is lost in burst.
pub(crate) fn only_sustained(sustained: Limits, burst: Limits) -> Limits {
    Limits {
        iops: (sustained.iops)
            .filter(|v| burst.iops.is_none_or(|b| b.to_string() != v.to_string())),
        mbps: (sustained.mbps)
            .filter(|v| burst.mbps.is_none_or(|b| b.to_string() != v.to_string())),
    }
}

fn finding(context: &Context<'_>, index: usize, volume: &VolumeView) -> Option<Finding> {
    let noticeable = |lost: Limits| {
        let part = |axis| Some(lost.on(axis)? / volume.provisioned.on(axis)?);
        [Axis::Iops, Axis::Mbps]
            .into_iter()
            .any(|axis| part(axis).is_some_and(|p| p > NOTICEABLE))
    };
    let (sustained, burst) = (volume.unusable_sustained, volume.unusable_burst);
    if !noticeable(sustained) {
        return None;
    }
    let always = some_of(burst);
    let more = only_sustained(sustained, burst);
    let severity = if always {
        Severity::Warning
    } else {
        Severity::Info
    };
    let words = |lost| words(lost, volume.provisioned);
    let text = match (always, some_of(more)) {
        (true, false) => format!(
            "{} of what it is provisioned for are never let through by the VM{BRACKETS}",
            words(burst)
        ),
        (true, true) => format!(
            "{} of what it is provisioned for are never let through by the VM, {} once the VM's burst credit is used up{BRACKETS}",
            words(burst),
            words(more)
        ),
        (false, _) => format!(
            "{} of what it is provisioned for are let through only while the VM has burst credit{BRACKETS}",
            words(sustained)
        ),
    };
    let mut finding = Finding::new(FindingId::Unusable, severity, &volume.name, text);
    for (when, limits) in [("sustained", sustained), ("burst", burst)] {
        finding = with_figures(finding, when, limits);
    }
    let larger = larger_size(context);
    let disks = context.deployment.volumes.get(index);
    if let Some(shares) = disks
        .and_then(planned_shares)
        .filter(|_| context.deployment.is_planned())
    {
        return Some(of_shared(finding, shares));
    }
    let with_tier = |mut finding: Finding, lost: Limits, lets: &str| {
        let tier = disks.and_then(|disks| lower_tier(context.catalog, disks, volume, lost));
        if let Some(tier) = tier {
            let others = finding.fix.unwrap_or_default();
            let does = match disks.is_some_and(|all| {
                all.members
                    .iter()
                    .all(|disk| disk.model.base == tier.limits)
            }) {
                true => "has the same IOPS and MB/s".to_owned(),
                false => format!("loses nothing that this VM {lets}"),
            };
            finding.fix = Some(format!("tier={} {does}; or {others}", tier.name));
        }
        finding
    };
    if !always {
        let finding = finding.fix(for_bursts(volume, larger));
        return Some(with_tier(finding, sustained, "sustains"));
    }
    let finding = with_fix(finding, context.catalog, volume, larger);
    let mut finding = with_tier(finding, burst, "lets through");
    if let Some(uncached) = without_cache(context, index, volume) {
        let others = finding
            .fix
            .map_or_else(String::new, |fix| format!("; or {fix}"));
        finding.fix = Some(uncached + &others);
    }
    Some(finding)
}

/// The figure that says how many VMs may attach a volume of which not all passes this one.
pub(crate) const SHARES: &str = "shares";

/// The volumes of a plan that other VMs may attach, too. Of what is deployed the VMs that have them are known.
fn shared_by_plan(deployment: &Deployment) -> Vec<&str> {
    let volumes = deployment.volumes.iter();
    let shared = volumes.filter(|volume| planned_shares(volume).is_some());
    shared
        .filter(|_| deployment.is_planned())
        .map(|volume| volume.name.as_str())
        .collect()
}

/// How many VMs may attach `volume`, where it is more than one.
fn planned_shares(volume: &Volume) -> Option<u32> {
    let members = volume.members.iter();
    let shares = members.map(|disk| disk.spec.request.max_shares).max();
    shares.filter(|shares| *shares > 1)
}

/// What one VM does not let through of a disk that others may attach: these may use it.
fn of_shared(mut finding: Finding, shares: u32) -> Finding {
    finding.severity = Severity::Info;
    finding.message = format!("by this VM itself: {}", finding.message);
    finding
        .figure(SHARES, f64::from(shares), "VMs")
        .fix(format!(
            "count with what all of the {shares} VMs that may attach it let through before anything is set lower"
        ))
}

/// What is lost of a cached volume without its caching, in words, where that is less: the cached ceiling is the lower one.
fn without_cache(context: &Context<'_>, index: usize, volume: &VolumeView) -> Option<String> {
    if volume.caching == HostCaching::None || gains_from_cache(context, index) {
        return None;
    }
    let other = without_caching(context.deployment, index);
    let loads = vec![Io::RANDOM_4K; other.volumes.len()];
    let alone = System::alone(&other, index, &loads);
    let in_phase = |phase| Some(unusable(other.volumes.get(index)?, &alone, phase));
    let (lost, sustained) = (in_phase(Phase::Burst)?, in_phase(Phase::Sustained)?);
    // What is not known on one side is no comparison.
    let both = |axis: Axis| lost.on(axis).zip(volume.unusable_burst.on(axis));
    let pairs = [both(Axis::Iops)?, both(Axis::Mbps)?];
    let is_less = |(lost, now): (f64, f64)| lost < now * (1.0 - NOTICEABLE);
    let is_more = |(lost, now): (f64, f64)| lost > now;
    if !pairs.into_iter().any(is_less) || pairs.into_iter().any(is_more) {
        return None;
    }
    let when = match some_of(only_sustained(sustained, lost)) {
        true => " in burst",
        false => "",
    };
    Some(match some_of(lost) {
        true => format!(
            "cache=none loses only {}{when}",
            words(lost, volume.provisioned)
        ),
        false => format!("cache=none lets all of it through{when}"),
    })
}

/// Whether the volume at `index` gets noticeably more with its caching than without, once credit is used up, under any of
/// the workloads.
fn gains_from_cache(context: &Context<'_>, index: usize) -> bool {
    let results = context.assessment.workloads.iter();
    let mut results = results.filter_map(|workload| workload.volumes.get(index));
    results.any(|result| {
        let with = result.alone.sustained.iops;
        let without = result.cache.as_ref().and_then(|cache| cache.uncached.iops);
        let pair = with.zip(without);
        pair.is_some_and(|(with, without)| with.get() > without.get() * (1.0 + NOTICEABLE))
    })
}

/// Of what bursts of the VM let through nothing is paid in vain, where such bursts are wanted.
fn for_bursts(volume: &VolumeView, larger: &str) -> String {
    if let Some((_, fix)) = fewer(volume, larger) {
        return fix;
    }
    let larger = format!("to have all of it all the time, take {larger}");
    match setting(volume, volume.unusable_sustained, "sustains") {
        Some(setting) => {
            format!("{setting}; leave it where the VM's bursts are what it is for; {larger}")
        }
        None => format!("leave it where the VM's bursts are what it is for; {larger}"),
    }
}

/// The figure that says how many disks of a stripe are enough.
pub(crate) const DISKS_ENOUGH: &str = "disks_enough";

/// For families whose performance is provisioned apart from the capacity: the setting that pays for no more than passes;
/// for a stripe of others, or of disks that have the least already: as many disks. Of a single one the size sets the
/// performance.
fn with_fix(finding: Finding, catalog: &Catalog, volume: &VolumeView, larger: &str) -> Finding {
    if let Some(setting) = setting(volume, volume.unusable_burst, "lets through in burst") {
        return finding.fix(format!("{setting}, or take {larger}"));
    }
    match fewer(volume, larger) {
        Some((disks, fix)) => finding.figure(DISKS_ENOUGH, disks as f64, "disks").fix(fix),
        None if volume.family.provisioned_rules().is_some() => {
            let why = match is_within_rules(volume, volume.provisioned.iops) {
                Some(false) => {
                    "of a disk with more than is known as possible no lower setting is known"
                }
                _ => "no setting of such a disk is lower",
            };
            finding.fix(format!("take {larger}: {why}"))
        }
        None => finding.fix(format!("take {larger}{}", less(catalog, volume))),
    }
}

/// Whether disks of the capacity of each member may have so many IOPS, those of all members; `None` where that is not
/// known.
fn is_within_rules(volume: &VolumeView, iops: Option<Iops>) -> Option<bool> {
    let rules = volume.family.provisioned_rules()?;
    let each = 1.0 / volume.members as f64;
    let most = rules.iops_cap(GiB::new(volume.size_gib?.get() * each).ok()?);
    Some(iops?.get() * each <= most.get())
}

/// What is provisioned for less than a disk of which the size sets the performance: a tier with less, a slower family; as
/// the end of a sentence.
fn less(catalog: &Catalog, volume: &VolumeView) -> &'static str {
    let has_less = |limits: Limits| {
        let mut axes = [Axis::Iops, Axis::Mbps].into_iter();
        axes.any(|axis| {
            let lost = volume.unusable_burst.on(axis).is_some_and(|v| v > 0.0);
            let each = (volume.provisioned.on(axis)).map(|all| all / volume.members as f64);
            lost && limits.on(axis) < each
        })
    };
    let mut tiers = catalog.tiers().of(volume.family);
    let smaller = tiers.any(|tier| has_less(tier.limits));
    // An OS disk had better not be on the slowest: that is a finding of its own.
    let mut families = volume.family.slower().iter();
    let slower = families.any(|family| volume.role != Role::Os || family.suits_os_disk());
    match (smaller, slower) {
        (true, true) => {
            "; or a smaller disk or a slower family, where its capacity, IOPS, MB/s and latency are enough"
        }
        (true, false) => "; or a smaller disk, where its capacity, IOPS and MB/s are enough",
        (false, true) => "; or a slower family, where its IOPS, MB/s and latency are enough",
        (false, false) => ": no such disk has less",
    }
}

/// The setting that pays for no more than passes, or as little more as the family has; `None` for other families, and
/// where the disks have it already. `lost` is what does not pass, `lets` what the VM does with the rest.
fn setting(volume: &VolumeView, lost: Limits, lets: &str) -> Option<String> {
    let rules = volume.family.provisioned_rules()?;
    let each = 1.0 / volume.members as f64;
    let passing = |axis| {
        let lost = lost.on(axis)?;
        Some((volume.provisioned.on(axis)? - lost) * each)
    };
    let (passing_iops, passing_mbps) = (passing(Axis::Iops)?, passing(Axis::Mbps)?);
    let passing = Limits {
        iops: Iops::new(passing_iops).ok(),
        mbps: MBps::new(passing_mbps).ok(),
    };
    let lowest = rules.lowest_for(passing)?;
    let (iops, mbps) = (lowest.on(Axis::Iops)?, lowest.on(Axis::Mbps)?);
    let all = Iops::new(iops * volume.members as f64).ok();
    if is_within_rules(volume, all) == Some(false) {
        return None;
    }
    let is_lower = |value: f64, axis: Axis| {
        (volume.provisioned.on(axis)).is_some_and(|all| value < (all * each).round())
    };
    if !is_lower(iops, Axis::Iops) && !is_lower(mbps, Axis::Mbps) {
        return None;
    }
    let is_more = iops > passing_iops.round() || mbps > passing_mbps.round();
    let pays = if is_more {
        "is the lowest setting that does all that"
    } else {
        "pays for no more than"
    };
    Some(format!(
        "iops={iops:.0},mbps={mbps:.0} {pays} this VM {lets}"
    ))
}

/// How many disks of a stripe are provisioned for what the VM lets through, where that is fewer.
fn fewer(volume: &VolumeView, larger: &str) -> Option<(usize, String)> {
    let alike = volume.spec.len() == 1;
    let members = volume.members;
    if !alike || members < 2 || volume.family.is_local() {
        return None;
    }
    let passing = |lost: Limits, axis: Axis| {
        let provisioned = volume.provisioned.on(axis)?;
        Some((provisioned - lost.on(axis)?, provisioned / members as f64))
    };
    let enough = |lost: Limits| -> Option<usize> {
        let disks = [Axis::Iops, Axis::Mbps].map(|axis| {
            let (passes, each) = passing(lost, axis)?;
            (each > 0.0).then(|| (passes / each - ROUNDING).ceil() as usize)
        });
        Some(disks[0]?.max(disks[1]?).max(1))
    };
    let sustained = enough(volume.unusable_sustained)?;
    let burst = enough(volume.unusable_burst)?;
    if sustained >= members {
        return None;
    }
    let lost = volume.unusable_sustained;
    let (iops, _) = passing(lost, Axis::Iops)?;
    let (mbps, _) = passing(lost, Axis::Mbps)?;
    let in_burst = match burst {
        2 if members == 2 => ", both for what it does in burst".to_owned(),
        all if all >= members => format!(", all {members} for what it does in burst"),
        same if same == sustained => String::new(),
        some => format!(", {some} for what it does in burst"),
    };
    let (is, their) = match sustained {
        1 => ("disk is", "its"),
        _ => ("disks are", "their"),
    };
    let fix = format!(
        "{sustained} such {is} enough for what this VM sustains ({} IOPS, {} MB/s){in_burst}, if {their} capacity is; or \
         take {larger}",
        grouped(iops, 0),
        grouped(mbps, 1),
    );
    Some((sustained, fix))
}

/// What is more than a number of disks by less than this part of one is so by rounding.
const ROUNDING: f64 = 1e-9;
