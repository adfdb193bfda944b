//! The result model: what [`super::recommend`] says. Its JSON form is public and versioned ([`SCHEMA`]).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::disks::SAME;
use super::from_trace::FromTrace;
use super::frontier::FrontierPoint;
use super::like::Like;
use super::may_deliver::{MayDeliver, SizeMayDeliver};
use super::need::{Need, VolumeNeed};
use crate::catalog::price::{BookInfo, MissingPrice, Money, VmOffer};
use crate::catalog::{Axis, DataInfo, Family, Interface, Limits, VmSize};
use crate::deployment::HostCaching;
use crate::units::{GiB, Iops, Latency, MBps, grouped};

/// The name and version of the JSON form. The number rises when a field is removed or changes its meaning.
pub const SCHEMA: &str = "diskcap.recommend/1";

/// The cheapest ways to deliver a need; or what stands in the way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recommendations {
    /// [`SCHEMA`].
    pub schema: String,
    /// The data that the figures rest on.
    pub data: DataInfo,
    /// The prices.
    pub prices: BookInfo,
    /// How the VM is bought.
    pub offer: VmOffer,
    /// What was asked for.
    pub need: Need,
    /// How many sizes with a price are like the need wants them.
    pub sizes_looked_at: usize,
    /// The best answers, cheapest first, one a size; none where nothing delivers.
    pub best: Vec<Recommendation>,
    /// Answers with disks of which only a part has a known price (transactions have none), by what is known of it: it is
    /// less than the best answer costs, and they may cost more in all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partly_priced: Vec<Recommendation>,
    /// Where nothing delivers: the constraints that are each to blame by themselves, with the nearest value that does.
    pub blame: Vec<Blame>,
    /// Where nothing is known to deliver: disks of unknown latency that would, if they answered fast enough.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_deliver: Vec<MayDeliver>,
    /// Where nothing is known to deliver, and no size whose ceilings are known would: sizes that would, if the ceilings that
    /// nobody knows let enough through; the cheapest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes_may_deliver: Vec<SizeMayDeliver>,
    /// Families that were not chosen from, and why.
    pub left_out: Vec<LeftOut>,
    /// Sizes that would deliver and have no price, the smallest first: they are not ranked.
    pub unpriced_sizes: Vec<String>,
    /// Sizes that would deliver and are retired, the smallest first: they are not ranked.
    #[serde(default)]
    pub retired_sizes: Vec<String>,
    /// Whether something delivers and there is no best answer for want of prices only.
    #[serde(default)]
    pub only_prices_missing: bool,
    /// The best ordinary answer on x64, where the best of all is on Arm64 and no architecture was asked.
    #[serde(default)]
    pub best_x64: Option<OtherAnswer>,
    /// The best answer without hardware of its own, where the best of all has some.
    #[serde(default)]
    pub best_ordinary: Option<OtherAnswer>,
    /// What more or less performance would cost, where that was asked.
    pub frontier: Vec<FrontierPoint>,
    /// Families that were chosen from and whose latency is not known.
    #[serde(default)]
    pub latency_unknown: Vec<Family>,
    /// What of the need was taken from traces, where some were given.
    pub from_trace: Option<FromTrace>,
    /// The deployment that the need was taken from, where one was named.
    #[serde(default)]
    pub like: Option<Like>,
}

/// The best answer of another kind than the best of all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OtherAnswer {
    /// The size.
    pub size: String,
    /// A month of it with its disks.
    pub month: Money,
}

/// A size with its disks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Recommendation {
    /// Canonical name of the size.
    pub size: String,
    /// Its series.
    pub series: String,
    /// The disk controller that this holds for, where the size's caps differ by it.
    pub interface: Option<Interface>,
    /// CPU architecture, as the source has it or the name stands for.
    pub arch: Option<String>,
    /// vCPUs.
    pub vcpus: u32,
    /// Memory.
    pub memory_gib: Option<GiB>,
    /// The day of retirement, where announced.
    pub retirement: Option<String>,
    /// What else speaks against it, whatever it delivers.
    #[serde(default)]
    pub caveats: Vec<Caveat>,
    /// A month of everything.
    pub month: Money,
    /// A month of the VM.
    pub vm_month: Money,
    /// A month of all disks.
    pub disks_month: Money,
    /// The volumes, in the order of the need.
    pub volumes: Vec<VolumeChoice>,
    /// Every limit that is used, with its use; headroom of the need included.
    pub limits: Vec<LimitUse>,
    /// The limit that is reached first when everything asked grows alike.
    pub tightest: Option<LimitUse>,
    /// The next cheaper sizes that do not deliver, of all and of the same series; and the next that delivers and is dearer
    /// with its disks.
    pub cheaper_sizes: Vec<SizeFails>,
}

/// What speaks against a size, whatever it delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Caveat {
    /// Its CPU runs at full speed from credit only.
    CpuCredit,
    /// It has hardware that others lack and may need an image made for it: accelerators, HPC, confidential computing.
    SpecialHardware,
}

impl Caveat {
    /// Those of a size.
    pub(super) fn of(vm: &VmSize) -> Vec<Self> {
        let credit = vm.has_cpu_credit().then_some(Self::CpuCredit);
        let special = (!vm.is_exchangeable()).then_some(Self::SpecialHardware);
        credit.into_iter().chain(special).collect()
    }
}

impl Recommendations {
    /// Whether nothing is known to deliver, and something may.
    #[must_use]
    pub const fn is_in_doubt(&self) -> bool {
        !self.may_deliver.is_empty() || !self.sizes_may_deliver.is_empty()
    }

    /// The first answer: the best, else the one that is cheapest by what is known of its price.
    #[must_use]
    pub fn first(&self) -> Option<&Recommendation> {
        self.best.iter().chain(&self.partly_priced).next()
    }
}

impl Recommendation {
    /// Whether all of its price is known.
    #[must_use]
    pub fn is_priced(&self) -> bool {
        self.volumes.iter().all(|volume| volume.unpriced.is_empty())
    }

    /// Whether `month` is all that it costs, by [`VolumeChoice::is_month_whole`].
    #[must_use]
    pub fn is_month_whole(&self) -> bool {
        self.volumes.iter().all(VolumeChoice::is_month_whole)
    }

    /// The price of 10,000 transactions below which this one, of which only they have no price, costs less than `other`;
    /// `None` where something else is missing, or this one is no cheaper without them.
    #[must_use]
    pub fn cheaper_below(&self, other: &Self) -> Option<Money> {
        let unpriced = self.volumes.iter().filter(|v| !v.unpriced.is_empty());
        let counts = unpriced.map(|v| v.transactions_month.filter(|_| v.unpriced.len() == 1));
        let transactions: f64 = counts.sum::<Option<f64>>()?;
        let less = other.month.amount - self.month.amount;
        (transactions > 0.0 && less > 0.0)
            .then(|| Money::new(less / (transactions / 1e4), self.month.currency))
    }

    /// What the volumes of `need` get of what is asked when all burst credit is used up: `wal 500 of 3,000 IOPS`; `None` where
    /// that is all of it.
    #[must_use]
    pub fn without_credit(&self, need: &Need) -> Option<String> {
        let short = |axis: Axis, got: Option<f64>, asked: Option<f64>| {
            let (got, asked) = got.zip(asked)?;
            let figure = |value| grouped(value, usize::from(axis == Axis::Mbps));
            (got < asked * (1.0 - SAME))
                .then(|| format!("{} of {} {axis}", figure(got), figure(asked)))
        };
        let of_volume = |(choice, wanted): (&VolumeChoice, &VolumeNeed)| {
            let iops = short(
                Axis::Iops,
                choice.sustained_iops,
                wanted.iops.map(Iops::get),
            );
            let mbps = short(
                Axis::Mbps,
                choice.sustained_mbps,
                wanted.mbps.map(MBps::get),
            );
            let parts: Vec<String> = iops.into_iter().chain(mbps).collect();
            (!parts.is_empty()).then(|| format!("{} {}", choice.volume, parts.join(", ")))
        };
        let volumes = self.volumes.iter().zip(&need.volumes);
        let parts: Vec<String> = volumes.filter_map(of_volume).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Whether its CPU is an Arm64 one.
    #[must_use]
    pub fn is_arm64(&self) -> bool {
        let arch = self.arch.as_deref();
        arch.is_some_and(|arch| arch.eq_ignore_ascii_case("Arm64"))
    }
}

/// The disks of one volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeChoice {
    /// The volume's name.
    pub volume: String,
    /// The disks as a spec, as `diskcap plan --disk` takes it.
    pub spec: String,
    /// What they are, in short: `4 x P30`.
    pub sku: String,
    /// The family.
    pub family: Family,
    /// How many.
    pub disks: u32,
    /// Capacity of all together.
    pub size_gib: Option<GiB>,
    /// Host caching.
    pub caching: HostCaching,
    /// What is provisioned, all together.
    pub provisioned: Limits,
    /// One I/O at a time; `None` where unknown.
    pub latency_us: Option<Latency>,
    /// What it gets when every volume is at its IOPS.
    pub delivered_iops: Option<f64>,
    /// What it gets when every volume is at its MB/s.
    pub delivered_mbps: Option<f64>,
    /// What it gets when every volume is at its IOPS and all burst credit is used up; `None` where the need is met without
    /// credit as it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sustained_iops: Option<f64>,
    /// The same for MB/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sustained_mbps: Option<f64>,
    /// A month of them. Transactions are billed as if the need was there in all its hours.
    pub month: Money,
    /// What of them has no known price and is not in `month`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpriced: Vec<MissingPrice>,
    /// How many transactions a month are billed, all disks together; `None` where the family bills none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transactions_month: Option<f64>,
    /// The nearest disks of the family that cost less, hold the capacity and are too slow.
    pub slower_disks: Option<DisksFail>,
}

impl VolumeChoice {
    /// Whether `month` is all that they cost: nothing of them has an unknown price, and each I/O that is billed is counted.
    #[must_use]
    pub fn is_month_whole(&self) -> bool {
        let counted = self.transactions_month.is_some() || !self.family.bills_transactions();
        self.unpriced.is_empty() && counted
    }
}

/// Where a limit is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "at")]
pub enum LimitedPlace {
    /// Each disk of a volume.
    Disk {
        /// The volume.
        volume: String,
    },
    /// The VM's ceiling of uncached traffic.
    Uncached,
    /// The VM's ceiling of all remote traffic, Premium SSD v2 and Ultra among it.
    Remote,
    /// The VM's ceiling of host cache and temp disk.
    Cached,
}

impl std::fmt::Display for LimitedPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Disk { volume } => f.pad(&format!("each disk of {volume}")),
            Self::Uncached => f.pad("VM uncached"),
            Self::Remote => f.pad(&format!("VM {}", VmSize::REMOTE_NAME)),
            Self::Cached => f.pad("VM cached"),
        }
    }
}

/// A limit with its use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LimitUse {
    /// Where it is.
    pub place: LimitedPlace,
    /// What it limits.
    pub axis: Axis,
    /// What it lets through for as long as the need holds, IOPS or MB/s.
    pub capacity: f64,
    /// What is used of it at most, headroom of the need included.
    pub used: f64,
    /// What of it is asked for, without the headroom of the need; `None` where that was not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<f64>,
}

impl LimitUse {
    /// How much more than asked would pass, as a share of it: 0.25 for a quarter more.
    #[must_use]
    pub fn headroom(&self) -> f64 {
        self.capacity / self.asked.unwrap_or(self.used) - 1.0
    }
}

/// A size that does not deliver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SizeFails {
    /// The size.
    pub size: String,
    /// The disk controller, where the size's caps differ by it.
    pub interface: Option<Interface>,
    /// A month of it.
    pub vm_month: Money,
    /// What fails, in words with numbers.
    pub reason: String,
    /// The ceiling that is short, where it is one whatever the host caching: what it lets through, and the least that any
    /// disks would use.
    pub short: Option<LimitUse>,
}

/// Disks that do not deliver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DisksFail {
    /// What they are, in short.
    pub sku: String,
    /// The disks as a spec.
    pub spec: String,
    /// A month of them, transactions not counted.
    pub month: Money,
    /// The limit that is short.
    pub axis: Axis,
    /// What all of them together have.
    pub has: f64,
    /// What is needed.
    pub needs: f64,
}

/// What was relaxed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// The IOPS of a volume.
    Iops,
    /// The MB/s of a volume.
    Mbps,
    /// The capacity of a volume.
    Capacity,
    /// The latency of a volume.
    Latency,
    /// The queue depth of a volume.
    QueueDepth,
    /// Redundancy across zones.
    Zrs,
    /// The headroom.
    Headroom,
    /// The most disks of a stripe.
    MaxStripe,
    /// The families of disks.
    Families,
    /// vCPUs.
    Vcpus,
    /// Memory.
    Memory,
    /// Series allowed or not wanted.
    Series,
    /// The generation.
    Generation,
    /// The CPU architecture.
    Arch,
    /// The local disk.
    LocalDisk,
    /// The disk controller.
    Interface,
}

impl Constraint {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iops => "IOPS",
            Self::Mbps => "MB/s",
            Self::Capacity => "capacity",
            Self::Latency => "latency",
            Self::QueueDepth => "queue depth",
            Self::Zrs => "ZRS",
            Self::Headroom => "headroom",
            Self::MaxStripe => "disks in a stripe",
            Self::Families => "disk families",
            Self::Vcpus => "vCPUs",
            Self::Memory => "memory",
            Self::Series => "series",
            Self::Generation => "generation",
            Self::Arch => "CPU architecture",
            Self::LocalDisk => "local disk",
            Self::Interface => "disk controller",
        }
    }
}

/// A constraint without which the need could be met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blame {
    /// Which.
    pub constraint: Constraint,
    /// Of which volume, where it is of one.
    pub volume: Option<String>,
    /// What was asked.
    pub asked: String,
    /// The nearest value that can be met, all else as asked.
    pub nearest: String,
    /// The cheapest size that then delivers.
    pub size: String,
    /// A month of it with its disks.
    pub month: Money,
}

/// A family that was not chosen from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// For which volume.
    pub volume: String,
    /// The family.
    pub family: Family,
    /// Why.
    pub reason: String,
    /// Whether its disks carry the load and only a price of them is not known.
    #[serde(default)]
    pub unpriced: bool,
}
