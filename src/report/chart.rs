//! Charts as data: bars with caps, series over time, curves and histograms.

use serde::Serialize;

/// A chart, as data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// Stable id.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What is drawn.
    pub kind: ChartKind,
}

/// The kinds of chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChartKind {
    /// Groups of bars, with caps as lines across them.
    Bars {
        /// Unit of the values.
        unit: String,
        /// The names of the bars in every group (`provisioned`, `effective`).
        series: Vec<String>,
        /// The groups: a name, and a bar for each series.
        groups: Vec<(String, Vec<Bar>)>,
        /// Caps across all groups.
        caps: Vec<Cap>,
    },
    /// Series over time, in panels one above the other on one time axis.
    Time {
        /// The panels, from the top.
        panels: Vec<Panel>,
        /// Shaded stretches of time, across all panels.
        spans: Vec<Span>,
    },
    /// Series over any other quantity: latency percentiles, histograms.
    Curve {
        /// The horizontal axis.
        x: Axis,
        /// The vertical axis.
        y: Axis,
        /// What is drawn.
        series: Vec<Series>,
        /// Caps across the curves, on the vertical axis.
        caps: Vec<Cap>,
    },
}

/// What stands for one series in a group of bars.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bar {
    /// A value, drawn from zero on.
    Value(f64),
    /// There is a value, but nobody knows it: said in words below the group.
    Unknown,
    /// There is none: no demand was stated, no burst exists.
    Absent,
}

impl Bar {
    /// A bar that is left out where there is no value.
    #[must_use]
    pub fn or_absent(value: Option<f64>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }

    /// The value, where there is one that can be drawn: finite, and not below zero, where bars begin.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value).filter(|v| v.is_finite() && *v >= 0.0),
            Self::Unknown | Self::Absent => None,
        }
    }
}

impl From<Option<f64>> for Bar {
    /// Without a value it is unknown.
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Unknown, Self::Value)
    }
}

/// A value that should not, or cannot, be exceeded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cap {
    /// What it is ("VM uncached").
    pub name: String,
    /// Where it lies.
    pub value: f64,
}

/// One panel of a chart over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    /// What it shows ("Throughput").
    pub title: String,
    /// Unit of its values ("MB/s").
    pub unit: String,
    /// What is drawn; x is the time in minutes.
    pub series: Vec<Series>,
    /// Caps across the panel.
    pub caps: Vec<Cap>,
}

/// One line of a chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// Its name, written beside it.
    pub name: String,
    /// Its points (x, y), x ascending; a `None` breaks the line: nothing is known from there to the next point.
    pub points: Vec<(f64, Option<f64>)>,
    /// How the points are joined.
    pub shape: Shape,
}

/// How points are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// By straight lines.
    #[default]
    Linear,
    /// A value holds until the next point (a rate over time, a histogram's bins).
    Step,
}

/// A stretch of time to be shaded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Span {
    /// Where it begins, minutes.
    pub from: f64,
    /// Where it ends, minutes.
    pub to: f64,
    /// What it is ("throttled by VM uncached MB/s").
    pub label: String,
}

/// An axis of a curve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Axis {
    /// What it measures, with its unit ("Latency (ms)").
    pub title: String,
    /// How values are spread along it.
    pub scale: Scale,
}

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// By powers of ten; values that are not above 0 are left out.
    Log,
    /// Percentiles by nines (50, 90, 99, 99.9, …), so that the tail is seen; values from 0 to below 100.
    Nines,
}
