//! What a volume is provisioned for beyond what is let through: in words, and the setting that pays for no more.

use super::vm_caps::decimals;
use super::{Finding, FindingId, Severity};
use crate::catalog::{Axis, Limits};
use crate::deployment::Volume;
use crate::planner::unusable::provisioned;
use crate::units::{GiB, Iops, MBps, grouped};

/// A loss of less than this part of what is provisioned is not worth a finding.
pub(super) const NOTICEABLE: f64 = 0.02;

/// What is lost of what is provisioned, credit buckets empty and full.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Lost {
    pub(crate) sustained: Limits,
    pub(crate) burst: Limits,
}

impl Lost {
    /// Whether it is worth a finding on a volume that has `paid`.
    fn is_noticeable(self, paid: Limits) -> bool {
        let part = |axis| Some(self.sustained.on(axis)? / paid.on(axis)?);
        let mut axes = [Axis::Iops, Axis::Mbps].into_iter();
        axes.any(|axis| part(axis).is_some_and(|part| part > NOTICEABLE))
    }

    /// Whether some of it never passes, not even in burst.
    pub(crate) fn is_always(self) -> bool {
        some_of(self.burst)
    }

    /// What is lost sustained, on the axes where it reads otherwise than what is lost in burst.
    pub(super) fn only_sustained(self) -> Limits {
        let (sustained, burst) = (self.sustained, self.burst);
        Limits {
            iops: (sustained.iops)
                .filter(|v| burst.iops.is_none_or(|b| b.to_string() != v.to_string())),
            mbps: (sustained.mbps)
                .filter(|v| burst.mbps.is_none_or(|b| b.to_string() != v.to_string())),
        }
    }

    /// The finding with both as figures.
    pub(super) fn figures(self, finding: Finding) -> Finding {
        let whens = [("sustained", self.sustained), ("burst", self.burst)];
        whens.into_iter().fold(finding, |finding, (when, limits)| {
            let axes = [Axis::Iops, Axis::Mbps].into_iter();
            let figures = axes.filter_map(|axis| Some((axis, limits.on(axis)?)));
            figures.fold(finding, |finding, (axis, value)| {
                finding.figure(&format!("unusable_{when}"), value, axis)
            })
        })
    }
}

/// Who does not let through what is lost.
#[derive(Debug, Clone, Copy)]
pub(crate) enum By<'a> {
    /// The VM at hand.
    Vm,
    /// It and others of these names, which have the same disks.
    Together(&'a str),
}

impl By<'_> {
    fn only_in_burst(self) -> String {
        match self {
            Self::Vm => "let through only while the VM has burst credit".to_owned(),
            Self::Together(vms) => {
                format!("let through by {vms} together only while they have burst credit")
            }
        }
    }

    fn never(self) -> String {
        match self {
            Self::Vm => "never let through by the VM".to_owned(),
            Self::Together(vms) => format!("never let through by {vms} together"),
        }
    }

    const fn whose(self) -> &'static str {
        match self {
            Self::Vm => "the VM's",
            Self::Together(_) => "their",
        }
    }

    /// What the brackets of [`words`] hold.
    pub(super) const fn brackets(self) -> &'static str {
        match self {
            Self::Vm => "; in brackets what is provisioned - what the VM lets through",
            Self::Together(_) => "; in brackets what is provisioned - what they let through",
        }
    }
}

/// That not all passes of what the volume `name` is provisioned for (`paid`); `None` where it is too little for a finding.
pub(crate) fn finding(name: &str, paid: Limits, lost: Lost, by: By<'_>) -> Option<Finding> {
    if !lost.is_noticeable(paid) {
        return None;
    }
    let words = |lost| words(lost, paid);
    let more = lost.only_sustained();
    let are = match (lost.is_always(), some_of(more)) {
        (true, false) => format!(
            "{} of what it is provisioned for are {}",
            words(lost.burst),
            by.never()
        ),
        (true, true) => format!(
            "{} of what it is provisioned for are {}, {} once {} burst credit is used up",
            words(lost.burst),
            by.never(),
            words(more),
            by.whose()
        ),
        (false, _) => format!(
            "{} of what it is provisioned for are {}",
            words(lost.sustained),
            by.only_in_burst()
        ),
    };
    let severity = match lost.is_always() {
        true => Severity::Warning,
        false => Severity::Info,
    };
    let text = are + by.brackets();
    Some(lost.figures(Finding::new(FindingId::Unusable, severity, name, text)))
}

/// Whether there is any on either axis.
pub(super) fn some_of(limits: Limits) -> bool {
    let mut axes = [Axis::Iops, Axis::Mbps].into_iter();
    axes.any(|axis| limits.on(axis).is_some_and(|value| value > 0.0))
}

/// `2,000 IOPS (6,000 - 4,000) and 50 MB/s (250 - 200)`: what is lost of what is paid, and how it comes about.
pub(super) fn words(lost: Limits, paid: Limits) -> String {
    words_of(lost, paid, |_| "")
}

/// The same, with whose it is that is paid.
pub(super) fn words_of(lost: Limits, paid: Limits, whose: impl Fn(Axis) -> &'static str) -> String {
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

/// What each disk of a volume can be set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Setting {
    pub(crate) iops: Iops,
    pub(crate) mbps: MBps,
    /// Whether that is more than passes: no lower setting has all of it.
    pub(super) is_more: bool,
}

/// The setting that pays for no more than passes, or as little more as the family has; `None` where IOPS and MB/s are not
/// set, and where the disks have it already. `lost` is what does not pass.
pub(crate) fn lower_setting(volume: &Volume, lost: Limits) -> Option<Setting> {
    let rules = volume.members.first()?.model.family.provisioned_rules()?;
    let (paid, members) = (provisioned(volume), volume.members.len() as f64);
    let passing = |axis| Some((paid.on(axis)? - lost.on(axis)?) / members);
    let (passing_iops, passing_mbps) = (passing(Axis::Iops)?, passing(Axis::Mbps)?);
    let lowest = rules.lowest_for(Limits {
        iops: Iops::new(passing_iops).ok(),
        mbps: MBps::new(passing_mbps).ok(),
    })?;
    let (iops, mbps) = (lowest.iops?, lowest.mbps?);
    if is_within_rules(volume, Iops::new(iops.get() * members).ok()) == Some(false) {
        return None;
    }
    let is_lower =
        |value: f64, axis| (paid.on(axis)).is_some_and(|all| value < (all / members).round());
    if !is_lower(iops.get(), Axis::Iops) && !is_lower(mbps.get(), Axis::Mbps) {
        return None;
    }
    Some(Setting {
        iops,
        mbps,
        is_more: iops.get() > passing_iops.round() || mbps.get() > passing_mbps.round(),
    })
}

/// Why there is no lower setting of disks of which IOPS and MB/s are set; `None` of others.
pub(crate) fn why_no_setting(volume: &Volume) -> Option<&'static str> {
    volume.members.first()?.model.family.provisioned_rules()?;
    Some(match is_within_rules(volume, provisioned(volume).iops) {
        Some(false) => "of a disk with more than is known as possible no lower setting is known",
        _ => "no setting of such a disk is lower",
    })
}

/// Whether disks of the capacity of each member may have so many IOPS, those of all members; `None` where that is not
/// known.
fn is_within_rules(volume: &Volume, iops: Option<Iops>) -> Option<bool> {
    let rules = volume.members.first()?.model.family.provisioned_rules()?;
    let members = volume.members.len() as f64;
    let most = rules.iops_cap(GiB::new(volume.size()?.get() / members).ok()?);
    Some(iops?.get() / members <= most.get())
}
