//! Disks that are asked of the catalogue, and what it says.
#![allow(dead_code, reason = "each test binary uses its own part")]

use diskcap::catalog::{Catalog, DiskError, DiskRequest, Family, Resolved, Setting, Violation};
use diskcap::units::{GiB, Iops, MBps};

/// What the catalogue makes of a request.
pub fn resolve(request: &DiskRequest) -> Resolved {
    Catalog::embedded().disk(request).expect("a disk")
}

/// Why the catalogue has no such disk.
pub fn refused(request: &DiskRequest) -> DiskError {
    Catalog::embedded().disk(request).expect_err("an error")
}

/// A disk of this family and size.
pub fn sized(family: Family, gib: u32) -> DiskRequest {
    DiskRequest {
        size: Some(GiB::whole(gib)),
        ..DiskRequest::new(family)
    }
}

/// A Premium SSD v2 of so many GiB, IOPS and MB/s.
pub fn v2(gib: u32, iops: u32, mbps: u32) -> DiskRequest {
    DiskRequest {
        iops: Some(Iops::whole(iops)),
        mbps: Some(MBps::whole(mbps)),
        ..sized(Family::PremiumSsdV2, gib)
    }
}

/// A refused setting with its range.
pub fn out_of_range(resolved: &Resolved) -> Vec<(Setting, f64, f64)> {
    resolved
        .violations
        .iter()
        .filter_map(|violation| match violation {
            Violation::OutOfRange {
                setting, min, max, ..
            } => Some((*setting, *min, *max)),
            _ => None,
        })
        .collect()
}
