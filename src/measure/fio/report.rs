//! One fio report on its way to a [`Run`]: jobs with their results and options, from whichever format.

use std::collections::{BTreeMap, BTreeSet};

use super::TOOL;
use super::options::{Direction, Options};
use super::sum;
use crate::measure::allowance::{Allowance, USED_UP};
use crate::measure::model::{Flushes, Format, HELD_BACK, Run, Test, TestKind};
use crate::units::{BlockSize, Iops};

/// The name of the entry that sums up all clients.
const ALL_CLIENTS: &str = "All clients";

/// What jobs without direct I/O say.
const BUFFERED: &str = "direct=0 in its options: the page cache may have answered";

/// Notes of one report.
const NOTES: usize = 32;

/// A job of the report.
#[derive(Debug, Default)]
pub(super) struct Job {
    pub name: String,
    /// fio's group: its jobs run at the same time. `None` where that cannot be relied on.
    pub group: Option<i64>,
    /// The client that ran it.
    pub host: Option<Box<str>>,
    pub options: Options,
    /// The job's exit code, 0 for success.
    pub error: i64,
    /// The queue depth that fio itself counts with (`latency_depth`).
    pub latency_depth: Option<u32>,
    /// Every I/O was issued with no other outstanding.
    pub one_at_a_time: bool,
    /// Its flushes, which its writes wait for.
    pub flushes: Option<Flushes>,
}

/// A job's place in the report.
#[derive(Debug)]
pub(super) struct Entry {
    pub job: Job,
    /// Its results in [`Report::tests`].
    pub first: usize,
    pub directions: Vec<Direction>,
}

/// A report being read.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub version: Option<String>,
    pub date: Option<String>,
    pub globals: Options,
    pub notes: Vec<String>,
    pub entries: Vec<Entry>,
    pub tests: Vec<Test>,
}

impl Report {
    /// Adds a job with its results, one a direction.
    ///
    /// The `kind` of a result needs only its mean block size, where known; the rest follows from the options.
    pub fn push(
        &mut self,
        mut job: Job,
        results: Vec<(Direction, Test)>,
        allowance: &mut Allowance,
    ) {
        let mut flushes = job.flushes.take();
        let name = &job.name;
        if results.is_empty() {
            self.note(match job.error {
                0 => format!("job '{name}' did no I/O"),
                code => format!("job '{name}' ended with error {code} and did no I/O"),
            });
            return;
        }
        // A job is kept beside its results until the report is complete; a run of its own, as a host of several has it,
        // takes as much as a result.
        let run = usize::from(self.entries.is_empty() || job.host.is_some());
        if !allowance.take(2 * results.len() + run) {
            self.note(USED_UP.to_owned());
            return;
        }
        let first = self.tests.len();
        let mut directions = Vec::with_capacity(results.len());
        for (direction, mut test) in results {
            directions.push(direction);
            test.name.clone_from(name);
            if matches!(direction, Direction::Write | Direction::Mixed) {
                test.flushes = flushes.take().map(Box::new);
            }
            if let Some(latency) = &mut test.latency {
                latency
                    .percentiles
                    .sort_by(|a, b| a.percent.total_cmp(&b.percent));
            }
            self.tests.push(test);
        }
        self.entries.push(Entry {
            job,
            first,
            directions,
        });
    }

    /// Notes something, once, while there are not too many notes.
    pub fn note(&mut self, note: String) {
        if self.notes.len() < NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// The finished runs: one, or one for each of several hosts and one for the sum of them all, since no limit of
    /// one machine holds for two.
    pub fn into_runs(mut self, format: Format) -> Vec<Run> {
        self.describe();
        let whole = self.entries.iter().position(is_sum_of_clients);
        let mut hosts = self.hosts();
        if hosts.len() < 2 {
            match whole.filter(|_| self.entries.len() > 1) {
                Some(whole) => sum::under_one(&mut self, whole),
                None => sum::by_group(&mut self),
            }
            return vec![self.into_run(format, hosts.pop())];
        }
        if let Some(whole) = whole {
            sum::describe_whole(&mut self, whole);
            self.note_whole(whole, hosts.len());
        }
        let parts = self.by_host(hosts);
        let runs = parts.into_iter().map(|(host, mut part)| {
            sum::by_group(&mut part);
            part.into_run(format, host)
        });
        runs.collect()
    }

    /// Fills in what the options say, now that all of them are known.
    fn describe(&mut self) {
        let mut buffered = false;
        for entry in &mut self.entries {
            entry.job.options = std::mem::take(&mut entry.job.options).or(&self.globals);
            buffered |= entry.job.options.direct == Some(false);
            let results = self.tests.iter_mut().skip(entry.first);
            for (test, &direction) in results.zip(&entry.directions) {
                describe(test, direction, &entry.job);
            }
        }
        if buffered {
            self.note(BUFFERED.to_owned());
        }
    }

    /// The hosts that ran jobs, each once, in the order of the report.
    fn hosts(&self) -> Vec<Box<str>> {
        let mut seen = BTreeSet::new();
        let jobs = self
            .entries
            .iter()
            .filter(|entry| !is_sum_of_clients(entry));
        let hosts = jobs.filter_map(|entry| entry.job.host.as_ref());
        hosts.filter(|host| seen.insert(*host)).cloned().collect()
    }

    /// Says that the sum of all clients is not one machine's.
    fn note_whole(&mut self, whole: usize, hosts: usize) {
        let Some(entry) = self.entries.get(whole) else {
            return;
        };
        let results = self.tests.iter_mut().skip(entry.first);
        for test in results.take(entry.directions.len()) {
            let note = format!("the sum of {hosts} hosts: no one machine's limits hold for it");
            test.notes.push(note);
        }
    }

    /// A report for each host, and one for what belongs to none.
    fn by_host(self, hosts: Vec<Box<str>>) -> Vec<(Option<Box<str>>, Self)> {
        let part = |host| {
            let report = Self {
                version: self.version.clone(),
                date: self.date.clone(),
                ..Self::default()
            };
            (host, report)
        };
        let hosts = hosts.into_iter().map(Some).chain([None]);
        let mut parts: Vec<_> = hosts.map(part).collect();
        let places = parts
            .iter()
            .enumerate()
            .map(|(place, (host, _))| (host.clone(), place));
        let places: BTreeMap<Option<Box<str>>, usize> = places.collect();
        let mut tests = self.tests.into_iter();
        for mut entry in self.entries {
            let results: Vec<Test> = tests.by_ref().take(entry.directions.len()).collect();
            let host = entry
                .job
                .host
                .clone()
                .filter(|_| !is_sum_of_clients(&entry));
            let place = places.get(&host).and_then(|&place| parts.get_mut(place));
            if let Some((_, part)) = place {
                entry.first = part.tests.len();
                part.tests.extend(results);
                part.entries.push(entry);
            }
        }
        parts.retain(|(_, part)| !part.is_empty());
        if let Some((_, first)) = parts.first_mut() {
            first.notes = self.notes;
        }
        parts
    }

    fn into_run(self, format: Format, host: Option<Box<str>>) -> Run {
        Run {
            format,
            tool: TOOL.to_owned(),
            version: self.version,
            host: host.map(Into::into),
            os: None,
            date: self.date,
            target: None,
            comment: None,
            tests: self.tests,
            notes: self.notes,
        }
    }
}

/// Whether an entry is fio's own sum over all clients.
fn is_sum_of_clients(entry: &Entry) -> bool {
    entry.job.name == ALL_CLIENTS
}

/// How far the mean size of the I/Os may be from the block size asked for before it counts instead.
const BLOCK_TOLERANCE: f64 = 0.02;

/// Fills in what the job's options say of a result.
fn describe(test: &mut Test, direction: Direction, job: &Job) {
    let options = &job.options;
    let measured = test.kind.block_size;
    let asked = options.block(direction);
    test.kind = TestKind {
        pattern: options.pattern,
        read_share: test.kind.read_share.or(options.read_share(direction)),
        block_size: match (asked, measured) {
            (Some(asked), Some(measured)) if !close(asked, measured) => Some(measured),
            (asked, measured) => asked.or(measured),
        },
        queue_depth: queue_depth(job),
        threads: options.threads(),
    };
    test.target = options.target.as_deref().map(str::to_owned);
    if direction == Direction::Trim {
        test.notes
            .push("trims, neither reads nor writes".to_owned());
    }
    if job.error != 0 {
        test.notes
            .push(format!("the job ended with error {}", job.error));
    }
    if !options.held_back.is_empty() {
        let options = options.held_back.join(", ");
        test.notes.push(format!("{HELD_BACK}: {options}"));
    }
    test.iops = finer_iops(test);
    let asked_depth = options.depth.or(job.latency_depth);
    if let Some(depth) = asked_depth.filter(|&depth| depth > 1 && job.is_alone()) {
        test.notes.push(format!(
            "a queue depth of {depth} was asked for, yet every I/O was issued alone: a synchronous engine, or a rate limit"
        ));
    }
}

/// Below so many IOPS the digits that fio cuts off count for more than the third digit of the throughput.
const CUT_OFF: f64 = 100.0;

/// IOPS where they were not counted: fio's text cuts them to a whole number, so that the throughput over the block size
/// says more of few of them. `IOPS=0` beside a throughput is less than one, not none.
fn finer_iops(test: &Test) -> Option<Iops> {
    let printed = test.iops?;
    let moved = test.mbps.filter(|mbps| mbps.get() > 0.0);
    if test.io_count.is_some() || printed.get() >= CUT_OFF || moved.is_none() {
        return Some(printed);
    }
    let finer = moved.zip(test.kind.block_size);
    let finer = finer.map(|(mbps, block)| mbps.iops_at(block));
    match finer {
        Some(finer) if (finer.get() - printed.get()).abs() < 1.0 => Some(finer),
        _ => (printed.get() > 0.0).then_some(printed),
    }
}

impl Job {
    /// Whether no two of its I/Os were outstanding at a time.
    fn is_alone(&self) -> bool {
        self.one_at_a_time || self.options.waits == Some(true)
    }
}

/// The queue depth that was really there: 1 where fio counted so or its engine waits, else what was asked for.
fn queue_depth(job: &Job) -> Option<u32> {
    if job.is_alone() {
        return Some(1);
    }
    job.options.depth.or(job.latency_depth)
}

fn close(asked: BlockSize, measured: BlockSize) -> bool {
    (measured.bytes_f64() / asked.bytes_f64() - 1.0).abs() <= BLOCK_TOLERANCE
}

/// A count that is only known to lie between two bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Between {
    pub low: f64,
    pub high: f64,
}

impl Between {
    pub const fn exactly(value: f64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }
}

/// The mean size of an I/O. Where the counts are rounded, only if a single power of two fits them.
pub(super) fn mean_block(bytes: Between, ios: Between) -> Option<BlockSize> {
    let (low, high) = (bytes.low / ios.high, bytes.high / ios.low);
    if !(low >= 1.0 && high.is_finite()) {
        return None;
    }
    if low == high {
        return BlockSize::from_bytes(low.round() as u64).ok();
    }
    let power = (low.ceil() as u64).checked_next_power_of_two()?;
    let fits = power as f64 <= high && high / low <= 1.0 + BLOCK_TOLERANCE;
    fits.then(|| BlockSize::from_bytes(power).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_block_is_exact_or_the_one_power_of_two_that_fits() {
        let block = |bytes, ios| mean_block(bytes, ios).map(BlockSize::bytes);
        assert_eq!(
            block(Between::exactly(81_920.0), Between::exactly(20.0)),
            Some(4096)
        );
        assert_eq!(
            block(Between::exactly(100.0), Between::exactly(3.0)),
            Some(33)
        );
        // 358,400 KiB in 5.2 s at an IOPS figure of 134, cut off after the point.
        let bytes = Between {
            low: 358_400.0 * 1024.0,
            high: 358_401.0 * 1024.0,
        };
        let ios = Between {
            low: 134.0 * 5.2,
            high: 135.0 * 5.2,
        };
        assert_eq!(block(bytes, ios), Some(524_288));
        // One digit of IOPS says nothing.
        assert_eq!(
            block(
                bytes,
                Between {
                    low: 1.0,
                    high: 2.0
                }
            ),
            None
        );
        assert_eq!(block(bytes, Between::exactly(0.0)), None);
        assert_eq!(block(Between::exactly(0.0), Between::exactly(0.0)), None);
    }
}
