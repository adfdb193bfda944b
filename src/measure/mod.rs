//! Measured results: one parser a format, one common model, the judgement against the planner.

pub mod error;
pub mod model;
pub mod test_name;
