//! Bars with caps across, as several views draw them: one chart for IOPS, one for MB/s.

use crate::catalog::{Axis, Ceiling};
use crate::report::{Bar, Cap, Chart, ChartKind};

/// No chart has more groups of bars than this: a taller one is no picture any more, and its numbers stand in a table.
const MOST_GROUPS: usize = 40;

/// A cap this many times as long as the longest bar would make all bars stubs, and holds nothing back: it is left out.
const FAR: f64 = 3.0;

/// A ceiling as a line across a chart, and its burst as another.
pub(super) struct ChartCap {
    name: String,
    ceiling: Ceiling,
}

impl ChartCap {
    pub(super) fn new(name: &str, ceiling: &Ceiling) -> Self {
        Self {
            name: name.to_owned(),
            ceiling: *ceiling,
        }
    }

    /// The lines on one axis.
    fn lines(&self, axis: Axis) -> impl Iterator<Item = Cap> {
        let base = self.ceiling.base.on(axis);
        let burst = self.ceiling.burst.and_then(|limits| limits.on(axis));
        let line = |name: String, value| Cap { name, value };
        let base_line = base.map(|value| line(self.name.clone(), value));
        let burst_line = burst
            .filter(|burst| base.is_none_or(|base| *burst > base))
            .map(|value| line(format!("{} in burst", self.name), value));
        base_line.into_iter().chain(burst_line)
    }
}

/// A chart of one axis.
pub(super) struct CappedChart<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) axis: Axis,
    pub(super) series: &'a [&'a str],
    pub(super) groups: Vec<(String, Vec<Bar>)>,
    pub(super) caps: &'a [ChartCap],
}

impl CappedChart<'_> {
    /// The chart; `None` where there is nothing to draw, or too much. A series of which nothing is known is left out.
    pub(super) fn chart(mut self) -> Option<Chart> {
        if self.groups.is_empty() || self.groups.len() > MOST_GROUPS {
            return None;
        }
        let drawn: Vec<usize> = (0..self.series.len())
            .filter(|&at| {
                self.groups
                    .iter()
                    .any(|(_, bars)| bar(bars, at).value().is_some())
            })
            .collect();
        for (_, bars) in &mut self.groups {
            *bars = drawn.iter().map(|&at| bar(bars, at)).collect();
        }
        let bars = self.groups.iter().flat_map(|(_, bars)| bars);
        let longest = bars.filter_map(|bar| bar.value()).fold(0.0, f64::max);
        let (short, unit) = match self.axis {
            Axis::Iops => ("iops", "IOPS"),
            Axis::Mbps => ("mbps", "MB/s"),
        };
        (!drawn.is_empty()).then(|| Chart {
            id: format!("{}-{short}", self.id),
            title: format!("{}: {unit}", self.title),
            kind: ChartKind::Bars {
                unit: unit.to_owned(),
                series: drawn.iter().map(|&at| self.series[at].to_owned()).collect(),
                caps: self
                    .caps
                    .iter()
                    .flat_map(|cap| cap.lines(self.axis))
                    .filter(|cap| cap.value <= longest * FAR)
                    .collect(),
                groups: self.groups,
            },
        })
    }
}

fn bar(bars: &[Bar], at: usize) -> Bar {
    bars.get(at).copied().unwrap_or(Bar::Absent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Limits;

    fn chart(groups: Vec<(String, Vec<Bar>)>) -> Option<Chart> {
        let ceiling = Ceiling {
            base: Limits::whole(3200, 48),
            burst: Some(Limits::whole(40_000, 48)),
            listed_mbps: None,
        };
        let caps = [ChartCap::new("VM uncached", &ceiling)];
        CappedChart {
            id: "volumes",
            title: "Volumes",
            axis: Axis::Iops,
            series: &["asked", "provisioned"],
            groups,
            caps: &caps,
        }
        .chart()
    }

    #[test]
    fn what_is_unknown_of_all_and_caps_far_off_are_left_out() {
        let drawn = chart(vec![("a".into(), vec![Bar::Unknown, Bar::Value(5000.0)])]).unwrap();
        assert_eq!(
            (drawn.id.as_str(), drawn.title.as_str()),
            ("volumes-iops", "Volumes: IOPS")
        );
        let ChartKind::Bars {
            series,
            groups,
            caps,
            ..
        } = drawn.kind
        else {
            panic!("no bars");
        };
        assert_eq!(series, ["provisioned"]);
        assert_eq!(groups, [("a".to_owned(), vec![Bar::Value(5000.0)])]);
        // 40,000 is more than three times 5,000.
        assert_eq!(caps.len(), 1);
        assert_eq!(
            (caps[0].name.as_str(), caps[0].value),
            ("VM uncached", 3200.0)
        );
    }

    #[test]
    fn nothing_or_too_much_is_no_chart() {
        assert_eq!(
            chart(vec![("a".into(), vec![Bar::Unknown, Bar::Absent])]),
            None
        );
        assert_eq!(chart(Vec::new()), None);
        let many = (0..41).map(|n| (n.to_string(), vec![Bar::Value(1.0), Bar::Absent]));
        assert_eq!(chart(many.collect()), None);
    }
}
