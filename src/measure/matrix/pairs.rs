//! Reads and writes as pairs below the quantity that they are of, as Longhorn's kbench prints its summary:
//!
//! ```text
//! IOPS (Read/Write)
//!         Random:           28,832 / 5,730
//!     Sequential:          51,415 / 11,329
//! ```
//!
//! Each quantity has tests of its own: kbench measures them one after the other, with settings that it does not print.

use super::super::local_number::with_point;
use super::super::model::{Run, Test};
use super::super::scan::grouped_number;
use super::super::test_name::{self, direction};
use super::cell::Unit;
use super::{new_run, set};
use crate::units::Share;

/// What follows a quantity.
const PAIR: &str = "(Read/Write)";

/// The head of a summary.
const SUMMARY: &str = "FIO Benchmark Summary";

/// What a summary is of.
const TARGET: &str = "For:";

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

/// Every summary in `text` as a run.
pub(super) fn read(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut heading = None;
    let mut target = None;
    let mut open: Option<(&str, Unit)> = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') {
            heading = Some(super::caption(line));
        } else if line == SUMMARY {
            let new = new_summary(&mut runs, heading.take());
            runs.extend(new);
            open = None;
        } else if let Some(name) = line.strip_prefix(TARGET) {
            target = Some(name.trim().to_owned());
        } else if let Some(found) = quantity(line) {
            open = Some(found);
        } else if let Some((title, unit)) = open
            && let Some(tests) = row(line, title, unit)
        {
            if runs.is_empty() {
                runs.extend(new_summary(&mut [], heading.take()));
            }
            if let Some(run) = runs.last_mut() {
                run.target = run.target.take().or(target.take());
                run.tests.extend(tests);
            }
        }
    }
    runs.retain(|run| !run.tests.is_empty());
    runs
}

/// A run for the next summary, unless the last is still empty.
fn new_summary(runs: &mut [Run], heading: Option<String>) -> Option<Run> {
    let name = heading.unwrap_or_else(|| "kbench".to_owned());
    match runs.last_mut().filter(|run| run.tests.is_empty()) {
        Some(empty) => {
            empty.tool = name;
            None
        }
        None => Some(new_run(&name)),
    }
}

/// `Random: 28,832 / 5,730`: the reads and the writes.
fn row(line: &str, title: &str, unit: Unit) -> Option<[Test; 2]> {
    let (name, pair) = line.split_once(':')?;
    let kind = test_name::parse(name)?;
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
        Some(test)
    };
    Some([test(Share::ALL, reads)?, test(Share::NONE, writes)?])
}
