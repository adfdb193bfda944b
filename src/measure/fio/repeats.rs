//! One fio run given twice: `--output-format=terse,normal` and the like print the same results in two formats.

use super::TOOL;
use crate::measure::model::{Run, Test};

/// How far IOPS may be apart between two formats of one result; the text prints three digits.
const SAME_RATE: f64 = 0.01;

/// Below so many IOPS the digits that fio's text cuts off count for more than [`SAME_RATE`].
const CUT_OFF: f64 = 1.0;

/// Runs of one input that are compared with each other; a log of more holds no run twice.
const COMPARED: usize = 1000;

/// Leaves out fio runs whose results all stand in an earlier run of another format too, and says so in that one.
#[must_use]
pub fn without_repeats(runs: Vec<Run>) -> Vec<Run> {
    if runs.len() > COMPARED {
        return runs;
    }
    let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        let twin = kept.iter_mut().find(|other| {
            other.tool == TOOL
                && run.tool == TOOL
                && other.format != run.format
                && repeats(&run, other)
        });
        match twin {
            Some(twin) => twin
                .notes
                .push(format!("given in the same input as {} too", run.format)),
            None => kept.push(run),
        }
    }
    kept
}

/// Whether every result of `run` stands in `other`. Sums are left out: they follow from the rest.
fn repeats(run: &Run, other: &Run) -> bool {
    let is_sum = |test: &Test| {
        run.tests
            .iter()
            .any(|part| part.part_of.as_ref() == Some(&test.name))
    };
    let mut results = run.tests.iter().filter(|test| !is_sum(test)).peekable();
    results.peek().is_some() && results.all(|test| other.tests.iter().any(|twin| same(test, twin)))
}

fn same(a: &Test, b: &Test) -> bool {
    let (Some(x), Some(y)) = (a.iops, b.iops) else {
        return false;
    };
    let apart = (x.get() - y.get()).abs();
    a.name == b.name
        && a.kind.read_share == b.kind.read_share
        && apart <= CUT_OFF.max(SAME_RATE * x.get())
}
