//! fio, 2.x and 3.x: JSON and JSON+, the normal text report, terse lines; alone or mixed in one file.
//!
//! The three readers fill one `report::Report`, which knows what they have in common: how a job's options become a
//! test's kind, and which tests ran at the same time and have to be judged as a sum.
//!
//! Units: fio's `bw` is KiB/s, `bw_bytes` bytes/s; its text prints binary and decimal rates side by side. All of them
//! become [`MBps`](crate::units::MBps) here. The latency of a test is fio's `lat`, submission to completion, and `clat`
//! where `lat` is missing; percentiles are of `clat` unless the run had `lat_percentiles`.

mod bins;
pub mod json;
mod lenient;
mod lines;
pub(super) mod merge;
mod options;
mod quantity;
mod repeats;
mod report;
mod scan;
mod stats;
mod sum;
pub mod terse;
pub mod text;

use super::error::ParseError;
use super::model::Run;

pub use repeats::without_repeats;

/// What fio calls itself in reports and error lines.
const TOOL: &str = "fio";

/// Error lines of fio that are kept at most, and characters of each.
const COMPLAINTS: usize = 8;
const COMPLAINT_CHARS: usize = 300;

/// fio's error lines, and what else goes wrong outside of a run, until a run takes them over as notes.
#[derive(Debug, Default)]
struct Complaints(Vec<String>);

impl Complaints {
    /// Adds one, once, while there are not too many.
    fn add(&mut self, line: String) {
        if self.0.len() < COMPLAINTS && !self.0.contains(&line) {
            self.0.push(line);
        }
    }

    /// Hands them to a run.
    fn move_to(&mut self, run: &mut Run) {
        run.notes.append(&mut self.0);
    }

    /// The error of an input without a run.
    fn into_error(self, looked_for: &'static str) -> ParseError {
        match self.0.into_iter().next() {
            Some(line) => ParseError::ToolFailed { looked_for, line },
            None => ParseError::NoResult { looked_for },
        }
    }
}

/// fio's own error line (`fio: pid=1234, err=5/file:io_u.c:1800, ...`), shortened, where `line` is one.
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
