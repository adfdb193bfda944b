//! What the metrics of a VM are held against.

use crate::azure::facts::ResourceId;
use crate::azure::metrics::Subject;
use crate::catalog::azure::provisioned::ProvisionedRules;
use crate::catalog::azure::{premium_v2, ultra};
use crate::catalog::{BurstKind, Ceiling, Family, VmSize};
use crate::deployment::{Disk, HostCaching};

/// The ceilings of a VM and its disks, as far as they are known. Unknown ones are judged by the percentages alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct VmLimits {
    /// Name of the VM, for findings.
    pub vm: String,
    /// Its size, for findings about a ceiling of it.
    pub size: Option<String>,
    /// The cached ceiling of the size.
    pub cached: Ceiling,
    /// The uncached ceiling of the size.
    pub uncached: Ceiling,
    /// The disks; `None` for the LUN is the OS disk.
    pub disks: Vec<DiskLimits>,
}

/// A disk of the VM.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DiskLimits {
    /// Its name; what it is called on the VM where that is unknown.
    pub name: Option<String>,
    /// Its LUN; the OS disk has none.
    pub lun: Option<u32>,
    /// What findings call it (`lun0`); as tables do where that is `None`.
    pub volume: Option<String>,
    /// Its resource id, where it is a managed disk.
    pub id: Option<ResourceId>,
    /// What it is provisioned for, and what it may burst to.
    pub ceiling: Ceiling,
    /// Whether on-demand bursting is on.
    pub on_demand: Option<bool>,
    /// Host caching.
    pub caching: Option<HostCaching>,
    /// Whether it can have host caching; `None` where nothing says.
    pub cacheable: Option<bool>,
    /// How its performance can be lowered without a smaller disk.
    pub lowering: Lowering,
    /// Whether other VMs may attach it too: what one of them uses is a part of what it is used for.
    pub is_shared: bool,
}

/// Whether the performance of a disk can be lowered, and how.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Lowering {
    /// Not known.
    #[default]
    Unknown,
    /// Only with a smaller disk, or another family.
    WithSize,
    /// IOPS and MB/s are set apart from the size (Premium SSD v2, Ultra).
    Settable(&'static ProvisionedRules),
    /// The performance tier is raised and may be set back.
    RaisedTier,
}

impl Lowering {
    /// Of a disk as it is deployed.
    fn of(disk: &Disk) -> Self {
        let model = &disk.model;
        match model.family {
            Family::PremiumSsdV2 => Self::Settable(&premium_v2::RULES),
            Family::Ultra => Self::Settable(&ultra::RULES),
            _ if disk.spec.request.performance_tier.is_some() => Self::RaisedTier,
            family if family.is_tiered() => Self::WithSize,
            _ => Self::Unknown,
        }
    }
}

impl DiskLimits {
    /// The limits of a disk as it is deployed; `lun` is `None` for the OS disk.
    #[must_use]
    pub fn of(disk: &Disk, lun: Option<u32>, name: Option<&str>, id: Option<&ResourceId>) -> Self {
        let burst = disk.model.burst;
        Self {
            name: name.map(str::to_owned),
            lun,
            volume: None,
            id: id.cloned(),
            ceiling: Ceiling {
                base: disk.model.base,
                burst: burst.map(|burst| burst.limits),
                listed_mbps: None,
            },
            on_demand: Some(burst.is_some_and(|burst| burst.kind == BurstKind::OnDemand)),
            caching: Some(disk.effective_caching()),
            cacheable: Some(disk.model.cacheable),
            lowering: Lowering::of(disk),
            is_shared: disk.spec.request.max_shares > 1,
        }
    }

    /// What metrics of the VM call it.
    #[must_use]
    pub const fn subject(&self) -> Subject {
        match self.lun {
            Some(lun) => Subject::Lun(lun),
            None => Subject::OsDisk,
        }
    }
}

impl VmLimits {
    /// The limits of a VM of this size, where it is known, with these disks.
    #[must_use]
    pub fn of(vm: &str, size: Option<&VmSize>, disks: Vec<DiskLimits>) -> Self {
        Self {
            vm: vm.to_owned(),
            size: size.map(|size| size.name.clone()),
            cached: size.map(|size| size.cached).unwrap_or_default(),
            uncached: size.map(|size| size.uncached).unwrap_or_default(),
            disks,
        }
    }

    /// The ids of its managed disks.
    #[must_use]
    pub fn disk_ids(&self) -> Vec<ResourceId> {
        self.disks
            .iter()
            .filter_map(|disk| disk.id.clone())
            .collect()
    }

    /// The disk that metrics of the VM mean.
    pub(super) fn disk(&self, subject: Subject) -> Option<&DiskLimits> {
        self.disks.iter().find(|disk| disk.subject() == subject)
    }

    /// What findings call what a metric is about: the size for a ceiling of the VM, the volume for a disk.
    pub(super) fn subject(&self, subject: Subject) -> String {
        let name = match subject {
            Subject::VmCached | Subject::VmUncached => self.size.clone(),
            _ => self.disk(subject).and_then(|disk| disk.volume.clone()),
        };
        name.unwrap_or_else(|| self.label(subject))
    }

    /// How people call what a metric is about.
    pub(super) fn label(&self, subject: Subject) -> String {
        let named = |what: String| match self.disk(subject).and_then(|d| d.name.as_deref()) {
            Some(name) => format!("{what} {name}"),
            None => what,
        };
        match subject {
            Subject::VmCached => "VM cached".to_owned(),
            Subject::VmUncached => "VM uncached".to_owned(),
            Subject::OsDisk => named("OS disk".to_owned()),
            Subject::Lun(lun) => named(format!("LUN {lun}")),
            Subject::DataDisks => "data disks (mean)".to_owned(),
            Subject::TempDisk => "temp disk".to_owned(),
            Subject::AllDisks => "all disks".to_owned(),
            Subject::ManagedDisk => "disk".to_owned(),
        }
    }
}
