//! What the planner advises for a plan, in words for what is deployed.

use crate::planner::{Finding, FindingId};

/// The finding with advice that can be followed on a deployed VM.
pub(super) fn reworded(mut finding: Finding) -> Finding {
    let other = match finding.id {
        FindingId::InterfaceCaps => Some(
            "the VM can be converted to the other controller while it is deallocated, where its image has the drivers",
        ),
        FindingId::UnknownCap
            if finding
                .fix
                .as_ref()
                .is_some_and(|fix| fix.starts_with("give it")) =>
        {
            Some("read the disk itself too: `az disk list`, or `az disk show`")
        }
        _ => None,
    };
    finding.fix = match other {
        Some(fix) => Some(fix.to_owned()),
        None => finding
            .fix
            .map(|fix| fix.replace("cache=none", "host caching to None")),
    };
    finding
}
