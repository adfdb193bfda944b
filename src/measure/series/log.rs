//! What every reader takes and gives.

use std::io;

use super::builder::TooManyDisks;
use super::error::SeriesError;
use super::lines::Lines;
use super::model::{DiskSeries, Series, Source};
use super::notice::Notice;
use super::options::ReadOptions;

/// How many of the disks that are there a message names.
const NAMED: usize = 40;

/// A log to be read.
pub(super) struct Input<'a> {
    /// Its name, for messages.
    pub name: &'a str,
    /// Its text.
    pub lines: Lines<'a>,
    /// How it is to be read.
    pub options: &'a ReadOptions,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The disks.
    pub disks: Vec<DiskSeries>,
    /// What is to be known of the figures.
    pub notices: Vec<Notice>,
    /// The operating system, where the log says it.
    pub os: Option<String>,
    /// The date of the log as it is printed there.
    pub date: Option<String>,
}

/// So many lines may be torn in a log that is otherwise one.
const A_FEW: usize = 8;

impl Log {
    /// With a notice of the lines that were skipped, if any.
    pub fn with_skipped(mut self, skipped: Skipped) -> Self {
        self.notices.extend(skipped.notice());
        self
    }

    /// The log, if it has any sample, with its name.
    pub fn checked(
        mut self,
        name: &str,
        format: Source,
        looked_for: &'static str,
    ) -> Result<Self, SeriesError> {
        if self.disks.is_empty() {
            return Err(SeriesError::NoSamples {
                name: name.to_owned(),
                format,
                looked_for,
                instead: self.notices.iter().find_map(|notice| match notice {
                    Notice::NotARate { .. } => Some(notice.to_string()),
                    _ => None,
                }),
            });
        }
        let samples: usize = self.disks.iter().map(|disk| disk.end_ms.len()).sum();
        for notice in &self.notices {
            if let Notice::MalformedLines { count, first } = notice
                && usize::try_from(*count).is_ok_and(|count| count > samples.max(A_FEW))
            {
                return Err(SeriesError::Malformed {
                    name: name.to_owned(),
                    line: *first,
                    what: format!(
                        "this line and {} others cannot be understood, and only {samples} samples can: give the log as \
                         the tool wrote it",
                        count - 1
                    ),
                });
            }
        }
        for disk in &mut self.disks {
            name.clone_into(&mut disk.log);
        }
        Ok(self)
    }

    /// As a series.
    pub fn into_series(self) -> Series {
        Series {
            disks: self.disks,
            notices: self.notices,
        }
    }
}

/// Counts the lines that could not be understood.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Skipped {
    count: u64,
    first: u64,
}

impl Skipped {
    /// Counts the line of this number.
    pub fn at(&mut self, line: u64) {
        if self.count == 0 {
            self.first = line;
        }
        self.count += 1;
    }

    /// What to say of them.
    pub fn notice(self) -> Option<Notice> {
        (self.count > 0).then_some(Notice::MalformedLines {
            count: self.count,
            first: self.first,
        })
    }
}

/// Tells the disks asked for from those that are there.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    unwanted: Vec<String>,
}

impl Wanted {
    /// Whether the disk is wanted; remembers those that are not, for [`Self::none_there`].
    pub fn check(&mut self, disk: &str, options: &ReadOptions) -> bool {
        let wanted = options.wants(disk);
        if !wanted && self.unwanted.len() < NAMED && !self.unwanted.iter().any(|d| d == disk) {
            self.unwanted.push(disk.to_owned());
        }
        wanted
    }

    /// The error for a log in which none of the disks asked for is, if others are.
    pub fn none_there(&self, name: &str, options: &ReadOptions) -> Option<SeriesError> {
        (!self.unwanted.is_empty()).then(|| SeriesError::NoSuchDisk {
            name: name.to_owned(),
            wanted: options.disks.clone(),
            present: self.unwanted.clone(),
        })
    }
}

/// The error of an input that cannot be read.
pub(super) fn io_error(name: &str, source: io::Error) -> SeriesError {
    SeriesError::Io {
        name: name.to_owned(),
        source,
    }
}

/// The error of a log with more disks than are read.
pub(super) fn too_many(name: &str) -> impl Fn(TooManyDisks) -> SeriesError {
    move |TooManyDisks(limit)| SeriesError::TooManyDisks {
        name: name.to_owned(),
        limit,
    }
}
