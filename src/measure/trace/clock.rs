//! Logs side by side: how much later each begins than the first.

use super::devices::Device;
use super::error::{Clock, TraceError};
use crate::measure::series::{DiskSeries, StartTime};

/// What the logs count their times from.
pub(super) struct Origin {
    /// The moment of the first of them, where they say one.
    pub start: Option<StartTime>,
    /// Several logs count from a start of their own each, and were taken to start together.
    pub together: bool,
}

impl Origin {
    /// The common start of all series of `devices`.
    pub(super) fn of<'a>(
        devices: impl Iterator<Item = &'a Device<'a>>,
    ) -> Result<Self, TraceError> {
        let series: Vec<&DiskSeries> = devices.flat_map(|d| d.series.iter().copied()).collect();
        let Some((first, rest)) = series.split_first() else {
            return Ok(Self {
                start: None,
                together: false,
            });
        };
        for other in rest {
            if clock(first) != clock(other) {
                return Err(TraceError::Clocks {
                    first: first.log.clone(),
                    first_clock: clock(first),
                    second: other.log.clone(),
                    second_clock: clock(other),
                });
            }
        }
        let starts = series.iter().filter_map(|series| series.start);
        let apart = |other: &&DiskSeries| other.log != first.log;
        Ok(Self {
            start: starts.min_by_key(|start| start.scale_ms()),
            together: first.start.is_none() && rest.iter().any(apart),
        })
    }

    /// How much later than the first a series begins, milliseconds.
    pub(super) fn shift_ms(&self, series: &DiskSeries) -> u64 {
        let shift = self.start.zip(series.start);
        let shift = shift.map_or(0, |(first, own)| own.scale_ms() - first.scale_ms());
        u64::try_from(shift).unwrap_or(0)
    }
}

const fn clock(series: &DiskSeries) -> Clock {
    match series.start {
        Some(StartTime::Utc(_)) => Clock::Utc,
        Some(StartTime::Local(_)) => Clock::Local,
        None => Clock::Own,
    }
}
