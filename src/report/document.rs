//! What a report says, before any format: headed sections of tables, findings, texts and charts.
//!
//! Every result model of the library turns itself into a [`Document`]; every format renders a [`Document`].
//! Cells keep numbers as numbers, so that machine formats carry them unrounded and people's formats round alike.

use serde::Serialize;

/// A whole report.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Document {
    /// The headline.
    pub title: String,
    /// One line under the headline: what this is about, the data's date.
    pub subtitle: Option<String>,
    /// The parts, in reading order.
    pub sections: Vec<Section>,
    /// Sources, dates and assumptions, last and small.
    pub footnotes: Vec<String>,
}

/// One part of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
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
    /// A chart, in formats that can draw one; others leave it out (its numbers stand in a table).
    Chart(Chart),
}

/// A table: columns that describe themselves, rows of cells.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Table {
    /// Stable id, for file and sheet names (`volumes`).
    pub id: String,
    /// The heading.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; each has as many cells as there are columns.
    pub rows: Vec<Row>,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Row {
    /// The cells.
    pub cells: Vec<Cell>,
    /// What the row as a whole deserves (colour is only ever an addition to words).
    pub tone: Tone,
}

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Stable id with its unit, for machine formats (`sustained_iops`, `size_gib`).
    pub id: &'static str,
    /// The head that people read (`Sustained IOPS`).
    pub title: String,
    /// Whether it is shown unless asked otherwise.
    pub default: bool,
    /// How dearly a narrow terminal keeps it: 0 is kept longest.
    pub rank: u8,
}

/// Emphasis, never the only carrier of a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
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

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub enum Value {
    /// Unknown or not applicable: `-` on screen, empty in CSV, null in JSON.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// A number in the unit of its column, and how many decimals people see.
    Number {
        /// The number, unrounded.
        value: f64,
        /// Decimals for people.
        decimals: u8,
        /// The true figure is at most this (shown as `<= 4,000`): a limit on the way is unknown.
        at_most: bool,
    },
    /// Yes or no.
    Flag(bool),
    /// An amount of money.
    Money {
        /// The amount.
        amount: f64,
        /// ISO 4217 code.
        currency: String,
    },
}

/// Remarks under one heading.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Notes {
    /// The heading.
    pub title: String,
    /// The remarks.
    pub items: Vec<Note>,
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
    /// What is the matter, with its numbers.
    pub text: String,
    /// What to do about it, with its numbers.
    pub fix: Option<String>,
}

/// A chart, as data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// Stable id.
    pub id: String,
    /// The heading.
    pub title: String,
    /// Unit of the value axis.
    pub unit: String,
    /// What is drawn.
    pub kind: ChartKind,
}

/// The kinds of chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum ChartKind {
    /// Groups of bars, with caps as lines across them.
    Bars {
        /// The names of the bars in every group (`provisioned`, `sustained`).
        series: Vec<String>,
        /// The groups: a name, and a value for each series (`None`: no bar).
        groups: Vec<(String, Vec<Option<f64>>)>,
        /// Horizontal lines: a name and a value.
        lines: Vec<(String, f64)>,
    },
}
