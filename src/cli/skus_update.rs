//! `diskcap skus update` and `skus diff`.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args as ClapArgs;
use jiff::Timestamp;
use reqwest::Url;

use super::config::Settings;
use super::failure::{Failure, say};
use super::output::OutputArgs;
use diskcap::azure::fetch::{Fetcher, Network, Patience};
use diskcap::azure::retail::{RetailClient, query::RETAIL_PRICES_URL};
use diskcap::azure::update::{FileSystem, Update, Updated};
use diskcap::catalog::price::{Currency, EMBEDDED_CURRENCY, Region, diff, embedded};
use diskcap::catalog::refresh::PriceFolder;
use diskcap::report::views::prices::PriceChanges;

/// Fetch today's retail prices into the cache folder (no account needed)
///
/// The public Retail Prices API is read, region by region, and only the meters of VMs and managed disks are kept. What
/// is in the cache folder is replaced whole, or stays as it was when anything fails.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  diskcap skus update
  diskcap skus update --region westeurope --region northeurope --currency EUR")]
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
}

/// Show what the refreshed prices of a region changed against the embedded ones
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
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let updated = runtime.block_on(async {
        tokio::select! {
            outcome = update.run(&client, &folder, &FileSystem) => outcome.map_err(Failure::cloud),
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
#[error("interrupted: the earlier prices are as they were")]
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
    say(&format!("written to {}", folder.path().display()));
}

pub fn show_diff(args: &DiffArgs, settings: &Settings) -> Result<ExitCode, Failure> {
    let region = region(args.region.as_deref(), settings);
    let old = embedded(&region)?;
    let new = settings.price_folder()?.book(&region, EMBEDDED_CURRENCY)?;
    let Some(new) = new else {
        say(&format!(
            "no refreshed prices of {region}: `diskcap skus update --region {region}` fetches them"
        ));
        return Ok(ExitCode::SUCCESS);
    };
    let changes = PriceChanges::new(&old, &new, diff(&old, &new)?);
    args.output.show(&changes, settings)?;
    Ok(ExitCode::SUCCESS)
}
