//! Disks that a plan refuses: nothing can have been measured on such, so that what names them is wrong.

use crate::catalog::Catalog;
use crate::deployment::Deployment;
use crate::planner::{Finding, FindingId, Severity, assess};

/// Why the disks that were named cannot be deployed so, as a plan says it. That a size is retired by now is worth knowing,
/// and no error: it was measured before.
pub(super) fn refused(catalog: &Catalog, deployment: Option<&Deployment>) -> Vec<Finding> {
    let found = deployment.map(|of| assess(catalog, of, &[]).findings);
    let found = found.into_iter().flatten();
    let found = found.filter(|finding| finding.severity == Severity::Error);
    found
        .map(|finding| match finding.id {
            FindingId::RetiringSize => Finding {
                severity: Severity::Info,
                ..finding
            },
            _ => finding,
        })
        .collect()
}
