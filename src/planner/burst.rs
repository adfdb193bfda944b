//! How long a burst lasts from full credit, and how long the bucket takes to fill again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::system::Resource;
use crate::catalog::Axis;

/// What a rate above the base means for one credit bucket.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BurstSpan {
    /// Which limit bursts.
    pub axis: Axis,
    /// The limit without credit.
    pub base: f64,
    /// The rate that is being drawn, IOPS or MB/s.
    pub rate: f64,
    /// How long a full bucket lasts at that rate, seconds.
    pub lasts_seconds: f64,
    /// How long an empty bucket takes to fill while nothing is asked, seconds.
    pub refill_seconds: f64,
}

/// The span of `resource` at `rate`; `None` where it has no bucket or the rate does not draw on it.
///
/// A bucket holds (burst - base) x 1,800 s, drains by (use - base) and fills by (base - use).
#[must_use]
pub fn span(resource: &Resource, rate: f64) -> Option<BurstSpan> {
    let base = resource.base?;
    let bucket = resource.bucket()?;
    let above = rate - base;
    // A rate that touches the base up to rounding does not drain the bucket.
    (above > base * 1e-9).then(|| BurstSpan {
        axis: resource.axis,
        base,
        rate,
        lasts_seconds: bucket / above,
        refill_seconds: bucket / base,
    })
}

/// The span of `resource` when what draws on it falls from the rate of `first` to `rate` after `after` seconds, before
/// its bucket is empty. `None` where the lower rate never empties it.
#[must_use]
pub fn span_after(
    resource: &Resource,
    first: &BurstSpan,
    after: f64,
    rate: f64,
) -> Option<BurstSpan> {
    let then = span(resource, rate)?;
    let left = resource.bucket()? - (first.rate - first.base) * after;
    Some(BurstSpan {
        lasts_seconds: after + left / (rate - then.base),
        ..then
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::Place;

    const P10: Resource = Resource {
        place: Place::Uncached,
        axis: Axis::Iops,
        base: Some(500.0),
        burst: Some(3500.0),
        bucket_seconds: Some(1800.0),
    };

    #[test]
    fn a_full_bucket_lasts_half_an_hour_at_full_burst_and_longer_below() {
        // (3,500 - 500) x 1,800 = 5,400,000 I/Os.
        assert_eq!(P10.bucket(), Some(5_400_000.0));
        assert_eq!(span(&P10, 3500.0).unwrap().lasts_seconds, 1800.0);
        assert_eq!(span(&P10, 2000.0).unwrap().lasts_seconds, 3600.0);
        assert_eq!(span(&P10, 2000.0).unwrap().refill_seconds, 10_800.0);
        assert_eq!(span(&P10, 500.0), None);
        assert_eq!(span(&P10, 100.0), None);
    }

    #[test]
    fn a_falling_draw_empties_the_bucket_later_or_never() {
        // A VM of 48 / 200 MB/s: 273,600 MB of credit. 170 MB/s for 1,800 s take 219,600; 54,000 are left, which
        // 100 MB/s draw down in 54,000 / 52 = 1,038.46 s.
        let vm = Resource {
            axis: Axis::Mbps,
            base: Some(48.0),
            burst: Some(200.0),
            ..P10
        };
        let first = span(&vm, 170.0).unwrap();
        let fallen = span_after(&vm, &first, 1800.0, 100.0).unwrap();
        assert!((fallen.lasts_seconds - 2_838.461_538).abs() < 1e-5);
        assert_eq!(fallen.rate, 100.0);
        assert_eq!(span_after(&vm, &first, 1800.0, 40.0), None);
    }

    #[test]
    fn no_bucket_no_span() {
        let plain = Resource {
            burst: Some(500.0),
            ..P10
        };
        assert_eq!(span(&plain, 600.0), None);
    }
}
