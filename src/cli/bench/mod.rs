//! `diskcap bench`.

mod against;
mod file;
mod logs;
mod series;
mod twins;

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};

use super::config::Settings;
use super::failure::Failure;
use super::gate::{self, GateArgs};
use super::output::OutputArgs;
use crate::cli::catalog::catalog;
use against::Against;
use diskcap::measure::bench::{Input, Request, STDIN, bench};
use diskcap::measure::compare::Subject;
use diskcap::measure::judge::Options;
use diskcap::measure::over_time::Binding;
use diskcap::measure::read::{read_path, read_stream};
use diskcap::units::{GiB, QueueDepth, Share};
pub use file::FileArg;

/// Judge measured results: what each figure was limited by, what the disk is, how runs compare
///
/// Reads CrystalDiskMark, fio (JSON, JSON+, text, terse), DiskSpd (text, XML), sysbench fileio, ioping, dd, CSV with named
/// columns, and results pasted as a matrix; the format is found by itself. Counters are read too (iostat text and JSON,
/// PerfMon and typeperf CSV, Azure Monitor metrics), but say what was asked of a disk, not what it can do: `bench series`
/// judges them over time, and `bench twins` compares disks of one kind. With --disk (and --vm) every test is held against
/// the planner's prediction for the same I/O; without, the figures are held against each other, and the limits that they
/// fit are named. Falling short of a prediction is a warning.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
pub struct Args {
    #[command(subcommand)]
    over_time: Option<OverTime>,
    /// Result files; NAME=FILE says which volume was measured, NAME=FILE#COLUMN which column of a table or device of a log
    /// is of it; - is stdin
    #[arg(
        value_name = "[NAME=]FILE[#COLUMN]",
        required_unless_present = "target"
    )]
    files: Vec<FileArg>,
    #[command(flatten)]
    against: Against,
    /// The volume that was measured: NAME for every file, NAME=FILE for one; needed where there are several volumes
    #[arg(long, value_name = "NAME[=FILE]")]
    target: Vec<String>,
    /// Which device of a log of counters is which volume: DEVICE=VOLUME, such as sdc=data or 'sd?=data'; repeat for more
    #[arg(long, value_name = "DEVICE=VOLUME")]
    map: Vec<Binding>,
    /// How far from a limit a figure may be and still be at it [default: 7.5%]
    #[arg(long, value_name = "SHARE")]
    tolerance: Option<Share>,
    /// Outstanding I/Os of your application, to see what the measured latency means for it
    #[arg(long, value_name = "N")]
    queue_depth: Option<QueueDepth>,
    /// The run that ratios are to: a file without its ending, or a matrix's column; the first unless named
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Whether the runs are of one disk in several configurations, or of several disks; taken from the files unless told
    #[arg(long, value_name = "WHAT")]
    subject: Option<SubjectArg>,
    /// Also show how long paging this much in or out takes on each disk, such as 400MiB
    #[arg(long, value_name = "AMOUNT")]
    paging: Option<GiB>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    gate: GateArgs,
}

/// Logs over time instead of results.
#[derive(Debug, Subcommand)]
enum OverTime {
    Series(Box<series::Args>),
    Twins(Box<twins::Args>),
}

const EXAMPLES: &str = "\
Examples:
  diskcap bench result.txt                                       what is this disk, by its figures?
  diskcap bench result.txt --vm D2s_v3 --disk P10                what was each figure limited by?
  diskcap bench result.txt --vm DS3_v2                           which limit of this VM do the figures fit?
  diskcap bench data=a.json log=b.json --vm D8s_v5 --disk data=2xP30 --disk log=v2:size=256 --fail-on warning
  diskcap bench before.txt after.txt --baseline before           two runs side by side
  diskcap bench matrix.md --baseline v1                          a table of tests and configurations
  diskcap bench data=matrix.md#v1 --vm D8s_v5 --disk data=P30    one column of it
  diskcap bench c.txt d.txt --paging 400MiB                      where does the page file belong?
  diskcap bench series iostat.log --vm D8s_v5 --disk data=P30 --map sdc=data
  diskcap bench twins left=left_lat.1.log right=right_lat.1.log  is one of two alike disks slow?
  diskcap bench ./series                                         a file that is called like a command";

/// The library's tolerance, as it is typed.
pub const DEFAULT_TOLERANCE: &str = "7.5%";

/// What runs have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SubjectArg {
    /// One disk in several configurations.
    SameDisk,
    /// Different disks.
    DifferentDisks,
}

impl From<SubjectArg> for Subject {
    fn from(arg: SubjectArg) -> Self {
        match arg {
            SubjectArg::SameDisk => Self::SameDisk,
            SubjectArg::DifferentDisks => Self::DifferentDisks,
        }
    }
}

pub fn run(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    match args.over_time {
        Some(OverTime::Series(args)) => series::run(*args, settings),
        Some(OverTime::Twins(args)) => twins::run(*args, settings),
        None => results(args, settings),
    }
}

fn results(args: Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let mut gate = args.gate.open(settings)?;
    let catalog = catalog(settings);
    let files = bind(args.files, &args.target);
    let inputs: Vec<Input> = files.iter().map(read).collect::<Result<_, _>>()?;
    let against = args.against.look_up(catalog)?;
    let request = Request {
        vm: against.vm,
        deployment: against.deployment.as_ref(),
        bindings: args.map,
        options: Options {
            tolerance: settings.tolerance(args.tolerance),
            queue_depth: args.queue_depth,
        },
        baseline: args.baseline,
        subject: args.subject.map(Subject::from),
        paging: args.paging,
    };
    let mut result = bench(catalog, &inputs, &request)?;
    gate.judge(&gate::names(against.vm, None), &mut result.findings);
    let judged = gate::judged(&gate, None, BTreeMap::new);
    args.output.show_judged(&result, &judged, settings)?;
    Ok(gate::close_plan(&gate, &result.findings))
}

/// The files with the targets that `--target` names: for every file that has none, or for one, which is read if it was
/// not given before.
fn bind(mut files: Vec<FileArg>, targets: &[String]) -> Vec<FileArg> {
    for target in targets {
        let Some((name, path)) = target.split_once('=') else {
            continue;
        };
        let name = Some(name.to_owned());
        match files.iter_mut().find(|file| file.path.as_os_str() == path) {
            Some(file) => file.name = name,
            None => files.push(FileArg {
                name,
                path: path.into(),
            }),
        }
    }
    if let Some(name) = targets.iter().find(|target| !target.contains('=')) {
        let unbound = files.iter_mut().filter(|file| file.name.is_none());
        unbound.for_each(|file| file.name = Some(name.clone()));
    }
    files
}

/// Reads what a file holds, or the column of it that is named.
pub fn read(file: &FileArg) -> Result<Input, Failure> {
    let (path, column) = file.column();
    let stdin = path.as_os_str() == "-";
    let runs = if stdin {
        read_stream(std::io::stdin().lock(), STDIN)?
    } else {
        read_path(&path)?
    };
    let input = Input {
        name: if stdin {
            STDIN.to_owned()
        } else {
            path.display().to_string()
        },
        target: file.name.clone(),
        runs,
    };
    Ok(match column {
        Some(column) => input.only(column)?,
        None => input,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_tolerance_is_the_library_s() {
        let typed: Share = DEFAULT_TOLERANCE.parse().unwrap();
        assert_eq!(typed.get(), Options::default().tolerance);
    }
}
