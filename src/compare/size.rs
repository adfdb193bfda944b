//! What a VM size lets its disks do, as comparisons show it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::{self, Month};
use crate::catalog::price::{PriceBook, VmOffer};
use crate::catalog::{Ceiling, Interface, Limits, Origin, VmSize};
use crate::units::{GiB, MBps};

/// What a VM size lets its disks do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SizeView {
    /// Canonical name.
    pub size: String,
    /// Series.
    pub series: String,
    /// The controller that the caps hold for, where they differ by it.
    pub interface: Option<Interface>,
    /// The controllers that the size can be deployed with, where known.
    #[serde(default)]
    pub controllers: Vec<Interface>,
    /// vCPUs.
    pub vcpus: u32,
    /// Memory.
    pub memory_gib: Option<GiB>,
    /// CPU architecture.
    pub arch: Option<String>,
    /// Most data disks.
    pub max_data_disks: Option<u32>,
    /// Whether premium disks can be attached.
    pub premium_storage: Option<bool>,
    /// Whether host caching of premium disks is documented.
    pub premium_caching: Option<bool>,
    /// Whether Ultra disks are offered in a region at least.
    pub ultra: Option<bool>,
    /// Ceiling of uncached traffic.
    pub uncached: Ceiling,
    /// The higher ceiling of Premium SSD v2 and Ultra, where there is one.
    pub remote: Option<Ceiling>,
    /// Ceiling of host cache and temp disk.
    pub cached: Ceiling,
    /// Throughput of cached and temp writes, where it differs from that of reads.
    pub cached_write_mbps: Option<MBps>,
    /// Size of the host cache.
    pub cache_gib: Option<GiB>,
    /// Size of the SCSI temp disk.
    pub temp_gib: Option<GiB>,
    /// Size of all local NVMe disks together.
    pub nvme_gib: Option<GiB>,
    /// Read limits of all local NVMe disks together.
    pub nvme_read: Option<Limits>,
    /// Write limits of all local NVMe disks together.
    pub nvme_write: Option<Limits>,
    /// The day the size is retired, where announced.
    pub retirement: Option<String>,
    /// Where the figures come from.
    pub origin: Origin,
    /// What it costs a month without disks; `None` where no price of it is known or none was asked for.
    pub month: Option<Month>,
}

impl SizeView {
    /// Whether NVMe is the only controller that the size is known to have: a VM with SCSI needs the driver for it first.
    #[must_use]
    pub fn is_nvme_only(&self) -> bool {
        self.controllers.as_slice() == [Interface::Nvme]
    }

    /// What `vm` lets its disks do, with its price in `book`, bought as `offer`.
    #[must_use]
    pub fn new(vm: &VmSize, book: Option<&PriceBook>, offer: VmOffer) -> Self {
        let nvme = vm.nvme.as_ref();
        Self {
            size: vm.name.clone(),
            series: vm.series.clone(),
            interface: vm.interface,
            controllers: vm.controllers.clone(),
            vcpus: vm.vcpus,
            memory_gib: vm.memory,
            arch: vm.arch.clone(),
            max_data_disks: vm.max_data_disks,
            premium_storage: vm.premium_storage,
            premium_caching: vm.premium_caching,
            ultra: vm.ultra,
            uncached: vm.uncached,
            remote: vm.remote,
            cached: vm.cached,
            cached_write_mbps: vm.cached_write_mbps,
            cache_gib: vm.cache_size,
            temp_gib: vm.temp.as_ref().map(|temp| temp.size),
            nvme_gib: nvme.and_then(|nvme| nvme.total),
            nvme_read: nvme.map(|nvme| nvme.read),
            nvme_write: nvme.map(|nvme| nvme.write),
            retirement: vm.retirement.clone(),
            origin: vm.origin.clone(),
            month: book.and_then(|book| cost::of_vm(book, vm, offer)),
        }
    }

    /// The ceiling that Premium SSD v2 and Ultra are held to: the separate one where there is one, else the uncached.
    #[must_use]
    pub const fn remote_ceiling(&self) -> &Ceiling {
        match &self.remote {
            Some(remote) => remote,
            None => &self.uncached,
        }
    }

    /// The name with the controller behind it, where the caps differ by it: unique among the rows of a catalogue.
    #[must_use]
    pub fn label(&self) -> String {
        self.with_controller(&self.size)
    }

    /// The name without `Standard_`.
    #[must_use]
    pub fn short_name(&self) -> &str {
        self.size.strip_prefix("Standard_").unwrap_or(&self.size)
    }

    /// The label without `Standard_`, for tables.
    #[must_use]
    pub fn short_label(&self) -> String {
        self.with_controller(self.short_name())
    }

    fn with_controller(&self, name: &str) -> String {
        match self.interface {
            Some(interface) => format!("{name} ({interface})"),
            None => name.to_owned(),
        }
    }
}
