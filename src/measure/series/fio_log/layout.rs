//! The bins of fio's latencies, as fio's stat.c makes them (`plat_val_to_idx`): 64 to a group, the first two groups a
//! bin for every value, every further group twice as wide. fio 2 has 19 groups and counts microseconds, fio 3 has 29
//! and counts nanoseconds, so the number of bins tells the unit; each step of `log_hist_coarseness` makes two bins one.
//! The last bin holds all that took longer, too.

use crate::measure::series::notice::LatencyUnit;

/// log2 of the bins in a group (`FIO_IO_U_PLAT_BITS`).
const GROUP_BITS: u32 = 6;
/// Groups of fio 3 and fio 2 (`FIO_IO_U_PLAT_GROUP_NR`), and what they count.
const GROUPS: [(usize, LatencyUnit); 2] = [
    (29, LatencyUnit::Nanoseconds),
    (19, LatencyUnit::Microseconds),
];
/// The highest `log_hist_coarseness`.
const MOST_COARSE: u32 = 6;
/// The most bins of a line.
pub(super) const MOST_BINS: usize = 29 << GROUP_BITS;
/// Which latencies the bins stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// `log_hist_coarseness`: two to the power of it are one.
    coarseness: u32,
    pub unit: LatencyUnit,
}

impl Layout {
    /// The layout that has so many bins; `None` where fio has none such.
    pub fn of(bins: usize) -> Option<Self> {
        GROUPS.into_iter().find_map(|(groups, unit)| {
            let coarseness = (0..=MOST_COARSE).find(|by| (groups << GROUP_BITS) >> by == bins)?;
            Some(Self { coarseness, unit })
        })
    }

    /// The latency that a bin stands for: the middle of its range, as fio takes it.
    pub fn middle(self, bin: u16) -> u64 {
        let first = u64::from(bin) << self.coarseness;
        let from = lowest(first);
        let width = lowest(first + (1 << self.coarseness)) - from;
        if width == 1 { from } else { from + width / 2 }
    }
}

/// The lowest latency of a bin of full fineness.
fn lowest(bin: u64) -> u64 {
    let in_group = 1 << GROUP_BITS;
    match (bin >> GROUP_BITS).checked_sub(1) {
        None => bin,
        Some(doublings) => (in_group + bin % in_group) << doublings,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_bins_tells_version_and_coarseness() {
        let told = |bins| Layout::of(bins).map(|layout| (layout.unit, layout.coarseness));
        assert_eq!(told(1856), Some((LatencyUnit::Nanoseconds, 0)));
        assert_eq!(told(29), Some((LatencyUnit::Nanoseconds, 6)));
        assert_eq!(told(1216), Some((LatencyUnit::Microseconds, 0)));
        assert_eq!(told(304), Some((LatencyUnit::Microseconds, 2)));
        assert_eq!(told(1000), None);
    }

    #[test]
    fn bins_stand_for_the_middle_of_their_range() {
        let fine = Layout::of(1856).unwrap();
        // Exact up to 127; from 128 on two values a bin, from 256 on four, and so on.
        for (bin, middle) in [
            (0, 0),
            (127, 127),
            (128, 129),
            (191, 255),
            (192, 258),
            // Group 10: 64 bins of 2^9 from 2^15 on. 32,768 + 5 x 512 + 256.
            (10 * 64 + 5, 35_584),
            // The last one ends at 2^34 ns, the 17 s that fio's documentation names as the longest.
            (1855, (1 << 34) - (1 << 26)),
        ] {
            assert_eq!(fine.middle(bin), middle, "{bin}");
        }
        // Four to one: bins 640 to 643 of the fine ones, 32,768 to 34,816.
        assert_eq!(Layout::of(464).unwrap().middle(160), 33_792);
    }
}
