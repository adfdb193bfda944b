//! What a disk cannot have, and settings that mislead.

use crate::common::{codes, plan};
use crate::finding;
use diskcap::planner::Severity;

#[test]
fn os_disks_and_stripes_that_cannot_be() {
    let a = plan("Standard_D8s_v3", &["a=P10:os", "b=P10:os"], "");
    finding(&a, "OS-DISKS", "b");
    let a = plan("Standard_D8s_v3", &["os=2xP30:os"], "");
    finding(&a, "OS-DISKS", "os");
}

#[test]
fn settings_that_cost_or_mislead_are_remarked_on() {
    let a = plan("Standard_D16s_v5", &["P30:burst=on"], "");
    finding(&a, "ON-DEMAND-BURST", "P30");
    let a = plan("Standard_D16s_v5", &["P30:shares=2"], "");
    assert_eq!(finding(&a, "SHARED-DISK", "P30").severity, Severity::Info);
    // Sources do not agree on Standard HDD.
    let a = plan("Standard_D16s_v5", &["S30:shares=2"], "");
    let doubtful = finding(&a, "SHARED-DISK", "S30");
    assert_eq!(doubtful.severity, Severity::Warning);
    assert!(doubtful.message.contains("Doubtful: the list of SKUs"));
    let a = plan("Standard_D16s_v5", &["P30:size=512"], "");
    finding(&a, "TIER-BY-SIZE", "P30");
}

/// What the catalogue refuses comes with the id of its finding.
#[test]
fn what_a_disk_cannot_be_is_said_with_its_own_id() {
    let first = |vm: &str, disk: &str, code: &str| {
        let a = plan(vm, &[disk], "");
        let found = a.findings.into_iter().find(|f| f.id.code() == code);
        found.unwrap_or_else(|| panic!("no {code} about {disk}"))
    };
    for (disk, code, severity, why) in [
        (
            "v2:size=100,cache=ro",
            "V2-CACHING",
            Severity::Error,
            "Premium SSD v2 has no host caching",
        ),
        (
            "ultra:size=100,iops=5000,mbps=200,cache=ro",
            "ULTRA-CACHING",
            Severity::Error,
            "no host caching",
        ),
        (
            "P30:shares=2,cache=ro",
            "SHARED-DISK-CACHING",
            Severity::Error,
            "a shared disk cannot be cached",
        ),
        (
            "P60:cache=ro",
            "LARGE-DISK-CACHING",
            Severity::Error,
            "the largest is 4,095 GiB",
        ),
        (
            "v2:size=100,os",
            "OS-DISK-KIND",
            Severity::Error,
            "v2 cannot be an OS disk",
        ),
        (
            "S30:os",
            "OS-DISK-HDD",
            Severity::Warning,
            "Standard HDD as OS disk",
        ),
        (
            "v2:size=100,iops=90000",
            "V2-RANGE",
            Severity::Error,
            "90,000 IOPS asked",
        ),
        (
            "ultra:size=2,iops=1000,mbps=10",
            "ULTRA-RANGE",
            Severity::Error,
            "2 GiB asked",
        ),
        (
            "P30:size=40TiB",
            "DISK-RANGE",
            Severity::Error,
            "40,960 GiB asked",
        ),
    ] {
        let found = first("Standard_D8s_v5", disk, code);
        assert_eq!(found.severity, severity, "{code}");
        assert!(found.message.contains(why), "{code}: {}", found.message);
    }
    let ultra = "ultra:size=100,iops=5000,mbps=200";
    let unlisted = first("Standard_D8ps_v5", ultra, "ULTRA-UNLISTED");
    assert_eq!(
        unlisted.fix.as_deref(),
        Some("check the size's zones with `az vm list-skus`, or use Premium SSD v2")
    );
    let plain = first("Standard_D8_v3", ultra, "PREMIUM-UNSUPPORTED");
    let twin = "Standard_D8s_v3 has the same vCPUs and memory with premium storage, but retires on 2029-11-15 as well; ";
    assert!(plain.fix.is_some_and(|fix| fix.starts_with(twin)));
}

/// 1,200 MB/s need 1,200 / 0.25 = 4,800 IOPS on v2; 20,000 IOPS need 20,000 / 500 = 40 GiB.
#[test]
fn a_setting_out_of_range_has_the_setting_that_allows_it() {
    for (disk, set) in [
        ("v2:size=200,iops=3000,mbps=1200", "MB/s, or set iops=4800"),
        ("v2:size=20,iops=20000", "IOPS, or set size=40"),
        (
            "v2:size=8,iops=3000,mbps=1200",
            "MB/s, or set iops=4800 and size=10",
        ),
        // No disk has as much.
        ("v2:size=200,iops=3000,mbps=99000", "MB/s"),
        // Less than the least is no matter of other settings.
        ("v2:size=200,iops=100", "IOPS"),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        let fix = finding(&a, "V2-RANGE", "d").fix.clone().unwrap();
        assert!(fix.ends_with(set), "{disk}: {fix}");
    }
}

/// 1,500 MB/s take 1,500 / 0.25 = 6,000 IOPS, and they 6,000 / 500 = 12 GiB; 1,200 MB/s take 4,800 IOPS, fewer than the
/// 5,000 asked, which take 10 GiB. Both findings name the same setting, and with it there is none.
#[test]
fn settings_out_of_range_together_have_one_setting_that_allows_all() {
    for (asked, mbps, set, works) in [
        (
            5000,
            1500,
            "or set iops=6000 and size=12",
            "size=12,iops=6000",
        ),
        (5000, 1200, "or set size=10", "size=10,iops=5000"),
    ] {
        let a = plan("", &[&format!("d=v2:size=5,iops={asked},mbps={mbps}")], "");
        let fixes = a.findings.iter().filter(|f| f.id.code() == "V2-RANGE");
        let fixes: Vec<&str> = fixes.filter_map(|f| f.fix.as_deref()).collect();
        assert_eq!(fixes.len(), 2);
        assert!(fixes.iter().all(|fix| fix.ends_with(set)), "{fixes:?}");
        let a = plan("", &[&format!("d=v2:{works},mbps={mbps}")], "");
        assert!(!codes(&a).contains(&"V2-RANGE"));
    }
}

/// 2 TiB is a P40 by its size; 128 GiB a P10.
#[test]
fn a_tier_that_does_not_fit_is_told_by_the_size() {
    for (disk, said) in [
        (
            "P30:size=2TiB",
            "P30 was named with 2,048 GiB, which makes it P40",
        ),
        (
            "P40:tier=P30",
            "performance tier P30 is below P40, which 2,048 GiB has by its size",
        ),
        (
            "P10:tier=P60",
            "performance tier P60 is too high for a disk of 128 GiB: P50 is the highest",
        ),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        let message = &finding(&a, "PERFORMANCE-TIER", "d").message;
        assert!(message.starts_with(said), "{disk}: {message}");
    }
}

/// 2 TiB are a P40, 100 GiB a P10. What the fix names can be typed, and is what it says.
#[test]
fn a_tier_beside_a_size_of_another_names_both_disks_that_it_may_mean() {
    for (disk, code, fix, meant) in [
        (
            "P30:size=2TiB,cache=ro",
            "PERFORMANCE-TIER",
            "take P30:cache=ro for a full disk of P30, or P40:size=2048,cache=ro for the tier of that size",
            ["P30:cache=ro", "P40:size=2048,cache=ro"],
        ),
        (
            "P40:size=100",
            "TIER-BY-SIZE",
            "take P40 for a full disk of P40, or P10:size=100 for the tier of that size",
            ["P40", "P10:size=100"],
        ),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        assert_eq!(finding(&a, code, "d").fix.as_deref(), Some(fix));
        for spec in meant {
            let a = plan("", &[&format!("d={spec}")], "");
            assert!(!codes(&a).iter().any(|c| c.contains("TIER")), "{spec}");
        }
    }
}

#[test]
fn a_feature_that_is_not_offered_can_be_left_out() {
    for disk in ["E30:burst=on", "P10:perfplus", "v2:size=100,zrs"] {
        let a = plan("", &[&format!("d={disk}")], "");
        let fix = &finding(&a, "FEATURE-NOT-OFFERED", "d").fix;
        assert_eq!(
            fix.as_deref(),
            Some("leave it out, or take a disk that has it")
        );
    }
}

/// A P50 has 7,500 IOPS and 250 MB/s, as a P40 has; a P3 120 and 25, as every tier up to P4.
#[test]
fn a_tier_that_gives_no_more_than_a_lower_one_is_told() {
    let told = |disk: &str| {
        let a = plan("D16s_v5", &[disk], "");
        let found = finding(&a, "TIER-RAISED", "d");
        (found.message.clone(), found.fix.clone().unwrap())
    };
    assert_eq!(
        told("d=P30:tier=P50"),
        (
            "performance tier P50 gives no more than P40 does: 7,500 IOPS and 250 MB/s".to_owned(),
            "set tier=P40, which is billed as the smaller disk".to_owned(),
        )
    );
    let (message, fix) = told("d=2xP1:tier=P3");
    assert!(
        message.ends_with("P1 does: 120 IOPS and 25 MB/s a disk"),
        "{message}"
    );
    assert!(fix.starts_with("leave tier= out"), "{fix}");
    // What the VM does not let through has the lower tier in its own fix.
    let a = plan("D2s_v5", &["d=P30:tier=P50"], "");
    assert!(!codes(&a).contains(&"TIER-RAISED"));
    assert!(
        finding(&a, "UNUSABLE", "d")
            .fix
            .clone()
            .unwrap()
            .starts_with("tier=P30 ")
    );
}

/// A P30 with performance plus has 8,000 IOPS and 300 MB/s; as P50 it would have 7,500 and 250.
#[test]
fn a_tier_that_performance_plus_outdoes_is_told() {
    let a = plan("D16s_v5", &["d=P30:perfplus,tier=P50"], "");
    let found = finding(&a, "TIER-RAISED", "d");
    assert_eq!(
        found.message,
        "performance tier P50 lifts nothing: with performance plus the disk has 8,000 IOPS and 300 MB/s with it and \
         without, and the tier is paid for"
    );
    for spec in ["d=P30:tier=P40", "d=P30:perfplus"] {
        let a = plan("D16s_v5", &[spec], "");
        assert!(!codes(&a).contains(&"TIER-RAISED"), "{spec}");
    }
}

/// An I/O of 320 KiB counts as two of 256 KiB: the 500 IOPS of an E10 make 250 of them, 81.92 MB/s. As one of 256 KiB
/// they would make 131, of which the disk lets 100 through.
#[test]
fn large_ios_say_which_are_counted_once() {
    let a = plan("", &["E10"], "block=320KiB");
    let found = finding(&a, "LARGE-IO", "E10");
    assert_eq!(
        found.message,
        "an I/O of 320 KiB counts as 2 against the disk's IOPS limit: 250 I/Os a second, 81.9 MB/s"
    );
    assert_eq!(
        found.fix.as_deref(),
        Some("use I/Os of 256 KiB, or a multiple of that: they make 100 MB/s")
    );
}
