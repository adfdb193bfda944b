//! One line of a fio log.
//!
//! `time, value, direction, block size[, offset][, priority][, issue time]`, and with `log_window_value=both`
//! `time, mean, highest, direction, block size, ...`. Old versions end earlier. Source: fio(1), "Log file formats",
//! and its 3.41 change of `log_window_value`.

use crate::measure::series::lines::Lines;

/// How many columns matter.
const COLUMNS: usize = 5;
/// The highest direction: 0 read, 1 write, 2 trim.
const TRIM: u64 = 2;

/// The first columns of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line {
    columns: [u64; COLUMNS],
    count: usize,
}

impl Line {
    /// Reads a line; `None` where it is not of numbers.
    #[inline]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut line = Self {
            columns: [0; COLUMNS],
            count: 0,
        };
        let mut at = 0;
        while line.count < COLUMNS {
            let mut value = 0_u64;
            let from = at;
            while let Some(digit) = text
                .get(at)
                .map(|b| b.wrapping_sub(b'0'))
                .filter(|d| *d < 10)
            {
                value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
                at += 1;
            }
            if at == from || at - from > 19 {
                return None;
            }
            *line.columns.get_mut(line.count)? = value;
            line.count += 1;
            // A priority in hexadecimal, which nothing here needs: `0x4001`.
            if line.count == COLUMNS && value == 0 && text.get(at) == Some(&b'x') {
                break;
            }
            if !skip_separator(text, &mut at)? {
                break;
            }
        }
        (line.count >= 2).then_some(line)
    }

    /// Whether the third column cannot be a direction.
    pub const fn third_is_no_direction(&self) -> bool {
        self.count > 4 && self.columns[2] > TRIM
    }

    /// What the line says in `layout`; `None` where its direction is none.
    #[inline]
    pub fn entry(&self, layout: Layout) -> Option<Entry> {
        let [time_ms, value, third, fourth, fifth] = self.columns;
        let (direction, block, has_direction) = match layout {
            Layout::One => (third, fourth, self.count > 2),
            Layout::MeanAndHighest => (fourth, fifth, self.count > 3),
        };
        let direction = match direction {
            _ if !has_direction => Direction::Unsaid,
            number => Direction::of(number)?,
        };
        Some(Entry {
            time_ms,
            value,
            direction,
            block,
        })
    }
}

/// Goes past a comma and blanks, or blanks only; whether another number follows. `None` where something else does.
#[inline]
fn skip_separator(text: &[u8], at: &mut usize) -> Option<bool> {
    let from = *at;
    while matches!(text.get(*at), Some(b',' | b' ' | b'\t' | b';')) {
        *at += 1;
    }
    match text.get(*at) {
        None => Some(false),
        Some(byte) if byte.is_ascii_digit() && *at > from => Some(true),
        Some(_) => None,
    }
}

/// Which columns a log has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One value.
    One,
    /// The mean of a window and its highest value.
    MeanAndHighest,
}

/// Reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
    Trim,
    /// The log does not say it.
    Unsaid,
}

impl Direction {
    /// The direction that fio writes as this number.
    pub const fn of(number: u64) -> Option<Self> {
        match number {
            0 => Some(Self::Read),
            1 => Some(Self::Write),
            TRIM => Some(Self::Trim),
            _ => None,
        }
    }
}

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// Milliseconds since the job's start, or since 1970.
    pub time_ms: u64,
    /// In the unit of the log.
    pub value: u64,
    pub direction: Direction,
    /// Bytes of the I/O; 0 for a mean over a window.
    pub block: u64,
}

/// Whether the head of a file looks like a fio log: several lines of 2 to 7 numbers and nothing else.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let Ok(mut lines) = Lines::new(head) else {
        return false;
    };
    let mut fitting = 0;
    // The last line of a head may be cut, so it does not count against it.
    for _ in 0..20 {
        match lines.next_line() {
            Ok(Some(line)) if line.contains(&b',') && Line::parse(line).is_some() => fitting += 1,
            Ok(Some(line)) if line.trim_ascii().is_empty() => {}
            Ok(Some(_)) => return fitting > 3 && lines.next_line().is_ok_and(|l| l.is_none()),
            _ => break,
        }
    }
    fitting > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str, layout: Layout) -> Option<Entry> {
        Line::parse(text.as_bytes())?.entry(layout)
    }

    #[test]
    fn columns_of_all_versions() {
        let four = entry("1001, 7310, 1, 4096", Layout::One).unwrap();
        assert_eq!(
            four,
            Entry {
                time_ms: 1001,
                value: 7310,
                direction: Direction::Write,
                block: 4096
            }
        );
        for text in [
            "1001,7310,1,4096",
            "1001, 7310, 1, 4096, 0",
            "1001, 7310, 1, 4096, 0x4001",
            "1001, 7310, 1, 4096, 81920, 0",
            "1001, 7310, 1, 4096, 81920, 0x4001",
            "1001, 7310, 1, 4096, 81920, 0, 99887766",
        ] {
            assert_eq!(entry(text, Layout::One), Some(four), "{text}");
        }
        assert_eq!(
            entry("1001, 7310, 9120, 1, 4096, 0", Layout::MeanAndHighest),
            Some(four)
        );
        assert_eq!(
            entry("5, 6", Layout::One).unwrap().direction,
            Direction::Unsaid
        );
    }

    #[test]
    fn other_lines_are_refused() {
        for text in [
            "",
            "5",
            "a, b",
            "5, -6, 0, 0",
            "5, 6, 7, 0",
            "1 2x",
            "99999999999999999999, 1, 0, 0",
        ] {
            assert_eq!(entry(text, Layout::One), None, "{text}");
        }
    }

    #[test]
    fn a_log_is_told_from_other_numbers() {
        assert!(sniff(b"1000, 5, 0, 0\n2000, 6, 0, 0\n"));
        assert!(!sniff(b"time,iops\n1,2\n"));
        assert!(!sniff(b"sda 1 2 3\n"));
        assert!(!sniff(b""));
    }
}
