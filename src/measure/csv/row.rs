//! One row of a plain CSV.

use super::super::error::ParseError;
use super::super::model::{LatencyStats, Percentile, Test, TestKind};
use super::super::scan::{both_rates, grouped_number};
use super::super::test_name;
use super::columns::{Column, Statistic};
use super::{Format, Head, Run, Runs};
use crate::units::{BlockSize, Iops, Latency, MBps, Share};
use crate::workload::Pattern;

/// A row, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Row {
    run: Option<String>,
    name: Option<String>,
    target: Option<String>,
    host: Option<String>,
    os: Option<String>,
    date: Option<String>,
    tool: Option<String>,
    version: Option<String>,
    comment: Option<String>,
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

impl Row {
    /// Reads the cells of a row; `None` where it has no figure.
    pub fn read(cells: &[&str], head: &Head, line: usize) -> Result<Option<Self>, ParseError> {
        if let Some(extra) = cells
            .get(head.columns.len()..)
            .and_then(|extra| extra.iter().find(|cell| !cell.is_empty()))
        {
            return Err(ParseError::Malformed {
                line,
                what: format!(
                    "'{extra}' is behind the last of the {} columns: quote cells that hold the delimiter",
                    head.columns.len()
                ),
            });
        }
        let mut row = Self::default();
        let comma_decimals = head.delimiter == b';';
        for (index, (cell, column)) in cells.iter().zip(&head.columns).enumerate() {
            let (Some(column), false) = (column, is_missing(cell)) else {
                continue;
            };
            let plain = if comma_decimals && column_is_numeric(*column) {
                decimal_point(cell)
            } else {
                (*cell).to_owned()
            };
            row.take(*column, &plain)
                .map_err(|wrong| ParseError::Malformed {
                    line,
                    what: format!(
                        "column {} ('{}'): '{cell}' is not right here: write {}",
                        index + 1,
                        head.names.get(index).map_or("", String::as_str),
                        wrong.form
                    ),
                })?;
        }
        let figures = row.iops.is_some() || row.mbps.is_some() || row.latency.mean.is_some();
        Ok(figures.then_some(row))
    }

    fn take(&mut self, column: Column, cell: &str) -> Result<(), Wrong> {
        let text = || Some(cell.to_owned());
        match column {
            Column::Run => self.run = text(),
            Column::Test => self.name = text(),
            Column::Target => self.target = text(),
            Column::Host => self.host = text(),
            Column::Os => self.os = text(),
            Column::Date => self.date = text(),
            Column::Tool => self.tool = text(),
            Column::Version => self.version = text(),
            Column::Comment => self.comment = text(),
            Column::Pattern | Column::Direction => self.take_words(cell)?,
            Column::ReadShare(divisor) => self.read_share = Some(share(cell, divisor)?),
            Column::BlockSize(factor) => self.block_size = Some(block_size(cell, factor)?),
            Column::QueueDepth => self.queue_depth = Some(count(cell)?),
            Column::Threads => self.threads = Some(count(cell)?),
            Column::Iops => self.iops = Some(cell.parse().map_err(wrong)?),
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

    /// Adds the test to its run among those from `first` on.
    pub fn add_to(self, runs: &mut Runs, first: usize) {
        let own = self.run.clone().or(self.tool.clone());
        let tool = own.unwrap_or_else(|| "CSV".to_owned());
        let new = self.new_run(tool.clone());
        runs.add(first, &tool, self.test(), || new);
    }

    fn new_run(&self, tool: String) -> Run {
        Run {
            format: Format::Csv,
            tool,
            version: self.version.clone(),
            host: self.host.clone(),
            os: self.os.clone(),
            date: self.date.clone(),
            target: None,
            comment: None,
            tests: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The test: what its columns say, completed from its name; IOPS from MB/s, or MB/s from IOPS, where one is missing.
    fn test(mut self) -> Test {
        let named = self.name.as_deref().and_then(test_name::parse);
        let of_name = |part: fn(&TestKind) -> Option<u32>| named.as_ref().and_then(part);
        let kind = TestKind {
            pattern: self.pattern.or(named.and_then(|kind| kind.pattern)),
            read_share: self.read_share.or(named.and_then(|kind| kind.read_share)),
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
            notes: self.comment.into_iter().collect(),
            ..Test::default()
        }
    }
}

/// Whether a cell says that nothing is known.
fn is_missing(cell: &str) -> bool {
    matches!(
        cell.to_ascii_lowercase().as_str(),
        "" | "-" | "n/a" | "na" | "null" | "none" | "nan" | "?"
    )
}

fn column_is_numeric(column: Column) -> bool {
    !matches!(
        column,
        Column::Run
            | Column::Test
            | Column::Target
            | Column::Host
            | Column::Os
            | Column::Date
            | Column::Tool
            | Column::Version
            | Column::Comment
            | Column::Pattern
            | Column::Direction
    )
}

/// `1.234,5` (a point between thousands, a comma before decimals) as `1234.5`.
fn decimal_point(cell: &str) -> String {
    match cell.split_once(',') {
        Some((whole, decimals)) => format!("{}.{decimals}", whole.replace(['.', ' '], "")),
        None => cell.to_owned(),
    }
}

/// A unit's own error as the form that it asks for.
fn wrong(error: crate::units::UnitError) -> Wrong {
    Wrong {
        form: match error {
            crate::units::UnitError::Form { form, .. } => form.to_owned(),
            crate::units::UnitError::Range { range, .. } => format!("a value that is {range}"),
            crate::units::UnitError::NoUnit { .. } => "a size with its unit".to_owned(),
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
