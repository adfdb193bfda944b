//! Ultra Disk.

use super::provisioned::ProvisionedRules;
use crate::catalog::disk::Family;
use crate::units::{GiB, Iops, MBps};

/// 4 GiB to 64 TiB. 100 to 1,000 IOPS per GiB, at most 400,000; 1 MB/s to 0.25 MB/s per provisioned IOPS, at most
/// 10,000 (disk types page, 2026-08-11). Older pages (shared disks, 2025-12-03, which also has 300 IOPS per GiB) have a
/// least of 4 KiB/s per provisioned IOPS; the newer one names 1 MB/s alone, so that is the rule. No default is documented: the API chooses one by the size, so both must be
/// given. No bursting, no host caching, no OS disk, LRS only. Shared by 15 VMs at most (disk SKUs API).
pub const RULES: ProvisionedRules = ProvisionedRules {
    family: Family::Ultra,
    label: "Ultra",
    min_size: GiB::whole(4),
    max_size: GiB::whole(65_536),
    min_iops: Iops::whole(100),
    iops_per_gib: 1000.0,
    max_iops: Iops::whole(400_000),
    min_mbps: MBps::whole(1),
    mbps_per_iops: 0.25,
    max_mbps: MBps::whole(10_000),
    included: None,
    max_shares: 15,
    range_id: "ULTRA-RANGE",
    caching_id: "ULTRA-CACHING",
};
