//! What a host cache answers, and the limits behind it.

use diskcap::measure::model::Format;
use diskcap::units::Share;

use crate::{deployment, judged, moved, one, run, test, timed};

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
fn writes_that_a_cache_no_longer_absorbs_are_at_the_limit_of_the_disk() {
    // A P10 with ReadWrite: what is written goes to the disk in the end, at 3,500 in burst.
    for name in ["RND4K Q32T1 read", "RND4K Q32T1 write"] {
        let report = one(Some("E8ds_v5"), "P10:cache=rw", test(name, 3490.0));
        assert_eq!(report.verdict.title(), "at disk IOPS (burst)", "{name}");
    }
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
