//! The fields of one line, without a copy: counters' rows are all quotes and digits, and most of a log's bytes.

use memchr::memchr;

use crate::measure::local_number::Marks;
use crate::measure::series::number::{figure, leading};

/// The fields of one line, without the quotes around them. A quote in a field stays as it is written.
#[derive(Debug)]
pub(super) struct Fields<'l> {
    rest: Option<&'l [u8]>,
    marks: Marks,
    /// Whether a figure was asked for where something else is.
    is_unclear: bool,
}

impl<'l> Fields<'l> {
    /// The fields of `line`, which ends before its line end.
    pub const fn of(line: &'l [u8], marks: Marks) -> Self {
        Self {
            rest: Some(line),
            marks,
            is_unclear: false,
        }
    }

    /// Whether a field that was asked for as a number is neither one nor blank.
    pub const fn is_unclear(&self) -> bool {
        self.is_unclear
    }

    /// The next field as a number; `None` behind the last field, and `Some(None)` where it is none.
    pub fn next_figure(&mut self) -> Option<Option<f64>> {
        // Nearly every field is a plain number between quotes, which is read as its end is looked for.
        if let Some((figure, rest)) = quoted_figure(self.rest?, &self.marks) {
            self.rest = rest;
            return Some(Some(figure));
        }
        let field = self.next()?.trim_ascii();
        let text = std::str::from_utf8(field).ok();
        let read = text.and_then(|text| figure(text, &self.marks));
        self.is_unclear |= read.is_none() && !field.is_empty();
        Some(read)
    }

    /// Where the field ends that `rest` begins with, quotes and all: at the delimiter that is not between quotes.
    fn end(&self, rest: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let after = rest.get(at..).unwrap_or_default();
            let first = after.first();
            if first != Some(&b'"') {
                if first == Some(&self.marks.delimiter()) {
                    return at;
                }
                return memchr(self.marks.delimiter(), after)
                    .map_or(rest.len(), |found| at + found);
            }
            // Behind the closing quote; what follows another one directly is a quote in the field.
            let closing = memchr(b'"', after.get(1..).unwrap_or_default());
            match closing {
                Some(found) => at += found + 2,
                None => return rest.len(),
            }
        }
    }
}

/// The plain number between quotes that a line goes on with, and the rest behind its delimiter; `None` where there is
/// something else, or a comma that may part thousands.
#[inline]
fn quoted_figure<'l>(rest: &'l [u8], marks: &Marks) -> Option<(f64, Option<&'l [u8]>)> {
    let text = rest.strip_prefix(b"\"")?;
    let (figure, length) = leading(text)?;
    if !marks.comma_shown() && memchr(b',', text.get(..length)?).is_some() {
        return None;
    }
    match text.get(length..)? {
        [b'"'] => Some((figure, None)),
        [b'"', next, behind @ ..] if *next == marks.delimiter() => Some((figure, Some(behind))),
        _ => None,
    }
}

impl<'l> Iterator for Fields<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest?;
        let end = self.end(rest);
        self.rest = rest.get(end + 1..);
        let field = rest.get(..end).unwrap_or_default();
        let bare = field.strip_prefix(b"\"");
        Some(bare.map_or(field, |bare| bare.strip_suffix(b"\"").unwrap_or(bare)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::series::number::decimal;

    const COMMAS: Marks = Marks::new(b',');

    #[test]
    fn thousands_are_figures_and_words_are_not() {
        let line = br#""5,000","20,480,000"," ","1,024.5""#;
        let mut figures = Fields::of(line, COMMAS);
        let read: Vec<_> = std::iter::from_fn(|| figures.next_figure()).collect();
        assert_eq!(read, [Some(5000.0), Some(20_480_000.0), None, Some(1024.5)]);
        assert!(!figures.is_unclear());
        let mut figures = Fields::of(br#""n/a""#, COMMAS);
        assert_eq!(figures.next_figure(), Some(None));
        assert!(figures.is_unclear());
        let mut german = COMMAS;
        german.see("0,0178");
        let mut figures = Fields::of(br#""5,125""#, german);
        assert_eq!(figures.next_figure(), Some(Some(5.125)));
    }

    fn fields(line: &str) -> Vec<String> {
        let fields = Fields::of(line.as_bytes(), COMMAS);
        fields
            .map(|field| String::from_utf8_lossy(field).into_owned())
            .collect()
    }

    #[test]
    fn figures_are_those_of_the_fields() {
        for line in [
            r#""12,5","7"," ","-3.5","x","","1e3","0.199608""#,
            r#""12,5", "7","5"6,"1","#,
            "12.5,7,,8",
            r#""1","2"#,
            r#""12345678901234567890.5","2""#,
            "",
        ] {
            let mut figures = Fields::of(line.as_bytes(), COMMAS);
            let read: Vec<_> = std::iter::from_fn(|| figures.next_figure()).collect();
            let fields = Fields::of(line.as_bytes(), COMMAS);
            let parsed: Vec<_> = fields.map(|field| decimal(field.trim_ascii())).collect();
            assert_eq!(read, parsed, "{line}");
        }
        let mut figures = Fields::of(br#""12,5","7.25"," ""#, COMMAS);
        assert_eq!(figures.next_figure(), Some(Some(12.5)));
        assert_eq!(figures.next_figure(), Some(Some(7.25)));
        assert_eq!(figures.next_figure(), Some(None));
        assert_eq!(figures.next_figure(), None);
    }

    #[test]
    fn fields_with_and_without_quotes() {
        assert_eq!(
            fields(r#""03/14/2024 10:00:00.1","12,5"," ","7""#),
            ["03/14/2024 10:00:00.1", "12,5", " ", "7"]
        );
        assert_eq!(fields("1,,3,"), ["1", "", "3", ""]);
        assert_eq!(fields(""), [""]);
        assert_eq!(fields(r#""a""b,c",d"#), [r#"a""b,c"#, "d"]);
        assert_eq!(fields(r#"1,"cut off, "#), ["1", "cut off, "]);
    }
}
