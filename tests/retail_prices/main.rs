//! Retail price lists: what each kind of item becomes, and which of several prices holds. All numbers are made up.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod collected;
mod disks;
mod fixtures;
mod vms;
