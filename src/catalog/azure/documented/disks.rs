//! What is documented of disks: their settings, features, OS disks, stripes.

use super::{DISK_TYPES, PERFORMANCE_TIERS, PREMIUM, SHARED_DISKS, TEMP_DISK};
use crate::catalog::Documented;

pub(super) const TEXTS: &[Documented] = &[
    Documented::titled(
        "V2-RANGE",
        "a Premium SSD v2 setting is out of its range",
        "Premium SSD v2 takes 1 GiB to 64 TiB; 3,000 IOPS up to 6 GiB and 500 per GiB above, at most 80,000; 0.25 MB/s \
         per provisioned IOPS, at most 2,000 MB/s. What is out of range is refused by the platform; figures are \
         computed with the nearest allowed value.",
        DISK_TYPES,
    ),
    Documented::titled(
        "ULTRA-RANGE",
        "an Ultra disk setting is out of its range",
        "Ultra disks take 4 GiB to 64 TiB; 100 IOPS to 1,000 per GiB, at most 400,000; 1 MB/s to 0.25 MB/s per \
         provisioned IOPS, at most 10,000. What is out of range is refused by the platform; figures are computed with \
         the nearest allowed value.",
        DISK_TYPES,
    ),
    Documented::new(
        "DISK-RANGE",
        "Tiered disks take 1 GiB to 32,767 GiB, and no more than the tier that is named.",
        DISK_TYPES,
    ),
    Documented::new(
        "PERFORMANCE-TIER",
        "A Premium SSD may be raised to a higher performance tier: up to P50 for disks of at most 4,096 GiB, up to P80 \
         above. It cannot be set below the baseline tier of its size.",
        PERFORMANCE_TIERS,
    ),
    Documented::new(
        "TIER-BY-SIZE",
        "A tiered disk's baseline is the tier of its size. A larger tier named beside a smaller size is read as a \
         performance tier, which costs as much as the larger disk.",
        PERFORMANCE_TIERS,
    ),
    Documented::new(
        "FEATURE-NOT-OFFERED",
        "Performance plus needs 513 GiB or more; on-demand bursting needs a Premium SSD larger than 512 GiB; zone \
         redundancy and sharing are not offered for every family and size.",
        DISK_TYPES,
    ),
    Documented::new(
        "SHARED-DISK",
        "A disk that several VMs attach has its IOPS and MB/s once, for all of them together. Of what is deployed, what all VMs \
         that were read let through and use is added up; its price is in sums once. Of Standard HDD the list of \
         SKUs says that it can be shared, and the documentation does not: that is a warning.",
        SHARED_DISKS,
    ),
    Documented::titled(
        "OS-DISK-KIND",
        "an OS disk on Premium SSD v2 or Ultra",
        "Premium SSD v2 and Ultra disks can only be data disks.",
        DISK_TYPES,
    ),
    Documented::titled(
        "OS-DISK-HDD",
        "an OS disk on Standard HDD",
        "Standard HDD is meant for backup and rarely used data; as an OS disk it makes starts and updates slow, and VMs \
         with it have a lower availability promise.",
        DISK_TYPES,
    ),
    Documented::new(
        "OS-DISKS",
        "A VM has one OS disk, and it is one disk: the platform boots from it before any stripe exists.",
        DISK_TYPES,
    ),
    Documented::new(
        "STRIPE-MIXED",
        "Local disks lose their data when the VM is deallocated or moved: a stripe with remote ones would lose all of \
         it.",
        TEMP_DISK,
    ),
    Documented::new(
        "STRIPE-UNEQUAL",
        "A stripe spreads its I/O evenly: it is as fast as its number of members times its slowest one. What the faster \
         ones could do beyond that is lost.",
        PREMIUM,
    ),
    Documented::new(
        "LOCAL-DATA",
        "Local temp and NVMe disks are lost when the VM is deallocated, resized or moved to another host.",
        TEMP_DISK,
    ),
    Documented::new(
        "LARGE-IO",
        "Premium and Standard SSD count an I/O larger than 256 KiB as several of 256 KiB against the IOPS limit.",
        "Azure, premium storage and managed disk pricing (I/O units of 256 KiB)",
    ),
    Documented::new(
        "PAGE-FILE-PLACE",
        "A hard fault waits for one page at queue depth 1, so that paging runs at the latency of the disk, not at its \
         MB/s. A page file belongs on the local temp disk where the size has one (its loss at deallocation does not \
         matter to a page file), else on the disk that answers fastest. Said where paging is asked about (`--paging`).",
        "Azure, temporary disk; Little's law",
    ),
];
