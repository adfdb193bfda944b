//! What a queue depth makes of a latency, and of the application's.

use diskcap::catalog::Catalog;
use diskcap::measure::judge::verdict::{LatencySource, Verdict};
use diskcap::measure::judge::{Options, Target, judge};
use diskcap::measure::model::{Format, Test};
use diskcap::units::{Iops, QueueDepth};

use crate::{deployment, judged, one, run, test};

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
fn what_a_rate_is_times_of_is_named() {
    // 5,500 one at a time are 5.5 times the 1,000 that 1 ms makes, and 182 us each.
    let words = one(Some("D4s_v5"), "P30", test("RND4K Q1T1 read", 5500.0)).words;
    assert!(
        words.contains(", 5.50 times what the typical 1 ms makes: a cache answered"),
        "{words}"
    );
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
fn a_quick_single_read_makes_no_deeper_queue_slow() {
    // 4 at the typical 1 ms are 4,000; at the 714 us of one at a time they would be more than the P30's 5,000.
    for (alone, four) in [(1400.0, 4000.0), (2100.0, 3800.0)] {
        let tests = vec![
            test("RND8K Q1T1 read", alone),
            test("RND8K Q4T1 read", four),
        ];
        let run = run(Format::Csv, tests);
        let judgement = judged(&deployment(Some("D8s_v5"), &["P30"]), &run);
        assert_eq!(
            judgement.tests[1].verdict.title(),
            "latency-bound",
            "{alone}"
        );
    }
}

#[test]
fn a_test_without_a_direction_is_held_to_the_limit_as_reads() {
    // 16 at 1 ms would be 16,000: of a P10 500 hold without credit, but one at a time made 1,000.
    let tests = vec![test("RND4K Q1T1", 1000.0)];
    assert_eq!(at_depth(Some("P10"), 16, tests), (Some(1.0), 1000.0, false));
}

#[test]
fn no_depth_reaches_a_limit_that_a_deeper_queue_did_not() {
    // By 1 ms two outstanding would reach what one makes and more; 32 made 503.
    let tests = vec![
        test("RND4K Q1T1 read", 440.0),
        test("RND4K Q32T1 read", 400.0),
    ];
    let (depth, iops, at_most) = at_depth(Some("P10"), 16, tests);
    assert_eq!((depth, at_most), (None, true));
    assert_eq!(iops, 440.0);
}
