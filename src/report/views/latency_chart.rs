//! How latencies are spread, as pictures: percentiles by nines, and histograms.

use crate::measure::bench::LatencyBin;
use crate::measure::model::Percentile;
use crate::report::{Axis, Chart, ChartKind, Scale, Series, Shape};
use crate::units::Latency;

/// Curves that can be told apart in one picture.
const MOST: usize = 6;

/// What one curve shows.
pub(super) struct Spread<'a> {
    /// Its name.
    pub name: String,
    /// Percentiles, ascending.
    pub percentiles: &'a [Percentile],
    /// A histogram; empty where there is none.
    pub bins: &'a [LatencyBin],
}

/// The pictures of percentiles and of histograms, those that there are.
pub(super) fn charts(spreads: &[Spread<'_>]) -> Vec<Chart> {
    let left_out = match spreads.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" ({more} more are not drawn)"),
    };
    let drawn = spreads.get(..MOST).unwrap_or(spreads);
    let curves = drawn.iter().filter(|spread| !spread.percentiles.is_empty());
    let percentiles = Chart {
        id: "latency-percentiles".to_owned(),
        title: format!("Latency percentiles{left_out}"),
        kind: ChartKind::Curve {
            x: axis("I/Os that took no longer (%)", Scale::Nines),
            y: axis("Latency (ms)", Scale::Log),
            series: curves.map(percentile_curve).collect(),
            caps: Vec::new(),
        },
    };
    let filled = drawn.iter().filter(|spread| !spread.bins.is_empty());
    let histogram = Chart {
        id: "latency-histogram".to_owned(),
        title: format!("Latency histogram{left_out}"),
        kind: ChartKind::Curve {
            x: axis("Latency (ms)", Scale::Log),
            y: axis("Part of the I/Os (%)", Scale::Linear),
            series: filled.map(histogram_steps).collect(),
            caps: Vec::new(),
        },
    };
    let drawn = |chart: &Chart| match &chart.kind {
        ChartKind::Curve { series, .. } => !series.is_empty(),
        _ => false,
    };
    [percentiles, histogram].into_iter().filter(drawn).collect()
}

fn axis(title: &str, scale: Scale) -> Axis {
    Axis {
        title: title.to_owned(),
        scale,
    }
}

fn percentile_curve(spread: &Spread<'_>) -> Series {
    let point = |p: &Percentile| (p.percent, Some(p.latency.millis()));
    Series {
        name: spread.name.clone(),
        points: spread.percentiles.iter().map(point).collect(),
        shape: Shape::Linear,
    }
}

/// From nothing, up and down, to nothing.
fn histogram_steps(spread: &Spread<'_>) -> Series {
    let at = |latency: Latency, percent: f64| (latency.millis(), Some(percent));
    let bins = spread.bins;
    let first = bins.first().map(|bin| at(bin.from_us, 0.0));
    let steps = bins
        .iter()
        .map(|bin| at(bin.from_us, bin.share.get() * 100.0));
    let last = bins.last().map(|bin| at(bin.to_us, 0.0));
    Series {
        name: spread.name.clone(),
        points: first.into_iter().chain(steps).chain(last).collect(),
        shape: Shape::Step,
    }
}
