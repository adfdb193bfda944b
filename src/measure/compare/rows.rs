//! Rows: the same test in every run.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Column;
use crate::measure::judge::consistency::RATE_AGREEMENT;
use crate::measure::model::{Test, TestKind};
use crate::measure::test_name;
use crate::units::{BlockSize, Iops, Latency, MBps, Share};
use crate::workload::Pattern;

/// One test in every run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// What was tested; threads that a tool does not name count as one.
    pub kind: TestKind,
    /// It in words (`RND4K Q1T1 read`), the same for every tool.
    pub name: String,
    /// Whether it is one direction of I/O that went both ways at once.
    pub part: bool,
    /// Which repetition of the same test within a run, from 1.
    pub repetition: u32,
    /// One cell a column; `None` where the run has no such test.
    pub cells: Vec<Option<Cell>>,
    /// The column with the highest rate; `None` where fewer than two have one.
    pub best: Option<usize>,
    /// The column with the highest rate among those whose figure may be the disk's.
    pub best_disk: Option<usize>,
}

/// One test in one run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// I/Os per second.
    pub iops: Option<Iops>,
    /// Throughput.
    pub mbps: Option<MBps>,
    /// Mean latency, as measured.
    pub latency: Option<Latency>,
    /// Latency by Little's law: outstanding I/Os over IOPS. `None` where the queue depth or the rate is unknown.
    pub implied_latency: Option<Latency>,
    /// Rate over the baseline's.
    pub ratio: Option<f64>,
    /// Whether a note says that this figure cannot be the disk's.
    pub not_the_disk: bool,
}

/// How far throughput may be from what a tool printed of it: it has two decimals, MB/s.
const ROUNDING: f64 = 0.005;

/// Whether a ratio of I/Os may be that of these bytes, before both were rounded.
fn agree(ios: f64, own: MBps, other: MBps) -> bool {
    let (own, other) = (own.get(), other.get());
    let low = (own - ROUNDING) / (other + ROUNDING) * (1.0 - RATE_AGREEMENT);
    let high =
        (own + ROUNDING) / (other - ROUNDING).max(f64::MIN_POSITIVE) * (1.0 + RATE_AGREEMENT);
    (low..=high).contains(&ios)
}

impl Cell {
    fn new(test: &Test) -> Self {
        let outstanding = test.kind.outstanding().map(f64::from);
        Self {
            iops: test.iops,
            mbps: test.mbps,
            latency: test.latency.as_ref().and_then(|latency| latency.mean),
            // One direction of two shares the outstanding I/Os with the other: how many are its own is not known.
            implied_latency: outstanding
                .filter(|_| test.part_of.is_none())
                .zip(test.iops)
                .and_then(|(outstanding, iops)| Latency::implied(outstanding, iops)),
            ratio: None,
            not_the_disk: false,
        }
    }

    /// Rate over another's: of bytes, which the same blocks make the same as that of I/Os. Of I/Os, the finer figure, where
    /// they agree with the bytes up to their rounding, or bytes are not told.
    #[must_use]
    pub fn over(&self, other: &Self) -> Option<f64> {
        let of = |own: Option<f64>, other: Option<f64>| {
            let other = other.filter(|rate| *rate > 0.0)?;
            Some(own? / other)
        };
        let ios = of(self.iops.map(Iops::get), other.iops.map(Iops::get));
        let bytes = of(self.mbps.map(MBps::get), other.mbps.map(MBps::get));
        match (ios, self.mbps, other.mbps) {
            (Some(ios), Some(own), Some(other)) if !agree(ios, own, other) => bytes,
            _ => ios.or(bytes),
        }
    }

    /// One figure to rank by.
    fn rate(&self) -> Option<f64> {
        self.mbps.map(MBps::get).or(self.iops.map(Iops::get))
    }

    /// The time that an I/O took: as measured, else as implied.
    #[must_use]
    pub fn time(&self) -> Option<Latency> {
        self.latency.or(self.implied_latency)
    }
}

impl Row {
    /// The cell of a column.
    #[must_use]
    pub fn cell(&self, column: usize) -> Option<&Cell> {
        self.cells.get(column)?.as_ref()
    }

    /// Whether all its I/O reads.
    pub(super) fn reads(&self) -> bool {
        !self.part && self.kind.read_share == Some(Share::ALL)
    }

    /// Whether all its I/O writes.
    pub(super) fn writes(&self) -> bool {
        !self.part && self.kind.read_share == Some(Share::NONE)
    }

    /// Whether one I/O is outstanding, so that rate and latency are one figure.
    pub(super) fn one_outstanding(&self) -> bool {
        !self.part && self.kind.outstanding() == Some(1)
    }

    pub(super) fn is(&self, pattern: Pattern) -> bool {
        self.kind.pattern == Some(pattern)
    }

    /// Sets the ratios and the best.
    fn finish(&mut self, baseline: usize) {
        let base = self.cell(baseline).copied();
        for cell in self.cells.iter_mut().flatten() {
            cell.ratio = base.and_then(|base| cell.over(&base));
        }
        self.rank();
    }

    /// Sets the best, over all and among what may be the disk. Called again when cells are found not to be the disk.
    pub(super) fn rank(&mut self) {
        self.best = self.best_of(|_| true);
        self.best_disk = self.best_of(|cell| !cell.not_the_disk);
    }

    /// The first column with the highest rate among cells that count; `None` where there is no other to be better than.
    fn best_of(&self, counts: fn(&Cell) -> bool) -> Option<usize> {
        let cells = || self.cells.iter().enumerate();
        let rate = |cell: &Option<Cell>| cell.as_ref().and_then(Cell::rate);
        if cells().filter(|(_, cell)| rate(cell).is_some()).count() < 2 {
            return None;
        }
        let mut best: Option<(usize, f64)> = None;
        for (index, cell) in cells().filter(|(_, cell)| cell.as_ref().is_some_and(counts)) {
            if let Some(rate) = rate(cell)
                && best.is_none_or(|(_, highest)| rate > highest)
            {
                best = Some((index, rate));
            }
        }
        best.map(|(index, _)| index)
    }
}

/// What makes two tests the same: shares to the nearest percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    pattern: Option<Pattern>,
    read_percent: Option<i32>,
    block_size: Option<BlockSize>,
    queue_depth: Option<u32>,
    threads: u32,
    part: bool,
    repetition: u32,
}

impl Key {
    fn new(test: &Test) -> Self {
        Self {
            pattern: test.kind.pattern,
            read_percent: test
                .kind
                .read_share
                .map(|share| (share.get() * 100.0).round() as i32),
            block_size: test.kind.block_size,
            queue_depth: test.kind.queue_depth,
            threads: test.kind.threads.unwrap_or(1),
            part: test.part_of.is_some(),
            repetition: 1,
        }
    }
}

/// Aligns the tests of all columns. Equal tests within a run pair off in their order.
pub(super) fn align(columns: &[Column<'_>], baseline: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places: HashMap<Key, usize> = HashMap::new();
    for (index, column) in columns.iter().enumerate() {
        let mut seen: HashMap<Key, u32> = HashMap::new();
        for test in &column.run.tests {
            let mut key = Key::new(test);
            let times = seen.entry(key).or_default();
            *times = times.saturating_add(1);
            key.repetition = *times;
            let place = *places.entry(key).or_insert_with(|| {
                rows.push(new_row(test, key, columns.len()));
                rows.len() - 1
            });
            let cell = rows.get_mut(place).and_then(|row| row.cells.get_mut(index));
            if let Some(cell) = cell {
                *cell = Some(Cell::new(test));
            }
        }
    }
    for row in &mut rows {
        row.finish(baseline);
    }
    rows
}

fn new_row(test: &Test, key: Key, columns: usize) -> Row {
    let kind = TestKind {
        threads: Some(key.threads),
        ..test.kind
    };
    let mut name = test_name::describe(&kind);
    if key.part {
        name.push_str(" (of a mixed test)");
    }
    if key.repetition > 1 {
        name.push_str(&format!(" #{}", key.repetition));
    }
    Row {
        kind,
        name,
        part: key.part,
        repetition: key.repetition,
        cells: vec![None; columns],
        best: None,
        best_disk: None,
    }
}
