//! A market with made-up prices that are easy to reckon with.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

use diskcap::catalog::price::{
    BookInfo, Currency, DiskMeter, PriceBook, PriceSource, ProvisionedPart, Region, TierName,
    TierPart, VmOffer,
};
use diskcap::catalog::{Catalog, Family, Redundancy, VmSize};
use diskcap::recommend::{Market, Need};

pub fn info() -> BookInfo {
    BookInfo {
        region: Region::new("eastus"),
        currency: Currency::USD,
        vm_prices_of: None,
        disk_prices_of: None,
        source: PriceSource::Embedded,
    }
}

/// Premium SSD: a price a month for each tier, half as much again for ZRS.
const PREMIUM: [(&str, f64); 14] = [
    ("P1", 1.0),
    ("P2", 2.0),
    ("P3", 3.0),
    ("P4", 6.0),
    ("P6", 11.0),
    ("P10", 20.0),
    ("P15", 40.0),
    ("P20", 80.0),
    ("P30", 140.0),
    ("P40", 270.0),
    ("P50", 500.0),
    ("P60", 900.0),
    ("P70", 1700.0),
    ("P80", 3400.0),
];

/// Standard SSD: a price a month for each tier; 10,000 transactions are 0.002.
const STANDARD: [(&str, f64); 6] = [
    ("E4", 2.0),
    ("E6", 5.0),
    ("E10", 9.0),
    ("E15", 18.0),
    ("E20", 36.0),
    ("E30", 72.0),
];

/// VMs cost 0.05 an hour for each vCPU; Premium SSD v2 0.0001 a GiB and hour, 0.00001 an IOPS and hour, 0.0001 a MB/s and
/// hour; Ultra twice and five times as much.
pub fn book() -> PriceBook {
    book_for(Catalog::embedded())
}

/// The same prices for the sizes of another catalogue.
pub fn book_for(catalog: &Catalog) -> PriceBook {
    book_where(catalog, |_| true)
}

/// The same prices for some of the sizes of a catalogue; the others have none.
pub fn book_where(catalog: &Catalog, is_priced: impl Fn(&VmSize) -> bool) -> PriceBook {
    let mut book = PriceBook::new(info());
    for vm in catalog.vms().iter().filter(|vm| is_priced(vm)) {
        book.set_vm(&vm.name, VmOffer::Linux, 0.05 * f64::from(vm.vcpus));
    }
    for (tier, price) in PREMIUM {
        let tier: TierName = tier.parse().unwrap();
        book.set_disk(DiskMeter::tier(tier, Redundancy::Lrs), price);
        book.set_disk(DiskMeter::tier(tier, Redundancy::Zrs), price * 1.5);
    }
    for (tier, price) in STANDARD {
        let (tier, redundancy): (TierName, _) = (tier.parse().unwrap(), Redundancy::Lrs);
        book.set_disk(DiskMeter::tier(tier, redundancy), price);
        let part = TierPart::Transactions;
        book.set_disk(
            DiskMeter::Tier {
                tier,
                redundancy,
                part,
            },
            0.002,
        );
    }
    for (family, capacity, iops, mbps) in [
        (Family::PremiumSsdV2, 1e-4, 1e-5, 1e-4),
        (Family::Ultra, 2e-4, 5e-5, 5e-4),
    ] {
        for (part, price) in [
            (ProvisionedPart::Capacity, capacity),
            (ProvisionedPart::Iops, iops),
            (ProvisionedPart::Mbps, mbps),
        ] {
            let redundancy = Redundancy::Lrs;
            book.set_disk(
                DiskMeter::Provisioned {
                    family,
                    redundancy,
                    part,
                },
                price,
            );
        }
    }
    book
}

pub fn market(book: &PriceBook) -> Market<'_> {
    Market {
        catalog: Catalog::embedded(),
        book,
        offer: VmOffer::Linux,
    }
}

/// A need of volumes in short.
pub fn need(volumes: &[&str]) -> Need {
    Need::new(volumes.iter().map(|v| v.parse().unwrap()).collect())
}

/// The same need on sizes of one series.
pub fn of_series(mut need: Need, series: &str) -> Need {
    need.size.series = vec![series.to_owned()];
    need
}
