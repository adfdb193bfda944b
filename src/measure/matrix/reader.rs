//! Reads lines of tests and figures below heads of configurations, line by line.

use std::collections::BTreeMap;

use super::super::error::ParseError;
use super::super::local_number::{doubt, shows_decimal_comma, shows_decimal_point};
use super::super::model::{Run, Test, TestKind};
use super::super::runs::{Runs, note_unsaid_directions};
use super::super::scan::both_rates;
use super::super::test_name;
use super::cell::{Cell, Figure, Unit};
use super::head::{Head, Section};
use super::row::{Row, Split};
use super::{LOOKED_FOR, UNNAMED, caption, new_run, set, unit};
use crate::units::Share;

/// How many lines before the first row may be the one of heads.
const HEAD_LINES: usize = 4;

/// The columns of the table that is being read.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) heads: Vec<Head>,
    /// How its rows are parted.
    pub(super) split: Split,
    /// The heading above the table.
    pub(super) caption: Option<String>,
}

impl Columns {
    /// The name of the run that a column belongs to: its configuration, or the heading above where it names none.
    fn run_of<'a>(&'a self, head: &'a Head) -> &'a str {
        if head.config.is_empty() {
            self.caption.as_deref().unwrap_or(UNNAMED)
        } else {
            &head.config
        }
    }

    /// Whether a row's cells can be told to be under these heads: fewer of them only where every cell has its mark.
    fn fit(&self, row: &Row) -> bool {
        let marked = row.split.has_marks();
        let (cells, heads) = (row.cells.len(), self.heads.len());
        cells == heads || (marked && cells < heads)
    }
}

#[derive(Debug)]
pub(super) struct Reader {
    pub(super) runs: Runs,
    /// Lines since the last row, which may be headings or heads; the newest last.
    pub(super) before: Vec<String>,
    pub(super) columns: Option<Columns>,
    /// The last heading above tests that stand alone.
    pub(super) heading: Option<String>,
    pub(super) section: Option<Section>,
    /// Whether the section began behind the last row.
    pub(super) section_is_new: bool,
    pub(super) unit: Option<Unit>,
    /// The test of the last row.
    pub(super) last: Option<(String, TestKind)>,
    /// Names of rows with figures that are no tests.
    pub(super) passed_over: Vec<String>,
    /// The line that is being read.
    pub(super) number: usize,
    /// Whether the text shows that the comma is its decimal point.
    pub(super) decimal_comma: bool,
    /// Whether it shows that the point is.
    pub(super) decimal_point: bool,
    /// Where figures of a run first were taken as MB/s because nothing says their unit.
    pub(super) assumed: BTreeMap<String, usize>,
    /// What is wrong with the table.
    pub(super) refused: Option<ParseError>,
}

impl Reader {
    pub fn new(text: &str) -> Self {
        Self {
            runs: Runs::of(text),
            before: Vec::new(),
            columns: None,
            heading: None,
            section: None,
            section_is_new: false,
            unit: None,
            last: None,
            passed_over: Vec::new(),
            number: 0,
            decimal_comma: text_shows_decimal_comma(text),
            decimal_point: text_shows_decimal_point(text),
            assumed: BTreeMap::new(),
            refused: None,
        }
    }

    pub fn line(&mut self, line: &str) {
        let bare = line.trim();
        if bare.is_empty() || bare.chars().all(|c| "-=:|+ \t_".contains(c)) {
            return;
        }
        let row = Row::read(line, self.decimal_comma);
        if let Some(found) = self.free(line, row.as_ref()) {
            self.add_free(found);
        } else if let Some(row) = row {
            self.row(&row);
            self.last = Some((row.name, row.kind));
        } else if let Some(row) = self.continued(line) {
            match row {
                Ok(row) => self.row(&row),
                Err(name) => self.passed_over.push(name),
            }
        } else if let Some(section) = section_alone(line) {
            self.section = Some(section);
            self.section_is_new = true;
        } else if let Some(name) = self.other_row(line) {
            self.passed_over.push(name);
        } else {
            if self.before.len() >= HEAD_LINES {
                let oldest = self.before.remove(0);
                self.unit = Unit::within(&oldest).or(self.unit);
            }
            self.before.push(line.to_owned());
        }
    }

    /// Refuses IOPS that may be decimals or thousands, where nothing shows which.
    pub(super) fn check_doubtful(&mut self, figure: &Figure, unit: Unit) {
        if figure.doubtful && unit == Unit::Iops(1.0) && !self.decimal_point {
            let what = doubt(&format!("{:.3}", figure.value));
            let line = self.number;
            let refused = ParseError::Malformed { line, what };
            self.refused.get_or_insert(refused);
        }
    }

    /// A row that goes on with another quantity of the test before it (`... IOPS`); its name where it does not say its
    /// unit (`... latency`).
    fn continued(&self, line: &str) -> Option<Result<Row, String>> {
        let columns = self.columns.as_ref()?;
        let (name, kind) = self.last.clone()?;
        let mut fields = columns.split.fields(line)?.into_iter();
        let label = fields.next()?;
        let quantity = label.strip_prefix("...").or(label.strip_prefix('…'))?;
        let cells = fields.map(|cell| Cell::read(&cell, self.decimal_comma));
        let Some(unit) = Unit::read(quantity).or_else(|| Unit::within(quantity)) else {
            return Some(Err(format!(
                "{} of {name} (its unit is not said)",
                quantity.trim()
            )));
        };
        let with_unit = |cell| match cell {
            Cell::Figures(mut figures) => {
                for figure in &mut figures {
                    figure.unit = figure.unit.or(Some(unit));
                }
                Cell::Figures(figures)
            }
            cell => cell,
        };
        Some(Ok(Row {
            split: columns.split,
            torn: 1,
            name,
            kind,
            unit: Some(unit),
            cells: cells.map(with_unit).collect(),
        }))
    }

    /// The name of a row of the present table that is no test's (`Average`).
    fn other_row(&self, line: &str) -> Option<String> {
        let columns = self.columns.as_ref()?;
        let mut fields = columns.split.fields(line)?.into_iter();
        let name = fields.next().filter(|name| !name.is_empty())?;
        let cells: Vec<Cell> = fields
            .map(|cell| Cell::read(&cell, self.decimal_comma))
            .collect();
        let row = cells.len() == columns.heads.len() && cells.iter().any(Cell::is_figure);
        row.then_some(name)
    }

    /// The runs, with rates worked out from each other.
    pub fn finish(mut self) -> Result<Vec<Run>, ParseError> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        for run in self.runs.since(0) {
            if let Some(&line) = self.assumed.get(&run.tool) {
                unit::check_assumed(&run.tests, &run.tests, line)?;
                run.notes.push(unit::note_of_assumed());
            }
        }
        let note = (!self.passed_over.is_empty()).then(|| {
            format!(
                "rows that were passed over: {}",
                self.passed_over.join(", ")
            )
        });
        for run in self.runs.since(0) {
            for test in &mut run.tests {
                (test.iops, test.mbps) = both_rates(test.iops, test.mbps, test.kind.block_size);
            }
            run.notes.extend(note.clone());
        }
        note_unsaid_directions(self.runs.since(0));
        self.runs.finish(LOOKED_FOR)
    }

    fn row(&mut self, row: &Row) {
        self.take_heads(row);
        let Some(columns) = self.columns.take() else {
            return;
        };
        if columns.fit(row) {
            for (head, cell) in columns.heads.iter().zip(&row.cells) {
                match cell {
                    Cell::Figures(figures) if !head.is_spread() => {
                        self.add(row, head, &columns, figures);
                    }
                    _ => {}
                }
            }
        } else {
            let (cells, heads) = (row.cells.len(), columns.heads.len());
            let name = &row.name;
            self.passed_over
                .push(format!("{name} ({cells} cells under {heads} heads)"));
        }
        self.columns = Some(columns);
        self.section_is_new = false;
    }

    /// Finds the line of heads among those before the row; the columns stay where none is. Of the other lines, one may
    /// say the unit of all that follows, and the one above the heads names the table.
    fn take_heads(&mut self, row: &Row) {
        let before = std::mem::take(&mut self.before);
        let width = row.cells.len();
        let known = self.columns.is_some();
        let found = before
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, line)| Some((index, heads(line, row, known)?)));
        let at = found.as_ref().map(|(index, _)| *index);
        for (index, line) in before.iter().enumerate() {
            if Some(index) != at && !is_table_line(line, row.split) {
                self.unit = Unit::within(line).or(self.unit);
            }
        }
        if found.is_none() && known {
            return;
        }
        let above = before.get(..at.unwrap_or(before.len()));
        if let Some((_, (_, heads))) = &found {
            self.refuse_list(heads);
        }
        let headless = || match row.is_of_one_result() {
            true => vec![Head::default(); width],
            false => numbered(width),
        };
        let (label, heads) = found.map_or_else(|| (None, headless()), |(_, heads)| heads);
        let other_table = self.columns.as_ref().is_some_and(|old| old.heads != heads);
        if other_table && !self.section_is_new {
            self.section = None;
        }
        if let Some(label) = label {
            self.section = Section::read(&label).or(self.section);
            self.unit = Unit::within(&label).or(self.unit);
        }
        self.columns = Some(Columns {
            heads,
            split: row.split,
            caption: above
                .and_then(<[String]>::last)
                .filter(|line| !line.trim().contains("  "))
                .map(|line| caption(line)),
        });
    }

    /// Refuses a table whose columns are settings and figures of one disk each, not configurations.
    fn refuse_list(&mut self, heads: &[Head]) {
        let of_a_list = heads.iter().filter(|head| head.is_of_a_list()).count();
        if self.refused.is_some() || (of_a_list < 2 && !heads.iter().any(Head::is_setting)) {
            return;
        }
        let of_none = heads
            .iter()
            .filter(|head| head.is_of_a_list() || head.is_setting());
        let names: Vec<String> = of_none.map(|head| format!("'{}'", head.config)).collect();
        self.refused = Some(ParseError::Malformed {
            line: self.number,
            what: format!(
                "what the columns above it say ({}) is no configuration, and not enough of them are known: write a CSV with \
                 columns such as test, rw, block_size, queue_depth, threads, iops, mbps, latency_us (or read_iops, \
                 write_iops, ...)",
                names.join(", ")
            ),
        });
    }

    /// Adds figures to the run of a column: to the test of the same name that has none of their unit yet, or to a new one.
    fn add(&mut self, row: &Row, head: &Head, columns: &Columns, figures: &[Figure]) {
        let section = self.section.and_then(|section| section.share);
        let share = row.kind.read_share.or(head.share).or(section);
        let kind = TestKind {
            read_share: share,
            ..row.kind
        };
        let tool = columns.run_of(head);
        let name = if head.mixed {
            format!("{} mix", row.name)
        } else {
            with_direction(&row.name, row.kind, share)
        };
        let section_unit = self.section.and_then(|section| section.unit);
        let unit = head.unit.or(row.unit).or(section_unit).or(self.unit);
        for figure in figures {
            let unit = figure.unit.or(unit).unwrap_or_else(|| {
                self.assumed.entry(tool.to_owned()).or_insert(self.number);
                Unit::DEFAULT
            });
            self.check_doubtful(figure, unit);
            let run = self.runs.since(0).iter_mut().find(|run| run.tool == tool);
            // The same test in another unit may stand in a later table.
            let last = run.and_then(|run| {
                let same = |test: &&mut Test| test.name == name && test.kind == kind;
                run.tests.iter_mut().rfind(same)
            });
            if let Some(test) = last.filter(|test| has_room(test, unit)) {
                set(test, unit, figure.value);
            } else {
                let mut test = Test {
                    name: name.clone(),
                    kind,
                    ..Test::default()
                };
                set(&mut test, unit, figure.value);
                (self.runs).add(0, |run| run.tool == *tool, test, || new_run(tool));
            }
        }
    }
}

/// A test's name, with the direction where it does not say it itself.
pub(super) fn with_direction(name: &str, kind: TestKind, share: Option<Share>) -> String {
    match share {
        Some(share) if kind.read_share.is_none() => {
            format!("{name} {}", test_name::direction(share))
        }
        _ => name.to_owned(),
    }
}

/// Whether a test has no figure of this unit yet.
pub(super) fn has_room(test: &Test, unit: Unit) -> bool {
    match unit {
        Unit::Bytes(_) => test.mbps.is_none(),
        Unit::Iops(_) => test.iops.is_none(),
        Unit::Micros(_) => test.latency.is_none(),
    }
}

/// Whether a line has marks of a table with more than one cell filled, so that a unit in it is that of a column.
fn is_table_line(line: &str, split: Split) -> bool {
    let fields = split.fields(line).filter(|_| split.has_marks());
    fields.is_some_and(|fields| fields.iter().filter(|field| !field.is_empty()).count() > 1)
}

/// The words of a text that may be figures.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || ";|()[]".contains(c))
}

/// Whether a figure of the text shows that the comma is its decimal point: by a comma, or by points that part thousands
/// where none shows that the point is.
pub(super) fn text_shows_decimal_comma(text: &str) -> bool {
    let mut shown = words(text)
        .filter(|word| shows_decimal_comma(word))
        .peekable();
    shown.peek().is_some()
        && (shown.any(|word| word.contains(',')) || !text_shows_decimal_point(text))
}

/// Whether a figure of the text shows that the point is its decimal point.
pub(super) fn text_shows_decimal_point(text: &str) -> bool {
    words(text).any(shows_decimal_point)
}

/// A line that is a section heading and nothing else, parted or not.
fn section_alone(line: &str) -> Option<Section> {
    let filled = |split: Split| -> Option<String> {
        let fields = split.fields(line)?;
        let mut filled = fields.into_iter().filter(|field| !field.is_empty());
        let first = filled.next()?;
        filled.next().is_none().then_some(first)
    };
    let alone = filled(Split::Bars)
        .or_else(|| filled(Split::Tabs))
        .unwrap_or_else(|| line.to_owned());
    Section::read(&alone)
}

/// The heads in a line above a row, with the label over the names of tests if there is one, or the first where marks part
/// names too. Where columns are `known` already, single blanks do not make heads of a sentence.
pub(super) fn heads(line: &str, row: &Row, known: bool) -> Option<(Option<String>, Vec<Head>)> {
    let (split, width) = (row.split, row.cells.len());
    let loose = !known && matches!(split, Split::Blanks | Split::Words);
    let splits = [
        Some(split),
        loose.then_some(Split::Blanks),
        loose.then_some(Split::Words),
    ];
    splits.into_iter().flatten().find_map(|split| {
        let mut fields = split.fields(line)?;
        let label = match fields.len().checked_sub(width)? {
            0 => None,
            1 => Some(fields.remove(0)),
            labels if labels == row.torn && split.has_marks() => fields.drain(..labels).next(),
            _ => return None,
        };
        let heads = fields.iter().map(|field| Head::read(field)).collect();
        Some((label, heads))
    })
}

/// Heads of columns without any: `column 1` and so on.
fn numbered(width: usize) -> Vec<Head> {
    (1..=width)
        .map(|number| Head {
            config: format!("column {number}"),
            ..Head::default()
        })
        .collect()
}
