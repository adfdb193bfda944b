//! DiskSpd's two reports: what both hold, and how it becomes tests.
//!
//! A report counts bytes and I/Os of every thread and target in each time span. One [`Test`] is made for every
//! target and direction that moved data, and one for the sum of both where a target was read and written at the same
//! time: the directions name it as what they are a part of. Totals over targets are left out.
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
    const DIRECTIONS: [Self; 2] = [Self::Read, Self::Write];

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
    /// The sides that make a test: each direction that moved data or was the only one asked for, and the total of two
    /// that did; the total alone where directions are not told apart.
    fn sides(&self, asked: Option<Share>) -> Vec<Side> {
        if self.tally.read.is_none() && self.tally.write.is_none() {
            let total = self.tally.total.map(|_| Side::Total);
            return total.into_iter().collect();
        }
        let counts = |side: Side| {
            let tally = self.tally.get(side);
            tally.is_some_and(|tally| tally.ios > 0 || asked == side.share())
        };
        let mut sides = Side::DIRECTIONS.to_vec();
        sides.retain(|side| counts(*side));
        if sides.len() == 2 {
            sides.push(Side::Total);
        }
        sides
    }

    /// What was counted on one side; a total that no table gives is the sum of the directions.
    fn side(&self, side: Side) -> Tally {
        self.tally.get(side).unwrap_or_else(|| {
            let mut sum = Tally::default();
            for tally in Side::DIRECTIONS
                .iter()
                .filter_map(|side| *self.tally.get(*side))
            {
                sum.add(tally);
            }
            sum
        })
    }

    /// Share of the I/Os that were reads; `None` where the directions are not told apart.
    fn read_share(&self) -> Option<Share> {
        let [read, write] = [self.tally.read?, self.tally.write?].map(|tally| tally.ios as f64);
        Share::new(read / (read + write)).ok()
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
    /// The total line over all targets.
    total: Counted,
}

/// How much more than its rows a total may count before rows are missing.
const ROWS_TOLERANCE: f64 = 1.001;

impl Span {
    /// Sets the time, as `printed` tells it: the time itself, or a rate that a count was divided by.
    fn time(&mut self, seconds: f64, printed: f64) {
        self.seconds = Some(seconds);
        self.precision = printed;
    }

    /// Where what was counted for `path` stands.
    fn position(&self, path: Option<&str>) -> Option<usize> {
        self.counted
            .iter()
            .position(|counted| counted.path.as_deref() == path)
    }

    /// Whether anything was counted for `path` yet.
    fn has(&self, path: Option<&str>) -> bool {
        self.position(path).is_some()
    }

    /// What was counted for `path`, made where it is new.
    fn target(&mut self, path: Option<&str>) -> &mut Counted {
        let index = self.position(path).unwrap_or_else(|| {
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
        if self.seconds.is_some()
            && let Some(total) = self.total_of_more(settings)
        {
            return vec![total];
        }
        let timed = if self.seconds.is_some() {
            self.counted.as_slice()
        } else {
            &[]
        };
        timed
            .iter()
            .flat_map(|counted| self.target_tests(counted, &self.settings_of(counted, settings)))
            .collect()
    }

    /// The total over several targets, where rows of them were cut out of the table: what is left of each says nothing.
    fn total_of_more(&self, settings: &[Settings]) -> Option<Test> {
        if self.counted.len() < 2 {
            return None;
        }
        let total = self.total.tally.total?;
        let of_rows = self
            .counted
            .iter()
            .filter_map(|counted| counted.tally.total);
        let ios: u64 = of_rows.map(|tally| tally.ios).sum();
        if total.ios as f64 <= ios as f64 * ROWS_TOLERANCE {
            return None;
        }
        let first = settings.first().cloned().unwrap_or_default();
        let same = |part: &dyn Fn(&Settings, &Settings) -> bool| {
            settings.iter().all(|other| part(&first, other))
        };
        let common = Settings {
            path: None,
            block_size: first
                .block_size
                .filter(|_| same(&|a, b| a.block_size == b.block_size)),
            pattern: first
                .pattern
                .filter(|_| same(&|a, b| a.pattern == b.pattern)),
            read_share: first
                .read_share
                .filter(|_| same(&|a, b| a.read_share == b.read_share)),
            queue_depth: first
                .queue_depth
                .filter(|_| same(&|a, b| a.queue_depth == b.queue_depth)),
            threads: self.threads,
            notes: first.notes,
        };
        let targets = settings.len().max(self.counted.len());
        let mut test = self.test(&self.total, &common, Side::Total);
        test.name = format!("{} on {targets} targets", test_name::describe(&test.kind));
        test.notes.push(
            "rows of its threads are missing: the total of all targets is given, no figures of each".to_owned(),
        );
        Some(test)
    }

    /// The tests of one target. Where it was read and written at the same time, both directions name their sum.
    fn target_tests(&self, counted: &Counted, settings: &Settings) -> Vec<Test> {
        let mut tests: Vec<Test> = counted
            .sides(settings.read_share)
            .into_iter()
            .map(|side| self.test(counted, settings, side))
            .collect();
        if let [read, write, total] = tests.as_mut_slice() {
            read.part_of = Some(total.name.clone());
            write.part_of = Some(total.name.clone());
        }
        tests
    }

    /// What was asked of a target, completed from what the span says of all.
    fn settings_of(&self, counted: &Counted, settings: &[Settings]) -> Settings {
        let own = settings
            .iter()
            .find(|settings| settings.path.is_some() && settings.path == counted.path);
        let mut found = match (own, settings, self.counted.len()) {
            (Some(own), _, _) => own.clone(),
            (None, [only], 1) => only.clone(),
            (None, [all], _) if all.path.is_none() => all.clone(),
            _ => Settings::default(),
        };
        let rows = (counted.threads > 0).then_some(counted.threads);
        let only = self.counted.len() == 1;
        let counted = self.threads.filter(|_| only);
        found.threads = found.threads.or(counted).or(rows).or(self.threads);
        if only {
            found.queue_depth = found.queue_depth.or(self.request_count);
        }
        found
    }

    fn test(&self, counted: &Counted, settings: &Settings, side: Side) -> Test {
        let tally = counted.side(side);
        let kind = TestKind {
            pattern: settings.pattern,
            read_share: side
                .share()
                .or(settings.read_share)
                .or_else(|| counted.read_share()),
            block_size: settings.block_size.or_else(|| exact_block_size(tally)),
            queue_depth: settings.queue_depth,
            threads: settings.threads,
        };
        let rate = |count: u64| self.seconds.map(|seconds| count as f64 / seconds);
        let target = counted.path.clone().or_else(|| settings.path.clone());
        Test {
            name: self.name(&kind, target.as_deref()),
            target,
            kind,
            iops: rate(tally.ios).and_then(|rate| Iops::new(rate).ok()),
            mbps: rate(tally.bytes).and_then(|rate| MBps::from_bytes_per_s(rate).ok()),
            latency: latency(tally, counted.spread.get(side).as_ref()),
            io_count: Some(tally.ios),
            seconds: self.seconds,
            notes: settings.notes.clone(),
            ..Test::default()
        }
    }

    /// DiskSpd names no tests: what they did is their name, with the target where there are several.
    fn name(&self, kind: &TestKind, target: Option<&str>) -> String {
        match target {
            Some(target) if self.counted.len() > 1 => {
                format!("{} on {target}", test_name::describe(kind))
            }
            _ => test_name::describe(kind),
        }
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

/// Adds the time span's number to the names where a run has several.
fn number_spans(spans: &mut [Vec<Test>]) {
    if spans.len() < 2 {
        return;
    }
    for (index, tests) in spans.iter_mut().enumerate() {
        for test in tests {
            for name in std::iter::once(&mut test.name).chain(&mut test.part_of) {
                name.push_str(&format!(" (time span {})", index + 1));
            }
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
