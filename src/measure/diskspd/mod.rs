//! DiskSpd's two reports: what both hold, and how it becomes tests.
//!
//! A report counts bytes and I/Os of every thread and target in each time span. One [`Test`] is made for every
//! target and direction that moved data; totals over targets are left out, so that nothing counts twice.
//! DiskSpd prints MiB/s (old versions call them MB/s): throughput is computed from the bytes and the test time.

mod settings;
pub mod text;
pub mod xml;

use settings::Settings;

use super::model::{LatencyStats, Percentile, Test, TestKind};
use super::test_name;
use crate::units::{BlockSize, Iops, Latency, MBps, Share};

/// The tool's name, as it calls itself.
const TOOL: &str = "DiskSpd";

/// What a report without results should have held.
const LOOKED_FOR: &str =
    "DiskSpd's table of bytes, I/Os and I/O per s under 'Total IO', 'Read IO' or 'Write IO'";

/// The note of a time span that DiskSpd gave up.
const INTERRUPTED: &str = "a time span was interrupted before its measurements began";

/// One of the three columns that DiskSpd counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Total,
    Read,
    Write,
}

impl Side {
    /// The share of reads of what this side counts; `None` for both together.
    fn share(self) -> Option<Share> {
        match self {
            Self::Total => None,
            Self::Read => Some(Share::ALL),
            Self::Write => Some(Share::NONE),
        }
    }
}

/// I/O that was counted on one side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Tally {
    bytes: u64,
    ios: u64,
    /// Sum over I/Os of their latency, ms; `None` where none was measured.
    latency_sum_ms: Option<f64>,
}

impl Tally {
    /// A tally of `ios` that took `mean_ms` each.
    fn new(bytes: u64, ios: u64, mean_ms: Option<f64>) -> Self {
        Self {
            bytes,
            ios,
            latency_sum_ms: mean_ms.map(|mean| mean * ios as f64),
        }
    }

    /// Counts `other` in: latencies weigh by their I/Os.
    fn add(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.ios = self.ios.saturating_add(other.ios);
        self.latency_sum_ms = match (self.latency_sum_ms, other.latency_sum_ms) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }

    /// Mean latency over the I/Os.
    fn mean(self) -> Option<Latency> {
        let mean = self.latency_sum_ms? / self.ios as f64;
        Latency::from_millis(mean).ok()
    }
}

/// Three things of a kind, one for each side.
#[derive(Debug, Clone, PartialEq, Default)]
struct Sides<T> {
    total: T,
    read: T,
    write: T,
}

impl<T> Sides<T> {
    fn get(&self, side: Side) -> &T {
        match side {
            Side::Total => &self.total,
            Side::Read => &self.read,
            Side::Write => &self.write,
        }
    }

    fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Total => &mut self.total,
            Side::Read => &mut self.read,
            Side::Write => &mut self.write,
        }
    }
}

/// What one target did in a time span.
#[derive(Debug, Clone, PartialEq, Default)]
struct Counted {
    path: Option<String>,
    /// Threads that did I/O to it: each has one row.
    threads: u32,
    tally: Sides<Option<Tally>>,
    /// Smallest, largest and percentiles; means come from the tally.
    spread: Sides<Option<LatencyStats>>,
}

impl Counted {
    /// The sides that make a test: each direction that moved data or was the only one asked for, or the total where
    /// the directions are not told apart.
    fn sides(&self, asked: Option<Share>) -> Vec<Side> {
        if self.tally.read.is_none() && self.tally.write.is_none() {
            return self
                .tally
                .total
                .map(|_| vec![Side::Total])
                .unwrap_or_default();
        }
        [Side::Read, Side::Write]
            .into_iter()
            .filter(|side| {
                self.tally
                    .get(*side)
                    .is_some_and(|tally| tally.ios > 0 || asked == side.share())
            })
            .collect()
    }
}

/// The results of one time span.
#[derive(Debug, Clone, PartialEq, Default)]
struct Span {
    /// How long was measured.
    seconds: Option<f64>,
    /// The printed figure that the time was taken from. All have two decimals, so the largest tells it most closely.
    precision: f64,
    /// Threads of the whole span.
    threads: Option<u32>,
    /// Outstanding I/Os of each thread over all targets (`-O`).
    request_count: Option<u32>,
    counted: Vec<Counted>,
}

impl Span {
    /// Sets the time, as `printed` tells it: the time itself, or a rate that a count was divided by.
    fn time(&mut self, seconds: f64, printed: f64) {
        self.seconds = Some(seconds);
        self.precision = printed;
    }

    /// What was counted for `path`, made where it is new.
    fn target(&mut self, path: Option<&str>) -> &mut Counted {
        let found = self
            .counted
            .iter()
            .position(|counted| counted.path.as_deref() == path);
        let index = found.unwrap_or_else(|| {
            self.counted.push(Counted {
                path: path.map(str::to_owned),
                ..Counted::default()
            });
            self.counted.len() - 1
        });
        &mut self.counted[index]
    }

    /// The tests of this span, in the order of its targets; none where no time is known to divide by.
    fn tests(&self, settings: &[Settings]) -> Vec<Test> {
        let timed = if self.seconds.is_some() {
            self.counted.as_slice()
        } else {
            &[]
        };
        timed
            .iter()
            .flat_map(|counted| {
                let settings = self.settings_of(counted, settings);
                let sides = counted.sides(settings.read_share);
                let halves = sides.len() == 2;
                sides
                    .into_iter()
                    .map(move |side| self.test(counted, &settings, side, halves))
            })
            .collect()
    }

    /// What was asked of a target, completed from what the span says of all.
    fn settings_of(&self, counted: &Counted, settings: &[Settings]) -> Settings {
        let own = settings
            .iter()
            .find(|settings| settings.path.is_some() && settings.path == counted.path);
        let mut found = match (own, settings, self.counted.len()) {
            (Some(own), _, _) => own.clone(),
            (None, [only], 1) => only.clone(),
            _ => Settings::default(),
        };
        let rows = (counted.threads > 0).then_some(counted.threads);
        found.threads = found.threads.or(rows).or(self.threads);
        if self.counted.len() == 1 {
            found.queue_depth = found.queue_depth.or(self.request_count);
        }
        found
    }

    fn test(&self, counted: &Counted, settings: &Settings, side: Side, half: bool) -> Test {
        let tally = counted.tally.get(side).unwrap_or_default();
        let kind = TestKind {
            pattern: settings.pattern,
            read_share: side.share().or(settings.read_share),
            block_size: settings.block_size.or_else(|| exact_block_size(tally)),
            queue_depth: settings.queue_depth,
            threads: settings.threads,
        };
        let mut notes = settings.notes.clone();
        if half {
            notes.push(half_note(counted));
        }
        Test {
            name: test_name::describe(&kind),
            target: counted.path.clone().or_else(|| settings.path.clone()),
            kind,
            iops: self
                .per_second(tally.ios)
                .and_then(|rate| Iops::new(rate).ok()),
            mbps: self
                .per_second(tally.bytes)
                .and_then(|rate| MBps::from_bytes_per_s(rate).ok()),
            latency: latency(tally, counted.spread.get(side).as_ref()),
            io_count: Some(tally.ios),
            seconds: self.seconds,
            notes,
        }
    }

    fn per_second(&self, count: u64) -> Option<f64> {
        self.seconds.map(|seconds| count as f64 / seconds)
    }
}

/// Mean of the tally, spread of the percentile table; `None` where neither was measured.
fn latency(tally: Tally, spread: Option<&LatencyStats>) -> Option<LatencyStats> {
    let mean = tally.mean();
    match spread {
        Some(spread) => Some(LatencyStats {
            mean,
            ..spread.clone()
        }),
        None => mean.map(|mean| LatencyStats {
            mean: Some(mean),
            ..LatencyStats::default()
        }),
    }
}

/// The block size that bytes and I/Os agree on, where they divide without a rest.
fn exact_block_size(tally: Tally) -> Option<BlockSize> {
    let whole = tally.ios > 0 && tally.bytes.is_multiple_of(tally.ios);
    whole
        .then(|| BlockSize::from_bytes(tally.bytes / tally.ios).ok())
        .flatten()
}

/// What a reader of one direction of a mixed test must know.
fn half_note(counted: &Counted) -> String {
    let ios = |side| counted.tally.get(side).unwrap_or_default().ios as f64;
    let reads = 100.0 * ios(Side::Read) / (ios(Side::Read) + ios(Side::Write));
    format!(
        "one direction of a mixed test, of whose I/Os {} % were reads",
        crate::units::grouped(reads, 1)
    )
}

/// Adds the time span's number to the names where a run has several.
fn number_spans(spans: &mut [Vec<Test>]) {
    if spans.len() < 2 {
        return;
    }
    for (index, tests) in spans.iter_mut().enumerate() {
        for test in tests {
            test.name = format!("{} (time span {})", test.name, index + 1);
        }
    }
}

/// Percentiles in ascending order, with the extremes taken out of them.
fn spread(points: Vec<(f64, f64)>) -> Option<LatencyStats> {
    let mut stats = LatencyStats::default();
    for (percent, ms) in points {
        let Ok(latency) = Latency::from_millis(ms) else {
            continue;
        };
        if percent <= 0.0 {
            stats.min = Some(latency);
        } else if percent >= 100.0 {
            stats.max = Some(latency);
        } else {
            stats.percentiles.push(Percentile { percent, latency });
        }
    }
    stats
        .percentiles
        .sort_by(|a, b| a.percent.total_cmp(&b.percent));
    let empty = stats.min.is_none() && stats.max.is_none() && stats.percentiles.is_empty();
    (!empty).then_some(stats)
}
