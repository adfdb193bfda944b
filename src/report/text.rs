//! Laying text out: one line, plain-ASCII signs, widths, wrapping.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The text on one line, its words separated by single blanks.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes the signs that reports use (`≤`, `×`, dashes, …) in ASCII; anything else stays.
#[must_use]
pub fn ascii_signs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '≈' => out.push('~'),
            '×' | '✕' => out.push('x'),
            '·' | '•' => out.push('*'),
            '–' | '—' | '−' | '‑' => out.push('-'),
            '→' => out.push_str("->"),
            '…' => out.push_str("..."),
            '‘' | '’' => out.push('\''),
            '“' | '”' => out.push('"'),
            'µ' | 'μ' => out.push('u'),
            '\u{A0}' | '\u{202F}' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// How many columns of a terminal a one-line text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    textwrap::core::display_width(text)
}

/// The width of the widest line.
#[must_use]
pub fn widest_line(text: &str) -> usize {
    text.lines().map(width).max().unwrap_or(0)
}

/// The width of the widest word.
#[must_use]
pub fn widest_word(text: &str) -> usize {
    text.split_whitespace().map(width).max().unwrap_or(0)
}

/// At most `columns` columns of a one-line text.
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if width(&out) > columns {
            out.pop();
            break;
        }
    }
    out
}

/// Breaks text into lines of at most `columns`, between words where it can, later lines indented by `indent`.
/// The first line begins with `first`, which counts as indented already.
#[must_use]
pub fn wrap(text: &str, columns: usize, first: &str, indent: &str) -> Vec<String> {
    let room = columns.max(width(indent).max(width(first)) + 8);
    let options = Options::new(room)
        .initial_indent(first)
        .subsequent_indent(indent)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(true);
    let lines = textwrap::wrap(text, options);
    lines
        .iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_have_an_ascii_form() {
        assert_eq!(
            ascii_signs("≤ 4,000 × 2 – 1 µs → “x”…"),
            "<= 4,000 x 2 - 1 us -> \"x\"..."
        );
    }

    #[test]
    fn wrapping_hangs_below_the_first_line() {
        let lines = wrap("one two three four", 14, "fix: ", "     ");
        assert_eq!(lines, ["fix: one two", "     three", "     four"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("磁盘"), 4);
        assert_eq!(widest_word("磁盘 disk"), 4);
        assert_eq!(widest_line("a\nlonger"), 6);
    }
}
