//! VM sizes side by side, and what disks reach on each.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::{self, Month};
use super::disks::refused;
use super::reach::{self, LoadPair, Reach};
use super::size::SizeView;
use crate::catalog::price::{BookInfo, PriceBook, VmOffer};
use crate::catalog::{Axis, Catalog, DataInfo, Limits, VmSize};
use crate::deployment::HostCaching;
use crate::deployment::request::{PlanError, PlanRequest};
use crate::planner::assessment::{CeilingName, CeilingUse, PhasePair, Total, VolumeView};
use crate::planner::{Assessment, Finding, Outcome, assess};
use crate::units::{GiB, Iops};
use crate::workload::{Demand, Io};

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
        let uses = ceilings(assessment);
        let uses: Vec<CeilingUse> = uses
            .into_iter()
            .filter(|row| row.ceiling != CeilingName::Cached || is_cached(assessment))
            .collect();
        let mut caps = hits(&uses);
        caps.extend(beside_local(assessment, &caps));
        let unmet = unmet_local(assessment);
        caps.extend(unmet.iter().filter_map(UnmetLocal::cap));
        let unknown = uses
            .iter()
            .any(|row| row.capacity.is_none() && row.asked.sustained != Some(0.0));
        Self {
            refused: refused(assessment).into_iter().map(Refusal::from).collect(),
            volumes: assessment
                .volumes
                .iter()
                .enumerate()
                .filter_map(volume)
                .collect(),
            total: TotalReach::of(assessment),
            lifts_every_cap: if !caps.is_empty() || !unmet.is_empty() {
                Some(false)
            } else if unknown {
                None
            } else {
                Some(true)
            },
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

/// Whether the host cache serves a volume. A local disk is held by the same ceiling, and that is its own limit: without a
/// demand it holds nothing back.
fn is_cached(assessment: &Assessment) -> bool {
    let volumes = assessment.volumes.iter();
    volumes
        .filter(|view| !view.family.is_local())
        .any(|view| view.caching != HostCaching::None)
}

/// How the ceilings stand under the headline workloads, each once a workload.
fn ceilings(assessment: &Assessment) -> Vec<CeilingUse> {
    let Some((iops, mbps)) = assessment.headline() else {
        return Vec::new();
    };
    let second = (iops.name != mbps.name).then_some(&mbps.ceilings);
    iops.ceilings
        .iter()
        .chain(second.into_iter().flatten())
        .copied()
        .collect()
}

/// The ceilings of which more is asked than they have, each where most is asked of it.
fn hits(uses: &[CeilingUse]) -> Vec<CapHit> {
    let mut hits: Vec<CapHit> = Vec::new();
    for hit in uses.iter().filter_map(CapHit::of) {
        let same = |known: &&mut CapHit| (known.ceiling, known.axis) == (hit.ceiling, hit.axis);
        match hits.iter_mut().find(same) {
            Some(known) if hit.weight() > known.weight() => *known = hit,
            Some(_) => {}
            None => hits.push(hit),
        }
    }
    hits
}

/// The ceilings that have room for what is cached, and hold it back all the same: a local disk takes all it gets of them.
fn beside_local(assessment: &Assessment, known: &[CapHit]) -> Vec<CapHit> {
    let mut found: Vec<CapHit> = Vec::new();
    let Some((iops, mbps)) = assessment.headline() else {
        return found;
    };
    for workload in [iops, mbps] {
        for (view, result) in assessment.volumes.iter().zip(&workload.volumes) {
            let (alone, together) = (&result.alone.sustained, &result.together.sustained);
            let less = |(one, other): (Iops, Iops)| one.get() < other.get() * (1.0 - 1e-9);
            let is_held =
                together.iops.zip(alone.iops).is_some_and(less) && !view.family.is_local();
            let Some((ceiling, axis)) = (together.bottleneck.ceiling())
                .zip(together.bottleneck.axis())
                .filter(|_| is_held)
            else {
                continue;
            };
            let same = |hit: &CapHit| (hit.ceiling, hit.axis) == (ceiling, axis);
            let row = |row: &&CeilingUse| (row.ceiling, row.axis) == (ceiling, axis);
            let capacity = workload.ceilings.iter().find(row).and_then(|r| r.capacity);
            if let Some(capacity) = capacity
                && !known.iter().chain(&found).any(same)
            {
                found.push(CapHit {
                    ceiling,
                    axis,
                    capacity,
                    asked: None,
                });
            }
        }
    }
    found
}

/// A demand of a local disk that the size does not meet.
struct UnmetLocal {
    outcome: Outcome,
    io: Io,
    capacity: Option<f64>,
}

impl UnmetLocal {
    /// The ceiling that stops it; `None` where it is a limit of the disk itself.
    fn cap(&self) -> Option<CapHit> {
        let (ceiling, axis) = self
            .outcome
            .bottleneck
            .ceiling()
            .zip(self.outcome.bottleneck.axis())?;
        let iops = self.io.demand.iops(self.io.block_size)?;
        Some(CapHit {
            ceiling,
            axis,
            capacity: self.capacity?,
            asked: Some(match axis {
                Axis::Iops => iops.get(),
                Axis::Mbps => iops.throughput(self.io.block_size).get(),
            }),
        })
    }
}

/// The local disks that get less than was asked of them by number, each by itself.
fn unmet_local(assessment: &Assessment) -> Vec<UnmetLocal> {
    let Some((iops, mbps)) = assessment.headline() else {
        return Vec::new();
    };
    let workloads = if iops.name == mbps.name {
        vec![iops]
    } else {
        vec![iops, mbps]
    };
    let unmet = workloads.into_iter().flat_map(|workload| {
        let volumes = assessment.volumes.iter().zip(&workload.volumes);
        let asked = volumes
            .filter(|(view, result)| view.family.is_local() && result.io.demand != Demand::Max);
        asked.filter_map(|(_, result)| {
            let outcome = result.alone.sustained;
            let axis = outcome.bottleneck.axis()?;
            let row = |row: &&CeilingUse| {
                (Some(row.ceiling), row.axis) == (outcome.bottleneck.ceiling(), axis)
            };
            Some(UnmetLocal {
                outcome,
                io: result.io,
                capacity: workload
                    .ceilings
                    .iter()
                    .find(row)
                    .and_then(|row| row.capacity),
            })
        })
    });
    unmet.collect()
}

impl CapHit {
    /// The ceiling, where more is asked of it than it has (by more than rounding).
    fn of(row: &CeilingUse) -> Option<Self> {
        let hit = Self {
            ceiling: row.ceiling,
            axis: row.axis,
            capacity: row.capacity?,
            asked: row.asked.sustained,
        };
        (hit.weight() > hit.capacity * (1.0 + 1e-9)).then_some(hit)
    }

    fn weight(&self) -> f64 {
        self.asked.unwrap_or(f64::INFINITY)
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
