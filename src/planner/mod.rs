//! The maths: I/O paths, allocation, bursting, latency, findings. Pure: same input, same output.
//!
//! 1. [`System::new`] turns a deployment and a workload into *resources* (every disk's and the VM's ceilings, IOPS and
//!    MB/s apart) and *flows* (one volume's I/O, with what each I/O uses of each resource on its path).
//! 2. [`evaluate()`] shares the resources among the flows by weighted max-min fairness, with credit buckets full
//!    ([`Phase::Burst`]) or empty ([`Phase::Sustained`]). Every flow ends with one named limit.
//! 3. [`assess()`] does so for each workload, each volume alone and all together, and adds the findings.
//! 4. [`simulate`] runs a workload that changes over time, from event to event, with its burst credit and backlogs.

pub mod allocate;
pub mod assess;
pub mod assessment;
pub mod evaluate;
pub mod findings;
pub mod latency;
pub mod money;
pub mod paging;
pub mod paths;
pub mod plateaus;
pub mod replan;
pub mod system;
pub mod timeline;
pub mod unusable;

pub use assess::assess;
pub use assessment::Assessment;
pub use evaluate::{Bottleneck, Outcome, evaluate, evaluate_with};
pub use findings::{Finding, FindingId, Severity};
pub use system::{Phase, Place, Resource, System};
pub use timeline::{Simulation, simulate};
