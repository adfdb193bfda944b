//! Lines of a log of any length in bounded memory, decoded to UTF-8 and without an allocation per line.

use std::io::{self, Cursor, Read};

use encoding_rs::UTF_8;
use encoding_rs_io::DecodeReaderBytesBuilder;
use flate2::read::MultiGzDecoder;

use crate::measure::text::{Unquoted, decode, encoding_of, is_quoted};

/// The longest line that is read: PerfMon logs with ten thousand counters stay far below.
const MAX_LINE: usize = 16 << 20;
/// How much is read at once, and how much of a log the detection sees.
const CHUNK: usize = 256 << 10;
/// How much of a log tells its encoding.
const HEAD: u64 = 64 << 10;
/// The first two bytes of a gzip file (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A log being read: line by line, or as bytes.
///
/// Gzip is unpacked on the way, quote marks of mails are cut, and what is not UTF-8 is decoded by what its beginning says of the encoding.
pub(super) struct Lines<'a> {
    input: Box<dyn Read + 'a>,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    at_end: bool,
    line: u64,
}

impl<'a> Lines<'a> {
    /// Starts to read.
    pub fn new(mut input: impl Read + 'a) -> io::Result<Self> {
        let mut magic = Vec::with_capacity(2);
        input.by_ref().take(2).read_to_end(&mut magic)?;
        let zipped = magic == GZIP_MAGIC;
        let whole = Cursor::new(magic).chain(input);
        let mut plain: Box<dyn Read + 'a> = if zipped {
            Box::new(MultiGzDecoder::new(whole))
        } else {
            Box::new(whole)
        };
        let mut head = Vec::new();
        plain.by_ref().take(HEAD).read_to_end(&mut head)?;
        let (encoding, _) = encoding_of(&head);
        let quoted = is_quoted(decode(&head).as_bytes());
        let decoded = DecodeReaderBytesBuilder::new()
            .encoding((encoding != UTF_8).then_some(encoding))
            .utf8_passthru(true)
            .strip_bom(true)
            .bom_override(true)
            .build(Box::new(Cursor::new(head).chain(plain)) as Box<dyn Read + 'a>);
        let input: Box<dyn Read + 'a> = if quoted {
            Box::new(Unquoted::new(decoded))
        } else {
            Box::new(decoded)
        };
        Ok(Self {
            input,
            buffer: vec![0; CHUNK],
            start: 0,
            end: 0,
            at_end: false,
            line: 0,
        })
    }

    /// The first bytes of what has not been read yet, at most a chunk. They stay unread.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        while self.end - self.start < CHUNK && !self.at_end {
            self.fill()?;
        }
        Ok(self.buffer.get(self.start..self.end).unwrap_or_default())
    }

    /// The next line without its end, or `None` after the last.
    pub fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        let mut searched = 0;
        let length = loop {
            let rest = self.buffer.get(self.start + searched..self.end);
            match memchr::memchr(b'\n', rest.unwrap_or_default()) {
                Some(at) => break searched + at,
                None if self.at_end && self.start == self.end => return Ok(None),
                None if self.at_end => break self.end - self.start,
                None => {
                    searched = self.end - self.start;
                    self.fill()?;
                }
            }
        };
        let from = self.start;
        self.start = (from + length + 1).min(self.end);
        self.line += 1;
        let line = self.buffer.get(from..from + length).unwrap_or_default();
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    /// The number of the line last read, counted from 1.
    pub const fn line_number(&self) -> u64 {
        self.line
    }

    /// Passes over lines, at most `most`, until one begins as `begins` says.
    pub fn skip_to(&mut self, begins: &[u8], most: usize) -> io::Result<()> {
        for _ in 0..most {
            let first = self.peek()?.iter().find(|b| !b.is_ascii_whitespace());
            if first.is_none_or(|byte| begins.contains(byte)) {
                break;
            }
            self.next_line()?;
        }
        Ok(())
    }

    /// Reads more behind what is there, making room first.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            if self.end >= MAX_LINE {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!(
                        "line {} is longer than 16 MiB: this is no text log",
                        self.line + 1
                    ),
                ));
            }
            self.buffer.resize(self.end * 2, 0);
        }
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        let read = self.input.read(room)?;
        self.end += read;
        self.at_end = read == 0;
        Ok(())
    }
}

/// Reads on as bytes from where the lines stopped, for formats that are not made of lines.
impl Read for Lines<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end {
            return self.input.read(out);
        }
        let waiting = self.buffer.get(self.start..self.end).unwrap_or_default();
        let taken = waiting.len().min(out.len());
        if let (Some(to), Some(from)) = (out.get_mut(..taken), waiting.get(..taken)) {
            to.copy_from_slice(from);
        }
        self.start += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn all(input: &[u8]) -> Vec<Vec<u8>> {
        let mut lines = Lines::new(input).unwrap();
        let mut out = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            out.push(line.to_vec());
        }
        out
    }

    #[test]
    fn line_ends_of_both_kinds_and_a_last_line_without_one() {
        assert_eq!(all(b"a\r\nbb\n\nc"), [&b"a"[..], b"bb", b"", b"c"]);
        assert!(all(b"").is_empty());
        assert_eq!(all(b"\n"), [b""]);
    }

    #[test]
    fn lines_across_chunks_are_whole() {
        let long = vec![b'x'; CHUNK + 17];
        let mut input = long.clone();
        input.extend_from_slice(b"\ny\n");
        assert_eq!(all(&input), [long, b"y".to_vec()]);
    }

    #[test]
    fn utf_16_and_gzip_are_read_like_plain_text() {
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain("sda ä\n".encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        assert_eq!(all(&utf16), ["sda ä".as_bytes()]);
        let mut zip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        zip.write_all(b"1000, 5, 0, 0\n").unwrap();
        assert_eq!(all(&zip.finish().unwrap()), [b"1000, 5, 0, 0"]);
    }

    #[test]
    fn peeking_leaves_all_unread() {
        let mut lines = Lines::new(&b"one\ntwo"[..]).unwrap();
        assert_eq!(lines.peek().unwrap(), b"one\ntwo");
        assert_eq!(lines.next_line().unwrap(), Some(&b"one"[..]));
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "two");
    }

    #[test]
    fn a_line_without_end_is_refused_before_it_fills_the_memory() {
        let endless = io::repeat(b'x').take(64 << 20);
        let mut lines = Lines::new(endless).unwrap();
        assert!(lines.next_line().is_err());
    }
}
