//! `diskcap validate` as a person meets it: saved answers, and a cloud that answers like the real one.
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

#[path = "common/cli.rs"]
mod cli;
#[path = "validate/cloud.rs"]
mod cloud;

use std::path::Path;
use std::process::Output;

use cli::{command, run, run_in, shown, stdout, transcript};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

const ONE: &str = "validate --from tests/fixtures/azure/one";
const SHOP: &str = "validate --from tests/fixtures/azure/shop";

#[test]
fn one_vm_shows_its_findings_first() {
    insta::assert_snapshot!("one_vm", transcript(&format!("{ONE} --cost --width 80")));
    insta::assert_snapshot!(
        "one_vm_striped",
        transcript(&format!(
            "{ONE} --stripe data=lun0,lun1 --profile vdi --width 110"
        ))
    );
}

#[test]
fn many_vms_have_a_line_each() {
    insta::assert_snapshot!(
        "many_vms",
        transcript(&format!("{SHOP} --cost --width 120"))
    );
    insta::assert_snapshot!("many_vms_narrow", transcript(&format!("{SHOP} --width 80")));
}

#[test]
fn every_text_format_says_the_same() {
    for format in ["csv", "markdown"] {
        let words = format!("{SHOP} --cost --format {format}");
        insta::assert_snapshot!(format!("many_vms_{format}"), transcript(&words));
    }
    let csv = stdout(&format!("{SHOP} --format csv --table findings"));
    assert!(csv.starts_with("severity,id,subject,text,fix"), "{csv}");
    let csv = stdout(&format!(
        "{SHOP} --format csv --table deployed --columns vm,volume,iops"
    ));
    assert!(csv.contains("db1,lun2,16000"), "{csv}");
}

#[test]
fn json_has_every_vm_and_is_rendered_again() {
    let text = stdout(&format!("{SHOP} --cost --format json"));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "diskcap.validate/1");
    assert_eq!(value["vms"].as_array().unwrap().len(), 4);
    assert_eq!(value["disks"][0]["disk"]["name"], "old-data");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("saved.json"), &text).unwrap();
    let again = run_in(folder.path(), "render saved.json --width 120");
    let direct = run(&format!("{SHOP} --cost --width 120"));
    assert_eq!(again.stdout, direct.stdout);
}

#[test]
fn formats_for_files_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for words in [ONE, SHOP] {
        for (ending, start) in [("html", &b"<!DOCTYPE"[..]), ("xlsx", b"PK")] {
            let path = folder.path().join(format!("validate.{ending}"));
            let output = command()
                .args(words.split_whitespace())
                .arg("--output")
                .arg(&path)
                .output()
                .unwrap();
            assert!(output.status.success(), "{}", shown(ending, &output));
            let bytes = std::fs::read(&path).unwrap();
            assert_eq!(&bytes[..start.len()], start, "{ending}");
        }
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

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
fn help_is_complete() {
    insta::assert_snapshot!("help", transcript("validate --help"));
}

/// Stderr of a run that must end with `expected`.
#[track_caller]
fn fails(output: &Output, expected: i32) -> String {
    assert_eq!(code(output), expected, "{}", shown("", output));
    String::from_utf8_lossy(&output.stderr).into_owned()
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
fn measured_results_are_held_against_the_volume() {
    // By the volume's name, and by the disk's.
    for target in ["lun0", "DB1-data0"] {
        let text = stdout(&format!(
            "{ONE} --bench {target}=tests/fixtures/bench/small.txt --format json"
        ));
        let value: Value = serde_json::from_str(&text).unwrap();
        let bench = &value["vms"][0]["bench"];
        assert_eq!(bench["runs"][0]["volume"], "lun0", "{target}");
        assert_eq!(bench["vm"], "Standard_D8s_v5");
    }
    let shown = stdout(&format!(
        "{ONE} --bench lun0=tests/fixtures/bench/small.txt"
    ));
    assert!(
        shown.contains("QD for prov. IOPS") && shown.contains("Measured")
            || shown.contains("Predicted"),
        "{shown}"
    );
}

#[test]
fn saved_answers_come_from_standard_input_too() {
    use std::io::Write;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/azure/one");
    let mut child = command()
        .args(["validate", "--from", "-", "--format", "csv"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let text = std::fs::read(folder.join("vms.json")).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("db1,SHOP"));
}

#[tokio::test]
async fn a_live_vm_is_read_with_its_disks_and_sizes() {
    let cloud = cloud::Cloud::start().await;
    cloud.vm("db1").await;
    cloud.disk("db1-os", "Premium_LRS", 128, 500, 100).await;
    cloud
        .disk("db1-data", "PremiumV2_LRS", 200, 9000, 300)
        .await;
    cloud
        .skus(
            ResponseTemplate::new(200)
                .set_body_json(json!({ "value": [cloud::size("Standard_D8s_v5", 12_321)] })),
        )
        .await;
    let output = cloud.validate("--resource-group shop --vm db1 --format json");
    assert_eq!(code(&output), 0, "{}", shown("live", &output));
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let vm = &value["vms"][0];
    assert_eq!(vm["vm"]["name"], "db1");
    assert_eq!(vm["vm"]["power"], "running");
    assert_eq!(vm["disks"][1]["limits"]["iops"], 9000.0);
    assert_eq!(vm["assessment"]["vm"]["uncached"]["base"]["iops"], 12_321.0);
    assert_eq!(
        value["data"]["refreshed"][0]["data"]["source"],
        "the Resource SKUs API"
    );
    // Paths and versions of the API, each asked once, and nothing but GET.
    let asked = cloud.asked().await;
    let compute = cloud::COMPUTE;
    let sub = cloud::SUBSCRIPTION;
    assert_eq!(
        asked,
        [
            format!(
                "GET {compute}/virtualMachines/db1 api-version=2024-07-01&$expand=instanceView"
            ),
            format!("GET {compute}/disks/db1-data api-version=2024-03-02"),
            format!("GET {compute}/disks/db1-os api-version=2024-03-02"),
            format!(
                "GET /subscriptions/{sub}/providers/Microsoft.Compute/skus api-version=2021-07-01&$filter=location eq 'westeurope'"
            ),
        ]
    );
}

#[tokio::test]
async fn the_list_of_skus_is_kept_and_can_be_left_out() {
    let cloud = cloud::Cloud::start().await;
    cloud.vm("db1").await;
    cloud.disk("db1-os", "Premium_LRS", 128, 500, 100).await;
    cloud.disk("db1-data", "Premium_LRS", 1024, 5000, 200).await;
    cloud
        .skus(
            ResponseTemplate::new(200)
                .set_body_json(json!({ "value": [cloud::size("Standard_D8s_v5", 12_321)] })),
        )
        .await;
    let skus = |asked: &[String]| asked.iter().filter(|line| line.contains("/skus ")).count();
    let words = "--resource-group shop --vm db1";
    assert_eq!(code(&cloud.validate(&format!("{words} --no-skus"))), 0);
    assert_eq!(skus(&cloud.asked().await), 0);
    assert_eq!(code(&cloud.validate(words)), 0);
    assert_eq!(code(&cloud.validate(words)), 0);
    assert_eq!(skus(&cloud.asked().await), 1);
}

#[tokio::test]
async fn without_the_list_of_skus_the_embedded_sizes_are_used() {
    let cloud = cloud::Cloud::start().await;
    cloud.vm("db1").await;
    cloud.disk("db1-os", "Premium_LRS", 128, 500, 100).await;
    cloud.disk("db1-data", "Premium_LRS", 1024, 5000, 200).await;
    let body = json!({ "error": { "code": "AuthorizationFailed", "message": "no" } });
    cloud
        .skus(ResponseTemplate::new(403).set_body_json(body))
        .await;
    let output = cloud.validate("--resource-group shop --vm db1 --format json");
    let told = fails(&output, 0);
    assert!(
        told.contains("warning: the embedded sizes are used"),
        "{told}"
    );
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let size = &value["vms"][0]["assessment"]["vm"];
    assert_eq!(size["uncached"]["base"]["iops"], 12_800.0);
}

#[tokio::test]
async fn a_group_and_a_subscription_are_read_by_lists() {
    for scope in ["--resource-group shop", ""] {
        let cloud = cloud::Cloud::start().await;
        cloud.lists(scope.is_empty()).await;
        let output = cloud.validate(&format!("{scope} --no-skus --format csv"));
        assert_eq!(code(&output), 0, "{}", shown(scope, &output));
        let csv = String::from_utf8_lossy(&output.stdout).into_owned();
        let names: Vec<&str> = csv
            .lines()
            .skip(1)
            .filter_map(|line| line.split(',').next())
            .collect();
        assert_eq!(names.len(), 2, "{csv}");
        assert!(names.contains(&"db1") && names.contains(&"web1"), "{csv}");
    }
}

#[tokio::test]
async fn several_ids_are_read_and_one_that_fails_is_told_beside_the_others() {
    let cloud = cloud::Cloud::start().await;
    cloud.vm("db1").await;
    cloud.disk("db1-os", "Premium_LRS", 128, 500, 100).await;
    cloud.disk("db1-data", "Premium_LRS", 1024, 5000, 200).await;
    cloud.refuses("gone", 404, "ResourceNotFound").await;
    let id = |name: &str| format!("--id {}/virtualMachines/{name}", cloud::COMPUTE);
    let words = format!("{} {} --no-skus", id("db1"), id("gone"));
    let output = cloud.validate_targets(&words);
    let told = fails(&output, 3);
    assert!(
        told.contains("VM gone") && told.contains("not found"),
        "{told}"
    );
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("Validate: db1"), "{shown}");
    assert!(shown.contains("ResourceNotFound"), "{shown}");
}

#[tokio::test]
async fn a_cloud_that_cannot_be_read_ends_with_3_and_says_why() {
    let refusals = [
        (
            401,
            "ExpiredAuthenticationToken",
            "the access token was not accepted",
        ),
        (
            403,
            "AuthorizationFailed",
            "Give the identity the role Reader",
        ),
        (
            404,
            "ResourceNotFound",
            "Check subscription, resource group and name",
        ),
        (429, "TooManyRequests", "throttled"),
        (503, "ServiceUnavailable", "the service failed"),
    ];
    for (status, error, wanted) in refusals {
        let cloud = cloud::Cloud::start().await;
        cloud.refuses("db1", status, error).await;
        let output = cloud.validate("--resource-group shop --vm db1 --retries 0");
        let told = fails(&output, 3);
        assert!(
            told.contains(wanted) && told.contains(error),
            "{status}: {told}"
        );
        assert!(!told.contains(cloud::TOKEN), "{told}");
        assert!(output.stdout.is_empty());
    }
}

#[tokio::test]
async fn damaged_answers_end_with_3_and_say_what_they_look_like() {
    let html = "<html><head><title>Proxy sign-in</title></head></html>";
    let bodies = [
        (html, "Proxy sign-in"),
        ("{\"name\": \"db1\", \"prop", "db1"),
        ("", "empty"),
        (
            "{\"error\": {\"code\": \"Busy\", \"message\": \"later\"}}",
            "Busy",
        ),
    ];
    for (body, wanted) in bodies {
        let cloud = cloud::Cloud::start().await;
        cloud
            .answers("db1", ResponseTemplate::new(200).set_body_string(body))
            .await;
        let output = cloud.validate("--resource-group shop --vm db1 --retries 0 --no-skus");
        let told = fails(&output, 3);
        assert!(told.contains(wanted), "{body}: {told}");
    }
}

#[tokio::test]
async fn a_busy_cloud_is_asked_again() {
    let cloud = cloud::Cloud::start().await;
    let busy = ResponseTemplate::new(429).insert_header("Retry-After", "1");
    cloud.answers_once("db1", busy).await;
    cloud.vm("db1").await;
    cloud.disk("db1-os", "Premium_LRS", 128, 500, 100).await;
    cloud.disk("db1-data", "Premium_LRS", 1024, 5000, 200).await;
    let output = cloud.validate("--resource-group shop --vm db1 --no-skus");
    assert_eq!(code(&output), 0, "{}", shown("busy", &output));
}

#[tokio::test]
async fn a_slow_cloud_is_given_up_after_the_timeout() {
    let cloud = cloud::Cloud::start().await;
    let slow = ResponseTemplate::new(200).set_delay(std::time::Duration::from_secs(20));
    cloud.answers("db1", slow).await;
    let output = cloud.validate("--resource-group shop --vm db1 --retries 0 --timeout 1");
    let told = fails(&output, 3);
    assert!(told.contains("time"), "{told}");
}

#[test]
fn without_a_credential_every_way_that_was_tried_is_named() {
    let output = command()
        .args([
            "validate",
            "--subscription",
            cloud::SUBSCRIPTION,
            "--auth",
            "token",
            "--auth",
            "env",
        ])
        .env_remove("DISKCAP_ACCESS_TOKEN")
        .env_remove("AZURE_TENANT_ID")
        .output()
        .unwrap();
    let told = fails(&output, 3);
    assert!(
        told.contains("access token") && told.contains("environment"),
        "{told}"
    );
}

#[test]
fn live_flags_are_checked() {
    let cases = [
        ("--vm db1", "--resource-group"),
        (
            "--subscription s --endpoint http://proxy.example",
            "not encrypted",
        ),
        (
            "--subscription s --cloud mars",
            "write public, usgov or china",
        ),
        ("--subscription s --auth magic", "write token, env"),
        ("--id db1", "names no virtual machine"),
        ("--subscription s --ca-file missing.pem", "missing.pem"),
        ("--from x.json --subscription s", "cannot be used with"),
    ];
    for (flags, wanted) in cases {
        let told = fails(&run(&format!("validate {flags}")), 2);
        assert!(told.contains(wanted), "{flags}: {told}");
    }
}

/// Ctrl-C while the cloud is read: nothing is written.
#[cfg(unix)]
#[tokio::test]
async fn an_interrupted_run_leaves_nothing_behind() {
    let cloud = cloud::Cloud::start().await;
    let slow = ResponseTemplate::new(200).set_delay(std::time::Duration::from_secs(30));
    cloud.answers("db1", slow).await;
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report.html");
    let mut live = cloud.command("--resource-group shop --vm db1");
    let child = live
        .arg("--output")
        .arg(&report)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    while cloud.asked().await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let kill = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = fails(&output, 3);
    assert!(told.contains("interrupted: nothing was written"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn findings_of_many_vms_name_their_owner() {
    let csv = stdout(&format!("{SHOP} --format csv --table findings --sort id"));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("severity,id,owner,subject,text,fix"));
    let owners: std::collections::BTreeSet<&str> =
        lines.filter_map(|line| line.split(',').nth(2)).collect();
    let known = stdout(&format!(
        "{SHOP} --format csv --table vms --columns vm --no-header"
    ));
    let known: Vec<&str> = known.lines().chain(["old-data"]).collect();
    assert!(owners.len() > 1, "{csv}");
    assert!(
        owners.iter().all(|owner| known.contains(owner)),
        "{owners:?} {known:?}"
    );
}

#[test]
fn a_line_of_a_vm_says_whether_its_month_is_complete() {
    let lines = |words: &str| -> Vec<Value> {
        let text = stdout(words);
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.filter(|line: &Value| line["kind"] == "vm").collect()
    };
    let priced = lines(&format!("{SHOP} --cost --format ndjson"));
    assert_eq!(priced.len(), 4);
    for line in priced {
        let missing = line["month"]["missing"].as_array().map(Vec::is_empty);
        assert_eq!(line["month_complete"].as_bool(), missing, "{line}");
    }
    for line in lines(&format!("{SHOP} --format ndjson")) {
        assert_eq!(line["month_complete"], Value::Null);
    }
}

#[test]
fn a_windows_vm_with_its_own_licence_is_not_called_linux() {
    let folder = tempfile::tempdir().unwrap();
    let licensed = |license: Value, os: &str| {
        let vm = json!({
            "id": format!("{}/virtualMachines/w1", cloud::COMPUTE),
            "name": "w1", "type": "Microsoft.Compute/virtualMachines", "location": "eastus",
            "properties": {
                "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
                "licenseType": license,
                "storageProfile": {
                    "osDisk": { "osType": os, "name": "w1-os", "diskSizeGB": 128,
                                "managedDisk": { "storageAccountType": "Premium_LRS" } },
                    "dataDisks": []
                }
            }
        });
        std::fs::write(folder.path().join("w.json"), vm.to_string()).unwrap();
        let output = run_in(
            folder.path(),
            "validate --from w.json --cost --format csv --table cost --columns item,month",
        );
        String::from_utf8(output.stdout).unwrap()
    };
    // Standard_D8s_v5 in eastus: 0.384 USD an hour without a licence, 0.752 with one, for 730 hours.
    let own = licensed(json!("Windows_Server"), "Windows");
    assert!(
        own.contains("\"VM, without Windows licence\",280.32"),
        "{own}"
    );
    let bought = licensed(Value::Null, "Windows");
    assert!(bought.contains("\"VM, Windows\",548.96"), "{bought}");
    let linux = licensed(Value::Null, "Linux");
    assert!(linux.contains("\"VM, Linux\",280.32"), "{linux}");
}

/// What `--vm` and `--id` leave of saved answers: the VMs by name.
fn left(words: &str) -> Vec<String> {
    let text = stdout(&format!("{SHOP} {words} --format json"));
    let value: Value = serde_json::from_str(&text).unwrap();
    let vms = value["vms"].as_array().unwrap();
    let name = |vm: &Value| vm["vm"]["name"].as_str().unwrap().to_owned();
    vms.iter().map(name).collect()
}

#[test]
fn saved_answers_are_looked_at_for_some_vms_only() {
    assert_eq!(left("--vm DB1"), ["db1"]);
    assert_eq!(left("--vm web1 --vm db1"), ["db1", "web1"]);
    let all: Value = serde_json::from_str(&stdout(&format!("{SHOP} --format json"))).unwrap();
    let id = all["vms"][1]["vm"]["id"].as_str().unwrap();
    assert_eq!(left(&format!("--id {id}")), ["web1"]);
    // A disk that no VM has belongs to none of those asked about.
    let one: Value =
        serde_json::from_str(&stdout(&format!("{SHOP} --vm db1 --format json"))).unwrap();
    assert_eq!(one["disks"], json!([]));
    let of_db1 = |value: &Value| value["vms"][0]["disks"].clone();
    assert_eq!(of_db1(&one), of_db1(&all));
    let (group, _) = id.split_once("/providers").unwrap();
    let group = stdout(&format!("{SHOP} --id {group} --format json"));
    let group: Value = serde_json::from_str(&group).unwrap();
    assert_eq!(group["vms"], all["vms"]);
    let told = fails(&run(&format!("{SHOP} --vm db9")), 2);
    assert!(
        told.contains("no VM 'db9' in what was read, which has app1, db1")
            && told.contains("; did you mean db1?"),
        "{told}"
    );
    let group = "/providers/Microsoft.Management/managementGroups/mg";
    let told = fails(&run(&format!("{SHOP} --id {group}")), 2);
    assert!(told.contains("beside --from"), "{told}");
    let bench = "--bench lun0=tests/fixtures/bench/small.txt";
    let told = fails(&run(&format!("{SHOP} {bench}")), 2);
    assert!(told.contains("name the one with --vm or --id"), "{told}");
    let output = run(&format!("{SHOP} --vm db1 {bench} --format json"));
    assert_eq!(code(&output), 0, "{}", shown("bench", &output));
}

#[test]
fn a_column_of_money_has_the_name_that_its_head_says() {
    let words = format!("{SHOP} --cost --format csv --columns vm,month_usd");
    assert!(
        stdout(&words).starts_with("vm,month_usd\n")
            || stdout(&words).starts_with("vm,month_usd\r\n")
    );
    let told = fails(
        &run(&format!("{SHOP} --cost --format csv --columns vm,mont")),
        2,
    );
    assert!(told.contains("month_complete? It has vm"), "{told}");
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

/// Host caching is not for disks above 4,095 GiB: it is set, and reckoned with as None.
#[test]
fn caching_is_shown_as_it_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let group = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute";
    let disk = json!({
        "lun": 0, "name": "big", "caching": "ReadOnly", "diskSizeGB": 8192,
        "managedDisk": { "id": format!("{group}/disks/big"), "storageAccountType": "Premium_LRS" },
    });
    let vm = json!([{
        "id": format!("{group}/virtualMachines/db1"), "name": "db1", "location": "westeurope",
        "hardwareProfile": { "vmSize": "Standard_D8s_v5" },
        "storageProfile": { "dataDisks": [disk] },
    }]);
    std::fs::write(folder.path().join("vms.json"), vm.to_string()).unwrap();
    let output = run_in(folder.path(), "validate --from vms.json --format json");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        value["vms"][0]["disks"][0]["caching"], "read-only",
        "{value:#}"
    );
}
