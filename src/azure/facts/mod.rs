//! Plain facts out of Azure's answers: what is deployed and what is sold, before any rule is applied.
//!
//! The same facts come out of saved files ([`crate::azure::arm::files`]) and of the live API. Ids and regions compare
//! without regard to case, quantities carry their units, unknown names are kept, and what a source does not say is
//! `None`. What is odd or impossible about a source is said in [`ReadProblem`]s beside the facts.

pub mod choose;
pub mod collector;
pub mod fleet;
pub mod id;
pub mod named;
pub mod problem;
pub mod sku;
pub mod target;
pub mod vm;

mod belief;
mod disk;
mod pool;

pub use choose::{Chosen, NotThere};
pub use disk::{DiskFacts, DiskSettings};
pub use fleet::{FleetFacts, ScaleSetFacts};
pub use id::{Region, ResourceId};
pub use named::{DiskSku, DiskState, Named, Os, Power};
pub use problem::{Problem, ReadProblem, Weight};
pub use sku::{DiskSkuFacts, Offer, SkuFacts, VmSkuFacts};
pub use target::{Target, TargetError};
pub use vm::{AttachedDisk, Attachment, Backing, VmFacts};
