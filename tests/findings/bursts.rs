//! Figures that hold only from credit.

use crate::common::{codes, plan, request};
use crate::{common, finding};
use diskcap::catalog::Interface;
use diskcap::deployment::PlanRequest;
use diskcap::planner::Finding;
use diskcap::workload::Profile;

/// A fix that speaks of a credit names disks that need none for what the present one does with it. E10: 600 IOPS and
/// 150 MB/s in burst; E20 and E50 have 500 and 100, E30 (1 TiB) with performance plus 1,500 and 150, P20 (512 GiB) 2,300 and 150. P15: 3,500 and 170; P20 has
/// 2,300, P30 5,000.
#[test]
fn disks_in_place_of_credit_do_as_much_without() {
    for (disk, take) in [
        (
            "E10",
            "take E30:perfplus or P20 or v2:size=128,iops=3000,mbps=150, provisioned for as much",
        ),
        (
            "P15",
            "take P30 or v2:size=256,iops=3500,mbps=170, provisioned for as much",
        ),
        (
            "2xP15",
            "take 2xP30 or 2xv2:size=256,iops=3500,mbps=170, provisioned for as much",
        ),
    ] {
        let a = plan("", &[&format!("d={disk}")], "");
        let fix = finding(&a, "BURST-ONLY", "d").fix.clone().unwrap();
        assert!(fix.ends_with(take), "{disk}: {fix}");
    }
}

/// A P20 bursts from 2,300 to 3,500 IOPS: on a D16s_v5 (25,600 uncached) four P30 and it fall from 23,500 to 22,300 by
/// the disk's credit under oltp, and no VM size changes that; under backup (600 MB/s, 1,200 in burst) by the VM's.
#[test]
fn each_credit_has_its_own_finding() {
    let request = diskcap::deployment::request::PlanRequest {
        profiles: ["oltp", "backup"]
            .map(|name| Profile::named(name).unwrap())
            .to_vec(),
        ..request("D16s_v5", &["data=4xP30:cache=ro", "log=P20"])
    };
    let a = common::assessed(request);
    let all: Vec<&Finding> = (a.findings.iter())
        .filter(|f| {
            f.message
                .starts_with("all volumes at once: only from credit")
        })
        .collect();
    assert!(!all.is_empty(), "{:?}", codes(&a));
    for finding in all {
        let of = if finding.id.code() == "BURST-ONLY" {
            "oltp: "
        } else {
            "backup: "
        };
        let head = format!("all volumes at once: only from credit: {of}");
        assert!(finding.message.starts_with(&head), "{}", finding.message);
    }
}

/// An E20 has 100 MB/s, 150 in burst; with performance plus E30 has 150 and E40 300: of 200 asked only that is enough.
/// Of 120 asked the bucket of (150 - 100) x 1,800 = 90,000 MB lasts 90,000 / 20 = 4,500 s, and they are told in MB/s.
#[test]
fn disks_in_place_of_credit_do_what_is_asked() {
    let a = plan("", &["d=E20"], "block=1MiB mbps=200");
    let unmet = finding(&a, "DEMAND-UNMET", "d").fix.clone().unwrap();
    assert_eq!(
        unmet,
        "take E40:perfplus or P30 or v2:size=512,iops=3000,mbps=200"
    );
    let fix = finding(&a, "BURST-ONLY", "d").fix.clone().unwrap();
    let wanted = "take E40:perfplus or P30 or v2:size=512,iops=3000,mbps=200, provisioned for all that is asked";
    assert!(fix.ends_with(wanted), "{fix}");
    let a = plan("", &["d=E40:perfplus"], "block=1MiB mbps=200");
    assert!(!codes(&a).contains(&"DEMAND-UNMET"));
    let a = plan("", &["d=E20"], "block=1MiB mbps=120");
    let told = &finding(&a, "BURST-ONLY", "d").message;
    let wanted = "only from credit: 120 MB/s for 75 min (the disk's MB/s credit), then 100 MB/s;";
    assert!(told.starts_with(wanted), "{told}");
}

/// DS3_v2 lets 192 MB/s through and does not burst. P6: 50 MB/s, 170 in burst; P30: 200. In burst both get 96, without it
/// the P30 has 192 - 50 = 142.
#[test]
fn a_neighbour_that_bursts_is_told_in_the_unit_of_the_ceiling() {
    let a = plan("DS3_v2", &["a=P6", "b=P30"], "block=1MiB");
    assert_eq!(
        finding(&a, "NEIGHBOUR-BURST", "b").message,
        "gets 96 MB/s at 1 MiB an I/O while its neighbours burst, 142 when they do not: they take a larger part of the \
         VM's uncached MB/s ceiling"
    );
}

/// Eight P10 on D4s_v5: the VM's credit ends first (20,000 of 28,000 IOPS), then the disks' (8 x 500). P10 on D2s_v3: a P30
/// has 5,000 IOPS, of which 3,200 pass; P30 on D4s_v5 pass whole.
#[test]
fn what_helps_against_one_credit_says_what_the_other_takes() {
    let fix = |vm, disk: &str, code| {
        let a = plan(vm, &[&format!("d={disk}")], "block=4KiB");
        finding(&a, code, "d").fix.clone().unwrap()
    };
    let both = fix("D4s_v5", "8xP10", "VM-BURST-ONLY");
    let wanted = "or take a size whose base ceilings are enough; and disks provisioned for as much";
    assert!(both.ends_with(wanted), "{both}");
    let larger = fix("D2s_v3", "P10", "BURST-ONLY");
    let wanted = "provisioned for as much, on a larger size of a series that stays: Standard_D2s_v3 lets 3,200 IOPS of it through";
    assert!(larger.ends_with(wanted), "{larger}");
    let enough = fix("D4s_v5", "P10", "BURST-ONLY");
    assert!(enough.ends_with("provisioned for as much"), "{enough}");
}

/// 125 MB/s are 30,518 I/Os of 4 KiB; D16s_v5 lets 40,000 through in burst and 25,600 without. What ends is credit for
/// IOPS, so it is told in IOPS, as in the table: (40,000 - 25,600) x 1,800 / (30,518 - 25,600) = 88 min.
#[test]
fn what_falls_is_told_in_the_unit_of_the_credit() {
    let a = plan("D16s_v5", &["d=v2:size=1TiB,iops=60000"], "");
    assert_eq!(
        finding(&a, "VM-BURST-ONLY", "d").message,
        "only from credit: 30,518 IOPS for 88 min (the VM's uncached IOPS credit), then 25,600 IOPS; empty credit takes \
         17 min to fill when idle"
    );
}

/// A temp disk has no credit: D16ds_v4 lets 32,000 IOPS of the others through in burst and 25,600 without.
#[test]
fn a_temp_disk_is_not_counted_with_those_that_burst() {
    let disks = [
        "data=4xP40",
        "tempdb=temp",
        "log=v2:size=512,iops=20000,mbps=600",
    ];
    let a = plan("D16ds_v4", &disks, "");
    let message = &finding(&a, "VM-BURST-ONLY", "Standard_D16ds_v4").message;
    assert!(
        message.starts_with(
            "all volumes at once (without tempdb, which has no credit): only from credit: cdm-rnd4k-q32t16: 32,000 IOPS \
             for 30 min (the VM's uncached IOPS credit), then 25,600 IOPS;"
        ),
        "{message}"
    );
    // With one other there is nothing to say of all: it is said of that one.
    let a = plan("D16ds_v4", &["data=6xP40", "tempdb=temp"], "");
    let subjects: Vec<&str> = (a.findings.iter())
        .filter(|finding| finding.id.code() == "VM-BURST-ONLY")
        .map(|finding| finding.subject.as_str())
        .collect();
    assert_eq!(subjects, ["data"]);
}

/// Half of what a P20 and eight P30 do writes. The cache of the P20 takes its writes: of 100 of its I/Os 50 pass to the VM's
/// 32,000, so that 3,500 more get through at first, as the table says: half of the 7,000 that its 3,500 reads make.
#[test]
fn what_a_cache_absorbs_is_told_beside_what_credit_gives() {
    let a = plan("D16ds_v4", &["data=8xP30", "l=P20:cache=rw"], "read=0.5");
    let message = &finding(&a, "VM-BURST-ONLY", "Standard_D16ds_v4").message;
    assert!(
        message.contains("32,000 IOPS for 30 min")
            && message.contains("only from credit: 35,500 IOPS while a host cache absorbs writes, then 32,000 IOPS for"),
        "{message}"
    );
}

/// On-demand bursting is for Premium SSD: what takes the place of a Standard SSD is not asked for it.
#[test]
fn no_disk_is_named_with_a_burst_that_it_cannot_have() {
    let a = plan("D8s_v5", &["d=E30:burst=on"], "");
    let fix = finding(&a, "BURST-ONLY", "d").fix.clone().unwrap();
    assert!(!fix.contains("burst=on"), "{fix}");
}

/// A P20 has 2,300 IOPS and 150 MB/s, 3,500 and 170 in burst; M8ms lets 125 MB/s through. What has 3,500 IOPS in its place has
/// no less than its 150 MB/s.
#[test]
fn a_disk_in_place_of_credit_has_no_less_of_the_rest() {
    let a = plan("M8ms", &["lun0=P20"], "");
    let fix = finding(&a, "BURST-ONLY", "lun0").fix.as_deref().unwrap();
    assert_eq!(
        fix,
        "plan with the last figures, or take P30 or v2:size=512,iops=3500,mbps=150, provisioned for as much"
    );
}

/// On NVMe E8bds_v5 lets 44,200 remote IOPS through, 60,000 from credit; the v2 and the P30 draw 48,000. That the OS disk, which
/// the host cache serves most, loses more by its own credit hides nothing of it.
#[test]
fn the_credit_of_the_os_disk_does_not_hide_that_of_the_vm() {
    let disks = [
        "os=P10:os",
        "lun0=v2:size=1024,iops=40000,mbps=1200",
        "lun1=P30:perfplus",
    ];
    for hits in ["0.4", "0.6", "0.8", "1"] {
        let words = format!("block=8KiB read=0.7 depth=32 hit={hits}");
        let a = common::assessed(PlanRequest {
            interface: Some(Interface::Nvme),
            settings: common::settings(&words),
            ..request("E8bds_v5", &disks)
        });
        let found = finding(&a, "VM-BURST-ONLY", "Standard_E8bds_v5");
        assert!(
            found
                .message
                .contains("for 59 min (the VM's v2/Ultra IOPS credit)"),
            "{}",
            found.message
        );
    }
}

/// A P20 at 3,500 IOPS spends 1,200 a second of 1,200 x 1,800, a P15 2,400 of 2,400 x 1,800: both run out after 30 min, and
/// 7,000 IOPS become 2,300 + 1,100.
#[test]
fn disks_whose_credit_ends_at_once_are_all_named() {
    let a = plan("D8s_v5", &["d=P20", "e=P15"], "block=4KiB");
    let found = finding(&a, "BURST-ONLY", "Standard_D8s_v5");
    assert_eq!(
        found.message,
        "all volumes at once: only from credit: 7,000 IOPS for 30 min (IOPS credit of d, e), then 3,400 IOPS; empty credit \
         takes 65 min to fill when idle"
    );
    assert_eq!(
        found.fix.as_deref(),
        Some("plan with the last figures, or take disks provisioned for as much in place of d, e")
    );
}
