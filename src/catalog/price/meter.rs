//! The meters that a disk's bill is made of: what is priced, and in which unit.

use std::fmt;
use std::str::FromStr;

use crate::catalog::{Family, Redundancy};

/// A tier of a tiered family: the family and its number (`P30`, `E10`, `S40`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TierName {
    /// The family.
    pub family: Family,
    /// The number, which grows with the size of the tier.
    pub number: u16,
}

/// The text is not the name of a tier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a disk tier: write one such as P30, E10 or S40")]
pub struct NotATier(pub String);

impl FromStr for TierName {
    type Err = NotATier;

    fn from_str(input: &str) -> Result<Self, NotATier> {
        let letter = input
            .chars()
            .next()
            .map(|letter| letter.to_ascii_uppercase());
        let family = Family::ALL
            .into_iter()
            .find(|family| letter.is_some() && family.tier_prefix() == letter);
        let digits = input.get(1..).filter(|rest| {
            !rest.starts_with('0') && rest.bytes().all(|byte| byte.is_ascii_digit())
        });
        match (family, digits.and_then(|digits| digits.parse().ok())) {
            (Some(family), Some(number)) => Ok(Self { family, number }),
            _ => Err(NotATier(input.to_owned())),
        }
    }
}

impl fmt::Display for TierName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.family.tier_prefix().unwrap_or('?');
        f.pad(&format!("{letter}{}", self.number))
    }
}

/// What of a tiered disk is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TierPart {
    /// The disk itself, a month.
    Disk,
    /// The disk itself, a month, when reserved for a year.
    Reserved1Year,
    /// Each VM that a shared disk is mounted on, a month. Never the price of the disk.
    Mount,
    /// 10,000 billed transactions (Standard SSD and Standard HDD).
    Transactions,
}

/// What of a provisioned disk is priced, by the hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProvisionedPart {
    /// Each GiB.
    Capacity,
    /// Each provisioned IOPS (Premium SSD v2: above those that are free).
    Iops,
    /// Each provisioned MB/s (Premium SSD v2: above those that are free).
    Mbps,
    /// Each vCPU of a VM that may use Ultra disks and has none attached.
    VcpuReservation,
}

/// What of on-demand bursting is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BurstPart {
    /// That it is enabled, a month.
    Enablement,
    /// 10,000 burst transactions.
    Transactions,
}

/// A meter of the price list that belongs to disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiskMeter {
    /// Of a tier.
    Tier {
        /// The tier.
        tier: TierName,
        /// The redundancy.
        redundancy: Redundancy,
        /// What of it.
        part: TierPart,
    },
    /// Of Premium SSD v2 or Ultra.
    Provisioned {
        /// The family.
        family: Family,
        /// The redundancy.
        redundancy: Redundancy,
        /// What of it.
        part: ProvisionedPart,
    },
    /// Of on-demand bursting of Premium SSD.
    Burst {
        /// The redundancy.
        redundancy: Redundancy,
        /// What of it.
        part: BurstPart,
    },
}

/// The unit that a price is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PriceUnit {
    /// A VM for an hour.
    Hour,
    /// A disk, a mount or an enablement for a month.
    Month,
    /// A GiB for an hour.
    GibHour,
    /// One provisioned IOPS for an hour.
    IopsHour,
    /// One provisioned MB/s for an hour.
    MbpsHour,
    /// A vCPU for an hour.
    VcpuHour,
    /// 10,000 transactions.
    TenThousand,
}

impl PriceUnit {
    /// Whether it is billed for every hour of a month.
    #[must_use]
    pub const fn is_by_the_hour(self) -> bool {
        match self {
            Self::Hour | Self::GibHour | Self::IopsHour | Self::MbpsHour | Self::VcpuHour => true,
            Self::Month | Self::TenThousand => false,
        }
    }

    /// The unit in words, as the price files spell it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Month => "month",
            Self::GibHour => "GiB-hour",
            Self::IopsHour => "IOPS-hour",
            Self::MbpsHour => "MB/s-hour",
            Self::VcpuHour => "vCPU-hour",
            Self::TenThousand => "10k",
        }
    }
}

impl DiskMeter {
    /// The disk meter of a tier: the month's price of the disk.
    #[must_use]
    pub const fn tier(tier: TierName, redundancy: Redundancy) -> Self {
        Self::Tier {
            tier,
            redundancy,
            part: TierPart::Disk,
        }
    }

    /// The family that the meter bills.
    #[must_use]
    pub const fn family(&self) -> Family {
        match self {
            Self::Tier { tier, .. } => tier.family,
            Self::Provisioned { family, .. } => *family,
            Self::Burst { .. } => Family::PremiumSsd,
        }
    }

    /// The redundancy that the meter bills.
    #[must_use]
    pub const fn redundancy(&self) -> Redundancy {
        match self {
            Self::Tier { redundancy, .. }
            | Self::Provisioned { redundancy, .. }
            | Self::Burst { redundancy, .. } => *redundancy,
        }
    }

    /// The unit that its price is for.
    #[must_use]
    pub const fn unit(&self) -> PriceUnit {
        match self {
            Self::Tier { part, .. } => match part {
                TierPart::Disk | TierPart::Reserved1Year | TierPart::Mount => PriceUnit::Month,
                TierPart::Transactions => PriceUnit::TenThousand,
            },
            Self::Provisioned { part, .. } => match part {
                ProvisionedPart::Capacity => PriceUnit::GibHour,
                ProvisionedPart::Iops => PriceUnit::IopsHour,
                ProvisionedPart::Mbps => PriceUnit::MbpsHour,
                ProvisionedPart::VcpuReservation => PriceUnit::VcpuHour,
            },
            Self::Burst { part, .. } => match part {
                BurstPart::Enablement => PriceUnit::Month,
                BurstPart::Transactions => PriceUnit::TenThousand,
            },
        }
    }

    /// The name within family and redundancy, as the price files spell it (`P30`, `E10 transactions`, `iops`).
    #[must_use]
    pub fn item(&self) -> String {
        match self {
            Self::Tier { tier, part, .. } => match part {
                TierPart::Disk => tier.to_string(),
                TierPart::Reserved1Year => format!("{tier} reserved-1y"),
                TierPart::Mount => format!("{tier} mount"),
                TierPart::Transactions => format!("{tier} transactions"),
            },
            Self::Provisioned { part, .. } => match part {
                ProvisionedPart::Capacity => "capacity",
                ProvisionedPart::Iops => "iops",
                ProvisionedPart::Mbps => "mbps",
                ProvisionedPart::VcpuReservation => "vcpu",
            }
            .to_owned(),
            Self::Burst { part, .. } => match part {
                BurstPart::Enablement => "burst enablement",
                BurstPart::Transactions => "burst transactions",
            }
            .to_owned(),
        }
    }

    /// The meter of that name in the price files; the inverse of [`DiskMeter::item`]. `None` where there is none.
    #[must_use]
    pub fn from_item(family: Family, redundancy: Redundancy, item: &str) -> Option<Self> {
        let provisioned = |part| {
            matches!(family, Family::PremiumSsdV2 | Family::Ultra).then_some(Self::Provisioned {
                family,
                redundancy,
                part,
            })
        };
        let burst =
            |part| (family == Family::PremiumSsd).then_some(Self::Burst { redundancy, part });
        match item {
            "capacity" => provisioned(ProvisionedPart::Capacity),
            "iops" => provisioned(ProvisionedPart::Iops),
            "mbps" => provisioned(ProvisionedPart::Mbps),
            "vcpu" => provisioned(ProvisionedPart::VcpuReservation),
            "burst enablement" => burst(BurstPart::Enablement),
            "burst transactions" => burst(BurstPart::Transactions),
            _ => {
                let (name, part) = match item.split_once(' ') {
                    None => (item, TierPart::Disk),
                    Some((name, "reserved-1y")) => (name, TierPart::Reserved1Year),
                    Some((name, "mount")) => (name, TierPart::Mount),
                    Some((name, "transactions")) => (name, TierPart::Transactions),
                    Some(_) => return None,
                };
                let tier: TierName = name.parse().ok()?;
                (tier.family == family).then_some(Self::Tier {
                    tier,
                    redundancy,
                    part,
                })
            }
        }
    }

    /// A key that sorts meters as people list them: by family, tier number, part, redundancy.
    #[must_use]
    pub(crate) fn order(&self) -> (Family, u16, u8, bool) {
        let (number, part) = match self {
            Self::Tier { tier, part, .. } => (tier.number, *part as u8),
            Self::Provisioned { part, .. } => (0, *part as u8),
            Self::Burst { part, .. } => (u16::MAX, *part as u8),
        };
        let zrs = matches!(self.redundancy(), Redundancy::Zrs);
        (self.family(), number, part, zrs)
    }
}

impl fmt::Display for DiskMeter {
    /// `P30 LRS disk`, `P30 LRS mount`, `Premium SSD v2 LRS IOPS`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let redundancy = self.redundancy();
        match self {
            Self::Tier { tier, part, .. } => {
                let part = match part {
                    TierPart::Disk => "disk",
                    TierPart::Reserved1Year => "disk reserved for a year",
                    TierPart::Mount => "mount",
                    TierPart::Transactions => "transactions",
                };
                write!(f, "{tier} {redundancy} {part}")
            }
            Self::Provisioned { family, part, .. } => {
                let part = match part {
                    ProvisionedPart::Capacity => "capacity",
                    ProvisionedPart::Iops => "IOPS",
                    ProvisionedPart::Mbps => "MB/s",
                    ProvisionedPart::VcpuReservation => "vCPU reservation",
                };
                write!(f, "{} {redundancy} {part}", family)
            }
            Self::Burst { part, .. } => {
                let part = match part {
                    BurstPart::Enablement => "enablement",
                    BurstPart::Transactions => "transactions",
                };
                write!(f, "Premium SSD {redundancy} on-demand burst {part}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_parse_by_letter_and_number() {
        let p30: TierName = "p30".parse().unwrap();
        assert_eq!((p30.family, p30.number), (Family::PremiumSsd, 30));
        assert_eq!(p30.to_string(), "P30");
        for wrong in ["", "P", "P0", "P03", "X10", "P1x", "30", "Ü1", "P99999"] {
            assert_eq!(wrong.parse::<TierName>(), Err(NotATier(wrong.to_owned())));
        }
    }

    #[test]
    fn file_names_of_meters_round_trip() {
        let tier = "E10".parse().unwrap();
        let meters = [
            TierPart::Disk,
            TierPart::Reserved1Year,
            TierPart::Mount,
            TierPart::Transactions,
        ]
        .map(|part| DiskMeter::Tier {
            tier,
            redundancy: Redundancy::Zrs,
            part,
        });
        for meter in meters {
            let back = DiskMeter::from_item(Family::StandardSsd, Redundancy::Zrs, &meter.item());
            assert_eq!(back, Some(meter));
        }
        let enablement = DiskMeter::Burst {
            redundancy: Redundancy::Lrs,
            part: BurstPart::Enablement,
        };
        assert_eq!(
            DiskMeter::from_item(Family::PremiumSsd, Redundancy::Lrs, "burst enablement"),
            Some(enablement)
        );
    }

    #[test]
    fn meters_of_another_family_are_refused() {
        let lrs = Redundancy::Lrs;
        assert_eq!(DiskMeter::from_item(Family::PremiumSsd, lrs, "E10"), None);
        assert_eq!(DiskMeter::from_item(Family::PremiumSsd, lrs, "iops"), None);
        assert_eq!(
            DiskMeter::from_item(Family::Ultra, lrs, "burst enablement"),
            None
        );
        assert_eq!(
            DiskMeter::from_item(Family::PremiumSsd, lrs, "P10 Disk"),
            None
        );
    }
}
