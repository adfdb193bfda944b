//! Microsoft Azure: what is deployed, from saved answers or the live API, as plain facts; retail prices, and the user's
//! copy of them.

pub mod arm;
pub mod client;
pub mod facts;
pub mod fetch;
mod in_order;
pub mod metrics;
pub mod region_skus;
pub(crate) mod remedies;
pub mod retail;
pub mod update;
pub mod validate;
