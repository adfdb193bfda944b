//! Text from bytes: result files come in the encoding of the tool, of the editor or of the page they were pasted from.

use std::borrow::Cow;
use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Decoder, Encoding, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// How much of the beginning decides on the encoding.
const SAMPLE: usize = 64 * 1024;

/// The least share of byte pairs with a zero byte, one in so many, to call it UTF-16; less is a damaged text.
const ZEROS_ONE_IN: usize = 8;

/// How many zero bytes on one side of the byte pairs it takes, for each on the other, to call it UTF-16.
/// Latin letters and digits have one zero byte each, always on the same side.
const ONE_SIDED: usize = 4;

/// Decodes a whole file; never fails, since what cannot be decoded becomes U+FFFD.
///
/// UTF-8, UTF-16 of either byte order (each with or without a byte order mark), Shift_JIS; other legacy encodings as
/// they are guessed. Borrows where the bytes are UTF-8 already.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let (encoding, mark) = encoding_of(bytes);
    let body = bytes.get(mark..).unwrap_or_default();
    if encoding == UTF_8 {
        return String::from_utf8_lossy(body);
    }
    Cow::Owned(converted(encoding, body))
}

/// Decodes piece by piece: one allocation for the worst case would take three times the input.
fn converted(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::new();
    for piece in bytes.chunks(SAMPLE) {
        let room = decoder.max_utf8_buffer_length(piece.len());
        decode_piece(&mut decoder, piece, room, false, &mut text);
    }
    let room = decoder.max_utf8_buffer_length(0);
    decode_piece(&mut decoder, &[], room, true, &mut text);
    text
}

/// Decodes `piece`, which needs at most `room` bytes.
fn decode_piece(
    decoder: &mut Decoder,
    piece: &[u8],
    room: Option<usize>,
    last: bool,
    text: &mut String,
) {
    text.reserve(room.unwrap_or(piece.len()));
    let mut rest = piece;
    loop {
        let (result, read, _) = decoder.decode_to_string(rest, text, last);
        rest = rest.get(read..).unwrap_or_default();
        match result {
            CoderResult::InputEmpty => return,
            CoderResult::OutputFull => text.reserve(rest.len().max(SAMPLE)),
        }
    }
}

/// What kind of packed file begins with `bytes`, if it is one; by the magic numbers of the formats.
#[must_use]
pub fn packed(bytes: &[u8]) -> Option<&'static str> {
    let kinds: [(&[u8], &str); 5] = [
        (b"PK\x03\x04", "zip"),
        (b"\x1f\x8b", "gzip"),
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ", "xz"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
    ];
    kinds
        .iter()
        .find_map(|(magic, kind)| bytes.starts_with(magic).then_some(*kind))
}

/// Whether a decoded text was none: one sign in ten of its beginning is a control character, or could not be decoded.
#[must_use]
pub fn is_binary(text: &str) -> bool {
    const LOOKED_AT: usize = 4096;
    let is_odd =
        |c: &char| (c.is_control() && !c.is_whitespace()) || *c == char::REPLACEMENT_CHARACTER;
    let (mut all, mut odd) = (0_usize, 0_usize);
    for c in text.chars().take(LOOKED_AT) {
        all += 1;
        odd += usize::from(is_odd(&c));
    }
    odd * 10 > all
}

/// How many lines must begin with a quote mark and a blank for a text to be a quoted one.
const QUOTED_LINES: usize = 2;

/// Whether `text` has lines that a mail program quoted (`> Device  r/s`).
#[must_use]
pub fn is_quoted(text: &[u8]) -> bool {
    let begins = text.starts_with(b"> ");
    let others = memchr::memmem::find_iter(text, b"\n> ");
    usize::from(begins) + others.take(QUOTED_LINES).count() >= QUOTED_LINES
}

/// `text` without the quote marks of mail programs, where it has any.
#[must_use]
pub fn unquoted(text: &str) -> Cow<'_, str> {
    if !is_quoted(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    match Unquoted::new(text.as_bytes()).read_to_string(&mut plain) {
        Ok(_) => Cow::Owned(plain),
        Err(_) => Cow::Borrowed(text),
    }
}

/// A larger text is no pasted report: it is not searched for a prefix.
const LARGEST_PASTED: usize = 1 << 20;

/// `text` without what stands before each of its lines: a mark of comments (`# `), or the stamp of a log
/// (`12:06:53 DEBUG| [stdout] `), whose digits may differ. `None` where its lines begin with nothing in common.
#[must_use]
pub fn without_prefix(text: &str) -> Option<String> {
    const MARKS: [char; 8] = ['#', '|', ':', ']', ';', '*', '/', '>'];
    if text.len() > LARGEST_PASTED {
        return None;
    }
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next()?;
    let same = |a: char, b: char| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
    let mut common = first;
    let mut several = false;
    for line in lines {
        several = true;
        let mut letters = line.chars();
        let end = common
            .char_indices()
            .find(|&(_, a)| !letters.next().is_some_and(|b| same(a, b)))
            .map_or(common.len(), |(at, _)| at);
        common = common.get(..end)?;
    }
    let prefix = common.get(..common.rfind(MARKS)? + 1)?;
    let length = prefix.chars().count();
    let cut = |line: &str| line.chars().skip(length).collect::<String>();
    several.then(|| {
        let lines: Vec<String> = text.lines().map(cut).collect();
        lines.join("\n")
    })
}

/// A stream of UTF-8 without the quote marks (`>`, `> > `) at the beginnings of its lines.
#[derive(Debug)]
pub struct Unquoted<R> {
    inner: R,
    place: Place,
}

/// Where in a line the last byte was.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Start,
    Mark,
    /// Behind the one blank that belongs to a mark.
    Blank,
    Within,
}

impl<R> Unquoted<R> {
    /// Wraps a stream.
    pub const fn new(inner: R) -> Self {
        Self {
            inner,
            place: Place::Start,
        }
    }

    /// Whether the byte belongs to the line, not to its marks.
    fn keeps(&mut self, byte: u8) -> bool {
        self.place = match (self.place, byte) {
            (_, b'\n') => Place::Start,
            (Place::Start | Place::Mark | Place::Blank, b'>') => Place::Mark,
            (Place::Mark, b' ') => Place::Blank,
            _ => Place::Within,
        };
        !matches!(self.place, Place::Mark | Place::Blank)
    }
}

impl<R: Read> Read for Unquoted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.inner.read(out)?;
            let mut kept = 0;
            for at in 0..read {
                let byte = out.get(at).copied().unwrap_or_default();
                if self.keeps(byte) {
                    if let Some(slot) = out.get_mut(kept) {
                        *slot = byte;
                    }
                    kept += 1;
                }
            }
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}

/// The encoding of `bytes` (a file or its beginning) and the length of its byte order mark.
#[must_use]
pub fn encoding_of(bytes: &[u8]) -> (&'static Encoding, usize) {
    if let Some(marked) = Encoding::for_bom(bytes) {
        return marked;
    }
    let encoding = utf16_by_zeros(bytes).unwrap_or_else(|| match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        // The very last character is cut in two: the rest is UTF-8.
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => UTF_8,
        Err(_) => legacy(bytes),
    });
    (encoding, 0)
}

/// UTF-16 without a mark, known by its zero bytes.
fn utf16_by_zeros(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let (mut even, mut odd) = (0_usize, 0_usize);
    for pair in sample.chunks_exact(2) {
        even += usize::from(pair[0] == 0);
        odd += usize::from(pair[1] == 0);
    }
    if odd.max(even).saturating_mul(ZEROS_ONE_IN) < sample.len() / 2 {
        None
    } else if odd > even.saturating_mul(ONE_SIDED) {
        Some(UTF_16LE)
    } else if even > odd.saturating_mul(ONE_SIDED) {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// An encoding from before Unicode. Shift_JIS is what CrystalDiskMark's home writes, so the guess leans that way.
fn legacy(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(Some(b"jp"), Utf8Detection::Deny);
    if guess == UTF_8 { SHIFT_JIS } else { guess }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "Comment: データ用ディスク 2台目\r\n";

    fn utf16(text: &str, swap: bool, mark: bool) -> Vec<u8> {
        let mark = mark.then_some(0xFEFF);
        let units = mark.into_iter().chain(text.encode_utf16());
        units
            .flat_map(|unit| {
                if swap {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .collect()
    }

    #[test]
    fn utf8_with_and_without_mark() {
        assert!(matches!(decode(LINE.as_bytes()), Cow::Borrowed(LINE)));
        let marked = [b"\xEF\xBB\xBF", LINE.as_bytes()].concat();
        assert_eq!(decode(&marked), LINE);
    }

    #[test]
    fn utf16_of_either_order_with_and_without_mark() {
        for (swap, mark) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(
                decode(&utf16(LINE, swap, mark)),
                LINE,
                "big endian {swap}, mark {mark}"
            );
        }
    }

    #[test]
    fn shift_jis_is_recognised() {
        let (bytes, _, _) = SHIFT_JIS.encode(LINE);
        assert!(std::str::from_utf8(&bytes).is_err());
        assert_eq!(decode(&bytes), LINE);
    }

    #[test]
    fn western_and_cyrillic_pages_keep_their_ascii() {
        for (encoding, text) in [
            (
                encoding_rs::WINDOWS_1252,
                "Größe: [ 6153.8 IOPS] < 98.75 us> – prüfen, für Bücher und Öl",
            ),
            (
                encoding_rs::WINDOWS_1251,
                "Скорость чтения: [ 6153.8 IOPS] < 98.75 us> диска и памяти",
            ),
        ] {
            let (bytes, _, _) = encoding.encode(text);
            assert_eq!(decode(&bytes), text);
        }
    }

    #[test]
    fn a_cut_last_character_does_not_spoil_the_rest() {
        let cut = &"Größe 5 ß".as_bytes()[.."Größe 5 ß".len() - 1];
        assert_eq!(decode(cut), "Größe 5 \u{FFFD}");
    }

    #[test]
    fn a_stray_zero_byte_is_not_utf_16() {
        let text = "Sequential Read : \0 401.250 MB/s";
        assert_eq!(decode(text.as_bytes()), text);
        assert_eq!(decode("\0\0\0\0 read".as_bytes()), "\0\0\0\0 read");
    }

    #[test]
    fn quote_marks_of_mails_are_cut() {
        let mail = "Hi,\n> a  b\n>\n> > c > d\n>>e\n";
        assert_eq!(unquoted(mail), "Hi,\na  b\n\nc > d\ne\n");
        for plain in ["a > b\n", "<p\n>x</p\n>", "> once\n"] {
            assert!(matches!(unquoted(plain), Cow::Borrowed(_)), "{plain:?}");
        }
    }

    #[test]
    fn nothing_and_noise_decode_to_something() {
        assert_eq!(decode(b""), "");
        let noise: Vec<u8> = (0..=255).collect();
        assert!(!decode(&noise).is_empty());
    }
}
