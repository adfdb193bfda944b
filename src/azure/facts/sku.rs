//! What the Resource SKUs list says: VM sizes as catalogue rows, limits of disk tiers, and where each is offered.
//!
//! Capability names and units are those of the Microsoft.Compute `skus` operation. Values are texts there; a
//! capability that is missing is unknown, not zero.

use std::sync::Arc;

use super::id::Region;
use super::named;
use super::problem::{Notes, Problem};
use crate::azure::arm::loose::Scalar;
use crate::azure::arm::shape::{Capability, LocationInfo, Resource, Restriction};
use crate::catalog::azure::series_of;
use crate::catalog::{Ceiling, Limits, LocalNvme, Origin, TempDisk, VmSize};
use crate::units::{BlockSize, GIB, GiB, Iops, MBps};

/// The most throughput that a VM size has for each of its IOPS; the largest known has 110 KiB (B1ls).
const LARGEST_IO: BlockSize = BlockSize::kib(256);

/// What one entry of the list is.
#[derive(Debug, Clone, PartialEq)]
pub enum SkuFacts {
    /// A VM size.
    Vm(Box<VmSkuFacts>),
    /// A disk tier, or a disk family with provisioned limits.
    Disk(Box<DiskSkuFacts>),
}

/// A VM size and where it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct VmSkuFacts {
    /// The size as a row that overlays the catalogue.
    pub size: VmSize,
    /// How many disks may use Write Accelerator.
    pub write_accelerator_disks: Option<u32>,
    /// Whether an ephemeral OS disk is possible.
    pub ephemeral_os_disk: Option<bool>,
    /// Where it is offered.
    pub offers: Vec<Offer>,
}

/// The limits of a disk SKU and where it is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct DiskSkuFacts {
    /// ARM name, such as `Premium_LRS`.
    pub sku: named::DiskSku,
    /// Tier (`P30`), or the family's letter for provisioned families.
    pub tier: Option<Arc<str>>,
    /// The smallest capacity of the tier. (The list gives the size of the tier below; a disk of that size is in the tier below.)
    pub above: Option<GiB>,
    /// The largest capacity of the tier.
    pub up_to: Option<GiB>,
    /// Limits without bursting, or the highest that can be provisioned.
    pub limits: Limits,
    /// The lowest limits that can be provisioned.
    pub least: Limits,
    /// Limits while bursting.
    pub burst: Option<Limits>,
    /// The most IOPS that can be provisioned for each GiB.
    pub iops_per_gib: Option<Iops>,
    /// How many VMs may share it.
    pub max_shares: Option<u32>,
    /// Where it is offered.
    pub offers: Vec<Offer>,
}

/// One region that offers a SKU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// The region.
    pub region: Region,
    /// The zones that have it; empty where the region has none or the list names none.
    pub zones: Vec<Arc<str>>,
    /// Where Ultra disks can be attached to it.
    pub ultra: UltraOffer,
    /// Why this subscription cannot have it, where it cannot.
    pub restrictions: Vec<Restricted>,
}

/// Where in a region Ultra disks can be attached to a size.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UltraOffer {
    /// Without a zone.
    pub regional: bool,
    /// In these zones.
    pub zones: Vec<Arc<str>>,
}

/// A restriction of the subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restricted {
    /// The zones meant; empty for the whole region.
    pub zones: Vec<Arc<str>>,
    /// The reason that the API gives, such as `NotAvailableForSubscription`.
    pub reason: Arc<str>,
}

impl SkuFacts {
    /// Reads an entry; `None` for what is neither a VM size nor a disk, and for an entry without a name.
    pub(crate) fn read(resource: &Resource, notes: &mut Notes<'_>) -> Option<Self> {
        let kind = resource.resource_type.as_str()?;
        let caps = Capabilities(&resource.capabilities.items);
        if kind.eq_ignore_ascii_case("virtualMachines") {
            vm_sku(resource, &caps, notes).map(|sku| Self::Vm(Box::new(sku)))
        } else if kind.eq_ignore_ascii_case("disks") {
            disk_sku(resource, &caps, notes).map(|sku| Self::Disk(Box::new(sku)))
        } else {
            None
        }
    }

    /// What tells it from others: the name, and for a disk also the tier.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Vm(vm) => vm.size.name.to_ascii_lowercase(),
            Self::Disk(disk) => format!(
                "{}/{}",
                disk.sku.name,
                disk.tier.as_deref().unwrap_or_default()
            )
            .to_ascii_lowercase(),
        }
    }

    /// The same SKU in another region, or read again: newer figures hold, all regions are kept.
    pub(crate) fn merge(&mut self, newer: Self) {
        let mut offers = match self {
            Self::Vm(vm) => std::mem::take(&mut vm.offers),
            Self::Disk(disk) => std::mem::take(&mut disk.offers),
        };
        *self = newer;
        let kept = match self {
            Self::Vm(vm) => &mut vm.offers,
            Self::Disk(disk) => &mut disk.offers,
        };
        offers.retain(|old| kept.iter().all(|new| new.region != old.region));
        kept.append(&mut offers);
    }
}

/// Name and value pairs.
struct Capabilities<'a>(&'a [Capability]);

impl Capabilities<'_> {
    fn get(&self, name: &str) -> &Scalar {
        self.0
            .iter()
            .find(|cap| {
                cap.name
                    .as_str()
                    .is_some_and(|n| n.eq_ignore_ascii_case(name))
            })
            .map_or(&Scalar::Absent, |cap| &cap.value)
    }

    /// A quantity; zero is how some entries say that there is none, and no limit anybody could work with.
    fn quantity<T: TryFrom<f64>>(&self, name: &'static str, notes: &mut Notes<'_>) -> Option<T> {
        let number = notes.number(name, self.get(name))?;
        T::try_from(number).ok().filter(|_| number > 0.0)
    }

    fn whole(&self, name: &'static str, notes: &mut Notes<'_>) -> Option<u32> {
        notes.whole(name, self.get(name))
    }

    fn flag(&self, name: &'static str, notes: &mut Notes<'_>) -> Option<bool> {
        notes.flag(name, self.get(name))
    }

    /// A throughput that the API gives in bytes per second.
    fn bytes_per_s(&self, name: &'static str, notes: &mut Notes<'_>) -> Option<MBps> {
        let bytes = notes.number(name, self.get(name))?;
        MBps::from_bytes_per_s(bytes)
            .ok()
            .filter(|mbps| mbps.get() > 0.0)
    }

    /// A capacity that the API gives in MiB; zero is a size without such a disk.
    fn mib(&self, name: &'static str, notes: &mut Notes<'_>) -> Option<GiB> {
        let mib = notes.number(name, self.get(name))?;
        GiB::from_mib(mib).ok().filter(|size| size.get() > 0.0)
    }
}

fn vm_sku(
    resource: &Resource,
    caps: &Capabilities<'_>,
    notes: &mut Notes<'_>,
) -> Option<VmSkuFacts> {
    let name = resource.name.text()?;
    // The guest sees the available vCPUs; the others are switched off.
    let vcpus = caps
        .whole("vCPUsAvailable", notes)
        .or_else(|| caps.whole("vCPUs", notes))?;
    let offers = offers(resource, caps, notes);
    let ultra = offers
        .iter()
        .any(|offer| offer.ultra.regional || !offer.ultra.zones.is_empty());
    let uncached = Limits {
        iops: caps.quantity("UncachedDiskIOPS", notes),
        mbps: caps.bytes_per_s("UncachedDiskBytesPerSecond", notes),
    };
    let uncached = believed(uncached, "UncachedDiskBytesPerSecond", notes);
    let cached_iops = caps.quantity("CombinedTempDiskAndCachedIOPS", notes);
    let cached_throughput = |name: &'static str, notes: &mut Notes<'_>| {
        let limits = Limits {
            iops: cached_iops,
            mbps: caps.bytes_per_s(name, notes),
        };
        believed(limits, name, notes)
    };
    let cached = cached_throughput("CombinedTempDiskAndCachedReadBytesPerSecond", notes);
    let cached_write =
        cached_throughput("CombinedTempDiskAndCachedWriteBytesPerSecond", notes).mbps;
    let size = VmSize {
        series: series_of(&name),
        controllers: named::controllers(caps.get("DiskControllerTypes")),
        parent: caps.get("ParentSize").text(),
        vcpus,
        memory: caps.quantity("MemoryGB", notes),
        arch: caps.get("CpuArchitectureType").text(),
        max_data_disks: caps.whole("MaxDataDiskCount", notes),
        premium_storage: caps.flag("PremiumIO", notes),
        ultra: ultra.then_some(true),
        uncached: Ceiling {
            base: uncached,
            ..Ceiling::default()
        },
        cached: Ceiling {
            base: cached,
            ..Ceiling::default()
        },
        cached_write_mbps: cached_write.filter(|write| Some(*write) != cached.mbps),
        cache_size: cache_size(caps, notes),
        temp: caps.mib("MaxResourceVolumeMB", notes).map(|size| TempDisk {
            size,
            read: Limits::UNKNOWN,
            write: Limits::UNKNOWN,
        }),
        nvme: local_nvme(caps, notes),
        retirement: retirement(caps),
        origin: Origin {
            source: notes.source().to_string(),
            date: String::new(),
        },
        name,
        ..VmSize::default()
    };
    Some(VmSkuFacts {
        size,
        write_accelerator_disks: caps.whole("MaxWriteAcceleratorDisksAllowed", notes),
        ephemeral_os_disk: caps.flag("EphemeralOSDiskSupported", notes),
        offers,
    })
}

/// A pair of caps; without its throughput where that cannot be: the service lists 77,000 MB/s beside 77,000 IOPS.
fn believed(limits: Limits, field: &str, notes: &mut Notes<'_>) -> Limits {
    let (Some(iops), Some(mbps)) = (limits.iops, limits.mbps) else {
        return limits;
    };
    let most = iops.throughput(LARGEST_IO);
    if mbps <= most {
        return limits;
    }
    let reason = format!(
        "{field} {:.0} beside {} IOPS cannot be: no size has more than {} for each I/O",
        mbps.bytes_per_s(),
        iops.get(),
        LARGEST_IO
    );
    notes.add(Problem::Implausible { reason });
    Limits {
        mbps: None,
        ..limits
    }
}

fn cache_size(caps: &Capabilities<'_>, notes: &mut Notes<'_>) -> Option<GiB> {
    let bytes = notes.number("CachedDiskBytes", caps.get("CachedDiskBytes"))?;
    GiB::new(bytes / GIB as f64)
        .ok()
        .filter(|size| size.get() > 0.0)
}

/// Local NVMe disks: the capacity is of all together, and so are the rates.
fn local_nvme(caps: &Capabilities<'_>, notes: &mut Notes<'_>) -> Option<LocalNvme> {
    let total = caps.mib("NvmeDiskSizeInMiB", notes)?;
    let each = caps.mib("NvmeSizePerDiskInMiB", notes);
    Some(LocalNvme {
        disks: each.map(|each| (total.get() / each.get()).round() as u32),
        total: Some(total),
        read: Limits {
            iops: caps.quantity("NvmeMaxReadIops", notes),
            mbps: caps.bytes_per_s("NvmeMaxReadBytesPerSecond", notes),
        },
        write: Limits {
            iops: caps.quantity("NvmeMaxWriteIops", notes),
            mbps: caps.bytes_per_s("NvmeMaxWriteBytesPerSecond", notes),
        },
    })
}

/// `RetirementDateUtc`, which is written `MM/DD/YYYY`, as `YYYY-MM-DD`.
fn retirement(caps: &Capabilities<'_>) -> Option<String> {
    let text = caps.get("RetirementDateUtc").text()?;
    let date = text.split_whitespace().next()?;
    let parsed = jiff::civil::Date::strptime("%m/%d/%Y", date)
        .or_else(|_| jiff::civil::Date::strptime("%Y-%m-%d", date.get(..10).unwrap_or(date)));
    parsed.ok().map(|date| date.to_string())
}

fn disk_sku(
    resource: &Resource,
    caps: &Capabilities<'_>,
    notes: &mut Notes<'_>,
) -> Option<DiskSkuFacts> {
    let sku = notes.disk_sku(&resource.name)?;
    let either = |names: [&'static str; 2], notes: &mut Notes<'_>| -> Option<f64> {
        names
            .into_iter()
            .find_map(|name| notes.number(name, caps.get(name)))
            .filter(|number| *number > 0.0)
    };
    let iops = |names, notes: &mut Notes<'_>| either(names, notes).and_then(|n| Iops::new(n).ok());
    let mbps = |names, notes: &mut Notes<'_>| either(names, notes).and_then(|n| MBps::new(n).ok());
    let burst = Limits {
        iops: caps.quantity("MaxBurstIops", notes),
        mbps: caps.quantity("MaxBurstBandwidthMBps", notes),
    };
    Some(DiskSkuFacts {
        sku,
        tier: notes.shared(&resource.size),
        above: notes
            .number("MinSizeGiB", caps.get("MinSizeGiB"))
            .and_then(|gib| GiB::new(gib).ok()),
        up_to: caps.quantity("MaxSizeGiB", notes),
        limits: Limits {
            iops: iops(["MaxIOps", "MaxIOpsReadWrite"], notes),
            mbps: mbps(["MaxBandwidthMBps", "MaxBandwidthMBpsReadWrite"], notes),
        },
        least: Limits {
            iops: iops(["MinIOps", "MinIOpsReadWrite"], notes),
            mbps: mbps(["MinBandwidthMBps", "MinBandwidthMBpsReadWrite"], notes),
        },
        burst: (burst != Limits::UNKNOWN).then_some(burst),
        iops_per_gib: caps.quantity("MaxIopsPerGiBReadWrite", notes),
        max_shares: caps.whole("MaxValueOfMaxShares", notes),
        offers: offers(resource, caps, notes),
    })
}

/// Where the SKU is offered: by `locationInfo`, or by `locations` alone in old answers.
fn offers(resource: &Resource, caps: &Capabilities<'_>, notes: &mut Notes<'_>) -> Vec<Offer> {
    let regional = caps.get("UltraSSDAvailable").flag() == Some(true);
    let restricted = &resource.restrictions.items;
    let mut offers: Vec<Offer> = Vec::new();
    for info in &resource.location_info.items {
        if let Some(region) = notes.region(&info.location) {
            offers.push(Offer {
                zones: notes.all_shared(&info.zones.items),
                ultra: UltraOffer {
                    regional,
                    zones: ultra_zones(info, notes),
                },
                restrictions: restrictions(restricted, &region, notes),
                region,
            });
        }
    }
    for location in &resource.locations.items {
        if let Some(region) = Region::new(location)
            && offers.iter().all(|offer| offer.region != region)
        {
            offers.push(Offer {
                zones: Vec::new(),
                ultra: UltraOffer {
                    regional,
                    zones: Vec::new(),
                },
                restrictions: restrictions(restricted, &region, notes),
                region,
            });
        }
    }
    offers
}

fn ultra_zones(info: &LocationInfo, notes: &mut Notes<'_>) -> Vec<Arc<str>> {
    let with_ultra = info.zone_details.items.iter().filter(|details| {
        let caps = Capabilities(&details.capabilities.items);
        caps.get("UltraSSDAvailable").flag() == Some(true)
    });
    let mut zones: Vec<Arc<str>> = with_ultra
        .flat_map(|details| notes.all_shared(&details.names.items))
        .collect();
    zones.sort_unstable();
    zones.dedup();
    zones
}

/// The restrictions that hold in `region`.
fn restrictions(all: &[Restriction], region: &Region, notes: &mut Notes<'_>) -> Vec<Restricted> {
    all.iter()
        .filter(|restriction| holds_in(restriction, region))
        .map(|restriction| {
            let info = restriction.info.get();
            Restricted {
                zones: info.map_or_else(Vec::new, |info| notes.all_shared(&info.zones.items)),
                reason: notes
                    .shared(&restriction.reason)
                    .unwrap_or_else(|| notes.pool("")),
            }
        })
        .collect()
}

/// A restriction that names no region holds in all.
fn holds_in(restriction: &Restriction, region: &Region) -> bool {
    let locations = restriction.info.get().map(|info| &info.locations.items);
    let mut regions = locations
        .into_iter()
        .flatten()
        .filter_map(|location| Region::new(location))
        .peekable();
    regions.peek().is_none() || regions.any(|named| named == *region)
}
