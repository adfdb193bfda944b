//! Numbers as the locales of people write them: `5,000.5`, `5.000,5`, `5 000,5`, `5'000.5`.
//!
//! A cell alone does not always tell (`5.000`), so the whole file is asked first whether a comma is its decimal point.

/// Marks that part thousands and nothing else: blanks (plain, no-break, narrow no-break and thin), apostrophes and `_`.
const MARKS: [char; 7] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}', '_'];

/// Whether a number shows that the comma is the decimal point: `20,48`, `1.730,5`, `1.234.567`; not `5,000`, which may be
/// grouped.
pub(crate) fn shows_decimal_comma(number: &str) -> bool {
    let number = without_marks(number.trim());
    let Some((whole, decimals)) = number.split_once(',') else {
        return is_grouped_twice(&number, '.');
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let grouped = is_grouped(whole, '.');
    digits(decimals) && (grouped || (digits(whole) && !may_be_thousands(whole, decimals)))
}

/// Whether a number shows that the point is the decimal one: `0.092`, `43.49`, `1,730.5`; not `5.000`, which may be
/// grouped.
pub(crate) fn shows_decimal_point(number: &str) -> bool {
    let number = without_marks(number.trim());
    let Some((whole, decimals)) = number.split_once('.') else {
        return false;
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let grouped = is_grouped(whole, ',');
    digits(decimals) && (grouped || (digits(whole) && !may_be_thousands(whole, decimals)))
}

/// Whether a mark between two rows of digits may part thousands.
fn may_be_thousands(whole: &str, decimals: &str) -> bool {
    decimals.len() == 3 && whole.len() <= 3 && whole != "0"
}

/// Whether digits are parted by `mark` so often that it cannot be a decimal point.
fn is_grouped_twice(digits: &str, mark: char) -> bool {
    is_grouped(digits, mark) && digits.matches(mark).count() > 1
}

/// `number` with a point before its decimals and, where a point parts thousands, without them.
pub(crate) fn with_point(number: &str, decimal_comma: bool) -> String {
    let number = without_marks(number);
    let end = number
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(number.len());
    let (digits, rest) = number.split_at(end);
    if !decimal_comma {
        return match is_grouped_twice(digits, '.') {
            true => format!("{}{rest}", digits.replace('.', "")),
            false => number,
        };
    }
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

/// What is to be said of IOPS such as `5.000`, where nothing shows whether the point parts thousands.
pub(crate) fn doubt(cell: &str) -> String {
    let plain = cell.replace('.', "");
    format!(
        "'{cell}' may be {plain} or a number with three decimals, and no other number shows what a point means here: \
         write {plain}, or {cell}0 for decimals"
    )
}

/// `text` without the blanks and apostrophes between thousands.
pub(crate) fn without_marks(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let parts = |at: usize| {
        at > 0 && digit(at - 1) && (1..=3).all(|ahead| digit(at + ahead)) && !digit(at + 4)
    };
    chars
        .iter()
        .enumerate()
        .filter(|(at, c)| !(MARKS.contains(*c) && parts(*at)))
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
            ("1'234'567,5", "1234567.5"),
        ] {
            assert_eq!(with_point(text, true), plain, "{text}");
        }
        assert_eq!(with_point("5.000", false), "5.000");
        assert_eq!(with_point("5 000", false), "5000");
        assert_eq!(with_point("4 KiB", false), "4 KiB");
        assert_eq!(with_point("1.234.567 IOPS", false), "1234567 IOPS");
        assert_eq!(with_point("9\u{2019}800.25", false), "9800.25");
    }

    #[test]
    fn only_some_numbers_show_the_decimal_point() {
        for text in [
            "0.092",
            "43.49",
            "1,730.500",
            "5.0000",
            "1234.567",
            "1'234.567",
        ] {
            assert!(shows_decimal_point(text), "{text}");
        }
        for text in ["5.000", "5,000", "1.234.567", "12", "a.5", ""] {
            assert!(!shows_decimal_point(text), "{text}");
        }
    }

    #[test]
    fn only_some_numbers_show_the_decimal_comma() {
        for text in [
            "20,48",
            "1.730,5",
            "4,0000",
            "5 000,25",
            "0,125",
            "1234,567",
            "1.234.567",
        ] {
            assert!(shows_decimal_comma(text), "{text}");
        }
        for text in ["5,000", "5.000", "1,234.5", "12", "a,5", "1,2,3", ""] {
            assert!(!shows_decimal_comma(text), "{text}");
        }
    }
}
