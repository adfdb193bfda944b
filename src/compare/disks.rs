//! Disks side by side.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::{self, Month};
use super::families;
use super::reach::{self, LoadPair, Reach};
use super::size::SizeView;
use crate::catalog::price::{BookInfo, Money, PriceBook, VmOffer};
use crate::catalog::{Burst, BurstKind, Catalog, DataInfo, DiskModel, Family, Limits, Redundancy};
use crate::deployment::request::{Plan, PlanError, PlanRequest};
use crate::deployment::{Deployment, DiskSpec, free_name};
use crate::planner::assessment::{QueueDepth1, VolumeView};
use crate::planner::{Assessment, Bottleneck, Finding, Phase, Severity, System, assess, evaluate};
use crate::units::{BlockSize, GiB, Iops, MBps};
use crate::workload::Io;

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.compare-disks/1";

/// The block sizes that a disk's throughput is shown at.
pub const BLOCKS: [BlockSize; 3] = [BlockSize::KIB_8, BlockSize::KIB_64, BlockSize::MIB_1];

/// What a disk must have.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskNeed {
    /// Capacity, all disks of a stripe together.
    #[serde(rename = "capacity_gib")]
    pub capacity: Option<GiB>,
    /// I/Os a second, without bursting.
    pub iops: Option<Iops>,
    /// Bytes of one of these I/Os, or of those of the MB/s where no IOPS are asked; `None` leaves it to the workload, which
    /// without a word on it has 4 KiB for IOPS, and for MB/s I/Os as large as it takes.
    #[serde(rename = "block_size_bytes")]
    pub block_size: Option<BlockSize>,
    /// MB/s, without bursting.
    pub mbps: Option<MBps>,
    /// Over how many disks it may be striped.
    pub max_stripe: u32,
}

impl DiskNeed {
    /// Bytes of one of the I/Os: disks must carry them as MB/s, too.
    #[must_use]
    pub fn block_size(&self) -> BlockSize {
        self.block_size.unwrap_or(BlockSize::KIB_4)
    }

    /// The I/Os a second that disks must carry: those that are asked, else those that move the MB/s in blocks of the size
    /// that is asked; `None` where neither is.
    #[must_use]
    pub fn iops_to_carry(&self) -> Option<Iops> {
        let of_mbps = || Some(self.mbps?.iops_at(self.block_size?));
        self.iops.or_else(of_mbps)
    }

    /// With the block size of its IOPS said: where it has none of its own, that of the workload of `plan`.
    fn under(self, plan: &PlanRequest) -> Self {
        let of_profile = plan.profiles.first().map(|profile| profile.io.block_size);
        let of_workload = plan.settings.block_size.or(of_profile);
        let own = Self {
            block_size: self.block_size.or(of_workload),
            ..self
        };
        Self {
            block_size: match own.iops {
                Some(_) => Some(own.block_size()),
                None => own.block_size.filter(|_| own.mbps.is_some()),
            },
            ..own
        }
    }
}

/// What is to be compared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DiskQuestion<'a> {
    /// Disks as given.
    pub disks: Vec<DiskSpec>,
    /// What each family is asked for besides.
    pub need: Option<DiskNeed>,
    /// The VM that they are looked at on, its controller, the region and the workload; volumes in it are not looked at.
    pub plan: PlanRequest,
    /// The prices to show.
    pub book: Option<&'a PriceBook>,
    /// How the VM is bought.
    pub offer: VmOffer,
}

/// Disks side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskComparison {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// The prices shown; `None` where none were asked for.
    pub prices: Option<BookInfo>,
    /// The VM that the disks were looked at on.
    pub vm: Option<SizeView>,
    /// The workloads that they were looked at under there.
    pub loads: Option<LoadPair>,
    /// The region whose zones are shown.
    pub region: Option<String>,
    /// What each family was asked for.
    pub need: Option<DiskNeed>,
    /// The disks.
    pub disks: Vec<DiskRow>,
    /// The families that do not meet the need.
    pub unmet: Vec<Unmet>,
}

/// Why a disk is in the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Chosen {
    /// It was named.
    Given,
    /// It is what its family has for the capacity.
    Capacity,
    /// It is the cheapest setting of its family that meets the need.
    Cheapest,
    /// It is the smallest setting of its family that meets the need; the prices are not known.
    Smallest,
}

impl Chosen {
    /// The reason in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Given => "as given",
            Self::Capacity => "for the capacity",
            Self::Cheapest => "cheapest",
            Self::Smallest => "smallest (no price)",
        }
    }
}

/// A family that does not meet the need.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unmet {
    /// The family.
    pub family: Family,
    /// Why.
    pub reason: String,
}

/// One disk, or a stripe of equal ones. Figures are of all of them together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskRow {
    /// Its name: the one given, else what it is made of. Unique in the comparison.
    pub name: String,
    /// The specification, as it can be given again.
    pub spec: String,
    /// What it is made of: `P30`, `4 x P30`.
    pub sku: String,
    /// Its family.
    pub family: Family,
    /// Why it is here.
    pub chosen: Chosen,
    /// Number of disks.
    pub members: usize,
    /// Capacity.
    pub size_gib: Option<GiB>,
    /// What is provisioned.
    pub provisioned: Limits,
    /// The burst, where there is one.
    pub burst: Option<Burst>,
    /// What speaks against that burst, where no source says that such a disk has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_doubt: Option<String>,
    /// The most that it can be set to at its size, without bursting.
    pub most: Limits,
    /// One I/O at a time: latency and the ceiling that follows from it; `None` when the latency is unknown.
    pub queue_depth_1: Option<QueueDepth1>,
    /// What it moves at several block sizes, without bursting and without a VM.
    pub throughput: Vec<BlockRate>,
    /// The largest that it can be made: so many of the largest disk of the family.
    pub largest_gib: Option<GiB>,
    /// Whether it can be cached on the host.
    pub host_caching: bool,
    /// Its redundancy.
    pub redundancy: Redundancy,
    /// The redundancies that it is offered with.
    pub redundancies: Vec<Redundancy>,
    /// How many VMs may attach it at once.
    pub max_shares: Option<u32>,
    /// Whether it can hold an operating system.
    pub os_disk: bool,
    /// The zones of the region that are recorded to offer it (an empty list: without zones); `None` where nothing is
    /// recorded.
    pub zones: Option<Vec<u8>>,
    /// Whether the region offers it; `None` where nothing says. Only of a region whose list was read is it known what
    /// it does not offer.
    pub offered: Option<bool>,
    /// What it costs a month; `None` where no prices were asked for.
    pub month: Option<Month>,
    /// The month's fixed cost for each 1,000 provisioned IOPS.
    pub per_1000_iops: Option<Money>,
    /// What it cannot be used for, or what it needs.
    pub limits_of_use: Vec<String>,
    /// Why the provider would refuse it as it is asked for.
    pub refused: Vec<Finding>,
    /// What it comes to on the VM.
    pub on_vm: Option<OnVm>,
}

/// What a disk moves at one block size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlockRate {
    /// Bytes of one I/O.
    pub block_size_bytes: BlockSize,
    /// I/Os a second.
    pub iops: Option<Iops>,
    /// MB/s.
    pub mbps: Option<MBps>,
    /// Which limit of the disk stops it.
    pub bottleneck: Bottleneck,
}

/// What a disk comes to on a VM, with nothing else at work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OnVm {
    /// What it reaches.
    pub reach: Reach,
    /// What it is provisioned for beyond what the VM lets through, credit buckets empty.
    pub unusable: Limits,
    /// The month's fixed cost for each 1,000 IOPS that it reaches without bursting.
    pub per_1000_effective_iops: Option<Money>,
}

/// Puts disks side by side: those of the question, then one of each family for its need.
///
/// # Errors
/// [`PlanError`] when the VM is unknown or a disk cannot be understood. What the provider would refuse is said in
/// [`DiskRow::refused`].
pub fn compare_disks(
    catalog: &Catalog,
    question: &DiskQuestion<'_>,
) -> Result<DiskComparison, PlanError> {
    let PlanRequest { vm, interface, .. } = &question.plan;
    let vm = vm.as_deref().map(|name| catalog.vm(name, *interface));
    let vm = vm.transpose()?;
    let mut unmet = Vec::new();
    let mut wanted: Vec<(DiskSpec, Chosen)> = question
        .disks
        .iter()
        .map(|spec| (spec.clone(), Chosen::Given))
        .collect();
    let need = question.need.map(|need| need.under(&question.plan));
    if let Some(need) = &need {
        for answer in families::answers(catalog, question.book, need) {
            match answer {
                Ok(found) => wanted.push(found),
                Err(family) => unmet.push(family),
            }
        }
    }
    let mut rows = Rows::new(catalog, question);
    for (spec, chosen) in wanted {
        rows.add(spec, chosen)?;
    }
    Ok(DiskComparison {
        schema: SCHEMA.to_owned(),
        data: catalog.info().clone(),
        prices: question.book.map(|book| book.info().clone()),
        vm: vm.map(|vm| SizeView::new(vm, question.book, question.offer)),
        loads: rows.loads.clone().filter(|_| vm.is_some()),
        region: question.plan.region.clone(),
        need,
        disks: rows.named(),
        unmet,
    })
}

/// The rows so far.
struct Rows<'a> {
    catalog: &'a Catalog,
    question: &'a DiskQuestion<'a>,
    rows: Vec<DiskRow>,
    /// Of each row the keys of its spec.
    keys: Vec<Vec<String>>,
    loads: Option<LoadPair>,
}

impl<'a> Rows<'a> {
    const fn new(catalog: &'a Catalog, question: &'a DiskQuestion<'a>) -> Self {
        Self {
            catalog,
            question,
            rows: Vec::new(),
            keys: Vec::new(),
            loads: None,
        }
    }

    fn add(&mut self, spec: DiskSpec, chosen: Chosen) -> Result<(), PlanError> {
        let request = PlanRequest {
            volumes: vec![spec.clone().into()],
            ..self.question.plan.clone()
        };
        let plan = request.build(self.catalog)?;
        let assessment = assess(self.catalog, &plan.deployment, &plan.workloads);
        let volume = plan.deployment.volumes.first();
        let model = volume.and_then(|volume| Some(&volume.members.first()?.model));
        let (Some(view), Some(model)) = (assessment.volumes.first(), model) else {
            return Ok(());
        };
        let row = self.row((&spec, chosen), (view, model), &plan, &assessment);
        // What was named need not be shown again as the answer of its family.
        let again = |other: &DiskRow| {
            chosen != Chosen::Given
                && (&other.sku, other.size_gib, other.provisioned)
                    == (&row.sku, row.size_gib, row.provisioned)
        };
        if !self.rows.iter().any(again) {
            self.rows.push(row);
            self.keys.push(spec.keys());
        }
        self.loads = self.loads.take().or_else(|| LoadPair::of(&assessment));
        Ok(())
    }

    fn row(
        &self,
        (spec, chosen): (&DiskSpec, Chosen),
        (view, model): (&VolumeView, &DiskModel),
        plan: &Plan,
        assessment: &Assessment,
    ) -> DiskRow {
        let facts = self.catalog.facts(model);
        let disks = view.members as f64;
        let largest = facts
            .largest
            .and_then(|one| GiB::new(one.get() * disks).ok());
        let volume = plan.deployment.volumes.first();
        let month = volume
            .zip(self.question.book)
            .map(|(volume, book)| cost::of_volume(self.catalog, book, volume));
        let region = self.question.plan.region.as_deref();
        let zones = region.and_then(|region| {
            self.catalog
                .region_offers(region, model.family, model.redundancy)
        });
        DiskRow {
            name: made_of(spec, view),
            spec: spec.to_string(),
            sku: view.sku.clone(),
            family: view.family,
            chosen,
            members: view.members,
            size_gib: view.size_gib,
            provisioned: view.provisioned,
            burst: view.burst.map(|burst| Burst {
                limits: burst.limits.times(disks),
                ..burst
            }),
            burst_doubt: view.burst_doubt.clone(),
            most: facts.most.times(disks),
            queue_depth_1: view.queue_depth_1,
            throughput: BLOCKS.map(|block| rate(&plan.deployment, block)).to_vec(),
            largest_gib: largest,
            host_caching: model.cacheable,
            redundancy: model.redundancy,
            redundancies: facts.redundancies,
            max_shares: facts.max_shares,
            os_disk: model.family.can_be_os_disk(),
            zones: zones.map(<[u8]>::to_vec),
            offered: region
                .and_then(|region| self.catalog.offered(region, model.family, model.redundancy)),
            per_1000_iops: per_1000(month.as_ref(), view.provisioned.iops),
            on_vm: on_vm(view, assessment, month.as_ref()),
            month,
            limits_of_use: facts.limits_of_use,
            refused: refused(assessment),
        }
    }

    /// The rows, each with a name of its own: behind those that are made of the same stands what else their specs say,
    /// where they differ in it (`P30 cache=ro`); what is alike in everything is numbered.
    fn named(self) -> Vec<DiskRow> {
        let names: Vec<String> = self.rows.iter().map(|row| row.name.clone()).collect();
        let mut rows = self.rows;
        let mut taken = Vec::new();
        for (index, row) in rows.iter_mut().enumerate() {
            let alike = || {
                let same = names.iter().zip(&self.keys);
                same.filter(|(name, _)| **name == names[index])
                    .map(|(_, keys)| keys)
            };
            let own = self.keys[index].iter();
            let differing = own.filter(|key| !alike().all(|keys| keys.contains(key)));
            let words: Vec<&str> = std::iter::once(names[index].as_str())
                .chain(differing.map(String::as_str))
                .collect();
            row.name = free_name(&words.join(" "), &taken);
            taken.push(row.name.clone());
        }
        rows
    }
}

/// The name given, else what it is made of.
fn made_of(spec: &DiskSpec, view: &VolumeView) -> String {
    let bursts = view
        .burst
        .is_some_and(|burst| burst.kind == BurstKind::OnDemand);
    match &spec.name {
        Some(name) => name.clone(),
        None if bursts => format!("{} burst=on", view.sku),
        None => view.sku.clone(),
    }
}

/// The findings that keep a deployment from being made.
pub(super) fn refused(assessment: &Assessment) -> Vec<Finding> {
    let findings = assessment.findings.iter();
    findings
        .filter(|finding| finding.severity == Severity::Error)
        .cloned()
        .collect()
}

/// The month's fixed cost for each 1,000 of `iops`.
fn per_1000(month: Option<&Month>, iops: Option<Iops>) -> Option<Money> {
    month?.per(iops?.get() / 1000.0)
}

fn on_vm(view: &VolumeView, assessment: &Assessment, month: Option<&Month>) -> Option<OnVm> {
    assessment.vm.as_ref()?;
    let reach = reach::alone(assessment, 0)?;
    let reached = reach.iops.sustained;
    Some(OnVm {
        reach,
        unusable: view.unusable_sustained,
        per_1000_effective_iops: per_1000(month, reached.iops.filter(|_| !reached.at_most)),
    })
}

/// What the only volume of `deployment` moves at `block` without its VM and without bursting, one that is paid for
/// included.
fn rate(deployment: &Deployment, block: BlockSize) -> BlockRate {
    let mut bare = Deployment {
        vm: None,
        ..deployment.clone()
    };
    for disk in bare.volumes.iter_mut().flat_map(|v| &mut v.members) {
        disk.model.burst = None;
    }
    let io = Io {
        block_size: block,
        ..Io::RANDOM_4K
    };
    let system = System::alone(&bare, 0, &[io]);
    let outcome = evaluate(&system, Phase::Sustained)
        .outcomes
        .first()
        .copied();
    // A rate that an unknown limit may lower is not known.
    let known = outcome.filter(|outcome| !outcome.at_most);
    BlockRate {
        block_size_bytes: block,
        iops: known.and_then(|outcome| outcome.iops),
        mbps: known.and_then(|outcome| outcome.mbps),
        bottleneck: outcome.map_or(Bottleneck::Unknown, |outcome| outcome.bottleneck),
    }
}
