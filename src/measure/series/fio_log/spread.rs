//! One quantity of a fio log, brought onto intervals that several logs share.

use super::bins::{Bin, Binned, Grain, Lane};
use crate::units::{KIB, MB};

/// What is taken from a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// I/Os per second.
    Iops,
    /// MB/s.
    Mbps,
    /// In the unit of the log.
    Latency,
}

impl Quantity {
    /// Its value in one direction of an interval; `None` where the log has no entry.
    fn of(self, log: &Binned, lane: &Lane) -> Option<f64> {
        let per_second = |n: u64| (n > 0).then(|| n as f64 * 1e3 / log.width_ms as f64);
        match (log.grain, self) {
            (Grain::Single | Grain::Histogram, Self::Iops) => per_second(lane.ios),
            (Grain::Single | Grain::Histogram, Self::Mbps) => {
                per_second(lane.bytes).map(|bytes| bytes / MB)
            }
            (Grain::Single | Grain::Histogram, Self::Latency) => {
                (lane.ios > 0).then(|| lane.sum / lane.ios as f64)
            }
            (Grain::Window, _) if lane.parts == 0 => None,
            (Grain::Window, Self::Iops) => Some(lane.sum),
            (Grain::Window, Self::Mbps) => Some(lane.sum * KIB as f64 / MB),
            (Grain::Window, Self::Latency) => Some(f64::from(lane.parts) / lane.sum),
        }
    }
}

/// One quantity of one log over intervals of the common length.
pub(super) struct Spread {
    /// The number of the first interval.
    pub first: u64,
    slots: Vec<Slot>,
}

/// One interval: reads, writes, unsaid; of counted I/Os the highest value and the 99th percentile.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slot {
    pub lanes: [Option<f64>; 3],
    weights: [f64; 3],
    pub max: Option<f64>,
    pub p99: Option<f64>,
}

impl Slot {
    /// Takes one more value into the weighted mean of a direction.
    fn add(&mut self, lane: usize, value: f64, weight: f64) {
        let (Some(mean), Some(sum)) = (self.lanes.get_mut(lane), self.weights.get_mut(lane)) else {
            return;
        };
        let before = mean.unwrap_or(0.0) * *sum;
        *sum += weight;
        *mean = (*sum > 0.0).then(|| (before + value * weight) / *sum);
    }

    fn add_extremes(&mut self, bin: &Bin) {
        let max = bin.lanes.iter().map(|lane| lane.max).max();
        let max = max.filter(|max| *max > 0).map(|max| max as f64);
        let larger = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
        self.max = larger(self.max, max);
        self.p99 = larger(self.p99, bin.sketch.quantile(0.99));
    }
}

impl Spread {
    /// Brings a log onto intervals of `width_ms`. A direction that the log has somewhere did nothing where it has no
    /// entry: its rate is 0 there.
    pub fn of(log: &Binned, width_ms: u64, what: Quantity) -> Self {
        let latency = what == Quantity::Latency;
        let slot_of = |i: usize| (log.first + i as u64).saturating_mul(log.width_ms) / width_ms;
        let first = slot_of(0);
        let last = slot_of(log.bins.len().saturating_sub(1));
        let mut slots = vec![Slot::default(); usize::try_from(last - first + 1).unwrap_or(0)];
        let present = [0, 1, 2].map(|lane| {
            let lane = |bin: &Bin| bin.lanes.get(lane).and_then(|lane| what.of(log, lane));
            log.bins.iter().any(|bin| lane(bin).is_some())
        });
        for (i, bin) in log.bins.iter().enumerate() {
            let place = usize::try_from(slot_of(i) - first).unwrap_or(usize::MAX);
            let Some(slot) = slots.get_mut(place) else {
                continue;
            };
            for ((n, lane), present) in bin.lanes.iter().enumerate().zip(present) {
                match what.of(log, lane) {
                    Some(value) if latency => slot.add(n, value, ios(log, lane, value)),
                    Some(value) => slot.add(n, value, 1.0),
                    None if present && !latency => slot.add(n, 0.0, 1.0),
                    None => {}
                }
            }
            if latency && log.grain.counts() {
                slot.add_extremes(bin);
            }
        }
        Self { first, slots }
    }

    /// The number of the interval behind the last.
    pub fn end(&self) -> u64 {
        self.first + self.slots.len() as u64
    }

    /// The interval of this number.
    pub fn at(&self, slot: u64) -> Option<&Slot> {
        let place = usize::try_from(slot.checked_sub(self.first)?).ok()?;
        self.slots.get(place)
    }
}

/// How many I/Os a latency stands for; of windows in proportion only, at an even queue depth.
fn ios(log: &Binned, lane: &Lane, latency: f64) -> f64 {
    match log.grain {
        Grain::Single | Grain::Histogram => lane.ios as f64,
        Grain::Window => f64::from(lane.parts) / latency,
    }
}
