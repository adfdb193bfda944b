//! Custom volumes: any array or hypervisor volume, as its owner describes it.

use super::disk::{DiskError, DiskModel, DiskRequest, Family, Resolved};
use super::limits::Limits;
use crate::units::{Iops, MBps};

/// Takes the request as it stands; what it does not say stays unknown.
pub(super) fn resolve(request: &DiskRequest) -> Result<Resolved, DiskError> {
    let settings = [
        (
            "tier",
            request.tier.is_some() || request.performance_tier.is_some(),
        ),
        ("burst", request.on_demand_burst),
        ("perfplus", request.performance_plus),
    ];
    if let Some((setting, _)) = settings.into_iter().find(|(_, given)| *given) {
        return Err(DiskError::NotASetting {
            setting,
            family: Family::Custom.name().to_owned(),
            rule: "it is described by size=, iops=, mbps= and latency= alone",
        });
    }
    let limits = [
        ("iops", request.iops.map(Iops::get)),
        ("mbps", request.mbps.map(MBps::get)),
    ];
    if let Some((setting, _)) = limits.into_iter().find(|(_, limit)| *limit == Some(0.0)) {
        return Err(DiskError::ZeroLimit { setting });
    }
    Ok(Resolved {
        model: DiskModel {
            label: "custom".to_owned(),
            family: Family::Custom,
            tier: None,
            size: request.size,
            redundancy: request.redundancy,
            lane: Family::Custom.lane(),
            base: Limits {
                iops: request.iops,
                mbps: request.mbps,
            },
            write: None,
            burst: None,
            accounting_unit: None,
            latency: None,
            latency_bound: None,
            cacheable: false,
        },
        violations: Vec::new(),
    })
}
