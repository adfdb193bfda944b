//! Plans side by side.

use std::fs;

use serde_json::Value;

use crate::cli::{plans, run_in, shown};
use crate::fixtures::{close, number, row};

/// At no width is one of two plans left out of what differs.
#[test]
fn every_plan_is_shown_at_every_width() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |name: &str, sku: &str| {
        let disks = ["data", "log", "temp"]
            .map(|disk| format!("[[disk]]\nname = '{disk}'\nsku = '{sku}'\n"));
        fs::write(folder.path().join(name), disks.concat()).unwrap();
    };
    plan("now.toml", "P30");
    plan("then.toml", "P40");
    for width in [40, 80, 120] {
        let words = format!("compare plans now.toml then.toml --width {width}");
        let text = String::from_utf8(run_in(folder.path(), &words).stdout).unwrap();
        assert!(text.contains("15,000") && text.contains("22,500"), "{text}");
        let left = text
            .split("Left out at this width")
            .nth(1)
            .unwrap_or_default();
        assert!(
            !left.lines().next().unwrap_or_default().contains("then"),
            "{text}"
        );
    }
}

#[test]
fn plans_show_what_differs_with_how_much() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    let output = run_in(
        folder.path(),
        "compare plans today.toml tomorrow.toml --format json",
    );
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    let differences = comparison["differences"].as_array().unwrap();
    let find = |subject: &str, figure: &str| {
        let found = differences
            .iter()
            .find(|d| d["subject"] == subject && d["figure"] == figure);
        found.unwrap_or_else(|| panic!("{subject} {figure}"))
    };
    // 5,000 to 7,500 IOPS: half as much again.
    let iops = find("data", "sustained_iops");
    close(number(iops, "/values/0/number"), 5000.0);
    close(number(iops, "/values/1/number"), 7500.0);
    close(number(iops, "/changes/1/absolute"), 2500.0);
    close(number(iops, "/changes/1/percent"), 50.0);
    assert_eq!(iops["changes"][0], Value::Null);
    let sku = find("data", "sku");
    assert_eq!(sku["values"][1]["text"], "P40");
    // 259.05 - 135.17
    let month = find("data", "month");
    close(number(month, "/changes/1/absolute"), 123.8757);
    assert!(differences.iter().all(|d| d["subject"] != "VM"));
    let same = row(&comparison["same"], "/subject", "VM");
    assert_eq!(same["wholly"], true);
    // The log bursts alike, and gets alike: nothing of it by itself differs.
    let log: Vec<&Value> = differences
        .iter()
        .filter(|d| d["subject"] == "log")
        .collect();
    assert!(
        log.iter()
            .all(|d| d["figure"].as_str().unwrap().starts_with("together_")),
        "{log:?}"
    );
}

#[test]
fn plans_that_are_alike_say_so_and_several_compare_against_the_first() {
    let folder = tempfile::tempdir().unwrap();
    plans(folder.path());
    fs::copy(
        folder.path().join("today.toml"),
        folder.path().join("copy.toml"),
    )
    .unwrap();
    let output = run_in(
        folder.path(),
        "compare plans today.toml copy.toml --no-prices",
    );
    insta::assert_snapshot!(
        "plans_alike",
        shown("compare plans today.toml copy.toml", &output)
    );
    let words = "compare plans today.toml tomorrow.toml larger.toml --width 160";
    insta::assert_snapshot!("three_plans", shown(words, &run_in(folder.path(), words)));
    // A plan saved as JSON is as good.
    let saved = run_in(folder.path(), "plan today.toml --output today.json");
    assert!(saved.status.success());
    let output = run_in(
        folder.path(),
        "compare plans today.json copy.toml --no-prices --format json",
    );
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(comparison["differences"], Value::Array(Vec::new()));
}

#[test]
fn volumes_are_matched_by_name_or_else_by_order() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, disks: &[&str]| {
        let disks: Vec<String> = disks
            .iter()
            .map(|d| format!("[[disk]]\nspec = '{d}'\n"))
            .collect();
        let text = format!("[vm]\nsize = 'D8s_v5'\n\n{}", disks.join("\n"));
        fs::write(folder.path().join(name), text).unwrap();
    };
    write("a.toml", &["P30", "scratch=P10"]);
    write(
        "b.toml",
        &["v2:size=1024,iops=5000,mbps=200", "archive=P10"],
    );
    let output = run_in(
        folder.path(),
        "compare plans a.toml b.toml --no-prices --format json",
    );
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut subjects: Vec<&str> = comparison["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["subject"].as_str().unwrap())
        .collect();
    subjects.dedup();
    // Unnamed ones pair; those named otherwise are other volumes. All of them together reach the same.
    assert_eq!(subjects, ["P30 / v2", "scratch", "archive"]);
}

/// What a Standard SSD is billed for by use is not in its price: the sum says that there is more. That of a P40 is whole.
#[test]
fn a_price_that_misses_something_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sku) in [("a", "E30"), ("b", "P40")] {
        let text = format!("[vm]\nsize = \"D8s_v5\"\n[[disk]]\nsku = \"{sku}\"\n");
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let output = run_in(
        folder.path(),
        "compare plans a.toml b.toml --cost --width 160",
    );
    let told = String::from_utf8(output.stdout).unwrap();
    let is_price = |line: &&str| line.contains("Price a month, VM and disks");
    let row = told.lines().find(is_price).unwrap();
    assert_eq!(row.matches("and more").count(), 1, "{told}");
    assert!(
        told.contains("Not in the price of a: E30 LRS transactions"),
        "{told}"
    );
}

/// E16bds_v5 with Windows in westeurope is 2.328 USD an hour, x 730 = 1,699.44; four and one P30 at 148.68 each are 743.40 more, the
/// two v2 disks 323.11 and 52.15.
#[test]
fn the_price_says_how_vms_are_bought_and_shows_cents() {
    let folder = tempfile::tempdir().unwrap();
    for (name, data, log) in [
        ("a", "4xP30:cache=ro", "P30"),
        (
            "b",
            "v2:size=2TiB,iops=22000,mbps=500",
            "v2:size=512,iops=3000,mbps=200",
        ),
    ] {
        let text = format!(
            "[vm]\nsize = 'E16bds_v5'\nregion = 'westeurope'\n[[disk]]\nname = 'data'\nspec = '{data}'\n[[disk]]\nname = \
             'log'\nspec = '{log}'\n"
        );
        fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    }
    let told = |words: &str| {
        let words = format!("compare plans a.toml b.toml --width 160 {words}");
        String::from_utf8(run_in(folder.path(), &words).stdout).unwrap()
    };
    let windows = told("--offer windows --table differences");
    assert!(windows.contains("VMs as bought: Windows."), "{windows}");
    assert!(
        windows.contains("2,442.84 │ 2,074.70 │ -368.14"),
        "{windows}"
    );
    assert!(told("").contains("VMs as bought: Linux."));
    assert!(!told("--no-prices").contains("as bought"));
    // The controller, as its caps differ by it.
    assert!(told("--table plans").contains("Standard_E16bds_v5 (SCSI)"));
}

#[test]
fn plans_without_findings_say_so() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("a.toml"),
        "[vm]\nsize = 'E16bds_v5'\n[[disk]]\nspec = 'P30'\n",
    )
    .unwrap();
    let output = run_in(folder.path(), "compare plans a.toml a.toml");
    let text = String::from_utf8(output.stdout).unwrap();
    let plain = text.contains("no plan has findings") && text.contains("No plan has a finding.");
    assert!(plain, "{text}");
}

/// Steps are for a workload over time: that they are left out is told of each file.
#[test]
fn steps_that_are_left_out_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sku) in [("one.toml", "P30"), ("two.toml", "P40")] {
        let text =
            format!("[[disk]]\nname = 'data'\nsku = '{sku}'\n[[step]]\nfor = '1h'\niops = 1000\n");
        fs::write(folder.path().join(name), text).unwrap();
    }
    let output = run_in(folder.path(), "compare plans one.toml two.toml");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "note: the steps of 'one.toml' are for `diskcap simulate`: they are left out here\n\
         note: the steps of 'two.toml' are for `diskcap simulate`: they are left out here\n"
    );
}
