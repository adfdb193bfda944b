//! JSON as it lies in what people save: alone, several documents one after another, or between the prompts, warnings
//! and fences of a terminal or a page.

use super::read::json_problem;
use super::walk::walk;
use crate::azure::facts::collector::Collector;
use crate::azure::facts::problem::Problem;

/// Reads every JSON document of `text` and passes over the lines around them. Ends at the first document that is
/// malformed or cut off.
pub(super) fn read_documents(text: &[u8], collector: &mut Collector<'_>) {
    let mut at = 0;
    let mut lines_around = 0;
    loop {
        let (start, lines) = next_document(text, at);
        lines_around += lines;
        let Some(start) = start else {
            break;
        };
        let mut json = serde_json::Deserializer::from_slice(&text[start..]);
        if let Err(error) = walk(&mut json, collector) {
            let line = count_lines(&text[..start]) + error.line();
            collector.problem(Some(line), json_problem(&error));
            break;
        }
        at = start + json.into_iter::<serde::de::IgnoredAny>().byte_offset();
    }
    if lines_around > 0 {
        let lines = lines_around;
        collector.problem(None, Problem::TextAround { lines });
    }
}

/// The text with plain spaces where a web page had hard ones (U+00A0), which JSON does not take between its values.
pub(super) fn without_hard_spaces(mut text: Vec<u8>) -> Vec<u8> {
    let hard: Vec<usize> = memchr::memmem::find_iter(&text, "\u{a0}").collect();
    for at in hard {
        text[at..at + 2].fill(b' ');
    }
    text
}

/// Where the next document starts, and how many lines of text lie before it, or before the end where there is none.
fn next_document(text: &[u8], from: usize) -> (Option<usize>, usize) {
    let rest = &text[from..];
    let blank = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let here = &rest[blank..];
    if here.is_empty() {
        return (None, 0);
    }
    if opens(here) {
        return (Some(from + blank), 0);
    }
    let mut lines = 0;
    let mut at = from + blank;
    for line in here.split_inclusive(|byte| *byte == b'\n') {
        if lines > 0 && opens_line(line) {
            return (Some(at), lines);
        }
        at += line.len();
        lines += usize::from(!line.trim_ascii().is_empty());
    }
    (None, lines)
}

/// Whether JSON starts here, where JSON is expected. `[` followed by a letter is a word in brackets, such as
/// `[Warning]`.
pub(super) fn opens(text: &[u8]) -> bool {
    match text {
        [b'{' | b'"', ..] => true,
        [b'[', rest @ ..] => {
            let next = rest.iter().find(|byte| !is_blank(**byte));
            next.is_none_or(|byte| b"{[\"]-0123456789".contains(byte))
        }
        _ => false,
    }
}

/// Whether JSON starts with this line, where text is expected as well.
pub(super) fn opens_line(line: &[u8]) -> bool {
    matches!(line.trim_ascii(), b"[" | b"{" | b"[]")
        || line.starts_with(b"{\"")
        || line.starts_with(b"[{")
}

const fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

fn count_lines(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}
