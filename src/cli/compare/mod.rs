//! `diskcap compare`.

mod disks;
mod plans;
mod vms;

use std::process::ExitCode;

use clap::Subcommand;

use super::config::Settings;
use super::failure::Failure;

/// Side by side: disks, VM sizes, or whole plans
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  diskcap compare disks 'P*' v2:size=512GiB --vm D8s_v5 --output disks.xlsx
  diskcap compare vms 'E*bds_v5' --disk 4xP30 --disk log=v2:size=256,iops=8000,mbps=400
  diskcap compare plans today.toml tomorrow.toml --format markdown")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Disks(Box<disks::Args>),
    Vms(Box<vms::Args>),
    Plans(plans::Args),
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    match args.command {
        Command::Disks(args) => disks::run(*args, settings),
        Command::Vms(args) => vms::run(*args, settings),
        Command::Plans(args) => plans::run(&args, settings),
    }
}

/// What a comparison cannot be made of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Unclear {
    /// No disk and no need.
    #[error(
        "nothing to compare: name disks (P30, 'P*', v2:size=512,iops=6000), or ask every family with --capacity, \
         --iops or --mbps"
    )]
    NoDisks,
    /// A need of no capacity.
    #[error("--capacity needs more than 0, such as 512GiB")]
    NoCapacity,
    /// Workload flags without a VM.
    #[error("a workload tells what disks do on a VM: name one with --vm")]
    NoVm,
    /// No name and no filter.
    #[error(
        "nothing to compare: name sizes ('D*s_v5'), or choose them with --series, --vcpus and the like"
    )]
    NoSizes,
    /// No size is like that.
    #[error(
        "no VM size is like that: `diskcap skus list` with fewer conditions shows what there is"
    )]
    NoneFits,
}
