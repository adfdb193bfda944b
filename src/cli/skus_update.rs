//! `diskcap skus update` and `skus diff`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args as ClapArgs;
use jiff::Timestamp;
use reqwest::Url;

use super::config::Settings;
use super::failure::{Failure, say};
use super::output::OutputArgs;
use diskcap::azure::client::{self, AuthMethod, Client, Cloud, SignIn, cloud};
use diskcap::azure::fetch::{Fetcher, Network, Patience};
use diskcap::azure::region_skus::SkuSource;
use diskcap::azure::retail::{RetailClient, query::RETAIL_PRICES_URL};
use diskcap::azure::update::{FileSystem, Update, Updated};
use diskcap::catalog::Catalog;
use diskcap::catalog::changes::changes;
use diskcap::catalog::price::{
    Currency, EMBEDDED_CURRENCY, Region, diff, embedded, embedded_regions,
};
use diskcap::catalog::refresh::PriceFolder;
use diskcap::report::fold;
use diskcap::report::views::prices::PriceChanges;
use diskcap::report::views::sku_changes::SkuChanges;

const EXAMPLES: &str = "\
Examples:
  diskcap skus update
  diskcap skus update --region westeurope --region northeurope --currency EUR
  diskcap skus update --region westeurope --subscription ID --auth cli";

/// The regions that can be named; the price list may have more.
fn regions() -> String {
    let known: Vec<&str> = embedded_regions().collect();
    let text = format!("Regions with embedded prices:\n  {}", known.join(", "));
    // Manual pages show lines as they are.
    fold(&text, super::help::WIDTH)
}

/// Fetch today's retail prices into the cache folder (no account needed), and what regions sell (signed in)
///
/// The public Retail Prices API is read, region by region, and only the meters of VMs and managed disks are kept. With
/// --subscription the Resource SKUs of the regions are read as well (the role Reader is enough): VM sizes with their
/// caps, limits of disk tiers, and which disks each region and zone offers; every command then reckons with them. What
/// is in the cache folder is replaced whole, or stays as it was when anything fails.
#[derive(Debug, ClapArgs)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{}", regions()))]
pub struct UpdateArgs {
    /// Region, such as westeurope; repeat for more; without one that of the configuration, else eastus
    #[arg(long, value_name = "REGION")]
    region: Vec<String>,
    /// Currency, such as USD or EUR; without one that of the configuration, else USD
    #[arg(long, value_name = "CODE")]
    currency: Option<Currency>,
    /// Never use the network: says what would be fetched and ends
    #[arg(long)]
    offline: bool,
    /// Another address of the price list
    #[arg(long, value_name = "URL", default_value = RETAIL_PRICES_URL)]
    endpoint: Url,
    #[command(flatten)]
    signed_in: SignedInArgs,
}

/// Who asks what regions sell.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "VM sizes and disks")]
struct SignedInArgs {
    /// Subscription to ask for what the regions sell; without one only prices are fetched
    #[arg(long, value_name = "ID", env = "AZURE_SUBSCRIPTION_ID")]
    subscription: Option<String>,
    /// How to sign in: token (DISKCAP_ACCESS_TOKEN), env, workload, managed or cli; without it as configured, else each in
    /// this order
    #[arg(long, value_name = "METHOD", requires = "subscription")]
    auth: Vec<AuthMethod>,
    /// Tenant to sign in to, where it is not the identity's own
    #[arg(long, value_name = "ID", requires = "subscription")]
    tenant: Option<String>,
    /// Which Azure: public, usgov or china; without it as configured, else public
    #[arg(long, value_name = "CLOUD")]
    cloud: Option<Cloud>,
    /// Address of the resource manager in place of the cloud's own
    #[arg(long, value_name = "URL", value_parser = cloud::endpoint, requires = "subscription")]
    resource_manager: Option<Url>,
}

impl SignedInArgs {
    /// A client for the resource manager and the address it asks; `None` where no subscription is named.
    fn client(&self, set: &Settings) -> Result<Option<(Client, String)>, Failure> {
        if self.subscription.is_none() {
            return Ok(None);
        }
        let usual = client::Settings::default();
        let cloud = set.cloud(self.cloud);
        let own = cloud.resource_manager();
        let address = self
            .resource_manager
            .as_ref()
            .map_or_else(|| own.to_owned(), Url::to_string);
        let client = Client::new(client::Settings {
            sign_in: SignIn {
                methods: set.sign_in(&self.auth),
                cloud,
                tenant: self.tenant.clone(),
                ..SignIn::default()
            },
            endpoint: self.resource_manager.clone(),
            patience: PATIENCE,
            ..usual
        })?;
        Ok(Some((client, address)))
    }
}

/// Show what the refreshed prices, VM sizes and disks of a region changed against the embedded ones
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  diskcap skus diff
  diskcap skus diff --region westeurope --format csv")]
pub struct DiffArgs {
    /// Region, such as westeurope; without one that of the configuration, else eastus
    #[arg(long, value_name = "REGION")]
    region: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Somebody waits at a terminal: fewer attempts than a service would make.
const PATIENCE: Patience = Patience {
    attempts: 4,
    first_pause: Duration::from_secs(1),
    longest_pause: Duration::from_secs(60),
    timeout: Duration::from_secs(60),
};

pub fn update(args: UpdateArgs, settings: &Settings) -> Result<ExitCode, Failure> {
    let folder = settings.price_folder()?;
    let network = if args.offline {
        Network::Offline
    } else {
        Network::Allowed
    };
    let online = network.leave(&args.endpoint).map_err(Failure::cloud)?;
    let fetcher = Fetcher::new(online, PATIENCE).map_err(Failure::cloud)?;
    let client = RetailClient::new(fetcher, args.endpoint);
    let currency = args.currency.or(settings.currency);
    let asked = args.region.iter().map(|name| Region::new(name));
    let regions = if args.region.is_empty() {
        vec![region(None, settings)]
    } else {
        asked.collect()
    };
    let update = Update {
        regions,
        currency: currency.unwrap_or(EMBEDDED_CURRENCY),
        now: Timestamp::now(),
        at_once: 2,
    };
    let signed_in = args.signed_in.client(settings)?;
    let skus = signed_in
        .as_ref()
        .zip(args.signed_in.subscription.as_deref())
        .map(|((client, name), subscription)| SkuSource {
            client,
            subscription,
            name,
        });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let updated = runtime.block_on(async {
        tokio::select! {
            outcome = update.run_with(&client, skus.as_ref(), &folder, &FileSystem) => outcome.map_err(Failure::cloud),
            _ = tokio::signal::ctrl_c() => Err(Failure::cloud(Interrupted)),
        }
    })?;
    tell(&updated, &folder);
    Ok(ExitCode::SUCCESS)
}

/// The region asked for, else the one that is set, else the default one.
fn region(asked: Option<&str>, settings: &Settings) -> Region {
    let named = asked.or(settings.region.as_deref());
    named.map_or_else(Region::default_region, Region::new)
}

/// The user stopped it.
#[derive(Debug, thiserror::Error)]
#[error("interrupted: what was there is as it was")]
struct Interrupted;

fn tell(updated: &Updated, folder: &PriceFolder) {
    if let Some(error) = &updated.discarded {
        say(&format!(
            "warning: the earlier copy was unusable and is gone: {error}"
        ));
    }
    for region in &updated.regions {
        let info = region.book.info();
        say(&format!(
            "{}: {} items on {} pages, {} used",
            info,
            region.tally.items(),
            region.pages,
            region.tally.used
        ));
    }
    for region in &updated.skus {
        let (skus, odd) = (&region.skus, region.problems.len());
        let odd = match odd {
            0 => String::new(),
            count => format!("; {count} oddities in the list"),
        };
        say(&format!(
            "what {} sells: {} VM sizes, {} disk tiers, {} kinds of disks{odd}",
            region.region,
            skus.vms.len(),
            skus.tiers.len(),
            skus.offers.len()
        ));
    }
    if updated.skus.is_empty() {
        say(
            "note: VM sizes and disks are those of before: sign in (`az login`) and name a --subscription to refresh \
             them, too",
        );
    }
    say(&format!("written to {}", folder.path().display()));
}

pub fn show_diff(args: &DiffArgs, settings: &Settings) -> Result<ExitCode, Failure> {
    let region = region(args.region.as_deref(), settings);
    let folder = settings.price_folder()?;
    let skus = sku_changes(&folder, &region)?;
    let new = folder.book(&region, EMBEDDED_CURRENCY)?;
    match (new, skus) {
        (Some(new), skus) => {
            let old = embedded(&region)?;
            let changes = PriceChanges::new(&old, &new, diff(&old, &new)?);
            args.output.show(&changes.with_skus(skus), settings)?;
        }
        (None, Some(skus)) => args.output.show(&skus, settings)?,
        (None, None) => say(&format!(
            "no refreshed data of {region}: `diskcap skus update --region {region}` fetches it"
        )),
    }
    Ok(ExitCode::SUCCESS)
}

/// What the refreshed list of a region changed; `None` where there is none.
fn sku_changes(folder: &PriceFolder, region: &Region) -> Result<Option<SkuChanges>, Failure> {
    let manifest = folder.manifest()?;
    let Some(entry) = manifest.skus.iter().find(|entry| entry.region == *region) else {
        return Ok(None);
    };
    let old = Catalog::embedded();
    let to = entry.data();
    let new = old.clone().with_region(folder.skus(entry)?, to.clone());
    Ok(Some(SkuChanges {
        from: old.info().vm_sizes.clone(),
        to,
        changes: changes(old, &new, region.as_str()),
    }))
}
