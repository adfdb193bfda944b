//! Azure as it is deployed: saved files and the live API.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod calls;
mod damage;
mod errors;
mod fetching;
mod fixtures;
mod metrics;
mod parts;
mod reading;
mod recorded;
mod skus;
// The fake Azure CLI answers with exit codes as Unix has them.
#[cfg(unix)]
mod sign_in;
