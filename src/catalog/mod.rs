//! What the clouds sell: VM sizes, disk SKUs and their rules, typical latencies, prices.
//!
//! The data lies in `sku-data/`, is embedded in the library and can be overlaid by a refreshed copy.
//! Rules that only one cloud has live in that cloud's own folder ([`azure`]).

pub mod azure;
pub mod disk;
pub mod limits;
pub mod lookup;
pub mod vm;

pub use disk::{
    Basis, Burst, BurstKind, DiskError, DiskModel, DiskRequest, Family, Lane, LatencyFigure,
    Redundancy, Resolved, Setting, Violation,
};
pub use limits::{Axis, Ceiling, Limits};
pub use vm::{Interface, LocalNvme, Origin, TempDisk, VmSize};
