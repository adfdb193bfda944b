//! What Azure does not let a disk be or have.

use super::caching::LARGEST_CACHED;
use crate::catalog::disk::{BurstKind, DiskModel, DiskRequest, Family, Setting, Violation};
use crate::catalog::refusal::Refusal;

/// That what is asked of `setting` is below its least or above its most, by `rule`; all of them in its unit.
pub(super) fn out_of_range(
    setting: Setting,
    [asked, min, max]: [f64; 3],
    rule: impl FnOnce() -> String,
) -> Option<Violation> {
    (asked < min || asked > max).then(|| Violation::OutOfRange {
        setting,
        asked,
        min,
        max,
        rule: rule(),
    })
}

/// Why a disk that is sold cannot be cached on the host.
pub(in crate::catalog) fn caching(model: &DiskModel, max_shares: u32) -> Refusal {
    let none = "set cache=none".to_owned();
    if let Some(rules) = model.family.provisioned_rules() {
        return Refusal {
            id: rules.caching_id,
            why: format!("{} has no host caching", model.family),
            instead: none,
        };
    }
    if max_shares > 1 {
        return Refusal {
            id: "SHARED-DISK-CACHING",
            why: "a shared disk cannot be cached".to_owned(),
            instead: none,
        };
    }
    let size = model
        .size
        .map_or_else(|| "unknown size".to_owned(), |size| size.to_string());
    Refusal {
        id: "LARGE-DISK-CACHING",
        why: format!("a disk of {size} cannot be cached: the largest is {LARGEST_CACHED}"),
        instead: format!("set cache=none, or a size of at most {LARGEST_CACHED}"),
    }
}

/// What speaks against sharing a disk that counts as one that can be: the SKU list names a number of VMs for it, and the
/// documentation does not name its family.
pub(in crate::catalog) fn sharing_doubt(model: &DiskModel) -> Option<&'static str> {
    let doubtful = model.family == Family::StandardHdd;
    doubtful.then_some(
        "the list of SKUs says that it can be shared, the documentation names no Standard HDD among the disks that can: try \
         it before you build on it",
    )
}

/// What speaks against the credit burst of a disk that was asked for as `request`.
pub(in crate::catalog) fn burst_doubt(
    model: &DiskModel,
    request: &DiskRequest,
) -> Option<&'static str> {
    let kind = model.burst.map(|burst| burst.kind);
    let from_credit = matches!(kind, Some(BurstKind::Credit { .. }));
    (request.performance_plus && from_credit)
        .then_some("that a disk with performance plus bursts from credit beyond its expanded limits is not documented")
}

/// Why a disk cannot be the OS disk, or had better not be.
pub(in crate::catalog) fn os_disk(model: &DiskModel) -> Option<Refusal> {
    let (premium, standard) = (Family::PremiumSsd, Family::StandardSsd);
    if model.family.provisioned_rules().is_some() {
        return Some(Refusal {
            id: "OS-DISK-KIND",
            why: format!("{} cannot be an OS disk", model.label),
            instead: format!("use {premium} or {standard} for the OS disk"),
        });
    }
    (model.family == Family::StandardHdd).then(|| Refusal {
        id: "OS-DISK-HDD",
        why: format!(
            "{} as OS disk: slow starts, and a lower availability promise for the VM",
            model.family
        ),
        instead: format!("use {standard} or {premium} for the OS disk"),
    })
}
