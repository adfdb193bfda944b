//! Decimal numbers as logs print them, from bytes.

use crate::measure::local_number::Marks;

/// Powers of ten that an `f64` holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];
/// A mantissa below this takes one more digit without running over.
const ROOM: u64 = u64::MAX / 10 - 1;

/// Reads a decimal number: digits with a `.` or, as some locales print it, a `,` before the fraction.
/// `None` for anything else, infinities and NaN among them.
pub(super) fn decimal(text: &[u8]) -> Option<f64> {
    if let Some((value, length)) = leading(text)
        && length == text.len()
    {
        return Some(value);
    }
    signed_or_long(text)
}

/// The number of a cell of a table, by what the table shows of how its numbers are written; thousands may be parted.
pub(super) fn figure(cell: &str, marks: &Marks) -> Option<f64> {
    let is_plain = !marks.comma_shown() && !cell.contains(',');
    let plain = is_plain.then(|| decimal(cell.as_bytes())).flatten();
    plain.or_else(|| decimal(marks.plain(cell).as_bytes()))
}

/// The most digits that a mantissa of 64 bits has room for in any case.
const DIGITS: usize = 18;

/// The plain number that a text begins with, and how long it is: digits, and a fraction behind a `.` or `,`. `None`
/// where there is none, or one with more digits than are read at once.
#[inline]
pub(super) fn leading(text: &[u8]) -> Option<(f64, usize)> {
    let (whole, length) = digits(text, 0);
    let behind = text.get(length..).unwrap_or_default();
    let (mantissa, places, mark) = match behind.split_first() {
        Some((b'.' | b',', fraction)) => {
            let (mantissa, places) = digits(fraction, whole);
            (mantissa, places, 1)
        }
        _ => (whole, 0, 0),
    };
    if !(1..=DIGITS).contains(&(length + places)) {
        return None;
    }
    let value = mantissa as f64 / POWERS.get(places)?;
    Some((value, length + mark + places))
}

/// The digits that a text begins with behind those of `before`, and how many they are.
#[inline]
fn digits(text: &[u8], before: u64) -> (u64, usize) {
    let mut value = before;
    let mut count = 0;
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        count += 1;
    }
    (value, count)
}

/// Numbers with a sign, with many digits or an exponent.
fn signed_or_long(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, text),
    };
    let mut mantissa = 0_u64;
    let mut places = None::<usize>;
    for byte in digits {
        match byte {
            b'0'..=b'9' if mantissa < ROOM => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                places = places.map(|n| n + 1);
            }
            // Further digits of a fraction change nothing that an f64 could show.
            b'0'..=b'9' if places.is_some() => {}
            b'.' | b',' if places.is_none() => places = Some(0),
            _ => return uncommon(text),
        }
    }
    if digits.len() == usize::from(places.is_some()) {
        return None;
    }
    let Some(power) = POWERS.get(places.unwrap_or(0)) else {
        return uncommon(text);
    };
    let value = mantissa as f64 / power;
    Some(if negative { -value } else { value })
}

/// Exponents and very long numbers.
fn uncommon(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?;
    if !text
        .bytes()
        .all(|b| b.is_ascii_digit() || b"+-.,eE".contains(&b))
    {
        return None;
    }
    text.replace(',', ".")
        .parse()
        .ok()
        .filter(|v: &f64| v.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_is_what_the_standard_library_reads(text in "[-+]?[0-9]{0,24}[.]?[0-9]{0,12}") {
            let expected: Option<f64> = text.parse().ok();
            match (decimal(text.as_bytes()), expected) {
                (Some(read), Some(value)) => {
                    prop_assert!((read - value).abs() <= value.abs() * 1e-15, "{}", text);
                }
                (read, value) => prop_assert_eq!(read, value, "{}", text),
            }
        }
    }

    #[test]
    fn a_number_at_the_beginning_ends_where_it_ends() {
        assert_eq!(leading(b"12,5\",\"7"), Some((12.5, 4)));
        assert_eq!(leading(b"0.199608"), Some((0.199_608, 8)));
        assert_eq!(leading(b"7."), Some((7.0, 2)));
        for text in ["", ".", "-1", "x", "1234567890123456789"] {
            assert_eq!(leading(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn decimals_of_both_locales() {
        for (text, value) in [
            ("0.00", 0.0),
            ("12,5", 12.5),
            ("17.066449", 17.066449),
            ("-3.25", -3.25),
            ("0.00015879999999999999", 0.0001588),
            ("6.2e-005", 6.2e-5),
            ("187688.624809", 187_688.624_809),
            ("18446744073709551.61", 18_446_744_073_709_551.61),
        ] {
            let read = decimal(text.as_bytes()).unwrap();
            assert!(
                (read - value).abs() <= value.abs() * 1e-15,
                "{text}: {read}"
            );
        }
        for text in [
            "", " ", "-", ".", "1.2.3", "nan", "inf", "1e999", "0x10", "5k",
        ] {
            assert_eq!(decimal(text.as_bytes()), None, "{text:?} was read");
        }
    }
}
