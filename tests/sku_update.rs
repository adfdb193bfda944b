//! Refreshing what regions sell together with the prices: against servers of our own.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "common/cli.rs"]
mod cli;

use std::path::{Path, PathBuf};
use std::process::Output;

use diskcap::azure::arm::read::read_stream;
use diskcap::azure::facts::FleetFacts;
use diskcap::azure::region_skus::region_skus;
use diskcap::catalog::changes::{SkuChange, changes};
use diskcap::catalog::price::Region;
use diskcap::catalog::refresh::{PriceFolder, catalog};
use diskcap::catalog::{Catalog, Dataset, Family, Limits, Redundancy, RegionSkus};
use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::matchers::{
    header, method, path, query_param, query_param_contains, query_param_is_missing,
};
use wiremock::{Mock, MockServer, ResponseTemplate};

const SUBSCRIPTION: &str = "0f0f0f0f-0000-4000-8000-000000000001";
const SKUS: &str =
    "/subscriptions/0f0f0f0f-0000-4000-8000-000000000001/providers/Microsoft.Compute/skus";
const PRICES: &str = "/api/retail/prices";

fn capabilities(pairs: &[(&str, &str)]) -> Value {
    pairs
        .iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect()
}

fn size(name: &str, iops: &str) -> Value {
    json!({
        "resourceType": "virtualMachines", "name": name, "locations": ["westeurope"],
        "locationInfo": [{ "location": "westeurope", "zones": ["1", "2", "3"] }], "restrictions": [],
        "capabilities": capabilities(&[
            ("vCPUs", "8"), ("MemoryGB", "32"), ("MaxDataDiskCount", "16"), ("PremiumIO", "True"),
            ("UncachedDiskIOPS", iops), ("UncachedDiskBytesPerSecond", "201326592"),
        ])
    })
}

fn disk(
    sku: &str,
    tier: &str,
    zones: &[&str],
    pairs: &[(&str, &str)],
    restrictions: Value,
) -> Value {
    json!({
        "resourceType": "disks", "name": sku, "size": tier, "locations": ["WestEurope"],
        "locationInfo": [{ "location": "WestEurope", "zones": zones }], "restrictions": restrictions,
        "capabilities": capabilities(pairs)
    })
}

/// A D8s_v5 with other caps than known, a new size, a P30 with 5,500 IOPS, v2 in zone 2 and Ultra that the subscription
/// may not have.
fn list() -> Vec<Value> {
    let p30 = [
        ("MaxIOps", "5500"),
        ("MaxBandwidthMBps", "200"),
        ("MaxBurstIops", "30000"),
        ("MaxBurstBandwidthMBps", "1000"),
        ("MinSizeGiB", "512"),
        ("MaxSizeGiB", "1024"),
    ];
    let v2_restricted = json!([{ "type": "Zone", "reasonCode": "NotAvailableForSubscription",
        "restrictionInfo": { "locations": ["westeurope"], "zones": ["1"] } }]);
    let no = json!([{ "type": "Location", "reasonCode": "NotAvailableForSubscription",
        "restrictionInfo": { "locations": ["westeurope"] } }]);
    vec![
        size("Standard_D8s_v5", "13000"),
        size("Standard_Z8s_v99", "77000"),
        disk("Premium_LRS", "P30", &["1", "2", "3"], &p30, json!([])),
        disk("PremiumV2_LRS", "", &["1", "2"], &[], v2_restricted),
        disk("UltraSSD_LRS", "", &["1", "2"], &[], no),
    ]
}

async fn prices(server: &MockServer) {
    let p30 = json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": 140.0,
        "armRegionName": "westeurope", "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "P30 LRS Disk",
        "productName": "Premium SSD Managed Disks", "skuName": "P30 LRS", "serviceName": "Storage",
        "unitOfMeasure": "1/Month", "type": "Consumption", "isPrimaryMeterRegion": true,
        "armSkuName": "Premium_SSD_Managed_Disk_P30"});
    let vm = json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": 0.5,
        "armRegionName": "westeurope", "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "D8s v5",
        "productName": "Virtual Machines Dsv5 Series", "skuName": "D8s v5", "serviceName": "Virtual Machines",
        "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": true,
        "armSkuName": "Standard_D8s_v5"});
    for (service, item) in [("Storage", p30), ("Virtual Machines", vm)] {
        Mock::given(method("GET"))
            .and(path(PRICES))
            .and(query_param_contains(
                "$filter",
                format!("serviceName eq '{service}'"),
            ))
            .respond_with(ResponseTemplate::new(200).set_body_json(json!({
                "BillingCurrency": "USD", "Items": [item], "NextPageLink": null, "Count": 1
            })))
            .mount(server)
            .await;
    }
}

async fn skus(server: &MockServer, answer: ResponseTemplate) {
    Mock::given(method("GET"))
        .and(path(SKUS))
        .and(query_param("api-version", "2021-07-01"))
        .and(query_param("$filter", "location eq 'westeurope'"))
        .and(query_param_is_missing("$skiptoken"))
        .and(header("authorization", "Bearer test-token-0001"))
        .respond_with(answer)
        .mount(server)
        .await;
}

/// A home of its own, so that nothing of the user's is read or written.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn cache(&self) -> PathBuf {
        self.0.path().join("cache")
    }

    fn folder(&self) -> PriceFolder {
        PriceFolder::at(self.cache().join("diskcap").join("prices"))
    }

    fn run(&self, words: &str) -> Output {
        let mut command = cli::command();
        command
            .env("HOME", self.0.path())
            .env("XDG_CACHE_HOME", self.cache())
            .env("DISKCAP_ACCESS_TOKEN", "test-token-0001");
        command.args(words.split_whitespace()).output().unwrap()
    }

    async fn update(self, server: &MockServer, more: &str) -> (Self, Output) {
        let uri = server.uri();
        let words = format!("skus update --region westeurope --endpoint {uri}{PRICES} {more}");
        let words = words.replace(
            "ARM",
            &format!("--subscription {SUBSCRIPTION} --auth token --resource-manager {uri}"),
        );
        tokio::task::spawn_blocking(move || {
            let output = self.run(&words);
            (self, output)
        })
        .await
        .unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder().path()).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn refreshed() -> Home {
    let server = MockServer::start().await;
    prices(&server).await;
    let next = format!("{}{SKUS}?api-version=2021-07-01&$skiptoken=2", server.uri());
    let (first, second) = (list()[..2].to_vec(), list()[2..].to_vec());
    let page = json!({ "value": first, "nextLink": next });
    skus(&server, ResponseTemplate::new(200).set_body_json(page)).await;
    Mock::given(method("GET"))
        .and(path(SKUS))
        .and(query_param("$skiptoken", "2"))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({ "value": second })))
        .mount(&server)
        .await;
    let (home, output) = Home::new().update(&server, "ARM").await;
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("what westeurope sells: 2 VM sizes, 1 disk tiers, 2 kinds of disks")
    );
    home
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_region_sells_goes_over_the_embedded_catalogue() {
    let home = refreshed().await;
    let (new, set_aside) = catalog(&home.folder());
    assert!(set_aside.is_none());
    let new = new.unwrap();
    let d8 = new.vm("D8s_v5", None).unwrap();
    assert_eq!(
        d8.uncached.base,
        Limits::new("13000".parse().unwrap(), "201.326592".parse().unwrap())
    );
    // What the list does not tell is kept.
    let old = Catalog::embedded();
    assert_eq!(
        d8.uncached.burst,
        old.vm("D8s_v5", None).unwrap().uncached.burst
    );
    assert!(old.vm("Standard_Z8s_v99", None).is_err());
    assert_eq!(new.vm("Z8s_v99", None).unwrap().vcpus, 8);
    let p30 = new.tiers().named(Family::PremiumSsd, "P30").unwrap();
    assert_eq!(p30.limits, Limits::whole(5_500, 200));
    assert_eq!(p30.on_demand, Some(Limits::whole(30_000, 1_000)));
    let zones = |family| new.region_offers("West Europe", family, Redundancy::Lrs);
    assert_eq!(zones(Family::PremiumSsdV2), Some(&[2][..]));
    let offered = |family| new.offered("westeurope", family, Redundancy::Lrs);
    assert_eq!(offered(Family::PremiumSsdV2), Some(true));
    assert_eq!(offered(Family::Ultra), Some(false));
    assert_eq!(
        new.offered("japaneast", Family::Ultra, Redundancy::Zrs),
        None
    );
    assert_eq!(offered(Family::Custom), None);
    assert!(
        new.info()
            .to_string()
            .contains("from the Resource SKUs API, westeurope")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_reckon_with_it_and_say_so() {
    let home = refreshed().await;
    let plan = home.run("plan --vm Z8s_v99 --disk u=ultra:size=64,iops=1000,mbps=100 --disk d=P30 --region westeurope");
    let text = String::from_utf8_lossy(&plan.stdout).into_owned();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(plan.status.code(), Some(0), "{}", said(&plan));
    assert!(
        text.contains("from the Resource SKUs API, westeurope"),
        "{text}"
    );
    assert!(text.contains("REGION-NOT-OFFERED"), "{text}");
    assert!(text.contains("5,500"), "{text}");
    let old = home.run("plan --vm D8s_v5 --disk d=P30 --cost --region westeurope --max-age 0");
    assert!(!said(&old).contains("VM sizes are"), "{}", said(&old));
    let diff = home.run("skus diff --region westeurope --format json");
    let value: Value = serde_json::from_slice(&diff.stdout).unwrap();
    let all = value["skus"]["changes"].as_array().unwrap();
    let change = |what: &str, figure: &str| {
        let found = all
            .iter()
            .find(|c| c["what"] == what && c["figure"] == figure);
        let found = found.unwrap_or_else(|| panic!("{what} {figure} in {all:#?}"));
        (found["from"].clone(), found["to"].clone())
    };
    assert_eq!(change("Standard_D8s_v5", "uncached IOPS").1, json!(13000.0));
    assert_eq!(change("P30", "IOPS"), (json!(5000.0), json!(5500.0)));
    assert_eq!(change("Standard_Z8s_v99", "size").1, json!("new"));
    assert_eq!(
        change("UltraSSD_LRS in westeurope", "offered").1,
        json!("no")
    );
    let table = home.run("skus diff --region westeurope");
    assert!(
        String::from_utf8_lossy(&table.stdout).contains("figures of VM sizes and disks changed")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_subscription_prices_come_alone_and_a_notice_tells_how() {
    let server = MockServer::start().await;
    prices(&server).await;
    let (home, output) = Home::new().update(&server, "").await;
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(
        said(&output).matches("--subscription").count(),
        1,
        "{}",
        said(&output)
    );
    assert!(catalog(&home.folder()).0.is_none());
    // What was refreshed before stays.
    let home = refreshed().await;
    let (home, _) = home.update(&server, "").await;
    assert!(catalog(&home.folder()).0.is_some());
    assert_eq!(home.files().len(), 4, "{:?}", home.files());
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_fails_the_earlier_copy_stays() {
    let busy = ResponseTemplate::new(429)
        .insert_header("Retry-After", "600")
        .set_body_json(json!({ "error": { "code": "TooManyRequests", "message": "slow down" } }));
    let expired = ResponseTemplate::new(401).set_body_json(
        json!({ "error": { "code": "ExpiredAuthenticationToken", "message": "expired" } }),
    );
    let cut_off = ResponseTemplate::new(200)
        .set_body_string(r#"{"value": [{"name": "Standard_D8s_v5", "res"#);
    let malformed = ResponseTemplate::new(200).set_body_string(r#"{"value": [{]}"#);
    let empty = ResponseTemplate::new(200).set_body_json(json!({ "value": [] }));
    let next = ResponseTemplate::new(200)
        .set_body_json(json!({ "value": list(), "nextLink": "https://elsewhere.example/skus" }));
    for (answer, expected) in [
        (busy, "throttled"),
        (expired, "access token was not accepted"),
        (cut_off, "cut off"),
        (malformed, "malformed JSON"),
        (empty, "has no VM size"),
        (next, "another host"),
    ] {
        let home = refreshed().await;
        let before = home.files();
        let server = MockServer::start().await;
        prices(&server).await;
        skus(&server, answer).await;
        let (home, output) = home.update(&server, "ARM").await;
        assert_eq!(output.status.code(), Some(3), "{}", said(&output));
        assert!(
            said(&output).contains(expected),
            "{expected}: {}",
            said(&output)
        );
        assert!(said(&output).contains("are kept"), "{}", said(&output));
        assert!(!said(&output).contains("test-token-0001"));
        assert_eq!(home.files(), before, "{expected}");
        assert!(catalog(&home.folder()).0.is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_that_fail_leave_the_skus_alone_too() {
    let home = refreshed().await;
    let before = home.files();
    let server = MockServer::start().await;
    skus(
        &server,
        ResponseTemplate::new(200).set_body_json(json!({ "value": list() })),
    )
    .await;
    let (home, output) = home.update(&server, "ARM").await;
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert_eq!(home.files(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_asks_nobody() {
    let server = MockServer::start().await;
    let (home, output) = Home::new().update(&server, "ARM --offline").await;
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert_eq!(server.received_requests().await.unwrap().len(), 0);
    assert!(!home.folder().path().exists());
}

#[test]
fn a_recorded_list_changes_little() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/arm/skus/skus-karpenter-southcentralus-2025-06-03.json"
    );
    let Ok(list) = std::fs::File::open(file) else {
        return;
    };
    let mut facts = FleetFacts::default();
    read_stream(list, "skus.json".into(), &mut facts);
    let region = Region::new("southcentralus");
    let skus = region_skus(&facts, &region);
    assert!(skus.vms.len() >= 20, "{}", skus.vms.len());
    let text = skus.to_json().unwrap();
    let back: RegionSkus = serde_json::from_slice(&text).unwrap();
    assert_eq!(back, skus);
    let old = Catalog::embedded();
    let data = Dataset {
        source: "a list".to_owned(),
        date: "2025-06-03".to_owned(),
    };
    let new = old.clone().with_region(back, data);
    let all = changes(old, &new, region.as_str());
    let of_caps = |c: &&SkuChange| c.figure.contains("IOPS") || c.figure.contains("MB/s");
    let known_before: Vec<_> = all
        .iter()
        .filter(of_caps)
        .filter(|c| c.from.is_some())
        .collect();
    assert!(known_before.is_empty(), "{known_before:#?}");
    // 77,000 MB/s beside 77,000 IOPS, as the service lists it, is not believed.
    assert_eq!(new.vm("DC8s_v3", None).unwrap().cached.base.mbps, None);
    assert!(
        facts
            .problems
            .iter()
            .any(|p| p.to_string().contains("not believed"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_copy_is_said_and_not_used() {
    let home = refreshed().await;
    let file = home
        .files()
        .into_iter()
        .find(|name| name.ends_with("-skus.json"))
        .unwrap();
    let path = home.folder().path().join(&file);
    let text = std::fs::read(&path).unwrap();
    std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    let plan = home.run("plan --vm D8s_v5 --disk d=P30");
    assert_eq!(plan.status.code(), Some(0));
    assert!(
        said(&plan).contains("refreshed VM sizes and disks are not used"),
        "{}",
        said(&plan)
    );
    assert!(said(&plan).contains(&file), "{}", said(&plan));
    assert!(!Path::new(&file).exists());
}
