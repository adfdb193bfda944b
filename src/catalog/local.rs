//! Disks that are part of the host: their limits are those of the VM size.

use super::disk::{DiskError, DiskModel, DiskRequest, Family, Redundancy, Resolved};
use super::limits::Limits;
use super::vm::VmSize;
use crate::units::GiB;

impl VmSize {
    /// The SCSI temp disk, where the size has one; latency is left to the catalogue
    /// ([`Catalog::local_disk`](super::Catalog::local_disk)). Its limits are its own read limits where they are
    /// documented apart from the cached ceiling, and unknown otherwise, because the cached ceiling holds it.
    #[must_use]
    pub fn temp_model(&self) -> Option<DiskModel> {
        let temp = self.temp.as_ref()?;
        Some(DiskModel {
            write: Some(temp.write),
            ..local(Family::Temp, "temp", Some(temp.size), temp.read)
        })
    }

    /// The local NVMe disks together, where the size has some; latency is left to the catalogue
    /// ([`Catalog::local_disk`](super::Catalog::local_disk)). The limits are those of reads; writes are slower
    /// ([`DiskModel::write`]).
    #[must_use]
    pub fn nvme_model(&self) -> Option<DiskModel> {
        let nvme = self.nvme.as_ref()?;
        Some(DiskModel {
            write: Some(nvme.write),
            ..local(Family::LocalNvme, "local NVMe", nvme.total, nvme.read)
        })
    }
}

fn local(family: Family, label: &str, size: Option<GiB>, base: Limits) -> DiskModel {
    DiskModel {
        label: label.to_owned(),
        family,
        tier: None,
        size,
        redundancy: Redundancy::Lrs,
        lane: family.lane(),
        base,
        write: None,
        burst: None,
        accounting_unit: None,
        latency: None,
        latency_bound: None,
        cacheable: false,
    }
}

/// The local disk of `vm` that `request` names. Its size and what is known of its limits
/// cannot be chosen.
pub(super) fn resolve(vm: &VmSize, request: &DiskRequest) -> Result<Resolved, DiskError> {
    refuse_settings(request)?;
    let model = match request.family {
        Family::Temp => vm.temp_model(),
        _ => vm.nvme_model(),
    };
    let mut model = model.ok_or_else(|| DiskError::NoLocalDisk {
        family: request.family.name(),
        vm: vm.name.clone(),
        instead: None,
    })?;
    model.base = with_measured(model.base, request)?;
    // A measured limit of a disk of which nothing is known is one for writes too.
    model.write = model.write.map(|write| Limits {
        iops: write.iops.or(request.iops),
        mbps: write.mbps.or(request.mbps),
    });
    Ok(Resolved {
        model,
        violations: Vec::new(),
    })
}

/// Limits that no source gives can be given by who measured them; those that are known cannot be changed.
fn with_measured(known: Limits, request: &DiskRequest) -> Result<Limits, DiskError> {
    let both = [
        ("iops", request.iops.is_some() && known.iops.is_some()),
        ("mbps", request.mbps.is_some() && known.mbps.is_some()),
    ];
    match both.into_iter().find(|(_, both)| *both) {
        Some((setting, _)) => Err(DiskError::NotASetting {
            setting,
            family: request.family.name().to_owned(),
            rule: "the VM size decides it, and its figure is known",
        }),
        None => Ok(Limits {
            iops: known.iops.or(request.iops),
            mbps: known.mbps.or(request.mbps),
        }),
    }
}

/// The local disk that `request` names, of a VM size that is not known: without limits.
pub(super) fn unknown(request: &DiskRequest) -> Result<Resolved, DiskError> {
    refuse_settings(request)?;
    let label = if request.family == Family::Temp {
        "temp"
    } else {
        "local NVMe"
    };
    Ok(Resolved {
        model: local(request.family, label, None, Limits::UNKNOWN),
        violations: Vec::new(),
    })
}

/// Refuses what a local disk cannot be told.
fn refuse_settings(request: &DiskRequest) -> Result<(), DiskError> {
    let settings = [
        ("size", request.size.is_some()),
        (
            "tier",
            request.tier.is_some() || request.performance_tier.is_some(),
        ),
        ("burst", request.on_demand_burst),
        ("perfplus", request.performance_plus),
    ];
    match settings.into_iter().find(|(_, given)| *given) {
        Some((setting, _)) => Err(DiskError::NotASetting {
            setting,
            family: request.family.name().to_owned(),
            rule: "the VM size decides it",
        }),
        None => Ok(()),
    }
}
