//! What is paid for and was not used.

use super::Saving;
use super::limits::{DiskLimits, Lowering, VmLimits};
use super::model::{CeilingUse, MetricsJudgement, SharedUse};
use super::words::{axis, limit, percent};
use crate::azure::metrics::Subject;
use crate::azure::remedies::with_remedy;
use crate::catalog::azure::provisioned::ProvisionedRules;
use crate::catalog::{Axis, Limits};
use crate::planner::{Finding, FindingId, Severity};
use crate::units::{Iops, MBps};

/// A peak of at most this much of what is provisioned counts as far below it, percent.
const FAR_BELOW: f64 = 40.0;

/// That something was never used is said only of at least so much time, seconds: a day, less some missing intervals.
const LONG_ENOUGH: f64 = 23.0 * 3600.0;

/// Above this a disk was used beyond what it is provisioned for, percent; 100 is what it is provisioned for.
const BEYOND: f64 = 101.0;

/// So much more than the peak is to be provisioned.
const TO_SPARE: f64 = 1.2;

pub(super) fn findings(
    judgement: &MetricsJudgement,
    limits: &VmLimits,
    saving: &Saving<'_>,
) -> Vec<Finding> {
    let of_disk = |disk| {
        let bursts = on_demand_unused(judgement, limits, disk);
        bursts
            .into_iter()
            .chain(paid_unused(judgement, limits, disk, saving))
    };
    limits.disks.iter().flat_map(of_disk).collect()
}

/// How much of a disk's ceiling was used at most, by either axis, where there are percentages for long enough.
fn peak_of(judgement: &MetricsJudgement, subject: Subject, of: Axis) -> Option<&CeilingUse> {
    judgement.ceilings.iter().find(|c| {
        (c.subject, c.axis) == (subject, of)
            && judgement.covered_seconds(c) >= LONG_ENOUGH
            && highest(c).is_some()
    })
}

/// The highest of all values: the most that was in use.
fn highest(of: &CeilingUse) -> Option<f64> {
    let values = [of.highest_average, of.highest_maximum, of.highest_possible];
    values
        .into_iter()
        .flatten()
        .reduce(|a, b| if b > a { b } else { a })
}

/// On-demand bursting that is paid for and was not used.
fn on_demand_unused(
    judgement: &MetricsJudgement,
    limits: &VmLimits,
    disk: &DiskLimits,
) -> Option<Finding> {
    if disk.on_demand != Some(true) {
        return None;
    }
    let subject = disk.subject();
    let [iops, mbps] = [Axis::Iops, Axis::Mbps].map(|axis| peak_of(judgement, subject, axis));
    let (iops, mbps) = (iops?, mbps?);
    if !is_all(disk, &[iops, mbps]) {
        return None;
    }
    let label = &iops.label;
    let (iops, mbps) = (highest(iops)?, highest(mbps)?);
    let billed = judgement
        .disks
        .iter()
        .find(|used| used.subject == subject)
        .and_then(|used| used.paid_bursts);
    if iops > BEYOND || mbps > BEYOND || billed.is_some_and(|billed| billed > 0.0) {
        return None;
    }
    let text = format!(
        "on-demand bursting of {} is on and was not used in {}: at most {} of the provisioned IOPS and {} of the \
         bandwidth; its enablement is billed all the same",
        label,
        judgement.period(),
        percent(iops),
        percent(mbps)
    );
    let finding = Finding::new(
        FindingId::OnDemandBurstUnused,
        Severity::Warning,
        limits.subject(subject),
        text,
    );
    let finding = finding.figure("highest_iops", iops, "%");
    Some(with_remedy(finding.figure("highest_bandwidth", mbps, "%")))
}

/// Performance that is paid for apart from the size and was not nearly used.
fn paid_unused(
    judgement: &MetricsJudgement,
    limits: &VmLimits,
    disk: &DiskLimits,
    saving: &Saving<'_>,
) -> Option<Finding> {
    let subject = disk.subject();
    let of = |axis| peak_of(judgement, subject, axis);
    let uses = [of(Axis::Iops)?, of(Axis::Mbps)?];
    let is_far_below = |c: &CeilingUse| highest(c).is_some_and(|h| h <= FAR_BELOW);
    let below = uses.into_iter().filter(|c| is_far_below(c));
    let mut wasted: Vec<&CeilingUse> = below.collect();
    if !is_all(disk, &uses) {
        let finding = unused(judgement, limits, disk, Severity::Info, &wasted)?;
        let shared = uses.into_iter().find_map(|c| c.shared.as_ref());
        return Some(of_some(finding, shared));
    }
    if let Lowering::Settable(rules) = disk.lowering {
        let lower = Lower::of(rules, disk, &wasted)?;
        wasted.retain(|c| lower.is_lower(c.axis));
        let finding = unused(judgement, limits, disk, Severity::Warning, &wasted)?;
        return Some(lower.named(finding, saving(disk, lower.settings)));
    }
    if wasted.len() < uses.len() {
        return None;
    }
    let (fix, severity) = match disk.lowering {
        Lowering::RaisedTier => (
            "set the performance tier back towards that of the size",
            Severity::Warning,
        ),
        Lowering::WithSize => (
            "a slower family or a smaller size would do, where its capacity and latency do",
            Severity::Info,
        ),
        Lowering::Settable(_) | Lowering::Unknown => return None,
    };
    Some(unused(judgement, limits, disk, severity, &wasted)?.fix(fix))
}

/// Whether what was used is all that was: of a shared disk where there are metrics of all VMs that have it.
fn is_all(disk: &DiskLimits, uses: &[&CeilingUse]) -> bool {
    let is_complete = |of: &&CeilingUse| match &of.shared {
        Some(shared) => shared.is_complete(),
        None => !disk.is_shared,
    };
    uses.iter().all(is_complete)
}

/// The finding of a disk that others use too, of whom nothing is known that could be added.
fn of_some(mut finding: Finding, shared: Option<&SharedUse>) -> Finding {
    let (by, others) = match shared {
        Some(shared) if shared.vms.len() > 1 => ("these VMs", shared.unknown.join(", ")),
        Some(shared) => ("this VM", shared.unknown.join(", ")),
        None => ("this VM", "other VMs".to_owned()),
    };
    finding.message.push_str(&format!(
        " by {by}; it is a shared disk, and what {others} may use of it at the same time is not in that figure"
    ));
    finding.fix(
        "give metrics of all VMs that share it, of the same intervals, before it is set lower: what they use at the same time is \
         added up",
    )
}

/// That a disk was used far below what it has of `wasted`; `None` where that is nothing.
fn unused(
    judgement: &MetricsJudgement,
    limits: &VmLimits,
    disk: &DiskLimits,
    severity: Severity,
    wasted: &[&CeilingUse],
) -> Option<Finding> {
    let subject = disk.subject();
    let parts: Vec<String> = wasted.iter().filter_map(|c| share(c)).collect();
    if parts.is_empty() {
        return None;
    }
    let text = format!(
        "{} was used far below what is paid for in {}: at most {}",
        wasted.first().map_or("", |c| &c.label),
        judgement.period(),
        parts.join(" and ")
    );
    let id = FindingId::PaidUnused;
    let mut finding = Finding::new(id, severity, limits.subject(subject), text);
    for used in wasted {
        if let Some(highest) = highest(used) {
            let name = match used.axis {
                Axis::Iops => "highest_iops",
                Axis::Mbps => "highest_bandwidth",
            };
            finding = finding.figure(name, highest, "%");
        }
    }
    Some(finding)
}

/// `12 % of 20,000 IOPS`.
fn share(used: &CeilingUse) -> Option<String> {
    let highest = percent(highest(used)?);
    Some(match used.ceiling {
        Some(ceiling) => format!("{highest} of {}", limit(ceiling, used.axis)),
        None => format!("{highest} of the {}", axis(used.axis)),
    })
}

/// Settings that would have been enough, with something to spare.
struct Lower {
    /// What the disk has.
    present: Limits,
    /// What it needs; as it is where it was not far below.
    settings: Limits,
}

impl Lower {
    fn of(rules: &ProvisionedRules, disk: &DiskLimits, wasted: &[&CeilingUse]) -> Option<Self> {
        let present = disk.ceiling.base;
        let enough = |of: Axis| {
            let used = wasted.iter().find(|c| c.axis == of);
            used.and_then(|used| enough(used)).or(present.on(of))
        };
        let mbps = MBps::new(enough(Axis::Mbps)?).ok()?.max(rules.min_mbps);
        // What the MB/s need of IOPS stays.
        let iops = Iops::new(rounded_up(rules.iops_for(mbps)?.get(), Axis::Iops)).ok()?;
        let iops = iops.max(Iops::new(enough(Axis::Iops)?).ok()?);
        Some(Self {
            present,
            settings: Limits::new(iops, mbps),
        })
    }

    fn is_lower(&self, axis: Axis) -> bool {
        self.settings.on(axis) < self.present.on(axis)
    }

    /// The settings that are lower.
    fn each(&self) -> impl Iterator<Item = (Axis, f64)> + '_ {
        let lower = [Axis::Iops, Axis::Mbps].into_iter();
        let lower = lower.filter(|axis| self.is_lower(*axis));
        lower.filter_map(|axis| Some((axis, self.settings.on(axis)?)))
    }

    /// The finding with these settings, and what they save a month.
    fn named(&self, mut finding: Finding, saved: Option<crate::catalog::price::Money>) -> Finding {
        let words: Vec<String> = self.each().map(|(of, value)| limit(value, of)).collect();
        let options = self.each().map(|(axis, value)| match axis {
            Axis::Iops => format!(" --disk-iops-read-write {value:.0}"),
            Axis::Mbps => format!(" --disk-mbps-read-write {value:.0}"),
        });
        let mut fix = format!(
            "provision {} (`az disk update{}`) unless another time needs more",
            words.join(" and "),
            options.collect::<String>()
        );
        for (axis, value) in self.each() {
            finding = finding.figure("enough", value, axis);
        }
        if let Some(saved) = saved.filter(|saved| saved.amount > 0.0) {
            fix.push_str(&format!(": {saved} less a month"));
            finding = finding.figure("saving_per_month", saved.amount, saved.currency);
        }
        finding.fix(fix)
    }
}

/// What would have been enough, with something to spare.
fn enough(used: &CeilingUse) -> Option<f64> {
    let peak = used.ceiling? * highest(used)? / 100.0;
    Some(rounded_up(peak * TO_SPARE, used.axis))
}

/// The next figure that people set: hundreds of IOPS, fives of MB/s.
fn rounded_up(value: f64, axis: Axis) -> f64 {
    let step = match axis {
        Axis::Iops => 100.0,
        Axis::Mbps => 5.0,
    };
    (value / step - 1e-9).ceil() * step
}
