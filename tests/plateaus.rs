//! How long each rate of a plan lasts from full credit, worked by hand: buckets hold (burst - base) x 1,800 s.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod common;

use common::{close, codes, plan, result};
use diskcap::planner::plateaus::Plateau;

/// Rates (IOPS, or MB/s where `mbps`) and durations in seconds; the last one lasts for good.
fn told(plateaus: &[Plateau], mbps: bool) -> Vec<(f64, Option<f64>)> {
    let rate = |p: &Plateau| if mbps { p.mbps } else { p.iops };
    plateaus
        .iter()
        .map(|p| (rate(p).unwrap(), p.lasts_seconds))
        .collect()
}

#[track_caller]
fn same(got: &[(f64, Option<f64>)], expected: &[(f64, Option<f64>)]) {
    assert_eq!(got.len(), expected.len(), "{got:?}");
    for ((rate, lasts), (expected_rate, expected_lasts)) in got.iter().zip(expected) {
        close(*rate, *expected_rate, 1e-3);
        assert_eq!(lasts.is_some(), expected_lasts.is_some(), "{got:?}");
        close(lasts.unwrap_or(0.0), expected_lasts.unwrap_or(0.0), 0.5);
    }
}

fn alone(vm: &str, disk: &str, words: &str, mbps: bool) -> Vec<(f64, Option<f64>)> {
    let a = plan(vm, &[disk], words);
    told(&result(&a, "", &a.volumes[0].name).plateaus, mbps)
}

/// A P30 at 200 MB/s through the cache of a D8s_v3: the cached bucket (400 - 131.072) x 1,800 = 484,070.4 MB drains by
/// 68.928 a second: 7,022.8 s; the uncached one by 8 a second, far longer. Then 131.072 hold.
#[test]
fn the_bucket_that_empties_first_decides() {
    let got = alone("Standard_D8s_v3", "P30:cache=ro", "block=1MiB", true);
    same(&got, &[(200.0, Some(7022.84)), (131.072, None)]);
}

/// Two P10 on a D2s_v3 draw 4,000 of 7,000: the VM's bucket of 800 x 1,800 I/Os is gone after 1,800 s. By then each disk
/// has spent (2,000 - 500) x 1,800 = 2,700,000 of its 5,400,000; at 1,600 each the rest lasts 2,700,000 / 1,100 =
/// 2,454.5 s. Then 500 each.
#[test]
fn the_vm_s_credit_first_then_the_disks() {
    let got = alone("Standard_D2s_v3", "2xP10", "block=4KiB", false);
    same(
        &got,
        &[
            (4000.0, Some(1800.0)),
            (3200.0, Some(2454.5)),
            (1000.0, None),
        ],
    );
}

/// Three P6 (240 IOPS, 50 MB/s; burst 3,500 / 170) at 256 KiB: the VM's 200 MB/s for 1,800 s, then 48. The disks' own
/// base of 150 MB/s is above that: their buckets never empty.
#[test]
fn disks_above_the_vm_s_base_never_run_out() {
    let got = alone("Standard_D2s_v3", "3xP6", "block=256KiB", true);
    same(&got, &[(200.0, Some(1800.0)), (48.0, None)]);
}

/// A P15 (1,100 IOPS, 125 MB/s) at 64 KiB: 170 MB/s are 2,594 IOPS and last 1,800 s. By then the IOPS bucket of
/// 4,320,000 has lost 1,493.98 x 1,800 = 2,689,160; at 125 MB/s (1,907.3 IOPS) the rest lasts 1,630,840 / 807.35 =
/// 2,020 s. Then 1,100 IOPS, 72.09 MB/s.
#[test]
fn iops_credit_is_spent_while_mbps_credit_is() {
    let got = alone("Standard_M64s", "P15:cache=ro", "block=64KiB", true);
    same(
        &got,
        &[
            (170.0, Some(1800.0)),
            (125.0, Some(2020.0)),
            (72.0896, None),
        ],
    );
}

/// Three P30 at once: 15,000 IOPS; the VM's bucket of 3,200 x 1,800 drains by 2,200: 2,618.2 s, though each disk by
/// itself never touches it.
#[test]
fn volumes_at_once_share_the_vm_s_credit() {
    let a = plan(
        "Standard_D8s_v3",
        &["a=P30", "b=P30", "c=P30"],
        "block=4KiB",
    );
    let got = told(&a.workloads[0].plateaus, false);
    same(&got, &[(15_000.0, Some(2618.2)), (12_800.0, None)]);
    let finding = a
        .findings
        .iter()
        .find(|f| f.id.code() == "VM-BURST-ONLY")
        .unwrap();
    assert_eq!(finding.subject, "Standard_D8s_v3");
    assert!(finding.message.contains("44 min"), "{}", finding.message);
}

/// The field report: 170 MB/s until the disk's credit ends (30 min), 100 until the VM's does (54,000 MB / 52 = 1,038 s).
#[test]
fn a_p10_falls_twice_on_a_d2s_v3() {
    let got = alone("Standard_D2s_v3", "P10", "block=1MiB", true);
    same(
        &got,
        &[(170.0, Some(1800.0)), (100.0, Some(1038.5)), (48.0, None)],
    );
}

/// A P30 has no credit, and a D8s_v3 lets its 5,000 IOPS through: nothing falls, nothing is said.
#[test]
fn what_does_not_fall_is_no_finding() {
    let a = plan("Standard_D8s_v3", &["P30"], "block=4KiB");
    assert_eq!(result(&a, "", "P30").plateaus.len(), 1);
    assert!(!codes(&a).iter().any(|c| c.contains("BURST")));
}
