//! `diskcap bench series`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use super::against::Against;
use super::logs::Logs;
use crate::cli::catalog::catalog;
use crate::cli::config::Settings;
use crate::cli::failure::Failure;
use crate::cli::gate::{self, GateArgs};
use crate::cli::output::OutputArgs;
use diskcap::measure::over_time::{Request, over_time};
use diskcap::units::Share;

/// Judge disks over time: plateaus and the limits they sit on, regular collapses, stalls, drift
///
/// Reads fio logs (_bw, _iops, _lat, _clat, _slat, _clat_hist), iostat text and JSON, PerfMon and typeperf CSV, Azure Monitor metrics
/// JSON, and CSV with a time column; the format is found by itself. With --vm and --disk, constant rates are held against
/// the limits that the planner knows on the way of the I/O that was seen. Falls of the rate are told apart by the latency:
/// falling with the rate, the load fell; peaking as the rate collapses, the device choked. A device that chokes or stalls
/// and a limit that holds the rate are warnings.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    logs: Logs,
    #[command(flatten)]
    against: Against,
    /// How far from a limit a rate may be and still sit on it [default: 7.5%]
    #[arg(long, value_name = "SHARE")]
    tolerance: Option<Share>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    gate: GateArgs,
}

const EXAMPLES: &str = "\
Examples:
  diskcap bench series data_iops.1.log data_lat.1.log              what did this disk do, and why?
  diskcap bench series iostat.log --vm D8s_v5 --disk data=P30 --map sdc=data
  diskcap bench series iostat.log --plan plan.toml --map 'sd?=data' --fail-on warning
  diskcap bench series counters.csv --output disks.html            with a picture of each disk
  iostat -xt 1 60 | diskcap bench series -";

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
        tolerance: settings.tolerance(args.tolerance),
    };
    let mut report = over_time(catalog, &inputs, &request)?;
    gate.judge(&gate::names(against.vm, None), &mut report.findings);
    let judged = gate::judged(&gate, None, BTreeMap::new);
    args.output.show_judged(&report, &judged, settings)?;
    Ok(gate::close_plan(&gate, &report.findings))
}
