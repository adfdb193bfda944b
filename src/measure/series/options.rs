//! How logs are to be read where they do not say it themselves.

use super::fio_log::LogKind;
use super::notice::LatencyUnit;

/// How logs are to be read where they do not say it themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// Time between samples, milliseconds, for logs without times (`iostat` without `-t`). `None`: 1 s, and said so.
    pub interval_ms: Option<u32>,
    /// Length that logs of single I/Os are summed up over, milliseconds.
    pub bin_ms: u32,
    /// Only these disks, by name without regard to case; empty: all.
    pub disks: Vec<String>,
    /// Unit of the latencies in fio logs. `None`: told by rule, and said so.
    pub fio_latency: Option<LatencyUnit>,
    /// Kind of a fio log whose name does not say it.
    pub fio_kind: Option<LogKind>,
    /// The first block of iostat is a sample like the others (`iostat -y`), not the average since boot.
    pub first_block_counts: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            interval_ms: None,
            bin_ms: 1000,
            disks: Vec::new(),
            fio_latency: None,
            fio_kind: None,
            first_block_counts: false,
        }
    }
}

impl ReadOptions {
    /// Whether the disk of this name is wanted.
    pub(super) fn wants(&self, disk: &str) -> bool {
        self.disks.is_empty() || self.names(disk)
    }

    /// Whether the disk of this name was asked for by name.
    pub(super) fn names(&self, disk: &str) -> bool {
        self.disks
            .iter()
            .any(|name| name.eq_ignore_ascii_case(disk))
    }
}
