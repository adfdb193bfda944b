//! Azure Monitor metrics: the answer for one resource (`value`, `timeseries`, `data`), the batch answer for several
//! (`values`), what the CLI and PowerShell print of them, and the events that Metricbeat stores.
//!
//! A document is not kept, but the values of its metrics are: 24 bytes each, until they can be put together.

mod collect;
mod metric;
mod point;
mod walk;

use std::io::BufReader;

use serde::de::DeserializeSeed;

use super::error::SeriesError;
use super::log::{Input, Log, io_error, too_many};
use super::model::Source;
use super::notice::Notice;
use collect::Collector;

/// What metrics look like, for the message that there are none.
const LOOKED_FOR: &str = "`timeseries` of metrics such as `Data Disk Read Operations/Sec` with `average` values, or \
                          Metricbeat's `azure.compute_vm`";

/// How many lines of something else may come before.
const PREAMBLE: usize = 50;

/// Reads metrics: one JSON document, several, or one a line.
pub(super) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let name = input.name;
    let mut collector = Collector::default();
    let mut ended = None;
    let mut documents = 0_u32;
    let mut lines = input.lines;
    lines
        .skip_to(b"{[", PREAMBLE)
        .map_err(|e| io_error(name, e))?;
    let before = lines.line_number();
    let bytes = BufReader::with_capacity(64 << 10, lines);
    let mut deserializer = serde_json::Deserializer::from_reader(bytes);
    while ended.is_none() {
        match walk::Document::new(&mut collector).deserialize(&mut deserializer) {
            Ok(()) => documents += 1,
            Err(e) if e.is_io() => return Err(io_error(name, e.into())),
            Err(e) if e.is_eof() => ended = Some(Notice::CutShort),
            // Text behind a document is no part of it.
            Err(e) if documents > 0 => {
                ended = Some(Notice::MalformedLines {
                    count: 1,
                    first: before + e.line() as u64,
                });
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
            break;
        }
    }
    let (mut log, wanted) = collector.finish(input.options).map_err(too_many(name))?;
    log.notices.extend(ended);
    if log.disks.is_empty()
        && let Some(missing) = wanted.none_there(name, input.options)
    {
        return Err(missing);
    }
    log.checked(name, Source::AzureMonitor, LOOKED_FOR)
}

/// Whether the text looks like Azure Monitor's or Metricbeat's.
pub(super) fn sniff(text: &str) -> bool {
    let any = |names: &[&str]| names.iter().any(|name| text.contains(name));
    // The API, then PowerShell.
    let series = any(&["\"timeseries\"", "\"Timeseries\""]);
    let points = any(&["\"timeStamp\"", "\"TimeStamp\"", "\"metadatavalues\""]);
    series && points || any(&["\"compute_vm\"", "\"compute_vm_scaleset\""])
}
