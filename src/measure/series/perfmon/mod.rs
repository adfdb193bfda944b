//! PerfMon, typeperf and relog CSV (`(PDH-CSV 4.0)`): the counters of physical and logical disks.

mod counter;
mod fields;
mod path;
mod plan;

use fields::Fields;
use plan::Plan;

use super::builder::SeriesBuilder;
use super::clock::{Clock, read_stamp};
use super::error::SeriesError;
use super::lines::Lines;
use super::log::{Input, Log, Skipped, io_error, too_many};
use super::model::Source;
use super::row::Row;
use crate::measure::local_number::Marks;

/// What a log looks like, for the message that there is none.
const LOOKED_FOR: &str = "`\"(PDH-CSV 4.0)\"` with counters such as `\\\\HOST\\PhysicalDisk(0 C:)\\Disk Reads/sec`, \
                          and rows below";
/// What the head of a log begins with.
const HEAD: &str = "(PDH-";
/// How many lines may come before the head.
const PREAMBLE: usize = 50;

/// Reads a log.
pub(super) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let Input {
        name,
        mut lines,
        options,
    } = input;
    let head = head(name, &mut lines)?;
    let mut builder = SeriesBuilder::new(Source::Perfmon);
    let mut plan = Plan::of(&head, options, &mut builder).map_err(too_many(name))?;
    let marks = marks(&mut lines, delimiter(&head)).map_err(|e| io_error(name, e))?;
    let mut rows: Vec<Row> = Vec::new();
    let mut clock = Clock::new(options.interval_ms.unwrap_or(0));
    let mut skipped = Skipped::default();
    loop {
        let number = lines.line_number() + 1;
        let Some(line) = lines.next_line().map_err(|e| io_error(name, e))? else {
            break;
        };
        let mut fields = Fields::of(line, marks);
        let first = fields.next().unwrap_or_default();
        if first.starts_with(HEAD.as_bytes()) {
            plan = Plan::of(&text(line), options, &mut builder).map_err(too_many(name))?;
            continue;
        }
        let stamp = std::str::from_utf8(first)
            .ok()
            .and_then(|text| read_stamp(text, plan.offset));
        if stamp.is_none() {
            if !line.trim_ascii().is_empty() {
                skipped.at(number);
            }
            continue;
        }
        let tick = clock.tick(stamp);
        let blank = Row {
            end_ms: tick.end_ms,
            length_ms: tick.length_ms,
            ..Row::default()
        };
        rows.clear();
        rows.resize(plan.places.len(), blank);
        if !fill(&mut rows, fields, &plan) {
            skipped.at(number);
        }
        for (place, row) in plan.places.iter().zip(&rows) {
            builder.push(*place, *row);
        }
    }
    finish(name, builder, &plan, &clock, skipped, options)
}

/// What the first rows show of how numbers are written.
fn marks(lines: &mut Lines<'_>, delimiter: u8) -> std::io::Result<Marks> {
    let unseen = Marks::new(delimiter);
    let mut marks = unseen;
    for line in lines.peek()?.split(|byte| *byte == b'\n') {
        let figures = Fields::of(line.trim_ascii_end(), unseen).skip(1);
        figures
            .filter_map(|field| std::str::from_utf8(field).ok())
            .for_each(|field| marks.see(field));
    }
    Ok(marks)
}

/// Puts the figures of one line into the rows of its disks; whether all that is there was understood.
fn fill(rows: &mut [Row], mut fields: Fields<'_>, plan: &Plan) -> bool {
    for column in &plan.columns {
        let Some((disk, counter)) = column else {
            if fields.next().is_none() {
                break;
            }
            continue;
        };
        let Some(figure) = fields.next_figure() else {
            break;
        };
        if let Some(figure) = figure
            && let Some(row) = rows.get_mut(*disk)
        {
            counter.put(figure, row);
        }
    }
    !fields.is_unclear()
}

fn finish(
    name: &str,
    builder: SeriesBuilder,
    plan: &Plan,
    clock: &Clock,
    skipped: Skipped,
    options: &super::ReadOptions,
) -> Result<Log, SeriesError> {
    if plan.places.is_empty()
        && let Some(missing) = plan.wanted.none_there(name, options)
    {
        return Err(missing);
    }
    let (disks, mut notices) = builder.finish(clock.start);
    notices.extend(plan.notices.iter().cloned());
    notices.extend(clock.notices());
    Log {
        disks,
        notices,
        ..Log::default()
    }
    .with_skipped(skipped)
    .checked(name, Source::Perfmon, LOOKED_FOR)
}

/// The line of the counters' names.
fn head(name: &str, lines: &mut Lines<'_>) -> Result<String, SeriesError> {
    for _ in 0..PREAMBLE {
        match lines.next_line().map_err(|e| io_error(name, e))? {
            Some(line) => {
                let line = text(line);
                if line.contains(HEAD) {
                    return Ok(line);
                }
            }
            None => break,
        }
    }
    Err(SeriesError::NoSamples {
        name: name.to_owned(),
        format: Source::Perfmon,
        looked_for: LOOKED_FOR,
        instead: None,
    })
}

/// The character between two columns: that behind the first one.
fn delimiter(head: &str) -> u8 {
    let behind = head
        .split_once(HEAD)
        .and_then(|(_, rest)| rest.split_once('"'))
        .and_then(|(_, rest)| rest.bytes().next());
    match behind {
        Some(byte @ (b',' | b';' | b'\t')) => byte,
        _ if head.contains("PDH-TSV") => b'\t',
        _ => b',',
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether the text looks like a PerfMon log.
pub(super) fn sniff(text: &str) -> bool {
    text.lines()
        .take(PREAMBLE)
        .any(|line| line.contains("(PDH-CSV") || line.contains("(PDH-TSV"))
}
