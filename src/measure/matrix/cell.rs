//! One cell of a results matrix: a figure, its unit, or nothing.

use super::super::local_number::{is_grouped, with_point};
use super::super::rate::RateUnit;
use super::super::scan::{grouped_number, micros};
use crate::units::MB;

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Unit {
    /// Throughput: bytes per second of one.
    Bytes(f64),
    /// I/Os per second: how many of them one is.
    Iops(f64),
    /// Latency: microseconds of one.
    Micros(f64),
}

impl Unit {
    /// The unit of figures that say none.
    pub const DEFAULT: Self = Self::Bytes(MB);

    /// Whether both are of one quantity.
    pub const fn is_like(&self, other: &Self) -> bool {
        matches!(
            (self, other),
            (Self::Bytes(_), Self::Bytes(_))
                | (Self::Iops(_), Self::Iops(_))
                | (Self::Micros(_), Self::Micros(_))
        )
    }

    /// Reads a unit alone: `MB/s`, `MiB/s`, `IOPS`, `k IOPS`, `us`.
    pub fn read(text: &str) -> Option<Self> {
        Some(match text.trim().to_lowercase().as_str() {
            "iops" | "io/s" => Self::Iops(1.0),
            "kiops" | "k iops" => Self::Iops(1e3),
            other => match RateUnit::read(other, false) {
                Some(unit) => Self::Bytes(unit.bytes),
                None => Self::Micros(micros(1.0, other)?),
            },
        })
    }

    /// The unit that stands somewhere in a text, in brackets or as a word, if it is the only one; times only in
    /// brackets, because `s` and `m` are words of their own.
    pub fn within(text: &str) -> Option<Self> {
        let bracketed = text
            .split_once('(')
            .and_then(|(_, rest)| rest.split_once(')'))
            .and_then(|(inner, _)| Self::read(inner));
        bracketed.or_else(|| {
            let mut units = text
                .split_whitespace()
                .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
                .filter_map(Self::read)
                .filter(|unit| !matches!(unit, Self::Micros(_)));
            let first = units.next()?;
            units.all(|other| other == first).then_some(first)
        })
    }
}

/// A figure with the unit that its own cell says, if any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Figure {
    pub value: f64,
    pub unit: Option<Unit>,
    /// Whether it may be thousands as well as three decimals (`1.234`).
    pub doubtful: bool,
}

/// What a cell holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// One figure, or two of different units (`27 MB/s (6,900 IOPS)`, `25,339 IOPS@7.6ms`).
    Figures(Vec<Figure>),
    /// Nothing, or words where a figure should be.
    Missing,
    /// A ratio or percentage: worked out from others, so of no use.
    Derived,
}

impl Cell {
    /// Reads a cell; `decimal_comma` where the text shows that the comma is its decimal point.
    pub fn read(text: &str, decimal_comma: bool) -> Self {
        let figure = |text: &str| figure(text, decimal_comma);
        let text = text.trim().trim_start_matches(['~', '≈', '≤', '<']).trim();
        if let Some(figure) = figure(text) {
            return Self::Figures(vec![figure]);
        }
        if let Some((first, rest)) = text.split_once(['(', '[', '@'])
            && let Some(first) = figure(first)
            && let Some(second) = second_figure(rest.trim_end_matches([')', ']']), decimal_comma)
        {
            return Self::Figures(vec![first, second]);
        }
        let number = text
            .trim_start_matches(['+', '-', '−'])
            .trim_end_matches(['x', 'X', '×', '%']);
        if number.len() < text.len()
            && figure(number.trim()).is_some_and(|figure| figure.unit.is_none())
        {
            return Self::Derived;
        }
        Self::Missing
    }

    pub fn is_figure(&self) -> bool {
        matches!(self, Self::Figures(_))
    }
}

/// The figure behind another one (`27 MB/s (6.9k)`): it may count thousands.
fn second_figure(text: &str, comma: bool) -> Option<Figure> {
    let text = text.trim();
    if let Some(bare) = text.strip_suffix(['k', 'K']) {
        let figure = figure(bare, comma).filter(|figure| figure.unit.is_none())?;
        return Some(Figure {
            value: figure.value * 1e3,
            ..figure
        });
    }
    figure(text, comma)
}

/// A number with an optional unit; thousands grouped with commas, or a comma for the decimal point.
pub(super) fn figure(text: &str, comma: bool) -> Option<Figure> {
    let text = with_point(text.trim(), comma);
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let value = grouped_number(digits).or_else(|| decimal_comma(digits))?;
    let unit = match rest.trim() {
        "" => None,
        unit => Some(Unit::read(unit)?),
    };
    Some(Figure {
        value,
        unit,
        doubtful: !comma && is_grouped(digits, '.'),
    })
}

/// `23,07` and `7.962,51`.
fn decimal_comma(digits: &str) -> Option<f64> {
    let (whole, decimals) = digits.split_once(',')?;
    let whole = whole.replace('.', "");
    format!("{whole}.{decimals}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(value: f64, unit: Option<Unit>) -> Cell {
        Cell::Figures(vec![plain(value, unit)])
    }

    fn plain(value: f64, unit: Option<Unit>) -> Figure {
        Figure {
            value,
            unit,
            doubtful: false,
        }
    }

    #[test]
    fn figures_as_people_paste_them() {
        let cases = [
            ("23.07", one(23.07, None)),
            ("7,962.51", one(7962.51, None)),
            ("23,07", one(23.07, None)),
            ("7.962,51", one(7962.51, None)),
            ("1,802", one(1802.0, None)),
            ("~27 MB/s", one(27.0, Some(Unit::Bytes(1e6)))),
            ("20.6 GB/s", one(20.6, Some(Unit::Bytes(1e9)))),
            ("310 K IOPS", one(310.0, Some(Unit::Iops(1e3)))),
            ("18,700us", one(18700.0, Some(Unit::Micros(1.0)))),
            ("", Cell::Missing),
            ("-", Cell::Missing),
            ("(latency-bound)", Cell::Missing),
            ("563.2 MB/s [", Cell::Missing),
            ("8.4x", Cell::Derived),
            ("-12 %", Cell::Derived),
        ];
        for (text, cell) in cases {
            assert_eq!(Cell::read(text, false), cell, "{text}");
        }
        let both = vec![
            plain(27.0, Some(Unit::Bytes(1e6))),
            plain(6900.0, Some(Unit::Iops(1.0))),
        ];
        assert_eq!(
            Cell::read("27 MB/s (6,900 IOPS)", false),
            Cell::Figures(both)
        );
    }

    #[test]
    fn units_are_found_in_heads_and_captions() {
        assert_eq!(Unit::within("Read (MiB/s)"), Some(Unit::Bytes(1_048_576.0)));
        assert_eq!(
            Unit::within("all in MB/s, five runs"),
            Some(Unit::Bytes(1e6))
        );
        assert_eq!(Unit::within("latency (us)"), Some(Unit::Micros(1.0)));
        assert_eq!(Unit::within("run m of s"), None);
        assert_eq!(Unit::within("IOPS and MB/s of both"), None);
        assert_eq!(Unit::within("MBps"), Some(Unit::Bytes(1e6)));
    }
}
