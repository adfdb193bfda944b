//! `diskcap compare vms`.

use std::process::ExitCode;

use super::Unclear;
use crate::cli::catalog::catalog;
use crate::cli::config::Settings;
use crate::cli::day::today;
use crate::cli::failure::{Failure, say};
use crate::cli::money::ShownPriceArgs;
use crate::cli::output::OutputArgs;
use crate::cli::sizes::SizeArgs;
use crate::cli::workload::{DemandArgs, IoArgs, Named, WorkloadArgs};
use diskcap::catalog::query::{VmFilter, VmOrder};
use diskcap::catalog::{Catalog, VmSize};
use diskcap::compare::{VmQuestion, compare_vms};
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::workload::Profile;

/// VM sizes side by side: their ceilings, and what disks reach on each
///
/// Sizes are named (`D8s_v5`, 'D*s_v5') or chosen by what they are like, as with `skus list`. With --disk it is shown what
/// those disks reach on each size, what holds them back, and which size first lets everything through.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    sizes: SizeArgs,
    /// Disk to look at on each size: [NAME=][Nx]SKU[:key=value,...]; repeat for more
    #[arg(long, short, value_name = "SPEC")]
    disk: Vec<DiskSpec>,
    /// A named workload, such as oltp; without one IOPS at random 4 KiB and MB/s at sequential 1 MiB are shown
    #[arg(long, value_name = "NAME", value_parser = Profile::named, help_heading = "Workload")]
    profile: Option<&'static Profile>,
    #[command(flatten)]
    io: IoArgs,
    #[command(flatten)]
    demand: DemandArgs,
    #[command(flatten)]
    prices: ShownPriceArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const EXAMPLES: &str = "\
Examples:
  diskcap compare vms D8s_v5 E8bds_v5 D8ds_v6
  diskcap compare vms 'D*s_v5' --disk 4xP30
  diskcap compare vms --series Ebdsv5 --vcpus 4..32 --disk data=4xP40:cache=ro --disk log=v2:size=256,iops=8000,mbps=400
  diskcap compare vms --vcpus 8 --premium --disk P50 --sort reached_mbps:desc --output sizes.csv";

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let catalog = catalog(settings);
    let sizes = chosen(catalog, &args.sizes)?;
    let mut plan = PlanRequest {
        day: Some(today()),
        volumes: args.disk.into_iter().map(Into::into).collect(),
        ..PlanRequest::default()
    };
    let workload = WorkloadArgs {
        profile: args.profile.into_iter().map(Named::of_all).collect(),
        io: args.io,
        demand: args.demand,
    };
    workload.apply(&mut plan)?;
    let book = args.prices.book(None, settings)?;
    let comparison = compare_vms(
        catalog,
        &VmQuestion {
            sizes,
            plan,
            book: book.as_ref(),
            offer: args.prices.prices.offer(),
        },
    )?;
    let (refusing, of) = comparison.refusing();
    if refusing > 0 {
        say(&format!(
            "note: {refusing} of {of} sizes cannot take the disks"
        ));
    }
    args.output.show(&comparison, settings)?;
    Ok(ExitCode::SUCCESS)
}

/// The sizes asked for, those of one name behind those of the names before it.
fn chosen<'a>(catalog: &'a Catalog, args: &SizeArgs) -> Result<Vec<&'a VmSize>, Failure> {
    let mut filter = args.filter(catalog)?;
    if filter == VmFilter::default() {
        return Err(Unclear::NoSizes.into());
    }
    let patterns = std::mem::take(&mut filter.names);
    let mut left: Vec<&VmSize> = filter.of(catalog.vms()).collect();
    if patterns.is_empty() {
        VmOrder::default().sort(&mut left);
    }
    let mut found = Vec::new();
    for pattern in &patterns {
        let fits = |vm: &&VmSize| pattern.fits(&vm.name);
        let (mut these, others): (Vec<_>, Vec<_>) = left.into_iter().partition(fits);
        VmOrder::default().sort(&mut these);
        found.extend(these);
        left = others;
    }
    let found = if patterns.is_empty() { left } else { found };
    if found.is_empty() {
        return Err(Unclear::NoneFits.into());
    }
    Ok(found)
}
