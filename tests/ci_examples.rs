//! The scripts that pipelines copy from `examples/ci/`.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

const WARNED: &str = "[vm]\nsize = 'D2s_v3'\n[[disk]]\nsku = 'P30'\n";
const FINE: &str = "[vm]\nsize = 'D8s_v5'\n[[disk]]\nsku = 'v2'\nsize = 64\n";
const REFUSED: &str = "[vm]\nsize = 'D8s_v5'\n[[disk]]\nsku = 'v2'\nsize = 64\ncache = 'ro'\n";

fn check(folder: &Path, fail_on: &str, plans: &[&str]) -> Output {
    let built = Path::new(env!("CARGO_BIN_EXE_diskcap")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ci/check-plans.sh"))
        .args(plans)
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", built.display()))
        .env("DISKCAP_CONFIG", "none")
        .env("FAIL_ON", fail_on)
        .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
        .output()
        .unwrap()
}

#[test]
fn plans_are_checked_and_the_worst_decides() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("warned", WARNED), ("fine", FINE), ("refused", REFUSED)] {
        std::fs::write(folder.path().join(format!("{name}.plan.toml")), text).unwrap();
    }
    let code = |fail_on: &str, plans: &[&str]| check(folder.path(), fail_on, plans).status.code();
    assert_eq!(code("warning", &["fine.plan.toml"]), Some(0));
    assert_eq!(code("error", &["warned.plan.toml"]), Some(0));
    assert_eq!(code("warning", &[]), Some(0));
    let output = check(
        folder.path(),
        "warning",
        &["warned.plan.toml", "fine.plan.toml"],
    );
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        told.contains("warned.plan.toml:\n") && told.contains("VM-UNCACHED-IOPS"),
        "{told}"
    );
    assert!(!told.contains("fine.plan.toml"), "{told}");
    let all = ["refused.plan.toml", "warned.plan.toml", "missing.plan.toml"];
    assert_eq!(code("warning", &all), Some(2));
    let summary = std::fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(
        summary.contains("# Plan: disks on Standard_D2s_v3"),
        "{summary}"
    );
    assert!(summary.contains("V2-CACHING"), "{summary}");
}
