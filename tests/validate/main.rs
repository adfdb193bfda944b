//! What is deployed, judged: every rule by hand, and every recorded answer.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test")]

mod attachment;
mod brief;
mod caching;
mod deployed;
mod fixtures;
mod fleet;
mod recorded;
mod rules;
mod stripes;
mod unknown;
