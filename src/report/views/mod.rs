//! How the library's result models say themselves as documents: one file a model.

pub mod explain;
pub mod findings;
pub mod money;
pub mod peers;
pub mod plan;
pub mod prices;
pub mod series;
pub mod skus;
