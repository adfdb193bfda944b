//! A cloud that answers like the real one.

use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::cli::{command, run, shown};
use crate::{cloud, code, fails};

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
