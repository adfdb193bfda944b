//! Temp disks beside what shares their ceiling.

use crate::common::{close, codes, plan, request, result};
use crate::{book, common, figure, finding, priced_fix};
use diskcap::catalog::Catalog;
use diskcap::catalog::price::VmOffer;
use diskcap::deployment::PlanRequest;
use diskcap::planner::money::price;
use diskcap::planner::{Assessment, Finding, Severity, assess};
use diskcap::units::Iops;
use diskcap::workload::Demand;

/// A temp disk has no limit of its own: it asks for what it gets, not for its queue depth over its latency.
#[test]
fn a_temp_disk_does_not_ask_for_millions() {
    let a = plan("Standard_D8_v3", &["S30", "temp"], "");
    assert!(
        !codes(&a).iter().any(|c| c.starts_with("VM-CACHED")),
        "{:?}",
        codes(&a)
    );
}

/// E16ds_v5: 75,000 IOPS cached, 25,600 uncached. Four cached P30 (20,000) and a log of 8,000 share the uncached one; the
/// temp disk takes what they leave of the cached one. Not held back by it, the P30 would draw 20,000 of it and leave
/// 55,000: 75,000 in all, which is what it has. Sixteen P30 would draw 80,000, and it is still the uncached one that
/// stops them.
#[test]
fn a_temp_disk_that_takes_the_rest_of_a_ceiling_holds_nobody_back() {
    let disks = |data: &'static str| {
        let log = "log=v2:size=256,iops=8000,mbps=400";
        plan("E16ds_v5", &[data, log, "tempdb=temp"], "block=8KiB")
    };
    for (data, asked) in [
        ("data=2xP30:cache=ro", 75_000.0),
        ("data=4xP30:cache=ro", 75_000.0),
        ("data=6xP30:cache=ro", 75_000.0),
        ("data=16xP30:cache=ro", 80_000.0),
    ] {
        let a = disks(data);
        let found = codes(&a);
        let cached = found.iter().any(|c| c.starts_with("VM-CACHED"));
        assert!(!cached, "{data}: {found:?}");
        let rows = &a.workloads[0].ceilings;
        let is_it = |row: &&diskcap::planner::assessment::CeilingUse| {
            row.ceiling == diskcap::planner::assessment::CeilingName::Cached
                && row.axis == diskcap::catalog::Axis::Iops
        };
        let row = rows.iter().find(is_it).unwrap();
        close(row.asked.sustained.unwrap(), asked, 1e-6);
        close(row.used.sustained.unwrap(), 75_000.0, 1e-6);
    }
}

/// D8s_v3: 192 MB/s uncached, 131.072 cached. Four cached P30 could draw 800; the temp disk and they get half of the
/// cached ceiling each, 65.536, and 800 + 65.536 are asked of it: there it is the ceiling that holds the disks back.
#[test]
fn a_temp_disk_beside_disks_that_the_cached_ceiling_stops_is_a_finding() {
    let disks = ["data=4xP30:cache=ro", "tempdb=temp"];
    let a = plan("Standard_D8s_v3", &disks, "block=1MiB");
    let found = finding(&a, "VM-CACHED-MBPS", "Standard_D8s_v3");
    close(figure(found, "asked", "MB/s"), 865.536, 1e-6);
}

/// D16s_v3: 32,000 IOPS cached, 262.144 MB/s. Four cached P30 are 20,000 IOPS and 800 MB/s: the IOPS have room for them,
/// and the temp disk would fill the rest of any size. D32s_v3 has 524.288 MB/s, D48s_v3 1,048.576: on that one all is well.
#[test]
fn the_size_that_lifts_a_cached_cap_beside_a_temp_disk_has_no_such_finding() {
    let disks = ["a=4xP30:cache=ro", "t=temp"];
    let a = plan("D16s_v3", &disks, "");
    let fix = finding(&a, "VM-CACHED-MBPS", "Standard_D16s_v3")
        .fix
        .as_deref();
    let said = "Standard_D48s_v3 is the smallest Dsv3 size that lifts every cap met here (1,048.6 cached MB/s)";
    assert!(fix.unwrap().starts_with(said), "{fix:?}");
    let warns = |f: &&&Finding| f.severity == Severity::Warning;
    assert_eq!(of_cached(&a).iter().filter(warns).count(), 1);
    let larger = plan("D48s_v3", &disks, "");
    assert_eq!(of_cached(&larger).iter().filter(warns).count(), 0);
}

/// The findings about the cached ceiling.
fn of_cached(a: &Assessment) -> Vec<&Finding> {
    let found = a.findings.iter();
    found
        .filter(|f| f.id.code().starts_with("VM-CACHED"))
        .collect()
}

/// E16ds_v5: 1,000 MB/s cached, and four cached P30 draw 800: what is beyond the ceiling is what the temp disk would take of
/// any size.
#[test]
fn the_appetite_of_a_temp_disk_needs_no_larger_size() {
    for size in ["E16ds_v5", "E20ds_v5", "E32ds_v5", "E48ds_v5", "E64ds_v5"] {
        let a = plan(size, &["data=4xP30:cache=ro", "tempdb=temp"], "block=1MiB");
        let held: Vec<&Finding> = of_cached(&a);
        assert!(
            held.iter().all(|f| f.severity == Severity::Info),
            "{size}: {held:?}"
        );
    }
}

/// D8ds_v5: 38,000 IOPS cached. A P30 whose cache answers 80 % reaches 5,000 / 0.2 = 25,000; beside a temp disk that takes
/// all it gets each has half of the ceiling. Once that is told to take 1,000, nothing holds the P30 back.
#[test]
fn a_cached_disk_that_a_temp_disk_holds_back_is_told() {
    let disks = ["data=P30:cache=ro", "tmp=temp"];
    let a = plan("D8ds_v5", &disks, "hit=0.8");
    let found = finding(&a, "VM-CACHED-IOPS", "Standard_D8ds_v5");
    assert_eq!(
        found.message,
        "data gets 19,000 of 25,000 IOPS: the temp disk (tmp) shares the cached ceiling of 38,000 IOPS and takes all it gets"
    );
    let fix = found.fix.as_deref().unwrap();
    assert!(fix.contains("such as --iops tmp=1000:"), "{fix}");
    let demand = Demand::Iops(Iops::whole(1000));
    let a = common::plan_with_demands("D8ds_v5", &disks, "hit=0.8", &[("tmp", demand)]);
    close(
        result(&a, "", "data")
            .together
            .sustained
            .iops
            .unwrap()
            .get(),
        25_000.0,
        1e-6,
    );
    assert!(!codes(&a).iter().any(|c| c.starts_with("VM-CACHED")));
    // A P40 more: 7,500 / 0.2. The three have a third of the ceiling each.
    let more = ["data=P30:cache=ro", "more=P40:cache=ro", "tmp=temp"];
    let a = plan("D8ds_v5", &more, "hit=0.8");
    let told = &finding(&a, "VM-CACHED-IOPS", "Standard_D8ds_v5").message;
    let wanted =
        "through its cached ceiling; the temp disk shares it, and tmp gets 12,667 IOPS of it";
    assert!(told.ends_with(wanted), "{told}");
}

/// The temp disk of the same series with the letter d.
#[test]
fn a_size_without_a_local_disk_names_the_one_with_it() {
    let error = request("D16s_v5", &["m=temp"])
        .build(Catalog::embedded())
        .unwrap_err();
    let said = "Standard_D16s_v5 has no temp disk; Standard_D16ds_v5 has one";
    assert!(error.to_string().ends_with(said), "{error}");
    // On the sixth generation it is local NVMe.
    let error = request("D8s_v6", &["m=temp"])
        .build(Catalog::embedded())
        .unwrap_err();
    let said = "Standard_D8s_v6 has no temp disk; Standard_D8ds_v6 has one";
    assert!(error.to_string().ends_with(said), "{error}");
    assert!(
        request("D8ds_v6", &["m=temp"])
            .build(Catalog::embedded())
            .is_ok()
    );
}

/// 70 % reads of which the cache answers 90 %: 37 % reach the disk, so a P30 makes 5,000 / 0.37 = 13,514 and the OS disk
/// 500 / 0.37 = 1,351, sustained. (38,000 - 1,351) / 3 = 12,216 is left to each of the others: they do not fit.
#[test]
fn what_fits_but_for_a_temp_disk_is_not_said_to_fit() {
    let disks = [
        "data=P30:cache=ro",
        "d2=P30:cache=ro",
        "t=temp",
        "os=P10:os",
    ];
    let a = plan("D8ds_v5", &disks, "block=8KiB read=0.7 hit=0.9 depth=32");
    let told = &finding(&a, "VM-CACHED-IOPS", "Standard_D8ds_v5").message;
    let wanted =
        ". Sustained data gets 12,216 of 13,514 IOPS, d2 gets 12,216 of 13,514 IOPS beside t";
    assert!(told.ends_with(wanted), "{told}");
}

/// D16ds_v4 lets 25,600 IOPS and 384 MB/s of 50,000 and 1,600 through; its temp disk has 600 GiB and the 154,000 IOPS of
/// the host's SSD. Nobody says what is asked of it: E32bds_v5 (96,800 and 2,740, 1,200 GiB, 150,000 IOPS) does, and says
/// what is less. Where 152,000 are asked, it does not, and no other that is cheaper than D64lds_v5.
#[test]
fn a_temp_disk_without_a_demand_needs_its_size_alone() {
    let disks = [
        "data=4xP40",
        "tempdb=temp",
        "log=v2:size=512,iops=20000,mbps=600",
    ];
    let prices = [
        ("Standard_D16ds_v4", 1.0),
        ("Standard_E32bds_v5", 2.0),
        ("Standard_D64lds_v5", 3.0),
    ];
    let fix = priced_fix(&book(&prices), "D16ds_v4", &disks, "VM-UNCACHED-IOPS");
    assert!(
        fix.contains(
            "Standard_E32bds_v5 (SCSI) is the cheapest that lifts every cap (96,800 uncached IOPS), for 730.00 USD a \
             month more, with a temp disk of 150,000 IOPS in place of 154,000"
        ),
        "{fix}"
    );
    let catalog = Catalog::embedded();
    let asking = PlanRequest {
        demands: vec![(
            "tempdb".to_owned(),
            Demand::Iops(Iops::new(152_000.0).unwrap()),
        )],
        ..request("D16ds_v4", &disks)
    };
    let plan = asking.build(catalog).unwrap();
    let mut a = assess(catalog, &plan.deployment, &plan.workloads);
    let offer = VmOffer::Linux;
    price(catalog, &plan.deployment, &book(&prices), offer, &mut a);
    let found = finding(&a, "VM-UNCACHED-IOPS", "Standard_D16ds_v4");
    let fix = found.fix.as_deref().unwrap();
    assert!(!fix.contains("E32bds_v5"), "{fix}");
}
