//! What charts over an axis have in common: panels, known points, ranges.

use super::chart::{Axis, Cap, Chart, ChartKind, Panel, Scale, Series, Shape, Span};
use super::scale::{Tick, duration, short, time_ticks};

/// A chart over a horizontal axis, its points placed on evenly divided axes.
pub struct Plot<'a> {
    /// Panels from the top.
    pub panels: Vec<PlotPanel<'a>>,
    /// Shaded stretches, within the range.
    pub spans: Vec<&'a Span>,
    /// The horizontal axis.
    pub x: PlotAxis<'a>,
}

/// One panel.
pub struct PlotPanel<'a> {
    /// The panel's heading, with its unit.
    pub title: String,
    /// The vertical axis.
    pub y: PlotAxis<'a>,
    /// The lines.
    pub series: Vec<PlotSeries<'a>>,
    /// Caps: name, value, and where it is placed.
    pub caps: Vec<(&'a Cap, f64)>,
}

/// One line.
pub struct PlotSeries<'a> {
    /// Its name.
    pub name: &'a str,
    /// Which look it has: series of one name look alike in every panel.
    pub look: usize,
    /// Its placed points.
    pub points: Vec<(f64, Option<f64>)>,
    /// Its values as they are, least and greatest; `None` when nothing is known.
    pub extremes: Option<(f64, f64)>,
    /// How points are joined.
    pub shape: Shape,
}

/// A placed axis.
pub struct PlotAxis<'a> {
    /// What it measures.
    pub title: &'a str,
    /// Lowest placed coordinate.
    pub low: f64,
    /// Highest placed coordinate, above the lowest.
    pub high: f64,
    kind: AxisKind,
}

#[derive(Clone, Copy)]
enum AxisKind {
    Minutes,
    Scaled(Scale),
}

impl PlotAxis<'_> {
    /// Some `count` marks.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        match self.kind {
            AxisKind::Minutes => time_ticks(self.low, self.high, count),
            AxisKind::Scaled(scale) => scale.ticks(self.low, self.high, count),
        }
    }

    /// The words at the two ends.
    pub fn ends(&self) -> (String, String) {
        let say = |placed: f64| match self.kind {
            AxisKind::Minutes => duration(placed),
            AxisKind::Scaled(Scale::Linear) => short(placed),
            AxisKind::Scaled(Scale::Log) => short(10f64.powf(placed)),
            AxisKind::Scaled(Scale::Nines) => {
                // Rounded, for the way there and back leaves noise behind the last nine.
                let percent = 100.0 * (1.0 - 10f64.powf(-placed));
                crate::units::grouped(percent, 6)
            }
        };
        (say(self.low), say(self.high))
    }
}

impl Plot<'_> {
    /// Kinds of shaded stretches: every label once, in order of appearance.
    pub fn span_kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = Vec::new();
        for span in &self.spans {
            if !kinds.contains(&span.label.as_str()) {
                kinds.push(&span.label);
            }
        }
        kinds
    }

    /// The stretches of one kind.
    pub fn spans_of(&self, kind: &str) -> impl Iterator<Item = &Span> {
        let spans = self.spans.iter().copied();
        spans.filter(move |span| span.label == kind)
    }

    /// `throttled: 30 min – 1 h`, with the number of further stretches of the kind.
    pub fn span_words(&self, kind: &str) -> String {
        let mut same = self.spans_of(kind);
        let first = same.next().map_or_else(String::new, |span| {
            format!("{} – {}", duration(span.from), duration(span.to))
        });
        match same.count() {
            0 => format!("{kind}: {first}"),
            more => format!("{kind}: {first} and {more} more"),
        }
    }

    /// Gives series of one name the same look in every panel.
    fn with_looks(mut self) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter_mut().flat_map(|panel| &mut panel.series) {
            let known = names.iter().position(|name| *name == series.name);
            series.look = known.unwrap_or(names.len());
            if known.is_none() {
                names.push(series.name);
            }
        }
        self
    }
}

impl<'a> Plot<'a> {
    /// The plot of a chart over time or of a curve; `None` for other charts, and where nothing is known.
    pub fn of(chart: &'a Chart) -> Option<Self> {
        let plot = match &chart.kind {
            ChartKind::Bars { .. } => None,
            ChartKind::Time { panels, spans } => Self::over_time(panels, spans),
            ChartKind::Curve { x, y, series, caps } => Self::curve(x, y, series, caps),
        };
        plot.filter(|plot| {
            let mut series = plot.panels.iter().flat_map(|panel| &panel.series);
            series.any(|series| series.extremes.is_some())
        })
    }

    fn over_time(panels: &'a [Panel], spans: &'a [Span]) -> Option<Self> {
        let placed: Vec<PlotPanel> = panels
            .iter()
            .map(|panel| {
                let title = with_unit(&panel.title, &panel.unit);
                let scales = (Scale::Linear, Scale::Linear);
                PlotPanel::new(title, "", scales, &panel.series, &panel.caps)
            })
            .collect();
        let x = axis("", AxisKind::Minutes, xs(&placed), false)?;
        let within = |span: &&Span| span.from < x.high && span.to > x.low && span.from < span.to;
        let plot = Self {
            spans: spans.iter().filter(within).collect(),
            panels: placed,
            x,
        };
        Some(plot.with_looks())
    }

    fn curve(x: &'a Axis, y: &'a Axis, series: &'a [Series], caps: &'a [Cap]) -> Option<Self> {
        let panel = PlotPanel::new(String::new(), &y.title, (x.scale, y.scale), series, caps);
        let panels = vec![panel];
        let x = axis(&x.title, AxisKind::Scaled(x.scale), xs(&panels), false)?;
        let plot = Self {
            panels,
            spans: Vec::new(),
            x,
        };
        Some(plot.with_looks())
    }
}

/// A heading with its unit in brackets.
fn with_unit(title: &str, unit: &str) -> String {
    match (title, unit) {
        (title, "") => title.to_owned(),
        ("", unit) => unit.to_owned(),
        (title, unit) => format!("{title} ({unit})"),
    }
}

/// Every placed x of the panels.
fn xs<'p>(panels: &'p [PlotPanel]) -> impl Iterator<Item = f64> + 'p {
    let series = panels.iter().flat_map(|panel| &panel.series);
    series.flat_map(|series| series.points.iter().map(|(x, _)| *x))
}

/// The axis that holds all the values; `None` without any. From zero where `from_zero` asks for it.
fn axis(
    title: &str,
    kind: AxisKind,
    values: impl Iterator<Item = f64>,
    from_zero: bool,
) -> Option<PlotAxis<'_>> {
    let (low, high) = values.fold(None, |range: Option<(f64, f64)>, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })?;
    let low = if from_zero { low.min(0.0) } else { low };
    let high = if high > low {
        high
    } else {
        low + low.abs().max(1.0)
    };
    Some(PlotAxis {
        title,
        low,
        high,
        kind,
    })
}

impl<'a> PlotPanel<'a> {
    /// What stands above the panel: its title, else that of its vertical axis.
    pub fn heading(&self) -> &str {
        if self.title.is_empty() {
            self.y.title
        } else {
            &self.title
        }
    }

    fn new(
        title: String,
        y_title: &'a str,
        (x, y): (Scale, Scale),
        series: &'a [Series],
        caps: &'a [Cap],
    ) -> Self {
        let series: Vec<PlotSeries> = series.iter().map(|s| PlotSeries::new(s, x, y)).collect();
        let caps: Vec<(&Cap, f64)> = caps
            .iter()
            .filter_map(|cap| Some((cap, y.place(cap.value)?)))
            .collect();
        let points = series
            .iter()
            .flat_map(|s| s.points.iter().filter_map(|(_, y)| *y));
        let values = points.chain(caps.iter().map(|(_, at)| *at));
        let kind = AxisKind::Scaled(y);
        let empty = PlotAxis {
            title: y_title,
            low: 0.0,
            high: 1.0,
            kind,
        };
        let y = axis(y_title, kind, values, y == Scale::Linear).unwrap_or(empty);
        Self {
            title,
            y,
            series,
            caps,
        }
    }
}

impl<'a> PlotSeries<'a> {
    /// Leaves out points without a place on the axes; a value without a place counts as unknown.
    fn new(series: &'a Series, x: Scale, y: Scale) -> Self {
        let mut extremes: Option<(f64, f64)> = None;
        let mut points: Vec<(f64, Option<f64>)> = Vec::with_capacity(series.points.len());
        for (at, value) in &series.points {
            let Some(at) = x.place(*at) else { continue };
            let placed = value.and_then(|value| Some((value, y.place(value)?)));
            if let Some((value, _)) = placed {
                let (low, high) = extremes.unwrap_or((value, value));
                extremes = Some((low.min(value), high.max(value)));
            }
            points.push((at, placed.map(|(_, y)| y)));
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self {
            name: &series.name,
            look: 0,
            points,
            extremes,
            shape: series.shape,
        }
    }
}

impl<'a> PlotAxis<'a> {
    /// An evenly divided axis from zero to the largest of the values.
    pub fn from_zero(title: &'a str, values: impl Iterator<Item = f64>) -> Self {
        let high = values.fold(0.0, f64::max);
        Self {
            title,
            low: 0.0,
            high: if high > 0.0 { high } else { 1.0 },
            kind: AxisKind::Scaled(Scale::Linear),
        }
    }
}
