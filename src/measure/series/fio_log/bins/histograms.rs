//! Histograms summed up: windows told apart, I/Os counted, bytes known where the blocks are alike.

use super::{Bins, lane_of};
use crate::measure::series::fio_log::histogram::Record;
use crate::measure::series::fio_log::layout::Layout;

impl Bins {
    /// Takes a histogram; whether its time is credible.
    pub fn add_histogram(&mut self, record: &Record, layout: Layout) -> bool {
        let ios = record.counts.iter().map(|(_, count)| *count);
        let ios = ios.fold(0, u64::saturating_add);
        let Some(lane) = lane_of(record.direction) else {
            self.trims = self.trims.saturating_add(ios);
            return true;
        };
        if !self.admit(record.time_ms) {
            return false;
        }
        let fine = self.anchored(record.time_ms);
        if self.counted_in != Some(fine >> self.halvings) {
            self.flush();
        }
        let (mut sum, mut max) = (0.0, 0);
        for (bin, count) in &record.counts {
            let value = layout.middle(*bin);
            self.counter.add(value, *count);
            sum += value as f64 * *count as f64;
            max = max.max(value);
        }
        self.block.add(lane, record.block);
        if let Some(lane) = self.lane(fine >> self.halvings, lane) {
            lane.ios = lane.ios.saturating_add(ios);
            lane.bytes = lane.bytes.saturating_add(ios.saturating_mul(record.block));
            lane.sum += sum;
            lane.max = lane.max.max(max);
        }
        self.counted_in = Some(fine >> self.halvings);
        true
    }

    /// The window that a histogram was written at the end of, counted from the first one: with times since 1970 the
    /// ends of windows may lie anywhere between multiples of their length.
    fn anchored(&mut self, time_ms: u64) -> u64 {
        let anchor = *self.anchor_ms.get_or_insert(time_ms);
        let windows = |ms: u64| ms.saturating_add(self.fine_ms / 2) / self.fine_ms;
        let first = self.window_of(anchor);
        match time_ms.checked_sub(anchor) {
            Some(later) => first + windows(later),
            None => first.saturating_sub(windows(anchor - time_ms)),
        }
    }

    /// The bytes of I/Os of several sizes are not known.
    pub(super) fn forget_bytes(&mut self) {
        for lane in self.bins.iter_mut().flat_map(|bin| &mut bin.lanes) {
            lane.bytes = 0;
        }
    }
}

/// The block sizes of each direction.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    first: [Option<u64>; 3],
    /// Whether one direction has several.
    pub(super) differ: bool,
}

impl Blocks {
    fn add(&mut self, lane: usize, block: u64) {
        if let Some(first) = self.first.get_mut(lane) {
            self.differ |= *first.get_or_insert(block) != block;
        }
    }
}
