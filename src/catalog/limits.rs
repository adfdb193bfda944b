//! Pairs of ceilings, as every disk and every VM has them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::units::{Iops, MBps};

/// The two axes of every limit: I/Os and bytes.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    /// I/O operations per second.
    Iops,
    /// MB/s.
    Mbps,
}

/// An IOPS and a throughput limit. `None` means unknown: never zero, never unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// The limit in I/Os per second.
    pub iops: Option<Iops>,
    /// The limit in MB/s.
    pub mbps: Option<MBps>,
}

impl Limits {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        iops: None,
        mbps: None,
    };

    /// Both limits known.
    #[must_use]
    pub const fn new(iops: Iops, mbps: MBps) -> Self {
        Self {
            iops: Some(iops),
            mbps: Some(mbps),
        }
    }

    /// Both limits known, as whole numbers.
    #[must_use]
    pub const fn whole(iops: u32, mbps: u32) -> Self {
        Self::new(Iops::whole(iops), MBps::whole(mbps))
    }

    /// The higher of two pairs on each axis; the known one where only one is.
    #[must_use]
    pub fn higher(self, other: Self) -> Self {
        Self {
            iops: larger(self.iops, other.iops),
            mbps: larger(self.mbps, other.mbps),
        }
    }

    /// The limits of this many equal disks striped.
    #[must_use]
    pub fn times(self, disks: f64) -> Self {
        Self {
            iops: self.iops.and_then(|v| Iops::new(v.get() * disks).ok()),
            mbps: self.mbps.and_then(|v| MBps::new(v.get() * disks).ok()),
        }
    }

    /// The limits of both together; unknown where either is.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: f64, b: f64| a + b;
        Self {
            iops: (self.iops.zip(other.iops))
                .and_then(|(a, b)| Iops::new(sum(a.get(), b.get())).ok()),
            mbps: (self.mbps.zip(other.mbps))
                .and_then(|(a, b)| MBps::new(sum(a.get(), b.get())).ok()),
        }
    }

    /// The limit on one axis as a plain number.
    #[must_use]
    pub fn on(self, axis: Axis) -> Option<f64> {
        match axis {
            Axis::Iops => self.iops.map(Iops::get),
            Axis::Mbps => self.mbps.map(MBps::get),
        }
    }
}

/// The larger of two where both are known, else the known one.
fn larger<T: PartialOrd>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b > a { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// A ceiling that may be exceeded for a while: a base pair, and a burst pair where one exists.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Ceiling {
    /// What holds without end.
    pub base: Limits,
    /// What holds while burst credit lasts; `None` where no burst is documented.
    pub burst: Option<Limits>,
    /// The throughput that documentation prints for `base`, where it differs from the exact bytes
    /// (131.072 MB/s is printed as 128): the number people know.
    pub listed_mbps: Option<MBps>,
}

impl Ceiling {
    /// How long a full credit bucket lasts at full burst, seconds; `None` where there is no burst.
    #[must_use]
    pub const fn bucket_seconds(&self) -> Option<f64> {
        match self.burst {
            Some(_) => Some(super::azure::BURST_BUCKET_SECONDS),
            None => None,
        }
    }

    /// Whether it lets less through than `other` and nothing more, with burst credit or without.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        let pairs = [Axis::Iops, Axis::Mbps].map(|axis| {
            let (base, burst) = (self.base.on(axis), self.burst_on(axis));
            [(base, other.base.on(axis)), (burst, other.burst_on(axis))]
        });
        let known = |(own, other): (Option<f64>, Option<f64>)| own.zip(other);
        let mut all = pairs.into_iter().flatten().filter_map(known);
        all.clone().all(|(own, other)| own <= other) && all.any(|(own, other)| own < other)
    }

    /// The throughput that documentation prints for `base`, where people see it differ from the exact figure.
    #[must_use]
    pub fn listed(&self) -> Option<MBps> {
        let (exact, listed) = (self.base.mbps?, self.listed_mbps?);
        (exact.to_string() != listed.to_string()).then_some(listed)
    }

    /// The capacity on `axis` with burst credit: the burst figure, or the base where the axis has no higher one.
    #[must_use]
    pub fn burst_on(&self, axis: Axis) -> Option<f64> {
        let base = self.base.on(axis);
        let burst = self.burst.and_then(|limits| limits.on(axis));
        match (base, burst) {
            (Some(base), Some(burst)) => Some(base.max(burst)),
            (base, None) => base,
            (None, burst) => burst,
        }
    }
}
