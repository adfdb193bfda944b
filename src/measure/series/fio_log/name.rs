//! The names fio gives its logs: `PREFIX_KIND.JOB.log`, with the host behind it in client mode.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a fio log records. Its lines do not say it, only its name does.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum LogKind {
    /// `_bw`: KiB per second.
    Bandwidth,
    /// `_iops`: I/Os per second, or a 1 for every single I/O.
    Iops,
    /// `_lat`: time of the whole I/O.
    Latency,
    /// `_clat`: time from submission to completion.
    CompletionLatency,
    /// `_slat`: time of submission.
    SubmissionLatency,
}

impl LogKind {
    /// The kind by fio's name of it.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "bw" => Self::Bandwidth,
            "iops" => Self::Iops,
            "lat" => Self::Latency,
            "clat" => Self::CompletionLatency,
            "slat" => Self::SubmissionLatency,
            _ => return None,
        })
    }

    /// Whether its values are latencies.
    #[must_use]
    pub const fn is_latency(self) -> bool {
        matches!(
            self,
            Self::Latency | Self::CompletionLatency | Self::SubmissionLatency
        )
    }
}

/// A log's name, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogName {
    /// What logs of the same run share, with the folder.
    pub prefix: String,
    /// What the log records.
    pub kind: LogKind,
    /// The job's number, where each job has a log of its own.
    pub job: Option<u32>,
    /// The host, where fio ran in client mode.
    pub host: Option<String>,
}

impl LogName {
    /// The name of a histogram log, `PREFIX_clat_hist.JOB.log`; another name is the prefix as a whole.
    pub(super) fn of_histogram(path: &str) -> Self {
        let parts = Self::parts(path).and_then(|(stem, job, host)| {
            let prefix = stem.strip_suffix("_clat_hist")?.to_owned();
            Some((prefix, job, host))
        });
        let (prefix, job, host) = parts.unwrap_or_else(|| (path.to_owned(), None, None));
        Self {
            prefix,
            kind: LogKind::CompletionLatency,
            job,
            host,
        }
    }

    /// Takes the name of a log apart; `None` where it is not one that fio gives.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (stem, job, host) = Self::parts(path)?;
        let (prefix, kind) = stem.rsplit_once('_')?;
        Some(Self {
            prefix: prefix.to_owned(),
            kind: LogKind::of(kind)?,
            job,
            host,
        })
    }

    /// What stands before the job, the job, and the host.
    fn parts(path: &str) -> Option<(&str, Option<u32>, Option<String>)> {
        let path = path.strip_suffix(".gz").unwrap_or(path);
        let (stem, behind) = path.rsplit_once(".log")?;
        let host = behind.strip_prefix('.');
        if host.is_none() && !behind.is_empty() {
            return None;
        }
        let (stem, job) = match stem.rsplit_once('.') {
            Some((stem, job)) if job.bytes().all(|b| b.is_ascii_digit()) => {
                (stem, Some(job.parse().ok()?))
            }
            _ => (stem, None),
        };
        Some((stem, job, host.map(str::to_owned)))
    }

    /// The name of what was measured: the prefix without its folder.
    #[must_use]
    pub fn label(&self) -> String {
        let name = Path::new(&self.prefix).file_name();
        name.map_or_else(|| self.prefix.clone(), |n| n.to_string_lossy().into_owned())
    }

    /// Whether both are logs of the same job of the same run.
    #[must_use]
    pub fn same_run(&self, other: &Self) -> bool {
        (&self.prefix, self.job, &self.host) == (&other.prefix, other.job, &other.host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_fio_gives() {
        let name = LogName::of("runs/data_1_clat.12.log").unwrap();
        assert_eq!(name.prefix, "runs/data_1");
        assert_eq!(name.label(), "data_1");
        assert_eq!(name.kind, LogKind::CompletionLatency);
        assert_eq!(name.job, Some(12));
        let shared = LogName::of("x_bw.log").unwrap();
        assert_eq!((shared.kind, shared.job), (LogKind::Bandwidth, None));
        let client = LogName::of("x_iops.1.log.db01.example").unwrap();
        assert_eq!(client.host.as_deref(), Some("db01.example"));
        assert!(LogName::of("x_lat.1.log.gz").unwrap().host.is_none());
    }

    #[test]
    fn names_of_histogram_logs() {
        let name = LogName::of_histogram("runs/data_clat_hist.2.log");
        assert_eq!((name.prefix.as_str(), name.job), ("runs/data", Some(2)));
        assert!(name.same_run(&LogName::of("runs/data_iops.2.log").unwrap()));
        assert_eq!(
            LogName::of_histogram("latencies.csv").prefix,
            "latencies.csv"
        );
    }

    #[test]
    fn other_names_are_not_guessed_at() {
        for name in [
            "x.log",
            "x_clat_hist.1.log",
            "x_bw.txt",
            "bw.1.log",
            "_",
            "x_bw.1.logs",
            "",
        ] {
            assert_eq!(LogName::of(name), None, "{name}");
        }
    }
}
