//! What to do about a finding, whatever its numbers, and which others are looked at with it. A finding whose fix needs no
//! numbers says the same words.

use super::FindingId as Id;

impl Id {
    /// What to do about it; `None` where it only says something worth knowing, or its own fix says all.
    #[must_use]
    pub const fn remedy(self) -> Option<&'static str> {
        Some(match self {
            Self::V2Range | Self::UltraRange | Self::DiskRange => {
                "ask for a value within the range: the fix names the nearest"
            }
            Self::PerformanceTier => {
                "leave tier= out, or set one from the tier of the size to the highest that the finding names"
            }
            Self::FeatureNotOffered => "leave it out, or take a disk that has it",
            Self::V2Caching
            | Self::UltraCaching
            | Self::LargeDiskCaching
            | Self::SharedDiskCaching
            | Self::SizeCaching => "set cache=none",
            Self::PremiumUnsupported => {
                "take the twin of the size that the fix names, or a kind of disk that this size takes"
            }
            Self::TooManyDisks => {
                "take a size with room for the disks: the fix names the smallest, with prices the cheapest"
            }
            Self::OsDisks => "mark one single disk as the OS disk",
            Self::StripeMixed => "stripe local disks only with local ones",
            Self::StripeUnequal => "make the members alike in kind, size and settings",
            Self::StripeCaching => "give every member the same caching",
            Self::RegionNotOffered => "choose another kind of disk, or another region",
            Self::DemandUnmet => {
                "take the disk that the fix names, or lift the ceiling of the VM that stops the volume"
            }
            Self::VmUncachedIops
            | Self::VmUncachedMbps
            | Self::VmRemoteIops
            | Self::VmRemoteMbps
            | Self::VmCachedIops
            | Self::VmCachedMbps => {
                "take a size that lifts the cap: the fix names the smallest of the series, with prices the cheapest; or \
                 provision no more than the cap lets through"
            }
            Self::CacheLowersThroughput | Self::CacheLowersIops => {
                "set cache=none, unless latency of cached reads matters more"
            }
            Self::RwCacheData => {
                "use ReadOnly for read-heavy data, None for logs and write-heavy data"
            }
            Self::HitShareUnused => {
                "set cache=ro where a disk can be cached and reads repeat, or leave the hits out"
            }
            Self::BurstOnly | Self::VmBurstOnly => {
                "plan with the last figures, or take a disk or size that does as much without credit"
            }
            Self::OnDemandBurst => {
                "let `diskcap simulate` count what a workload over time is billed, beside the tier that does as much"
            }
            Self::OsCacheDefault => "write cache= of the OS disk where it is set otherwise",
            Self::ControllerUnknown => {
                "look it up where the size is listed; the figures are those of the size, whatever the controller"
            }
            Self::CacheBurst => {
                "plan with the last figures: they are what the disk and the VM take from the cache"
            }
            Self::NeighbourBurst => {
                "plan with the lower figure, or lift the ceiling that the volumes share"
            }
            Self::Throttled | Self::CreditEmpty | Self::CreditLow | Self::BacklogLeft => {
                "take the disk and the size that never throttle the workload, which `diskcap simulate` names; or spread the load"
            }
            Self::QueueDepth => {
                "keep more I/Os outstanding (more jobs, threads or asynchronous I/O), or use a disk with a lower latency"
            }
            Self::LatencyUnknown => {
                "measure one I/O at a time and give the disk the result as latency=, or leave the queue depth out where as \
                 many I/Os are outstanding as it takes"
            }
            Self::BlockSizeMbps => {
                "read and write smaller blocks where IOPS matter, or provision more MB/s"
            }
            Self::LargeIo => {
                "use I/Os as large as are counted once, or a multiple of that; where they are, provision more IOPS"
            }
            Self::SharedDisk => {
                "plan with what the other VMs leave of it, a disk of that many IOPS and MB/s, or provision what all of them \
                 ask together"
            }
            Self::Unusable => {
                "provision less, or take a larger size; volumes that are never busy at once may be meant so"
            }
            Self::TierBySize => {
                "name the tier alone for a full disk of it, or the size with its own tier: the fix names both"
            }
            Self::RetiringSize => "plan for a size of a newer generation",
            Self::UnknownCap => {
                "measure it, and judge the result with `diskcap bench`, or look it up"
            }
            Self::InterfaceCaps => {
                "compute with the controller that the VM has: --interface scsi or nvme"
            }
            Self::LocalData => "keep only what can be made again: page file, tempdb, scratch",
            _ => return None,
        })
    }

    /// The findings that are about the same thing, in order of weight.
    pub fn related(self) -> impl Iterator<Item = Self> {
        let with_it = move |id: &Self| {
            let mut groups = TOGETHER.iter();
            *id != self && groups.any(|group| group.contains(id) && group.contains(&self))
        };
        Self::ALL.iter().copied().filter(with_it)
    }
}

/// Findings that are looked at together.
const TOGETHER: &[&[Id]] = &[
    &[
        Id::V2Range,
        Id::UltraRange,
        Id::DiskRange,
        Id::PerformanceTier,
        Id::FeatureNotOffered,
    ],
    &[
        Id::V2Caching,
        Id::UltraCaching,
        Id::LargeDiskCaching,
        Id::SharedDiskCaching,
        Id::SizeCaching,
    ],
    &[
        Id::PremiumUnsupported,
        Id::UltraUnlisted,
        Id::TooManyDisks,
        Id::RegionNotOffered,
        Id::ZoneNotOffered,
        Id::SizeNotOffered,
    ],
    &[
        Id::OsDiskKind,
        Id::OsDisks,
        Id::OsDiskHdd,
        Id::OsCacheDefault,
    ],
    &[
        Id::StripeMixed,
        Id::StripeUnequal,
        Id::StripeCaching,
        Id::StripeZones,
    ],
    &[
        Id::VmUncachedIops,
        Id::VmUncachedMbps,
        Id::VmRemoteIops,
        Id::VmRemoteMbps,
        Id::DemandUnmet,
        Id::Unusable,
    ],
    &[
        Id::VmCachedIops,
        Id::VmCachedMbps,
        Id::CacheLowersThroughput,
        Id::CacheLowersIops,
    ],
    &[
        Id::CacheLowersThroughput,
        Id::CacheLowersIops,
        Id::RwCacheData,
        Id::WriteHeavyCache,
        Id::HitShareUnused,
        Id::CacheBurst,
    ],
    &[
        Id::BurstOnly,
        Id::VmBurstOnly,
        Id::NeighbourBurst,
        Id::CreditEmpty,
    ],
    &[
        Id::Throttled,
        Id::CreditEmpty,
        Id::CreditLow,
        Id::BacklogLeft,
    ],
    &[
        Id::ThrottledVmCached,
        Id::ThrottledVmUncached,
        Id::ThrottledDisk,
        Id::BurstCreditLow,
    ],
    &[Id::OnDemandBurst, Id::OnDemandBurstUnused, Id::PaidBurst],
    &[
        Id::Unusable,
        Id::PaidUnused,
        Id::TierRaised,
        Id::OnDemandBurstUnused,
    ],
    &[Id::QueueDepth, Id::BlockSizeMbps, Id::LargeIo],
    &[Id::QueueDepth, Id::SlowLatency, Id::PageFilePlace],
    &[Id::QueueDepth, Id::LatencyUnknown, Id::SlowLatency],
    &[Id::LatencyUnknown, Id::UnknownCap],
    &[
        Id::UnknownCap,
        Id::InterfaceCaps,
        Id::ControllerUnknown,
        Id::Controller,
    ],
    &[Id::LocalData, Id::NoTempDisk, Id::PageFilePlace],
    &[
        Id::BelowPrediction,
        Id::AboveLimits,
        Id::SlowLatency,
        Id::InconsistentResult,
    ],
    &[
        Id::UnknownSize,
        Id::UnknownDiskSku,
        Id::DisksUnknown,
        Id::ImplausibleValue,
        Id::DeployedLimits,
    ],
    &[
        Id::DiskUnattached,
        Id::VmStopped,
        Id::VmDeallocated,
        Id::UltraReservation,
    ],
    &[Id::UltraReservation, Id::UltraNotEnabled, Id::UltraUnlisted],
    &[Id::ZoneMismatch, Id::ZoneNotOffered, Id::StripeZones],
    &[Id::SizeNotOffered, Id::VmDeallocated, Id::VmStopped],
    &[Id::SeriesStalls, Id::SeriesFence, Id::SeriesDips],
    &[Id::SeriesThrottled, Id::SeriesSaturated, Id::ThrottledDisk],
    &[
        Id::SeriesStep,
        Id::SeriesRateDrift,
        Id::SeriesLatencyDrift,
        Id::SeriesWarmUp,
        Id::SeriesNotJudged,
        Id::SeriesSteady,
    ],
    &[
        Id::PeerSlow,
        Id::PeerErratic,
        Id::PeerBusier,
        Id::PeerNotEnough,
        Id::PeerAlike,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_related_is_so_both_ways() {
        let related = |id: Id| id.related().collect::<Vec<_>>();
        assert_eq!(
            related(Id::QueueDepth),
            [
                Id::LatencyUnknown,
                Id::BlockSizeMbps,
                Id::LargeIo,
                Id::SlowLatency,
                Id::PageFilePlace
            ]
        );
        for id in Id::ALL {
            let others = related(*id);
            assert!(
                others.iter().all(|other| related(*other).contains(id)),
                "{id}"
            );
        }
        assert!(related(Id::RetiringSize).is_empty());
    }

    #[test]
    fn remedies_are_one_sentence_part() {
        for remedy in Id::ALL.iter().filter_map(|id| id.remedy()) {
            assert!(!remedy.ends_with('.') && !remedy.contains("  "), "{remedy}");
        }
    }
}
