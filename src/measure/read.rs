//! The way in: a file, a stream or bytes, in any of the known formats and encodings.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use encoding_rs::UTF_8;
use encoding_rs_io::DecodeReaderBytesBuilder;

use super::detect::{self, Entry};
use super::error::{ParseError, ReadError};
use super::model::{Format, Run};
use super::{crystaldiskmark, csv, fio, matrix, series, text};

/// Inputs up to this size are read whole; larger ones are streamed where their format can be.
const WHOLE: usize = 8 << 20;

/// Reads every result in a file.
///
/// # Errors
/// [`ReadError`]: the file cannot be read, or holds no result in any known format.
pub fn read_path(path: &Path) -> Result<Vec<Run>, ReadError> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|source| ReadError::Io {
        name: name.clone(),
        source,
    })?;
    let metadata = file.metadata();
    if metadata.as_ref().is_ok_and(Metadata::is_dir) {
        return Err(ReadError::Folder { name });
    }
    // A pipe has a length of 0.
    let length = metadata.map_or(0, |metadata| metadata.len());
    read_sized(file, usize::try_from(length).unwrap_or(WHOLE), &name)
}

/// Reads every result in a stream; `source_name` is what errors call it.
///
/// Inputs over 8 MiB are read in bounded memory where their format allows it (fio JSON).
///
/// # Errors
/// [`ReadError`]: the stream fails, or holds no result in any known format.
pub fn read_stream(input: impl Read, source_name: &str) -> Result<Vec<Run>, ReadError> {
    read_sized(input, 0, source_name)
}

/// Reads a stream that is expected to be of `length` bytes.
fn read_sized(
    mut input: impl Read,
    length: usize,
    source_name: &str,
) -> Result<Vec<Run>, ReadError> {
    let failed = |source| ReadError::Io {
        name: source_name.to_owned(),
        source,
    };
    let mut bytes = Vec::with_capacity(length.min(WHOLE) + 1);
    let read = input.by_ref().take(WHOLE as u64).read_to_end(&mut bytes);
    let read = read.map_err(failed)?;
    if let Some(kind) = text::packed(&bytes) {
        let name = source_name.to_owned();
        return Err(ReadError::Packed { name, kind });
    }
    if read == WHOLE {
        if let Some(entry) = streamed_format(&bytes) {
            return stream_with(entry, &bytes, input, source_name);
        }
        bytes.reserve_exact(length.saturating_sub(WHOLE) + 1);
        input.read_to_end(&mut bytes).map_err(failed)?;
    }
    read_text(&into_text(bytes), source_name)
}

/// Reads every result in `bytes`; `source_name` is what errors call them.
///
/// # Errors
/// [`ReadError`]: there is no result in any known format.
pub fn read_bytes(bytes: &[u8], source_name: &str) -> Result<Vec<Run>, ReadError> {
    if let Some(kind) = text::packed(bytes) {
        let name = source_name.to_owned();
        return Err(ReadError::Packed { name, kind });
    }
    read_text(&text::decode(bytes), source_name)
}

/// Decodes without a copy where the bytes are UTF-8, and drops them where they are not.
fn into_text(bytes: Vec<u8>) -> String {
    if text::encoding_of(&bytes) != (UTF_8, 0) {
        return text::decode(&bytes).into_owned();
    }
    String::from_utf8(bytes).unwrap_or_else(|error| text::decode(error.as_bytes()).into_owned())
}

/// How much of a large input is searched for a format that can be streamed.
const HEAD: usize = 1 << 20;

/// A format of a large input that can be streamed, known by the beginning.
fn streamed_format(head: &[u8]) -> Option<&'static Entry> {
    let head = text::decode(head.get(..HEAD).unwrap_or(head));
    detect::formats_in(&head, false).find(|entry| entry.stream.is_some())
}

/// Streams `head` and what follows it in `rest` through the reader of one format.
fn stream_with(
    entry: &Entry,
    head: &[u8],
    rest: impl Read,
    source_name: &str,
) -> Result<Vec<Run>, ReadError> {
    let Some(stream) = entry.stream else {
        return Ok(Vec::new());
    };
    let (encoding, _) = text::encoding_of(head);
    let mut source = KeepError {
        inner: head.chain(rest),
        error: None,
    };
    let parsed = if encoding == UTF_8 {
        stream(&mut source)
    } else {
        let mut builder = DecodeReaderBytesBuilder::new();
        stream(&mut builder.encoding(Some(encoding)).build(&mut source))
    };
    if let Some(error) = source.error {
        return Err(ReadError::Io {
            name: source_name.to_owned(),
            source: error,
        });
    }
    parsed.map_err(|source| ReadError::Parse {
        name: source_name.to_owned(),
        format: entry.format,
        source,
    })
}

/// A reader that ends at an error and keeps it, so that parsers need not carry it.
struct KeepError<R> {
    inner: R,
    error: Option<io::Error>,
}

impl<R: Read> Read for KeepError<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.inner.read(buffer) {
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.error = Some(error);
                    return Ok(0);
                }
            }
        }
    }
}

/// Reads every result in a decoded text.
fn read_text(text: &str, source_name: &str) -> Result<Vec<Run>, ReadError> {
    let name = source_name.to_owned();
    if text
        .trim_matches(['\u{FEFF}', '\0', ' ', '\t', '\r', '\n'])
        .is_empty()
    {
        return Err(ReadError::Empty { name });
    }
    let text = &text::unquoted(text);
    match read_plain(text, source_name) {
        Err(error) => match text::without_prefix(text) {
            // Where it is no prefix of a log, the first error says what is wrong.
            Some(cut) => read_plain(&cut, source_name).map_err(|_| error),
            None => Err(error),
        },
        read => read,
    }
}

/// Reads every result in a text without marks at its lines.
fn read_plain(text: &str, source_name: &str) -> Result<Vec<Run>, ReadError> {
    let name = source_name.to_owned();
    let mut failures = Vec::new();
    for last_resort in [false, true] {
        if last_resort && series::is_over_time(text) {
            return Err(unrecognised(text, name));
        }
        let (runs, failed) = parse_all(detect::formats_in(text, last_resort), text);
        failures.extend(failed);
        if !runs.is_empty() {
            let mut runs = fio::without_repeats(runs);
            if !last_resort {
                failures.extend(free_lines(text, &mut runs));
            }
            return Ok(with_failures(runs, &failures));
        }
    }
    // What a tool says itself, or a line that is wrong, tells more than that nothing was found.
    failures.sort_by_key(|(_, error)| matches!(error, ParseError::NoResult { .. }));
    // Column names of tests tell more than what is no table of columns of disks either.
    if failures.iter().all(|(format, _)| *format == Format::Matrix)
        && let Some(source) = csv::without_figure(text)
    {
        let format = Format::Csv;
        return Err(ReadError::Parse {
            name,
            format,
            source,
        });
    }
    Err(match failures.into_iter().next() {
        Some((format, source)) => ReadError::Parse {
            name,
            format,
            source,
        },
        None => match nearly(text) {
            Some((format, source)) if series::source_of(beginning(text)).is_none() => {
                ReadError::Parse {
                    name,
                    format,
                    source,
                }
            }
            _ => unrecognised(text, name),
        },
    })
}

/// A larger text is not searched for lines that were written by hand beside a tool's.
const LARGEST_BY_HAND: usize = 1 << 20;

/// Adds what lines such as `rand read 4k qd1: 800 IOPS` tell beside CrystalDiskMark's, which people write alike; beside the
/// output of another tool they may sum it up, and are only told of. What is wrong with them is given back.
fn free_lines(text: &str, runs: &mut Vec<Run>) -> Option<(Format, ParseError)> {
    if text.len() > LARGEST_BY_HAND {
        return None;
    }
    let by_hand = match matrix::free_lines_beside(text, crystaldiskmark::is_result(text)) {
        Ok(by_hand) => by_hand,
        Err(error) => return Some((Format::Matrix, error)),
    };
    if runs.iter().all(|run| run.format == Format::CrystalDiskMark) {
        runs.extend(by_hand);
    } else if let Some(first) = runs.first_mut() {
        let names = by_hand.iter().flat_map(|run| &run.tests);
        let names: Vec<&str> = names.map(|test| test.name.as_str()).collect();
        if !names.is_empty() {
            let names = names.join(", ");
            let note = format!(
                "lines beside the tool's output tell figures too and were not read: {names}"
            );
            first.notes.push(note);
        }
    }
    None
}

/// What is wrong with a text that is of no format, but comes close to one.
fn nearly(text: &str) -> Option<(Format, ParseError)> {
    let matrix = || Some((Format::Matrix, matrix::nearly(text)?));
    csv::nearly(text)
        .map(|error| (Format::Csv, error))
        .or_else(matrix)
}

/// As much of a text as tells a log over time.
fn beginning(text: &str) -> &[u8] {
    let bytes = text.as_bytes();
    bytes.get(..1 << 16).unwrap_or(bytes)
}

/// The error for a text that is of no format: it may be a log over time.
fn unrecognised(text: &str, name: String) -> ReadError {
    let looked_for = detect::all_titles();
    match series::source_of(beginning(text)) {
        Some(kind) => ReadError::OverTime {
            name,
            kind,
            looked_for,
        },
        None if text::is_binary(text) => ReadError::Binary { name },
        None => ReadError::Unrecognised { name, looked_for },
    }
}

/// The results of every one of `entries`, and those that failed.
fn parse_all<'a>(
    entries: impl Iterator<Item = &'a Entry>,
    text: &str,
) -> (Vec<Run>, Vec<(Format, ParseError)>) {
    let mut runs = Vec::new();
    let mut failures = Vec::new();
    for entry in entries {
        match (entry.parse)(text) {
            Ok(found) => runs.extend(found),
            Err(error) => failures.push((entry.format, error)),
        }
    }
    (runs, failures)
}

/// Says in the first run's notes which other results of the same input could not be read.
fn with_failures(mut runs: Vec<Run>, failures: &[(Format, ParseError)]) -> Vec<Run> {
    let notes = failures
        .iter()
        .filter(|(_, error)| matches!(error, ParseError::Malformed { .. }))
        .map(|(format, error)| format!("{format} in the same input could not be read: {error}"));
    if let Some(first) = runs.first_mut() {
        first.notes.extend(notes);
    }
    runs
}
