//! `sysbench fileio`, 0.4 to 1.1, whole reports or the results alone, several in one text.
//!
//! All versions count in powers of two, whatever they print (`Mb/sec`, `MiB/s`). Throughput is computed from I/Os
//! and the block size where both are known, which is exact where the printed figure is rounded.

use super::error::ParseError;
use super::model::{Format, LatencyStats, Percentile, Run, Test, TestKind};
use super::runs::{Reported, read_reports};
use super::scan::{
    after, binary_bytes, both_rates, latency_above_zero, micros, number, rounded_block_size, whole,
};
use super::test_name;
use crate::units::{BlockSize, Iops, MBps, MIB, MiBps, Share};
use crate::workload::Pattern;

/// What a report without results should have held.
const LOOKED_FOR: &str =
    "sysbench fileio's 'Operations performed:', 'reads/s:' and 'writes/s:', or 'read: IOPS='";

/// Whether `text` holds a result of `sysbench fileio`.
#[must_use]
pub fn sniff(text: &str) -> bool {
    text.contains("Operations performed:")
        || (text.contains("reads/s:") && text.contains("writes/s:"))
        || (text.contains("read, MiB/s:") && text.contains("written, MiB/s:"))
        || (text.contains("Total transferred") && text.contains("Written"))
        || text.contains("fsync: IOPS=")
}

/// Reads every report in `text`, each into a run of its own.
///
/// # Errors
/// [`ParseError::NoResult`] when there is no `fileio` result.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    read_reports::<Report>(text, LOOKED_FOR)
}

/// What was done in one direction.
#[derive(Debug, Clone, Copy, Default)]
struct Direction {
    /// I/Os, where the report counts them (0.4 and 0.5).
    count: Option<u64>,
    /// Bytes, rounded to five digits, where the report counts them (0.4 and 0.5).
    bytes: Option<f64>,
    iops: Option<f64>,
    mibps: Option<f64>,
}

impl Direction {
    fn is_known(self) -> bool {
        self.count.is_some() || self.iops.is_some() || self.mibps.is_some()
    }

    fn moved(self) -> bool {
        let some = |rate: Option<f64>| rate.is_some_and(|rate| rate > 0.0);
        self.count.is_some_and(|count| count > 0) || some(self.iops) || some(self.mibps)
    }

    /// Fills in what is not known yet.
    fn or(self, other: Self) -> Self {
        Self {
            count: self.count.or(other.count),
            bytes: self.bytes.or(other.bytes),
            iops: self.iops.or(other.iops),
            mibps: self.mibps.or(other.mibps),
        }
    }
}

/// One report, as far as it was read.
#[derive(Debug, Default)]
struct Report {
    version: Option<String>,
    threads: Option<u32>,
    block_size: Option<BlockSize>,
    pattern: Option<Pattern>,
    /// Share of reads that a mixed test was asked for.
    asked_share: Option<Share>,
    queue_depth: Option<u32>,
    buffered: bool,
    read: Direction,
    write: Direction,
    fsync: Direction,
    /// `Requests/sec executed`: both directions.
    total_rate: Option<f64>,
    seconds: Option<f64>,
    events: Option<u64>,
    latency: LatencyStats,
}

impl Reported for Report {
    /// Whether `line` begins another report.
    fn is_over(&self, line: &str) -> bool {
        let begins = [
            "Running the test with",
            "Operations performed:",
            "File operations:",
        ];
        let again = begins.iter().any(|start| after(line, start).is_some())
            || after(line, "read:").is_some_and(|rest| rest.starts_with("IOPS="));
        let sums = after(line, "read, MiB/s:").is_some() && self.read.mibps.is_some();
        let known = self.has_result() || self.version.is_some();
        ((again || command(line).is_some()) && self.has_result())
            || sums
            || (known && version(line).is_some())
    }

    fn line(&mut self, line: &str) {
        if let Some(version) = version(line) {
            self.version = Some(version);
        }
        if let Some(words) = command(line) {
            self.asked(words);
        }
        self.rates(line);
        self.setting(line);
        if self.has_result() {
            self.statistic(line);
        }
    }

    /// The run that was read; `None` where it has no result.
    fn run(mut self) -> Option<Run> {
        self.complete();
        let tests = self.tests();
        if tests.is_empty() {
            return None;
        }
        Some(Run {
            format: Format::Sysbench,
            tool: "sysbench".to_owned(),
            version: self.version,
            host: None,
            os: None,
            date: None,
            target: None,
            comment: None,
            tests,
            notes: Vec::new(),
        })
    }
}

impl Report {
    fn has_result(&self) -> bool {
        self.read.is_known() || self.write.is_known()
    }

    /// What a command line asks for.
    fn asked(&mut self, words: &str) {
        for word in words.split_whitespace() {
            let Some((name, value)) = word.trim_start_matches('-').split_once('=') else {
                continue;
            };
            match name {
                "file-test-mode" => {
                    self.pattern = match value {
                        "rndrd" | "rndwr" | "rndrw" => Some(Pattern::Random),
                        "seqrd" | "seqwr" | "seqrewr" => Some(Pattern::Sequential),
                        _ => None,
                    };
                }
                "file-block-size" => self.block_size = value.parse().ok(),
                "threads" | "num-threads" => self.threads = value.parse().ok(),
                _ => {}
            }
        }
    }

    /// Lines that say what was asked.
    fn setting(&mut self, line: &str) {
        if let Some(count) = after(line, "Number of threads:") {
            self.threads = count.parse().ok();
        } else if let Some(size) = after(line, "Block size") {
            self.block_size = size.parse().ok();
        } else if let Some(flags) = after(line, "Extra file open flags:") {
            self.buffered = matches!(flags, "0" | "(none)");
        } else if let Some(ratio) = after(line, "Read/Write ratio for combined random IO test:") {
            self.asked_share =
                number(ratio).and_then(|(ratio, _)| Share::new(ratio / (1.0 + ratio)).ok());
        } else if let Some(mode) = after(line, "Using") {
            if mode.starts_with("synchronous") {
                self.queue_depth = Some(1);
            }
        } else if let Some(test) = after(line, "Doing") {
            self.pattern = match test {
                _ if test.starts_with("random") => Some(Pattern::Random),
                _ if test.starts_with("sequential") => Some(Pattern::Sequential),
                _ => None,
            };
        }
    }

    /// Lines that say how much was done.
    fn rates(&mut self, line: &str) {
        let iops = |text: &str| Direction {
            iops: number(text).map(|(value, _)| value),
            ..Direction::default()
        };
        let mibps = |text: &str| Direction {
            mibps: number(text).map(|(value, _)| value),
            ..Direction::default()
        };
        if let Some(counts) = after(line, "Operations performed:") {
            self.counts(counts);
        } else if let Some(sizes) = after(line, "Read ") {
            self.sizes(sizes);
        } else if let Some(text) = after(line, "reads/s:") {
            self.read = self.read.or(iops(text));
        } else if let Some(text) = after(line, "writes/s:") {
            self.write = self.write.or(iops(text));
        } else if let Some(text) = after(line, "fsyncs/s:").or(after(line, "fsync: IOPS=")) {
            self.fsync = self.fsync.or(iops(text));
        } else if let Some(text) = after(line, "read, MiB/s:") {
            self.read = self.read.or(mibps(text));
        } else if let Some(text) = after(line, "written, MiB/s:") {
            self.write = self.write.or(mibps(text));
        } else if let Some(rest) = after(line, "read:") {
            self.read = self.read.or(iops_and_throughput(rest));
        } else if let Some(rest) = after(line, "write:") {
            self.write = self.write.or(iops_and_throughput(rest));
        }
    }

    /// `46.812Mb  Written 31.312Mb  Total transferred 78.125Mb  (29.944Mb/sec)`.
    fn sizes(&mut self, sizes: &str) {
        let Some((read, rest)) = sizes.split_once("Written") else {
            return;
        };
        self.read.bytes = self.read.bytes.or(size(read));
        self.write.bytes = self.write.bytes.or(size(rest));
        // The rate is of both directions, so of one where the other moved nothing.
        let rate = rest.split_once('(').and_then(|(_, rate)| {
            let (value, unit) = number(rate)?;
            let bytes = binary_bytes(value, unit.split_once("/sec")?.0)?;
            Some(bytes / MIB as f64)
        });
        let only = |direction: &Direction, other: &Direction| {
            let moved = direction.bytes.is_some_and(|bytes| bytes > 0.0);
            moved && other.bytes == Some(0.0) && direction.count.is_none()
        };
        if only(&self.read, &self.write) {
            self.read.mibps = self.read.mibps.or(rate);
        } else if only(&self.write, &self.read) {
            self.write.mibps = self.write.mibps.or(rate);
        }
    }

    /// `820 Read, 547 Write, 1750 Other = 3117 Total`.
    fn counts(&mut self, counts: &str) {
        for part in counts.split([',', '=']) {
            let Some((count, what)) = whole(part) else {
                continue;
            };
            let count = Direction {
                count: Some(count),
                ..Direction::default()
            };
            match what.to_ascii_lowercase().as_str() {
                "read" | "reads" => self.read = self.read.or(count),
                "write" | "writes" => self.write = self.write.or(count),
                "other" => self.fsync = self.fsync.or(count),
                _ => {}
            }
        }
    }

    /// Lines of the statistics behind the rates. The first of each counts: later ones belong to another test.
    fn statistic(&mut self, line: &str) {
        let first = |text: &str| number(text).map(|(value, _)| value);
        let time = |text: &str| latency_above_zero(micros(first(text)?, "ms")?);
        let latency = &mut self.latency;
        if let Some(text) = after(line, "total time:") {
            self.seconds = self.seconds.or(first(text)).filter(|time| *time > 0.0);
        } else if let Some(text) = after(line, "total number of events:") {
            self.events = self.events.or(text.parse().ok());
        } else if let Some(text) = after(line, "min:") {
            latency.min = latency.min.or(time(text));
        } else if let Some(text) = after(line, "avg:") {
            latency.mean = latency.mean.or(time(text));
        } else if let Some(text) = after(line, "max:") {
            latency.max = latency.max.or(time(text));
        } else if let Some((rate, "Requests/sec executed")) = number(line) {
            self.total_rate = Some(rate);
        } else if let Some((percent, text)) = percentile(line)
            && latency.percentiles.is_empty()
        {
            let point = time(text).map(|latency| Percentile { percent, latency });
            latency.percentiles.extend(point);
        }
    }

    /// One test for the direction that moved data; or for both and their sum, which the latency is of.
    fn tests(&self) -> Vec<Test> {
        let read = || self.test(Share::ALL, self.read);
        let write = || self.test(Share::NONE, self.write);
        match (self.read.moved(), self.write.moved()) {
            (false, false) => Vec::new(),
            (true, false) => read().map(|test| self.whole(test)).into_iter().collect(),
            (false, true) => write().map(|test| self.whole(test)).into_iter().collect(),
            (true, true) => {
                let (Some(read), Some(write)) = (read(), write()) else {
                    return Vec::new();
                };
                let total = self.total(&read, &write);
                let part = |test: Test| Test {
                    part_of: Some(total.name.clone()),
                    ..test
                };
                vec![part(read), part(write), total.clone()]
            }
        }
    }

    /// Works out the time and the block size where the report was cut and does not say them.
    fn complete(&mut self) {
        let count = |direction: Direction| direction.count.unwrap_or(0);
        let done = count(self.read).saturating_add(count(self.write)) as f64;
        let by_rate = self.total_rate.filter(|rate| *rate > 0.0);
        self.seconds = self
            .seconds
            .or(by_rate.map(|rate| done / rate))
            .filter(|seconds| *seconds > 0.0);
        self.block_size = self
            .block_size
            .or(block_size(self.read))
            .or(block_size(self.write));
    }

    /// One direction, without latency.
    fn test(&self, share: Share, direction: Direction) -> Option<Test> {
        let counted = direction.count.zip(self.seconds);
        let counted = counted.map(|(count, seconds)| count as f64 / seconds);
        let counted = counted.or(direction.iops);
        let kind = self.kind(Some(share));
        // Of the throughput alone, where nothing else is there.
        let (iops, mbps) = match counted {
            Some(iops) => {
                let iops = Iops::new(iops).ok()?;
                (Some(iops), self.mbps(iops, direction))
            }
            None => {
                let mbps = MiBps::new(direction.mibps?).ok().map(MBps::from);
                both_rates(None, mbps, self.block_size)
            }
        };
        let count = self
            .seconds
            .zip(iops)
            .map(|(seconds, iops)| (iops.get() * seconds).round() as u64);
        Some(Test {
            name: test_name::describe(&kind),
            kind,
            iops,
            mbps,
            io_count: direction.count.or(count),
            seconds: self.seconds,
            ..Test::default()
        })
    }

    fn kind(&self, read_share: Option<Share>) -> TestKind {
        TestKind {
            pattern: self.pattern,
            read_share,
            block_size: self.block_size,
            queue_depth: self.queue_depth,
            threads: self.threads,
        }
    }

    /// I/Os times their size, else bytes over time, else what was printed.
    fn mbps(&self, iops: Iops, direction: Direction) -> Option<MBps> {
        let of_bytes = || {
            let rate = direction.bytes? / self.seconds?;
            MBps::from_bytes_per_s(rate).ok()
        };
        let printed = || MiBps::new(direction.mibps?).ok().map(MBps::from);
        self.block_size
            .map(|block| iops.throughput(block))
            .or_else(of_bytes)
            .or_else(printed)
    }

    /// The sum of both directions.
    fn total(&self, read: &Test, write: &Test) -> Test {
        let sum = |part: fn(&Test) -> Option<f64>| Some(part(read)? + part(write)?);
        let iops = sum(|test| test.iops.map(Iops::get));
        let measured = read
            .iops
            .zip(iops)
            .and_then(|(read, total)| Share::new(read.get() / total).ok());
        let kind = self.kind(self.asked_share.or(measured));
        self.whole(Test {
            name: test_name::describe(&kind),
            kind,
            iops: iops.and_then(|rate| Iops::new(rate).ok()),
            mbps: sum(|test| test.mbps.map(MBps::get)).and_then(|rate| MBps::new(rate).ok()),
            io_count: read
                .io_count
                .zip(write.io_count)
                .map(|(read, write)| read.saturating_add(write)),
            seconds: self.seconds,
            ..Test::default()
        })
    }

    /// Gives a test that is all of the run the run's latency, and what a reader must know of it.
    fn whole(&self, test: Test) -> Test {
        let mut notes = Vec::new();
        if self.latency_covers_fsync() {
            notes.push("sysbench counts fsync calls among the latencies".to_owned());
        }
        if self.buffered {
            notes.push(
                "files were opened without O_DIRECT: the page cache may have answered".to_owned(),
            );
        }
        Test {
            latency: (self.latency != LatencyStats::default()).then(|| self.latency.clone()),
            notes,
            ..test
        }
    }

    /// From 1.0 on an fsync is an event as a read or a write is, and its time is among the latencies.
    fn latency_covers_fsync(&self) -> bool {
        let (Some(events), Some(seconds)) = (self.events, self.seconds) else {
            return false;
        };
        let rates = [self.read, self.write].map(|direction| direction.iops.unwrap_or(0.0));
        let io_only = rates.iter().sum::<f64>() * seconds;
        self.fsync.iops.is_some_and(|rate| rate > 0.0) && events as f64 > io_only * 1.01
    }
}

/// The arguments of a command line that runs a test: `sysbench fileio --file-test-mode=rndrw run`.
fn command(line: &str) -> Option<&str> {
    let (_, words) = line.split_once("sysbench ")?;
    words.contains("--file-test-mode=").then_some(words)
}

/// The version in a banner: `sysbench 0.4.12:  multi-threaded ...`, `sysbench 1.0.18 (using ...`.
fn version(line: &str) -> Option<String> {
    let rest = after(line, "sysbench ")?;
    let version = rest.split([':', ' ']).next()?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| version.to_owned())
}

/// `IOPS=141.90 141.90 MiB/s (148.79 MB/s)`. (fio writes `IOPS=142, BW=...`, which this is not.)
fn iops_and_throughput(text: &str) -> Direction {
    let read = || {
        let (iops, rest) = number(text.strip_prefix("IOPS=")?)?;
        let (mibps, unit) = number(rest)?;
        unit.starts_with("MiB/s").then_some((iops, mibps))
    };
    let (iops, mibps) = read().unzip();
    Direction {
        iops,
        mibps,
        ..Direction::default()
    }
}

/// Bytes of a size such as `3.1306Gb`.
fn size(text: &str) -> Option<f64> {
    let (value, unit) = number(text)?;
    binary_bytes(value, unit.split_whitespace().next()?)
}

/// `approx.  95 percentile:  0.27ms`, `95th percentile:  0.27`: the percent and the text of its value.
fn percentile(line: &str) -> Option<(f64, &str)> {
    let line = after(line, "approx.").unwrap_or(line);
    let (percent, rest) = number(line)?;
    let rest = rest.strip_prefix("th").unwrap_or(rest);
    let value = after(rest.trim_start(), "percentile:")?;
    (percent > 0.0 && percent < 100.0).then_some((percent, value))
}

/// The block size that the figures of one direction agree on: bytes and I/Os, or MiB/s and I/Os per second, within
/// their rounding to five digits or two decimals.
fn block_size(direction: Direction) -> Option<BlockSize> {
    if let (Some(bytes), Some(count)) = (direction.bytes, direction.count) {
        return rounded_block_size(bytes / count as f64, 1e-3);
    }
    let (mibps, iops) = (direction.mibps?, direction.iops?);
    let tolerance = 0.005 / mibps + 0.005 / iops;
    rounded_block_size(mibps * MIB as f64 / iops, tolerance)
}
