//! fio's terse lines (`--minimal`, `--output-format=terse`), version 2 to 5.
//!
//! A line is one job: version, fio version (from terse 3 on), name, group, error; then for reads and writes, and in
//! version 2, 4 and 5 for trims, a block of KiB, KiB/s, IOPS, run time (ms), submission and completion latency (us: min,
//! max, mean, deviation), percentiles, total latency and bandwidth samples; CPU, queue depths and latency shares; last
//! the disks' statistics, where fio ran on the machine itself. The block of a direction is found by its percentiles, so
//! that versions with more or fewer fields in it are read too.

use super::options::Direction;
use super::report::{Between, Job, Report, mean_block};
use super::stats::cut_off;
use super::version;
use crate::measure::allowance::Allowance;
use crate::measure::error::ParseError;
use crate::measure::model::{Format, LatencyStats, Percentile, Run, Test};
use crate::units::{Iops, KIB, Latency, MBps};

const LOOKED_FOR: &str = "a line such as `3;fio-3.36;name;0;0;...` with fio's 80 fields or more";

/// Fields of a line with two directions and nothing behind the latency shares.
const FEWEST_FIELDS: usize = 80;

/// Percentiles of a direction; unused ones are `0%=0`.
const PERCENTILES: usize = 20;

/// Bandwidth fields of a direction; version 5 adds sample counts and IOPS.
const BANDWIDTH_FIELDS: usize = 5;
const BANDWIDTH_FIELDS_5: usize = 11;

/// Fields in front of the percentiles at most.
const LEADING_FIELDS: usize = 12;

/// Fields behind the directions: CPU, queue depths, latency shares.
const CPU_FIELDS: usize = 5;
const DEPTH_FIELDS: usize = 7;
const SHARE_FIELDS: usize = 22;

/// Whether `text` has a terse line.
#[must_use]
pub fn sniff(text: &str) -> bool {
    text.lines().any(|line| Head::read(line).is_some())
}

/// Reads every terse line in `text`; lines of one fio call make one run.
///
/// # Errors
/// [`ParseError`]: there is no line with I/O, or one that breaks off.
pub fn parse(text: &str) -> Result<Vec<Run>, ParseError> {
    let mut reports: Vec<(Report, Line)> = Vec::new();
    let mut malformed = None;
    let mut allowance = Allowance::of(text.len());
    for (number, text) in (1..).zip(text.lines()) {
        let Some(head) = Head::read(text) else {
            continue;
        };
        let Some(mut line) = Line::read(head) else {
            let what = "a terse line breaks off or is of an unknown layout".to_owned();
            malformed.get_or_insert(ParseError::Malformed { line: number, what });
            continue;
        };
        let results = std::mem::take(&mut line.results);
        let mut job = line.job();
        match reports.last_mut().filter(|(_, last)| line.same_call(last)) {
            Some((report, last)) => {
                report.push(job, results, &mut allowance);
                *last = line;
            }
            None => {
                // Only the disks' figures tell whether lines are of one call, and so of one group.
                job.group = job.group.filter(|_| !line.disks.is_empty());
                let mut report = Report {
                    version: line.version.clone(),
                    ..Report::default()
                };
                report.push(job, results, &mut allowance);
                reports.push((report, line));
            }
        }
    }
    let runs: Vec<Run> = reports
        .into_iter()
        .filter(|(report, _)| !report.is_empty())
        .flat_map(|(report, _)| report.into_runs(Format::FioTerse))
        .collect();
    if runs.is_empty() {
        let looked_for = LOOKED_FOR;
        return Err(malformed.unwrap_or(ParseError::NoResult { looked_for }));
    }
    Ok(runs)
}

/// The fields of a line that looks terse.
struct Head<'a> {
    /// The version of the layout, 2 to 5.
    layout: u8,
    version: Option<String>,
    name: &'a str,
    group: i64,
    error: i64,
    /// What follows the error code.
    fields: Vec<&'a str>,
}

impl<'a> Head<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let line = line.trim();
        let (layout, _) = line.split_once(';')?;
        let layout = layout
            .parse()
            .ok()
            .filter(|layout| (2..=5).contains(layout))?;
        let mut fields: Vec<&str> = line.split(';').collect();
        if fields.len() < FEWEST_FIELDS {
            return None;
        }
        let version = fields
            .get(1)
            .and_then(|field| version(field).or_else(|| bare(field)));
        let start = if version.is_some() { 2 } else { 1 };
        let (name, group, error) = (
            *fields.get(start)?,
            *fields.get(start + 1)?,
            *fields.get(start + 2)?,
        );
        Some(Self {
            layout,
            version,
            name,
            group: group.parse().ok()?,
            error: error.parse().ok()?,
            fields: fields.split_off(start + 3),
        })
    }
}

/// The version that old fio writes without its name: `2.0.8`.
fn bare(field: &str) -> Option<String> {
    let parts = field.split('.');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (parts.clone().count() > 1 && parts.clone().all(digits)).then(|| field.to_owned())
}

/// A terse line.
struct Line {
    version: Option<String>,
    name: String,
    group: i64,
    error: i64,
    results: Vec<(Direction, Test)>,
    one_at_a_time: bool,
    /// The disks' statistics as printed; the same for all lines of one call.
    disks: String,
}

impl Line {
    fn read(head: Head<'_>) -> Option<Self> {
        let mut rest = head.fields.as_slice();
        let mut blocks = Vec::new();
        while rest
            .iter()
            .take(LEADING_FIELDS + 1)
            .any(|field| field.contains("%="))
        {
            let (test, after) = block(rest, head.layout)?;
            blocks.push(test);
            rest = after;
        }
        // A single block is of all directions together (`unified_rw_reporting`).
        let directions = match blocks.len() {
            1 => [Direction::Mixed].as_slice(),
            _ => Direction::ALL.as_slice(),
        };
        let results = directions.iter().copied().zip(blocks);
        let depths = rest.get(CPU_FIELDS..CPU_FIELDS + DEPTH_FIELDS)?;
        let disks = rest.get(CPU_FIELDS + DEPTH_FIELDS + SHARE_FIELDS..)?;
        Some(Self {
            version: head.version,
            name: head.name.to_owned(),
            group: head.group,
            error: head.error,
            results: results
                .filter_map(|(direction, test)| Some((direction, test?)))
                .collect(),
            one_at_a_time: depths.first() == Some(&"100.0%"),
            disks: disks.join(";"),
        })
    }

    fn job(&self) -> Job {
        Job {
            name: self.name.clone(),
            group: Some(self.group).filter(|_| !self.disks.is_empty()),
            error: self.error,
            one_at_a_time: self.one_at_a_time,
            ..Job::default()
        }
    }

    /// Whether this line was printed by the same fio call as the one before it.
    fn same_call(&self, before: &Self) -> bool {
        self.version == before.version
            && self.disks == before.disks
            && (!self.disks.is_empty() || self.name != before.name)
    }
}

/// Reads one direction off the front: its result, if it had I/O, and the fields behind it.
fn block<'a, 'b>(fields: &'b [&'a str], layout: u8) -> Option<(Option<Test>, &'b [&'a str])> {
    const LATENCY: usize = 4;
    let percentiles = fields.iter().position(|field| field.contains("%="))?;
    // In front of the percentiles: rates and run time, submission latency, completion latency.
    let rates = fields.get(..percentiles.checked_sub(2 * LATENCY)?)?;
    let clat = fields.get(percentiles - LATENCY..percentiles)?;
    let total = percentiles + PERCENTILES;
    let list = fields.get(percentiles..total)?;
    let lat = fields.get(total..total + LATENCY)?;
    let bandwidth = if layout == 5 {
        BANDWIDTH_FIELDS_5
    } else {
        BANDWIDTH_FIELDS
    };
    let test = result(rates, lat, clat, list);
    Some((test, fields.get(total + LATENCY + bandwidth..)?))
}

/// The result of one direction; `None` where it had no I/O. `rates` are KiB, KiB/s, IOPS (from terse 3 on) and ms.
fn result(rates: &[&str], lat: &[&str], clat: &[&str], percentiles: &[&str]) -> Option<Test> {
    let number = |field: &&str| {
        field
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite())
    };
    let rates: Vec<f64> = rates.iter().filter_map(number).collect();
    let (kib, rate, iops, ms) = match rates.as_slice() {
        [kib, rate, iops, ms] => (*kib, *rate, Some(*iops), *ms),
        [kib, rate, ms] => (*kib, *rate, None, *ms),
        _ => return None,
    };
    if kib <= 0.0 && iops.unwrap_or(0.0) <= 0.0 {
        return None;
    }
    let seconds = (ms > 0.0).then_some(ms / 1e3);
    let bytes = Between {
        low: kib * KIB as f64,
        high: (kib + 1.0) * KIB as f64,
    };
    let ios = iops
        .zip(seconds)
        .map(|(iops, seconds)| cut_off(iops, seconds));
    let mut test = Test {
        iops: iops.and_then(|iops| Iops::new(iops).ok()),
        mbps: MBps::from_bytes_per_s(rate * KIB as f64).ok(),
        latency: stats(lat)
            .or_else(|| stats(clat))
            .map(|stats| LatencyStats {
                percentiles: percentiles
                    .iter()
                    .filter_map(|field| percentile(field))
                    .collect(),
                ..stats
            }),
        seconds,
        ..Test::default()
    };
    test.kind.block_size = ios.and_then(|ios| mean_block(bytes, ios));
    Some(test)
}

/// Least, most and mean of a latency in microseconds; `None` where it was not measured.
fn stats(fields: &[&str]) -> Option<LatencyStats> {
    let micros = |at: usize| {
        let value = fields.get(at)?.trim().parse::<f64>().ok()?;
        Latency::from_micros(value).ok()
    };
    let mean = micros(2).filter(|mean| mean.micros() > 0.0)?;
    Some(LatencyStats {
        mean: Some(mean),
        min: micros(0),
        max: micros(1),
        percentiles: Vec::new(),
    })
}

/// `99.000000%=6400`; the unused `0%=0` is none.
fn percentile(field: &str) -> Option<Percentile> {
    let (percent, micros) = field.split_once("%=")?;
    let percent = percent.trim().parse::<f64>().ok()?;
    let latency = Latency::from_micros(micros.trim().parse().ok()?).ok()?;
    (percent > 0.0 && percent <= 100.0).then_some(Percentile { percent, latency })
}
