//! fio, 2.x and 3.x: JSON and JSON+, the normal text report, terse lines; alone or mixed in one file.
//!
//! The three readers fill one [`report::Report`], which knows what they have in common: how a job's options become a
//! test's kind, and which tests ran at the same time and have to be judged as a sum.
//!
//! Units: fio's `bw` is KiB/s, `bw_bytes` bytes/s; its text prints binary and decimal rates side by side. All of them
//! become [`MBps`](crate::units::MBps) here. The latency of a test is fio's `lat`, submission to completion, and `clat`
//! where `lat` is missing; percentiles are of `clat` unless the run had `lat_percentiles`.

pub mod json;
mod lines;
mod options;
mod quantity;
mod repeats;
mod report;
mod scan;
mod stats;
mod sum;
pub mod terse;
pub mod text;

pub use repeats::without_repeats;

/// What fio calls itself in reports and error lines.
const TOOL: &str = "fio";

/// Error lines of fio that are kept at most, and characters of each.
const COMPLAINTS: usize = 8;
const COMPLAINT_CHARS: usize = 300;

/// fio's own error line (`fio: pid=8281, err=84/file:io_u.c:2141, ...`), shortened, where `line` is one.
fn complaint(line: &str) -> Option<String> {
    let line = line.trim();
    let body = line.strip_prefix("fio: ")?;
    let wrong = [
        "err", "fail", "unable", "bad ", "unknown", "No such", "cannot", "not ",
    ]
    .iter()
    .any(|word| body.contains(word));
    wrong.then(|| line.chars().take(COMPLAINT_CHARS).collect())
}

/// The version in `fio-3.36`.
fn version(text: &str) -> Option<String> {
    let version = text.trim().strip_prefix("fio-")?;
    (!version.is_empty()).then(|| version.to_owned())
}
