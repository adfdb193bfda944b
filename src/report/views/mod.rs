//! How the library's result models say themselves as documents: one file a model.

pub mod explain;
pub mod findings;
pub mod plan;
pub mod skus;
