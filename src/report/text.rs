//! Laying text out: one line, plain-ASCII signs, widths, wrapping.

use std::borrow::Cow;

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The text on one line, its words separated by single blanks.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text with a capital at its beginning.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
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

/// The signs behind which a long word, such as a disk's spec (`v2:size=1024,iops=5000`), may be broken.
const JOINTS: [char; 4] = [',', ':', '+', '/'];

/// The parts of a word that [`wrap`] does not break where each has room.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split_inclusive(JOINTS)
}

/// The width of the widest part of a word that is not broken where it has room.
#[must_use]
pub fn widest_part(text: &str) -> usize {
    let words = text.split_whitespace();
    words.flat_map(parts).map(width).max().unwrap_or(0)
}

/// The text with words that are wider than `room` broken behind the last joint that fits.
#[must_use]
pub fn jointed(text: &str, room: usize) -> Cow<'_, str> {
    if widest_word(text) <= room {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for piece in text.split_inclusive(char::is_whitespace) {
        let is_long = width(piece.trim_end()) > room;
        let mut used = 0;
        for part in parts(piece) {
            let needs = width(part.trim_end());
            if is_long && used > 0 && used + needs > room {
                out.push('\n');
                used = 0;
            }
            out.push_str(part);
            used += needs;
        }
    }
    Cow::Owned(out)
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
    broken(text, columns, (first, indent), true)
}

/// The lines of a text, the first behind `first`, the others behind `below`.
fn broken(text: &str, columns: usize, (first, below): (&str, &str), in_words: bool) -> Vec<String> {
    let indent = width(below).max(width(first));
    let room = columns.max(indent + 8);
    let text = match in_words {
        true => jointed(text, room - indent),
        false => Cow::Borrowed(text),
    };
    let options = Options::new(room)
        .initial_indent(first)
        .subsequent_indent(below)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .break_words(in_words);
    let lines = textwrap::wrap(&text, options);
    lines
        .iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Breaks the lines of a text, which may hold colours, that are longer than `columns`, between words only: what is
/// broken off stands below the first word behind a label (`error: `), else below the line, a little further in. Lines of two columns
/// (`  P30    a tier`) keep them, or put the second below the first where there is no room beside it.
#[must_use]
pub fn fold(text: &str, columns: usize) -> String {
    let lines = text.lines().flat_map(|line| fold_line(line, columns));
    lines.collect::<Vec<_>>().join("\n")
}

/// A second column narrower than this stands below the first.
const NARROWEST_COLUMN: usize = 20;

fn fold_line(line: &str, columns: usize) -> Vec<String> {
    if width(line) <= columns {
        return vec![line.to_owned()];
    }
    let words = line.trim_start_matches(' ');
    let margin = &line[..line.len() - words.len()];
    let put = |words, first: &str, below: &str| broken(words, columns, (first, below), false);
    if let Some((first, second)) = two_columns(words) {
        let before = &line[..line.len() - second.len()];
        if width(before) + NARROWEST_COLUMN <= columns {
            return put(second, before, &" ".repeat(width(before)));
        }
        let inner = format!("{margin}    ");
        let mut lines = put(first, margin, &inner);
        lines.extend(put(second, &inner, &inner));
        return lines;
    }
    let hang = match label(words) {
        _ if words.starts_with("# ") => "# ".to_owned(),
        label => " ".repeat(label.unwrap_or(2)),
    };
    put(words, margin, &format!("{margin}{hang}"))
}

/// The texts on both sides of a gap of blanks.
fn two_columns(words: &str) -> Option<(&str, &str)> {
    let (first, second) = words.split_once("  ")?;
    Some((first, second.trim_start()))
}

/// The width of a label of one word and the blank behind it, such as `error: `.
fn label(words: &str) -> Option<usize> {
    let (first, _) = words.split_once(' ')?;
    let is_label = first.contains(':') && width(first) <= 8;
    is_label.then(|| width(first) + 1)
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
    fn long_lines_fold_below_their_label_column_or_margin() {
        let shown = |text: &str, columns| fold(text, columns);
        let error = "error: there is no such size\n\n  tip: take another one";
        assert_eq!(shown(error, 40), error);
        assert_eq!(
            shown(error, 20),
            "error: there is no\n       such size\n\n  tip: take another\n       one"
        );
        assert_eq!(shown("one two three four", 9), "one two\n  three\n  four");
        // 8 columns to the second text, and 20 for it.
        let row = "  P30   a tier of Premium SSD disks";
        assert_eq!(
            shown(row, 28),
            "  P30   a tier of Premium\n        SSD disks"
        );
        assert_eq!(
            shown(row, 27),
            "  P30\n      a tier of Premium SSD\n      disks"
        );
        assert_eq!(
            shown("  # what for is this?", 16),
            "  # what for is\n  # this?"
        );
        // Neither a path nor a colour is torn.
        assert_eq!(
            shown("see /a/long/path/of/it", 10),
            "see\n  /a/long/path/of/it"
        );
        assert_eq!(
            shown("\u{1b}[1merror:\u{1b}[0m a b c d e f", 15),
            "\u{1b}[1merror:\u{1b}[0m a b c d\n       e f"
        );
    }

    /// `v2:size=1024,` has 13 columns and `iops=40000,mbps=900` 19. What has room stays whole.
    #[test]
    fn long_specs_break_behind_their_joints() {
        let spec = "take v2:size=1024,iops=40000,mbps=900 or P30";
        assert_eq!(
            wrap(spec, 26, "", ""),
            ["take", "v2:size=1024,iops=40000,", "mbps=900 or P30"]
        );
        assert_eq!(
            wrap(spec, 14, "", ""),
            ["take", "v2:size=1024,", "iops=40000,", "mbps=900 or", "P30"]
        );
        assert_eq!(wrap(spec, 44, "", ""), [spec]);
        assert_eq!(widest_part(spec), "iops=40000,".len());
        // What has no joint is broken where the room ends.
        assert_eq!(wrap("abcdefghijkl", 8, "", ""), ["abcdefgh", "ijkl"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(width("磁盘"), 4);
        assert_eq!(widest_word("磁盘 disk"), 4);
        assert_eq!(widest_line("a\nlonger"), 6);
    }
}
