//! Measured results: one parser a format, one common model, the judgement against the planner.

pub mod allowance;
pub mod crystaldiskmark;
pub mod detect;
pub mod error;
pub mod fio;
pub mod histogram;
pub mod model;
pub mod read;
pub mod text;
