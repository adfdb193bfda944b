//! What a reader should know of figures that were read: assumptions made, and what was left out, counted.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::Aggregation;
use crate::measure::rate::RateUnit;

/// The unit of the latencies in a fio log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LatencyUnit {
    /// Nanoseconds: fio 3 and later.
    Nanoseconds,
    /// Microseconds: fio 2 and earlier.
    Microseconds,
}

impl LatencyUnit {
    /// How many of it make a microsecond.
    #[must_use]
    pub const fn per_micro(self) -> f64 {
        match self {
            Self::Nanoseconds => 1e3,
            Self::Microseconds => 1.0,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Nanoseconds => "nanoseconds (fio 3)",
            Self::Microseconds => "microseconds (fio 2)",
        }
    }
}

/// What the unit of the latencies in a fio log was told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnitRule {
    /// The reader was told.
    Told,
    /// By Little's law: with the IOPS of the same run, the other unit would mean that nothing was ever outstanding.
    Outstanding,
    /// By size: as nanoseconds the usual I/O would be faster than any device or page cache.
    Size,
    /// Nothing spoke against it: what fio 3 writes.
    Usual,
}

/// One thing to know of the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Notice {
    /// Blocks that average over all the time since boot were left out.
    SinceBootLeftOut {
        /// How many.
        blocks: u32,
    },
    /// The log holds nothing but averages since boot; they were read.
    OnlySinceBoot,
    /// The log says no times; its samples were taken to be this far apart.
    IntervalAssumed {
        /// Milliseconds.
        ms: u64,
    },
    /// Lines that could not be understood were skipped.
    MalformedLines {
        /// How many.
        count: u64,
        /// The first of them, counted from 1.
        first: u64,
    },
    /// The input ends in the middle; what was whole was read.
    CutShort,
    /// The clock went backwards; time was counted on from there.
    ClockSteppedBack {
        /// How often.
        times: u32,
    },
    /// The clock went forwards by more than ten years; time was counted on from there.
    ClockJumped {
        /// How often.
        times: u32,
    },
    /// Samples with impossible figures (a counter reset) were left out.
    CountersReset {
        /// How many.
        samples: u32,
    },
    /// The log has more samples than are kept; neighbours were merged.
    Merged {
        /// How many samples of the log one sample stands for.
        factor: u32,
    },
    /// The unit that latencies were read in.
    FioLatencyUnit {
        /// The unit.
        unit: LatencyUnit,
        /// What told it.
        by: UnitRule,
    },
    /// Several jobs are in one log without their I/O counts: their latencies were weighted as if all had the same
    /// queue depth.
    EqualDepthAssumed,
    /// Logs of one job are of different times; those that do not overlap the first were left out.
    LogsApart,
    /// Reads and writes are in one latency log without their IOPS: no latency of both together was made.
    NoCommonLatency,
    /// The latency is that of submission only (`_slat`), not of the I/O.
    SubmissionLatencyOnly,
    /// The latency leaves out the time of submission (`_clat`).
    CompletionLatency,
    /// Trims are counted neither as reads nor as writes.
    TrimsLeftOut {
        /// How many samples.
        samples: u64,
    },
    /// The instance that sums all disks was left out beside the single ones.
    TotalLeftOut,
    /// Logical disks were left out: they count the same I/O as the physical ones.
    LogicalDisksLeftOut,
    /// The counters' language is not known; they were told by their usual order.
    CountersByPosition {
        /// The performance object as the log names it.
        object: String,
    },
    /// Columns that mean nothing here were ignored.
    ColumnsIgnored {
        /// Their names.
        names: Vec<String>,
    },
    /// A column's unit was taken as bytes and may have been meant as bits (`Mb/s`).
    UnitDoubtful {
        /// The column's name.
        head: String,
    },
    /// A metric came with an aggregation that is not a rate, and was left out.
    NotARate {
        /// The metric.
        metric: String,
        /// The aggregation (`count`, `total`).
        aggregation: String,
    },
    /// The values are extremes of each interval, not means.
    Extremes {
        /// Which.
        aggregation: Aggregation,
    },
    /// The figures are means over several data disks, not their sum.
    MeanOverDisks,
    /// Disks without any I/O were left out.
    IdleDisksLeftOut {
        /// How many.
        disks: usize,
    },
    /// Latencies without the IOPS that they are of.
    LatencyAloneLeftOut {
        /// Whose.
        disks: Vec<String>,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SinceBootLeftOut { blocks: 1 } => f.write_str("the first block averages over all the time since boot and was left out"),
            Self::SinceBootLeftOut { blocks } => write!(f, "{blocks} blocks average over all the time since boot and were left out"),
            Self::OnlySinceBoot => f.write_str("averages since boot only: run iostat with an interval (`iostat -xt 1`) for figures over time"),
            Self::IntervalAssumed { ms } => write!(f, "the log says no times: its samples were taken to be {} s apart (`bench series --interval` says how far)", *ms as f64 / 1e3),
            Self::MalformedLines { count: 1, first } => write!(f, "line {first} could not be understood and was skipped"),
            Self::MalformedLines { count, first } => write!(f, "{count} lines could not be understood and were skipped, the first of them line {first}"),
            Self::CutShort => f.write_str("the input ends in the middle: what was whole was read"),
            Self::ClockSteppedBack { times } => write!(f, "the clock went backwards {times} time(s): time was counted on from there"),
            Self::ClockJumped { times } => write!(f, "the clock jumped forwards by more than ten years {times} time(s): time was counted on from there"),
            Self::CountersReset { samples } => write!(f, "{samples} sample(s) with impossible figures were left out (a counter was reset)"),
            Self::Merged { factor } => write!(f, "the log is long: each sample here stands for {factor} of its samples"),
            Self::FioLatencyUnit { unit, by } => {
                let why = match by {
                    UnitRule::Told => "as told",
                    UnitRule::Outstanding => "told by Little's law from the IOPS of the same run",
                    UnitRule::Size => "told by their size",
                    UnitRule::Usual => "the usual unit: say so if fio 2 wrote the log",
                };
                write!(f, "latencies were read as {}, {why}", unit.words())
            }
            Self::EqualDepthAssumed => f.write_str("several jobs share the latency log: weighted as if all had the same queue depth"),
            Self::LogsApart => f.write_str(
                "logs of the same job are of different times: those that do not overlap the first were left out",
            ),
            Self::NoCommonLatency => f.write_str("reads and writes share the latency log without their IOPS: give the _iops log too for their common latency"),
            Self::SubmissionLatencyOnly => f.write_str("submission latency only (_slat): the time in the device is not in it"),
            Self::CompletionLatency => f.write_str("completion latency (_clat): the time of submission is not in it"),
            Self::TrimsLeftOut { samples } => write!(f, "{samples} trim sample(s) were left out"),
            Self::TotalLeftOut => f.write_str("the sum of all disks was left out beside the single ones"),
            Self::LogicalDisksLeftOut => f.write_str("logical disks were left out: they count the same I/O as the physical ones (name one to see it)"),
            Self::CountersByPosition { object } => write!(f, "the counter names of '{object}' are in a language that is not known: told by their usual order"),
            Self::ColumnsIgnored { names } => write!(f, "ignored column(s): {}", names.join(", ")),
            Self::UnitDoubtful { head } => f.write_str(&RateUnit::doubt(head)),
            Self::NotARate { metric, aggregation } => write!(f, "'{metric}' comes as {aggregation} only, which is not its value: export it with the average aggregation"),
            Self::Extremes { aggregation: Aggregation::Minimum } => f.write_str("the values are the lowest of each interval, not means: true rates are higher"),
            Self::Extremes { .. } => f.write_str("the values are the peaks of each interval, not means: true rates are lower"),
            Self::MeanOverDisks => f.write_str("means over all data disks, not their sum: split the metric by LUN to see each disk"),
            Self::LatencyAloneLeftOut { disks } => write!(f, "latencies without IOPS were left out ({}): logs go together by name and number, as a_iops.1.log and a_clat.1.log do", disks.join(", ")),
            Self::IdleDisksLeftOut { disks } => write!(f, "{disks} disk(s) without any I/O were left out"),
        }
    }
}
