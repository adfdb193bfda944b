//! A fleet as records, one a VM: what is said of each VM in the fleet's own result, in a form that can be written and
//! read a line at a time. Its JSON form is public and versioned ([`SCHEMA`]).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::{
    DeployedDisk, DiskValidation, FleetValidation, ReadNote, Unknown, VmIdentity, VmValidation,
};
use super::summary::Summary;
use crate::azure::metrics::MetricsJudgement;
use crate::catalog::DataInfo;
use crate::catalog::price::{BookInfo, Total};
use crate::planner::assessment::Total as Reached;
use crate::planner::{Assessment, Finding};

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.validate-lines/1";

/// One line: the fleet first, then its VMs, the disks that none of them has, what could not be read, and the summary
/// last. A stream without a summary was cut off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// What the figures rest on.
    Fleet(FleetLine),
    /// A VM.
    Vm(Box<VmLine>),
    /// A disk that none of the VMs has.
    Disk(Box<DiskValidation>),
    /// What stood in the way of reading and belongs to no VM or disk.
    Problem(ReadNote),
    /// All together.
    Summary(Summary),
}

/// What the figures of a fleet rest on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FleetLine {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// The prices used, one a region; empty where none were asked for.
    pub prices: Vec<BookInfo>,
}

/// One VM, judged: the fields of the whole result, with what matters of its assessment in place of all of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmLine {
    /// Which VM it is.
    pub vm: VmIdentity,
    /// Its disks as they are deployed, the OS disk first.
    pub disks: Vec<DeployedDisk>,
    /// What all of them reach at once; `None` where no disk is known.
    pub reaches: Option<Reach>,
    /// A month of it with its disks, where prices were asked for.
    pub month: Option<Total>,
    /// Whether every part of that month has a price; `None` where there is none.
    pub month_complete: Option<bool>,
    /// What is wrong or worth knowing, weightiest first.
    pub findings: Vec<Finding>,
    /// What is not known, and what was assumed in its place.
    pub unknowns: Vec<Unknown>,
    /// What was odd about the answers that it was read from.
    pub problems: Vec<ReadNote>,
    /// What Azure Monitor's metrics say of it, where some were given.
    pub metrics: Option<MetricsJudgement>,
}

/// What all volumes of a VM reach at once: IOPS under `iops_workload`, MB/s under `mbps_workload`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reach {
    /// The workload that the IOPS are of.
    pub iops_workload: String,
    /// The workload that the MB/s are of.
    pub mbps_workload: String,
    /// Credit buckets full.
    pub burst: Reached,
    /// Credit buckets empty.
    pub sustained: Reached,
}

impl Reach {
    /// The figures that an assessment is read by at a glance; `None` without a workload.
    #[must_use]
    pub fn of(assessment: &Assessment) -> Option<Self> {
        let (random, sequential) = assessment.headline()?;
        let both = |iops: &Reached, mbps: &Reached| Reached {
            iops: iops.iops,
            mbps: mbps.mbps,
            at_most: iops.at_most || mbps.at_most,
        };
        let (iops, mbps) = (&random.total, &sequential.total);
        Some(Self {
            iops_workload: random.name.clone(),
            mbps_workload: sequential.name.clone(),
            burst: both(&iops.burst, &mbps.burst),
            sustained: both(&iops.sustained, &mbps.sustained),
        })
    }
}

impl From<VmValidation> for VmLine {
    fn from(vm: VmValidation) -> Self {
        Self {
            reaches: vm.assessment.as_deref().and_then(Reach::of),
            month: vm.month().cloned(),
            month_complete: vm.month().map(Total::is_complete),
            vm: vm.vm,
            disks: vm.disks,
            findings: vm.findings,
            unknowns: vm.unknowns,
            problems: vm.problems,
            metrics: vm.metrics,
        }
    }
}

impl From<&FleetValidation> for FleetLine {
    fn from(fleet: &FleetValidation) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            data: fleet.data.clone(),
            prices: fleet.prices.clone(),
        }
    }
}
