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
    fn no_bucket_no_span() {
        let plain = Resource {
            burst: Some(500.0),
            ..P10
        };
        assert_eq!(span(&plain, 600.0), None);
    }
}
