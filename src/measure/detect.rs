//! Which formats are in a text: found by content, never by a file's name.

use std::io::Read;

use super::error::ParseError;
use super::model::{Format, Run};
use super::series::results::{azure_monitor, iostat_json, iostat_text, perfmon};
use super::{crystaldiskmark, csv, dd, diskspd, fio, ioping, matrix, sysbench};

/// Reads all results of one format out of a text, whatever else stands in it.
pub type Parse = fn(&str) -> Result<Vec<Run>, ParseError>;

/// As [`Parse`], from UTF-8 bytes as they come, in bounded memory.
pub type Stream = fn(&mut dyn Read) -> Result<Vec<Run>, ParseError>;

/// How one format is found and read.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The format.
    pub format: Format,
    /// Whether the format seems to be anywhere in a text; cheap.
    pub sniff: fn(&str) -> bool,
    /// Reads it from a text.
    pub parse: Parse,
    /// Reads it from a stream, for formats whose files can be larger than memory should hold.
    pub stream: Option<Stream>,
    /// Tried only where no other format gave a result: it would take other tools' output for its own.
    pub last_resort: bool,
}

/// An entry of a format that is recognised by its own marks.
const fn entry(format: Format, sniff: fn(&str) -> bool, parse: Parse) -> Entry {
    Entry {
        format,
        sniff,
        parse,
        stream: None,
        last_resort: false,
    }
}

impl Entry {
    /// The same format, as a last resort.
    const fn last(mut self) -> Self {
        self.last_resort = true;
        self
    }

    /// The same format, also read from a stream.
    const fn streamed(mut self, stream: Stream) -> Self {
        self.stream = Some(stream);
        self
    }
}

/// Every format that is read, one a line. Where several are in one file, results come in this order.
pub const FORMATS: &[Entry] = &[
    entry(
        Format::CrystalDiskMark,
        crystaldiskmark::sniff,
        crystaldiskmark::parse,
    ),
    entry(Format::FioJson, fio::json::sniff, fio::json::parse).streamed(fio::json::parse_stream),
    entry(Format::FioText, fio::text::sniff, fio::text::parse),
    entry(Format::FioTerse, fio::terse::sniff, fio::terse::parse),
    entry(
        Format::DiskspdText,
        diskspd::text::sniff,
        diskspd::text::parse,
    ),
    entry(Format::DiskspdXml, diskspd::xml::sniff, diskspd::xml::parse),
    entry(Format::Sysbench, sysbench::sniff, sysbench::parse),
    entry(Format::Ioping, ioping::sniff, ioping::parse),
    entry(Format::Dd, dd::sniff, dd::parse),
    entry(Format::IostatText, iostat_text::sniff, iostat_text::parse)
        .streamed(iostat_text::parse_stream),
    entry(Format::IostatJson, iostat_json::sniff, iostat_json::parse)
        .streamed(iostat_json::parse_stream),
    entry(Format::Perfmon, perfmon::sniff, perfmon::parse).streamed(perfmon::parse_stream),
    entry(
        Format::AzureMonitor,
        azure_monitor::sniff,
        azure_monitor::parse,
    )
    .streamed(azure_monitor::parse_stream),
    entry(Format::Csv, csv::sniff, csv::parse).last(),
    entry(Format::Matrix, matrix::sniff, matrix::parse).last(),
];

/// The formats that `text` seems to hold, of those that are last resorts or of those that are not.
pub fn formats_in(text: &str, last_resort: bool) -> impl Iterator<Item = &'static Entry> {
    FORMATS
        .iter()
        .filter(move |entry| entry.last_resort == last_resort && (entry.sniff)(text))
}

/// The names of all formats, for an error message.
#[must_use]
pub fn all_titles() -> String {
    let titles: Vec<&str> = FORMATS.iter().map(|entry| entry.format.title()).collect();
    titles.join(", ")
}
