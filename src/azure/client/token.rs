//! Signing in: which credentials are tried, and the token that one of them gave.
//!
//! The credentials themselves are those of the `azure_identity` crate. What is added here is a choice (`--auth`), one
//! cache for all of them, and an error that says for every credential tried why it gave nothing.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use azure_core::cloud::{CloudConfiguration, CustomConfiguration};
use azure_core::credentials::{Secret as IdentitySecret, TokenCredential};
use azure_core::http::{ClientOptions, ExponentialRetryOptions, RetryOptions, Transport};
use azure_identity::{
    AzureCliCredential, AzureCliCredentialOptions, ClientAssertionCredentialOptions,
    ClientSecretCredential, ClientSecretCredentialOptions, Executor, ManagedIdentityCredential,
    ManagedIdentityCredentialOptions, UserAssignedId, WorkloadIdentityCredential,
    WorkloadIdentityCredentialOptions,
};
use tokio::sync::Mutex;

use super::cloud::Cloud;
use super::secret::{Secret, redacted};

/// The variable that holds a ready access token.
pub const TOKEN_VARIABLE: &str = "DISKCAP_ACCESS_TOKEN";

/// A token is renewed when it has less left than this, so that it does not expire under a request.
const RENEW_BEFORE: Duration = Duration::from_secs(120);

/// How long a credential may take when it is the only one.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long the instance metadata service may take when other credentials follow: it answers at once where it exists,
/// and elsewhere its address leads nowhere.
const PROBE_PATIENCE: Duration = Duration::from_secs(3);

/// A way to sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuthMethod {
    /// A ready token in `DISKCAP_ACCESS_TOKEN`.
    Token,
    /// A service principal with a client secret, in `AZURE_TENANT_ID`, `AZURE_CLIENT_ID`, `AZURE_CLIENT_SECRET`.
    Environment,
    /// Workload identity of a Kubernetes pod, also with `AZURE_FEDERATED_TOKEN_FILE`.
    WorkloadIdentity,
    /// The managed identity of the Azure VM or app that this runs on.
    ManagedIdentity,
    /// Whoever is signed in to the Azure CLI.
    AzureCli,
}

impl AuthMethod {
    /// Every method, in the order that they are tried where none is chosen.
    pub const ALL: [Self; 5] = [
        Self::Token,
        Self::Environment,
        Self::WorkloadIdentity,
        Self::ManagedIdentity,
        Self::AzureCli,
    ];

    /// The name used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Environment => "env",
            Self::WorkloadIdentity => "workload",
            Self::ManagedIdentity => "managed",
            Self::AzureCli => "cli",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Token => "access token",
            Self::Environment => "environment",
            Self::WorkloadIdentity => "workload identity",
            Self::ManagedIdentity => "managed identity",
            Self::AzureCli => "Azure CLI",
        }
    }
}

impl fmt::Display for AuthMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// A name that is no way to sign in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown way to sign in '{input}': write token, env, workload, managed or cli")]
pub struct UnknownAuth {
    /// The name as given.
    input: String,
}

impl FromStr for AuthMethod {
    type Err = UnknownAuth;
    fn from_str(input: &str) -> Result<Self, UnknownAuth> {
        Self::ALL
            .into_iter()
            .find(|method| method.name().eq_ignore_ascii_case(input.trim()))
            .ok_or_else(|| UnknownAuth {
                input: input.to_owned(),
            })
    }
}

/// One credential that gave no token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Which one.
    pub method: AuthMethod,
    /// Why not.
    pub reason: String,
}

/// No credential gave a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SignInError {
    /// What was tried, in order.
    pub attempts: Vec<Attempt>,
}

impl fmt::Display for SignInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot sign in to Azure. Tried: ")?;
        for (position, Attempt { method, reason }) in self.attempts.iter().enumerate() {
            let separator = if position == 0 { "" } else { "; " };
            write!(f, "{separator}{method} ({})", reason.trim_end_matches('.'))?;
        }
        f.write_str(". Sign in with 'az login', or set the variables of a service principal")
    }
}

/// Looks a variable of the environment up; empty ones do not exist.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The environment of this process.
#[must_use]
pub fn process_environment() -> Environment {
    Arc::new(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
}

/// What signing in depends on. Everything that reaches outside can be replaced.
#[derive(Clone)]
pub struct SignIn {
    /// The methods, in the order that they are tried.
    pub methods: Vec<AuthMethod>,
    /// The cloud.
    pub cloud: Cloud,
    /// The tenant, where it is not the identity's own.
    pub tenant: Option<String>,
    /// The environment.
    pub environment: Environment,
    /// Runs the Azure CLI, where not as a process of this machine.
    pub executor: Option<Arc<dyn Executor>>,
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn")
            .field("methods", &self.methods)
            .field("cloud", &self.cloud)
            .field("tenant", &self.tenant)
            .finish_non_exhaustive()
    }
}

impl Default for SignIn {
    fn default() -> Self {
        Self {
            methods: AuthMethod::ALL.to_vec(),
            cloud: Cloud::Public,
            tenant: None,
            environment: process_environment(),
            executor: None,
        }
    }
}

/// A token and the moment it expires.
#[derive(Debug, Clone)]
struct Held {
    token: Secret,
    /// Seconds since 1970; `None` where unknown.
    expires: Option<i64>,
}

impl Held {
    fn is_fresh(&self) -> bool {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let deadline = i64::try_from((now + RENEW_BEFORE).as_secs()).unwrap_or(i64::MAX);
        self.expires.is_none_or(|expires| expires > deadline)
    }
}

#[derive(Debug, Default)]
struct State {
    held: Option<Held>,
    /// The method that worked, asked alone from then on.
    chosen: Option<AuthMethod>,
}

/// Gives tokens for Azure Resource Manager, each kept until shortly before it expires.
#[derive(Debug)]
pub struct Tokens {
    sign_in: SignIn,
    http: reqwest::Client,
    state: Mutex<State>,
}

impl Tokens {
    /// Tokens by `sign_in`, fetched with `http`. Nothing is asked yet.
    #[must_use]
    pub fn new(sign_in: SignIn, http: reqwest::Client) -> Self {
        Self {
            sign_in,
            http,
            state: Mutex::default(),
        }
    }

    /// A token that is good for now.
    ///
    /// # Errors
    /// [`SignInError`], with every credential tried.
    pub async fn get(&self) -> Result<Secret, SignInError> {
        let mut state = self.state.lock().await;
        if let Some(held) = state.held.as_ref().filter(|held| held.is_fresh()) {
            return Ok(held.token.clone());
        }
        let methods = match state.chosen {
            Some(method) => vec![method],
            None => self.sign_in.methods.clone(),
        };
        let mut attempts = Vec::new();
        for method in methods {
            match self.ask(method).await {
                Ok(held) => {
                    let token = held.token.clone();
                    state.held = Some(held);
                    state.chosen = Some(method);
                    return Ok(token);
                }
                Err(reason) => attempts.push(Attempt { method, reason }),
            }
        }
        Err(SignInError { attempts })
    }

    /// A token other than `refused`, which a service did not accept.
    ///
    /// # Errors
    /// [`SignInError`], with every credential tried.
    pub async fn renew(&self, refused: &Secret) -> Result<Secret, SignInError> {
        {
            let mut state = self.state.lock().await;
            if state
                .held
                .as_ref()
                .is_some_and(|held| held.token == *refused)
            {
                state.held = None;
            }
        }
        self.get().await
    }

    async fn ask(&self, method: AuthMethod) -> Result<Held, String> {
        if method == AuthMethod::Token {
            let token = self.variable(TOKEN_VARIABLE)?;
            return Ok(Held {
                token: Secret::new(token),
                expires: None,
            });
        }
        let credential = self.credential(method)?;
        let probing = method == AuthMethod::ManagedIdentity && self.sign_in.methods.len() > 1;
        let patience = if probing { PROBE_PATIENCE } else { PATIENCE };
        let scope = self.sign_in.cloud.scope();
        let answer = tokio::time::timeout(patience, credential.get_token(&[&scope], None)).await;
        match answer {
            Ok(Ok(token)) => Ok(Held {
                token: Secret::new(token.token.secret()),
                expires: Some(token.expires_on.unix_timestamp()),
            }),
            Ok(Err(error)) => Err(self.reason(&error)),
            Err(_) => Err(format!("no answer within {} s", patience.as_secs())),
        }
    }

    fn credential(&self, method: AuthMethod) -> Result<Arc<dyn TokenCredential>, String> {
        let built: Result<Arc<dyn TokenCredential>, azure_core::Error> = match method {
            AuthMethod::Token | AuthMethod::Environment => self.service_principal()?,
            AuthMethod::WorkloadIdentity => self.workload_identity()?,
            AuthMethod::ManagedIdentity => self.managed_identity(),
            AuthMethod::AzureCli => AzureCliCredential::new(Some(AzureCliCredentialOptions {
                tenant_id: self.sign_in.tenant.clone(),
                executor: self.sign_in.executor.clone(),
                ..AzureCliCredentialOptions::default()
            }))
            .map(|credential| credential as Arc<dyn TokenCredential>),
        };
        built.map_err(|error| self.reason(&error))
    }

    fn service_principal(&self) -> Result<azure_core::Result<Arc<dyn TokenCredential>>, String> {
        let tenant = self.tenant()?;
        let client = self.variable("AZURE_CLIENT_ID")?;
        let secret = self.variable("AZURE_CLIENT_SECRET").map_err(|missing| {
            match self.variable("AZURE_CLIENT_CERTIFICATE_PATH") {
                Ok(_) => format!("{missing}; certificates are not supported"),
                Err(_) => missing,
            }
        })?;
        let options = ClientSecretCredentialOptions {
            client_options: self.client_options(),
        };
        let secret = IdentitySecret::new(secret);
        Ok(
            ClientSecretCredential::new(&tenant, client, secret, Some(options))
                .map(|credential| credential as Arc<dyn TokenCredential>),
        )
    }

    fn workload_identity(&self) -> Result<azure_core::Result<Arc<dyn TokenCredential>>, String> {
        let file = self.variable("AZURE_FEDERATED_TOKEN_FILE")?;
        let options = WorkloadIdentityCredentialOptions {
            credential_options: ClientAssertionCredentialOptions {
                client_options: self.client_options(),
            },
            client_id: Some(self.variable("AZURE_CLIENT_ID")?),
            tenant_id: Some(self.tenant()?),
            token_file_path: Some(file.into()),
        };
        Ok(WorkloadIdentityCredential::new(Some(options))
            .map(|credential| credential as Arc<dyn TokenCredential>))
    }

    /// The identity of this machine: the one that `AZURE_CLIENT_ID` names, else the system-assigned one.
    fn managed_identity(&self) -> azure_core::Result<Arc<dyn TokenCredential>> {
        let options = ManagedIdentityCredentialOptions {
            user_assigned_id: self
                .variable("AZURE_CLIENT_ID")
                .ok()
                .map(UserAssignedId::ClientId),
            client_options: self.client_options(),
        };
        ManagedIdentityCredential::new(Some(options))
            .map(|credential| credential as Arc<dyn TokenCredential>)
    }

    fn tenant(&self) -> Result<String, String> {
        match &self.sign_in.tenant {
            Some(tenant) => Ok(tenant.clone()),
            None => self.variable("AZURE_TENANT_ID"),
        }
    }

    fn variable(&self, name: &str) -> Result<String, String> {
        (self.sign_in.environment)(name).ok_or_else(|| format!("{name} is not set"))
    }

    fn client_options(&self) -> ClientOptions {
        let mut cloud = CustomConfiguration::default();
        cloud.authority_host = (self.sign_in.environment)("AZURE_AUTHORITY_HOST")
            .unwrap_or_else(|| self.sign_in.cloud.authority().to_owned());
        ClientOptions {
            transport: Some(Transport::new(Arc::new(self.http.clone()))),
            retry: RetryOptions::exponential(ExponentialRetryOptions {
                max_retries: 3,
                ..ExponentialRetryOptions::default()
            }),
            cloud: Some(Arc::new(CloudConfiguration::Custom(cloud))),
            ..ClientOptions::default()
        }
    }

    /// The first line of a credential's error, without its name in front, and without anything secret.
    fn reason(&self, error: &azure_core::Error) -> String {
        let text = error.to_string();
        let text = text
            .split_once("authentication failed.")
            .map_or(text.as_str(), |(_, reason)| reason);
        let line = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty())
            .unwrap_or("no reason given");
        let mut reason = redacted(line);
        if let Some(secret) = (self.sign_in.environment)("AZURE_CLIENT_SECRET") {
            reason = reason.replace(&secret, "***");
        }
        reason
    }
}
