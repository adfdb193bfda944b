//! Which kind of log the first bytes of an input are.

use std::borrow::Cow;

use super::model::Source;
use super::{azmon, fio_log, iostat, perfmon, plain_csv};

/// Whether a head is of one kind.
type Sniff = fn(&str) -> bool;

/// The kind of log by its head; `None` where it is none of them.
#[must_use]
pub fn source_of(head: &[u8]) -> Option<Source> {
    if fio_log::sniff(head) {
        return Some(Source::FioLog);
    }
    let text: Cow<'_, str> = String::from_utf8_lossy(head);
    let kinds: [(Source, Sniff); 5] = [
        (Source::Perfmon, perfmon::sniff),
        (Source::IostatJson, iostat::json::sniff),
        (Source::AzureMonitor, azmon::sniff),
        (Source::Csv, plain_csv::sniff),
        (Source::IostatText, iostat::text::sniff),
    ];
    kinds
        .into_iter()
        .find_map(|(source, sniff)| sniff(&text).then_some(source))
}
