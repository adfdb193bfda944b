//! The column names of a plain CSV, and what each means.

use super::super::scan::micros;
use crate::units::{KIB, MB, MIB};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Column {
    Run,
    Test,
    Target,
    Host,
    Os,
    Date,
    Tool,
    Version,
    Comment,
    Pattern,
    Direction,
    /// Share of reads; a bare number over the divisor is a fraction.
    ReadShare(f64),
    /// Size of an I/O; the factor makes bytes of a bare number.
    BlockSize(u64),
    QueueDepth,
    Threads,
    Iops,
    /// Throughput; the factor makes bytes per second.
    Throughput(f64),
    /// Latency; the factor makes microseconds of a bare number, and without one the cells carry their unit.
    Latency(Statistic, Option<f64>),
    Seconds,
    IoCount,
}

/// Which number of a latency distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Statistic {
    Mean,
    Min,
    Max,
    Percentile(f64),
}

impl Column {
    /// Whether it is a measured figure.
    pub fn is_figure(self) -> bool {
        matches!(
            self,
            Self::Iops | Self::Throughput(_) | Self::Latency(Statistic::Mean, _)
        )
    }

    /// Reads a head, whatever its case and whether blanks, `-`, `_` or brackets part its words
    /// (`Latency (ms)`, `latency_ms`).
    pub fn read(head: &str) -> Option<Self> {
        let plain = head.trim().to_lowercase().replace("/s", "_per_s");
        let words: Vec<&str> = plain
            .split(|c: char| c.is_whitespace() || "_-()[]:".contains(c))
            .filter(|word| !word.is_empty())
            .collect();
        named(&words.join("_")).or_else(|| latency(&words))
    }
}

/// The columns with fixed names.
fn named(name: &str) -> Option<Column> {
    Some(match name {
        "run" | "config" | "configuration" => Column::Run,
        "test" | "name" | "job" | "benchmark" => Column::Test,
        "target" | "disk" | "drive" | "device" | "file" | "path" => Column::Target,
        "host" | "computer" | "vm" => Column::Host,
        "os" => Column::Os,
        "date" | "time" | "started" => Column::Date,
        "tool" => Column::Tool,
        "version" | "tool_version" => Column::Version,
        "comment" | "note" | "notes" => Column::Comment,
        "pattern" | "access" => Column::Pattern,
        "direction" | "operation" | "op" | "rw" => Column::Direction,
        "read_share" | "reads" => Column::ReadShare(1.0),
        "read_percent" | "read_pct" | "read_%" | "%_read" => Column::ReadShare(100.0),
        "block_size" | "blocksize" | "block" | "bs" | "io_size" => Column::BlockSize(1),
        "block_size_kib" | "block_size_kb" | "bs_kib" | "bs_kb" => Column::BlockSize(KIB),
        "queue_depth" | "qd" | "iodepth" | "depth" | "q" => Column::QueueDepth,
        "threads" | "jobs" | "numjobs" | "t" => Column::Threads,
        "iops" | "io_per_s" | "ios_per_s" => Column::Iops,
        "mbps" | "mb_per_s" | "throughput_mbps" | "bandwidth_mbps" => Column::Throughput(MB),
        "mibps" | "mib_per_s" | "throughput_mibps" | "bandwidth_mibps" => {
            Column::Throughput(MIB as f64)
        }
        "kibps" | "kib_per_s" => Column::Throughput(KIB as f64),
        "gbps" | "gb_per_s" => Column::Throughput(1e3 * MB),
        "gibps" | "gib_per_s" => Column::Throughput((KIB * MIB) as f64),
        "bytes_per_s" | "b_per_s" => Column::Throughput(1.0),
        "seconds" | "duration_s" | "runtime_s" => Column::Seconds,
        "io_count" | "ios" | "total_ios" => Column::IoCount,
        _ => return None,
    })
}

/// `latency_us`, `avg_latency_ms`, `latency_p99_us`, `p999_ms`, `max_ms`: a statistic, the word latency or both,
/// and a unit, which may stand in the cells instead.
fn latency(words: &[&str]) -> Option<Column> {
    let mut statistic = None;
    let mut named = false;
    let mut unit = None;
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        if matches!(word, "latency" | "lat" | "response") {
            named = true;
        } else if let Some(factor) = micros(1.0, word).filter(|_| words.peek().is_none()) {
            unit = Some(factor);
        } else if let Some(digits) = word.strip_prefix('p') {
            // `p99_9` is split at its underscore.
            let decimals = words.next_if(|next| next.chars().all(|c| c == '9'));
            statistic = Some(Statistic::Percentile(percent(digits, decimals)?));
        } else {
            statistic = Some(match word {
                "avg" | "mean" | "average" => Statistic::Mean,
                "min" | "minimum" => Statistic::Min,
                "max" | "maximum" => Statistic::Max,
                _ => return None,
            });
        }
    }
    let known = named || (statistic.is_some() && unit.is_some());
    known.then(|| Column::Latency(statistic.unwrap_or(Statistic::Mean), unit))
}

/// `50`, `99`, `99.9`, and `999` or `99` `9` for 99.9: a median to nine nines.
fn percent(digits: &str, decimals: Option<&str>) -> Option<f64> {
    let text = match (decimals, digits) {
        (Some(decimals), _) => format!("{digits}.{decimals}"),
        (None, nines) if nines.len() > 2 && nines.chars().all(|c| c == '9') => {
            format!("99.{}", nines.get(2..)?)
        }
        _ => digits.to_owned(),
    };
    let percent: f64 = text.parse().ok()?;
    (percent > 0.0 && percent < 100.0).then_some(percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_many_spellings() {
        let cases = [
            ("IOPS", Column::Iops),
            ("MB/s", Column::Throughput(1e6)),
            ("MiB/s", Column::Throughput(1_048_576.0)),
            ("Queue Depth", Column::QueueDepth),
            ("block_size_kib", Column::BlockSize(1024)),
            ("latency", Column::Latency(Statistic::Mean, None)),
            ("Latency (ms)", Column::Latency(Statistic::Mean, Some(1e3))),
            (
                "avg_latency_us",
                Column::Latency(Statistic::Mean, Some(1.0)),
            ),
            ("max_ms", Column::Latency(Statistic::Max, Some(1e3))),
            (
                "p50_us",
                Column::Latency(Statistic::Percentile(50.0), Some(1.0)),
            ),
            (
                "P99.9 (ms)",
                Column::Latency(Statistic::Percentile(99.9), Some(1e3)),
            ),
            (
                "latency_p999_us",
                Column::Latency(Statistic::Percentile(99.9), Some(1.0)),
            ),
            (
                "p99_9_us",
                Column::Latency(Statistic::Percentile(99.9), Some(1.0)),
            ),
            (
                "p9999_ns",
                Column::Latency(Statistic::Percentile(99.99), Some(1e-3)),
            ),
        ];
        for (head, column) in cases {
            assert_eq!(Column::read(head), Some(column), "{head}");
        }
    }

    #[test]
    fn other_heads_are_unknown() {
        for head in [
            "",
            "cpu",
            "p0_us",
            "p100_us",
            "max",
            "p99",
            "latency_colour",
            "us",
        ] {
            assert_eq!(Column::read(head), None, "{head}");
        }
    }
}
