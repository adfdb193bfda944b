//! What findings usually weigh, whatever the deployment.

use super::{FindingId, Severity};

impl FindingId {
    /// What a finding of this id usually weighs; a single one may weigh more or less, as it says itself.
    #[must_use]
    pub const fn usual_severity(self) -> Severity {
        match self {
            Self::V2Range
            | Self::UltraRange
            | Self::DiskRange
            | Self::PerformanceTier
            | Self::FeatureNotOffered
            | Self::V2Caching
            | Self::UltraCaching
            | Self::LargeDiskCaching
            | Self::SharedDiskCaching
            | Self::PremiumUnsupported
            | Self::TooManyDisks
            | Self::OsDiskKind
            | Self::OsDisks
            | Self::StripeMixed => Severity::Error,
            Self::NeighbourBurst
            | Self::PaidBurst
            | Self::BlockSizeMbps
            | Self::LargeIo
            | Self::OnDemandBurst
            | Self::SharedDisk
            | Self::TierBySize
            | Self::InterfaceCaps
            | Self::LocalData
            | Self::AboveLimits
            | Self::InconsistentResult
            | Self::PageFilePlace
            | Self::VmDeallocated
            | Self::NoTempDisk
            | Self::SeriesRateDrift
            | Self::SeriesLatencyDrift
            | Self::SeriesWarmUp
            | Self::SeriesNotJudged
            | Self::SeriesSteady
            | Self::PeerBusier
            | Self::PeerNotEnough
            | Self::PeerAlike
            | Self::OsCacheDefault => Severity::Info,
            _ => Severity::Warning,
        }
    }
}
