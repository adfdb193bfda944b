//! The adapter to `azure_mgmt_compute`: its client builds the requests, ours sends them and reads the answers.
//!
//! The crate knows the paths, parameters, api-versions and paging of the compute API, and those are used. Two things
//! of it are not:
//!
//! * Its HTTP client and its credentials belong to an older `azure_core`. `Wire` and `Signer` put our transport
//!   (tokens, retries, time limits, one host only) in their place.
//! * Its models refuse a whole page of a list for one value that they do not know, and have no place for numbers in
//!   quotes. The bodies are kept for our own tolerant readers, and the crate is handed only the link to the next
//!   page.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use azure_core::Bytes;
use azure_core_for_compute as old;
use azure_mgmt_compute::package_2024_07_01 as compute;
use futures_util::StreamExt;
use serde::Deserialize;

use super::answer::unreadable;
use super::error::{Asked, CloudError};
use super::secret::redacted;
use super::transport::{Request, Transport};

/// The most pages of one list; a list of 100,000 VMs has some 2,000.
const MOST_PAGES: usize = 20_000;

/// One page of an answer.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) asked: Asked,
    pub(crate) body: Bytes,
}

/// A list or a single resource of the compute API.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    /// One VM with its instance view.
    Vm { group: String, name: String },
    /// The VMs of a subscription, or of one of its resource groups.
    Vms { group: Option<String> },
    /// What the VMs of a subscription are doing, without anything else about them.
    VmStates,
    /// One disk.
    Disk { group: String, name: String },
    /// The disks of a subscription, or of one of its resource groups.
    Disks { group: Option<String> },
    /// The scale sets of a subscription, or of one of its resource groups.
    ScaleSets { group: Option<String> },
    /// One instance of a scale set, with its instance view.
    ScaleSetVm {
        group: String,
        set: String,
        instance: String,
    },
    /// The instances of a scale set.
    ScaleSetVms { group: String, set: String },
    /// What a region sells.
    Skus { region: String },
}

/// Expands a VM with what it is doing.
const INSTANCE_VIEW: &str = "instanceView";

/// Takes the pages of an answer as they arrive.
pub(crate) type Take<'t> = &'t mut (dyn FnMut(Page) -> Result<(), CloudError> + Send);

/// Makes a call in `subscription` and hands over the pages of the answer.
pub(crate) async fn pages(
    transport: &Arc<Transport>,
    subscription: &str,
    call: Call,
    take: Take<'_>,
) -> Result<(), CloudError> {
    let wire = Arc::new(Wire {
        transport: Arc::clone(transport),
        kept: Mutex::default(),
        count: AtomicUsize::new(0),
    });
    let client = client(&wire)?;
    run(&client, &wire, subscription, call, take).await
}

/// The crate's client over `wire`.
fn client(wire: &Arc<Wire>) -> Result<compute::Client, CloudError> {
    let signer = Arc::new(Signer);
    let http: Arc<dyn old::HttpClient> = Arc::clone(wire) as _;
    compute::Client::builder(signer)
        .endpoint(wire.transport.endpoint.clone())
        .transport(old::TransportOptions::new(http))
        .retry(old::RetryOptions::none())
        .build()
        .map_err(|error| wire.unexpected(&error))
}

async fn run(
    client: &compute::Client,
    wire: &Wire,
    subscription: &str,
    call: Call,
    take: Take<'_>,
) -> Result<(), CloudError> {
    /// Waits for a single resource.
    macro_rules! once {
        ($request:expr) => {{
            let outcome = $request.send().await.map(drop);
            wire.hand_over(outcome, take)
        }};
    }
    /// Follows a list to its end.
    macro_rules! follow {
        ($request:expr) => {{
            let mut pages = $request.into_stream();
            while let Some(page) = pages.next().await {
                wire.hand_over(page.map(drop), take)?;
            }
            Ok(())
        }};
    }
    let vms = client.virtual_machines_client();
    let disks = client.disks_client();
    let sets = client.virtual_machine_scale_sets_client();
    let instances = client.virtual_machine_scale_set_v_ms_client();
    match call {
        Call::Vm { group, name } => {
            once!(vms.get(group, name, subscription).expand(INSTANCE_VIEW))
        }
        Call::Vms { group: Some(group) } => follow!(vms.list(group, subscription)),
        Call::Vms { group: None } => follow!(vms.list_all(subscription)),
        Call::VmStates => follow!(vms.list_all(subscription).status_only("true")),
        Call::Disk { group, name } => once!(disks.get(subscription, group, name)),
        Call::Disks { group: Some(group) } => {
            follow!(disks.list_by_resource_group(subscription, group))
        }
        Call::Disks { group: None } => follow!(disks.list(subscription)),
        Call::ScaleSets { group: Some(group) } => follow!(sets.list(group, subscription)),
        Call::ScaleSets { group: None } => follow!(sets.list_all(subscription)),
        Call::ScaleSetVm {
            group,
            set,
            instance,
        } => {
            let request = instances.get(group, set, instance, subscription);
            once!(request.expand(INSTANCE_VIEW))
        }
        Call::ScaleSetVms { group, set } => {
            follow!(
                instances
                    .list(group, set, subscription)
                    .expand(INSTANCE_VIEW)
            )
        }
        Call::Skus { region } => {
            let filter = format!("location eq '{region}'");
            follow!(
                client
                    .resource_skus_client()
                    .list(subscription)
                    .filter(filter)
            )
        }
    }
}

/// The crate's way to the network: our transport. It keeps what the crate must not interpret: the body of the latest
/// answer, or why there is none.
#[derive(Debug)]
struct Wire {
    transport: Arc<Transport>,
    kept: Mutex<Option<Result<Page, CloudError>>>,
    count: AtomicUsize,
}

/// The only part of a list that the crate needs to see.
#[derive(Debug, Default, Deserialize)]
struct Envelope {
    #[serde(rename = "nextLink", default)]
    next_link: Option<String>,
}

impl Wire {
    fn kept(&self) -> MutexGuard<'_, Option<Result<Page, CloudError>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands over what the latest answer was; `outcome` is what the crate made of it.
    fn hand_over(&self, outcome: old::Result<()>, take: Take<'_>) -> Result<(), CloudError> {
        match (self.kept().take(), outcome) {
            (Some(Ok(page)), Ok(())) => take(page),
            (Some(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(self.unexpected(&error)),
            (None, Ok(())) => Ok(()),
        }
    }

    /// An error of the crate itself: an address that it cannot make a request of.
    fn unexpected(&self, error: &old::Error) -> CloudError {
        CloudError::Connection {
            asked: Asked::new(&reqwest::Method::GET, &self.transport.endpoint),
            reason: redacted(&error.to_string()),
            attempts: 1,
        }
    }

    /// The answer to `request`, and the link to the page after it.
    async fn answer(&self, request: &Request) -> Result<(Page, Option<String>), CloudError> {
        let body = self.transport.send(request).await?;
        let asked = request.asked();
        let next_link = next_link(&body).map_err(|error| unreadable(&asked, &body, &error))?;
        let pages = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let repeats = next_link.as_deref() == Some(request.url.as_str());
        if repeats || (next_link.is_some() && pages >= MOST_PAGES) {
            return Err(CloudError::EndlessList { asked, pages });
        }
        Ok((Page { asked, body }, next_link))
    }
}

/// The link to the next page. A body that is JSON of another shape has none; what it is shows when it is read.
fn next_link(body: &[u8]) -> Result<Option<String>, serde_json::Error> {
    match serde_json::from_slice::<Envelope>(body) {
        Ok(envelope) => Ok(envelope.next_link.filter(|link| !link.is_empty())),
        Err(error) if error.is_data() => Ok(None),
        Err(error) => Err(error),
    }
}

#[async_trait::async_trait]
impl old::HttpClient for Wire {
    async fn execute_request(&self, request: &old::Request) -> old::Result<old::Response> {
        let request = Request::get(request.url().clone());
        let (kept, next_link) = match self.answer(&request).await {
            Ok((page, next_link)) => (Ok(page), next_link),
            Err(error) => (Err(error), None),
        };
        let failed = kept.is_err();
        *self.kept() = Some(kept);
        if failed {
            // What failed is kept; the crate only needs to stop.
            return Err(old::error::ErrorKind::Other.into_error());
        }
        let envelope = serde_json::json!({ "value": [], "nextLink": next_link });
        let body = futures_util::stream::once(std::future::ready(Ok(envelope.to_string().into())));
        Ok(old::Response::new(
            old::StatusCode::Ok,
            old::headers::Headers::new(),
            Box::pin(body),
        ))
    }
}

/// The crate's credential, which is none: the transport signs every request itself, also those sent again after a
/// token was renewed, so no token is handed to the crate.
#[derive(Debug)]
struct Signer;

#[async_trait::async_trait]
impl old::auth::TokenCredential for Signer {
    async fn get_token(&self, _: &[&str]) -> old::Result<old::auth::AccessToken> {
        let expires = azure_core::time::OffsetDateTime::now_utc();
        Ok(old::auth::AccessToken::new("unused", expires))
    }

    async fn clear_cache(&self) -> old::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use azure_mgmt_compute::package_2024_07_01::models;
    use serde_json::json;

    /// Why the bodies are not read through the crate's models. Where this fails, the models have become usable.
    #[test]
    fn the_models_of_the_crate_refuse_what_the_readers_take() {
        let list = |caching: &str, size: serde_json::Value| {
            json!({ "value": [{
                "location": "westeurope",
                "properties": { "storageProfile": { "dataDisks": [
                    { "lun": 0, "createOption": "Attach", "caching": caching, "diskSizeGB": size }
                ]}}
            }]})
        };
        let reads = |list| serde_json::from_value::<models::VirtualMachineListResult>(list).is_ok();
        assert!(reads(list("ReadOnly", json!(64))));
        assert!(!reads(list("ReadMostly", json!(64))));
        assert!(!reads(list("ReadOnly", json!("64"))));
    }
}
