//! The histogram bins of fio's JSON+, read number by number as they pass.

/// Bins that fio has at most in one histogram (29 groups of 64), with room for later versions.
const BINS_LIMIT: usize = 4096;

/// The bins of one histogram as they stand in the file.
#[derive(Debug, Default)]
pub(super) struct Bins {
    /// What stands before and after the colon: latency and count.
    pub pairs: Vec<(u64, u64)>,
    /// fio 2.x: the first number is the place in fio's table, not a latency.
    pub by_index: bool,
    /// Not all are here: there were more than fio has.
    pub incomplete: bool,
}

impl Bins {
    pub fn add(&mut self, latency: u64, count: u64) {
        if self.pairs.len() < BINS_LIMIT {
            self.pairs.push((latency, count));
        } else {
            self.incomplete = true;
        }
    }
}

/// What stands next in a histogram.
pub(super) enum Step {
    Bin(u64, u64),
    /// A word instead of a latency: one of fio 2.x's table constants.
    Other,
    Comma,
    End,
}

/// A position within the bytes at hand.
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub const fn at(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Bytes that are left.
    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Whether what stands behind a brace is an object: a key on one line and a colon, or nothing.
    pub fn opens_object(&mut self) -> bool {
        self.blanks();
        match self.byte() {
            Some(b'"') => {
                let end = self
                    .rest
                    .iter()
                    .position(|byte| matches!(byte, b'"' | b'\n'));
                self.rest = end.and_then(|end| self.rest.get(end..)).unwrap_or_default();
                let closed = self.byte() == Some(b'"');
                self.blanks();
                closed && self.byte() == Some(b':')
            }
            byte => byte == Some(b'}'),
        }
    }

    /// The next `"2008" : 1`; `None` where there is something else, or not all of it.
    pub fn bin(&mut self) -> Option<Step> {
        self.blanks();
        match self.byte()? {
            b'}' => Some(Step::End),
            b',' => Some(Step::Comma),
            b'"' => {
                let latency = self.digits();
                let close = self.rest.iter().position(|&byte| byte == b'"')?;
                let plain = close == 0;
                self.rest = self.rest.get(close + 1..)?;
                self.blanks();
                if self.byte()? != b':' {
                    return None;
                }
                self.blanks();
                let count = self.digits()?;
                let fraction = self.rest.iter().take_while(|byte| !is_mark(**byte)).count();
                self.rest = self.rest.get(fraction..)?;
                Some(match latency {
                    Some(latency) if plain => Step::Bin(latency, count),
                    _ => Step::Other,
                })
            }
            _ => None,
        }
    }

    fn blanks(&mut self) {
        let blanks = self
            .rest
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        self.rest = self.rest.get(blanks..).unwrap_or_default();
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    /// A whole number; `None` where there is none, or one beyond 64 bits.
    fn digits(&mut self) -> Option<u64> {
        let mut value = None;
        while let Some((&byte, rest)) = self.rest.split_first() {
            if !byte.is_ascii_digit() {
                break;
            }
            let digit = u64::from(byte - b'0');
            value = Some(value.unwrap_or(0_u64).checked_mul(10)?.checked_add(digit)?);
            self.rest = rest;
        }
        value
    }
}

/// Whether a byte ends a number or a word.
pub(super) const fn is_mark(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b'{' | b'[' | b'"' | b':') || byte.is_ascii_whitespace()
}
