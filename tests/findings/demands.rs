//! Demands, queue depths and the workloads that they are of.

use crate::common::{close, codes, plan, plan_with_demands, request, result};
use crate::{common, figure, finding};
use diskcap::deployment::PlanRequest;
use diskcap::planner::Severity;
use diskcap::units::Iops;
use diskcap::workload::{Demand, Profile};

/// Queue depth 5 at 1 ms reaches the 5,000 IOPS of a P30: the disk is the limit, and five are enough.
#[test]
fn a_queue_depth_that_just_suffices_is_no_finding() {
    let a = plan("", &["P30"], "block=4KiB depth=5");
    assert_eq!(
        result(&a, "", "P30").alone.sustained.bottleneck.to_string(),
        "disk IOPS"
    );
    assert!(!codes(&a).contains(&"QUEUE-DEPTH"));
}

/// A P30 has 5,000 IOPS without credit (that above is for P20 and less): 5,000 of 12,000 are 41.67 %. P40 has 7,500,
/// and 16,000 with performance plus; a Premium SSD v2 of 1,024 GiB may have 12,000 IOPS, and 125 MB/s are the least.
#[test]
fn a_demand_that_a_disk_does_not_meet_is_a_finding() {
    let a = plan("Standard_D8s_v5", &["data=P30"], "iops=12000");
    let found = finding(&a, "DEMAND-UNMET", "data");
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "12,000 IOPS asked, 5,000 sustained (42 %): stopped by disk IOPS"
    );
    assert_eq!(
        found.fix.as_deref(),
        Some("take P40:perfplus or v2:size=1024,iops=12000,mbps=125")
    );
    let met = plan("Standard_D8s_v5", &["data=P60"], "iops=12000");
    assert!(!codes(&met).contains(&"DEMAND-UNMET"));
}

/// A P10 has 500 IOPS, and 3,500 while credit lasts: (3,500 - 500) x 1,800 s of credit, spent at 3,000 - 500 a second,
/// last 2,160 s. A D2s_v3 lets 3,200 IOPS through, which 3,000 do not meet.
#[test]
fn a_demand_that_is_met_only_in_burst_says_for_how_long() {
    let a = plan("Standard_D2s_v3", &["data=P10"], "iops=3000");
    let found = finding(&a, "DEMAND-UNMET", "data");
    // The warning is that of the credit.
    assert_eq!(found.severity, Severity::Info);
    assert_eq!(
        finding(&a, "BURST-ONLY", "data").severity,
        Severity::Warning
    );
    assert_eq!(
        found.message,
        "3,000 IOPS asked, 500 sustained (17 %): stopped by disk IOPS; met only in burst, for 36 min from full credit on"
    );
    assert!(
        found
            .fix
            .as_deref()
            .unwrap()
            .starts_with("take P30 or v2:size=128,iops=3000")
    );
}

/// Where the VM is in the way its own finding names a size; this one is what a gate looks at. A D2s_v3 lets 3,200 IOPS
/// through, 64 % of 5,000, and 4,000 while its credit lasts.
#[test]
fn a_demand_that_the_vm_holds_back_is_a_finding_too() {
    let a = plan("Standard_D2s_v3", &["data=P30"], "iops=5000");
    let found = finding(&a, "DEMAND-UNMET", "data");
    assert_eq!(
        found.message,
        "5,000 IOPS asked, 3,200 sustained (64 %): stopped by VM uncached IOPS; in burst 4,000"
    );
    assert_eq!(
        found.fix.as_deref(),
        Some("lift that ceiling of the VM: the fix of VM-UNCACHED-IOPS names a size")
    );
    assert!(codes(&a).contains(&"VM-UNCACHED-IOPS"));
    // Two of 2,500 share it: 1,600 each.
    let two = plan("Standard_D2s_v3", &["a=P30", "b=P30"], "iops=2500");
    let found = finding(&two, "DEMAND-UNMET", "b");
    close(figure(found, "sustained", "IOPS"), 1600.0, 1e-6);
}

/// 1 ms an I/O on a P30: 4,000 IOPS take four at a time; of 7,000 the disk stops at 5,000. Performance plus (8,000) needs
/// seven at a time; no disk has 600,000.
#[test]
fn a_demand_that_the_queue_depth_stops_has_both_ways_out() {
    let fix = |words| {
        let a = plan("", &["d=P30"], words);
        finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap()
    };
    // 2 / 4,000 s and 2 / 5,000 s.
    assert_eq!(
        fix("iops=4000 depth=2"),
        "keep 4 I/Os outstanding, or use a disk that answers within 500 us"
    );
    assert_eq!(
        fix("iops=7000 depth=2"),
        "take P30:perfplus or v2:size=1024,iops=7000,mbps=125, and keep 7 I/Os outstanding"
    );
    // 5,000 of them take five; 2 / 5,000 s.
    assert_eq!(
        fix("iops=600000 depth=2"),
        "keep 5 I/Os outstanding, or use a disk that answers within 400 us; then disk IOPS stops it at 5,000 IOPS"
    );
}

/// A P10 (500 IOPS) is short by itself, and one I/O at a time makes 1,000 IOPS of 1 ms: 6,000 take six. A v2 answers within
/// 500 us: four at a time make 8,000 IOPS of it, but only 4,000 of a P30.
#[test]
fn a_disk_that_is_short_beside_a_queue_depth_has_both_named() {
    let fix = |depth: u32| {
        let words = format!("block=8KiB iops=6000 depth={depth}");
        let a = plan("", &["d=P10"], &words);
        finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap()
    };
    let both = "take P30:perfplus or v2:size=128,iops=6000,mbps=125";
    assert_eq!(fix(1), format!("{both}, and keep 6 I/Os outstanding"));
    assert_eq!(fix(4), "take v2:size=128,iops=6000,mbps=125");
    assert_eq!(fix(6), both);
}

/// An E30 (1 TiB) has 500 IOPS, 1,500 with performance plus. A P20 (2,300) would do, with half the room; a size without
/// premium storage takes neither that nor a v2.
#[test]
fn a_disk_in_place_of_another_holds_as_much_and_attaches() {
    let fix = |vm: &str| {
        let a = plan(vm, &["d=E30"], "block=64KiB iops=800");
        finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap()
    };
    assert_eq!(fix("D2_v5"), "take E30:perfplus");
    assert_eq!(
        fix("D2s_v5"),
        "take E30:perfplus or v2:size=1024,iops=3000,mbps=125"
    );
}

/// Ultra disks cannot be cached: 300 MB/s take 1,200 IOPS, and no caching. An OS disk stays one.
#[test]
fn a_disk_in_place_of_another_can_be_typed() {
    let a = plan(
        "",
        &["d=ultra:size=64,iops=5000,mbps=100,cache=ro"],
        "block=1MiB mbps=300",
    );
    assert_eq!(
        finding(&a, "DEMAND-UNMET", "d").fix.as_deref(),
        Some("take ultra:size=64,iops=1200,mbps=300")
    );
    let a = plan("", &["os=P10:os"], "block=4KiB");
    let fix = finding(&a, "BURST-ONLY", "os").fix.clone().unwrap();
    assert!(
        fix.ends_with("take P30:os, provisioned for as much"),
        "{fix}"
    );
}

/// Of one workload nobody needs the name; of several each is told with its own.
#[test]
fn a_finding_names_its_workload_where_there_are_several() {
    let with = |profiles: &[&str], own: &[(&str, &str)]| {
        let named = |name: &&str| Profile::named(name).unwrap();
        let own = own
            .iter()
            .map(|(volume, name)| ((*volume).to_owned(), named(name)));
        let a = common::assessed(PlanRequest {
            profiles: profiles.iter().map(named).collect(),
            volume_profiles: own.collect(),
            ..request("", &["data=P30", "log=P20"])
        });
        finding(&a, "QUEUE-DEPTH", "log").message.clone()
    };
    let told = "queue depth 1 at 1,000 us an I/O makes 1,000 of 2,300 IOPS";
    assert_eq!(with(&[], &[("data", "oltp"), ("log", "sql-log")]), told);
    assert_eq!(with(&["oltp", "sql-log"], &[]), format!("sql-log: {told}"));
}

/// 3,000 I/Os of 1 MiB are 3,146 MB/s: no single Premium SSD (900) or v2 (2,000) does that, 16 P30 (200 each) do. A D8s_v5
/// takes 16 disks and lets 290 through; beside another disk there is room for 15.
#[test]
fn what_no_single_disk_does_a_stripe_may() {
    let fix = |others: &[&str]| {
        let disks = [&["d=P30"], others].concat();
        let of_others = others.iter().map(|_| ("log", Demand::Iops(Iops::whole(1))));
        let mut demands = vec![("d", Demand::Iops(Iops::whole(3000)))];
        demands.extend(of_others);
        let a = plan_with_demands("D8s_v5", &disks, "block=1MiB", &demands);
        finding(&a, "DEMAND-UNMET", "d").fix.clone()
    };
    let alone = fix(&[]).unwrap();
    let wanted = "take 16xP30, a stripe: fewer of them do not do it, nor do others in their place, on a larger size: \
                  Standard_D8s_v5 lets ";
    assert!(alone.starts_with(wanted), "{alone}");
    assert_eq!(fix(&["log=P10"]), None);
}

/// Who asks for MB/s is not told that a block size leaves few IOPS.
#[test]
fn block_sizes_are_told_to_those_who_want_iops() {
    let told = |words| codes(&plan("", &["d=P30"], words)).contains(&"BLOCK-SIZE-MBPS");
    assert!(told("block=1MiB"));
    assert!(!told("block=1MiB mbps=190"));
}
