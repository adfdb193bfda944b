//! Results that tell a latency and no rate.

use diskcap::measure::model::{Format, LatencyStats, Test};
use diskcap::measure::test_name;
use diskcap::units::Latency;

use crate::{close, deployment, judged, one, run, titles};

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
