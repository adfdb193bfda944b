//! The figures that the rules of a comparison turn on, and why each is what it is.

use crate::units::{BlockSize, Latency, MBps};

/// The shortest time in which a disk behind a network answers one small I/O, 100 us: a round trip within a data centre
/// takes 20 to 50 us, flash 40 to 80 us, and both ends have a software stack. The fastest remote disks that clouds sell
/// are documented at 250 us and more.
pub const REMOTE_LATENCY: Latency = Latency::whole(100);

/// The most that one link carries, 12,500 MB/s (100 Gbit/s): an I/O of a remote disk also takes its size over this.
pub const LINK: MBps = MBps::whole(12_500);

/// The highest throughput that any single cloud disk is sold with, 10,000 MB/s (Azure Ultra).
pub const FASTEST_DISK: MBps = MBps::whole(10_000);

/// A device that needs at least this long for one I/O is slow, 1 ms: at this time the path through the host (tens of
/// microseconds) is small beside the device, so that no cache or I/O mode changes the time by much unless memory answers.
pub const SLOW_DEVICE: Latency = Latency::whole(1000);

/// A rate so many times another configuration's of the same slow device comes from memory, 3. An I/O mode or a driver
/// takes microseconds off an I/O of milliseconds and merges or overlaps some: it changes figures by less than 2 times.
pub const MEMORY_GAIN: f64 = 3.0;

/// Writes at or below this part of the other configuration's have collapsed, 0.5. Writing through makes every write wait
/// for the medium, often twice (data, then the image's metadata), and empties the queue for it.
pub const COLLAPSE: f64 = 0.5;

/// Reads must keep at least so many times the part that writes keep, 2, for a collapse of writes: where both fall, the
/// whole disk is slower.
pub const WRITES_ALONE: f64 = 2.0;

/// Runs of the same slow, shared device differ by this much without any cause, 0.3: random I/O on a loaded disk has few
/// completions in a benchmark's five seconds, and its neighbours come and go.
pub const NOISE: f64 = 0.3;

/// From this time on a device is slower than any SSD that is not held back, 5 ms: so few I/Os complete in a benchmark
/// that random rates within [`NOISE`] are the same. A device between [`SLOW_DEVICE`] and this may be one of many.
pub const VERY_SLOW_DEVICE: Latency = Latency::whole(5000);

/// Rates of a device that is not very slow are the same within this, 0.15: tens of thousands of I/Os go into each.
pub const ALIKE: f64 = 0.15;

/// The part of its host's speed that a volume of a hypervisor shows when the path between is costly, 0.25 to 0.45:
/// reports of guests on image files name 30 to 40 %, the rest is noise.
pub const HYPERVISOR_SHARE: std::ops::RangeInclusive<f64> = 0.25..=0.45;

/// The fewest rows that such a share must hold in, 3, all of them: one slow test has other causes.
pub const HYPERVISOR_ROWS: usize = 3;

/// The shortest time in which a disk behind a network answers an I/O of `block` bytes.
#[must_use]
pub fn remote_latency(block: Option<BlockSize>) -> Latency {
    let transfer = block.map_or(0.0, |block| block.bytes_f64() / LINK.bytes_per_s() * 1e6);
    Latency::from_micros(REMOTE_LATENCY.micros() + transfer).unwrap_or(REMOTE_LATENCY)
}

/// Whether two rates of the same device are the same but for noise.
#[must_use]
pub fn within_noise(ratio: f64) -> bool {
    (1.0 - NOISE..=1.0 / (1.0 - NOISE)).contains(&ratio)
}

/// Whether two rates are those of one device that answers often enough for its rates to be steady.
#[must_use]
pub fn alike(ratio: f64) -> bool {
    (1.0 - ALIKE..=1.0 / (1.0 - ALIKE)).contains(&ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mebibyte_over_the_link_takes_84_microseconds() {
        // 1,048,576 bytes / 12.5e9 bytes/s = 83.886 us
        let floor = remote_latency(Some(BlockSize::MIB_1));
        assert!((floor.micros() - 183.886_08).abs() < 1e-9);
        assert_eq!(remote_latency(None), REMOTE_LATENCY);
    }

    #[test]
    fn noise_is_the_same_both_ways() {
        assert!(within_noise(0.7) && within_noise(1.0) && within_noise(1.42));
        assert!(!within_noise(0.69) && !within_noise(1.44));
    }
}
