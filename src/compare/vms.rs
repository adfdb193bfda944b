//! VM sizes side by side, and what disks reach on each.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::{self, Month};
use super::disks::refused;
use super::held::Held;
use super::reach::{self, LoadPair, Reach};
use super::size::SizeView;
use crate::catalog::price::{BookInfo, PriceBook, VmOffer};
use crate::catalog::{Axis, Catalog, DataInfo, Limits, VmSize};
use crate::deployment::request::{PlanError, PlanRequest};
use crate::planner::assessment::{CeilingName, PhasePair, Total, VolumeView};
use crate::planner::{Assessment, Finding, assess};
use crate::units::GiB;

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.compare-vms/1";

/// What is to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct VmQuestion<'a> {
    /// The sizes, in the order they are shown.
    pub sizes: Vec<&'a VmSize>,
    /// The volumes to look at on each size, and the workload; its VM is not looked at. Without volumes the sizes stand
    /// by themselves.
    pub plan: PlanRequest,
    /// The prices to show.
    pub book: Option<&'a PriceBook>,
    /// How the VMs are bought.
    pub offer: VmOffer,
}

/// VM sizes side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmComparison {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// The prices shown; `None` where none were asked for.
    pub prices: Option<BookInfo>,
    /// How the VMs are bought in these prices.
    pub offer: VmOffer,
    /// The volumes that were looked at on each size.
    pub volumes: Vec<VolumeShort>,
    /// The workloads that they were looked at under.
    pub loads: Option<LoadPair>,
    /// The sizes.
    pub sizes: Vec<SizeRow>,
    /// The first size that lifts every cap: the fewest vCPUs, then the least memory, then the lowest price.
    pub first_lifting: Option<String>,
    /// The cheapest size that lifts every cap, among those with a price.
    pub cheapest_lifting: Option<String>,
}

/// A volume, in short.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeShort {
    /// Name.
    pub name: String,
    /// The specification, as it can be given again.
    pub spec: Vec<String>,
    /// What it is made of.
    pub sku: String,
    /// What is provisioned; `None` where the size decides it (local disks).
    pub provisioned: Limits,
    /// What speaks against its burst, where no source says that such a disk has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_doubt: Option<String>,
    /// What it costs a month; `None` where no prices were asked for.
    pub month: Option<Month>,
}

/// One size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SizeRow {
    /// Its ceilings and its price.
    pub size: SizeView,
    /// What the volumes come to on it; `None` where there are none.
    pub reach: Option<SizeReach>,
}

impl SizeRow {
    /// Whether nothing keeps the volumes from being deployed on it.
    #[must_use]
    pub fn takes_the_disks(&self) -> bool {
        let reach = self.reach.as_ref();
        reach.is_none_or(|reach| reach.refused.is_empty())
    }
}

impl VmComparison {
    /// How many sizes cannot take the volumes on any controller, and how many there are: one with a row for each counts once.
    #[must_use]
    pub fn refusing(&self) -> (usize, usize) {
        let names = |rows: &mut dyn Iterator<Item = &SizeRow>| -> BTreeSet<String> {
            rows.map(|row| row.size.size.clone()).collect()
        };
        let all = names(&mut self.sizes.iter());
        let take = names(&mut self.sizes.iter().filter(|row| row.takes_the_disks()));
        (all.difference(&take).count(), all.len())
    }
}

/// What the volumes come to on one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SizeReach {
    /// Why they cannot be deployed on it so; the figures hold as far as they can be computed. Empty: they can.
    pub refused: Vec<Refusal>,
    /// What each reaches, in the order of the volumes; none where the size lacks a local disk that is asked for.
    pub volumes: Vec<VolumeReach>,
    /// All at once, added up; `None` where nothing could be computed.
    pub total: Option<TotalReach>,
    /// The ceilings that hold the disks back, all at once, without bursting.
    pub caps: Vec<CapHit>,
    /// Whether no ceiling of the size and no local disk of it holds them back, all at once, without bursting; `None` where
    /// a ceiling that they draw on is unknown. A local disk holds back where a demand is stated and not met.
    pub lifts_every_cap: Option<bool>,
    /// The VM and its disks, a month; `None` where no prices were asked for or the VM has none.
    pub month: Option<Month>,
}

/// Why volumes cannot be deployed on a size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// The finding that says so; `None` where the disks cannot be put together at all.
    pub id: Option<crate::planner::FindingId>,
    /// What is the matter.
    pub message: String,
}

impl From<Finding> for Refusal {
    fn from(finding: Finding) -> Self {
        Self {
            id: Some(finding.id),
            message: format!("{}: {}", finding.subject, finding.message),
        }
    }
}

/// What one volume reaches on a size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeReach {
    /// Its name.
    pub volume: String,
    /// With nothing else at work.
    pub alone: Reach,
    /// With all volumes at work.
    pub together: Reach,
}

/// Sums over the volumes of a size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TotalReach {
    /// I/Os per second, under the workload for IOPS.
    pub iops: PhasePair<Sum>,
    /// MB/s, under the workload for MB/s.
    pub mbps: PhasePair<Sum>,
}

/// A sum over volumes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sum {
    /// The sum; `None` when a part of it is unknown.
    pub value: Option<f64>,
    /// A limit on the way of a part is unknown: the true sum may be lower, not higher.
    pub at_most: bool,
}

/// A ceiling that holds the disks back.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CapHit {
    /// The ceiling.
    pub ceiling: CeilingName,
    /// Which limit of it.
    pub axis: Axis,
    /// What holds without end.
    pub capacity: f64,
    /// What the disks would draw without it; `None` where nothing else that is known would stop them.
    pub asked: Option<f64>,
}

/// Puts sizes side by side.
///
/// # Errors
/// [`PlanError`] when the volumes cannot be understood on any of the sizes. A size that lacks a local disk that is asked
/// for says so in [`SizeReach::refused`].
pub fn compare_vms(
    catalog: &Catalog,
    question: &VmQuestion<'_>,
) -> Result<VmComparison, PlanError> {
    let mut comparison = VmComparison {
        schema: SCHEMA.to_owned(),
        data: catalog.info().clone(),
        prices: question.book.map(|book| book.info().clone()),
        offer: question.offer,
        volumes: Vec::new(),
        loads: None,
        sizes: Vec::new(),
        first_lifting: None,
        cheapest_lifting: None,
    };
    let mut failed = None;
    for vm in &question.sizes {
        let size = SizeView::new(vm, question.book, question.offer);
        let reach = if question.plan.volumes.is_empty() {
            None
        } else {
            match reached(catalog, question, vm, size.month.as_ref()) {
                Ok((reach, volumes, loads)) => {
                    if comparison.volumes.is_empty() {
                        (comparison.volumes, comparison.loads) = (volumes, loads);
                    }
                    Some(reach)
                }
                Err(error) => {
                    let reach = impossible(&error);
                    failed = failed.or(Some(error));
                    Some(reach)
                }
            }
        };
        comparison.sizes.push(SizeRow { size, reach });
    }
    if let (true, Some(error)) = (comparison.volumes.is_empty(), failed) {
        return Err(error);
    }
    comparison.first_lifting = first_lifting(&comparison.sizes);
    comparison.cheapest_lifting = cheapest_lifting(&comparison.sizes);
    Ok(comparison)
}

type Reached = (SizeReach, Vec<VolumeShort>, Option<LoadPair>);

/// What the volumes come to on `vm`.
fn reached(
    catalog: &Catalog,
    question: &VmQuestion<'_>,
    vm: &VmSize,
    vm_month: Option<&Month>,
) -> Result<Reached, PlanError> {
    let request = PlanRequest {
        vm: Some(vm.name.clone()),
        interface: vm.interface,
        ..question.plan.clone()
    };
    let plan = request.build(catalog)?;
    let assessment = assess(catalog, &plan.deployment, &plan.workloads);
    let months: Vec<Option<Month>> = plan
        .deployment
        .volumes
        .iter()
        .map(|volume| Some(cost::of_volume(catalog, question.book?, volume)))
        .collect();
    let volumes: Vec<VolumeShort> = assessment
        .volumes
        .iter()
        .zip(&months)
        .map(|(view, month)| VolumeShort::new(view, month.clone()))
        .collect();
    let month = months
        .into_iter()
        .flatten()
        .fold(vm_month.cloned(), |sum, month| Some(sum?.plus(&month)));
    let loads = LoadPair::of(&assessment);
    Ok((SizeReach::new(&assessment, month), volumes, loads))
}

/// A size on which the volumes cannot be put together.
fn impossible(error: &PlanError) -> SizeReach {
    SizeReach {
        refused: vec![Refusal {
            id: None,
            message: error.to_string(),
        }],
        volumes: Vec::new(),
        total: None,
        caps: Vec::new(),
        lifts_every_cap: Some(false),
        month: None,
    }
}

impl VolumeShort {
    fn new(view: &VolumeView, month: Option<Month>) -> Self {
        let local = view.family.is_local();
        Self {
            name: view.name.clone(),
            spec: view.spec.clone(),
            sku: view.sku.clone(),
            provisioned: if local {
                Limits::UNKNOWN
            } else {
                view.provisioned
            },
            burst_doubt: view.burst_doubt.clone(),
            month,
        }
    }
}

impl SizeReach {
    fn new(assessment: &Assessment, month: Option<Month>) -> Self {
        let volume = |(index, view): (usize, &VolumeView)| {
            Some(VolumeReach {
                volume: view.name.clone(),
                alone: reach::alone(assessment, index)?,
                together: reach::together(assessment, index)?,
            })
        };
        let Held { caps, lifts } = Held::of(assessment);
        Self {
            refused: refused(assessment).into_iter().map(Refusal::from).collect(),
            volumes: assessment
                .volumes
                .iter()
                .enumerate()
                .filter_map(volume)
                .collect(),
            total: TotalReach::of(assessment),
            lifts_every_cap: lifts,
            caps,
            month,
        }
    }

    /// Whether the volumes can be deployed and no ceiling holds them back.
    #[must_use]
    pub fn lets_all_through(&self) -> bool {
        self.refused.is_empty() && self.lifts_every_cap == Some(true)
    }
}

impl TotalReach {
    fn of(assessment: &Assessment) -> Option<Self> {
        let (iops, mbps) = assessment.headline()?;
        let pair = |total: &PhasePair<Total>, part: fn(&Total) -> Option<f64>| {
            let sum = |total: &Total| Sum {
                value: part(total),
                at_most: total.at_most,
            };
            PhasePair {
                burst: sum(&total.burst),
                sustained: sum(&total.sustained),
            }
        };
        Some(Self {
            iops: pair(&iops.total, |total| total.iops),
            mbps: pair(&mbps.total, |total| total.mbps),
        })
    }
}

/// The rows whose size lets everything through.
fn lifting(rows: &[SizeRow]) -> impl Iterator<Item = &SizeRow> {
    rows.iter().filter(|row| {
        let reach = row.reach.as_ref();
        reach.is_some_and(SizeReach::lets_all_through)
    })
}

fn price(row: &SizeRow) -> Option<f64> {
    Some(row.size.month.as_ref()?.fixed?.amount)
}

fn first_lifting(rows: &[SizeRow]) -> Option<String> {
    let memory = |row: &SizeRow| row.size.memory_gib.map_or(f64::INFINITY, GiB::get);
    let cost = |row: &SizeRow| price(row).unwrap_or(f64::INFINITY);
    lifting(rows)
        .min_by(|a, b| {
            (a.size.vcpus.cmp(&b.size.vcpus))
                .then(memory(a).total_cmp(&memory(b)))
                .then(cost(a).total_cmp(&cost(b)))
        })
        .map(|row| row.size.label())
}

fn cheapest_lifting(rows: &[SizeRow]) -> Option<String> {
    lifting(rows)
        .filter_map(|row| Some((row, price(row)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(row, _)| row.size.label())
}
