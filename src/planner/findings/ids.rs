//! The stable ids of findings, and what each of them means.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much a finding weighs.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Cannot be deployed, or cannot work.
    Error,
    /// Works, and costs performance, data or money.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Its word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What there is to say about one id, whatever the deployment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// One line.
    pub title: &'static str,
    /// The rule, and what follows from it.
    pub rule: &'static str,
    /// Where the rule comes from.
    pub source: &'static str,
}

/// Defines the enum, its codes and its explanations from one list.
macro_rules! finding_ids {
    ($($(#[$doc:meta])* $variant:ident, $code:literal, $title:literal, $rule:literal, $source:expr;)*) => {
        /// The id of a finding: stable over versions, so that scripts and suppressions can rely on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub enum FindingId {
            $(#[doc = $title] $variant,)*
        }

        impl FindingId {
            /// Every id, in order of weight.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code that is printed.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$variant => $code,)*
                }
            }

            /// What it means.
            #[must_use]
            pub const fn explanation(self) -> Explanation {
                match self {
                    $(Self::$variant => Explanation {
                        title: $title,
                        rule: $rule,
                        source: $source,
                    },)*
                }
            }
        }
    };
}

const DISK_TYPES: &str = "Azure, managed disk types";
const PERFORMANCE: &str = "Azure, virtual machine and disk performance";
const BURSTING: &str = "Azure, managed disk bursting";
const DISK_METRICS: &str =
    "Azure, disk performance metrics (learn.microsoft.com/azure/virtual-machines/disks-metrics)";
const PREMIUM: &str = "Azure, premium storage: design for high performance";
const JUDGEMENT: &str = "diskcap's judgement of measured results";
const BILLING: &str = "Azure, understand Azure Disk Storage billing";
const STATES: &str = "Azure, states and billing status of virtual machines";
const REMOTE_NVME: &str = "Azure, remote NVMe disks and the controllers of sizes and images";
const OVER_TIME: &str = "diskcap's judgement of disks over time";
const PEERS: &str = "diskcap's comparison of peers (rank tests, median and MAD)";

finding_ids! {
    V2Range, "V2-RANGE", "a Premium SSD v2 setting is out of its range",
        "Premium SSD v2 takes 1 GiB to 64 TiB; 3,000 IOPS up to 6 GiB and 500 per GiB above, at most 80,000; 0.25 MB/s per provisioned IOPS, at most 2,000 MB/s. What is out of range is refused by the platform; figures are computed with the nearest allowed value.",
        DISK_TYPES;
    UltraRange, "ULTRA-RANGE", "an Ultra disk setting is out of its range",
        "Ultra disks take 4 GiB to 64 TiB; 100 IOPS to 1,000 per GiB, at most 400,000; 1 MB/s to 0.25 MB/s per provisioned IOPS, at most 10,000. What is out of range is refused by the platform; figures are computed with the nearest allowed value.",
        DISK_TYPES;
    DiskRange, "DISK-RANGE", "a disk's capacity is out of its family's range",
        "Tiered disks take 1 GiB to 32,767 GiB, and no more than the tier that is named.",
        DISK_TYPES;
    PerformanceTier, "PERFORMANCE-TIER", "a performance tier that the disk cannot have",
        "A Premium SSD may be raised to a higher performance tier: up to P50 for disks of at most 4,096 GiB, up to P80 above. It cannot be set below the baseline tier of its size.",
        "Azure, performance tiers for managed disks";
    FeatureNotOffered, "FEATURE-NOT-OFFERED", "a disk feature that the family or size does not have",
        "Performance plus needs 513 GiB or more; on-demand bursting needs a Premium SSD larger than 512 GiB; zone redundancy and sharing are not offered for every family and size.",
        DISK_TYPES;
    V2Caching, "V2-CACHING", "host caching on Premium SSD v2",
        "Premium SSD v2 does not support host caching: it can only be attached with caching None. Figures are computed without caching.",
        DISK_TYPES;
    UltraCaching, "ULTRA-CACHING", "host caching on an Ultra disk",
        "Ultra disks do not support host caching: they can only be attached with caching None. Figures are computed without caching.",
        DISK_TYPES;
    LargeDiskCaching, "LARGE-DISK-CACHING", "host caching on a disk larger than 4,095 GiB",
        "Host caching is supported for disks of up to 4,095 GiB (P50 and smaller, less one GiB). A larger disk has to be attached with caching None. Figures are computed without caching.",
        PREMIUM;
    SharedDiskCaching, "SHARED-DISK-CACHING", "host caching on a shared disk",
        "A disk that several VMs may attach (maxShares above 1) cannot be cached on a host. Figures are computed without caching.",
        "Azure, share an Azure managed disk";
    PremiumUnsupported, "PREMIUM-UNSUPPORTED", "a premium disk on a size without premium storage",
        "Premium SSD, Premium SSD v2 and Ultra disks need a size that supports premium storage (usually an 's' in its name).",
        DISK_TYPES;
    TooManyDisks, "TOO-MANY-DISKS", "more data disks than the size takes",
        "Every size has a highest number of data disks; the OS disk and local disks do not count.",
        PERFORMANCE;
    OsDiskKind, "OS-DISK-KIND", "an OS disk on Premium SSD v2 or Ultra",
        "Premium SSD v2 and Ultra disks can only be data disks.",
        DISK_TYPES;
    OsDisks, "OS-DISKS", "more than one OS disk, or a striped one",
        "A VM has one OS disk, and it is one disk: the platform boots from it before any stripe exists.",
        DISK_TYPES;
    StripeMixed, "STRIPE-MIXED", "a stripe of local and remote disks",
        "Local disks lose their data when the VM is deallocated or moved: a stripe with remote ones would lose all of it.",
        "Azure, temporary disk";
    UltraUnlisted, "ULTRA-UNLISTED", "an Ultra disk on a size for which none is listed",
        "Ultra disks need a size and a zone that offer them. The resource list that the data comes from names this size in no region as offering them.",
        "Azure, resource SKUs (UltraSSDAvailable)";
    RegionNotOffered, "REGION-NOT-OFFERED", "a disk that the region does not sell",
        "The list of what the region sells was read (`skus update` with a subscription) and has no such disk for that subscription: the family, or its redundancy, is not offered there, or the subscription may not have it. Premium SSD v2 and Ultra are offered in some regions, and mostly in some zones of them only.",
        "Azure, resource SKUs";
    ThrottledVmCached, "THROTTLED-VM-CACHED", "the VM's cached ceiling really held the disks back",
        "Azure Monitor's VM Cached IOPS or Bandwidth Consumed Percentage was at 100 (97 to 105 is taken for it, a mean is not exact; above that the VM bursts, up to its burst ceiling). All traffic of disks with host caching and of the temp disk passes this ceiling. Each percentage is of its own ceiling: the uncached one may show 80 % meanwhile and tells nothing of this one.",
        DISK_METRICS;
    ThrottledVmUncached, "THROTTLED-VM-UNCACHED", "the VM's uncached ceiling really held the disks back",
        "Azure Monitor's VM Uncached IOPS or Bandwidth Consumed Percentage was at 100 (97 to 105 is taken for it, a mean is not exact; above that the VM bursts, up to its burst ceiling). All traffic to remote disks passes this ceiling, but for reads that the host cache answers.",
        DISK_METRICS;
    ThrottledDisk, "THROTTLED-DISK", "a disk's own limit really held it back",
        "Azure Monitor's OS or Data Disk IOPS or Bandwidth Consumed Percentage was at 100 (97 to 105 is taken for it, a mean is not exact). It counts what reaches the disk, not what the host cache answers. Above that the disk bursts; a disk that still has burst credit, or on-demand bursting, is not held back at 100.",
        DISK_METRICS;
    VmUncachedIops, "VM-UNCACHED-IOPS", "the VM's uncached IOPS ceiling holds the disks back",
        "All uncached traffic of a VM to its remote disks together stays within the size's uncached IOPS, whatever the disks could do.",
        PERFORMANCE;
    VmUncachedMbps, "VM-UNCACHED-MBPS", "the VM's uncached throughput ceiling holds the disks back",
        "All uncached traffic of a VM to its remote disks together stays within the size's uncached MB/s, whatever the disks could do.",
        PERFORMANCE;
    VmRemoteIops, "VM-REMOTE-IOPS", "the VM's IOPS ceiling for v2 and Ultra holds the disks back",
        "Newer sizes have a second, higher pair of ceilings for Premium SSD v2 and Ultra. The model keeps tiered disks within the lower pair and all remote traffic together within the higher one (an assumption: the documentation does not say how the two add up).",
        PERFORMANCE;
    VmRemoteMbps, "VM-REMOTE-MBPS", "the VM's throughput ceiling for v2 and Ultra holds the disks back",
        "Newer sizes have a second, higher pair of ceilings for Premium SSD v2 and Ultra. The model keeps tiered disks within the lower pair and all remote traffic together within the higher one (an assumption: the documentation does not say how the two add up).",
        PERFORMANCE;
    VmCachedIops, "VM-CACHED-IOPS", "the VM's cached IOPS ceiling holds the disks back",
        "Every I/O of a disk with host caching, hit or miss, and every I/O of the temp disk passes the size's cached ceiling.",
        PERFORMANCE;
    VmCachedMbps, "VM-CACHED-MBPS", "the VM's cached throughput ceiling holds the disks back",
        "Every I/O of a disk with host caching, hit or miss, and every I/O of the temp disk passes the size's cached ceiling.",
        PERFORMANCE;
    CacheLowersThroughput, "CACHE-LOWERS-THROUGHPUT", "host caching makes this volume slower in MB/s",
        "With caching, reads that miss and all writes pass the cached ceiling as well as the uncached one. Where the cached MB/s are the lower figure, caching None is faster.",
        PERFORMANCE;
    CacheLowersIops, "CACHE-LOWERS-IOPS", "host caching makes this volume slower in IOPS",
        "With caching, reads that miss and all writes pass the cached ceiling as well as the uncached one. Where the cached IOPS are the lower figure, caching None is faster.",
        PERFORMANCE;
    RwCacheData, "RW-CACHE-DATA", "ReadWrite caching on a data disk",
        "With ReadWrite caching a write is acknowledged before it is on the disk. What has not been destaged is lost when the host fails, unless the application flushes as databases do; and in the long run writes still pay the disk's and the VM's uncached limits.",
        PREMIUM;
    SizeCaching, "SIZE-CACHING", "host caching on a size that is documented without it",
        "The documentation lists no premium-storage caching for this size. The platform lets caching be set all the same; the figures follow the size's cached ceiling and are less sure.",
        PERFORMANCE;
    OsDiskHdd, "OS-DISK-HDD", "an OS disk on Standard HDD",
        "Standard HDD is meant for backup and rarely used data; as an OS disk it makes starts and updates slow, and VMs with it have a lower availability promise.",
        DISK_TYPES;
    BurstOnly, "BURST-ONLY", "a disk that reaches its figure only in burst",
        "Small Premium and Standard SSDs burst from a credit bucket that holds (burst - base) x 1,800 s, apart for IOPS and MB/s. When it is empty the base limits hold; it fills by what is left unused below them.",
        BURSTING;
    VmBurstOnly, "VM-BURST-ONLY", "a figure that holds only while the VM bursts",
        "Many sizes burst above their uncached or cached ceilings from a credit bucket of 30 minutes at full burst. When it is empty the base ceilings hold.",
        BURSTING;
    NeighbourBurst, "NEIGHBOUR-BURST", "a neighbour's burst takes room from this volume",
        "Under a VM ceiling that is full, a disk that bursts takes a larger part of it, and another volume may get less than when nobody bursts.",
        "the model's max-min allocation";
    Throttled, "THROTTLED", "a volume is throttled in the course of the workload",
        "A volume that wants more than a disk or the VM lets through is throttled: what it asks for and does not get waits, and is worked off when there is room. Bursting puts this off until the credit is used up.",
        BURSTING;
    CreditEmpty, "CREDIT-EMPTY", "burst credit is used up in the course of the workload",
        "A bucket of burst credit drains by what is used above the base limit and fills by what is left unused below it. When it is empty the base limit holds.",
        BURSTING;
    BacklogLeft, "BACKLOG-LEFT", "the workload asks for more than is ever served",
        "What was asked for and has to wait is worked off when there is room. Where some of it still waits at the end, the workload is too large for the disks or the VM, or the time looked at is too short.",
        "the model's simulation";
    BurstCreditLow, "BURST-CREDIT-LOW", "burst credit was nearly or wholly used up",
        "The Used Burst Credits Percentage of a disk or VM says how much of its credit is gone, every five minutes. At 80 % it is called low, at 95 % used up: from then on the sustained limit holds until I/O stays below it and the credit refills.",
        DISK_METRICS;
    OnDemandBurstUnused, "ON-DEMAND-BURST-UNUSED", "on-demand bursting is on and was not used",
        "On-demand bursting is billed for being on, whether it is used or not. Where a disk's IOPS and bandwidth stayed within what it is provisioned for during at least a day of metrics, it bought nothing in that time.",
        BURSTING;
    PaidUnused, "PAID-UNUSED", "a disk's peak use is far below what it is provisioned for",
        "In at least a day of metrics neither the means nor the maxima exceeded 40 % of the provisioned IOPS or bandwidth. Premium SSD v2 and Ultra are billed by what is provisioned, and can be set lower at once; a raised performance tier can be set back; others only with a smaller size or another family.",
        DISK_METRICS;
    PaidBurst, "PAID-BURST", "on-demand bursting is billed",
        "On-demand bursting costs its enablement by the hour, whether it is used or not, and each burst transaction: an I/O above the provisioned IOPS, or 256 KB above the provisioned MB/s, whichever are more in a second. Where bursts are frequent, a higher performance tier may cost less.",
        BURSTING;
    StripeUnequal, "STRIPE-UNEQUAL", "a stripe of unequal members",
        "A stripe spreads its I/O evenly: it is as fast as its number of members times its slowest one. What the faster ones could do beyond that is lost.",
        PREMIUM;
    StripeCaching, "STRIPE-CACHING", "members of a stripe with different host caching",
        "Members that are cached and members that are not answer at different speeds, and the stripe follows the slower ones.",
        PREMIUM;
    QueueDepth, "QUEUE-DEPTH", "the queue depth is too small to reach the limit",
        "Little's law: outstanding I/Os = IOPS x latency. With fewer outstanding, each waiting for its own latency, the disk idles in between. A stripe needs that many for each member.",
        PREMIUM;
    BlockSizeMbps, "BLOCK-SIZE-MBPS", "the block size makes MB/s the limit, not IOPS",
        "IOPS x block size = throughput. Above the block size at which the two limits cross (MB/s over IOPS), the MB/s limit binds and the IOPS that the disk is sold with cannot be reached.",
        PREMIUM;
    LargeIo, "LARGE-IO", "I/Os that count several times",
        "Premium and Standard SSD count an I/O larger than 256 KiB as several of 256 KiB against the IOPS limit.",
        "Azure, premium storage and managed disk pricing (I/O units of 256 KiB)";
    Unusable, "UNUSABLE", "provisioned performance that the VM does not let through",
        "What a disk is provisioned for beyond the VM's ceilings is paid for and cannot be used on this size.",
        PERFORMANCE;
    OnDemandBurst, "ON-DEMAND-BURST", "on-demand bursting is billed by use",
        "On-demand bursting costs its enablement, and every I/O above the provisioned IOPS (or every 256 KB above the provisioned MB/s) as a burst transaction. It has no credit bucket: it holds as long as it is paid for.",
        BURSTING;
    SharedDisk, "SHARED-DISK", "the limits of a shared disk are shared",
        "A disk that several VMs attach has its IOPS and MB/s once, for all of them together.",
        "Azure, share an Azure managed disk";
    TierBySize, "TIER-BY-SIZE", "the size is smaller than the tier that is named",
        "A tiered disk's baseline is the tier of its size. A larger tier named beside a smaller size is read as a performance tier, which costs as much as the larger disk.",
        "Azure, performance tiers for managed disks";
    RetiringSize, "RETIRING-SIZE", "the VM size is being retired",
        "After the announced day the size can no longer be deployed or started.",
        "Azure, resource SKUs and retirement notices";
    UnknownCap, "UNKNOWN-CAP", "a limit on the way is unknown",
        "No source gives the figure. Results that depend on it are upper bounds and marked so: unknown is never taken for zero or for unlimited.",
        "sku-data/SOURCES.md";
    InterfaceCaps, "INTERFACE-CAPS", "the size has other ceilings on another disk controller",
        "Some sizes have higher ceilings with an NVMe controller than with SCSI. Which one a VM has is set when it is created and depends on its image.",
        PERFORMANCE;
    ControllerUnknown, "CONTROLLER-UNKNOWN", "whether the size has the disk controller asked for is not known",
        "No source says which disk controllers the size has, so that the one asked for can neither be confirmed nor refused. The figures are those of the size, whatever the controller.",
        "sku-data/SOURCES.md";
    LocalData, "LOCAL-DATA", "data on a local disk does not survive",
        "Local temp and NVMe disks are lost when the VM is deallocated, resized or moved to another host.",
        "Azure, temporary disk";
    BelowPrediction, "BELOW-PREDICTION", "a measured figure that falls short of what is predicted",
        "A test stays below every limit on its path by more than the tolerance (7.5 % unless told), and its queue depth does not explain it: it is slower than queue depth over the latency of the disk as well. Something else holds it back: neighbours on the same VM, the guest's CPU, drivers or file system, a disk or size that is not the one that was named.",
        JUDGEMENT;
    AboveLimits, "ABOVE-LIMITS", "a measured figure that the named disk cannot reach",
        "A test is above every limit on its path by more than the tolerance. What was measured is a cache, another disk, another size, or a burst that the settings do not name. The limits that the figure does fit are listed.",
        JUDGEMENT;
    SlowLatency, "SLOW-LATENCY", "one I/O at a time takes longer than is usual for the disk",
        "At queue depth 1 the rate is 1 / latency and no limit binds, so that the figure is the latency of the disk itself. Typical latencies are one field report's and no promise: only what takes more than 1.5 times as long is named.",
        JUDGEMENT;
    InconsistentResult, "INCONSISTENT-RESULT", "figures of one test that do not agree with each other",
        "IOPS x block size = MB/s, and outstanding I/Os = IOPS x latency (Little's law). Where the figures of one test break either, the tool mixes units or block sizes, its queue was not kept full, or the latency is not that of the same I/Os.",
        JUDGEMENT;
    PageFilePlace, "PAGE-FILE-PLACE", "a page file on a disk that is too slow for it",
        "A hard fault waits for one page at queue depth 1, so that paging runs at the latency of the disk, not at its MB/s. A page file belongs on the local temp disk where the size has one (its loss at deallocation does not matter to a page file), else on the disk that answers fastest.",
        "Azure, temporary disk; Little's law";
    ImplausibleValue, "IMPLAUSIBLE-VALUE", "a value of a deployed disk that cannot be",
        "Values that contradict each other or what is possible are pointed out and taken as unknown: no disk carries more than 256 KiB for each I/O that it is provisioned for, and published examples of Premium SSD v2 and Ultra have IOPS and MB/s exchanged.",
        DISK_TYPES;
    DisksUnknown, "DISKS-UNKNOWN", "a deployed VM of which no disk is known",
        "The answer that was read names no disk of the VM: it was cut off, or is not the VM's own. Nothing can be judged of it.",
        "the answer that was read";
    UnknownSize, "UNKNOWN-SIZE", "the VM size is not in the catalogue",
        "Without a known size there are no ceilings of the VM: its disks are looked at by themselves, and what they reach is an upper bound. A list of SKUs (`az vm list-skus`) beside the VM makes the size known.",
        "sku-data/SOURCES.md";
    UnknownDiskSku, "UNKNOWN-DISK-SKU", "the SKU of a disk is not known",
        "A SKU that no rule here knows is taken as a remote disk with the limits that it reports itself, without bursting and host caching; what it does not report is unknown.",
        "sku-data/SOURCES.md";
    DeployedLimits, "DEPLOYED-LIMITS", "a deployed disk says other limits than the rules known here",
        "What the platform says of a deployed disk wins over documentation: its figures are used as reported. Where they differ from the rules known here, either the rules have changed, or a setting is not in the answer (performance plus), or what was saved is of different times.",
        DISK_TYPES;
    WriteHeavyCache, "WRITE-HEAVY-CACHE", "host caching on a volume that mostly writes",
        "A ReadOnly cache answers no write: each goes to the disk and counts against the VM's cached ceiling besides. For disks that mostly write (more than half of the I/Os, by the workload that was named) the documentation recommends None.",
        PREMIUM;
    DiskUnattached, "DISK-UNATTACHED", "a disk that is attached to no VM",
        "A managed disk is billed for its provisioned size and performance whether or not a VM uses it.",
        BILLING;
    VmStopped, "VM-STOPPED", "a VM that is shut down and still billed",
        "A VM that was shut down from within stays allocated: its size is billed as if it ran. Only a deallocated VM is not.",
        STATES;
    VmDeallocated, "VM-DEALLOCATED", "a deallocated VM whose disks are billed",
        "Deallocating a VM ends the billing of its size; its disks are billed on for what they are provisioned.",
        STATES;
    TierRaised, "TIER-RAISED", "a performance tier above that of the size",
        "A raised performance tier is billed as the larger disk until it is lowered again. It is meant for busy times and easily forgotten; it can be lowered 12 hours after the last change.",
        "Azure, performance tiers for managed disks";
    UltraReservation, "ULTRA-RESERVATION", "Ultra disks are enabled and none is attached",
        "A VM that may use Ultra disks and has none attached is billed a reservation for each vCPU.",
        BILLING;
    UltraNotEnabled, "ULTRA-NOT-ENABLED", "an Ultra disk on a VM that does not say that it may have one",
        "A VM must be set to allow Ultra disks (additionalCapabilities.ultraSSDEnabled), which is possible only while it is deallocated.",
        "Azure, using Ultra disks";
    ZoneMismatch, "ZONE-MISMATCH", "a disk in another zone than its VM",
        "A locally redundant disk can be attached to VMs of its own zone only. Where answers say otherwise, they are of different times.",
        "Azure, availability zones and managed disks";
    ZoneNotOffered, "ZONE-NOT-OFFERED", "a disk kind that the zone is not listed to offer",
        "Premium SSD v2 and Ultra disks are offered in some regions and zones only; Ultra also only with some sizes in each zone.",
        "Azure, resource SKUs (zones, UltraSSDAvailable)";
    StripeZones, "STRIPE-ZONES", "members of a stripe in different zones",
        "Disks of one stripe are attached to one VM, so that they must be in its zone; a stripe is as available as all its members together.",
        "Azure, availability zones and managed disks";
    Controller, "CONTROLLER", "the disk controller is not one that the size or the image has",
        "A size offers SCSI, NVMe or both, and an image says which of them its drivers take. A VM with another one cannot be started or resized as it is.",
        REMOTE_NVME;
    NoTempDisk, "NO-TEMP-DISK", "Windows on a size without a temp disk",
        "Windows images put the page file on the temp disk, and SQL Server often has its tempdb there. A size without one leaves the page file on the OS disk, where it takes part in its IOPS; local NVMe disks come unformatted, so that neither is put there by itself.",
        "Azure, VM sizes with no local temporary disk";
    WriteAccelerator, "WRITE-ACCELERATOR", "Write Accelerator where it cannot be",
        "Write Accelerator exists for Premium SSD on M-series sizes, with host caching None or ReadOnly, and for a number of disks that follows from the size.",
        "Azure, enable Write Accelerator";
    UnmanagedDisk, "UNMANAGED-DISK", "a disk that is a page blob in a storage account",
        "Unmanaged disks are being retired: a VM with one can then no longer be started. Their limits depend on the storage account, which is not read here, and are unknown.",
        "Azure, unmanaged disks retirement";
    SeriesStalls, "SERIES-STALLS", "a disk stood still with I/Os waiting",
        "For a sample or more the rate was below 1 % of the usual although I/Os were outstanding: counted as a queue, as a busy disk, or seen by an I/O right behind that took at least half as long. Databases log this as I/O that takes many seconds. It speaks against the device, its path or the host, not against the load.",
        OVER_TIME;
    SeriesFence, "SERIES-FENCE", "the rate collapses regularly",
        "A dip is a fall below 70 % of the usual rate that comes back. Seven dips or more, of whose distances three in four are within 25 % of the median, are a fence. Where the latency peaks as the rate collapses (1.5 times the usual, with 70 % of the I/Os still outstanding), the device chokes: a member that answers late, a cache that is flushed, a background task. Where the latency falls with the rate, the load pauses regularly, and the disk is not at fault.",
        OVER_TIME;
    SeriesDips, "SERIES-DIPS", "the rate falls at times and comes back",
        "A dip is a fall below 70 % of the usual rate, and below its noise, that comes back. Latency at least 1.5 times the usual with the I/Os still outstanding means that the device choked; latency that falls with the rate, with fewer I/Os outstanding, means that less was asked of it. Between the two it is not told.",
        OVER_TIME;
    SeriesThrottled, "SERIES-THROTTLED", "the rate is flat, held by a limit",
        "A rate that stays within 5 % for a tenth of the time, with next to nothing above it, is held by something: a limit that is known by name and within the tolerance (7.5 % unless told), else some limit where I/Os queue up behind it, else the load. Limits are those of the planner for the size and the direction of the I/O that was seen, and those that the log states itself.",
        OVER_TIME;
    SeriesSaturated, "SERIES-SATURATED", "a counter says itself that a limit is reached",
        "Azure counts how much of a disk's or VM's limit is consumed, and of its burst credit used. 95 % or more for a twentieth of the time means that the limit held, or that the credit was gone.",
        "Azure, disk performance metrics";
    SeriesRateDrift, "SERIES-RATE-DRIFT", "the rate drifts over the log",
        "A trend by the Theil-Sen slope that the Mann-Kendall test finds sure, over the whole of the log but its beginning. A cache that fills, a disk that fragments, or a load that changes.",
        OVER_TIME;
    SeriesLatencyDrift, "SERIES-LATENCY-DRIFT", "the latency drifts over the log",
        "A trend by the Theil-Sen slope that the Mann-Kendall test finds sure, over the whole of the log but its beginning.",
        OVER_TIME;
    SeriesWarmUp, "SERIES-WARM-UP", "the beginning is unlike the rest",
        "The first samples, at most a third of the log, are 30 % or more off a rate that is steady afterwards: above it a cache or burst credit that ran out, below it a cache that had to fill. A benchmark that is as short as its beginning measures that.",
        OVER_TIME;
    SeriesNotJudged, "SERIES-NOT-JUDGED", "the log is too short to judge something",
        "Every judgement needs a number of samples below which accidents look like patterns. What is not judged is said, never guessed.",
        OVER_TIME;
    SeriesSteady, "SERIES-STEADY", "a disk of which nothing is to be said",
        "No plateau at a limit, no collapse, no standstill, no drift, and a beginning like the rest.",
        OVER_TIME;
    PeerSlow, "PEER-SLOW", "a disk that is slower than its peers",
        "Slowness is latency where all peers have it, else the rate. A peer is called slow when it is 1.25 times as slow as the others or more, a rank test over independent blocks of samples is 99 % sure (corrected for the number of peers; moment by moment where they were measured at the same time), it is 3.5 robust standard deviations out where there are three or more, and it is not merely asked for more. A mirror or stripe runs at the pace of its slowest member.",
        PEERS;
    PeerErratic, "PEER-ERRATIC", "a disk that chokes where its peers do not",
        "On the whole as fast as its peers, but it stalls or chokes, and fewer than half of the others do.",
        PEERS;
    PeerBusier, "PEER-BUSIER", "a disk that is slower because more is asked of it",
        "Slower than its peers, but with 1.25 times their I/Os or I/Os of 1.5 times their size: load, not fault.",
        PEERS;
    PeerNotEnough, "PEER-NOT-ENOUGH", "too few independent samples to compare peers by",
        "Neighbouring samples are alike. The autocorrelation says how many of them are worth one, and a comparison needs eight such blocks of each peer.",
        PEERS;
    PeerAlike, "PEER-ALIKE", "a disk like its peers",
        "Nothing speaks against it.",
        PEERS;
    OsCacheDefault, "OS-CACHE-DEFAULT", "no caching was given for the OS disk: ReadWrite assumed",
        "The platform attaches OS disks with ReadWrite caching unless told otherwise; the figures follow that.",
        PREMIUM;
}

impl JsonSchema for FindingId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FindingId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let codes: Vec<&str> = Self::ALL.iter().map(|id| id.code()).collect();
        schemars::json_schema!({ "type": "string", "enum": codes })
    }
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// An id that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown finding id '{input}'{}", crate::catalog::lookup::did_you_mean(.nearest))]
pub struct UnknownFinding {
    /// The id as given.
    pub input: String,
    /// The nearest known ones.
    pub nearest: Vec<String>,
}

impl FromStr for FindingId {
    type Err = UnknownFinding;

    fn from_str(input: &str) -> Result<Self, UnknownFinding> {
        let wanted = input.trim();
        Self::ALL
            .iter()
            .copied()
            .find(|id| id.code().eq_ignore_ascii_case(wanted))
            .ok_or_else(|| UnknownFinding {
                input: input.to_owned(),
                nearest: crate::catalog::lookup::nearest(
                    &wanted.to_uppercase(),
                    Self::ALL.iter().map(|id| id.code()),
                ),
            })
    }
}

impl TryFrom<String> for FindingId {
    type Error = UnknownFinding;
    fn try_from(value: String) -> Result<Self, UnknownFinding> {
        value.parse()
    }
}

impl From<FindingId> for String {
    fn from(id: FindingId) -> Self {
        id.code().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_read_back() {
        let mut codes: Vec<&str> = FindingId::ALL.iter().map(|id| id.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), FindingId::ALL.len());
        for id in FindingId::ALL {
            assert_eq!(id.code().to_lowercase().parse::<FindingId>(), Ok(*id));
            let explanation = id.explanation();
            assert!(explanation.rule.ends_with('.') && !explanation.source.is_empty());
        }
    }

    #[test]
    fn an_unknown_id_names_the_nearest() {
        let error = "VM-UNCACHED-IOP".parse::<FindingId>().unwrap_err();
        assert!(error.to_string().contains("VM-UNCACHED-IOPS"));
    }
}
