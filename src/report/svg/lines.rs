//! Lines over an axis, panel below panel, each line named at its end.

use plotters::backend::SVGBackend;
use plotters::chart::{ChartBuilder, ChartContext, LabelAreaPosition};
use plotters::coord::cartesian::Cartesian2d;

use super::canvas::{AxisRange, Canvas, DrawError, Drawn, Label, TEXT, shortened, text_width};
use super::path::{last_known, pieces};
use super::style::{GRID, INK, MUTED, cap_stroke, series_color, series_stroke, span_fill};
use super::{Frame, Picture, finish};
use crate::report::chart::Chart;
use crate::report::plot::{Plot, PlotPanel};
use crate::report::scale::{duration, short};
use crate::report::text::wrap;

/// Height of a line of text with its leading.
const LINE: i32 = 18;
/// Least height of a panel's plot.
const PLOT: i32 = 150;
/// Distance of names below each other.
const NAMES: i32 = 15;
/// Between the plot and what belongs to a name, so that nothing there looks like data.
const GAP: i32 = 3;
/// The thin stroke that leads to a name which had to be moved.
const LEADER: i32 = 9;
/// A sample of a line's dashes before its name: long enough that they all differ.
const SAMPLE: i32 = 22;
/// A sample of a shade, with the gap behind it.
const SWATCH: i32 = 28;
/// Beside everything.
const SIDE: i32 = 8;

/// The plotting library's chart.
type Drawing<'c, 'a> = ChartContext<'c, SVGBackend<'a>, Cartesian2d<AxisRange, AxisRange>>;

/// Room beside the plots: pictures of one document over time have the same, so that their times stand in line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Margins {
    /// For the marks of the axes.
    left: i32,
    /// For names.
    right: i32,
}

impl Margins {
    /// What a picture of this width needs.
    pub(super) fn of(plot: &Plot, width: i32) -> Self {
        let panels = || plot.panels.iter();
        let marks = panels().map(|panel| y_range(panel, PLOT).label_width());
        let names = panels().flat_map(names).map(|name| name.wide());
        Self {
            left: marks.max().unwrap_or(0) + 18,
            right: (names.max().unwrap_or(0) + 4).min(width * 9 / 20),
        }
    }

    /// What two pictures need.
    pub(super) fn joined(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            right: self.right.max(other.right),
        }
    }
}

/// What all panels share.
struct Sheet<'p> {
    plot: &'p Plot<'p>,
    /// Kinds of shaded stretches: one a label.
    kinds: Vec<&'p str>,
    /// Left of the plots.
    left: i32,
    /// Right of the plots, for names.
    right: i32,
    x: AxisRange,
}

/// A name beside its line or cap.
struct Name<'p> {
    name: &'p str,
    /// The value of a cap; empty for a series.
    value: String,
    /// The look of the series; `None` for a cap.
    look: Option<usize>,
    /// Where its line ends, placed: how far, and how high. A cap goes on to the edge.
    end: (Option<f64>, f64),
}

impl Name<'_> {
    /// Right of the plot, up to where the words begin. All caps look alike, so they need no sample.
    const fn indent(&self) -> i32 {
        let sample = match self.look {
            Some(_) => SAMPLE + 3,
            None => 0,
        };
        GAP + LEADER + 2 + sample
    }

    /// What it needs right of the plot.
    fn wide(&self) -> i32 {
        self.indent() + text_width(self.name, TEXT) + text_width(&self.value, TEXT) + TEXT
    }

    /// The words, the name cut where they need more than `room` pixels.
    fn within(&self, room: i32) -> String {
        if self.value.is_empty() {
            return shortened(self.name, room, TEXT);
        }
        let value = format!(" {}", self.value);
        shortened(self.name, room - text_width(&value, TEXT), TEXT) + &value
    }
}

/// The picture of a chart over an axis.
pub(super) fn draw(
    plot: &Plot,
    chart: &Chart,
    frame: &Frame,
    least: Margins,
) -> Result<Picture, DrawError> {
    let sheet = Sheet::new(plot, frame.width, least);
    let top = frame.top(&chart.title);
    let heights: Vec<i32> = plot
        .panels
        .iter()
        .map(|panel| sheet.panel_height(panel))
        .collect();
    let axis = top + heights.iter().sum::<i32>();
    let legend = axis + LINE + 6 + if plot.x.title.is_empty() { 0 } else { LINE };
    let words = sheet.legend(frame.width);
    let rows = words.iter().map(Vec::len).sum::<usize>();
    let end = legend + LINE * i32::try_from(rows).unwrap_or(0) + SIDE;
    let mut body = String::new();
    let canvas = Canvas::new(&mut body, (frame.width, end))?;
    if frame.titled {
        canvas.title(&chart.title)?;
    }
    let mut y = top;
    for (index, (panel, height)) in plot.panels.iter().zip(&heights).enumerate() {
        let last = index + 1 == heights.len();
        sheet.panel(&canvas, panel, (y, *height), last)?;
        y += height;
    }
    canvas.text(
        plot.x.title,
        (sheet.left, axis + LINE + LINE / 2 + 4),
        Label::new(MUTED),
    )?;
    sheet.draw_legend(&canvas, &words, legend)?;
    canvas.area.present()?;
    drop(canvas);
    Ok(Picture {
        svg: finish(&body, &frame.id, &chart.title, &description(plot)),
        height: end,
    })
}

impl<'p> Sheet<'p> {
    fn new(plot: &'p Plot<'p>, width: i32, least: Margins) -> Self {
        let Margins { left, right } = Margins::of(plot, width).joined(least);
        Self {
            plot,
            kinds: plot.span_kinds(),
            left,
            right,
            x: AxisRange::new(&plot.x, (width - left - right) / 80, 0.0),
        }
    }

    /// The height of a panel with its heading; names must have room below each other.
    fn panel_height(&self, panel: &PlotPanel) -> i32 {
        let named = i32::try_from(names(panel).len()).unwrap_or(1000).min(1000);
        LINE + (named * NAMES).max(PLOT) + 12
    }

    fn panel(
        &self,
        canvas: &Canvas,
        panel: &PlotPanel,
        (top, height): (i32, i32),
        last: bool,
    ) -> Drawn {
        let shown = shortened(panel.heading(), canvas.width - 2 * SIDE, TEXT);
        canvas.text(&shown, (SIDE, top + LINE / 2), Label::new(INK).bold())?;
        let plot_height = height - LINE - 12;
        let axis = if last { LINE + 6 } else { 0 };
        let strip = canvas.strip(top + LINE + 4, plot_height + axis);
        let mut builder = ChartBuilder::on(&strip);
        builder
            .margin_right(self.right)
            .set_label_area_size(LabelAreaPosition::Left, self.left);
        if last {
            builder.set_label_area_size(LabelAreaPosition::Bottom, axis);
        }
        let mut drawing =
            builder.build_cartesian_2d(self.x.clone(), y_range(panel, plot_height))?;
        self.spans(canvas, &drawing)?;
        drawing
            .configure_mesh()
            .light_line_style(plotters::style::TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(MUTED)
            .label_style(Label::new(MUTED).style())
            .draw()?;
        caps(canvas, panel, &drawing)?;
        lines(canvas, panel, &drawing)?;
        self.names(canvas, panel, &drawing)
    }

    fn spans(&self, canvas: &Canvas, drawing: &Drawing) -> Drawn {
        let (x, y) = drawing.plotting_area().get_pixel_range();
        for span in &self.plot.spans {
            let kind = self
                .kinds
                .iter()
                .position(|kind| *kind == span.label)
                .unwrap_or(0);
            let at = |minute: f64| {
                drawing
                    .backend_coord(&(minute, 0.0))
                    .0
                    .clamp(x.start, x.end)
            };
            let (from, to) = (at(span.from), at(span.to).max(at(span.from) + 1));
            canvas.fill((from, y.start), (to, y.end), span_fill(kind))?;
        }
        Ok(())
    }

    /// The names right of the plot, pushed apart where they would stand in each other.
    fn names(&self, canvas: &Canvas, panel: &PlotPanel, drawing: &Drawing) -> Drawn {
        let (x, y) = drawing.plotting_area().get_pixel_range();
        let place = |name: &Name| {
            let (far, high) = name.end;
            drawing.backend_coord(&(far.unwrap_or(self.plot.x.high), high))
        };
        let mut placed = names(panel);
        placed.sort_by_key(|name| place(name).1);
        let ends: Vec<i32> = placed.iter().map(|name| place(name).1).collect();
        let heights = spread(&ends, y.start..y.end);
        for (name, height) in placed.iter().zip(heights) {
            let begin = x.end + name.indent();
            let (far, end) = place(name);
            // A line that ends on the way is found by its dashes: a leader across the plot would look like data.
            if height != end && x.end - far < LEADER {
                let leader = vec![(x.end + GAP, end), (x.end + GAP + LEADER, height)];
                canvas.line(leader, MUTED, 1)?;
            }
            let color = name.look.map_or(INK, series_color);
            if let Some(look) = name.look {
                let sample = vec![(begin - 3 - SAMPLE, height), (begin - 3, height)];
                canvas.line(sample, series_stroke(look), 2)?;
            }
            let text = name.within(self.right - name.indent());
            canvas.text(&text, (begin, height), Label::new(color))?;
        }
        Ok(())
    }

    /// What the shades mean, and when; gives the lines that each kind takes.
    fn legend(&self, width: i32) -> Vec<Vec<String>> {
        let room = (width - self.left - SWATCH - SIDE) / text_width("x", TEXT);
        let room = usize::try_from(room).unwrap_or(0).max(10);
        self.kinds
            .iter()
            .map(|kind| wrap(&self.plot.span_words(kind), room, "", ""))
            .collect()
    }

    fn draw_legend(&self, canvas: &Canvas, legend: &[Vec<String>], top: i32) -> Drawn {
        let mut y = top;
        for (index, words) in legend.iter().enumerate() {
            canvas.fill(
                (self.left, y + 3),
                (self.left + SWATCH - 6, y + LINE - 3),
                span_fill(index),
            )?;
            for line in words {
                canvas.text(line, (self.left + SWATCH, y + LINE / 2), Label::new(INK))?;
                y += LINE;
            }
        }
        Ok(())
    }
}

fn y_range(panel: &PlotPanel, height: i32) -> AxisRange {
    AxisRange::new(&panel.y, height / 36, 0.06)
}

/// Every name of a panel.
fn names<'p>(panel: &'p PlotPanel) -> Vec<Name<'p>> {
    let series = panel.series.iter().filter_map(|series| {
        let (far, high) = last_known(&series.points)?;
        Some(Name {
            name: series.name,
            value: String::new(),
            look: Some(series.look),
            end: (Some(far), high),
        })
    });
    let caps = panel.caps.iter().map(|(cap, high)| Name {
        name: &cap.name,
        value: short(cap.value),
        look: None,
        end: (None, *high),
    });
    series.chain(caps).collect()
}

fn caps(canvas: &Canvas, panel: &PlotPanel, drawing: &Drawing) -> Drawn {
    let (x, _) = drawing.plotting_area().get_pixel_range();
    for (_, value) in &panel.caps {
        let y = drawing.backend_coord(&(0.0, *value)).1;
        canvas.line(vec![(x.start, y), (x.end, y)], cap_stroke(), 1)?;
    }
    Ok(())
}

fn lines(canvas: &Canvas, panel: &PlotPanel, drawing: &Drawing) -> Drawn {
    for series in &panel.series {
        for piece in pieces(&series.points, series.shape, |x, y| {
            drawing.backend_coord(&(x, y))
        }) {
            match piece.as_slice() {
                [only] => canvas.dot(*only, series_color(series.look))?,
                _ => canvas.line(piece, series_stroke(series.look), 2)?,
            }
        }
    }
    Ok(())
}

/// Heights as near as can be to the wanted ones (ascending), a name's height apart, within the range where it holds
/// them all.
fn spread(wanted: &[i32], range: std::ops::Range<i32>) -> Vec<i32> {
    let mut heights: Vec<i32> = Vec::with_capacity(wanted.len());
    for want in wanted {
        let least = heights.last().map_or(range.start, |above| above + NAMES);
        heights.push((*want).max(least));
    }
    let mut most = range.end;
    for height in heights.iter_mut().rev() {
        *height = (*height).min(most);
        most = *height - NAMES;
    }
    heights
}

/// The picture in words.
fn description(plot: &Plot) -> String {
    let mut parts: Vec<String> = Vec::new();
    for panel in &plot.panels {
        let series = panel.series.iter().filter_map(|series| {
            let (low, high) = series.extremes?;
            Some(format!(
                "{} from {} to {}",
                series.name,
                short(low),
                short(high)
            ))
        });
        let caps = panel
            .caps
            .iter()
            .map(|(cap, _)| format!("cap {} {}", cap.name, short(cap.value)));
        let all: Vec<String> = series.chain(caps).collect();
        parts.push(format!("{}: {}.", panel.heading(), all.join(", ")));
    }
    parts.extend(plot.spans.iter().take(20).map(|span| {
        format!(
            "{} from {} to {}.",
            span.label,
            duration(span.from),
            duration(span.to)
        )
    }));
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_pushed_apart_within_the_plot() {
        assert_eq!(spread(&[10, 12, 60], 0..100), [10, 25, 60]);
        assert_eq!(spread(&[95, 98], 0..100), [85, 100]);
        assert_eq!(spread(&[], 0..100), Vec::<i32>::new());
    }
}
