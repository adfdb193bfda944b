//! Host caching against what the workload writes.

use super::Case;
use crate::azure::remedies::with_remedy;
use crate::deployment::{HostCaching, Role};
use crate::planner::{Finding, FindingId, Severity};
use crate::units::{Share, grouped};

/// Above this share of writes a disk mostly writes.
const MOSTLY: f64 = 0.5;

pub(super) fn findings(case: &Case<'_>, found: &mut Vec<Finding>) {
    let volumes = &case.assembled.deployment.volumes;
    for (index, volume) in volumes.iter().enumerate() {
        if volume.role == Role::Os {
            continue;
        }
        // The workload that writes most decides.
        let loads = case.named_workloads.iter();
        let least_read = loads
            .filter_map(|workload| workload.loads.get(index))
            .map(|io| io.read_share)
            .min_by(|a, b| a.get().total_cmp(&b.get()));
        if let Some(read_share) = least_read {
            found.extend(write_heavy(&volume.name, volume.caching(), read_share));
        }
    }
}

/// A cache that answers no write, on a volume that mostly writes.
pub(in crate::azure) fn write_heavy(
    volume: &str,
    caching: HostCaching,
    read_share: Share,
) -> Option<Finding> {
    let writes = read_share.rest();
    if caching == HostCaching::None || writes <= MOSTLY {
        return None;
    }
    let percent = writes * 100.0;
    let why = match caching {
        HostCaching::ReadWrite => "they fill the cache, and must reach the disk in the end",
        _ => "the cache answers none of them",
    };
    let text = format!(
        "host caching {} with {} % writes: {why}; each counts against the VM's cached ceiling besides",
        caching.name(),
        grouped(percent, 0)
    );
    let finding = Finding::new(FindingId::WriteHeavyCache, Severity::Warning, volume, text);
    Some(with_remedy(finding.figure("write_share", percent, "%")))
}
