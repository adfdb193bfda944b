//! What a figure is limited by.

use diskcap::catalog::Catalog;
use diskcap::measure::judge::verdict::Verdict;
use diskcap::measure::judge::{Options, judge};
use diskcap::measure::model::{Flushes, Format, LatencyStats, Test};
use diskcap::units::{Iops, Latency};

use crate::{deployment, judged, moved, one, run, test, titles};

#[test]
fn the_field_report_is_told_limit_by_limit() {
    // Standard_D2s_v3: 3,200 IOPS / 48 MB/s uncached, 4,000 / 200 in burst. P10: 500 / 100, 3,500 / 170 in burst.
    let expected: [(&str, [f64; 3], [&str; 3]); 3] = [
        (
            "v1=P10",
            [3500.0, 170.0, 1000.0],
            [
                "at disk IOPS (burst)",
                "at disk MB/s (burst)",
                "latency-bound (burst)",
            ],
        ),
        (
            "v2base=v2:size=129,iops=3000,mbps=125",
            [3000.0, 125.0, 1538.0],
            ["at disk IOPS", "at disk MB/s", "latency-bound"],
        ),
        (
            "v2double=v2:size=130,iops=6000,mbps=250",
            [4000.0, 200.0, 1538.0],
            [
                "at VM uncached IOPS (burst)",
                "at VM uncached MB/s (burst)",
                "latency-bound",
            ],
        ),
    ];
    for (disk, [deep, sequential, single], verdicts) in expected {
        let run = run(
            Format::CrystalDiskMark,
            vec![
                test("RND4K Q32T16 read", deep),
                moved("SEQ1M Q8T1 read", sequential),
                test("RND4K Q1T1 read", single),
            ],
        );
        let judgement = judged(&deployment(Some("Standard_D2s_v3"), &[disk]), &run);
        assert_eq!(titles(&judgement), verdicts, "{disk}");
        for test in &judgement.tests {
            assert!(
                (test.ratio.unwrap() - 1.0).abs() < 1e-3,
                "{disk} {}",
                test.name
            );
        }
    }
}

#[test]
fn nothing_is_named_that_never_answers_so_fast() {
    // 20,000 IOPS one at a time are 50 us: that of a P80 by its figure, and no managed disk by its latency. What is on
    // the host may be as fast: D4s_v5 caches at 19,000.
    let fast = one(Some("D4s_v5"), "P30", test("RND4K Q1T1 read", 20_000.0));
    let Verdict::FasterThanDisk { fits, .. } = &fast.verdict else {
        panic!("{:?}", fast.verdict);
    };
    let names: Vec<&str> = fits.iter().map(|fit| fit.name.as_str()).collect();
    assert_eq!(names, ["cached limit of Standard_D4s_v5 (19,000 IOPS)"]);
    // 64 at a time took 3.2 ms each: a P80 may be it.
    let deep = one(None, "P30", test("RND4K Q64T1 read", 20_000.0));
    assert!(deep.words.contains("P80 (20,000 IOPS)"), "{}", deep.words);
}

#[test]
fn far_slower_than_typical_falls_short() {
    // 400 IOPS at queue depth 1 are 2.5 ms; 1 ms is typical, 1.5 times that is let pass.
    let report = one(Some("D8s_v3"), "P30", test("RND4K Q1T1 read", 400.0));
    assert!(matches!(
        report.verdict,
        Verdict::BelowEveryLimit {
            expected: Some(_),
            ..
        }
    ));
    assert_eq!(report.ratio, Some(0.4));
    // Held against a figure of one's own there is no slack but the tolerance.
    let own = one(
        Some("D8s_v3"),
        "P30:latency=2ms",
        test("RND4K Q1T1 read", 400.0),
    );
    assert!(matches!(
        own.verdict,
        Verdict::BelowEveryLimit {
            expected: Some(_),
            ..
        }
    ));
    let near = one(
        Some("D8s_v3"),
        "P30:latency=2.4ms",
        test("RND4K Q1T1 read", 400.0),
    );
    assert_eq!(near.verdict.title(), "latency-bound");
}

#[test]
fn below_every_limit_says_by_how_much() {
    let report = one(Some("D8s_v3"), "P30", test("RND4K Q32T1 read", 2500.0));
    assert_eq!(
        report.verdict,
        Verdict::BelowEveryLimit {
            expected: None,
            exceeded: None
        }
    );
    assert_eq!(report.ratio, Some(0.5));
    // 32 / 2,500 = 12.8 ms
    assert_eq!(
        report.words,
        "50 % of the disk's IOPS limit, 5,000 IOPS; 32 outstanding took 12.8 ms each"
    );
}

#[test]
fn above_every_limit_says_what_it_fits() {
    // 5,050 IOPS are 1.44 times a bursting P10, and at the 5,000 of a P30 within 1 %.
    let report = one(None, "P10", test("RND4K Q32T1 read", 5050.0));
    let Verdict::AboveEveryLimit { fits, .. } = &report.verdict else {
        panic!("{:?}", report.verdict);
    };
    assert_eq!(fits[0].name, "P30 (5,000 IOPS)");
    assert!((report.ratio.unwrap() - 5050.0 / 3500.0).abs() < 1e-9);
    // 16,100 IOPS on an uncached P30 fit the VM's cached limit: caching is on after all, or it is the temp disk.
    let cached = one(Some("D8s_v3"), "P30", test("RND4K Q32T1 read", 16_100.0));
    assert!(
        cached
            .words
            .contains("cached limit of Standard_D8s_v3 (16,000 IOPS)"),
        "{}",
        cached.words
    );
}

#[test]
fn a_stripe_has_the_sum_of_its_members() {
    // 2 x P30 = 10,000 IOPS, below the 12,800 of D8s_v3.
    let report = one(Some("D8s_v3"), "2xP30", test("RND4K Q64T1 read", 9800.0));
    assert_eq!(report.verdict.title(), "at disk IOPS");
    assert_eq!(report.predicted_iops, Some(Iops::whole(10_000)));
}

#[test]
fn an_unknown_limit_is_named_and_makes_no_promise() {
    let disk = "custom:iops=9000";
    let report = one(None, disk, test("RND4K Q32T1 read", 4000.0));
    assert_eq!(report.unknown_limits, ["disk MB/s"]);
    assert!(
        report.words.ends_with("not known: disk MB/s"),
        "{}",
        report.words
    );
    let nothing = one(None, "custom", test("RND4K Q32T1 read", 4000.0));
    assert!(matches!(nothing.verdict, Verdict::Unjudged { .. }));
}

#[test]
fn a_share_of_a_mixed_test_is_not_judged() {
    let mut part = test("RND4K Q32T1 read", 400.0);
    part.part_of = Some("mixed".into());
    let report = one(None, "P30", part);
    assert!(matches!(report.verdict, Verdict::Unjudged { .. }));
    assert_eq!(report.predicted_iops, None);
    assert_eq!(report.implied_latency_us, None);
}

#[test]
fn one_at_a_time_that_waited_for_a_limit_tells_no_latency() {
    // P4 holds 120: the 7.7 ms of 130 IOPS are the limit's, and 8 at a time are not bound by them.
    let tests = vec![
        test("RND4K Q1T1 read", 130.0),
        test("RND4K Q8T1 read", 1000.0),
    ];
    let judgement = judged(&deployment(None, &["P4"]), &run(Format::Csv, tests));
    let eight = &judgement.tests[1];
    assert_eq!(eight.verdict.title(), "between limits", "{}", eight.words);
    assert_eq!(eight.predicted_iops, Some(Iops::whole(120)));
}

#[test]
fn a_temp_disk_is_judged_by_its_latency_near_its_limit_too() {
    // 250 us are typical: 4,000. DS3_v2 holds 16,000: 4.03 times is as little the disk's as 2.67 times.
    for (name, iops) in [
        ("RND4K Q1T1 read", 16_104.0),
        ("RND4K Q1T1 write", 10_677.0),
    ] {
        let report = one(Some("DS3_v2"), "d=temp", test(name, iops));
        assert_eq!(report.verdict.title(), "faster than the disk", "{name}");
    }
}

#[test]
fn counters_with_a_queue_were_asked_for_more() {
    // 3,200 x 5 ms = 16 outstanding; a P30 takes 1 ms.
    let counted = |us| {
        let mut test = test("RND8K Q1T1 read", 3200.0);
        test.kind.queue_depth = None;
        test.latency = Some(LatencyStats {
            mean: Latency::from_micros(us).ok(),
            ..LatencyStats::default()
        });
        test
    };
    let run = run(Format::IostatText, vec![counted(5000.0), counted(1000.0)]);
    let judgement = judged(&deployment(Some("D4s_v5"), &["2xP30"]), &run);
    assert_eq!(
        titles(&judgement),
        ["below, with a queue", "asked for less"]
    );
    let words = &judgement.tests[0].words;
    assert!(
        words.contains("16 I/Os outstanding, each taking 5 ms"),
        "{words}"
    );
}

/// A test with a mean latency.
fn answered(name: &str, iops: f64, ms: f64) -> Test {
    Test {
        latency: Some(LatencyStats {
            mean: Latency::from_micros(ms * 1e3).ok(),
            ..LatencyStats::default()
        }),
        ..test(name, iops)
    }
}

#[test]
fn a_queue_that_was_not_kept_full_is_no_shortfall_of_the_disk() {
    // 2,000 IOPS at 1.05 ms are 2.1 in flight, of the 32 that were to be; one of two at 1.2 ms beside 2.5 ms a turn.
    let report = one(
        Some("E8ds_v5"),
        "P30",
        answered("RND8K Q32T1 read", 2000.0, 1.05),
    );
    assert_eq!(report.verdict, Verdict::AskedForLess);
    assert!(
        report.words.contains("2.1 of 32 I/Os were in flight"),
        "{}",
        report.words
    );
    let report = one(
        Some("E8ds_v5"),
        "P20",
        answered("RND8K Q1T1 write", 400.0, 1.2),
    );
    assert_eq!(report.verdict, Verdict::AskedForLess);
    // At twice the typical latency the disk is slow all the same.
    let report = one(
        Some("E8ds_v5"),
        "P20",
        answered("RND8K Q1T1 write", 300.0, 2.0),
    );
    assert_eq!(report.verdict.title(), "below every limit");
}

/// A test with flushes of `ms` each behind so many of its writes.
fn flushed(test: Test, seconds: f64, count: u64, ms: f64) -> Test {
    Test {
        seconds: Some(seconds),
        flushes: Some(Box::new(Flushes {
            count: Some(count),
            latency: LatencyStats {
                mean: Latency::from_micros(ms * 1e3).ok(),
                ..LatencyStats::default()
            },
        })),
        ..test
    }
}

#[test]
fn flushes_that_set_the_pace_are_named() {
    // 12,000 writes of 1 ms and as many flushes of 3.9 ms in 60 s: 46.8 s of them, 78 %.
    let redo = answered("RND8K Q1T1 write", 200.0, 1.0);
    let report = one(
        Some("D8s_v5"),
        "P30",
        flushed(redo.clone(), 60.0, 12_000, 3.9),
    );
    assert_eq!(report.verdict.title(), "flush-bound");
    assert!(
        report
            .words
            .starts_with("flush-bound: flushes of 3.9 ms each took 78 % of the time, the writes between them 1 ms each"),
        "{}",
        report.words
    );
    assert!((report.flushes.unwrap().share.get() - 0.78).abs() < 1e-9);
    // The time that the queue was empty is theirs: no figure contradicts another.
    assert_eq!(report.mismatches, []);
    // Without them nothing says where the time went.
    let report = one(Some("D8s_v5"), "P30", redo);
    assert_eq!(report.verdict, Verdict::AskedForLess);
    assert_eq!(report.mismatches.len(), 1);
}

#[test]
fn flushes_beside_a_limit_are_told_and_do_not_bind() {
    // 500 IOPS are a P10's: 100 flushes of 60 ms in 60 s are 10 % of the time.
    let at = flushed(test("RND8K Q8T1 write", 500.0), 60.0, 100, 60.0);
    let run = run(Format::FioJson, vec![at]);
    let judgement = judged(&deployment(Some("D8s_v5"), &["P10"]), &run);
    assert_eq!(titles(&judgement), ["at disk IOPS"]);
    assert_eq!(
        judgement.relations,
        ["RND8K Q8T1 write: flushes of 60 ms each took 10 % of the time"]
    );
}

/// A mixed test that flushed, and its writes by themselves, which are who flushed.
#[test]
fn flushes_of_a_sum_and_its_part_are_told_once() {
    let whole = flushed(test("RND8K Q8T1 read", 500.0), 60.0, 100, 60.0);
    let part = Test {
        part_of: Some(whole.name.clone()),
        ..flushed(test("RND8K Q8T1 write", 200.0), 60.0, 100, 60.0)
    };
    let run = run(Format::FioJson, vec![whole, part]);
    let judgement = judged(&deployment(Some("D8s_v5"), &["P10"]), &run);
    assert_eq!(
        judgement.relations,
        ["RND8K Q8T1 read: flushes of 60 ms each took 10 % of the time"]
    );
}

#[test]
fn credit_explains_what_reads_make_beyond_writes() {
    // A P10: 3,500 IOPS in burst, 500 without.
    let pair = run(
        Format::Csv,
        vec![
            test("RND4K Q32T1 read", 3490.0),
            test("RND4K Q32T1 write", 501.0),
        ],
    );
    let judgement = judged(&deployment(Some("D8s_v5"), &["P10"]), &pair);
    assert_eq!(
        judgement.relations,
        [
            "RND4K Q32T1: reads are 7 times writes: the reads are at the disk's IOPS limit in burst, 3,500 IOPS, the writes \
          at the disk's IOPS limit, 500 IOPS"
        ]
    );
    // Where no disk is named, the limits that each direction fits.
    let unnamed = judge(Catalog::embedded(), &pair, None, &Options::default());
    assert!(
        unnamed.relations[0].contains(
            "reads fit the P1 to P20 in burst (3,500 IOPS, 170 MB/s), the writes the P10 (500 IOPS, 100 MB/s)"
        ),
        "{:?}",
        unnamed.relations
    );
    // 1,700 and 170 are no pair of limits.
    let other = run(
        Format::Csv,
        vec![
            test("RND4K Q32T1 read", 1700.0),
            test("RND4K Q32T1 write", 170.0),
        ],
    );
    let unnamed = judge(Catalog::embedded(), &other, None, &Options::default());
    assert!(unnamed.relations[0].ends_with("a cache answers them, or writes wait for the medium"));
}
