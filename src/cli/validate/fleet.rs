//! A fleet that is written out while it is judged.

use std::io::{self, IsTerminal};

use super::super::config::Settings;
use super::super::failure::{Failure, say};
use super::super::output::OutputArgs;
use super::super::progress::Watch;
use super::super::width::of_result;
use super::Nothing;
use diskcap::azure::validate::{FleetValidation, Validator};
use diskcap::gate::Gate;
use diskcap::report::fleet::{FleetTable, Stream, StreamError};
use diskcap::report::{Destination, Format, RenderOptions, Report, Selection, render_document};

/// The tables that follow from the summary alone.
const OF_SUMMARY: [&str; 2] = ["summary", "costliest"];

/// How the result comes about.
pub enum Way {
    /// Written while it is judged.
    Stream(Stream),
    /// Counted while it is judged.
    Summary,
    /// Everything at once.
    Whole,
}

impl Way {
    /// The way for what is asked for. With measured results there is one VM, and all of it is shown.
    pub fn of(output: &OutputArgs, measured: bool, settings: &Settings) -> Result<Self, Failure> {
        let format = output.format(settings)?;
        let selection = Selection {
            table: output.table.clone(),
            columns: output.columns.clone(),
            sort: output.sort.clone(),
        };
        if measured {
            return match format {
                Format::Ndjson if selection == Selection::default() => Err(Nothing(
                    "--bench: a line of ndjson has no room for measured results: choose json"
                        .to_owned(),
                )
                .into()),
                _ => Ok(Self::Whole),
            };
        }
        let of_summary = |id: &str| {
            OF_SUMMARY
                .iter()
                .any(|known| known.eq_ignore_ascii_case(id))
        };
        if output.table.as_deref().is_some_and(of_summary) {
            return Ok(Self::Summary);
        }
        let stream = Stream::of(format, &selection);
        Ok(stream.map_or(Self::Whole, |stream| {
            Self::Stream(stream.header(!output.no_header))
        }))
    }
}

/// Judges and writes.
pub fn write(
    stream: &Stream,
    validator: &Validator<'_>,
    gate: &mut Gate,
    output: &OutputArgs,
    watch: &Watch,
) -> Result<(), Failure> {
    stream.check(validator)?;
    let destination = Destination::from_argument(output.output.as_deref());
    let format = stream.format();
    let out = destination.open(format)?.grow();
    let bar = watch.vms(validator.vm_count());
    let written = stream.write(validator, gate, out, |count| bar.inc(count));
    bar.finish_and_clear();
    let summary = match written {
        Ok((summary, out)) => {
            out.commit().map_err(|error| destination.refused(error))?;
            summary
        }
        // Somebody has seen enough.
        Err(error) if error.is_reader_gone() && destination == Destination::Stdout => {
            return Ok(());
        }
        Err(StreamError::Io(error)) => return Err(destination.refused(error).into()),
        Err(error) => return Err(error.into()),
    };
    if !watch.is_quiet() {
        left_out(format, output);
        sum_up(&summary)?;
    }
    Ok(())
}

/// Judges, and shows a table of the summary.
pub fn summary(
    validator: &Validator<'_>,
    gate: &mut Gate,
    output: &OutputArgs,
    settings: &Settings,
    watch: &Watch,
) -> Result<(), Failure> {
    let bar = watch.vms(validator.vm_count());
    let summary = Stream::summary(validator, gate, |count| bar.inc(count));
    bar.finish_and_clear();
    output.show(&summary, settings)
}

/// Says which tables the output does not have.
fn left_out(format: Format, output: &OutputArgs) {
    if output.table.is_some() || format == Format::Ndjson {
        return;
    }
    let others = FleetTable::ALL.iter().map(|table| table.id()).skip(1);
    let others: Vec<&str> = others.chain(OF_SUMMARY).collect();
    say(&format!(
        "note: {format} holds one table; --table also shows: {}",
        others.join(", ")
    ));
}

/// The findings by id and by money, for people, beside an output for machines.
fn sum_up(summary: &FleetValidation) -> Result<(), Failure> {
    let judged = summary.summary.vms + summary.summary.other_disks;
    if judged < 2 {
        return Ok(());
    }
    let only_summary = FleetValidation {
        problems: Vec::new(),
        ..summary.clone()
    };
    let options = RenderOptions {
        width: Some(of_result(io::stderr().is_terminal())),
        ..RenderOptions::default()
    };
    let bytes = render_document(&only_summary.document(), Format::Table, &options)?;
    say(String::from_utf8_lossy(&bytes).trim_end());
    Ok(())
}
