//! Disks over time as pictures: rates and latency, the limits that they sit on, and when they collapsed.

use crate::measure::over_time::{DiskOverTime, PeerGroup, Trace};
use crate::measure::series::analysis::{DipCause, DiskReport, Hold, Plateau, Verdict};
use crate::measure::series::twins::PeerVerdict;
use crate::report::{Cap, Chart, ChartKind, Panel, Series, Shape, Span};
use crate::units::{Iops, Latency, MBps};

/// Lines that can be told apart in one picture.
const MOST_PEERS: usize = 6;

const MS_PER_MINUTE: f64 = 60_000.0;

/// Disks that get a picture each.
const MOST_DISKS: usize = 8;

/// The pictures of the disks, of many only of those with the most I/O; and a word on those left out.
pub(super) fn of_disks<'d>(
    disks: impl Iterator<Item = &'d DiskOverTime>,
) -> (Vec<Chart>, Option<String>) {
    let all: Vec<&DiskOverTime> = disks.filter(|disk| disk.trace.minutes.len() > 1).collect();
    let rate = |disk: &DiskOverTime| {
        let mean = disk.report.iops.map(|iops| iops.mean.get());
        mean.or_else(|| disk.report.mbps.map(|mbps| mbps.mean.get()))
    };
    let mut busiest: Vec<usize> = (0..all.len()).collect();
    busiest.sort_by(|a, b| {
        let of = |i: &usize| all.get(*i).and_then(|disk| rate(disk)).unwrap_or(0.0);
        of(b).total_cmp(&of(a))
    });
    busiest.truncate(MOST_DISKS);
    busiest.sort_unstable();
    let drawn = busiest.iter().filter_map(|i| of_disk(all.get(*i)?));
    let left_out = (all.len() > MOST_DISKS).then(|| {
        format!(
            "Pictures show the {MOST_DISKS} busiest of {} disks.",
            all.len()
        )
    });
    (drawn.collect(), left_out)
}

/// The picture of one disk; `None` where no rate and no latency is known.
fn of_disk(disk: &DiskOverTime) -> Option<Chart> {
    let report = &disk.report;
    let offset = disk.trace.offset_minutes;
    let named = [(report.disk.as_str(), &disk.trace)];
    let mut panels = panels(&named);
    for panel in &mut panels {
        panel.caps = levels(report, &panel.unit);
    }
    (!panels.is_empty()).then(|| Chart {
        id: format!("over-time-{}", report.disk),
        title: format!("{} over time", report.disk),
        kind: ChartKind::Time {
            panels,
            spans: spans(report, offset),
        },
    })
}

/// Peers in one picture, those that deserve a look first; `None` where nothing is known of them.
pub(super) fn of_peers(group: &PeerGroup) -> Option<Chart> {
    let peers = &group.report.peers;
    let suspicious = |verdict| matches!(verdict, PeerVerdict::Slow | PeerVerdict::Erratic);
    let mut order: Vec<usize> = (0..peers.len()).collect();
    order.sort_by_key(|i| peers.get(*i).is_none_or(|peer| !suspicious(peer.verdict)));
    order.truncate(MOST_PEERS);
    order.sort_unstable();
    let drawn: Vec<_> = order
        .iter()
        .filter_map(|i| Some((peers.get(*i)?, group.traces.get(*i)?)))
        .filter(|(_, trace)| trace.minutes.len() > 1)
        .collect();
    let named: Vec<(&str, &Trace)> = drawn
        .iter()
        .map(|(peer, trace)| (peer.name.as_str(), *trace))
        .collect();
    let panels = panels(&named);
    let several = |name: &str| format!("{name}: ");
    let spans = drawn
        .iter()
        .filter(|(peer, _)| suspicious(peer.verdict))
        .flat_map(|(peer, trace)| {
            let own = collapses(&peer.report, trace.offset_minutes).into_iter();
            own.map(|span| Span {
                label: format!("{}{}", several(&peer.name), span.label),
                ..span
            })
        });
    let of = match group.name.as_str() {
        "" => String::new(),
        name => format!(" of {name}"),
    };
    let left_out = peers.len().saturating_sub(drawn.len());
    let left_out = match left_out {
        0 => String::new(),
        more => format!(" ({more} more are not drawn)"),
    };
    (!panels.is_empty()).then(|| Chart {
        id: format!("peers-{}", group.name),
        title: format!("Peers{of} over time{left_out}"),
        kind: ChartKind::Time {
            panels,
            spans: spans.collect(),
        },
    })
}

/// The panels of IOPS, MB/s and latency that some of the traces have.
fn panels(traces: &[(&str, &Trace)]) -> Vec<Panel> {
    type Values = fn(&Trace) -> Vec<Option<f64>>;
    let all: [(&str, &str, Values); 3] = [
        ("I/Os", "IOPS", |t| plain(&t.iops, Iops::get)),
        ("Throughput", "MB/s", |t| plain(&t.mbps, MBps::get)),
        ("Latency", "ms", |t| plain(&t.latency_us, Latency::millis)),
    ];
    let panel = |(title, unit, values): (&str, &str, Values)| {
        let series: Vec<Series> = traces
            .iter()
            .map(|(name, trace)| Series {
                name: (*name).to_owned(),
                points: trace
                    .minutes
                    .iter()
                    .map(|minute| trace.offset_minutes + minute)
                    .zip(values(trace))
                    .collect(),
                shape: Shape::Linear,
            })
            .filter(|series| series.points.iter().any(|(_, value)| value.is_some()))
            .collect();
        (!series.is_empty()).then(|| Panel {
            title: title.to_owned(),
            unit: unit.to_owned(),
            series,
            caps: Vec::new(),
        })
    };
    all.into_iter().filter_map(panel).collect()
}

fn plain<Q: Copy>(values: &[Option<Q>], number: fn(Q) -> f64) -> Vec<Option<f64>> {
    values.iter().map(|value| value.map(number)).collect()
}

/// The limits that the rate sits on, else the levels that it keeps, on the axis of `unit`.
fn levels(report: &DiskReport, unit: &str) -> Vec<Cap> {
    let on_axis = held(report).filter(|plateau| plateau.axis.to_string() == unit);
    let level = |plateau: &Plateau| match &plateau.hold {
        Hold::Cap { name, ratio, .. } => Cap {
            name: short(name).to_owned(),
            value: plateau.level / ratio,
        },
        _ => Cap {
            name: "flat at".to_owned(),
            value: plateau.level,
        },
    };
    on_axis.map(level).collect()
}

/// The constant rates that something is said of.
fn held(report: &DiskReport) -> impl Iterator<Item = &Plateau> {
    report.verdicts.iter().filter_map(|verdict| match verdict {
        Verdict::Throttled(plateau) => Some(plateau),
        _ => None,
    })
}

/// The name of a limit without its figures, which the picture shows.
fn short(name: &str) -> &str {
    name.split_once(',').map_or(name, |(name, _)| name)
}

/// When the rate was held by a limit, and when it collapsed.
fn spans(report: &DiskReport, offset: f64) -> Vec<Span> {
    let limited = |p: &&Plateau| matches!(p.hold, Hold::Cap { .. } | Hold::UnknownLimit);
    let mut held: Vec<&Plateau> = held(report).filter(limited).collect();
    // What took longest gets the plainest shade.
    held.sort_by(|a, b| b.share.get().total_cmp(&a.share.get()));
    let mut all: Vec<Span> = Vec::new();
    for plateau in held {
        let by = match &plateau.hold {
            Hold::Cap { name, .. } => short(name),
            _ => "some limit",
        };
        let label = format!("{} held by {by}", plateau.axis);
        for (from, to) in joined(&plateau.spans, report.span_ms) {
            all.push(shaded((from, to), &label, offset));
        }
    }
    all.extend(collapses(report, offset));
    all
}

/// Stretches of time with those put together that a picture of `all_ms` could not show apart.
fn joined(spans: &[(u64, u64)], all_ms: u64) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::new();
    for (from, to) in spans {
        match out.last_mut() {
            Some((_, end)) if from.saturating_sub(*end) * 200 <= all_ms => *end = *to,
            _ => out.push((*from, *to)),
        }
    }
    out
}

/// When the rate collapsed, by who made it.
fn collapses(report: &DiskReport, offset: f64) -> Vec<Span> {
    let dips = report.dips.iter().flat_map(|dips| &dips.each).map(|dip| {
        let label = match dip.cause {
            DipCause::Choked => "the device choked",
            DipCause::LoadFell => "the load fell",
            DipCause::Unclear | DipCause::NotKnown => "the rate fell",
        };
        shaded((dip.from_ms, dip.to_ms), label, offset)
    });
    let stalls = report.stalls.iter().flat_map(|stalls| &stalls.each);
    let stalls = stalls.map(|stall| shaded((stall.from_ms, stall.to_ms), "stalled", offset));
    dips.chain(stalls).collect()
}

fn shaded((from, to): (u64, u64), label: &str, offset: f64) -> Span {
    Span {
        from: offset + from as f64 / MS_PER_MINUTE,
        to: offset + to as f64 / MS_PER_MINUTE,
        label: label.to_owned(),
    }
}
