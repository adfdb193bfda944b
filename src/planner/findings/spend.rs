//! Provisioned performance that the VM does not let through.

use super::lost::{
    self, By, Lost, NOTICEABLE, lower_setting, some_of, why_no_setting, words, words_of,
};
use super::raised::{lower_tier, no_more_than_lower};
use super::suggest::larger_size;
use super::{Context, Finding, FindingId, Severity};
use crate::catalog::{Axis, Catalog, Limits};
use crate::deployment::{Deployment, HostCaching, Role, Volume};
use crate::planner::assess::without_caching;
use crate::planner::assessment::VolumeView;
use crate::planner::system::{Phase, Place, System};
use crate::planner::unusable::{Together, unusable, unusable_together};
use crate::units::{and, grouped};
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

/// What all volumes together are provisioned for beyond the VM's ceilings, where that is more than each by itself loses.
fn together(context: &Context<'_>) -> Option<Finding> {
    let (deployment, volumes) = (context.deployment, &context.assessment.volumes);
    let vm = deployment.vm.as_ref()?;
    if volumes.len() < 2 {
        return None;
    }
    let in_phase = |phase| unusable_together(deployment, phase);
    let (of_sustained, of_burst) = (in_phase(Phase::Sustained), in_phase(Phase::Burst));
    let lost = Lost {
        sustained: of_sustained.lost,
        burst: of_burst.lost,
    };
    let single = |axis| {
        volumes
            .iter()
            .filter_map(|v| v.unusable_sustained.on(axis))
            .sum::<f64>()
    };
    let more = |axis: Axis| {
        lost.sustained
            .on(axis)
            .is_some_and(|v| v > single(axis) * (1.0 + NOTICEABLE) + 1.0)
    };
    if !more(Axis::Iops) && !more(Axis::Mbps) {
        return None;
    }
    let more = Together {
        lost: lost.only_sustained(),
        ..of_sustained
    };
    let than = match (lost.is_always(), some_of(more.lost)) {
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
    let shared = shared_volumes(deployment);
    let others_use = others_use(&shared);
    let brackets = By::Vm.brackets();
    let text = format!("{whose} provisioned for {than}{brackets}{others_use}");
    let severity = match lost.is_always() && shared.is_empty() {
        true => Severity::Warning,
        false => Severity::Info,
    };
    // What others may use is not to be set lower before it is known what they do.
    let less = match shared.is_empty() {
        true => "provision less, or ",
        false => "",
    };
    let finding = Finding::new(FindingId::Unusable, severity, &vm.name, text);
    Some(lost.figures(finding).fix(format!(
        "{less}take {}; volumes that are never busy at once may be meant so",
        larger_size(context)
    )))
}

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

fn finding(context: &Context<'_>, index: usize, view: &VolumeView) -> Option<Finding> {
    let volume = context.deployment.volumes.get(index)?;
    let lost = Lost {
        sustained: view.unusable_sustained,
        burst: view.unusable_burst,
    };
    let finding = lost::finding(&view.name, view.provisioned, lost, By::Vm)?;
    if let Some(others) = Others::of(context.deployment, volume) {
        return Some(of_shared(finding, others));
    }
    let larger = larger_size(context);
    let with_tier = |mut finding: Finding, lost: Limits, lets: &str| {
        if let Some(tier) = lower_tier(context.catalog, volume, view, lost) {
            let others = finding.fix.unwrap_or_default();
            let mut members = volume.members.iter();
            let does = match members.all(|disk| disk.model.base == tier.limits) {
                true => "has the same IOPS and MB/s".to_owned(),
                false => format!("loses nothing that this VM {lets}"),
            };
            finding.fix = Some(format!("tier={} {does}; or {others}", tier.name));
        }
        finding
    };
    if !lost.is_always() {
        let finding = finding.fix(for_bursts(volume, view, larger));
        return Some(with_tier(finding, lost.sustained, "sustains"));
    }
    let finding = with_fix(finding, context.catalog, volume, view, larger);
    let mut finding = with_tier(finding, lost.burst, "lets through");
    if let Some(uncached) = without_cache(context, index, view) {
        let others = finding
            .fix
            .map_or_else(String::new, |fix| format!("; or {fix}"));
        finding.fix = Some(uncached + &others);
    }
    Some(finding)
}

/// The figure that says how many VMs may attach a volume of which not all passes this one.
pub(crate) const SHARES: &str = "shares";

/// Who may use what one VM does not let through.
#[derive(Debug, Clone, Copy)]
enum Others<'a> {
    /// Whoever attaches the volume too: so many VMs may, with this one.
    Any(u32),
    /// The VMs of these names.
    Known(&'a [String]),
}

impl<'a> Others<'a> {
    /// Those of a volume. Of what is deployed the VMs that have it are known.
    fn of(deployment: &Deployment, volume: &'a Volume) -> Option<Self> {
        match volume.also_on.as_slice() {
            [] if deployment.is_planned() => planned_shares(volume).map(Self::Any),
            [] => None,
            known => Some(Self::Known(known)),
        }
    }
}

/// The volumes that other VMs may use.
fn shared_volumes(deployment: &Deployment) -> Vec<(&str, Others<'_>)> {
    let volumes = deployment.volumes.iter();
    let shared = volumes.filter_map(|v| Some((v.name.as_str(), Others::of(deployment, v)?)));
    shared.collect()
}

/// That other VMs may use what this one does not let through, as the end of a sentence.
fn others_use(shared: &[(&str, Others<'_>)]) -> String {
    let names: Vec<&str> = shared.iter().map(|(name, _)| *name).collect();
    let mut vms: Vec<&str> = Vec::new();
    for (_, others) in shared {
        if let Others::Known(known) = others {
            vms.extend(known.iter().map(String::as_str));
        }
    }
    vms.sort_unstable();
    vms.dedup();
    match (names.len(), vms.as_slice()) {
        (0, _) => String::new(),
        (_, []) => format!(
            "; of that other VMs may use what is shared ({})",
            names.join(", ")
        ),
        (count, vms) => {
            let are = if count == 1 { "is" } else { "are" };
            format!(
                "; of that {} {are} shared, and {} may use what this VM does not let through",
                and(&names),
                and(vms)
            )
        }
    }
}

/// How many VMs may attach `volume`, where it is more than one.
fn planned_shares(volume: &Volume) -> Option<u32> {
    let members = volume.members.iter();
    let shares = members.map(|disk| disk.spec.request.max_shares).max();
    shares.filter(|shares| *shares > 1)
}

/// What one VM does not let through of a disk that others may attach: these may use it.
fn of_shared(mut finding: Finding, others: Others<'_>) -> Finding {
    finding.severity = Severity::Info;
    finding.message = format!("by this VM itself: {}", finding.message);
    match others {
        Others::Any(shares) => finding.figure(SHARES, f64::from(shares), "VMs").fix(format!(
            "count with what all of the {shares} VMs that may attach it let through before anything is set lower"
        )),
        Others::Known(known) => {
            let names = and(known);
            let (has, does) = match known.len() {
                1 => ("has", "does"),
                _ => ("have", "do"),
            };
            finding.message.push_str(&format!(
                "; {names} {has} the disk too, and what is let through there is not known"
            ));
            finding.figure(SHARES, known.len() as f64 + 1.0, "VMs").fix(format!(
                "read {names} and the disks there too: nothing is to be set lower before it is known what {names} {does} with it"
            ))
        }
    }
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
    let uncached = Lost {
        sustained,
        burst: lost,
    };
    let when = match some_of(uncached.only_sustained()) {
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
fn for_bursts(volume: &Volume, view: &VolumeView, larger: &str) -> String {
    if let Some((_, fix)) = fewer(view, larger) {
        return fix;
    }
    let larger = format!("to have all of it all the time, take {larger}");
    match setting(volume, view.unusable_sustained, "sustains") {
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
fn with_fix(
    finding: Finding,
    catalog: &Catalog,
    volume: &Volume,
    view: &VolumeView,
    larger: &str,
) -> Finding {
    if let Some(setting) = setting(volume, view.unusable_burst, "lets through in burst") {
        return finding.fix(format!("{setting}, or take {larger}"));
    }
    match (fewer(view, larger), why_no_setting(volume)) {
        (Some((disks, fix)), _) => finding.figure(DISKS_ENOUGH, disks as f64, "disks").fix(fix),
        (None, Some(why)) => finding.fix(format!("take {larger}: {why}")),
        (None, None) => finding.fix(format!("take {larger}{}", less(catalog, view))),
    }
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

/// The setting that pays for no more than passes; `lost` is what does not, `lets` what the VM does with the rest.
fn setting(volume: &Volume, lost: Limits, lets: &str) -> Option<String> {
    let setting = lower_setting(volume, lost)?;
    let pays = match setting.is_more {
        true => "is the lowest setting that does all that",
        false => "pays for no more than",
    };
    let (iops, mbps) = (setting.iops.get(), setting.mbps.get());
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
