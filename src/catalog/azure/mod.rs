//! What Azure sells, and its rules: one file a family of disks or a data file.

pub mod caching;
pub(super) mod documented;
pub mod premium_v2;
pub mod provisioned;
pub(super) mod refusals;
pub mod regions;
pub mod series;
mod size;
pub mod tiered;
pub mod tiers;
pub mod ultra;
pub mod vm_sizes;
mod write_accelerator;
pub mod zonal;

pub use series::series_of;

use crate::catalog::disk::Family;
use crate::units::BlockSize;

/// The API that VM figures are recorded from.
pub const SKUS_API: &str = "Azure Resource SKUs API";
/// The day of the recorded answers.
pub const SKUS_API_DATE: &str = "2026-08-17";
/// The documentation that has the pages of VM sizes.
pub const SIZE_PAGES: &str = "Azure compute documentation";
/// Where the figures of disk tiers and regions come from.
pub const DISK_SKUS_API: &str = "Azure Resource SKUs API (disks); scalability targets page for performance plus and on-demand bursting";
/// The day of the recorded answers about disks.
pub const DISK_SKUS_API_DATE: &str = "2026-08-01";

/// How long a full bucket of burst credit lasts at full burst, for disks and VM sizes alike: 30 minutes
/// (managed disk bursting, 2025-01-14; the API's bucket of a P1 is (3,500 - 120) x 1,800 = 6,084,000 I/Os).
pub const BURST_BUCKET_SECONDS: f64 = 1800.0;

/// Premium SSD and Standard SSD count an I/O larger than this as several of this size
/// (disk types page, 2026-08-11).
pub const ACCOUNTING_UNIT: BlockSize = BlockSize::kib(256);

/// The name of the higher pair of ceilings that newer sizes have for Premium SSD v2 and Ultra.
pub const FAST_CEILING: &str = "v2/Ultra";

/// The family that does not burst and can be set to what is needed, whatever its size.
pub const STEADY: Family = Family::PremiumSsdV2;

/// Where a person looks up what is not known of a size.
pub const SIZE_LIST: &str = "`az vm list-skus`";
