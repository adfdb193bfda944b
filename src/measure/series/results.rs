//! Counter logs as benchmark results: for each format whether a text is of it, and its summary (of a text, or of
//! bytes as they come).

use std::io;

use super::error::SeriesError;
use super::lines::Lines;
use super::log::{Input, Log, io_error};
use super::options::ReadOptions;
use super::summary::runs;
use crate::measure::error::ParseError;
use crate::measure::model::Run;

/// A reader of one kind of log.
type Read = fn(Input<'_>) -> Result<Log, SeriesError>;

/// Reads a log and sums it up.
fn parse(input: impl io::Read, read: Read) -> Result<Vec<Run>, ParseError> {
    let name = "";
    let log = Lines::new(input)
        .map_err(|e| io_error(name, e))
        .and_then(|lines| {
            read(Input {
                name,
                lines,
                options: &ReadOptions::default(),
            })
        })
        .map_err(without_name)?;
    Ok(runs(log))
}

/// The error as one of a text that has no name.
fn without_name(error: SeriesError) -> ParseError {
    match error {
        SeriesError::NoSamples {
            looked_for,
            instead: None,
            ..
        } => ParseError::NoResult { looked_for },
        SeriesError::NoSamples {
            instead: Some(what),
            ..
        } => ParseError::Malformed { line: 1, what },
        SeriesError::Malformed { line, what, .. } => ParseError::Malformed {
            line: usize::try_from(line).unwrap_or(usize::MAX),
            what,
        },
        other => ParseError::Malformed {
            line: 1,
            what: other.to_string(),
        },
    }
}

/// A format's two functions.
macro_rules! format {
    ($(#[$doc:meta])* $name:ident, $reader:path) => {
        $(#[$doc])*
        pub mod $name {
            use $reader as reader;

            use crate::measure::error::ParseError;
            use crate::measure::model::Run;

            /// Whether the text looks like it.
            #[must_use]
            pub fn sniff(text: &str) -> bool {
                reader::sniff(text)
            }

            /// Reads the text: for each host a run, for each disk its mean and its busiest sample.
            ///
            /// # Errors
            /// [`ParseError`] when there is no sample of a disk in it, or a value that cannot be understood.
            pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
                super::parse(text.as_bytes(), reader::read)
            }

            /// As [`parse`], from bytes as they come, in bounded memory.
            ///
            /// # Errors
            /// As [`parse`], and where the input cannot be read.
            pub fn parse_stream(input: &mut dyn std::io::Read) -> Result<Vec<Run>, ParseError> {
                super::parse(input, reader::read)
            }
        }
    };
}

format! {
    /// iostat's text.
    iostat_text, crate::measure::series::iostat::text
}
format! {
    /// `iostat -o JSON`.
    iostat_json, crate::measure::series::iostat::json
}
format! {
    /// PerfMon, typeperf and relog CSV.
    perfmon, crate::measure::series::perfmon
}
format! {
    /// Azure Monitor metrics and Metricbeat events.
    azure_monitor, crate::measure::series::azmon
}
