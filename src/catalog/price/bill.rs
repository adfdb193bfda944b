//! Bills: the parts that a disk or a VM costs a month, each with quantity, unit price and amount.
//!
//! Rules, from "Understand Azure Disk Storage billing" (2026-09-16): a tiered disk costs its tier, or the performance
//! tier it is set to; Premium SSD v2 and Ultra cost each GiB, IOPS and MB/s, v2 only what lies above its free part;
//! Standard SSD and Standard HDD cost transactions too; on-demand bursting costs its enablement and its burst
//! transactions; a shared disk of a tiered family costs each VM it is mounted on. Performance plus and credit bursting
//! have no meter: they cost nothing.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book::{PriceBook, UnitPrice, VmOffer};
use super::meter::{BurstPart, DiskMeter, PriceUnit, ProvisionedPart, TierName, TierPart};
use super::money::{Currency, Money, Total};
use super::transactions::{Transactions, billed_transactions};
use super::{HOURS_PER_MONTH, PriceError};
use crate::catalog::{Axis, Catalog, DiskModel, DiskRequest, Family, Limits, Redundancy};
use crate::units::{GiB, Iops, MBps};

/// What a price is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Priced {
    /// A meter of a disk.
    Disk(DiskMeter),
    /// A VM.
    Vm {
        /// The size.
        size: String,
        /// How it is bought.
        offer: VmOffer,
    },
    /// A disk that no price list has.
    Unlisted(Family),
}

impl fmt::Display for Priced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Disk(meter) => write!(f, "{meter}"),
            Self::Vm { size, offer } => write!(f, "{size} {}", offer.label()),
            Self::Unlisted(family) => f.write_str(family.name()),
        }
    }
}

/// Why a part of a bill has no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WhyMissing {
    /// The price is not known.
    NoPrice,
    /// The price follows use (transactions, mounts), and no use was given.
    NoUse,
    /// The same, and the price is not known either.
    NoUseNorPrice,
    /// The setting that the price multiplies (tier, size, IOPS, MB/s) is not known.
    NoSetting,
}

/// A part of a bill that has no amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissingPrice {
    /// What is missing, in words (`P30 LRS mount`).
    pub what: String,
    /// Why.
    pub why: WhyMissing,
}

impl fmt::Display for MissingPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            WhyMissing::NoPrice => "price unknown",
            WhyMissing::NoUse => "billed by use",
            WhyMissing::NoUseNorPrice => "billed by use, price unknown",
            WhyMissing::NoSetting => "setting unknown",
        };
        write!(f, "{}: {why}", self.what)
    }
}

/// One part of a bill.
#[derive(Debug, Clone, PartialEq)]
pub struct BillLine {
    /// What it is for.
    pub what: Priced,
    /// How many units are billed: GiB, IOPS, MB/s, disks, mounts, vCPUs, tens of thousands of transactions a month.
    pub quantity: f64,
    /// The unit that the unit price is for.
    pub unit: PriceUnit,
    /// The price of one unit.
    pub unit_price: Money,
    /// The month's amount: quantity x unit price, x [`HOURS_PER_MONTH`] for prices by the hour.
    pub per_month: Money,
}

/// What something costs a month, part by part.
#[derive(Debug, Clone, PartialEq)]
pub struct Bill {
    /// The currency of every line.
    pub currency: Currency,
    /// The parts with an amount. A part that bills nothing is left out.
    pub lines: Vec<BillLine>,
    /// The parts without an amount.
    pub missing: Vec<MissingPrice>,
}

impl Bill {
    pub(super) const fn new(currency: Currency) -> Self {
        Self {
            currency,
            lines: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The month's total, with what it misses.
    #[must_use]
    pub fn total(&self) -> Total {
        // from 0: an empty sum of floats is -0
        let amount = self
            .lines
            .iter()
            .fold(0.0, |sum, line| sum + line.per_month.amount);
        Total {
            known: Money::new(amount, self.currency),
            missing: self.missing.clone(),
        }
    }

    pub(super) fn miss(&mut self, what: &Priced, why: WhyMissing) {
        let what = what.to_string();
        self.missing.push(MissingPrice { what, why });
    }

    /// Adds a part whose quantity may be unknown for the reason `unless`.
    pub(super) fn add_if_known(
        &mut self,
        meter: DiskMeter,
        quantity: Option<f64>,
        unless: WhyMissing,
        price: Option<UnitPrice>,
    ) {
        match quantity {
            Some(quantity) => self.add(Priced::Disk(meter), quantity, price),
            None => {
                let why = match (unless, price) {
                    (WhyMissing::NoUse, None) => WhyMissing::NoUseNorPrice,
                    (why, _) => why,
                };
                self.miss(&Priced::Disk(meter), why);
            }
        }
    }

    /// Adds a part: nothing where nothing is billed, missing where the price is unknown.
    fn add(&mut self, what: Priced, quantity: f64, price: Option<UnitPrice>) {
        if quantity <= 0.0 {
            return;
        }
        let Some(UnitPrice { price, unit }) = price else {
            self.miss(&what, WhyMissing::NoPrice);
            return;
        };
        self.lines.push(BillLine {
            what,
            quantity,
            unit,
            unit_price: price,
            per_month: price.times(quantity * unit.per_month()),
        });
    }
}

impl PriceUnit {
    /// How often a month bills a unit that is used all the time.
    #[must_use]
    pub const fn per_month(self) -> f64 {
        match self {
            Self::Hour | Self::GibHour | Self::IopsHour | Self::MbpsHour | Self::VcpuHour => {
                HOURS_PER_MONTH
            }
            Self::Month | Self::TenThousand => 1.0,
        }
    }
}

/// A disk as its bill sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct BilledDisk {
    /// The family.
    pub family: Family,
    /// The billed tier of a tiered family: the performance tier where one is set.
    pub tier: Option<TierName>,
    /// Redundancy.
    pub redundancy: Redundancy,
    /// Capacity of a provisioned family.
    pub size: Option<GiB>,
    /// Provisioned IOPS of a provisioned family.
    pub iops: Option<Iops>,
    /// Provisioned MB/s of a provisioned family.
    pub mbps: Option<MBps>,
    /// Whether on-demand bursting is enabled.
    pub on_demand_burst: bool,
    /// Whether more than one VM may attach it.
    pub shared: bool,
}

impl BilledDisk {
    /// A plain disk of a tier.
    #[must_use]
    pub const fn tiered(tier: TierName, redundancy: Redundancy) -> Self {
        Self {
            family: tier.family,
            tier: Some(tier),
            redundancy,
            size: None,
            iops: None,
            mbps: None,
            on_demand_burst: false,
            shared: false,
        }
    }

    /// A plain disk of a provisioned family (Premium SSD v2, Ultra).
    #[must_use]
    pub const fn provisioned(family: Family, size: GiB, iops: Iops, mbps: MBps) -> Self {
        Self {
            family,
            tier: None,
            redundancy: Redundancy::Lrs,
            size: Some(size),
            iops: Some(iops),
            mbps: Some(mbps),
            on_demand_burst: false,
            shared: false,
        }
    }

    /// The disk that was asked for, as the rules of its family resolved it.
    #[must_use]
    pub fn of(catalog: &Catalog, request: &DiskRequest, model: &DiskModel) -> Self {
        let bursts_on_demand = || {
            let baseline = catalog.tiers().for_size(model.family, model.size?)?;
            baseline.on_demand
        };
        Self {
            family: model.family,
            tier: model.tier.as_deref().and_then(|tier| tier.parse().ok()),
            redundancy: model.redundancy,
            size: model.size,
            iops: model.base.iops,
            mbps: model.base.mbps,
            on_demand_burst: request.on_demand_burst && bursts_on_demand().is_some(),
            shared: request.max_shares > 1,
        }
    }

    /// The provisioned IOPS and MB/s that are billed: those above what its family includes.
    #[must_use]
    pub fn billed_performance(&self) -> Limits {
        let included = self
            .family
            .provisioned_rules()
            .and_then(|rules| rules.included);
        let above = |provisioned: f64, axis| {
            let free = included.and_then(|limits| limits.on(axis)).unwrap_or(0.0);
            (provisioned - free).max(0.0)
        };
        Limits {
            iops: self
                .iops
                .and_then(|iops| Iops::new(above(iops.get(), Axis::Iops)).ok()),
            mbps: self
                .mbps
                .and_then(|mbps| MBps::new(above(mbps.get(), Axis::Mbps)).ok()),
        }
    }
}

/// How a disk is used, for the parts of its bill that follow use. `None` means that it is not known.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DiskUse {
    /// On how many VMs a shared disk is mounted.
    pub mounts: Option<u32>,
    /// The billed transactions of a Standard SSD or Standard HDD.
    pub transactions: Option<Transactions>,
    /// Burst transactions a month of a disk with on-demand bursting.
    pub burst_transactions: Option<f64>,
}

impl PriceBook {
    /// What `disk` costs a month when it is used as `used` says.
    #[must_use]
    pub fn disk_bill(&self, disk: &BilledDisk, used: &DiskUse) -> Bill {
        let mut bill = Bill::new(self.currency());
        match disk.family {
            Family::PremiumSsd | Family::StandardSsd | Family::StandardHdd => {
                self.tiered_parts(disk, used, &mut bill);
            }
            Family::PremiumSsdV2 | Family::Ultra => self.provisioned_parts(disk, &mut bill),
            Family::Temp | Family::LocalNvme => {}
            Family::Custom => bill.miss(&Priced::Unlisted(disk.family), WhyMissing::NoPrice),
        }
        bill
    }

    /// What a VM of `size` costs a month, bought as `offer`, without its disks.
    ///
    /// # Errors
    /// [`PriceError::SizeNotPriced`] when the region has no price for the size at all.
    pub fn vm_bill(&self, size: &str, offer: VmOffer) -> Result<Bill, PriceError> {
        let prices = self.vm(size)?;
        let mut bill = Bill::new(self.currency());
        let what = Priced::Vm {
            size: prices.size.clone(),
            offer,
        };
        let price = prices.per_hour(offer).map(|price| UnitPrice {
            price: Money::new(price, self.currency()),
            unit: PriceUnit::Hour,
        });
        bill.add(what, 1.0, price);
        Ok(bill)
    }

    /// What it costs a month that a VM of `vcpus` vCPUs may use Ultra disks and has none attached. With one attached
    /// it costs nothing.
    #[must_use]
    pub fn ultra_reservation_bill(&self, vcpus: u32) -> Bill {
        let mut bill = Bill::new(self.currency());
        let meter = DiskMeter::Provisioned {
            family: Family::Ultra,
            redundancy: Redundancy::Lrs,
            part: ProvisionedPart::VcpuReservation,
        };
        bill.add(Priced::Disk(meter), f64::from(vcpus), self.disk(meter));
        bill
    }

    fn tiered_parts(&self, disk: &BilledDisk, used: &DiskUse, bill: &mut Bill) {
        let Some(tier) = disk.tier else {
            bill.miss(&Priced::Unlisted(disk.family), WhyMissing::NoSetting);
            return;
        };
        let part = |part| DiskMeter::Tier {
            tier,
            redundancy: disk.redundancy,
            part,
        };
        let meter = part(TierPart::Disk);
        bill.add(Priced::Disk(meter), 1.0, self.disk(meter));
        if disk.shared {
            let meter = part(TierPart::Mount);
            let mounts = used.mounts.map(f64::from);
            bill.add_if_known(meter, mounts, WhyMissing::NoUse, self.disk(meter));
        }
        if disk.on_demand_burst && tier.family == Family::PremiumSsd {
            self.burst_parts(disk.redundancy, used, bill);
        }
        if tier.family.bills_transactions() {
            let billed = used
                .transactions
                .map(|load| billed_transactions(tier, load) / 1e4);
            let price = self.transaction_price(tier, disk.redundancy);
            let meter = part(TierPart::Transactions);
            bill.add_if_known(meter, billed, WhyMissing::NoUse, price);
        }
    }

    fn burst_parts(&self, redundancy: Redundancy, used: &DiskUse, bill: &mut Bill) {
        let part = |part| DiskMeter::Burst { redundancy, part };
        let meter = part(BurstPart::Enablement);
        bill.add(Priced::Disk(meter), 1.0, self.disk(meter));
        let meter = part(BurstPart::Transactions);
        let billed = used
            .burst_transactions
            .map(|transactions| transactions / 1e4);
        bill.add_if_known(meter, billed, WhyMissing::NoUse, self.disk(meter));
    }

    fn provisioned_parts(&self, disk: &BilledDisk, bill: &mut Bill) {
        let billed = disk.billed_performance();
        let parts = [
            (ProvisionedPart::Capacity, disk.size.map(GiB::get)),
            (ProvisionedPart::Iops, billed.iops.map(Iops::get)),
            (ProvisionedPart::Mbps, billed.mbps.map(MBps::get)),
        ];
        for (part, quantity) in parts {
            let meter = DiskMeter::Provisioned {
                family: disk.family,
                redundancy: disk.redundancy,
                part,
            };
            bill.add_if_known(meter, quantity, WhyMissing::NoSetting, self.disk(meter));
        }
    }

    /// The price of a tier's transactions. The price list may carry it for the smallest tier only: the published
    /// bills of an E30 and of an S20 show `E4` and `S4 LRS Disk Operations`.
    #[must_use]
    pub fn transaction_price(&self, tier: TierName, redundancy: Redundancy) -> Option<UnitPrice> {
        let of = |number| {
            self.disk(DiskMeter::Tier {
                tier: TierName { number, ..tier },
                redundancy,
                part: TierPart::Transactions,
            })
        };
        of(tier.number).or_else(|| of(4))
    }
}
