//! One row of a matrix, parted in one of the ways that people part cells.

use super::super::model::TestKind;
use super::super::test_name;
use super::LONGEST_ROW;
use super::cell::{Cell, Unit};
use super::head::{without_quantity, without_unit};

/// Most cells that a test's name is torn into: `Random Read 4KiB (Q= 32,T= 1) :` at single blanks are eight.
const LONGEST_NAME: usize = 10;

/// How the cells of a line are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Split {
    Tabs,
    Bars,
    Blanks,
    Semicolons,
    Commas,
    Words,
}

impl Split {
    const ALL: [Self; 6] = [
        Self::Tabs,
        Self::Bars,
        Self::Blanks,
        Self::Semicolons,
        Self::Commas,
        Self::Words,
    ];

    /// Whether every cell has its mark, so that an empty one shows.
    pub fn has_marks(self) -> bool {
        !matches!(self, Self::Blanks | Self::Words)
    }

    /// The cells of `line`, without Markdown's emphasis; `None` where it is not parted this way.
    pub fn fields(self, line: &str) -> Option<Vec<String>> {
        let clean = |field: &str| field.trim().trim_matches(['*', '`']).trim().to_owned();
        let all = |separator: char| -> Vec<String> { line.split(separator).map(clean).collect() };
        let fields = match self {
            Self::Tabs => all('\t'),
            Self::Bars => {
                let inner = line.trim();
                let inner = inner.strip_prefix('|').unwrap_or(inner);
                let inner = inner.strip_suffix('|').unwrap_or(inner);
                if inner.len() == line.trim().len() && !inner.contains('|') {
                    return None;
                }
                inner.split('|').map(clean).collect()
            }
            // Two blanks part, but not behind a bracket (`[    153.1 IOPS]`); more leave empty parts between, which are none.
            Self::Blanks => without_blanks_in_brackets(line)
                .split("  ")
                .map(clean)
                .filter(|field| !field.is_empty())
                .collect(),
            Self::Semicolons => all(';'),
            Self::Commas => all(','),
            // Blanks that part no words part thousands.
            Self::Words => line
                .split([' ', '\t'])
                .map(clean)
                .filter(|word| !word.is_empty())
                .collect(),
        };
        (fields.len() > 1).then_some(fields)
    }
}

/// A line that begins with a test's name and goes on with figures.
#[derive(Debug)]
pub(super) struct Row {
    pub split: Split,
    /// How many cells its name is torn into.
    pub torn: usize,
    pub name: String,
    pub kind: TestKind,
    pub unit: Option<Unit>,
    pub cells: Vec<Cell>,
}

impl Row {
    /// Whether its cells are quantities of one result, each with its own unit (`940 IOPS`, `3.9 MB/s`, `1.06 ms`): not the
    /// same of several configurations.
    pub fn is_of_one_result(&self) -> bool {
        let unit = |cell: &Cell| match cell {
            Cell::Figures(figures) => match figures.as_slice() {
                [one] => one.unit,
                _ => None,
            },
            _ => None,
        };
        let units: Option<Vec<Unit>> = self.cells.iter().map(unit).collect();
        let apart = |units: &[Unit]| {
            let mut rest = units.iter().enumerate();
            rest.all(|(i, one)| !units.iter().skip(i + 1).any(|other| one.is_like(other)))
        };
        units.is_some_and(|units| units.len() > 1 && apart(&units))
    }

    pub fn read(line: &str, decimal_comma: bool) -> Option<Self> {
        if line.len() > LONGEST_ROW || !line.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        Split::ALL
            .into_iter()
            .find_map(|split| Self::split(line, split, decimal_comma))
    }

    /// The longest beginning that is a test's name is one; what is behind it must hold a figure. Single blanks part
    /// nothing but figures.
    fn split(line: &str, split: Split, decimal_comma: bool) -> Option<Self> {
        let fields = split.fields(line)?;
        let longest = LONGEST_NAME.min(fields.len() - 1);
        (1..=longest).rev().find_map(|length| {
            let own = fields.get(..length)?;
            // A name may be torn, but a number with marks on both sides is a cell.
            if split.has_marks() && own.iter().any(|part| is_number(part)) {
                return None;
            }
            let label = own.join(" ");
            let unit = Unit::within(&label);
            let name = without_quantity(&without_unit(&label), unit);
            let kind = test_name::parse(without_tool(&name))?;
            let cells: Vec<Cell> = fields
                .get(length..)?
                .iter()
                .map(|cell| Cell::read(cell, decimal_comma))
                .collect();
            let figures = cells.iter().filter(|cell| cell.is_figure()).count();
            let enough = match split {
                Split::Words => figures > 1 && figures == cells.len(),
                _ => figures > 0,
            };
            enough.then(|| Self {
                split,
                torn: length,
                name: name.trim_end_matches([':', ' ']).to_owned(),
                kind,
                unit,
                cells,
            })
        })
    }
}

/// A test's name without that of the tool before it (`fio 1M sequential read`).
pub(super) fn without_tool(name: &str) -> &str {
    const TOOLS: [&str; 4] = ["fio", "iozone", "diskspd", "dd"];
    match name.split_once(' ') {
        Some((tool, rest)) if TOOLS.contains(&tool.to_lowercase().as_str()) => rest.trim_start(),
        _ => name,
    }
}

/// `line` without the blanks behind opening brackets.
fn without_blanks_in_brackets(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for c in line.chars() {
        if !(c == ' ' && plain.ends_with('[')) {
            plain.push(c);
        }
    }
    plain
}

/// Whether a cell is a whole number and nothing else.
fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit())
}
