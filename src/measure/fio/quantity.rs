//! Numbers as fio prints them.

use crate::units::{KIB, Latency, MBps};

/// A number with fio's decimal suffix: `5000`, `12.5k`, `1200k`, `1.2M`.
pub(super) fn scaled(text: &str) -> Option<f64> {
    let (value, suffix) = number_and_rest(text)?;
    let factor = match suffix {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return None,
    };
    finite(value * factor)
}

/// A rate: `19.5MiB/s`, `20.5MB/s`, `500B/s`, `20000KB/s`, `164Mbit/s`; `1471Mi` and `1542M` of a client's sum.
///
/// `kb_is_kib`: fio 2.x means 1,024 bytes by KB and prints no "KiB".
pub(super) fn rate(text: &str, kb_is_kib: bool) -> Option<MBps> {
    let (value, unit) = number_and_rest(text)?;
    let bytes = match unit.strip_suffix("/s") {
        Some(amount) => unit_bytes(amount, kb_is_kib)?,
        None if unit.contains(['B', 'b']) => return None,
        None => unit_bytes(&format!("{unit}B"), false)?,
    };
    MBps::from_bytes_per_s(value * bytes).ok()
}

/// A unit of fio's latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    Nanos,
    Micros,
    Millis,
    Seconds,
}

impl Time {
    /// From `nsec`, `usec`, `msec`, `sec`.
    pub fn named(unit: &str) -> Option<Self> {
        match unit {
            "nsec" => Some(Self::Nanos),
            "usec" => Some(Self::Micros),
            "msec" => Some(Self::Millis),
            "sec" => Some(Self::Seconds),
            _ => None,
        }
    }

    /// A latency given in this unit.
    pub fn latency(self, value: f64) -> Option<Latency> {
        let micros = match self {
            Self::Nanos => value / 1e3,
            Self::Micros => value,
            Self::Millis => value * 1e3,
            Self::Seconds => value * 1e6,
        };
        Latency::from_micros(micros).ok()
    }
}

/// An amount of data in bytes: `4096MiB`, `4096.0MB`, `129MiB`.
pub(super) fn bytes(text: &str, kb_is_kib: bool) -> Option<f64> {
    let (value, unit) = number_and_rest(text)?;
    finite(value * unit_bytes(unit, kb_is_kib)?)
}

/// The bytes of a unit such as `MiB`, `kB`, `Mbit` or `B`.
fn unit_bytes(unit: &str, kb_is_kib: bool) -> Option<f64> {
    let (prefix, size) = if let Some(prefix) = unit.strip_suffix('B') {
        (prefix, 1.0)
    } else {
        (unit.strip_suffix("bit")?, 1.0 / 8.0)
    };
    let (letter, binary) = match prefix.strip_suffix('i') {
        Some(letter) => (letter, true),
        None => (prefix, kb_is_kib),
    };
    let power = match letter {
        "" => 0,
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        "P" => 5,
        _ => return None,
    };
    let base = if binary { KIB as f64 } else { 1e3 };
    Some(size * base.powi(power))
}

/// Splits a plain number off the front.
fn number_and_rest(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest.trim()))
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_and_decimal_rates_are_told_apart() {
        let mbps = |text, old| rate(text, old).unwrap().get();
        assert_eq!(mbps("1.00MiB/s", false), 1.048_576);
        assert_eq!(mbps("1.00MB/s", false), 1.0);
        assert_eq!(mbps("1000KB/s", true), 1.024);
        assert_eq!(mbps("500B/s", false), 0.000_5);
        assert_eq!(mbps("8Mbit/s", false), 1.0);
        assert_eq!(mbps("2GiB/s", false), 2_147.483_648);
        assert_eq!(rate("5 apples/s", false), None);
        assert_eq!(rate("5MiB", false), None);
        assert_eq!(bytes("4.0MB", true), Some(4_194_304.0));
    }

    #[test]
    fn suffixes_of_plain_numbers_are_decimal() {
        assert_eq!(scaled("12.5k"), Some(12_500.0));
        assert_eq!(scaled(" 7"), Some(7.0));
        assert_eq!(scaled("1.5M"), Some(1_500_000.0));
        for text in ["", "k", "1.2.3", "5x", "-1"] {
            assert_eq!(scaled(text), None, "{text}");
        }
    }
}
