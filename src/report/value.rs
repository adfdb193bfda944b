//! Cell values as people and as machines read them.

use super::document::{Cell, Value};
use super::text::ascii_signs;
use crate::units::{grouped, without_noise};

/// What stands for an unknown value in people's formats.
pub const UNKNOWN: &str = "-";

/// From here on people get powers of ten instead of grouped digits.
const TOO_LONG_TO_GROUP: f64 = 1e15;

impl Value {
    /// The number or amount, where it is one and is finite; [`without_noise`], as every format for machines writes it.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number { value, .. } => Some(*value),
            Self::Duration { seconds } => Some(*seconds),
            Self::Money { amount, .. } => Some(*amount),
            Self::Empty | Self::Text(_) | Self::Flag(_) => None,
        }
        .filter(|number| number.is_finite())
        .map(without_noise)
    }

    /// Whether the value is unknown (a number that is not finite is).
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Number { .. } | Self::Duration { .. } | Self::Money { .. } => {
                self.as_number().is_none()
            }
            Self::Text(_) | Self::Flag(_) => false,
        }
    }

    /// The value as people read it: grouped and rounded, `≤` before an upper bound, `-` when unknown.
    #[must_use]
    pub fn for_people(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Flag(true) => "yes".to_owned(),
            Self::Flag(false) => "no".to_owned(),
            _ if self.is_unknown() => UNKNOWN.to_owned(),
            Self::Number {
                value,
                decimals,
                at_most,
                fixed,
            } => {
                let number = match fixed {
                    true => with_zeros(readable(*value, *decimals), *decimals),
                    false => readable(*value, *decimals),
                };
                if *at_most {
                    format!("≤ {number}")
                } else {
                    number
                }
            }
            Self::Duration { seconds } => time(*seconds),
            Self::Money { amount, currency } => format!("{} {currency}", money(*amount)),
            Self::Empty => UNKNOWN.to_owned(),
        }
    }
}

impl Cell {
    /// The value as people read it, with the hint in brackets behind it.
    #[must_use]
    pub fn for_people(&self) -> String {
        let value = self.value.for_people();
        match &self.hint {
            Some(hint) if !hint.is_empty() => format!("{value} ({hint})"),
            _ => value,
        }
    }
}

/// `text` with only ASCII signs where `ascii` asks for it.
#[must_use]
pub fn signs(text: String, ascii: bool) -> String {
    if ascii { ascii_signs(&text) } else { text }
}

/// A number with grouped thousands, or as a power of ten where it would be too long to read.
fn readable(value: f64, decimals: u8) -> String {
    if value.abs() < TOO_LONG_TO_GROUP {
        grouped(value, usize::from(decimals))
    } else {
        format!("{value:.3e}")
    }
}

/// `text`, a number of at most `decimals` decimals, with zeros up to all of them.
fn with_zeros(text: String, decimals: u8) -> String {
    let wanted = usize::from(decimals);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    if wanted == 0 || text.contains('e') {
        return text;
    }
    format!("{whole}.{fraction:0<wanted$}")
}

/// A time to the second, below ten seconds to a tenth: `3.5 s`, `90 s`, `35 min 27 s`, `2 h 15 min`, `3 days 1 h`.
fn time(seconds: f64) -> String {
    let whole = seconds.round();
    if !(0.0..TOO_LONG_TO_GROUP).contains(&seconds) {
        return format!("{} s", readable(seconds, 1));
    }
    if whole < 120.0 {
        let decimals = usize::from(seconds < 10.0);
        return format!("{} s", grouped(seconds, decimals));
    }
    let total = whole as u64;
    let hours = if total >= 48 * 3600 {
        total / 3600 % 24
    } else {
        total / 3600
    };
    let days = if total >= 48 * 3600 {
        total / 86_400
    } else {
        0
    };
    let parts = [
        (days, "days"),
        (hours, "h"),
        (total / 60 % 60, "min"),
        (total % 60, "s"),
    ];
    let said = parts.iter().filter(|(count, _)| *count > 0);
    let said = said.map(|(count, unit)| format!("{} {unit}", grouped(*count as f64, 0)));
    said.collect::<Vec<_>>().join(" ")
}

/// An amount with two decimals; below 1, with as many as show three figures, at most six.
fn money(amount: f64) -> String {
    let size = amount.abs();
    if size >= TOO_LONG_TO_GROUP {
        return readable(amount, 2);
    }
    let decimals = match size {
        s if s >= 0.1 || s == 0.0 => 2,
        s if s >= 0.01 => 4,
        s if s >= 0.001 => 5,
        _ => 6,
    };
    let text = grouped(amount, decimals);
    match text.split_once('.') {
        None => format!("{text}.00"),
        Some((_, fraction)) if fraction.len() == 1 => format!("{text}0"),
        Some(_) => text,
    }
}

/// A finite number for machines: the shortest decimal, [`without_noise`] (0.1 + 0.2 is written 0.3).
#[must_use]
pub fn machine(value: f64) -> String {
    let plain = value + 0.0; // -0 becomes 0
    format!("{}", without_noise(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_grouped_numbers_and_bounds() {
        assert_eq!(Cell::number(131.072, 1).for_people(), "131.1");
        assert_eq!(Cell::at_most(4000.0, 0).for_people(), "≤ 4,000");
        assert_eq!(Cell::EMPTY.for_people(), "-");
        assert_eq!(Cell::number(f64::NAN, 0).for_people(), "-");
        assert_eq!(Cell::flag(true).for_people(), "yes");
        let hinted = Cell::number(131.072, 1).hinted("listed as 128");
        assert_eq!(hinted.for_people(), "131.1 (listed as 128)");
        assert_eq!(Cell::number(2.5e18, 0).for_people(), "2.500e18");
    }

    #[test]
    fn money_keeps_its_cents_and_shows_small_prices() {
        let shown = |amount| Cell::money(amount, "USD").for_people();
        assert_eq!(shown(1234.5), "1,234.50 USD");
        assert_eq!(shown(76.0), "76.00 USD");
        assert_eq!(shown(0.0), "0.00 USD");
        assert_eq!(shown(0.0049), "0.0049 USD");
        assert_eq!(shown(0.000121), "0.000121 USD");
    }

    #[test]
    fn times_are_said_exactly_in_the_units_of_a_clock() {
        let shown = |seconds| Cell::duration(seconds).for_people();
        assert_eq!(shown(0.0), "0 s");
        assert_eq!(shown(3.46), "3.5 s");
        assert_eq!(shown(119.4), "119 s");
        assert_eq!(shown(119.6), "2 min");
        assert_eq!(shown(2127.3), "35 min 27 s");
        assert_eq!(shown(64_800.0), "18 h");
        // 30 h are below two days; 49 h and a second are not.
        assert_eq!(shown(108_000.0), "30 h");
        assert_eq!(shown(176_401.0), "2 days 1 h 1 s");
        assert_eq!(shown(f64::INFINITY), "-");
        assert_eq!(Cell::duration(2127.25).value.as_number(), Some(2127.25));
    }

    #[test]
    fn machines_get_unrounded_numbers_without_noise() {
        assert_eq!(machine(3000.0), "3000");
        assert_eq!(machine(0.1 + 0.2), "0.3");
        assert_eq!(machine(131.072), "131.072");
        assert_eq!(machine(-0.0), "0");
        assert_eq!(machine(1_099_511_627_776.5), "1099511627776.5");
        assert_eq!(machine(1.0 / 3.0), "0.333333333333333");
    }
}
