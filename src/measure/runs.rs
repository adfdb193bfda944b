//! The runs that a parser has found so far, kept in proportion to the input.

use super::allowance::{Allowance, USED_UP};
use super::error::ParseError;
use super::model::{Run, Test};
use super::scan::lines;

/// Collects runs; what goes beyond the input's allowance is left out, and the last run says so.
#[derive(Debug)]
pub(crate) struct Runs {
    runs: Vec<Run>,
    allowance: Allowance,
    used_up: bool,
}

impl Runs {
    /// For the results of `text`.
    pub(crate) fn of(text: &str) -> Self {
        Self {
            runs: Vec::new(),
            allowance: Allowance::of(text.len()),
            used_up: false,
        }
    }

    /// Whether `results` more may be kept; takes them.
    pub(crate) fn take(&mut self, results: usize) -> bool {
        let left = self.allowance.take(results);
        self.used_up |= !left;
        left
    }

    /// Adds a run that has tests.
    pub(crate) fn push(&mut self, run: Run) {
        if !run.tests.is_empty() && self.take(run.tests.len()) {
            self.runs.push(run);
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    /// Those from `first` on.
    pub(crate) fn since(&mut self, first: usize) -> &mut [Run] {
        self.runs.get_mut(first..).unwrap_or_default()
    }

    /// Adds a test to the run that it is of (`is`) among those from `first` on, which `new` makes where there is none.
    pub(crate) fn add(
        &mut self,
        first: usize,
        is: impl Fn(&Run) -> bool,
        test: Test,
        new: impl FnOnce() -> Run,
    ) {
        if !self.take(1) {
            return;
        }
        let known = self.since(first).iter_mut().find(|run| is(run));
        match known {
            Some(run) => run.tests.push(test),
            None => {
                let mut run = new();
                run.tests.push(test);
                self.runs.push(run);
            }
        }
    }

    /// The runs.
    ///
    /// # Errors
    /// [`ParseError::NoResult`] when there is none.
    pub(crate) fn finish(mut self, looked_for: &'static str) -> Result<Vec<Run>, ParseError> {
        if self.used_up
            && let Some(run) = self.runs.last_mut()
        {
            run.notes.push(USED_UP.to_owned());
        }
        if self.runs.is_empty() {
            return Err(ParseError::NoResult { looked_for });
        }
        Ok(self.runs)
    }
}

/// A report of a tool that prints one behind the other, as it is read line by line.
pub(crate) trait Reported: Default {
    /// Whether `line` begins another report.
    fn is_over(&self, line: &str) -> bool;
    /// Takes a line.
    fn line(&mut self, line: &str);
    /// What it holds; `None` where that is no result.
    fn run(self) -> Option<Run>;
}

/// Reads every report in `text`, each into a run of its own.
///
/// # Errors
/// [`ParseError::NoResult`] when there is none.
pub(crate) fn read_reports<R: Reported>(
    text: &str,
    looked_for: &'static str,
) -> Result<Vec<Run>, ParseError> {
    let mut runs = Runs::of(text);
    let mut report = R::default();
    for (_, line) in lines(text) {
        if report.is_over(line) {
            let over = std::mem::take(&mut report);
            over.run().into_iter().for_each(|run| runs.push(run));
        }
        report.line(line);
    }
    report.run().into_iter().for_each(|run| runs.push(run));
    runs.finish(looked_for)
}

/// What a test without a direction says beside others that have one.
const NO_DIRECTION: &str = "its name does not say read or write: judged as reads";

/// Notes tests that do not say their direction, in runs where others do: there it is likely an oversight. Mixes, which
/// are sums of named directions, know their share.
pub(crate) fn note_unsaid_directions(runs: &mut [Run]) {
    for run in runs {
        let said = |test: &Test| test.kind.read_share.is_some();
        if !run.tests.iter().any(said) {
            continue;
        }
        for test in run.tests.iter_mut().filter(|test| !said(test)) {
            test.notes.push(NO_DIRECTION.to_owned());
        }
    }
}
