//! Everything that can be said of several results at once: each run judged or identified, all of them compared, paging.

mod devices;
mod findings;
mod latency;
mod names;
mod paging;
mod target;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compare::{
    Column, CompareError, Comparison, NoteId, Options as CompareOptions, Subject, columns, compare,
};
use super::identify::candidates::CandidateKind;
use super::identify::{Identification, Place, identify};
use super::judge::{Judgement, Options, Target, judge};
use super::model::{Format, Run};
use super::over_time::bind::volumes;
use super::over_time::{BindError, Binding};
use super::refused::refused;
use crate::catalog::{Catalog, DataInfo, VmSize};
use crate::deployment::{Deployment, Role};
use crate::planner::Finding;
use crate::planner::paging::Paging;
use crate::units::{GiB, QueueDepth};

pub use latency::{LatencyBin, LatencySpread};
use names::labels;
use target::{is_column, is_named, of_whole, target};

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.bench/1";

/// What an [`Input`] is called that comes from no file.
pub const STDIN: &str = "stdin";

/// The results of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The file, as errors and tables call it, or [`STDIN`].
    pub name: String,
    /// The volume that was measured, by name; `None` where none was named for this file.
    pub target: Option<String>,
    /// What it holds.
    pub runs: Vec<Run>,
}

impl Input {
    /// The run of one column of a table, by the name that tables show; or the runs that a table calls so, one a disk: of
    /// these the one of the disk that it is bound to, where there is such a one; or what a log says of one device.
    ///
    /// # Errors
    /// [`BenchError::NoColumn`] where none is called so, or several are and it is bound to none of their disks.
    pub fn only(self, column: &str) -> Result<Self, BenchError> {
        let Self { name, target, runs } = self;
        let labels: Vec<String> = columns(&runs).into_iter().map(|c| c.label).collect();
        let is_it = |label: &str| label.trim().eq_ignore_ascii_case(column.trim());
        let on_devices = of_device(&runs, is_it);
        if !on_devices.is_empty() {
            let runs = on_devices;
            return Ok(Self { name, target, runs });
        }
        let bound = |run: &Run| target.as_ref().is_none_or(|target| is_named(run, target));
        let called = |run: &Run| is_it(&run.tool);
        let own = labels.iter().zip(&runs);
        let known: Vec<String> = own
            .flat_map(|(label, run)| names_within(label, run))
            .collect();
        let named =
            |(label, run): (&String, &Run)| is_it(label) && devices::devices(run).is_empty();
        let one = labels.iter().zip(&runs).position(named);
        let runs: Vec<Run> = match one {
            Some(at) => runs.into_iter().skip(at).take(1).collect(),
            None => (runs.into_iter().filter(|run| called(run) && bound(run))).collect(),
        };
        if runs.is_empty() {
            return Err(BenchError::NoColumn {
                name: column.to_owned(),
                file: name,
                known,
            });
        }
        Ok(Self { name, target, runs })
    }

    /// What may say which volume was measured: the name that it is bound to, else what heads the only column, and the disk
    /// that this one names.
    #[must_use]
    pub fn names_of_volume(&self) -> Vec<String> {
        match (&self.target, self.runs.as_slice()) {
            (Some(target), _) => vec![target.clone()],
            (None, [one]) if is_column(one) => std::iter::once(one.tool.clone())
                .chain(one.target.clone())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// One input for every column of a table, where its file is bound to no volume: each may be of another one.
    #[must_use]
    pub fn by_column(self) -> Vec<Self> {
        if self.target.is_some() || !self.runs.iter().all(is_column) {
            return vec![self];
        }
        let Self { name, runs, .. } = self;
        let one = |run| Self {
            name: name.clone(),
            target: None,
            runs: vec![run],
        };
        runs.into_iter().map(one).collect()
    }
}

/// The names that parts of a file are asked for by: the devices of a log, not its host; else the name of the run.
fn names_within(label: &str, run: &Run) -> Vec<String> {
    match devices::devices(run).as_slice() {
        [] => vec![label.to_owned()],
        devices => devices.iter().map(|&device| device.to_owned()).collect(),
    }
}

/// What logs say of the devices that are meant.
fn of_device(runs: &[Run], is_it: impl Fn(&str) -> bool) -> Vec<Run> {
    let each = runs.iter().map(|run| devices::each(run, &is_it));
    each.flatten().collect()
}

/// What is wanted.
#[derive(Debug, Clone, Default)]
pub struct Request<'a> {
    /// The VM, where it is named.
    pub vm: Option<&'a VmSize>,
    /// The disks, where they are named. Their VM is `vm`.
    pub deployment: Option<&'a Deployment>,
    /// Which device of a log is which volume, where its name does not say it.
    pub bindings: Vec<Binding>,
    /// How to judge.
    pub options: Options,
    /// The label of the run that ratios are to; the first where none is named.
    pub baseline: Option<String>,
    /// Whether the runs measured one disk or several; `None` takes it from the runs.
    pub subject: Option<Subject>,
    /// How much is paged, where that is asked.
    pub paging: Option<GiB>,
}

/// Why results cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BenchError {
    /// A file is bound to a volume that there is not.
    #[error("target '{name}' of '{file}': there is no such volume; {}", volumes(.known))]
    UnknownTarget {
        /// The name as given.
        name: String,
        /// The file.
        file: String,
        /// The volumes that there are.
        known: Vec<String>,
    },
    /// Several volumes, and nothing says which of them was measured.
    #[error(
        "'{file}': which of {} was measured? Say so: NAME={file}{} (`bench` also takes --target NAME for all files)", .known.join(", "),
        of_column(file, .columns)
    )]
    WhichTarget {
        /// The file.
        file: String,
        /// The columns of its table, where it is one.
        columns: Vec<String>,
        /// The volumes that there are.
        known: Vec<String>,
    },
    /// Several devices, and nothing says which of them is a volume.
    #[error(
        "'{file}': which device is {}? Say so with one of them for DEVICE: {}={file}#DEVICE; devices are {}",
        .volumes.join(", "), .volumes.first().map_or("NAME", String::as_str), .devices.join(", ")
    )]
    WhichDevice {
        /// The file.
        file: String,
        /// The volumes that it may be of.
        volumes: Vec<String>,
        /// The devices that it is about.
        devices: Vec<String>,
    },
    /// A device cannot be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A column is named that there is not.
    #[error("'{file}' has no column or device '{name}'; what was read of it is {}", quoted(.known))]
    NoColumn {
        /// The name as given.
        name: String,
        /// The file.
        file: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The baseline is none of the runs.
    #[error("baseline '{name}': there is no such run; runs are {}", .known.join(", "))]
    UnknownBaseline {
        /// The name as given.
        name: String,
        /// The labels that there are.
        known: Vec<String>,
    },
    /// The runs cannot be compared.
    #[error(transparent)]
    Compare(#[from] CompareError),
}

/// How a column is bound, with the first as the example.
fn of_column(file: &str, columns: &[String]) -> String {
    match columns {
        [] | [_] => String::new(),
        [first, ..] => format!(", or 'NAME={file}#{first}' for one column of it"),
    }
}

fn quoted(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// One run with everything that is said of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunReport {
    /// The name it goes by in tables.
    pub label: String,
    /// The file.
    pub file: String,
    /// The format it was read from.
    pub format: Format,
    /// The tool.
    pub tool: String,
    /// The tool's version.
    pub version: Option<String>,
    /// The host, where given.
    pub host: Option<String>,
    /// The host's operating system, where given.
    pub os: Option<String>,
    /// When it ran, as the tool printed it.
    pub date: Option<String>,
    /// What was measured, as the tool names it.
    pub measured: Option<String>,
    /// The volume that it was held against.
    pub volume: Option<String>,
    /// What that volume is made of.
    pub sku: Option<String>,
    /// Whether that volume lies on the VM's host.
    #[serde(default)]
    pub is_local: bool,
    /// Each test against its prediction.
    pub judgement: Judgement,
    /// What the figures fit, where no disk was named.
    pub identification: Option<Identification>,
    /// How the latencies of its tests are spread, where the tool says so.
    pub latencies: Vec<LatencySpread>,
    /// What the tool or its reader notes.
    pub notes: Vec<String>,
    /// Why the run is not whole, where its file was cut off: tests are missing, and figures may be.
    pub incomplete: Option<String>,
}

/// Measured results, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bench {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that predictions rest on.
    pub data: DataInfo,
    /// The VM size, where it was named.
    pub vm: Option<String>,
    /// How far from a limit counts as at it, as a share.
    pub tolerance: f64,
    /// The runs, in the order given.
    pub runs: Vec<RunReport>,
    /// The runs side by side, where there are several to compare.
    pub comparison: Option<Comparison>,
    /// Paging, where it was asked for.
    pub paging: Option<Paging>,
    /// What falls short, does not fit or is worth knowing, weightiest first.
    pub findings: Vec<Finding>,
}

/// Judges, identifies and compares the runs of `inputs`.
///
/// A run is held against the volume that its file is bound to, or that the column of a matrix is named after; else against
/// the only volume, where there is one. Devices of a log are volumes by their names, or as they are bound; one that is none
/// of them is held against none. Without disks runs are identified instead.
///
/// # Errors
/// [`BenchError`] when a target or a baseline names nothing, or it is open which volume was measured.
pub fn bench(
    catalog: &Catalog,
    inputs: &[Input],
    request: &Request<'_>,
) -> Result<Bench, BenchError> {
    let apart = request.deployment.map(|_| devices::apart(inputs));
    let inputs = apart.as_deref().unwrap_or(inputs);
    let labels = labels(inputs);
    let bound = devices::bind(inputs, &labels, request)?;
    let mut each = labels.iter().zip(bound);
    let mut runs = Vec::new();
    for input in inputs {
        for run in &input.runs {
            let Some((label, bound)) = each.next() else {
                break;
            };
            let target = match bound {
                Some(device) => of_whole(device, request.deployment),
                None => target(input, run, label, request.deployment)?,
            };
            let mut report = report(catalog, input, run, label.clone(), target, request);
            let unbound = request
                .deployment
                .and_then(|all| devices::unbound(bound, run, &input.name, all));
            report.notes.extend(unbound);
            runs.push(report);
        }
    }
    let comparison = comparison(inputs, &labels, &runs, request)?;
    let mut bench = Bench {
        schema: SCHEMA.to_owned(),
        data: catalog.info().clone(),
        vm: request.vm.map(|vm| vm.name.clone()),
        tolerance: request.options.tolerance,
        runs,
        comparison,
        paging: None,
        findings: Vec::new(),
    };
    not_the_disk(&mut bench);
    not_the_same(&mut bench);
    bench.paging = request
        .paging
        .map(|amount| paging::of_runs(catalog, &bench, request, amount));
    bench.findings = findings::all(&bench, request.vm);
    (bench.findings).extend(refused(catalog, request.deployment));
    (bench.findings).sort_by_key(|finding| (finding.severity, finding.id));
    Ok(bench)
}

/// Where the comparison shows that reads come from a cache in memory, that is where what was measured is.
fn not_the_disk(bench: &mut Bench) {
    let notes = bench
        .comparison
        .iter()
        .flat_map(|comparison| &comparison.notes);
    let cached: Vec<usize> = notes
        .filter(|note| note.id == NoteId::HostCacheReads)
        .flat_map(|note| note.columns.iter().copied())
        .collect();
    for (_, run) in bench
        .runs
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| cached.contains(index))
    {
        if let Some(identification) = &mut run.identification {
            identification.place = Place::Memory;
            identification
                .reasons
                .push("beside the other runs its reads come from memory".to_owned());
        }
    }
}

/// Runs whose figures fit different limits are not of one slow device.
fn not_the_same(bench: &mut Bench) {
    let limit = |column: usize| -> Option<&str> {
        let found = bench.runs.get(column)?.identification.as_ref()?;
        found.matches.first().map(|best| best.name.as_str())
    };
    let differ = |columns: &[usize]| {
        let mut limits = columns.iter().filter_map(|column| limit(*column));
        let first = limits.next();
        limits.any(|other| Some(other) != first)
    };
    if let Some(comparison) = &mut bench.comparison {
        comparison
            .notes
            .retain(|note| note.id != NoteId::SameSlowDevice || !differ(&note.columns));
    }
}

fn report(
    catalog: &Catalog,
    input: &Input,
    run: &Run,
    label: String,
    target: Option<Target<'_>>,
    request: &Request<'_>,
) -> RunReport {
    let volume = target.and_then(|target| target.deployment.volumes.get(target.volume));
    let unbound = target.is_none();
    let test_notes = run.tests.iter().flat_map(|test| {
        test.notes
            .iter()
            .map(|note| format!("{}: {note}", test.name))
    });
    let judgement = judge(catalog, run, target, &request.options);
    let unanswered = unanswered(&judgement, request.options.queue_depth);
    RunReport {
        label,
        file: input.name.clone(),
        format: run.format,
        tool: run.tool.clone(),
        version: run.version.clone(),
        host: run.host.clone(),
        os: run.os.clone(),
        date: run.date.clone(),
        measured: run.measured().map(str::to_owned),
        volume: volume.map(|volume| volume.name.clone()),
        sku: volume.map(crate::deployment::Volume::label),
        is_local: volume.is_some_and(|volume| volume.role == Role::Local),
        latencies: latency::of_run(run, &judgement),
        judgement,
        identification: unbound
            .then(|| identify(catalog, run, request.vm, request.options.tolerance)),
        notes: (run.notes.iter().cloned())
            .chain(test_notes)
            .chain(unanswered)
            .collect(),
        incomplete: run.incomplete().map(str::to_owned),
    }
}

/// That nothing follows for the application's queue depth, where it was asked about.
fn unanswered(judgement: &Judgement, depth: Option<QueueDepth>) -> Option<String> {
    let mut checks = judgement.queue_depth_1.iter();
    let answered = checks.any(|check| check.application.is_some());
    depth.filter(|_| !answered).map(|depth| {
        let why = match judgement.queue_depth_1.is_empty() {
            true => "no test had one I/O outstanding at a time, whose latency would tell",
            false => "no latency of one I/O at a time is that of the disk that was named",
        };
        format!("nothing is said of a queue depth of {depth}: {why}")
    })
}

/// Several files are compared, and so are the columns of one matrix; several runs in one file are repetitions unless a
/// baseline is named.
fn comparison(
    inputs: &[Input],
    labels: &[String],
    reports: &[RunReport],
    request: &Request<'_>,
) -> Result<Option<Comparison>, BenchError> {
    let runs: Vec<&Run> = inputs.iter().flat_map(|input| &input.runs).collect();
    let is_matrix = runs.iter().all(|run| is_column(run));
    let wanted = request.baseline.is_some() || inputs.len() > 1 || is_matrix;
    if !wanted || (runs.len() < 2 && request.baseline.is_none()) {
        return Ok(None);
    }
    let baseline = match &request.baseline {
        None => 0,
        Some(name) => labels
            .iter()
            .position(|label| label.eq_ignore_ascii_case(name))
            .ok_or_else(|| BenchError::UnknownBaseline {
                name: name.clone(),
                known: labels.to_vec(),
            })?,
    };
    let columns: Vec<Column<'_>> = labels
        .iter()
        .zip(runs)
        .map(|(label, run)| Column {
            label: label.clone(),
            run,
        })
        .collect();
    let options = CompareOptions {
        baseline,
        subject: request.subject.or_else(|| several_volumes(reports)),
        unsaid: several_limits(reports),
    };
    Ok(Some(compare(&columns, options)?))
}

/// Runs of different volumes are of different disks, and what is of no volume is beside one that is.
fn several_volumes(runs: &[RunReport]) -> Option<Subject> {
    let first = &runs.first()?.volume;
    let differ = runs.iter().any(|run| run.volume != *first);
    differ.then_some(Subject::DifferentDisks)
}

/// Runs whose figures fit the limits of disks, and no disk fits both, are of different disks.
fn several_limits(runs: &[RunReport]) -> Option<Subject> {
    let disks = |run: &RunReport| -> Vec<String> {
        let found = run.identification.as_ref();
        let found = found.filter(|found| matches!(found.place, Place::Persistent { .. }));
        let matches = found.into_iter().flat_map(|found| &found.matches);
        let disks = matches.filter(|fit| matches!(fit.kind, CandidateKind::Disk(_)));
        disks.map(|fit| fit.name.clone()).collect()
    };
    let known: Vec<Vec<String>> = runs.iter().map(disks).filter(|d| !d.is_empty()).collect();
    let apart = |one: &Vec<String>| {
        let shared = |other: &Vec<String>| other.iter().any(|name| one.contains(name));
        known.iter().any(|other| !shared(other))
    };
    (known.iter().any(apart)).then_some(Subject::DifferentDisks)
}
