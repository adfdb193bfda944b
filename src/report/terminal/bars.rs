//! Charts over an axis as one line of block bars a series.

use super::{Lines, Page};
use crate::report::chart::Chart;
use crate::report::plot::{Plot, PlotPanel, PlotSeries};
use crate::report::sample::means;
use crate::report::scale::short;
use crate::report::text::{cut, width, wrap};

/// Eight heights, from next to nothing to the top of the panel.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// The same in ASCII, from light to dark.
const ASCII_BLOCKS: [char; 8] = ['_', '.', ':', '-', '=', '+', '*', '#'];

/// Marks of shaded stretches, by kind.
const SHADES: [char; 3] = ['░', '▒', '▓'];
/// The same in ASCII.
const ASCII_SHADES: [char; 3] = ['x', 'o', '%'];

/// No bar line is shorter than this.
const FEWEST_CELLS: usize = 10;

impl Page {
    /// The chart as lines of text; none for bar charts, and where nothing is known.
    pub(super) fn bars(&self, chart: &Chart) -> Lines {
        let Some(plot) = Plot::of(chart) else {
            return Lines::new();
        };
        let frame = Frame::new(self, &plot);
        let mut lines = Lines::new();
        for panel in &plot.panels {
            lines.extend(frame.panel(panel, &plot));
        }
        for (index, kind) in plot.span_kinds().into_iter().enumerate() {
            lines.extend(frame.spans(&plot, kind, index));
        }
        lines.extend(frame.axis(&plot));
        lines
    }
}

/// Columns: names, bars, values.
struct Frame<'a> {
    page: &'a Page,
    names: usize,
    cells: usize,
    /// Whether the values have room behind the bars; else they stand below.
    beside: bool,
}

impl<'a> Frame<'a> {
    fn new(page: &'a Page, plot: &Plot) -> Self {
        let series = || plot.panels.iter().flat_map(|panel| &panel.series);
        let names = series().map(|series| width(&page.say(series.name)));
        let values = series().map(|series| width(&range(page, series)));
        let names = names.max().unwrap_or(0).min(page.prose / 3);
        let values = values.max().unwrap_or(0);
        let room = page.prose.saturating_sub(names + 4);
        let beside = room >= FEWEST_CELLS + values + 2;
        let cells = if beside { room - values - 2 } else { room };
        Self {
            page,
            names,
            cells: cells.max(1),
            beside,
        }
    }

    /// A name in its column, cut where it is too long.
    fn name(&self, name: &str) -> String {
        let shown = cut(&self.page.say(name), self.names);
        let gap = self.names.saturating_sub(width(&shown));
        format!("  {shown}{}", " ".repeat(gap))
    }

    fn panel(&self, panel: &PlotPanel, plot: &Plot) -> Lines {
        let mut lines = Lines::new();
        let caps: Vec<String> = panel
            .caps
            .iter()
            .map(|(cap, _)| format!("{} {}", cap.name, short(cap.value)))
            .collect();
        let caps = if caps.is_empty() {
            String::new()
        } else {
            format!("; caps: {}", caps.join(", "))
        };
        lines.extend(wrap(
            &self.page.say(&format!("{}{caps}", panel.heading())),
            self.page.prose,
            "",
            "  ",
        ));
        for series in &panel.series {
            let range_x = (plot.x.low, plot.x.high);
            let means = means(&series.points, series.shape, range_x, self.cells);
            let bar: String = means.iter().map(|mean| self.block(*mean, panel)).collect();
            let (name, values) = (self.name(series.name), range(self.page, series));
            if self.beside {
                lines.push(format!("{name}  {bar}  {values}").trim_end().to_owned());
            } else {
                lines.push(format!("{name}  {bar}").trim_end().to_owned());
                lines.extend(wrap(&values, self.page.prose, "    ", "    "));
            }
        }
        lines
    }

    fn block(&self, mean: Option<f64>, panel: &PlotPanel) -> char {
        let blocks = if self.page.ascii {
            ASCII_BLOCKS
        } else {
            BLOCKS
        };
        let Some(mean) = mean else { return ' ' };
        let height = (mean - panel.y.low) / (panel.y.high - panel.y.low);
        let index = (height * 8.0).ceil() - 1.0;
        blocks[(index.max(0.0) as usize).min(7)]
    }

    /// One line of marks under the bars, and what they mean.
    fn spans(&self, plot: &Plot, kind: &str, index: usize) -> Lines {
        let mut marks = vec![' '; self.cells];
        let shades = if self.page.ascii {
            ASCII_SHADES
        } else {
            SHADES
        };
        let shade = shades[index % shades.len()];
        let cell = |at: f64| {
            let share = (at - plot.x.low) / (plot.x.high - plot.x.low);
            (share * self.cells as f64).clamp(0.0, self.cells as f64)
        };
        for span in plot.spans_of(kind) {
            // Every stretch is seen, however short.
            let from = (cell(span.from).round() as usize).min(self.cells - 1);
            let to = (cell(span.to).round() as usize).max(from + 1);
            for mark in marks.iter_mut().take(to).skip(from) {
                *mark = shade;
            }
        }
        let margin = self.name("");
        let marks: String = marks.into_iter().collect();
        let words = self.page.say(&format!("{shade} {}", plot.span_words(kind)));
        let mut lines = vec![format!("{margin}  {}", marks.trim_end())];
        lines.extend(wrap(&words, self.page.prose, "  ", "    "));
        lines
    }

    /// The ends of the axis, below the ends of the bars.
    fn axis(&self, plot: &Plot) -> Lines {
        let (low, high) = plot.x.ends();
        let margin = " ".repeat(self.names + 4);
        let mut lines = match self.cells.checked_sub(width(&low) + width(&high)) {
            Some(gap) if gap > 0 => vec![format!("{margin}{low}{}{high}", " ".repeat(gap))],
            _ => {
                let both = self.page.say(&format!("{low} – {high}"));
                wrap(&both, self.page.prose, "  ", "  ")
            }
        };
        lines.extend(wrap(
            &self.page.say(plot.x.title),
            self.page.prose,
            &margin,
            &margin,
        ));
        lines.retain(|line| !line.is_empty());
        lines
    }
}

/// The least and the greatest value of a series.
fn range(page: &Page, series: &PlotSeries) -> String {
    let dash = if page.ascii { "-" } else { "–" };
    match series.extremes {
        None => String::new(),
        Some((low, high)) if short(low) == short(high) => short(low),
        Some((low, high)) => format!("{} {dash} {}", short(low), short(high)),
    }
}
