//! Azure Monitor metrics: the answer for one resource (`value`, `timeseries`, `data`), the batch answer for several
//! (`values`), what the CLI and PowerShell print of them, and the events that Metricbeat stores.
//!
//! The metrics are put together in memory: at a sample a minute a month of a VM is some megabytes.

mod collect;
mod metric;
mod walk;

use std::io::BufReader;

use serde_json::Value;

use super::error::SeriesError;
use super::log::{Input, Log, io_error, too_many};
use super::model::Source;
use super::notice::Notice;
use collect::Collector;

/// What metrics look like, for the message that there are none.
const LOOKED_FOR: &str = "`timeseries` of metrics such as `Data Disk Read Operations/Sec` with `average` values, or \
                          Metricbeat's `azure.compute_vm`";

/// Reads metrics: one JSON document, several, or one a line.
pub(super) fn read(input: Input<'_>) -> Result<Log, SeriesError> {
    let name = input.name;
    let mut collector = Collector::default();
    let mut cut = false;
    let bytes = BufReader::with_capacity(64 << 10, input.lines);
    for document in serde_json::Deserializer::from_reader(bytes).into_iter::<Value>() {
        match document {
            Ok(document) => walk::document(&document, &mut collector),
            Err(e) if e.is_eof() => cut = true,
            Err(e) if e.is_io() => return Err(io_error(name, e.into())),
            Err(e) => {
                return Err(SeriesError::Malformed {
                    name: name.to_owned(),
                    line: e.line() as u64,
                    what: format!("{e}: JSON of Azure Monitor or Metricbeat is wanted"),
                });
            }
        }
    }
    let (mut log, wanted) = collector.finish(input.options).map_err(too_many(name))?;
    if cut {
        log.notices.push(Notice::CutShort);
    }
    if log.disks.is_empty()
        && let Some(missing) = wanted.none_there(name, input.options)
    {
        return Err(missing);
    }
    log.checked(name, Source::AzureMonitor, LOOKED_FOR)
}

/// Whether the text looks like Azure Monitor's or Metricbeat's.
pub(super) fn sniff(text: &str) -> bool {
    let start = text.trim_start();
    if !start.starts_with(['{', '[']) {
        return false;
    }
    let lower = start.to_ascii_lowercase();
    let metrics = lower.contains("\"timeseries\"")
        && (lower.contains("\"metadatavalues\"") || lower.contains("\"timestamp\""));
    metrics || lower.contains("\"compute_vm")
}
