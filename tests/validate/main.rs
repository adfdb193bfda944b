//! What is deployed, judged: every rule by hand, and every recorded answer.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod advice;
mod attachment;
mod billing;
mod brief;
mod caching;
mod deployed;
mod features;
mod fixtures;
mod fleet;
mod idle;
mod recorded;
mod shared;
mod stripes;
mod unknown;
mod zones;
