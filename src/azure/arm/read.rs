//! Reads what people saved: JSON, NDJSON and Resource Graph CSV, in any encoding that shells write.
//!
//! Documents are read as a stream, so that a file may be larger than memory. A file, or a line of an NDJSON file, that
//! cannot be read is a problem beside the facts and does not hide the others.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::DecodeReaderBytesBuilder;

use super::garbled::Watched;
use super::loose::excerpt;
use super::table::{Dialect, dialect, read_table};
use super::text::{opens, opens_line, read_documents, without_hard_spaces};
use super::walk::walk;
use crate::azure::facts::collector::Collector;
use crate::azure::facts::fleet::FleetFacts;
use crate::azure::facts::problem::Problem;
use crate::measure::text::is_binary;

/// How much of a source is looked at to tell what it is.
const SNIFF: u64 = 64 * 1024;

/// Sources up to this size are held in memory, so that text around their documents can be passed over: a person saved
/// them from a terminal or a page. Larger ones are streamed.
const HELD: u64 = 4 * 1024 * 1024;

/// Reads one source, such as standard input, under the name `source`.
pub fn read_stream(input: impl Read, source: Arc<str>, facts: &mut FleetFacts) {
    let mut collector = facts.collector(source);
    let outcome = read_any(input, &mut collector);
    if let Err(error) = outcome {
        let reason = error.to_string();
        collector.problem(None, Problem::Unreadable { reason });
    }
    collector.finish();
}

/// What a source turns out to be.
#[derive(Debug, PartialEq, Eq)]
enum Format {
    Empty,
    /// One JSON document, or several one after another.
    Json,
    /// One JSON value a line.
    JsonLines,
    /// JSON after so many lines of text.
    JsonAfter {
        lines: usize,
    },
    Table(Dialect),
    /// A single value: JSON, but neither list nor object.
    BareValue {
        value: String,
    },
    Other {
        looks: String,
    },
}

fn read_any(mut input: impl Read, collector: &mut Collector<'_>) -> io::Result<()> {
    let mut head = Vec::new();
    input.by_ref().take(SNIFF).read_to_end(&mut head)?;
    if let Some(looks) = binary(&head) {
        let looks = looks.to_owned();
        collector.problem(None, Problem::NotJson { looks });
        return Ok(());
    }
    let encoding = encoding_of(&head);
    let bytes = Cursor::new(head).chain(input);
    let decoded = DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding))
        .bom_override(true)
        .build(bytes);
    let mut text = Watched::new(decoded);
    read_text(&mut text, collector)?;
    if let Some(line) = text.line() {
        collector.problem(Some(line), Problem::Garbled);
    }
    Ok(())
}

/// Reads text, whatever it holds.
fn read_text(mut text: impl Read, collector: &mut Collector<'_>) -> io::Result<()> {
    let mut head = Vec::new();
    text.by_ref().take(HELD).read_to_end(&mut head)?;
    let whole = (head.len() as u64) < HELD;
    let format = format_of(&head[..head.len().min(SNIFF as usize)], whole);
    if whole && matches!(format, Format::Json | Format::JsonAfter { .. }) {
        read_documents(&without_hard_spaces(head), collector);
        return Ok(());
    }
    let reader = BufReader::with_capacity(SNIFF as usize, Cursor::new(head).chain(text));
    match format {
        Format::Empty => collector.problem(None, Problem::Empty),
        Format::BareValue { value } => collector.problem(None, Problem::BareValue { value }),
        Format::Other { looks } => collector.problem(None, Problem::NotJson { looks }),
        Format::Json => read_document(reader, 0, collector),
        Format::JsonAfter { lines } => {
            collector.problem(None, Problem::TextAround { lines });
            let mut reader = reader;
            let mut skipped = Vec::new();
            for _ in 0..lines {
                skipped.clear();
                reader.read_until(b'\n', &mut skipped)?;
            }
            read_document(reader, lines, collector);
        }
        Format::JsonLines => read_lines(reader, collector)?,
        Format::Table(dialect) => read_table(reader, dialect, collector)?,
    }
    Ok(())
}

/// What a file that is no text is, by its first bytes.
fn binary(head: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 8] = [
        (b"\x1f\x8b", "a gzip file: unpack it first (`gunzip`)"),
        (b"PK\x03\x04", "a ZIP archive or an Excel workbook"),
        (b"BZh", "a bzip2 file: unpack it first"),
        (b"\xfd7zXZ\0", "an xz file: unpack it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd file: unpack it first"),
        (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: unpack it first"),
        (b"PAR1", "a Parquet file"),
        (b"%PDF-", "a PDF"),
    ];
    let is = |(magic, _): &&(&[u8], &str)| head.starts_with(magic);
    known.iter().find(is).map(|(_, looks)| *looks)
}

/// The encoding, where no byte order mark says it: UTF-16 shows by the zero bytes of its ASCII characters.
pub(super) fn encoding_of(head: &[u8]) -> &'static Encoding {
    match head {
        [0, second, ..] if *second != 0 => UTF_16BE,
        [first, 0, ..] if *first != 0 => UTF_16LE,
        _ => UTF_8,
    }
}

fn format_of(head: &[u8], whole: bool) -> Format {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches(['\u{feff}', '\0']);
    let trimmed = text.trim_start();
    if let Some(dialect) = dialect(trimmed) {
        return Format::Table(dialect);
    }
    match trimmed.chars().next() {
        None => Format::Empty,
        Some('{') if first_line_is_complete(trimmed, whole) => Format::JsonLines,
        Some(_) if opens(trimmed.as_bytes()) => Format::Json,
        Some('<') => Format::Other {
            looks: looks_of(trimmed.as_bytes()),
        },
        Some(_) => match json_start(text) {
            Some(lines) => Format::JsonAfter { lines },
            None if whole && is_json(trimmed) => Format::BareValue {
                value: excerpt(trimmed.trim_end()),
            },
            None => Format::Other {
                looks: looks_of(trimmed.as_bytes()),
            },
        },
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether the first line is a JSON value of its own and another follows.
fn first_line_is_complete(text: &str, whole: bool) -> bool {
    let Some((line, rest)) = text.split_once('\n') else {
        return false;
    };
    (!whole || rest.trim_start().starts_with('{')) && is_json(line)
}

/// What a body that is no answer of the service looks like, for a message.
pub(crate) fn looks_of(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match text.trim_start() {
        "" => "an empty answer".to_owned(),
        text if text.starts_with('<') => markup_title(text),
        text if is_binary(text) => "binary data".to_owned(),
        text => format!(
            "text ('{}')",
            excerpt(text.lines().next().unwrap_or_default())
        ),
    }
}

/// What an HTML or XML page says it is.
fn markup_title(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|start| {
        let start = start + "<title>".len();
        let end = lower.get(start..)?.find('<')?;
        text.get(start..start + end)
    });
    match title {
        Some(title) => format!("a web page titled '{}'", excerpt(title)),
        None => "a web page or XML".to_owned(),
    }
}

/// How many lines stand before the first that starts a JSON document.
fn json_start(text: &str) -> Option<usize> {
    text.lines().position(|line| opens_line(line.as_bytes()))
}

/// Reads JSON documents, one after another, until the end or the first fault.
fn read_document(reader: impl Read, lines_before: usize, collector: &mut Collector<'_>) {
    let mut json = serde_json::Deserializer::from_reader(reader);
    loop {
        if let Err(error) = walk(&mut json, collector) {
            collector.problem(Some(lines_before + error.line()), json_problem(&error));
            return;
        }
        if json.end().is_ok() {
            return;
        }
    }
}

/// Reads one JSON value a line; a faulty line is named and the others are read.
fn read_lines(mut reader: impl BufRead, collector: &mut Collector<'_>) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let mut json = serde_json::Deserializer::from_slice(&line);
        let outcome = walk(&mut json, collector).and_then(|()| json.end());
        if let Err(error) = outcome {
            collector.problem(Some(number), json_problem(&error));
        }
    }
    Ok(())
}

pub(super) fn json_problem(error: &serde_json::Error) -> Problem {
    use serde_json::error::Category;
    match error.classify() {
        Category::Eof => Problem::Truncated,
        Category::Io => Problem::Unreadable {
            reason: error.to_string(),
        },
        Category::Syntax | Category::Data => Problem::Malformed {
            reason: format!("{} (column {})", reason_of(error), error.column()),
        },
    }
}

/// The reader's words without the place, which is told apart.
pub(crate) fn reason_of(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}
