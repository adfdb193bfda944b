//! `diskcap bench twins`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::ValueEnum;

use super::against::Against;
use super::logs::Logs;
use crate::cli::catalog::catalog;
use crate::cli::config::Settings;
use crate::cli::failure::Failure;
use crate::cli::gate::{self, GateArgs};
use crate::cli::output::OutputArgs;
use diskcap::measure::over_time::{GroupBy, Request, peers};

/// Compare disks of one kind: which is slow, by how much, how sure that is, and what it costs a mirror or stripe
///
/// Takes the logs that `bench series` takes: one for each disk, or logs of several disks each. Every disk is compared with
/// all others; with --disk and --map, or --group-by, with those of its group. A disk that is slow or erratic is a warning.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    logs: Logs,
    /// What makes peers of disks: without it SKU and size where disks are named, else all are of one kind
    #[arg(long, value_name = "WHAT")]
    group_by: Option<GroupArg>,
    #[command(flatten)]
    against: Against,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    gate: GateArgs,
}

const EXAMPLES: &str = "\
Examples:
  diskcap bench twins left_lat.1.log right_lat.1.log               two fio logs of two disks
  diskcap bench twins one=a.csv two=b.csv --fail-on warning
  diskcap bench twins iostat.log --device sdc,sdd,sde,sdf          the members of a stripe
  diskcap bench twins web*.log --disk data=P30 --map sdc=data      one disk of each host
  diskcap bench twins counters.csv --output peers.svg              all of them in one picture";

/// What makes peers of disks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GroupArg {
    /// All are of one kind.
    Nothing,
    /// The SKU and size that --disk names.
    Sku,
    /// The host.
    Host,
    /// The log.
    File,
}

impl From<GroupArg> for GroupBy {
    fn from(arg: GroupArg) -> Self {
        match arg {
            GroupArg::Nothing => Self::Nothing,
            GroupArg::Sku => Self::Sku,
            GroupArg::Host => Self::Host,
            GroupArg::File => Self::File,
        }
    }
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut gate = args.gate.open(settings)?;
    let catalog = catalog(settings);
    let inputs = args.logs.read()?;
    let against = args.against.look_up(catalog)?;
    let request = Request {
        vm: against.vm,
        deployment: against.deployment.as_ref(),
        keep_idle: args.logs.names_devices(),
        bindings: args.logs.map,
        ..Request::default()
    };
    let mut report = peers(catalog, &inputs, &request, args.group_by.map(GroupBy::from))?;
    gate.judge(&gate::names(against.vm, None), &mut report.findings);
    let judged = gate::judged(&gate, None, BTreeMap::new);
    args.output.show_judged(&report, &judged, settings)?;
    Ok(gate::close_plan(&gate, &report.findings))
}
