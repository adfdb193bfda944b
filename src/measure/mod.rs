//! Measured results: one parser a format, one common model, the judgement against the planner.

pub mod allowance;
pub mod bench;
pub mod compare;
pub mod crystaldiskmark;
pub mod csv;
pub mod dd;
pub mod detect;
pub mod diskspd;
pub mod error;
pub mod fio;
pub(crate) mod grounds;
pub mod histogram;
pub mod identify;
pub mod ioping;
pub mod judge;
mod local_number;
pub mod matrix;
pub mod model;
mod numbered;
pub mod over_time;
mod rate;
pub mod read;
mod refused;
mod runs;
mod scan;
pub mod series;
pub mod sysbench;
pub mod test_name;
pub mod text;
pub mod trace;

/// What the name of a limit has that holds only on burst credit.
const IN_BURST: &str = " in burst";
