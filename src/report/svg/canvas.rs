//! Drawing on the plotting library's SVG backend, in pixels.

use std::ops::Range;

use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Rectangle, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, RGBColor, ShapeStyle, TextStyle};

use super::style::{INK, PAPER};
use crate::report::plot::PlotAxis;
use crate::report::scale::Tick;
use crate::report::text::{width, wrap};

/// Pixels.
pub(super) type Point = (i32, i32);

/// What drawing gives back.
pub(super) type Drawn = Result<(), DrawError>;

/// The plotting library's error.
pub(super) type DrawError = DrawingAreaErrorKind<std::io::Error>;

/// Height of ordinary text, pixels.
pub(super) const TEXT: i32 = 12;

/// The backend divides the size it is given by this.
const BACKEND_SIZE: f64 = 1.24;

/// A canvas with its origin at the top left.
pub(super) struct Canvas<'a> {
    pub(super) area: DrawingArea<SVGBackend<'a>, Shift>,
    pub(super) width: i32,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(super) struct Label {
    color: RGBColor,
    size: i32,
    bold: bool,
    from: HPos,
}

impl Label {
    pub(super) const fn new(color: RGBColor) -> Self {
        Self {
            color,
            size: TEXT,
            bold: false,
            from: HPos::Left,
        }
    }

    pub(super) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) const fn size(self, size: i32) -> Self {
        Self { size, ..self }
    }

    /// Ends at its point instead of beginning there.
    pub(super) const fn ending(self) -> Self {
        Self {
            from: HPos::Right,
            ..self
        }
    }

    pub(super) fn style(self) -> TextStyle<'static> {
        let style = if self.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let font = ("sans-serif", f64::from(self.size) * BACKEND_SIZE, style);
        TextStyle {
            color: self.color.to_backend_color(),
            pos: Pos::new(self.from, VPos::Center),
            ..TextStyle::from(font)
        }
    }
}

impl<'a> Canvas<'a> {
    /// A blank canvas; the picture is written to `target` when it is done.
    pub(super) fn new(target: &'a mut String, size: Point) -> Result<Self, DrawError> {
        let pixels = |side: i32| u32::try_from(side).unwrap_or(1);
        let backend = SVGBackend::with_string(target, (pixels(size.0), pixels(size.1)));
        let area = backend.into_drawing_area();
        area.fill(&PAPER)?;
        Ok(Self {
            area,
            width: size.0,
        })
    }

    /// Writes `text`, its middle at the height of `at`.
    pub(super) fn text(&self, text: &str, at: Point, label: Label) -> Drawn {
        if text.is_empty() {
            return Ok(());
        }
        self.area
            .draw(&Text::new(text.to_owned(), at, label.style()))
    }

    /// Writes `text` as [`text`](Self::text) does, on a ground that hides the lines behind it.
    pub(super) fn note(&self, text: &str, at: Point, label: Label) -> Drawn {
        self.blank(
            at,
            text_width(text, label.size) - label.size / 2,
            label.size,
        )?;
        self.text(text, at, label)
    }

    /// Blanks out what is behind a text of `size` that begins at `at`.
    pub(super) fn blank(&self, at: Point, wide: i32, size: i32) -> Drawn {
        let half = size / 2;
        self.fill((at.0 - 1, at.1 - half), (at.0 + wide, at.1 + half), PAPER)
    }

    pub(super) fn line(&self, points: Vec<Point>, color: RGBColor, width: u32) -> Drawn {
        let style = ShapeStyle::from(&color).stroke_width(width);
        self.area.draw(&PathElement::new(points, style))
    }

    pub(super) fn dot(&self, at: Point, color: RGBColor) -> Drawn {
        self.area.draw(&Circle::new(at, 2, color.filled()))
    }

    pub(super) fn fill(&self, from: Point, to: Point, color: RGBColor) -> Drawn {
        self.area.draw(&Rectangle::new([from, to], color.filled()))
    }

    pub(super) fn outline(&self, from: Point, to: Point, color: RGBColor) -> Drawn {
        self.area
            .draw(&Rectangle::new([from, to], ShapeStyle::from(&color)))
    }

    /// A stretch of the canvas as an area of its own.
    pub(super) fn strip(&self, top: i32, height: i32) -> DrawingArea<SVGBackend<'a>, Shift> {
        self.area.clone().shrink((0, top), (self.width, height))
    }

    /// The heading of a picture that stands alone.
    pub(super) fn title(&self, title: &str) -> Drawn {
        let label = Label::new(INK).bold().size(TITLE);
        let lines = title_lines(title, self.width);
        lines
            .iter()
            .zip(0..)
            .try_for_each(|(line, number)| self.text(line, (8, 16 + number * TITLE_LINE), label))
    }
}

/// Height of a heading's text, pixels.
const TITLE: i32 = 15;

/// Height of a line of a heading.
const TITLE_LINE: i32 = 19;

fn title_lines(title: &str, width: i32) -> Vec<String> {
    let columns = (width - 16) / text_width("x", TITLE);
    wrap(title, usize::try_from(columns).unwrap_or(0), "", "")
}

/// How much room a heading needs, with the gap below it.
pub(super) fn title_height(title: &str, width: i32) -> i32 {
    let lines = i32::try_from(title_lines(title, width).len())
        .unwrap_or(100)
        .min(100);
    lines * TITLE_LINE + 13
}

/// Roughly how wide a text of `size` pixels is; on the safe side for common typefaces.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    let columns = i32::try_from(width(text))
        .unwrap_or(i32::MAX / 1000)
        .min(10_000);
    columns * size * 6 / 10
}

/// The text, cut to `room` pixels where it is longer.
pub(super) fn shortened(text: &str, room: i32, size: i32) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        out.push(c);
        if text_width(&out, size) + size > room {
            out.pop();
            break;
        }
    }
    out.trim_end().to_owned() + "…"
}

/// A placed axis for the plotting library: evenly divided, with marks of our own.
#[derive(Clone)]
pub(super) struct AxisRange {
    range: Range<f64>,
    pub(super) ticks: Vec<Tick>,
}

impl AxisRange {
    /// Some `count` marks, and a share of `headroom` above the highest.
    pub(super) fn new(axis: &PlotAxis, count: i32, headroom: f64) -> Self {
        Self {
            range: axis.low..axis.high + (axis.high - axis.low) * headroom,
            ticks: axis.ticks(usize::try_from(count).unwrap_or(1).max(2)),
        }
    }

    /// The width of the widest mark's text.
    pub(super) fn label_width(&self) -> i32 {
        let widths = self.ticks.iter().map(|tick| text_width(&tick.label, TEXT));
        widths.max().unwrap_or(0)
    }
}

impl Ranged for AxisRange {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        let share = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        };
        limit.0 + (f64::from(limit.1 - limit.0) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for AxisRange {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|tick| tick.at == *value);
        tick.map(|tick| tick.label.clone()).unwrap_or_default()
    }
}
