//! The live cloud: reads VMs, disks, SKUs and metrics from Azure Resource Manager, and nothing else.
//!
//! Every request is a GET, but for Resource Graph queries, which are POSTs that read. The role Reader on the scope is
//! enough. Answers go through the same readers as saved files, so that both give the same [`FleetFacts`].
//!
//! | file | concern |
//! |---|---|
//! | [`cloud`] | addresses of the clouds |
//! | [`token`] | signing in |
//! | [`secret`] | keeping tokens out of what is printed |
//! | `transport` | sending: time limits, size limits, one host only |
//! | `wait` | how long a service asks to wait; pauses are those of [`fetch`](super::fetch) |
//! | `compute` | the adapter to `azure_mgmt_compute` |
//! | `graph` | Resource Graph and metrics |
//! | `answer`, [`error`] | error answers and what they mean |
//! | [`fetch`] | everything about a VM, a group, a subscription or a management group |
//! | [`cache`] | SKU lists kept between runs |
//!
//! The client is tested against a local server with answers shaped like those of the service.

pub mod cache;
pub mod cloud;
pub mod error;
pub mod fetch;
pub mod secret;
pub mod token;

mod answer;
mod compute;
mod graph;
mod transport;
mod wait;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use azure_core::Bytes;
use reqwest::Url;

pub use cloud::{Cloud, EndpointError};
pub use error::CloudError;
pub use graph::{GraphScope, METRICS_VERSION, MetricQuery, RESOURCE_GRAPH_VERSION};
pub use token::{AuthMethod, SignIn, SignInError, Tokens};

use self::answer::unreadable;
use self::compute::{Call, Page};
use self::transport::Transport;
use crate::azure::arm::kind::Kind;
use crate::azure::arm::shape::Resource;
use crate::azure::arm::walk::{Sink, walk};
use crate::azure::facts::collector::Collector;
use crate::azure::facts::{FleetFacts, ResourceId};
use crate::azure::fetch::{Patience, USER_AGENT};

/// How to reach the cloud.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who asks, and of which cloud.
    pub sign_in: SignIn,
    /// The address in place of the cloud's own, for tests and private gateways ([`cloud::endpoint`] checks one).
    pub endpoint: Option<Url>,
    /// A file of certificate authorities (PEM) to trust beside the system's.
    pub ca_file: Option<PathBuf>,
    /// How long an answer may take, and when to send again.
    pub patience: Patience,
    /// How many requests may be under way at once.
    pub parallel: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            sign_in: SignIn::default(),
            endpoint: None,
            ca_file: None,
            patience: Patience {
                longest_pause: LONGEST_PAUSE,
                ..Patience::default()
            },
            parallel: 8,
        }
    }
}

/// Why no client can be made of the settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file of certificate authorities cannot be read.
    #[error("cannot read the certificates in '{}': {source}", path.display())]
    CaFile {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file of certificate authorities holds none.
    #[error("'{}' holds no certificate in PEM form ('-----BEGIN CERTIFICATE-----')", path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// The HTTP client cannot be set up.
    #[error("cannot set up HTTPS: {source}")]
    Http {
        /// Why.
        source: reqwest::Error,
    },
}

/// How long to wait when the service asks for it: throttled compute requests ask for two minutes.
const LONGEST_PAUSE: Duration = Duration::from_secs(180);

/// How long opening a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads one Azure cloud.
#[derive(Debug, Clone)]
pub struct Client {
    transport: Arc<Transport>,
    parallel: usize,
}

impl Client {
    /// A client by these settings. Nothing is asked yet.
    ///
    /// Proxies are taken from the environment (`HTTPS_PROXY`, `NO_PROXY`).
    ///
    /// # Errors
    /// [`SettingsError`].
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let http = http_client(&settings)?;
        let cloud = settings.sign_in.cloud;
        let endpoint = match settings.endpoint {
            Some(endpoint) => endpoint,
            // The clouds' own addresses are constants and tested.
            None => cloud::endpoint(cloud.resource_manager())
                .unwrap_or_else(|_| unreachable!("the address of {cloud} is tested")),
        };
        let tokens = Arc::new(Tokens::new(settings.sign_in, http.clone()));
        Ok(Self {
            transport: Arc::new(Transport {
                http,
                endpoint,
                tokens,
                patience: settings.patience,
            }),
            parallel: settings.parallel.max(1),
        })
    }

    /// How many requests may be under way at once.
    #[must_use]
    pub const fn parallel(&self) -> usize {
        self.parallel
    }

    /// One VM with its instance view.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn vm(&self, id: &ResourceId) -> Result<FleetFacts, CloudError> {
        let group = id.resource_group().unwrap_or_default().to_owned();
        let name = id.name().to_owned();
        let call = match id.scale_set() {
            Some(set) => Call::ScaleSetVm {
                group,
                set: set.to_owned(),
                instance: name,
            },
            None => Call::Vm { group, name },
        };
        let answer = self.call(subscription_of(id), call).await?;
        answer.holding("virtual machine", |facts| !facts.vms.is_empty())
    }

    /// The VMs of a subscription, or of one of its resource groups.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn vms(
        &self,
        subscription: &str,
        group: Option<&str>,
    ) -> Result<FleetFacts, CloudError> {
        let group = group.map(str::to_owned);
        self.facts(subscription, Call::Vms { group }).await
    }

    /// What the VMs of a subscription are doing; lists do not say.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn vm_states(&self, subscription: &str) -> Result<FleetFacts, CloudError> {
        self.facts(subscription, Call::VmStates).await
    }

    /// One managed disk.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn disk(&self, id: &ResourceId) -> Result<FleetFacts, CloudError> {
        let call = Call::Disk {
            group: id.resource_group().unwrap_or_default().to_owned(),
            name: id.name().to_owned(),
        };
        let answer = self.call(subscription_of(id), call).await?;
        answer.holding("disk", |facts| !facts.disks.is_empty())
    }

    /// The managed disks of a subscription, or of one of its resource groups.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn disks(
        &self,
        subscription: &str,
        group: Option<&str>,
    ) -> Result<FleetFacts, CloudError> {
        let group = group.map(str::to_owned);
        self.facts(subscription, Call::Disks { group }).await
    }

    /// The scale sets of a subscription, or of one of its resource groups ([`FleetFacts::scale_sets`]).
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn scale_sets(
        &self,
        subscription: &str,
        group: Option<&str>,
    ) -> Result<FleetFacts, CloudError> {
        let group = group.map(str::to_owned);
        self.facts(subscription, Call::ScaleSets { group }).await
    }

    /// The instances of a scale set, with their instance views.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn scale_set_vms(&self, id: &ResourceId) -> Result<FleetFacts, CloudError> {
        let call = Call::ScaleSetVms {
            group: id.resource_group().unwrap_or_default().to_owned(),
            set: id.name().to_owned(),
        };
        self.facts(subscription_of(id), call).await
    }

    /// What a region sells to a subscription.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn skus(&self, subscription: &str, region: &str) -> Result<FleetFacts, CloudError> {
        let region = region.to_owned();
        self.facts(subscription, Call::Skus { region }).await
    }

    /// What a region sells, with the bodies of the answer for a copy to be kept.
    pub(crate) async fn skus_with_bodies(
        &self,
        subscription: &str,
        region: &str,
    ) -> Result<(FleetFacts, Vec<Bytes>), CloudError> {
        let region = region.to_owned();
        let (mut answer, mut bodies) = (Answered::default(), Vec::new());
        let mut take = |page: Page| {
            answer.take(&page)?;
            bodies.push(page.body);
            Ok(())
        };
        let call = Call::Skus { region };
        compute::pages(&self.transport, subscription, call, &mut take).await?;
        Ok((answer.facts, bodies))
    }

    /// The resources that a Resource Graph query finds.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn graph(&self, scope: &GraphScope, query: &str) -> Result<FleetFacts, CloudError> {
        let mut answer = Answered::default();
        let mut take = |page| answer.take(&page);
        graph::query(&self.transport, scope, query, &mut take).await?;
        Ok(answer.facts)
    }

    /// Metrics of a VM or disk, as the API answers them.
    ///
    /// # Errors
    /// [`CloudError`].
    pub async fn metrics(&self, query: &MetricQuery<'_>) -> Result<Vec<u8>, CloudError> {
        let page = graph::metrics(&self.transport, query).await?;
        Ok(page.body.to_vec())
    }

    async fn facts(&self, subscription: &str, call: Call) -> Result<FleetFacts, CloudError> {
        Ok(self.call(subscription, call).await?.facts)
    }

    async fn call(&self, subscription: &str, call: Call) -> Result<Answered, CloudError> {
        let mut answer = Answered::default();
        let mut take = |page| answer.take(&page);
        compute::pages(&self.transport, subscription, call, &mut take).await?;
        Ok(answer)
    }
}

/// The subscription of an id; an id without one asks for a subscription that does not exist and is answered so.
fn subscription_of(id: &ResourceId) -> &str {
    id.subscription().unwrap_or_default()
}

fn http_client(settings: &Settings) -> Result<reqwest::Client, SettingsError> {
    let mut builder = reqwest::Client::builder()
        .user_agent(USER_AGENT)
        .connect_timeout(CONNECT_TIMEOUT)
        // An API does not redirect; a captive portal does, and must not be followed with a token.
        .redirect(reqwest::redirect::Policy::none());
    if let Some(path) = &settings.ca_file {
        let pem = std::fs::read(path).map_err(|source| SettingsError::CaFile {
            path: path.clone(),
            source,
        })?;
        let certificates = reqwest::Certificate::from_pem_bundle(&pem)
            .map_err(|source| SettingsError::Http { source })?;
        if certificates.is_empty() {
            return Err(SettingsError::NoCertificate { path: path.clone() });
        }
        builder = builder.tls_certs_merge(certificates);
    }
    builder
        .build()
        .map_err(|source| SettingsError::Http { source })
}

/// What the pages of an answer held.
#[derive(Debug, Default)]
struct Answered {
    facts: FleetFacts,
    asked: Option<error::Asked>,
}

impl Answered {
    fn take(&mut self, page: &Page) -> Result<(), CloudError> {
        let mut sink = AnswerSink {
            collector: self.facts.collector(page.asked.to_string().into()),
            error: None,
        };
        let mut json = serde_json::Deserializer::from_slice(&page.body);
        walk(&mut json, &mut sink).map_err(|error| unreadable(&page.asked, &page.body, &error))?;
        if let Some((code, message)) = sink.error {
            return Err(CloudError::ErrorInBody {
                asked: page.asked.clone(),
                answer: error::Answer {
                    status: 200,
                    code: secret::redacted(&code),
                    message: secret::redacted(&message),
                },
            });
        }
        self.asked.get_or_insert_with(|| page.asked.clone());
        Ok(())
    }

    /// The facts, where they hold what was asked for.
    fn holding(
        self,
        wanted: &'static str,
        holds: impl Fn(&FleetFacts) -> bool,
    ) -> Result<FleetFacts, CloudError> {
        match self.asked {
            Some(asked) if !holds(&self.facts) => Err(CloudError::Unrecognised { asked, wanted }),
            _ => Ok(self.facts),
        }
    }
}

/// Collects facts, and keeps an error that lies among them.
struct AnswerSink<'a> {
    collector: Collector<'a>,
    error: Option<(String, String)>,
}

impl Sink for AnswerSink<'_> {
    fn resource(&mut self, kind: Kind, resource: &Resource) {
        self.collector.resource(kind, resource);
    }
    fn error(&mut self, code: String, message: String) {
        self.error.get_or_insert((code, message));
    }
    /// A list may hold more than is of interest here (SKUs of snapshots).
    fn unknown(&mut self, _: String) {}
}
