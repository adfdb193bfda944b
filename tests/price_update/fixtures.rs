//! A price list of our own and the folder that it is kept in.

use std::collections::BTreeSet;
use std::time::Duration;

use diskcap::azure::fetch::{Fetcher, Network, Patience};
use diskcap::azure::retail::RetailClient;
use diskcap::azure::update::{FileSystem, Update, UpdateError, Updated};
use diskcap::catalog::Redundancy;
use diskcap::catalog::price::{Currency, DiskMeter, Region};
use diskcap::catalog::refresh::{PriceFolder, prices};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::matchers::{method, path, query_param, query_param_contains};
use wiremock::{Mock, MockServer, ResponseTemplate};

pub const PATH: &str = "/api/retail/prices";

pub fn p30(region: &str, price: f64) -> Value {
    json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "armRegionName": region,
           "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "P30 LRS Disk",
           "productName": "Premium SSD Managed Disks", "skuName": "P30 LRS", "serviceName": "Storage",
           "unitOfMeasure": "1/Month", "type": "Consumption", "isPrimaryMeterRegion": true,
           "armSkuName": "Premium_SSD_Managed_Disk_P30"})
}

pub fn d2s(region: &str, price: f64) -> Value {
    json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "armRegionName": region,
           "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "D2s v3",
           "productName": "Virtual Machines DSv3 Series", "skuName": "D2s v3", "serviceName": "Virtual Machines",
           "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": true,
           "armSkuName": "Standard_D2s_v3"})
}

pub fn page(items: &[Value], next: Option<String>) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail",
        "Items": items, "NextPageLink": next, "Count": items.len()
    }))
}

/// Answers the question about `service` in `region`.
pub async fn answer(server: &MockServer, service: &str, region: &str, response: ResponseTemplate) {
    Mock::given(method("GET"))
        .and(path(PATH))
        .and(query_param("currencyCode", "'USD'"))
        .and(query_param_contains(
            "$filter",
            format!("serviceName eq '{service}'"),
        ))
        .and(query_param_contains(
            "$filter",
            format!("armRegionName eq '{region}'"),
        ))
        .respond_with(response)
        .mount(server)
        .await;
}

/// A server that sells a P30 and a D2s v3 in each region.
pub async fn server(sold: &[(&str, f64, f64)]) -> MockServer {
    let server = MockServer::start().await;
    for (region, disk, vm) in sold {
        answer(
            &server,
            "Storage",
            region,
            page(&[p30(region, *disk)], None),
        )
        .await;
        answer(
            &server,
            "Virtual Machines",
            region,
            page(&[d2s(region, *vm)], None),
        )
        .await;
    }
    server
}

/// Impatient, so that tests are quick.
pub fn patience() -> Patience {
    Patience {
        attempts: 3,
        first_pause: Duration::from_millis(5),
        longest_pause: Duration::from_millis(1500),
        timeout: Duration::from_millis(500),
    }
}

pub fn client(base: &str) -> RetailClient {
    let base = format!("{base}{PATH}").parse().unwrap();
    let leave = Network::Allowed.leave(&base).unwrap();
    RetailClient::new(Fetcher::new(leave, patience()).unwrap(), base)
}

pub fn update(regions: &[&str], now: &str) -> Update {
    Update {
        regions: regions.iter().map(|name| Region::new(name)).collect(),
        currency: Currency::USD,
        now: now.parse::<Timestamp>().unwrap(),
        at_once: 2,
    }
}

pub const FIRST: &str = "2026-12-01T10:00:00Z";

pub const SECOND: &str = "2026-12-08T10:00:00Z";

pub struct Place {
    pub _home: TempDir,
    pub folder: PriceFolder,
}

impl Place {
    pub fn new() -> Self {
        let home = TempDir::new().unwrap();
        let folder = PriceFolder::at(home.path().join("cache").join("prices"));
        Self {
            _home: home,
            folder,
        }
    }

    /// A folder with the prices of an earlier update: P30 at 111, D2s v3 at 0.11.
    pub async fn with_earlier() -> Self {
        let place = Self::new();
        let server = server(&[("eastus", 111.0, 0.11), ("westus", 112.0, 0.12)]).await;
        place
            .run(&server.uri(), &["eastus", "westus"], FIRST)
            .await
            .unwrap();
        place
    }

    pub async fn run(
        &self,
        base: &str,
        regions: &[&str],
        now: &str,
    ) -> Result<Updated, UpdateError> {
        update(regions, now)
            .run(&client(base), &self.folder, &FileSystem)
            .await
    }

    pub fn files(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// The price of a P30 that a reader gets.
    pub fn p30(&self, region: &str) -> f64 {
        let found = prices(&Region::new(region), Currency::USD, Some(&self.folder)).unwrap();
        assert!(found.set_aside.is_none(), "{:?}", found.set_aside);
        let meter = DiskMeter::tier("P30".parse().unwrap(), Redundancy::Lrs);
        found.book.disk(meter).unwrap().price.amount
    }

    /// The earlier prices are there, whole, and nothing else.
    #[track_caller]
    pub fn assert_untouched(&self) {
        assert_eq!(self.p30("eastus"), 111.0);
        assert_eq!(self.p30("westus"), 112.0);
        assert_eq!(self.files().len(), 5, "{:?}", self.files());
    }
}
