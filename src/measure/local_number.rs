//! Numbers as the locales of people write them: `5,000.5`, `5.000,5`, `5 000,5`.
//!
//! A cell alone does not always tell (`5.000`), so the whole file is asked first whether a comma is its decimal point.

/// Blanks that part thousands: plain, no-break, narrow no-break and thin.
const BLANKS: [char; 4] = [' ', '\u{a0}', '\u{202f}', '\u{2009}'];

/// Whether a number shows that the comma is the decimal point: `20,48`, `1.730,5`; not `5,000`, which may be grouped.
pub(crate) fn shows_decimal_comma(number: &str) -> bool {
    let number = without_blanks(number.trim());
    let Some((whole, decimals)) = number.split_once(',') else {
        return false;
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let grouped = is_grouped(whole, '.');
    digits(decimals) && (grouped || (digits(whole) && decimals.len() != 3))
}

/// Whether a number shows that the point is the decimal one: `0.092`, `43.49`, `1,730.5`; not `5.000`, which may be
/// grouped.
pub(crate) fn shows_decimal_point(number: &str) -> bool {
    let Some((whole, decimals)) = number.trim().split_once('.') else {
        return false;
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let grouped = is_grouped(whole, ',');
    digits(decimals) && (grouped || (digits(whole) && (decimals.len() != 3 || whole == "0")))
}

/// `number` with a point before its decimals and, where a point parts thousands, without them.
pub(crate) fn with_point(number: &str, decimal_comma: bool) -> String {
    let number = without_blanks(number);
    if !decimal_comma {
        return number;
    }
    let end = number
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(number.len());
    let (digits, rest) = number.split_at(end);
    match digits.split_once(',') {
        Some((whole, decimals)) => format!("{}.{decimals}{rest}", whole.replace('.', "")),
        None if is_grouped(digits, '.') => format!("{}{rest}", digits.replace('.', "")),
        None => number,
    }
}

/// Whether digits are parted into thousands by `mark`, at least once.
pub(crate) fn is_grouped(digits: &str, mark: char) -> bool {
    let mut groups = digits.split(mark);
    let digit = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let first = groups
        .next()
        .is_some_and(|first| (1..=3).contains(&first.len()) && digit(first) && first != "0");
    let mut others = groups.peekable();
    first && others.peek().is_some() && others.all(|group| group.len() == 3 && digit(group))
}

/// `text` without the blanks between thousands.
pub(crate) fn without_blanks(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let parts = |at: usize| {
        at > 0 && digit(at - 1) && (1..=3).all(|ahead| digit(at + ahead)) && !digit(at + 4)
    };
    chars
        .iter()
        .enumerate()
        .filter(|(at, c)| !(BLANKS.contains(*c) && parts(*at)))
        .map(|(_, c)| *c)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_several_locales() {
        for (text, plain) in [
            ("5.000", "5000"),
            ("1.234.567", "1234567"),
            ("20,48", "20.48"),
            ("1.730,5", "1730.5"),
            ("6,400 ms", "6.400 ms"),
            ("20.5", "20.5"),
            ("0.125", "0.125"),
            ("5 000,5", "5000.5"),
            ("5\u{202f}000", "5000"),
            ("12\u{a0}345 IOPS", "12345 IOPS"),
        ] {
            assert_eq!(with_point(text, true), plain, "{text}");
        }
        assert_eq!(with_point("5.000", false), "5.000");
        assert_eq!(with_point("5 000", false), "5000");
        assert_eq!(with_point("4 KiB", false), "4 KiB");
    }

    #[test]
    fn only_some_numbers_show_the_decimal_point() {
        for text in ["0.092", "43.49", "1,730.500", "5.0000"] {
            assert!(shows_decimal_point(text), "{text}");
        }
        for text in ["5.000", "5,000", "1.234.567", "12", "a.5", ""] {
            assert!(!shows_decimal_point(text), "{text}");
        }
    }

    #[test]
    fn only_some_numbers_show_the_decimal_comma() {
        for text in ["20,48", "1.730,5", "4,0000", "5 000,25"] {
            assert!(shows_decimal_comma(text), "{text}");
        }
        for text in ["5,000", "5.000", "1,234.5", "12", "a,5", "1,2,3", ""] {
            assert!(!shows_decimal_comma(text), "{text}");
        }
    }
}
