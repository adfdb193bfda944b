//! Burst credit: what it makes of a run, and how long it lasts.

use diskcap::measure::judge::verdict::Verdict;
use diskcap::measure::model::Format;
use diskcap::units::Iops;

use crate::{deployment, judged, moved, one, run, test, timed, titles};

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
        matches!(report.verdict, Verdict::BetweenLimits { lower, upper, .. }
        if lower.iops == Iops::whole(500) && upper.iops == Iops::whole(3500))
    );
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
fn short_of_burst_is_told_by_what_a_full_bucket_makes() {
    // P20: 2,300 IOPS, and a full bucket of 1,200 x 1,800 s = 2,160,000 for a burst to 3,500.
    let of = |seconds| {
        one(
            Some("E8ds_v5"),
            "P20",
            timed("RND8K Q32T1 read", 2900.0, seconds),
        )
    };
    // 60 s draw 36,000 of it: it did not give out.
    let short = of(60.0);
    let lasts = matches!(
        short.verdict,
        Verdict::BetweenLimits {
            credit_lasts: true,
            ..
        }
    );
    assert!(
        lasts && short.words.contains("lasts longer than such a run"),
        "{}",
        short.words
    );
    // 2,300 + 2,160,000 / 3,600 = 2,900 over an hour: it gave out.
    let long = of(3600.0);
    let lasts = matches!(
        long.verdict,
        Verdict::BetweenLimits {
            credit_lasts: true,
            ..
        }
    );
    assert!(
        !lasts
            && long
                .words
                .contains("2,900 IOPS on average of a run of 3,600 s"),
        "{}",
        long.words
    );
}
