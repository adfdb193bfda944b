//! `diskcap skus`.

use std::process::ExitCode;

use clap::{Args as ClapArgs, Subcommand};

use super::catalog::catalog;
use super::config::Settings;
use super::deployment::InterfaceArg;
use super::failure::{Failure, say};
use super::output::OutputArgs;
use super::sizes::SizeArgs;
use super::skus_update::{DiffArgs, UpdateArgs, show_diff, update};
use diskcap::catalog::{Catalog, Family, Interface};
use diskcap::deployment::DiskSpec;
use diskcap::report::views::skus::{FamilyDetail, SizeDetail, SizeList, TierList};

/// The catalogue: VM sizes and disks with their caps, and their prices
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  diskcap skus list 'D*s_v5'
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
#[command(after_help = "\
Examples:
  diskcap skus list --series Dsv5 --series Ebdsv5 --min-uncached-iops 20000 --sort uncached_iops
  diskcap skus list 'E*bds_v5' --columns all --format csv
  diskcap skus list --tiers")]
struct ListArgs {
    /// Disk tiers instead of VM sizes
    #[arg(long)]
    tiers: bool,
    #[command(flatten)]
    sizes: SizeArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Show a VM size, a disk tier or a disk family with everything that is known of it
#[derive(Debug, ClapArgs)]
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
        Command::List(list) if list.tiers => {
            if list.sizes.has_conditions(catalog)? {
                return Err(OfSizes.into());
            }
            let tiers = catalog.tiers().named_like(&list.sizes.names)?;
            let tiers = tiers.into_iter();
            list.output.show(&TierList::new(catalog, tiers), settings)?;
        }
        Command::List(list) => {
            let filter = list.sizes.filter(catalog)?;
            if filter.of(catalog.vms()).next().is_none() {
                say("note: no VM size is like that; loosen a condition");
            }
            list.output
                .show(&SizeList::new(catalog, filter.of(catalog.vms())), settings)?;
        }
        Command::Show(show) => show.run(catalog, settings)?,
        Command::Update(args) => return update(args, settings),
        Command::Diff(args) => return show_diff(&args, settings),
    }
    Ok(ExitCode::SUCCESS)
}

impl ShowArgs {
    fn run(&self, catalog: &Catalog, settings: &Settings) -> Result<(), Failure> {
        if let Ok(tier) = catalog.tiers().any_named(&self.name) {
            return self
                .output
                .show(&TierList::new(catalog, std::iter::once(tier)), settings);
        }
        let spec: Option<DiskSpec> = self.name.parse().ok();
        let request = spec.map(|spec| spec.request);
        if let Some(tier) = request.as_ref().and_then(|request| request.tier.as_ref()) {
            // A tier by its form, and none by name: the error names the nearest.
            catalog.tiers().any_named(tier)?;
        }
        let family = request.map(|request| request.family);
        if let Some(rules) = family.and_then(Family::provisioned_rules) {
            return self.output.show(&FamilyDetail::from(rules), settings);
        }
        if let Some(family) = family.filter(|family| family.is_tiered()) {
            let tiers = catalog.tiers().of(family);
            return self.output.show(&TierList::new(catalog, tiers), settings);
        }
        match family {
            Some(Family::Custom) => return Err(NoFigures::Custom(self.name.clone()).into()),
            Some(family) if family.is_local() => {
                return Err(NoFigures::Local(self.name.clone()).into());
            }
            _ => {}
        }
        let vm = catalog.vm(&self.name, self.interface.map(Interface::from))?;
        self.output.show(&SizeDetail::new(catalog, vm), settings)
    }
}
