//! Which disks can be cached on the host.

use crate::catalog::disk::Family;
use crate::units::GiB;

/// The largest disk that host caching is offered for: 4,095 GiB
/// (premium storage performance page: caching is not supported for disks of 4 TiB and larger).
pub const LARGEST_CACHED: GiB = GiB::whole(4095);

/// Whether a disk of this family and size, attachable by `max_shares` VMs at once, can be cached on the host:
/// tiered families only, 4,095 GiB or smaller, not shared. Whether the VM size has a cache is another question.
#[must_use]
pub fn cacheable(family: Family, size: GiB, max_shares: u32) -> bool {
    family.is_tiered() && size <= LARGEST_CACHED && max_shares <= 1
}
