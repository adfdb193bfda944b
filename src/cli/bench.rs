//! `diskcap bench`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::ValueEnum;

use super::deployment::InterfaceArg;
use super::failure::Failure;
use super::output::{FailOn, OutputArgs, exit_code};
use diskcap::catalog::{Catalog, Interface};
use diskcap::deployment::plan_file::PlanFile;
use diskcap::deployment::{DiskSpec, PlanRequest};
use diskcap::measure::bench::{Input, Request, bench};
use diskcap::measure::compare::Subject;
use diskcap::measure::judge::Options;
use diskcap::measure::read::{read_path, read_stream};
use diskcap::units::{GiB, QueueDepth, Share};

/// Judge measured results: what each figure was limited by, what the disk is, how runs compare
///
/// Reads CrystalDiskMark, fio (JSON, JSON+, text, terse), DiskSpd (text, XML), sysbench fileio, ioping, dd, CSV with named
/// columns, and results pasted as a matrix; the format is found by itself. With --disk (and --vm) every test is held against
/// the planner's prediction for the same I/O; without, the figures are held against each other, and the limits that they
/// fit are named.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Result files; NAME=FILE says which volume was measured; - is stdin
    #[arg(value_name = "[NAME=]FILE", required_unless_present = "target")]
    files: Vec<FileArg>,
    /// VM size that the results are from
    #[arg(long, value_name = "SIZE")]
    vm: Option<String>,
    /// Disk: [NAME=][Nx]SKU[:key=value,...]; repeat for more (see plan --help)
    #[arg(long, short, value_name = "SPEC")]
    disk: Vec<DiskSpec>,
    /// Take VM and disks from a plan file; flags go over what it says
    #[arg(long, value_name = "FILE.toml")]
    plan: Option<PathBuf>,
    /// Disk controller, where the size has different caps on them
    #[arg(long, value_name = "scsi|nvme")]
    interface: Option<InterfaceArg>,
    /// The volume that was measured: NAME for every file, NAME=FILE for one; needed where there are several volumes
    #[arg(long, value_name = "NAME[=FILE]")]
    target: Vec<String>,
    /// How far from a limit a figure may be and still be at it
    #[arg(long, value_name = "SHARE", default_value = DEFAULT_TOLERANCE)]
    tolerance: Share,
    /// Outstanding I/Os of your application, to see what the measured latency means for it
    #[arg(long, value_name = "N")]
    queue_depth: Option<QueueDepth>,
    /// The run that ratios are to: a file without its ending, or a matrix's column; the first unless named
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Whether the runs are of one disk in several configurations, or of several disks; taken from the files unless told
    #[arg(long, value_name = "WHAT")]
    subject: Option<SubjectArg>,
    /// Also show how long paging this much in or out takes on each drive, such as 400MiB
    #[arg(long, value_name = "AMOUNT")]
    paging: Option<GiB>,
    #[command(flatten)]
    output: OutputArgs,
    /// Exit with 1 when there are findings of this severity or above; falling short of a prediction is a warning
    #[arg(long, value_name = "SEVERITY", help_heading = "Output")]
    fail_on: Option<FailOn>,
}

const EXAMPLES: &str = "\
Examples:
  diskcap bench result.txt                                       what is this disk, by its figures?
  diskcap bench result.txt --vm D2s_v3 --disk P10                what was each figure limited by?
  diskcap bench result.txt --vm DS3_v2                           which limit of this VM do the figures fit?
  diskcap bench data=a.json log=b.json --vm D8s_v5 --disk data=2xP30 --disk log=v2:size=256 --fail-on warning
  diskcap bench before.txt after.txt --baseline before           two runs side by side
  diskcap bench matrix.md --baseline A                           a table of tests and configurations
  diskcap bench c.txt d.txt --paging 400MiB                      where does the page file belong?";

/// The library's tolerance, as it is typed.
const DEFAULT_TOLERANCE: &str = "7.5%";

/// A file, and the volume that it is bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileArg {
    target: Option<String>,
    path: PathBuf,
}

impl FromStr for FileArg {
    type Err = std::convert::Infallible;

    /// `NAME=FILE`, unless there is a file of that whole name.
    fn from_str(input: &str) -> Result<Self, Self::Err> {
        let whole = PathBuf::from(input);
        let bound = input.split_once('=').filter(|(name, file)| {
            !name.is_empty() && !file.is_empty() && !whole.exists() && !name.contains(['/', '\\'])
        });
        Ok(match bound {
            Some((name, file)) => Self {
                target: Some(name.to_owned()),
                path: file.into(),
            },
            None => Self {
                target: None,
                path: whole,
            },
        })
    }
}

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

pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let catalog = Catalog::embedded();
    let files = bind(args.files, &args.target);
    let inputs: Vec<Input> = files.iter().map(read).collect::<Result<_, _>>()?;
    let file = args.plan.as_deref().map(PlanFile::read).transpose()?;
    let plan = PlanRequest {
        file: file.unwrap_or_default(),
        vm: args.vm,
        interface: args.interface.map(Interface::from),
        volumes: args.disk.into_iter().map(Into::into).collect(),
        ..PlanRequest::default()
    };
    let named = plan.vm.as_ref().or(plan.file.vm.as_ref());
    let interface = plan.interface.or(plan.file.interface);
    let vm = named.map(|name| catalog.vm(name, interface)).transpose()?;
    let has_disks = !plan.volumes.is_empty() || !plan.file.volumes.is_empty();
    let plan = has_disks.then(|| plan.build(catalog)).transpose()?;
    let request = Request {
        vm,
        deployment: plan.as_ref().map(|plan| &plan.deployment),
        options: Options {
            tolerance: args.tolerance.get(),
            queue_depth: args.queue_depth,
        },
        baseline: args.baseline,
        subject: args.subject.map(Subject::from),
        paging: args.paging,
    };
    let result = bench(catalog, &inputs, &request)?;
    args.output.show(&result)?;
    Ok(exit_code(&result.findings, args.fail_on))
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
            Some(file) => file.target = name,
            None => files.push(FileArg {
                target: name,
                path: path.into(),
            }),
        }
    }
    if let Some(name) = targets.iter().find(|target| !target.contains('=')) {
        let unbound = files.iter_mut().filter(|file| file.target.is_none());
        unbound.for_each(|file| file.target = Some(name.clone()));
    }
    files
}

/// Reads what a file holds.
pub fn read(file: &FileArg) -> Result<Input, Failure> {
    let stdin = file.path.as_os_str() == "-";
    let runs = if stdin {
        read_stream(std::io::stdin().lock(), "stdin")?
    } else {
        read_path(&file.path)?
    };
    Ok(Input {
        name: if stdin {
            "stdin".to_owned()
        } else {
            file.path.display().to_string()
        },
        target: file.target.clone(),
        runs,
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
