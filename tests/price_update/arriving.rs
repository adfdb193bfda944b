//! What an update brings.

use diskcap::catalog::price::{Change, Currency, PriceSource, Region, VmOffer, diff, embedded};
use diskcap::catalog::refresh::prices;
use wiremock::matchers::{header, method, path, query_param, query_param_contains};
use wiremock::{Mock, MockServer};

use crate::fixtures::{FIRST, PATH, Place, SECOND, answer, d2s, p30, page, server};

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
