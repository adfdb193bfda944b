//! The fields of one line, without a copy: counters' rows are all quotes and digits, and most of a log's bytes.

use memchr::memchr;

/// The fields of one line, without the quotes around them. A quote in a field stays as it is written.
#[derive(Debug)]
pub(super) struct Fields<'l> {
    rest: Option<&'l [u8]>,
    delimiter: u8,
}

impl<'l> Fields<'l> {
    /// The fields of `line`, which ends before its line end.
    pub const fn of(line: &'l [u8], delimiter: u8) -> Self {
        Self {
            rest: Some(line),
            delimiter,
        }
    }

    /// Where the field ends that `rest` begins with, quotes and all: at the delimiter that is not between quotes.
    fn end(&self, rest: &[u8]) -> usize {
        let mut at = 0;
        loop {
            let after = rest.get(at..).unwrap_or_default();
            if after.first() != Some(&b'"') {
                return memchr(self.delimiter, after).map_or(rest.len(), |found| at + found);
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

    fn fields(line: &str) -> Vec<String> {
        let fields = Fields::of(line.as_bytes(), b',');
        fields
            .map(|field| String::from_utf8_lossy(field).into_owned())
            .collect()
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
