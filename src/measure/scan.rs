//! Small tools for reading reports line by line.

use crate::units::{BlockSize, Iops, KIB, Latency, MBps};

/// The lines of a pasted report, numbered from 1: without surrounding blanks and without the quote marks of mails
/// and Markdown (`> `). A lone carriage return ends a line too, as in captured progress output.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').enumerate().flat_map(|(index, line)| {
        line.split('\r')
            .map(unquoted)
            .filter(|part| !part.is_empty())
            .map(move |part| (index + 1, part))
    })
}

/// `line` without blanks and quote marks before it and blanks behind it.
fn unquoted(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || c == '>' || c == '\u{feff}')
        .trim_end()
}

/// What follows `prefix` (compared without regard to ASCII case), trimmed.
pub(crate) fn after<'a>(line: &'a str, prefix: &str) -> Option<&'a str> {
    let head = line.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix)
        .then(|| line.get(prefix.len()..).unwrap_or_default().trim())
}

/// The number that `text` begins with (digits, a decimal point, an exponent) and the trimmed rest behind it.
pub(crate) fn number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let mut end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    if let Some(exponent) = exponent_length(text.get(end..)?) {
        end += exponent;
    }
    let value: f64 = text.get(..end)?.parse().ok()?;
    value
        .is_finite()
        .then(|| (value, text.get(end..).unwrap_or_default().trim()))
}

/// The length of an exponent (`e-05`) at the start of `text`.
fn exponent_length(text: &str) -> Option<usize> {
    let body = text.strip_prefix(['e', 'E'])?;
    let digits = body.strip_prefix(['+', '-']).unwrap_or(body);
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    (length > 0).then(|| text.len() - digits.len() + length)
}

/// A number alone, whose thousands may be grouped with commas (`7,962.51`).
pub(crate) fn grouped_number(text: &str) -> Option<f64> {
    // The parser of IOPS knows groups; a suffix that it knows too is none here.
    let bare = text.ends_with(|c: char| c.is_ascii_digit() || c == '.');
    bare.then(|| text.parse().ok().map(Iops::get)).flatten()
}

/// The whole number that `text` begins with and the trimmed rest behind it.
pub(crate) fn whole(text: &str) -> Option<(u64, &str)> {
    let text = text.trim_start();
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let value = text.get(..end)?.parse().ok()?;
    Some((value, text.get(end..)?.trim()))
}

/// Microseconds of `value` in `unit` (`ns`, `us`, `ms`, `s`, and their spellings); `None` for an unknown unit.
pub(crate) fn micros(value: f64, unit: &str) -> Option<f64> {
    let factor = match unit {
        "ns" | "nsec" => 1e-3,
        "us" | "usec" | "µs" | "μs" => 1.0,
        "ms" | "msec" => 1e3,
        "s" | "sec" | "secs" | "seconds" => 1e6,
        "min" | "m" => 60e6,
        "hour" | "hours" | "h" => 3600e6,
        _ => return None,
    };
    Some(value * factor)
}

/// Bytes of `value` in a unit that means a power of two, however it is spelled (`KiB`, `Kb`, `k`).
pub(crate) fn binary_bytes(value: f64, unit: &str) -> Option<f64> {
    let power = match unit.to_ascii_lowercase().as_str() {
        "b" | "byte" | "bytes" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    Some(value * (KIB as f64).powi(power))
}

/// A latency, where the tool printed more than zero: what it rounds to 0.00 is too short to be known.
pub(crate) fn latency_above_zero(micros: f64) -> Option<Latency> {
    Latency::from_micros(micros)
        .ok()
        .filter(|latency| latency.micros() > 0.0)
}

/// Both rates, the missing one worked out from the other where all I/Os have one size.
pub(crate) fn both_rates(
    iops: Option<Iops>,
    mbps: Option<MBps>,
    block: Option<BlockSize>,
) -> (Option<Iops>, Option<MBps>) {
    let of_mbps = || Some(mbps?.iops_at(block?));
    let of_iops = || Some(iops?.throughput(block?));
    (iops.or_else(of_mbps), mbps.or_else(of_iops))
}

/// The power of two that `bytes` of one I/O are, where they were worked out from rounded figures that are off by
/// no more than `tolerance` (a fraction; above a quarter they say nothing); at least 512 bytes, the smallest sector.
pub(crate) fn rounded_block_size(bytes: f64, tolerance: f64) -> Option<BlockSize> {
    if !bytes.is_finite() || bytes < 1.0 {
        return None;
    }
    let power = bytes.log2().round().exp2();
    let near = tolerance <= 0.25 && (bytes / power - 1.0).abs() <= tolerance;
    (near && power >= (KIB / 2) as f64)
        .then(|| BlockSize::from_bytes(power as u64).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quote_marks_and_progress_are_cut() {
        let text = "> a: 1\n>> b\r\n 1 MB\r2 MB\r\n";
        let found: Vec<_> = lines(text).collect();
        assert_eq!(found, [(1, "a: 1"), (2, "b"), (3, "1 MB"), (3, "2 MB")]);
    }

    #[test]
    fn numbers_end_where_their_unit_begins() {
        assert_eq!(number("12.5ms x"), Some((12.5, "ms x")));
        assert_eq!(number(" 1e-05 s"), Some((1e-5, "s")));
        assert_eq!(number("3 events"), Some((3.0, "events")));
        assert_eq!(number("3e"), Some((3.0, "e")));
        assert_eq!(number("1.2.3"), None);
        assert_eq!(number("x"), None);
        assert_eq!(whole("64 files"), Some((64, "files")));
        assert_eq!(whole("99999999999999999999"), None);
    }

    #[test]
    fn prefixes_do_not_mind_case_or_other_alphabets() {
        assert_eq!(after("Block Size: 4KiB", "block size:"), Some("4KiB"));
        assert_eq!(after("é", "block size:"), None);
        assert_eq!(after("日本語", "ab"), None);
    }

    #[test]
    fn a_block_size_from_rounded_figures() {
        assert_eq!(rounded_block_size(4033.0, 0.05), Some(BlockSize::KIB_4));
        assert_eq!(rounded_block_size(5000.0, 0.05), None);
        assert_eq!(rounded_block_size(4096.0, 0.3), None);
        assert_eq!(rounded_block_size(256.0, 0.05), None);
        assert_eq!(rounded_block_size(0.0, 0.05), None);
        assert_eq!(rounded_block_size(f64::INFINITY, 0.05), None);
    }
}
