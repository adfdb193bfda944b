//! What is asked, where, and how often; and that the answers become facts.

use diskcap::azure::client::{GraphScope, MetricQuery};
use diskcap::azure::facts::{Named, Power, SkuFacts};
use diskcap::catalog::Limits;
use diskcap::units::GiB;
use serde_json::json;
use wiremock::matchers::{
    body_partial_json, header, method, path, query_param, query_param_is_missing,
};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixtures::{SUBSCRIPTION, TOKEN, client, compute_path, disk, id, size_sku, vm};

/// A GET of `at` with `version`, answered once with `body`.
fn get(at: &str, version: &str, body: serde_json::Value) -> Mock {
    Mock::given(method("GET"))
        .and(path(at))
        .and(query_param("api-version", version))
        .and(header("authorization", format!("Bearer {TOKEN}")))
        .respond_with(ResponseTemplate::new(200).set_body_json(body))
        .expect(1)
}

#[tokio::test]
async fn a_vm_is_asked_for_with_its_instance_view() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path(compute_path("rg1", "virtualMachines", "db1")))
        .and(query_param("api-version", "2024-07-01"))
        .and(query_param("$expand", "instanceView"))
        .and(header("authorization", format!("Bearer {TOKEN}")))
        .and(header("accept", "application/json"))
        .respond_with(ResponseTemplate::new(200).set_body_json(vm("rg1", "db1")))
        .expect(1)
        .mount(&server)
        .await;
    let facts = client(&server)
        .vm(&id("rg1", "virtualMachines", "db1"))
        .await
        .unwrap();
    let [db1] = facts.vms.as_slice() else {
        panic!("one VM, not {:?}", facts.vms);
    };
    assert_eq!(db1.size.as_deref(), Some("Standard_D8s_v5"));
    assert_eq!(db1.power, Some(Named::Known(Power::Running)));
    assert_eq!(db1.data_disks.len(), 1);
}

#[tokio::test]
async fn a_disk_is_asked_for_in_the_version_of_disks() {
    let server = MockServer::start().await;
    get(
        &compute_path("rg1", "disks", "d1"),
        "2024-03-02",
        disk("rg1", "d1", 512, 2300, 150),
    )
    .mount(&server)
    .await;
    let facts = client(&server)
        .disk(&id("rg1", "disks", "d1"))
        .await
        .unwrap();
    assert_eq!(facts.disks[0].limits, Limits::whole(2300, 150));
    assert_eq!(facts.disks[0].size, Some(GiB::whole(512)));
}

#[tokio::test]
async fn lists_are_followed_page_by_page() {
    let server = MockServer::start().await;
    let list = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/virtualMachines");
    let second = format!(
        "{}{list}?api-version=2024-07-01&$skiptoken=abc%2F1",
        server.uri()
    );
    Mock::given(method("GET"))
        .and(path(&list))
        .and(query_param("api-version", "2024-07-01"))
        .and(query_param_is_missing("$skiptoken"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({
            "value": [vm("rg1", "a"), vm("rg1", "b")],
            "nextLink": second
        })))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(method("GET"))
        .and(path(&list))
        .and(query_param("$skiptoken", "abc/1"))
        .and(query_param("api-version", "2024-07-01"))
        .and(header("authorization", format!("Bearer {TOKEN}")))
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({ "value": [vm("rg2", "c")] })),
        )
        .expect(1)
        .mount(&server)
        .await;
    let facts = client(&server).vms(SUBSCRIPTION, None).await.unwrap();
    let names: Vec<&str> = facts.vms.iter().map(|vm| &*vm.name).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[tokio::test]
async fn groups_have_their_own_lists() {
    let server = MockServer::start().await;
    let group =
        format!("/subscriptions/{SUBSCRIPTION}/resourceGroups/rg1/providers/Microsoft.Compute");
    get(
        &format!("{group}/virtualMachines"),
        "2024-07-01",
        json!({ "value": [vm("rg1", "a")] }),
    )
    .mount(&server)
    .await;
    get(
        &format!("{group}/disks"),
        "2024-03-02",
        json!({ "value": [disk("rg1", "a-data", 512, 2300, 150)] }),
    )
    .mount(&server)
    .await;
    let client = client(&server);
    let mut facts = client.vms(SUBSCRIPTION, Some("rg1")).await.unwrap();
    facts.absorb(client.disks(SUBSCRIPTION, Some("rg1")).await.unwrap());
    let behind = facts
        .behind(&facts.vms[0].data_disks[0], &facts.vms[0])
        .unwrap();
    assert_eq!(&*behind.name, "a-data");
}

#[tokio::test]
async fn scale_set_instances_have_the_size_of_their_sku() {
    let server = MockServer::start().await;
    let set = compute_path("rg1", "virtualMachineScaleSets", "web");
    let instance = json!({
        "name": "web_4",
        "id": format!("{set}/virtualMachines/4"),
        "instanceId": "4",
        "location": "westeurope",
        "sku": { "name": "Standard_D2s_v5", "tier": "Standard" },
        "properties": {
            "hardwareProfile": {},
            "storageProfile": { "osDisk": { "name": "o", "caching": "ReadOnly" }, "dataDisks": [] }
        }
    });
    Mock::given(method("GET"))
        .and(path(format!("{set}/virtualMachines")))
        .and(query_param("api-version", "2024-07-01"))
        .and(query_param("$expand", "instanceView"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "value": [instance] })))
        .expect(1)
        .mount(&server)
        .await;
    let facts = client(&server)
        .scale_set_vms(&id("rg1", "virtualMachineScaleSets", "web"))
        .await
        .unwrap();
    assert_eq!(facts.vms[0].size.as_deref(), Some("Standard_D2s_v5"));
    assert_eq!(facts.vms[0].scale_set.as_deref(), Some("web"));
}

#[tokio::test]
async fn skus_are_those_of_one_region() {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .and(path(format!(
            "/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/skus"
        )))
        .and(query_param("api-version", "2021-07-01"))
        .and(query_param("$filter", "location eq 'westeurope'"))
        .respond_with(
            ResponseTemplate::new(200)
                .set_body_json(json!({ "value": [size_sku("Standard_X8s_v9")] })),
        )
        .expect(1)
        .mount(&server)
        .await;
    let facts = client(&server)
        .skus(SUBSCRIPTION, "westeurope")
        .await
        .unwrap();
    let [SkuFacts::Vm(sku)] = facts.skus.as_slice() else {
        panic!("one VM size, not {:?}", facts.skus);
    };
    assert_eq!(sku.size.uncached.base, Limits::whole(12_345, 250));
    assert_eq!(sku.offers[0].region.as_str(), "westeurope");
    assert_eq!(sku.offers[0].ultra.zones, ["2".into()]);
}

#[tokio::test]
async fn resource_graph_is_asked_until_no_token_is_left() {
    let server = MockServer::start().await;
    let at = "/providers/Microsoft.ResourceGraph/resources";
    let body = json!({
        "managementGroups": ["mg1"],
        "query": "Resources",
        "options": { "resultFormat": "objectArray", "$top": 1000 }
    });
    let mut second = body.clone();
    second["options"]["$skipToken"] = json!("next");
    Mock::given(method("POST"))
        .and(path(at))
        .and(query_param("api-version", "2022-10-01"))
        .and(body_partial_json(&second))
        .respond_with(ResponseTemplate::new(200).set_body_json(
            json!({ "count": 1, "data": [vm("rg1", "b")], "resultTruncated": "false" }),
        ))
        .with_priority(1)
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .and(path(at))
        .and(body_partial_json(&body))
        .respond_with(
            ResponseTemplate::new(200)
                .set_body_json(json!({ "data": [vm("rg1", "a")], "$skipToken": "next" })),
        )
        .with_priority(2)
        .expect(1)
        .mount(&server)
        .await;
    let scope = GraphScope::ManagementGroups(vec!["mg1".into()]);
    let facts = client(&server).graph(&scope, "Resources").await.unwrap();
    assert_eq!(facts.vms.len(), 2);
}

#[tokio::test]
async fn metrics_are_asked_of_the_resource() {
    let server = MockServer::start().await;
    let vm = id("rg1", "virtualMachines", "db1");
    let answer =
        json!({ "timespan": "x", "value": [{ "name": { "value": "m" }, "timeseries": [] }] });
    Mock::given(method("GET"))
        .and(path(format!("{vm}/providers/Microsoft.Insights/metrics")))
        .and(query_param("api-version", "2023-10-01"))
        .and(query_param(
            "metricnames",
            "VM Cached IOPS Consumed Percentage,Data Disk Latency",
        ))
        .and(query_param(
            "timespan",
            "2024-05-01T00:00:00Z/2024-05-02T00:00:00Z",
        ))
        .and(query_param("interval", "PT1M"))
        .and(query_param("aggregation", "Average,Maximum"))
        .and(query_param("$filter", "LUN eq '*'"))
        .and(query_param("top", "64"))
        .respond_with(ResponseTemplate::new(200).set_body_json(&answer))
        .expect(1)
        .mount(&server)
        .await;
    let query = MetricQuery {
        resource: &vm,
        names: &["VM Cached IOPS Consumed Percentage", "Data Disk Latency"],
        timespan: "2024-05-01T00:00:00Z/2024-05-02T00:00:00Z",
        interval: "PT1M",
        aggregation: "Average,Maximum",
        filter: Some("LUN eq '*'"),
        top: Some(64),
    };
    let body = client(&server).metrics(&query).await.unwrap();
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&body).unwrap(),
        answer
    );
}
