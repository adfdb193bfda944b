//! One row of a plain CSV.

use super::super::error::ParseError;
use super::super::fio::merge;
use super::super::local_number::with_point;
use super::super::model::{LatencyStats, Percentile, Test, TestKind};
use super::super::scan::{both_rates, grouped_number};
use super::super::test_name;
use super::columns::{Column, Heading, Statistic};
use super::{Format, Head, Run, Runs};
use crate::units::{BlockSize, Iops, Latency, MBps, Share};
use crate::workload::Pattern;

/// A row, as far as it was read.
#[derive(Debug, Default, Clone)]
struct Row {
    run: Option<String>,
    name: Option<String>,
    target: Option<String>,
    /// The disk that it is of: the rows of each disk are a run of their own.
    disk: Option<String>,
    host: Option<String>,
    os: Option<String>,
    date: Option<String>,
    tool: Option<String>,
    version: Option<String>,
    notes: Vec<String>,
    /// Whether it says that reads and writes ran together.
    mixed: bool,
    pattern: Option<Pattern>,
    read_share: Option<Share>,
    block_size: Option<BlockSize>,
    queue_depth: Option<u32>,
    threads: Option<u32>,
    iops: Option<Iops>,
    mbps: Option<MBps>,
    latency: LatencyStats,
    seconds: Option<f64>,
    io_count: Option<u64>,
}

/// A cell that is not what its column holds, and the form that would be right.
struct Wrong {
    form: String,
}

/// Reads a row into the run that it names, among those from `first` on: one test, or one for the reads and one for the
/// writes where figures are told by direction, with their sum where they ran together. Whether it has a figure: without
/// one it is left out.
pub(super) fn add(
    cells: &[&str],
    head: &Head,
    line: usize,
    runs: &mut Runs,
    first: usize,
) -> Result<bool, ParseError> {
    check_width(cells, head, line)?;
    let shared = Row::default().with(cells, head, line, |heading| {
        heading.side.is_none() && !heading.column.is_measured()
    })?;
    let mut rows = Vec::new();
    for side in head.sides() {
        let row = shared.clone().with(cells, head, line, |heading| {
            heading.side == side && heading.column.is_measured()
        })?;
        if row.has_figure() {
            rows.push(row.of_side(side));
        }
    }
    let has_figure = !rows.is_empty();
    // A direction without I/O beside one with some was not measured.
    if rows.iter().any(Row::moved) {
        rows.retain(Row::moved);
    }
    let disk = &shared.disk;
    let tool = shared
        .run
        .as_ref()
        .or(disk.as_ref())
        .or(shared.tool.as_ref())
        .cloned();
    let tool = tool.unwrap_or_else(|| super::UNNAMED.to_owned());
    let mut tests: Vec<Test> = rows.into_iter().map(Row::test).collect();
    if let (true, [reads, writes]) = (shared.mixed, tests.as_mut_slice()) {
        let name = shared.name.as_deref().unwrap_or("reads and writes");
        let both = merge::sum(
            &[reads, writes],
            &format!("{name}: all directions"),
            shared.threads,
        );
        for part in [reads, writes] {
            part.part_of = Some(both.name.clone());
        }
        tests.push(both);
    }
    for test in tests {
        let is = |run: &Run| run.tool == tool && run.target == *disk;
        runs.add(first, is, test, || shared.new_run(tool.clone()));
    }
    Ok(has_figure)
}

/// Whether a row has no more cells than there are columns.
fn check_width(cells: &[&str], head: &Head, line: usize) -> Result<(), ParseError> {
    let behind = cells.get(head.columns.len()..).unwrap_or_default();
    match behind.iter().find(|cell| !cell.is_empty()) {
        None => Ok(()),
        Some(extra) => Err(ParseError::Malformed {
            line,
            what: format!(
                "'{extra}' is behind the last of the {} columns: quote cells that hold the delimiter",
                head.columns.len()
            ),
        }),
    }
}

impl Row {
    /// The row with the cells of the columns that are `wanted`.
    fn with(
        mut self,
        cells: &[&str],
        head: &Head,
        line: usize,
        wanted: impl Fn(&Heading) -> bool,
    ) -> Result<Self, ParseError> {
        for (index, (cell, heading)) in cells.iter().zip(&head.columns).enumerate() {
            let name = head.names.get(index).map_or("", String::as_str);
            let Some(heading) = heading.filter(&wanted) else {
                continue;
            };
            if is_missing(cell) {
                let is_setting = heading.column.is_numeric() && !heading.column.is_measured();
                if is_setting && cell.eq_ignore_ascii_case("nan") {
                    let note = format!("{name}: '{cell}' is no number and was taken for not told");
                    self.notes.push(note);
                }
                continue;
            }
            let plain = if heading.column.is_numeric() {
                with_point(cell, head.marks.has_decimal_comma(cell))
            } else {
                (*cell).to_owned()
            };
            self.take(heading.column, &plain, name)
                .map_err(|wrong| ParseError::Malformed {
                    line,
                    what: format!(
                        "column {} ('{name}'): '{cell}' is not right here: write {}",
                        index + 1,
                        wrong.form
                    ),
                })?;
        }
        Ok(self)
    }

    /// Whether anything was measured.
    fn has_figure(&self) -> bool {
        self.iops.is_some() || self.mbps.is_some() || self.latency.mean.is_some()
    }

    /// Whether its rates are not all zero; latency alone says nothing of them.
    fn moved(&self) -> bool {
        let rates = [self.iops.map(Iops::get), self.mbps.map(MBps::get)];
        let mut known = rates.iter().flatten().peekable();
        known.peek().is_none() || known.any(|rate| *rate > 0.0)
    }

    /// The row as that of one direction, which its name says too.
    fn of_side(mut self, side: Option<Share>) -> Self {
        let Some(share) = side else {
            return self;
        };
        self.read_share = Some(share);
        let says_it = |name: &String| {
            test_name::parse(name).is_some_and(|kind| kind.read_share == Some(share))
        };
        if let Some(name) = self.name.as_mut().filter(|name| !says_it(name)) {
            *name = format!("{name} {}", test_name::direction(share));
        }
        self
    }

    fn take(&mut self, column: Column, cell: &str, head: &str) -> Result<(), Wrong> {
        let text = || Some(cell.to_owned());
        match column {
            Column::Run => self.run = text(),
            Column::Test => self.name = text(),
            Column::Target => {
                self.disk = text();
                self.target = text();
            }
            Column::File => self.target = text(),
            Column::Host => self.host = text(),
            Column::Os => self.os = text(),
            Column::Date => self.date = text(),
            Column::Tool => self.tool = text(),
            Column::Version => self.version = text(),
            Column::Comment => self.notes.extend(text()),
            Column::Pattern | Column::Direction => self.take_words(cell)?,
            Column::Type => {
                if self.take_words(cell).is_err() {
                    self.notes.push(format!("{head}: {cell}"));
                }
            }
            Column::ReadShare(divisor) => self.read_share = Some(share(cell, divisor)?),
            Column::BlockSize(factor) => self.block_size = Some(block_size(cell, factor)?),
            Column::QueueDepth => self.queue_depth = Some(count(cell)?),
            Column::Threads => self.threads = Some(count(cell)?),
            Column::Iops => self.iops = Some(cell.parse().map_err(wrong)?),
            Column::ThousandIops => {
                self.iops = Some(Iops::new(number(cell)? * 1e3).map_err(wrong)?);
            }
            Column::Throughput(factor) => self.mbps = Some(throughput(cell, factor)?),
            Column::Latency(statistic, factor) => {
                self.take_latency(statistic, latency(cell, factor)?)
            }
            Column::Seconds => self.seconds = Some(number(cell)?).filter(|seconds| *seconds > 0.0),
            Column::IoCount => self.io_count = Some(number(cell)? as u64),
        }
        Ok(())
    }

    /// `random`, `seq`, `read`, `randwrite`.
    fn take_words(&mut self, cell: &str) -> Result<(), Wrong> {
        let kind = test_name::parse(cell)
            .or_else(|| mixed_words(cell))
            // A direction alone is no test name.
            .or_else(|| {
                test_name::parse(&format!("random {cell}")).map(|kind| TestKind {
                    pattern: None,
                    ..kind
                })
            })
            .ok_or_else(|| Wrong {
                form: "random, sequential, read, write, randread or the like".into(),
            })?;
        self.pattern = kind.pattern.or(self.pattern);
        self.read_share = kind.read_share.or(self.read_share);
        let lower = cell.to_lowercase();
        self.mixed |= ["rw", "mix", "readwrite", "read/write"]
            .iter()
            .any(|word| lower.contains(word));
        Ok(())
    }

    fn take_latency(&mut self, statistic: Statistic, latency: Latency) {
        match statistic {
            Statistic::Mean => self.latency.mean = Some(latency),
            Statistic::Min => self.latency.min = Some(latency),
            Statistic::Max => self.latency.max = Some(latency),
            Statistic::Percentile(percent) => {
                self.latency
                    .percentiles
                    .push(Percentile { percent, latency });
            }
        }
    }

    fn new_run(&self, tool: String) -> Run {
        Run {
            format: Format::Csv,
            tool,
            version: self.version.clone(),
            host: self.host.clone(),
            os: self.os.clone(),
            date: self.date.clone(),
            target: self.disk.clone(),
            comment: None,
            tests: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The share of reads, where the name is nothing but a direction, as fio's `read` and `write` are.
    fn direction_of_name(&self) -> Option<Share> {
        test_name::direction_word(&self.name.as_ref()?.trim().to_lowercase())
    }

    /// The test: what its columns say, completed from its name; IOPS from MB/s, or MB/s from IOPS, where one is missing.
    fn test(mut self) -> Test {
        let named = self.name.as_deref().and_then(test_name::parse_beginning);
        let of_name = |part: fn(&TestKind) -> Option<u32>| named.as_ref().and_then(part);
        let is_told = self.read_share.is_some()
            || named.is_some_and(|kind| kind.read_share.is_some())
            || self.direction_of_name().is_some();
        let half = Share::new(0.5).ok().filter(|_| self.mixed && !is_told);
        if half.is_some() {
            self.notes.push(HALF_READS.to_owned());
        }
        let kind = TestKind {
            pattern: self.pattern.or(named.and_then(|kind| kind.pattern)),
            read_share: self
                .read_share
                .or(named.and_then(|kind| kind.read_share))
                .or(self.direction_of_name())
                .or(half),
            block_size: self.block_size.or(named.and_then(|kind| kind.block_size)),
            queue_depth: self.queue_depth.or(of_name(|kind| kind.queue_depth)),
            threads: self.threads.or(of_name(|kind| kind.threads)),
        };
        let (iops, mbps) = both_rates(self.iops, self.mbps, kind.block_size);
        self.latency
            .percentiles
            .sort_by(|a, b| a.percent.total_cmp(&b.percent));
        Test {
            name: self.name.unwrap_or_else(|| test_name::describe(&kind)),
            target: self.target,
            kind,
            iops,
            mbps,
            latency: (self.latency != LatencyStats::default()).then_some(self.latency),
            io_count: self.io_count,
            seconds: self.seconds,
            notes: self.notes,
            ..Test::default()
        }
    }
}

/// What a mix is taken for that does not say its share of reads: fio's `rwmixread` is 50 unless set.
const HALF_READS: &str =
    "a mix that does not say its share of reads: half was taken, fio's default";

/// Whether a cell says that nothing is known.
fn is_missing(cell: &str) -> bool {
    matches!(
        cell.to_ascii_lowercase().as_str(),
        "" | "-" | "n/a" | "na" | "null" | "none" | "nan" | "?"
    )
}

/// A unit's own error as the form that it asks for.
fn wrong(error: crate::units::UnitError) -> Wrong {
    Wrong {
        form: match error {
            crate::units::UnitError::Form { form, .. } => form.to_owned(),
            crate::units::UnitError::Range { range, .. } => format!("a value that is {range}"),
            crate::units::UnitError::NoUnit { .. } => "a size with its unit".to_owned(),
            crate::units::UnitError::Bits { .. } => "a throughput in bytes, not in bits".to_owned(),
            crate::units::UnitError::DecimalComma { meant, .. } => {
                format!("{meant}, with a decimal point")
            }
            crate::units::UnitError::Percent { .. } => {
                "a share of 0 to 1, or of 0% to 100%".to_owned()
            }
        },
    }
}

/// A number of 0 or more; thousands may be grouped with commas.
fn number(cell: &str) -> Result<f64, Wrong> {
    if let Ok(value) = cell.parse::<f64>() {
        return (value.is_finite() && value >= 0.0)
            .then_some(value)
            .ok_or_else(number_form);
    }
    grouped_number(cell).ok_or_else(number_form)
}

fn number_form() -> Wrong {
    Wrong {
        form: "a number of 0 or more".into(),
    }
}

/// A whole number of at least 1.
fn count(cell: &str) -> Result<u32, Wrong> {
    let depth: crate::units::QueueDepth = cell.parse().map_err(wrong)?;
    Ok(depth.get())
}

fn share(cell: &str, divisor: f64) -> Result<Share, Wrong> {
    match cell.strip_suffix('%') {
        Some(percent) => Share::new(number(percent.trim())? / 100.0).map_err(wrong),
        None => Share::new(number(cell)? / divisor).map_err(wrong),
    }
}

fn block_size(cell: &str, factor: u64) -> Result<BlockSize, Wrong> {
    match cell.parse::<u64>() {
        Ok(count) if factor > 1 => {
            BlockSize::from_bytes(count.saturating_mul(factor)).map_err(wrong)
        }
        _ => cell.parse().map_err(wrong),
    }
}

fn throughput(cell: &str, factor: f64) -> Result<MBps, Wrong> {
    match number(cell) {
        Ok(value) => MBps::from_bytes_per_s(value * factor).map_err(wrong),
        Err(_) => cell.parse().map_err(wrong),
    }
}

fn latency(cell: &str, factor: Option<f64>) -> Result<Latency, Wrong> {
    match (factor, number(cell)) {
        (Some(factor), Ok(value)) => Latency::from_micros(value * factor).map_err(wrong),
        _ => cell.parse().map_err(wrong),
    }
}

/// `Random 70/30`: a pattern and the percentages of reads and writes.
fn mixed_words(cell: &str) -> Option<TestKind> {
    let (words, shares) = cell.rsplit_once(char::is_whitespace).unwrap_or(("", cell));
    let (reads, writes) = shares.split_once('/')?;
    let reads: u32 = reads.trim_end_matches('%').parse().ok()?;
    let writes: u32 = writes.trim_end_matches('%').parse().ok()?;
    let percent = u8::try_from(reads)
        .ok()
        .filter(|_| reads.checked_add(writes) == Some(100))?;
    let pattern = match words.trim() {
        "" => None,
        words => Some(test_name::parse(words)?),
    };
    Some(TestKind {
        read_share: Some(Share::percent(percent)),
        pattern: pattern.and_then(|kind| kind.pattern),
        block_size: None,
        queue_depth: None,
        threads: None,
    })
}
