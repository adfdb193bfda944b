//! The families of disks: their names, and what each of them has at all.

use std::fmt;

use super::azure::provisioned::ProvisionedRules;
use super::azure::{ACCOUNTING_UNIT, premium_v2, ultra};
use super::disk::{Family, Lane, Redundancy};
use crate::units::BlockSize;

/// ARM's name of each family and redundancy (`sku.name` of a disk).
const ARM_SKUS: [(&str, Family, Redundancy); 7] = [
    ("Premium_LRS", Family::PremiumSsd, Redundancy::Lrs),
    ("Premium_ZRS", Family::PremiumSsd, Redundancy::Zrs),
    ("StandardSSD_LRS", Family::StandardSsd, Redundancy::Lrs),
    ("StandardSSD_ZRS", Family::StandardSsd, Redundancy::Zrs),
    ("Standard_LRS", Family::StandardHdd, Redundancy::Lrs),
    ("PremiumV2_LRS", Family::PremiumSsdV2, Redundancy::Lrs),
    ("UltraSSD_LRS", Family::Ultra, Redundancy::Lrs),
];

impl Family {
    /// Every family.
    pub const ALL: [Self; 8] = [
        Self::PremiumSsd,
        Self::StandardSsd,
        Self::StandardHdd,
        Self::PremiumSsdV2,
        Self::Ultra,
        Self::Temp,
        Self::LocalNvme,
        Self::Custom,
    ];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PremiumSsd => "Premium SSD",
            Self::StandardSsd => "Standard SSD",
            Self::StandardHdd => "Standard HDD",
            Self::PremiumSsdV2 => "Premium SSD v2",
            Self::Ultra => "Ultra Disk",
            Self::Temp => "temp disk",
            Self::LocalNvme => "local NVMe",
            Self::Custom => "custom volume",
        }
    }

    /// The name in files (`premium-ssd-v2`), as serde writes it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::PremiumSsd => "premium-ssd",
            Self::StandardSsd => "standard-ssd",
            Self::StandardHdd => "standard-hdd",
            Self::PremiumSsdV2 => "premium-ssd-v2",
            Self::Ultra => "ultra",
            Self::Temp => "temp",
            Self::LocalNvme => "local-nvme",
            Self::Custom => "custom",
        }
    }

    /// The family with this [`id`](Self::id).
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.id() == id)
    }

    /// ARM's name (`sku.name`) of this family with this redundancy; `None` where there is no such disk.
    #[must_use]
    pub fn arm_sku(self, redundancy: Redundancy) -> Option<&'static str> {
        ARM_SKUS
            .iter()
            .find(|(_, family, copies)| (*family, *copies) == (self, redundancy))
            .map(|(name, ..)| *name)
    }

    /// The family and redundancy behind ARM's name of a disk SKU, without regard to case.
    #[must_use]
    pub fn from_arm_sku(name: &str) -> Option<(Self, Redundancy)> {
        ARM_SKUS
            .iter()
            .find(|(sku, ..)| sku.eq_ignore_ascii_case(name.trim()))
            .map(|&(_, family, redundancy)| (family, redundancy))
    }

    /// ARM's names of all disk SKUs.
    pub fn arm_skus() -> impl Iterator<Item = &'static str> {
        ARM_SKUS.iter().map(|(name, ..)| *name)
    }

    /// The letter that the names of its tiers start with; `None` for families without tiers.
    #[must_use]
    pub const fn tier_prefix(self) -> Option<char> {
        match self {
            Self::PremiumSsd => Some('P'),
            Self::StandardSsd => Some('E'),
            Self::StandardHdd => Some('S'),
            _ => None,
        }
    }

    /// Whether the size decides the limits by tiers.
    #[must_use]
    pub const fn is_tiered(self) -> bool {
        self.tier_prefix().is_some()
    }

    /// Whether it is a managed disk, which is provisioned by itself: no local disk of a size, no volume of one's own.
    #[must_use]
    pub const fn is_managed(self) -> bool {
        self.is_tiered() || self.provisioned_rules().is_some()
    }

    /// The slower families that a disk can be changed to in place, the nearest first ("Change the disk type of an Azure
    /// managed disk").
    #[must_use]
    pub const fn slower(self) -> &'static [Self] {
        match self {
            Self::PremiumSsd => &[Self::StandardSsd, Self::StandardHdd],
            Self::StandardSsd => &[Self::StandardHdd],
            _ => &[],
        }
    }

    /// Whether it can hold an operating system: the tiered families and custom volumes
    /// (disk types page, 2026-08-11; Standard HDD only until 2028-09-08).
    #[must_use]
    pub const fn can_be_os_disk(self) -> bool {
        self.is_tiered() || matches!(self, Self::Custom)
    }

    /// Whether it is no bad choice for an OS disk: Standard HDD is one, as `OS-DISK-HDD` says.
    #[must_use]
    pub const fn suits_os_disk(self) -> bool {
        self.can_be_os_disk() && !matches!(self, Self::StandardHdd)
    }

    /// Whether it needs a VM size with premium storage.
    #[must_use]
    pub const fn needs_premium_storage(self) -> bool {
        matches!(self, Self::PremiumSsd | Self::PremiumSsdV2 | Self::Ultra)
    }

    /// Whether the disk is part of the host rather than attached over the network.
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Temp | Self::LocalNvme)
    }

    /// Whether each I/O is billed ("Understand Azure Disk Storage billing", 2026-09-16).
    #[must_use]
    pub const fn bills_transactions(self) -> bool {
        matches!(self, Self::StandardSsd | Self::StandardHdd)
    }

    /// Which VM ceilings its traffic counts against.
    #[must_use]
    pub const fn lane(self) -> Lane {
        match self {
            Self::PremiumSsdV2 | Self::Ultra => Lane::RemoteFast,
            Self::Temp => Lane::Temp,
            Self::LocalNvme => Lane::LocalNvme,
            _ => Lane::Remote,
        }
    }

    /// The size above which one I/O counts as several against the IOPS limit: 256 KiB for Premium SSD and
    /// Standard SSD, none for the others.
    #[must_use]
    pub const fn accounting_unit(self) -> Option<BlockSize> {
        match self {
            Self::PremiumSsd | Self::StandardSsd => Some(ACCOUNTING_UNIT),
            _ => None,
        }
    }

    /// The rules of a family whose IOPS and MB/s are provisioned apart from its size.
    #[must_use]
    pub const fn provisioned_rules(self) -> Option<&'static ProvisionedRules> {
        match self {
            Self::PremiumSsdV2 => Some(&premium_v2::RULES),
            Self::Ultra => Some(&ultra::RULES),
            _ => None,
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Redundancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Lrs => "LRS",
            Self::Zrs => "ZRS",
        })
    }
}
