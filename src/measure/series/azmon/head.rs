//! What is said of one series of points, and who takes it.

use super::metric::{Measure, Scope};
use super::point::Point;
use super::resource::Named;
use crate::measure::series::model::Aggregation;

/// The interval where nothing says it: that of the platform's metrics.
const ONE_MINUTE_MS: u32 = 60_000;

impl Measure {
    /// The value of a point to take for this measure, and what it is of its interval. The error is the aggregation
    /// that there is instead of one.
    pub fn value(self, point: &Point) -> Option<Result<(f64, Aggregation), &'static str>> {
        if let Self::ByteSum(_) = self {
            let sum = point.total().map(|total| Ok((total, Aggregation::Mean)));
            return sum.or(point.average().map(|_| Err("average")));
        }
        let mean = point.average().or_else(|| {
            let count = point.count().filter(|count| *count > 0.0)?;
            Some(point.total()? / count)
        });
        let named = |value: Option<f64>, of| value.map(|v| Ok((v, of)));
        named(mean, Aggregation::Mean)
            .or(named(point.maximum(), Aggregation::Maximum))
            .or(named(point.minimum(), Aggregation::Minimum))
            .or(point.total().map(|_| Err("total")))
            .or(point.count().map(|_| Err("count")))
    }
}

/// What is said of the points of one series.
#[derive(Debug)]
pub(crate) struct Head {
    /// The metric as it is named.
    pub metric: String,
    /// What it is about and what it measures.
    pub meaning: (Scope, Measure),
    /// The VM or disk.
    pub resource: Option<Named>,
    /// The LUN, where the metric is split by it.
    pub lun: Option<String>,
    /// Length of an interval as it is said, milliseconds.
    pub interval_ms: Option<u32>,
    /// Time between its points, milliseconds.
    pub usual_ms: Option<u32>,
}

impl Head {
    /// Length of an interval, milliseconds.
    pub fn length_ms(&self) -> u32 {
        self.interval_ms.or(self.usual_ms).unwrap_or(ONE_MINUTE_MS)
    }

    /// Fills in what it does not say itself.
    pub fn fill(&mut self, resource: Option<&Named>, interval_ms: Option<u32>) {
        if self.resource.is_none() {
            self.resource = resource.cloned();
        }
        self.interval_ms = self.interval_ms.or(interval_ms);
    }
}

/// Takes the series of a document, one after another.
pub(crate) trait Sink {
    /// How many series were taken.
    fn heads(&self) -> usize;

    /// Takes a series; the times of its points are milliseconds since 1970.
    fn add(&mut self, head: Head, points: &mut dyn Iterator<Item = (i64, Point)>);

    /// Fills in what is said of the series from number `from` on, where they do not say it themselves.
    fn fill(&mut self, from: usize, resource: Option<&Named>, interval_ms: Option<u32>);
}
