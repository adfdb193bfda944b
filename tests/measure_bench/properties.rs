//! Whatever was measured: one verdict a test that agrees with its ratio.

use diskcap::catalog::Catalog;
use diskcap::measure::identify::identify;
use diskcap::measure::judge::verdict::Verdict;
use diskcap::measure::model::{Format, LatencyStats, Test};
use diskcap::units::Latency;
use proptest::prelude::*;

use crate::{deployment, judged, run, test};

fn any_test() -> impl Strategy<Value = Test> {
    let names = prop_oneof![
        Just("RND4K Q1T1 read"),
        Just("RND4K Q32T16 write"),
        Just("SEQ1M Q8T1 read"),
        Just("RND8K Q4T1 write"),
    ];
    (
        names,
        0.0..1e6_f64,
        proptest::option::of(1.0..1e7_f64),
        proptest::option::of(0.0..1e5_f64),
    )
        .prop_map(|(name, iops, latency, seconds)| Test {
            latency: latency.map(|us| LatencyStats {
                mean: Latency::from_micros(us).ok(),
                ..LatencyStats::default()
            }),
            seconds,
            ..test(name, iops)
        })
}

proptest! {
    #[test]
    fn every_test_gets_one_verdict_that_agrees_with_its_ratio(tests in proptest::collection::vec(any_test(), 0..6)) {
        let run = run(Format::FioJson, tests);
        for disk in ["P10", "P30:cache=rw", "2xE10:cache=ro", "v2:size=100", "S10", "temp", "custom:iops=100"] {
            let judgement = judged(&deployment(Some("D8s_v3"), &[disk]), &run);
            prop_assert_eq!(judgement.tests.len(), run.tests.len());
            for test in &judgement.tests {
                match (&test.verdict, test.ratio) {
                    (Verdict::At { .. }, Some(ratio)) => prop_assert!((ratio - 1.0).abs() <= 0.075 + 1e-9),
                    (Verdict::AboveEveryLimit { .. }, Some(ratio)) => prop_assert!(ratio > 1.0),
                    (Verdict::BelowEveryLimit { .. }, Some(ratio)) => prop_assert!(ratio < 1.0),
                    _ => {}
                }
            }
        }
        let found = identify(Catalog::embedded(), &run, None, 0.075);
        prop_assert!(!found.conclusion.is_empty());
    }
}
