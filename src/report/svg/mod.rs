//! Charts as SVG: drawn by the plotting library, legible in black and white, named and described for reading aloud.

mod bars;
mod canvas;
mod lines;
mod path;
mod style;

use self::bars::Bars;
pub(super) use self::lines::Margins;
use self::style::finish;
use super::chart::{Chart, ChartKind};
use super::document::Document;
use super::plot::Plot;
use super::{Format, Render, RenderOptions, ReportError};

pub(super) use style::dark_css;

/// Width of a picture that stands alone, pixels.
pub(super) const WIDE: i32 = 760;
/// Width of a picture for a telephone, pixels.
pub(super) const NARROW: i32 = 340;

/// Pictures of a document's charts, one above the other.
#[derive(Debug, Clone, Copy)]
pub struct Svg;

impl Render for Svg {
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        all_charts(document, Format::Svg).map(String::into_bytes)
    }
}

/// A drawn chart.
pub(super) struct Picture {
    /// A whole SVG document.
    pub(super) svg: String,
    /// Pixels.
    pub(super) height: i32,
}

/// How a picture is framed.
pub(super) struct Frame {
    /// Unique in the page.
    pub(super) id: String,
    /// Pixels.
    pub(super) width: i32,
    /// Whether it bears its own heading.
    pub(super) titled: bool,
    /// Least room beside the plots of a chart over time ([`margins`]).
    pub(super) least: Margins,
}

impl Frame {
    /// Where a picture begins below its heading, if it bears one.
    fn top(&self, title: &str) -> i32 {
        if self.titled && !title.is_empty() {
            canvas::title_height(title, self.width)
        } else {
            4
        }
    }
}

/// The room beside the plots that all of these charts over time need in pictures of this width.
pub(super) fn margins<'c>(charts: impl Iterator<Item = &'c Chart>, width: i32) -> Margins {
    charts
        .filter(|chart| matches!(chart.kind, ChartKind::Time { .. }))
        .filter_map(Plot::of)
        .map(|plot| Margins::of(&plot, width))
        .fold(Margins::default(), Margins::joined)
}

/// One picture of every chart that has something to show, for the format `format`.
pub(super) fn all_charts(document: &Document, format: Format) -> Result<String, ReportError> {
    let mut pictures = Vec::new();
    let least = margins(document.charts(), WIDE);
    for (index, chart) in document.charts().enumerate() {
        let frame = Frame {
            id: format!("chart{index}"),
            width: WIDE,
            titled: true,
            least,
        };
        pictures.extend(picture(chart, &frame)?);
    }
    match pictures.as_slice() {
        [] => Err(ReportError::Nothing {
            format,
            wants: document.without_charts.unwrap_or("chart with known values"),
        }),
        [one] => Ok(one.svg.clone()),
        several => Ok(stacked(several)),
    }
}

/// The picture of one chart; `None` when nothing of it is known.
pub(super) fn picture(chart: &Chart, frame: &Frame) -> Result<Option<Picture>, ReportError> {
    let drawn = match &chart.kind {
        ChartKind::Bars {
            unit,
            series,
            groups,
            caps,
        } => {
            let bars = Bars {
                unit,
                series,
                groups,
                caps,
            };
            (!groups.is_empty() && !series.is_empty()).then(|| bars.draw(chart, frame))
        }
        ChartKind::Time { .. } => {
            Plot::of(chart).map(|plot| lines::draw(&plot, chart, frame, frame.least))
        }
        ChartKind::Curve { .. } => {
            Plot::of(chart).map(|plot| lines::draw(&plot, chart, frame, Margins::default()))
        }
    };
    drawn.transpose().map_err(ReportError::library(Format::Svg))
}

/// Pictures of one width below each other.
fn stacked(pictures: &[Picture]) -> String {
    let mut body = String::new();
    let mut top = 0;
    for picture in pictures {
        body.push_str(
            &picture
                .svg
                .replacen("<svg ", &format!("<svg y=\"{top}\" "), 1),
        );
        top += picture.height + 12;
    }
    format!(
        "<svg width=\"{WIDE}\" height=\"{top}\" viewBox=\"0 0 {WIDE} {top}\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n{body}</svg>\n"
    )
}
