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

/// Defines the enum, its codes, what each usually weighs, and its title. An id without one is about something that only
/// one cloud has: its title stands beside that cloud's rules in the catalogue.
macro_rules! finding_ids {
    ($($variant:ident, $code:literal, $severity:ident $(, $title:literal)?;)*) => {
        /// The id of a finding: stable over versions, so that scripts and suppressions can rely on it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub enum FindingId {
            $(#[doc = concat!("`", $code, "`" $(, ": ", $title)?)] $variant,)*
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

            /// What a finding of this id usually weighs; a single one may weigh more or less, as it says itself.
            #[must_use]
            pub const fn usual_severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }

            /// The title, where it names nothing that only one cloud has.
            pub(crate) const fn title(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => finding_ids!(@title $($title)?),)*
                }
            }
        }
    };
    (@title $title:literal) => { Some($title) };
    (@title) => { None };
}

finding_ids! {
    V2Range, "V2-RANGE", Error;
    UltraRange, "ULTRA-RANGE", Error;
    DiskRange, "DISK-RANGE", Error, "a disk's capacity is out of its family's range";
    PerformanceTier, "PERFORMANCE-TIER", Error, "a performance tier that the disk cannot have";
    FeatureNotOffered, "FEATURE-NOT-OFFERED", Error, "a disk feature that the family or size does not have";
    V2Caching, "V2-CACHING", Error;
    UltraCaching, "ULTRA-CACHING", Error;
    LargeDiskCaching, "LARGE-DISK-CACHING", Error;
    SharedDiskCaching, "SHARED-DISK-CACHING", Error, "host caching on a shared disk";
    PremiumUnsupported, "PREMIUM-UNSUPPORTED", Error;
    TooManyDisks, "TOO-MANY-DISKS", Error, "more data disks than the size takes";
    OsDiskKind, "OS-DISK-KIND", Error;
    OsDisks, "OS-DISKS", Error, "more than one OS disk, or a striped one";
    StripeMixed, "STRIPE-MIXED", Error, "a stripe of local and remote disks";
    UltraUnlisted, "ULTRA-UNLISTED", Warning;
    RegionNotOffered, "REGION-NOT-OFFERED", Warning, "a disk that the region does not sell";
    ThrottledVmCached, "THROTTLED-VM-CACHED", Warning, "the VM's cached ceiling really held the disks back";
    ThrottledVmUncached, "THROTTLED-VM-UNCACHED", Warning, "the VM's uncached ceiling really held the disks back";
    ThrottledDisk, "THROTTLED-DISK", Warning, "a disk's own limit really held it back";
    DemandUnmet, "DEMAND-UNMET", Warning, "a volume that does not get what it asks for";
    VmUncachedIops, "VM-UNCACHED-IOPS", Warning, "the VM's uncached IOPS ceiling holds the disks back";
    VmUncachedMbps, "VM-UNCACHED-MBPS", Warning, "the VM's uncached throughput ceiling holds the disks back";
    VmRemoteIops, "VM-REMOTE-IOPS", Warning;
    VmRemoteMbps, "VM-REMOTE-MBPS", Warning;
    VmCachedIops, "VM-CACHED-IOPS", Warning, "the VM's cached IOPS ceiling holds the disks back";
    VmCachedMbps, "VM-CACHED-MBPS", Warning, "the VM's cached throughput ceiling holds the disks back";
    CacheLowersThroughput, "CACHE-LOWERS-THROUGHPUT", Warning, "host caching makes this volume slower in MB/s";
    CacheLowersIops, "CACHE-LOWERS-IOPS", Warning, "host caching makes this volume slower in IOPS";
    RwCacheData, "RW-CACHE-DATA", Warning, "ReadWrite caching on a data disk";
    SizeCaching, "SIZE-CACHING", Warning, "host caching on a size that is documented without it";
    OsDiskHdd, "OS-DISK-HDD", Warning;
    BurstOnly, "BURST-ONLY", Warning, "a disk that reaches its figure only in burst";
    VmBurstOnly, "VM-BURST-ONLY", Warning, "a figure that holds only while the VM bursts";
    CacheBurst, "CACHE-BURST", Info, "a figure that holds only while the host cache absorbs writes";
    NeighbourBurst, "NEIGHBOUR-BURST", Info, "a neighbour's burst takes room from this volume";
    Throttled, "THROTTLED", Warning, "a volume is throttled in the course of the workload";
    CreditEmpty, "CREDIT-EMPTY", Warning, "burst credit is used up in the course of the workload";
    CreditLow, "CREDIT-LOW", Warning, "burst credit is nearly used up in the course of the workload";
    BacklogLeft, "BACKLOG-LEFT", Warning, "the workload asks for more than is ever served";
    BurstCreditLow, "BURST-CREDIT-LOW", Warning, "burst credit was nearly or wholly used up";
    OnDemandBurstUnused, "ON-DEMAND-BURST-UNUSED", Warning, "on-demand bursting is on and was not used";
    PaidUnused, "PAID-UNUSED", Warning, "a disk's peak use is far below what it is provisioned for";
    PaidBurst, "PAID-BURST", Info, "on-demand bursting is billed";
    StripeUnequal, "STRIPE-UNEQUAL", Warning, "a stripe of unequal members";
    StripeCaching, "STRIPE-CACHING", Warning, "members of a stripe with different host caching";
    QueueDepth, "QUEUE-DEPTH", Warning, "the queue depth is too small to reach the limit";
    LatencyUnknown, "LATENCY-UNKNOWN", Info, "a queue depth on a disk of unknown latency";
    BlockSizeMbps, "BLOCK-SIZE-MBPS", Info, "the block size makes MB/s the limit, not IOPS";
    LargeIo, "LARGE-IO", Info, "I/Os that count several times";
    HitShareUnused, "HIT-SHARE-UNUSED", Info, "cache hits are stated where nothing is cached";
    Unusable, "UNUSABLE", Warning, "provisioned performance that the VM does not let through";
    OnDemandBurst, "ON-DEMAND-BURST", Info, "on-demand bursting is billed by use";
    SharedDisk, "SHARED-DISK", Info, "the limits of a shared disk are shared";
    TierBySize, "TIER-BY-SIZE", Info, "the size is smaller than the tier that is named";
    RetiringSize, "RETIRING-SIZE", Warning, "the VM size is being retired";
    UnknownCap, "UNKNOWN-CAP", Warning, "a limit on the way is unknown";
    InterfaceCaps, "INTERFACE-CAPS", Info, "the size has other ceilings on another disk controller";
    ControllerUnknown, "CONTROLLER-UNKNOWN", Warning, "whether the size has the disk controller asked for is not known";
    LocalData, "LOCAL-DATA", Info, "data on a local disk does not survive";
    BelowPrediction, "BELOW-PREDICTION", Warning, "a measured figure that falls short of what is predicted";
    AboveLimits, "ABOVE-LIMITS", Warning, "a measured figure that the named disk cannot reach";
    TempDrive, "TEMP-DRIVE", Warning, "a result of the drive that is usually the temp disk";
    SlowLatency, "SLOW-LATENCY", Warning, "one I/O at a time takes longer than is usual for the disk";
    InconsistentResult, "INCONSISTENT-RESULT", Info, "figures of one test that do not agree with each other";
    PageFilePlace, "PAGE-FILE-PLACE", Info, "a page file on a disk that is too slow for it";
    ImplausibleValue, "IMPLAUSIBLE-VALUE", Warning, "a value of a deployed disk that cannot be";
    DisksUnknown, "DISKS-UNKNOWN", Warning, "a deployed VM of which no disk is known";
    UnknownSize, "UNKNOWN-SIZE", Warning, "the VM size is not in the catalogue";
    UnknownDiskSku, "UNKNOWN-DISK-SKU", Warning, "the SKU of a disk is not known";
    DeployedLimits, "DEPLOYED-LIMITS", Warning, "a deployed disk says other limits than the rules known here";
    WriteHeavyCache, "WRITE-HEAVY-CACHE", Warning, "host caching on a volume that mostly writes";
    DiskUnattached, "DISK-UNATTACHED", Warning, "a disk that is attached to no VM";
    AttachmentMismatch, "ATTACHMENT-MISMATCH", Warning, "a VM and a disk that disagree on whether they belong together";
    VmStopped, "VM-STOPPED", Warning, "a VM that is shut down and still billed";
    VmDeallocated, "VM-DEALLOCATED", Info, "a deallocated VM whose disks are billed";
    TierRaised, "TIER-RAISED", Warning, "a performance tier above that of the size";
    UltraReservation, "ULTRA-RESERVATION", Warning;
    UltraNotEnabled, "ULTRA-NOT-ENABLED", Warning;
    ZoneMismatch, "ZONE-MISMATCH", Warning, "a disk in another zone than its VM";
    ZoneNotOffered, "ZONE-NOT-OFFERED", Warning, "a disk kind that the zone is not listed to offer";
    SizeNotOffered, "SIZE-NOT-OFFERED", Warning, "a VM size that is not to be had where the VM is";
    StripeZones, "STRIPE-ZONES", Warning, "members of a stripe in different zones";
    Controller, "CONTROLLER", Warning, "the disk controller is not one that the size or the image has";
    NoTempDisk, "NO-TEMP-DISK", Info, "Windows on a size without a temp disk";
    WriteAccelerator, "WRITE-ACCELERATOR", Warning;
    UnmanagedDisk, "UNMANAGED-DISK", Warning;
    SeriesStalls, "SERIES-STALLS", Warning, "a disk stood still with I/Os waiting";
    SeriesFence, "SERIES-FENCE", Warning, "the rate collapses regularly";
    SeriesDips, "SERIES-DIPS", Warning, "the rate falls at times and comes back";
    SeriesThrottled, "SERIES-THROTTLED", Warning, "the rate is flat, held by a limit";
    SeriesSaturated, "SERIES-SATURATED", Warning, "a counter says itself that a limit is reached";
    SeriesStep, "SERIES-STEP", Info, "the rate or the latency keeps one level, then another";
    SeriesRateDrift, "SERIES-RATE-DRIFT", Info, "the rate drifts over the log";
    SeriesLatencyDrift, "SERIES-LATENCY-DRIFT", Info, "the latency drifts over the log";
    SeriesWarmUp, "SERIES-WARM-UP", Info, "the beginning is unlike the rest";
    SeriesNotJudged, "SERIES-NOT-JUDGED", Info, "the log is too short to judge something";
    SeriesSteady, "SERIES-STEADY", Info, "a disk of which nothing is to be said";
    PeerSlow, "PEER-SLOW", Warning, "a disk that is slower than its peers";
    PeerErratic, "PEER-ERRATIC", Warning, "a disk that chokes where its peers do not";
    PeerBusier, "PEER-BUSIER", Info, "a disk that is slower because more is asked of it";
    PeerNotEnough, "PEER-NOT-ENOUGH", Info, "too few independent samples to compare peers by";
    PeerAlike, "PEER-ALIKE", Info, "a disk like its peers";
    OsCacheDefault, "OS-CACHE-DEFAULT", Info, "no caching was given for the OS disk: ReadWrite assumed";
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
#[error("unknown finding id '{input}'{}{}", crate::catalog::lookup::did_you_mean(.nearest), elsewhere(.input, .nearest))]
pub struct UnknownFinding {
    /// The id as given.
    pub input: String,
    /// The nearest known ones.
    pub nearest: Vec<String>,
}

/// Where to look instead: what shows the disk that `input` is, or all ids where none is near.
fn elsewhere(input: &str, nearest: &[String]) -> String {
    match input.parse::<crate::deployment::DiskSpec>() {
        Ok(spec) => format!(
            ": it is a disk; `diskcap skus show {}` shows it",
            spec.sku()
        ),
        Err(_) if nearest.is_empty() => "; `diskcap explain` lists them all".to_owned(),
        Err(_) => String::new(),
    }
}

/// The ids that begin with what was given; else those that are spelt nearly so.
fn nearest(input: &str) -> Vec<String> {
    let wanted = input.to_uppercase();
    let codes = || FindingId::ALL.iter().map(|id| id.code());
    let begun = codes().filter(|code| !wanted.is_empty() && code.starts_with(&wanted));
    let begun: Vec<String> = begun.map(str::to_owned).collect();
    if begun.is_empty() {
        crate::catalog::lookup::nearest(&wanted, codes())
    } else {
        begun
    }
}

impl FindingId {
    /// The id that is printed as `code`.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        let is_it = |id: &Self| id.code() == code;
        Self::ALL.iter().copied().find(is_it)
    }
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
                nearest: nearest(wanted),
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
        }
    }

    #[test]
    fn an_unknown_id_names_the_nearest() {
        let error = "VM-UNCACHED-IOP".parse::<FindingId>().unwrap_err();
        assert!(error.to_string().contains("VM-UNCACHED-IOPS"));
    }
}
