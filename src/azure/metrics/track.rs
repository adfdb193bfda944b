//! One metric of one thing over time.

use jiff::Timestamp;

/// One value: of an interval that begins at `at_ms`. `None` means that the source does not say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sample {
    /// Begin of the interval, milliseconds since 1970.
    pub at_ms: i64,
    /// Length of the interval, milliseconds.
    pub length_ms: u32,
    /// The mean over the interval.
    pub average: Option<f64>,
    /// The highest value within the interval.
    pub maximum: Option<f64>,
}

impl Sample {
    /// End of the interval, milliseconds since 1970.
    pub fn end_ms(&self) -> i64 {
        self.at_ms.saturating_add(i64::from(self.length_ms))
    }

    /// The higher of the two values.
    pub fn highest(&self) -> Option<f64> {
        let higher = |a: f64, b: f64| if b > a { b } else { a };
        self.average.into_iter().chain(self.maximum).reduce(higher)
    }

    /// Begin of the interval.
    pub fn begins(&self) -> Timestamp {
        moment(self.at_ms)
    }
}

/// A moment from milliseconds since 1970; the readers take none that there cannot be.
pub(crate) fn moment(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The values of one metric in the order of time. Intervals without a value are not there.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Track(Vec<Sample>);

impl Track {
    /// The samples of one metric in any order, from one export or several.
    ///
    /// Where exports of different grain overlap, the finer values are kept.
    pub fn new(mut samples: Vec<Sample>) -> Self {
        samples.retain(|sample| sample.highest().is_some());
        samples.sort_by_key(|sample| (sample.at_ms, sample.length_ms));
        samples.dedup_by(|later, kept| later.at_ms == kept.at_ms);
        let finer_within = |coarse: &Sample| {
            let from = samples.partition_point(|s| s.at_ms < coarse.at_ms);
            let until = samples.partition_point(|s| s.at_ms < coarse.end_ms());
            let within = samples.get(from..until).unwrap_or_default();
            within.iter().any(|s| s.length_ms < coarse.length_ms)
        };
        let kept = samples
            .iter()
            .filter(|s| !finer_within(s))
            .copied()
            .collect();
        Self(kept)
    }

    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All samples, for another track to be made of them and more.
    pub fn into_samples(self) -> Vec<Sample> {
        self.0
    }

    /// The last sample that begins in `from_ms..until_ms`.
    pub fn last_within(&self, from_ms: i64, until_ms: i64) -> Option<&Sample> {
        let end = self.0.partition_point(|sample| sample.at_ms < until_ms);
        let last = self.0.get(..end)?.last()?;
        (last.at_ms >= from_ms).then_some(last)
    }

    /// The highest of the means and when it was; the first of several.
    pub fn highest_average(&self) -> Option<(f64, i64)> {
        highest(&self.0, |sample| sample.average)
    }

    /// The highest of the maxima and when it was; the first of several.
    pub fn highest_maximum(&self) -> Option<(f64, i64)> {
        highest(&self.0, |sample| sample.maximum)
    }

    /// The usual length of an interval, milliseconds: that of the most samples.
    pub fn usual_ms(&self) -> Option<u32> {
        let mut lengths: Vec<u32> = self.0.iter().map(|s| s.length_ms).collect();
        lengths.sort_unstable();
        let runs = lengths.chunk_by(|a, b| a == b);
        runs.max_by_key(|run| run.len())?.first().copied()
    }
}

fn highest(samples: &[Sample], value: impl Fn(&Sample) -> Option<f64>) -> Option<(f64, i64)> {
    let values = samples.iter().filter_map(|s| Some((value(s)?, s.at_ms)));
    values.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(minute: i64, minutes: u32, average: f64) -> Sample {
        Sample {
            at_ms: minute * 60_000,
            length_ms: minutes * 60_000,
            average: Some(average),
            maximum: None,
        }
    }

    #[test]
    fn finer_values_replace_coarse_ones_of_the_same_time() {
        let hour = sample(0, 60, 40.0);
        let next_hour = sample(60, 60, 50.0);
        let minutes = [sample(10, 1, 100.0), sample(11, 1, 90.0)];
        let track = Track::new(vec![next_hour, minutes[1], hour, minutes[0]]);
        assert_eq!(track.samples(), [minutes[0], minutes[1], next_hour]);
        assert_eq!(track.highest_average(), Some((100.0, 600_000)));
        assert_eq!(track.usual_ms(), Some(60_000));
    }

    #[test]
    fn the_same_export_read_twice_counts_once() {
        let track = Track::new(vec![sample(3, 1, 7.0), sample(3, 1, 7.0)]);
        assert_eq!(track.samples().len(), 1);
        assert_eq!(track.highest_average(), Some((7.0, 180_000)));
    }

    #[test]
    fn a_value_that_is_not_said_is_no_sample() {
        let silent = Sample {
            average: None,
            ..sample(1, 1, 0.0)
        };
        assert!(Track::new(vec![silent]).is_empty());
    }
}
