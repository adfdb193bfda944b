//! A simulation as a picture: what was asked and served, caps, burst credit, and when something was throttled.

mod caps;

use crate::catalog::Axis;
use crate::planner::Simulation;
use crate::planner::timeline::model::{BucketRun, LevelChange, Rate, Segment, VolumeSegment};
use crate::report::{Chart, ChartKind, Panel, Series, Shape, Span};

/// Volumes that get a line of their own beside those of all together.
const MOST_VOLUMES: usize = 4;
/// Buckets that get a line: those that were drawn on most.
const MOST_BUCKETS: usize = 6;
/// Kinds of shaded stretches that can be told apart.
const MOST_KINDS: usize = 3;
/// How many stretches of time next to each other a picture has room for.
const STRETCHES_TO_SEE: f64 = 200.0;

/// The chart; `None` where nothing that is known was ever served.
pub(super) fn over_time(simulation: &Simulation) -> Option<Chart> {
    let mut panels: Vec<Panel> = [Axis::Iops, Axis::Mbps]
        .map(|axis| rates(simulation, axis))
        .into();
    panels.retain(|panel| !panel.series.is_empty());
    if panels.is_empty() {
        return None;
    }
    panels.extend(credit(simulation));
    let asked = simulation
        .volumes
        .iter()
        .any(|volume| volume.asked.is_some());
    let what = if asked { "Asked and served" } else { "Served" };
    Some(Chart {
        id: "over-time".to_owned(),
        title: match &simulation.vm {
            Some(vm) => format!("{what} on {}", vm.size),
            None => what.to_owned(),
        },
        kind: ChartKind::Time {
            panels,
            spans: throttled(simulation),
        },
    })
}

fn minutes(seconds: f64) -> f64 {
    seconds / 60.0
}

fn on(rate: Rate, axis: Axis) -> f64 {
    match axis {
        Axis::Iops => rate.iops.get(),
        Axis::Mbps => rate.mbps.get(),
    }
}

/// A value for each segment, held throughout it.
fn steps(
    simulation: &Simulation,
    name: impl Into<String>,
    value: impl Fn(&Segment) -> Option<f64>,
) -> Series {
    let segments = &simulation.segments;
    let points = segments
        .iter()
        .map(|segment| (minutes(segment.start), value(segment)));
    let end = segments
        .last()
        .map(|segment| (minutes(segment.end), value(segment)));
    Series {
        name: name.into(),
        points: points.chain(end).collect(),
        shape: Shape::Step,
    }
}

/// The sum over all volumes; `None` where one of them is unknown.
fn sum(segment: &Segment, value: impl Fn(&VolumeSegment) -> Option<f64>) -> Option<f64> {
    segment.volumes.iter().map(value).sum()
}

fn rates(simulation: &Simulation, axis: Axis) -> Panel {
    let asked = |part: &VolumeSegment| part.asked.map(|rate| on(rate, axis));
    let served = |part: &VolumeSegment| part.served.map(|rate| on(rate, axis));
    let several = simulation.volumes.len() > 1;
    let all = if several { " (all)" } else { "" };
    let mut series = vec![
        steps(simulation, format!("asked{all}"), |segment| {
            sum(segment, asked)
        }),
        steps(simulation, format!("served{all}"), |segment| {
            sum(segment, served)
        }),
    ];
    if several && has_own_lines(simulation) {
        let own = simulation
            .volumes
            .iter()
            .enumerate()
            .map(|(index, volume)| {
                let own = |segment: &Segment| segment.volumes.get(index).and_then(served);
                steps(simulation, &volume.name, own)
            });
        series.extend(alike_once(own));
    }
    series.retain(|series| series.points.iter().any(|(_, value)| value.is_some()));
    let most = series
        .iter()
        .flat_map(|series| &series.points)
        .filter_map(|(_, value)| *value);
    let most = most.fold(0.0, f64::max);
    Panel {
        title: match axis {
            Axis::Iops => "I/Os".to_owned(),
            Axis::Mbps => "Throughput".to_owned(),
        },
        unit: axis.to_string(),
        series,
        caps: caps::caps(simulation, axis, most),
    }
}

/// Whether each volume is drawn by itself.
fn has_own_lines(simulation: &Simulation) -> bool {
    simulation.volumes.len() <= MOST_VOLUMES
}

/// Series that run alike as one with all their names: lines that hide each other cannot be told apart.
fn alike_once(all: impl Iterator<Item = Series>) -> Vec<Series> {
    let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs(),
        (a, b) => a == b,
    };
    let mut distinct: Vec<Series> = Vec::new();
    for series in all {
        let runs_alike = |other: &&mut Series| {
            let mut pairs = other.points.iter().zip(&series.points);
            pairs.all(|((_, a), (_, b))| near(*a, *b))
        };
        match distinct.iter_mut().find(runs_alike) {
            Some(other) => other.name = format!("{}, {}", other.name, series.name),
            None => distinct.push(series),
        }
    }
    distinct
}

/// The buckets that were drawn on, in percent of full.
fn credit(simulation: &Simulation) -> Option<Panel> {
    let drawn = |bucket: &BucketRun| 1.0 - bucket.lowest / bucket.full;
    let mut chosen: Vec<usize> = (0..simulation.buckets.len())
        .filter(|index| drawn(&simulation.buckets[*index]) > 0.0)
        .collect();
    chosen.sort_by(|a, b| {
        let (a, b) = (&simulation.buckets[*a], &simulation.buckets[*b]);
        drawn(b).total_cmp(&drawn(a))
    });
    chosen.truncate(MOST_BUCKETS);
    let series: Vec<Series> = chosen
        .into_iter()
        .map(|index| level(simulation, index))
        .collect();
    (!series.is_empty()).then(|| Panel {
        title: "Burst credit left".to_owned(),
        unit: "% of full".to_owned(),
        series,
        caps: Vec::new(),
    })
}

fn level(simulation: &Simulation, index: usize) -> Series {
    let bucket = &simulation.buckets[index];
    let percent = |level: f64| Some(100.0 * level / bucket.full);
    let at = |segment: &Segment| {
        segment
            .buckets
            .get(index)
            .copied()
            .unwrap_or(LevelChange { from: 0.0, to: 0.0 })
    };
    let segments = &simulation.segments;
    let first = segments
        .first()
        .map(|segment| (minutes(segment.start), percent(at(segment).from)));
    let others = segments
        .iter()
        .map(|segment| (minutes(segment.end), percent(at(segment).to)));
    Series {
        name: format!("{} {}", super::place(bucket), bucket.axis),
        points: first.into_iter().chain(others).collect(),
        shape: Shape::Linear,
    }
}

/// The stretches in which some volume was throttled, by what held it.
fn throttled(simulation: &Simulation) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for segment in &simulation.segments {
        let Some(label) = label(segment) else {
            continue;
        };
        let (from, to) = (minutes(segment.start), minutes(segment.end));
        match spans.last_mut() {
            Some(last) if last.to == from && last.label == label => last.to = to,
            _ => spans.push(Span { from, to, label }),
        }
    }
    if kinds(&spans) > MOST_KINDS {
        for span in &mut spans {
            "throttled".clone_into(&mut span.label);
        }
    }
    joined(spans, minutes(simulation.seconds) / STRETCHES_TO_SEE)
}

/// Stretches of one kind as one where they lie less than `unseen` apart: a picture cannot tell them apart.
fn joined(spans: Vec<Span>, unseen: f64) -> Vec<Span> {
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut() {
            Some(last) if last.label == span.label && span.from - last.to <= unseen => {
                last.to = span.to;
            }
            _ => joined.push(span),
        }
    }
    joined
}

fn label(segment: &Segment) -> Option<String> {
    let mut limits: Vec<String> = (segment.volumes.iter())
        .filter(|part| part.throttled)
        .map(|part| part.bottleneck.to_string())
        .collect();
    limits.sort();
    limits.dedup();
    (!limits.is_empty()).then(|| format!("throttled by {}", limits.join(" and ")))
}

fn kinds(spans: &[Span]) -> usize {
    let mut labels: Vec<&str> = spans.iter().map(|span| span.label.as_str()).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.len()
}
