//! Disks whose VMs are not there.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::model::ReadNote;
use crate::azure::facts::{DiskFacts, FleetFacts, ResourceId};
use crate::planner::Severity;

/// How many VMs are named.
const NAMED: usize = 5;

/// One note a source about those of `disks` that say they are attached to VMs of which none is among `facts`.
pub(super) fn notes<'a>(
    facts: &FleetFacts,
    disks: impl Iterator<Item = &'a DiskFacts>,
) -> Vec<ReadNote> {
    let nameless = facts.vms.iter().filter(|vm| vm.id.is_none());
    let without_id: HashSet<String> = nameless.map(|vm| vm.name.to_lowercase()).collect();
    let is_read =
        |id: &ResourceId| facts.vm(id).is_some() || without_id.contains(&id.name().to_lowercase());
    let mut by_source: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
    for disk in disks {
        let vms = &disk.attached_to;
        if vms.is_empty() || vms.iter().any(is_read) {
            continue;
        }
        let (count, names) = by_source.entry(&disk.source).or_default();
        *count += 1;
        names.extend(vms.iter().map(ResourceId::name));
    }
    let note = |(source, (disks, vms)): (&str, (usize, BTreeSet<&str>))| ReadNote {
        severity: Severity::Info,
        source: source.to_owned(),
        line: None,
        subject: None,
        leaves_out: false,
        text: format!(
            "{disks} disk(s) are attached to VMs that are not among these ({}): judged by themselves, without the caps of \
             their VMs and host caching; read these VMs too (`az vm list`)",
            listed(&vms)
        ),
    };
    by_source.into_iter().map(note).collect()
}

/// The first few, and how many there are besides.
fn listed(names: &BTreeSet<&str>) -> String {
    let shown: Vec<&str> = names.iter().take(NAMED).copied().collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
