//! Everything about a target: VMs, disks, SKUs, and what fails on the way.

use std::sync::Mutex;

use diskcap::azure::client::Cloud;
use diskcap::azure::client::cache::SkuCache;
use diskcap::azure::client::fetch::{FetchOptions, Progress, fetch};
use diskcap::azure::facts::{Target, Weight};
use serde_json::{Value, json};
use wiremock::matchers::{method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixtures::{SUBSCRIPTION, client, compute_path, disk, id, size_sku, vm};

async fn serve(server: &MockServer, at: &str, times: u64, body: Value) {
    Mock::given(method("GET"))
        .and(path(at))
        .and(query_param_is_missing("statusOnly"))
        .respond_with(ResponseTemplate::new(200).set_body_json(body))
        .expect(times)
        .mount(server)
        .await;
}

#[tokio::test]
async fn a_vm_comes_with_its_disks_and_the_skus_of_its_region_once() {
    let server = MockServer::start().await;
    let vm_at = compute_path("rg1", "virtualMachines", "db1");
    serve(&server, &vm_at, 2, vm("rg1", "db1")).await;
    // The VM spells the group of its disks in capitals.
    let os = compute_path("RG1", "disks", "db1-os");
    serve(&server, &os, 2, disk("rg1", "db1-os", 64, 240, 50)).await;
    let data = compute_path("RG1", "disks", "db1-data");
    serve(&server, &data, 2, disk("rg1", "db1-data", 512, 2300, 150)).await;
    let skus = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/skus");
    serve(
        &server,
        &skus,
        1,
        json!({ "value": [size_sku("Standard_D8s_v5")] }),
    )
    .await;

    let folder = tempfile::tempdir().unwrap();
    let steps = Mutex::new(Vec::new());
    let tell = |step: Progress| steps.lock().unwrap().push(step);
    let options = FetchOptions {
        skus: Some((SkuCache::new(folder.path().join("new")), Cloud::Public)),
        progress: Some(&tell),
    };
    let targets = [Target::Vm(id("rg1", "virtualMachines", "db1"))];
    for _ in 0..2 {
        let fetched = fetch(&client(&server), &targets, &options).await.unwrap();
        assert_eq!(fetched.failures, []);
        let facts = fetched.facts;
        assert_eq!(
            (facts.vms.len(), facts.disks.len(), facts.skus.len()),
            (1, 2, 1)
        );
        assert!(
            facts.vms[0]
                .disks()
                .all(|disk| facts.behind(disk, &facts.vms[0]).is_some())
        );
    }
    let steps = steps.into_inner().unwrap();
    assert_eq!(steps.len(), 8, "one step an answer: VM, two disks, SKUs");
    assert_eq!(steps[7].awaited, 0);
    assert_eq!(
        std::fs::read_dir(folder.path().join("new"))
            .unwrap()
            .count(),
        1
    );
}

#[tokio::test]
async fn what_fails_is_told_beside_what_was_read() {
    let server = MockServer::start().await;
    serve(
        &server,
        &compute_path("rg1", "virtualMachines", "a"),
        1,
        vm("rg1", "a"),
    )
    .await;
    serve(
        &server,
        &compute_path("RG1", "disks", "a-os"),
        1,
        disk("rg1", "a-os", 64, 240, 50),
    )
    .await;
    let gone = json!({ "error": { "code": "ResourceNotFound", "message": "not here" } });
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(404).set_body_json(gone))
        .with_priority(9)
        .mount(&server)
        .await;
    let targets = [
        Target::Vm(id("rg1", "virtualMachines", "a")),
        Target::Vm(id("rg1", "virtualMachines", "b")),
    ];
    let fetched = fetch(&client(&server), &targets, &FetchOptions::default())
        .await
        .unwrap();
    assert_eq!((fetched.facts.vms.len(), fetched.facts.disks.len()), (1, 1));
    let mut failed: Vec<&str> = fetched.failures.iter().map(|f| f.what.as_str()).collect();
    failed.sort_unstable();
    assert_eq!(failed, ["VM b", "disk a-data"]);
    assert_eq!(fetched.facts.problems.len(), 2);
    assert!(
        fetched
            .facts
            .problems
            .iter()
            .all(|p| p.problem.weight() == Weight::Error)
    );
}

#[tokio::test]
async fn a_subscription_is_read_by_lists() {
    let server = MockServer::start().await;
    let compute = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute");
    let mut silent = vm("rg1", "a");
    silent["properties"]["instanceView"] = Value::Null;
    serve(
        &server,
        &format!("{compute}/virtualMachines"),
        1,
        json!({ "value": [silent] }),
    )
    .await;
    let state = json!({
        "id": compute_path("RG1", "virtualMachines", "a"),
        "type": "Microsoft.Compute/virtualMachines",
        "properties": { "instanceView": { "statuses": [{ "code": "PowerState/deallocated" }] } }
    });
    Mock::given(method("GET"))
        .and(path(format!("{compute}/virtualMachines")))
        .and(query_param("statusOnly", "true"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "value": [state] })))
        .expect(1)
        .mount(&server)
        .await;
    let disks = [
        disk("rg1", "a-os", 64, 240, 50),
        disk("rg1", "a-data", 512, 2300, 150),
    ];
    serve(
        &server,
        &format!("{compute}/disks"),
        1,
        json!({ "value": disks }),
    )
    .await;
    let set = |name: &str, mode: &str| {
        json!({
            "id": compute_path("rg1", "virtualMachineScaleSets", name),
            "type": "Microsoft.Compute/virtualMachineScaleSets",
            "properties": { "orchestrationMode": mode, "virtualMachineProfile": {} }
        })
    };
    let sets = [set("old", "Uniform"), set("new", "Flexible")];
    serve(
        &server,
        &format!("{compute}/virtualMachineScaleSets"),
        1,
        json!({ "value": sets }),
    )
    .await;
    let instances = format!(
        "{}/virtualMachines",
        compute_path("rg1", "virtualMachineScaleSets", "old")
    );
    serve(&server, &instances, 1, json!({ "value": [] })).await;

    let targets = [Target::Subscription(SUBSCRIPTION.to_owned())];
    let fetched = fetch(&client(&server), &targets, &FetchOptions::default())
        .await
        .unwrap();
    assert_eq!(fetched.failures, []);
    let [vm] = fetched.facts.vms.as_slice() else {
        panic!(
            "the list and the states are of one VM: {:?}",
            fetched.facts.vms
        );
    };
    assert_eq!(vm.size.as_deref(), Some("Standard_D8s_v5"));
    assert_eq!(format!("{:?}", vm.power), "Some(Known(Deallocated))");
    assert_eq!(fetched.facts.disks.len(), 2);
}
