//! Tables with the settings of a test in columns of their own, beside columns of configurations:
//!
//! ```text
//! Test       | Block size | Queue depth | data (IOPS) | log (IOPS)
//! rand read  | 4K         | 32          | 5,012       | 3,004
//! rand write | 4K         | 1           | 420         | 1,450
//! ```
//!
//! Heads may stand in two lines (`data` over `IOPS` and `ms`, `Test` over `IOPS`), or be tests, one configuration a row. A row of its own may
//! say the unit of those below it (`MB/s`). A column may also say the unit of its row (`Metric`), and the disk of a row may stand beside it (`Disk`). Read as the
//! plain CSV that says the same with one test of one configuration a row.

mod columns;
mod long;

use columns::Columns;
use long::Long;

use super::super::error::ParseError;
use super::super::model::Run;
use super::cell::Cell;
use super::quantity::Said;
use super::row::Split;
use super::tables::{self, is_rule, plain};
use super::{LONGEST_ROW, UNNAMED, caption};

/// Fewest columns: a test's name or setting, another, and a configuration.
const FEWEST_COLUMNS: usize = 3;

/// How the cells of such tables are parted.
const SPLITS: [Split; 5] = [
    Split::Bars,
    Split::Tabs,
    Split::Semicolons,
    Split::Commas,
    Split::Blanks,
];

/// Parts of the heads without which no table is one of these.
const MARKS: [&str; 22] = [
    "b/s", "lat", "bs", "block", "size", "q", "depth", "thread", "job", "rw", "r/w", "pattern",
    "access", "op", "type", "mode", "disk", "drive", "device", "volume", "unit", "metric",
];

/// A table, as it stands in a text.
pub(super) struct Wide {
    /// The lines that it takes, heads first.
    pub lines: usize,
    long: Long,
}

/// A row of cells, and its line in the text, counted from 1.
type Row = (usize, Vec<String>);

/// Whether a line of `text` is the heads of such a table.
pub(super) fn sniff(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).any(|at| Wide::at(&lines, at).is_some())
}

impl Wide {
    /// The table whose heads are the line `at`; `None` where that is no such line.
    pub fn at(lines: &[&str], at: usize) -> Option<Self> {
        // Looking below each of many rules for what they rule off would take their square.
        let is_head = |line: &&&str| line.len() <= LONGEST_ROW && !is_rule(line);
        let head = lines.get(at).filter(is_head)?;
        let under = first_below(lines, at);
        let below = lines.get(under).filter(|line| may_be_heads(line));
        if below.is_none() && !may_be_heads(head) {
            return None;
        }
        SPLITS.into_iter().find_map(|split| {
            let heads = cells(head, split).filter(|heads| heads.len() >= FEWEST_COLUMNS)?;
            let second = below.and_then(|below| cells(below, split));
            let joined = second.and_then(|second| columns::joined(&heads, &second));
            let (heads, of_heads) = match joined {
                Some(joined) => (joined, under + 1 - at),
                None => (heads, 1),
            };
            if of_heads == 1 && !columns::may_be(&heads) {
                return None;
            }
            let Body { rows, units, taken } = body(lines, at + of_heads, split, heads.len());
            let above = above(lines, at);
            let columns = Columns::read(&heads, &rows, above.as_deref(), of_heads > 1)?;
            let long = Long::of(&columns, &rows, units, above)?;
            Some(Self {
                lines: taken + of_heads,
                long,
            })
        })
    }

    /// Its runs: one for every configuration.
    ///
    /// # Errors
    /// [`ParseError`] where a cell is not what its column holds, or a figure may mean two things.
    pub fn runs(self) -> Result<Vec<Run>, ParseError> {
        self.long.runs()
    }
}

/// A cheap look, for texts with very many lines.
fn may_be_heads(line: &str) -> bool {
    line.len() <= LONGEST_ROW && {
        let lower = line.to_lowercase();
        MARKS.iter().any(|mark| lower.contains(mark))
    }
}

/// The cells of a line; `None` where it is not parted so.
fn cells(line: &str, split: Split) -> Option<Vec<String>> {
    let line = line.trim_start_matches(['>', '\u{feff}']);
    let separator = match split {
        Split::Commas => b',',
        Split::Semicolons => b';',
        Split::Tabs => b'\t',
        Split::Bars | Split::Blanks | Split::Words => {
            let fields = split.fields(line.trim())?;
            return Some(fields.iter().map(|field| plain(field)).collect());
        }
    };
    if !line.as_bytes().contains(&separator) {
        return None;
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .delimiter(separator)
        .from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    let read = reader.read_record(&mut record).ok()?;
    (read && record.len() > 1).then(|| record.iter().map(plain).collect())
}

/// The first line below heads that is no rule of a table.
fn first_below(lines: &[&str], at: usize) -> usize {
    let is_of_a_table = |line: &&str| is_rule(line) && line.contains('|');
    let below = lines.iter().skip(at + 1);
    at + 1 + below.take_while(|line| is_of_a_table(line)).count()
}

/// What is below the heads of a table.
struct Body {
    rows: Vec<Row>,
    /// Units of the rows below them, each with its line.
    units: Vec<(usize, Said)>,
    /// How many lines that takes.
    taken: usize,
}

/// What is below the heads: up to the first line that holds neither a figure nor the unit of those below it.
fn body(lines: &[&str], from: usize, split: Split, width: usize) -> Body {
    let (mut rows, mut units, mut taken) = (Vec::new(), Vec::new(), 0);
    for (index, line) in lines.iter().enumerate().skip(from) {
        let rules = split == Split::Bars && is_rule(line) && line.contains('|');
        if !rules {
            let fits = |row: &Vec<String>| {
                row.iter().skip(width).all(String::is_empty)
                    && (split.has_marks() || row.len() == width)
            };
            let Some(row) = cells(line, split).filter(fits) else {
                break;
            };
            if row.iter().any(|cell| Cell::read(cell, false).is_figure()) {
                rows.push((index + 1, row));
            } else if let Some(unit) = unit_alone(&row) {
                units.push((index + 1, unit));
            } else {
                break;
            }
        }
        taken = index + 1 - from;
    }
    Body { rows, units, taken }
}

/// The unit that a row says and nothing else, once or in several cells.
fn unit_alone(row: &[String]) -> Option<Said> {
    let mut filled = row.iter().filter(|cell| !cell.is_empty());
    let unit = Said::read(filled.next()?)?;
    filled
        .all(|cell| Said::read(cell).as_ref() == Some(&unit))
        .then_some(unit)
}

/// The heading above a table.
fn above(lines: &[&str], at: usize) -> Option<String> {
    let mut before = lines.get(..at)?.iter().rev();
    let line = before.find(|line| !line.trim().is_empty())?;
    let is_row = |split: &Split| {
        cells(line, *split)
            .is_some_and(|row| row.iter().any(|cell| Cell::read(cell, false).is_figure()))
    };
    tables::caption(line).filter(|_| !is_rule(line) && !SPLITS.iter().any(is_row))
}

/// The name of a run that no column names.
fn unnamed(heading: Option<&str>) -> String {
    heading.map_or_else(|| UNNAMED.to_owned(), caption)
}
