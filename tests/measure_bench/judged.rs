//! What a figure is limited by.

use diskcap::catalog::Catalog;
use diskcap::measure::judge::verdict::{LatencySource, Verdict};
use diskcap::measure::judge::{Options, Target, judge};
use diskcap::measure::model::{Format, LatencyStats, Test};
use diskcap::measure::test_name;
use diskcap::units::{Iops, Latency, QueueDepth, Share};

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
fn what_holds_only_in_burst_is_told_so() {
    let run = run(
        Format::CrystalDiskMark,
        vec![test("RND4K Q32T1 read", 3480.0)],
    );
    let judgement = judged(&deployment(Some("D2s_v3"), &["P10"]), &run);
    let words = &judgement.tests[0].words;
    assert!(words.contains("in burst, 3,500 IOPS"), "{words}");
    assert!(words.contains("a run this short fits"), "{words}");
    assert!(
        words.ends_with("the disk's IOPS limit, 500 IOPS"),
        "{words}"
    );
}

#[test]
fn a_run_longer_than_the_credit_is_held_against_what_holds_without_end() {
    // A full bucket of P10 holds (3,500 - 500) x 1,800 s = 5,400,000 I/Os; an hour at 3,500 draws 10,800,000.
    let mut long = test("RND4K Q32T1 read", 300.0);
    long.seconds = Some(3600.0);
    let report = one(None, "P10", long);
    assert_eq!(
        report.verdict,
        Verdict::BelowEveryLimit {
            expected: None,
            exceeded: None
        }
    );
    assert_eq!(report.held_against_iops, Some(Iops::whole(500)));
    assert!((report.ratio.unwrap() - 0.6).abs() < 1e-9);
    // Ten minutes fit: held against 3,500.
    let mut short = test("RND4K Q32T1 read", 300.0);
    short.seconds = Some(600.0);
    assert_eq!(
        one(None, "P10", short).held_against_iops,
        Some(Iops::whole(3500))
    );
}

#[test]
fn credit_is_spent_by_the_tests_before() {
    // Each test draws (3,500 - 500) x 1,000 s = 3,000,000 of 5,400,000 I/Os: the second does not fit any more.
    let timed = |iops| {
        let mut test = test("RND4K Q32T1 read", iops);
        test.seconds = Some(1000.0);
        test
    };
    let run = run(Format::FioJson, vec![timed(3500.0), timed(300.0)]);
    let judgement = judged(&deployment(None, &["P10"]), &run);
    assert_eq!(judgement.tests[0].verdict.title(), "at disk IOPS (burst)");
    assert_eq!(judgement.tests[1].held_against_iops, Some(Iops::whole(500)));
}

#[test]
fn between_the_limits_is_neither() {
    let report = one(None, "P10", test("RND4K Q32T1 read", 2000.0));
    assert!(
        matches!(report.verdict, Verdict::BetweenLimits { lower, upper }
        if lower.iops == Iops::whole(500) && upper.iops == Iops::whole(3500))
    );
}

#[test]
fn a_cache_that_answers_in_part_is_told() {
    // ReadOnly on D8s_v3: 5,000 cold, 16,000 warm; at 9,000 some 44 % of the reads hit.
    let report = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        test("RND4K Q32T1 read", 9000.0),
    );
    assert_eq!(report.verdict.title(), "between limits");
    assert!(
        report.words.contains("host cache answered a part"),
        "{}",
        report.words
    );
}

#[test]
fn queue_depth_over_latency_bounds_the_rate() {
    // 4 outstanding at the typical 1 ms of Premium SSD make 4,000 of a P30's 5,000 IOPS.
    let report = one(Some("D8s_v3"), "P30", test("RND4K Q4T1 read", 3900.0));
    assert_eq!(report.verdict.title(), "latency-bound");
    assert_eq!(report.predicted_iops, Some(Iops::whole(4000)));
    // Measured at queue depth 1 in the same run: 800 IOPS are 1.25 ms, four at a time 3,200.
    let run = run(
        Format::FioJson,
        vec![
            test("RND4K Q1T1 read", 800.0),
            test("RND4K Q4T1 read", 3200.0),
        ],
    );
    let judgement = judged(&deployment(Some("D8s_v3"), &["P30"]), &run);
    let Verdict::LatencyBound {
        expected: Some(expected),
        ..
    } = &judgement.tests[1].verdict
    else {
        panic!("{:?}", judgement.tests[1].verdict);
    };
    assert_eq!(expected.latency_us.micros(), 1250.0);
    assert!(
        matches!(&expected.source, LatencySource::SameRun { test } if test == "RND4K Q1T1 read")
    );
    let check = &judgement.queue_depth_1[0];
    assert_eq!(check.implied_latency_us.micros(), 1250.0);
    assert_eq!(check.ratio_to_typical, Some(1.25));
    // 5,000 IOPS x 1.25 ms = 6.25, so 7 outstanding.
    assert_eq!(check.depth_to_reach_limit, Some(7.0));
}

/// One I/O at a time at queue depth `depth`, of a P10 or of no named disk.
fn at_depth(disk: Option<&str>, depth: u32, tests: Vec<Test>) -> (Option<f64>, f64, bool) {
    let plan = disk.map(|disk| deployment(Some("D8s_v3"), &[disk]));
    let target = plan.as_ref().map(|deployment| Target {
        deployment,
        volume: 0,
    });
    let options = Options {
        queue_depth: QueueDepth::new(depth),
        ..Options::default()
    };
    let run = run(Format::FioJson, tests);
    let judgement = judge(Catalog::embedded(), &run, target, &options);
    let check = &judgement.queue_depth_1[0];
    let at = check.application.unwrap();
    (check.depth_to_reach_limit, at.iops.get(), at.at_most)
}

#[test]
fn no_queue_makes_more_than_a_deeper_one_made() {
    let tests = || {
        vec![
            test("RND4K Q1T1 read", 10_000.0),
            test("RND4K Q8T1 read", 40_000.0),
            test("RND4K Q32T1 read", 64_000.0),
            test("RND4K Q32T1 write", 90_000.0),
        ]
    };
    // 16 x 10,000 = 160,000 by latency, 2 x 40,000 = 80,000 by the shallower queue, 64,000 by the deeper one.
    assert_eq!(at_depth(None, 16, tests()), (None, 64_000.0, true));
    // 4 x 10,000 = 40,000: what eight at a time made is no less.
    assert_eq!(at_depth(None, 4, tests()), (None, 40_000.0, true));
    // Deeper than any test: 64 at a time make at most twice what 32 made.
    assert_eq!(at_depth(None, 64, tests()), (None, 128_000.0, true));
}

#[test]
fn an_application_is_held_to_what_holds_without_credit() {
    // P30 (5,000 IOPS, no credit burst): 8 x 800 = 6,400 by latency, 5,000 by the disk; 5,000 x 1.25 ms = 6.25.
    let p30 = at_depth(Some("P30"), 8, vec![test("RND4K Q1T1 read", 800.0)]);
    assert_eq!(p30, (Some(7.0), 5000.0, false));
    // P10 (500 IOPS, 3,500 in burst): 400 at a time are 2.5 ms, two reach 500.
    let p10 = at_depth(Some("P10"), 8, vec![test("RND4K Q1T1 read", 400.0)]);
    assert_eq!(p10, (Some(2.0), 500.0, false));
    // Measured in burst, one at a time makes 990 already: no less.
    let burst = at_depth(Some("P10"), 8, vec![test("RND4K Q1T1 read", 990.0)]);
    assert_eq!(burst, (Some(1.0), 990.0, false));
}

#[test]
fn the_application_s_queue_depth_is_worked_out() {
    let run = run(Format::FioJson, vec![test("RND4K Q1T1 read", 800.0)]);
    let plan = deployment(Some("D8s_v3"), &["P30"]);
    let target = Target {
        deployment: &plan,
        volume: 0,
    };
    let options = Options {
        queue_depth: QueueDepth::new(32),
        ..Options::default()
    };
    let judgement = judge(Catalog::embedded(), &run, Some(target), &options);
    // 32 / 1.25 ms = 25,600, but 5,000 is the limit; 32 / 5,000 = 6.4 ms.
    let at = judgement.queue_depth_1[0].application.unwrap();
    assert_eq!(at.iops, Iops::whole(5000));
    assert!((at.latency_us.unwrap().millis() - 6.4).abs() < 1e-9);
}

#[test]
fn one_io_at_a_time_has_one_prediction() {
    // A P30 takes 1 ms typically: 1,000 IOPS one at a time, whatever is measured. 4,900 are 204 us, 5.5 times as fast as
    // 1 ms are 182 us; no limit of 5,000 had a part in either.
    for (iops, ratio, verdict) in [
        (980.0, 0.98, "latency-bound"),
        (1500.0, 1.5, "latency-bound"),
        (1600.0, 1.6, "faster than the disk"),
        (4900.0, 4.9, "faster than the disk"),
        (5100.0, 5.1, "faster than the disk"),
        (5500.0, 5.5, "faster than the disk"),
    ] {
        let report = one(Some("D4s_v5"), "P30", test("RND4K Q1T1 read", iops));
        assert_eq!(report.predicted_iops, Some(Iops::whole(1000)), "{iops}");
        assert!((report.ratio.unwrap() - ratio).abs() < 1e-9, "{iops}");
        assert_eq!(report.verdict.title(), verdict, "{iops}");
    }
    // 5,500 are above the disk's 5,000 by 10 %, more than the tolerance; 5,100 are not.
    let above = |iops| {
        let report = one(Some("D4s_v5"), "P30", test("RND4K Q1T1 read", iops));
        matches!(report.verdict, Verdict::FasterThanDisk { above: Some(limit), .. } if limit.iops == Iops::whole(5000))
    };
    assert!(above(5500.0) && !above(5100.0));
    // Four at a time make 4,000 at 1 ms, 6,000 at two thirds of it: 5,000 are within reach, and the limit held them.
    let four = one(Some("D4s_v5"), "P30", test("RND4K Q4T1 read", 4950.0));
    assert_eq!(four.verdict.title(), "at disk IOPS");
}

#[test]
fn one_io_at_a_time_on_a_small_disk_is_credit() {
    // A P10 sustains 500 IOPS; 1,000 at 1 ms are drawn from its credit.
    let burst = one(Some("D2s_v3"), "P10", test("RND4K Q1T1 read", 1000.0));
    assert_eq!(burst.verdict.title(), "latency-bound (burst)");
    assert!(
        burst.words.contains("no limit binds while it bursts")
            && burst
                .words
                .ends_with("what holds without end is the disk's IOPS limit, 500 IOPS"),
        "{}",
        burst.words
    );
    // A full bucket holds (3,500 - 500) x 1,800 s = 5,400,000 I/Os; at 1,000 it lasts 10,800 s, three hours.
    let lasting = |seconds| {
        let mut test = test("RND4K Q1T1 read", 1000.0);
        test.seconds = Some(seconds);
        one(Some("D2s_v3"), "P10", test).words
    };
    assert!(
        lasting(10_000.0).contains("a run this short fits"),
        "{}",
        lasting(10_000.0)
    );
    assert!(lasting(11_000.0).contains("does not last a run this long"));
    // 600 are above the 500 that hold, and further from 1,000 than any slack: credit gave out on the way.
    let between = one(Some("D2s_v3"), "P10", test("RND4K Q1T1 read", 600.0));
    assert_eq!(between.verdict.title(), "between limits");
    // Without credit to go by, 400 fall short of 500, not of 1,000.
    let below = one(Some("D2s_v3"), "P10", test("RND4K Q1T1 read", 400.0));
    assert_eq!(
        below.verdict,
        Verdict::BelowEveryLimit {
            expected: None,
            exceeded: None
        }
    );
    assert_eq!(below.ratio, Some(0.8));
    // At 500 the disk's limit holds it.
    let held = one(Some("D2s_v3"), "P10", test("RND4K Q1T1 read", 505.0));
    assert_eq!(held.verdict.title(), "at disk IOPS");
}

#[test]
fn what_a_rate_is_times_of_is_named() {
    // 5,500 one at a time are 5.5 times the 1,000 that 1 ms makes, and 182 us each.
    let words = one(Some("D4s_v5"), "P30", test("RND4K Q1T1 read", 5500.0)).words;
    assert!(
        words.contains(", 5.50 times what the typical 1 ms makes: a cache answered"),
        "{words}"
    );
}

#[test]
fn what_a_disk_without_burst_exceeds_is_cache() {
    // An S10 has 500 IOPS and no burst; 3,000 one at a time are 333 us, as a host cache answers (250 us, assumed).
    let report = one(
        Some("D4s_v5"),
        "S10:cache=rw",
        test("RND4K Q1T1 read", 3000.0),
    );
    assert_eq!(report.verdict.title(), "latency-bound");
    assert!(
        report.words.ends_with(
            "no limit binds while the host cache answers; where it does not, what holds is the disk's IOPS limit, 500 IOPS"
        ),
        "{}",
        report.words
    );
}

#[test]
fn the_host_cache_that_was_named_took_what_it_takes() {
    // 9,000 one at a time are 111 us, 2.25 times as fast as the 250 us assumed of a host cache, whose limit is 19,000.
    let took = |disk: &str, name: &str| {
        let words = one(Some("D4s_v5"), disk, test(name, 9000.0)).words;
        words.contains("the host cache that was named took them")
    };
    assert!(took("P30:cache=ro", "RND4K Q1T1 read"));
    assert!(took("P30:cache=rw", "RND4K Q1T1 write"));
    // ReadOnly takes no writes, and without caching there is none.
    assert!(!took("P30:cache=ro", "RND4K Q1T1 write"));
    assert!(!took("P30", "RND4K Q1T1 read"));
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
fn a_cached_disk_is_judged_cold_and_warm() {
    // ReadOnly on D8s_v3: cold 5,000 of the disk, warm 16,000 of the cache.
    let cold = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        test("RND4K Q32T1 read", 4950.0),
    );
    assert_eq!(cold.verdict.title(), "at disk IOPS");
    let warm = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        test("RND4K Q32T1 read", 16_300.0),
    );
    assert_eq!(warm.verdict.title(), "at VM cached IOPS");
    let listed = one(
        Some("D8s_v3"),
        "P30:cache=ro",
        moved("SEQ1M Q8T1 read", 133.0),
    );
    assert!(
        listed.words.contains("131.1 MB/s (listed as 128)"),
        "{}",
        listed.words
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
fn a_deeper_queue_that_made_less_is_not_asked_for() {
    // Four at a time at 1 ms would make 4,000; eight made 3,800.
    let run = run(
        Format::FioJson,
        vec![
            test("RND4K Q4T1 read", 3900.0),
            test("RND4K Q8T1 read", 3800.0),
        ],
    );
    let judgement = judged(&deployment(Some("D8s_v3"), &["P30"]), &run);
    let words = &judgement.tests[0].words;
    assert!(
        words.contains("a deeper queue made no more (RND4K Q8T1 read: 3,800 IOPS)"),
        "{words}"
    );
    // One at a time at 2,670 IOPS is 2.67 times what the typical 1 ms makes.
    let fast = one(Some("D8s_v3"), "P30", test("RND4K Q1T1 read", 2670.0));
    assert!(
        fast.words
            .contains("2.67 times what the typical 1 ms makes"),
        "{}",
        fast.words
    );
}

#[track_caller]
fn close(actual: f64, expected: f64) {
    assert!(
        (actual / expected - 1.0).abs() < 1e-9,
        "{actual} is not {expected}"
    );
}

/// A latency alone, of one test by its name.
fn waited(name: &str, ms: f64) -> Test {
    let kind = test_name::parse(name).unwrap();
    let mean = Latency::from_micros(ms * 1e3).ok();
    Test {
        name: name.to_owned(),
        kind,
        latency: Some(LatencyStats {
            mean,
            ..LatencyStats::default()
        }),
        ..Test::default()
    }
}

#[test]
fn a_latency_alone_is_a_rate_where_the_queue_depth_is_known() {
    // 32 / 6.4 ms = 5,000 IOPS, those of a P30.
    let at = one(
        Some("Standard_D8s_v5"),
        "P30",
        waited("RND4K Q32T1 read", 6.4),
    );
    assert_eq!(at.verdict.title(), "at disk IOPS");
    assert_eq!(at.iops, None, "what is not told is not shown as measured");
    close(at.ratio.unwrap(), 1.0);
    // One at a time: 1 / 0.9 ms against the typical 1 ms.
    let alone = waited("RND4K Q1T1 read", 0.9);
    let deployment = deployment(Some("Standard_D8s_v5"), &["P30"]);
    let judgement = judged(&deployment, &run(Format::Csv, vec![alone]));
    assert_eq!(titles(&judgement), ["latency-bound"]);
    let check = &judgement.queue_depth_1[0];
    close(check.iops.get(), 1e6 / 900.0);
    close(check.ratio_to_typical.unwrap(), 0.9);
}

#[test]
fn a_latency_without_a_queue_depth_says_what_is_missing() {
    let mut test = waited("RND4K Q1T1 read", 0.7);
    test.kind.queue_depth = None;
    let report = one(Some("Standard_D8s_v5"), "P30", test);
    assert!(report.words.contains("a latency alone"), "{}", report.words);
}

/// A test that ran so long.
fn timed(name: &str, iops: f64, seconds: f64) -> Test {
    let mut test = test(name, iops);
    test.seconds = Some(seconds);
    test
}

#[test]
fn more_than_credit_makes_of_a_run_so_long_is_above_every_limit() {
    // P10: 500 IOPS, and a full bucket of 3,000 x 1,800 s: (5,400,000 + 500 x 3,600) / 3,600 = 2,000 over an hour.
    // 4 x P30 at D4s_v5: 6,400 uncached and 20,000 in burst: (13,600 x 1,800 + 6,400 x 3,600) / 3,600 = 13,200.
    for (vm, disk, iops, most) in [
        ("D8s_v5", "P10", 3500.0, 2000.0),
        ("D4s_v5", "4xP30", 20_000.0, 13_200.0),
    ] {
        let report = one(Some(vm), disk, timed("RND4K Q128T1 read", iops, 3600.0));
        assert_eq!(report.verdict.title(), "above every limit", "{disk}");
        let held = report.held_against_iops.unwrap().get();
        assert!((held - most).abs() < 1e-6, "{disk}: {held}");
        assert!(
            report.words.contains("a run this long: "),
            "{}",
            report.words
        );
        // Twenty minutes fit.
        let short = one(Some(vm), disk, timed("RND4K Q128T1 read", iops, 1200.0));
        assert!(short.verdict.title().starts_with("at "), "{disk}");
    }
    // The average itself is between what holds without end and burst.
    let spent = one(None, "P10", timed("RND4K Q32T1 read", 2000.0, 3600.0));
    assert_eq!(spent.verdict.title(), "between limits");
}

#[test]
fn tests_one_after_another_share_the_credit() {
    // 3,600,000 of 5,400,000 are drawn by the first; 1,800,000 / 1,200 s + 500 = 2,000 are left for the second.
    let all = ["RND4K Q32T1 read", "RND4K Q32T1 write", "RND8K Q32T1 read"];
    let tests = all.map(|name| timed(name, 3500.0, 1200.0)).to_vec();
    let judgement = judged(
        &deployment(Some("D8s_v5"), &["P10"]),
        &run(Format::Csv, tests),
    );
    let expected = [
        "at disk IOPS (burst)",
        "above every limit",
        "above every limit",
    ];
    assert_eq!(titles(&judgement), expected);
    let held = judgement.tests.iter().map(|test| test.held_against_iops);
    let held: Vec<f64> = held.flatten().map(Iops::get).collect();
    assert_eq!(held, [3500.0, 2000.0, 500.0]);
    let words = &judgement.tests[1].words;
    assert!(
        words.contains("if they ran one right after another"),
        "{words}"
    );
}

#[test]
fn what_a_host_cache_may_have_answered_is_not_charged_to_the_disk() {
    // P10 with a cache: reads may be hits, so that the second test may still have all of the credit.
    let tests = vec![
        timed("RND4K Q32T1 read", 3500.0, 1800.0),
        timed("RND4K Q32T1 write", 3500.0, 1200.0),
    ];
    let deployment = deployment(Some("D8s_v3"), &["P10:cache=ro"]);
    let judgement = judged(&deployment, &run(Format::Csv, tests));
    assert_eq!(judgement.tests[1].verdict.title(), "at disk IOPS (burst)");
    let words = &judgement.tests[1].words;
    assert!(words.contains("only while burst credit lasts"), "{words}");
}

#[test]
fn credit_may_be_left_in_one_bucket_and_not_in_the_other() {
    // D2s_v3: 48 MB/s uncached, 200 in burst; P10: 100, 170 in burst. 100.3 MB/s: the VM still bursts, the disk does not.
    let writes = moved("SEQ1M Q8T1 write", 100.3);
    let report = one(Some("D2s_v3"), "P10", writes);
    assert_eq!(report.verdict.title(), "at disk MB/s");
    assert!(
        report
            .words
            .contains("the disk's burst credit is used up, the VM's is not"),
        "{}",
        report.words
    );
    assert!(
        report
            .words
            .ends_with("the VM's uncached MB/s limit, 48 MB/s")
    );
}

#[test]
fn writes_that_a_cache_no_longer_absorbs_are_at_the_limit_of_the_disk() {
    // A P10 with ReadWrite: what is written goes to the disk in the end, at 3,500 in burst.
    for name in ["RND4K Q32T1 read", "RND4K Q32T1 write"] {
        let report = one(Some("E8ds_v5"), "P10:cache=rw", test(name, 3490.0));
        assert_eq!(report.verdict.title(), "at disk IOPS (burst)", "{name}");
    }
}

#[test]
fn counters_above_what_holds_without_end_are_between_limits() {
    // P20: 2,300, 3,500 in burst.
    let mut mean = test("RND8K Q32T1 read", 3021.0);
    mean.seconds = Some(3000.0);
    let mut less = test("RND8K Q1T1 read", 1000.0);
    less.kind.queue_depth = None;
    let run = run(Format::AzureMonitor, vec![mean, less]);
    let judgement = judged(&deployment(Some("D8s_v5"), &["P20"]), &run);
    assert_eq!(titles(&judgement), ["between limits", "asked for less"]);
    let words = &judgement.tests[0].words;
    assert!(
        words.ends_with("or no more was asked of the disk"),
        "{words}"
    );
}

#[test]
fn what_is_above_the_limit_without_end_is_not_below_every_limit() {
    // P4: 120 IOPS, 3,500 in burst; one at a time makes 1,000 at 1 ms.
    let report = one(None, "P4", timed("RND4K Q1T1 read", 500.0, 10.0));
    assert_eq!(report.verdict.title(), "slower than the disk");
    assert!(
        report
            .words
            .ends_with("above what holds without end, the disk's IOPS limit, 120 IOPS"),
        "{}",
        report.words
    );
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
fn the_limit_of_a_disk_behind_a_cache_is_its_own_figure() {
    // P30 with ReadOnly: all reads hit, 30 % are writes, of which the disk takes 5,000: 5,000 / 0.3 = 16,667 in all.
    let mut mix = test("RND8K Q64T1 read", 16_600.0);
    mix.kind.read_share = Share::new(0.7).ok();
    let report = one(Some("E8ds_v5"), "P30:cache=ro", mix);
    assert_eq!(report.verdict.title(), "at disk IOPS");
    let expected = "at the disk's IOPS limit, 5,000 IOPS (30 % of 16,667 IOPS: the host cache answers the rest)";
    assert!(report.words.starts_with(expected), "{}", report.words);
}

#[test]
fn the_depth_for_a_limit_is_of_the_way_that_answered() {
    // P30 with ReadOnly on E8ds_v5: 5,000 from the disk, 38,000 from the cache. 1.05 ms are the disk's: 5,000 x 1.05 ms =
    // 5.25, 6; 250 us the cache's: 38,000 x 250 us = 9.5, 10; 500 us are neither's.
    let depth = |iops| {
        let run = run(Format::Csv, vec![test("RND4K Q1T1 read", iops)]);
        let judgement = judged(&deployment(Some("E8ds_v5"), &["P30:cache=ro"]), &run);
        judgement.queue_depth_1[0].depth_to_reach_limit
    };
    assert_eq!(depth(1e6 / 1050.0), Some(6.0));
    assert_eq!(depth(4000.0), Some(10.0));
    assert_eq!(depth(2000.0), None);
    // 476 of a P10's 500 are at the limit, one at a time.
    let run = run(Format::Csv, vec![test("RND4K Q1T1 read", 476.0)]);
    let judgement = judged(&deployment(None, &["P10"]), &run);
    assert_eq!(judgement.queue_depth_1[0].depth_to_reach_limit, Some(1.0));
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

#[test]
fn what_is_below_the_disk_and_at_the_cached_limit_may_be_cached() {
    // D8s_v3 caches 128 MiB/s = 134.2 MB/s.
    let report = one(Some("D8s_v3"), "P30", moved("SEQ1M Q8T1 read", 132.1));
    assert_eq!(report.verdict.title(), "below every limit");
    assert!(
        report.words.ends_with("is the disk cached?"),
        "{}",
        report.words
    );
    let write = one(Some("D8s_v3"), "P30", moved("SEQ1M Q8T1 write", 132.1));
    assert!(!write.words.contains("cached?"), "{}", write.words);
}

#[test]
fn what_one_at_a_time_makes_without_the_cache_is_what_is_predicted() {
    // P20 with ReadOnly on E8ds_v5: 1 / 1 ms = 1,000 from the disk, not its limit of 2,300.
    let report = one(
        Some("E8ds_v5"),
        "P20:cache=ro",
        test("RND4K Q1T1 read", 4559.0),
    );
    assert!(
        report
            .words
            .contains("where it does not, 1 at a time make 1,000 IOPS"),
        "{}",
        report.words
    );
}
