//! Logs and counters as a report: every disk over time with the limits of its volume, or disks beside their peers.
//!
//! [`over_time`] judges each disk by itself, [`peers`] each against those of its kind. Both take what
//! [`read_files`](super::series::read_files) read, and both are pure.

pub(in crate::measure) mod bind;
mod caps;
mod credit;
mod findings;
mod label;
mod latency;
mod peers;
mod together;
mod trace;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use bind::{BindError, Binding, BindingError};
pub use credit::OnCredit;
pub use latency::SlowLatency;
pub use peers::{GroupBy, PEERS_SCHEMA, PeerGroup, PeersReport, peers};
pub use trace::Trace;

use super::refused::refused;
use super::series::analysis::{DiskReport, TOLERANCE, Verdict, analyse};
use super::series::{Cap, DiskSeries, Notice, Series};
use crate::catalog::{Catalog, DataInfo, VmSize};
use crate::deployment::Deployment;
use crate::planner::Finding;
use bind::Bound;
use label::{Labelled, labelled};

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.series/1";

/// What one log says, and what it is to be called.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// The name that was given to it; `None` takes the names of the log.
    pub name: Option<String>,
    /// What it says.
    pub series: Series,
}

/// What the disks are held against.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The VM, where it is named.
    pub vm: Option<&'a VmSize>,
    /// The disks, where they are named. Their VM is `vm`.
    pub deployment: Option<&'a Deployment>,
    /// Which device of the logs is which volume.
    pub bindings: Vec<Binding>,
    /// How near to a limit a rate has to be to sit on it, as a share.
    pub tolerance: f64,
    /// The devices that were asked for by name stay in the report even where they did nothing.
    pub keep_idle: bool,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            vm: None,
            deployment: None,
            bindings: Vec::new(),
            tolerance: TOLERANCE,
            keep_idle: false,
        }
    }
}

/// One disk over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskOverTime {
    /// The volume that the disk is, or is part of, where that is known.
    pub volume: Option<String>,
    /// What that volume is made of.
    pub sku: Option<String>,
    /// The limits that constant rates were held against, besides those that the log states itself.
    pub limits: Vec<Cap>,
    /// That its rate is above what holds without end, where it is on average.
    #[serde(default)]
    pub on_credit: Option<OnCredit>,
    /// That its I/Os took longer than is usual for such a disk, where no limit made them wait.
    #[serde(default)]
    pub slow_latency: Option<SlowLatency>,
    /// Whether its latency was not judged because the size of its I/Os is not known.
    #[serde(default)]
    pub latency_of_unknown_size: bool,
    /// Everything that is to be said of it.
    pub report: DiskReport,
    /// Its rates and latency over time, thinned for drawing.
    pub trace: Trace,
}

impl DiskOverTime {
    /// What is to be said of it where nothing else is: that it is steady, and that it is so on burst credit.
    #[must_use]
    pub fn steady(&self) -> Option<String> {
        (self.report.verdicts == [Verdict::Steady]).then(|| {
            let credit = self.on_credit.as_ref();
            let credit = credit.map(|credit| format!("; {}", credit.words(self.report.span_ms)));
            let slow = self.slow_latency.map(|slow| format!("; {}", slow.words()));
            let unknown = self.latency_of_unknown_size.then(|| {
                "; whether its latency is as usual is not told: the log does not say the size of its I/Os (MB/s would)"
                    .to_owned()
            });
            let more = [credit, slow, unknown].into_iter().flatten();
            format!("{}{}", Verdict::Steady, more.collect::<String>())
        })
    }
}

/// What disks did over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesReport {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that limits come from.
    pub data: DataInfo,
    /// The VM size, where it was named.
    pub vm: Option<String>,
    /// How near to a limit a rate has to be to sit on it, as a share.
    pub tolerance: f64,
    /// The disks, in the order of the logs.
    pub disks: Vec<DiskOverTime>,
    /// Disks that share a limit of the VM, added up.
    pub together: Vec<DiskOverTime>,
    /// What deserves a look or is worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What is to be known of the figures.
    pub notices: Vec<Notice>,
}

/// Judges every disk of `inputs` over time: its constant rates against the limits of its volume and VM, where they are
/// named.
///
/// # Errors
/// [`BindError`] when a binding names nothing, or it is open which device is which volume.
pub fn over_time(
    catalog: &Catalog,
    inputs: &[Input],
    request: &Request<'_>,
) -> Result<SeriesReport, BindError> {
    let (disks, notices) = chosen(inputs, request.keep_idle);
    let bound = bind::bind(&disks, request.deployment, &request.bindings)?;
    let origin = trace::origin(&disks);
    let mut judged: Vec<DiskOverTime> = disks
        .iter()
        .zip(&bound)
        .map(|(disk, bound)| {
            let bound = bound.as_ref();
            let expected = caps::of(catalog, request, disk.series, bound);
            let volume = volume_of(request, bound);
            let report = DiskReport {
                disk: disk.label.clone(),
                ..analyse(disk.series, &expected.known(request.tolerance))
            };
            DiskOverTime {
                volume: volume.map(|volume| volume.name.clone()),
                sku: volume.map(crate::deployment::Volume::label),
                on_credit: credit::on_credit(request, disk.series, bound, &report),
                slow_latency: latency::slow(&expected, &report),
                latency_of_unknown_size: latency::is_of_unknown_size(&expected, &report),
                report,
                trace: Trace::of(disk.series, origin),
                limits: expected.caps,
            }
        })
        .collect();
    let together = together::together(&disks, &bound, &judged, request, origin);
    together::excuse(&mut judged, &together);
    let together: Vec<DiskOverTime> = together.into_iter().map(|of| of.sum).collect();
    let mut findings: Vec<Finding> = Vec::new();
    for disk in judged.iter().chain(&together) {
        findings.extend(findings::of_disk(disk, &together));
    }
    findings.extend(judged.iter().filter_map(findings::slow));
    for (disk, (series, bound)) in judged.iter().zip(disks.iter().zip(&bound)) {
        let highest = caps::highest(request, series.series, bound.as_ref());
        findings.extend(highest.and_then(|of| {
            let of_vm = request
                .vm
                .map_or_else(Vec::new, |vm| caps::of_vm(catalog, vm));
            findings::above(disk, &of, &of_vm, request.tolerance)
        }));
    }
    findings.extend(refused(catalog, request.deployment));
    findings.extend(findings::too_short(judged.iter().map(|disk| &disk.report)));
    findings.sort_by_key(|finding| (finding.severity, finding.id));
    Ok(SeriesReport {
        schema: SCHEMA.to_owned(),
        data: catalog.info().clone(),
        vm: request.vm.map(|vm| vm.name.clone()),
        tolerance: request.tolerance,
        disks: judged,
        together,
        findings,
        notices,
    })
}

fn volume_of<'a>(
    request: &Request<'a>,
    bound: Option<&Bound>,
) -> Option<&'a crate::deployment::Volume> {
    request.deployment?.volumes.get(bound?.volume)
}

/// The disks with their labels, without those that did nothing (unless all did nothing, or they are to be kept), and
/// what is to be known of the figures.
fn chosen(inputs: &[Input], keep_idle: bool) -> (Vec<Labelled<'_>>, Vec<Notice>) {
    let mut notices: Vec<Notice> = Vec::new();
    for notice in inputs.iter().flat_map(|input| &input.series.notices) {
        if !notices.contains(notice) {
            notices.push(notice.clone());
        }
    }
    let all = labelled(inputs);
    let busy = |disk: &&Labelled<'_>| disk.series.has_io();
    let left_out = all.len() - all.iter().filter(busy).count();
    if left_out == 0 || left_out == all.len() || keep_idle {
        return (all, notices);
    }
    // A latency log that found no IOPS of its own job is no idle disk.
    let alone: Vec<String> = all
        .iter()
        .filter(|disk| !busy(disk) && has_latency(disk.series))
        .map(|disk| disk.label.clone())
        .collect();
    let idle = left_out - alone.len();
    if !alone.is_empty() {
        notices.push(Notice::LatencyAloneLeftOut { disks: alone });
    }
    if idle > 0 {
        notices.push(Notice::IdleDisksLeftOut { disks: idle });
    }
    let busy = all.into_iter().filter(|disk| disk.series.has_io());
    (busy.collect(), notices)
}

/// Whether a series says latencies.
fn has_latency(series: &DiskSeries) -> bool {
    (0..series.len()).any(|at| series.total.latency.number(at).is_some())
}
