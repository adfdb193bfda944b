//! Sizes that are retired.

use crate::common::plan;
use crate::{book, finding, priced_fix};
use diskcap::planner::Severity;

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
        "Standard_NC6s_v3 was retired on 2025-09-30: no VM of it runs and none can be made"
    );
}
