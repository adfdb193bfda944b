//! DiskSpd's text report, 2.0.x to 2.2, whole or as a pasted fragment.

use super::super::error::ParseError;
use super::super::model::{Format, Run};
use super::super::runs::Runs;
use super::super::scan::{after, lines, number, whole};
use super::settings::Settings;
use super::{
    Counted, INTERRUPTED, LOOKED_FOR, Side, Sides, Span, TOOL, Tally, number_spans, spread,
};

/// Most lines of a percentile table; DiskSpd prints 15.
const MOST_PERCENTILES: usize = 64;

/// Whether `text` holds one of DiskSpd's result tables.
#[must_use]
pub fn sniff(text: &str) -> bool {
    text.contains("I/Os") && lines(text).any(|(_, line)| Columns::read(line).is_some())
}

/// Reads every run in `text`.
///
/// # Errors
/// [`ParseError::NoResult`] when there is no result table.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut runs = Runs::of(text);
    let mut reader = Reader::default();
    for (_, line) in lines(text) {
        reader.line(line, &mut runs);
    }
    reader.finish_run(&mut runs);
    runs.finish(LOOKED_FOR)
}

/// Where the wanted columns of a result table are.
#[derive(Debug, Clone, Copy)]
struct Columns {
    bytes: usize,
    ios: usize,
    rate: Option<usize>,
    latency: Option<usize>,
    file: Option<usize>,
}

impl Columns {
    /// From a head such as `thread | bytes | I/Os | MiB/s | I/O per s | AvgLat | file`.
    fn read(line: &str) -> Option<Self> {
        let heads: Vec<String> = cells(line).map(str::to_ascii_lowercase).collect();
        let at = |name: &str| heads.iter().position(|head| head.starts_with(name));
        at("thread").filter(|index| *index == 0)?;
        Some(Self {
            bytes: at("bytes")?,
            ios: at("i/os")?,
            rate: at("i/o per s"),
            latency: at("avglat"),
            file: at("file"),
        })
    }
}

/// The cells of a table line.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.trim_matches('|').split('|').map(str::trim)
}

/// Where the reader is inside the results.
#[derive(Debug, Default)]
enum Place {
    #[default]
    Elsewhere,
    /// Under the heading of a table.
    Titled(Side),
    /// Between the head and the total line of a table.
    Table(Side, Columns),
    /// In the percentiles, under this label.
    Percentiles(String, Sides<Vec<(f64, f64)>>),
}

/// Reads a run line by line.
#[derive(Debug, Default)]
struct Reader {
    command: Option<String>,
    host: Option<String>,
    date: Option<String>,
    notes: Vec<String>,
    /// The targets of every time span that was asked for.
    asked: Vec<Vec<Settings>>,
    spans: Vec<Span>,
    place: Place,
    /// The line before, which is the label of a percentile table.
    before: String,
}

impl Reader {
    fn line(&mut self, line: &str, runs: &mut Runs) {
        if !self.heading(line, runs) && !self.figures(line, runs) {
            self.parameter(line, runs);
        }
        if !line.starts_with("---") {
            line.clone_into(&mut self.before);
        }
    }

    /// Lines that begin a part; says whether this was one.
    fn heading(&mut self, line: &str, runs: &mut Runs) -> bool {
        if let Some(command) = after(line, "Command Line:") {
            self.finish_run(runs);
            self.command = Some(command.to_owned()).filter(|command| !command.is_empty());
        } else if self.spans.is_empty() && is_command(line) {
            self.command = Some(line.to_owned());
        } else if line == "Input parameters:" {
            if !self.spans.is_empty() {
                self.finish_run(runs);
            }
        } else if after(line, "timespan:").is_some() {
            if runs.take(1) {
                self.asked.push(Vec::new());
            }
        } else if after(line, "Results for timespan").is_some() {
            self.begin_span(runs);
            self.place = Place::Elsewhere;
        } else if let Some(side) = title(line) {
            self.begin_table(side, runs);
        } else if line.starts_with("%-ile") {
            self.place = Place::Percentiles(self.before.clone(), Sides::default());
        } else if line == "Totals:" {
            // The sum over all time spans: counted already.
            self.place = Place::Elsewhere;
        } else {
            return false;
        }
        true
    }

    fn begin_span(&mut self, runs: &mut Runs) {
        if runs.take(1) {
            self.spans.push(Span::default());
        }
    }

    /// A table whose side the current span has already belongs to the next span (fragments tell no spans apart).
    fn begin_table(&mut self, side: Side, runs: &mut Runs) {
        let taken = |span: &Span| {
            span.counted
                .iter()
                .any(|counted| counted.tally.get(side).is_some())
        };
        if self.spans.last().is_none_or(taken) {
            self.begin_span(runs);
        }
        self.place = Place::Titled(side);
    }

    /// Lines of the tables; says whether this was one.
    fn figures(&mut self, line: &str, runs: &mut Runs) -> bool {
        match &mut self.place {
            Place::Elsewhere => return false,
            Place::Titled(side) => {
                let Some(columns) = Columns::read(line) else {
                    return false;
                };
                self.place = Place::Table(*side, columns);
            }
            Place::Table(side, columns) => {
                let (side, columns) = (*side, *columns);
                return self.table_line(line, side, columns, runs);
            }
            Place::Percentiles(label, points) => {
                let more = read_percentile(line, points);
                if more == Some(false) {
                    let (label, points) = (std::mem::take(label), std::mem::take(points));
                    self.place = Place::Elsewhere;
                    self.add_spread(&label, points);
                }
                return more.is_some();
            }
        }
        true
    }

    /// A row of a thread and target, or the total line, which ends the table.
    fn table_line(&mut self, line: &str, side: Side, columns: Columns, runs: &mut Runs) -> bool {
        let Some(span) = self.spans.last_mut() else {
            return false;
        };
        if let Some(total) = after(line, "total:") {
            self.place = Place::Elsewhere;
            // The total line has no cell for the thread.
            let row: Vec<&str> = std::iter::once("").chain(cells(total)).collect();
            return read_row(&row, columns)
                .map(|row| end_table(span, side, row))
                .is_some();
        }
        let cells: Vec<&str> = cells(line).collect();
        let Some(row) = read_row(&cells, columns) else {
            return false;
        };
        let path = columns
            .file
            .and_then(|index| cells.get(index).copied())
            .map(without_size);
        if !span.has(path) && !runs.take(1) {
            return true;
        }
        let target = span.target(path);
        let sum = target.tally.get_mut(side);
        if sum.is_none() {
            target.threads = 0;
        }
        target.threads += 1;
        sum.get_or_insert_default().add(row.tally);
        true
    }

    /// Puts a finished percentile table to its target: by the label where there are several.
    fn add_spread(&mut self, label: &str, points: Sides<Vec<(f64, f64)>>) {
        let Some(span) = self.spans.last_mut() else {
            return;
        };
        let target = match span.counted.as_mut_slice() {
            [only] => Some(only),
            several => several.iter_mut().find(|counted| {
                counted
                    .path
                    .as_deref()
                    .is_some_and(|path| label.contains(path))
            }),
        };
        if let Some(target) = target {
            target.spread = Sides {
                total: spread(points.total),
                read: spread(points.read),
                write: spread(points.write),
            };
        }
    }

    /// Lines outside the tables.
    fn parameter(&mut self, line: &str, runs: &mut Runs) {
        if let Some(path) = after(line, "path:") {
            if runs.take(1) {
                self.add_target(path);
            }
        } else if let Some(host) = after(line, "computer name:") {
            self.host = Some(host.to_owned());
        } else if let Some(date) = after(line, "start time:") {
            self.date = Some(date.to_owned());
        } else if line.starts_with("The test was interrupted") {
            self.notes.push(INTERRUPTED.to_owned());
        } else if let Some(span) = self.spans.last_mut() {
            span_line(span, line);
        } else if let Some(settings) = self.asked.last_mut().and_then(|targets| targets.last_mut())
        {
            settings.read_line(line);
        }
    }

    fn add_target(&mut self, path: &str) {
        if self.asked.is_empty() {
            self.asked.push(Vec::new());
        }
        let quoted = path.split_once('\'').map_or(path, |(_, rest)| rest);
        let path = quoted.trim_end_matches('\'').to_owned();
        if let Some(targets) = self.asked.last_mut() {
            targets.push(Settings {
                path: Some(path).filter(|path| !path.is_empty()),
                ..Settings::default()
            });
        }
    }

    /// Hands over the run that was read, if it has results, and begins the next.
    fn finish_run(&mut self, runs: &mut Runs) {
        let mut done = std::mem::take(self);
        // The parameters say more than the command line; one or the other may not have been pasted.
        if done.asked.is_empty()
            && let Some(command) = &done.command
        {
            done.asked.push(vec![Settings::of_command(command)]);
        }
        let mut tests: Vec<_> = done
            .spans
            .iter()
            .enumerate()
            .map(|(index, span)| {
                let asked = done.asked.get(index).or(done.asked.last());
                span.tests(asked.map_or(&[], Vec::as_slice))
            })
            .filter(|tests| !tests.is_empty())
            .collect();
        number_spans(&mut tests);
        runs.push(Run {
            format: Format::DiskspdText,
            tool: TOOL.to_owned(),
            version: None,
            host: done.host,
            os: None,
            date: done.date,
            target: None,
            comment: done.command,
            tests: tests.into_iter().flatten().collect(),
            notes: done.notes,
        });
    }
}

/// Whether a line calls DiskSpd, with its flags.
fn is_command(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let called = words.any(|word| {
        let word = word.rsplit(['\\', '/']).next().unwrap_or(word);
        word.eq_ignore_ascii_case("diskspd") || word.eq_ignore_ascii_case("diskspd.exe")
    });
    called && words.filter(|word| word.starts_with("-")).count() > 1
}

/// The side whose table follows.
fn title(line: &str) -> Option<Side> {
    let line = line.trim_end_matches(':');
    [
        ("Total IO", Side::Total),
        ("Read IO", Side::Read),
        ("Write IO", Side::Write),
    ]
    .into_iter()
    .find_map(|(name, side)| line.eq_ignore_ascii_case(name).then_some(side))
}

/// Lines between `Results for timespan` and the tables.
fn span_line(span: &mut Span, line: &str) {
    if let Some(time) = after(line, "actual test time:") {
        span.seconds = number(time)
            .map(|(seconds, _)| seconds)
            .filter(|s| *s > 0.0);
    } else if let Some(count) = after(line, "thread count:") {
        span.threads = count.parse().ok();
    } else if let Some(count) = after(line, "request count:") {
        span.request_count = count.parse().ok();
    }
}

/// The figures of one table line.
#[derive(Debug, Clone, Copy)]
struct TableRow {
    tally: Tally,
    rate: Option<f64>,
}

fn read_row(row: &[&str], columns: Columns) -> Option<TableRow> {
    let count = |index: usize| row.get(index).and_then(|cell| whole(cell));
    let figure = |index: Option<usize>| {
        let cell = row.get(index?)?;
        number(cell).map(|(value, _)| value)
    };
    let (bytes, _) = count(columns.bytes)?;
    let (ios, _) = count(columns.ios)?;
    Some(TableRow {
        tally: Tally::new(bytes, ios, figure(columns.latency)),
        rate: figure(columns.rate),
    })
}

/// Takes the total line in: it is exact where there is one target, and it tells the time best.
fn end_table(span: &mut Span, side: Side, row: TableRow) {
    if span.counted.is_empty() {
        span.counted.push(Counted::default());
    }
    if let [only] = span.counted.as_mut_slice() {
        *only.tally.get_mut(side) = Some(row.tally);
    }
    *span.total.tally.get_mut(side) = Some(row.tally);
    if let Some(rate) = row.rate.filter(|rate| *rate > 0.0) {
        span.seconds = best_time(span.seconds, row.tally.ios as f64, rate);
    }
}

/// The measured time: as printed, or I/Os over their rate, whichever two decimals tell more closely.
fn best_time(printed: Option<f64>, ios: f64, rate: f64) -> Option<f64> {
    match printed {
        Some(seconds) if seconds >= rate => Some(seconds),
        _ => Some(ios / rate)
            .filter(|seconds| *seconds > 0.0)
            .or(printed),
    }
}

/// `C:\test.dat (10GiB)` without the size.
fn without_size(file: &str) -> &str {
    file.rsplit_once(" (").map_or(file, |(path, _)| path)
}

/// Reads a line of a percentile table: whether more follow, or `None` where it is no such line.
fn read_percentile(line: &str, points: &mut Sides<Vec<(f64, f64)>>) -> Option<bool> {
    if line.starts_with("---") {
        return Some(true);
    }
    let row: Vec<&str> = cells(line).collect();
    let percent = percent(row.first()?).filter(|_| points.total.len() < MOST_PERCENTILES)?;
    for (index, side) in [Side::Read, Side::Write, Side::Total]
        .into_iter()
        .enumerate()
    {
        if let Some((ms, _)) = row.get(index + 1).and_then(|cell| number(cell)) {
            points.get_mut(side).push((percent, ms));
        }
    }
    Some(percent < 100.0)
}

/// `min`, `95th`, `3-nines` (99.9 %), `max`.
fn percent(name: &str) -> Option<f64> {
    match name {
        "min" => Some(0.0),
        "max" => Some(100.0),
        name => {
            if let Some(nines) = name.strip_suffix("-nines") {
                let nines: usize = nines
                    .parse()
                    .ok()
                    .filter(|nines| (2..=12).contains(nines))?;
                return format!("99.{}", "9".repeat(nines - 2)).parse().ok();
            }
            let percent: f64 = name.strip_suffix("th")?.parse().ok()?;
            (percent > 0.0 && percent < 100.0).then_some(percent)
        }
    }
}
