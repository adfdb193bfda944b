//! Generated series of described shapes, reproducible by seed.

use std::fmt::Write;

use diskcap::measure::series::{DiskSeries, ReadOptions, read};

/// A small reproducible source of random numbers (splitmix64).
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .wrapping_add(0x1234_5678),
        )
    }

    /// Even between 0 and 1.
    pub fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normal with mean 0 and standard deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.even()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.even()).cos()
    }
}

/// One sample of a second.
#[derive(Debug, Clone, Copy)]
pub struct Second {
    pub iops: f64,
    pub latency_ms: f64,
}

/// A series of seconds of I/Os of 64 KiB, as from a log of this name.
pub fn series(name: &str, seconds: &[Second]) -> DiskSeries {
    let log = csv(name, seconds);
    let mut series = read(name, log.as_bytes(), &ReadOptions::default()).unwrap();
    series.disks.remove(0)
}

/// The same as the text of the log.
pub fn csv(name: &str, seconds: &[Second]) -> String {
    let mut csv = String::from("time,disk,iops,mbps,latency_ms\n");
    for (i, second) in seconds.iter().enumerate() {
        let mbps = second.iops * 65_536.0 / 1e6;
        writeln!(
            csv,
            "{i},{name},{},{mbps},{}",
            second.iops, second.latency_ms
        )
        .unwrap();
    }
    csv
}

/// A closed loop with so many I/Os outstanding: the latency wanders by `cv` around `latency_ms`, partly from one
/// second to the next (`memory`), and the rate follows from it.
pub fn closed_loop(
    seed: u64,
    seconds: usize,
    outstanding: f64,
    latency_ms: f64,
    cv: f64,
    memory: f64,
) -> Vec<Second> {
    let mut noise = Noise::new(seed);
    let mut state = noise.normal();
    (0..seconds)
        .map(|_| {
            state = memory * state + (1.0 - memory * memory).sqrt() * noise.normal();
            let latency_ms = latency_ms * (cv * state).exp();
            Second {
                iops: outstanding / latency_ms * 1e3,
                latency_ms,
            }
        })
        .collect()
}

/// Array one of the mirrored pair: 2,500 IOPS of 64 KiB writes under 25 ms; at times less is asked, and the latency
/// falls too.
pub fn array_one(seed: u64, seconds: usize) -> Vec<Second> {
    let mut noise = Noise::new(seed);
    let mut next_dip = 20.0 + 60.0 * noise.even();
    let mut dip_left = 0.0;
    (0..seconds)
        .map(|i| {
            if i as f64 >= next_dip {
                dip_left = 2.0 + (5.0 * noise.even()).floor();
                next_dip = i as f64 + dip_left + 15.0 - 60.0 * (1.0 - noise.even()).ln();
            }
            let wobble = 1.0 + 0.04 * noise.normal();
            if dip_left > 0.0 {
                dip_left -= 1.0;
                return Second {
                    iops: 1100.0 * wobble,
                    latency_ms: 9.0 * (1.0 + 0.06 * noise.normal()),
                };
            }
            Second {
                iops: 2600.0 * wobble,
                latency_ms: 22.0 * (1.0 + 0.04 * noise.normal()).min(1.13),
            }
        })
        .collect()
}

/// Array two: 1,600 IOPS on average at 100 to 200 ms; every ten seconds the rate collapses like the posts of a fence,
/// and the latency peaks exactly then.
pub fn array_two(seed: u64, seconds: usize) -> Vec<Second> {
    let mut noise = Noise::new(seed);
    (0..seconds)
        .map(|i| {
            let wobble = 1.0 + 0.04 * noise.normal();
            if i % 10 >= 7 {
                return Second {
                    iops: 870.0 * wobble,
                    latency_ms: 195.0 * (1.0 + 0.02 * noise.normal()),
                };
            }
            Second {
                iops: 1913.0 * wobble,
                latency_ms: 105.0 * (1.0 + 0.04 * noise.normal()).max(0.96),
            }
        })
        .collect()
}
