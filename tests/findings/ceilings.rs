//! The VM's ceilings, and the sizes that lift them.

use crate::common::{close, codes, plan, request, result};
use crate::{common, figure, finding, priced};
use diskcap::catalog::Interface;
use diskcap::deployment::PlanRequest;
use diskcap::planner::Finding;

/// A ceiling that is asked for more than it has, and is not full, holds nobody back.
#[test]
fn only_a_full_ceiling_is_blamed() {
    let a = plan("Standard_D8s_v3", &["P30:cache=ro"], "block=1MiB");
    assert!(codes(&a).contains(&"VM-CACHED-MBPS"));
    assert!(!codes(&a).contains(&"VM-UNCACHED-MBPS"));
}

/// Of Ebsv6 no source says the cached ceiling. Three P50 and a cached P3 draw 3 x 7,500 + 120 IOPS through the uncached
/// one, which is 8,800 on E2bs_v6 and 36,300 on E8bs_v6: 13,820 of them are paid in vain.
#[test]
fn an_unknown_ceiling_does_not_hide_what_is_known_of_another() {
    let a = plan("E2bs_v6", &["a=3xP50", "b=P3:cache=ro"], "block=4KiB");
    let fix = finding(&a, "VM-UNCACHED-IOPS", "Standard_E2bs_v6")
        .fix
        .as_deref();
    assert!(
        fix.unwrap().starts_with("Standard_E8bs_v6 is the smallest"),
        "{fix:?}"
    );
    let lost = finding(&a, "UNUSABLE", "Standard_E2bs_v6");
    close(figure(lost, "unusable_sustained", "IOPS"), 13_820.0, 1e-6);
}

/// E8ds_v5: 12,800 IOPS and 290 MB/s uncached, 20,000 and 1,200 in burst. Four P30 could draw 20,000 IOPS and 800 MB/s,
/// whatever a volume besides them does of which no limit is known: a load more is no reason to say less.
#[test]
fn unknown_disks_do_not_hide_what_the_known_ones_meet() {
    let a = plan("E8ds_v5", &["data=4xP30", "lun=custom"], "block=4KiB");
    let held = finding(&a, "VM-UNCACHED-IOPS", "Standard_E8ds_v5");
    close(figure(held, "asked", "IOPS"), 20_000.0, 1e-6);
    let begins = "the disks whose limits are known could draw 20,000 IOPS together";
    assert!(held.message.starts_with(begins), "{}", held.message);
    let fix = "first learn the limits of lun (see UNKNOWN-CAP): until then no size is enough for sure; it takes at least \
               20,000 uncached IOPS";
    assert_eq!(held.fix.as_deref(), Some(fix));
    // 20,000 - 12,800 and 800 - 290.
    let lost = finding(&a, "UNUSABLE", "data");
    close(figure(lost, "unusable_sustained", "IOPS"), 7_200.0, 1e-6);
    close(figure(lost, "unusable_sustained", "MB/s"), 510.0, 1e-6);
}

/// Two volumes of two P30 each fit by themselves, and are 20,000 - 12,800 IOPS too many together.
#[test]
fn unknown_disks_do_not_hide_what_the_known_ones_lose_together() {
    let disks = ["a=2xP30", "b=2xP30", "lun=custom"];
    let a = plan("E8ds_v5", &disks, "block=4KiB");
    let lost = finding(&a, "UNUSABLE", "Standard_E8ds_v5");
    close(figure(lost, "unusable_sustained", "IOPS"), 7_200.0, 1e-6);
    let begins = "the volumes whose limits are known are together provisioned for";
    assert!(lost.message.starts_with(begins), "{}", lost.message);
    // The known ones fit: nothing is said of what may be lost.
    let a = plan("E8ds_v5", &["a=P10", "b=P10", "lun=custom"], "block=4KiB");
    assert!(!codes(&a).contains(&"VM-UNCACHED-IOPS"), "{:?}", codes(&a));
    assert!(!codes(&a).contains(&"UNUSABLE"), "{:?}", codes(&a));
}

/// A B2ms lets 22.5 MB/s through uncached and hardly more cached: misses of two cached disks ask both for 300 sustained,
/// and the uncached ceiling is what is full. Where the disks fit sustained, that is said.
#[test]
fn a_ceiling_behind_another_is_not_said_to_fit() {
    let a = plan(
        "Standard_B2ms",
        &["os=E6:cache=rw", "d=P40:cache=rw"],
        "block=1MiB",
    );
    let uncached = finding(&a, "VM-UNCACHED-MBPS", "Standard_B2ms");
    assert!(figure(uncached, "asked", "MB/s") > 22.5);
    let cached = finding(&a, "VM-CACHED-MBPS", "Standard_B2ms");
    let end = "cached ceiling. Sustained the uncached ceiling stops them first";
    assert!(cached.message.ends_with(end), "{}", cached.message);
    // What is lost is the same in burst and sustained on MB/s: it is said once.
    let lost = finding(&a, "UNUSABLE", "os");
    assert!(
        !lost.message.contains("once the VM's burst credit"),
        "{}",
        lost.message
    );
}

/// E32bds_v5: 2,740 MB/s of v2 and Ultra on SCSI, 4,800 on NVMe. 8 x 250 + 500 + 1,200 = 3,700 are asked.
#[test]
fn a_cap_that_the_other_controller_lifts_needs_no_larger_size() {
    let disks = [
        "data=8xP40",
        "redo=ultra:size=128,iops=20000,mbps=500",
        "fra=v2:size=4TiB,iops=16000,mbps=1200",
    ];
    let a = plan("E32bds_v5", &disks, "block=1MiB");
    let fix = finding(&a, "VM-REMOTE-MBPS", "Standard_E32bds_v5")
        .fix
        .clone()
        .unwrap();
    let said =
        "the same size on NVMe lifts every cap met here (4,800 v2/Ultra MB/s) at the same price";
    assert!(fix.starts_with(said), "{fix}");
    let caps = &finding(&a, "INTERFACE-CAPS", "Standard_E32bds_v5").message;
    assert!(caps.contains("on NVMe the size has 130,000 IOPS, 3,700 MB/s uncached; 174,200 IOPS, 4,800 MB/s v2/Ultra"), "{caps}");
}

/// E8bs_v5 has 33,000 IOPS and 930 MB/s on NVMe, 24,200 and 680 on SCSI: the other controller is advice on SCSI only.
#[test]
fn the_lower_controller_is_no_advice() {
    let on = |interface| {
        let a = common::assessed(PlanRequest {
            interface: Some(interface),
            ..request("E8bs_v5", &["data=6xP30"])
        });
        finding(&a, "INTERFACE-CAPS", "Standard_E8bs_v5")
            .fix
            .clone()
    };
    assert_eq!(on(Interface::Nvme), None);
    assert_eq!(
        on(Interface::Scsi).as_deref(),
        Some("compute with --interface nvme")
    );
}

/// Two v2 of 80,000 IOPS and 1,200 MB/s: E48bds_v5 has 120,000 IOPS uncached, and 160,000 for v2 and Ultra.
#[test]
fn the_ceiling_that_lifts_a_cap_is_the_one_in_brackets() {
    let disk = |name: &str| format!("{name}=v2:size=1024,iops=80000,mbps=1200");
    let a = plan("D4s_v5", &[&disk("a"), &disk("b")], "");
    let fix = finding(&a, "VM-UNCACHED-IOPS", "Standard_D4s_v5")
        .fix
        .clone()
        .unwrap();
    assert!(fix.contains("(160,000 v2/Ultra IOPS)"), "{fix}");
    let (none, sizes) = fix.split_once("; ").unwrap();
    assert_eq!(
        none,
        "no Dsv5 size lets all of it through (160,000 uncached IOPS)"
    );
    assert!(!sizes.contains("uncached IOPS)"), "{fix}");
}

/// E16bs_v5 lets a P60 and an Ultra of 30,000 IOPS and 1,000 MB/s through on NVMe only.
#[test]
fn a_size_that_lifts_a_cap_on_one_controller_is_named_with_it() {
    let a = priced(
        "D8s_v6",
        &["a=P60", "b=ultra:size=512,iops=30000,mbps=1000"],
    );
    let fixes: Vec<&str> = a.findings.iter().filter_map(|f| f.fix.as_deref()).collect();
    assert!(
        fixes
            .iter()
            .any(|fix| fix.contains("Standard_E16bs_v5 (NVMe)")),
        "{fixes:?}"
    );
}

/// One size lifts all caps: the first fix tells about it, the others only what it lets through there.
#[test]
fn the_fix_of_several_caps_is_told_once() {
    let a = plan("D8s_v5", &["data=8xP40"], "");
    let fix = |code| finding(&a, code, "Standard_D8s_v5").fix.clone().unwrap();
    // 8 x 7,500 = 60,000 IOPS, 2,000 MB/s: D48s_v5 has 76,800 and 1,315, D64s_v5 80,000 and 1,735, D96s_v5 80,000 and
    // 2,600.
    assert!(fix("VM-UNCACHED-IOPS").starts_with("Standard_D96s_v5 is the smallest Dsv5 size"));
    assert_eq!(
        fix("VM-UNCACHED-MBPS"),
        "as for VM-UNCACHED-IOPS: Standard_D96s_v5 (2,600 uncached MB/s)"
    );
}

/// No Dsv5 size lets 2 x 1,500 MB/s through (2,600 at most): another series is named without prices, too.
#[test]
fn another_series_is_named_where_the_own_has_no_size() {
    let a = plan(
        "D16s_v5",
        &[
            "v=2xP30",
            "w=v2:size=4TiB,iops=80000,mbps=2000",
            "x=v2:size=4TiB,iops=80000,mbps=1000",
        ],
        "block=1MiB",
    );
    let fix = finding(&a, "VM-UNCACHED-MBPS", "Standard_D16s_v5")
        .fix
        .clone()
        .unwrap();
    assert!(fix.starts_with("no Dsv5 size lets all of it through (3,400 uncached MB/s); of all sizes that take what is deployed, "), "{fix}");
    assert!(
        fix.contains(" is the smallest that lifts every cap ("),
        "{fix}"
    );
}

/// E4bds_v5 lets 16,200 IOPS of v2 disks through on SCSI and 21,400 on NVMe, E8bds_v5 32,400 and 44,200, E16bds_v5 64,800:
/// of 40,000, eight vCPUs on NVMe are as good as 16 on SCSI.
#[test]
fn a_smaller_size_on_the_other_controller_is_named_beside() {
    let fix = |vm, disk| {
        let a = plan(vm, &[disk], "block=4KiB");
        let found = a
            .findings
            .iter()
            .find(|f| f.id.code().starts_with("VM-") && f.fix.is_some());
        found.unwrap().fix.clone().unwrap()
    };
    assert_eq!(
        fix("E4bds_v5", "v2:size=1024,iops=40000,mbps=900"),
        "Standard_E16bds_v5 (SCSI) is the smallest Ebdsv5 size that lifts every cap met here (64,800 v2/Ultra IOPS); with \
         the driver for NVMe in its image, Standard_E8bds_v5 (NVMe, 44,200 v2/Ultra IOPS) is enough: compute with \
         --interface nvme"
    );
    // On NVMe it is, and nothing is left to lift.
    let a = common::assessed(PlanRequest {
        interface: Some(Interface::Nvme),
        settings: common::settings("block=4KiB"),
        ..request("E8bds_v5", &["v2:size=1024,iops=40000,mbps=900"])
    });
    assert!(
        !codes(&a).iter().any(|c| c.starts_with("VM-")),
        "{:?}",
        codes(&a)
    );
    // Nor of a v3, whose series has no other controller: E16bds_v5 has 48,400 IOPS for all disks on SCSI.
    let other = fix("D2s_v3", "v2:size=1024,iops=42000,mbps=1100");
    let wanted = "Standard_E16bds_v5 (SCSI) is the smallest that lifts every cap (48,400 uncached IOPS); with the driver \
        for NVMe in its image, Standard_E8bds_v5 (NVMe, 44,200 v2/Ultra IOPS) is enough: compute with --interface nvme";
    assert!(other.ends_with(wanted), "{other}");
}

/// A size and its controller share one bracket with its figures.
#[test]
fn a_size_on_a_controller_has_one_bracket() {
    let a = plan("D2s_v3", &["P30"], "");
    let brackets = |f: &Finding| f.fix.as_ref().is_some_and(|fix| fix.contains(") ("));
    assert!(!a.findings.iter().any(brackets), "{:?}", a.findings);
    let fix = &finding(&a, "VM-UNCACHED-MBPS", "Standard_D2s_v3").fix;
    let fix = fix.as_deref().unwrap();
    assert!(
        fix.contains("Standard_E4bds_v5 (SCSI, 340 uncached MB/s)"),
        "{fix}"
    );
}

/// No Dv3 takes premium disks, so none of them is advice; E2bds_v5 has 170 MB/s and takes them.
#[test]
fn a_size_without_premium_storage_is_no_advice_for_premium_disks() {
    let a = plan("D2_v3", &["P20"], "");
    let fix = finding(&a, "VM-UNCACHED-MBPS", "Standard_D2_v3")
        .fix
        .clone()
        .unwrap();
    let wanted = "no Dv3 size takes these disks; of all sizes that take what is deployed, Standard_E2bds_v5 (SCSI) is";
    assert!(fix.starts_with(wanted), "{fix}");
    let a = plan("D2_v3", &["E60"], "");
    let fix = finding(&a, "VM-UNCACHED-MBPS", "Standard_D2_v3")
        .fix
        .clone()
        .unwrap();
    assert!(
        fix.starts_with("Standard_D32_v3 is the smallest Dv3 size"),
        "{fix}"
    );
    // D2_v3 takes 4 data disks, D4_v3 8.
    let many = |disk| {
        let a = plan("D2_v3", &[disk], "");
        finding(&a, "TOO-MANY-DISKS", "Standard_D2_v3").fix.clone()
    };
    assert_eq!(
        many("5xP10").as_deref(),
        Some("take fewer disks, or a size of another series: no Dv3 size takes such disks")
    );
    assert!(
        many("5xE10")
            .unwrap()
            .starts_with("Standard_D4_v3 is the smallest Dv3 size that takes 5")
    );
}

/// What no size of the series lets through is named, not what some do: the largest Ddv5 has 80,000 uncached IOPS, of which
/// 20,000 are asked, and 2,600 MB/s, of which 3,000 are.
#[test]
fn what_no_size_of_the_series_lets_through_is_named() {
    let a = plan("D8s_v5", &["d=ultra:size=1024,iops=20000,mbps=3000"], "");
    let iops = finding(&a, "VM-UNCACHED-IOPS", "Standard_D8s_v5")
        .fix
        .clone()
        .unwrap();
    assert!(
        iops.starts_with("no Dsv5 size lets all of it through (3,000 uncached MB/s)"),
        "{iops}"
    );
}

/// M208s_v2 has 208 vCPUs, 2,850 GiB and 1,000 MB/s; M128s_v2 has 2,000 MB/s with 128 and 2,048 GiB, M416s_v2 with 416 and
/// 5,700.
#[test]
fn a_smaller_size_with_a_higher_ceiling_is_no_advice() {
    let a = plan("M208s_v2", &["hana=8xP20"], "block=64KiB mbps=1200");
    let fix = &finding(&a, "VM-UNCACHED-MBPS", "Standard_M208s_v2").fix;
    assert_eq!(
        fix.as_deref(),
        Some(
            "Standard_M416s_v2 is the smallest Msv2 size that lifts every cap met here (2,000 uncached MB/s)"
        )
    );
}

/// L8s_v3: 12,800 IOPS for all remote disks, 20,000 in burst, but 12,800 for v2 at any time. Beside a P40 (7,500) that leaves
/// 12,500 in burst; without credit each gets half.
#[test]
fn v2_has_no_part_in_a_burst_that_is_not_documented_for_it() {
    let rates = |disks: &[&str], volume: &str| {
        let a = plan("L8s_v3", disks, "block=4KiB");
        let pair = result(&a, "", volume).together;
        [pair.sustained, pair.burst].map(|outcome| outcome.iops.unwrap().get())
    };
    let v2 = "v=v2:size=512,iops=20000,mbps=1000";
    let [alone, burst] = rates(&[v2], "v");
    close(alone, 12_800.0, 1e-6);
    close(burst, 12_800.0, 1e-6);
    for (volume, sustained, burst) in [("v", 6_400.0, 12_500.0), ("p", 6_400.0, 7_500.0)] {
        let both = rates(&[v2, "p=P40"], volume);
        close(both[0], sustained, 1e-6);
        close(both[1], burst, 1e-6);
    }
    let a = plan("L8s_v3", &[v2], "block=4KiB");
    let burst = result(&a, "", "v").alone.burst;
    assert_eq!(burst.bottleneck.to_string(), "VM v2/Ultra IOPS");
}

/// The page of L8s_v3 gives 400,000 IOPS of reads for its local disk and nothing for writes.
#[test]
fn writes_of_a_disk_whose_reads_alone_are_known_are_upper_bounds() {
    let of = |words: &str| {
        let a = plan("L8s_v3", &["nvme"], words);
        let outcome = result(&a, "", "nvme").alone.sustained;
        (
            outcome.iops.unwrap().get(),
            outcome.at_most,
            codes(&a).contains(&"UNKNOWN-CAP"),
        )
    };
    assert_eq!(of("block=4KiB read=1"), (400_000.0, false, false));
    assert_eq!(of("block=4KiB read=0"), (400_000.0, true, true));
    assert_eq!(of("block=4KiB read=0.7"), (400_000.0, true, true));
    // L8s_v4: 550,000 reads, 220,000 writes.
    let a = plan("L8s_v4", &["nvme"], "block=4KiB read=0");
    let outcome = result(&a, "", "nvme").alone.sustained;
    assert_eq!(
        (outcome.iops.unwrap().get(), outcome.at_most),
        (220_000.0, false)
    );
}
