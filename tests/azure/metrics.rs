//! What is asked of Azure Monitor, and what becomes of the answers.

use diskcap::azure::client::CloudError;
use diskcap::azure::metrics::ask::{OF_DATA_DISKS, OF_VM, Window, metrics_of};
use diskcap::azure::metrics::{Metrics, Subject, Throttling, VmLimits, judge};
use serde_json::{Value, json};
use wiremock::matchers::{header, method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockBuilder, MockServer, ResponseTemplate};

use crate::fixtures::{TOKEN, client, id};

const TIMESPAN: &str = "2026-03-01T00:00:00Z/2026-03-02T00:00:00Z";

fn day() -> Window {
    Window {
        from: "2026-03-01T00:00:00Z".parse().unwrap(),
        until: "2026-03-02T00:00:00Z".parse().unwrap(),
    }
}

/// A question about a resource, as the API takes it.
fn question(of: &str, name: &str, names: &[&str], interval: &str) -> MockBuilder {
    let at = format!(
        "{}/providers/Microsoft.Insights/metrics",
        id("rg1", of, name)
    );
    Mock::given(method("GET"))
        .and(path(at))
        .and(query_param("api-version", "2023-10-01"))
        .and(query_param("metricnames", names.join(",")))
        .and(query_param("timespan", TIMESPAN))
        .and(query_param("interval", interval))
        .and(query_param("aggregation", "Average,Maximum"))
        .and(header("authorization", format!("Bearer {TOKEN}")))
}

fn answer(metric: &str, lun: Option<u32>, average: f64) -> ResponseTemplate {
    let dimensions: Vec<Value> = lun
        .iter()
        .map(|lun| json!({ "name": { "value": "lun" }, "value": lun.to_string() }))
        .collect();
    let point =
        json!({ "timeStamp": "2026-03-01T10:00:00Z", "average": average, "maximum": average });
    ResponseTemplate::new(200).set_body_json(json!({
        "cost": 1439, "timespan": TIMESPAN, "interval": "PT1M",
        "namespace": "Microsoft.Compute/virtualMachines", "resourceregion": "westeurope",
        "value": [{
            "id": format!("{}/providers/Microsoft.Insights/metrics/{metric}", id("RG1", "virtualMachines", "db1")),
            "type": "Microsoft.Insights/metrics", "unit": "Percent", "errorCode": "Success",
            "name": { "value": metric, "localizedValue": metric },
            "timeseries": [{ "metadatavalues": dimensions, "data": [point] }]
        }]
    }))
}

#[tokio::test]
async fn a_vm_is_three_questions() {
    let server = MockServer::start().await;
    question("virtualMachines", "db1", &OF_VM, "PT1M")
        .and(query_param_is_missing("$filter"))
        .and(query_param_is_missing("top"))
        .respond_with(answer(
            "VM Cached Bandwidth Consumed Percentage",
            None,
            100.0,
        ))
        .expect(1)
        .mount(&server)
        .await;
    question("virtualMachines", "db1", &OF_DATA_DISKS, "PT1M")
        .and(query_param("$filter", "LUN eq '*'"))
        .and(query_param("top", "128"))
        .respond_with(answer("Data Disk IOPS Consumed Percentage", Some(3), 12.0))
        .expect(1)
        .mount(&server)
        .await;
    question("disks", "wide", &["DiskPaidBurstIOPS"], "PT1H")
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({ "interval": "PT1H", "value": [] })),
        )
        .expect(1)
        .mount(&server)
        .await;
    let vm = id("rg1", "virtualMachines", "db1");
    let wide = [id("rg1", "disks", "wide")];
    let metrics = metrics_of(&client(&server), &vm, true, &wide, day(), "PT1M")
        .await
        .unwrap();
    let judgement = judge(
        &metrics.vm(Some(&vm), "db1", &[]).unwrap(),
        &VmLimits::default(),
    );
    assert_eq!(judgement.throttling, Throttling::Throttled);
    let subjects: Vec<Subject> = judgement.ceilings.iter().map(|c| c.subject).collect();
    assert_eq!(subjects, [Subject::VmCached, Subject::Lun(3)]);
}

#[tokio::test]
async fn a_metric_that_the_service_lacks_is_left_out() {
    let server = MockServer::start().await;
    let lacking = "OS Disk Latency";
    let rest: Vec<&str> = OF_VM.into_iter().filter(|name| *name != lacking).collect();
    let message = format!(
        "Failed to find metric configuration for provider: Microsoft.Compute, resource Type: virtualMachines, \
         metric: {lacking}, Valid metrics: Percentage CPU,Network In"
    );
    question("virtualMachines", "db1", &OF_VM, "PT1M")
        .respond_with(
            ResponseTemplate::new(400)
                .set_body_json(json!({ "code": "BadRequest", "message": message })),
        )
        .expect(1)
        .mount(&server)
        .await;
    question("virtualMachines", "db1", &rest, "PT1M")
        .respond_with(answer("VM Uncached IOPS Consumed Percentage", None, 50.0))
        .expect(1)
        .mount(&server)
        .await;
    let vm = id("rg1", "virtualMachines", "db1");
    let metrics = metrics_of(&client(&server), &vm, false, &[], day(), "PT1M")
        .await
        .unwrap();
    assert!(metrics.vm(Some(&vm), "db1", &[]).is_some());
}

#[tokio::test]
async fn errors_are_told_also_inside_a_200() {
    let vm = id("rg1", "virtualMachines", "db1");
    for (answer, expected) in [
        (
            ResponseTemplate::new(400)
                .set_body_json(json!({ "code": "BadRequest", "message": "Invalid time span" })),
            "refused (400 BadRequest: Invalid time span)",
        ),
        (
            ResponseTemplate::new(403).set_body_json(
                json!({ "error": { "code": "AuthorizationFailed", "message": "no" } }),
            ),
            "Reader",
        ),
        (
            ResponseTemplate::new(200).set_body_json(
                json!({ "error": { "code": "InternalServerError", "message": "try later" } }),
            ),
            "holds an error although its status says success",
        ),
        (
            ResponseTemplate::new(200).set_body_string("<html>proxy</html>"),
            "not JSON",
        ),
    ] {
        let server = MockServer::start().await;
        Mock::given(method("GET"))
            .respond_with(answer)
            .mount(&server)
            .await;
        let error: CloudError = metrics_of(&client(&server), &vm, true, &[], day(), "PT1M")
            .await
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!error.to_string().contains(TOKEN));
    }
}

#[test]
fn published_answers_are_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/samples/azmon");
    let Ok(files) = std::fs::read_dir(folder) else {
        return;
    };
    for file in files.map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).unwrap();
        let metrics = Metrics::read(bytes.as_slice(), &name).unwrap();
        if name.starts_with("metricbeat") {
            // The event names its VM; the OS disk wrote 2.86 of 2.868 I/Os.
            let name = metrics.names()[0].to_owned();
            let vm = metrics.vm(None, &name, &[]).unwrap();
            let judgement = judge(&vm, &VmLimits::default());
            let os = judgement
                .disks
                .iter()
                .find(|d| d.subject == Subject::OsDisk)
                .unwrap();
            assert!((os.write_share.unwrap() - 2.86 / 2.868).abs() < 1e-6);
            assert_eq!(judgement.throttling, Throttling::Unknown);
        } else {
            // Five VMs, with counts of values and no value.
            assert_eq!(metrics.names().len(), 5, "{name}");
            assert!(
                metrics
                    .notices()
                    .any(|(_, text)| text.contains("comes as count only"))
            );
        }
    }
}
