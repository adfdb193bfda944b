//! What on-demand bursting costs, beside the performance tier that would do as much.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Simulation;
use super::paid::PaidBurst;
use crate::catalog::price::{
    Bill, BilledDisk, DiskMeter, DiskUse, HOURS_PER_MONTH, Money, PriceBook, PriceUnit, Priced,
    Total, VmOffer,
};
use crate::catalog::{BurstKind, Catalog, DiskRequest};
use crate::deployment::{Deployment, Disk};
use crate::planner::assess::assess;
use crate::planner::findings::FindingId;
use crate::planner::money;

/// What disks with on-demand bursting cost, all of them together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BurstCost {
    /// Enablement and burst transactions of the time that was simulated.
    pub simulated: Total,
    /// A month of the disks with their bursting, if the simulated time repeats throughout it. A month has 730 hours.
    pub month: Total,
    /// A month of the disks set to the sufficient performance tier instead; `None` where there is none.
    pub tier_month: Option<Total>,
}

/// Puts prices to the on-demand bursting of a simulation, and what they say into its findings.
pub fn price(
    catalog: &Catalog,
    deployment: &Deployment,
    book: &PriceBook,
    simulation: &mut Simulation,
) {
    let seconds = simulation.seconds;
    for paid in &mut simulation.paid_bursts {
        let disk = bursting_disk(deployment, paid);
        paid.cost = disk.map(|disk| cost(catalog, book, paid, disk, seconds));
    }
    simulation.prices = Some(book.info().clone());
    name_costs(simulation);
}

/// Adds to a simulation what the VM, bought as `offer`, and the disks cost a month, whatever the workload; fixes that name a
/// size of another series name the cheapest then.
pub fn price_month(
    catalog: &Catalog,
    deployment: &Deployment,
    book: &PriceBook,
    offer: VmOffer,
    simulation: &mut Simulation,
) {
    let mut assessment = assess(catalog, deployment, &[]);
    money::price(catalog, deployment, book, offer, &mut assessment);
    for finding in &mut simulation.findings {
        let mut priced = assessment.findings.iter();
        let same = priced.find(|of| of.id == finding.id && of.subject == finding.subject);
        if let Some(same) = same.filter(|same| same.message == finding.message) {
            finding.fix.clone_from(&same.fix);
        }
    }
    simulation.cost = assessment.cost;
}

/// A disk that `paid` is about.
fn bursting_disk<'a>(deployment: &'a Deployment, paid: &PaidBurst) -> Option<&'a Disk> {
    let volume = &deployment.volumes[deployment.position(&paid.volume)?];
    let pays = |disk: &&Disk| {
        let on_demand = disk
            .model
            .burst
            .is_some_and(|burst| burst.kind == BurstKind::OnDemand);
        on_demand && disk.model.label == paid.sku
    };
    volume.members.iter().find(pays)
}

fn cost(
    catalog: &Catalog,
    book: &PriceBook,
    paid: &PaidBurst,
    disk: &Disk,
    seconds: f64,
) -> BurstCost {
    let disks = paid.disks as f64;
    let billed = BilledDisk::of(catalog, &disk.spec.request, &disk.model);
    let bill = |transactions: f64| {
        let used = DiskUse {
            burst_transactions: Some(transactions / disks),
            ..DiskUse::default()
        };
        book.disk_bill(&billed, &used)
    };
    let a_month = paid.transactions * HOURS_PER_MONTH * 3600.0 / seconds;
    let tier = paid.sufficient_tier.as_ref().and_then(|tier| {
        let request = DiskRequest {
            performance_tier: Some(tier.clone()),
            on_demand_burst: false,
            ..disk.spec.request.clone()
        };
        let model = catalog.disk(&request).ok()?.model;
        let billed = BilledDisk::of(catalog, &request, &model);
        Some(book.disk_bill(&billed, &DiskUse::default()).total())
    });
    BurstCost {
        simulated: bursting_only(bill(paid.transactions), paid.enabled_hours / disks).times(disks),
        month: bill(a_month).total().times(disks),
        tier_month: tier.map(|total| total.times(disks)),
    }
}

/// The part of `bill` that is for bursting, enablement taking `hours`.
fn bursting_only(bill: Bill, hours: f64) -> Total {
    let is_burst = |what: &Priced| matches!(what, Priced::Disk(DiskMeter::Burst { .. }));
    let lines = bill.lines.iter().filter(|line| is_burst(&line.what));
    let amounts = lines.map(|line| match line.unit {
        PriceUnit::TenThousand => line.per_month.amount,
        _ => line.per_month.amount * hours / HOURS_PER_MONTH,
    });
    // The sum of nothing is -0, which is not for people.
    let amount = amounts.fold(0.0, |sum, amount| sum + amount);
    Total {
        known: Money::new(amount, bill.currency),
        missing: bill.total().missing,
    }
}

/// Adds to the findings of on-demand bursting what it costs, and what the tier would cost.
fn name_costs(simulation: &mut Simulation) {
    let paid_bursts = &simulation.paid_bursts;
    let findings = simulation.findings.iter_mut();
    for finding in findings.filter(|f| f.id == FindingId::PaidBurst) {
        let Some(paid) = paid_bursts.iter().find(|p| p.volume == finding.subject) else {
            continue;
        };
        let Some(cost) = &paid.cost else { continue };
        if !cost.simulated.is_complete() {
            finding
                .message
                .push_str("; what that costs is not in these prices");
            continue;
        }
        finding.message.push_str(&format!(
            "; that is {} in this time, and {} a month with the disk itself if it goes on so",
            cost.simulated, cost.month
        ));
        finding.fix = verdict(paid, cost).or(finding.fix.take());
    }
}

/// Whether the tier or bursting costs less, where both are known.
fn verdict(paid: &PaidBurst, cost: &BurstCost) -> Option<String> {
    let tier = paid.sufficient_tier.as_ref()?;
    let (bursting, set) = (
        cost.month.complete()?,
        cost.tier_month.as_ref()?.complete()?,
    );
    Some(if set.amount < bursting.amount {
        format!("set performance tier {tier} instead: it does as much for {set} a month")
    } else {
        format!("keep bursting: performance tier {tier} does as much for {set} a month")
    })
}
