//! Reads and writes as pairs below the quantity that they are of, as Longhorn's kbench prints its summary:
//!
//! ```text
//! IOPS (Read/Write)
//!         Random:           28,832 / 5,730
//!     Sequential:          51,415 / 11,329
//! ```
//!
//! Each quantity has tests of its own: kbench measures them one after the other. Its settings are not printed; the block sizes
//! are those of its job files (longhorn/kbench, `fio/iops-include.fio`, `bw-include.fio`, `lat-include.fio`): 4 KiB for IOPS
//! and latency, 128 KiB for bandwidth in all of its versions. Queue depths differ between them, and are not known.

use super::super::local_number::with_point;
use super::super::model::{Run, Test, TestKind};
use super::super::scan::{both_rates, grouped_number};
use super::super::test_name::{self, direction};
use super::cell::Unit;
use super::{new_run, set};
use crate::units::{BlockSize, Share};

/// What follows a quantity.
const PAIR: &str = "(Read/Write)";

/// How the head of a summary begins; one of two volumes is a `Comparsion Summary`.
const SUMMARY: &str = "FIO Benchmark";

/// What is said of block sizes that are kbench's own.
const OWN_BLOCKS: &str = "block sizes are those of kbench's job files: 4 KiB for IOPS and latency, 128 KiB for bandwidth";

/// The block size that kbench measures a quantity with.
const fn block_of(unit: Unit) -> BlockSize {
    match unit {
        Unit::Iops(_) | Unit::Micros(_) => BlockSize::KIB_4,
        Unit::Bytes(_) => BlockSize::kib(128),
    }
}

/// What a summary is of: one volume, or two.
const TARGET: &str = "For:";

/// What parts two volumes, and their figures.
const AGAINST: &str = " vs ";

/// Whether `text` has a quantity with pairs below it.
pub(super) fn sniff(text: &str) -> bool {
    text.contains(PAIR) && !read(text).is_empty()
}

/// The quantity of `Latency in ns (Read/Write)`, and its name.
fn quantity(line: &str) -> Option<(&str, Unit)> {
    let title = line.strip_suffix(PAIR)?.trim();
    let (name, unit) = title.split_once(" in ").unwrap_or((title, title));
    Some((name, Unit::read(unit)?))
}

/// Every summary in `text` as a run, or as two where it compares.
pub(super) fn read(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut summary = Summary::default();
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') {
            summary.heading = Some(super::caption(line));
        } else if line.starts_with(SUMMARY) {
            summary = Summary {
                first: runs.len(),
                heading: summary.heading,
                is_kbench: true,
                ..Summary::default()
            };
        } else if let Some(names) = line.strip_prefix(TARGET) {
            summary.volumes = names
                .split(AGAINST)
                .map(|name| name.trim().to_owned())
                .collect();
        } else if let Some(found) = quantity(line) {
            summary.quantity = Some(found);
        } else if let Some((name, pairs)) = line.split_once(':') {
            summary.row(name, pairs, &mut runs);
        }
    }
    runs
}

/// A summary being read.
#[derive(Default)]
struct Summary<'a> {
    /// The place of its first run.
    first: usize,
    /// The heading above it.
    heading: Option<String>,
    /// Whether it begins as kbench's do.
    is_kbench: bool,
    volumes: Vec<String>,
    quantity: Option<(&'a str, Unit)>,
}

impl Summary<'_> {
    /// `Random: 28,832 / 5,730`, or `Random: 50,000 / 40,000 vs 20,000 / 10,000 : -60.00% / -75.00%`.
    fn row(&mut self, name: &str, pairs: &str, runs: &mut Vec<Run>) {
        let Some((title, unit)) = self.quantity else {
            return;
        };
        let figures = pairs.split(':').next().unwrap_or_default();
        for (index, pair) in figures.split(AGAINST).enumerate() {
            let block = self.is_kbench.then(|| block_of(unit));
            let Some(tests) = tests(name, pair, (title, unit), block) else {
                continue;
            };
            if runs.get(self.first + index).is_none() {
                runs.push(self.new_run(index));
            }
            if let Some(run) = runs.get_mut(self.first + index) {
                run.tests.extend(tests);
            }
        }
    }

    /// The run of one volume: of several by the volume, of one by the heading.
    fn new_run(&mut self, index: usize) -> Run {
        let volume = self.volumes.get(index).cloned();
        let heading = self.heading.take().filter(|_| self.volumes.len() < 2);
        let by_volume = || volume.clone().filter(|_| self.volumes.len() > 1);
        let name = heading.or_else(by_volume);
        let notes = self.is_kbench.then(|| OWN_BLOCKS.to_owned());
        Run {
            target: volume,
            notes: notes.into_iter().collect(),
            ..new_run(&name.unwrap_or_else(|| "kbench".to_owned()))
        }
    }
}

/// `28,832 / 5,730`: the reads and the writes.
fn tests(
    name: &str,
    pair: &str,
    (title, unit): (&str, Unit),
    block: Option<BlockSize>,
) -> Option<[Test; 2]> {
    let kind = test_name::parse(name)?;
    let kind = TestKind {
        block_size: kind.block_size.or(block),
        ..kind
    };
    let (reads, writes) = pair.split_once(" / ")?;
    let test = |share: Share, figure: &str| {
        let value = grouped_number(&with_point(figure.trim(), false))?;
        let mut test = Test {
            name: format!("{name} {}, {title}", direction(share)),
            kind,
            ..Test::default()
        };
        test.kind.read_share = Some(share);
        set(&mut test, unit, value);
        (test.iops, test.mbps) = both_rates(test.iops, test.mbps, kind.block_size);
        Some(test)
    };
    Some([test(Share::ALL, reads)?, test(Share::NONE, writes)?])
}
