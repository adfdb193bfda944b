//! Choosing and ordering VM sizes: filters and sort keys.
//!
//! An unknown figure never satisfies a minimum, and sorts last whichever way the order goes.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wildmatch::WildMatch;

use super::Catalog;
pub use super::filter_error::{FilterError, known_architecture, known_series};
use super::limits::{Axis, Ceiling, Limits};
use super::lookup::UnknownVm;
use super::vm::{Interface, VmSize};
use crate::units::GiB;

/// A lower and an upper bound, both included; a bound that is not set does not bind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bounds<T> {
    /// The least.
    pub min: Option<T>,
    /// The most.
    pub max: Option<T>,
}

impl<T> Default for Bounds<T> {
    fn default() -> Self {
        Self {
            min: None,
            max: None,
        }
    }
}

impl<T: PartialOrd> Bounds<T> {
    /// Exactly one value.
    #[must_use]
    pub fn exactly(value: T) -> Self
    where
        T: Copy,
    {
        Self {
            min: Some(value),
            max: Some(value),
        }
    }

    /// Whether a value lies within; an unknown one only where nothing binds.
    #[must_use]
    pub fn admit(&self, value: Option<T>) -> bool {
        match value {
            Some(value) => {
                self.min.as_ref().is_none_or(|min| value >= *min)
                    && self.max.as_ref().is_none_or(|max| value <= *max)
            }
            None => self.min.is_none() && self.max.is_none(),
        }
    }
}

/// A text that is no range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoundsError {
    /// It has not the form of one.
    #[error("'{0}' is not a range: write N, MIN.., ..MAX or MIN..MAX, such as 8 or 4..16")]
    Form(String),
    /// Nothing lies within it.
    #[error("'{0}' is a range with nothing in it: write the least first")]
    Empty(String),
}

impl<T: FromStr + PartialOrd + Copy> FromStr for Bounds<T> {
    type Err = BoundsError;

    /// `8`, `4..16`, `4..` or `..16`; both ends count.
    fn from_str(input: &str) -> Result<Self, BoundsError> {
        let wrong = || BoundsError::Form(input.to_owned());
        let end = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| wrong()),
        };
        let (min, max) = match input.split_once("..") {
            Some((min, max)) => (end(min)?, end(max.trim_start_matches('='))?),
            None => (end(input)?, end(input)?),
        };
        match (min, max) {
            (None, None) => Err(wrong()),
            (Some(least), Some(most)) if least > most => Err(BoundsError::Empty(input.to_owned())),
            (min, max) => Ok(Self { min, max }),
        }
    }
}

/// What a VM size must be like. The default admits every size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VmFilter {
    /// vCPUs.
    pub vcpus: Bounds<u32>,
    /// Memory.
    pub memory: Bounds<GiB>,
    /// One of these series (`Dsv5`, `E*`), without regard to case; any where empty.
    pub series: Vec<String>,
    /// A name that one of these patterns fits (`D*s_v5`); any where empty.
    pub names: Vec<NamePattern>,
    /// At least so much uncached, on the axes that are given.
    pub min_uncached: Limits,
    /// At least so much for Premium SSD v2 and Ultra, on the axes that are given.
    pub min_remote: Limits,
    /// At least so much from host cache and temp disk, on the axes that are given.
    pub min_cached: Limits,
    /// At least so many data disks.
    pub min_data_disks: Option<u32>,
    /// Premium disks can be attached.
    pub premium: bool,
    /// Host caching of premium disks is documented.
    pub caching: bool,
    /// Ultra disks are offered in a region at least.
    pub ultra: bool,
    /// It has a SCSI temp disk.
    pub temp: bool,
    /// It has local NVMe disks.
    pub nvme: bool,
    /// CPU architecture (`x64`, `Arm64`), without regard to case.
    pub arch: Option<String>,
    /// It can be deployed with this disk controller, and only the row of that controller is wanted.
    pub interface: Option<Interface>,
    /// It is not retired on this day. Sizes without an announced retirement pass.
    pub in_service_on: Option<Date>,
}

impl VmFilter {
    /// Whether `vm` is like that.
    #[must_use]
    pub fn admits(&self, vm: &VmSize) -> bool {
        self.admits_shape(vm) && self.admits_ceilings(vm) && self.admits_features(vm)
    }

    /// Whether `rows` know the words of the filter: one that no size has is a slip, not a wish.
    ///
    /// # Errors
    /// [`FilterError`], which names what there is.
    pub fn check(&self, rows: &[VmSize]) -> Result<(), FilterError> {
        if let Some(arch) = &self.arch {
            known_architecture(arch)?;
        }
        known_series(&self.series, rows)?;
        let unknown = self.names.iter().find(|pattern| {
            let fits = |vm: &VmSize| pattern.fits(&vm.name);
            !rows.iter().any(fits)
        });
        unknown.map_or(Ok(()), |pattern| {
            Err(FilterError::no_name(&pattern.text, rows))
        })
    }

    /// The rows that are like that, in their order.
    pub fn of<'a>(&self, rows: &'a [VmSize]) -> impl Iterator<Item = &'a VmSize> {
        rows.iter().filter(|vm| self.admits(vm))
    }

    fn admits_shape(&self, vm: &VmSize) -> bool {
        let in_series = |series: &String| NamePattern::new(series).fits(&vm.series);
        self.vcpus.admit(Some(vm.vcpus))
            && self.memory.admit(vm.memory)
            && (self.series.is_empty() || self.series.iter().any(in_series))
            && (self.names.is_empty() || self.names.iter().any(|pattern| pattern.fits(&vm.name)))
    }

    fn admits_ceilings(&self, vm: &VmSize) -> bool {
        reaches(&vm.uncached, self.min_uncached)
            && reaches(vm.remote_ceiling(), self.min_remote)
            && reaches(&vm.cached, self.min_cached)
            && self
                .min_data_disks
                .is_none_or(|min| vm.max_data_disks.is_some_and(|most| most >= min))
    }

    fn admits_features(&self, vm: &VmSize) -> bool {
        let has = |wanted: bool, has: Option<bool>| !wanted || has == Some(true);
        has(self.premium, vm.premium_storage)
            && has(self.caching, vm.premium_caching)
            && has(self.ultra, vm.ultra)
            && has(self.temp, Some(vm.temp.is_some()))
            && has(self.nvme, Some(vm.nvme.is_some()))
            && self.arch.as_deref().is_none_or(|arch| {
                let wanted = architecture(arch).unwrap_or(arch.trim());
                vm.likely_arch()
                    .is_some_and(|known| known.eq_ignore_ascii_case(wanted))
            })
            && self
                .interface
                .is_none_or(|interface| vm.likely_runs_on(interface))
            && self.in_service_on.is_none_or(|day| in_service(vm, day))
    }
}

/// The CPU architecture that `word` means, as the catalogue spells it: `x64` (also `amd64`, `x86_64`) or `Arm64`
/// (also `arm`, `aarch64`); `None` for another word.
#[must_use]
pub fn architecture(word: &str) -> Option<&'static str> {
    match word.trim().to_ascii_lowercase().as_str() {
        "x64" | "amd64" | "x86_64" | "x86-64" => Some("x64"),
        "arm64" | "arm" | "aarch64" => Some("Arm64"),
        _ => None,
    }
}

/// Whether the base of `ceiling` is at least `min`, on the axes that `min` gives.
fn reaches(ceiling: &Ceiling, min: Limits) -> bool {
    [Axis::Iops, Axis::Mbps].into_iter().all(|axis| {
        min.on(axis)
            .is_none_or(|min| ceiling.base.on(axis).is_some_and(|base| base >= min))
    })
}

/// Whether the size is not yet retired on `day`.
pub(crate) fn in_service(vm: &VmSize, day: Date) -> bool {
    let retirement = vm.retirement.as_deref().map(str::parse::<Date>);
    !matches!(retirement, Some(Ok(retired)) if retired <= day)
}

/// A pattern for names of VM sizes: `*` stands for any letters, `?` for one. Case does not matter, nor does a leading
/// `Standard_`; a blank is read as `_`.
#[derive(Debug, Clone, PartialEq)]
pub struct NamePattern {
    /// As given.
    text: String,
    wild: WildMatch,
}

impl NamePattern {
    /// From its text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let pattern = text.trim().replace(' ', "_");
        let pattern = match pattern.get(..STANDARD.len()) {
            Some(start) if start.eq_ignore_ascii_case(STANDARD) => &pattern[STANDARD.len()..],
            _ => &pattern,
        };
        Self {
            text: text.to_owned(),
            wild: WildMatch::new_case_insensitive(pattern),
        }
    }

    /// A pattern as it is; a plain name as the catalogue spells it (`d8sv5` is `Standard_D8s_v5`).
    ///
    /// # Errors
    /// [`UnknownVm`] for a plain name that no size has, with the nearest.
    pub fn in_catalog(
        catalog: &Catalog,
        text: &str,
        interface: Option<Interface>,
    ) -> Result<Self, UnknownVm> {
        if text.contains(['*', '?']) {
            return Ok(Self::new(text));
        }
        Ok(Self::new(&catalog.vm(text, interface)?.name))
    }

    /// Whether the pattern fits the whole name.
    #[must_use]
    pub fn fits(&self, name: &str) -> bool {
        self.wild
            .matches(name.strip_prefix(STANDARD).unwrap_or(name))
    }
}

const STANDARD: &str = "Standard_";

/// What a column holds for one row, to sort by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SortValue<'a> {
    /// A number, in the unit of the column.
    Number(f64),
    /// Words.
    Text(&'a str),
}

/// Defines the columns of VM sizes once: variant, id, title.
macro_rules! vm_columns {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $title:literal;)*) => {
        /// A column of VM sizes, to sort by.
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema,
        )]
        pub enum VmColumn {
            $($(#[$doc])* #[serde(rename = $id)] $name,)*
        }

        impl VmColumn {
            /// Every column.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The id that people type and machines read, with the unit.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id),* }
            }

            /// The head that people read.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title),* }
            }
        }
    };
}

vm_columns! {
    /// The name.
    Name = "name", "Size";
    /// The series.
    Series = "series", "Series";
    /// The disk controller that the row holds for.
    Interface = "interface", "Controller";
    /// vCPUs.
    Vcpus = "vcpus", "vCPUs";
    /// Memory, GiB.
    Memory = "memory_gib", "Memory GiB";
    /// CPU architecture.
    Arch = "arch", "Architecture";
    /// How many data disks can be attached.
    DataDisks = "data_disks", "Data disks";
    /// Uncached IOPS.
    UncachedIops = "uncached_iops", "Uncached IOPS";
    /// Uncached MB/s.
    UncachedMbps = "uncached_mbps", "Uncached MB/s";
    /// Uncached IOPS in burst.
    UncachedBurstIops = "uncached_burst_iops", "Uncached burst IOPS";
    /// Uncached MB/s in burst.
    UncachedBurstMbps = "uncached_burst_mbps", "Uncached burst MB/s";
    /// IOPS of Premium SSD v2 and Ultra.
    RemoteIops = "v2_iops", "v2/Ultra IOPS";
    /// MB/s of Premium SSD v2 and Ultra.
    RemoteMbps = "v2_mbps", "v2/Ultra MB/s";
    /// IOPS of Premium SSD v2 and Ultra in burst.
    RemoteBurstIops = "v2_burst_iops", "v2/Ultra burst IOPS";
    /// MB/s of Premium SSD v2 and Ultra in burst.
    RemoteBurstMbps = "v2_burst_mbps", "v2/Ultra burst MB/s";
    /// Cached and temp IOPS.
    CachedIops = "cached_iops", "Cached IOPS";
    /// Cached and temp MB/s.
    CachedMbps = "cached_mbps", "Cached MB/s";
    /// Cached and temp IOPS in burst.
    CachedBurstIops = "cached_burst_iops", "Cached burst IOPS";
    /// Cached and temp MB/s in burst.
    CachedBurstMbps = "cached_burst_mbps", "Cached burst MB/s";
    /// Size of the host cache, GiB.
    Cache = "cache_gib", "Cache GiB";
    /// Size of the SCSI temp disk, GiB.
    Temp = "temp_gib", "Temp GiB";
    /// Size of all local NVMe disks together, GiB.
    Nvme = "nvme_gib", "NVMe GiB";
    /// Read IOPS of all local NVMe disks together.
    NvmeReadIops = "nvme_read_iops", "NVMe read IOPS";
    /// Read MB/s of all local NVMe disks together.
    NvmeReadMbps = "nvme_read_mbps", "NVMe read MB/s";
    /// Write IOPS of all local NVMe disks together.
    NvmeWriteIops = "nvme_write_iops", "NVMe write IOPS";
    /// Write MB/s of all local NVMe disks together.
    NvmeWriteMbps = "nvme_write_mbps", "NVMe write MB/s";
    /// The day of retirement.
    Retirement = "retirement", "Retires on";
}

impl VmColumn {
    /// What the column holds for `vm`; `None` where it is unknown or there is none.
    #[must_use]
    pub fn value(self, vm: &VmSize) -> Option<SortValue<'_>> {
        if let Some(number) = self.number(vm) {
            return Some(SortValue::Number(number));
        }
        match self {
            Self::Name => Some(SortValue::Text(vm.short_name())),
            Self::Series => Some(SortValue::Text(&vm.series)),
            Self::Interface => vm.interface.map(|one| SortValue::Text(one.name())),
            Self::Arch => vm.arch.as_deref().map(SortValue::Text),
            Self::Retirement => vm.retirement.as_deref().map(SortValue::Text),
            _ => None,
        }
    }

    fn number(self, vm: &VmSize) -> Option<f64> {
        use Axis::{Iops, Mbps};
        let remote = vm.remote_ceiling();
        let burst = |ceiling: &Ceiling, axis| ceiling.burst.and_then(|limits| limits.on(axis));
        let nvme = |pick: fn(&super::LocalNvme) -> Option<f64>| vm.nvme.as_ref().and_then(pick);
        match self {
            Self::Name | Self::Series | Self::Interface | Self::Arch | Self::Retirement => None,
            Self::Vcpus => Some(f64::from(vm.vcpus)),
            Self::Memory => vm.memory.map(GiB::get),
            Self::DataDisks => vm.max_data_disks.map(f64::from),
            Self::UncachedIops => vm.uncached.base.on(Iops),
            Self::UncachedMbps => vm.uncached.base.on(Mbps),
            Self::UncachedBurstIops => burst(&vm.uncached, Iops),
            Self::UncachedBurstMbps => burst(&vm.uncached, Mbps),
            Self::RemoteIops => remote.base.on(Iops),
            Self::RemoteMbps => remote.base.on(Mbps),
            Self::RemoteBurstIops => burst(remote, Iops),
            Self::RemoteBurstMbps => burst(remote, Mbps),
            Self::CachedIops => vm.cached.base.on(Iops),
            Self::CachedMbps => vm.cached.base.on(Mbps),
            Self::CachedBurstIops => burst(&vm.cached, Iops),
            Self::CachedBurstMbps => burst(&vm.cached, Mbps),
            Self::Cache => vm.cache_size.map(GiB::get),
            Self::Temp => vm.temp.as_ref().map(|temp| temp.size.get()),
            Self::Nvme => nvme(|nvme| nvme.total.map(GiB::get)),
            Self::NvmeReadIops => nvme(|nvme| nvme.read.on(Iops)),
            Self::NvmeReadMbps => nvme(|nvme| nvme.read.on(Mbps)),
            Self::NvmeWriteIops => nvme(|nvme| nvme.write.on(Iops)),
            Self::NvmeWriteMbps => nvme(|nvme| nvme.write.on(Mbps)),
        }
    }
}

impl fmt::Display for VmColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A text that names no column of VM sizes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is not a column of VM sizes; columns are {}", VmColumn::ALL.iter().map(|c| c.id()).collect::<Vec<_>>().join(", "))]
pub struct UnknownColumn {
    /// The name as given.
    pub input: String,
}

impl FromStr for VmColumn {
    type Err = UnknownColumn;

    /// An id (`uncached_iops`), without regard to case; `-` does for `_`.
    fn from_str(input: &str) -> Result<Self, UnknownColumn> {
        let wanted = input.trim().replace('-', "_");
        Self::ALL
            .iter()
            .copied()
            .find(|column| column.id().eq_ignore_ascii_case(&wanted))
            .ok_or_else(|| UnknownColumn {
                input: input.to_owned(),
            })
    }
}

/// An order of VM sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VmOrder {
    /// By what.
    pub column: VmColumn,
    /// The largest first.
    pub descending: bool,
}

impl Default for VmOrder {
    /// By name, as people count: series, then vCPUs.
    fn default() -> Self {
        Self {
            column: VmColumn::Name,
            descending: false,
        }
    }
}

impl FromStr for VmOrder {
    type Err = UnknownColumn;

    /// A column, the largest first with a leading `-` (`-uncached_iops`).
    fn from_str(input: &str) -> Result<Self, UnknownColumn> {
        let input = input.trim();
        let (descending, column) = match input.strip_prefix('-') {
            Some(column) => (true, column),
            None => (false, input),
        };
        Ok(Self {
            column: column.parse()?,
            descending,
        })
    }
}

impl VmOrder {
    /// Sorts `rows`: unknown values last, equal ones by series, vCPUs and name.
    pub fn sort(self, rows: &mut [&VmSize]) {
        rows.sort_by(|one, other| self.compare(one, other));
    }

    /// How two rows compare in this order.
    #[must_use]
    pub fn compare(self, one: &VmSize, other: &VmSize) -> Ordering {
        if self.column == VmColumn::Name {
            return self.directed(natural(one, other));
        }
        let order = match (self.column.value(one), self.column.value(other)) {
            (Some(one), Some(other)) => self.directed(compare_values(one, other)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        order.then_with(|| natural(one, other))
    }

    const fn directed(self, order: Ordering) -> Ordering {
        if self.descending {
            order.reverse()
        } else {
            order
        }
    }
}

fn compare_values(one: SortValue<'_>, other: SortValue<'_>) -> Ordering {
    match (one, other) {
        (SortValue::Number(one), SortValue::Number(other)) => one.total_cmp(&other),
        (SortValue::Text(one), SortValue::Text(other)) => one.cmp(other),
        (SortValue::Number(_), SortValue::Text(_)) => Ordering::Less,
        (SortValue::Text(_), SortValue::Number(_)) => Ordering::Greater,
    }
}

/// The order in which people expect names: by series, then vCPUs, so that D8s_v5 comes before D16s_v5.
fn natural(one: &VmSize, other: &VmSize) -> Ordering {
    let key = |vm: &VmSize| (vm.vcpus, vm.parent.is_some());
    one.series
        .cmp(&other.series)
        .then_with(|| key(one).cmp(&key(other)))
        .then_with(|| one.name.cmp(&other.name))
        .then_with(|| one.interface.cmp(&other.interface))
}
