//! Break-even: the ways to get so much capacity, IOPS and MB/s, and what each of them costs.

use std::fmt;

use super::bill::{BilledDisk, DiskUse};
use super::book::PriceBook;
use super::meter::{BurstPart, DiskMeter};
use super::money::{Money, Total};
use super::transactions::burst_transactions_per_s;
use crate::catalog::azure::tiers::Tier;
use crate::catalog::{Catalog, DiskModel, DiskRequest, Family, Limits, Redundancy, Violation};
use crate::units::{BlockSize, GiB, Iops, MBps};

/// What is wanted of a volume.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Need {
    /// Capacity.
    pub size: GiB,
    /// I/Os a second.
    pub iops: Iops,
    /// Bytes of one of these I/Os, where disks must carry what they move as MB/s, too; `None` where the two limits are
    /// wanted, each by itself.
    pub block_size: Option<BlockSize>,
    /// MB/s.
    pub mbps: MBps,
    /// Redundancy.
    pub redundancy: Redundancy,
    /// On how many VMs each disk can be mounted.
    pub max_shares: u32,
    /// For how many hours of the month, where that is known. It matters to on-demand bursting only: everything else is
    /// paid for all the time.
    pub hours: Option<f64>,
    /// How many disks may be striped at most.
    pub most_disks: u32,
}

impl Need {
    /// The MB/s that disks must carry: those needed, or what the IOPS needed move, whichever is more.
    #[must_use]
    pub fn mbps_to_carry(&self) -> MBps {
        let moved = self.block_size.map(|block| self.iops.throughput(block));
        moved.map_or(self.mbps, |moved| moved.max(self.mbps))
    }

    /// The IOPS that a disk must have which counts an I/O as several of `unit` where it is larger.
    #[must_use]
    pub fn iops_counted(&self, unit: Option<BlockSize>) -> f64 {
        let of_one = self.block_size.zip(unit);
        let of_one = of_one.map_or(1, |(block, unit)| block.units_of(unit));
        self.iops.get() * of_one as f64
    }
}

/// A way to get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// A Premium SSD of a tier that is large enough and fast enough.
    Tier,
    /// A Premium SSD of the size needed, set to a higher performance tier.
    PerformanceTier,
    /// A Premium SSD with performance plus.
    PerformancePlus,
    /// A Premium SSD with on-demand bursting.
    OnDemandBurst,
    /// A stripe of equal Premium SSDs.
    Stripe,
    /// One Premium SSD v2.
    PremiumSsdV2,
    /// A stripe of equal Premium SSD v2: each of them has some IOPS and MB/s for nothing.
    StripeV2,
    /// One Ultra disk.
    Ultra,
}

impl Way {
    /// Every way.
    pub const ALL: [Self; 8] = [
        Self::Tier,
        Self::PerformanceTier,
        Self::PerformancePlus,
        Self::OnDemandBurst,
        Self::Stripe,
        Self::PremiumSsdV2,
        Self::StripeV2,
        Self::Ultra,
    ];

    /// The way in words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Tier => "larger Premium SSD",
            Self::PerformanceTier => "another performance tier",
            Self::PerformancePlus => "performance plus",
            Self::OnDemandBurst => "on-demand bursting",
            Self::Stripe => "stripe of Premium SSDs",
            Self::PremiumSsdV2 => "Premium SSD v2",
            Self::StripeV2 => "stripe of Premium SSD v2",
            Self::Ultra => "Ultra Disk",
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// Disks that deliver what is needed.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// How many equal disks.
    pub disks: u32,
    /// Each of them, as it is asked for.
    pub request: DiskRequest,
    /// Each of them, as it is resolved.
    pub model: DiskModel,
    /// What all of them together deliver, bursting on demand where that is the way.
    pub delivers: Limits,
    /// What all of them cost a month.
    pub cost: Total,
}

/// What came of a way.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The way.
    pub way: Way,
    /// Its cheapest layout; `None` where none delivers.
    pub layout: Option<Layout>,
    /// What it is and delivers, or why none does.
    pub reason: String,
}

impl Alternative {
    /// Cheapest first; those whose cost is not wholly known behind; those that cannot deliver last.
    fn rank(&self) -> (u8, f64) {
        match self.layout.as_ref().map(|layout| &layout.cost) {
            Some(cost) if cost.is_complete() => (0, cost.known.amount),
            Some(cost) => (1, cost.known.amount),
            None => (2, 0.0),
        }
    }
}

/// Every way to get what is needed, cheapest first, each with its cheapest layout and its month's cost.
#[must_use]
pub fn alternatives(catalog: &Catalog, book: &PriceBook, need: &Need) -> Vec<Alternative> {
    let search = Search {
        catalog,
        book,
        need,
    };
    let mut found: Vec<Alternative> = Way::ALL.into_iter().map(|way| search.way(way)).collect();
    found.sort_by(|a, b| {
        let ((group_a, cost_a), (group_b, cost_b)) = (a.rank(), b.rank());
        group_a
            .cmp(&group_b)
            .then(cost_a.total_cmp(&cost_b))
            .then(a.way.cmp(&b.way))
    });
    found
}

/// Hours a month of peak load at which on-demand bursting costs as much as `other` a month; more hours make `other`
/// the cheaper. `None` where a fee is not known, or the peak makes no burst transaction.
#[must_use]
pub fn on_demand_break_even_hours(
    book: &PriceBook,
    bursting: &BilledDisk,
    provisioned: (Iops, MBps),
    peak: (Iops, MBps),
    other: Money,
) -> Option<f64> {
    let idle = DiskUse {
        burst_transactions: Some(0.0),
        ..DiskUse::default()
    };
    let fixed = book.disk_bill(bursting, &idle).total().complete()?;
    let meter = DiskMeter::Burst {
        redundancy: bursting.redundancy,
        part: BurstPart::Transactions,
    };
    let price = book.disk(meter)?.price;
    let per_hour = burst_transactions_per_s(peak, provisioned) * 3600.0 / 1e4 * price.amount;
    let left = other.plus(fixed.times(-1.0)).ok()?.amount;
    (per_hour > 0.0).then(|| (left / per_hour).max(0.0))
}

/// The search for layouts that deliver a need.
pub(super) struct Search<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) book: &'a PriceBook,
    pub(super) need: &'a Need,
}

impl Search<'_> {
    fn way(&self, way: Way) -> Alternative {
        let cheapest = match way {
            Way::Stripe => (2..=self.need.most_disks)
                .flat_map(|disks| self.tiered(Family::PremiumSsd, way, disks))
                .min_by(cheaper),
            Way::PremiumSsdV2 => self.provisioned(Family::PremiumSsdV2, 1),
            Way::StripeV2 => (2..=self.need.most_disks)
                .filter_map(|disks| self.provisioned(Family::PremiumSsdV2, disks))
                .min_by(cheaper),
            Way::Ultra => self.provisioned(Family::Ultra, 1),
            _ => self.tiered(Family::PremiumSsd, way, 1).min_by(cheaper),
        };
        let reason = match &cheapest {
            Some(layout) => self.says(layout),
            None => self.fails(way),
        };
        Alternative {
            way,
            layout: cheapest,
            reason,
        }
    }

    /// The layouts of `disks` equal disks of a tiered family that deliver, one a tier.
    pub(super) fn tiered(
        &self,
        family: Family,
        way: Way,
        disks: u32,
    ) -> impl Iterator<Item = Layout> {
        let each = self.need.size.get() / f64::from(disks.max(1));
        self.catalog
            .tiers()
            .of(family)
            .filter_map(move |tier| self.layout(way, disks, tiered_request(way, tier, each)?))
    }

    /// The layout of `disks` equal disks of a provisioned family: the least settings that deliver. The provider takes
    /// whole GiB, IOPS and MB/s.
    pub(super) fn provisioned(&self, family: Family, disks: u32) -> Option<Layout> {
        let rules = family.provisioned_rules()?;
        let each = |all: f64| (all / f64::from(disks.max(1))).ceil();
        let mbps = MBps::new(each(self.need.mbps_to_carry().get())).ok()?;
        let iops = Iops::new(each(self.need.iops.get())).ok()?;
        let iops = iops.max(Iops::new(rules.iops_for(mbps)?.get().ceil()).ok()?);
        let size = GiB::new(each(self.need.size.get())).ok()?;
        let request = DiskRequest {
            size: Some(size.max(rules.size_for(iops)?)),
            iops: Some(iops.max(rules.min_iops)),
            mbps: Some(mbps.max(rules.min_mbps)),
            ..DiskRequest::new(family)
        };
        let way = match (family, disks) {
            (Family::Ultra, _) => Way::Ultra,
            (_, 0 | 1) => Way::PremiumSsdV2,
            _ => Way::StripeV2,
        };
        self.layout(way, disks, request)
    }

    /// The layout of `disks` disks as asked for in `request`, where the provider accepts them and they deliver.
    fn layout(&self, way: Way, disks: u32, request: DiskRequest) -> Option<Layout> {
        let request = DiskRequest {
            redundancy: self.need.redundancy,
            max_shares: self.need.max_shares,
            ..request
        };
        let resolved = self.catalog.disk(&request).ok()?;
        if !resolved.violations.is_empty() {
            return None;
        }
        let model = resolved.model;
        let one = match (way, model.burst) {
            (Way::OnDemandBurst, burst) => burst?.limits,
            _ => model.base,
        };
        let all = f64::from(disks);
        let delivers = one.times(all);
        let counted = self.need.iops_counted(model.accounting_unit);
        let enough = delivers.iops?.get() >= counted && delivers.mbps? >= self.need.mbps_to_carry();
        enough.then(|| Layout {
            disks,
            cost: self.cost(&request, &model).times(all),
            request,
            model,
            delivers,
        })
    }

    /// The month's cost of one disk, with the burst transactions of the hours of need.
    fn cost(&self, request: &DiskRequest, model: &DiskModel) -> Total {
        let disk = BilledDisk::of(self.catalog, request, model);
        let burst_transactions = self
            .need
            .hours
            .zip(model.base.iops.zip(model.base.mbps))
            .map(|(hours, provisioned)| {
                let peak = (self.need.iops, self.need.mbps_to_carry());
                burst_transactions_per_s(peak, provisioned) * 3600.0 * hours
            });
        let used = DiskUse {
            burst_transactions,
            ..DiskUse::default()
        };
        self.book.disk_bill(&disk, &used).total()
    }

    fn says(&self, layout: &Layout) -> String {
        let disks = if layout.disks > 1 {
            format!("{} x ", layout.disks)
        } else {
            String::new()
        };
        let size = layout
            .model
            .size
            .map(|size| format!(" of {size}"))
            .unwrap_or_default();
        let figure = |figure: Option<String>| figure.unwrap_or_else(|| "unknown".to_owned());
        format!(
            "{disks}{}{size}: {} IOPS, {} MB/s",
            layout.model.label,
            figure(layout.delivers.iops.map(|iops| iops.to_string())),
            figure(layout.delivers.mbps.map(|mbps| mbps.to_string())),
        )
    }

    fn fails(&self, way: Way) -> String {
        let need = self.need;
        let family = match way {
            Way::PremiumSsdV2 | Way::StripeV2 => Some(Family::PremiumSsdV2),
            Way::Ultra => Some(Family::Ultra),
            _ => None,
        };
        if let Some(rule) = family.and_then(|family| self.refusal(family)) {
            return rule;
        }
        format!(
            "no {way} of {} gives {} IOPS and {} MB/s",
            need.size, need.iops, need.mbps
        )
    }

    /// The rule by which a provisioned family refuses the redundancy needed.
    fn refusal(&self, family: Family) -> Option<String> {
        let rules = family.provisioned_rules()?;
        let request = DiskRequest {
            size: Some(rules.min_size),
            iops: Some(rules.min_iops),
            mbps: Some(rules.min_mbps),
            redundancy: self.need.redundancy,
            ..DiskRequest::new(family)
        };
        let violations = self.catalog.disk(&request).ok()?.violations;
        violations
            .into_iter()
            .find_map(|violation| match violation {
                Violation::NotOffered { rule, .. } => Some(rule),
                _ => None,
            })
    }
}

/// The request for one disk of the family of `tier` of at least `each` GiB in the way `way`, of or raised to `tier`;
/// `None` where the tier does not go that way.
fn tiered_request(way: Way, tier: &Tier, each: f64) -> Option<DiskRequest> {
    let least = GiB::new(each.ceil().max(1.0)).ok()?;
    let plain = DiskRequest::new(tier.family);
    if way == Way::PerformanceTier {
        let raised = least < GiB::whole(tier.min_gib);
        return raised.then(|| DiskRequest {
            size: Some(least),
            performance_tier: Some(tier.name.clone()),
            ..plain
        });
    }
    if least > GiB::whole(tier.max_gib) {
        return None;
    }
    Some(DiskRequest {
        size: Some(least.max(GiB::whole(tier.min_gib))),
        performance_plus: way == Way::PerformancePlus,
        on_demand_burst: way == Way::OnDemandBurst,
        ..plain
    })
}

/// The order of layouts by cost: those with a price for every part before those without, wholly known before those that
/// are billed by use too, then by amount, then the fewer disks.
pub(super) fn cheaper(a: &Layout, b: &Layout) -> std::cmp::Ordering {
    let key = |layout: &Layout| (!layout.cost.is_priced(), !layout.cost.is_complete());
    key(a)
        .cmp(&key(b))
        .then(a.cost.known.amount.total_cmp(&b.cost.known.amount))
        .then(a.disks.cmp(&b.disks))
}
