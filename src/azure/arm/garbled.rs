//! Characters that were lost: what is no valid text is read as U+FFFD, and names with it are not the real ones.

use std::io::{self, Read};

/// U+FFFD in UTF-8, which takes the place of a lost character.
const LOST: &[u8] = "\u{fffd}".as_bytes();

/// Passes decoded text through and notes the line of the first character that was lost.
#[derive(Debug)]
pub(super) struct Watched<R> {
    text: R,
    /// The lines that ended so far.
    lines: usize,
    /// The last bytes, which may be the beginning of a sign that ends in the next piece.
    tail: Vec<u8>,
    line: Option<usize>,
}

impl<R> Watched<R> {
    pub(super) const fn new(text: R) -> Self {
        Self {
            text,
            lines: 0,
            tail: Vec::new(),
            line: None,
        }
    }

    /// The line of the first character that was lost, in what was read so far.
    pub(super) const fn line(&self) -> Option<usize> {
        self.line
    }

    fn look(&mut self, piece: &[u8]) {
        let overlap = &piece[..piece.len().min(LOST.len() - 1)];
        self.tail.extend_from_slice(overlap);
        let at = match memchr::memmem::find(&self.tail, LOST) {
            // It began in the piece before, whose lines are counted.
            Some(_) => Some(0),
            None => memchr::memmem::find(piece, LOST),
        };
        let before = &piece[..at.unwrap_or(piece.len())];
        self.lines += memchr::memchr_iter(b'\n', before).count();
        self.line = at.map(|_| self.lines + 1);
        self.tail.truncate(self.tail.len() - overlap.len());
        self.tail.extend_from_slice(piece);
        let kept = self.tail.len().saturating_sub(LOST.len() - 1);
        self.tail.drain(..kept);
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        if self.line.is_none() && read > 0 {
            self.look(&buffer[..read]);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Hands out so many bytes at a time.
    struct Pieces<'t>(&'t [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let most = self.1.min(buffer.len());
            let (now, rest) = self.0.split_at(most.min(self.0.len()));
            buffer[..now.len()].copy_from_slice(now);
            self.0 = rest;
            Ok(now.len())
        }
    }

    #[test]
    fn the_line_is_that_of_the_first_lost_character_however_text_comes() {
        let text = "{\n\"name\": \"caf\u{e9}\",\n\"other\": \"caf\u{fffd}\u{fffd}\"\n}\n\u{fffd}";
        for size in 1..text.len() + 1 {
            let mut watched = Watched::new(Pieces(text.as_bytes(), size));
            let mut all = String::new();
            watched.read_to_string(&mut all).unwrap();
            assert_eq!((&*all, watched.line()), (text, Some(3)), "{size}");
        }
        let mut whole = Watched::new(Pieces("\u{e9}\u{ff1f}\n".as_bytes(), 1));
        whole.read_to_string(&mut String::new()).unwrap();
        assert_eq!(whole.line(), None);
    }
}
