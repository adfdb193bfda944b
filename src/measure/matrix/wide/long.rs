//! The same as a plain CSV: one test of one configuration a row.

use std::collections::{BTreeMap, HashMap};

use super::super::super::csv;
use super::super::super::csv::columns::Column as Setting;
use super::super::super::error::ParseError;
use super::super::super::local_number::{doubt, with_point};
use super::super::super::model::{Format, Run};
use super::super::super::test_name;
use super::super::cell::{Cell, Figure, Unit};
use super::super::head::is_disk;
use super::super::named::{is_derived, with};
use super::super::quantity::{Quantity, Said};
use super::super::reader::{text_shows_decimal_comma, text_shows_decimal_point};
use super::super::results::is_result;
use super::super::unit::{check_assumed, note_of_assumed};
use super::columns::{Column, Columns, Figures};
use super::{Row, unnamed};
use crate::units::Share;

/// What a run is called whose rows do not name it, by the reader of plain CSV.
const NAMELESS: &str = "CSV";

/// One test of one configuration.
struct Record {
    /// Its line in the text.
    line: usize,
    /// The test's name and its settings.
    settings: Vec<String>,
    config: String,
    /// Figures by the heads of their columns.
    figures: BTreeMap<String, String>,
    /// Whether some of them were taken as MB/s because nothing says their unit.
    assumed: bool,
}

/// A figure of a cell.
struct Value {
    /// The head of its column in a plain CSV.
    head: String,
    text: String,
    /// Whether it was taken as MB/s because nothing says its unit.
    assumed: bool,
}

/// A table turned into rows.
pub(super) struct Long {
    heads: Vec<String>,
    records: Vec<Record>,
    /// Units that rows of their own say of those below them, each with its line.
    units: Vec<(usize, Said)>,
    /// The heading above the table.
    above: Option<String>,
    notes: Vec<String>,
    refused: Option<ParseError>,
}

/// How figures of the table are written.
#[derive(Clone, Copy)]
struct Numbers {
    comma: bool,
    point: bool,
}

impl Long {
    /// The rows of a table; `None` where it has no figure.
    pub fn of(
        columns: &Columns,
        rows: &[Row],
        units: Vec<(usize, Said)>,
        above: Option<String>,
    ) -> Option<Self> {
        let cells = rows.iter().flat_map(|(_, row)| row);
        let text = cells.map(String::as_str).collect::<Vec<_>>().join("|");
        let numbers = Numbers {
            comma: text_shows_decimal_comma(&text),
            point: text_shows_decimal_point(&text),
        };
        let mut long = Self {
            heads: heads(columns),
            records: Vec::new(),
            units,
            above,
            notes: columns.notes.clone(),
            refused: None,
        };
        let passed_over = columns.passed_over();
        if !passed_over.is_empty() {
            let names = passed_over.join(", ");
            long.notes
                .push(format!("columns that were passed over: {names}"));
        }
        let mut places = HashMap::new();
        for (line, row) in rows.iter().filter(|(_, row)| !is_sum(columns, row)) {
            long.row(columns, (*line, row), numbers, &mut places);
        }
        (!long.records.is_empty()).then_some(long)
    }

    /// Adds the figures of a row: to the record of the same test that has none of their kind yet, as a row for each unit
    /// has it, or to a new one.
    fn row(
        &mut self,
        columns: &Columns,
        (line, row): (usize, &[String]),
        numbers: Numbers,
        places: &mut HashMap<(Vec<String>, String), usize>,
    ) {
        let shared = settings(columns, row, numbers);
        let of_row = units(columns, row)
            .or_else(|| self.unit_over(line))
            .or_else(|| columns.unit.clone())
            .or_else(|| self.unit_above());
        for (at, figures) in columns.figures() {
            let cell = row.get(at).map(String::as_str).unwrap_or_default();
            let config = config(columns, row, figures);
            let mut settings = shared.clone();
            if let Some(name) = settings.first_mut().filter(|_| !figures.words.is_empty()) {
                *name = format!("{name} {}", figures.words).trim().to_owned();
            }
            for value in self.values(line, cell, figures, of_row.as_ref(), numbers) {
                let key = (settings.clone(), config.clone());
                let known = places
                    .get(&key)
                    .and_then(|&place| self.records.get_mut(place));
                match known.filter(|record| !record.figures.contains_key(&value.head)) {
                    Some(record) => {
                        record.figures.insert(value.head, value.text);
                        record.assumed |= value.assumed;
                    }
                    None => {
                        places.insert(key, self.records.len());
                        self.records.push(Record {
                            line,
                            settings: settings.clone(),
                            config: config.clone(),
                            figures: BTreeMap::from([(value.head, value.text)]),
                            assumed: value.assumed,
                        });
                    }
                }
            }
        }
    }

    /// The unit that a row of its own says of the rows below it.
    fn unit_over(&self, line: usize) -> Option<Said> {
        let mut above = self.units.iter().rev();
        above
            .find(|(of, _)| *of < line)
            .map(|(_, unit)| unit.clone())
    }

    /// The unit that the heading above the table says.
    fn unit_above(&self) -> Option<Said> {
        let unit = self.above.as_deref().and_then(Unit::within)?;
        Some(Said {
            quantity: Quantity::Mean(unit),
            side: None,
            maybe_bits: false,
        })
    }

    /// The figures of a cell.
    fn values(
        &mut self,
        line: usize,
        cell: &str,
        own: &Figures,
        of_row: Option<&Said>,
        numbers: Numbers,
    ) -> Vec<Value> {
        let side = side(own.side.or(of_row.and_then(|said| said.side)));
        let said = own.quantity.as_ref().or(of_row.map(|said| &said.quantity));
        let unit = match said {
            Some(Quantity::Other(head)) => {
                return vec![Value {
                    head: format!("{side}{head}"),
                    text: with_point(cell, numbers.comma),
                    assumed: false,
                }];
            }
            Some(Quantity::Mean(unit)) => Some(*unit),
            None => None,
        };
        let Cell::Figures(figures) = Cell::read(cell, numbers.comma) else {
            return Vec::new();
        };
        let mut values: Vec<Value> = Vec::new();
        for figure in figures {
            let said = figure.unit.or(unit);
            let unit = said.unwrap_or(Unit::DEFAULT);
            self.check_doubtful(figure, unit, line, numbers);
            let (head, factor) = column_of(unit);
            let head = format!("{side}{head}");
            if values.iter().all(|other| other.head != head) {
                values.push(Value {
                    head,
                    // Four decimals: three behind a point might be thousands.
                    text: format!("{:.4}", figure.value * factor),
                    assumed: said.is_none(),
                });
            }
        }
        values
    }

    /// Refuses IOPS that may be decimals or thousands, where nothing shows which.
    fn check_doubtful(&mut self, figure: Figure, unit: Unit, line: usize, numbers: Numbers) {
        if figure.doubtful && unit == Unit::Iops(1.0) && !numbers.point {
            let what = doubt(&format!("{:.3}", figure.value));
            self.refused
                .get_or_insert(ParseError::Malformed { line, what });
        }
    }

    /// Its runs.
    ///
    /// # Errors
    /// [`ParseError`] where a cell is not what its column holds, or a figure may mean two things.
    pub fn runs(mut self) -> Result<Vec<Run>, ParseError> {
        if let Some(refused) = self.refused.take() {
            return Err(refused);
        }
        let mut runs = self.read(|_| true)?;
        let Some(first) = self.records.iter().find(|record| record.assumed) else {
            return Ok(runs);
        };
        for assumed in self.read(|record| record.assumed)? {
            let is_it = |run: &&mut Run| run.tool == assumed.tool && run.target == assumed.target;
            if let Some(run) = runs.iter_mut().find(is_it) {
                check_assumed(&assumed.tests, &run.tests, first.line)?;
                run.notes.push(note_of_assumed());
            }
        }
        Ok(runs)
    }

    /// The runs of the records that are `wanted`.
    fn read(&self, wanted: impl Fn(&Record) -> bool) -> Result<Vec<Run>, ParseError> {
        let records: Vec<&Record> = self.records.iter().filter(|of| wanted(of)).collect();
        let text = self.text(&records).unwrap_or_default();
        let mut runs = csv::parse(&text).map_err(|error| at_line(error, &records))?;
        let kind = self.above.as_deref().and_then(test_name::parse);
        for run in &mut runs {
            run.format = Format::Matrix;
            if run.tool == NAMELESS {
                run.tool = unnamed(self.above.as_deref());
            }
            if is_disk(&run.tool) {
                run.target = Some(run.tool.clone());
            }
            for test in &mut run.tests {
                test.kind = with(test.kind, kind);
            }
            run.notes.extend(self.notes.iter().cloned());
        }
        Ok(runs)
    }

    /// The plain CSV, parted by tabs; every cell is quoted, so that none begins a comment.
    fn text(&self, records: &[&Record]) -> Option<String> {
        let mut figures: Vec<&String> = Vec::new();
        for head in records.iter().flat_map(|record| record.figures.keys()) {
            if !figures.contains(&head) {
                figures.push(head);
            }
        }
        let mut writer = ::csv::WriterBuilder::new()
            .delimiter(b'\t')
            .quote_style(::csv::QuoteStyle::Always)
            .from_writer(Vec::new());
        let heads = self.heads.iter().chain(figures.iter().copied());
        writer.write_record(heads).ok()?;
        for record in records {
            let own = record.settings.iter().chain([&record.config]);
            let of = |head: &&String| record.figures.get(*head).map_or("", String::as_str);
            let cells = own.map(String::as_str).chain(figures.iter().map(of));
            writer.write_record(cells).ok()?;
        }
        String::from_utf8(writer.into_inner().ok()?).ok()
    }
}

/// The error of a row of the plain CSV as that of the line that it comes from.
fn at_line(error: ParseError, records: &[&Record]) -> ParseError {
    match error {
        ParseError::Malformed { line, what } => {
            let record = line.checked_sub(2).and_then(|at| records.get(at));
            ParseError::Malformed {
                line: record.map_or(line, |record| record.line),
                what,
            }
        }
        other => other,
    }
}

/// The heads of the plain CSV but those of figures.
fn heads(columns: &Columns) -> Vec<String> {
    let settings = columns.heads.iter().zip(&columns.columns);
    let settings = settings.filter(|(_, column)| matches!(column, Column::Setting(_)));
    let own = settings.map(|(head, _)| head.clone());
    let disk = has(columns, Setting::Run) && !has(columns, Setting::Target);
    let config = if disk { "disk" } else { "run" };
    std::iter::once("test".to_owned())
        .chain(own)
        .chain([config.to_owned()])
        .collect()
}

fn has(columns: &Columns, setting: Setting) -> bool {
    columns.columns.contains(&Column::Setting(setting))
}

/// The name of a test and its settings.
fn settings(columns: &Columns, row: &[String], numbers: Numbers) -> Vec<String> {
    let cells = || columns.columns.iter().zip(row);
    let words = cells().filter(|(column, cell)| **column == Column::Name && !cell.is_empty());
    let words: Vec<&str> = words.map(|(_, cell)| cell.as_str()).collect();
    let of = |(column, cell): (&Column, &String)| match column {
        Column::Setting(setting) if setting.is_numeric() => Some(with_point(cell, numbers.comma)),
        Column::Setting(_) => Some(cell.clone()),
        _ => None,
    };
    let mut settings = vec![words.join(" ")];
    let wanted = columns
        .columns
        .iter()
        .filter(|column| matches!(column, Column::Setting(_)));
    let wanted = wanted.count() + 1;
    settings.extend(cells().filter_map(of));
    settings.resize(wanted, String::new());
    settings
}

/// The configuration of a figure; none where its head only says that it is a result.
fn config(columns: &Columns, row: &[String], figures: &Figures) -> String {
    let own = if is_result(&figures.config) {
        ""
    } else {
        figures.config.as_str()
    };
    let run = || columns.cell(row, &Column::Setting(Setting::Run));
    // With a disk in the row and a run too, a configuration is one more name of the run.
    match run().filter(|_| has(columns, Setting::Target)) {
        Some(run) => format!("{run} {own}"),
        None => own.to_owned(),
    }
}

/// The unit that a column says of a row.
fn units(columns: &Columns, row: &[String]) -> Option<Said> {
    Said::read(columns.cell(row, &Column::Unit)?)
}

/// Whether a row is worked out from the others.
fn is_sum(columns: &Columns, row: &[String]) -> bool {
    let name = columns.cell(row, &Column::Name);
    name.is_some_and(is_derived)
}

/// The column of a unit in a plain CSV, and how many of it one is.
const fn column_of(unit: Unit) -> (&'static str, f64) {
    match unit {
        Unit::Iops(factor) => ("iops", factor),
        Unit::Bytes(factor) => ("bytes/s", factor),
        Unit::Micros(factor) => ("latency_us", factor),
    }
}

/// The word before the head of a figure of one direction.
fn side(share: Option<Share>) -> &'static str {
    match share {
        Some(share) if share == Share::ALL => "read ",
        Some(share) if share == Share::NONE => "write ",
        _ => "",
    }
}
