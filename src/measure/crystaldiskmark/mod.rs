//! CrystalDiskMark's text export, versions 3 to 9, whole or in pieces, on its own or within a page.
//!
//! The tool prints MB/s as 10^6 bytes per second and the best of its passes. Result lines are `row`'s business;
//! this file puts them together: which section (`[Read]`, `[Write]`, `[Mix]`) and which run they belong to, and what the
//! lines below say of drive, passes, date and system.

mod fields;
mod row;

use std::borrow::Cow;

use super::allowance::Allowance;
use super::error::ParseError;
use super::model::{Format, LatencyStats, Run, Test, TestKind};
use crate::units::{Iops, Latency, MBps, Share};
use fields::{Fields, Tool};
use row::{Comma, Direction, Row};

const LOOKED_FOR: &str = "lines such as `RND 4KiB (Q=  1, T= 1):    41.000 MB/s` or `Random Read 4KB (QD=1) :    41.000 MB/s`";

/// Results of one run: more than any version prints (three sections of nine).
const ROWS: usize = 64;

/// Whether `text` has a CrystalDiskMark result line anywhere.
#[must_use]
pub fn sniff(text: &str) -> bool {
    let is_result = is_result(text);
    text.lines().any(is_result)
}

/// Whether a line of `text` is a CrystalDiskMark result line.
pub(super) fn is_result(text: &str) -> impl Fn(&str) -> bool + use<> {
    let comma = comma_of(text);
    move |line| !Row::all(&plain(line), comma).is_empty()
}

/// What a comma is in the figures of the text.
fn comma_of(text: &str) -> Comma {
    let is_of_tool = text.lines().any(|line| Tool::in_line(line).is_some());
    Comma::of(text.lines().map(plain), is_of_tool)
}

/// Reads every CrystalDiskMark run in `text`.
///
/// # Errors
/// [`ParseError::NoResult`] where no result line has a figure other than 0.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut pages = Pages {
        runs: Vec::new(),
        page: Page::default(),
        allowance: Allowance::of(text.len()),
        comma: comma_of(text),
    };
    for line in text.lines() {
        pages.line(&plain(line));
    }
    pages.runs.extend(pages.page.into_run());
    if pages.runs.is_empty() {
        let looked_for = LOOKED_FOR;
        return Err(ParseError::NoResult { looked_for });
    }
    Ok(pages.runs)
}

/// A line without a mark of quotation, and without HTML's tags and entities.
fn plain(line: &str) -> Cow<'_, str> {
    let line = line.strip_prefix("> ").unwrap_or(line);
    if !line.contains(['&', '<']) {
        return Cow::Borrowed(line);
    }
    let text = without_tags(line).replace("&nbsp;", " ");
    Cow::Owned(text.replace("&lt;", "<").replace("&gt;", ">"))
}

/// A blank in place of every tag. A latency (`<  98.75 us>`) is none: a tag begins with a letter or a slash.
fn without_tags(line: &str) -> String {
    let mut parts = line.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let tag = part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        match part.split_once('>').filter(|_| tag) {
            Some((_, after)) => {
                text.push(' ');
                text.push_str(after);
            }
            None => {
                text.push('<');
                text.push_str(part);
            }
        }
    }
    text
}

/// The runs read so far, and the one being read.
struct Pages {
    runs: Vec<Run>,
    page: Page,
    allowance: Allowance,
    comma: Comma,
}

impl Pages {
    fn line(&mut self, line: &str) {
        let rows = Row::all(line, self.comma);
        if !rows.is_empty() {
            rows.into_iter().for_each(|row| self.row(row));
        } else if let Some(tool) = Tool::in_line(line) {
            if !self.page.rows.is_empty() {
                self.runs.extend(std::mem::take(&mut self.page).into_run());
            }
            self.page.tool = Some(tool);
        } else {
            self.page.line(line);
        }
    }

    fn row(&mut self, row: Row) {
        let next = self.page.is_full(&row);
        // A run of its own takes as much as a result.
        if !self.allowance.take(1 + usize::from(next)) {
            self.page.fields.used_up = true;
            return;
        }
        if next {
            self.runs.extend(self.page.next().into_run());
        }
        self.page.row(row);
    }
}

/// What a section is about.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Section {
    direction: Direction,
    /// `None` where a mix does not say its shares.
    read_share: Option<Share>,
}

impl From<Direction> for Section {
    fn from(direction: Direction) -> Self {
        let read_share = match direction {
            Direction::Read => Some(Share::ALL),
            Direction::Write => Some(Share::NONE),
            Direction::Mix => None,
        };
        Self {
            direction,
            read_share,
        }
    }
}

/// What has been read of one run.
#[derive(Debug, Default)]
struct Page {
    tool: Option<Tool>,
    section: Option<Section>,
    rows: Vec<(Option<Section>, Row)>,
    fields: Fields,
}

impl Page {
    /// Takes a line that is neither a result nor the head of a run.
    fn line(&mut self, line: &str) {
        if let Some(section) = section_in(line) {
            self.section = Some(section);
        } else if !self.rows.is_empty() {
            self.fields.line(line, self.tool.as_ref());
        }
    }

    /// Whether a result line belongs to the next run: this one is complete, or has that test already.
    fn is_full(&self, row: &Row) -> bool {
        let section = self.section_of(row);
        let known =
            |(other, seen): &(Option<Section>, Row)| *other == section && seen.name == row.name;
        self.fields.is_complete() || self.rows.len() >= ROWS || self.rows.iter().any(known)
    }

    fn section_of(&self, row: &Row) -> Option<Section> {
        row.label.direction.map(Section::from).or(self.section)
    }

    fn row(&mut self, row: Row) {
        self.rows.push((self.section_of(&row), row));
    }

    /// Leaves an empty page for the next run and gives this one. The section's heading may stand above the line that
    /// began the next run, so it stays.
    fn next(&mut self) -> Self {
        let section = self.section;
        let next = Self {
            section,
            ..Self::default()
        };
        std::mem::replace(self, next)
    }

    /// The finished run; `None` where nothing was measured.
    fn into_run(self) -> Option<Run> {
        let mut notes = self.fields.notes();
        let mut tests = Vec::with_capacity(self.rows.len());
        for (section, row) in self.rows {
            // The tool prints 0 for a test that was not run or was stopped.
            if row.mbps > 0.0 {
                tests.push(test(section, row, self.fields.measure_seconds));
            } else {
                notes.push(format!("'{}' shows 0 MB/s: it was not run", row.name));
            }
        }
        notes.extend(one_contradiction(&mut tests));
        (!tests.is_empty()).then_some(Run {
            format: Format::CrystalDiskMark,
            tool: self
                .tool
                .as_ref()
                .map_or(Tool::USUAL, |tool| tool.name)
                .to_owned(),
            version: self.tool.map(|tool| tool.version),
            host: None,
            os: self.fields.os,
            date: self.fields.date,
            target: self.fields.target,
            comment: self.fields.comment,
            tests,
            notes,
        })
    }
}

/// The section that a heading opens: `[Read]`, `[Write]`, `[Mix] Read 70%/Write 30%`.
fn section_in(line: &str) -> Option<Section> {
    let text = line.trim_start_matches(|c: char| !(c.is_alphanumeric() || c == '['));
    let lower = text.trim_end().to_ascii_lowercase();
    let read_share = mix_share(&lower);
    if lower.starts_with("[mix") || (lower.starts_with("mix") && read_share.is_some()) {
        Some(Section {
            direction: Direction::Mix,
            read_share,
        })
    } else if lower.starts_with("[read]") {
        Some(Direction::Read.into())
    } else if lower.starts_with("[write]") {
        Some(Direction::Write.into())
    } else {
        None
    }
}

/// The 70 % of `read 70%/write 30%`.
fn mix_share(lower: &str) -> Option<Share> {
    let percent = lower.split_once("read")?.1.split_once('%')?.0;
    Share::new(percent.trim().parse::<f64>().ok()? / 100.0).ok()
}

/// The model's test of one result line.
fn test(section: Option<Section>, row: Row, seconds: Option<f64>) -> Test {
    let label = row.label;
    let mean = row.latency_us.and_then(|us| Latency::from_micros(us).ok());
    Test {
        kind: TestKind {
            pattern: Some(label.pattern),
            read_share: section.and_then(|section| section.read_share),
            block_size: label.block,
            queue_depth: label.queue,
            threads: label.threads,
        },
        iops: row.iops.and_then(|iops| Iops::new(iops).ok()),
        mbps: MBps::new(row.mbps).ok(),
        latency: mean.map(|mean| LatencyStats {
            mean: Some(mean),
            ..LatencyStats::default()
        }),
        notes: disagreement(&row).into_iter().collect(),
        name: row.name,
        seconds,
        ..Test::default()
    }
}

/// How far IOPS x block size may be from MB/s, beside the rounding of both.
const AGREEMENT: f64 = 0.01;

/// How far one ratio may be from another to be the same.
const SAME_RATIO: f64 = 0.003;

/// Where the throughput of every test is off by the same factor, it is the tool's unit that is wrong: said once.
fn one_contradiction(tests: &mut [Test]) -> Option<String> {
    let ratio = |test: &Test| {
        let implied = test.iops?.throughput(test.kind.block_size?).get();
        (implied > 0.0 && !test.notes.is_empty()).then_some(test.mbps?.get() / implied)
    };
    let ratios: Option<Vec<f64>> = tests.iter().map(ratio).collect();
    let ratios = ratios.filter(|ratios| ratios.len() > 1)?;
    let first = *ratios.first()?;
    if ratios
        .iter()
        .any(|ratio| (ratio / first - 1.0).abs() > SAME_RATIO)
    {
        return None;
    }
    tests.iter_mut().for_each(|test| test.notes.clear());
    let binary = (first * 1.024 - 1.0).abs() <= SAME_RATIO;
    let why = if binary {
        " (KiB/s over 1,000, as KDiskMark prints them)"
    } else {
        ""
    };
    Some(format!(
        "all MB/s are {:.1} % {} than IOPS times block size{why}: the IOPS are right",
        100.0 * (1.0 - first).abs(),
        if first < 1.0 { "lower" } else { "higher" },
    ))
}

/// Says so where the figures of a line contradict each other; the tool computes one from the other.
fn disagreement(row: &Row) -> Option<String> {
    let (iops, block) = (row.iops?, row.label.block?);
    let implied = iops * block.bytes_f64() / crate::units::MB;
    let rounding = 0.000_5 + 0.05 * block.bytes_f64() / crate::units::MB;
    let apart = (implied - row.mbps).abs() > AGREEMENT * row.mbps + rounding;
    apart.then(|| {
        format!(
            "its figures contradict each other: {iops} IOPS of {block} would be {implied:.3} MB/s, not {}",
            row.mbps
        )
    })
}
