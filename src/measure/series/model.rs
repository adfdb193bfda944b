//! What a log says of disks over time, before any judgement.
//!
//! Columnar: a sample is an index, and every quantity is a [`Column`] over it. Units are those of [`crate::units`];
//! whatever the log speaks (KiB/s, sectors, nanoseconds, percent) was converted on the way in.

use std::fmt;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock::shifted;
use super::column::Column;
use super::notice::Notice;
use crate::catalog::Limits;
use crate::measure::model::Percentile;
use crate::units::{Iops, Latency, MBps};

/// The kind of log a series was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// fio's `_bw`, `_iops`, `_lat`, `_clat` and `_slat` logs.
    FioLog,
    /// `iostat` text, with or without `-x`.
    IostatText,
    /// `iostat -o JSON`.
    IostatJson,
    /// PerfMon, typeperf or relog CSV.
    Perfmon,
    /// Azure Monitor metrics, or Metricbeat events made of them.
    AzureMonitor,
    /// A plain CSV with named columns.
    Csv,
}

impl Source {
    /// The kind of log, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::FioLog => "fio log",
            Self::IostatText => "iostat text",
            Self::IostatJson => "iostat JSON",
            Self::Perfmon => "PerfMon CSV",
            Self::AzureMonitor => "Azure Monitor metrics",
            Self::Csv => "CSV time series",
        }
    }
}

/// What one sample's value is of its interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Aggregation {
    /// The mean over the interval.
    #[default]
    Mean,
    /// The highest value within the interval: rates are peaks, and a mean made of them is too high.
    Maximum,
    /// The lowest value within the interval.
    Minimum,
}

/// The moment that 0 ms of a series stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartTime {
    /// A moment in time: the log says its time zone.
    Utc(#[schemars(with = "String")] Timestamp),
    /// What the clock on the wall showed: the log does not say its time zone.
    Local(#[schemars(with = "String")] civil::DateTime),
}

impl StartTime {
    /// Milliseconds on the scale of this kind of clock, for putting two series of one kind side by side.
    #[must_use]
    pub fn scale_ms(self) -> i64 {
        match self {
            Self::Utc(moment) => moment.as_millisecond(),
            Self::Local(clock) => Offset::UTC
                .to_timestamp(clock)
                .map_or(0, Timestamp::as_millisecond),
        }
    }

    /// The moment so many milliseconds later; `None` beyond the calendar's end.
    #[must_use]
    pub fn later(self, ms: u64) -> Option<Self> {
        shifted(self, SignedDuration::from_millis(i64::try_from(ms).ok()?))
    }

    /// Whether both are told by the same kind of clock.
    #[must_use]
    pub const fn comparable(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Utc(_), Self::Utc(_)) | (Self::Local(_), Self::Local(_))
        )
    }
}

impl fmt::Display for StartTime {
    /// `2026-03-14T00:53:14Z`; without the `Z` where the time zone is not known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utc(moment) => moment.fmt(f),
            Self::Local(clock) => clock.fmt(f),
        }
    }
}

/// Rates and latency of one direction, or of both together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lane {
    /// I/Os per second.
    pub iops: Column<Iops>,
    /// Throughput in MB/s.
    pub mbps: Column<MBps>,
    /// Mean latency in microseconds. Not said where no I/O finished.
    pub latency: Column<Latency>,
}

/// A counter beside the rates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GaugeKind {
    /// Share of time in which at least one I/O was outstanding (`%util`, `100 - % Idle Time`), percent.
    Busy,
    /// Share of the disk's or VM's IOPS limit in use, percent.
    IopsConsumed,
    /// Share of the disk's or VM's throughput limit in use, percent.
    BandwidthConsumed,
    /// Share of the burst credits for IOPS that is used up, percent.
    BurstIopsUsed,
    /// Share of the burst credits for throughput that is used up, percent.
    BurstBandwidthUsed,
    /// Share of the reads that the host cache answered, percent.
    CacheReadHit,
}

impl GaugeKind {
    /// Every kind, in the order of [`DiskSeries::gauges`].
    pub const ALL: [Self; 6] = [
        Self::Busy,
        Self::IopsConsumed,
        Self::BandwidthConsumed,
        Self::BurstIopsUsed,
        Self::BurstBandwidthUsed,
        Self::CacheReadHit,
    ];
}

/// One counter beside the rates, over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gauge {
    /// What it counts.
    pub kind: GaugeKind,
    /// Its values, percent.
    pub percent: Column<f64>,
}

/// A limit with a name that people know ("Standard_D8s_v5 uncached", "P30 baseline").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cap {
    /// The name.
    pub name: String,
    /// The limit.
    pub limits: Limits,
    /// Of what it is the limit.
    #[serde(default)]
    pub kind: CapKind,
    /// Whether it holds only on burst credit.
    #[serde(default)]
    pub in_burst: bool,
}

/// Of what a limit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CapKind {
    /// Of one resource: a disk, a ceiling of the VM.
    #[default]
    One,
    /// The own limits of disks that are added up: where their sum is at it, each disk says so itself.
    DisksTogether,
}

/// How whole a series is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Quality {
    /// Pauses in the log of more than half an interval.
    pub gaps: u32,
    /// Length of all the pauses together, milliseconds.
    pub gap_ms: u64,
    /// Samples left out because a counter had been reset or had run over (negative or impossible figures).
    pub resets: u32,
    /// How many samples of the log one sample here stands for (1: none were merged).
    pub merged: u32,
}

/// One disk over time. Every column is indexed by sample; a sample ends at `end_ms` and is `length_ms` long.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DiskSeries {
    /// The disk as the log names it (`sda`, `0 C:`, `LUN 2`, the name of a fio log without its ending).
    pub name: String,
    /// The host, where the log says it.
    pub host: Option<String>,
    /// The name of the input that it was read from.
    pub log: String,
    /// The kind of log.
    pub source: Source,
    /// What a sample's value is of its interval.
    pub aggregation: Aggregation,
    /// The moment that 0 ms stands for, where the log says it.
    pub start: Option<StartTime>,
    /// Usual length of a sample, milliseconds.
    pub interval_ms: u32,
    /// End of each sample, milliseconds since the start; ascending.
    pub end_ms: Vec<u64>,
    /// Length of each sample, milliseconds.
    pub length_ms: Vec<u32>,
    /// Reads and writes together.
    pub total: Lane,
    /// Reads.
    pub read: Lane,
    /// Writes.
    pub write: Lane,
    /// I/Os outstanding as the log counts them, on average over the sample.
    pub queue_depth: Column<f64>,
    /// Longest latency of a single I/O in the sample, microseconds (logs that count I/Os only; of a histogram, the
    /// middle of the highest bin).
    pub latency_max: Column<Latency>,
    /// The latency that 99 % of the I/Os in the sample stayed under, microseconds (logs that count I/Os only).
    pub latency_p99: Column<Latency>,
    /// Counters beside the rates; those that the log does not have are left out.
    pub gauges: Vec<Gauge>,
    /// Limits that the log itself states (Azure's target and burst metrics).
    pub caps: Vec<Cap>,
    /// Percentiles over all I/Os (logs that count I/Os only), ascending.
    pub io_latency: Vec<Percentile>,
    /// How whole the series is.
    pub quality: Quality,
}

impl DiskSeries {
    /// How many samples there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.end_ms.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.end_ms.is_empty()
    }

    /// Whether the disk did anything at all.
    #[must_use]
    pub fn has_io(&self) -> bool {
        let some = |value: Option<f64>| value.is_some_and(|v| v > 0.0);
        let moves = |lane: &Lane, i| some(lane.iops.number(i)) || some(lane.mbps.number(i));
        (0..self.len()).any(|i| moves(&self.total, i))
    }

    /// Time from the start of the first sample to the end of the last, milliseconds.
    #[must_use]
    pub fn span_ms(&self) -> u64 {
        let first = self.start_of(0).unwrap_or_default();
        self.end_ms
            .last()
            .map_or(0, |end| end.saturating_sub(first))
    }

    /// Start of sample `index`, milliseconds since the start of the series.
    #[must_use]
    pub fn start_of(&self, index: usize) -> Option<u64> {
        let end = *self.end_ms.get(index)?;
        Some(end.saturating_sub(u64::from(*self.length_ms.get(index)?)))
    }

    /// Length of sample `index` in seconds; 0 beyond the last.
    #[must_use]
    pub fn seconds(&self, index: usize) -> f64 {
        self.length_ms
            .get(index)
            .map_or(0.0, |ms| f64::from(*ms) / 1e3)
    }

    /// The I/Os outstanding on average in sample `index`: as the log counts them, else by Little's law
    /// (IOPS x latency).
    #[must_use]
    pub fn outstanding(&self, index: usize) -> Option<f64> {
        self.queue_depth.number(index).or_else(|| {
            let latency = self.total.latency.get(index)?;
            Some(latency.outstanding(self.total.iops.get(index)?))
        })
    }

    /// The counter of `kind`, where the log has it.
    #[must_use]
    pub fn gauge(&self, kind: GaugeKind) -> Option<&Column<f64>> {
        self.gauges
            .iter()
            .find_map(|gauge| (gauge.kind == kind).then_some(&gauge.percent))
    }
}

/// Everything that one log, or one set of fio logs, says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// The disks, in the order of the log.
    pub disks: Vec<DiskSeries>,
    /// What a reader should know of the figures.
    pub notices: Vec<Notice>,
}
