//! The entries of a fio log, summed up over intervals as they stream past.
//!
//! Three kinds of log come here. One has an entry for every single I/O (no `log_avg_msec`): entries are counted. One
//! has an entry for a window (`log_avg_msec`): its value is the mean of a window. And one has a histogram for a
//! window (`log_hist_msec`): its counts are added up. Several jobs may have written into one file one after the other
//! (`per_job_logs=0`), so time may start again.

mod histograms;

use std::collections::VecDeque;

use super::line::{Direction, Entry};
use super::name::LogKind;
use super::sketch::{Counter, Sketch};
use crate::measure::series::notice::LatencyUnit;
use histograms::Blocks;

/// The most intervals kept of a log of windows (three days of seconds); beyond, two become one.
const MOST_WINDOWS: usize = 1 << 18;
/// The most intervals kept of a log of single I/Os, each with its percentiles (18 hours of seconds).
const MOST_COUNTED: usize = 1 << 16;
/// A time this far from the one before is a broken line, milliseconds (400 days).
const LONGEST_JUMP: u64 = 400 * 24 * 3600 * 1000;

/// What an entry stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grain {
    /// A single I/O.
    Single,
    /// The mean over a window.
    Window,
    /// How many I/Os took how long in a window.
    Histogram,
}

impl Grain {
    /// Whether the I/Os of an interval are counted.
    pub const fn counts(self) -> bool {
        matches!(self, Self::Single | Self::Histogram)
    }
}

/// One direction of one interval.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Lane {
    /// Counted I/Os.
    pub ios: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Counted I/Os: sum of their values. Windows of rates: sum over windows and jobs, made a mean over the windows
    /// at the end. Windows of latencies: sum of 1/value.
    pub sum: f64,
    /// Largest value.
    pub max: u64,
    /// Jobs that said something.
    pub parts: u32,
}

impl Lane {
    /// One interval made of two that follow each other.
    fn join(self, next: Self, rates: bool) -> Self {
        Self {
            ios: self.ios.saturating_add(next.ios),
            bytes: self.bytes.saturating_add(next.bytes),
            sum: self.sum + next.sum,
            max: self.max.max(next.max),
            parts: if rates {
                self.parts.max(next.parts)
            } else {
                self.parts + next.parts
            },
        }
    }
}

/// One interval.
#[derive(Debug, Clone, Default)]
pub(super) struct Bin {
    /// Reads, writes, and I/Os of which the log does not say it.
    pub lanes: [Lane; 3],
    /// All values, of a log that counts I/Os.
    pub sketch: Sketch,
}

impl Bin {
    fn join(mut self, next: Self, rates: bool) -> Self {
        for (lane, other) in self.lanes.iter_mut().zip(next.lanes) {
            *lane = lane.join(other, rates);
        }
        self.sketch.merge(&next.sketch);
        self
    }

    /// Scales what was counted.
    fn scale(&mut self, by: f64) {
        for lane in &mut self.lanes {
            let ios = (lane.ios as f64 * by).round();
            lane.sum *= if lane.ios == 0 {
                1.0
            } else {
                ios / lane.ios as f64
            };
            lane.bytes = (lane.bytes as f64 * by).round() as u64;
            lane.ios = ios as u64;
        }
    }

    /// Whether nothing was logged.
    pub fn is_blank(&self) -> bool {
        self.lanes
            .iter()
            .all(|lane| lane.ios == 0 && lane.parts == 0)
    }
}

/// The mean of the window that one direction of one job is in.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    slot: u64,
    weighted: f64,
    weight: f64,
    last_ms: Option<u64>,
}

/// Collects entries.
#[derive(Debug)]
pub(super) struct Bins {
    kind: LogKind,
    grain: Grain,
    /// Length of an interval as it was at first, milliseconds.
    fine_ms: u64,
    /// How many times two intervals were made one.
    halvings: u32,
    first: u64,
    bins: VecDeque<Bin>,
    open: [Open; 3],
    counter: Counter,
    counted_in: Option<u64>,
    last_ms: Option<u64>,
    /// The first time of a log of histograms: its windows end so many windows from here.
    anchor_ms: Option<u64>,
    /// Block sizes of a log of histograms.
    block: Blocks,
    earliest_ms: u64,
    latest_ms: u64,
    /// Trims, which are counted neither as reads nor as writes.
    pub trims: u64,
    /// Whether time started again: several jobs are in the file.
    pub several_jobs: bool,
}

impl Bins {
    /// Starts with no entry.
    pub fn new(kind: LogKind, grain: Grain, width_ms: u64) -> Self {
        Self {
            kind,
            grain,
            fine_ms: width_ms.max(1),
            halvings: 0,
            first: 0,
            bins: VecDeque::new(),
            open: [Open::default(); 3],
            counter: Counter::default(),
            counted_in: None,
            last_ms: None,
            anchor_ms: None,
            block: Blocks::default(),
            earliest_ms: u64::MAX,
            latest_ms: 0,
            trims: 0,
            several_jobs: false,
        }
    }

    /// Takes an entry; whether its time is credible.
    #[inline]
    pub fn add(&mut self, entry: &Entry) -> bool {
        let Some(lane) = lane_of(entry.direction) else {
            self.trims += 1;
            return true;
        };
        if !self.admit(entry.time_ms) {
            return false;
        }
        match self.grain {
            Grain::Single => self.count(lane, entry),
            Grain::Window => self.window(lane, entry),
            Grain::Histogram => return false,
        }
        true
    }

    /// Notes a time; whether it is credible.
    #[inline]
    fn admit(&mut self, time_ms: u64) -> bool {
        let before = self.last_ms.unwrap_or(time_ms);
        if time_ms.abs_diff(before) > LONGEST_JUMP {
            return false;
        }
        self.last_ms = Some(time_ms);
        self.earliest_ms = self.earliest_ms.min(time_ms);
        self.latest_ms = self.latest_ms.max(time_ms);
        true
    }

    #[inline]
    fn count(&mut self, lane: usize, entry: &Entry) {
        let slot = (entry.time_ms / self.fine_ms) >> self.halvings;
        if self.counted_in != Some(slot) {
            self.flush();
        }
        if self.kind.is_latency() {
            self.counter.add(entry.value, 1);
        }
        let Some(lane) = self.lane(slot, lane) else {
            return;
        };
        lane.ios += 1;
        lane.bytes = lane.bytes.saturating_add(entry.block);
        lane.sum += entry.value as f64;
        lane.max = lane.max.max(entry.value);
        // The shift may have grown meanwhile.
        self.counted_in = Some((entry.time_ms / self.fine_ms) >> self.halvings);
    }

    /// A rest at the end, or a window that came a little early, falls into the same interval as the one before and is
    /// weighted by its length.
    fn window(&mut self, lane: usize, entry: &Entry) {
        let slot = self.window_of(entry.time_ms);
        let Some(open) = self.open.get(lane).copied() else {
            return;
        };
        let again = open
            .last_ms
            .is_some_and(|last| entry.time_ms.saturating_add(self.fine_ms / 2) < last);
        self.several_jobs |= again;
        let passed = match open.last_ms {
            Some(last) if !again => entry.time_ms.saturating_sub(last),
            _ => self.fine_ms,
        };
        let weight = passed.clamp(1, self.fine_ms) as f64;
        let value = entry.value as f64;
        let next = if open.last_ms.is_some() && open.slot == slot && !again {
            Open {
                weighted: open.weighted + value * weight,
                weight: open.weight + weight,
                last_ms: Some(entry.time_ms),
                ..open
            }
        } else {
            self.close(lane, open);
            Open {
                slot,
                weighted: value * weight,
                weight,
                last_ms: Some(entry.time_ms),
            }
        };
        if let Some(open) = self.open.get_mut(lane) {
            *open = next;
        }
    }

    /// Books the mean of a window.
    fn close(&mut self, lane: usize, open: Open) {
        if open.weight <= 0.0 {
            return;
        }
        let mean = open.weighted / open.weight;
        let latency = self.kind.is_latency();
        let slot = open.slot >> self.halvings;
        if let Some(lane) = self.lane(slot, lane) {
            if !latency {
                lane.sum += mean;
            } else if mean > 0.0 {
                lane.sum += 1.0 / mean;
            } else {
                return;
            }
            lane.parts += 1;
            lane.max = lane.max.max(mean as u64);
        }
    }

    /// Books the percentiles of the interval that was being counted.
    fn flush(&mut self) {
        let Some(slot) = self.counted_in.take() else {
            return;
        };
        let sketch = self.counter.take();
        let place = slot
            .checked_sub(self.first)
            .and_then(|i| usize::try_from(i).ok());
        if let Some(bin) = place.and_then(|i| self.bins.get_mut(i)) {
            bin.sketch.merge(&sketch);
        }
    }

    /// One direction of the interval `slot`, which is made where there is none; fewer and longer intervals are made
    /// when there are too many.
    fn lane(&mut self, mut slot: u64, lane: usize) -> Option<&mut Lane> {
        if self.bins.is_empty() {
            self.first = slot;
        }
        let most = match self.grain {
            Grain::Single | Grain::Histogram => MOST_COUNTED,
            Grain::Window => MOST_WINDOWS,
        } as u64;
        while slot.max(self.last_slot()) - slot.min(self.first) >= most {
            self.halve();
            slot /= 2;
        }
        while slot < self.first {
            self.bins.push_front(Bin::default());
            self.first -= 1;
        }
        let place = usize::try_from(slot - self.first).ok()?;
        if place >= self.bins.len() {
            self.bins.resize_with(place + 1, Bin::default);
        }
        self.bins.get_mut(place)?.lanes.get_mut(lane)
    }

    fn last_slot(&self) -> u64 {
        self.first + (self.bins.len() as u64).saturating_sub(1)
    }

    /// Makes every two intervals one.
    fn halve(&mut self) {
        let rates = self.grain == Grain::Window && !self.kind.is_latency();
        let fine = self.bins.make_contiguous();
        // An odd first interval has no partner before it.
        let mut from = (self.first % 2) as usize;
        let mut to = from;
        while from < fine.len() {
            let take = |bins: &mut [Bin], at: usize| bins.get_mut(at).map(std::mem::take);
            let merged = match (take(fine, from), take(fine, from + 1)) {
                (Some(bin), Some(next)) => bin.join(next, rates),
                (bin, _) => bin.unwrap_or_default(),
            };
            if let Some(slot) = fine.get_mut(to) {
                *slot = merged;
            }
            from += 2;
            to += 1;
        }
        self.bins.truncate(to);
        self.first /= 2;
        self.counted_in = self.counted_in.map(|slot| slot / 2);
        self.halvings += 1;
    }

    /// The first interval may begin before the log does, the last one go on after it. What they counted is scaled to
    /// the whole interval; a last one that is less than half there is left out.
    fn whole_ends(&mut self) {
        let width = self.fine_ms << self.halvings;
        let begin = self.first.saturating_mul(width);
        let last = self.last_slot().saturating_mul(width);
        let behind = (self.latest_ms + 1).saturating_sub(last).clamp(1, width);
        if behind * 2 < width && self.bins.len() > 1 {
            self.bins.pop_back();
        } else if let Some(bin) = self.bins.back_mut() {
            bin.scale(width as f64 / behind as f64);
        }
        // A job starts at 0; only what counts from 1970 or after a ramp begins anywhere.
        let before = self.earliest_ms.saturating_sub(begin);
        if begin > 0
            && before < width
            && self.bins.len() > 1
            && let Some(bin) = self.bins.front_mut()
        {
            bin.scale(width as f64 / (width - before) as f64);
        }
    }

    /// Makes the sums of rates means over the windows of an interval: fewer at the ends of the log.
    fn mean_rates(&mut self) {
        let windows = 1_u64 << self.halvings;
        let from = self.window_of(self.earliest_ms);
        let to = self.window_of(self.latest_ms) + 1;
        for (slot, bin) in (self.first..).zip(&mut self.bins) {
            let covered = ((slot + 1) * windows).min(to) - (slot * windows).max(from);
            for lane in &mut bin.lanes {
                lane.sum /= covered.max(1) as f64;
            }
        }
    }

    /// A window ends near a multiple of its length, so the nearest one is meant.
    fn window_of(&self, time_ms: u64) -> u64 {
        let nearest = time_ms.saturating_add(self.fine_ms / 2) / self.fine_ms;
        nearest.saturating_sub(1)
    }

    /// The log as a whole, once all entries are in.
    pub fn finish(mut self) -> Binned {
        for (lane, open) in self.open.into_iter().enumerate() {
            self.close(lane, open);
        }
        self.flush();
        match self.grain {
            Grain::Single => self.whole_ends(),
            Grain::Histogram if self.block.differ => self.forget_bytes(),
            Grain::Histogram => {}
            Grain::Window if !self.kind.is_latency() => self.mean_rates(),
            Grain::Window => {}
        }
        Binned {
            kind: self.kind,
            grain: self.grain,
            unit: None,
            width_ms: self.fine_ms << self.halvings,
            merged: 1_u32.checked_shl(self.halvings).unwrap_or(u32::MAX),
            first: self.first,
            bins: self.bins.into(),
            counter: self.counter,
            trims: self.trims,
            several_jobs: self.several_jobs,
        }
    }
}

/// A log, summed up over intervals.
#[derive(Debug, Clone)]
pub(super) struct Binned {
    pub kind: LogKind,
    pub grain: Grain,
    /// The unit of its latencies, where the log tells it.
    pub unit: Option<LatencyUnit>,
    /// Length of an interval, milliseconds.
    pub width_ms: u64,
    /// How many intervals of the log one stands for.
    pub merged: u32,
    /// The number of the first interval; interval n ends at (n + 1) x width.
    pub first: u64,
    pub bins: Vec<Bin>,
    /// All values, of a log that counts I/Os.
    pub counter: Counter,
    pub trims: u64,
    pub several_jobs: bool,
}

impl Binned {
    /// Whether nothing was logged.
    pub fn is_blank(&self) -> bool {
        self.bins.iter().all(Bin::is_blank)
    }
}

/// The place of a direction; `None` for trims.
#[inline]
const fn lane_of(direction: Direction) -> Option<usize> {
    match direction {
        Direction::Read => Some(0),
        Direction::Write => Some(1),
        Direction::Unsaid => Some(2),
        Direction::Trim => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(time_ms: u64, value: u64, direction: Direction, block: u64) -> Entry {
        Entry {
            time_ms,
            value,
            direction,
            block,
        }
    }

    #[test]
    fn a_rest_at_the_end_counts_by_its_length() {
        let mut bins = Bins::new(LogKind::CompletionLatency, Grain::Window, 1000);
        for (ms, ns) in [(1000, 400), (2000, 600), (2004, 9000)] {
            assert!(bins.add(&entry(ms, ns, Direction::Read, 0)));
        }
        let binned = bins.finish();
        assert_eq!(binned.bins.len(), 2);
        // (600 x 1000 + 9000 x 4) / 1004
        let mean = 1.0 / binned.bins[1].lanes[0].sum;
        assert!((mean - 633.466).abs() < 0.001, "{mean}");
    }

    #[test]
    fn jobs_in_one_file_add_up() {
        let mut bins = Bins::new(LogKind::Iops, Grain::Window, 1000);
        for (ms, iops) in [(1000, 100), (2001, 120), (1000, 50), (2000, 60)] {
            bins.add(&entry(ms, iops, Direction::Write, 0));
        }
        assert!(bins.several_jobs);
        let binned = bins.finish();
        let sums: Vec<f64> = binned.bins.iter().map(|b| b.lanes[1].sum).collect();
        assert_eq!(sums, [150.0, 180.0]);
    }

    #[test]
    fn single_ios_are_counted_with_their_bytes() {
        let mut bins = Bins::new(LogKind::Latency, Grain::Single, 1000);
        for (ms, ns) in [(1, 100), (999, 300), (1000, 500), (1499, 700)] {
            bins.add(&entry(ms, ns, Direction::Read, 4096));
        }
        bins.add(&entry(1400, 7, Direction::Trim, 4096));
        let binned = bins.finish();
        let first = binned.bins[0].lanes[0];
        assert_eq!(
            (first.ios, first.bytes, first.sum, first.max),
            (2, 8192, 400.0, 300)
        );
        // Two in the half second that the log goes on for: four in a whole one, at the same mean.
        let last = binned.bins[1].lanes[0];
        assert_eq!((last.ios, last.sum), (4, 2400.0));
        assert_eq!(binned.trims, 1);
    }

    #[test]
    fn very_long_logs_get_longer_intervals() {
        let mut bins = Bins::new(LogKind::Iops, Grain::Window, 1000);
        let windows = MOST_WINDOWS as u64 + 10;
        for i in 1..=windows {
            bins.add(&entry(i * 1000, 100, Direction::Read, 0));
        }
        let binned = bins.finish();
        assert_eq!((binned.width_ms, binned.merged), (2000, 2));
        assert_eq!(binned.bins.len() as u64, windows / 2);
        assert!(binned.bins.iter().all(|b| b.lanes[0].sum == 100.0));
    }

    #[test]
    fn a_broken_time_does_not_stretch_the_log() {
        let mut bins = Bins::new(LogKind::Iops, Grain::Window, 1000);
        assert!(bins.add(&entry(1000, 5, Direction::Read, 0)));
        assert!(!bins.add(&entry(u64::MAX / 4, 5, Direction::Read, 0)));
        assert!(bins.add(&entry(2000, 5, Direction::Read, 0)));
        let binned = bins.finish();
        assert_eq!((binned.width_ms, binned.bins.len()), (1000, 2));
    }
}
