//! Measured results: one parser a format, one common model, the judgement against the planner.

pub mod compare;
pub mod csv;
pub mod dd;
pub mod diskspd;
pub mod error;
pub mod ioping;
pub mod matrix;
pub mod model;
mod scan;
pub mod sysbench;
pub mod test_name;
