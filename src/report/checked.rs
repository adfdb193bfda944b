//! What was checked and what was found on it: the part of a report that pipelines read, whole and structured.
//!
//! People's formats show findings as remarks among tables; SARIF and JUnit are written from [`Checked`], one VM, plan
//! or run after the other, so that a fleet of any size can be written as it is judged ([`Format::checks`]).

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::clean::clean;
use super::text::one_line;
use super::{Document, Format, RenderOptions, ReportError, junit, sarif};
use crate::planner::{Finding, Severity};

/// One VM, plan or run with everything found on it; with no findings, it was checked and is clean.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Checked {
    /// What it is called (`web-1`, `orders database`): heads a test suite.
    pub name: String,
    /// What it stays the same by from run to run, where that is not its name: a resource id.
    pub id: Option<String>,
    /// The VM, where there is one: its name, or the size that is planned.
    pub vm: Option<String>,
    /// The file that it was read from.
    pub file: Option<SourceFile>,
    /// What was found, weightiest first; suppressed ones too.
    pub findings: Vec<Finding>,
}

/// A file that something was read from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SourceFile {
    /// Its path: relative where it lies below the folder that the pipeline works in.
    pub path: String,
    /// The line of each subject, where known.
    pub lines: BTreeMap<String, usize>,
}

impl Checked {
    /// What it is known by from run to run.
    #[must_use]
    pub fn identity(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.name)
    }

    /// The same with everything that was found on it at one line of its file.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        if let Some(file) = &mut self.file {
            let subjects = self.findings.iter().map(|finding| &finding.subject);
            file.lines = subjects.map(|subject| (subject.clone(), line)).collect();
        }
        self
    }

    /// Each finding, and which one it is of those with the same id and subject, from 1 on.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (&Finding, usize)> {
        let mut seen = BTreeMap::new();
        self.findings.iter().map(move |finding| {
            let number = seen
                .entry((finding.id, finding.subject.as_str()))
                .or_insert(0);
            *number += 1;
            (finding, *number)
        })
    }

    /// The same with harmless texts on one line each.
    #[must_use]
    pub(super) fn cleaned(&self) -> Self {
        let mut checked = self.clone();
        checked.clean();
        checked
    }

    /// Makes its texts harmless.
    pub(super) fn clean(&mut self) {
        line(&mut self.name);
        self.id.iter_mut().for_each(line);
        self.vm.iter_mut().for_each(line);
        self.findings.iter_mut().for_each(clean_finding);
        if let Some(file) = &mut self.file {
            line(&mut file.path);
            let lines = std::mem::take(&mut file.lines).into_iter();
            file.lines = lines.map(|(s, n)| (one_line(&clean(&s)), n)).collect();
        }
    }
}

/// Makes a text harmless and puts it on one line.
fn line(text: &mut String) {
    *text = one_line(&clean(text));
}

fn clean_finding(finding: &mut Finding) {
    line(&mut finding.subject);
    line(&mut finding.message);
    finding.fix.iter_mut().for_each(line);
    for figure in &mut finding.figures {
        line(&mut figure.name);
        line(&mut figure.unit);
    }
    if let Some(suppressed) = &mut finding.suppressed {
        line(&mut suppressed.reason);
        line(&mut suppressed.source);
    }
}

/// What stands above everything that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ChecksHead {
    /// What the report is called.
    pub title: String,
    /// Sources, dates and assumptions.
    pub notes: Vec<String>,
    /// What could not be read: the check itself did not succeed.
    pub unread: Vec<String>,
    /// From which severity on a finding is a failure.
    pub fails_from: Severity,
    /// How many tests there are in all, where that is known beforehand.
    pub totals: Option<Totals>,
}

/// Tests of a suite, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// All of them.
    pub tests: usize,
    /// Those that fail.
    pub failures: usize,
    /// Those that could not be run: what could not be read.
    pub errors: usize,
    /// Those that are skipped: suppressed findings.
    pub skipped: usize,
}

impl Totals {
    /// The tests that `checked` makes: one a finding, or one for being clean.
    #[must_use]
    pub fn of(checked: &Checked, fails_from: Severity) -> Self {
        let count = |test: &dyn Fn(&Finding) -> bool| {
            let findings = checked.findings.iter();
            findings.filter(|finding| test(finding)).count()
        };
        Self {
            tests: checked.findings.len().max(1),
            failures: count(&|f| f.suppressed.is_none() && f.severity <= fails_from),
            errors: 0,
            skipped: count(&|f| f.suppressed.is_some()),
        }
    }

    /// Those of everything that was checked; `None` where nothing was.
    #[must_use]
    pub fn of_all(checked: impl Iterator<Item = Checked>, fails_from: Severity) -> Option<Self> {
        checked
            .map(|checked| Self::of(&checked, fails_from))
            .reduce(Self::plus)
    }

    /// The tests of what could not be read: one each, none of which was run.
    #[must_use]
    pub fn of_unread(unread: &[String]) -> Self {
        Self {
            tests: unread.len(),
            errors: unread.len(),
            ..Self::default()
        }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: self.errors + other.errors,
            skipped: self.skipped + other.skipped,
        }
    }
}

/// A format for pipelines that is being written. Texts are made harmless on the way.
pub trait ChecksWriter {
    /// Writes what was found on one more VM, plan or run.
    ///
    /// # Errors
    /// What the writer underneath says.
    fn add(&mut self, checked: &Checked) -> io::Result<()>;

    /// Writes the end. Without it the output is cut off.
    ///
    /// # Errors
    /// What the writer underneath says.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Format {
    /// Begins to write a format for pipelines to `out`, for more than should be held at once; `None` for the other
    /// formats.
    #[must_use]
    pub fn checks<'w>(
        self,
        out: impl Write + 'w,
        head: &ChecksHead,
    ) -> Option<io::Result<Box<dyn ChecksWriter + 'w>>> {
        let mut head = head.clone();
        line(&mut head.title);
        head.notes.iter_mut().for_each(line);
        head.unread.iter_mut().for_each(line);
        match self {
            Self::Sarif => Some(sarif::begin(out, &head)),
            Self::Junit => Some(junit::begin(out, &head)),
            _ => None,
        }
    }
}

/// Writes everything that was checked in a format for pipelines; nothing in the other formats.
///
/// # Errors
/// What the writer underneath says.
pub fn write_all(
    out: impl Write,
    format: Format,
    head: &ChecksHead,
    checked: impl Iterator<Item = Checked>,
) -> io::Result<()> {
    let Some(writer) = format.checks(out, head) else {
        return Ok(());
    };
    let mut writer = writer?;
    for checked in checked {
        writer.add(&checked)?;
    }
    writer.finish()
}

/// The error of a report in which nothing was checked.
#[must_use]
pub const fn nothing(format: Format) -> ReportError {
    ReportError::Nothing {
        format,
        wants: "findings to look for",
    }
}

/// A whole document in a format for pipelines.
pub(super) fn draw(
    document: &Document,
    options: &RenderOptions,
    format: Format,
) -> Result<Vec<u8>, ReportError> {
    let checked = || document.checked.iter().cloned();
    let totals = Totals::of_all(checked(), options.fails_from);
    let head = ChecksHead {
        title: document.title.clone(),
        notes: document.remarks(),
        unread: document.unread.clone(),
        fails_from: options.fails_from,
        totals: Some(totals.ok_or_else(|| nothing(format))?),
    };
    let mut bytes = Vec::new();
    write_all(&mut bytes, format, &head, checked()).map_err(ReportError::library(format))?;
    Ok(bytes)
}
