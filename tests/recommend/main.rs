//! Needs worked out by hand: what is recommended for them, why, and what stands in the way of those that cannot be met.

#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

mod cheapest;
#[path = "../common/mod.rs"]
mod common;
mod fixtures;
mod from_trace;
mod frontier;
mod like;
#[path = "../common/market.rs"]
mod market;
mod reasons;
mod refused;
mod told;
