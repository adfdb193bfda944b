//! A test and its figures in one line or cell: `seq read 1M: 950 MB/s`, `4k random write QD1 - 1,200 IOPS, 0.8 ms`.
//!
//! Read only where nothing is left to guess: what stands before the mark is a test's name to the last word, and every figure
//! behind it says its unit.

use super::super::error::ParseError;
use super::super::model::Test;
use super::super::model::{Run, TestKind};
use super::super::test_name;
use super::cell::{Figure, figure};
use super::reader::{Reader, has_room, heads, with_direction};
use super::row::{Row, without_tool};
use super::{UNNAMED, caption, new_run, set};

/// What parts the name from the figures.
const MARKS: [&str; 8] = [":", "=", "->", "→", " - ", " – ", " — ", "\t"];

/// Longest line that says one test, bytes.
const LONGEST: usize = 256;

/// Words beside a figure that say nothing which its unit does not.
const FILLERS: [&str; 9] = [
    "latency", "lat", "avg", "average", "mean", "about", "approx.", "ca.", "at",
];

/// The longest line without marks that is taken for a heading, characters.
const LONGEST_HEADING: usize = 40;

/// Reads a line or cell; `comma` where the text shows that the comma is its decimal point.
pub(super) fn read(line: &str, comma: bool) -> Option<(String, TestKind, Vec<Figure>)> {
    if line.len() > LONGEST || !line.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let line = without_list_mark(line);
    let marks = MARKS.iter().flat_map(|mark| line.match_indices(mark));
    marks.into_iter().find_map(|(at, mark)| {
        let name = without_tool(line.get(..at)?.trim());
        let kind = test_name::parse(name)?;
        let found = figures(line.get(at + mark.len()..)?, comma)?;
        Some((name.to_owned(), kind, found))
    })
}

/// The tests of lines by themselves in a text whose other lines are `other`: results that were written by hand beside those
/// of a tool.
///
/// # Errors
/// [`ParseError`] where a figure of them may mean two things, or there is none.
pub(in crate::measure) fn beside(
    text: &str,
    other: impl Fn(&str) -> bool,
) -> Result<Vec<Run>, ParseError> {
    let mut reader = Reader::new(text);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !other(line)) {
        reader.number = index + 1;
        if let Some(found) = reader.free(line, None) {
            reader.add_free(found);
        }
    }
    reader.finish()
}

impl Reader {
    /// A test with its figures that is no row of a table.
    pub(super) fn free(
        &self,
        line: &str,
        row: Option<&Row>,
    ) -> Option<(String, TestKind, Vec<Figure>)> {
        let found = read(line, self.decimal_comma)?;
        let is_row = row.is_some_and(|row| {
            let width = row.cells.len();
            let headed = |line: &String| heads(line, row, false).is_some();
            width > 1 || self.columns.is_some() || self.before.iter().any(headed)
        });
        (!is_row).then_some(found)
    }

    /// Adds such a test to the run of the heading above it.
    pub(super) fn add_free(&mut self, (name, kind, figures): (String, TestKind, Vec<Figure>)) {
        let before = std::mem::take(&mut self.before);
        let heading = before.iter().rev().find(|line| is_heading(line));
        if let Some(heading) = heading {
            self.heading = Some(caption(heading));
        }
        let section = self.section.and_then(|section| section.share);
        let share = kind.read_share.or(section);
        let mut test = Test {
            name: with_direction(&name, kind, share),
            kind: TestKind {
                read_share: share,
                ..kind
            },
            ..Test::default()
        };
        for figure in figures {
            if let Some(unit) = figure.unit {
                self.check_doubtful(&figure, unit);
                set(&mut test, unit, figure.value);
            }
        }
        let tool = self.heading.clone().unwrap_or_else(|| UNNAMED.to_owned());
        (self.runs).add(0, |run| run.tool == tool, test, || new_run(&tool));
    }
}

/// Whether a line names what stands below it; a sentence does not.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let marked = line.starts_with('#') || line.ends_with(':');
    marked || (line.chars().count() <= LONGEST_HEADING && !line.ends_with('.'))
}

/// Figures and nothing else, each with a unit of its own; `None` where anything is left.
pub(super) fn figures(text: &str, comma: bool) -> Option<Vec<Figure>> {
    let plain = text.replace(", ", ";").replace(" / ", ";");
    let parts = plain.split(['(', ')', '[', ']', '@', ';']);
    let parts = parts.map(bare).filter(|part| !part.is_empty());
    let mut seen = Test::default();
    let mut found = Vec::new();
    for part in parts {
        let figure = figure(&part, comma)?;
        let unit = figure.unit.filter(|unit| has_room(&seen, *unit))?;
        set(&mut seen, unit, figure.value);
        found.push(figure);
    }
    (!found.is_empty()).then_some(found)
}

/// A part without the words that only fill.
fn bare(part: &str) -> String {
    let part = part.trim().trim_matches(['*', '`']);
    let part = part
        .trim_start_matches(['~', '≈'])
        .trim_end_matches(['.', ',']);
    let words = part.split([' ', '\t']).filter(|word| {
        let word = word.trim_end_matches(':').to_lowercase();
        !word.is_empty() && !FILLERS.contains(&word.as_str())
    });
    words.collect::<Vec<&str>>().join(" ")
}

/// A line without the mark of a list before it: `- `, `* `, `• `, `1. `.
fn without_list_mark(line: &str) -> &str {
    let line = line.trim_start_matches(['>', ' ', '\t']);
    let plain = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = plain
        .strip_prefix(". ")
        .or_else(|| plain.strip_prefix(") "));
    let marked = ["- ", "* ", "+ ", "• ", "– "];
    let marked = || marked.iter().find_map(|mark| line.strip_prefix(mark));
    let numbered = numbered.filter(|_| plain.len() < line.len());
    numbered.or_else(marked).unwrap_or(line).trim()
}

#[cfg(test)]
mod tests {
    use super::super::cell::Unit;
    use super::*;

    fn units(line: &str) -> Option<Vec<(f64, Unit)>> {
        let (_, _, figures) = read(line, false)?;
        figures.iter().map(|f| Some((f.value, f.unit?))).collect()
    }

    #[test]
    fn a_name_a_mark_and_figures_with_units() {
        let mb = Unit::Bytes(1e6);
        let one = Unit::Iops(1.0);
        for (line, expected) in [
            ("seq read 1M: 950 MB/s", vec![(950.0, mb)]),
            ("- random read 4k QD32 = 12,345 IOPS", vec![(12_345.0, one)]),
            (
                "2. fio 4k randwrite qd1 -> 1.2k IOPS",
                vec![(1.2, Unit::Iops(1e3))],
            ),
            (
                "4k random write (QD: 1) - 1,200 IOPS, avg latency 0.8 ms",
                vec![(1200.0, one), (0.8, Unit::Micros(1e3))],
            ),
            (
                "rand read 8k qd16: 98.3 MB/s (12,000 IOPS)",
                vec![(98.3, mb), (12_000.0, one)],
            ),
        ] {
            let found = units(line).unwrap_or_default();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn what_leaves_something_to_guess_is_none() {
        for line in [
            "seq read 1M: 950",
            "seq read 1M: 950 MB/s 900 MB/s",
            "seq read 1M: 950 MB/s, 900 MB/s",
            "seq read of the new disk: 950 MB/s",
            "seq read 1M: 950 MB/s on Tuesday",
            "Speed: 950 MB/s",
            "seq read 1M",
        ] {
            assert!(units(line).is_none(), "{line}");
        }
    }
}
