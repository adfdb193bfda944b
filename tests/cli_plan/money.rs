//! Prices.

use crate::FIELD_REPORT;
use crate::cli::{run, shown, stdout, transcript};

#[test]
fn money_is_shown_when_asked() {
    insta::assert_snapshot!(
        "field_report_cost",
        transcript(&format!(
            "{FIELD_REPORT} --cost --table cost --columns all --width 200"
        ))
    );
    // 0.096 USD an hour x 730 h: Standard_D2s_v3, Linux, eastus.
    let csv = stdout(&format!(
        "{FIELD_REPORT} --cost --format csv --table cost --columns item,month"
    ));
    assert!(csv.contains("\"VM, Linux\",70.08"), "{csv}");
    let output = run("plan --disk P30 --cost --region nowhere");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(
        "error_unknown_region",
        shown("plan --disk P30 --cost --region nowhere", &output)
    );
}

#[test]
fn offline_is_offline() {
    let output = run("skus update --offline");
    assert_eq!(output.status.code(), Some(3));
    insta::assert_snapshot!(
        "skus_update_offline",
        shown("skus update --offline", &output)
    );
}

/// A volume that is cached is not offered what cannot be, an OS disk not what does not boot.
#[test]
fn cheaper_ways_keep_the_host_cache_and_boot() {
    let ways = |disk: &str| {
        stdout(&format!(
            "plan --vm E8ds_v5 --disk {disk} --cost --region eastus --width 160"
        ))
    };
    let title = "Cheaper ways";
    let after = |text: &str| {
        let at = text.find(title).unwrap_or(text.len());
        text[at..].to_owned()
    };
    let plain = after(&ways("data=4xP30"));
    assert!(plain.contains("Premium SSD v2"), "{plain}");
    let cached = after(&ways("data=4xP30:cache=ro"));
    assert!(!cached.contains("Premium SSD v2"), "{cached}");
    let os = after(&ways("os=P30:os,cache=none"));
    assert!(!os.contains("v2") && !os.contains("stripe"), "{os}");
}

/// 256 GiB x 0.00013 x 730 h; four members of a stripe each cost a tier.
#[test]
fn parts_of_a_bill_multiply_to_their_sum() {
    let parts = |disk: &str| {
        stdout(&format!(
            "plan --vm E8ds_v5 --disk {disk} --cost --region eastus --format csv --table cost"
        ))
    };
    let v2 = parts("d=v2:size=256");
    assert!(v2.contains(" an hour x 730 h = "), "{v2}");
    let stripe = parts("d=4xP30");
    assert!(stripe.contains("4 members, each: "), "{stripe}");
}

/// A P30 is 135.17 USD a month; a VM without a price is missing in the sum, not free.
#[test]
fn a_vm_without_a_price_is_missing_in_the_sum() {
    let words = "plan --vm D8s_v5 --disk P30 --cost --offer reserved3y";
    let text = stdout(&format!("{words} --width 160"));
    let line = text.lines().find(|line| line.starts_with("(total)"));
    assert!(
        line.is_some_and(|line| line.contains("135.17 USD (and more)")),
        "{line:?}"
    );
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&format!("{words} --format json"))).expect("JSON");
    let missing = &json["cost"]["total"]["missing"][0];
    assert_eq!(missing["what"], "VM Standard_D8s_v5");
    assert_eq!(missing["why"], "no-price");
    let csv = stdout(&format!("{words} --format csv --table cost"));
    let sum = csv.lines().find(|line| line.starts_with("(total)"));
    let wanted = "(total),135.17,VM Standard_D8s_v5: price unknown,";
    assert!(sum.is_some_and(|line| line.starts_with(wanted)), "{csv}");
}
