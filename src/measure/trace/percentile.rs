//! How much a volume did for most of the time.

use super::VolumeTrace;
use super::load::Load;
use crate::units::Share;

/// A rounding error of this part of the time is none.
const SAME: f64 = 1e-9;

impl VolumeTrace {
    /// The least that `of` does not exceed for `share` of the time; all of the time: the most. `None` where some piece
    /// does not say it.
    #[must_use]
    pub fn percentile(&self, share: Share, of: fn(&Load) -> Option<f64>) -> Option<f64> {
        let pieces = self.pieces.iter();
        let values = pieces.map(|piece| Some((of(&piece.load)?, piece.ms())));
        let mut values: Vec<(f64, u64)> = values.collect::<Option<_>>()?;
        values.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let total: u64 = values.iter().map(|(_, ms)| ms).sum();
        let least = share.get() * total as f64 * (1.0 - SAME);
        let mut passed = 0;
        let reached = values.iter().find(|(_, ms)| {
            passed += ms;
            passed as f64 >= least
        });
        reached.map(|(value, _)| *value)
    }

    /// All the time in which `of` is at or above `least`, as one load; `None` where that is never.
    #[must_use]
    pub fn at_or_above(&self, least: f64, of: fn(&Load) -> Option<f64>) -> Option<Load> {
        let above = |load: &Load| of(load).is_some_and(|value| value >= least);
        let mut sum = Load::IDLE;
        let mut total = 0;
        for piece in self.pieces.iter().filter(|piece| above(&piece.load)) {
            sum = sum.plus(piece.load.times(piece.ms() as f64));
            total += piece.ms();
        }
        (total > 0).then(|| sum.times(1.0 / total as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::trace::Piece;

    /// A minute at each of these IOPS, in blocks of so many bytes.
    fn trace(minutes: &[(f64, f64)]) -> VolumeTrace {
        let pieces = minutes
            .iter()
            .zip(0..)
            .map(|((iops, bytes), minute)| Piece {
                start_ms: minute * 60_000,
                end_ms: (minute + 1) * 60_000,
                load: Load {
                    iops: Some(*iops),
                    mbps: Some(iops * bytes / 1e6),
                    ..Load::default()
                },
            });
        VolumeTrace {
            volume: 0,
            pieces: pieces.collect(),
        }
    }

    #[test]
    fn a_percentile_is_over_time() {
        let ten: Vec<(f64, f64)> = (1..=10).map(|n| (f64::from(n) * 100.0, 4096.0)).collect();
        let mut trace = trace(&ten);
        let at = |trace: &VolumeTrace, percent| {
            trace.percentile(Share::percent(percent), |load| load.iops)
        };
        assert_eq!(at(&trace, 50), Some(500.0));
        assert_eq!(at(&trace, 90), Some(900.0));
        assert_eq!(at(&trace, 95), Some(1000.0));
        assert_eq!(at(&trace, 100), Some(1000.0));
        assert_eq!(at(&trace, 0), Some(100.0));
        // The first minute lasts as long as all others: half of the time is spent in it.
        trace.pieces[0].end_ms = 540_000;
        assert_eq!(at(&trace, 50), Some(100.0));
        trace.pieces[3].load.iops = None;
        assert_eq!(at(&trace, 50), None);
    }

    #[test]
    fn the_busiest_time_has_its_own_block_size() {
        // 100 x 1 MiB at night; by day 1,000 and 3,000 x 8 KiB: 4,000 I/Os of 8,192 bytes at or above 1,000.
        let trace = trace(&[(100.0, 1_048_576.0), (1000.0, 8192.0), (3000.0, 8192.0)]);
        let busy = trace.at_or_above(1000.0, |load| load.iops).unwrap();
        assert_eq!(busy.iops, Some(2000.0));
        assert_eq!(busy.asked_block().unwrap().0.bytes(), 8192);
        assert_eq!(trace.at_or_above(3001.0, |load| load.iops), None);
    }
}
