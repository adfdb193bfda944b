//! What is documented of metrics: how much of a limit or of credit is used.

use super::{BURSTING, DISK_METRICS};
use crate::catalog::Documented;

pub(super) const TEXTS: &[Documented] = &[
    Documented::new(
        "THROTTLED-VM-CACHED",
        "Azure Monitor's VM Cached IOPS or Bandwidth Consumed Percentage was at 100 (97 to 105 is taken for it, a mean \
         is not exact; above that the VM bursts, up to its burst ceiling). All traffic of disks with host caching and \
         of the temp disk passes this ceiling. Each percentage is of its own ceiling: the uncached one may show 80 % \
         meanwhile and tells nothing of this one.",
        DISK_METRICS,
    ),
    Documented::new(
        "THROTTLED-VM-UNCACHED",
        "Azure Monitor's VM Uncached IOPS or Bandwidth Consumed Percentage was at 100 (97 to 105 is taken for it, a \
         mean is not exact; above that the VM bursts, up to its burst ceiling). All traffic to remote disks passes this \
         ceiling, but for reads that the host cache answers.",
        DISK_METRICS,
    ),
    Documented::new(
        "THROTTLED-DISK",
        "Azure Monitor's OS or Data Disk IOPS or Bandwidth Consumed Percentage was at 100 (97 to 105 is taken for it, a \
         mean is not exact). It counts what reaches the disk, not what the host cache answers. Above that the disk \
         bursts; a disk that still has burst credit, or on-demand bursting, is not held back at 100.",
        DISK_METRICS,
    ),
    Documented::new(
        "BURST-CREDIT-LOW",
        "The Used Burst Credits Percentage of a disk or VM says how much of its credit is gone, every five minutes. At \
         80 % it is called low, at 95 % used up: from then on the sustained limit holds until I/O stays below it and \
         the credit refills.",
        DISK_METRICS,
    ),
    Documented::new(
        "ON-DEMAND-BURST-UNUSED",
        "On-demand bursting is billed for being on, whether it is used or not. Where a disk's IOPS and bandwidth stayed \
         within what it is provisioned for during at least a day of metrics, it bought nothing in that time.",
        BURSTING,
    ),
    Documented::new(
        "PAID-UNUSED",
        "In at least a day of metrics neither the means nor the maxima exceeded 40 % of the provisioned IOPS or \
         bandwidth; where the percentage is reckoned from reads and writes, nor did their maxima together. Premium SSD v2 \
         and Ultra are billed by what is provisioned, and can be set lower at once; a raised performance tier can be \
         set back; others only with a smaller size or another family.",
        DISK_METRICS,
    ),
    Documented::new(
        "SERIES-SATURATED",
        "Azure counts how much of a disk's or VM's limit is consumed, and of its burst credit used. 95 % or more for a \
         twentieth of the time means that the limit held, or that the credit was gone.",
        DISK_METRICS,
    ),
];
