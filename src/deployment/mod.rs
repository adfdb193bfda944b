//! What is, or would be, deployed: a VM, its disks, the volumes made of them, their host caching.

pub mod over_time;
pub mod pattern;
mod plan_disk;
pub mod plan_file;
pub mod plan_workload;
pub mod request;
pub mod spec;
pub(crate) mod toml_values;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::{
    BurstKind, Catalog, DiskError, DiskModel, DiskRequest, Family, Interface, LatencyFigure,
    Violation, VmSize,
};
use crate::units::GiB;
pub use over_time::OverTime;
pub use request::{Plan, PlanError, PlanRequest, known_region};
pub use spec::{DiskSpec, SpecError};

/// Host caching of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HostCaching {
    /// Every I/O goes to the disk.
    #[default]
    None,
    /// Reads may be answered from the host's SSD.
    ReadOnly,
    /// Reads may be answered, and writes are first taken, by the host's SSD.
    ReadWrite,
}

impl HostCaching {
    /// The name that clouds print.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::ReadOnly => "ReadOnly",
            Self::ReadWrite => "ReadWrite",
        }
    }
}

/// What a volume is for, as far as rules differ by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A data disk.
    #[default]
    Data,
    /// The operating system's disk.
    Os,
    /// Host-local storage that comes with the size.
    Local,
}

/// One disk: what was asked for, and what it can do.
#[derive(Debug, Clone, PartialEq)]
pub struct Disk {
    /// The specification, as understood.
    pub spec: DiskSpec,
    /// What it can do.
    pub model: DiskModel,
    /// What the provider would refuse of it.
    pub violations: Vec<Violation>,
    /// Host caching as set.
    pub caching: HostCaching,
    /// Whether it is set to have Write Accelerator, which few sizes have.
    pub write_accelerator: bool,
}

impl Disk {
    /// The host caching that takes effect: none where the disk cannot be cached at all.
    #[must_use]
    pub const fn effective_caching(&self) -> HostCaching {
        if self.model.cacheable {
            self.caching
        } else {
            HostCaching::None
        }
    }

    /// What was asked for, without on-demand bursting where the disk cannot have it: what takes its place is not asked for
    /// it either.
    #[must_use]
    pub fn request_in_effect(&self) -> DiskRequest {
        let burst = self.model.burst.map(|burst| burst.kind);
        let bursts_on_demand = matches!(burst, Some(BurstKind::OnDemand));
        DiskRequest {
            on_demand_burst: self.spec.request.on_demand_burst && bursts_on_demand,
            ..self.spec.request.clone()
        }
    }
}

/// A volume: one disk, or a stripe of several.
#[derive(Debug, Clone, PartialEq)]
pub struct Volume {
    /// Its name in this deployment, unique.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Its members, at least one.
    pub members: Vec<Disk>,
    /// The names of other VMs that have its disks too, each once; empty where none is known.
    pub also_on: Vec<String>,
}

impl Volume {
    /// Whether it is a stripe.
    #[must_use]
    pub const fn is_stripe(&self) -> bool {
        self.members.len() > 1
    }

    /// Whether some of its members are cached.
    #[must_use]
    pub fn is_cached(&self) -> bool {
        let mut members = self.members.iter();
        members.any(|disk| disk.effective_caching() != HostCaching::None)
    }

    /// Whether its members are cached in different ways.
    #[must_use]
    pub fn has_mixed_caching(&self) -> bool {
        let mut members = self.members.iter();
        members.any(|disk| disk.effective_caching() != self.caching())
    }

    /// The host caching of the volume: that of its first member.
    #[must_use]
    pub fn caching(&self) -> HostCaching {
        self.members
            .first()
            .map_or(HostCaching::None, Disk::effective_caching)
    }

    /// What it is made of, for tables: `P30`, `4 x P30`, `P30 + P40`.
    #[must_use]
    pub fn label(&self) -> String {
        let labels: Vec<&str> = self
            .members
            .iter()
            .map(|d| d.model.label.as_str())
            .collect();
        match labels.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [first, rest @ ..] if rest.iter().all(|l| l == first) => {
                format!("{} x {first}", labels.len())
            }
            _ => labels.join(" + "),
        }
    }

    /// What speaks against the credit burst of a member, where it is taken over from other disks.
    #[must_use]
    pub fn burst_doubt(&self) -> Option<&'static str> {
        let mut members = self.members.iter();
        members.find_map(|disk| disk.model.burst_doubt(&disk.spec.request))
    }

    /// The capacity of all members together, where all are known.
    #[must_use]
    pub fn size(&self) -> Option<GiB> {
        let total = self
            .members
            .iter()
            .map(|d| d.model.size.map(GiB::get))
            .sum::<Option<f64>>()?;
        GiB::new(total).ok()
    }
}

/// Whether the VM of a deployment is there, or is to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is there, and looked at on this day; without one, on that of the newest data.
    Deployed(Option<Date>),
    /// It is to be made on this day; without one, on that of the newest data.
    Planned(Option<Date>),
}

/// A VM with its volumes, every name looked up and every rule applied.
#[derive(Debug, Clone, PartialEq)]
pub struct Deployment {
    /// The VM size; `None` when only disks are looked at.
    pub vm: Option<VmSize>,
    /// Latency of an I/O that the host cache answers, where one is known or assumed.
    pub cache_latency: Option<LatencyFigure>,
    /// The disk controller asked for, where one was.
    pub interface: Option<Interface>,
    /// The region, where given.
    pub region: Option<String>,
    /// Whether the VM is there, or is to be made.
    pub standing: Standing,
    /// The volumes, in the order they were given.
    pub volumes: Vec<Volume>,
}

/// Why a deployment could not be put together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DeploymentError {
    /// A disk cannot be understood.
    #[error("disk '{disk}': {source}")]
    Disk {
        /// The disk as written or named.
        disk: String,
        /// Why.
        source: DiskError,
    },
    /// A local disk was named without a VM.
    #[error("disk '{disk}': a local disk takes its figures from the VM size: name one with --vm")]
    NoLocalDisk {
        /// The disk as written or named.
        disk: String,
    },
    /// A local disk was named more than once.
    #[error("disk '{disk}': a size has its local disks once: name them once, without a count")]
    LocalTwice {
        /// The disk as written or named.
        disk: String,
    },
    /// Two volumes share a name.
    #[error(
        "two volumes are named '{name}': names must be unique, since results are listed by name"
    )]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// No disk was given.
    #[error(
        "no disk was given: name at least one, such as --disk P30, or a [[disk]] in a plan file"
    )]
    NoDisk,
}

impl DeploymentError {
    /// The name of the disk or volume that it is about.
    fn disk(&self) -> Option<&str> {
        match self {
            Self::Disk { disk: name, .. }
            | Self::NoLocalDisk { disk: name }
            | Self::LocalTwice { disk: name }
            | Self::DuplicateName { name } => Some(name),
            Self::NoDisk => None,
        }
    }
}

/// A volume as it was asked for: a name if one was given, and its members' specifications.
#[derive(Debug, Clone, PartialEq)]
pub struct VolumeSpec {
    /// The name, where one was given.
    pub name: Option<String>,
    /// The members; a spec with a count above 1 stands for that many.
    pub members: Vec<DiskSpec>,
}

impl VolumeSpec {
    /// Puts `other` in its place; the OS disk stays one.
    fn become_as(&mut self, other: &Self) {
        let is_os = self.members.iter().any(|member| member.os);
        *self = other.clone();
        for member in &mut self.members {
            member.os |= is_os;
        }
    }
}

impl From<DiskSpec> for VolumeSpec {
    fn from(spec: DiskSpec) -> Self {
        Self {
            name: spec.name.clone(),
            members: vec![spec],
        }
    }
}

impl Deployment {
    /// Looks everything up in `catalog` and applies its rules.
    ///
    /// Volumes without a name are named after their SKU, numbered where several share it.
    /// A local disk (`temp`, `nvme`) takes its figures from the VM size.
    ///
    /// # Errors
    /// [`DeploymentError`] when a disk cannot be understood, a local disk does not exist, names repeat,
    /// or there is no disk at all. What can be understood but not deployed is kept as [`Violation`]s of the disk.
    pub fn new(
        catalog: &Catalog,
        vm: Option<&VmSize>,
        volumes: Vec<VolumeSpec>,
    ) -> Result<Self, DeploymentError> {
        if volumes.is_empty() {
            return Err(DeploymentError::NoDisk);
        }
        let names = volume_names(&volumes)?;
        let volumes: Vec<Volume> = volumes
            .into_iter()
            .zip(names)
            .map(|(spec, name)| build_volume(catalog, vm, spec, name))
            .collect::<Result<_, _>>()?;
        local_disks_once(&volumes)?;
        Ok(Self {
            vm: vm.cloned(),
            cache_latency: catalog.host_cache_latency(),
            interface: None,
            region: None,
            standing: Standing::Planned(None),
            volumes,
        })
    }

    /// Whether the VM is to be made.
    #[must_use]
    pub const fn is_planned(&self) -> bool {
        matches!(self.standing, Standing::Planned(_))
    }

    /// Whether `size` is not yet retired on the day on which the VM is to be made, or is looked at; where that is before the
    /// day of the newest data, on the latter.
    #[must_use]
    pub fn finds_in_service(&self, catalog: &Catalog, size: &VmSize) -> bool {
        let (Standing::Planned(day) | Standing::Deployed(day)) = self.standing;
        catalog.is_in_service(size) && day.is_none_or(|day| size.is_in_service_on(day))
    }

    /// The position of the volume called `name`, whatever its case.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.volumes
            .iter()
            .position(|v| v.name.eq_ignore_ascii_case(name))
    }

    /// The names of the volumes, in their order.
    #[must_use]
    pub fn volume_names(&self) -> Vec<String> {
        self.volumes.iter().map(|v| v.name.clone()).collect()
    }

    /// How many data disks the VM has to attach.
    #[must_use]
    pub fn data_disks(&self) -> usize {
        self.volumes
            .iter()
            .filter(|v| v.role == Role::Data)
            .map(|v| v.members.len())
            .sum()
    }

    /// The most data disks that can stand in the place of `volume`: its own and what the VM has room for besides; `None` where
    /// no VM says how many it takes.
    #[must_use]
    pub fn room_for(&self, volume: &Volume) -> Option<usize> {
        let most = self.vm.as_ref()?.max_data_disks?;
        let own = match volume.role {
            Role::Data => volume.members.len(),
            _ => 0,
        };
        Some((most as usize).saturating_sub(self.data_disks().saturating_sub(own)))
    }
}

/// Local disks come with the size, once; naming one twice would count it twice.
fn local_disks_once(volumes: &[Volume]) -> Result<(), DeploymentError> {
    for family in [Family::Temp, Family::LocalNvme] {
        let is_local = |d: &&Disk| d.model.family == family;
        let named = |v: &Volume| v.members.iter().filter(is_local).count();
        let mut with_it = volumes.iter().filter(|v| named(v) > 0);
        let (first, second) = (with_it.next(), with_it.next());
        if let Some(twice) = second.or(first.filter(|v| named(v) > 1)) {
            return Err(DeploymentError::LocalTwice {
                disk: twice.name.clone(),
            });
        }
    }
    Ok(())
}

/// The names of the volumes: those given, checked to be unique; the others from their SKU.
fn volume_names(volumes: &[VolumeSpec]) -> Result<Vec<String>, DeploymentError> {
    let mut taken: Vec<String> = Vec::new();
    for name in volumes.iter().filter_map(|v| v.name.as_ref()) {
        if taken.iter().any(|t| t.eq_ignore_ascii_case(name)) {
            return Err(DeploymentError::DuplicateName { name: name.clone() });
        }
        taken.push(name.clone());
    }
    let names = volumes.iter().map(|volume| {
        volume.name.clone().unwrap_or_else(|| {
            let sku = volume
                .members
                .first()
                .map_or_else(String::new, DiskSpec::sku);
            let name = free_name(&sku, &taken);
            taken.push(name.clone());
            name
        })
    });
    Ok(names.collect())
}

/// `base`, or `base-2`, `base-3`, ... whichever is not taken.
pub(crate) fn free_name(base: &str, taken: &[String]) -> String {
    let is_free = |name: &str| !taken.iter().any(|t| t.eq_ignore_ascii_case(name));
    std::iter::once(base.to_owned())
        .chain((2_u32..).map(|n| format!("{base}-{n}")))
        .find(|name| is_free(name))
        .unwrap_or_else(|| base.to_owned())
}

fn build_volume(
    catalog: &Catalog,
    vm: Option<&VmSize>,
    volume: VolumeSpec,
    name: String,
) -> Result<Volume, DeploymentError> {
    let mut members = Vec::new();
    let mut role = Role::Data;
    for spec in volume.members {
        let disk = build_disk(catalog, vm, &spec, &name)?;
        if spec.os {
            role = Role::Os;
        } else if disk.model.family.is_local() {
            role = Role::Local;
        }
        members.extend(std::iter::repeat_n(disk, spec.count as usize));
    }
    Ok(Volume {
        name,
        role,
        members,
        also_on: Vec::new(),
    })
}

fn build_disk(
    catalog: &Catalog,
    vm: Option<&VmSize>,
    spec: &DiskSpec,
    name: &str,
) -> Result<Disk, DeploymentError> {
    let request = local_request(vm, spec);
    let resolved = match vm {
        Some(vm) => catalog.local_disk(vm, &request),
        None if request.family.is_local() => return Err(no_vm(name)),
        None => catalog.disk(&request),
    };
    let resolved = resolved.map_err(|source| DeploymentError::Disk {
        disk: name.to_owned(),
        source: with_twin(catalog, vm, source),
    })?;
    // An OS disk for which nothing is said gets the platform's own default, ReadWrite; data disks get None.
    let default = if spec.os && resolved.model.cacheable {
        HostCaching::ReadWrite
    } else {
        HostCaching::None
    };
    Ok(Disk {
        caching: spec.caching.unwrap_or(default),
        spec: spec.clone(),
        model: resolved.model,
        violations: resolved.violations,
        write_accelerator: false,
    })
}

/// The error with the twin of `vm` that has local NVMe, where none has a temp disk: there `temp` means these.
fn with_twin(catalog: &Catalog, vm: Option<&VmSize>, mut error: DiskError) -> DiskError {
    if let (
        DiskError::NoLocalDisk {
            family, instead, ..
        },
        Some(vm),
    ) = (&mut error, vm)
        && instead.is_none()
        && *family == Family::Temp.name()
    {
        let twin = catalog.local_twin(vm, Family::LocalNvme);
        *instead = twin.map(|twin| twin.name.clone());
    }
    error
}

/// The request of `spec`; `temp` on a size whose only local disks are NVMe means these.
fn local_request(vm: Option<&VmSize>, spec: &DiskSpec) -> DiskRequest {
    let mut request = spec.request.clone();
    let only_nvme = vm.is_some_and(|vm| vm.temp.is_none() && vm.nvme.is_some());
    if request.family == Family::Temp && only_nvme {
        request.family = Family::LocalNvme;
    }
    request
}

fn no_vm(name: &str) -> DeploymentError {
    DeploymentError::NoLocalDisk {
        disk: name.to_owned(),
    }
}
