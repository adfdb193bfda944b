//! A plain CSV with named columns: the way in for every tool that has no parser of its own.
//!
//! The first line whose heads are known begins a table; `,`, `;` or a tab parts its cells. A comma is the decimal point
//! where a cell shows it (`20,48`), or where `;` parts the cells and none shows that the point is (`0.092`); if one shows it, a point before three digits parts
//! thousands (`5.000`), as a blank always does. One row is one test, or one for the reads and one for the writes where
//! figures are told by direction (`read_iops`, `Write MB/s`). Heads may be spelled in any case, with blanks or `_`, units in brackets or
//! behind `_`:
//!
//! | column | meaning |
//! |---|---|
//! | `run` (`config`) | rows of the same run, and of the same disk, belong together |
//! | `test` (`name`, `job`) | the test's name; `RND4K Q32T16` and the like also say what it did |
//! | `target` (`disk`, `drive`, `device`, `volume`) | the disk that was measured: the rows of each disk are a run of their own |
//! | `file` (`path`) | the file that was measured |
//! | `host`, `os`, `date`, `tool`, `version` | of the run, taken from its first row |
//! | `comment` (`note`) | a note of the test |
//! | `pattern` | `random` or `sequential` |
//! | `direction` (`rw`, `op`, `type`, `mode`) | `read`, `write`, `randread`, ... |
//! | `read_share`, `read_percent` | `0.7` or `70%`; `70` |
//! | `block_size`, `block_size_kib` | `8KiB`, `64k`, bytes; KiB |
//! | `queue_depth` (`qd`, `iodepth`) | outstanding I/Os of a thread |
//! | `threads` (`jobs`) | threads |
//! | `iops` | I/Os per second |
//! | `mbps`, `mibps`, `kibps`, `gbps`, `gibps`, `bytes_per_s` (also `MB/s`, `bw_kib`, `Mbit/s`, ...) | throughput in that unit |
//! | `latency_us` (`_ns`, `_ms`, `_s`) | mean latency; without a unit in the head, cells carry it (`0.65ms`) |
//! | `min_us`, `max_us`, `p50_us`, `p95_us`, `p99_us`, `p999_us` (99.9 %) | extremes and percentiles, likewise |
//! | `seconds`, `io_count` | how long it ran, how many I/Os it made |
//!
//! At least one of IOPS, throughput and latency is needed. An empty cell, `-` and `n/a` are unknown.

pub(super) mod columns;
mod row;

use columns::{Column, Heading};

use super::error::ParseError;
use super::local_number::Marks;
use super::matrix::is_result;
use super::model::{Format, Run};
use super::rate::RateUnit;
use super::runs::{Runs, note_unsaid_directions};
use crate::units::Share;

/// What a text without a result should have held.
const LOOKED_FOR: &str = "a line of column names such as 'test,block_size,queue_depth,iops,mbps,latency_us' and rows below it";

/// The delimiters that are tried, in this order.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// Heads that must be known for a line to be one of column names.
const FEWEST_KNOWN: usize = 2;

/// Longest line of column names, bytes.
const LONGEST_HEADS: usize = 4096;

/// Whether `text` holds a table with known column names and a row of figures.
#[must_use]
pub fn sniff(text: &str) -> bool {
    let Some(head) = Head::find(text, Place::START) else {
        return false;
    };
    head.records(text)
        .map_while(|record| record.filter(|record| !head.is_text(record)))
        .any(|record| head.has_figure(&record))
}

/// What is wrong with a table of known column names: two say the same, or the first row has no figure.
pub(super) fn without_figure(text: &str) -> Option<ParseError> {
    let Some(head) = Head::find(text, Place::START) else {
        return heads_twice(text);
    };
    let record = head.records(text).next()??;
    let mut cells = record
        .iter()
        .zip(&head.columns)
        .zip(&head.names)
        .enumerate();
    let is_figure = |heading: &Option<Heading>| heading.is_some_and(|of| of.column.is_figure());
    let (index, ((cell, _), name)) = cells.find(|(_, ((_, heading), _))| is_figure(heading))?;
    let what = format!(
        "column {} ('{name}'): '{cell}' is not right here: write a number of 0 or more, such as 3480",
        index + 1
    );
    let line = head.rows.line + skipped_lines(text.get(head.rows.byte..)?, 0);
    (!head.has_figure(&record)).then_some(ParseError::Malformed { line, what })
}

/// Reads every table in `text`; rows that name a run are put together by it.
///
/// # Errors
/// [`ParseError::Malformed`] with the line and column of a cell that is not what its column holds, or of a row with
/// too many cells; [`ParseError::NoResult`] when there is no table or no figure in it.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut runs = Runs::of(text);
    let mut from = Place::START;
    while let Some(head) = Head::find(text, from) {
        from = read_table(text, &head, &mut runs)?;
    }
    note_unsaid_directions(runs.since(0));
    runs.finish(LOOKED_FOR)
}

/// A larger text that is no table is not read again to say what it nearly is.
const LARGEST_GUESS: usize = 1 << 20;

/// What is wrong with a text that is no table of results, but begins with column names of which some are known.
pub(super) fn nearly(text: &str) -> Option<ParseError> {
    if let Some(error) = heads_twice(text) {
        return Some(error);
    }
    let (line, names) = first_names(text)?;
    let (known, unknown): (Vec<&str>, Vec<&str>) = names
        .into_iter()
        .map(|name| name.trim().trim_matches('"'))
        .filter(|name| !name.is_empty())
        .partition(|name| Heading::read(name).is_some());
    let of_results = unknown.iter().find(|name| is_result(name));
    let unit = of_results.map_or_else(String::new, |name| {
        format!("; figures under '{name}' need their unit in the cell, such as '3480 IOPS'")
    });
    (known.len() >= FEWEST_KNOWN).then(|| ParseError::Malformed {
        line,
        what: format!(
            "of its columns {} are known, but not {}: name at least half of them and one figure as in \
             'test,rw,block_size,queue_depth,threads,iops,mbps,latency_us' (or read_iops, write_iops, ...){unit}",
            known.join(", "),
            if unknown.is_empty() { "one of a figure".to_owned() } else { unknown.join(", ") },
        ),
    })
}

/// What is wrong with a text whose first line has one figure's name twice.
fn heads_twice(text: &str) -> Option<ParseError> {
    let (line, names) = first_names(text)?;
    let name = twice(&names)?;
    Some(ParseError::Malformed {
        line,
        what: format!(
            "'{name}' heads two columns: name the disk or run of each, as in 'data {name}'"
        ),
    })
}

/// The cells of the first line that is not blank, where they may be column names, and its number.
fn first_names(text: &str) -> Option<(usize, Vec<&str>)> {
    if text.len() > LARGEST_GUESS {
        return None;
    }
    let mut lines = text.lines().enumerate();
    let (index, line) = lines.find(|(_, line)| !line.trim().is_empty())?;
    if line.len() > LONGEST_HEADS {
        return None;
    }
    let split = |delimiter: &u8| line.split(char::from(*delimiter)).collect::<Vec<&str>>();
    let names = DELIMITERS.iter().map(split).max_by_key(Vec::len)?;
    Some((index + 1, names))
}

/// A place in the text: in bytes, and as the number of the line that begins there.
#[derive(Debug, Clone, Copy)]
struct Place {
    byte: usize,
    line: usize,
}

impl Place {
    const START: Self = Self { byte: 0, line: 1 };
}

/// A line of column names.
#[derive(Debug)]
struct Head {
    /// Where the rows begin.
    rows: Place,
    columns: Vec<Option<Heading>>,
    names: Vec<String>,
    /// What its rows show of how numbers are written.
    marks: Marks,
}

impl Head {
    /// The first line at or after `from` that is one.
    fn find(text: &str, from: Place) -> Option<Self> {
        let mut rows = from;
        for content in text.get(from.byte..)?.split_inclusive('\n') {
            rows = Place {
                byte: rows.byte + content.len(),
                line: rows.line + 1,
            };
            let line = content.trim_end_matches(['\r', '\n']);
            if let Some((delimiter, columns, names)) = heads(line) {
                let head = Self {
                    rows,
                    columns,
                    names,
                    marks: Marks::new(delimiter),
                };
                return Some(Self {
                    marks: head.marks_in(text),
                    ..head
                });
            }
        }
        None
    }

    /// The records below it; `None` for one that is not text.
    fn records<'a>(
        &self,
        text: &'a str,
    ) -> impl Iterator<Item = Option<::csv::StringRecord>> + use<'a> {
        let body = text.get(self.rows.byte..).unwrap_or_default();
        reader(self.marks.delimiter(), body)
            .into_records()
            .map(Result::ok)
    }

    /// What its cells of numbers show of how they are written.
    fn marks_in(&self, text: &str) -> Marks {
        let mut marks = self.marks;
        let records = self.records(text);
        for record in records.map_while(|record| record.filter(|record| !self.is_text(record))) {
            let cells = record.iter().zip(&self.columns);
            cells
                .filter(|(_, heading)| heading.is_some_and(|heading| heading.column.is_numeric()))
                .for_each(|(cell, _)| marks.see(number_of(cell)));
        }
        marks
    }

    /// The directions that figures are told by, all together first.
    fn sides(&self) -> Vec<Option<Share>> {
        let mut sides = vec![None];
        for side in [Share::ALL, Share::NONE] {
            if self.headings().any(|heading| heading.side == Some(side)) {
                sides.push(Some(side));
            }
        }
        sides
    }

    /// What is known of its columns.
    fn headings(&self) -> impl Iterator<Item = &Heading> {
        self.columns.iter().flatten()
    }

    /// Whether a record is no row any more but text behind the table: one cell, or another number of cells than there
    /// are columns and no digit where a figure should be.
    fn is_text(&self, record: &::csv::StringRecord) -> bool {
        record.len() < 2 || (record.len() != self.columns.len() && !self.has_figure(record))
    }

    /// Whether what seems to be text is a broken row, which does not end the table: the table goes on in `rest`, or only
    /// the last cells are missing.
    fn is_broken(&self, record: &::csv::StringRecord, rest: &str) -> bool {
        record.len() > 1 && (self.is_cut_short(record) || self.goes_on(rest))
    }

    /// Whether it is a row whose last cells are missing: a setting that is a number is there.
    fn is_cut_short(&self, record: &::csv::StringRecord) -> bool {
        let begins_so = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit());
        record.len() < self.columns.len()
            && record.iter().zip(&self.columns).any(|(cell, column)| {
                column.is_some_and(|heading| heading.column.is_numeric()) && begins_so(cell)
            })
    }

    /// Whether a full row with a figure comes first in `rest`.
    fn goes_on(&self, rest: &str) -> bool {
        let next = reader(self.marks.delimiter(), rest).into_records().next();
        next.and_then(Result::ok)
            .is_some_and(|record| record.len() == self.columns.len() && self.has_figure(&record))
    }

    /// Whether a column of figures holds a digit.
    fn has_figure(&self, record: &::csv::StringRecord) -> bool {
        record.iter().zip(&self.columns).any(|(cell, column)| {
            column.is_some_and(|heading| heading.column.is_figure())
                && cell.contains(|c: char| c.is_ascii_digit())
        })
    }

    /// Refuses a cell of IOPS that may be decimals or thousands, where nothing in the table shows which.
    fn refuse_doubtful(&self, record: &::csv::StringRecord, line: usize) -> Result<(), ParseError> {
        let mut cells = record
            .iter()
            .zip(&self.columns)
            .zip(&self.names)
            .enumerate();
        let doubtful = cells.find_map(|(index, ((cell, heading), name))| {
            heading.filter(|heading| heading.column == Column::Iops)?;
            let doubt = self.marks.doubt(cell)?;
            Some(format!("column {} ('{name}'): {doubt}", index + 1))
        });
        doubtful.map_or(Ok(()), |what| Err(ParseError::Malformed { line, what }))
    }

    /// The names of columns that mean nothing to us.
    fn unknown(&self) -> Vec<&str> {
        let pairs = self.names.iter().zip(&self.columns);
        pairs
            .filter(|(name, column)| column.is_none() && !name.is_empty())
            .map(|(name, _)| name.as_str())
            .collect()
    }
}

fn reader(delimiter: u8, body: &str) -> ::csv::Reader<&[u8]> {
    ::csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .trim(::csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(body.as_bytes())
}

/// The delimiter and columns of a line of names: enough of them known, at least half, and a figure among them.
fn heads(line: &str) -> Option<(u8, Vec<Option<Heading>>, Vec<String>)> {
    if !may_be_heads(line) {
        return None;
    }
    DELIMITERS.into_iter().find_map(|delimiter| {
        if !line.as_bytes().contains(&delimiter) {
            return None;
        }
        let record = reader(delimiter, line).into_records().next()?.ok()?;
        let names: Vec<String> = record
            .iter()
            .map(|name| name.trim_start_matches('\u{feff}').to_owned())
            .collect();
        let columns: Vec<_> = names.iter().map(|name| Heading::read(name)).collect();
        let known = columns.iter().flatten().count();
        let figures = columns
            .iter()
            .flatten()
            .any(|heading| heading.column.is_figure());
        let all = || columns.iter().flatten().map(|heading| heading.column);
        // A log over time is no table of tests.
        let over_time =
            all().any(|column| column == Column::Date) && !all().any(Column::is_of_a_test);
        // Of several figures of one name each is of another disk or run, which the line does not name.
        let told_apart = twice(&names).is_none();
        (!over_time && told_apart && known >= FEWEST_KNOWN && 2 * known >= columns.len() && figures)
            .then_some((delimiter, columns, names))
    })
}

/// The name of a figure that heads two columns.
fn twice<T: AsRef<str>>(names: &[T]) -> Option<&str> {
    let names = names.iter().map(|name| name.as_ref().trim());
    let figures =
        names.filter(|name| Heading::read(name).is_some_and(|heading| heading.column.is_figure()));
    let mut seen: Vec<String> = Vec::new();
    figures.into_iter().find(|name| {
        let lower = name.to_lowercase();
        let known = seen.contains(&lower);
        seen.push(lower);
        known
    })
}

/// A cheap look, for texts with very many lines: short enough, and with a part of a figure's name.
fn may_be_heads(line: &str) -> bool {
    line.len() <= LONGEST_HEADS && {
        let lower = line.to_ascii_lowercase();
        [
            "iops", "bps", "b/s", "bytes", "lat", "io/s", "response", "await", "bw", "band", "bit",
            "o/s",
        ]
        .iter()
        .any(|part| lower.contains(part))
    }
}

/// Reads the rows below `head` into `runs`; gives the place where the table ends.
fn read_table(text: &str, head: &Head, runs: &mut Runs) -> Result<Place, ParseError> {
    let body = text.get(head.rows.byte..).unwrap_or_default();
    let mut reader = reader(head.marks.delimiter(), body);
    let mut record = ::csv::StringRecord::new();
    let first = runs.len();
    let mut left_out = Vec::new();
    let place = |at: &::csv::Position| Place {
        byte: head.rows.byte + (at.byte() as usize).min(body.len()),
        line: head.rows.line - 1 + at.line() as usize,
    };
    loop {
        let begin = place(reader.position());
        let more = reader
            .read_record(&mut record)
            .map_err(|error| broken(&error, head.rows.line))?;
        let is_text = more && head.is_text(&record);
        let behind = (reader.position().byte() as usize).min(body.len());
        let rest = body.get(behind..).unwrap_or_default();
        let is_broken = is_text && head.is_broken(&record, rest);
        if !more || (is_text && !is_broken) {
            note(head, runs.since(first));
            note_left_out(&left_out, runs.since(first));
            return Ok(if more {
                begin
            } else {
                place(reader.position())
            });
        }
        let line = record.position().map_or(begin.line, |at| {
            place(at).line + skipped_lines(body, at.byte() as usize)
        });
        if is_broken {
            left_out.push(line);
            continue;
        }
        let cells: Vec<&str> = record.iter().collect();
        head.refuse_doubtful(&record, line)?;
        if !row::add(&cells, head, line, runs, first)? && cells.iter().any(|cell| !cell.is_empty())
        {
            left_out.push(line);
        }
    }
}

/// How many lines without cells, which are none of a record, lie at `from`.
fn skipped_lines(body: &str, from: usize) -> usize {
    let lines = body.get(from..).unwrap_or_default().lines();
    lines
        .take_while(|line| line.is_empty() || line.starts_with('#'))
        .count()
}

/// Says in the runs of a table which columns were passed over, and which figures may mean something else.
fn note(head: &Head, runs: &mut [Run]) {
    let mut notes = Vec::new();
    let unknown = head.unknown();
    if !unknown.is_empty() {
        notes.push(format!(
            "columns that were passed over: {}",
            unknown.join(", ")
        ));
    }
    let named = head.names.iter().zip(&head.columns);
    let bits = named.filter(|(_, heading)| heading.is_some_and(|heading| heading.maybe_bits));
    notes.extend(bits.map(|(name, _)| RateUnit::doubt(name)));
    for run in runs {
        run.notes.extend_from_slice(&notes);
    }
}

/// What a run goes by that its rows give no name.
pub(super) const UNNAMED: &str = "CSV";

/// The most lines that were left out that are named.
const MOST_NAMED: usize = 5;

/// Says in the first run of a table which of its lines were left out.
fn note_left_out(lines: &[usize], runs: &mut [Run]) {
    let named = lines.iter().take(MOST_NAMED).map(usize::to_string);
    let named = named.collect::<Vec<String>>().join(", ");
    let why = "neither IOPS, throughput nor latency is in";
    let note = match (lines.len(), lines.len().saturating_sub(MOST_NAMED)) {
        (0, _) => return,
        (1, _) => format!("line {named} was left out: {why} it"),
        (_, 0) => format!("lines {named} were left out: {why} them"),
        (_, more) => format!("lines {named} and {more} more were left out: {why} them"),
    };
    runs.iter_mut()
        .take(1)
        .for_each(|run| run.notes.push(note.clone()));
}

/// The number of a cell, without the unit behind it.
fn number_of(cell: &str) -> &str {
    cell.trim_end_matches(|c: char| !c.is_ascii_digit())
}

fn broken(error: &::csv::Error, first_line: usize) -> ParseError {
    let line = error.position().map_or(1, |at| at.line() as usize);
    ParseError::Malformed {
        line: first_line - 1 + line,
        what: format!("this is not a line of CSV: {error}"),
    }
}
