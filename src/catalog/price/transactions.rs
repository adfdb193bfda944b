//! Counting billed transactions.

use super::meter::TierName;
use crate::catalog::Family;
use crate::catalog::azure::ACCOUNTING_UNIT;
use crate::units::{BlockSize, Iops, MBps};

/// An I/O to a Standard SSD, or a burst I/O to a Premium SSD, counts as one billed transaction for each 256 KiB begun:
/// the unit that counts against their IOPS. Source: "Understand Azure Disk Storage billing", 2026-09-16.
pub const SSD_TRANSACTION: BlockSize = ACCOUNTING_UNIT;
/// An I/O to a Standard HDD counts as one billed transaction for each 16 KiB begun.
/// Source: "Understand Azure Disk Storage billing", 2026-09-16. (Until 2025 that held for S4, S6, S70 and S80 only, and
/// not in every region.)
pub const HDD_TRANSACTION: BlockSize = BlockSize::kib(16);
/// The most transactions that one I/O to an S70 or S80 is billed as.
/// Source: "Understanding the Standard HDD I/O unit size update", Azure Storage blog, 2026-03-10.
pub const LARGE_HDD_UNITS_PER_IO: u64 = 16;
/// Burst transactions in each MB/s above the provisioned throughput, a second: the published bills count 1,024 KB to a
/// MB and 256 KB to a transaction. Source: "Managed disk bursting", billing.
pub const BURST_TRANSACTIONS_PER_MB: f64 = 1024.0 / 256.0;

/// The billed transactions of each hour at most, by tier. Beyond it the hour costs no more.
/// Source: "Understanding the Standard HDD I/O unit size update", Azure Storage blog, 2026-03-10. Standard SSD and the
/// other Standard HDD tiers have such a cap too; its figures are not known here.
const HOURLY_CAPS: [(Family, u16, f64); 4] = [
    (Family::StandardHdd, 4, 450_000.0),
    (Family::StandardHdd, 6, 858_000.0),
    (Family::StandardHdd, 70, 93_000_000.0),
    (Family::StandardHdd, 80, 110_000_000.0),
];

/// A load of billed transactions: so many in each of so many hours of the month.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transactions {
    /// Transactions an hour, counted with [`transactions_per_io`].
    pub per_hour: f64,
    /// Hours a month in which they are made.
    pub hours: f64,
}

/// How many billed transactions one I/O of `block` bytes is on a disk of `tier`. Premium SSD bills none, but counts
/// its burst transactions in the same unit as Standard SSD.
#[must_use]
pub fn transactions_per_io(tier: TierName, block: BlockSize) -> u64 {
    match tier.family {
        Family::StandardHdd => {
            let units = block.units_of(HDD_TRANSACTION);
            if tier.number >= 70 {
                units.min(LARGE_HDD_UNITS_PER_IO)
            } else {
                units
            }
        }
        _ => block.units_of(SSD_TRANSACTION),
    }
}

/// The billed transactions of an hour beyond which it costs no more; `None` where it is not known.
#[must_use]
pub fn hourly_cap(tier: TierName) -> Option<f64> {
    HOURLY_CAPS
        .iter()
        .find(|(family, number, _)| (*family, *number) == (tier.family, tier.number))
        .map(|(_, _, cap)| *cap)
}

/// The transactions that a month's load is billed as: each hour up to its cap, where the tier has a known one.
#[must_use]
pub fn billed_transactions(tier: TierName, load: Transactions) -> f64 {
    let per_hour = hourly_cap(tier).map_or(load.per_hour, |cap| load.per_hour.min(cap));
    per_hour * load.hours
}

/// The burst transactions a second of a disk with on-demand bursting: the I/Os above its provisioned IOPS, or the
/// 256 KB above its provisioned MB/s, whichever is more.
#[must_use]
pub fn burst_transactions_per_s(used: (Iops, MBps), provisioned: (Iops, MBps)) -> f64 {
    let ios = used.0.get() - provisioned.0.get();
    let chunks = (used.1.get() - provisioned.1.get()) * BURST_TRANSACTIONS_PER_MB;
    ios.max(chunks).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tier(name: &str) -> TierName {
        name.parse().unwrap()
    }

    #[test]
    fn an_io_counts_by_the_unit_of_its_family() {
        // "a 1,100 KB I/O is counted as five I/O units" of 256 KB (the documentation's example)
        assert_eq!(transactions_per_io(tier("E10"), BlockSize::kib(1100)), 5);
        assert_eq!(transactions_per_io(tier("E10"), BlockSize::kib(256)), 1);
        // 64 KiB on an S4 is 4, 4 KiB is 1 (the blog's examples)
        assert_eq!(transactions_per_io(tier("S4"), BlockSize::kib(64)), 4);
        assert_eq!(transactions_per_io(tier("S4"), BlockSize::kib(4)), 1);
        // 1 MiB is 64 units of 16 KiB: all on S60, 16 at most on S70 and S80
        assert_eq!(transactions_per_io(tier("S60"), BlockSize::MIB_1), 64);
        assert_eq!(transactions_per_io(tier("S70"), BlockSize::MIB_1), 16);
        assert_eq!(transactions_per_io(tier("S80"), BlockSize::kib(64)), 4);
    }

    #[test]
    fn an_hour_costs_up_to_its_cap() {
        let load = Transactions {
            per_hour: 500_000.0,
            hours: 730.0,
        };
        // 450,000 x 730
        assert_eq!(billed_transactions(tier("S4"), load), 328_500_000.0);
        // 500,000 x 730: below the cap of 858,000
        assert_eq!(billed_transactions(tier("S6"), load), 365_000_000.0);
        // no known cap
        assert_eq!(billed_transactions(tier("E4"), load), 365_000_000.0);
    }

    #[test]
    fn burst_transactions_follow_the_published_examples() {
        let p30 = (Iops::whole(5000), MBps::whole(200));
        let burst = |iops, mbps, seconds: f64| {
            burst_transactions_per_s((Iops::whole(iops), MBps::whole(mbps)), p30) * seconds
        };
        // (6,000 - 5,000) x 10 + (7,000 - 5,000) x 60 = 130,000
        assert_eq!(burst(6000, 0, 10.0) + burst(7000, 0, 60.0), 130_000.0);
        // max(10,000 - 5,000, (300 - 200) x 1,024 / 256) x 5 = 25,000
        assert_eq!(burst(10_000, 300, 5.0), 25_000.0);
        // max(6,000 - 5,000, (600 - 200) x 1,024 / 256) x 5 = 8,000
        assert_eq!(burst(6000, 600, 5.0), 8_000.0);
        assert_eq!(burst(4000, 100, 5.0), 0.0);
    }
}
