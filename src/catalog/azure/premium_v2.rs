//! Premium SSD v2.

use super::provisioned::ProvisionedRules;
use crate::catalog::disk::Family;
use crate::catalog::limits::Limits;
use crate::units::{GiB, Iops, MBps};

/// 1 GiB to 64 TiB. 3,000 IOPS and 125 MB/s are free; at most 3,000 IOPS up to 6 GiB, then 500 per GiB, at most
/// 80,000; at most 0.25 MB/s per provisioned IOPS and 2,000 MB/s (disk types page, 2026-08-11).
/// No bursting, no host caching, no OS disk, LRS only. Shared by 15 VMs at most (shared disks page, 2025-12-03).
pub const RULES: ProvisionedRules = ProvisionedRules {
    family: Family::PremiumSsdV2,
    label: "v2",
    min_size: GiB::whole(1),
    max_size: GiB::whole(65_536),
    min_iops: Iops::whole(3000),
    iops_per_gib: 500.0,
    max_iops: Iops::whole(80_000),
    min_mbps: MBps::whole(125),
    mbps_per_iops: 0.25,
    max_mbps: MBps::whole(2000),
    included: Some(Limits::whole(3000, 125)),
    max_shares: 15,
    range_id: "V2-RANGE",
    caching_id: "V2-CACHING",
};
