//! `diskcap plan`.

use std::process::ExitCode;

use super::catalog::catalog;
use super::config::Settings;
use super::deployment::DeploymentArgs;
use super::failure::Failure;
use super::money::MoneyArgs;
use super::output::{FailOn, OutputArgs, exit_code};
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
    /// Exit with 1 when there are findings of this severity or above
    #[arg(long, value_name = "SEVERITY", help_heading = "Output")]
    fail_on: Option<FailOn>,
}

const EXAMPLES: &str = "\
Examples:
  diskcap plan --vm D8s_v5 --disk P30
  diskcap plan --vm D2s_v3 --disk v1=P10 --disk v2=v2:size=130,iops=6000,mbps=250 --cost
  diskcap plan --vm E16bds_v5 --disk data=4xP40:cache=ro --disk log=v2:size=256,iops=8000,mbps=400 --profile oltp
  diskcap plan --example > plan.toml && diskcap plan plan.toml --output plan.html";

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    if args.example {
        Destination::Stdout.write(EXAMPLE.as_bytes(), Format::Table)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut request = args.deployment.request()?;
    let planned = request.file.region.clone();
    let prices = &args.money.prices;
    request.region = prices.named_region(planned.as_deref(), settings);
    args.workload.apply(&mut request);
    let catalog = catalog(settings);
    let plan = request.build(catalog)?;
    let mut assessment = assess(catalog, &plan.deployment, &plan.workloads);
    assessment.name = plan.name;
    if let Some(amount) = args.paging {
        assessment.paging = Some(Paging::of_deployment(catalog, &plan.deployment, amount));
    }
    if args.money.asked() {
        let book = prices.book(plan.deployment.region.as_deref(), settings)?;
        let offer = prices.offer();
        price(catalog, &plan.deployment, &book, offer, &mut assessment);
    }
    args.output.show(&assessment, settings)?;
    Ok(exit_code(&assessment.findings, args.fail_on, settings))
}
