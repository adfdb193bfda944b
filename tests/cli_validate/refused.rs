//! What fails, and what is said then.

use std::path::Path;

use serde_json::json;

use crate::cli::{run, run_in};
use crate::{ONE, SHOP, cloud, code, fails};

#[test]
fn findings_fail_where_that_is_asked() {
    for (severity, expected) in [("error", 0), ("warning", 1), ("info", 1)] {
        let output = run(&format!("{SHOP} --fail-on {severity}"));
        assert_eq!(code(&output), expected, "{severity}");
    }
    let output = run(&format!("{SHOP} --fail-on warning"));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("findings at or above --fail-on warning"),
        "{told}"
    );
}

#[test]
fn what_cannot_be_validated_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("empty-list.json", "[]");
    write("value.json", "{\"value\": []}");
    write("nothing.json", "");
    write(
        "page.json",
        "<html><head><title>Sign in</title></head></html>",
    );
    write(
        "cut.json",
        "[{\"name\": \"db1\", \"type\": \"Microsoft.Compute/disks\", \"properties\": {",
    );
    write(
        "picked.json",
        r#"[{"name":"db1","size":"Standard_D8s_v5"}]"#,
    );
    let denied = json!({ "error": { "code": "AuthorizationFailed", "message": "may not" } });
    write("denied.json", &denied.to_string());
    std::fs::create_dir(folder.path().join("bare")).unwrap();
    let set = json!({
        "id": format!("{}/virtualMachineScaleSets/web", cloud::COMPUTE),
        "type": "Microsoft.Compute/virtualMachineScaleSets",
        "properties": { "virtualMachineProfile": {} }
    });
    write("set.json", &set.to_string());
    let cases = [
        (
            "empty-list.json",
            "no virtual machine and no disk was found",
        ),
        ("value.json", "looked for `az vm show|list`"),
        ("nothing.json", "empty: there is nothing to read"),
        ("page.json", "a web page titled 'Sign in'"),
        ("cut.json", "cut off"),
        ("denied.json", "AuthorizationFailed: may not"),
        ("bare", "'bare' holds no file named .json"),
        (
            "picked.json",
            "have only name, size, as `az ... --query` picks them",
        ),
        ("set.json", "1 scale set(s) without their instances"),
        ("missing.json", "cannot open 'missing.json'"),
    ];
    for (file, wanted) in cases {
        let output = run_in(folder.path(), &format!("validate --from {file}"));
        let told = fails(&output, 2);
        assert!(told.contains(wanted), "{file}: {told}");
        assert!(output.stdout.is_empty(), "{file}");
    }
    let told = fails(&run("validate"), 2);
    assert!(
        told.contains("--from") && told.contains("--subscription"),
        "{told}"
    );
}

#[test]
fn a_broken_file_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["vms.json", "disks.json"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/azure/one")
            .join(file);
        std::fs::copy(from, folder.path().join(file)).unwrap();
    }
    std::fs::write(folder.path().join("skus.json"), "[{\"name\": ").unwrap();
    let output = run_in(folder.path(), "validate --from .");
    let told = fails(&output, 2);
    assert!(
        told.contains("skus.json") && told.contains("cut off"),
        "{told}"
    );
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        shown.contains("Validate: db1") && shown.contains("Read with difficulty"),
        "{shown}"
    );
}

/// A folder with one VM and its disks.
fn one_vm() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in ["vms.json", "disks.json"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/azure/one")
            .join(file);
        std::fs::copy(from, folder.path().join(file)).unwrap();
    }
    folder
}

#[test]
fn a_missing_file_does_not_hide_the_others() {
    let folder = one_vm();
    let output = run_in(
        folder.path(),
        "validate --from vms.json disks.json no-skus.json",
    );
    let told = fails(&output, 2);
    assert_eq!(told.matches("no-skus.json").count(), 1, "{told}");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        shown.contains("Validate: db1") && shown.contains("no-skus.json"),
        "{shown}"
    );
}

#[test]
fn pipelines_are_told_that_something_could_not_be_read() {
    let folder = one_vm();
    let cut = "[{\"name\": \"left\", \"type\": \"Microsoft.Compute/disks\", \"properties\": {";
    std::fs::write(folder.path().join("cut.json"), cut).unwrap();
    let output = run_in(folder.path(), "validate --from . --format sarif");
    let told = fails(&output, 2);
    assert_eq!(told.matches("cut off").count(), 1, "{told}");
    let sarif: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    let text = notification["message"]["text"].as_str().unwrap();
    assert!(
        text.contains("cut.json: ") && text.contains("cut off"),
        "{text}"
    );
    let output = run_in(folder.path(), "validate --from . --format junit");
    fails(&output, 2);
    let junit = String::from_utf8_lossy(&output.stdout);
    assert!(
        junit.contains(
            "<testsuite name=\"what could not be read\" tests=\"1\" failures=\"0\" errors=\"1\""
        ),
        "{junit}"
    );
    assert!(
        junit.contains("<error message=\"") && junit.contains("type=\"unread\"/>"),
        "{junit}"
    );
    // Where all was read, the check succeeded.
    let whole = one_vm();
    let output = run_in(whole.path(), "validate --from . --format sarif");
    let sarif: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        sarif["runs"][0]["invocations"][0]["executionSuccessful"],
        true
    );
}

#[test]
fn names_that_no_vm_has_are_refused() {
    let cases = [
        (
            "--stripe data=lun7,lun8",
            "stripe 'data': no VM has such a disk",
        ),
        ("--stripe os=lun0,lun1", "the OS disk is called os"),
        ("--stripe data=lun0,os", "an OS disk is one disk"),
        (
            "--stripe data=lun0,lun7",
            "has no data disk lun7; there are lun0",
        ),
        ("--iops lun9=100", "demand for 'lun9': no VM has"),
        ("--stripe data=lun0", "NAME=lun0,lun1"),
        (
            "--bench lun9=tests/fixtures/bench/small.txt",
            "there is no such volume",
        ),
    ];
    for (flags, wanted) in cases {
        let told = fails(&run(&format!("{ONE} {flags}")), 2);
        assert!(told.contains(wanted), "{flags}: {told}");
    }
    let told = fails(
        &run(&format!(
            "{SHOP} --bench lun0=tests/fixtures/bench/small.txt"
        )),
        2,
    );
    assert!(told.contains("of one VM, and there are 4"), "{told}");
}

#[test]
fn json_without_resources_is_no_text() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("null.json"), "null\n").unwrap();
    let told = fails(&run_in(folder.path(), "validate --from null.json"), 2);
    assert!(
        told.contains("null.json: JSON without resources ('null' is all there is)"),
        "{told}"
    );
}
