//! Percentiles of very many latencies in little memory.
//!
//! Values fall into buckets, 64 to a power of two as in fio, so a percentile is within 0.8 % of the true one. An interval keeps
//! only the buckets that it used: a few hundred bytes where a full histogram would take thousands, which is what
//! lets a log of single I/Os keep percentiles for every second of a day.

/// Buckets to a power of two.
const PER_OCTAVE: u64 = 64;
/// log2 of [`PER_OCTAVE`].
const BITS: u32 = 6;
/// All buckets that a 64-bit value can fall into.
const BUCKETS: usize = (64 - BITS as usize + 1) * PER_OCTAVE as usize;

/// The bucket of a value.
#[inline]
fn bucket(value: u64) -> u16 {
    if value < PER_OCTAVE {
        return value as u16;
    }
    let shift = 63 - value.leading_zeros() - BITS;
    let within = (value >> shift) - PER_OCTAVE;
    (u64::from(shift + 1) * PER_OCTAVE + within) as u16
}

/// The middle of a bucket.
fn middle(bucket: u16) -> f64 {
    let bucket = u64::from(bucket);
    // A bucket for every value.
    if bucket < 2 * PER_OCTAVE {
        return bucket as f64;
    }
    let shift = (bucket / PER_OCTAVE - 1) as i32;
    let lower = (PER_OCTAVE + bucket % PER_OCTAVE) as f64;
    (lower + 0.5) * 2_f64.powi(shift)
}

/// The buckets that one interval used, ascending, with their counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sketch {
    counts: Vec<(u16, u32)>,
}

impl Sketch {
    /// Adds the values of another.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.is_empty() {
            return;
        }
        if self.counts.is_empty() {
            self.counts.clone_from(&other.counts);
            return;
        }
        let mut merged = Vec::with_capacity(self.counts.len() + other.counts.len());
        let (mut a, mut b) = (
            self.counts.iter().peekable(),
            other.counts.iter().peekable(),
        );
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            match x.0.cmp(&y.0) {
                std::cmp::Ordering::Less => merged.extend(a.next()),
                std::cmp::Ordering::Greater => merged.extend(b.next()),
                std::cmp::Ordering::Equal => {
                    merged.push((x.0, x.1.saturating_add(y.1)));
                    a.next();
                    b.next();
                }
            }
        }
        merged.extend(a);
        merged.extend(b);
        merged.shrink_to_fit();
        self.counts = merged;
    }

    /// The value that `share` of the values stayed at or under; `None` where there are none.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let counts = self.counts.iter().map(|(b, n)| (*b, u64::from(*n)));
        quantile(counts, share)
    }
}

/// The value that `share` of the counted values stayed at or under.
fn quantile(counts: impl Iterator<Item = (u16, u64)> + Clone, share: f64) -> Option<f64> {
    let total: u64 = counts.clone().map(|(_, n)| n).sum();
    if total == 0 {
        return None;
    }
    let rank = ((share * total as f64).ceil() as u64).clamp(1, total);
    let mut below = 0;
    for (bucket, n) in counts {
        below += n;
        if below >= rank {
            return Some(middle(bucket));
        }
    }
    None
}

/// Counts values as they come: those of the present interval, and all.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    present: Vec<u32>,
    used: Vec<u16>,
    all: Vec<u64>,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            present: vec![0; BUCKETS],
            used: Vec::new(),
            all: vec![0; BUCKETS],
        }
    }
}

impl Counter {
    /// Counts a value so many times.
    #[inline]
    pub fn add(&mut self, value: u64, times: u64) {
        let bucket = bucket(value);
        if let Some(count) = self.present.get_mut(usize::from(bucket)) {
            if *count == 0 {
                self.used.push(bucket);
            }
            *count = count.saturating_add(u32::try_from(times).unwrap_or(u32::MAX));
        }
    }

    /// What was counted since the last time, as a sketch.
    pub fn take(&mut self) -> Sketch {
        self.used.sort_unstable();
        let mut counts = Vec::with_capacity(self.used.len());
        for bucket in self.used.drain(..) {
            let place = usize::from(bucket);
            if let (Some(count), Some(all)) = (self.present.get_mut(place), self.all.get_mut(place))
            {
                *all += u64::from(*count);
                counts.push((bucket, std::mem::take(count)));
            }
        }
        Sketch { counts }
    }

    /// The value that `share` of all values that were taken stayed at or under.
    pub fn quantile_of_all(&self, share: f64) -> Option<f64> {
        let counts = self.all.iter().enumerate();
        quantile(counts.map(|(b, n)| (b as u16, *n)), share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sketch(values: &[u64]) -> Sketch {
        let mut counter = Counter::default();
        for value in values {
            counter.add(*value, 1);
        }
        counter.take()
    }

    #[test]
    fn quantiles_of_a_known_ramp() {
        let values: Vec<u64> = (1..=10_000).map(|i| i * 1000).collect();
        let sketch = sketch(&values);
        for (share, exact) in [(0.5, 5e6), (0.99, 9.9e6), (1.0, 1e7)] {
            let read = sketch.quantile(share).unwrap();
            assert!((read / exact - 1.0).abs() < 0.008, "{share}: {read}");
        }
        assert_eq!(Sketch::default().quantile(0.5), None);
    }

    #[test]
    fn small_values_are_exact() {
        assert_eq!(sketch(&[3, 7, 31]).quantile(0.5), Some(7.0));
    }

    proptest! {
        #[test]
        fn a_bucket_holds_its_values(value in any::<u64>()) {
            let near = middle(bucket(value));
            prop_assert!(usize::from(bucket(value)) < BUCKETS);
            prop_assert!((near - value as f64).abs() <= value as f64 / 127.0);
        }

        #[test]
        fn merging_is_counting_together(a in prop::collection::vec(0_u64..1 << 40, 0..50),
                                        b in prop::collection::vec(0_u64..1 << 40, 0..50)) {
            let mut merged = sketch(&a);
            merged.merge(&sketch(&b));
            let both: Vec<u64> = a.into_iter().chain(b).collect();
            prop_assert_eq!(merged, sketch(&both));
        }
    }
}
