//! The column names of a plain CSV, and what each means.

use super::super::rate::RateUnit;
use super::super::scan::micros;
use super::super::test_name::direction_word;
use crate::units::{KIB, Share};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::measure) enum Column {
    Run,
    Test,
    Target,
    File,
    Host,
    Os,
    Date,
    Tool,
    Version,
    Comment,
    Pattern,
    Direction,
    /// As a direction; other words than those of a direction say something else and are kept as a note.
    Type,
    /// Share of reads; a bare number over the divisor is a fraction.
    ReadShare(f64),
    /// Size of an I/O; the factor makes bytes of a bare number.
    BlockSize(u64),
    QueueDepth,
    Threads,
    Iops,
    /// Thousands of IOPS.
    ThousandIops,
    /// Throughput; the factor makes bytes per second.
    Throughput(f64),
    /// Latency; the factor makes microseconds of a bare number, and without one the cells carry their unit.
    Latency(Statistic, Option<f64>),
    Seconds,
    IoCount,
}

/// Which number of a latency distribution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::measure) enum Statistic {
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
            Self::Iops
                | Self::ThousandIops
                | Self::Throughput(_)
                | Self::Latency(Statistic::Mean, _)
        )
    }

    /// Whether it tells one test from another, which lines of a log over time do not.
    pub fn is_of_a_test(self) -> bool {
        matches!(
            self,
            Self::Run
                | Self::Test
                | Self::Pattern
                | Self::Direction
                | Self::Type
                | Self::ReadShare(_)
                | Self::BlockSize(_)
                | Self::Threads
        )
    }

    /// Whether it says what came out, not what was done; the time it took holds for both directions.
    pub fn is_measured(self) -> bool {
        self.is_figure() || matches!(self, Self::Latency(..) | Self::IoCount)
    }

    /// Whether its cells are numbers, with or without units.
    pub fn is_numeric(self) -> bool {
        !matches!(
            self,
            Self::Run
                | Self::Test
                | Self::Target
                | Self::File
                | Self::Host
                | Self::Os
                | Self::Date
                | Self::Tool
                | Self::Version
                | Self::Comment
                | Self::Pattern
                | Self::Direction
                | Self::Type
        )
    }
}

/// What the head of a column says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::measure) struct Heading {
    /// What the cells hold.
    pub column: Column,
    /// The share of reads that a figure is of, where it is of reads or writes alone (`read_iops`).
    pub side: Option<Share>,
    /// Whether its unit may have been meant as bits.
    pub maybe_bits: bool,
}

impl Heading {
    /// Reads a head, whatever its case and whether blanks, `-`, `_` or brackets part its words
    /// (`Latency (ms)`, `latency_ms`, `Read MiB/s`, `MB/s (read)`).
    pub fn read(head: &str) -> Option<Self> {
        let words: Vec<&str> = head
            .split(|c: char| c.is_whitespace() || "_-()[]:".contains(c))
            .filter(|word| !word.is_empty())
            .flat_map(without_hump)
            .collect();
        let whole = |column, maybe_bits| Self {
            column,
            side: None,
            maybe_bits,
        };
        let words = without_metric_words(words);
        let plain = words.join("_").to_lowercase();
        if let Some(column) = named(&plain) {
            return Some(whole(column, false));
        }
        if let Some((column, maybe_bits)) = measured(&words) {
            return Some(whole(column, maybe_bits));
        }
        let at = words.iter().position(|word| side_of(word).is_some())?;
        let side = words.get(at).and_then(|word| side_of(word));
        let mut rest = words.clone();
        rest.remove(at);
        let (column, maybe_bits) = match rest.as_slice() {
            // iostat's `r/s` is one word and no side.
            [] => return None,
            rest => measured(rest)?,
        };
        Some(Self {
            column,
            side,
            maybe_bits,
        })
    }
}

/// A word in two where a direction is joined to a figure (`readIOPS`, `writeBW`).
fn without_hump(word: &str) -> impl Iterator<Item = &str> {
    let joined = ["read", "write"]
        .iter()
        .find(|side| {
            let behind = word.strip_prefix(**side);
            behind.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        })
        .map_or(0, |side| side.len());
    let (side, rest) = word.split_at(joined);
    [side, rest].into_iter().filter(|part| !part.is_empty())
}

/// A metric's name as Azure's portal exports it (`Data Disk Read Operations/Sec (Average)`), without the words that say
/// neither what nor which direction; other heads as they are.
fn without_metric_words(mut words: Vec<&str>) -> Vec<&str> {
    let is = |word: &str, all: &[&str]| all.contains(&word.to_lowercase().as_str());
    if words
        .iter()
        .any(|word| is(word, &["operations/sec", "bytes/sec"]))
    {
        words.retain(|word| !is(word, &["data", "os", "temp", "disk", "average", "avg"]));
    }
    words
}

/// The share of reads that a word of a head means.
fn side_of(word: &str) -> Option<Share> {
    match word.to_lowercase().as_str() {
        "r" => Some(Share::ALL),
        "w" => Some(Share::NONE),
        word => direction_word(word),
    }
}

/// A column of what was measured, and whether its unit may have been meant as bits.
fn measured(words: &[&str]) -> Option<(Column, bool)> {
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let column = match lower.join("_").as_str() {
        "iops" | "operations/sec" | "io/s" | "ios/s" | "io_per_s" | "ios_per_s" | "avg_iops"
        | "mean_iops" | "iops_avg" | "iops_mean" => Some(Column::Iops),
        "kiops" | "k_iops" | "iops_k" | "iops_x1000" => Some(Column::ThousandIops),
        "io_count" | "ios" | "total_ios" => Some(Column::IoCount),
        _ => None,
    };
    if let Some(column) = column {
        return Some((column, false));
    }
    throughput(words).or_else(|| Some((latency(&lower)?, false)))
}

/// `MB/s`, `throughput_mbps`, `bw_kib`, `Bandwidth (MiB/s)`: a unit, and words that say that it is a rate, for which
/// "per second" may be missing.
fn throughput(words: &[&str]) -> Option<(Column, bool)> {
    let is_rate = |word: &&&str| {
        matches!(
            word.to_lowercase().as_str(),
            "throughput"
                | "bandwidth"
                | "bw"
                | "transfer"
                | "rate"
                | "speed"
                | "in"
                | "avg"
                | "mean"
                | "durchsatz"
                | "débit"
        )
    };
    let said = words.iter().any(|word| is_rate(&word));
    let unit: Vec<&str> = words
        .iter()
        .filter(|word| !is_rate(word))
        .copied()
        .collect();
    let unit = RateUnit::read(&unit.join("_"), said)?;
    Some((Column::Throughput(unit.bytes), unit.maybe_bits))
}

/// The columns with fixed names.
fn named(name: &str) -> Option<Column> {
    Some(match name {
        "run" | "config" | "configuration" => Column::Run,
        "test" | "test_name" | "name" | "job" | "benchmark" => Column::Test,
        "target" | "disk" | "drive" | "device" | "volume" => Column::Target,
        "file" | "path" => Column::File,
        "host" | "hostname" | "host_name" | "computer" | "server" | "vm" => Column::Host,
        "os" => Column::Os,
        "date" | "time" | "started" | "timestamp" | "datetime" => Column::Date,
        "tool" => Column::Tool,
        "version" | "tool_version" => Column::Version,
        "comment" | "note" | "notes" => Column::Comment,
        "pattern" | "access" => Column::Pattern,
        "direction" | "operation" | "op" | "rw" | "readwrite" | "read/write" | "r/w"
        | "read/write_ratio" | "r/w_ratio" => Column::Direction,
        "type" | "mode" | "typ" | "io_type" | "access_type" => Column::Type,
        "read_share" | "reads" => Column::ReadShare(1.0),
        "read_percent" | "read_pct" | "read_%" | "%_read" => Column::ReadShare(100.0),
        "block_size" | "blocksize" | "block" | "bs" | "io_size" | "access_size" | "blockgröße"
        | "blockgrösse" => Column::BlockSize(1),
        "block_size_kib" | "block_size_kb" | "bs_kib" | "bs_kb" => Column::BlockSize(KIB),
        "queue_depth" | "queuedepth" | "queue" | "qd" | "iodepth" | "io_depth" | "depth" | "q"
        | "outstanding" | "outstanding_io" | "outstanding_ios" | "outstanding_i/o"
        | "outstanding_i/os" => Column::QueueDepth,
        "threads" | "thread_count" | "jobs" | "numjobs" | "t" => Column::Threads,
        "seconds" | "duration_s" | "runtime_s" => Column::Seconds,
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
        if matches!(
            word,
            "latency" | "lat" | "clat" | "response" | "await" | "latenz" | "latence"
        ) || (named && word == "time")
        {
            named = true;
        } else if word == "in" {
            // `Latency in ms`.
        } else if let Some(factor) = micros(1.0, word)
            .filter(|_| words.peek().is_none() || word.ends_with("s") && word.len() == 2)
        {
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
            ("IOPS (k)", Column::ThousandIops),
            ("kIOPS", Column::ThousandIops),
            ("MB/s", Column::Throughput(1e6)),
            ("MiB/s", Column::Throughput(1_048_576.0)),
            ("Queue Depth", Column::QueueDepth),
            ("block_size_kib", Column::BlockSize(1024)),
            ("latency", Column::Latency(Statistic::Mean, None)),
            ("Latency (ms)", Column::Latency(Statistic::Mean, Some(1e3))),
            ("lat (us) avg", Column::Latency(Statistic::Mean, Some(1.0))),
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
            assert_eq!(
                Heading::read(head).map(|heading| heading.column),
                Some(column),
                "{head}"
            );
        }
    }

    #[test]
    fn heads_of_one_direction_and_of_other_units() {
        let (read, write) = (Some(Share::ALL), Some(Share::NONE));
        let kib = Column::Throughput(1024.0);
        for (head, column, side) in [
            ("read_iops", Column::Iops, read),
            ("Write IOPS", Column::Iops, write),
            ("read_bw_KiB/s", kib, read),
            ("write_bw_kib", kib, write),
            ("MB/s (read)", Column::Throughput(1e6), read),
            ("Read [MB/s]", Column::Throughput(1e6), read),
            ("bandwidth_mib", Column::Throughput(1_048_576.0), None),
            ("Bandwidth (Gbit/s)", Column::Throughput(125e6), None),
            ("KB/s", Column::Throughput(1e3), None),
            ("bw_kib", kib, None),
            (
                "Write Latency (ms)",
                Column::Latency(Statistic::Mean, Some(1e3)),
                write,
            ),
            (
                "Data Disk Read Operations/Sec (Average)",
                Column::Iops,
                read,
            ),
            (
                "OS Disk Write Bytes/sec (Average)",
                Column::Throughput(1.0),
                write,
            ),
            ("r_await", Column::Latency(Statistic::Mean, None), read),
            (
                "read_lat_p99_us",
                Column::Latency(Statistic::Percentile(99.0), Some(1.0)),
                read,
            ),
            (
                "latency_s",
                Column::Latency(Statistic::Mean, Some(1e6)),
                None,
            ),
            (
                "Latency ms",
                Column::Latency(Statistic::Mean, Some(1e3)),
                None,
            ),
            ("read_percent", Column::ReadShare(100.0), None),
            ("Type", Column::Type, None),
        ] {
            let read = Heading::read(head).unwrap();
            assert_eq!((read.column, read.side), (column, side), "{head}");
        }
        assert!(Heading::read("Mbps").unwrap().maybe_bits);
        assert!(!Heading::read("mbps").unwrap().maybe_bits);
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
            assert_eq!(Heading::read(head), None, "{head}");
        }
    }
}
