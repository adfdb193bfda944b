//! Bars lying on their side, group below group, so that long names stay readable; caps as lines across them.

use plotters::chart::{ChartBuilder, LabelAreaPosition};

use super::canvas::{
    AxisRange, Canvas, DrawError, Drawn, Label, Point, TEXT, shortened, text_width,
};
use super::style::{GRID, INK, MUTED, cap_stroke, series_color, series_fill};
use super::{Frame, Picture, finish};
use crate::report::chart::{Bar, Cap, Chart};
use crate::report::plot::PlotAxis;
use crate::report::scale::short;
use crate::report::text::wrap;

/// Height of a line of text with its leading.
const LINE: i32 = 18;
/// Height of one bar.
const BAR: i32 = 15;
/// Between groups.
const BETWEEN: i32 = 10;
/// Beside the plot, to the left and right.
const SIDE: i32 = 8;
/// Room for the value at the end of the longest bar.
const VALUES: i32 = 64;
/// A swatch of the key.
const SWATCH: i32 = 22;

/// The data of a bar chart.
pub(super) struct Bars<'a> {
    pub(super) unit: &'a str,
    pub(super) series: &'a [String],
    pub(super) groups: &'a [(String, Vec<Bar>)],
    pub(super) caps: &'a [Cap],
}

/// Where the parts stand, from the top.
struct Places {
    key: i32,
    caps: i32,
    plot: i32,
    axis: i32,
    end: i32,
}

impl Bars<'_> {
    /// The picture.
    pub(super) fn draw(&self, chart: &Chart, frame: &Frame) -> Result<Picture, DrawError> {
        let key = self.key(frame.width);
        let places = self.places(&key, (frame.width, frame.top(&chart.title)));
        let mut body = String::new();
        let canvas = Canvas::new(&mut body, (frame.width, places.end))?;
        if frame.titled {
            canvas.title(&chart.title)?;
        }
        for (index, (name, (x, y))) in self.series.iter().zip(&key).enumerate() {
            let (x, y) = (*x, places.key + y);
            swatch(&canvas, (x, y), index)?;
            let room = frame.width - x - SWATCH - SIDE - 6;
            canvas.text(
                &shortened(name, room, TEXT),
                (x + SWATCH + 6, y + LINE / 2),
                Label::new(INK),
            )?;
        }
        self.plot(&canvas, &places)?;
        canvas.area.present()?;
        drop(canvas);
        Ok(Picture {
            svg: finish(&body, &frame.id, &chart.title, &self.description()),
            height: places.end,
        })
    }

    /// Where each name of the key begins, relative to the top of the key.
    fn key(&self, width: i32) -> Vec<Point> {
        let (mut x, mut y) = (SIDE, 0);
        let place = |name: &String| {
            let wide = SWATCH + 6 + text_width(name, TEXT) + 18;
            if x > SIDE && x + wide > width {
                (x, y) = (SIDE, y + LINE);
            }
            let at = (x, y);
            x += wide;
            at
        };
        self.series.iter().map(place).collect()
    }

    fn places(&self, key: &[Point], (width, top): (i32, i32)) -> Places {
        let caps = top + key.last().map_or(0, |(_, y)| y + LINE + 4);
        let plot = caps + LINE * count(self.caps.iter().filter(|cap| known(cap.value)).count());
        let axis = plot
            + self
                .groups
                .iter()
                .map(|g| self.group_height(g, width))
                .sum::<i32>();
        Places {
            key: top,
            caps,
            plot,
            axis,
            end: axis + 2 * LINE + 8,
        }
    }

    fn group_height(&self, (_, bars): &(String, Vec<Bar>), width: i32) -> i32 {
        let drawn = bars.iter().filter(|bar| bar.value().is_some()).count();
        let words = self.unknown(bars, width).len();
        LINE + count(drawn) * BAR + count(words) * LINE + BETWEEN
    }

    /// The names of the series that nothing is known of in a group, as lines below its bars.
    fn unknown(&self, bars: &[Bar], width: i32) -> Vec<String> {
        let unknown = self.unknown_names(bars);
        if unknown.is_empty() {
            return Vec::new();
        }
        let columns = (width - 2 * SIDE) / text_width("x", TEXT);
        let columns = usize::try_from(columns).unwrap_or(0);
        wrap(&format!("unknown: {unknown}"), columns, "", "")
    }

    fn unknown_names(&self, bars: &[Bar]) -> String {
        let pairs = self.series.iter().zip(bars);
        let unknown = pairs.filter(|(_, bar)| is_unknown(**bar));
        let names: Vec<&str> = unknown.map(|(name, _)| name.as_str()).collect();
        names.join(", ")
    }

    /// From zero to the largest value or cap.
    fn axis(&self) -> PlotAxis<'_> {
        let bars = self.groups.iter().flat_map(|(_, bars)| bars);
        let values = bars.filter_map(|bar| bar.value());
        let caps = self.caps.iter().map(|cap| cap.value);
        PlotAxis::from_zero(self.unit, values.chain(caps).filter(|value| known(*value)))
    }

    fn plot(&self, canvas: &Canvas, places: &Places) -> Drawn {
        let plot_width = canvas.width - 2 * SIDE - VALUES;
        let x = AxisRange::new(&self.axis(), plot_width / 100, 0.0);
        let strip = canvas.strip(places.plot, places.axis - places.plot + LINE + 6);
        let mut chart = ChartBuilder::on(&strip)
            .margin_left(SIDE)
            .margin_right(SIDE + VALUES)
            .set_label_area_size(LabelAreaPosition::Bottom, LINE + 6)
            .build_cartesian_2d(x, 0.0..1.0)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(plotters::style::TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(MUTED)
            .label_style(Label::new(MUTED).style())
            .draw()?;
        let at = |value: f64| chart.backend_coord(&(value, 0.0)).0;
        canvas.text(
            self.unit,
            (canvas.width - SIDE, places.end - LINE + 4),
            Label::new(MUTED).ending(),
        )?;
        let caps = || self.caps.iter().filter(|cap| known(cap.value)).zip(0..);
        for (cap, index) in caps() {
            let x = at(cap.value);
            let from = places.caps + index * LINE + 2;
            canvas.line(vec![(x, from), (x, places.axis)], cap_stroke(), 2)?;
        }
        // After all the lines, so that none of them runs through a name.
        for (cap, index) in caps() {
            cap_name(canvas, cap, (at(cap.value), places.caps + index * LINE))?;
        }
        let mut top = places.plot;
        for group in self.groups {
            self.group(canvas, top, group, at)?;
            top += self.group_height(group, canvas.width);
        }
        Ok(())
    }

    fn group(
        &self,
        canvas: &Canvas,
        top: i32,
        (name, bars): &(String, Vec<Bar>),
        at: impl Fn(f64) -> i32,
    ) -> Drawn {
        // Bold letters are a tenth wider.
        let name = shortened(name, (canvas.width - 2 * SIDE) * 10 / 11, TEXT);
        canvas.note(&name, (SIDE + 1, top + LINE / 2), Label::new(INK).bold())?;
        let mut y = top + LINE;
        for series in 0..self.series.len() {
            if let Some(value) = bars.get(series).and_then(|bar| bar.value()) {
                bar(canvas, y, series, value, &at)?;
                y += BAR;
            }
        }
        for line in self.unknown(bars, canvas.width) {
            canvas.note(&line, (SIDE + 1, y + LINE / 2), Label::new(MUTED))?;
            y += LINE;
        }
        Ok(())
    }

    /// The numbers in words.
    fn description(&self) -> String {
        let group = |(name, bars): &(String, Vec<Bar>)| {
            let pairs = self.series.iter().zip(bars);
            let known =
                pairs.filter_map(|(series, bar)| Some(format!("{series} {}", short(bar.value()?))));
            let unknown = Some(self.unknown_names(bars)).filter(|names| !names.is_empty());
            let unknown = unknown.map(|names| format!("unknown: {names}"));
            let words: Vec<String> = known.chain(unknown).collect();
            format!("{name}: {}", words.join(", "))
        };
        let groups = self.groups.iter().map(group);
        let caps = self.caps.iter().filter(|cap| known(cap.value));
        let caps = caps.map(|cap| format!("cap {}: {}", cap.name, short(cap.value)));
        let parts: Vec<String> = groups.chain(caps).collect();
        format!("In {}. {}.", self.unit, parts.join("; "))
    }
}

/// Caps stand on the axis of the bars, which begins at zero.
fn known(value: f64) -> bool {
    Bar::Value(value).value().is_some()
}

/// Whether there is a value that cannot be drawn.
fn is_unknown(bar: Bar) -> bool {
    bar != Bar::Absent && bar.value().is_none()
}

/// A number of parts, in pixels' type.
fn count(parts: usize) -> i32 {
    i32::try_from(parts).unwrap_or(i32::MAX / 1000).min(100_000)
}

fn swatch(canvas: &Canvas, (x, y): Point, index: usize) -> Drawn {
    let (from, to) = ((x, y + 4), (x + SWATCH, y + LINE - 3));
    canvas.fill(from, to, series_fill(index))?;
    canvas.outline(from, to, series_color(index))
}

fn bar(canvas: &Canvas, top: i32, series: usize, value: f64, at: impl Fn(f64) -> i32) -> Drawn {
    let middle = top + BAR / 2;
    let (from, to) = (
        (at(0.0), top + 1),
        (at(value).max(at(0.0) + 1), top + BAR - 2),
    );
    if value > 0.0 {
        canvas.fill(from, to, series_fill(series))?;
        canvas.outline(from, to, series_color(series))?;
    }
    canvas.note(&short(value), (to.0 + 5, middle), Label::new(INK))
}

/// The name of a cap at the top of its line, on whichever side has the room.
fn cap_name(canvas: &Canvas, cap: &Cap, (x, top): Point) -> Drawn {
    let value = short(cap.value);
    let right = canvas.width - x - 2 * SIDE;
    let room = right.max(x - SIDE - 5);
    let name = shortened(&cap.name, room - text_width(&value, TEXT) - TEXT, TEXT);
    let text = format!("{name} {value}");
    let wide = text_width(&text, TEXT);
    let middle = top + LINE / 2;
    if wide <= right {
        canvas.note(&text, (x + 5, middle), Label::new(INK))
    } else {
        canvas.blank((x - 5 - wide + TEXT, middle), wide - TEXT, TEXT)?;
        canvas.text(&text, (x - 5, middle), Label::new(INK).ending())
    }
}
