//! `diskcap simulate`.

use std::num::NonZeroU32;
use std::path::Path;
use std::process::ExitCode;

use super::catalog::catalog;
use super::config::Settings;
use super::deployment::DeploymentArgs;
use super::failure::Failure;
use super::gate::{self, GateArgs};
use super::money::MoneyArgs;
use super::number::count;
use super::output::OutputArgs;
use super::trace::TraceArgs;
use super::workload::WorkloadArgs;
use diskcap::deployment::OverTime;
use diskcap::measure::trace::Trace;
use diskcap::planner::simulate;
use diskcap::planner::timeline::money::{price, price_month};
use diskcap::units::{Seconds, Share};

/// A workload over time: burst credit spent and earned, volumes throttled, I/O delayed, and what would be enough
///
/// The steps of a plan file follow one another; without steps one workload holds for an hour, or for what --for says.
/// Volumes without a demand take all they get. With --trace the load is what disks were measured to do over time.
/// A chart shows what was asked and served: --output simulation.svg
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    deployment: DeploymentArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    trace: TraceArgs,
    #[command(flatten)]
    workload: WorkloadArgs,
    #[command(flatten)]
    money: MoneyArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    gate: GateArgs,
}

/// How the workload runs over time.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Time")]
struct TimeArgs {
    /// One workload for so long, such as 90s, 20min, "1h 30m" or "2 days", instead of a plan file's steps
    #[arg(long = "for", value_name = "TIME", conflicts_with = "trace")]
    lasts: Option<Seconds>,
    /// Run the steps so many times
    #[arg(long, value_name = "N", value_parser = count)]
    repeat: Option<NonZeroU32>,
    /// How full the buckets of burst credit are at the start, such as 0.5 or 50%; without it full
    #[arg(long, value_name = "SHARE")]
    credit: Option<Share>,
}

const EXAMPLES: &str = "\
Steps in a plan file:
  [[step]]
  for = \"20min\"
  iops = 3500
  volume.log = { mbps = 20, block_size = \"64KiB\" }   # of one volume

Examples:
  diskcap simulate --vm D2s_v3 --disk P10 --block-size 1MiB --for 1h
  diskcap simulate --vm D2s_v3 --disk P10 --iops 2000 --for 8h --credit 50%
  diskcap simulate --disk P30:burst=on --iops 7000 --for 10min --cost
  diskcap simulate plan.toml --trace iostat.log --map sdc=data --map sdd=log --every 5min
  diskcap simulate --vm D4s_v5 --disk data=P20 --trace data_bw.1.log data_iops.1.log
  diskcap plan --example > plan.toml && diskcap simulate plan.toml --output simulation.html";

impl From<TimeArgs> for OverTime {
    fn from(args: TimeArgs) -> Self {
        Self {
            lasts: args.lasts,
            repeat: args.repeat,
            credit: args.credit,
        }
    }
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut gate = args.gate.open(settings)?;
    let file = args.deployment.file().map(Path::to_owned);
    let mut request = args.deployment.request()?;
    let planned = request.file.region.clone();
    let prices = &args.money.prices;
    request.region = prices.named_region(planned.as_deref(), settings);
    args.workload.apply(&mut request)?;
    let catalog = catalog(settings);
    let plan = request.clone().build(catalog)?;
    let deployment = &plan.deployment;
    let over_time = args.time.into();
    let mut traced = None;
    let schedule = match args.trace.read()? {
        Some((logs, options)) => {
            let trace = Trace::of(&logs, &deployment.volume_names(), &options)?;
            let steps = trace.steps(deployment.volumes.len())?;
            traced = Some(trace.traced);
            request.measured_schedule(deployment, &steps, over_time)?
        }
        None => request.schedule(deployment, over_time)?,
    };
    let mut simulation = simulate(catalog, deployment, &schedule);
    simulation.name = plan.name;
    simulation.traced = traced;
    if args.money.asked() {
        let book = prices.book(deployment.region.as_deref(), settings)?;
        price(catalog, deployment, &book, &mut simulation);
        let offer = prices.offer_of(request.file.offer);
        price_month(catalog, deployment, &book, offer, &mut simulation);
    }
    let names = gate::names(deployment.vm.as_ref(), simulation.name.as_deref());
    gate.judge(&names, &mut simulation.findings);
    let judged = gate::judged(&gate, file, || request.lines(deployment));
    args.output.show_judged(&simulation, &judged, settings)?;
    Ok(gate::close_plan(&gate, &simulation.findings))
}
