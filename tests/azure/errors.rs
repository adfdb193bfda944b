//! Everything that goes wrong between a question and its answer.

use std::time::{Duration, Instant};

use diskcap::azure::client::{Client, CloudError};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixtures::{SUBSCRIPTION, TOKEN, client, compute_path, id, settings, vm};

/// The outcome of asking for VM `db1` when `answers` come one after another, and how many were asked for.
async fn ask(answers: Vec<ResponseTemplate>) -> (Result<(), CloudError>, usize) {
    let server = MockServer::start().await;
    for answer in answers {
        Mock::given(method("GET"))
            .respond_with(answer)
            .up_to_n_times(1)
            .mount(&server)
            .await;
    }
    let outcome = client(&server)
        .vm(&id("rg1", "virtualMachines", "db1"))
        .await;
    let asked = server.received_requests().await.unwrap().len();
    (outcome.map(drop), asked)
}

/// The error that one and the same answer leads to, and how often it was asked for.
async fn error_of(answer: ResponseTemplate) -> (CloudError, usize) {
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(answer)
        .mount(&server)
        .await;
    let error = client(&server)
        .vm(&id("rg1", "virtualMachines", "db1"))
        .await
        .unwrap_err();
    (error, server.received_requests().await.unwrap().len())
}

fn envelope(status: u16, code: &str, message: &str) -> ResponseTemplate {
    ResponseTemplate::new(status)
        .set_body_json(json!({ "error": { "code": code, "message": message } }))
}

fn ok() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(vm("rg1", "db1"))
}

#[tokio::test]
async fn throttling_with_retry_after_is_waited_out() {
    let start = Instant::now();
    let throttled = envelope(429, "TooManyRequests", "slow down").insert_header("Retry-After", "1");
    let (outcome, asked) = ask(vec![throttled, ok()]).await;
    assert_eq!(outcome, Ok(()));
    assert_eq!(asked, 2);
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn throttling_without_retry_after_backs_off() {
    let (outcome, asked) = ask(vec![envelope(429, "TooManyRequests", "slow down"), ok()]).await;
    assert_eq!((outcome, asked), (Ok(()), 2));
    let (error, asked) = error_of(envelope(429, "TooManyRequests", "slow down")).await;
    assert_eq!(asked, 3);
    assert!(matches!(
        error,
        CloudError::Throttled {
            attempts: 3,
            wait: None,
            ..
        }
    ));
}

#[tokio::test]
async fn a_wait_in_a_twice_encoded_body_is_understood_and_too_long_to_wait() {
    let inner = json!({ "error": {
        "code": "ResourceCollectionRequestsThrottled",
        "message": "Operation failed. Please try after '77' seconds. Tracking Id is '1'."
    }});
    let twice = ResponseTemplate::new(429).set_body_json(inner.to_string());
    let (error, asked) = error_of(twice).await;
    assert_eq!(asked, 1);
    assert!(
        matches!(&error, CloudError::Throttled { wait: Some(wait), .. } if wait.as_secs() == 77),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(
        text.contains("429 ResourceCollectionRequestsThrottled"),
        "{text}"
    );
    assert!(text.contains("asks to wait 77 s"), "{text}");
}

#[tokio::test]
async fn refusals_are_told_apart_and_not_repeated() {
    let (error, asked) = error_of(envelope(403, "AuthorizationFailed", "no right to read.")).await;
    assert_eq!(asked, 1);
    let text = error.to_string();
    assert!(matches!(error, CloudError::Denied { .. }));
    assert!(
        text.contains(&compute_path("rg1", "virtualMachines", "db1")),
        "{text}"
    );
    assert!(
        text.contains("403 AuthorizationFailed: no right to read)"),
        "{text}"
    );
    assert!(text.contains("role Reader"), "{text}");

    let (error, asked) = error_of(envelope(404, "ResourceNotFound", "gone")).await;
    assert!(matches!(error, CloudError::NotFound { .. }));
    assert_eq!(asked, 1);

    let (error, _) = error_of(envelope(400, "InvalidApiVersionParameter", "old")).await;
    assert!(matches!(error, CloudError::Refused { .. }));
    assert!(
        error
            .to_string()
            .contains("400 InvalidApiVersionParameter: old")
    );
}

#[tokio::test]
async fn capitalised_fields_without_envelope_are_read() {
    let body = json!({ "Code": "Conflict", "Message": "first line\r\n   at second line" });
    let (error, _) = error_of(ResponseTemplate::new(409).set_body_json(body)).await;
    let text = error.to_string();
    assert!(text.contains("409 Conflict: first line)"), "{text}");
}

#[tokio::test]
async fn web_pages_in_place_of_answers_are_named() {
    let page = "<!DOCTYPE html><html><head><title>404 - File not found</title></head></html>";
    let (error, _) = error_of(ResponseTemplate::new(404).set_body_raw(page, "text/html")).await;
    assert!(matches!(error, CloudError::NotFound { .. }));
    assert!(
        error
            .to_string()
            .contains("a web page titled '404 - File not found'")
    );

    let portal = "<html><head><title>Hotel Wi-Fi</title></head></html>";
    let (error, _) = error_of(ResponseTemplate::new(200).set_body_raw(portal, "text/html")).await;
    assert!(matches!(&error, CloudError::NotJson { looks, .. } if looks.contains("Hotel Wi-Fi")));
}

#[tokio::test]
async fn a_failing_service_is_asked_again() {
    let (outcome, asked) = ask(vec![ResponseTemplate::new(503), ok()]).await;
    assert_eq!((outcome, asked), (Ok(()), 2));
    let (error, asked) = error_of(ResponseTemplate::new(503)).await;
    assert_eq!(asked, 3);
    let text = error.to_string();
    assert!(text.contains("503: an empty answer"), "{text}");
    assert!(text.contains("3 attempt(s)"), "{text}");
}

#[tokio::test]
async fn an_error_in_a_successful_answer_is_an_error() {
    let (error, _) = error_of(envelope(200, "InternalError", "half done")).await;
    assert!(
        matches!(&error, CloudError::ErrorInBody { answer, .. } if answer.code == "InternalError")
    );
}

#[tokio::test]
async fn broken_bodies_are_named_with_their_place() {
    let malformed = "{\n  \"name\": \"db1\",\n  \"id\" oops\n}";
    let (error, _) = error_of(ResponseTemplate::new(200).set_body_string(malformed)).await;
    assert!(
        matches!(error, CloudError::Malformed { line: 3, .. }),
        "{error:?}"
    );

    let (error, _) = error_of(ResponseTemplate::new(200).set_body_string("{\"name\": \"db")).await;
    assert!(
        matches!(error, CloudError::CutOff { received: 12, .. }),
        "{error:?}"
    );

    let (error, _) = error_of(ResponseTemplate::new(200).set_body_json(json!([1, 2]))).await;
    assert!(
        matches!(
            error,
            CloudError::Unrecognised {
                wanted: "virtual machine",
                ..
            }
        ),
        "{error:?}"
    );
    let (error, _) = error_of(ResponseTemplate::new(200)).await;
    assert!(matches!(&error, CloudError::NotJson { looks, .. } if looks == "an empty answer"));
}

/// A server that sends `bytes` to each caller and then keeps the connection open or drops it.
async fn raw_server(bytes: &'static [u8], keep_open: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let _ = socket.read(&mut request).await;
            let _ = socket.write_all(bytes).await;
            if keep_open {
                open.push(socket);
            }
        }
    });
    format!("http://{address}")
}

const HALF_AN_ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{\"name\":";

async fn ask_raw(endpoint: &str, timeout: Duration) -> CloudError {
    let mut settings = settings(endpoint);
    settings.patience.timeout = timeout;
    let client = Client::new(settings).unwrap();
    client
        .vm(&id("rg1", "virtualMachines", "db1"))
        .await
        .unwrap_err()
}

#[tokio::test]
async fn a_body_that_never_ends_times_out() {
    let endpoint = raw_server(HALF_AN_ANSWER, true).await;
    let error = ask_raw(&endpoint, Duration::from_millis(150)).await;
    assert!(
        matches!(error, CloudError::Timeout { attempts: 3, .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("within 0.15 s"), "{error}");
}

#[tokio::test]
async fn a_connection_that_breaks_is_tried_again_and_named() {
    let endpoint = raw_server(HALF_AN_ANSWER, false).await;
    let error = ask_raw(&endpoint, Duration::from_secs(5)).await;
    assert!(
        matches!(
            error,
            CloudError::CutOff { attempts: 3, .. } | CloudError::Connection { attempts: 3, .. }
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_address_that_nothing_answers_at_is_soon_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = ask_raw(&closed, Duration::from_secs(5)).await;
    assert!(
        matches!(error, CloudError::Unreachable { attempts: 2, .. }),
        "{error:?}"
    );
    let message = error.to_string();
    assert!(
        message.contains(&closed) && message.contains("Check the address"),
        "{message}"
    );
}

#[tokio::test]
async fn the_token_goes_to_no_other_host() {
    let (server, other) = (MockServer::start().await, MockServer::start().await);
    let list = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/virtualMachines");
    Mock::given(path(&list))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({
            "value": [vm("rg1", "a")], "nextLink": format!("{}{list}", other.uri())
        })))
        .mount(&server)
        .await;
    let error = client(&server).vms(SUBSCRIPTION, None).await.unwrap_err();
    assert!(matches!(error, CloudError::ForeignLink { .. }), "{error:?}");
    assert!(other.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = MockServer::start().await;
    let moved = ResponseTemplate::new(302).insert_header("Location", other.uri());
    let (error, _) = error_of(moved).await;
    assert!(matches!(error, CloudError::Refused { .. }), "{error:?}");
    assert!(other.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_list_that_leads_back_to_itself_ends() {
    let server = MockServer::start().await;
    let list = format!("/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Compute/virtualMachines");
    let link = format!("{}{list}?api-version=2024-07-01", server.uri());
    Mock::given(path(&list))
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({ "value": [], "nextLink": link })),
        )
        .mount(&server)
        .await;
    let error = client(&server).vms(SUBSCRIPTION, None).await.unwrap_err();
    assert!(
        matches!(error, CloudError::EndlessList { pages: 1, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn tokens_are_in_no_message() {
    let echo = format!("rejected Authorization: Bearer {TOKEN} and eyJhbGciOiJub25lIn0.eyJzdWIi.x");
    let server = MockServer::start().await;
    Mock::given(method("GET"))
        .respond_with(envelope(403, "Nope", &echo))
        .mount(&server)
        .await;
    let client = client(&server);
    let error = client
        .vm(&id("rg1", "virtualMachines", "db1"))
        .await
        .unwrap_err();
    for text in [
        error.to_string(),
        format!("{error:?}"),
        format!("{client:?}"),
    ] {
        assert!(!text.contains(TOKEN), "{text}");
        assert!(!text.contains("eyJ"), "{text}");
    }
}
