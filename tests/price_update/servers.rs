//! Servers that are busy, fail, lead astray or hang up.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixtures::{FIRST, PATH, Place, SECOND, answer, p30, page, server};

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
    assert!(error.ends_with("after 2 attempts"), "{error}");
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
