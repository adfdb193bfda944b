//! What is told of an answer: its retirement, its architecture, and prices that are missing.

use diskcap::catalog::Family;
use diskcap::catalog::price::{DiskMeter, ProvisionedPart};
use diskcap::catalog::price::{PriceBook, TierName, TierPart, VmOffer};
use diskcap::catalog::{Catalog, Interface, Redundancy};
use diskcap::recommend::frontier::frontier;
use diskcap::recommend::model::Recommendations;
use diskcap::recommend::{Hold, Market, Need, VolumeNeed, recommend};
use diskcap::report::Report as _;

use crate::fixtures::close;
use crate::market::{book, info, market, need, of_series};

#[test]
fn a_constrained_size_retires_with_its_parent() {
    // DS14_v2 retires on 2028-05-01; DS14-4_v2 is the same with fewer vCPUs, and has no date of its own.
    let vm = |name| Catalog::embedded().vm(name, None).unwrap();
    assert_eq!(vm("DS14_v2").retirement.as_deref(), Some("2028-05-01"));
    assert_eq!(vm("DS14-4_v2").retirement.as_deref(), Some("2028-05-01"));
    assert_eq!(vm("E8-2ads_v7").retirement, None);
}

#[test]
fn retired_sizes_are_left_out_and_named() {
    // DC*s_v2 retired on 2026-06-30, the data is of 2026-08-17; B1ls retires on 2028-11-15.
    let book = book();
    let wanted = of_series(need(&["data:size=64"]), "DCsv2");
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    assert!(found.best.is_empty());
    assert!(found.retired_sizes.contains(&"Standard_DC1s_v2".to_owned()));
    assert_eq!(
        found.document().title,
        "Only retired sizes deliver this need"
    );
    let mut wanted = of_series(need(&["data:size=64"]), "Bs");
    wanted.size.in_service_on = "2028-11-14".parse().ok();
    let before = recommend(&market(&book), &wanted, 1).unwrap();
    assert_eq!(
        before.best[0].retirement.as_deref(),
        Some("2028-11-15"),
        "{}",
        before.best[0].size
    );
    let notes = before.document().footnotes.join("\n");
    assert!(
        notes.contains("Retirement: on 2028-11-15 Standard_B"),
        "{notes}"
    );
    wanted.size.in_service_on = "2028-11-15".parse().ok();
    let after = recommend(&market(&book), &wanted, 1).unwrap();
    assert!(after.best.is_empty());
    assert!(after.retired_sizes.contains(&before.best[0].size));
}

/// What the first line says of a size that delivers: B sizes run on CPU credit, DC ones are confidential; those of Bs retire
/// as well.
#[test]
fn what_speaks_against_a_size_is_in_the_first_line() {
    let book = book();
    let title = |series: &str| {
        let wanted = of_series(need(&["data:size=64"]), series);
        let document = recommend(&market(&book), &wanted, 1).unwrap().document();
        (document.title, document.footnotes.join("\n"))
    };
    let (first, notes) = title("Bs");
    assert!(
        first.ends_with(" (burstable CPU, retires on 2028-11-15)"),
        "{first}"
    );
    assert!(notes.contains("from credit only (Standard_B"), "{notes}");
    let (first, notes) = title("DCasv6");
    assert!(first.ends_with(" (special hardware)"), "{first}");
    assert!(
        notes.contains("an image of its own: Standard_DC"),
        "{notes}"
    );
    let (first, _) = title("Dsv5");
    // Of 64 GiB without a demand the cheapest disk is a Standard one, each I/O of which is billed as well.
    assert!(first.ends_with(" a month plus use"), "{first}");
}

/// Where a size of special hardware is the cheapest, the cheapest other one stands beside it. In this market every vCPU costs
/// the same; DC2as_v6 lets 4,000 IOPS through with two, of Dsv5 D4s_v5 is the first with as many.
#[test]
fn an_ordinary_size_stands_beside_one_of_special_hardware() {
    let book = book();
    let mut wanted = need(&["data:size=64,iops=4000"]);
    wanted.size.series = vec!["DCasv6".to_owned(), "Dsv5".to_owned()];
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_DC2as_v6");
    assert_eq!(
        found.best_ordinary.as_ref().unwrap().size,
        "Standard_D4s_v5"
    );
    let title = found.document().title;
    assert!(
        title.contains("; on ordinary hardware Standard_D4s_v5 for "),
        "{title}"
    );
}

/// Windows Server has no image for Arm64: of Dpsv5 and Dsv5 only the latter is looked at.
#[test]
fn windows_is_not_put_on_arm64() {
    let mut book = book();
    for size in ["Standard_D2ps_v5", "Standard_D2s_v5"] {
        book.set_vm(size, VmOffer::Windows, 0.1);
    }
    let market = Market {
        offer: VmOffer::Windows,
        ..market(&book)
    };
    let mut wanted = need(&["data:size=64"]);
    wanted.size.series = vec!["Dpsv5".to_owned(), "Dsv5".to_owned()];
    let found = recommend(&market, &wanted, 5).unwrap();
    let sizes: Vec<&str> = found.best.iter().map(|one| one.size.as_str()).collect();
    assert_eq!(sizes, ["Standard_D2s_v5"]);
    let notes = found.document().footnotes.join("\n");
    assert!(notes.contains("Arm64 sizes are left out"), "{notes}");
}

/// E4bs_v6 has no architecture in any source, and none of Arm64 in its name.
#[test]
fn an_architecture_that_no_source_gives_follows_from_the_name() {
    let vm = Catalog::embedded().vm("E4bs_v6", None).unwrap();
    assert_eq!((vm.arch.as_deref(), vm.likely_arch()), (None, Some("x64")));
    let book = book();
    let mut wanted = of_series(need(&["data:size=64"]), "Ebsv6");
    wanted.size.arch = Some("x64".to_owned());
    assert!(
        !recommend(&market(&book), &wanted, 1)
            .unwrap()
            .best
            .is_empty()
    );
    wanted.size.arch = Some("Arm64".to_owned());
    assert!(
        recommend(&market(&book), &wanted, 1)
            .unwrap()
            .best
            .is_empty()
    );
}

/// Dsv5 has SCSI only, by its generation; Dsv6 NVMe only, by the API.
#[test]
fn a_controller_that_no_source_gives_follows_from_the_generation() {
    let book = book();
    for (series, controller, delivers) in [
        ("Dsv5", Interface::Nvme, false),
        ("Dsv5", Interface::Scsi, true),
        ("Dsv6", Interface::Nvme, true),
        ("Dsv6", Interface::Scsi, false),
    ] {
        let mut wanted = of_series(need(&["data:size=64"]), series);
        wanted.size.interface = Some(controller);
        let found = recommend(&market(&book), &wanted, 1).unwrap();
        assert_eq!(!found.best.is_empty(), delivers, "{series} {controller}");
    }
}

/// A P30 does 5,000 IOPS and 200 MB/s. With performance plus it does 8,000 and 300 at the same price, which has to be set
/// when it is made: only where that is needed.
#[test]
fn performance_plus_is_taken_where_it_is_needed_only() {
    let book = book();
    let spec = |iops: &str| {
        let mut wanted = of_series(need(&[&format!("data:size=1TiB,iops={iops}")]), "Dsv5");
        wanted.families = vec![Family::PremiumSsd];
        wanted.max_stripe = 1;
        let found = recommend(&market(&book), &wanted, 1).unwrap();
        found.best[0].volumes[0].spec.clone()
    };
    assert_eq!(spec("5000"), "P30");
    assert_eq!(spec("6000"), "P30:perfplus");
}

/// Premium SSD v2 of 64 GiB at 0.0001 an hour each: 4.672 a month, with 3,000 IOPS and 125 MB/s.
fn with_v2(mut book: PriceBook) -> PriceBook {
    let (family, redundancy) = (Family::PremiumSsdV2, Redundancy::Lrs);
    let part = ProvisionedPart::Capacity;
    let meter = DiskMeter::Provisioned {
        family,
        redundancy,
        part,
    };
    book.set_disk(meter, 1e-4);
    book
}

#[test]
fn the_best_on_x64_stands_beside_one_on_arm64() {
    let mut book = with_v2(PriceBook::new(info()));
    book.set_vm("Standard_D2ps_v5", VmOffer::Linux, 0.05);
    book.set_vm("Standard_D2s_v5", VmOffer::Linux, 0.06);
    let mut wanted = need(&["data:size=64,iops=100"]);
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    assert_eq!(found.best[0].size, "Standard_D2ps_v5");
    let x64 = found.best_x64.as_ref().unwrap();
    assert_eq!(x64.size, "Standard_D2s_v5");
    // 0.06 x 730 + 4.672.
    close(x64.month.amount, 48.472);
    assert_eq!(
        found.document().title,
        "Recommended: Standard_D2ps_v5 for 41.17 USD a month (Arm64); on x64 Standard_D2s_v5 for 48.47 USD"
    );
    wanted.size.arch = Some("arm64".to_owned());
    let asked = recommend(&market(&book), &wanted, 1).unwrap();
    assert_eq!(asked.best_x64, None);
}

#[test]
fn a_size_without_a_price_is_no_impossible_need() {
    // The book knows Linux only.
    let book = book();
    let spot = Market {
        offer: VmOffer::SpotWindows,
        ..market(&book)
    };
    let wanted = of_series(need(&["data:size=64,iops=4000"]), "Dsv3");
    let found = recommend(&spot, &wanted, 1).unwrap();
    assert!(found.best.is_empty() && found.only_prices_missing);
    let text = format!("{:?}", found.document());
    // All of the seven sizes but D2s_v3 (3,200 IOPS).
    assert!(text.contains("6 sizes deliver this need"), "{text}");
    assert!(text.contains("skus update --region eastus"), "{text}");
    assert!(!text.contains("Nothing delivers"), "{text}");
    // What no size lets through stays impossible, whatever is priced.
    let wanted = of_series(need(&["data:size=64,iops=90000"]), "Dsv3");
    let found = recommend(&spot, &wanted, 1).unwrap();
    assert!(!found.only_prices_missing);
    assert_eq!(found.document().title, "Nothing delivers this need");
}

#[test]
fn a_disk_without_a_price_is_no_impossible_need() {
    // E30: 500 IOPS, its disk has a price and its transactions have none.
    let mut book = PriceBook::new(info());
    book.set_vm("Standard_D2s_v3", VmOffer::Linux, 0.1);
    let tier: TierName = "E30".parse().unwrap();
    let (redundancy, part) = (Redundancy::Lrs, TierPart::Disk);
    book.set_disk(
        DiskMeter::Tier {
            tier,
            redundancy,
            part,
        },
        72.0,
    );
    let mut wanted = of_series(need(&["data:size=1TiB,iops=400"]), "Dsv3");
    wanted.families = vec![Family::StandardSsd];
    wanted.max_stripe = 1;
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    assert!(found.best.is_empty() && found.only_prices_missing);
    assert!(found.left_out.iter().all(|left_out| left_out.unpriced));
    let text = format!("{:?}", found.document());
    assert!(text.contains("transactions"), "{text}");
    assert!(!text.contains("What stands in the way"), "{text}");
}

/// A market in which transactions have no price: D2s_v5 73 USD a month, E30 `e30`, P30 140.
fn without_transactions(e30: f64) -> PriceBook {
    let mut book = PriceBook::new(info());
    book.set_vm("Standard_D2s_v5", VmOffer::Linux, 0.1);
    for (tier, price) in [("E30", e30), ("P30", 140.0)] {
        let tier: TierName = tier.parse().unwrap();
        book.set_disk(DiskMeter::tier(tier, Redundancy::Lrs), price);
    }
    book
}

/// 73 + 140 with P30, 73 + 72 and more with E30. 400 I/Os a second are 400 x 3,600 x 730 = 1,051,200,000 a month: the E30 is
/// cheaper where 10,000 of them cost less than 68 / 105,120.
#[test]
fn what_is_priced_in_part_stands_apart_and_is_never_the_best() {
    let wanted = of_series(need(&["data:size=1TiB,iops=400"]), "Dsv5");
    let book = without_transactions(72.0);
    let found = recommend(&market(&book), &wanted, 5).unwrap();
    assert_eq!(found.best.len(), 1);
    close(found.best[0].month.amount, 213.0);
    let [partly] = found.partly_priced.as_slice() else {
        panic!("{:?}", found.partly_priced)
    };
    close(partly.month.amount, 145.0);
    assert!(!partly.is_priced());
    assert_eq!(partly.volumes[0].unpriced[0].what, "E30 LRS transactions");
    close(
        partly.volumes[0].transactions_month.unwrap(),
        1_051_200_000.0,
    );
    let below = partly.cheaper_below(&found.best[0]).unwrap();
    close(below.amount, 68.0 / 105_120.0);
    let notes = found.document().footnotes.join("\n");
    assert!(
        notes.contains("Standard SSD ranked apart for data"),
        "{notes}"
    );
    assert!(notes.contains("skus update --region eastus"), "{notes}");
    // What is dearer even without its transactions is of no interest.
    let book = without_transactions(141.0);
    let found = recommend(&market(&book), &wanted, 5).unwrap();
    assert!(found.partly_priced.is_empty());
}

#[test]
fn what_is_priced_in_part_is_told_where_nothing_else_delivers() {
    let book = without_transactions(72.0);
    let mut wanted = of_series(need(&["data:size=1TiB,iops=400"]), "Dsv5");
    wanted.families = vec![Family::StandardSsd];
    let found = recommend(&market(&book), &wanted, 5).unwrap();
    assert!(found.best.is_empty() && found.only_prices_missing);
    let first = found.first().unwrap();
    close(first.month.amount, 145.0);
    let title = found.document().title;
    assert!(
        title.contains("only a part of the price is known"),
        "{title}"
    );
    // No I/O is asked: none is billed, and the price is whole.
    let mut wanted = of_series(need(&["data:size=1TiB"]), "Dsv5");
    wanted.families = vec![Family::StandardSsd];
    let found = recommend(&market(&book), &wanted, 5).unwrap();
    close(found.best[0].month.amount, 145.0);
    let notes = found.document().footnotes.join("\n");
    assert!(
        notes.contains("none is asked here, so none is counted"),
        "{notes}"
    );
}

/// 2,000 IOPS and half as much again are 3,000: beside the 5,000 of a P30 that is 150 % more than asked, as it is without
/// headroom.
#[test]
fn headroom_is_told_beyond_what_is_asked() {
    let book = book();
    let mut wanted = of_series(need(&["data:size=1TiB,iops=2000"]), "Dsv5");
    wanted.families = vec![Family::PremiumSsd];
    wanted.max_stripe = 1;
    wanted.headroom = "50%".parse().unwrap();
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    let disk = &found.best[0].limits[0];
    close(disk.capacity, 5000.0);
    close(disk.used, 3000.0);
    close(disk.asked.unwrap(), 2000.0);
    close(disk.headroom(), 1.5);
}

/// A P10 does 500 IOPS, and 3,500 on credit for half an hour; D2s_v5 lets 3,750 through without any.
#[test]
fn what_is_left_without_burst_credit_is_told() {
    let book = book();
    let mut wanted = of_series(need(&["wal:size=128,iops=3000,block=8KiB"]), "Dsv5");
    wanted.families = vec![Family::PremiumSsd];
    wanted.max_stripe = 1;
    wanted.hold = Hold::Peak { minutes: 30.0 };
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    let wal = &found.best[0].volumes[0];
    assert_eq!(
        (wal.sku.as_str(), wal.delivered_iops, wal.sustained_iops),
        ("P10", Some(3000.0), Some(500.0))
    );
    let notes = found.document().footnotes;
    let less = "When the burst credit is used up, Standard_D2s_v5 gives wal 500 of 3,000 IOPS.";
    assert!(notes.iter().any(|note| note == less), "{notes:?}");
    // What is met without credit has nothing to lose.
    wanted.hold = Hold::Sustained;
    let found = recommend(&market(&book), &wanted, 1).unwrap();
    assert_eq!(found.best[0].volumes[0].sustained_iops, None);
    assert_eq!(found.best[0].without_credit(&wanted), None);
}

#[test]
fn a_need_is_told_in_words() {
    let wanted = need(&[
        "wal:size=128,iops=3000,block=8KiB,read=20%,depth=2,latency=1ms",
        "data:size=1TiB,mbps=100,hit=50%,zrs",
    ]);
    assert_eq!(
        wanted
            .volumes
            .iter()
            .map(VolumeNeed::in_words)
            .collect::<Vec<_>>(),
        [
            "wal: 128 GiB, 3,000 IOPS, blocks of 8 KiB, 20 % reads, queue depth 2, latency below 1 ms",
            "data: 1,024 GiB, 100 MB/s, 50 % cache hits, zone-redundant",
        ]
    );
    assert_eq!(wanted.conditions(), ["sustained"]);
    let wanted = Need {
        hold: Hold::Peak { minutes: 30.0 },
        headroom: "20%".parse().unwrap(),
        ..wanted
    };
    assert_eq!(
        wanted.conditions(),
        ["for 30 min from full burst credit", "20 % headroom"]
    );
}

/// A frontier has answers of its own, which may have host caching where the cheapest have none.
#[test]
fn hits_that_are_not_counted_on_are_told_of_the_table_that_lacks_them() {
    let book = book();
    let mut wanted = of_series(need(&["data:size=64,iops=1000,hit=50%"]), "Dsv3");
    wanted.families = vec![Family::PremiumSsdV2];
    let mut found = recommend(&market(&book), &wanted, 1).unwrap();
    let says = |found: &Recommendations, words: &str| {
        let mut notes = found.document().footnotes.into_iter();
        assert!(notes.any(|note| note.starts_with(words)), "{words}");
    };
    says(&found, "No answer has host caching for data");
    found.frontier = frontier(&market(&book), &wanted);
    says(
        &found,
        "None of the cheapest answers, one a size, has host caching for data",
    );
}
