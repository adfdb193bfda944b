//! What one volume does at one time, as plain sums that add up over devices and over time.

use crate::units::{BlockSize, MB, Share};

/// Disks count a large I/O as several of this size (Premium and Standard SSD).
const UNIT: f64 = 256.0 * 1024.0;

/// A mean block size that lies above a whole number of units of 256 KiB by less than this part is taken for these.
pub const NEAR_A_UNIT: f64 = 0.01;

/// I/O of one volume. Everything is a rate, so that loads of several devices add up, and loads one after the other
/// average by their time. `None`: not said.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Load {
    /// I/Os per second.
    pub iops: Option<f64>,
    /// MB/s.
    pub mbps: Option<f64>,
    /// Reads per second.
    pub read_iops: Option<f64>,
    /// MB/s of reads.
    pub read_mbps: Option<f64>,
}

impl Load {
    /// No I/O at all.
    pub(super) const IDLE: Self = Self {
        iops: Some(0.0),
        mbps: Some(0.0),
        read_iops: Some(0.0),
        read_mbps: Some(0.0),
    };

    fn zip(self, other: Self, with: impl Fn(Option<f64>, Option<f64>) -> Option<f64>) -> Self {
        Self {
            iops: with(self.iops, other.iops),
            mbps: with(self.mbps, other.mbps),
            read_iops: with(self.read_iops, other.read_iops),
            read_mbps: with(self.read_mbps, other.read_mbps),
        }
    }

    /// Both at once. What one of them does not say is not known of the sum.
    pub(super) fn plus(self, other: Self) -> Self {
        self.zip(other, |a, b| Some(a? + b?))
    }

    /// The same thing, told by two logs: what one does not say, the other may.
    pub(super) fn or(self, other: Self) -> Self {
        self.zip(other, Option::or)
    }

    /// All of it times `factor`.
    pub(super) fn times(self, factor: f64) -> Self {
        self.zip(self, |a, _| Some(a? * factor))
    }

    /// Whether both say the same quantity.
    pub(super) fn both_say(self, other: Self) -> bool {
        (self.iops.is_some() && other.iops.is_some())
            || (self.mbps.is_some() && other.mbps.is_some())
    }

    /// Whether it says how much I/O there is.
    pub(super) const fn is_known(self) -> bool {
        self.iops.is_some() || self.mbps.is_some()
    }

    /// Bytes of one I/O on average; `None` where there is no I/O, or not both rates are known.
    pub(super) fn bytes_per_io(self) -> Option<f64> {
        let (iops, mbps) = (self.iops?, self.mbps?);
        let bytes = mbps * MB / iops;
        (iops > 0.0 && mbps > 0.0 && bytes.is_finite()).then_some(bytes)
    }

    /// The mean block size, to the byte.
    #[must_use]
    pub fn block_size(self) -> Option<BlockSize> {
        BlockSize::from_bytes(self.bytes_per_io()?.round() as u64).ok()
    }

    /// The block size to ask for in place of the mean one, and whether it was rounded to whole units: logs round their
    /// rates, and a little above whole units counts as one unit more.
    pub(crate) fn asked_block(self) -> Option<(BlockSize, bool)> {
        let bytes = self.bytes_per_io()?;
        let units = (bytes / UNIT).floor();
        let whole = units * UNIT;
        let rounded = units >= 1.0 && bytes > whole && bytes <= whole * (1.0 + NEAR_A_UNIT);
        let bytes = if rounded { whole } else { bytes.round() };
        Some((BlockSize::from_bytes(bytes as u64).ok()?, rounded))
    }

    /// The share of reads: of the I/Os, else of the bytes.
    #[must_use]
    pub fn read_share(self) -> Option<Share> {
        let share = |part: Option<f64>, whole: Option<f64>| {
            let whole = whole.filter(|whole| *whole > 0.0)?;
            Share::new((part? / whole).min(1.0)).ok()
        };
        share(self.read_iops, self.iops).or_else(|| share(self.read_mbps, self.mbps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(load: Load) -> Option<(BlockSize, bool)> {
        load.asked_block()
    }

    fn load(iops: f64, mbps: f64) -> Load {
        Load {
            iops: Some(iops),
            mbps: Some(mbps),
            ..Load::default()
        }
    }

    #[test]
    fn a_block_is_the_quotient_to_the_byte() {
        // 1,000 IOPS and 10 MB/s: 10,000 bytes each.
        let size = BlockSize::from_bytes(10_000).unwrap();
        assert_eq!(asked(load(1000.0, 10.0)), Some((size, false)));
        assert_eq!(asked(load(0.0, 10.0)), None);
        assert_eq!(asked(load(10.0, 0.0)), None);
        // A byte a second at a thousand million IOPS is no block.
        assert_eq!(asked(load(1e9, 1e-6)), None);
    }

    #[test]
    fn a_rounded_mean_just_above_whole_units_counts_as_these() {
        // 250 IOPS of 256 KiB are 65.536 MB/s; one I/O a second too few in the log makes blocks of 263,197 bytes.
        let unit = BlockSize::kib(256);
        assert_eq!(asked(load(250.0, 65.536)), Some((unit, false)));
        assert_eq!(asked(load(249.0, 65.536)), Some((unit, true)));
        // 10 % more is another size.
        let other = BlockSize::from_bytes(288_358).unwrap();
        assert_eq!(asked(load(250.0, 72.0896)), Some((other, false)));
    }
}
