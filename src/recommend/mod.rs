//! The cheapest VM size and disks that really deliver a need.
//!
//! 1. [`Need`] says what is wanted of every volume and of the size.
//! 2. [`recommend`] looks at every size of the catalogue with every layout of every family and keeps the cheapest: an
//!    exact search, in which nothing is left out but what another choice beats in everything that counts.
//! 3. Each answer is put before the planner, all volumes at once, and only what delivers there is given.
//! 4. Where nothing delivers, each constraint is relaxed by itself to find which one is to blame, and by how much.
//! 5. [`frontier()`] says what more or less performance would cost, [`emit`] writes a layout as code.
//!
//! A need may also be taken from what disks were measured to do ([`from_trace`]), or from what is planned or deployed
//! ([`like`]: the same for less, or without the ceilings that hold it back).
//!
//! Nothing here does I/O but [`NeedFile::read`].

mod disks;
pub mod emit;
mod fails;
mod fewest;
pub mod from_trace;
pub mod frontier;
mod kept;
pub mod like;
pub mod may_deliver;
pub mod model;
mod need;
mod need_file;
mod need_values;
mod need_words;
mod offers;
mod proof;
mod relax;
mod run;
mod search;
mod size;
mod stopped;
mod volume_spec;

pub use frontier::frontier;
pub use kept::KeptVolume;
pub use model::Recommendations;
pub use need::{Hold, MAX_STRIPE, MAX_VOLUMES, Need, NeedError, SizeNeed, VolumeNeed};
pub use need_file::{EXAMPLE, NeedFile, NeedFileError, families};
pub use proof::delivers;
pub use run::{Market, RebuildError, recommend};
pub use volume_spec::{KEYS as VOLUME_KEYS, VolumeError};
