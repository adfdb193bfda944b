//! Figures that hold only from credit.

use crate::common::{codes, plan, request};
use crate::{common, finding};
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
    let wanted =
        "provisioned for as much, on a larger size: Standard_D2s_v3 lets 3,200 IOPS of it through";
    assert!(larger.ends_with(wanted), "{larger}");
    let enough = fix("D4s_v5", "P10", "BURST-ONLY");
    assert!(enough.ends_with("provisioned for as much"), "{enough}");
}
