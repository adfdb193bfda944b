//! On-demand bursting: burst transactions, hours of enablement, and the performance tier that would do instead.
//!
//! The published rule: a burst transaction is an I/O above the provisioned IOPS, or a unit of data above the provisioned
//! MB/s ([`BURST_TRANSACTIONS_PER_MB`]), whichever are more in that second. Only I/Os that reach the disk count, not what the host cache answers; an I/O
//! that counts as several against the disk's IOPS counts as several here.
//!
//! The rule takes the larger of the two second by second. Here it is taken for each stretch of constant rates, which
//! is the same wherever the rates of a whole second are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine::{Bucket, SAME};
use super::money::BurstCost;
use super::record::are_twins;
use crate::catalog::price::transactions::BURST_TRANSACTIONS_PER_MB;
use crate::catalog::{Axis, BurstKind, Catalog, DiskModel, DiskRequest, Limits};
use crate::deployment::{Deployment, Disk, DiskSpec};
use crate::planner::system::{Place, System};
use crate::units::{Iops, MBps};

/// The number of burst transactions that a price is for.
pub const BILLED_UNIT: f64 = 10_000.0;

/// Seconds of an hour: enablement is billed by the hour.
const HOUR: f64 = 3600.0;

/// A disk with on-demand bursting, or several equal ones of a stripe, over the whole time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaidBurst {
    /// The volume's name.
    pub volume: String,
    /// How many equal disks of it this is about.
    pub disks: usize,
    /// What each disk is.
    pub sku: String,
    /// What each disk does without bursting.
    pub provisioned: Limits,
    /// The most that each disk did.
    pub peak: Limits,
    /// For how long it burst.
    pub seconds: f64,
    /// Burst transactions, all disks together.
    pub transactions: f64,
    /// The same in billed units of 10,000. The fraction of a unit is kept: meters count parts of their unit.
    pub billed_units: f64,
    /// Hours that enablement is billed for, all disks together: every hour begun. Enablement is billed whether the disk
    /// bursts or not.
    pub enabled_hours: f64,
    /// The lowest performance tier without bursting that would do as much as the peak; `None` where no tier would.
    pub sufficient_tier: Option<String>,
    /// The same disk with performance plus, as a spec, where that does as much as the peak without bursting.
    #[serde(default)]
    pub sufficient_plus: Option<String>,
    /// What it costs; `None` where prices were not asked for.
    pub cost: Option<BurstCost>,
}

/// Counts the burst transactions of one disk.
pub(super) struct Meter {
    place: Place,
    /// The disk's IOPS resource; its MB/s resource follows it.
    resource: usize,
    disks: usize,
    iops: f64,
    mbps: f64,
    peak: [f64; 2],
    seconds: f64,
    transactions: f64,
}

/// A meter for each disk with on-demand bursting; equal members of a volume share one.
pub(super) fn meters(deployment: &Deployment, system: &System) -> Vec<Meter> {
    let mut meters: Vec<Meter> = Vec::new();
    for (index, resource) in system.resources.iter().enumerate() {
        let Some(disk) = disk_at(deployment, resource.place) else {
            continue;
        };
        let pays = disk
            .model
            .burst
            .is_some_and(|b| b.kind == BurstKind::OnDemand);
        if !pays || resource.axis != Axis::Iops {
            continue;
        }
        match meters
            .iter_mut()
            .find(|known| are_twins(deployment, known.place, resource.place))
        {
            Some(known) => known.disks += 1,
            None => meters.push(Meter {
                place: resource.place,
                resource: index,
                disks: 1,
                iops: disk.model.base.on(Axis::Iops).unwrap_or(f64::INFINITY),
                mbps: disk.model.base.on(Axis::Mbps).unwrap_or(f64::INFINITY),
                peak: [0.0; 2],
                seconds: 0.0,
                transactions: 0.0,
            }),
        }
    }
    meters
}

fn disk_at(deployment: &Deployment, place: Place) -> Option<&Disk> {
    match place {
        Place::Disk { volume, member } => deployment.volumes.get(volume)?.members.get(member),
        _ => None,
    }
}

impl Meter {
    /// Counts `seconds` at the rates that the resources carry.
    pub(super) fn pass(&mut self, seconds: f64, buckets: &[Bucket]) {
        let used = [buckets[self.resource].used, buckets[self.resource + 1].used];
        for (peak, used) in self.peak.iter_mut().zip(used) {
            *peak = peak.max(used);
        }
        let rate = transactions_per_second(used, [self.iops, self.mbps]);
        if rate > 0.0 {
            self.seconds += seconds;
            self.transactions += rate * seconds;
        }
    }

    /// What the meter says at the end of `seconds`; `deployment` has the host caching that is advised, as what is named in
    /// place of bursting is to have it.
    pub(super) fn read(
        &self,
        catalog: &Catalog,
        deployment: &Deployment,
        seconds: f64,
    ) -> Option<PaidBurst> {
        let Place::Disk { volume, .. } = self.place else {
            return None;
        };
        let disk = disk_at(deployment, self.place)?;
        let disks = self.disks as f64;
        let [iops, mbps] = self.peak;
        let peak = Limits {
            iops: Iops::new(iops).ok(),
            mbps: MBps::new(mbps).ok(),
        };
        let transactions = self.transactions * disks;
        Some(PaidBurst {
            volume: deployment.volumes[volume].name.clone(),
            disks: self.disks,
            sku: disk.model.label.clone(),
            provisioned: disk.model.base,
            peak,
            seconds: self.seconds,
            transactions,
            billed_units: transactions / BILLED_UNIT,
            enabled_hours: (seconds / HOUR).ceil() * disks,
            sufficient_tier: sufficient_tier(catalog, disk, peak),
            sufficient_plus: sufficient_plus(catalog, disk, peak),
            cost: None,
        })
    }
}

/// Burst transactions a second of a disk that does `used` and is provisioned for `base` (IOPS, MB/s).
fn transactions_per_second(used: [f64; 2], base: [f64; 2]) -> f64 {
    let above = |axis: usize| {
        let above = used[axis] - base[axis];
        if above > SAME * base[axis] {
            above
        } else {
            0.0
        }
    };
    above(0).max(above(1) * BURST_TRANSACTIONS_PER_MB)
}

/// The lowest performance tier of the disk's size that does `peak` without bursting.
fn sufficient_tier(catalog: &Catalog, disk: &Disk, peak: Limits) -> Option<String> {
    catalog.tiers().of(disk.model.family).find_map(|tier| {
        let request = DiskRequest {
            performance_tier: Some(tier.name.clone()),
            on_demand_burst: false,
            ..disk.spec.request.clone()
        };
        sustaining(catalog, &request, peak)?.tier
    })
}

/// The disk with performance plus in place of bursting, as a spec, where that does `peak`.
fn sufficient_plus(catalog: &Catalog, disk: &Disk, peak: Limits) -> Option<String> {
    let request = DiskRequest {
        performance_tier: None,
        performance_plus: true,
        on_demand_burst: false,
        ..disk.spec.request.clone()
    };
    sustaining(catalog, &request, peak)?;
    let spec = DiskSpec {
        caching: disk.spec.caching,
        os: disk.spec.os,
        ..DiskSpec::new(request)
    };
    Some(spec.to_string())
}

/// The disk of `request`, where there is such a one and its base limits are enough for `peak`.
fn sustaining(catalog: &Catalog, request: &DiskRequest, peak: Limits) -> Option<DiskModel> {
    let resolved = catalog.disk(request).ok()?;
    let base = resolved.model.base;
    let enough = |axis| base.on(axis) >= peak.on(axis).map(|p| p * (1.0 - SAME));
    let allowed = resolved.violations.is_empty();
    (allowed && enough(Axis::Iops) && enough(Axis::Mbps)).then_some(resolved.model)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P30: [f64; 2] = [5000.0, 200.0];

    /// Azure, managed disk bursting, second billing example: 10,000 IOPS and 300 MB/s for five seconds, then
    /// 6,000 IOPS and 600 MB/s for five seconds: max(5,000, 400) x 5 and max(1,000, 1,600) x 5.
    #[test]
    fn whichever_counts_more_is_billed() {
        assert_eq!(
            transactions_per_second([10_000.0, 300.0], P30) * 5.0,
            25_000.0
        );
        assert_eq!(transactions_per_second([6000.0, 600.0], P30) * 5.0, 8000.0);
    }

    #[test]
    fn at_or_below_the_provisioned_figures_nothing_is_billed() {
        assert_eq!(
            transactions_per_second([5000.0, 200.000_000_000_1], P30),
            0.0
        );
        assert_eq!(transactions_per_second([0.0, 0.0], P30), 0.0);
    }
}
