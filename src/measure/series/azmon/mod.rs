//! Azure Monitor metrics: the answer for one resource (`value`, `timeseries`, `data`), the batch answer for several
//! (`values`), what the CLI and PowerShell print of them, and the events that Metricbeat stores.
//!
//! A document is not kept, but the values of its metrics are: 24 bytes each, until they can be put together.

mod collect;
mod head;
mod metric;
mod point;
mod resource;
mod walk;

use std::io::{BufReader, Read};

use serde::de::DeserializeSeed;

use super::error::SeriesError;
use super::lines::Lines;
use super::log::{Input, Log, io_error, too_many};
use super::model::Source;
use super::notice::Notice;
use collect::Collector;
pub(crate) use head::{Head, Sink};
#[cfg(test)]
pub(crate) use metric::meaning;
pub(crate) use metric::{Measure, Scope, Way};
pub(crate) use point::Point;
pub(crate) use resource::Named;

/// What metrics look like, for the message that there are none.
const LOOKED_FOR: &str = "`timeseries` of metrics such as `Data Disk Read Operations/Sec` with `average` values, or \
                          Metricbeat's `azure.compute_vm`";

/// How many lines of something else may come before.
const PREAMBLE: usize = 50;

/// Reads metrics: one JSON document, several, or one a line.
pub(super) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let name = input.name;
    let mut collector = Collector::default();
    let ended = documents(name, input.lines, &mut collector)?;
    let (mut log, wanted) = collector.finish(input.options).map_err(too_many(name))?;
    log.notices.extend(ended);
    if log.disks.is_empty()
        && let Some(missing) = wanted.none_there(name, input.options)
    {
        return Err(missing);
    }
    log.checked(name, Source::AzureMonitor, LOOKED_FOR)
}

/// Hands every series of one JSON document, of several, or of one a line to `sink`, for other models of the same
/// metrics. The notice tells of an end that is none.
pub(crate) fn series_of(
    name: &str,
    bytes: impl Read,
    sink: &mut dyn Sink,
) -> Result<Option<Notice>, SeriesError> {
    let lines = Lines::new(bytes).map_err(|e| io_error(name, e))?;
    documents(name, lines, sink)
}

fn documents(
    name: &str,
    mut lines: Lines<'_>,
    sink: &mut dyn Sink,
) -> Result<Option<Notice>, SeriesError> {
    let mut documents = 0_u32;
    lines
        .skip_to(b"{[", PREAMBLE)
        .map_err(|e| io_error(name, e))?;
    let before = lines.line_number();
    let bytes = BufReader::with_capacity(64 << 10, lines);
    let mut deserializer = serde_json::Deserializer::from_reader(bytes);
    loop {
        match walk::Document::new(sink).deserialize(&mut deserializer) {
            Ok(()) => documents += 1,
            Err(e) if e.is_io() => return Err(io_error(name, e.into())),
            Err(e) if e.is_eof() => return Ok(Some(Notice::CutShort)),
            // Text behind a document is no part of it.
            Err(e) if documents > 0 => {
                return Ok(Some(Notice::MalformedLines {
                    count: 1,
                    first: before + e.line() as u64,
                }));
            }
            Err(e) => {
                return Err(SeriesError::Malformed {
                    name: name.to_owned(),
                    line: before + e.line() as u64,
                    what: format!("{e}: JSON of Azure Monitor or Metricbeat is wanted"),
                });
            }
        }
        if deserializer.end().is_ok() {
            return Ok(None);
        }
    }
}

/// Whether the text looks like Azure Monitor's or Metricbeat's.
pub(super) fn sniff(text: &str) -> bool {
    let any = |names: &[&str]| names.iter().any(|name| text.contains(name));
    // The API, then PowerShell.
    let series = any(&["\"timeseries\"", "\"Timeseries\""]);
    let points = any(&["\"timeStamp\"", "\"TimeStamp\"", "\"metadatavalues\""]);
    series && points || any(&["\"compute_vm\"", "\"compute_vm_scaleset\""])
}
