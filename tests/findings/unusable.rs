//! What is provisioned and never passes.

use crate::common::{close, plan};
use crate::{figure, finding, priced};
use diskcap::planner::Severity;

/// D8ds_v5: 12,800 IOPS and 290 MB/s, 20,000 and 1,200 in burst. What another VM may use of a shared disk is no waste: no
/// warning, no setting to lower, no money.
#[test]
fn what_other_vms_may_use_of_a_shared_disk_is_no_waste() {
    let disks = ["os=P10:os", "s=v2:size=1TiB,iops=40000,mbps=1200,shares=2"];
    let a = priced("Standard_D8ds_v5", &disks);
    for subject in ["s", "Standard_D8ds_v5"] {
        let lost = finding(&a, "UNUSABLE", subject);
        assert_eq!(lost.severity, Severity::Info, "{lost:?}");
        assert!(!lost.message.contains("a month"), "{}", lost.message);
        assert!(!lost.fix.as_deref().unwrap().contains("iops="), "{lost:?}");
    }
    close(
        figure(finding(&a, "UNUSABLE", "s"), "unusable_burst", "IOPS"),
        20_000.0,
        1e-6,
    );
}

/// Misses and writes of a cached disk pass the cached ceiling too: 200 - 131.072 = 68.928 MB/s of a P30 are lost.
#[test]
fn unusable_counts_the_cached_ceiling() {
    let a = plan("Standard_D8s_v3", &["P30:cache=ro"], "block=1MiB");
    close(
        a.volumes[0].unusable_sustained.mbps.unwrap().get(),
        68.928,
        1e-9,
    );
    let small = plan("Standard_D2s_v3", &["P30:cache=ro"], "block=1MiB");
    close(
        small.volumes[0].unusable_sustained.mbps.unwrap().get(),
        167.232,
        1e-9,
    );
}

/// Ten P30 are paid for 50,000 IOPS and 2,000 MB/s; a D8s_v3 sustains 12,800 and 192: none by itself loses an IOPS.
#[test]
fn unusable_is_added_up_over_volumes() {
    let names: Vec<String> = (0..10).map(|n| format!("d{n}=P30")).collect();
    let disks: Vec<&str> = names.iter().map(String::as_str).collect();
    let a = plan("Standard_D8s_v3", &disks, "block=4KiB");
    let found = finding(&a, "UNUSABLE", "Standard_D8s_v3");
    close(figure(found, "unusable_sustained", "IOPS"), 37_200.0, 1e-6);
    close(figure(found, "unusable_sustained", "MB/s"), 1808.0, 1e-6);
}

#[test]
fn without_burst_what_is_unusable_is_one_figure() {
    // Two P6 have 50 MB/s each; DS1_v2 lets 48 through and does not burst. D2s_v3 lets 48 of two P20 (150 each) through,
    // 200 in burst.
    let words = |vm, disks: [&str; 2]| {
        let a = priced(vm, &disks);
        let found = a
            .findings
            .iter()
            .find(|f| f.id.code() == "UNUSABLE" && f.message.starts_with("all volumes together"));
        found.unwrap().message.clone()
    };
    let without = words("DS1_v2", ["P6", "P6"]);
    assert!(
        without.starts_with(
            "all volumes together are provisioned for 52 MB/s (100 - 48) more than the VM lets through; in brackets"
        ),
        "{without}"
    );
    let with = words("D2s_v3", ["P20", "P20"]);
    assert!(
        with.contains("100 MB/s (300 - 200) more than the VM lets through in burst, ")
            && with.contains("252 MB/s (300 - 48) more than it sustains;"),
        "{with}"
    );
}

/// What never passes and cannot be provisioned apart from the size has a fix, too.
#[test]
fn what_never_passes_has_a_fix_on_every_family() {
    let fix = |disk| {
        let a = plan("D2s_v3", &[disk], "");
        finding(&a, "UNUSABLE", disk.split(':').next().unwrap())
            .fix
            .clone()
            .unwrap()
    };
    // A P40 does 7,500 IOPS, and D2s_v3 4,000 in burst.
    let larger = "take a larger size of a series that stays; or a smaller disk";
    assert!(fix("P40").starts_with(larger));
    assert!(fix("v2:size=200,iops=7500").starts_with("iops=4000,"));
}

/// A D8s_v5 lets 20,000 IOPS and 1,200 MB/s through in burst, 12,800 and 290 sustained. Of eight v2 with 3,000 and 125
/// each is left 2,500, and no v2 has less than 3,000: five of them are 15,000 and 625. With 200 MB/s each, 1,600 in all,
/// 150 pass: that one can be set, beside 3,000 IOPS.
#[test]
fn no_setting_below_the_least_of_a_family_is_advised() {
    let fix = |vm, disk| {
        let a = plan(vm, &[disk], "");
        finding(&a, "UNUSABLE", "data").fix.clone().unwrap()
    };
    let fewer = fix("D8s_v5", "data=8xv2:size=64,iops=3000,mbps=125");
    let said =
        "5 such disks are enough for what this VM sustains (12,800 IOPS, 290 MB/s), all 8 for what";
    assert!(fewer.starts_with(said), "{fewer}");
    let lower = fix("D8s_v5", "data=8xv2:size=64,iops=3000,mbps=200");
    let said = "iops=3000,mbps=150 is the lowest setting that does all that this VM lets through";
    assert!(lower.starts_with(said), "{lower}");
}

/// Six P30 are 30,000 IOPS and 1,200 MB/s; a D8s_v5 sustains 12,800 and 290 (three disks: 15,000 and 600), in burst
/// 20,000 and 1,200 (six, for their MB/s). A P30 is 135.17 USD a month.
#[test]
fn a_stripe_of_more_disks_than_the_vm_lets_through_says_how_many_are_enough() {
    let a = priced("D8s_v5", &["data=6xP30"]);
    let found = finding(&a, "UNUSABLE", "data");
    let fix = found.fix.as_deref().unwrap();
    let said = "3 such disks are enough for what this VM sustains (12,800 IOPS, 290 MB/s), all 6 for what it does in burst";
    assert!(fix.starts_with(said), "{fix}");
    assert!(
        found
            .message
            .ends_with("saves nothing, each disk fewer saves 135.17 USD a month"),
        "{}",
        found.message
    );
    // Two P40 are 15,000 IOPS, and a D2s_v5 lets 10,000 through in burst, 3,750 sustained: one P40 has 7,500.
    let two = plan("D2s_v5", &["data=2xP40"], "");
    let fix = finding(&two, "UNUSABLE", "data").fix.clone().unwrap();
    assert!(fix.contains(", both for what it does in burst"), "{fix}");
}

/// DS13_v2: 262.144 MB/s cached and 384 uncached. Two P30 have 400.
#[test]
fn what_a_cached_disk_loses_may_be_the_cache_s() {
    let fix = |disk: &str| {
        let a = plan("DS13_v2", &[&format!("d={disk}")], "block=8KiB");
        finding(&a, "UNUSABLE", "d").fix.clone().unwrap()
    };
    let cached = fix("2xP30:cache=ro");
    assert!(
        cached.starts_with("cache=none loses only 16 MB/s (400 - 384); or "),
        "{cached}"
    );
    assert!(fix("2xP30").starts_with("take a larger size"));
}

/// E8ds_v5 lets 12,800 IOPS and 290 MB/s through, 20,000 and 1,200 in burst, of cached disks 38,000 and 500. Four P30 and the
/// v2 are 26,000 IOPS and 1,050 MB/s; the P30 alone, which are cached, 800 MB/s.
#[test]
fn the_ceiling_of_cached_disks_is_compared_with_cached_disks() {
    let disks = ["data=4xP30:cache=ro", "log=v2:size=256,iops=6000,mbps=250"];
    let a = plan("E8ds_v5", &disks, "");
    assert_eq!(
        finding(&a, "UNUSABLE", "Standard_E8ds_v5").message,
        "all volumes together are provisioned for 6,000 IOPS (26,000 - 20,000) and 300 MB/s (800 of the cached disks - 500) \
         more than the VM lets through in burst, 13,200 IOPS (26,000 - 12,800) and 760 MB/s (1,050 - 290) more than it \
         sustains; in brackets what is provisioned - what the VM lets through"
    );
}
