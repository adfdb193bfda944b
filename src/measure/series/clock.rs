//! Times as logs print them, and a clock that turns them into a line that only goes forwards.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::model::StartTime;
use super::notice::Notice;

/// How far back a stamp may jump and still count as the jitter of a clock that prints whole seconds, in intervals.
const JITTER: i64 = 2;
/// The longest pause in a log that is taken for one, milliseconds: ten years.
const LONGEST_PAUSE: i64 = 10 * 366 * 24 * 3600 * 1000;

/// Reads a point in time: ISO 8601, or a date in the order of some locale with a time behind it.
///
/// The order of day and month follows the figures (a number above 12 is a day), then the separator (`.` means day
/// first), else the month comes first, as the tools print it untranslated. `offset` is the time zone where the log
/// says it once for all.
pub(super) fn read_stamp(text: &str, offset: Option<Offset>) -> Option<StartTime> {
    let text = text.trim();
    let local = if is_local(text) {
        read_local(text)?
    } else if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(StartTime::Utc(moment));
    } else {
        text.parse::<DateTime>().ok().or_else(|| read_local(text))?
    };
    Some(match offset {
        Some(offset) => StartTime::Utc(offset.to_timestamp(local).ok()?),
        None => StartTime::Local(local),
    })
}

/// Whether the date begins with a day or month (`03/`, `3.`): then it is none of ISO 8601, which need not be tried.
fn is_local(text: &str) -> bool {
    let mut after = text.bytes().take(3).skip_while(u8::is_ascii_digit);
    after.next().is_some_and(|byte| matches!(byte, b'/' | b'.'))
}

/// How many numbers a date with a time may have: six, the fraction, and a zone that is not read here.
const NUMBERS: usize = 7;

/// The numbers of a text, as far as they matter, how many there are, and whether a `.` follows the first.
fn numbers(text: &str) -> Option<([i64; NUMBERS], usize, bool)> {
    let mut found = [0; NUMBERS];
    let mut count = 0;
    let mut dotted = false;
    let mut in_number = false;
    for byte in text.bytes() {
        if !byte.is_ascii_digit() {
            dotted |= in_number && count == 1 && byte == b'.';
            in_number = false;
            continue;
        }
        if !in_number {
            in_number = true;
            count += 1;
        }
        let Some(number) = found.get_mut(count - 1) else {
            return Some((found, NUMBERS, dotted));
        };
        *number = i64::checked_add(number.checked_mul(10)?, i64::from(byte - b'0'))?;
    }
    Some((found, count, dotted))
}

/// A date in the order of some locale and a time with or without AM or PM.
fn read_local(text: &str) -> Option<DateTime> {
    let (found, count, dotted) = numbers(text)?;
    let [a, b, c, hour, minute, second, seventh] = found;
    if count < 6 {
        return None;
    }
    let (year, month, day) = match (a, b, c) {
        (1000.., month, day) => (a, month, day),
        (day, month, year) if day > 12 || (dotted && month <= 12) => (year, month, day),
        (month, day, year) => (year, month, day),
    };
    let year = if year < 100 { year + 2000 } else { year };
    let says = |half: &str| {
        let behind = text.as_bytes().get(text.len().saturating_sub(half.len())..);
        behind.is_some_and(|end| end.eq_ignore_ascii_case(half.as_bytes()))
    };
    let hour = match hour {
        12 if says("AM") => 0,
        1..12 if says("PM") => hour + 12,
        hour => hour,
    };
    let nanos = fraction(text, (count > 6).then_some(seventh));
    DateTime::new(
        year.try_into().ok()?,
        month.try_into().ok()?,
        day.try_into().ok()?,
        hour.try_into().ok()?,
        minute.try_into().ok()?,
        second.try_into().ok()?,
        nanos,
    )
    .ok()
}

/// The nanoseconds of a three-digit fraction behind the seconds, as PerfMon prints it.
fn fraction(text: &str, seventh: Option<i64>) -> i32 {
    let Some(ms) = seventh.filter(|ms| (0..1000).contains(ms)) else {
        return 0;
    };
    // Three digits behind a point, and nothing else: what else is there is a zone.
    let point = text
        .len()
        .checked_sub(4)
        .and_then(|at| text.as_bytes().get(at));
    if point == Some(&b'.') {
        (ms * 1_000_000) as i32
    } else {
        0
    }
}

/// One step of a [`Clock`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tick {
    /// Milliseconds since the first stamp.
    pub end_ms: u64,
    /// Milliseconds since the stamp before; 0 for the first.
    pub length_ms: u32,
}

/// Turns the stamps of a log into milliseconds since the first of them.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The first stamp.
    pub start: Option<StartTime>,
    /// How often the stamps went backwards.
    pub steps_back: u32,
    /// How often they went forwards by more than any pause.
    pub jumps: u32,
    last: Option<i64>,
    now_ms: u64,
    usual_ms: u32,
}

impl Clock {
    /// A clock for a log whose stamps are expected to be this far apart.
    pub fn new(usual_ms: u32) -> Self {
        Self {
            usual_ms,
            ..Self::default()
        }
    }

    /// Says how far apart stamps are to be expected, where that is not known yet.
    pub fn expect(&mut self, usual_ms: u32) {
        if self.usual_ms == 0 {
            self.usual_ms = usual_ms;
        }
    }

    /// Goes on to `stamp`; without one, by the usual interval.
    pub fn tick(&mut self, stamp: Option<StartTime>) -> Tick {
        let Some(stamp) = stamp else {
            return self.advance(self.usual_ms);
        };
        let scale = stamp.scale_ms();
        if self.start.is_none() {
            let before = SignedDuration::from_millis(self.now_ms as i64);
            self.start = shifted(stamp, -before);
        }
        let Some(last) = self.last.replace(scale) else {
            return self.advance(0);
        };
        let passed = scale.saturating_sub(last);
        let usual = i64::from(self.usual_ms.max(1));
        if passed > 0 && passed < LONGEST_PAUSE {
            let passed = u32::try_from(passed).unwrap_or(u32::MAX);
            if self.usual_ms == 0 {
                self.usual_ms = passed;
            }
            return self.advance(passed);
        }
        if passed >= LONGEST_PAUSE {
            self.jumps += 1;
        } else if passed < -JITTER * usual {
            self.steps_back += 1;
        }
        self.advance(self.usual_ms.max(1))
    }

    /// What to say of stamps that were no times of one clock.
    pub fn notices(&self) -> impl Iterator<Item = Notice> + use<> {
        let back = (self.steps_back > 0).then_some(Notice::ClockSteppedBack {
            times: self.steps_back,
        });
        let forwards = (self.jumps > 0).then_some(Notice::ClockJumped { times: self.jumps });
        back.into_iter().chain(forwards)
    }

    fn advance(&mut self, passed: u32) -> Tick {
        self.now_ms = self.now_ms.saturating_add(u64::from(passed));
        Tick {
            end_ms: self.now_ms,
            length_ms: passed,
        }
    }
}

/// The point in time `by` later.
pub(super) fn shifted(stamp: StartTime, by: SignedDuration) -> Option<StartTime> {
    Some(match stamp {
        StartTime::Utc(moment) => StartTime::Utc(moment.checked_add(by).ok()?),
        StartTime::Local(clock) => StartTime::Local(clock.checked_add(by).ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn local(text: &str) -> DateTime {
        match read_stamp(text, None) {
            Some(StartTime::Local(clock)) => clock,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn dates_of_many_locales() {
        let noon = date(2024, 3, 14).at(17, 5, 9, 0);
        for text in [
            "03/14/2024 05:05:09 PM",
            "03/14/24 17:05:09",
            "14.03.2024 17:05:09",
            "14/03/24 17:05:09",
            "2024-03-14T17:05:09",
            "2024-03-14 17:05:09",
            "2024年03月14日 17时05分09秒",
        ] {
            assert_eq!(local(text), noon, "{text}");
        }
        assert_eq!(
            local("12/01/2024 12:00:00 AM"),
            date(2024, 12, 1).at(0, 0, 0, 0)
        );
        assert_eq!(
            local("12/29/2020 18:34:28.058"),
            date(2020, 12, 29).at(18, 34, 28, 58_000_000)
        );
        for text in ["", "Device", "1, 2, 3", "99/99/2024 10:00:00", "10:15:01"] {
            assert_eq!(read_stamp(text, None), None, "{text}");
        }
    }

    #[test]
    fn a_zone_makes_a_moment_of_it() {
        let moment: Timestamp = "2024-03-14T00:53:14Z".parse().unwrap();
        let same = StartTime::Utc(moment);
        assert_eq!(read_stamp("2024-03-13T17:53:14-0700", None), Some(same));
        assert_eq!(read_stamp("2024-03-14T00:53:14Z", None), Some(same));
        let west = Offset::from_seconds(-7 * 3600).ok();
        assert_eq!(read_stamp("03/13/2024 17:53:14", west), Some(same));
    }

    fn at(second: i8) -> Option<StartTime> {
        Some(StartTime::Local(date(2024, 1, 1).at(0, 0, second, 0)))
    }

    #[test]
    fn whole_second_stamps_that_repeat_do_not_stop_the_clock() {
        let mut clock = Clock::default();
        let ends: Vec<u64> = [10, 11, 11, 13, 14]
            .into_iter()
            .map(|s| clock.tick(at(s)).end_ms)
            .collect();
        assert_eq!(ends, [0, 1000, 2000, 4000, 5000]);
        assert_eq!(clock.steps_back, 0);
    }

    #[test]
    fn a_clock_set_back_is_counted_and_time_goes_on() {
        let mut clock = Clock::default();
        let ends: Vec<u64> = [30, 31, 5, 6]
            .into_iter()
            .map(|s| clock.tick(at(s)).end_ms)
            .collect();
        assert_eq!(ends, [0, 1000, 2000, 3000]);
        assert_eq!(clock.steps_back, 1);
    }

    #[test]
    fn a_clock_that_jumps_ahead_did_not_go_back() {
        let mut clock = Clock::default();
        for second in [0, 1, 1_000_000_000] {
            let moment = Timestamp::from_second(second).unwrap();
            clock.tick(Some(StartTime::Utc(moment)));
        }
        let said: Vec<Notice> = clock.notices().collect();
        assert_eq!(said, [Notice::ClockJumped { times: 1 }]);
    }

    #[test]
    fn without_stamps_the_usual_interval_passes() {
        let mut clock = Clock::new(5000);
        clock.tick(None);
        assert_eq!(
            clock.tick(None),
            Tick {
                end_ms: 10_000,
                length_ms: 5000
            }
        );
        assert_eq!(clock.start, None);
    }
}
