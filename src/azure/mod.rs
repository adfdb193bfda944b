//! The live cloud: retail prices, and the user's copy of them.

pub mod fetch;
pub mod retail;
pub mod update;
