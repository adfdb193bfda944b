//! What is documented of VM sizes: their ceilings, what they take, where they are.

use super::{DISK_TYPES, PERFORMANCE, PREMIUM};
use crate::catalog::Documented;

const FAST_CEILING: &str = "Newer sizes have a second, higher pair of ceilings for Premium SSD v2 and Ultra. The model keeps tiered disks \
     within the lower pair and all remote traffic together within the higher one (an assumption: the documentation does \
     not say how the two add up). On Lsv3 that pair is no higher and has no burst: there it holds v2 and Ultra alone.";

const CACHED_CEILING: &str = "Every I/O of a disk with host caching, hit or miss, and every I/O of the temp disk passes the size's cached \
     ceiling. Reads that hit the cache are bound by nothing else.";

pub(super) const TEXTS: &[Documented] = &[
    Documented::new(
        "VM-UNCACHED-IOPS",
        "All uncached traffic of a VM to its remote disks together stays within the size's uncached IOPS, whatever the \
         disks could do.",
        PERFORMANCE,
    ),
    Documented::new(
        "VM-UNCACHED-MBPS",
        "All uncached traffic of a VM to its remote disks together stays within the size's uncached MB/s, whatever the \
         disks could do.",
        PERFORMANCE,
    ),
    Documented::titled(
        "VM-REMOTE-IOPS",
        "the VM's IOPS ceiling for v2 and Ultra holds the disks back",
        FAST_CEILING,
        PERFORMANCE,
    ),
    Documented::titled(
        "VM-REMOTE-MBPS",
        "the VM's throughput ceiling for v2 and Ultra holds the disks back",
        FAST_CEILING,
        PERFORMANCE,
    ),
    Documented::new("VM-CACHED-IOPS", CACHED_CEILING, PERFORMANCE),
    Documented::new("VM-CACHED-MBPS", CACHED_CEILING, PERFORMANCE),
    Documented::new(
        "UNUSABLE",
        "What a disk is provisioned for beyond the VM's ceilings is paid for and cannot be used on this size.",
        PERFORMANCE,
    ),
    Documented::new(
        "QUEUE-DEPTH",
        "Little's law: outstanding I/Os = IOPS x latency. With fewer outstanding, each waiting for its own latency, the \
         disk idles in between. A stripe needs that many for each member.",
        PREMIUM,
    ),
    Documented::new(
        "BLOCK-SIZE-MBPS",
        "IOPS x block size = throughput. Above the block size at which the two limits cross (MB/s over IOPS), the MB/s \
         limit binds and the IOPS that the disk is sold with cannot be reached.",
        PREMIUM,
    ),
    Documented::new(
        "INTERFACE-CAPS",
        "Some sizes have higher ceilings with an NVMe controller than with SCSI. Which one a VM has is set when it is \
         created and depends on its image.",
        PERFORMANCE,
    ),
    Documented::new(
        "TOO-MANY-DISKS",
        "Every size has a highest number of data disks; the OS disk and local disks do not count.",
        PERFORMANCE,
    ),
    Documented::titled(
        "PREMIUM-UNSUPPORTED",
        "a premium disk on a size without premium storage",
        "Premium SSD, Premium SSD v2 and Ultra disks need a size that supports premium storage (usually an 's' in its \
         name).",
        DISK_TYPES,
    ),
    Documented::titled(
        "ULTRA-UNLISTED",
        "an Ultra disk on a size for which none is listed",
        "Ultra disks need a size and a zone that offer them. The resource list that the data comes from names this size \
         in no region as offering them.",
        "Azure, resource SKUs (UltraSSDAvailable)",
    ),
    Documented::new(
        "REGION-NOT-OFFERED",
        "The list of what the region sells was read (`skus update` with a subscription) and has no such disk for that \
         subscription: the family, or its redundancy, is not offered there, or the subscription may not have it. \
         Premium SSD v2 and Ultra are offered in some regions, and mostly in some zones of them only.",
        "Azure, resource SKUs",
    ),
    Documented::new(
        "RETIRING-SIZE",
        "After the announced day VMs of the size are stopped, and none can be made: a plan of it is an error then. New subscriptions may be refused it \
         before, and of the older series quota is not raised any more.",
        "Azure, resource SKUs; VM size series retirements and capacity growth restrictions, 2026-09-24",
    ),
];
