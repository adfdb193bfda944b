//! What a deployment costs a month, what of it cannot be used, and what else would deliver the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assessment::{Assessment, VmView, VolumeView};
use super::findings::spend::{DISKS_ENOUGH, SHARES};
use super::findings::suggest::Prices;
use super::findings::{self, FindingId};
use super::latency::slower_read;
use super::unusable::bursting;
use crate::catalog::price::{
    Alternative, Bill, BillLine, BilledDisk, BookInfo, DiskUse, HOURS_PER_MONTH, Layout,
    MissingPrice, Money, Need, PriceBook, Total, VmOffer, WhyMissing, alternatives,
};
use crate::catalog::{BurstKind, Catalog, DiskModel, Limits};
use crate::deployment::{Deployment, Disk, DiskSpec, HostCaching, Role, Volume};
use crate::units::{Iops, MBps};

/// The cost of a deployment. Months have 730 hours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// Which prices these are.
    pub prices: BookInfo,
    /// The VM; `None` when only disks were looked at.
    pub vm: Option<VmCost>,
    /// The volumes, in the order of the assessment.
    pub volumes: Vec<VolumeCost>,
    /// VM and volumes together.
    pub total: Total,
}

/// The cost of the VM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VmCost {
    /// How it is bought.
    pub offer: VmOffer,
    /// A month of it; `None` when the region has no price for the size.
    pub month: Option<Total>,
    /// Why there is no price.
    pub why_not: Option<String>,
}

/// The cost of one volume, all members together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeCost {
    /// The volume's name.
    pub volume: String,
    /// A month of it.
    pub month: Total,
    /// How many disks it is made of.
    pub members: usize,
    /// Whether they are all the same.
    pub members_are_alike: bool,
    /// The parts of the bill of one member, the first where they differ.
    pub parts_of_a_member: Vec<Part>,
    /// What a month of the performance costs that the VM does not let through, credit buckets empty. `None` where some
    /// is not let through and no smaller setting would save anything.
    pub unusable_sustained: Option<Total>,
    /// The same with credit buckets full.
    pub unusable_burst: Option<Total>,
    /// A month per 1,000 effective IOPS: what the volume by itself sustains on this VM.
    pub per_1000_effective_iops: Option<Money>,
    /// A month per effective MB/s.
    pub per_effective_mbps: Option<Money>,
    /// Other ways to provision the same capacity, IOPS and MB/s for less, cheapest first; only those whose whole price
    /// is known.
    pub alternatives: Vec<Way>,
}

/// One part of a bill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// What it is for.
    pub what: String,
    /// How many units.
    pub quantity: f64,
    /// The price of one unit.
    pub unit_price: Money,
    /// How many hours of a month are billed, where the price is one by the hour.
    pub hours: Option<f64>,
    /// A month of it: quantity x unit price, x hours.
    pub month: Money,
}

impl From<BillLine> for Part {
    fn from(line: BillLine) -> Self {
        Self {
            what: line.what.to_string(),
            quantity: line.quantity,
            unit_price: line.unit_price,
            hours: line.unit.is_by_the_hour().then_some(HOURS_PER_MONTH),
            month: line.per_month,
        }
    }
}

/// Another way to provision the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// What kind of way it is.
    pub way: String,
    /// The disks, as a spec; `None` when the way cannot deliver it.
    pub spec: Option<String>,
    /// How many disks they are; `None` when the way cannot deliver it.
    #[serde(default)]
    pub disks: Option<u32>,
    /// A month of them.
    pub month: Option<Total>,
    /// What they deliver, or why they cannot.
    pub reason: String,
}

/// Puts prices to an assessment: its cost, and what the findings of unusable performance waste.
///
/// # Panics
/// Never: every amount comes from one book, so currencies do not mix.
pub fn price(
    catalog: &Catalog,
    deployment: &Deployment,
    book: &PriceBook,
    offer: VmOffer,
    assessment: &mut Assessment,
) {
    let vm = deployment
        .vm
        .as_ref()
        .map(|vm| vm_cost(book, &vm.name, offer));
    let volumes: Vec<VolumeCost> = deployment
        .volumes
        .iter()
        .zip(&assessment.volumes)
        .map(|(volume, view)| {
            let effective = effective(assessment, &view.name);
            volume_cost(
                catalog,
                book,
                volume,
                view,
                effective,
                room_for(deployment, volume),
            )
        })
        .collect();
    let parts = volumes.iter().map(|v| &v.month);
    let vm_month = vm.iter().filter_map(|vm| vm.month.as_ref());
    let mut total = sum(book, parts.chain(vm_month));
    if let (Some(size), Some(VmCost { month: None, .. })) = (&deployment.vm, &vm) {
        total.miss(missing_vm(&size.name));
    }
    name_waste(catalog, deployment, &volumes, &mut assessment.findings);
    if deployment.is_planned() {
        name_raised(&mut assessment.findings, &volumes);
    }
    findings::name_cheapest(catalog, deployment, Prices { book, offer }, assessment);
    assessment.cost = Some(Cost {
        prices: book.info().clone(),
        vm,
        volumes,
        total,
    });
}

fn vm_cost(book: &PriceBook, size: &str, offer: VmOffer) -> VmCost {
    let (month, why_not) = match book.vm_bill(size, offer).map(|bill| bill.total()) {
        Ok(total) if total.known.amount > 0.0 => (Some(total), None),
        Ok(total) => (None, total.missing.first().map(ToString::to_string)),
        Err(error) => (None, Some(error.to_string())),
    };
    VmCost {
        offer,
        month,
        why_not,
    }
}

/// A VM of `size` whose price is not known, as what a sum misses.
fn missing_vm(size: &str) -> MissingPrice {
    MissingPrice {
        what: format!("VM {size}"),
        why: WhyMissing::NoPrice,
    }
}

impl Cost {
    /// Has a VM in it whose size the catalogue does not have, or that is not said: its price is unknown, and the sum
    /// is not whole without it.
    pub(crate) fn miss_unknown_vm(&mut self, offer: VmOffer, size: Option<&str>) {
        self.vm = Some(VmCost {
            offer,
            month: None,
            why_not: Some(match size {
                Some(size) => format!("The size {size} is not known"),
                None => "Its size is not said".to_owned(),
            }),
        });
        self.total
            .miss(missing_vm(size.unwrap_or("of unknown size")));
    }

    /// How many data disks there are with the widest of the other ways for every volume, and how many `vm` takes; `None`
    /// where it takes them, or does not even take those that there are.
    #[must_use]
    pub fn ways_beyond(&self, vm: &VmView) -> Option<(usize, usize)> {
        let most = vm.max_data_disks? as usize;
        let more = |volume: &VolumeCost| {
            let disks = volume.alternatives.iter().filter_map(|way| way.disks).max();
            disks.map_or(0, |disks| (disks as usize).saturating_sub(volume.members))
        };
        let disks = vm.data_disks + self.volumes.iter().map(more).sum::<usize>();
        (vm.data_disks <= most && disks > most).then_some((disks, most))
    }

    /// The same without the VM: one that is deallocated costs nothing but its disks.
    #[must_use]
    pub fn without_vm(mut self) -> Self {
        let zero = Total::zero(self.total.known.currency);
        self.vm = None;
        self.total =
            self.volumes
                .iter()
                .fold(zero, |sum, volume| match sum.clone().plus(&volume.month) {
                    Ok(more) => more,
                    Err(_) => sum,
                });
        self
    }
}

/// The sum of totals of one book; what one misses, the sum misses.
fn sum<'a>(book: &PriceBook, totals: impl Iterator<Item = &'a Total>) -> Total {
    let zero = Total::zero(book.currency());
    totals.fold(zero, |sum, total| match sum.clone().plus(total) {
        Ok(sum) => sum,
        Err(_) => sum,
    })
}

/// The most that a volume by itself sustains under any of the workloads.
fn effective(assessment: &Assessment, name: &str) -> Limits {
    let outcomes = assessment
        .workloads
        .iter()
        .flat_map(|w| &w.volumes)
        .filter(|r| r.volume == name)
        .map(|r| r.alone.sustained)
        // What is only an upper bound is no measure of what a month buys.
        .filter(|outcome| !outcome.at_most);
    outcomes.fold(Limits::UNKNOWN, |most, outcome| Limits {
        iops: outcome
            .iops
            .map(|i| most.iops.map_or(i, |m| m.max(i)))
            .or(most.iops),
        mbps: outcome
            .mbps
            .map(|i| most.mbps.map_or(i, |m| m.max(i)))
            .or(most.mbps),
    })
}

/// A month of a volume, all members together. What is billed by use is missing in it.
#[must_use]
pub fn volume_month(catalog: &Catalog, book: &PriceBook, volume: &Volume) -> Total {
    let members = volume.members.iter();
    let bills: Vec<Total> = members
        .map(|disk| disk_month(catalog, book, disk))
        .collect();
    sum(book, bills.iter())
}

/// A month of one disk. What is billed by use is missing in it.
#[must_use]
pub fn disk_month(catalog: &Catalog, book: &PriceBook, disk: &Disk) -> Total {
    bill(catalog, book, disk).total()
}

fn bill(catalog: &Catalog, book: &PriceBook, disk: &Disk) -> Bill {
    let billed = BilledDisk::of(catalog, &disk.spec.request, &disk.model);
    book.disk_bill(&billed, &DiskUse::default())
}

/// Whether any of it is known to be more than nothing.
fn is_some(limits: Limits) -> bool {
    limits.iops.is_some_and(|v| v.get() > 0.0) || limits.mbps.is_some_and(|v| v.get() > 0.0)
}

fn volume_cost(
    catalog: &Catalog,
    book: &PriceBook,
    volume: &Volume,
    view: &VolumeView,
    effective: Limits,
    most: u32,
) -> VolumeCost {
    let month = volume_month(catalog, book, volume);
    let part = 1.0 / volume.members.len() as f64;
    let is_free = month.complete().is_some_and(|month| month.amount == 0.0);
    let unusable = |beyond: Limits| {
        // Of what costs nothing, nothing is wasted, whatever passes.
        if is_free {
            return Some(Total::zero(book.currency()));
        }
        let each = Limits {
            iops: beyond.iops.and_then(|v| Iops::new(v.get() * part).ok()),
            mbps: beyond.mbps.and_then(|v| MBps::new(v.get() * part).ok()),
        };
        let wasted = |d: &Disk| book.unusable(catalog, &d.spec.request, &d.model, each);
        let wasted: Vec<Total> = volume.members.iter().map(wasted).collect();
        let mut wasted = sum(book, wasted.iter());
        if beyond.iops.is_none() || beyond.mbps.is_none() {
            wasted.missing.push(MissingPrice {
                what: "unusable performance".to_owned(),
                why: WhyMissing::NoSetting,
            });
        }
        let saves_nothing = wasted.is_complete() && wasted.known.amount == 0.0;
        (!saves_nothing || !is_some(beyond)).then_some(wasted)
    };
    let first = volume.members.first();
    VolumeCost {
        volume: volume.name.clone(),
        members: volume.members.len(),
        members_are_alike: volume
            .members
            .iter()
            .all(|d| Some(&d.model) == first.map(|f| &f.model)),
        parts_of_a_member: first.map_or_else(Vec::new, |d| {
            let lines = bill(catalog, book, d).lines;
            lines.into_iter().map(Part::from).collect()
        }),
        unusable_sustained: unusable(view.unusable_sustained),
        unusable_burst: unusable(view.unusable_burst),
        per_1000_effective_iops: effective.iops.and_then(|v| month.per(v.get() / 1000.0)),
        per_effective_mbps: effective.mbps.and_then(|v| month.per(v.get())),
        alternatives: ways(catalog, book, volume, view, &month, most),
        month,
    }
}

/// A way that does not save at least a twentieth is not worth the move.
const CHEAPER: f64 = 0.95;

/// The most disks that a suggested stripe has.
const MOST_DISKS: u32 = 16;

/// How many disks a suggested stripe in the place of `volume` may have.
fn room_for(deployment: &Deployment, volume: &Volume) -> u32 {
    let room = deployment.room_for(volume);
    let room = room.and_then(|room| u32::try_from(room).ok());
    room.map_or(MOST_DISKS, |room| room.clamp(1, MOST_DISKS))
}

fn ways(
    catalog: &Catalog,
    book: &PriceBook,
    volume: &Volume,
    view: &VolumeView,
    month: &Total,
    most_disks: u32,
) -> Vec<Way> {
    let first = volume.members.first().map(|member| &member.model);
    let on_demand = first.and_then(|m| m.burst).map(|b| b.kind) == Some(BurstKind::OnDemand);
    // What is paid for as a burst is part of what is provisioned.
    let provisioned = bursting(volume).filter(|_| on_demand);
    let provisioned = provisioned.unwrap_or(view.provisioned);
    let shares = volume.members.iter().map(|m| m.spec.request.max_shares);
    let shares = shares.max().unwrap_or(1);
    let need = || {
        let model = first?;
        if !model.family.is_tiered() && model.family.provisioned_rules().is_none() {
            return None;
        }
        Some(Need {
            size: view.size_gib?,
            iops: provisioned.iops?,
            block_size: None,
            mbps: provisioned.mbps?,
            redundancy: model.redundancy,
            max_shares: shares,
            hours: None,
            most_disks,
        })
    };
    let found = need().map(|need| alternatives(catalog, book, &need));
    let cheaper = |alternative: &Alternative| {
        let cost = alternative
            .layout
            .as_ref()
            .and_then(|layout| layout.cost.complete());
        cost.is_some_and(|cost| cost.amount < month.known.amount * CHEAPER)
    };
    let found = found.unwrap_or_default().into_iter();
    let replaces = |a: &Alternative| {
        a.layout
            .as_ref()
            .is_some_and(|l| takes_the_place(volume, l))
    };
    let found = found.filter(cheaper).filter(replaces);
    let caching = volume.members.first().map(Disk::effective_caching);
    found
        .map(|found| {
            let slower = found.layout.as_ref().and_then(|l| slower(first?, &l.model));
            let mut way = way(found, caching.filter(|c| *c != HostCaching::None));
            way.reason.extend(slower);
            way
        })
        .collect()
}

/// That a read takes longer from `other` than from `present`, or that nobody knows whether it does.
fn slower(present: &DiskModel, other: &DiskModel) -> Option<String> {
    let read = |model: &DiskModel| model.latency.map(|figure| figure.read);
    let (now, then) = (read(present), read(other));
    let is_told = present.family != other.family || now.is_some() && then.is_some();
    let words = is_told.then(|| slower_read(now, then))??;
    Some(format!("; {words}"))
}

/// Whether `layout` can be what `volume` is: cached where that is, and one disk that boots where that boots.
fn takes_the_place(volume: &Volume, layout: &Layout) -> bool {
    let cached = |d: &Disk| d.effective_caching() != HostCaching::None;
    let boots = layout.disks == 1 && layout.model.family.can_be_os_disk();
    (layout.model.cacheable || !volume.members.iter().any(cached))
        && (boots || volume.role != Role::Os)
}

fn way(alternative: Alternative, caching: Option<HostCaching>) -> Way {
    let spec = alternative.layout.as_ref().map(|layout| {
        let mut spec = DiskSpec::new(layout.request.clone());
        spec.count = layout.disks;
        spec.caching = caching;
        spec.to_string()
    });
    Way {
        way: alternative.way.to_string(),
        spec,
        disks: alternative.layout.as_ref().map(|layout| layout.disks),
        month: alternative.layout.map(|layout| layout.cost),
        reason: alternative.reason,
    }
}

/// Why what cannot be used costs nothing, and what would save something all the same.
fn saves_nothing(cost: &VolumeCost, fewer_are_enough: bool) -> String {
    if fewer_are_enough && let Some(month) = cost.month.complete() {
        let each = month.times(1.0 / cost.members as f64);
        return format!(
            "; a smaller setting of its disks saves nothing, each disk fewer saves {each} a month"
        );
    }
    let of_members = if cost.members > 1 {
        " of its disks"
    } else {
        ""
    };
    format!("; the size{of_members} sets what is paid, a smaller setting saves nothing")
}

/// Adds to the findings of unusable performance what it costs.
fn name_waste(
    catalog: &Catalog,
    deployment: &Deployment,
    costs: &[VolumeCost],
    findings: &mut [super::Finding],
) {
    // What other VMs may use of a shared disk is no waste.
    let is_waste = |of: &&mut super::Finding| {
        of.id == FindingId::Unusable && !of.figures.iter().any(|figure| figure.name == SHARES)
    };
    for finding in findings.iter_mut().filter(is_waste) {
        let mut volumes = deployment.volumes.iter().zip(costs);
        let Some((volume, cost)) = volumes.find(|(volume, _)| volume.name == finding.subject)
        else {
            continue;
        };
        let wasted = match is_never_usable(finding) {
            true => &cost.unusable_burst,
            false => &cost.unusable_sustained,
        };
        match wasted {
            Some(wasted) => add_waste(catalog, deployment, volume, wasted.known, finding),
            None => {
                let fewer = finding.figures.iter().any(|of| of.name == DISKS_ENOUGH);
                finding.message.push_str(&saves_nothing(cost, fewer));
            }
        }
    }
}

/// Whether some of what a finding says is unusable never passes, not even in burst.
fn is_never_usable(finding: &super::Finding) -> bool {
    let mut figures = finding.figures.iter();
    figures.any(|figure| figure.name == "unusable_burst" && figure.value > 0.0)
}

/// Adds to a finding of unusable performance of `volume` what a month of it costs, where that is something. Only what is
/// never let through is money that a smaller setting saves, and a figure; what burst credit lets through is paid for
/// something. What a raised tier of a deployed disk costs is told of that tier.
pub(crate) fn add_waste(
    catalog: &Catalog,
    deployment: &Deployment,
    volume: &Volume,
    wasted: Money,
    finding: &mut super::Finding,
) {
    let is_raised = |disk: &Disk| catalog.tiers().is_raised(&disk.model);
    let words = match is_never_usable(finding) {
        _ if wasted.amount <= 0.0 => return,
        _ if !deployment.is_planned() && volume.members.iter().any(is_raised) => {
            format!("; {} says what its tier costs", FindingId::TierRaised)
        }
        true => {
            finding.figures.push(super::findings::Figure {
                name: "unusable_cost_per_month".to_owned(),
                value: wasted.amount,
                unit: wasted.currency.to_string(),
            });
            format!("; a month of what never passes costs {wasted}")
        }
        false => format!(
            "; a month of it costs {wasted}, which is no waste as long as these bursts are used, and in no sum"
        ),
    };
    finding.message.push_str(&words);
}

/// Adds to the findings of a tier that is raised for nothing what a month costs less without it. Of what is deployed that
/// is said with every disk.
fn name_raised(findings: &mut [super::Finding], volumes: &[VolumeCost]) {
    let raised = |of: &&mut super::Finding| of.id == FindingId::TierRaised;
    for finding in findings.iter_mut().filter(raised) {
        let of_volume = volumes.iter().find(|v| v.volume == finding.subject);
        let less = of_volume.and_then(|cost| cost.unusable_burst.as_ref());
        let less = less.map(|less| less.known).filter(|less| less.amount > 0.0);
        if let (Some(less), Some(fix)) = (less, &mut finding.fix) {
            fix.push_str(&format!(": {less} a month less"));
            finding.figures.push(super::findings::Figure {
                name: "saving_per_month".to_owned(),
                value: less.amount,
                unit: less.currency.to_string(),
            });
        }
    }
}
