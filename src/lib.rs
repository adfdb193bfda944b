//! How fast can these disks really go on this virtual machine, and what stops them?
//!
//! `diskcap` merges the caps of a VM size with the specs of its disks, predicts the effective limits, names the
//! bottleneck of every volume and says what is paid for and cannot be used.

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
