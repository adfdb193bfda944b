//! `diskcap plan`.

use std::path::Path;
use std::process::ExitCode;

use super::catalog::catalog;
use super::config::Settings;
use super::deployment::DeploymentArgs;
use super::failure::{Failure, say};
use super::gate::{self, GateArgs};
use super::money::MoneyArgs;
use super::output::OutputArgs;
use super::workload::WorkloadArgs;
use diskcap::deployment::plan_file::EXAMPLE;
use diskcap::planner::assess;
use diskcap::planner::money::price;
use diskcap::planner::paging::Paging;
use diskcap::report::{Destination, Format};
use diskcap::units::GiB;

/// What-if: the effective limits of disks on a VM size, what stops them, and what is wrong
///
/// Without a workload it shows what CrystalDiskMark would measure: random 4 KiB at depth, sequential 1 MiB, and random
/// 4 KiB one at a time; each volume by itself and all at once, with credit buckets full (burst) and empty (sustained).
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    deployment: DeploymentArgs,
    /// Print a commented plan file with every key
    #[arg(long, exclusive = true)]
    example: bool,
    /// Also show how long paging this much in or out takes on each disk, such as 400MiB; 1 GiB under --profile paging
    #[arg(long, value_name = "AMOUNT")]
    paging: Option<GiB>,
    #[command(flatten)]
    workload: WorkloadArgs,
    #[command(flatten)]
    money: MoneyArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    gate: GateArgs,
}

const EXAMPLES: &str = "\
Examples:
  diskcap plan --vm D8s_v5 --disk P30
  diskcap plan --vm D2s_v3 --disk v1=P10 --disk v2=v2:size=130,iops=6000,mbps=250 --cost
  diskcap plan --vm E16bds_v5 --disk data=4xP40:cache=ro --disk log=v2:size=256,iops=8000,mbps=400 --profile data=oltp --profile log=sql-log
  diskcap plan --example > plan.toml && diskcap plan plan.toml --output plan.html";

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    if args.example {
        Destination::Stdout.write(EXAMPLE.as_bytes(), Format::Table)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut gate = args.gate.open(settings)?;
    let file = args.deployment.file().map(Path::to_owned);
    let mut request = args.deployment.request()?;
    let planned = request.file.region.clone();
    let prices = &args.money.prices;
    request.region = prices.named_region(planned.as_deref(), settings);
    args.workload.apply(&mut request)?;
    if let Some(note) = request.file.note_of_steps() {
        say(&note);
    }
    let catalog = catalog(settings);
    let plan = request.clone().build(catalog)?;
    let mut assessment = assess(catalog, &plan.deployment, &plan.workloads);
    assessment.name = plan.name;
    if let Some(amount) = args.paging {
        assessment.paging = Some(Paging::of_deployment(catalog, &plan.deployment, amount));
    }
    if args.money.asked() {
        let book = prices.book(plan.deployment.region.as_deref(), settings)?;
        let offer = prices.offer_of(request.file.offer);
        price(catalog, &plan.deployment, &book, offer, &mut assessment);
    }
    let names = gate::names(plan.deployment.vm.as_ref(), assessment.name.as_deref());
    gate.judge(&names, &mut assessment.findings);
    let judged = gate::judged(&gate, file, || request.lines(&plan.deployment));
    args.output.show_judged(&assessment, &judged, settings)?;
    Ok(gate::close_plan(&gate, &assessment.findings))
}
