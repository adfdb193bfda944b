//! `diskcap skus`.

use std::process::ExitCode;

use clap::{Args as ClapArgs, Subcommand};

use super::catalog::catalog;
use super::config::Settings;
use super::deployment::InterfaceArg;
use super::failure::{Failure, say};
use super::money::{MoneyArgs, PriceArgs};
use super::output::OutputArgs;
use super::sizes::SizeArgs;
use super::skus_update::{DiffArgs, UpdateArgs, show_diff, update};
use diskcap::catalog::{Catalog, Family, Interface};
use diskcap::deployment::DiskSpec;
use diskcap::report::views::skus::{FamilyDetail, SizeDetail, SizeList, TierList, VM_MONTH};

/// The catalogue: VM sizes and disks with their caps and prices
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  diskcap skus list 'D*s_v5'
  diskcap skus list 'D*s_v5' --region westeurope --sort vm_month
  diskcap skus show D8s_v5
  diskcap skus show P30")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    List(Box<ListArgs>),
    Show(ShowArgs),
    Update(UpdateArgs),
    Diff(DiffArgs),
}

/// List VM sizes (or disk tiers), filtered and sorted
#[derive(Debug, ClapArgs)]
#[command(mut_arg("cost", |arg| arg.help("Show what they cost a month without disks; also asked for by --region, --currency and --offer")))]
#[command(after_help = "\
Examples:
  diskcap skus list --series Dsv5 --series Ebdsv5 --min-uncached-iops 20000 --sort uncached_iops
  diskcap skus list 'E*bds_v5' --columns all --format csv
  diskcap skus list 'E*bds_v5' --region westeurope --offer windows
  diskcap skus list --tiers")]
struct ListArgs {
    /// Disk tiers instead of VM sizes
    #[arg(long)]
    tiers: bool,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    money: MoneyArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Show a VM size, a disk tier or a disk family with everything that is known of it
#[derive(Debug, ClapArgs)]
#[command(mut_arg("offer", |arg| arg.hide(true)))]
#[command(after_help = "\
Examples:
  diskcap skus show D8s_v5
  diskcap skus show P30
  diskcap skus show v2 --format json")]
struct ShowArgs {
    /// Such as D8s_v5, P30, v2, ultra
    #[arg(value_name = "NAME")]
    name: String,
    /// Disk controller, where the size has different caps on them
    #[arg(long, value_name = "scsi|nvme")]
    interface: Option<InterfaceArg>,
    #[command(flatten)]
    prices: PriceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Conditions on sizes where tiers are listed.
#[derive(Debug, thiserror::Error)]
#[error("--tiers lists disk tiers, and a condition is on VM sizes: leave out one of them")]
struct OfSizes;

/// A disk of which the catalogue has no figures of its own.
#[derive(Debug, thiserror::Error)]
enum NoFigures {
    /// A local disk.
    #[error(
        "'{0}' is a local disk of a VM size, and its limits are those of the size: `diskcap skus show SIZE` shows them"
    )]
    Local(String),
    /// A disk of the user's own.
    #[error(
        "'{0}' stands for a disk of your own, and its limits are what its spec says (custom:iops=20000,mbps=800)"
    )]
    Custom(String),
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let catalog = catalog(settings);
    match args.command {
        Command::List(list) => list.run(catalog, settings)?,
        Command::Show(show) => show.run(catalog, settings)?,
        Command::Update(args) => return update(args, settings),
        Command::Diff(args) => return show_diff(&args, settings),
    }
    Ok(ExitCode::SUCCESS)
}

impl ListArgs {
    fn run(&self, catalog: &Catalog, settings: &Settings) -> Result<(), Failure> {
        let asked = self.money.asked()
            || self.money.prices.region.is_some()
            || self.output.names_column(VM_MONTH);
        let book = self.money.prices.book_if_known(asked, settings)?;
        if self.tiers {
            if self.sizes.has_conditions(catalog)? {
                return Err(OfSizes.into());
            }
            let tiers = catalog.tiers().named_like(&self.sizes.names)?;
            let list = TierList::new(catalog, tiers.into_iter());
            let list = match &book {
                Some(book) => list.with_prices(book, asked),
                None => list,
            };
            return self.output.show(&list, settings);
        }
        let filter = self.sizes.filter(catalog)?;
        if filter.of(catalog.vms()).next().is_none() {
            say("note: no VM size is like that; loosen a condition");
        }
        let list = SizeList::new(catalog, filter.of(catalog.vms()));
        let list = match &book {
            Some(book) => list.with_prices(book, self.money.prices.offer(), asked),
            None => list,
        };
        self.output.show(&list, settings)
    }
}

impl ShowArgs {
    fn run(&self, catalog: &Catalog, settings: &Settings) -> Result<(), Failure> {
        let book = self
            .prices
            .book_if_known(self.prices.is_given(), settings)?;
        let tiers = |list: TierList<'_>| {
            let list = match &book {
                Some(book) => list.with_prices(book, self.prices.is_given()),
                None => list,
            };
            self.output.show(&list, settings)
        };
        if let Ok(tier) = catalog.tiers().any_named(&self.name) {
            return tiers(TierList::new(catalog, std::iter::once(tier)));
        }
        let spec: Option<DiskSpec> = self.name.parse().ok();
        let request = spec.map(|spec| spec.request);
        if let Some(tier) = request.as_ref().and_then(|request| request.tier.as_ref()) {
            // A tier by its form, and none by name: the error names the nearest.
            catalog.tiers().any_named(tier)?;
        }
        let family = request.map(|request| request.family);
        if let Some(rules) = family.and_then(Family::provisioned_rules) {
            let detail = FamilyDetail::new(catalog, rules);
            let detail = match &book {
                Some(book) => detail.with_prices(book),
                None => detail,
            };
            return self.output.show(&detail, settings);
        }
        if let Some(family) = family.filter(|family| family.is_tiered()) {
            return tiers(TierList::new(catalog, catalog.tiers().of(family)));
        }
        match family {
            Some(Family::Custom) => return Err(NoFigures::Custom(self.name.clone()).into()),
            Some(family) if family.is_local() => {
                return Err(NoFigures::Local(self.name.clone()).into());
            }
            _ => {}
        }
        let vm = catalog.vm(&self.name, self.interface.map(Interface::from))?;
        let detail = SizeDetail::new(catalog, vm);
        let detail = match &book {
            Some(book) => detail.with_prices(book),
            None => detail,
        };
        self.output.show(&detail, settings)
    }
}
