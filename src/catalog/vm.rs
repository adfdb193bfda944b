//! VM sizes: what a size lets its disks do.

use std::collections::HashMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::{Ceiling, Limits};
use crate::units::{GiB, MBps};

/// The disk controller that a VM presents. Some sizes have other caps on NVMe than on SCSI.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Interface {
    /// SCSI.
    Scsi,
    /// NVMe.
    Nvme,
}

impl Interface {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scsi => "SCSI",
            Self::Nvme => "NVMe",
        }
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A size in words, with the disk controller where its caps hold for one only: through the other it is another size.
#[must_use]
pub fn size_name(size: &str, interface: Option<Interface>) -> String {
    match interface {
        Some(interface) => format!("{size} ({interface})"),
        None => size.to_owned(),
    }
}

/// Local NVMe disks of a size. Limits are for all of them together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LocalNvme {
    /// How many there are, where known.
    pub disks: Option<u32>,
    /// Capacity of all together.
    pub total: Option<GiB>,
    /// Read limits of all together.
    pub read: Limits,
    /// Write limits of all together.
    pub write: Limits,
}

/// The SCSI temp disk of a size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TempDisk {
    /// Capacity.
    pub size: GiB,
    /// The temp disk's own read limits, where documented apart from the cached ceiling.
    pub read: Limits,
    /// The temp disk's own write limits, where documented apart from the cached ceiling.
    pub write: Limits,
}

/// Where a row of the catalogue comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// The document or API that the figures come from.
    pub source: String,
    /// The date of that source, `YYYY-MM-DD`.
    pub date: String,
}

/// One VM size (on one disk controller, where the caps differ by it).
///
/// `None` means unknown, never "no" and never "unlimited".
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VmSize {
    /// Canonical name, such as `Standard_D2s_v3`.
    pub name: String,
    /// Series as people write it, such as `Dsv3`.
    pub series: String,
    /// The controller that these caps hold for; `None` where they hold for every one.
    pub interface: Option<Interface>,
    /// The controllers that the size can be deployed with, where known.
    pub controllers: Vec<Interface>,
    /// The unconstrained size that a constrained-vCPU size takes its caps from.
    pub parent: Option<String>,
    /// vCPUs that the guest sees.
    pub vcpus: u32,
    /// Memory.
    pub memory: Option<GiB>,
    /// CPU architecture, `x64` or `Arm64`, where known.
    pub arch: Option<String>,
    /// How many data disks can be attached.
    pub max_data_disks: Option<u32>,
    /// Whether premium disks can be attached.
    pub premium_storage: Option<bool>,
    /// Whether host caching of premium disks is documented as available.
    pub premium_caching: Option<bool>,
    /// Whether Ultra disks are offered in at least one region.
    pub ultra: Option<bool>,
    /// Ceiling of uncached traffic to remote disks (tiered families where `remote` is present, all where not).
    pub uncached: Ceiling,
    /// The separate ceiling for Premium SSD v2 and Ultra, on sizes that have one: higher than the uncached one, or
    /// [within](Ceiling::is_within) it, without its burst.
    pub remote: Option<Ceiling>,
    /// Combined ceiling of host cache and temp disk (its throughput is that of reads).
    pub cached: Ceiling,
    /// Throughput of cached and temp writes, where it differs from that of reads.
    pub cached_write_mbps: Option<MBps>,
    /// Size of the host cache.
    pub cache_size: Option<GiB>,
    /// The SCSI temp disk, where the size has one.
    pub temp: Option<TempDisk>,
    /// The local NVMe disks, where the size has some.
    pub nvme: Option<LocalNvme>,
    /// The day the size is retired, `YYYY-MM-DD`, where announced; that of its parent where it has none of its own.
    pub retirement: Option<String>,
    /// What the source says in contradiction or was left out.
    pub note: Option<String>,
    /// Where the figures come from.
    pub origin: Origin,
}

/// Gives constrained-vCPU sizes without a day of retirement that of their parent: they run on the same hardware.
pub(super) fn retire_with_parents(vms: &mut [VmSize]) {
    let days: HashMap<String, String> = vms
        .iter()
        .filter_map(|vm| Some((vm.name.to_ascii_lowercase(), vm.retirement.clone()?)))
        .collect();
    for vm in vms.iter_mut().filter(|vm| vm.retirement.is_none()) {
        let parent = vm.parent.as_ref().map(|name| name.to_ascii_lowercase());
        vm.retirement = parent.and_then(|parent| days.get(&parent).cloned());
    }
}

impl VmSize {
    /// Whether its CPU is known to be an Arm64 one.
    #[must_use]
    pub fn is_arm64(&self) -> bool {
        let arch = self.likely_arch();
        arch.is_some_and(|arch| arch.eq_ignore_ascii_case("Arm64"))
    }

    /// The CPU architecture, where no source gives it that which the name stands for.
    #[must_use]
    pub fn likely_arch(&self) -> Option<&str> {
        self.arch
            .as_deref()
            .or_else(|| super::azure::series::usual_arch(&self.series))
    }

    /// Whether its CPU runs at full speed from credit only.
    #[must_use]
    pub fn has_cpu_credit(&self) -> bool {
        super::azure::series::has_cpu_credit(&self.series)
    }

    /// Whether it comes with a temp disk or local NVMe disks.
    #[must_use]
    pub const fn has_local_disk(&self) -> bool {
        self.temp.is_some() || self.nvme.is_some()
    }

    /// Whether vCPUs, memory and disks are all that it is bought for, so that another such size can take its place: no
    /// accelerator, no fabric between VMs, no confidential hardware.
    #[must_use]
    pub fn is_exchangeable(&self) -> bool {
        !super::azure::series::is_special(&self.series)
    }

    /// The version in its name: 5 for `Standard_D8s_v5`, 1 where it has none.
    #[must_use]
    pub fn generation(&self) -> u32 {
        super::azure::series::generation(&self.name)
    }

    /// The name without `Standard_`.
    #[must_use]
    pub fn short_name(&self) -> &str {
        self.name.strip_prefix("Standard_").unwrap_or(&self.name)
    }

    /// The ceiling that Premium SSD v2 and Ultra are held to: the separate one where there is one, else the uncached.
    #[must_use]
    pub const fn remote_ceiling(&self) -> &Ceiling {
        match &self.remote {
            Some(remote) => remote,
            None => &self.uncached,
        }
    }

    /// Whether a VM with that disk controller can have this size, as far as is known: where no source names the size's
    /// controllers, by what its generation usually has.
    #[must_use]
    pub fn likely_runs_on(&self, controller: Interface) -> bool {
        if self.interface.is_none() && self.controllers.is_empty() {
            return super::azure::series::usual_controller(&self.series) == controller;
        }
        self.runs_on(controller)
    }

    /// The disk controller that a VM of this row has; of two it is SCSI: an image may have no driver for NVMe. `None` where
    /// the size is known to have neither.
    #[must_use]
    pub fn first_controller(&self) -> Option<Interface> {
        let has = |controller: &Interface| self.likely_runs_on(*controller);
        let first = || [Interface::Scsi, Interface::Nvme].into_iter().find(has);
        self.interface.or_else(first)
    }

    /// Whether this row holds for a VM with that disk controller. A row that names none holds for every controller
    /// that the size is known to have, and for any where none is known.
    #[must_use]
    pub fn runs_on(&self, controller: Interface) -> bool {
        match self.interface {
            Some(own) => own == controller,
            None => self.controllers.is_empty() || self.controllers.contains(&controller),
        }
    }
}
