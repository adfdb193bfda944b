//! Why a benchmark result could not be read.

use std::io;

use super::model::Format;
use super::series::Source;

/// Why a text holds no result in one format. It does not name the input; [`ReadError`] does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text is of this format, or might be, but holds no result.
    #[error("there is no result in it: looked for {looked_for}")]
    NoResult {
        /// What a result would look like ("a line such as `read: IOPS=5000, BW=...`").
        looked_for: &'static str,
    },
    /// The tool itself says that it failed, and gives no result.
    #[error(
        "there is no result in it, and the tool says why: \"{line}\" (looked for {looked_for})"
    )]
    ToolFailed {
        /// What a result would look like.
        looked_for: &'static str,
        /// The tool's own words.
        line: String,
    },
    /// A result is there and cannot be understood.
    #[error("line {line}: {what}")]
    Malformed {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong, and what would be right.
        what: String,
    },
}

/// Why an input could not be read into [`Run`](super::model::Run)s. Every message names the input.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read '{name}': {source}")]
    Io {
        /// The input.
        name: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// A folder, not a file.
    #[error("'{name}' is a folder: give the files in it")]
    Folder {
        /// The folder.
        name: String,
    },
    /// A packed file.
    #[error("'{name}' is a {kind} file: unpack it first")]
    Packed {
        /// The input.
        name: String,
        /// How it is packed.
        kind: &'static str,
    },
    /// It is no text.
    #[error(
        "'{name}' is binary data, not text: give what the tool printed, or its JSON, XML or CSV"
    )]
    Binary {
        /// The input.
        name: String,
    },
    /// There is nothing in the input but blanks.
    #[error("'{name}' is empty: a benchmark result is wanted")]
    Empty {
        /// The input.
        name: String,
    },
    /// No known format is anywhere in the input.
    #[error("no benchmark result found in '{name}': looked for {looked_for}")]
    Unrecognised {
        /// The input.
        name: String,
        /// The formats that were looked for.
        looked_for: String,
    },
    /// It is a log over time, not a result.
    #[error(
        "'{name}' is a {}, which says what a disk did over time: judge it with `diskcap bench series {name}`. Here a \
         result is looked for: {looked_for}", kind.words()
    )]
    OverTime {
        /// The input.
        name: String,
        /// The kind of log.
        kind: Source,
        /// The formats that were looked for.
        looked_for: String,
    },
    /// A known format was found and could not be read.
    #[error("'{name}' looks like {format}, but {source}")]
    Parse {
        /// The input.
        name: String,
        /// The format that it was taken for.
        format: Format,
        /// What is wrong with it.
        source: ParseError,
    },
}
