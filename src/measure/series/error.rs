//! Why a log could not be read as a time series. Every message names the input.

use std::io;

use super::model::Source;

/// The words for what is there instead.
fn only(instead: &Option<String>) -> String {
    instead
        .as_ref()
        .map_or_else(String::new, |what| format!("; there is only: {what}"))
}

/// Why a log could not be read as a time series.
#[derive(Debug, thiserror::Error)]
pub enum SeriesError {
    /// The input cannot be opened or read.
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
    /// A packed file of a kind that is not unpacked on the way.
    #[error("'{name}' is a {kind} file: unpack it first")]
    Packed {
        /// The input.
        name: String,
        /// How it is packed.
        kind: &'static str,
    },
    /// It is no text.
    #[error("'{name}' is binary data, not text: give what the tool logged")]
    Binary {
        /// The input.
        name: String,
    },
    /// There is nothing in the input but blanks.
    #[error("'{name}' is empty: a log of disks over time is wanted")]
    Empty {
        /// The input.
        name: String,
    },
    /// No known kind of log.
    #[error(
        "'{name}' is no log of disks over time: looked for fio logs (`1000, 24889, 0, 0`), iostat text or JSON, \
         PerfMon CSV (`\"(PDH-CSV 4.0)\"`), Azure Monitor metrics JSON, and CSV whose first line names its columns (`time,iops` or `time,disk,iops,mbps,latency_ms`; time in seconds, \
         or dates)"
    )]
    Unrecognised {
        /// The input.
        name: String,
    },
    /// The log was recognised and holds no sample of a disk.
    #[error("no disk samples in '{name}' ({}): looked for {looked_for}{}", format.words(), only(.instead))]
    NoSamples {
        /// The input.
        name: String,
        /// What it was taken for.
        format: Source,
        /// What was looked for.
        looked_for: &'static str,
        /// What is there instead, and why it does not count.
        instead: Option<String>,
    },
    /// A line or a value cannot be understood, and nothing can be read without it.
    #[error("'{name}', line {line}: {what}")]
    Malformed {
        /// The input.
        name: String,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong, and what would be right.
        what: String,
    },
    /// The kind of a fio log stands in its name only, and this name does not say it.
    #[error(
        "'{name}' is a fio log, but its name does not say of what: fio names them `NAME_bw.1.log`, `_iops`, `_lat`, \
         `_clat` or `_slat`; rename it, or say the kind; a CSV begins with the names of its columns (`time,iops`)"
    )]
    FioKindUnknown {
        /// The input.
        name: String,
    },
    /// None of the disks asked for is in the log.
    #[error("'{name}' has no disk {}: it has {}", .wanted.join(", "), .present.join(", "))]
    NoSuchDisk {
        /// The input.
        name: String,
        /// The disks asked for.
        wanted: Vec<String>,
        /// The disks in the log.
        present: Vec<String>,
    },
    /// More disks than any host has: the file is not what it seems.
    #[error("'{name}' names more than {limit} disks: this is no log of one host or fleet")]
    TooManyDisks {
        /// The input.
        name: String,
        /// The most that is read.
        limit: usize,
    },
}
