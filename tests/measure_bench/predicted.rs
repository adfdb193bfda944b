//! What is predicted does not follow what was measured, and only what is there is named.

use diskcap::catalog::Catalog;
use diskcap::measure::bench::{Bench, Input, Request, bench};
use diskcap::measure::judge::{Raise, TestReport};
use diskcap::measure::model::{Format, Test};
use diskcap::planner::FindingId;
use diskcap::units::Iops;

use crate::{deployment, judged, moved, one, run, test};

/// What is predicted for so many IOPS.
fn predicted(report: &TestReport) -> (f64, Option<(f64, Raise)>) {
    let most = report.predicted_most_iops.map(Iops::get);
    (
        report.predicted_iops.unwrap().get(),
        most.zip(report.predicted_most_by),
    )
}

#[test]
fn a_cached_disk_has_one_prediction_whatever_was_measured() {
    // D2s_v3, P20 with ReadOnly, one read at a time: 1 / 1 ms from the disk (of 2,300), 1 / 250 us from the cache, which is
    // also its limit of 4,000.
    for (iops, verdict) in [
        (300.0, "below every limit"),
        (900.0, "latency-bound"),
        (1900.0, "faster than the disk"),
        (2300.0, "faster than the disk"),
        (3000.0, "latency-bound"),
        (3900.0, "at VM cached IOPS"),
        (4559.0, "above every limit"),
        (5403.0, "above every limit"),
    ] {
        let measured = test("RND4K Q1T1 read", iops);
        let report = one(Some("D2s_v3"), "P20:cache=ro", measured);
        let expected = (1000.0, Some((4000.0, Raise::HostCache)));
        assert_eq!(predicted(&report), expected, "{iops}");
        assert_eq!(report.verdict.title(), verdict, "{iops}: {}", report.words);
    }
}

#[test]
fn burst_is_predicted_beside_what_holds_without_end() {
    // P10: 500 IOPS, 3,500 in burst; two at a time make 2,000 at 1 ms.
    for iops in [100.0, 500.0, 2000.0, 3500.0, 9000.0] {
        let deep = one(None, "P10", test("RND4K Q32T1 read", iops));
        let expected = (500.0, Some((3500.0, Raise::Credit)));
        assert_eq!(predicted(&deep), expected, "{iops}");
        let two = one(None, "P10", test("RND4K Q2T1 read", iops));
        let expected = (500.0, Some((2000.0, Raise::Credit)));
        assert_eq!(predicted(&two), expected, "{iops}");
    }
    // P30 has no credit, and 1 MiB blocks are held by its 200 MB/s: 190.7 a second.
    let plain = one(None, "P30", moved("SEQ1M Q8T1 read", 150.0));
    assert_eq!(plain.predicted_most_iops, None);
    assert!((plain.predicted_mbps.unwrap().get() - 200.0).abs() < 1e-6);
}

#[test]
fn the_limit_of_the_cache_is_raised_by_its_credit_only() {
    // D8s_v3 caches 16,000 IOPS / 128 MiB/s, and 400 MB/s in burst: a P20 with a cache is held by 134.2 or less.
    let report = one(
        Some("D8s_v3"),
        "P20:cache=ro",
        moved("SEQ1M Q8T1 read", 131.0),
    );
    assert_eq!(report.predicted_most_by, Some(Raise::Credit));
    assert!((report.predicted_most_mbps.unwrap().get() - 400.0).abs() < 1e-6);
}

#[test]
fn a_prediction_without_a_latency_is_an_upper_bound() {
    // No latency of Ultra disks is known: one at a time makes the limit of 5,000 at most. 32 at a time may well make it.
    let of = |disk, name| {
        let report = one(Some("D8s_v5"), disk, test(name, 1500.0));
        (
            report.predicted_iops.map(Iops::get),
            report.predicted_at_most,
        )
    };
    let ultra = "ultra:size=100,iops=5000,mbps=200";
    assert_eq!(of(ultra, "RND4K Q1T1 read"), (Some(5000.0), true));
    assert_eq!(of(ultra, "RND4K Q32T1 read"), (Some(5000.0), false));
    assert_eq!(of("P30", "RND4K Q1T1 read"), (Some(1000.0), false));
    assert_eq!(
        of("custom:iops=9000", "RND4K Q32T1 read"),
        (Some(9000.0), true)
    );
}

#[test]
fn a_disk_of_unknown_latency_is_not_slow_beside_its_cache() {
    // No latency of an S10 is known, 250 us of the cache are assumed: 10 ms are the disk's, 300 us the cache's.
    let read = |iops| {
        let measured = test("RND4K Q1T1 read", iops);
        one(Some("D4s_v5"), "S10:cache=ro", measured)
    };
    let slow = read(100.0);
    assert_eq!(slow.verdict.title(), "latency-bound");
    assert!(
        slow.words.contains("no usual latency is known"),
        "{}",
        slow.words
    );
    assert!(slow.predicted_at_most);
    assert!(read(3300.0).predicted_at_most);
    let fast = read(3300.0).words;
    assert!(
        fast.contains("each taking 303 us (host cache, assumed: 250 us)"),
        "{fast}"
    );
}

/// An Ultra disk is promised to answer within 1 ms: 32 at a time make 32,000 IOPS then, more than it has; 4 make 4,000 of
/// 10,000, and nobody knows how many more.
#[test]
fn what_a_queue_makes_of_an_unknown_latency_is_an_upper_bound() {
    let of = |name: &str, iops: f64| {
        let disk = "ultra:size=512,iops=10000,mbps=200";
        one(Some("D16s_v5"), disk, test(name, iops))
    };
    let shallow = of("RND4K Q4T1 read", 2930.0);
    assert_eq!(predicted(&shallow), (10_000.0, None));
    assert!(shallow.predicted_at_most);
    assert!(!of("RND4K Q32T1 read", 4932.0).predicted_at_most);
}

#[test]
fn the_assumed_latency_of_a_cache_bounds_nothing() {
    // D8s_v3 caches 16,000 IOPS: one read at a time makes 4,000 of them at the 250 us that are assumed, and made 16,104
    // where it was measured.
    let report = one(
        Some("D8s_v3"),
        "P20:cache=ro",
        test("RND4K Q1T1 read", 16_104.0),
    );
    assert_eq!(
        predicted(&report),
        (1000.0, Some((16_000.0, Raise::HostCache)))
    );
    assert!(report.predicted_most_at_most && !report.predicted_at_most);
    // Of 70 % reads the 30 % writes wait for the disk: 0.3 x 1 ms + 0.7 x 1 us = 300.7 us.
    let mixed = one(
        Some("D8s_v3"),
        "P20:cache=ro",
        test("RND4K Q1T1 70% read", 1500.0),
    );
    let (_, most) = predicted(&mixed);
    assert!((most.unwrap().0 - 1e6 / 300.7).abs() < 1e-6, "{most:?}");
}

#[test]
fn a_write_is_taken_by_a_readwrite_cache_only() {
    // D8s_v3 caches 16,000 IOPS; an S10 has 500 and no credit.
    let write = |disk| one(Some("D8s_v3"), disk, test("RND4K Q32T1 write", 400.0));
    let by = |disk| write(disk).predicted_most_iops.map(Iops::get);
    assert_eq!(by("S10:cache=rw"), Some(16_000.0));
    assert_eq!(by("S10:cache=ro"), None);
    assert_eq!(by("S10"), None);
}

#[test]
fn only_what_there_is_is_named() {
    // Credit and no cache.
    let credit = one(None, "P10", test("RND4K Q32T1 read", 2000.0)).words;
    assert!(
        credit.ends_with(": burst credit gave out on the way, or was not full"),
        "{credit}"
    );
    let at = one(None, "P10", test("RND4K Q32T1 read", 3500.0)).words;
    assert!(at.contains("only while burst credit lasts"), "{at}");
    // A cache and no credit.
    let cache = one(
        Some("D4s_v3"),
        "S10:cache=rw",
        test("RND4K Q32T1 write", 2000.0),
    );
    assert!(
        cache
            .words
            .ends_with(": the host cache gave out on the way, or was not full"),
        "{}",
        cache.words
    );
}

#[test]
fn credit_is_not_named_where_it_makes_less() {
    // A P20 bursts to 3,500 IOPS: 9,000 writes a second came from the cache, 3,000 from one of both.
    let words = |iops| {
        let measured = test("RND4K Q32T1 write", iops);
        one(Some("D8s_v3"), "P20:cache=rw", measured).words
    };
    assert!(
        words(9000.0).contains(": the host cache gave out"),
        "{}",
        words(9000.0)
    );
    assert!(
        words(3000.0).contains(": burst credit or the host cache gave out"),
        "{}",
        words(3000.0)
    );
}

fn of(tests: Vec<Test>) -> Bench {
    let plan = deployment(Some("D2s_v3"), &["P20"]);
    let input = Input {
        name: "run.txt".to_owned(),
        target: None,
        runs: vec![run(Format::FioJson, tests)],
    };
    let request = Request {
        vm: plan.vm.as_ref(),
        deployment: Some(&plan),
        ..Request::default()
    };
    bench(Catalog::embedded(), &[input], &request).unwrap()
}

#[test]
fn each_test_above_every_limit_is_named() {
    // P20 bursts to 3,500 IOPS and 170 MB/s: 90,000 are 25.71 times, 60,000 17.14 times, 400 MB/s 2.35 times that.
    let bench = of(vec![
        moved("SEQ1M Q8T1 write", 400.0),
        test("RND4K Q32T1 read", 90_000.0),
        test("RND4K Q32T1 write", 60_000.0),
        test("RND4K Q32T4 read", 2300.0),
    ]);
    let above: Vec<&str> = bench
        .findings
        .iter()
        .filter(|finding| finding.id == FindingId::AboveLimits)
        .map(|finding| finding.message.as_str())
        .collect();
    let [message] = above.as_slice() else {
        panic!("{above:?}");
    };
    assert!(
        message.starts_with("RND4K Q32T1 read: 25.71 times"),
        "{message}"
    );
    assert!(
        message.ends_with(
            "; also above every limit: SEQ1M Q8T1 write (2.35 times 170 MB/s), RND4K Q32T1 write (17.14 times 3,500 IOPS)"
        ),
        "{message}"
    );
}

#[test]
fn no_queue_depth_follows_from_the_latency_of_something_else() {
    // 3,000 one at a time are 333 us: not those of a P20.
    let fast = run(Format::FioJson, vec![test("RND4K Q1T1 read", 3000.0)]);
    let plan = deployment(Some("D2s_v3"), &["P20"]);
    assert_eq!(
        judged(&plan, &fast).queue_depth_1[0].depth_to_reach_limit,
        None
    );
    // 1 ms is its own: 2,300 IOPS need 2.3 at a time, so 3.
    let own = run(Format::FioJson, vec![test("RND4K Q1T1 read", 1000.0)]);
    assert_eq!(
        judged(&plan, &own).queue_depth_1[0].depth_to_reach_limit,
        Some(3.0)
    );
    // Of a cached disk both latencies that may be are told.
    let cached = deployment(Some("D2s_v3"), &["P20:cache=ro"]);
    let check = &judged(&cached, &own).queue_depth_1[0];
    assert_eq!(check.typical_latency_us.unwrap().micros(), 1000.0);
    assert_eq!(check.cache_latency_us.unwrap().micros(), 250.0);
}

#[test]
fn what_small_blocks_make_of_a_queue_bounds_large_ones() {
    // P30: 5,000 IOPS, 200 MB/s, typically 1 ms for small I/O: 2 at a time make 2,000 at most, 4 make 4,000 and 8 more than
    // its limits.
    let of = |name, iops| one(Some("D8s_v3"), "P30", test(name, iops));
    for iops in [400.0, 1500.0, 2000.0] {
        let two = of("RND32K Q2T1 read", iops);
        assert_eq!(predicted(&two), (2000.0, None), "{iops}");
        assert!(two.predicted_at_most, "{iops}");
        assert_eq!(two.verdict.title(), "latency-bound", "{}", two.words);
        assert_eq!((two.ratio, two.held_against_iops), (None, None), "{iops}");
    }
    assert_eq!(
        of("RND32K Q2T1 read", 4000.0).verdict.title(),
        "faster than the disk"
    );
    let one_at_a_time = of("RND32K Q1T1 read", 700.0);
    assert_eq!(predicted(&one_at_a_time), (1000.0, None));
    assert!(one_at_a_time.predicted_at_most);
    assert_eq!(one_at_a_time.ratio, None);
    let eight = of("RND32K Q8T1 read", 2500.0);
    assert_eq!(predicted(&eight), (5000.0, None));
    assert!(!eight.predicted_at_most);
    assert_eq!(eight.verdict.title(), "below every limit");
    // A given latency of 2 ms: 2 at a time make 1,000 at most.
    let given = one(
        Some("D8s_v3"),
        "P30:latency=2ms",
        test("RND32K Q2T1 read", 900.0),
    );
    assert_eq!(predicted(&given), (1000.0, None));
    assert!(given.predicted_at_most);
    assert_eq!(given.verdict.title(), "latency-bound");
}

#[test]
fn credit_lifts_large_blocks_to_what_the_queue_makes_at_most() {
    // P10: 500 IOPS, 3,500 in burst; two at a time make 2,000 at most.
    let two = one(None, "P10", test("RND32K Q2T1 read", 1500.0));
    assert_eq!(predicted(&two), (500.0, Some((2000.0, Raise::Credit))));
    assert!(two.predicted_most_at_most && !two.predicted_at_most);
    assert_eq!(two.verdict.title(), "latency-bound (burst)");
}
