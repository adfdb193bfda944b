//! How the library's result models say themselves as documents: one file a model.

pub mod bench;
pub mod comparison;
pub mod explain;
pub mod findings;
pub mod money;
mod paging;
pub mod plan;
pub mod prices;
pub mod recommend;
pub mod simulate;
pub mod skus;
