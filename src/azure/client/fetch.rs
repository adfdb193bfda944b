//! Everything about what was named: a VM with its disks, a group, a subscription, a management group; and the SKU
//! lists of the regions they are in.
//!
//! Requests are made side by side, a bounded number at once. What fails is told beside what was read.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream;

use super::cache::SkuCache;
use super::error::CloudError;
use super::graph::GraphScope;
use super::{Client, Cloud};
use crate::azure::facts::{Backing, FleetFacts, Problem, ReadProblem, Target};

/// Something that could not be read, beside what could.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What was to be read.
    pub what: String,
    /// Why it was not.
    pub error: CloudError,
    /// Whether the result is incomplete without it. It is not without a list of SKUs: sizes are known without.
    pub needed: bool,
}

/// What was read, and what was not.
#[derive(Debug, Default)]
pub struct Fetched {
    /// What was read. Failures are among its problems, too.
    pub facts: FleetFacts,
    /// What could not be read.
    pub failures: Vec<Failure>,
}

/// How far the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// VMs read so far.
    pub vms: usize,
    /// Disks read so far.
    pub disks: usize,
    /// Answers that are still awaited.
    pub awaited: usize,
}

/// What to read beside the targets, and how to tell of it.
#[derive(Default)]
pub struct FetchOptions<'a> {
    /// Where SKU lists are kept; `None` reads none.
    pub skus: Option<(SkuCache, Cloud)>,
    /// Called after each answer.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// The VMs of a management group, and the disks.
const GRAPH_VMS: &str = "Resources | where type =~ 'microsoft.compute/virtualmachines'";
const GRAPH_DISKS: &str = "Resources | where type =~ 'microsoft.compute/disks'";
const GRAPH_SCALE_SETS: &str =
    "Resources | where type =~ 'microsoft.compute/virtualmachinescalesets'";

/// One question to the cloud, with a name for messages.
struct Question<'c> {
    what: String,
    needed: bool,
    answer: BoxFuture<'c, Result<FleetFacts, CloudError>>,
}

/// Reads `targets`: their VMs, the disks of these, and the SKUs of their regions.
///
/// # Errors
/// [`CloudError::SignIn`] where nobody is signed in. Everything else that fails is among the failures.
pub async fn fetch(
    client: &Client,
    targets: &[Target],
    options: &FetchOptions<'_>,
) -> Result<Fetched, CloudError> {
    client.transport.tokens.get().await?;
    let mut fetched = Fetched::default();
    let first = targets.iter().flat_map(|target| questions(client, target));
    ask(client, first.collect(), options, &mut fetched).await;
    let instances = scale_set_questions(client, &fetched.facts);
    ask(client, instances, options, &mut fetched).await;
    let disks = disk_questions(client, &fetched.facts);
    ask(client, disks, options, &mut fetched).await;
    if let Some((cache, cloud)) = &options.skus {
        let skus = sku_questions(client, cache, *cloud, &fetched.facts);
        ask(client, skus, options, &mut fetched).await;
    }
    Ok(fetched)
}

/// Asks all questions, a bounded number at once, and puts the answers together.
async fn ask(
    client: &Client,
    questions: Vec<Question<'_>>,
    options: &FetchOptions<'_>,
    fetched: &mut Fetched,
) {
    let mut awaited = questions.len();
    let mut answers = stream::iter(questions)
        .map(|question| async move { (question.what, question.needed, question.answer.await) })
        .buffer_unordered(client.parallel);
    while let Some((what, needed, answer)) = answers.next().await {
        awaited -= 1;
        match answer {
            Ok(facts) => fetched.facts.absorb(facts),
            Err(error) => {
                fetched.facts.problems.push(ReadProblem {
                    source: what.as_str().into(),
                    line: None,
                    subject: None,
                    problem: Problem::CloudError {
                        reason: error.to_string(),
                        needed,
                    },
                });
                fetched.failures.push(Failure {
                    what,
                    error,
                    needed,
                });
            }
        }
        if let Some(tell) = options.progress {
            tell(Progress {
                vms: fetched.facts.vms.len(),
                disks: fetched.facts.disks.len(),
                awaited,
            });
        }
    }
}

/// The first questions about a target.
fn questions<'c>(client: &'c Client, target: &'c Target) -> Vec<Question<'c>> {
    match target {
        Target::Vm(id) => vec![Question {
            what: format!("VM {}", id.name()),
            needed: true,
            answer: Box::pin(client.vm(id)),
        }],
        Target::ScaleSet(id) => vec![Question {
            what: format!("scale set {}", id.name()),
            needed: true,
            answer: Box::pin(client.scale_set_vms(id)),
        }],
        Target::Group {
            subscription,
            group,
        } => lists(client, subscription, Some(group)),
        Target::Subscription(subscription) => {
            let mut lists = lists(client, subscription, None);
            lists.push(Question {
                what: format!("states of the VMs of subscription {subscription}"),
                needed: true,
                answer: Box::pin(client.vm_states(subscription)),
            });
            lists
        }
        Target::ManagementGroup(group) => {
            let ask = |query: &'static str| async move {
                let scope = GraphScope::ManagementGroups(vec![group.clone()]);
                client.graph(&scope, query).await
            };
            vec![
                Question {
                    what: format!("VMs of management group {group}"),
                    needed: true,
                    answer: Box::pin(ask(GRAPH_VMS)),
                },
                Question {
                    what: format!("disks of management group {group}"),
                    needed: true,
                    answer: Box::pin(ask(GRAPH_DISKS)),
                },
                Question {
                    what: format!("scale sets of management group {group}"),
                    needed: true,
                    answer: Box::pin(ask(GRAPH_SCALE_SETS)),
                },
            ]
        }
    }
}

/// The lists of a subscription or a group.
fn lists<'c>(
    client: &'c Client,
    subscription: &'c str,
    group: Option<&'c str>,
) -> Vec<Question<'c>> {
    let place = match group {
        Some(group) => format!("resource group {group}"),
        None => format!("subscription {subscription}"),
    };
    vec![
        Question {
            what: format!("VMs of {place}"),
            needed: true,
            answer: Box::pin(client.vms(subscription, group)),
        },
        Question {
            what: format!("disks of {place}"),
            needed: true,
            answer: Box::pin(client.disks(subscription, group)),
        },
        Question {
            what: format!("scale sets of {place}"),
            needed: true,
            answer: Box::pin(client.scale_sets(subscription, group)),
        },
    ]
}

/// The instances of the uniform scale sets; those of flexible ones are listed with the other VMs.
fn scale_set_questions<'c>(client: &'c Client, facts: &FleetFacts) -> Vec<Question<'c>> {
    let uniform = facts.scale_sets.iter().filter(|set| !set.flexible);
    uniform
        .map(|set| {
            let id = set.id.clone();
            Question {
                what: format!("scale set {}", id.name()),
                needed: true,
                answer: Box::pin(async move { client.scale_set_vms(&id).await }),
            }
        })
        .collect()
}

/// The managed disks that VMs name and no list had. Ephemeral disks are no resources.
fn disk_questions<'c>(client: &'c Client, facts: &FleetFacts) -> Vec<Question<'c>> {
    let missing = facts
        .vms
        .iter()
        .flat_map(|vm| vm.disks())
        .filter(|disk| disk.backing == Backing::Managed)
        .filter_map(|disk| disk.id.as_ref())
        .filter(|id| facts.disk(id).is_none());
    let mut seen = std::collections::HashSet::new();
    missing
        .filter(|id| seen.insert((*id).clone()))
        .map(|id| {
            let id = id.clone();
            Question {
                what: format!("disk {}", id.name()),
                needed: true,
                answer: Box::pin(async move { client.disk(&id).await }),
            }
        })
        .collect()
}

/// The SKU lists of the regions that VMs are in.
fn sku_questions<'c>(
    client: &'c Client,
    cache: &'c SkuCache,
    cloud: Cloud,
    facts: &FleetFacts,
) -> Vec<Question<'c>> {
    let places: BTreeSet<(String, String)> = facts
        .vms
        .iter()
        .filter_map(|vm| {
            let subscription = vm.id.as_ref()?.subscription()?.to_ascii_lowercase();
            Some((subscription, vm.region.as_ref()?.as_str().to_owned()))
        })
        .collect();
    places
        .into_iter()
        .map(|(subscription, region)| Question {
            what: format!("SKUs of {region}"),
            needed: false,
            answer: Box::pin(
                async move { cache.skus(client, cloud, &subscription, &region).await },
            ),
        })
        .collect()
}
