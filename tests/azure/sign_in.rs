//! Signing in: what is tried, in which order, and what is said when nothing works.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use azure_identity::Executor;
use diskcap::azure::client::{AuthMethod, Client, Cloud, CloudError, SignIn, Tokens};
use wiremock::matchers::{header, method};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixtures::{id, settings, vm};

/// An Azure CLI that gives `token-1`, `token-2`, … or fails.
#[derive(Debug, Default)]
struct FakeCli {
    calls: AtomicUsize,
    failure: Option<&'static str>,
}

#[async_trait::async_trait]
impl Executor for FakeCli {
    async fn run(&self, _: &OsStr, args: &[&OsStr]) -> std::io::Result<Output> {
        let command = args.last().unwrap().to_string_lossy();
        assert!(
            command.contains("az account get-access-token -o json --scope https://management."),
            "{command}"
        );
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        let stdout = format!(
            r#"{{"accessToken":"token-{call}","expires_on":4102444800,"tokenType":"Bearer"}}"#
        );
        Ok(match self.failure {
            None => Output {
                status: ExitStatus::from_raw(0),
                stdout: stdout.into(),
                stderr: Vec::new(),
            },
            Some(failure) => Output {
                status: ExitStatus::from_raw(1 << 8),
                stdout: Vec::new(),
                stderr: failure.into(),
            },
        })
    }
}

fn sign_in(methods: &[AuthMethod], cli: &Arc<FakeCli>) -> SignIn {
    SignIn {
        methods: methods.to_vec(),
        environment: Arc::new(|_| None),
        executor: Some(Arc::clone(cli) as Arc<dyn Executor>),
        ..SignIn::default()
    }
}

#[tokio::test]
async fn a_token_is_asked_for_once_and_kept() {
    let cli = Arc::new(FakeCli::default());
    let tokens = Tokens::new(
        sign_in(&[AuthMethod::AzureCli], &cli),
        reqwest::Client::new(),
    );
    assert_eq!(tokens.get().await.unwrap().expose(), "token-1");
    assert_eq!(tokens.get().await.unwrap().expose(), "token-1");
    assert_eq!(cli.calls.load(Ordering::SeqCst), 1);
    assert!(!format!("{tokens:?}").contains("token-1"));
}

#[tokio::test]
async fn every_credential_tried_is_named_with_its_reason() {
    let cli = Arc::new(FakeCli {
        failure: Some("ERROR: Please run 'az login' to setup account.\nmore"),
        ..FakeCli::default()
    });
    let methods = [
        AuthMethod::Token,
        AuthMethod::Environment,
        AuthMethod::WorkloadIdentity,
        AuthMethod::AzureCli,
    ];
    let tokens = Tokens::new(sign_in(&methods, &cli), reqwest::Client::new());
    let error = tokens.get().await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot sign in to Azure. Tried: access token (DISKCAP_ACCESS_TOKEN is not set); \
         environment (AZURE_TENANT_ID is not set); \
         workload identity (AZURE_FEDERATED_TOKEN_FILE is not set); \
         Azure CLI (ERROR: Please run 'az login' to setup account). \
         Sign in with 'az login', or set the variables of a service principal"
    );
}

#[tokio::test]
async fn the_next_credential_is_tried_where_one_fails() {
    let cli = Arc::new(FakeCli::default());
    let tokens = Tokens::new(
        sign_in(&[AuthMethod::Environment, AuthMethod::AzureCli], &cli),
        reqwest::Client::new(),
    );
    assert_eq!(tokens.get().await.unwrap().expose(), "token-1");
}

#[tokio::test]
async fn an_expired_token_is_renewed_once() {
    let server = MockServer::start().await;
    let expired = serde_json::json!({ "error": {
        "code": "ExpiredAuthenticationToken", "message": "The access token has expired."
    }});
    Mock::given(method("GET"))
        .and(header("authorization", "Bearer token-1"))
        .respond_with(ResponseTemplate::new(401).set_body_json(&expired))
        .expect(1)
        .mount(&server)
        .await;
    Mock::given(method("GET"))
        .and(header("authorization", "Bearer token-2"))
        .respond_with(ResponseTemplate::new(200).set_body_json(vm("rg1", "db1")))
        .expect(1)
        .mount(&server)
        .await;
    let mut settings = settings(&server.uri());
    settings.sign_in = sign_in(&[AuthMethod::AzureCli], &Arc::new(FakeCli::default()));
    let client = Client::new(settings).unwrap();
    assert!(
        client
            .vm(&id("rg1", "virtualMachines", "db1"))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn a_token_that_stays_expired_is_an_error() {
    let server = MockServer::start().await;
    let expired = serde_json::json!({ "error": {
        "code": "ExpiredAuthenticationToken", "message": "The access token has expired."
    }});
    Mock::given(method("GET"))
        .respond_with(ResponseTemplate::new(401).set_body_json(&expired))
        .expect(2)
        .mount(&server)
        .await;
    let client = Client::new(settings(&server.uri())).unwrap();
    let error = client
        .vm(&id("rg1", "virtualMachines", "db1"))
        .await
        .unwrap_err();
    assert!(matches!(error, CloudError::Expired { .. }));
    let text = error.to_string();
    assert!(text.contains("401 ExpiredAuthenticationToken"), "{text}");
    assert!(text.contains("az login"), "{text}");
}

#[tokio::test]
async fn the_secret_of_a_service_principal_is_in_no_message() {
    const SECRET: &str = "p4ssw0rd-of-the-app";
    let mut sign_in = sign_in(&[AuthMethod::Environment], &Arc::new(FakeCli::default()));
    sign_in.cloud = Cloud::China;
    sign_in.environment = Arc::new(|name| {
        match name {
            "AZURE_TENANT_ID" => Some("tenant-1".to_owned()),
            "AZURE_CLIENT_ID" => Some("app-1".to_owned()),
            "AZURE_CLIENT_SECRET" => Some(SECRET.to_owned()),
            // Nothing listens there: the attempt must fail at once.
            "AZURE_AUTHORITY_HOST" => Some("https://127.0.0.1:1".to_owned()),
            _ => None,
        }
    });
    let tokens = Tokens::new(sign_in, reqwest::Client::new());
    let error = tokens.get().await.unwrap_err();
    for text in [
        error.to_string(),
        format!("{error:?}"),
        format!("{tokens:?}"),
    ] {
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[test]
fn ways_to_sign_in_are_found_by_name() {
    for method in AuthMethod::ALL {
        assert_eq!(method.name().parse(), Ok(method));
    }
    let error = "magic".parse::<AuthMethod>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown way to sign in 'magic': write token, env, workload, managed or cli"
    );
}
