//! The frame of fio's JSON, from a stream: finds documents within other text, cuts single jobs out of them, and counts
//! the histogram bins as they pass, so that no more than one job is ever held.
//!
//! What is cut out is parsed by `serde_json`; this only follows strings and brackets.

use std::io::Read;

use memchr::{memchr_iter, memchr2, memchr3};

use super::bins::{Bins, Cursor, Step, is_mark};

/// Bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// Room for one entry of a histogram, blanks included.
const BIN_ROOM: usize = 512;

/// Room for the first key of a document, blanks included.
const KEY_ROOM: usize = 512;

/// Bytes of one job without its bins: many times what fio writes.
const JOB_LIMIT: usize = 8 << 20;

/// Histograms of one job that are kept: three directions and their mix, with three latencies each, and some spare.
const HISTOGRAMS_LIMIT: usize = 16;

/// Why the frame could not be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The input ended within it.
    Ended,
    /// It is not JSON.
    Syntax,
    /// One job is larger than any that fio writes.
    TooLarge,
}

/// A position in a stream of bytes.
pub(super) struct Scanner<'r> {
    input: &'r mut dyn Read,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Line ends in front of `counted`.
    lines: usize,
    /// Bytes in front of `buffer`.
    before: usize,
    /// How far into `buffer` line ends have been counted.
    counted: usize,
    ended: bool,
}

impl<'r> Scanner<'r> {
    pub fn new(input: &'r mut dyn Read) -> Self {
        Self {
            input,
            buffer: vec![0; CHUNK],
            at: 0,
            end: 0,
            lines: 0,
            before: 0,
            counted: 0,
            ended: false,
        }
    }

    /// The line of the position, counted from 1.
    pub fn line(&mut self) -> usize {
        let passed = self.buffer.get(self.counted..self.at).unwrap_or_default();
        self.lines += memchr_iter(b'\n', passed).count();
        self.counted = self.at;
        1 + self.lines
    }

    /// Bytes passed so far.
    pub const fn consumed(&self) -> usize {
        self.before + self.at
    }

    /// The bytes at hand, at least `wanted` unless the input ends before. Errors end the input too.
    fn at_least(&mut self, wanted: usize) -> &[u8] {
        if self.end - self.at < wanted && !self.ended {
            self.line();
            self.counted = 0;
            self.before += self.at;
            self.buffer.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            while self.end < wanted && !self.ended {
                let free = self.buffer.get_mut(self.end..).unwrap_or_default();
                match self.input.read(free) {
                    Ok(count) if count > 0 => self.end += count,
                    _ => self.ended = true,
                }
            }
        }
        self.buffer.get(self.at..self.end).unwrap_or_default()
    }

    fn rest(&mut self) -> &[u8] {
        self.at_least(1)
    }

    pub fn peek(&mut self) -> Option<u8> {
        self.rest().first().copied()
    }

    pub fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    /// Whether an object of JSON begins behind the brace that has just been taken: with a key and a colon, or empty.
    pub fn in_object(&mut self) -> bool {
        Cursor::at(self.at_least(KEY_ROOM)).opens_object()
    }

    /// The next byte that is not blank, still to be taken.
    pub fn after_blanks(&mut self) -> Option<u8> {
        loop {
            let rest = self.rest();
            let blanks = rest
                .iter()
                .take_while(|byte| byte.is_ascii_whitespace())
                .count();
            let found = rest.get(blanks).copied();
            let ended = rest.is_empty();
            self.at += blanks;
            if found.is_some() || ended {
                return found;
            }
        }
    }

    /// Passes text up to and including the next `{`, and gives every line of it, shortened, to `line`.
    /// `false` at the end of the input.
    pub fn text_until_brace(&mut self, line_limit: usize, mut line: impl FnMut(&[u8])) -> bool {
        let mut current = Vec::new();
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                line(&current);
                return false;
            }
            let stop = rest
                .iter()
                .position(|byte| matches!(byte, b'{' | b'\n' | b'\r'));
            let piece = rest.get(..stop.unwrap_or(rest.len())).unwrap_or_default();
            let room = line_limit.saturating_sub(current.len()).min(piece.len());
            current.extend_from_slice(piece.get(..room).unwrap_or_default());
            let found = stop.and_then(|stop| rest.get(stop).copied());
            self.at += piece.len() + usize::from(stop.is_some());
            if let Some(found) = found {
                line(&current);
                current.clear();
                if found == b'{' {
                    return true;
                }
            }
        }
    }

    /// Takes the string whose opening quote has just been taken; appends it as it stands, at most `limit` bytes.
    pub fn string(&mut self, out: &mut Vec<u8>, limit: usize) -> Result<(), Broken> {
        let full = out.len().saturating_add(limit);
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return Err(Broken::Ended);
            }
            let stop = memchr2(b'"', b'\\', rest);
            let piece = rest.get(..stop.unwrap_or(rest.len())).unwrap_or_default();
            let room = full.saturating_sub(out.len()).min(piece.len());
            out.extend_from_slice(piece.get(..room).unwrap_or_default());
            self.at += piece.len();
            if stop.is_some() {
                if self.next() == Some(b'"') {
                    return Ok(());
                }
                let escaped = self.next().ok_or(Broken::Ended)?;
                if out.len() < full {
                    out.extend_from_slice(&[b'\\', escaped]);
                }
            }
        }
    }

    /// Passes the value that begins here.
    pub fn skip_value(&mut self) -> Result<(), Broken> {
        match self.after_blanks().ok_or(Broken::Ended)? {
            b'"' => {
                self.at += 1;
                self.string(&mut Vec::new(), 0)
            }
            b'{' | b'[' => self.skip_brackets(),
            _ => {
                self.skip_plain();
                Ok(())
            }
        }
    }

    /// Passes a number or a word.
    fn skip_plain(&mut self) {
        loop {
            let rest = self.rest();
            let plain = rest.iter().take_while(|&&byte| !is_mark(byte)).count();
            let more = plain > 0 && plain == rest.len();
            self.at += plain;
            if !more {
                return;
            }
        }
    }

    /// Passes bytes up to and including the next quote or bracket, and gives them to `piece` as they come.
    ///
    /// Only brackets of one kind are followed: in JSON those within them close too, whatever stands between.
    fn pass_to_mark(
        &mut self,
        [open, close]: [u8; 2],
        mut piece: impl FnMut(&[u8]),
    ) -> Result<u8, Broken> {
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                return Err(Broken::Ended);
            }
            let stop = memchr3(b'"', open, close, rest);
            let taken = stop.map_or(rest.len(), |stop| stop + 1);
            let passed = rest.get(..taken).unwrap_or_default();
            let mark = stop.and_then(|stop| rest.get(stop).copied());
            piece(passed);
            self.at += taken;
            if let Some(mark) = mark {
                return Ok(mark);
            }
        }
    }

    /// The brackets of the object or array that begins here.
    fn brackets(&mut self) -> [u8; 2] {
        if self.peek() == Some(b'[') {
            *b"[]"
        } else {
            *b"{}"
        }
    }

    /// Passes the object or array that begins here.
    fn skip_brackets(&mut self) -> Result<(), Broken> {
        let brackets = self.brackets();
        let mut depth = 0_usize;
        loop {
            match self.pass_to_mark(brackets, |_| {})? {
                b'"' => self.string(&mut Vec::new(), 0)?,
                mark if mark == brackets[0] => depth += 1,
                _ if depth <= 1 => return Ok(()),
                _ => depth -= 1,
            }
        }
    }

    /// Copies the object or array that begins here, but for what is not needed of a job: a number stands in place of
    /// every `"bins"` object, its place in `histograms`, and of every value that nobody asks for.
    pub fn copy_value(
        &mut self,
        out: &mut Vec<u8>,
        histograms: &mut Vec<Bins>,
    ) -> Result<(), Broken> {
        let brackets = self.brackets();
        let mut depth = 0_usize;
        loop {
            let mark = self.pass_to_mark(brackets, |piece| out.extend_from_slice(piece))?;
            if out.len() > JOB_LIMIT {
                return Err(Broken::TooLarge);
            }
            match mark {
                b'"' => self.copy_string(out, histograms)?,
                mark if mark == brackets[0] => depth += 1,
                _ if depth <= 1 => return Ok(()),
                _ => depth -= 1,
            }
        }
    }

    /// Copies the string whose quote has just been copied, and what is to stand for its value where it is a key of
    /// bins or of something unused.
    fn copy_string(&mut self, out: &mut Vec<u8>, histograms: &mut Vec<Bins>) -> Result<(), Broken> {
        let start = out.len();
        self.string(out, JOB_LIMIT)?;
        let (bins, unused) = match out.get(start..).unwrap_or_default() {
            b"bins" => (true, false),
            // Submission latency, shares of latencies and depths, steady state, priorities.
            b"slat_ns" | b"slat" | b"latency_ns" | b"latency_us" | b"latency_ms"
            | b"iodepth_submit" | b"iodepth_complete" | b"steadystate" | b"prios" => (false, true),
            _ => (false, false),
        };
        out.push(b'"');
        if !(bins || unused) || self.after_blanks() != Some(b':') {
            return Ok(());
        }
        self.at += 1;
        out.push(b':');
        match self.after_blanks() {
            Some(b'{') if bins => {
                self.at += 1;
                out.extend_from_slice(histograms.len().to_string().as_bytes());
                let mut bins = self.bins()?;
                if histograms.len() < HISTOGRAMS_LIMIT {
                    bins.pairs.shrink_to_fit();
                    histograms.push(bins);
                }
            }
            Some(b'{' | b'[') if unused => {
                self.skip_brackets()?;
                out.push(b'0');
            }
            _ => {}
        }
        Ok(())
    }

    /// The bins of the object whose brace has just been taken.
    fn bins(&mut self) -> Result<Bins, Broken> {
        let mut bins = Bins::default();
        loop {
            let room = self.at_least(BIN_ROOM);
            let mut cursor = Cursor::at(room);
            let step = cursor.bin();
            let taken = room.len() - cursor.left();
            let ended = self.ended;
            self.at += taken;
            match step {
                Some(Step::End) => return Ok(bins),
                Some(Step::Comma) => {}
                Some(Step::Other) => bins.by_index = true,
                Some(Step::Bin(latency, count)) => bins.add(latency, count),
                None if ended => return Err(Broken::Ended),
                None => return Err(Broken::Syntax),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes one at a time, so that everything lies across a border.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let taken = self.0.len().min(buffer.len()).min(1);
            buffer[..taken].copy_from_slice(&self.0[..taken]);
            self.0 = &self.0[taken..];
            Ok(taken)
        }
    }

    fn copied(json: &str) -> (Result<(), Broken>, String, Vec<Bins>) {
        let mut input = Drip(json.as_bytes());
        let mut scanner = Scanner::new(&mut input);
        let (mut out, mut histograms) = (Vec::new(), Vec::new());
        let result = scanner.copy_value(&mut out, &mut histograms);
        (result, String::from_utf8(out).unwrap(), histograms)
    }

    #[test]
    fn bins_are_taken_out_and_counted() {
        let json =
            r#"{"a" : "}\"{", "bins" : { "2008" : 1, "4016" : 20 }, "b" : [1, {"bins":{}}]} rest"#;
        let (result, out, histograms) = copied(json);
        assert_eq!(result, Ok(()));
        assert_eq!(out, r#"{"a" : "}\"{", "bins":0, "b" : [1, {"bins":1}]}"#);
        assert_eq!(histograms[0].pairs, [(2008, 1), (4016, 20)]);
        assert!(histograms[1].pairs.is_empty());
    }

    #[test]
    fn old_bins_are_told_by_their_constants() {
        let json = r#"{"bins" : { "FIO_IO_U_PLAT_BITS" : 6, "100" : 7 }}"#;
        let (_, _, histograms) = copied(json);
        assert!(histograms[0].by_index);
        assert_eq!(histograms[0].pairs, [(100, 7)]);
    }

    #[test]
    fn broken_frames_are_told_apart() {
        assert_eq!(copied(r#"{"a" : "b"#).0, Err(Broken::Ended));
        assert_eq!(copied(r#"{"bins" : { "1" : 2"#).0, Err(Broken::Ended));
        let junk = format!(r#"{{"bins" : {{ {} }}}}"#, "x".repeat(BIN_ROOM * 2));
        assert_eq!(copied(&junk).0, Err(Broken::Syntax));
    }

    #[test]
    fn text_is_passed_line_by_line() {
        let mut input = Drip(b"one\ntwo three\r\n{ 1");
        let mut scanner = Scanner::new(&mut input);
        let mut lines = Vec::new();
        let found = scanner.text_until_brace(5, |line| {
            lines.push(String::from_utf8_lossy(line).into_owned())
        });
        assert!(found);
        assert_eq!(lines, ["one", "two t", "", ""]);
        assert_eq!(scanner.line(), 3);
        assert_eq!(scanner.after_blanks(), Some(b'1'));
    }
}
