//! When a ceiling was reached, told from the percentage in use.

use super::model::{Beside, CeilingUse, Level, Span};
use super::watched::Watched;
use crate::azure::metrics::Subject;
use crate::azure::metrics::track::{Sample, moment};

/// From here on a mean counts as at the ceiling, percent of it. The platform calls 100 % capped; its own example of a
/// capped VM shows 101 %, and the mean of a capped minute comes out a little below or above.
pub(super) const AT_CEILING: f64 = 97.0;

/// Above this the sustained ceiling is exceeded, not just met with the imprecision of a mean: that is bursting.
pub(super) const ABOVE_CEILING: f64 = 105.0;

/// With this much of the burst credit used up, it counts as empty, percent. It is said every five minutes only.
pub(super) const CREDIT_EMPTY: f64 = 95.0;

/// A credit figure holds for this long: it is said every five minutes, and may come one late.
const CREDIT_HOLDS_MS: i64 = 10 * 60_000;

/// What one interval says of a ceiling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum State {
    /// Below it.
    Below,
    /// Above the sustained ceiling, below that of bursting; or at the sustained one with credit left.
    Bursting,
    /// At it for the whole interval, or for a part of it.
    At { level: Level, whole: bool },
}

impl Watched {
    /// What an interval says.
    pub fn state(&self, sample: &Sample) -> State {
        let of_mean = sample.average.map(|v| self.reached(v, sample));
        match of_mean {
            Some(Reached::Ceiling(level)) => return State::At { level, whole: true },
            Some(Reached::Burst) => return State::Bursting,
            Some(Reached::Nothing) | None => {}
        }
        match sample.maximum.map(|v| self.reached(v, sample)) {
            // What is known to have credit left is not held there: `reached` calls that bursting. Where nothing says, a
            // peak that stops at the ceiling is one that touched it, as a mean there is one held by it.
            Some(Reached::Ceiling(level)) => State::At {
                level,
                whole: false,
            },
            _ => State::Below,
        }
    }

    fn reached(&self, percent: f64, sample: &Sample) -> Reached {
        let burst = self.burst_percent();
        if burst.is_some_and(|burst| percent >= burst * AT_CEILING / 100.0) {
            return Reached::Ceiling(Level::Burst);
        }
        if percent > ABOVE_CEILING && !self.cannot_burst {
            return Reached::Burst;
        }
        if percent < AT_CEILING {
            return Reached::Nothing;
        }
        // Who may still burst is not held at the sustained ceiling.
        if burst.is_some() && (self.on_demand || self.credit_left(sample)) {
            return Reached::Burst;
        }
        Reached::Ceiling(Level::Sustained)
    }

    /// How much burst credit is used up, percent, where it is said.
    fn credit_used(&self, sample: &Sample) -> Option<f64> {
        let until = sample.end_ms();
        let credit = self.credit.as_ref()?;
        credit
            .last_within(until - CREDIT_HOLDS_MS, until)?
            .highest()
    }

    /// Whether burst credit is known to be left.
    fn credit_left(&self, sample: &Sample) -> bool {
        self.credit_used(sample)
            .is_some_and(|used| used < CREDIT_EMPTY)
    }

    /// Every time spent at the ceiling without a break. An interval without a value is a break.
    pub fn spans(&self) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        let mut open: Option<(Level, i64)> = None;
        for sample in self.used.samples() {
            let State::At { level, whole } = self.state(sample) else {
                open = None;
                continue;
            };
            let follows = open == Some((level, sample.at_ms));
            match spans.last_mut().filter(|_| follows) {
                Some(span) => lengthen(span, sample, whole),
                None => spans.push(self.begin(level, sample, whole)),
            }
            open = Some((level, sample.end_ms()));
        }
        spans
    }

    fn begin(&self, level: Level, sample: &Sample, whole: bool) -> Span {
        let mut span = Span {
            subject: self.subject,
            label: self.label.clone(),
            axis: self.axis,
            level,
            start: sample.begins(),
            end: sample.begins(),
            seconds: 0.0,
            whole_seconds: 0.0,
            highest_average: None,
            highest_maximum: None,
            beside: Vec::new(),
        };
        lengthen(&mut span, sample, whole);
        span
    }

    /// How near the ceiling came to be reached in all the time; `intervals` is how many there are of it.
    pub fn summary(&self, intervals: impl Fn(u32) -> usize) -> CeilingUse {
        let samples = self.used.samples();
        let (mut throttled, mut touched, mut bursting) = (0.0, 0.0, 0.0);
        for sample in samples {
            let seconds = f64::from(sample.length_ms) / 1e3;
            match self.state(sample) {
                State::At { whole: true, .. } => throttled += seconds,
                State::At { whole: false, .. } => touched += seconds,
                State::Bursting => bursting += seconds,
                State::Below => {}
            }
        }
        let highest = self.used.highest_average();
        let expected = self.used.usual_ms().map_or(0, intervals);
        CeilingUse {
            subject: self.subject,
            label: self.label.clone(),
            axis: self.axis,
            ceiling: self.ceiling,
            burst: self.burst,
            highest_average: highest.map(|(value, _)| value),
            highest_at: highest.map(|(_, at)| moment(at)),
            highest_maximum: self.used.highest_maximum().map(|(value, _)| value),
            highest_possible: self.possible,
            throttled_seconds: throttled,
            touched_seconds: touched,
            bursting_seconds: bursting,
            samples: samples.len(),
            missing: expected.saturating_sub(samples.len()),
            computed: self.computed,
            shared: self.shared.clone(),
        }
    }
}

/// How far a percentage reaches.
enum Reached {
    Nothing,
    Burst,
    Ceiling(Level),
}

fn lengthen(span: &mut Span, sample: &Sample, whole: bool) {
    let seconds = f64::from(sample.length_ms) / 1e3;
    span.end = moment(sample.end_ms());
    span.seconds += seconds;
    if whole {
        span.whole_seconds += seconds;
    }
    span.highest_average = larger(span.highest_average, sample.average);
    span.highest_maximum = larger(span.highest_maximum, sample.maximum);
}

fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b > a { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// What the other ceilings showed during a span: those of the VM, and the disk that came nearest to its own.
pub(super) fn beside(span: &Span, all: &[Watched]) -> Vec<Beside> {
    let (from, until) = (span.start.as_millisecond(), span.end.as_millisecond());
    let shown = |watched: &Watched| {
        let within = watched.used.samples().iter();
        let within = within.filter(|s| s.at_ms < until && s.end_ms() > from);
        let highest_average = within
            .filter_map(|s| s.average)
            .reduce(|a, b| if b > a { b } else { a })?;
        Some(Beside {
            subject: watched.subject,
            label: watched.label.clone(),
            axis: watched.axis,
            highest_average,
        })
    };
    let others = all
        .iter()
        .filter(|w| (w.subject, w.axis) != (span.subject, span.axis));
    let (vm, disks): (Vec<&Watched>, Vec<&Watched>) =
        others.partition(|w| matches!(w.subject, Subject::VmCached | Subject::VmUncached));
    let nearest = disks.into_iter().filter_map(shown).reduce(|a, b| {
        if b.highest_average > a.highest_average {
            b
        } else {
            a
        }
    });
    vm.into_iter().filter_map(shown).chain(nearest).collect()
}
