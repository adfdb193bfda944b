//! `diskcap compare disks`.

use std::process::ExitCode;

use super::Unclear;
use crate::cli::catalog::catalog;
use crate::cli::config::Settings;
use crate::cli::deployment::InterfaceArg;
use crate::cli::failure::{Failure, say};
use crate::cli::money::ShownPriceArgs;
use crate::cli::output::OutputArgs;
use crate::cli::workload::IoArgs;
use diskcap::catalog::Interface;
use diskcap::compare::{DiskNeed, DiskQuestion, compare_disks};
use diskcap::deployment::PlanRequest;
use diskcap::deployment::pattern::disks_named;
use diskcap::deployment::spec::MAX_COUNT;
use diskcap::units::{GiB, Iops, MBps};
use diskcap::workload::{IoSettings, Profile};

/// Disks of one or many families side by side
///
/// Disks are named by their specs; 'P*' stands for every Premium SSD tier. --capacity shows what each family has for it;
/// with --iops or --mbps it is the cheapest setting of each family that reaches them without bursting. With --vm it is
/// also shown what each disk comes to on that size.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Disk: [NAME=][Nx]SKU[:key=value,...], where the tier may have * and ?; see `diskcap plan --help`
    #[arg(value_name = "SPEC")]
    disks: Vec<String>,
    /// Ask every family for a disk of this capacity; it is also the size of disks that are named without one
    #[arg(long, value_name = "GiB")]
    capacity: Option<GiB>,
    /// Ask every family for its cheapest setting with so many IOPS, of 4 KiB unless --block-size or --profile say another
    /// size
    #[arg(long, value_name = "N")]
    iops: Option<Iops>,
    /// Ask every family for its cheapest setting with so many MB/s; where no IOPS are asked, in blocks of --block-size or
    /// --profile
    #[arg(long, value_name = "N")]
    mbps: Option<MBps>,
    /// Let the families reach it with a stripe of at most so many disks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_COUNT)))]
    max_stripe: u32,
    /// VM size that the disks are looked at on
    #[arg(long, value_name = "SIZE")]
    vm: Option<String>,
    /// Disk controller, where the size has different caps on them
    #[arg(long, value_name = "scsi|nvme", requires = "vm")]
    interface: Option<InterfaceArg>,
    /// A named workload on the VM, such as oltp; without one IOPS at random 4 KiB and MB/s at sequential 1 MiB are shown
    #[arg(long, value_name = "NAME", value_parser = Profile::named, help_heading = "Workload")]
    profile: Option<&'static Profile>,
    #[command(flatten)]
    io: IoArgs,
    #[command(flatten)]
    prices: ShownPriceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  diskcap compare disks P30 P40 v2:size=1TiB,iops=7500,mbps=250
  diskcap compare disks 'P*' v2:size=512GiB --vm Standard_D8s_v5 --output disks.html
  diskcap compare disks --capacity 512GiB
  diskcap compare disks --capacity 2TiB --iops 20000 --mbps 500 --max-stripe 4 --region westeurope";

/// Whether what is said of a workload tells no more than the block size of what is asked of the families.
fn is_of_need(args: &Args, io: &IoSettings) -> bool {
    let asked = args.iops.is_some() || args.mbps.is_some();
    let beside = IoSettings {
        block_size: None,
        ..*io
    };
    let says_block = args.profile.is_some() || io.block_size.is_some();
    beside.is_empty() && (asked || !says_block)
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let catalog = catalog(settings);
    let needs = [
        args.capacity.is_some(),
        args.iops.is_some(),
        args.mbps.is_some(),
    ];
    let need = needs.contains(&true).then_some(DiskNeed {
        capacity: args.capacity,
        iops: args.iops,
        block_size: None,
        mbps: args.mbps,
        max_stripe: args.max_stripe,
    });
    if args.disks.is_empty() && need.is_none() {
        return Err(Unclear::NoDisks.into());
    }
    if args.capacity == Some(GiB::ZERO) {
        return Err(Unclear::NoCapacity.into());
    }
    let io = args.io.settings();
    if args.vm.is_none() && !is_of_need(&args, &io) {
        return Err(Unclear::NoVm.into());
    }
    let mut disks = Vec::new();
    for text in &args.disks {
        disks.extend(disks_named(catalog, text)?);
    }
    for request in disks.iter_mut().map(|disk| &mut disk.request) {
        if request.size.is_none() && request.tier.is_none() && !request.family.is_local() {
            request.size = args.capacity;
        }
    }
    let region = args.prices.prices.region(None, settings);
    let book = args.prices.book(None, settings)?;
    let comparison = compare_disks(
        catalog,
        &DiskQuestion {
            disks,
            need,
            plan: PlanRequest {
                vm: args.vm,
                interface: args.interface.map(Interface::from),
                region: Some(region.to_string()),
                profiles: args.profile.into_iter().collect(),
                settings: io,
                ..PlanRequest::default()
            },
            book: book.as_ref(),
            offer: args.prices.prices.offer(),
        },
    )?;
    for row in comparison
        .disks
        .iter()
        .filter(|row| !row.refused.is_empty())
    {
        say(&format!("note: {} cannot be deployed as asked", row.name));
    }
    args.output.show(&comparison, settings)?;
    Ok(ExitCode::SUCCESS)
}
