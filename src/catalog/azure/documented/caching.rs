//! What is documented of host caching.

use super::{DISK_TYPES, PERFORMANCE, PREMIUM, SHARED_DISKS};
use crate::catalog::Documented;

pub(super) const TEXTS: &[Documented] = &[
    Documented::titled(
        "V2-CACHING",
        "host caching on Premium SSD v2",
        "Premium SSD v2 does not support host caching: it can only be attached with caching None. Figures are computed \
         without caching.",
        DISK_TYPES,
    ),
    Documented::titled(
        "ULTRA-CACHING",
        "host caching on an Ultra disk",
        "Ultra disks do not support host caching: they can only be attached with caching None. Figures are computed \
         without caching.",
        DISK_TYPES,
    ),
    Documented::titled(
        "LARGE-DISK-CACHING",
        "host caching on a disk larger than 4,095 GiB",
        "Host caching is supported for disks of up to 4,095 GiB (P50 and smaller, less one GiB). A larger disk has to \
         be attached with caching None. Figures are computed without caching.",
        PREMIUM,
    ),
    Documented::new(
        "SHARED-DISK-CACHING",
        "A disk that several VMs may attach (maxShares above 1) cannot be cached on a host. Figures are computed \
         without caching.",
        SHARED_DISKS,
    ),
    Documented::new(
        "SIZE-CACHING",
        "The documentation lists no premium-storage caching for this size. The platform lets caching be set all the \
         same; the figures follow the size's cached ceiling and are less sure.",
        PERFORMANCE,
    ),
    Documented::new(
        "OS-CACHE-DEFAULT",
        "The platform attaches OS disks with ReadWrite caching unless told otherwise; the figures follow that.",
        PREMIUM,
    ),
    Documented::new(
        "RW-CACHE-DATA",
        "With ReadWrite caching a write is acknowledged before it is on the disk. What has not been destaged is lost \
         when the host fails, unless the application flushes as databases do; and in the long run writes still pay the \
         disk's and the VM's uncached limits.",
        PREMIUM,
    ),
    Documented::new(
        "STRIPE-CACHING",
        "Members that are cached and members that are not answer at different speeds, and the stripe follows the slower \
         ones.",
        PREMIUM,
    ),
    Documented::new(
        "WRITE-HEAVY-CACHE",
        "A ReadOnly cache answers no write: each goes to the disk and counts against the VM's cached ceiling besides. \
         For disks that mostly write (more than half of the I/Os, by the workload that was named) the documentation \
         recommends None.",
        PREMIUM,
    ),
    Documented::new(
        "CACHE-LOWERS-THROUGHPUT",
        "With caching, reads that miss and all writes pass the cached ceiling as well as the uncached one. Where the \
         cached MB/s are the lower figure, caching None is faster.",
        PERFORMANCE,
    ),
    Documented::new(
        "CACHE-LOWERS-IOPS",
        "With caching, reads that miss and all writes pass the cached ceiling as well as the uncached one. Where the \
         cached IOPS are the lower figure, caching None is faster.",
        PERFORMANCE,
    ),
];
