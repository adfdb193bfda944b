//! What is documented of bursting, from credit and on demand.

use super::{BURSTING, PREMIUM};
use crate::catalog::Documented;

pub(super) const TEXTS: &[Documented] = &[
    Documented::new(
        "BURST-ONLY",
        "Small Premium and Standard SSDs burst from a credit bucket that holds (burst - base) x 1,800 s, apart for IOPS \
         and MB/s. When it is empty the base limits hold; it fills by what is left unused below them.",
        BURSTING,
    ),
    Documented::new(
        "VM-BURST-ONLY",
        "Many sizes burst above their uncached or cached ceilings from a credit bucket of 30 minutes at full burst. \
         When it is empty the base ceilings hold.",
        BURSTING,
    ),
    Documented::new(
        "CACHE-BURST",
        "With ReadWrite caching the host answers writes before they are on the disk, at the speed of its cache. How much \
         it takes before it has to destage as fast as it is written to is not documented, so it counts as burst: what \
         holds without end are the disk's and the VM's uncached limits.",
        PREMIUM,
    ),
    Documented::new(
        "THROTTLED",
        "A volume that wants more than a disk or the VM lets through is throttled: what it asks for and does not get \
         waits, and is worked off when there is room. Bursting puts this off until the credit is used up.",
        BURSTING,
    ),
    Documented::new(
        "CREDIT-EMPTY",
        "A bucket of burst credit drains by what is used above the base limit and fills by what is left unused below \
         it. When it is empty the base limit holds.",
        BURSTING,
    ),
    Documented::new(
        "ON-DEMAND-BURST",
        "On-demand bursting costs its enablement, and every I/O above the provisioned IOPS (or every 256 KB above the \
         provisioned MB/s) as a burst transaction. It has no credit bucket: it holds as long as it is paid for.",
        BURSTING,
    ),
    Documented::new(
        "PAID-BURST",
        "On-demand bursting costs its enablement by the hour, whether it is used or not, and each burst transaction: an \
         I/O above the provisioned IOPS, or 256 KB above the provisioned MB/s, whichever are more in a second. Where \
         bursts are frequent, a higher performance tier may cost less.",
        BURSTING,
    ),
];
