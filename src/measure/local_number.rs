//! Numbers as the locales of people write them: `5,000.5`, `5.000,5`, `5 000,5`, `5'000.5`.
//!
//! A cell alone does not always tell (`5.000`), so the whole file is asked first whether a comma is its decimal point.

/// What the numbers of a table show of how they are written, and what parts its cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks {
    delimiter: u8,
    /// Whether a number shows that the comma is the decimal point.
    comma_shown: bool,
    /// Whether one shows that the point is.
    point_shown: bool,
}

impl Marks {
    /// Those of a table of which no number was seen.
    pub(crate) const fn new(delimiter: u8) -> Self {
        Self {
            delimiter,
            comma_shown: false,
            point_shown: false,
        }
    }

    /// What parts its cells.
    pub(crate) const fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Takes a number of the table for what it shows.
    pub(crate) fn see(&mut self, number: &str) {
        if number.contains([',', '.']) {
            self.comma_shown = self.comma_shown || shows_decimal_comma(number);
            self.point_shown = self.point_shown || shows_decimal_point(number);
        }
    }

    /// Whether a number shows that the comma is the decimal point.
    pub(crate) const fn comma_shown(&self) -> bool {
        self.comma_shown
    }

    /// Whether a comma is the decimal point of a cell, so that its points part thousands.
    pub(crate) fn has_decimal_comma(&self, cell: &str) -> bool {
        let likely = self.delimiter == b';' && !self.point_shown;
        self.comma_shown || (likely && cell.contains(','))
    }

    /// `cell` with a point before its decimals and nothing between its thousands.
    pub(crate) fn plain(&self, cell: &str) -> String {
        let number = with_point(cell, self.has_decimal_comma(cell));
        let unsigned = number.trim_start_matches(['-', '+']);
        let whole = unsigned.split('.').next().unwrap_or_default();
        match is_grouped(whole, ',') {
            true => number.replace(',', ""),
            false => number,
        }
    }

    /// What is to be said of a cell of IOPS that may be decimals or thousands (`5.000`, or `5,000` between `;`), where no
    /// number shows which. Commas between cells are of tables whose decimal point is a point.
    pub(crate) fn doubt(&self, cell: &str) -> Option<String> {
        let is_sure = self.delimiter == b',' || self.comma_shown || self.point_shown;
        let either = is_grouped(cell, '.') || (self.delimiter == b';' && is_grouped(cell, ','));
        (either && !is_sure).then(|| doubt(cell))
    }
}

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
/// grouped; `1,234,567` shows it too.
pub(crate) fn shows_decimal_point(number: &str) -> bool {
    let number = without_marks(number.trim());
    let Some((whole, decimals)) = number.split_once('.') else {
        return is_grouped_twice(&number, ',');
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

/// What is to be said of IOPS such as `5.000`, where nothing shows whether the point, or the comma, parts thousands.
pub(crate) fn doubt(cell: &str) -> String {
    let plain = cell.replace(['.', ','], "");
    let mark = if cell.contains(',') { "comma" } else { "point" };
    format!(
        "'{cell}' may be {plain} or a number with three decimals, and no other number shows what a {mark} means here: \
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
    fn a_comma_in_groups_of_three_parts_thousands_unless_the_table_shows_otherwise() {
        let plain = |delimiter, seen: &str, cell| {
            let mut marks = Marks::new(delimiter);
            marks.see(seen);
            marks.plain(cell)
        };
        for (delimiter, seen, cell, is) in [
            (b',', "", "5,000", "5000"),
            (b',', "950.5", "1,100", "1100"),
            (b',', "", "-20,480,000", "-20480000"),
            (b',', "", "1,730.5", "1730.5"),
            (b',', "12,5", "5,125", "5.125"),
            (b',', "", "5000", "5000"),
            (b'\t', "", "5,000", "5000"),
            (b';', "0.5", "5,000", "5000"),
            (b';', "0,5", "5,000", "5.000"),
            (b';', "0,5", "5.000", "5000"),
        ] {
            assert_eq!(plain(delimiter, seen, cell), is, "{cell} beside {seen}");
        }
    }

    #[test]
    fn what_nothing_tells_is_doubted() {
        let semicolon = Marks::new(b';');
        for cell in ["5,000", "5.000"] {
            let said = semicolon.doubt(cell).unwrap();
            assert!(said.contains("may be 5000"), "{said}");
        }
        for cell in ["5", "12,5", "1.5", "5,0000"] {
            assert_eq!(semicolon.doubt(cell), None, "{cell}");
        }
        assert_eq!(Marks::new(b',').doubt("5,000"), None);
        let mut shown = semicolon;
        shown.see("0,125");
        assert_eq!(shown.doubt("5,000"), None);
    }

    #[test]
    fn only_some_numbers_show_the_decimal_point() {
        for text in [
            "1,234,567",
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
