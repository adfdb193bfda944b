//! What tests of readers share: results of a text, and their figures rounded as they are worked out by hand.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

use diskcap::measure::model::{Run, Test};
use diskcap::measure::read::read_bytes;

/// The results of a text that must have some.
#[track_caller]
pub fn runs(text: &str) -> Vec<Run> {
    read_bytes(text.as_bytes(), "x").unwrap_or_else(|error| panic!("{error}"))
}

/// What is said of a text that must have none.
#[track_caller]
pub fn error(text: &str) -> String {
    read_bytes(text.as_bytes(), "x").unwrap_err().to_string()
}

/// IOPS, whole.
pub fn iops(test: &Test) -> Option<f64> {
    test.iops.map(|iops| iops.get().round())
}

/// MB/s, two decimals.
pub fn mbps(test: &Test) -> Option<f64> {
    test.mbps.map(|mbps| (mbps.get() * 100.0).round() / 100.0)
}

/// The mean latency in microseconds, one decimal.
pub fn micros(test: &Test) -> Option<f64> {
    let mean = test.latency.as_ref()?.mean?;
    Some((mean.micros() * 10.0).round() / 10.0)
}

/// The share of reads.
pub fn share(test: &Test) -> Option<f64> {
    test.kind.read_share.map(|share| share.get())
}

/// Bytes of one I/O.
pub fn block(test: &Test) -> Option<u64> {
    test.kind.block_size.map(|block| block.bytes())
}

/// The names of the runs.
pub fn tools(runs: &[Run]) -> Vec<&str> {
    runs.iter().map(|run| run.tool.as_str()).collect()
}
