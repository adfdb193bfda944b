//! `diskcap compare` as a person meets it.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/cli.rs"]
mod cli;
mod disks;
mod fixtures;
mod plans;
mod shown;
mod sizes;
