//! What happens when, from event to event.

use super::{shown_if, throttled};
use crate::catalog::Axis;
use crate::planner::Simulation;
use crate::planner::timeline::model::{Rate, VolumeSegment};
use crate::report::views::outcome::figure;
use crate::report::{Cell, Column, Readers, Row, Table};

/// Rows that people read; a longer simulation is told by its chart.
const SHORT: usize = 40;

/// Rows that machines get; beyond them, the result as JSON has every segment.
const MANY: usize = 400;

/// A stretch of time in which a volume is served alike: positions of the volume, of the first segment and the last.
#[derive(Clone, Copy)]
struct Stretch {
    volume: usize,
    first: usize,
    last: usize,
}

/// Everything that happens; `None` where that is too much for a table. To people a stretch in which a volume is served
/// alike is one row, whatever happens to credit in it.
pub(super) fn segments(simulation: &Simulation) -> Option<Table> {
    let stretches = stretches(simulation);
    let rows = simulation.segments.len() * simulation.volumes.len();
    if stretches.len() > SHORT || rows > MANY {
        return None;
    }
    let parts = || {
        let segments = simulation.segments.iter();
        segments.flat_map(|segment| &segment.volumes)
    };
    let asked = parts().any(|part| part.asked.is_some());
    let waits = parts().any(|part| part.backlog.mb > 0.0);
    // What stops a volume is the main thing: where there is little room, it is told with one figure.
    let limited = |axis| parts().any(|part| part.bottleneck.axis() == Some(axis));
    let (iops, mbps) = match (limited(Axis::Iops), limited(Axis::Mbps)) {
        (false, true) => (1, 0),
        _ => (0, 1),
    };
    let columns = vec![
        Column::new("from_s", "From"),
        Column::new("to_s", "To").ranked(1),
        Column::new("volume", "Volume"),
        shown_if(asked, Column::new("asked_iops", "Asked IOPS").ranked(2)),
        Column::new("served_iops", "IOPS").ranked(iops),
        shown_if(asked, Column::new("asked_mbps", "Asked MB/s").ranked(2)),
        Column::new("served_mbps", "MB/s").ranked(mbps),
        Column::new("bottleneck", "Stopped by"),
        Column::new("throttled", "Throttled").ranked(3),
        shown_if(
            waits,
            Column::new("backlog_ios", "Then waiting I/Os").ranked(4),
        ),
        Column::new("backlog_mb", "Waiting MB at the end").on_request(),
    ];
    let mut rows: Vec<(Stretch, Row)> = Vec::new();
    for whole in stretches {
        let readers = match whole.first == whole.last {
            true => Readers::All,
            false => Readers::People,
        };
        rows.extend(row(simulation, whole, readers));
        for at in (whole.first..=whole.last).filter(|_| readers == Readers::People) {
            let (first, last) = (at, at);
            let one = Stretch {
                first,
                last,
                ..whole
            };
            rows.extend(row(simulation, one, Readers::Machines));
        }
    }
    rows.sort_by_key(|(stretch, _)| (stretch.first, stretch.volume));
    Some(Table {
        id: "segments".to_owned(),
        title: "What happens when".to_owned(),
        columns,
        rows: rows.into_iter().map(|(_, row)| row).collect(),
    })
}

/// The stretches of every volume.
fn stretches(simulation: &Simulation) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for volume in 0..simulation.volumes.len() {
        let part = |at: usize| simulation.segments.get(at)?.volumes.get(volume);
        for at in 0..simulation.segments.len() {
            let goes_on = at > 0
                && match (part(at - 1), part(at)) {
                    (Some(before), Some(now)) => alike(before, now),
                    _ => false,
                };
            match all.last_mut() {
                Some(stretch) if goes_on => stretch.last = at,
                _ => all.push(Stretch {
                    volume,
                    first: at,
                    last: at,
                }),
            }
        }
    }
    all
}

/// Whether people see the same of both.
fn alike(one: &VolumeSegment, other: &VolumeSegment) -> bool {
    let same = |a: Option<Rate>, b: Option<Rate>| match (a, b) {
        (Some(a), Some(b)) => {
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * a.abs().max(b.abs());
            near(a.iops.get(), b.iops.get()) && near(a.mbps.get(), b.mbps.get())
        }
        (a, b) => a.is_none() && b.is_none(),
    };
    same(one.asked, other.asked)
        && same(one.served, other.served)
        && one.bottleneck == other.bottleneck
        && one.throttled == other.throttled
        && one.latency_needed.is_some() == other.latency_needed.is_some()
}

fn row(simulation: &Simulation, stretch: Stretch, readers: Readers) -> Option<(Stretch, Row)> {
    let (first, last) = (
        simulation.segments.get(stretch.first)?,
        simulation.segments.get(stretch.last)?,
    );
    let (volume, part) = (
        simulation.volumes.get(stretch.volume)?,
        last.volumes.get(stretch.volume)?,
    );
    let at_most = part.latency_needed.is_some();
    let row = Row::new(vec![
        Cell::duration(first.start),
        Cell::duration(last.end),
        Cell::text(&volume.name),
        Cell::known(part.asked.map(|rate| rate.iops.get()), 0),
        figure(part.served.map(|rate| rate.iops.get()), 0, at_most),
        Cell::known(part.asked.map(|rate| rate.mbps.get()), 1),
        figure(part.served.map(|rate| rate.mbps.get()), 1, at_most),
        Cell::text(part.bottleneck.told(at_most)),
        throttled(part.throttled),
        Cell::number(part.backlog.ios, 0),
        Cell::number(part.backlog.mb, 0),
    ]);
    Some((stretch, row.only_for(readers)))
}
