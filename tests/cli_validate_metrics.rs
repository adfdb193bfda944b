//! `diskcap validate --metrics` as its users run it: saved metrics beside saved answers, and the live cloud.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::matchers::{method, path, query_param_contains};
use wiremock::{Mock, MockServer, ResponseTemplate};

const SUBSCRIPTION: &str = "0f0f0f0f-0000-4000-8000-000000000001";

fn id(kind: &str, name: &str) -> String {
    format!(
        "/subscriptions/{SUBSCRIPTION}/resourceGroups/rg1/providers/Microsoft.Compute/{kind}/{name}"
    )
}

/// A D8s_v3 with a cached P30 at LUN 0.
fn vm(name: &str) -> Value {
    json!({
        "name": name, "id": id("virtualMachines", name), "type": "Microsoft.Compute/virtualMachines",
        "location": "westeurope",
        "properties": {
            "hardwareProfile": { "vmSize": "Standard_D8s_v3" },
            "storageProfile": { "dataDisks": [{
                "lun": 0, "name": "data", "caching": "ReadOnly", "diskSizeGB": 1024,
                "managedDisk": { "storageAccountType": "Premium_LRS", "id": id("disks", "data") }
            }] }
        }
    })
}

/// Ten minutes of a metric.
fn metric(vm: &str, name: &str, lun: Option<u32>, value: f64) -> Value {
    let dimensions: Vec<Value> = lun
        .iter()
        .map(|lun| json!({ "name": { "value": "LUN" }, "value": lun.to_string() }))
        .collect();
    let points: Vec<Value> = (0..10)
        .map(|m| json!({ "timeStamp": format!("2026-03-01T10:0{m}:00Z"), "average": value }))
        .collect();
    json!({
        "id": format!("{}/providers/Microsoft.Insights/metrics/x", id("virtualMachines", vm)),
        "name": { "value": name, "localizedValue": name },
        "timeseries": [{ "metadatavalues": dimensions, "data": points }]
    })
}

fn of_vm(vm: &str) -> Value {
    json!({ "interval": "PT1M", "value": [
        metric(vm, "VM Cached Bandwidth Consumed Percentage", None, 100.0),
        metric(vm, "VM Uncached Bandwidth Consumed Percentage", None, 80.0),
    ] })
}

fn of_luns(vm: &str) -> Value {
    json!({ "interval": "PT1M", "value": [
        metric(vm, "Data Disk Read Operations/Sec", Some(0), 100.0),
        metric(vm, "Data Disk Write Operations/Sec", Some(0), 300.0),
    ] })
}

fn folder(files: &[(&str, &Value)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, value) in files {
        std::fs::write(folder.path().join(name), value.to_string()).unwrap();
    }
    folder
}

fn json_of(folder: &Path, words: &str) -> Value {
    let output = cli::run_in(folder, words);
    assert!(output.status.success(), "{}", cli::shown(words, &output));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn codes(vm: &Value) -> Vec<&str> {
    let findings = vm["findings"].as_array().unwrap();
    findings.iter().map(|f| f["id"].as_str().unwrap()).collect()
}

#[test]
fn saved_metrics_tell_what_really_throttled() {
    let (vms, metrics, luns) = (json!([vm("db1")]), of_vm("DB1"), of_luns("db1"));
    let folder = folder(&[
        ("vms.json", &vms),
        ("m.json", &metrics),
        ("luns.json", &luns),
    ]);
    // Among the saved answers, and named by themselves: the same.
    let among = json_of(folder.path(), "validate --from . --format json");
    let named = json_of(
        folder.path(),
        "validate --from vms.json --metrics m.json --metrics luns.json --format json",
    );
    assert_eq!(among["vms"][0]["metrics"], named["vms"][0]["metrics"]);
    let vm = &among["vms"][0];
    assert_eq!(vm["metrics"]["throttling"], "throttled");
    assert_eq!(vm["metrics"]["spans"][0]["seconds"], 600.0);
    // Three of four I/Os were writes, through a ReadOnly cache.
    for expected in ["THROTTLED-VM-CACHED", "WRITE-HEAVY-CACHE"] {
        assert!(codes(vm).contains(&expected), "{:?}", codes(vm));
    }
    let table = cli::run_in(folder.path(), "validate --from .");
    let text = String::from_utf8(table.stdout).unwrap();
    assert!(text.contains("Possibly throttled by VM cached bandwidth for 10 min"));
    assert!(
        text.contains("VM uncached bandwidth showed 80 % meanwhile"),
        "{text}"
    );
}

#[test]
fn metrics_of_other_vms_are_said_to_be_of_no_use() {
    let (vms, metrics) = (json!([vm("db1"), vm("db2")]), of_vm("web7"));
    let folder = folder(&[("vms.json", &vms), ("m.json", &metrics)]);
    let words = "validate --from vms.json --metrics m.json --format json";
    let output = cli::run_in(folder.path(), words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("metrics of web7, of which no VM or disk was read"),
        "{said}"
    );
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["vms"][0]["metrics"], Value::Null);
}

#[test]
fn slips_are_answered_with_what_would_be_right() {
    let (vms, none) = (json!([vm("db1")]), json!({ "value": [] }));
    let folder = folder(&[("vms.json", &vms), ("none.json", &none)]);
    for (metrics, expected) in [
        ("24h", "az monitor metrics list"),
        ("99d", "at most 30d"),
        ("missing.json", "cannot open 'missing.json'"),
        ("none.json", "no metrics of disks were found"),
    ] {
        let words = format!("validate --from vms.json --metrics {metrics}");
        let output = cli::run_in(folder.path(), &words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

async fn get(server: &MockServer, at: String, names: Option<&str>, answer: ResponseTemplate) {
    let mut mock = Mock::given(method("GET")).and(path(at));
    if let Some(names) = names {
        mock = mock.and(query_param_contains("metricnames", names));
    }
    mock.respond_with(answer).mount(server).await;
}

fn live(server: &MockServer) -> std::process::Output {
    let vm = id("virtualMachines", "db1");
    let words = format!(
        "validate --id {vm} --metrics 24h --format json --no-skus --retries 0 --auth token --endpoint {}",
        server.uri()
    );
    let mut command = cli::command();
    command.env("DISKCAP_ACCESS_TOKEN", "test-token-0001");
    command.args(words.split_whitespace()).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_live_cloud_is_asked_for_metrics_of_what_was_read() {
    let server = MockServer::start().await;
    let ok = |value: Value| ResponseTemplate::new(200).set_body_json(value);
    let vm_id = id("virtualMachines", "db1");
    let disk = json!({
        "name": "data", "id": id("disks", "data"), "type": "Microsoft.Compute/disks", "location": "westeurope",
        "sku": { "name": "Premium_LRS" },
        "properties": { "diskSizeGB": 1024, "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200,
            "burstingEnabled": true }
    });
    get(&server, vm_id.clone(), None, ok(vm("db1"))).await;
    get(&server, id("disks", "data"), None, ok(disk)).await;
    let of = |resource: String| format!("{resource}/providers/Microsoft.Insights/metrics");
    get(
        &server,
        of(vm_id.clone()),
        Some("VM Cached IOPS"),
        ok(of_vm("db1")),
    )
    .await;
    get(
        &server,
        of(vm_id),
        Some("Data Disk IOPS"),
        ok(of_luns("db1")),
    )
    .await;
    let paid = of(id("disks", "data"));
    get(
        &server,
        paid,
        Some("DiskPaidBurstIOPS"),
        ok(json!({ "value": [] })),
    )
    .await;
    let output = tokio::task::spawn_blocking(move || live(&server))
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["vms"][0]["metrics"]["throttling"], "throttled");
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_that_cannot_be_read_are_told_beside_the_rest() {
    let server = MockServer::start().await;
    let vm_id = id("virtualMachines", "db1");
    get(
        &server,
        vm_id.clone(),
        None,
        ResponseTemplate::new(200).set_body_json(vm("db1")),
    )
    .await;
    let denied = json!({ "error": { "code": "AuthorizationFailed", "message": "no" } });
    let of = format!("{vm_id}/providers/Microsoft.Insights/metrics");
    get(
        &server,
        of,
        None,
        ResponseTemplate::new(403).set_body_json(denied),
    )
    .await;
    let output = tokio::task::spawn_blocking(move || live(&server))
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("metrics of db1") && said.contains("Reader"),
        "{said}"
    );
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["vms"][0]["vm"]["name"], "db1");
    assert_eq!(value["vms"][0]["metrics"], Value::Null);
}

/// A VM of the same name in another group is another VM.
#[test]
fn metrics_of_a_namesake_are_said_to_be_of_no_use() {
    let mut other = vm("db1");
    let id = other["id"].as_str().unwrap().to_owned();
    let (before, name) = id.split_once("/resourceGroups/").unwrap();
    let (_, rest) = name.split_once('/').unwrap();
    other["id"] = json!(format!("{before}/resourceGroups/elsewhere/{rest}"));
    let folder = folder(&[("vms.json", &json!([other])), ("m.json", &of_vm("db1"))]);
    let words = "validate --from vms.json --metrics m.json --format json";
    let output = cli::run_in(folder.path(), words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("db1, of which no VM or disk was read"),
        "{said}"
    );
}
