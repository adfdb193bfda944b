//! What a report says, before any format: headed sections of tables, findings, texts and charts.
//!
//! Every result model of the library turns itself into a [`Document`]; every format renders a [`Document`].
//! Cells keep numbers as numbers, so that machine formats carry them unrounded and people's formats round alike.
//!
//! ```
//! use diskcap::report::{Cell, Column, Document, Row, Section, Table};
//!
//! let table = Table {
//!     id: "volumes".into(),
//!     title: "Volumes".into(),
//!     columns: vec![Column::new("name", "Name"), Column::new("sustained_iops", "Sustained IOPS")],
//!     rows: vec![Row::new(vec![Cell::text("data"), Cell::number(5000.0, 0)])],
//! };
//! let document = Document { title: "Plan".into(), sections: vec![Section::Table(table)], ..Document::default() };
//! assert_eq!(document.ids(), ["volumes"]);
//! ```

use std::borrow::Cow;

use std::collections::HashMap;

use serde::Serialize;

use super::chart::Chart;
use super::checked::Checked;
use super::folded::{ALIKE, by_id};

/// A whole report.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Document {
    /// The headline.
    pub title: String,
    /// One line under the headline: what this is about, the data's date.
    pub subtitle: Option<String>,
    /// The parts, in reading order. The first table is the one that one-table formats carry.
    pub sections: Vec<Section>,
    /// Sources, dates and assumptions, last and small.
    pub footnotes: Vec<String>,
    /// What was not read and is missing in the report, for the formats that pipelines read: the others show it among
    /// their sections.
    #[serde(skip)]
    pub incomplete: Vec<String>,
    /// What could not be read at all, for the same formats: to a pipeline such a report is none that succeeded.
    #[serde(skip)]
    pub unread: Vec<String>,
    /// What was checked, for the formats that pipelines read: the others do without it, and it may be large.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<Checked>,
    /// Lists of remarks that this kind of report has, and that are not shown while there is nothing in them: for who
    /// asks for one by its id.
    #[serde(skip)]
    pub unfilled: Vec<Notes>,
    /// Tables that this kind of report has, and that are not shown while there is no row in them: for who asks for one by
    /// its id.
    #[serde(skip)]
    pub unfilled_tables: Vec<Table>,
    /// Tables by their ids that this kind of report has with a flag that was not given, and that flag.
    #[serde(skip)]
    pub by_flag: Vec<(&'static str, &'static str)>,
    /// Long tables by their ids, with what a terminal says in their place while it shows the whole report.
    #[serde(skip)]
    pub in_short: Vec<(String, String)>,
    /// What a report that has no chart lacks, and which one has: it ends `this report has no`.
    #[serde(skip)]
    pub without_charts: Option<&'static str>,
}

impl Document {
    /// What formats for pipelines say of the whole: what is missing in it, then its footnotes.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let missing = self.incomplete.iter();
        let missing = missing.map(|what| format!("Incomplete: {what}"));
        missing.chain(self.footnotes.iter().cloned()).collect()
    }

    /// The tables, in reading order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.sections.iter().filter_map(|section| match section {
            Section::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The lists of remarks, in reading order.
    pub fn notes(&self) -> impl Iterator<Item = &Notes> {
        self.sections.iter().filter_map(|section| match section {
            Section::Notes(notes) => Some(notes),
            _ => None,
        })
    }

    /// The charts, in reading order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        self.sections.iter().filter_map(|section| match section {
            Section::Chart(chart) => Some(chart),
            _ => None,
        })
    }

    /// Leaves out the rows that are for others than `readers`.
    pub(super) fn keep_rows_for(&mut self, readers: Readers) {
        for section in &mut self.sections {
            if let Section::Table(table) = section {
                let kept = |row: &Row| row.readers == Readers::All || row.readers == readers;
                table.rows.retain(kept);
            }
        }
    }

    /// The ids of everything that can stand as a table: tables first, then remarks.
    #[must_use]
    pub fn ids(&self) -> Vec<&str> {
        let tables = self.tables().map(|table| table.id.as_str());
        tables
            .chain(self.notes().map(|notes| notes.id.as_str()))
            .collect()
    }
}

/// One part of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Section {
    /// A table.
    Table(Table),
    /// Remarks with a severity, weightiest first.
    Notes(Notes),
    /// Plain paragraphs under a heading.
    Text {
        /// The heading.
        title: String,
        /// The paragraphs.
        paragraphs: Vec<String>,
    },
    /// Sentences that say in words what tables show: for pages that are read, not glanced at. The terminal and CSV leave
    /// them out.
    Words {
        /// The heading.
        title: String,
        /// The sentences, a paragraph each.
        paragraphs: Vec<String>,
    },
    /// A chart, in formats that can draw one; others leave it out (its numbers stand in a table).
    Chart(Chart),
}

/// A table: columns that describe themselves, rows of cells.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Table {
    /// Stable id, for choosing it and for sheet names (`volumes`).
    pub id: String,
    /// The heading.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; each has as many cells as there are columns (missing ones count as unknown).
    pub rows: Vec<Row>,
}

impl Table {
    /// The positions of the columns that people's formats show.
    #[must_use]
    pub fn default_columns(&self) -> Vec<usize> {
        let columns = self.columns.iter().enumerate();
        columns
            .filter_map(|(index, column)| column.default.then_some(index))
            .collect()
    }

    /// Whether the column at `index` holds numbers, times or money, and nothing else besides unknowns.
    #[must_use]
    pub fn is_numeric(&self, index: usize) -> bool {
        let mut numbers = 0usize;
        for row in &self.rows {
            match row.cell(index).value {
                Value::Number { .. } | Value::Duration { .. } | Value::Money { .. } => numbers += 1,
                Value::Empty => {}
                Value::Text(_) | Value::Flag(_) => return false,
            }
        }
        numbers > 0
    }
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Row {
    /// The cells.
    pub cells: Vec<Cell>,
    /// What the row as a whole deserves (colour is only ever an addition to words).
    pub tone: Tone,
    /// Whom it is for.
    #[serde(skip)]
    pub readers: Readers,
}

/// Whom a row is for: several that say the same to people are one to them, and stay apart for machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Readers {
    /// Everybody.
    #[default]
    All,
    /// Formats that people read: in place of several rows.
    People,
    /// Formats that machines read, workbooks too: one of several rows that another stands for.
    Machines,
}

impl Row {
    /// A row without emphasis.
    #[must_use]
    pub const fn new(cells: Vec<Cell>) -> Self {
        Self {
            cells,
            tone: Tone::Plain,
            readers: Readers::All,
        }
    }

    /// The same row, for these only.
    #[must_use]
    pub const fn only_for(mut self, readers: Readers) -> Self {
        self.readers = readers;
        self
    }

    /// The cell at `index`; an unknown one where the row is shorter.
    #[must_use]
    pub fn cell(&self, index: usize) -> &Cell {
        const MISSING: &Cell = &Cell::EMPTY;
        self.cells.get(index).unwrap_or(MISSING)
    }

    /// The emphasis of the cell at `index`: its own, else the row's.
    #[must_use]
    pub fn tone_of(&self, index: usize) -> Tone {
        match self.cell(index).tone {
            Tone::Plain => self.tone,
            own => own,
        }
    }
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Stable id with its unit, for machine formats (`sustained_iops`, `size_gib`, `month_usd`).
    pub id: Cow<'static, str>,
    /// The head that people read (`Sustained IOPS`).
    pub title: String,
    /// Whether people's formats show it unless asked otherwise (CSV and XLSX always hold every column).
    pub default: bool,
    /// How dearly a narrow terminal keeps it: 0 is kept longest.
    pub rank: u8,
    /// Whether the table says nothing true without it: where it does not fit beside the others, a narrow terminal shows
    /// rows as lists, however many they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub essential: bool,
    /// The currency of a column of money, where all of it is in one: machine formats name it in the head, whether an
    /// amount is known or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
}

impl Column {
    /// A column that is shown by default and kept longest.
    pub fn new(id: impl Into<Cow<'static, str>>, title: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            default: true,
            rank: 0,
            essential: false,
            currency: None,
        }
    }

    /// The same column, without which the table would say nothing true.
    #[must_use]
    pub const fn essential(mut self) -> Self {
        self.essential = true;
        self
    }

    /// The same column, of money in `currency`.
    #[must_use]
    pub fn in_currency(mut self, currency: impl Into<String>) -> Self {
        self.currency = Some(currency.into());
        self
    }

    /// The same column, given up earlier by a narrow terminal the higher `rank` is.
    #[must_use]
    pub const fn ranked(mut self, rank: u8) -> Self {
        self.rank = rank;
        self
    }

    /// The same column, shown only when asked for.
    #[must_use]
    pub const fn on_request(mut self) -> Self {
        self.default = false;
        self
    }
}

/// Emphasis, never the only carrier of a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// None.
    #[default]
    Plain,
    /// Good.
    Good,
    /// Deserves a look.
    Warning,
    /// Wrong.
    Bad,
    /// Less important.
    Faint,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Cell {
    /// What it holds.
    pub value: Value,
    /// Its emphasis.
    pub tone: Tone,
    /// Words beside a number for people's formats only ("listed as 128", "burst").
    pub hint: Option<String>,
}

impl Cell {
    /// Unknown or not applicable.
    pub const EMPTY: Self = Self::of(Value::Empty);

    const fn of(value: Value) -> Self {
        Self {
            value,
            tone: Tone::Plain,
            hint: None,
        }
    }

    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Value::Text(text.into()))
    }

    /// A number in the column's unit, shown with at most `decimals` decimals.
    #[must_use]
    pub const fn number(value: f64, decimals: u8) -> Self {
        Self::of(Value::Number {
            value,
            decimals,
            at_most: false,
            fixed: false,
        })
    }

    /// A number in the column's unit, shown with just `decimals` decimals, zeros too: money whose currency stands beside.
    #[must_use]
    pub const fn fixed(value: f64, decimals: u8) -> Self {
        Self::of(Value::Number {
            value,
            decimals,
            at_most: false,
            fixed: true,
        })
    }

    /// A number that is only known not to be exceeded: something on the way is unknown.
    #[must_use]
    pub const fn at_most(value: f64, decimals: u8) -> Self {
        Self::of(Value::Number {
            value,
            decimals,
            at_most: true,
            fixed: false,
        })
    }

    /// A number, or unknown.
    #[must_use]
    pub fn known(value: Option<f64>, decimals: u8) -> Self {
        value.map_or(Self::EMPTY, |value| Self::number(value, decimals))
    }

    /// How long something takes, or when it is from the start on.
    #[must_use]
    pub const fn duration(seconds: f64) -> Self {
        Self::of(Value::Duration { seconds })
    }

    /// Yes or no.
    #[must_use]
    pub const fn flag(flag: bool) -> Self {
        Self::of(Value::Flag(flag))
    }

    /// An amount of money, `currency` as its ISO 4217 code.
    pub fn money(amount: f64, currency: impl Into<String>) -> Self {
        Self::of(Value::Money {
            amount,
            currency: currency.into(),
        })
    }

    /// The same cell with an emphasis.
    #[must_use]
    pub const fn toned(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    /// The same cell with words beside it.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// Unknown or not applicable: `-` on screen, empty in CSV, null in JSON.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// A number in the unit of its column, and how many decimals people see.
    Number {
        /// The number, unrounded. One that is not finite counts as unknown.
        value: f64,
        /// Decimals for people.
        decimals: u8,
        /// The true figure is at most this (shown as `≤ 4,000`): a limit on the way is unknown.
        at_most: bool,
        /// Whether people see all of the decimals, zeros too.
        fixed: bool,
    },
    /// A time: `2 h 15 min` for people, seconds for machines (the column's id ends in `_s`, its head has no unit).
    Duration {
        /// Seconds, unrounded. A number that is not finite counts as unknown.
        seconds: f64,
    },
    /// Yes or no.
    Flag(bool),
    /// An amount of money.
    Money {
        /// The amount. One that is not finite counts as unknown.
        amount: f64,
        /// ISO 4217 code.
        currency: String,
    },
}

/// Remarks under one heading.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Notes {
    /// Stable id, for choosing it and for sheet names (`findings`).
    pub id: String,
    /// The heading.
    pub title: String,
    /// The remarks.
    pub items: Vec<Note>,
}

impl Notes {
    /// The remarks as people read them: where several say word for word the same of different things, in one; where they
    /// are of several owners, all of one id in one.
    #[must_use]
    pub fn merged(&self) -> Vec<Note> {
        let mut owners = self.items.iter().map(|note| note.owner.as_deref());
        let first = owners.next().flatten();
        if owners.any(|owner| owner != first) {
            return by_id(&self.id, &self.items);
        }
        let mut groups: Vec<Vec<&Note>> = Vec::new();
        let mut places: HashMap<(&str, &str, &str, Option<&str>), usize> = HashMap::new();
        for note in &self.items {
            let says = (&*note.label, &*note.id, &*note.text, note.common_fix());
            let place = *places.entry(says).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(alike) => alike.push(note),
                None => groups.push(vec![note]),
            }
        }
        let each = groups.into_iter().flat_map(|alike| match alike.first() {
            Some(first) if alike.len() >= ALIKE => {
                let subjects: Vec<&str> = alike.iter().map(|note| &*note.subject).collect();
                let subject = format!("{} alike: {}", alike.len(), subjects.join(", "));
                vec![first.for_all(subject)]
            }
            _ => alike.into_iter().cloned().collect(),
        });
        each.collect()
    }

    /// The remarks as a table, for formats that know nothing else.
    #[must_use]
    pub fn to_table(&self) -> Table {
        let text = |text: &String| match text.as_str() {
            "" => Cell::EMPTY,
            text => Cell::text(text),
        };
        let owned = self.items.iter().any(|note| note.owner.is_some());
        let row = |note: &Note| {
            let owner = note.owner.as_ref().map_or(Cell::EMPTY, text);
            // Whose it is has a column of its own.
            let subject = note.part().unwrap_or(&note.subject).to_owned();
            let mut cells = vec![text(&note.label).toned(note.tone), text(&note.id)];
            cells.extend(owned.then_some(owner));
            cells.extend([text(&subject), text(&note.text)]);
            cells.push(note.fix.as_ref().map_or(Cell::EMPTY, text));
            Row::new(cells)
        };
        let mut columns = vec![Column::new("severity", "Severity"), Column::new("id", "Id")];
        columns.extend(owned.then(|| Column::new("owner", "VM or disk")));
        columns.extend([
            Column::new("subject", "Subject"),
            Column::new("text", "Text"),
            Column::new("fix", "Fix"),
        ]);
        Table {
            id: self.id.clone(),
            title: self.title.clone(),
            columns,
            rows: self.items.iter().map(row).collect(),
        }
    }
}

/// One remark.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Note {
    /// The word that names its weight (`error`, `warning`, `info`).
    pub label: String,
    /// Emphasis of the label.
    pub tone: Tone,
    /// Its stable id (`VM-UNCACHED-IOPS`).
    pub id: String,
    /// What it is about (`v2double`, `Standard_D2s_v3`).
    pub subject: String,
    /// The VM or the disk whose it is, where a report is about several.
    pub owner: Option<String>,
    /// What is the matter, with its numbers.
    pub text: String,
    /// What to do about it, with its numbers.
    pub fix: Option<String>,
    /// The same in words that hold for others alike, where `fix` names the one that this is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix_for_all: Option<String>,
}

impl Note {
    /// What to do, in the words that are the same for all alike.
    #[must_use]
    pub fn common_fix(&self) -> Option<&str> {
        self.fix_for_all.as_deref().or(self.fix.as_deref())
    }

    /// This one, for all alike.
    #[must_use]
    pub(super) fn for_all(&self, subject: String) -> Self {
        Self {
            subject,
            owner: None,
            fix: self.common_fix().map(ToOwned::to_owned),
            fix_for_all: None,
            ..self.clone()
        }
    }

    /// What of its owner it is about (`lun0` of `db1/lun0`); `None` where it is about all of it, or has no owner.
    #[must_use]
    pub fn part(&self) -> Option<&str> {
        let rest = self.subject.strip_prefix(self.owner.as_deref()?)?;
        rest.strip_prefix('/')
    }
}
