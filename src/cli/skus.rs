//! `diskcap skus`.

use std::process::ExitCode;

use clap::{Args as ClapArgs, Subcommand};

use super::deployment::InterfaceArg;
use super::failure::{Failure, say};
use super::output::OutputArgs;
use super::skus_update::{DiffArgs, UpdateArgs, show_diff, update};
use diskcap::catalog::query::{Bounds, NamePattern, VmFilter};
use diskcap::catalog::{Catalog, Family, Interface, Limits};
use diskcap::deployment::DiskSpec;
use diskcap::report::views::skus::{FamilyDetail, SizeDetail, SizeList, TierList};
use diskcap::units::{GiB, Iops, MBps};

/// The catalogue: VM sizes and disks with their caps, and their prices
#[derive(Debug, ClapArgs)]
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
    /// Names with * and ?, such as 'D*s_v5'
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Disk tiers instead of VM sizes
    #[arg(long)]
    tiers: bool,
    /// Series, such as Dsv5; repeat for more
    #[arg(long, value_name = "SERIES")]
    series: Vec<String>,
    /// vCPUs: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    vcpus: Option<Bounds<u32>>,
    /// Memory in GiB: N, MIN.., ..MAX or MIN..MAX
    #[arg(long, value_name = "RANGE")]
    memory: Option<Bounds<GiB>>,
    /// At least so many uncached IOPS
    #[arg(long, value_name = "IOPS")]
    min_uncached_iops: Option<Iops>,
    /// At least so many uncached MB/s
    #[arg(long, value_name = "MB/s")]
    min_uncached_mbps: Option<MBps>,
    /// At least so many IOPS for Premium SSD v2 and Ultra
    #[arg(long, value_name = "IOPS")]
    min_v2_iops: Option<Iops>,
    /// At least so many MB/s for Premium SSD v2 and Ultra
    #[arg(long, value_name = "MB/s")]
    min_v2_mbps: Option<MBps>,
    /// At least so many cached IOPS
    #[arg(long, value_name = "IOPS")]
    min_cached_iops: Option<Iops>,
    /// At least so many cached MB/s
    #[arg(long, value_name = "MB/s")]
    min_cached_mbps: Option<MBps>,
    /// At least so many data disks
    #[arg(long, value_name = "N")]
    min_data_disks: Option<u32>,
    /// Only sizes that take premium disks
    #[arg(long)]
    premium: bool,
    /// Only sizes documented with premium-storage caching
    #[arg(long)]
    caching: bool,
    /// Only sizes that offer Ultra disks in a region at least
    #[arg(long)]
    ultra: bool,
    /// Only sizes with a SCSI temp disk
    #[arg(long)]
    temp: bool,
    /// Only sizes with local NVMe disks
    #[arg(long)]
    nvme: bool,
    /// CPU architecture: x64 or Arm64
    #[arg(long, value_name = "ARCH")]
    arch: Option<String>,
    /// Only sizes that run with this disk controller
    #[arg(long, value_name = "scsi|nvme")]
    interface: Option<InterfaceArg>,
    #[command(flatten)]
    output: OutputArgs,
}

/// Show a VM size, a disk tier or a disk family with everything that is known of it
#[derive(Debug, ClapArgs)]
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

pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let catalog = Catalog::embedded();
    match args.command {
        Command::List(list) if list.tiers => {
            let named = |tier: &&diskcap::catalog::Tier| {
                let fits = |pattern: &String| NamePattern::new(pattern).fits(&tier.name);
                list.names.is_empty() || list.names.iter().any(fits)
            };
            let tiers = catalog.tiers().all().iter().filter(named);
            list.output.show(&TierList::new(catalog, tiers))?;
        }
        Command::List(list) => {
            let filter = list.filter();
            if filter.of(catalog.vms()).next().is_none() {
                say(
                    "note: no VM size is like that; loosen a filter, or check the spelling of names and series",
                );
            }
            list.output
                .show(&SizeList::new(catalog, filter.of(catalog.vms())))?;
        }
        Command::Show(show) => show.run(catalog)?,
        Command::Update(args) => return update(args),
        Command::Diff(args) => return show_diff(&args),
    }
    Ok(ExitCode::SUCCESS)
}

impl ListArgs {
    fn filter(&self) -> VmFilter {
        let limits = |iops, mbps| Limits { iops, mbps };
        VmFilter {
            vcpus: self.vcpus.unwrap_or_default(),
            memory: self.memory.unwrap_or_default(),
            series: self.series.clone(),
            names: self
                .names
                .iter()
                .map(|name| NamePattern::new(name))
                .collect(),
            min_uncached: limits(self.min_uncached_iops, self.min_uncached_mbps),
            min_remote: limits(self.min_v2_iops, self.min_v2_mbps),
            min_cached: limits(self.min_cached_iops, self.min_cached_mbps),
            min_data_disks: self.min_data_disks,
            premium: self.premium,
            caching: self.caching,
            ultra: self.ultra,
            temp: self.temp,
            nvme: self.nvme,
            arch: self.arch.clone(),
            interface: self.interface.map(Interface::from),
            in_service_on: None,
        }
    }
}

impl ShowArgs {
    fn run(&self, catalog: &Catalog) -> Result<(), Failure> {
        if let Ok(tier) = catalog.tiers().any_named(&self.name) {
            return self
                .output
                .show(&TierList::new(catalog, std::iter::once(tier)));
        }
        let spec: Option<DiskSpec> = self.name.parse().ok();
        let request = spec.map(|spec| spec.request);
        if let Some(tier) = request.as_ref().and_then(|request| request.tier.as_ref()) {
            // A tier by its form, and none by name: the error names the nearest.
            catalog.tiers().any_named(tier)?;
        }
        let family = request.map(|request| request.family);
        if let Some(rules) = family.and_then(Family::provisioned_rules) {
            return self.output.show(&FamilyDetail::from(rules));
        }
        if let Some(family) = family.filter(|family| family.is_tiered()) {
            let tiers = catalog.tiers().of(family);
            return self.output.show(&TierList::new(catalog, tiers));
        }
        let vm = catalog.vm(&self.name, self.interface.map(Interface::from))?;
        self.output.show(&SizeDetail::new(catalog, vm))
    }
}
