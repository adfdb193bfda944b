//! `ioping`, 0.6 to 1.3: one I/O at a time.
//!
//! The closing statistics are taken where they are; a report that was cut before them is worked out from its request
//! lines. Sizes and rates are in powers of two in all versions, whatever they print (`mb/s`, `MiB/s`).

use super::error::ParseError;
use super::model::{Format, LatencyStats, Run, Test, TestKind};
use super::runs::{Reported, read_reports};
use super::scan::{after, binary_bytes, latency_above_zero, micros, number, rounded_block_size};
use super::test_name;
use crate::units::{BlockSize, Iops, KIB, MBps, Share};
use crate::workload::Pattern;

/// What a report without results should have held.
const LOOKED_FOR: &str = "ioping's 'min/avg/max/mdev =' behind '... ioping statistics ---', or lines with 'request=' and 'time='";

/// The request size that `-L` (sequential) sets; others are random unless the command line says `-L`.
const SEQUENTIAL_SIZE: u64 = 256 * KIB;

/// What a line of totals says.
const COMPLETED: &str = "requests completed in";

/// How far a size worked out of figures with three digits may be off.
const THREE_DIGITS: f64 = 0.02;

/// Whether `text` holds a result of `ioping`.
#[must_use]
pub fn sniff(text: &str) -> bool {
    text.contains("ioping statistics ---")
        || (text.contains(": request=") && text.contains(" time="))
        || (text.contains("requests completed in") && text.contains(" iops, "))
}

/// Reads every report in `text`, each into a run of its own.
///
/// # Errors
/// [`ParseError::NoResult`] when there are neither statistics nor requests.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    read_reports::<Report>(text, LOOKED_FOR)
}

/// One request line.
#[derive(Debug, Clone, Copy)]
struct Request<'a> {
    bytes: Option<f64>,
    reads: Option<bool>,
    target: &'a str,
    micros: f64,
    /// The first request, which newer versions leave out of the statistics.
    warmup: bool,
}

/// The figures of one report, as far as it was read.
#[derive(Debug, Default)]
struct Report {
    command: Option<String>,
    target: Option<String>,
    device: Option<String>,
    reads: Option<bool>,
    /// Both directions by turns (`-G`).
    turns: bool,
    request_bytes: Option<f64>,
    requests: Vec<f64>,
    count: Option<f64>,
    moved_bytes: Option<f64>,
    iops: Option<f64>,
    bytes_per_s: Option<f64>,
    seconds: Option<f64>,
    /// Whether the statistics have begun.
    closing: bool,
    latency: Option<LatencyStats>,
}

impl Reported for Report {
    /// Whether `line` begins another report.
    fn is_over(&self, line: &str) -> bool {
        let begun = self.closing || !self.requests.is_empty() || self.count.is_some();
        let command = begun && command(line).is_some();
        let again = self.closing && (request(line).is_some() || heading(line).is_some());
        let first = line.contains(" request=1 ") && !self.requests.is_empty();
        let completed = self.count.is_some() && line.contains(COMPLETED);
        command || again || first || completed
    }

    fn line(&mut self, line: &str) {
        if let Some(request) = request(line) {
            self.request(request);
        } else if let Some((target, device)) = heading(line) {
            self.closing = true;
            self.target = Some(target.to_owned());
            self.device = Some(device.to_owned());
        } else if let Some(command) = command(line) {
            self.command = Some(command.to_owned());
        } else if let Some(times) = after(line, "min/avg/max/mdev =") {
            self.latency = spread(times);
        } else if let Some(rest) = after(line, "generated") {
            self.generated(rest);
        } else if line.contains(COMPLETED) {
            self.completed(line);
        }
    }

    fn run(self) -> Option<Run> {
        let latency = self.latency.clone().or_else(|| self.of_requests());
        let iops = self.iops.or_else(|| {
            let mean = latency.as_ref()?.mean?.seconds();
            (mean > 0.0).then(|| 1.0 / mean)
        })?;
        let test = self.test(iops, latency)?;
        let notes = self.device.iter().map(|device| format!("on {device}"));
        Some(Run {
            format: Format::Ioping,
            tool: "ioping".to_owned(),
            version: None,
            host: None,
            os: None,
            date: None,
            target: self.target.clone(),
            comment: self.command.clone(),
            notes: notes.collect(),
            tests: vec![test],
        })
    }
}

impl Report {
    fn request(&mut self, request: Request<'_>) {
        self.request_bytes = self.request_bytes.or(request.bytes);
        self.turns |=
            self.reads.is_some() && request.reads.is_some() && self.reads != request.reads;
        self.reads = self.reads.or(request.reads);
        self.target.get_or_insert_with(|| request.target.to_owned());
        if !request.warmup {
            self.requests.push(request.micros);
        }
    }

    /// `23 requests completed in 338.2 us, 92 KiB read, 68.0 k iops, 265.6 MiB/s`; old versions give no size.
    fn completed(&mut self, line: &str) {
        let Some((count, rest)) = line.split_once(COMPLETED) else {
            return;
        };
        self.count = scaled(count).map(|(count, _)| count);
        for part in rest.split(", ").map(str::trim) {
            let Some((value, unit)) = scaled(part) else {
                continue;
            };
            if unit == "iops" {
                self.iops = Some(value);
            } else if let Some(bytes) = unit
                .strip_suffix("/s")
                .and_then(|unit| binary_bytes(value, unit))
            {
                self.bytes_per_s = Some(bytes);
            } else if let Some(time) = micros(value, unit) {
                self.seconds = Some(time / 1e6);
            } else {
                self.transferred(value, unit);
            }
        }
    }

    /// `KiB read`, `MiB written`.
    fn transferred(&mut self, value: f64, unit: &str) {
        let mut words = unit.split_whitespace();
        self.moved_bytes = words.next().and_then(|unit| binary_bytes(value, unit));
        match words.next() {
            Some("read") => self.reads = self.reads.or(Some(true)),
            Some("written") => self.reads = self.reads.or(Some(false)),
            _ => {}
        }
    }

    /// `24 requests in 23.8 s, 96 KiB, 1 iops, 4.04 KiB/s`: the pace that was asked for, with the time it took.
    fn generated(&mut self, rest: &str) {
        let time = rest
            .split_once("requests in")
            .and_then(|(_, rest)| number(rest))
            .and_then(|(value, rest)| micros(value, rest.split([',', ' ']).next()?));
        self.seconds = time.map(|micros| micros / 1e6).or(self.seconds);
    }

    fn test(&self, iops: f64, latency: Option<LatencyStats>) -> Option<Test> {
        let iops = Iops::new(iops).ok()?;
        let block_size = self.block_size();
        let share = self.read_share();
        let kind = TestKind {
            pattern: self.pattern(block_size),
            read_share: share,
            block_size,
            queue_depth: Some(1),
            threads: Some(1),
        };
        let printed = self
            .bytes_per_s
            .and_then(|rate| MBps::from_bytes_per_s(rate).ok());
        let count = self.count.unwrap_or(self.requests.len() as f64);
        Some(Test {
            name: test_name::describe(&kind),
            kind,
            iops: Some(iops),
            mbps: printed.or_else(|| block_size.map(|block| iops.throughput(block))),
            latency,
            io_count: Some(count as u64),
            seconds: self.seconds,
            ..Test::default()
        })
    }

    /// The size of a request: as its lines say, or as the totals do, or as the rates do.
    fn block_size(&self) -> Option<BlockSize> {
        let quotient = |bytes: Option<f64>, count: Option<f64>| {
            rounded_block_size(bytes? / count?, THREE_DIGITS)
        };
        self.request_bytes
            .and_then(|bytes| BlockSize::from_bytes(bytes as u64).ok())
            .or_else(|| quotient(self.moved_bytes, self.count))
            .or_else(|| quotient(self.bytes_per_s, self.iops))
    }

    /// Random is ioping's way unless `-L` is given, which a report shows by its request size alone.
    fn pattern(&self, block_size: Option<BlockSize>) -> Option<Pattern> {
        match self.flag('L') {
            Some(true) => Some(Pattern::Sequential),
            None if block_size.map(BlockSize::bytes) == Some(SEQUENTIAL_SIZE) => None,
            _ => Some(Pattern::Random),
        }
    }

    /// As the lines say, or as the command line does: reads unless `-W` (writes) or `-G` (by turns) is given.
    fn read_share(&self) -> Option<Share> {
        let turns = self.turns || self.flag('G') == Some(true);
        let reads = self.reads.or(self.flag('W').map(|writes| !writes));
        match reads {
            _ if turns => Share::new(0.5).ok(),
            Some(true) => Some(Share::ALL),
            Some(false) => Some(Share::NONE),
            None => None,
        }
    }

    /// Whether a one-letter flag was given; `None` where the command line is not there.
    fn flag(&self, letter: char) -> Option<bool> {
        let command = self.command.as_deref()?;
        let given = command
            .split_whitespace()
            .filter(|word| word.starts_with('-') && !word.starts_with("--"))
            .any(|word| word.contains(letter));
        Some(given)
    }

    /// Statistics over the request lines; `None` where there are none.
    fn of_requests(&self) -> Option<LatencyStats> {
        let count = self.requests.len();
        if count == 0 {
            return None;
        }
        let sum: f64 = self.requests.iter().sum();
        let smallest = self.requests.iter().copied().fold(f64::INFINITY, f64::min);
        let largest = self.requests.iter().copied().fold(0.0, f64::max);
        Some(LatencyStats {
            mean: latency_above_zero(sum / count as f64),
            min: latency_above_zero(smallest),
            max: latency_above_zero(largest),
            percentiles: Vec::new(),
        })
    }
}

/// `4 KiB <<< /dev/sda (block device 20 GiB): request=1 time=28.8 ms (warmup)`,
/// `4096 bytes from . (ext4 /dev/sda3): request=1 time=0.2 ms`; a time stamp may stand before it.
fn request(line: &str) -> Option<Request<'_>> {
    let (head, rest) = line.split_once(": request=")?;
    let (_, time) = rest.split_once("time=")?;
    let (value, unit) = number(time)?;
    let mut words = unit.split_whitespace();
    let micros = micros(value, words.next()?)?;
    let marks = [
        (" <<< ", Some(true)),
        (" >>> ", Some(false)),
        (" from ", Some(true)),
        (" to ", Some(false)),
    ];
    let (amount, target, reads) = marks.iter().find_map(|(mark, reads)| {
        let (amount, target) = head.split_once(mark)?;
        Some((amount, target, *reads))
    })?;
    let mut unit_first = amount.rsplit(' ');
    let unit = unit_first.next()?;
    let bytes = unit_first
        .next()
        .and_then(number)
        .and_then(|(value, _)| binary_bytes(value, unit));
    Some(Request {
        bytes,
        reads,
        target: target.rsplit_once(" (").map_or(target, |(path, _)| path),
        micros,
        warmup: words.any(|word| word == "(warmup)"),
    })
}

/// `--- /dev/sda (block device 20 GiB) ioping statistics ---`: the target and what it lies on.
fn heading(line: &str) -> Option<(&str, &str)> {
    let inner = line
        .strip_prefix("--- ")?
        .strip_suffix("ioping statistics ---")?;
    let (target, device) = inner.trim().rsplit_once(" (").unwrap_or((inner.trim(), ""));
    Some((target, device.trim_end_matches(')')))
}

/// A command line that calls ioping, with or without a prompt before it.
fn command(line: &str) -> Option<&str> {
    let at = line.find("ioping ")?;
    let before = line.get(..at)?;
    let own_word = before.is_empty() || before.ends_with([' ', '$', '#', '/', '`']);
    let command = line.get(at..)?;
    let is_heading = line.starts_with("---") || command.starts_with("ioping statistics");
    (own_word && !is_heading && !command.contains(": ")).then_some(command)
}

/// `0.2/2.8/12.7/5.0 ms` or `6.42 us / 14.7 us / 25.7 us / 3.08 us`.
fn spread(times: &str) -> Option<LatencyStats> {
    let last_unit = times.rsplit(|c: char| c.is_ascii_digit()).next()?.trim();
    let mut values = times.split('/').map(|part| {
        let (value, unit) = number(part)?;
        let unit = if unit.is_empty() { last_unit } else { unit };
        latency_above_zero(micros(value, unit)?)
    });
    let (min, mean, max) = (values.next()?, values.next()?, values.next()?);
    mean.map(|mean| LatencyStats {
        mean: Some(mean),
        min,
        max,
        percentiles: Vec::new(),
    })
}

/// A number and its unit, with a decimal prefix that stands alone (`68.0 k iops`, `1.2 M requests`) multiplied in.
fn scaled(text: &str) -> Option<(f64, &str)> {
    let (value, rest) = number(text)?;
    let (prefix, unit) = rest.split_once(' ').unwrap_or((rest, ""));
    let factor = match prefix {
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => return Some((value, rest)),
    };
    Some((value * factor, unit.trim()))
}
