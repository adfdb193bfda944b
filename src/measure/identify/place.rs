//! Where measured storage is, by rule: on the host, in a cache, or behind a network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::candidates::{Candidate, CandidateKind};
use super::evidence::Evidence;
use super::fit::{FASTER_THAN_TYPICAL, LOCAL_AT_MOST, contradiction};
use crate::catalog::{Catalog, Family};
use crate::measure::compare::thresholds::{FASTEST_DISK, remote_latency};
use crate::units::{GiB, Latency};

/// One I/O at a time in less than this is no remote disk, 250 us: the fastest that clouds sell are documented at 250 us
/// and more.
pub const LOCAL_LATENCY: Latency = Latency::whole(250);

/// One random I/O at a time takes more than this on no SSD that is not held back, 5 ms: all SSD families are documented
/// at single-digit milliseconds or less and are measured at about 1 ms.
pub const SLOW_LATENCY: Latency = Latency::whole(5000);

/// A queue that makes less than this part of what as many independent I/Os would, 0.25, adds nothing: something that
/// counts I/Os, not the device's own parallelism, sets the rate.
pub const THROTTLED_GAIN: f64 = 0.25;

/// From so long on, 500 us, one I/O at a time is taken for a remote disk where one explains it: local SSDs are measured at
/// a quarter of a millisecond and less. Below, it may be either.
pub const REMOTE_FROM: Latency = Latency::whole(500);

/// Where storage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Place {
    /// Memory: the page cache of the guest or of the host.
    Memory,
    /// The host cache in front of a remote disk.
    HostCache,
    /// The temporary disk of the VM.
    LocalTemporary,
    /// On the host, host cache, temp disk or another local disk.
    Local,
    /// Persistent: a remote disk, or a spinning one.
    Persistent {
        /// One I/O at a time takes longer than any SSD does by itself.
        slow: bool,
        /// A deeper queue adds next to nothing.
        throttled: bool,
    },
    /// The figures do not tell.
    Unclear,
}

impl Place {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Memory => "memory (a page cache)",
            Self::HostCache => "host cache",
            Self::LocalTemporary => "local temporary",
            Self::Local => "local",
            Self::Persistent {
                throttled: true, ..
            } => "persistent, throttled",
            Self::Persistent { slow: true, .. } => "persistent, slow",
            Self::Persistent { .. } => "persistent",
            Self::Unclear => "unclear",
        }
    }

    /// In words, with what a slow one may be.
    #[must_use]
    pub fn headline(self) -> String {
        match self {
            Self::Persistent { slow: true, .. } => {
                format!(
                    "{}: a remote disk at its limit, or a hard disk",
                    self.words()
                )
            }
            _ => self.words().to_owned(),
        }
    }

    /// Whether its I/O stays on the host.
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::LocalTemporary | Self::Local)
    }
}

/// Where what was measured is, and why. `best` is the candidate that fits on both axes, where one does.
pub(super) fn place(
    catalog: &Catalog,
    disks: &[Candidate],
    evidence: &Evidence,
    best: Option<&Candidate>,
    tolerance: f64,
) -> (Place, Vec<String>) {
    if let Some(most) = evidence.most_read.filter(|most| *most > FASTEST_DISK) {
        let reason = format!(
            "reads at {most} MB/s: more than any single disk is sold with ({FASTEST_DISK} MB/s)"
        );
        return (Place::Memory, vec![reason]);
    }
    let Some(one) = &evidence.one else {
        return by_rate_alone(catalog, disks, evidence, tolerance);
    };
    let took = format!("{} takes {}", one.name, one.latency);
    let floor = remote_latency(one.block);
    let mut reasons = Vec::new();
    if one.latency < floor {
        reasons.push(format!(
            "{took}: less than a round trip over a network and an SSD need ({floor})"
        ));
    } else if one.latency < LOCAL_LATENCY {
        reasons.push(format!(
            "{took}: less than any remote disk is documented with ({LOCAL_LATENCY})"
        ));
    } else if let Some(family) = remote_explanation(catalog, disks, evidence, tolerance) {
        return remote(evidence, one.latency, &took, family);
    } else if one.latency < LOCAL_AT_MOST {
        reasons.push(format!(
            "{took}, at rates that no remote disk of this size has with such a latency"
        ));
    } else {
        return remote(evidence, one.latency, &took, "a remote disk or an array");
    }
    local(evidence, best, reasons)
}

/// On the host: which of what is there.
fn local(
    evidence: &Evidence,
    best: Option<&Candidate>,
    mut reasons: Vec<String>,
) -> (Place, Vec<String>) {
    if evidence.is_temp_by_name() {
        let name = evidence.target.as_deref().unwrap_or_default();
        reasons.push(format!(
            "{name} is the name that Azure gives the temporary disk"
        ));
        return (Place::LocalTemporary, reasons);
    }
    match best.map(|best| best.kind) {
        Some(CandidateKind::VmCached) if evidence.target.is_some() => {
            reasons.push("it is not the temporary disk by its name, so the host cache answers in front of its disk".to_owned());
            (Place::HostCache, reasons)
        }
        Some(CandidateKind::VmCached) => {
            reasons.push("host cache and temporary disk share this limit; the result does not name the drive".to_owned());
            (Place::Local, reasons)
        }
        _ => (Place::Local, reasons),
    }
}

/// Behind a network, or spinning; unclear where it is fast enough to be either.
fn remote(evidence: &Evidence, latency: Latency, took: &str, what: &str) -> (Place, Vec<String>) {
    if latency < REMOTE_FROM {
        let reason = format!("{took}: {what} may answer so fast, and so may a local disk");
        return (Place::Unclear, vec![reason]);
    }
    let slow = latency > SLOW_LATENCY;
    let mut reasons = vec![if slow {
        format!(
            "{took}: far longer than an SSD needs that is not held back ({SLOW_LATENCY} at most), so a remote disk at its limit or a spinning one"
        )
    } else {
        format!("{took}: as long as {what} may")
    }];
    let held = evidence
        .queue_gain
        .filter(|(gain, depth)| *gain < THROTTLED_GAIN * f64::from(*depth));
    if let Some((gain, depth)) = held.filter(|_| slow) {
        reasons.push(format!(
            "{depth} reads at a time make only {gain:.1} times the rate of one: it is held back"
        ));
    }
    let throttled = slow && held.is_some();
    (Place::Persistent { slow, throttled }, reasons)
}

/// Without a test at queue depth 1 only a rate beyond every remote disk tells.
fn by_rate_alone(
    catalog: &Catalog,
    disks: &[Candidate],
    evidence: &Evidence,
    tolerance: f64,
) -> (Place, Vec<String>) {
    if evidence.points.is_empty() {
        return (
            Place::Unclear,
            vec!["there is no figure to go by".to_owned()],
        );
    }
    if remote_explanation(catalog, disks, evidence, tolerance).is_some() {
        return (Place::Unclear, vec![evidence.no_one.to_owned()]);
    }
    let reason = "its rates are beyond every remote disk".to_owned();
    (Place::Local, vec![reason])
}

/// A remote disk that could make these figures: a tier, or Premium SSD v2 or Ultra provisioned for them.
fn remote_explanation(
    catalog: &Catalog,
    disks: &[Candidate],
    evidence: &Evidence,
    tolerance: f64,
) -> Option<&'static str> {
    let mut all = disks.iter();
    if all.any(|disk| contradiction(disk, evidence, tolerance).is_none()) {
        return Some("a managed disk");
    }
    let provisioned = [
        (Family::PremiumSsdV2, "a Premium SSD v2"),
        (Family::Ultra, "an Ultra disk"),
    ];
    provisioned
        .into_iter()
        .find(|(family, _)| could_be_provisioned(catalog, *family, evidence))
        .map(|(_, name)| name)
}

fn could_be_provisioned(catalog: &Catalog, family: Family, evidence: &Evidence) -> bool {
    let Some(rules) = family.provisioned_rules() else {
        return false;
    };
    let size = evidence.capacity.unwrap_or(rules.max_size);
    if size < rules.min_size {
        return false;
    }
    let size = GiB::new(size.get().ceil()).unwrap_or(size);
    let iops = rules.iops_cap(size);
    let mbps = rules.mbps_cap(iops);
    let fits = |point: &super::evidence::Point| {
        point.rate <= iops.get() && point.rate <= mbps.iops_at(point.block).get()
    };
    let typical = catalog.latency(family).and_then(|latency| latency.figure);
    let floor = typical.map_or(LOCAL_LATENCY.micros(), |typical| {
        typical.read.micros() * FASTER_THAN_TYPICAL
    });
    let slow_enough = evidence
        .one
        .as_ref()
        .is_none_or(|one| one.latency.micros() >= floor);
    slow_enough && evidence.points.iter().all(fits)
}
