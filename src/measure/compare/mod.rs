//! Several runs side by side: rows aligned by what was tested, ratios to a baseline, the best of each row, and notes
//! on what cannot be the disk.
//!
//! ```
//! use diskcap::measure::compare::{Options, columns, compare};
//! use diskcap::measure::matrix;
//!
//! let pasted = "\
//! Test                none     writeback
//! RND4K Q1T1 read     0.40        61.2
//! RND4K Q1T1 write    1.20        48.7
//! ";
//! let runs = matrix::parse(pasted)?;
//! let comparison = compare(&columns(&runs), Options::default())?;
//! assert_eq!(comparison.rows[0].cells[1].as_ref().and_then(|cell| cell.ratio), Some(153.0));
//! assert!(comparison.notes.iter().any(|note| note.id.code() == "HOST-CACHE-READS"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod note;
mod range;
mod rows;
mod rules;
mod subject;
pub mod thresholds;

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use note::{Note, NoteId, UnknownNote};
pub use rows::{Cell, Row};

use super::model::{Format, Run};
use super::numbered::numbered;

/// Whether the runs measured one disk or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// One disk in several configurations (cache modes, I/O modes, drivers): what only a cache can do shows.
    SameDisk,
    /// Different disks: one may simply be faster.
    DifferentDisks,
}

/// How to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Which column the ratios are to.
    pub baseline: usize,
    /// Whether it is one disk; `None` takes it from the runs: columns of a matrix are configurations of one disk unless
    /// they name several or are headed with names of several disks, other runs only where they name the same target.
    pub subject: Option<Subject>,
    /// What columns of a table are taken for that do not say what they are of; `None` for configurations of one disk.
    pub unsaid: Option<Subject>,
}

/// A run to compare, with the name it goes by.
#[derive(Debug, Clone, PartialEq)]
pub struct Column<'a> {
    /// Its name in texts and heads.
    pub label: String,
    /// The run.
    pub run: &'a Run,
}

/// Several runs side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The column that ratios are to.
    pub baseline: usize,
    /// Whether the runs were taken for one disk or several.
    pub subject: Subject,
    /// Whether that was taken from the runs, not told.
    pub subject_assumed: bool,
    /// One row for every test, in the order in which the runs name them.
    pub rows: Vec<Row>,
    /// What the figures mean, weightiest first.
    pub notes: Vec<Note>,
}

/// Why runs cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// There are not two of them.
    #[error("{found} run to compare: at least two are wanted (files, or columns of a matrix)")]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// The baseline is none of them.
    #[error("there is no run {baseline} to be the baseline: runs are numbered 0 to {last}")]
    NoBaseline {
        /// The number that was asked for.
        baseline: usize,
        /// The highest number there is.
        last: usize,
    },
}

/// Names runs: a matrix's columns by their heads, others by what they measured, their host or their tool. Names that
/// would be the same are told apart by the disks of the runs, else numbered.
#[must_use]
pub fn columns(runs: &[Run]) -> Vec<Column<'_>> {
    let name = |run: &Run| -> String {
        let given = match run.format {
            Format::Matrix | Format::Csv => None,
            _ => run.target.clone().or_else(|| run.host.clone()),
        };
        given.unwrap_or_else(|| run.tool.clone())
    };
    let names: Vec<String> = runs.iter().map(name).collect();
    let labels = numbered(&with_disks(&names, runs));
    let each = labels.into_iter().zip(runs);
    each.map(|(label, run)| Column { label, run }).collect()
}

/// The names, with its disk behind each that runs of several disks share.
fn with_disks(names: &[String], runs: &[Run]) -> Vec<String> {
    let mut disks: HashMap<&str, BTreeSet<Option<&str>>> = HashMap::new();
    for (name, run) in names.iter().zip(runs) {
        disks.entry(name).or_default().insert(run.target.as_deref());
    }
    let is_shared = |name: &str| disks.get(name).is_some_and(|disks| disks.len() > 1);
    let each = names.iter().zip(runs);
    each.map(|(name, run)| match &run.target {
        Some(disk) if is_shared(name) && disk != name => format!("{name} {disk}"),
        _ => name.clone(),
    })
    .collect()
}

/// Puts the runs side by side.
///
/// # Errors
/// [`CompareError`] when there are fewer than two, or the baseline is none of them.
pub fn compare(columns: &[Column<'_>], options: Options) -> Result<Comparison, CompareError> {
    if columns.len() < 2 {
        return Err(CompareError::TooFew {
            found: columns.len(),
        });
    }
    if options.baseline >= columns.len() {
        return Err(CompareError::NoBaseline {
            baseline: options.baseline,
            last: columns.len() - 1,
        });
    }
    let mut comparison = Comparison {
        columns: columns.iter().map(|column| column.label.clone()).collect(),
        baseline: options.baseline,
        subject: options
            .subject
            .unwrap_or_else(|| subject::of(columns, options.unsaid)),
        subject_assumed: options.subject.is_none(),
        rows: rows::align(columns, options.baseline),
        notes: Vec::new(),
    };
    rules::judge(&mut comparison);
    Ok(comparison)
}
