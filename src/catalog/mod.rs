//! What the clouds sell: VM sizes, disk SKUs and their rules, typical latencies, prices.
//!
//! The data lies in `sku-data/`, is embedded in the library ([`Catalog::embedded`]) and can be overlaid by a refreshed
//! copy ([`Catalog::overlay`]). Rules that only one cloud has live in that cloud's own folder ([`azure`]).
//!
//! ```
//! use diskcap::catalog::{Catalog, DiskRequest, Family};
//! use diskcap::units::{GiB, Iops};
//!
//! let catalog = Catalog::embedded();
//! let vm = catalog.vm("d2s v3", None)?;
//! assert_eq!(vm.name, "Standard_D2s_v3");
//! assert_eq!(vm.uncached.base.iops, Some(Iops::whole(3200)));
//!
//! let disk = catalog.disk(&DiskRequest {
//!     size: Some(GiB::whole(100)),
//!     ..DiskRequest::new(Family::PremiumSsd)
//! })?;
//! assert_eq!(disk.model.label, "P10");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::OnceLock;

pub mod azure;
pub mod changes;
mod custom;
pub mod disk;
mod documented;
mod facts;
mod family;
mod filter_error;
pub mod info;
pub mod latency;
pub mod limits;
mod local;
pub mod lookup;
mod overlay;
pub mod price;
pub mod query;
pub mod refresh;
mod refusal;
mod region_skus;
pub mod table;
pub mod vm;

pub use azure::tiers::{Tier, TierTable};
pub use disk::{
    Basis, Burst, BurstKind, DiskError, DiskModel, DiskRequest, Family, Lane, LatencyBound,
    LatencyFigure, Redundancy, Resolved, Setting, Violation,
};
pub use documented::Documented;
pub use facts::DiskFacts;
pub use info::{DataInfo, Dataset, Refreshed};
pub use latency::TypicalLatency;
pub use limits::{Axis, Ceiling, Limits};
pub use lookup::UnknownVm;
pub use overlay::Overlay;
pub use query::{Bounds, NamePattern, VmColumn, VmFilter, VmOrder, architecture};
pub use refusal::Refusal;
pub use region_skus::{DiskOffer, RegionSkus, TierSku};
pub use table::DataError;
pub use vm::{Interface, LocalNvme, Origin, TempDisk, VmSize, size_name};

use latency::Latencies;
use lookup::NameIndex;

/// The texts that a catalogue is made of, in the form of the files of `sku-data/`.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// `azure-vm-sizes.csv`.
    pub vm_sizes: &'a str,
    /// `azure-disk-tiers.csv`.
    pub disk_tiers: &'a str,
    /// `azure-disk-regions.csv`.
    pub disk_regions: &'a str,
    /// `azure-latency.toml`.
    pub latency: &'a str,
}

impl Parts<'static> {
    /// The files that the library carries.
    pub const EMBEDDED: Self = Self {
        vm_sizes: include_str!("../../sku-data/azure-vm-sizes.csv"),
        disk_tiers: include_str!("../../sku-data/azure-disk-tiers.csv"),
        disk_regions: include_str!("../../sku-data/azure-disk-regions.csv"),
        latency: include_str!("../../sku-data/azure-latency.toml"),
    };
}

/// What is sold: VM sizes, disks, where, and how fast they usually answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Catalog {
    /// Sorted by name, then controller.
    vms: Vec<VmSize>,
    names: NameIndex,
    tiers: TierTable,
    regions: azure::regions::Regions,
    latencies: Latencies,
    info: DataInfo,
}

impl Catalog {
    /// The catalogue that the library carries, read once.
    ///
    /// # Panics
    /// Never in a build that passed its tests: they read the same files.
    #[must_use]
    pub fn embedded() -> &'static Self {
        static EMBEDDED: OnceLock<Catalog> = OnceLock::new();
        EMBEDDED.get_or_init(|| match Self::from_parts(&Parts::EMBEDDED) {
            Ok(catalog) => catalog,
            Err(error) => unreachable!("the embedded data is tested: {error}"),
        })
    }

    /// A catalogue from texts in the form of the embedded files.
    ///
    /// # Errors
    /// [`DataError`], naming file, line and column.
    pub fn from_parts(parts: &Parts<'_>) -> Result<Self, DataError> {
        use azure::{regions, tiers, vm_sizes};
        let mut vms = vm_sizes::read(vm_sizes::FILE, parts.vm_sizes)?;
        vm::retire_with_parents(&mut vms);
        Ok(Self {
            names: NameIndex::new(&vms),
            vms,
            tiers: TierTable::read(tiers::FILE, parts.disk_tiers)?,
            regions: regions::Regions::read(regions::FILE, parts.disk_regions)?,
            latencies: latency::read(latency::FILE, parts.latency)?,
            info: DataInfo {
                vm_sizes: Dataset::new(azure::SKUS_API, azure::SKUS_API_DATE),
                disks: Dataset::new(azure::DISK_SKUS_API, azure::DISK_SKUS_API_DATE),
                refreshed: Vec::new(),
            },
        })
    }

    /// The VM size that `name` means: without regard to case, with or without `Standard_`, with `_`, `-`, a blank or
    /// nothing between its parts. Where the caps of a size differ by disk controller, `interface` chooses; SCSI's are
    /// answered where it does not.
    ///
    /// # Errors
    /// [`UnknownVm`], with the nearest names.
    pub fn vm(&self, name: &str, interface: Option<Interface>) -> Result<&VmSize, UnknownVm> {
        self.names
            .find(&self.vms, name, interface)
            .map_err(|unknown| match (unknown, self.disk_called(name)) {
                (UnknownVm::Unknown { input, .. }, Some(what)) => UnknownVm::Disk { input, what },
                (unknown, _) => unknown,
            })
    }

    /// What kind of disk is called `name`, where one is.
    fn disk_called(&self, name: &str) -> Option<&'static str> {
        let name = name.trim();
        let is_label = |family: &Family| {
            let rules = family.provisioned_rules();
            rules.is_some_and(|rules| rules.label.eq_ignore_ascii_case(name))
        };
        if self.tiers.any_named(name).is_ok() {
            return Some("disk tier");
        }
        let provisioned = [Family::PremiumSsdV2, Family::Ultra];
        provisioned.iter().any(is_label).then_some("disk family")
    }

    /// Every row of VM sizes, sorted by name, then controller.
    #[must_use]
    pub fn vms(&self) -> &[VmSize] {
        &self.vms
    }

    /// Applies the rules of its family to a request. Local disks are those of a VM size and get their limits from
    /// [`local_disk`](Self::local_disk); here they stay unknown.
    ///
    /// # Errors
    /// [`DiskError`] where the request cannot be understood; what the provider would refuse is a
    /// [`Violation`] beside the nearest disk that it would accept.
    pub fn disk(&self, request: &DiskRequest) -> Result<Resolved, DiskError> {
        let resolved = match request.family {
            Family::PremiumSsd | Family::StandardSsd | Family::StandardHdd => {
                azure::tiered::resolve(&self.tiers, request)
            }
            Family::PremiumSsdV2 => azure::provisioned::resolve(&azure::premium_v2::RULES, request),
            Family::Ultra => azure::provisioned::resolve(&azure::ultra::RULES, request),
            Family::Custom => custom::resolve(request),
            Family::Temp | Family::LocalNvme => local::unknown(request),
        };
        Ok(self.with_latency(resolved?, request))
    }

    /// The local disk of `vm` that `request` names ([`Family::Temp`] or [`Family::LocalNvme`]), with its latency.
    /// Any other family is answered as by [`disk`](Self::disk).
    ///
    /// # Errors
    /// [`DiskError`]; [`DiskError::NoLocalDisk`] where the size has none.
    pub fn local_disk(&self, vm: &VmSize, request: &DiskRequest) -> Result<Resolved, DiskError> {
        if !request.family.is_local() {
            return self.disk(request);
        }
        let resolved = local::resolve(vm, request).map_err(|error| match error {
            DiskError::NoLocalDisk {
                family, vm: name, ..
            } => DiskError::NoLocalDisk {
                family,
                vm: name,
                instead: self.local_twin(vm, request.family).map(|v| v.name.clone()),
            },
            other => other,
        })?;
        Ok(self.with_latency(resolved, request))
    }

    /// What is known of the latency of a family at queue depth 1.
    #[must_use]
    pub fn latency(&self, family: Family) -> Option<&TypicalLatency> {
        self.latencies
            .iter()
            .find(|(of, _)| *of == family)
            .map(|(_, typical)| typical)
    }

    /// The latency to reckon with: what the request says, else the typical one.
    fn latency_of(&self, request: &DiskRequest) -> Option<LatencyFigure> {
        match request.latency {
            Some(measured) => Some(LatencyFigure::measured(measured)),
            None => self.latency(request.family)?.figure,
        }
    }

    /// What an I/O of a family hardly ever exceeds at queue depth 1: what its provider promises. Of local NVMe, of which
    /// nothing is promised, it is assumed to be no slower than the temp disk, which is an SSD of the same host.
    #[must_use]
    pub fn latency_bound(&self, family: Family) -> Option<LatencyBound> {
        if family == Family::LocalNvme {
            let LatencyFigure { read, write, .. } = self.latency(Family::Temp)?.figure?;
            return Some(LatencyBound { read, write });
        }
        self.latency(family)?.promised
    }

    fn with_latency(&self, mut resolved: Resolved, request: &DiskRequest) -> Resolved {
        let model = &mut resolved.model;
        model.latency = self.latency_of(request);
        model.latency_bound = self.latency_bound(request.family);
        resolved
    }

    /// The latency to reckon with for an I/O that the host cache answers: that of the temp disk, which lies on the same
    /// SSD of the host. Nothing is published of the cache itself, so it is assumed.
    #[must_use]
    pub fn host_cache_latency(&self) -> Option<LatencyFigure> {
        let figure = self.latency(Family::Temp)?.figure?;
        Some(LatencyFigure {
            basis: Basis::Assumed,
            ..figure
        })
    }

    /// The tiers of the tiered families.
    #[must_use]
    pub const fn tiers(&self) -> &TierTable {
        &self.tiers
    }

    /// The zones in which `region` is recorded to offer such disks (an empty list: without zones). `None` means that
    /// nothing is recorded, not that it is not offered: the recorded answers name Premium SSD v2 and Ultra for two
    /// regions only. Case and blanks in the region's name do not matter.
    #[must_use]
    pub fn region_offers(
        &self,
        region: &str,
        family: Family,
        redundancy: Redundancy,
    ) -> Option<&[u8]> {
        self.regions.zones(region, family, redundancy)
    }

    /// Whether `region` offers such disks. `None` means that nothing says: only of a region whose list was read is it
    /// known what it does not offer.
    #[must_use]
    pub fn offered(&self, region: &str, family: Family, redundancy: Redundancy) -> Option<bool> {
        let is_sold = |sku| Family::from_arm_sku(sku) == Some((family, redundancy));
        // Local disks and arrays are in no list.
        Family::arm_skus()
            .any(is_sold)
            .then(|| self.regions.offers(region, family, redundancy))?
    }

    /// The regions that offers are recorded of.
    #[must_use]
    pub const fn regions(&self) -> &azure::regions::Regions {
        &self.regions
    }

    /// Which data this is.
    #[must_use]
    pub const fn info(&self) -> &DataInfo {
        &self.info
    }
}
