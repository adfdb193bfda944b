//! The live cloud.

use std::path::PathBuf;
use std::time::Duration;

use jiff::{Timestamp, tz::TimeZone};
use reqwest::Url;

use super::super::config;
use super::super::failure::{CLOUD, Failure, say};
use super::super::progress::Watch;
use super::{Gathered, Nothing};
use diskcap::azure::client::fetch::{self, FetchOptions, Progress};
use diskcap::azure::client::{AuthMethod, Client, Cloud, CloudError, Settings, SignIn, cloud};
use diskcap::azure::facts::{Chosen, Problem, ReadProblem, ResourceId, Target, TargetError};
use diskcap::azure::fetch::Patience;
use diskcap::azure::metrics::Metrics;
use diskcap::azure::metrics::ask::{Lookback, metrics_of_fleet};
use diskcap::catalog::Dataset;

/// What to read, and how to reach it.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live cloud")]
pub struct LiveArgs {
    /// Subscription: all its VMs and disks, unless --resource-group says which
    #[arg(long, value_name = "ID")]
    subscription: Option<String>,
    /// Resource group of the subscription: all its VMs and disks, unless --vm says which
    #[arg(long, short = 'g', value_name = "GROUP", requires = "subscription")]
    resource_group: Option<String>,
    /// VM of the resource group, or of what --from reads; repeat for more
    #[arg(long, value_name = "NAME")]
    vm: Vec<String>,
    /// Resource id of a VM, scale set (or instance of one), resource group, subscription or management group; beside --from
    /// only these of what it reads; repeat for more
    #[arg(long, value_name = "RESOURCE_ID", value_parser = target)]
    id: Vec<Target>,
    /// Management group: all VMs and disks below it, by Resource Graph; repeat for more
    #[arg(long, value_name = "NAME")]
    management_group: Vec<String>,
    /// How to sign in: token (DISKCAP_ACCESS_TOKEN), env, workload, managed or cli; without it as configured, else each in
    /// this order
    #[arg(long, value_name = "METHOD")]
    auth: Vec<AuthMethod>,
    /// Tenant to sign in to, where it is not the identity's own
    #[arg(long, value_name = "ID")]
    tenant: Option<String>,
    /// Which Azure: public, usgov or china; without it as configured, else public
    #[arg(long, value_name = "CLOUD")]
    cloud: Option<Cloud>,
    /// Address in place of the cloud's own, for private gateways
    #[arg(long, value_name = "URL", value_parser = cloud::endpoint)]
    endpoint: Option<Url>,
    /// Certificate authorities (PEM) to trust besides the system's
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// How many seconds one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// How often a request is sent again when the service is busy
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=20))]
    retries: u8,
    /// How many requests may be under way at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    parallel: u8,
    /// Do not read what the regions sell: sizes are those of the embedded catalogue
    #[arg(long)]
    no_skus: bool,
}

fn target(id: &str) -> Result<Target, TargetError> {
    Target::from_id(id)
}

/// Somebody pressed Ctrl-C.
#[derive(Debug, thiserror::Error)]
#[error("interrupted: nothing was written")]
struct Interrupted;

impl LiveArgs {
    /// Whether the live cloud is asked for at all.
    pub const fn asked(&self) -> bool {
        self.subscription.is_some() || !self.id.is_empty() || !self.management_group.is_empty()
    }

    /// What of saved answers is asked about; nothing is everything.
    pub fn chosen(&self) -> Result<Vec<Chosen>, Failure> {
        let names = self.vm.iter().cloned().map(Chosen::Name);
        let ids = self.id.iter().map(|id| match id {
            Target::ManagementGroup(_) => Err(Nothing(format!(
                "--id: {id} cannot be looked for beside --from: saved answers do not say which subscriptions are below it"
            ))),
            _ => Ok(Chosen::Target(id.clone())),
        });
        let chosen: Result<Vec<Chosen>, Nothing> = names.map(Ok).chain(ids).collect();
        Ok(chosen?)
    }

    /// Whether VMs are named without the group that their names belong to.
    fn check(&self) -> Result<(), Failure> {
        match (self.vm.first(), &self.resource_group) {
            (Some(vm), None) => Err(Nothing(format!(
                "--vm {vm}: add --resource-group, names of VMs are of one group (or --from with saved answers)"
            ))
            .into()),
            _ => Ok(()),
        }
    }

    fn targets(&self) -> Vec<Target> {
        let mut targets = self.id.clone();
        let groups = self.management_group.iter().cloned();
        targets.extend(groups.map(Target::ManagementGroup));
        let Some(subscription) = self.subscription.clone() else {
            return targets;
        };
        match (&self.resource_group, self.vm.as_slice()) {
            (None, _) => targets.push(Target::Subscription(subscription)),
            (Some(group), []) => targets.push(Target::Group {
                subscription,
                group: group.clone(),
            }),
            (Some(group), vms) => targets.extend(vms.iter().filter_map(|vm| {
                let id = format!(
                    "/subscriptions/{subscription}/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachines/{vm}"
                );
                ResourceId::new(&id).map(Target::Vm)
            })),
        }
        targets
    }

    fn settings(&self, set: &config::Settings) -> Settings {
        let usual = Settings::default();
        Settings {
            sign_in: SignIn {
                methods: set.sign_in(&self.auth),
                cloud: set.cloud(self.cloud),
                tenant: self.tenant.clone(),
                ..SignIn::default()
            },
            endpoint: self.endpoint.clone(),
            ca_file: self.ca_file.clone(),
            patience: Patience {
                attempts: usize::from(self.retries) + 1,
                timeout: Duration::from_secs(self.timeout),
                ..usual.patience
            },
            parallel: usize::from(self.parallel),
        }
    }
}

/// Reads what is asked for. What cannot be read is told beside the rest.
pub fn gather(
    args: &LiveArgs,
    lookback: Option<Lookback>,
    set: &config::Settings,
    watch: &Watch,
) -> Result<Gathered, Failure> {
    args.check()?;
    let targets = args.targets();
    let client = Client::new(args.settings(set))?;
    let cache = set.sku_cache().filter(|_| !args.no_skus);
    let bar = watch.answers();
    let tell = |so_far: Progress| {
        bar.set_message(format!(
            "{} VMs, {} disks; {} answers to come",
            so_far.vms, so_far.disks, so_far.awaited
        ));
    };
    let options = FetchOptions {
        skus: cache.map(|cache| (cache, set.cloud(args.cloud))),
        progress: Some(&tell),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let read = async {
        let mut fetched = fetch::fetch(&client, &targets, &options).await?;
        let metrics = match lookback {
            Some(lookback) => {
                let window = lookback.until(Timestamp::now());
                let (metrics, failures) = metrics_of_fleet(&client, &fetched.facts, window).await;
                let unread = failures.iter().map(|failure| ReadProblem {
                    source: failure.what.as_str().into(),
                    line: None,
                    subject: None,
                    problem: Problem::CloudError {
                        reason: failure.error.to_string(),
                        needed: failure.needed,
                    },
                });
                fetched.facts.problems.extend(unread);
                fetched.failures.extend(failures);
                metrics
            }
            None => Metrics::default(),
        };
        Ok::<_, CloudError>((fetched, metrics))
    };
    let (fetched, metrics) = runtime.block_on(async {
        tokio::select! {
            outcome = read => outcome.map_err(Failure::cloud),
            _ = tokio::signal::ctrl_c() => Err(Failure::cloud(Interrupted)),
        }
    })?;
    bar.finish_and_clear();
    let told = |failure: &fetch::Failure| format!("{}: {}", failure.what, failure.error);
    let (needed, other): (Vec<_>, Vec<_>) = fetched.failures.iter().partition(|f| f.needed);
    for failure in other {
        say(&format!(
            "warning: the embedded sizes are used: {}",
            told(failure)
        ));
    }
    let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
    Ok(Gathered {
        what: names.join(", "),
        skus: Dataset {
            source: "the Resource SKUs API".to_owned(),
            date: TimeZone::UTC
                .to_datetime(Timestamp::now())
                .date()
                .to_string(),
        },
        failed: needed.into_iter().map(told).collect(),
        code: CLOUD,
        metrics,
        facts: fetched.facts,
    })
}
