//! How fast can these disks really go on this virtual machine, and what stops them?
//!
//! `diskcap` merges the caps of a VM size with the specs of its disks, predicts the effective limits, names the
//! bottleneck of every volume and says what is paid for and cannot be used.
//!
//! ```
//! use diskcap::catalog::Catalog;
//! use diskcap::deployment::{DiskSpec, PlanRequest};
//! use diskcap::planner::{FindingId, assess};
//! use diskcap::units::MBps;
//! use diskcap::workload::Profile;
//!
//! // A P40 with ReadOnly caching, under sequential reads of 1 MiB.
//! let catalog = Catalog::embedded();
//! let disk: DiskSpec = "data=P40:cache=ro".parse()?;
//! let request = PlanRequest {
//!     vm: Some("Standard_D8s_v3".to_owned()),
//!     volumes: vec![disk.into()],
//!     profiles: vec![Profile::named("backup")?],
//!     ..PlanRequest::default()
//! };
//! let plan = request.build(catalog)?;
//! let assessment = assess(catalog, &plan.deployment, &plan.workloads);
//!
//! // The disk could do 250 MB/s, the VM lets 192 through; with caching its
//! // cached ceiling binds.
//! let data = &assessment.workloads[0].volumes[0];
//! assert_eq!(data.alone.sustained.mbps, Some(MBps::new(131.072)?));
//! assert_eq!(data.alone.sustained.bottleneck.to_string(), "VM cached MB/s");
//! let ids: Vec<FindingId> = assessment.findings.iter().map(|finding| finding.id).collect();
//! assert!(ids.contains(&FindingId::CacheLowersThroughput));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Data flow
//!
//! Data flows one way; a room only knows the ones above it. The planner is pure: same input, same output, no file, no
//! clock, no network.
//!
//! ```text
//! units                 quantities with their units in the type
//!   |
//! catalog               VM sizes, disk families and their rules, prices
//!   |                     <-- sku-data, embedded or refreshed
//! deployment, workload  what is deployed; what is asked of it
//!   |                     <-- disk specs, plan file, azure
//! planner               paths, sharing, credit, latency, findings
//!   |    \
//!   |     measure      results read, judged against the planner
//!   |    /                <-- benchmark files, logs
//! compare, recommend    disks, sizes, plans; the cheapest that delivers
//!   |
//! report                --> table, Markdown, CSV, JSON, HTML, XLSX, SVG, PNG
//! ```
//!
//! | question | begin at |
//! | --- | --- |
//! | What do these disks do on this VM? | [`deployment::PlanRequest`], [`planner::assess()`] |
//! | What happens over time? | [`workload::Schedule`], [`planner::simulate()`] |
//! | What was this measurement limited by? | [`measure::read`], [`measure::judge::judge()`], [`measure::bench`] |
//! | What is the cheapest that delivers? | [`recommend`] |
//! | How do disks, sizes or plans compare? | [`compare`] |
//! | What is sold, and for how much? | [`catalog::Catalog`], [`catalog::price`] |
//! | How do I show a result? | [`report::render()`], [`report::Format`] |
//! | What does a finding mean? | [`planner::FindingId::explanation()`] |
//!
//! Results are plain data with `serde`: what [`planner::Assessment`] and its like serialise to is the documented JSON of the
//! command, and [`report::saved`] reads it back.
//!
//! The folder `examples/` has programs: `plan_from_code`, `judge_a_file`, `custom_catalogue`, `simulate_over_time`,
//! `service`, `slow_twin`. The model is explained, with numbers worked by hand, in the book in `docs/`.
//!
//! # Conventions
//!
//! * MB/s is 10^6 bytes per second ([`units::MBps`]); MiB/s converts where it comes in. Block sizes and capacities are
//!   powers of two.
//! * Unknown is `None`: never zero, never unlimited. A result that depends on an unknown limit says that it is an upper bound.
//! * Rules and constants name their source beside them.

pub mod azure;
pub mod catalog;
pub mod compare;
pub mod deployment;
pub mod gate;
pub mod measure;
pub mod planner;
pub mod recommend;
pub mod report;
pub mod units;
pub mod workload;
