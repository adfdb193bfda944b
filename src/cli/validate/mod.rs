//! `diskcap validate`.

mod fleet;
mod live;
mod metrics;
mod offline;

use std::collections::BTreeMap;
use std::process::ExitCode;

use super::bench::{FileArg, read};
use super::catalog::catalog;
use super::config::Settings;
use super::day::today;
use super::failure::{Failure, complain, say};
use super::gate::{self, GateArgs};
use super::money::MoneyArgs;
use super::output::OutputArgs;
use super::progress::Watch;
use super::workload::WorkloadArgs;
use diskcap::azure::arm::places::Places;
use diskcap::azure::facts::{FleetFacts, Weight};
use diskcap::azure::metrics::Metrics;
use diskcap::azure::validate::{
    FleetValidation, Options, Prices, Stripe, Validator, with_listed_sizes,
};
use diskcap::catalog::Dataset;
use diskcap::deployment::PlanRequest;
use diskcap::gate::Gate;
use diskcap::measure::bench::Input;
use metrics::MetricsArg;

/// Deployed VMs and their disks against every cap and rule: what holds them back, what is billed for nothing
///
/// Reads the live cloud (the role Reader is enough; nothing is ever changed), or what was saved of it: the answers of
/// `az vm show|list`, `az disk show|list` and `az vm list-skus`, of Azure PowerShell, of the REST API, and exports of
/// Resource Graph. The more of them there is, the more is known; what is missing is said.
///
/// The exit code is 0 whatever is found, errors too, unless --fail-on is given.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    offline: offline::OfflineArgs,
    #[command(flatten)]
    live: live::LiveArgs,
    /// Disks that the guest stripes into one volume: NAME=lun0,lun1 (or names of disks) of every VM, VM/NAME=lun0,lun1 of one
    /// (GROUP/VM/NAME where several have its name); repeat for more
    #[arg(long, value_name = "[VM/]NAME=DISK,...", help_heading = "Disks")]
    stripe: Vec<Stripe>,
    /// Measured results of a volume (os, lun0, or a disk's name), held against it: lun0=result.txt, 'lun1=table.md#Disk B'
    /// for one column of a table; repeat for more (one VM only)
    #[arg(long, value_name = "[VOLUME=]FILE[#COLUMN]", help_heading = "Disks")]
    bench: Vec<FileArg>,
    /// Azure Monitor's metrics: how far back to ask the live cloud (24h), or a file of `az monitor metrics list`; repeat for more
    #[arg(long, value_name = "24h|FILE", help_heading = "Disks")]
    metrics: Vec<MetricsArg>,
    #[command(flatten)]
    workload: WorkloadArgs,
    #[command(flatten)]
    money: MoneyArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    gate: GateArgs,
    /// No progress and no summary on stderr
    #[arg(long, help_heading = "Output")]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  az vm list -d > vms.json; az disk list > disks.json; az vm list-skus -l westeurope > skus.json
  diskcap validate --from vms.json disks.json skus.json
  diskcap validate --from exports/ --cost --output fleet.html
  diskcap validate --from vms.json disks.json --vm db1 --bench lun0=fio.json
  diskcap validate --subscription ID --resource-group RG --vm db1 --stripe data=lun0,lun1 --profile oltp
  diskcap validate --id /subscriptions/ID/resourceGroups/RG/providers/Microsoft.Compute/virtualMachines/db1 --bench lun0=fio.json
  diskcap validate --subscription ID --fail-on warning --format csv --table findings
  diskcap validate --subscription ID --suppress accepted.toml --fail-on warning --output validate.junit.xml
  diskcap validate --management-group MG --cost --output fleet.parquet
  diskcap validate --from exports/ --format ndjson --table findings > findings.ndjson
  diskcap validate --id RESOURCE_ID --metrics 24h
  az monitor metrics list --resource RESOURCE_ID --metrics \"VM Cached IOPS Consumed Percentage\" --aggregation Average Maximum > m.json
  diskcap validate --from vms.json disks.json --metrics m.json

Volumes are called os, lun0, lun1 and so on. Findings are explained by `diskcap explain ID`.";

/// What was read, from wherever.
struct Gathered {
    facts: FleetFacts,
    /// What the live cloud says of them over time, where it was asked.
    metrics: Metrics,
    /// What was to be read, for messages.
    what: String,
    /// Where sizes of SKU lists come from and of what date they are.
    skus: Dataset,
    /// What could not be read, each in words.
    failed: Vec<String>,
    /// The exit code where something could not be read.
    code: u8,
}

/// Nothing to judge.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Nothing(String);

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut gate = args.gate.open(settings)?;
    let inputs: Vec<Input> = args.bench.iter().map(read).collect::<Result<_, _>>()?;
    let watch = Watch::new(args.quiet);
    let live = args.live.asked() && !args.offline.asked();
    let wanted = metrics::Wanted::new(&args.metrics, live)?;
    let mut gathered = if live {
        live::gather(&args.live, wanted.lookback, settings, &watch)?
    } else {
        args.offline.gather(&args.live.chosen()?, &watch)?
    };
    if gathered.facts.vms.is_empty() && gathered.facts.disks.is_empty() {
        return nothing(&gathered);
    }
    let told = gathered.facts.problems.iter();
    // What could not be read is said at the end, as an error.
    let told = told
        .filter(|problem| problem.problem.is_told() && problem.problem.weight() != Weight::Error);
    told.for_each(|problem| say(&format!("warning: {problem}")));
    let mut metrics = std::mem::take(&mut gathered.metrics);
    wanted.read(&gathered.facts, &mut metrics)?;
    metrics::tell(&metrics, &gathered.facts);
    let mut workload = PlanRequest {
        day: Some(today()),
        ..PlanRequest::default()
    };
    args.workload.apply(&mut workload)?;
    let options = Options {
        stripes: args.stripe,
        workload,
        prices: prices(&args.money, &gathered.facts, settings)?,
        metrics: Some(metrics).filter(|metrics| !metrics.is_empty()),
    };
    let catalog = with_listed_sizes(catalog(settings), &gathered.facts, gathered.skus.clone());
    let way = fleet::Way::of(&args.output, !inputs.is_empty(), settings)?;
    let mut validator = Validator::new(&catalog, &gathered.facts, &options);
    if !matches!(way, fleet::Way::Whole) {
        validator = validator.in_brief();
    }
    validator.check_names()?;
    if let Some(note) = validator.check_stripes()? {
        say(&format!("note: {note}"));
    }
    match way {
        fleet::Way::Stream(stream) => {
            fleet::write(&stream, &validator, &mut gate, &args.output, &watch)?;
        }
        fleet::Way::Summary => {
            fleet::summary(&validator, &mut gate, &args.output, settings, &watch)?;
        }
        fleet::Way::Whole => {
            let mut validation = validator.all();
            measured(&validator, &gathered.facts, &inputs, &mut validation)?;
            validation.judge(&mut gate);
            let mut judged = gate::judged(&gate, None, BTreeMap::new);
            if args.output.format(settings)?.is_for_pipelines() {
                judged.places = Places::look(validation.sources());
            }
            args.output.show_judged(&validation, &judged, settings)?;
        }
    }
    Ok(exit_code(&gathered, &gate))
}

/// Says that there is nothing, and what there was instead.
fn nothing(gathered: &Gathered) -> Result<ExitCode, Failure> {
    for failed in &gathered.failed {
        complain(failed);
    }
    let held = [
        (gathered.facts.skus.len(), "SKU(s)"),
        (
            gathered.facts.scale_sets.len(),
            "scale set(s) without their instances (`az vmss list-instances` has them)",
        ),
    ];
    let held: Vec<String> = held
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    let instead = match held.as_slice() {
        [] => String::new(),
        held => format!(" There are {} instead.", held.join(" and ")),
    };
    let message = format!(
        "{}: no virtual machine and no disk was found, so there is nothing to validate.{instead}",
        gathered.what
    );
    if gathered.failed.is_empty() {
        let (reasons, others): (Vec<_>, Vec<_>) =
            (gathered.facts.problems.iter()).partition(|problem| problem.problem.leaves_nothing());
        let notes = others.into_iter();
        notes.for_each(|problem| say(&format!("note: {problem}")));
        let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
        let why = match reasons.is_empty() {
            true => message,
            false => reasons.join("; "),
        };
        return Err(Nothing(why).into());
    }
    // Why there is nothing has been said.
    if !held.is_empty() {
        complain(&message);
    }
    Ok(ExitCode::from(gathered.code))
}

/// The prices of the regions that VMs and disks are in.
fn prices(
    money: &MoneyArgs,
    facts: &FleetFacts,
    settings: &Settings,
) -> Result<Option<Prices>, Failure> {
    if !money.asked() {
        return Ok(None);
    }
    let of_vms = facts.vms.iter().filter_map(|vm| vm.region.as_ref());
    let of_disks = facts.disks.iter().filter_map(|disk| disk.region.as_ref());
    let regions = of_vms.chain(of_disks).map(|region| region.as_str());
    let books = money.prices.books(regions, settings)?;
    Ok(Some(Prices {
        region: money.prices.region.as_ref().map(|_| {
            let region = money.prices.region(None, settings);
            region.as_str().to_owned()
        }),
        offer: money.prices.offer.map(Into::into),
        books,
    }))
}

/// Holds the measured results against the only VM.
fn measured<'a>(
    validator: &Validator<'a>,
    facts: &'a FleetFacts,
    inputs: &[Input],
    validation: &mut FleetValidation,
) -> Result<(), Failure> {
    if inputs.is_empty() {
        return Ok(());
    }
    match (facts.vms.as_slice(), validation.vms.as_mut_slice()) {
        ([vm], [validated]) => {
            validator.bench(vm, inputs, validated)?;
            validation.recount();
            Ok(())
        }
        (vms, _) => Err(Nothing(format!(
            "--bench: measured results are of one VM, and there are {}: name the one with --vm or --id",
            vms.len()
        ))
        .into()),
    }
}

/// What could not be read comes first, then the findings.
fn exit_code(gathered: &Gathered, gate: &Gate) -> ExitCode {
    for failed in &gathered.failed {
        complain(failed);
    }
    let code = gate::close(gate);
    if gathered.failed.is_empty() {
        code
    } else {
        ExitCode::from(gathered.code)
    }
}
