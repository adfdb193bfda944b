//! Ratios, their ranges, and both in words.

use super::thresholds::within_noise;
use crate::planner::findings::Figure;

/// A column's rate over another's in one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gain {
    pub row: usize,
    pub ratio: f64,
}

/// The lowest and the highest of several ratios.
#[derive(Debug, Clone, Copy)]
pub(super) struct Range {
    pub lowest: f64,
    pub highest: f64,
}

/// The range of several gains; `None` of none.
pub(super) fn range(gains: &[Gain]) -> Option<Range> {
    let first = gains.first()?.ratio;
    Some(gains.iter().fold(
        Range {
            lowest: first,
            highest: first,
        },
        |range, gain| Range {
            lowest: range.lowest.min(gain.ratio),
            highest: range.highest.max(gain.ratio),
        },
    ))
}

impl Range {
    /// `0.20 to 0.22`, `4.1 to 124`.
    pub fn words(self) -> String {
        let (lowest, highest) = (ratio_words(self.lowest), ratio_words(self.highest));
        if lowest == highest {
            lowest
        } else {
            format!("{lowest} to {highest}")
        }
    }

    pub fn figures(self, unit: &str) -> Vec<Figure> {
        vec![
            figure("lowest ratio", self.lowest, unit),
            figure("highest ratio", self.highest, unit),
        ]
    }

    fn is_noise(self) -> bool {
        within_noise(self.lowest) && within_noise(self.highest)
    }
}

/// A ratio with two digits that count.
fn ratio_words(ratio: f64) -> String {
    let decimals = match ratio {
        ratio if ratio < 0.995 => 2,
        ratio if ratio < 9.95 => 1,
        _ => 0,
    };
    format!("{ratio:.decimals$}")
}

/// `sequential 1.2 to 1.6 times, random 0.7 to 1.0 times, which is within noise`.
pub(super) fn spreads(sequential: Option<Range>, random: Option<Range>) -> String {
    let mut parts = Vec::new();
    if let Some(sequential) = sequential {
        parts.push(format!("sequential {} times", sequential.words()));
    }
    if let Some(random) = random {
        let noise = if random.is_noise() {
            ", which is within noise"
        } else {
            ""
        };
        parts.push(format!("random {} times{noise}", random.words()));
    }
    parts.join(", ")
}

/// A named number of a note.
pub(super) fn figure(name: &str, value: f64, unit: &str) -> Figure {
    Figure {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ratios: &[f64]) -> Range {
        let gains: Vec<Gain> = ratios
            .iter()
            .map(|ratio| Gain {
                row: 0,
                ratio: *ratio,
            })
            .collect();
        range(&gains).unwrap()
    }

    #[test]
    fn ranges_in_words() {
        assert_eq!(of(&[0.218, 0.201]).words(), "0.20 to 0.22");
        assert_eq!(of(&[124.0, 4.13]).words(), "4.1 to 124");
        assert_eq!(of(&[0.999, 1.0]).words(), "1.0");
        assert!(range(&[]).is_none());
    }

    #[test]
    fn spreads_name_noise_of_random_io_only() {
        let (wide, narrow) = (Some(of(&[1.2, 1.6])), Some(of(&[0.75, 0.96])));
        assert_eq!(
            spreads(wide, narrow),
            "sequential 1.2 to 1.6 times, random 0.75 to 0.96 times, which is within noise"
        );
        assert_eq!(spreads(None, wide), "random 1.2 to 1.6 times");
    }
}
