//! What is judged, and the exit codes.

use crate::cli::{run, shown};

#[test]
fn plans_that_cannot_be_deployed_end_with_2_and_say_why() {
    let cases = [
        ("plan --vm D2s_v3 --disk v2:size=5,iops=10000", "V2-RANGE"),
        ("plan --vm D2s_v3 --disk v2:size=100,cache=ro", "V2-CACHING"),
        (
            "plan --vm D2s_v3 --disk ultra:size=64,iops=5000,mbps=100,cache=rw",
            "ULTRA-CACHING",
        ),
        ("plan --vm D2s_v3 --disk P60:cache=ro", "LARGE-DISK-CACHING"),
        (
            "plan --vm D2s_v3 --disk P30:cache=ro,shares=2",
            "SHARED-DISK-CACHING",
        ),
        ("plan --vm D2s_v3 --disk 5xP10", "TOO-MANY-DISKS"),
        ("plan --vm A2_v2 --disk P30", "PREMIUM-UNSUPPORTED"),
        ("plan --vm D2s_v3 --disk P10:tier=P80", "PERFORMANCE-TIER"),
        ("plan --vm D2s_v3 --disk P30:tier=P10", "PERFORMANCE-TIER"),
        (
            "plan --vm D2s_v3 --disk P10:burst=on",
            "FEATURE-NOT-OFFERED",
        ),
        (
            "plan --vm D2s_v3 --disk P10:perfplus",
            "FEATURE-NOT-OFFERED",
        ),
        ("plan --vm D2s_v3 --disk os=v2:size=64,os", "OS-DISK-KIND"),
        (
            "plan --vm D2s_v3 --disk ultra:size=64,iops=500000,mbps=100",
            "ULTRA-RANGE",
        ),
        ("plan --vm D2s_v3 --disk v2:size=0", "V2-RANGE"),
    ];
    for (words, id) in cases {
        let output = run(words);
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        assert!(
            out.contains(id) && err.contains(id),
            "{}",
            shown(words, &output)
        );
    }
}

#[test]
fn what_is_only_unwise_is_a_finding_and_ends_with_0() {
    let cases = [
        ("plan --vm D8s_v3 --disk P30:cache=rw", "RW-CACHE-DATA"),
        ("plan --vm B2ms --disk P10:cache=ro", "SIZE-CACHING"),
        ("plan --vm D8s_v3 --disk os=S10:os,cache=rw", "OS-DISK-HDD"),
        ("plan --vm D8s_v3 --disk os=P10:os", "OS-CACHE-DEFAULT"),
        ("plan --vm DS3_v2 --disk P10", "RETIRING-SIZE"),
        ("plan --vm D8s_v3 --disk custom:iops=9000", "UNKNOWN-CAP"),
        ("plan --vm E8bds_v5 --disk 8xP30", "INTERFACE-CAPS"),
        (
            "plan --vm D8s_v3 --interface nvme --disk P30",
            "CONTROLLER-UNKNOWN",
        ),
        ("plan --vm D2s_v3 --disk temp", "LOCAL-DATA"),
        (
            "plan --vm D8s_v3 --disk P30 --block-size 64KiB",
            "BLOCK-SIZE-MBPS",
        ),
        ("plan --vm D8s_v3 --disk P30 --queue-depth 2", "QUEUE-DEPTH"),
        (
            "plan --vm D64s_v3 --disk E10 --block-size 1MiB --iops 1000",
            "BLOCK-SIZE-MBPS",
        ),
    ];
    for (words, id) in cases {
        let output = run(words);
        assert_eq!(output.status.code(), Some(0), "{}", shown(words, &output));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(id), "{}", shown(words, &output));
    }
}

#[test]
fn fail_on_turns_findings_into_exit_code_1() {
    let words = "plan --vm D2s_v3 --disk P30";
    assert_eq!(run(words).status.code(), Some(0));
    assert_eq!(
        run(&format!("{words} --fail-on warning")).status.code(),
        Some(1)
    );
    assert_eq!(
        run(&format!("{words} --fail-on error")).status.code(),
        Some(0)
    );
}

/// 5,000 of 12,000 IOPS: the gate looks at findings, and this is one.
#[test]
fn a_demand_that_is_not_met_fails_the_gate() {
    let words = "plan --vm D8s_v5 --disk data=P30 --iops 12k --fail-on warning";
    assert_eq!(run(words).status.code(), Some(1));
    let met = "plan --vm D8s_v5 --disk data=P60 --iops 12k --fail-on warning";
    assert_eq!(run(met).status.code(), Some(0));
}
