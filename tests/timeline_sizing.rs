//! What on-demand bursting is billed, and which sizes would do, worked by hand.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/timeline.rs"]
mod timeline;

use diskcap::catalog::price::{BurstPart, DiskMeter, Region, embedded};
use diskcap::catalog::{Catalog, Interface, Redundancy};
use diskcap::planner::timeline::money::price;
use timeline::{close, deployment, run, volume};

/// The load of the first billing example, within its hour.
const BILLED_HOUR: [(&str, &str); 4] = [
    ("10min", "block=4KiB iops=4000"),
    ("10s", "block=4KiB iops=6000"),
    ("2930s", "block=4KiB iops=4000"),
    ("60s", "block=4KiB iops=7000"),
];

/// Azure, managed disk bursting, first billing example: a P30 at 6,000 IOPS for 10 s and at 7,000 for 60 s, 5,000 being
/// provisioned: 10,000 + 120,000 transactions, 13 units of 10,000, in one hour of enablement. A P40 has 7,500.
#[test]
fn the_published_bill_of_on_demand_bursting() {
    let s = run("", &["d=P30:burst=on"], &BILLED_HOUR);
    let paid = &s.paid_bursts[0];
    close(paid.transactions, 130_000.0, 1e-6);
    close(paid.billed_units, 13.0, 1e-9);
    close(paid.seconds, 70.0, 1e-9);
    assert_eq!(paid.enabled_hours, 1.0);
    assert_eq!(paid.sufficient_tier.as_deref(), Some("P40"));
}

/// The second example: 10,000 IOPS and 300 MB/s for five seconds (30,000-byte blocks), 6,000 and 600 for five
/// (100,000-byte blocks): max(5,000, 100 x 1,024 / 256) x 5 + max(1,000, 400 x 1,024 / 256) x 5. No tier that a disk of
/// 1 TiB may have does 10,000 IOPS. The two members of a stripe pay alike.
#[test]
fn the_published_bill_where_mbps_count_more() {
    let steps = [
        ("5s", "block=30000 iops=10000"),
        ("5s", "block=100000 iops=6000"),
    ];
    let s = run("", &["d=P30:burst=on"], &steps);
    close(s.paid_bursts[0].transactions, 25_000.0 + 8000.0, 1e-6);
    assert_eq!(s.paid_bursts[0].sufficient_tier, None);
    let twice = [
        ("5s", "block=30000 iops=20000"),
        ("5s", "block=100000 iops=12000"),
    ];
    let s = run("", &["d=2xP30:burst=on"], &twice);
    assert_eq!(s.paid_bursts.len(), 1);
    assert_eq!(
        (s.paid_bursts[0].disks, s.paid_bursts[0].enabled_hours),
        (2, 2.0)
    );
    close(s.paid_bursts[0].transactions, 66_000.0, 1e-6);
}

/// 17,000 I/Os a second on a cached P30, no hits: P40 with performance plus has 16,000, P50 20,000, and that is too large to
/// be cached. Where most of them write, a finding advises against the caching, and what would do has none.
#[test]
fn a_disk_that_cannot_be_cached_is_not_what_would_do() {
    let smallest = |disk, read| {
        let words = format!("block=4KiB read={read} iops=17000");
        let s = run("Standard_D8s_v3", &[disk], &[("1min", &words)]);
        s.sizing.disks[0].smallest.clone()
    };
    assert_eq!(smallest("d=P30:cache=ro", "0.6"), None);
    assert_eq!(smallest("d=P30", "0.6").as_deref(), Some("P50:perfplus"));
    assert_eq!(
        smallest("d=P30:cache=ro", "0").as_deref(),
        Some("P50:perfplus")
    );
}

/// 9,000 I/Os a second on two cached P20, 3,500 each in burst: two P30 (5,000 each), without the caching that
/// WRITE-HEAVY-CACHE advises against, and as a spec that can be typed.
#[test]
fn a_fix_has_no_caching_that_another_finding_warns_of() {
    let words = "block=4KiB read=0.2 iops=9000";
    let s = run("Standard_D16s_v5", &["d=2xP20:cache=ro"], &[("2h", words)]);
    let found = s.findings.iter().find(|f| f.id.code() == "THROTTLED");
    assert_eq!(
        found.unwrap().fix.as_deref(),
        Some("2xP30 (uncached, as WRITE-HEAVY-CACHE advises) would never throttle it")
    );
}

/// An E40 has 500 IOPS, 3,000 with performance plus at no cost; E60 has 2,000. A disk with less room does not take its
/// place, though E30 has 1,500 with performance plus.
#[test]
fn performance_plus_comes_before_a_larger_tier() {
    for (iops, enough) in [("1200", "E40:perfplus"), ("2500", "E40:perfplus")] {
        let s = run(
            "",
            &["d=E40"],
            &[("1min", &format!("block=4KiB iops={iops}"))],
        );
        assert_eq!(s.sizing.disks[0].smallest.as_deref(), Some(enough));
    }
}

/// The same hour with made-up fees, 20.00 a month and 0.005 for 10,000 transactions: 20 / 730 + 13 x 0.005. If the
/// month goes on so: a P30 (135.17), 20, and 13 x 730 x 0.005 = 47.45; a P40 costs 259.05.
#[test]
fn bursting_is_priced_beside_the_tier_that_does_as_much() {
    let mut book = embedded(&Region::new("eastus")).unwrap();
    for (part, fee) in [
        (BurstPart::Enablement, 20.0),
        (BurstPart::Transactions, 0.005),
    ] {
        let redundancy = Redundancy::Lrs;
        book.set_disk(DiskMeter::Burst { redundancy, part }, fee);
    }
    let priced = |steps: &[(&str, &str)]| {
        let mut s = run("", &["d=P30:burst=on"], steps);
        price(
            Catalog::embedded(),
            &deployment("", &["d=P30:burst=on"]),
            &book,
            &mut s,
        );
        s
    };
    let s = priced(&BILLED_HOUR);
    let cost = s.paid_bursts[0].cost.as_ref().unwrap();
    close(
        cost.simulated.complete().unwrap().amount,
        20.0 / 730.0 + 0.065,
        1e-9,
    );
    close(
        cost.month.complete().unwrap().amount,
        135.17 + 20.0 + 47.45,
        1e-9,
    );
    close(
        cost.tier_month.as_ref().unwrap().complete().unwrap().amount,
        259.05,
        0.005,
    );
    let fix = s.findings.last().unwrap().fix.clone().unwrap();
    assert!(
        fix.contains("keep bursting") && fix.contains("259.05 USD"),
        "{fix}"
    );
    // At 7,000 all the time, 2,000 x 2,628,000 s a month are 525,600 units: 2,628.00 for them alone.
    let s = priced(&[("1h", "block=4KiB iops=7000")]);
    let fix = s.findings.last().unwrap().fix.clone().unwrap();
    assert!(fix.contains("set performance tier P40 instead"), "{fix}");
}

/// 3,000 IOPS for ten minutes an hour, else idle. A P10 spends 2,500 x 600 of 5,400,000 and has earned 500 x 3,000 back
/// when the next hour begins; a P4 (120) earns only 120 x 3,000 of the 2,880 x 600 it spends, and has
/// 3,380 x 1,800 = 6,084,000: the fifth hour finds 6.084 - 4 x 1.368 = 0.612 million of the 1.728 it needs.
/// A P6 (240) loses 2,760 x 600 - 240 x 3,000 = 936,000 an hour, too. However few hours are looked at, it takes a P10; four
/// hours the P4 lasts, from credit.
#[test]
fn the_smallest_disk_that_never_throttles() {
    let hour = [
        ("10min", "block=4KiB iops=3000"),
        ("50min", "block=4KiB iops=0"),
    ];
    let s = run("", &["d=P4"], &hour.repeat(6));
    let need = &s.sizing.disks[0];
    assert_eq!(need.smallest.as_deref(), Some("P10"));
    assert_eq!((need.present_is_enough, need.has_room), (false, Some(true)));
    assert_eq!(need.peak.iops.unwrap().get(), 3000.0);
    assert!(volume(&s, "d").throttled_seconds > 0.0);
    let need = |disk: &str| run("", &[disk], &hour.repeat(4)).sizing.disks[0].clone();
    let (small, large) = (need("d=P4"), need("d=P30"));
    assert_eq!(
        (small.present_is_enough, small.present_lasts),
        (true, false)
    );
    assert_eq!((large.present_is_enough, large.present_lasts), (true, true));
    assert_eq!(large.smallest.as_deref(), Some("P10"));
    assert_eq!(large.has_room, Some(false));
}

/// A log of 60 KiB writes at 1 ms an I/O, one at a time, makes 1,000 of the 1,953 that 120 MB/s are. A P6 sustains 240 and
/// bursts to 3,500: its 3,260 x 1,800 last 2 h 9 min. What carries all that is asked, with two outstanding, has 1,953: a P20
/// (2,300).
#[test]
fn what_outlasts_the_simulated_time_on_credit_is_not_enough() {
    let words = "block=60KiB read=0 depth=1 mbps=120";
    let need = |disk: &str| run("", &[disk], &[("2h", words)]).sizing.disks[0].clone();
    let small = need("d=P6");
    assert_eq!(small.smallest.as_deref(), Some("P20"));
    assert_eq!(
        (small.present_is_enough, small.present_lasts),
        (false, false)
    );
    let large = need("d=P30");
    assert_eq!(
        (large.present_is_enough, large.present_lasts),
        (false, true)
    );
}

/// Three P30 at 4,000 IOPS for a day: 12,000 in all. Of the Dsv3 series, D4s_v3 has 6,400 (8,000 burst) and D8s_v3
/// 12,800.
#[test]
fn the_smallest_size_of_the_series_that_never_throttles() {
    let disks = ["a=P30", "b=P30", "c=P30"];
    let s = run(
        "Standard_D4s_v3",
        &disks,
        &[("1 day", "block=4KiB iops=4000")],
    );
    let vm = s.sizing.vm.as_ref().unwrap();
    assert_eq!(vm.series, "Dsv3");
    assert_eq!(vm.smallest.as_deref(), Some("Standard_D8s_v3"));
    assert!(!vm.present_is_enough);
    assert!(s.sizing.disks.iter().all(|d| d.present_is_enough));
    let fix = s
        .findings
        .iter()
        .find(|f| f.id.code() == "THROTTLED")
        .unwrap()
        .fix
        .clone();
    assert_eq!(
        fix.as_deref(),
        Some("Standard_D8s_v3, which retires on 2029-11-15 as well, would never throttle it")
    );
    // As much as they get is never enough.
    let s = run("Standard_D4s_v3", &disks, &[("1 day", "block=4KiB")]);
    assert_eq!((s.sizing.vm, s.sizing.unbounded.len()), (None, 3));
}

/// A v2 disk of 10 GiB may have 5,000 IOPS. 8,000 need 16 GiB; 400 MB/s need 1,600 IOPS and get the 3,000 that are
/// free; 900 MB/s need 3,600.
#[test]
fn the_least_that_a_v2_disk_must_be_provisioned_with() {
    let need = |words: &str| {
        let s = run("", &["d=v2:size=10"], &[("1h", words)]);
        s.sizing.disks[0].smallest.clone().unwrap()
    };
    assert_eq!(
        need("block=4KiB iops=8000"),
        "v2:size=16,iops=8000,mbps=125"
    );
    assert_eq!(need("block=1MiB mbps=400"), "v2:size=10,iops=3000,mbps=400");
    assert_eq!(need("block=1MiB mbps=900"), "v2:size=10,iops=3600,mbps=900");
    assert_eq!(need("block=4KiB iops=10"), "v2:size=10,iops=3000,mbps=125");
}

/// E8bds_v5 sustains 32,400 IOPS of v2 disks on SCSI and 60,000 in burst: at 40,000 its bucket lasts 27,600 x 1,800 / 7,600
/// = 6,537 s. On NVMe it sustains 44,200; E16bds_v5 64,800 on SCSI.
#[test]
fn the_other_controller_of_the_present_size_may_be_enough() {
    let disks = ["d=v2:size=1024,iops=50000,mbps=900"];
    let s = run("E8bds_v5", &disks, &[("2h", "iops=40000")]);
    let need = s.sizing.vm.clone().unwrap();
    assert!(!need.present_is_enough);
    assert_eq!(need.other_controller, Some(Interface::Nvme));
    assert_eq!(need.smallest.as_deref(), Some("Standard_E16bds_v5"));
    assert_eq!(need.smallest_interface, Some(Interface::Scsi));
    let found = s.findings.iter().find(|f| f.id.code() == "THROTTLED");
    assert_eq!(
        found.unwrap().fix.as_deref(),
        Some(
            "Standard_E8bds_v5 (NVMe) or Standard_E16bds_v5 (SCSI) would never throttle it; NVMe takes an image with the \
             driver: compute with --interface nvme"
        )
    );
    // For as long as the bucket lasts the present one is enough, and not for good.
    let s = run("E8bds_v5", &disks, &[("6530s", "iops=40000")]);
    let need = s.sizing.vm.unwrap();
    assert_eq!((need.present_is_enough, need.present_lasts), (true, false));
    assert_eq!(need.other_controller, Some(Interface::Nvme));
}

/// NCv3 went on 2025-09-30, before the day of the data.
#[test]
fn a_size_that_is_retired_or_retires_is_said_to() {
    let gone = |vm: &str| {
        let s = run(vm, &["P20"], &[("1h", "iops=1000")]);
        let need = s.sizing.vm.clone().unwrap();
        let found = s.findings.iter().find(|f| f.id.code() == "RETIRING-SIZE");
        let severity = found.map(|found| found.severity.name());
        (need.present_retires, need.present_is_retired, severity)
    };
    let day = |day: &str| Some(day.to_owned());
    assert_eq!(gone("NC6s_v3"), (day("2025-09-30"), true, Some("error")));
    assert_eq!(gone("DS3_v2"), (day("2028-05-01"), false, Some("warning")));
    assert_eq!(gone("D8s_v5"), (None, false, None));
}

/// D2s_v3 sustains 3,200 IOPS and D4s_v3 6,400; every Dsv3 retires on 2029-11-15.
#[test]
fn a_size_that_retires_says_so() {
    let s = run("D2s_v3", &["P30"], &[("2h", "iops=4500")]);
    let need = s.sizing.vm.clone().unwrap();
    assert_eq!(need.smallest.as_deref(), Some("Standard_D4s_v3"));
    assert_eq!(need.smallest_retires.as_deref(), Some("2029-11-15"));
    let found = s.findings.iter().find(|f| f.id.code() == "THROTTLED");
    assert_eq!(
        found.unwrap().fix.as_deref(),
        Some("Standard_D4s_v3, which retires on 2029-11-15 as well, would never throttle it")
    );
    let s = run("D2s_v5", &["P30"], &[("2h", "iops=4500")]);
    assert_eq!(s.sizing.vm.unwrap().smallest_retires, None);
}

/// E30 with performance plus has 150 MB/s, and 250 in burst would last an hour at 200: 100 x 1,800 / 50 s. That it bursts
/// with performance plus is not documented. E40 has 300.
#[test]
fn performance_plus_is_named_for_what_it_sustains() {
    let s = run("", &["d=E20"], &[("1h", "block=1MiB mbps=200")]);
    assert_eq!(s.sizing.disks[0].smallest.as_deref(), Some("E40:perfplus"));
    let s = run("", &["d=E20"], &[("1h", "block=1MiB mbps=150")]);
    assert_eq!(s.sizing.disks[0].smallest.as_deref(), Some("E30:perfplus"));
    let s = run("", &["d=E20"], &[("1h", "block=1MiB mbps=100")]);
    assert_eq!(s.sizing.disks[0].smallest.as_deref(), Some("E1"));
}

/// A P30 has 8,000 IOPS with performance plus; a P60 16,000, too high a tier for its size.
#[test]
fn performance_plus_may_do_what_bursting_is_paid_for() {
    let paid = |words| {
        let s = run("", &["d=P30:burst=on"], &[("30min", words)]);
        let found = s.findings.iter().find(|f| f.id.code() == "PAID-BURST");
        found.unwrap().fix.clone()
    };
    assert_eq!(
        paid("iops=7000").as_deref(),
        Some(
            "P30:perfplus does as much without bursting and without a price for it, where the disk can be made anew; or \
             performance tier P40 does as much without bursting: compare its price"
        )
    );
    assert_eq!(paid("iops=9000"), None);
}

/// Standard_D8_v3 would let a P20's 3,500 IOPS through, and takes no premium disk.
#[test]
fn a_size_that_takes_no_such_disk_is_not_enough() {
    let smallest = |disk| {
        let s = run("D2_v3", &[disk], &[("2h", "iops=3500")]);
        s.sizing.vm.unwrap().smallest
    };
    assert_eq!(smallest("P20"), None);
    assert_eq!(smallest("E80").as_deref(), Some("Standard_D4_v3"));
}

/// A sequential log of 64 KiB I/Os asks for 120 MB/s: 1,831.05 IOPS, which take two of 1 ms at a time. One at a time makes
/// 65.5 MB/s, which is no measure of the disk: a P15 has 125 MB/s but 1,100 IOPS, a P20 2,300 and 150.
#[test]
fn what_is_enough_is_for_all_that_is_asked_and_says_how_many_outstanding_that_takes() {
    let words = "block=64KiB read=0 mbps=120 depth=1";
    for disk in ["d=P1:latency=1ms", "d=P15:latency=1ms"] {
        let s = run("", &[disk], &[("2h", words)]);
        let fix = |code: &str| {
            let found = s.findings.iter().find(|f| f.id.code() == code);
            found.and_then(|found| found.fix.clone())
        };
        let need = &s.sizing.disks[0];
        assert_eq!(need.queue_depth_needed, Some(2.0), "{disk}");
        assert!(!need.present_lasts_at_depth, "{disk}");
        assert!(need.smallest.as_deref().unwrap().starts_with("P20"));
        let left = fix("BACKLOG-LEFT").unwrap();
        assert!(
            left.starts_with("keep 2 I/Os outstanding; with them P20"),
            "{disk}: {left}"
        );
    }
}

/// Credit that runs out has what does without; what waits for want of outstanding I/Os, how many are needed: 4,500 at 1 ms
/// take 4.5, so five, or 4 / 4,500 s an I/O.
#[test]
fn what_happens_to_credit_and_queues_has_a_fix() {
    let fix = |disk: &str, words: &str, code: &str| {
        let s = run("", &[disk], &[("2h", words)]);
        let found = s.findings.iter().find(|f| f.id.code() == code);
        found.unwrap().fix.clone().unwrap()
    };
    // A P20 has 2,300 of 3,400 IOPS, a P30 5,000.
    let lasting = "take P30: that carries the load however often it comes again";
    assert_eq!(
        fix("d=P20", "block=4KiB iops=3400", "CREDIT-EMPTY"),
        lasting
    );
    let deep = "block=4KiB iops=4500 depth=4";
    assert_eq!(
        fix("d=P30:latency=1ms", deep, "QUEUE-DEPTH"),
        "keep 5 I/Os outstanding, or use a disk that answers within 888 us"
    );
    assert_eq!(
        fix("d=P30:latency=1ms", deep, "BACKLOG-LEFT"),
        "keep more I/Os outstanding, as QUEUE-DEPTH advises"
    );
}

/// What still waits says why: 4 I/Os of 1 ms make 4,000 of 4,500 IOPS. What a disk holds back is told as throttling.
#[test]
fn what_waits_for_want_of_outstanding_ios_says_so() {
    let left = |words: &str| {
        let s = run("", &["d=P30:latency=1ms"], &[("2h", words)]);
        let found = s.findings.iter().find(|f| f.id.code() == "BACKLOG-LEFT");
        found.unwrap().message.clone()
    };
    let by_depth = left("block=4KiB iops=4500 depth=4");
    assert!(
        by_depth.ends_with(
            "still wait at the end: queue depth 4 makes 4,000 of the 4,500 IOPS that are asked"
        ),
        "{by_depth}"
    );
    assert!(left("block=4KiB iops=6000").ends_with("still wait at the end"));
}
