//! The one model that every benchmark format is read into.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{BlockSize, Iops, Latency, MBps, Share};
use crate::workload::Pattern;

/// A benchmark tool or counter source whose output can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// CrystalDiskMark's text export, 3 to 9.
    CrystalDiskMark,
    /// fio `--output-format=json` or `json+`.
    FioJson,
    /// fio's normal text report.
    FioText,
    /// fio's terse (minimal) lines.
    FioTerse,
    /// DiskSpd's text report.
    DiskspdText,
    /// DiskSpd's XML report (`-Rxml`).
    DiskspdXml,
    /// `sysbench fileio`.
    Sysbench,
    /// `ioping`.
    Ioping,
    /// `iostat -x`.
    IostatText,
    /// `iostat -x -o JSON`.
    IostatJson,
    /// PerfMon or typeperf CSV with PhysicalDisk or LogicalDisk counters.
    Perfmon,
    /// Azure Monitor metrics JSON.
    AzureMonitor,
    /// GNU dd's transfer lines.
    Dd,
    /// A plain CSV with named columns.
    Csv,
    /// A pasted results matrix: tests as rows, configurations as columns.
    Matrix,
}

impl Format {
    /// The format's name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::CrystalDiskMark => "CrystalDiskMark text",
            Self::FioJson => "fio JSON",
            Self::FioText => "fio normal text",
            Self::FioTerse => "fio terse lines",
            Self::DiskspdText => "DiskSpd text",
            Self::DiskspdXml => "DiskSpd XML",
            Self::Sysbench => "sysbench fileio text",
            Self::Ioping => "ioping text",
            Self::IostatText => "iostat -x text",
            Self::IostatJson => "iostat JSON",
            Self::Perfmon => "PerfMon or typeperf CSV",
            Self::AzureMonitor => "Azure Monitor metrics JSON",
            Self::Dd => "dd transfer lines",
            Self::Csv => "CSV with named columns",
            Self::Matrix => "a results matrix",
        }
    }
}

impl Format {
    /// Whether it holds counters: what was asked of a disk over time, not what it can do.
    #[must_use]
    pub const fn is_counters(self) -> bool {
        matches!(
            self,
            Self::IostatText | Self::IostatJson | Self::Perfmon | Self::AzureMonitor
        )
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

/// What a test did.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TestKind {
    /// Random or sequential; `None` where the tool does not say.
    pub pattern: Option<Pattern>,
    /// Share of reads: 1 for a read test, 0 for a write test; `None` where the tool does not say.
    pub read_share: Option<Share>,
    /// Bytes of one I/O (the mean, where several were used).
    pub block_size: Option<BlockSize>,
    /// Outstanding I/Os of each thread.
    pub queue_depth: Option<u32>,
    /// Threads or jobs.
    pub threads: Option<u32>,
}

impl TestKind {
    /// Outstanding I/Os of all threads together, where the queue depth is known.
    #[must_use]
    pub fn outstanding(&self) -> Option<u32> {
        self.queue_depth
            .map(|depth| depth.saturating_mul(self.threads.unwrap_or(1)))
    }
}

/// One percentile of a latency distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Percentile {
    /// Which one, in percent (99.9).
    pub percent: f64,
    /// The latency that so many I/Os stayed under.
    pub latency: Latency,
}

/// Measured latency of one test.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct LatencyStats {
    /// Mean, weighted by I/O count where it was put together from several.
    pub mean: Option<Latency>,
    /// Smallest.
    pub min: Option<Latency>,
    /// Largest.
    pub max: Option<Latency>,
    /// Percentiles, ascending.
    pub percentiles: Vec<Percentile>,
}

/// One bin of a latency histogram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// The latency that stands for the bin.
    pub latency: Latency,
    /// I/Os that fell into it.
    pub count: u64,
}

/// How many I/Os took how long, where the tool says so (fio's JSON+).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Histogram {
    /// The bins, latency ascending, none empty.
    pub bins: Vec<Bin>,
}

/// Flushes (fsync, fdatasync) that a test made between its writes: no I/Os of it, so that its rates count none of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Flushes {
    /// How many; `None` where the tool did not say.
    pub count: Option<u64>,
    /// How long one took.
    pub latency: LatencyStats,
}

/// One measured result. `None` means that the tool did not say.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Test {
    /// The test's name as the tool prints it (`RND4K Q32T16`, a fio job name).
    pub name: String,
    /// What was measured: a file, a device, a drive letter, where the tool says so per test.
    pub target: Option<String>,
    /// What the test did.
    pub kind: TestKind,
    /// I/Os per second.
    pub iops: Option<Iops>,
    /// Throughput.
    pub mbps: Option<MBps>,
    /// Latency.
    pub latency: Option<LatencyStats>,
    /// The latency histogram.
    pub histogram: Option<Histogram>,
    /// How many I/Os were made, for weighting.
    pub io_count: Option<u64>,
    /// How long it ran, seconds.
    pub seconds: Option<f64>,
    /// The flushes between its writes, where it made some; few tests do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flushes: Option<Box<Flushes>>,
    /// The name of the test in the same run that this one is a share of: they ran at the same time, on the same disk,
    /// so a limit is to be judged by that sum, not by this part. `None` for a test that is whole.
    pub part_of: Option<String>,
    /// What a reader should know of the figures ("job ended with error 42").
    pub notes: Vec<String>,
}

impl Test {
    /// The options that hold the test back whatever the disk could do, where its reader notes some.
    #[must_use]
    pub fn held_back(&self) -> Option<&str> {
        let mut notes = self.notes.iter();
        notes.find_map(|note| note.strip_prefix(HELD_BACK)?.strip_prefix(": "))
    }
}

/// How the note of a reader begins whose file ends in the middle of a result.
pub(crate) const CUT_OFF: &str = "the file is cut off";

/// How the note of a test begins that its own options hold back; they follow.
pub(crate) const HELD_BACK: &str = "held back by its options";

/// One run of a tool: everything that one report says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The format it was read from.
    pub format: Format,
    /// The tool's name as it prints it.
    pub tool: String,
    /// The tool's version.
    pub version: Option<String>,
    /// The host's name, where given.
    pub host: Option<String>,
    /// The host's operating system, where given.
    pub os: Option<String>,
    /// When it ran, as the tool printed it.
    pub date: Option<String>,
    /// What was measured, where the tool says it once for all tests.
    pub target: Option<String>,
    /// The tool's comment or description field.
    pub comment: Option<String>,
    /// The results, in the order of the report.
    pub tests: Vec<Test>,
    /// What a reader should know of the whole run.
    pub notes: Vec<String>,
}

impl Run {
    /// What was measured, as the tool names it: for all tests, else in the first that says it.
    #[must_use]
    pub fn measured(&self) -> Option<&str> {
        let of_tests = || self.tests.iter().find_map(|test| test.target.as_deref());
        self.target.as_deref().or_else(of_tests)
    }

    /// The note that the page cache of the guest may have answered, where its reader makes one: I/O was not direct, or
    /// the result does not say.
    #[must_use]
    pub fn page_cache(&self) -> Option<&str> {
        let own = self.notes.iter();
        let all = own.chain(self.tests.iter().flat_map(|test| &test.notes));
        all.map(String::as_str)
            .find(|note| note.contains("the page cache may have"))
    }

    /// The note that the run is not whole, where its reader makes one: its file ends in the middle.
    #[must_use]
    pub fn incomplete(&self) -> Option<&str> {
        let mut notes = self.notes.iter().map(String::as_str);
        notes.find(|note| note.contains(CUT_OFF))
    }
}
