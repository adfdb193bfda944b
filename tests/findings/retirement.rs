//! Sizes that are retired.

use crate::common::{assessed, plan, request};
use crate::{book, finding, priced_fix};
use diskcap::catalog::Catalog;
use diskcap::catalog::price::VmOffer;
use diskcap::compare::{VmQuestion, compare_vms};
use diskcap::deployment::{PlanRequest, Standing};
use diskcap::planner::{Severity, assess};

/// No source here says the memory of a Basic_A0.
#[test]
fn a_size_of_unknown_memory_says_why_none_is_named() {
    let a = plan("Basic_A0", &["S4:os"], "block=4KiB");
    let fix = finding(&a, "RETIRING-SIZE", "Basic_A0")
        .fix
        .clone()
        .unwrap();
    assert!(
        fix.contains("how much memory this one has is not known here"),
        "{fix}"
    );
}

/// DS1_v2 lets 48 MB/s through, a P20 does 150: DS3_v2 (192) does, and retires on the same day as every DSv2. E2bds_v5 has a
/// temp disk, as DS1_v2 has, lets 170 through and stays.
#[test]
fn a_size_that_retires_is_no_advice_by_itself() {
    let a = plan("DS1_v2", &["P20"], "");
    assert_eq!(
        finding(&a, "RETIRING-SIZE", "Standard_DS1_v2").severity,
        Severity::Warning
    );
    assert_eq!(
        finding(&a, "VM-UNCACHED-MBPS", "Standard_DS1_v2")
            .fix
            .as_deref(),
        Some(
            "Standard_DS3_v2 is the smallest DSv2 size that lifts every cap met here (192 uncached MB/s), but retires on \
             2028-05-01 as well; of all sizes that take what is deployed, Standard_E2bds_v5 (SCSI) is the smallest that \
             lifts every cap (170 uncached MB/s)"
        )
    );
}

/// NCv3 went on 2025-09-30, before the day of the data: no larger one of it is named.
#[test]
fn a_size_that_is_retired_is_no_advice_at_all() {
    let a = plan("NC6s_v3", &["4xP40"], "");
    let fix = &finding(&a, "VM-UNCACHED-MBPS", "Standard_NC6s_v3").fix;
    let fix = fix.as_deref().unwrap();
    assert!(
        fix.starts_with("the NCsv3 sizes that lift every cap are retired as well"),
        "{fix}"
    );
}

/// D8s_v3 has 8 vCPUs, 32 GiB, a temp disk, 12,800 IOPS and 192 MB/s, 16,000 and 400 in burst. Without prices D8ads_v5 is
/// the first of the newest generation on SCSI with a temp disk, 12,800 and 200, 20,000 and 600. By price it is D8as_v4,
/// with the same ceilings as D8s_v3: (0.48 - 0.46) x 730 = 14.60.
#[test]
fn a_size_that_retires_names_one_to_resize_to() {
    let code = "RETIRING-SIZE";
    let a = plan("D8s_v3", &["P20"], "");
    let found = finding(&a, code, "Standard_D8s_v3");
    assert_eq!(
        found.message,
        "Standard_D8s_v3 retires on 2029-11-15: from then no VM of it runs and none can be made"
    );
    let text = "size to resize to that stays, takes what is deployed and has no less of vCPUs, memory and base ceilings";
    assert_eq!(
        found.fix,
        Some(format!("Standard_D8ads_v5 is the smallest {text}"))
    );
    let prices = [
        ("Standard_D8s_v3", 0.48),
        ("Standard_D8as_v4", 0.46),
        ("Standard_D8ds_v5", 0.544),
        ("Standard_D8s_v5", 0.3),
    ];
    assert_eq!(
        priced_fix(&book(&prices), "D8s_v3", &["P20"], code),
        format!("Standard_D8as_v4 is the cheapest {text}, for 14.60 USD a month less")
    );
    // With cached disks the cached ceiling counts: D8as_v4 has the 131.072 MB/s of D8s_v3. Not without its price.
    let cached = priced_fix(&book(&prices[2..]), "D8s_v3", &["P20:cache=ro"], code);
    assert!(cached.starts_with("Standard_D8ds_v5"), "{cached}");
}

#[test]
fn a_size_that_is_retired_was_so() {
    let a = plan("NC6s_v3", &["P30"], "");
    assert_eq!(
        finding(&a, "RETIRING-SIZE", "Standard_NC6s_v3").message,
        "the size was retired on 2025-09-30: no VM of it runs and none can be made"
    );
}

/// NVv3 goes on 2026-09-30, behind the day of the data: until then it can be made, from then on it cannot, nor can the
/// larger one of its series be advised. NC6s_v3 was gone on the day of the data.
#[test]
fn a_size_that_is_retired_cannot_be_planned() {
    let code = "RETIRING-SIZE";
    let on = |vm: &str, day: Option<&str>| {
        assessed(PlanRequest {
            day: day.map(|day| day.parse().unwrap()),
            ..request(vm, &["P50"])
        })
    };
    let severity = |vm: &str, day| finding(&on(vm, day), code, &format!("Standard_{vm}")).severity;
    assert_eq!(severity("NV12s_v3", Some("2026-09-29")), Severity::Warning);
    assert_eq!(severity("NV12s_v3", Some("2026-09-30")), Severity::Error);
    assert_eq!(severity("NC6s_v3", None), Severity::Error);
    // Two P50 do 500 MB/s, NV12s_v3 lets 300 through and NV24s_v3 600.
    let on = |day: &str| {
        let a = assessed(PlanRequest {
            day: Some(day.parse().unwrap()),
            ..request("NV12s_v3", &["2xP50"])
        });
        let found = finding(&a, "VM-UNCACHED-MBPS", "Standard_NV12s_v3");
        found.fix.clone().unwrap()
    };
    assert!(on("2026-09-29").contains("Standard_NV24s_v3"));
    let fix = on("2026-09-30");
    assert!(!fix.contains("NV24s_v3"), "{fix}");
}

/// A VM that is there has to be moved: nothing is refused. From the day on which NVv3 goes it is told so.
#[test]
fn a_deployed_size_that_is_retired_is_a_warning() {
    let told = |day: Option<&str>| {
        let plan = request("NV12s_v3", &["P30"]).build(Catalog::embedded());
        let mut plan = plan.unwrap();
        plan.deployment.standing = Standing::Deployed(day.map(|day| day.parse().unwrap()));
        let a = assess(Catalog::embedded(), &plan.deployment, &plan.workloads);
        let found = finding(&a, "RETIRING-SIZE", "Standard_NV12s_v3");
        assert_eq!(found.severity, Severity::Warning);
        found.message.clone()
    };
    let before =
        "Standard_NV12s_v3 retires on 2026-09-30: from then no VM of it runs and none can be made";
    assert_eq!(told(None), before);
    assert_eq!(told(Some("2026-09-29")), before);
    assert_eq!(
        told(Some("2026-09-30")),
        "the size was retired on 2026-09-30: no VM of it runs and none can be made"
    );
}

/// Retired on 2026-09-30, NV12s_v3 is none of the sizes to choose from, though it lets a P30 through.
#[test]
fn no_retired_size_is_the_first_or_the_cheapest() {
    let catalog = Catalog::embedded();
    let book = book(&[("Standard_NV12s_v3", 0.1), ("Standard_D16s_v5", 0.5)]);
    let lifting = |day: &str| {
        let sizes = ["NV12s_v3", "D16s_v5"].map(|name| catalog.vm(name, None).unwrap());
        let plan = PlanRequest {
            day: Some(day.parse().unwrap()),
            ..request("", &["P30"])
        };
        let question = VmQuestion {
            sizes: sizes.to_vec(),
            plan,
            book: Some(&book),
            offer: VmOffer::Linux,
        };
        let compared = compare_vms(catalog, &question).unwrap();
        (compared.first_lifting, compared.cheapest_lifting)
    };
    let both = |name: &str| (Some(name.to_owned()), Some(name.to_owned()));
    assert_eq!(lifting("2026-09-29"), both("Standard_NV12s_v3"));
    assert_eq!(lifting("2026-09-30"), both("Standard_D16s_v5"));
}

/// E32-8s_v3 has 8 of 32 vCPUs for the sake of licences, and so has what takes its place. E8-2ds_v5 takes 16 disks.
#[test]
fn a_constrained_size_gives_way_to_a_constrained_one() {
    let prices = [
        ("Standard_E32-8s_v3", 2.016),
        ("Standard_E32as_v4", 2.016),
        ("Standard_E32-8as_v4", 2.016),
    ];
    let fix = priced_fix(&book(&prices), "E32-8s_v3", &["P30"], "RETIRING-SIZE");
    assert_eq!(
        fix,
        "Standard_E32-8as_v4 is the cheapest constrained size to resize to that stays, takes what is deployed and has \
         no less of vCPUs, memory and base ceilings, at the same price"
    );
    let a = plan("E4-2ds_v5", &["12xP10"], "");
    let fix = &finding(&a, "TOO-MANY-DISKS", "Standard_E4-2ds_v5").fix;
    assert_eq!(
        fix.as_deref(),
        Some("Standard_E8-2ds_v5 is the smallest constrained Edsv5 size that takes 12 (16)")
    );
    // In place of a size with all its vCPUs none is named that has fewer.
    let a = plan("E4ds_v5", &["12xP10"], "");
    let fix = &finding(&a, "TOO-MANY-DISKS", "Standard_E4ds_v5").fix;
    assert_eq!(
        fix.as_deref(),
        Some("Standard_E8ds_v5 is the smallest Edsv5 size that takes 12 (16)")
    );
}

/// DSv2 goes on 2028-05-01: no larger size of it is advice by itself. D8s_v5 stays.
#[test]
fn no_larger_size_of_a_series_that_goes_is_advised() {
    let fix = |vm: &str| {
        let a = plan(vm, &["2xP50"], "");
        finding(&a, "UNUSABLE", "P50").fix.clone().unwrap()
    };
    let larger = "take a larger size of a series that stays; or a smaller disk";
    assert!(fix("DS3_v2").starts_with(larger), "{}", fix("DS3_v2"));
    assert!(
        fix("D4s_v5").ends_with("or take a larger size"),
        "{}",
        fix("D4s_v5")
    );
}
