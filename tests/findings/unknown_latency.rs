//! Queue depths on disks of unknown latency. Standard HDD is promised to read within 20 ms and to write within 10 ms,
//! Standard SSD to do both within 10 ms, Ultra within 1 ms.

use crate::common::{codes, plan, result};
use crate::{figure, finding};
use diskcap::planner::{Bottleneck, Severity};

/// One at a time at 400 IOPS: an I/O may take 1 / 400 s = 2.5 ms. Nobody promises that of a Standard HDD.
#[test]
fn a_demand_that_only_an_unknown_latency_meets_is_an_upper_bound() {
    let a = plan("D8s_v5", &["data=S40", "log=P30"], "depth=1 iops=400");
    let hdd = result(&a, "", "data").alone.sustained;
    assert!(hdd.at_most);
    assert_eq!(hdd.bottleneck, Bottleneck::Demand);
    assert_eq!(hdd.stopped_by(), "none known (demand met)");
    assert_eq!(hdd.latency_needed.unwrap().millis(), 2.5);
    // 1 ms is known of a Premium SSD: 400 of the 1,000 IOPS that one at a time makes.
    let ssd = result(&a, "", "log").alone.sustained;
    assert!(!ssd.at_most && ssd.latency_needed.is_none());
    assert_eq!(ssd.stopped_by(), "none (demand met)");
    let found = finding(&a, "LATENCY-UNKNOWN", "data");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "its latency is not known: 400 IOPS at queue depth 1 hold only where an I/O takes no more than 2.5 ms \
         (promised: writes under 10 ms, reads under 20 ms for most I/O)"
    );
    assert_eq!(figure(found, "latency_needed", "us"), 2500.0);
    assert!(found.fix.as_deref().unwrap().contains("latency="));
}

/// 8 outstanding I/Os of 20 ms make 400 IOPS; a ninth part more is not promised. Writes take half as long.
#[test]
fn a_promise_is_enough_for_what_it_surely_makes() {
    let is_sure = |disk: &str, words: &str| {
        let a = plan("D8s_v5", &[disk], words);
        let at_most = a.workloads[0].volumes[0].alone.sustained.at_most;
        assert_eq!(at_most, codes(&a).contains(&"LATENCY-UNKNOWN"));
        !at_most
    };
    assert!(is_sure("S40", "depth=8 iops=400"));
    assert!(!is_sure("S40", "depth=8 iops=401"));
    assert!(is_sure("S40", "depth=4 iops=400 read=0"));
    // Half and half: (20 + 10) / 2 = 15 ms, of which 6 make 400.
    assert!(is_sure("S40", "depth=6 iops=400 read=0.5"));
    assert!(!is_sure("S40", "depth=5 iops=400 read=0.5"));
    assert!(is_sure("E10", "depth=4 iops=400"));
    assert!(is_sure(
        "ultra:size=128,iops=8000,mbps=300",
        "depth=8 iops=8000"
    ));
    assert!(!is_sure(
        "ultra:size=128,iops=8000,mbps=300",
        "depth=7 iops=8000"
    ));
    // What the host cache answers takes 0.25 ms, the rest of the reads 10: (0.25 + 10) / 2 = 5.125 ms, 195 a second.
    assert!(is_sure("E10:cache=ro", "depth=1 iops=195 hit=0.5"));
    assert!(!is_sure("E10:cache=ro", "depth=1 iops=196 hit=0.5"));
    // Without a queue depth there are as many as it takes; a measured latency is known.
    assert!(is_sure("S40", "iops=400"));
    assert!(is_sure("S40:latency=2.5ms", "depth=1 iops=400"));
    // Nothing is promised of a volume of one's own.
    assert!(!is_sure("custom:iops=1000,mbps=100", "depth=500 iops=400"));
}

/// One at a time on an Ultra disk of 8,000 IOPS: 1 / 8,000 s = 125 us. Without a demand that is worth knowing.
#[test]
fn without_a_demand_it_is_an_info_and_no_latency_follows() {
    let a = plan("", &["log=ultra:size=256,iops=8000,mbps=300"], "depth=1");
    let outcome = result(&a, "", "log").alone.sustained;
    assert!(outcome.at_most);
    assert_eq!(outcome.latency, None);
    assert_eq!(outcome.stopped_by(), "disk IOPS");
    let found = finding(&a, "LATENCY-UNKNOWN", "log");
    assert_eq!(found.severity, Severity::Info);
    assert!(
        found.message.contains(
            "8,000 IOPS at queue depth 1 hold only where an I/O takes no more than 125 us"
        )
    );
}

#[test]
fn several_volumes_are_one_finding() {
    let a = plan("D8s_v5", &["data=S40", "log=E10"], "depth=1 iops=400");
    let found: Vec<_> = a
        .findings
        .iter()
        .filter(|f| f.id.code() == "LATENCY-UNKNOWN")
        .collect();
    let [found] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(found.subject, "Standard_D8s_v5");
    assert!(found.message.contains("data: 400 IOPS") && found.message.contains("log: 400 IOPS"));
}

/// What a deployment is looked at by without a workload is no demand of anybody: one at a time is not told.
#[test]
fn the_standard_tests_are_not_told_of() {
    let a = plan("D8s_v5", &["data=E10", "log=S40"], "");
    assert!(!codes(&a).contains(&"LATENCY-UNKNOWN"));
    let one = result(&a, "cdm-rnd4k-q1t1", "data").alone.sustained;
    assert!(one.at_most);
}

/// 600 IOPS one at a time: an E10 has 500. What takes its place is known to make them (Premium SSD v2: 0.65 ms, so 1,538;
/// Premium SSD: 1,000), or as little known as what is there; no other family of unknown latency.
#[test]
fn disks_of_unknown_latency_are_no_way_out_of_a_known_one() {
    let fix = |disk: &str| {
        let a = plan("D8s_v5", &[disk], "depth=1 iops=600");
        finding(&a, "DEMAND-UNMET", "data").fix.clone().unwrap()
    };
    assert_eq!(
        fix("data=E10"),
        "take E30:perfplus or P15 or v2:size=128,iops=3000,mbps=125"
    );
    // A P10 has 500 IOPS: of Standard SSD nobody knows.
    assert!(!fix("data=P10").contains('E'), "{}", fix("data=P10"));
}

/// The ceiling of the VM is full whatever the latency: 8,500 IOPS of an Ultra disk are more than the 3,750 of a D2s_v5.
#[test]
fn a_ceiling_is_told_all_the_same() {
    let a = plan(
        "D2s_v5",
        &["data=ultra:size=256,iops=8500,mbps=300"],
        "depth=2",
    );
    assert!(codes(&a).contains(&"VM-UNCACHED-IOPS"));
}
