//! Refreshing the prices against a server of our own: what arrives, and what is left when something goes wrong.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use diskcap::azure::fetch::{Fetcher, Network, Patience};
use diskcap::azure::retail::RetailClient;
use diskcap::azure::update::{FileSystem, Files, Update, UpdateError, Updated};
use diskcap::catalog::Redundancy;
use diskcap::catalog::price::{
    Change, Currency, DiskMeter, PriceError, PriceSource, Region, VmOffer, diff, embedded,
};
use diskcap::catalog::refresh::{PriceFolder, RefreshError, prices};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use wiremock::matchers::{header, method, path, query_param, query_param_contains};
use wiremock::{Mock, MockServer, ResponseTemplate};

const PATH: &str = "/api/retail/prices";

fn p30(region: &str, price: f64) -> Value {
    json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "armRegionName": region,
           "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "P30 LRS Disk",
           "productName": "Premium SSD Managed Disks", "skuName": "P30 LRS", "serviceName": "Storage",
           "unitOfMeasure": "1/Month", "type": "Consumption", "isPrimaryMeterRegion": true,
           "armSkuName": "Premium_SSD_Managed_Disk_P30"})
}

fn d2s(region: &str, price: f64) -> Value {
    json!({"currencyCode": "USD", "tierMinimumUnits": 0.0, "retailPrice": price, "armRegionName": region,
           "effectiveStartDate": "2026-01-01T00:00:00Z", "meterName": "D2s v3",
           "productName": "Virtual Machines DSv3 Series", "skuName": "D2s v3", "serviceName": "Virtual Machines",
           "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": true,
           "armSkuName": "Standard_D2s_v3"})
}

fn page(items: &[Value], next: Option<String>) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail",
        "Items": items, "NextPageLink": next, "Count": items.len()
    }))
}

/// Answers the question about `service` in `region`.
async fn answer(server: &MockServer, service: &str, region: &str, response: ResponseTemplate) {
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
async fn server(sold: &[(&str, f64, f64)]) -> MockServer {
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
fn patience() -> Patience {
    Patience {
        attempts: 3,
        first_pause: Duration::from_millis(5),
        longest_pause: Duration::from_millis(1500),
        timeout: Duration::from_millis(500),
    }
}

fn client(base: &str) -> RetailClient {
    let base = format!("{base}{PATH}").parse().unwrap();
    let leave = Network::Allowed.leave(&base).unwrap();
    RetailClient::new(Fetcher::new(leave, patience()).unwrap(), base)
}

fn update(regions: &[&str], now: &str) -> Update {
    Update {
        regions: regions.iter().map(|name| Region::new(name)).collect(),
        currency: Currency::USD,
        now: now.parse::<Timestamp>().unwrap(),
        at_once: 2,
    }
}

const FIRST: &str = "2026-12-01T10:00:00Z";
const SECOND: &str = "2026-12-08T10:00:00Z";

struct Place {
    _home: TempDir,
    folder: PriceFolder,
}

impl Place {
    fn new() -> Self {
        let home = TempDir::new().unwrap();
        let folder = PriceFolder::at(home.path().join("cache").join("prices"));
        Self {
            _home: home,
            folder,
        }
    }

    /// A folder with the prices of an earlier update: P30 at 111, D2s v3 at 0.11.
    async fn with_earlier() -> Self {
        let place = Self::new();
        let server = server(&[("eastus", 111.0, 0.11), ("westus", 112.0, 0.12)]).await;
        place
            .run(&server.uri(), &["eastus", "westus"], FIRST)
            .await
            .unwrap();
        place
    }

    async fn run(&self, base: &str, regions: &[&str], now: &str) -> Result<Updated, UpdateError> {
        update(regions, now)
            .run(&client(base), &self.folder, &FileSystem)
            .await
    }

    fn files(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    /// The price of a P30 that a reader gets.
    fn p30(&self, region: &str) -> f64 {
        let found = prices(&Region::new(region), Currency::USD, Some(&self.folder)).unwrap();
        assert!(found.set_aside.is_none(), "{:?}", found.set_aside);
        let meter = DiskMeter::tier("P30".parse().unwrap(), Redundancy::Lrs);
        found.book.disk(meter).unwrap().price.amount
    }

    /// The earlier prices are there, whole, and nothing else.
    #[track_caller]
    fn assert_untouched(&self) {
        assert_eq!(self.p30("eastus"), 111.0);
        assert_eq!(self.p30("westus"), 112.0);
        assert_eq!(self.files().len(), 5, "{:?}", self.files());
    }
}

#[tokio::test]
async fn prices_arrive_page_by_page() {
    let server = MockServer::start().await;
    let second = format!("{}{PATH}?page=2", server.uri());
    Mock::given(method("GET"))
        .and(path(PATH))
        .and(query_param("page", "2"))
        .respond_with(page(&[p30("eastus", 123.0)], None))
        .mount(&server)
        .await;
    answer(&server, "Storage", "eastus", page(&[], Some(second))).await;
    Mock::given(method("GET"))
        .and(header(
            "user-agent",
            format!("diskcap/{}", env!("CARGO_PKG_VERSION")),
        ))
        .and(query_param_contains(
            "$filter",
            "serviceName eq 'Virtual Machines'",
        ))
        .respond_with(page(&[d2s("eastus", 0.25)], Some(String::new())))
        .mount(&server)
        .await;
    let place = Place::new();
    let updated = place
        .run(&server.uri(), &["East US", "eastus"], FIRST)
        .await
        .unwrap();
    assert_eq!(updated.regions.len(), 1);
    assert_eq!(
        (updated.regions[0].pages, updated.regions[0].tally.used),
        (3, 2)
    );
    assert!(updated.discarded.is_none());

    let found = prices(&Region::new("eastus"), Currency::USD, Some(&place.folder)).unwrap();
    assert_eq!(found.book, updated.regions[0].book);
    assert_eq!(found.book.info().source, PriceSource::Refreshed);
    assert_eq!(
        found.book.vm("d2s_v3").unwrap().per_hour(VmOffer::Linux),
        Some(0.25)
    );
    let entry = &place.folder.manifest().unwrap().books[0];
    assert_eq!((entry.vm_sizes, entry.disk_meters, entry.items), (1, 1, 2));
    assert_eq!(entry.fetched_at.to_string(), FIRST);
    assert_eq!(entry.disk_prices_of.unwrap().to_string(), "2026-12-01");
}

#[tokio::test]
async fn an_update_replaces_its_regions_and_leaves_the_others() {
    let place = Place::with_earlier().await;
    let before = place.files();
    let server = server(&[("eastus", 120.0, 0.13)]).await;
    let updated = place.run(&server.uri(), &["eastus"], SECOND).await.unwrap();
    assert_eq!(place.p30("eastus"), 120.0);
    assert_eq!(place.p30("westus"), 112.0);
    assert_eq!(updated.manifest.books.len(), 2);
    // the replaced files are gone
    assert_eq!(place.files().len(), 5);
    assert_eq!(place.files().difference(&before).count(), 2);
    // again at the same instant: no file in use is written to
    place.run(&server.uri(), &["eastus"], SECOND).await.unwrap();
    assert_eq!(place.p30("eastus"), 120.0);
    assert_eq!(place.files().len(), 5);
}

#[tokio::test]
async fn what_changed_is_told() {
    let place = Place::with_earlier().await;
    let old = place
        .folder
        .book(&Region::new("eastus"), Currency::USD)
        .unwrap()
        .unwrap();
    let server = server(&[("eastus", 122.1, 0.11)]).await;
    let updated = place.run(&server.uri(), &["eastus"], SECOND).await.unwrap();
    let changes = diff(&old, &updated.regions[0].book).unwrap();
    // 111 to 122.1 is 10 % more; the VM's price is as before
    assert_eq!(changes.len(), 1);
    assert_eq!(
        changes[0].to_string(),
        "P30 LRS disk: 111.00 USD to 122.10 USD (+10.0 %)"
    );
    let gone = diff(&embedded(&Region::new("eastus")).unwrap(), &old).unwrap();
    let kinds =
        |pick: fn(&Change) -> bool| gone.iter().filter(|change| pick(&change.change)).count();
    // of all that the snapshot has, only the two that the server sells are left
    assert_eq!(kinds(|change| matches!(change, Change::Added(_))), 0);
    assert_eq!(kinds(|change| matches!(change, Change::Changed { .. })), 2);
    assert!(kinds(|change| matches!(change, Change::Removed(_))) > 4000);
}

#[tokio::test]
async fn a_busy_server_is_asked_again_after_the_pause_it_asks_for() {
    let server = server(&[("eastus", 120.0, 0.13)]).await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(429).insert_header("Retry-After", "1"))
        .up_to_n_times(1)
        .with_priority(1)
        .mount(&server)
        .await;
    let place = Place::new();
    let start = std::time::Instant::now();
    place.run(&server.uri(), &["eastus"], FIRST).await.unwrap();
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(place.p30("eastus"), 120.0);
}

#[tokio::test]
async fn a_server_that_stays_busy_changes_nothing() {
    let place = Place::with_earlier().await;
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(429).insert_header("Retry-After", "0"))
        .expect(3)
        .mount(&server)
        .await;
    let error = place
        .run(&server.uri(), &["eastus"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with(
            "prices of eastus not updated, the earlier ones are kept: http://127.0.0.1:"
        ),
        "{error}"
    );
    assert!(error.contains(PATH), "{error}");
    assert!(
        error.ends_with(
            "the server is busy (HTTP 429 Too Many Requests) and asks to wait 0 s, after 3 attempts"
        ),
        "{error}"
    );
    place.assert_untouched();
}

#[tokio::test]
async fn a_pause_longer_than_patience_is_not_waited_for() {
    let place = Place::with_earlier().await;
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(429).insert_header("Retry-After", "3600"))
        .expect(1)
        .mount(&server)
        .await;
    let error = place
        .run(&server.uri(), &["eastus"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("asks to wait 3600 s, after 1 attempt"),
        "{error}"
    );
    place.assert_untouched();
}

#[tokio::test]
async fn a_failing_server_is_asked_again_and_a_refusal_is_final() {
    let server = server(&[("eastus", 120.0, 0.13)]).await;
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(503))
        .up_to_n_times(2)
        .with_priority(1)
        .mount(&server)
        .await;
    let place = Place::new();
    place.run(&server.uri(), &["eastus"], FIRST).await.unwrap();

    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(
            ResponseTemplate::new(400).set_body_string("Invalid OData parameters supplied"),
        )
        .expect(1)
        .mount(&server)
        .await;
    let error = place
        .run(&server.uri(), &["eastus"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error
            .ends_with("HTTP 400 Bad Request (Invalid OData parameters supplied), after 1 attempt"),
        "{error}"
    );
    assert_eq!(place.p30("eastus"), 120.0);
}

/// Updates eastus, where the second of its answers is `response`, and westus, where all is well.
async fn broken(response: ResponseTemplate) -> (Place, String) {
    let place = Place::with_earlier().await;
    let server = server(&[("westus", 130.0, 0.14)]).await;
    answer(
        &server,
        "Storage",
        "eastus",
        page(&[p30("eastus", 130.0)], None),
    )
    .await;
    answer(&server, "Virtual Machines", "eastus", response).await;
    let error = place
        .run(&server.uri(), &["eastus", "westus"], SECOND)
        .await
        .unwrap_err();
    (place, error.to_string())
}

#[tokio::test]
async fn a_malformed_page_changes_nothing_in_any_region() {
    for (body, says) in [
        (
            "{\"Items\":[{\"retailPrice\":1",
            "the answer is not JSON (EOF while parsing an object",
        ),
        (
            "<html>Service page</html>",
            "the answer is not JSON (expected value",
        ),
        (
            "{\"error\":{\"message\":\"try later\"}}",
            "the answer has no list 'Items'; it says: try later",
        ),
        ("", "the answer is not JSON (EOF while parsing a value"),
    ] {
        let (place, error) = broken(ResponseTemplate::new(200).set_body_string(body)).await;
        assert!(error.contains(says), "{error}");
        assert!(error.contains("armRegionName+eq+%27eastus%27"), "{error}");
        place.assert_untouched();
    }
}

#[tokio::test]
async fn pages_that_lead_astray_are_not_followed() {
    let (place, error) = broken(page(
        &[],
        Some("https://prices.example.com/api?$skip=1000".to_owned()),
    ))
    .await;
    assert!(
        error.ends_with(
            "the next page would be on another server: https://prices.example.com/api?$skip=1000"
        ),
        "{error}"
    );
    place.assert_untouched();

    let server = server(&[]).await;
    let around = format!("{}{PATH}?round=1", server.uri());
    Mock::given(method("GET"))
        .respond_with(page(&[], Some(around)))
        .mount(&server)
        .await;
    let error = place
        .run(&server.uri(), &["eastus"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with("the page comes up twice, so the answer has no end"),
        "{error}"
    );
    place.assert_untouched();
}

#[tokio::test]
async fn an_answer_too_late_changes_nothing() {
    let slow = page(&[], None).set_delay(Duration::from_secs(5));
    let (place, error) = broken(slow).await;
    assert!(
        error.ends_with("no answer in time, after 3 attempts"),
        "{error}"
    );
    place.assert_untouched();
}

/// A server that sends the head of an answer and hangs up, `times` times.
fn hangs_up(times: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().take(times) {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ =
                stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"Items\":[");
        }
    });
    address
}

#[tokio::test]
async fn an_answer_that_breaks_off_changes_nothing() {
    let place = Place::with_earlier().await;
    let error = place
        .run(&hangs_up(3), &["eastus"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("the answer broke off ("), "{error}");
    assert!(error.ends_with("after 3 attempts"), "{error}");
    place.assert_untouched();
    // and with nobody there at all
    let error = place
        .run("http://127.0.0.1:1", &["eastus"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("the server cannot be reached"), "{error}");
    place.assert_untouched();
}

#[tokio::test]
async fn an_update_that_is_cancelled_changes_nothing() {
    let place = Place::with_earlier().await;
    let server = server(&[("westus", 130.0, 0.14)]).await;
    let slow = page(&[], None).set_delay(Duration::from_millis(400));
    answer(&server, "Storage", "eastus", slow).await;
    let base = server.uri();
    let run = place.run(&base, &["eastus", "westus"], SECOND);
    assert!(
        tokio::time::timeout(Duration::from_millis(150), run)
            .await
            .is_err()
    );
    place.assert_untouched();
}

#[tokio::test]
async fn a_region_without_prices_is_no_update() {
    let place = Place::with_earlier().await;
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(page(&[], None))
        .mount(&server)
        .await;
    let error = place
        .run(&server.uri(), &["eastsu"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.ends_with(
            "no USD price of a VM or disk in 'eastsu' (0 items read); is the name right?"
        ),
        "{error}"
    );
    let error = place
        .run(&server.uri(), &["x' or 'a' eq 'a"], SECOND)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("is not the name of a region"), "{error}");
    place.assert_untouched();
}

/// A file system that is full after so many writes; the write that fails leaves half of its file.
struct FullAfter {
    left: Cell<usize>,
}

impl FullAfter {
    fn take(&self) -> io::Result<()> {
        let left = self
            .left
            .get()
            .checked_sub(1)
            .ok_or(io::ErrorKind::StorageFull)?;
        self.left.set(left);
        Ok(())
    }
}

impl Files for FullAfter {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        FileSystem.make_folder(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.take().inspect_err(|_| {
            std::fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
        })?;
        FileSystem.write(path, bytes)
    }

    fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.take()?;
        FileSystem.replace(path, bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        FileSystem.remove(path)
    }
}

#[tokio::test]
async fn a_full_disk_changes_nothing_wherever_it_strikes() {
    let place = Place::with_earlier().await;
    let server = server(&[("eastus", 130.0, 0.15), ("westus", 131.0, 0.16)]).await;
    // four files of two regions, then the manifest
    for room in 0..5 {
        let files = FullAfter {
            left: Cell::new(room),
        };
        let update = update(&["eastus", "westus"], SECOND);
        let error = update
            .run(&client(&server.uri()), &place.folder, &files)
            .await
            .unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("prices not updated, the earlier ones are kept: "),
            "{error}"
        );
        assert!(
            error.ends_with("cannot be written (no storage space)"),
            "{error}"
        );
        place.assert_untouched();
    }
    let files = FullAfter { left: Cell::new(5) };
    let update = update(&["eastus", "westus"], SECOND);
    update
        .run(&client(&server.uri()), &place.folder, &files)
        .await
        .unwrap();
    assert_eq!(place.p30("eastus"), 130.0);
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let folder = PriceFolder::at(file.join("prices"));
    let server = server(&[("eastus", 130.0, 0.15)]).await;
    let outcome = update(&["eastus"], FIRST)
        .run(&client(&server.uri()), &folder, &FileSystem)
        .await;
    let error = outcome.unwrap_err().to_string();
    assert!(
        error.contains(&folder.path().display().to_string()),
        "{error}"
    );
}

#[tokio::test]
async fn a_damaged_copy_is_set_aside_and_written_anew() {
    let place = Place::with_earlier().await;
    let eastus = Region::new("eastus");
    let snapshot = embedded(&eastus).unwrap();
    let read = || prices(&eastus, Currency::USD, Some(&place.folder)).unwrap();
    let manifest = std::fs::read_to_string(place.folder.manifest_path()).unwrap();
    let write = |text: &str| std::fs::write(place.folder.manifest_path(), text).unwrap();

    write(&manifest[..40]);
    let found = read();
    assert!(matches!(
        found.set_aside,
        Some(RefreshError::Damaged { .. })
    ));
    assert_eq!(found.book, snapshot);

    write(&manifest.replace("\"schema\": 1", "\"schema\": 9"));
    assert!(matches!(
        read().set_aside,
        Some(RefreshError::OtherSchema { found: 9, .. })
    ));

    write(&manifest.replace("\"vms_file\": \"", "\"vms_file\": \"../"));
    assert!(matches!(
        read().set_aside,
        Some(RefreshError::Damaged { .. })
    ));

    write(&manifest);
    let entry = place.folder.manifest().unwrap().books[0].clone();
    let vms = place.folder.path().join(&entry.vms_file);
    let text = std::fs::read_to_string(&vms).unwrap();
    std::fs::write(&vms, text.replace("0.11", "0.0")).unwrap();
    let error = read().set_aside.unwrap().to_string();
    assert!(
        error.contains("column 'linux': '0.0' is not a price above 0"),
        "{error}"
    );
    std::fs::remove_file(&vms).unwrap();
    assert!(matches!(read().set_aside, Some(RefreshError::Read { .. })));

    write("{}");
    let server = server(&[("eastus", 130.0, 0.15)]).await;
    let updated = place.run(&server.uri(), &["eastus"], SECOND).await.unwrap();
    assert!(matches!(
        updated.discarded,
        Some(RefreshError::Damaged { .. })
    ));
    assert_eq!(place.p30("eastus"), 130.0);
}

#[tokio::test]
async fn the_newer_of_two_copies_holds() {
    let place = Place::new();
    let server = server(&[("eastus", 99.0, 0.15)]).await;
    // older than the embedded snapshot
    place
        .run(&server.uri(), &["eastus"], "2026-02-01T00:00:00Z")
        .await
        .unwrap();
    assert_eq!(place.p30("eastus"), 135.17);
}

#[test]
fn other_currencies_and_regions_are_asked_for_by_name() {
    let of = |region: &str, currency: &str| {
        prices(&Region::new(region), currency.parse().unwrap(), None)
    };
    assert_eq!(
        of("eastus", "EUR").unwrap_err().to_string(),
        "no EUR prices of eastus: the embedded prices are in USD; \
         `diskcap skus update --region eastus --currency EUR` fetches them"
    );
    assert!(matches!(
        of("eastsu", "USD"),
        Err(PriceError::UnknownRegion { .. })
    ));
    assert!(of("eastus", "USD").is_ok());
}
