//! How comparisons read, and what is said of wrong input.

use crate::cli::{plans, run, run_in, shown, stdout, transcript};
use crate::fixtures::TIERS_ON_D8S_V5;

#[test]
fn heads_of_money_do_not_depend_on_known_prices() {
    let csv = |offer: &str| {
        stdout(&format!(
            "compare vms D2s_v5 --disk P10 --format csv --columns size,vm_month,month --offer {offer}"
        ))
    };
    assert!(csv("linux").starts_with("size,vm_month_usd,month_usd\r\n"));
    assert_eq!(
        csv("reserved1y"),
        "size,vm_month_usd,month_usd\r\nD2s_v5,,\r\n"
    );
    let wrong = run("compare vms D2s_v5 --format csv --columns vm_month_eur");
    assert_eq!(wrong.status.code(), Some(2));
}

/// Lsv3 holds v2 and Ultra within the uncached ceiling; Ebdsv5 has a higher one for them.
#[test]
fn how_two_ceilings_go_together_is_said_of_the_sizes_that_have_them() {
    let of = |sizes: &str| stdout(&format!("compare vms {sizes} --disk P40 --width 300"));
    let (within, higher) = ("All remote disks stay within", "Tiered disks stay within");
    let one = of("L8s_v3 D8s_v3");
    assert!(
        one.contains(&format!("\n{within}")) && !one.contains(higher),
        "{one}"
    );
    let both = of("L8s_v3 E8bds_v5");
    assert!(both.contains(&format!("\nL8s_v3: {within}")), "{both}");
    assert!(both.contains(&format!("\nOther sizes: {higher}")), "{both}");
}

#[test]
fn comparisons_read_well() {
    for (name, words) in [
        ("tiers_on_d8s_v5_160", format!("{TIERS_ON_D8S_V5} --width 160")),
        ("tiers_on_d8s_v5_80", format!("{TIERS_ON_D8S_V5} --width 80")),
        ("capacity", "compare disks --capacity 512GiB --width 120".to_owned()),
        (
            "cheapest",
            "compare disks --capacity 2TiB --iops 20000 --mbps 500 --max-stripe 4 --width 120".to_owned(),
        ),
        (
            "sizes_with_disks",
            "compare vms D?s_v5 D??s_v5 --disk data=4xP30:cache=ro --disk log=v2:size=256,iops=8000,mbps=400 --width 140"
                .to_owned(),
        ),
        ("ceilings", "compare vms E?bds_v5 --no-prices --width 140".to_owned()),
    ] {
        insta::assert_snapshot!(name, transcript(&words));
    }
}

#[test]
fn wrong_input_is_named_with_what_would_be_right() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    for (name, words) in [
        ("no_disks", "compare disks"),
        ("unknown_tier", "compare disks P35"),
        ("no_such_tiers", "compare disks Q*"),
        ("no_size", "compare disks v2"),
        (
            "unknown_size_of_disks",
            "compare disks --iops 900000 --vm D8s_v55",
        ),
        ("workload_without_vm", "compare disks P30 --profile oltp"),
        ("stripe_of_0", "compare disks --iops 5000 --max-stripe 0"),
        ("no_sizes", "compare vms"),
        ("unknown_size", "compare vms D8s_v55"),
        ("no_match", "compare vms Z*"),
        ("none_fits", "compare vms D8s_v5 --vcpus 4"),
        ("temp_nowhere", "compare vms D8s_v5 --disk temp"),
        (
            "unknown_volume",
            "compare vms D8s_v5 --disk P30 --iops data=5",
        ),
        (
            "two_profiles",
            "compare vms D8s_v5 --disk P30 --profile oltp --profile vdi",
        ),
        ("unknown_region", "compare disks P30 --region estus"),
        ("one_plan", "compare plans today.toml"),
        ("no_plan", "compare plans today.toml missing.toml"),
        ("no_saved", "render missing.json"),
        ("not_saved", "render today.toml"),
    ] {
        let output = run_in(folder.path(), words);
        assert_eq!(output.status.code(), Some(2), "{}", shown(words, &output));
        insta::assert_snapshot!(format!("error_{name}"), shown(words, &output));
    }
}

#[test]
fn help_is_kept_under_review() {
    for words in [
        "compare --help",
        "compare disks --help",
        "compare vms --help",
        "compare plans --help",
        "render --help",
    ] {
        let name = words.replace(" --help", "").replace(' ', "_");
        insta::assert_snapshot!(format!("help_{name}"), transcript(words));
    }
}

#[test]
fn a_width_that_no_layout_has_is_refused() {
    let output = run("compare disks P30 --width 0");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("write 20 or more"));
}
