//! Axes: how values are spread along them, and where their marks stand.

use super::chart::Scale;
use crate::units::grouped;

/// Steps between marks on a time axis, minutes: whole seconds, minutes, hours and days that people count in.
const TIME_STEPS: [f64; 20] = [
    1.0 / 60.0,
    5.0 / 60.0,
    15.0 / 60.0,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
    15.0,
    30.0,
    60.0,
    120.0,
    180.0,
    360.0,
    720.0,
    1440.0,
    2880.0,
    7200.0,
    14400.0,
    43200.0,
];

/// Percentiles that get a mark, as many as the axis reaches.
const NINES: [(f64, &str); 9] = [
    (0.0, "0"),
    (50.0, "50"),
    (90.0, "90"),
    (99.0, "99"),
    (99.9, "99.9"),
    (99.99, "99.99"),
    (99.999, "99.999"),
    (99.9999, "99.9999"),
    (99.99999, "99.99999"),
];

/// A mark on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where, in placed coordinates ([`Scale::place`]).
    pub at: f64,
    /// What is written there.
    pub label: String,
}

impl Scale {
    /// Where a value stands on an evenly divided axis; `None` where this scale has no place for it.
    #[must_use]
    pub fn place(self, value: f64) -> Option<f64> {
        let placed = match self {
            Self::Linear => value,
            Self::Log if value > 0.0 => value.log10(),
            Self::Nines if (0.0..100.0).contains(&value) => -(1.0 - value / 100.0).log10(),
            Self::Log | Self::Nines => return None,
        };
        placed.is_finite().then_some(placed)
    }

    /// Some `count` marks between two placed coordinates.
    pub(super) fn ticks(self, low: f64, high: f64, count: usize) -> Vec<Tick> {
        match self {
            Self::Linear => linear_ticks(low, high, count),
            Self::Log => log_ticks(low, high),
            Self::Nines => nines_ticks(low, high),
        }
    }
}

/// Marks at 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64, count: usize) -> Vec<Tick> {
    let rough = (high - low) / count.max(1) as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|f| f * power >= rough * 0.999);
    let step = factor.unwrap_or(10.0) * power;
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    multiples(step, low, high)
        .map(|at| Tick {
            at,
            label: if at.abs() < 1e15 {
                grouped(at, decimals)
            } else {
                format!("{at:e}")
            },
        })
        .collect()
}

/// The multiples of `step` from `low` to `high`, at most a hundred.
fn multiples(step: f64, low: f64, high: f64) -> impl Iterator<Item = f64> {
    let slack = step * 1e-9;
    let first = ((low - slack) / step).ceil();
    (0..100)
        .map(move |n| (first + f64::from(n)) * step + 0.0)
        .take_while(move |at| *at <= high + slack)
}

/// Marks at powers of ten; at 2 and 5 times them too where the axis spans few.
fn log_ticks(low: f64, high: f64) -> Vec<Tick> {
    let powers = (low.floor() as i32)..=(high.ceil() as i32).min(low.floor() as i32 + 60);
    let factors: &[f64] = if high - low < 3.0 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let marks = powers.flat_map(|power| {
        factors.iter().map(move |factor| {
            let value = factor * 10f64.powi(power);
            let decimals = usize::try_from(-power).unwrap_or(0).min(9);
            let plain = (-6..15).contains(&power);
            Tick {
                at: f64::from(power) + factor.log10(),
                label: if plain {
                    grouped(value, decimals)
                } else {
                    format!("{value:e}")
                },
            }
        })
    });
    marks
        .filter(|tick| (low - 1e-9..=high + 1e-9).contains(&tick.at))
        .collect()
}

fn nines_ticks(low: f64, high: f64) -> Vec<Tick> {
    let marks = NINES.iter().filter_map(|(value, label)| {
        Some(Tick {
            at: Scale::Nines.place(*value)?,
            label: (*label).to_owned(),
        })
    });
    marks
        .filter(|tick| (low - 1e-9..=high + 1e-9).contains(&tick.at))
        .collect()
}

/// Some `count` marks on a time axis in minutes.
pub fn time_ticks(low: f64, high: f64, count: usize) -> Vec<Tick> {
    let rough = (high - low) / count.max(1) as f64;
    match TIME_STEPS.into_iter().find(|step| *step >= rough * 0.999) {
        Some(step) if rough > 0.0 => multiples(step, low, high)
            .map(|at| Tick {
                at,
                label: duration(at),
            })
            .collect(),
        _ => linear_ticks(low, high, count),
    }
}

/// Minutes as people say them: `30 s`, `10 min`, `1 h`, `1 h 30`, `2 d`.
pub fn duration(minutes: f64) -> String {
    let seconds = (minutes * 60.0).round();
    if !seconds.is_finite() || seconds.abs() > 1e12 {
        return format!("{minutes:e} min");
    }
    let total = seconds as i64;
    let (sign, total) = (if total < 0 { "-" } else { "" }, total.abs());
    let (days, hours, mins, secs) = (
        total / 86_400,
        total / 3600 % 24,
        total / 60 % 60,
        total % 60,
    );
    let text = match (days, hours, mins, secs) {
        (0, 0, 0, 0) => "0".to_owned(),
        (0, 0, 0, s) => format!("{s} s"),
        (0, 0, m, 0) => format!("{m} min"),
        (0, 0, m, s) => format!("{m} min {s} s"),
        (0, h, 0, _) => format!("{h} h"),
        (0, h, m, _) => format!("{h} h {m:02}"),
        (d, 0, 0, _) => format!("{d} d"),
        (d, h, 0, _) => format!("{d} d {h} h"),
        (d, h, m, _) => format!("{d} d {h} h {m:02}"),
    };
    format!("{sign}{text}")
}

/// A value beside a chart: three figures or the whole number, whichever is longer.
pub fn short(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 1e15 => return format!("{value:.2e}"),
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 || size == 0.0 => 2,
        size if size >= 0.001 => 5,
        size if size >= 0.000_1 => 6,
        size if size >= 0.000_01 => 7,
        _ => return format!("{value:.2e}"),
    };
    grouped(value, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn small_values_are_written_out() {
        assert_eq!(short(2.78e-4), "0.000278");
        assert_eq!(short(1.234e-5), "0.0000123");
        assert_eq!(short(0.001_23), "0.00123");
        assert_eq!(short(10.7), "10.7");
    }

    #[test]
    fn linear_marks_are_round() {
        assert_eq!(
            labels(&linear_ticks(0.0, 4200.0, 5)),
            ["0", "1,000", "2,000", "3,000", "4,000"]
        );
        assert_eq!(
            labels(&linear_ticks(0.0, 0.35, 4)),
            ["0", "0.1", "0.2", "0.3"]
        );
        assert!(linear_ticks(1.0, 1.0, 5).is_empty());
    }

    #[test]
    fn time_marks_are_those_of_a_clock() {
        assert_eq!(
            labels(&time_ticks(0.0, 60.0, 6)),
            ["0", "10 min", "20 min", "30 min", "40 min", "50 min", "1 h"]
        );
        assert_eq!(
            labels(&time_ticks(0.0, 1440.0, 4)),
            ["0", "6 h", "12 h", "18 h", "1 d"]
        );
        assert_eq!(duration(90.0), "1 h 30");
        assert_eq!(duration(0.25), "15 s");
        assert_eq!(duration(-1.5), "-1 min 30 s");
    }

    #[test]
    fn log_marks_are_powers_of_ten() {
        assert_eq!(
            labels(&log_ticks(-1.0, 3.0)),
            ["0.1", "1", "10", "100", "1,000"]
        );
        assert_eq!(labels(&log_ticks(0.0, 1.0)), ["1", "2", "5", "10"]);
    }

    #[test]
    fn nines_spread_the_tail() {
        let close =
            |value, expected: f64| (Scale::Nines.place(value).unwrap() - expected).abs() < 1e-9;
        assert!(close(90.0, 1.0) && close(99.0, 2.0) && close(99.9, 3.0));
        assert_eq!(Scale::Nines.place(100.0), None);
        assert_eq!(Scale::Log.place(0.0), None);
        assert_eq!(
            labels(&nines_ticks(0.0, 3.0)),
            ["0", "50", "90", "99", "99.9"]
        );
    }
}
