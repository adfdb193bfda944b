//! Things side by side: disks, VM sizes, whole plans. Pure: same input, same output.
//!
//! Everything here is put together from the planner's [`Assessment`](crate::planner::Assessment)s, so that a
//! comparison never says anything else than a plan does.
//!
//! ```
//! use diskcap::catalog::Catalog;
//! use diskcap::compare::disks::{DiskQuestion, compare_disks};
//! use diskcap::deployment::PlanRequest;
//! use diskcap::units::Iops;
//!
//! let question = DiskQuestion {
//!     disks: vec!["P30".parse()?, "v2:size=512,iops=20000,mbps=500".parse()?],
//!     plan: PlanRequest { vm: Some("D8s_v5".into()), ..PlanRequest::default() },
//!     ..DiskQuestion::default()
//! };
//! let comparison = compare_disks(Catalog::embedded(), &question)?;
//! assert_eq!(comparison.disks[1].provisioned.iops, Some(Iops::whole(20_000)));
//! let on_vm = comparison.disks[1].on_vm.as_ref().unwrap();
//! // Standard_D8s_v5 lets 12,800 through to remote disks.
//! assert_eq!(on_vm.reach.iops.sustained.iops, Some(Iops::whole(12_800)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cost;
pub mod disks;
mod families;
mod figures;
mod held;
pub mod plans;
pub mod reach;
pub mod size;
pub mod vms;

pub use disks::{DiskComparison, DiskNeed, DiskQuestion, compare_disks};
pub use plans::{PlanComparison, PlanInput, compare_plans};
pub use vms::{VmComparison, VmQuestion, compare_vms};
