//! What the segments of a simulation come to for each volume.
//!
//! Segments of long simulations are many and large, so they are gone through once, for all volumes side by side.

use super::model::{Amount, BacklogRun, Held, Rate, Segment, VolumeRun, VolumeSegment};
use crate::deployment::Volume;
use crate::planner::evaluate::Bottleneck;
use crate::planner::unusable::{bursting, provisioned};
use crate::units::Latency;

/// The runs of `volumes`, which are the volumes of every segment, each with whether a limit on its path is unknown.
pub(super) fn volume_runs(
    volumes: &[Volume],
    segments: &[Segment],
    at_most: &[bool],
) -> Vec<VolumeRun> {
    let mut sums = vec![Sum::default(); at_most.len().min(volumes.len())];
    for segment in segments {
        for (sum, part) in sums.iter_mut().zip(&segment.volumes) {
            sum.add(segment, part);
        }
    }
    let volumes = volumes.iter().zip(at_most);
    let runs = volumes.zip(sums);
    runs.map(|((volume, at_most), sum)| sum.run(volume, *at_most))
        .collect()
}

/// What the segments so far come to for one volume.
#[derive(Debug, Clone, PartialEq)]
struct Sum {
    asked: Option<Amount>,
    served: Option<Amount>,
    throttled_seconds: f64,
    held_by: Vec<Held>,
    latency_needed: Option<Latency>,
    backlog: BacklogRun,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            asked: Some(Amount::default()),
            served: Some(Amount::default()),
            throttled_seconds: 0.0,
            held_by: Vec::new(),
            latency_needed: None,
            backlog: BacklogRun::default(),
        }
    }
}

impl Sum {
    fn add(&mut self, segment: &Segment, part: &VolumeSegment) {
        let seconds = segment.seconds();
        self.asked = longer(self.asked, part.asked, seconds);
        self.served = longer(self.served, part.served, seconds);
        if part.throttled {
            self.throttled_seconds += seconds;
        }
        self.latency_needed = shorter(self.latency_needed, part.latency_needed);
        hold(&mut self.held_by, part, seconds);
        wait(&mut self.backlog, part, segment);
    }

    fn run(mut self, volume: &Volume, at_most: bool) -> VolumeRun {
        self.held_by
            .sort_by(|a, b| (b.throttles.cmp(&a.throttles)).then(b.seconds.total_cmp(&a.seconds)));
        VolumeRun {
            name: volume.name.clone(),
            sku: volume.label(),
            caching: volume.caching(),
            limits: provisioned(volume),
            burst: bursting(volume),
            burst_doubt: volume.burst_doubt().map(ToOwned::to_owned),
            asked: self.asked,
            served: self.served,
            at_most: at_most || self.latency_needed.is_some(),
            latency_needed: self.latency_needed,
            throttled_seconds: self.throttled_seconds,
            held_by: self.held_by,
            backlog: self.backlog,
        }
    }
}

/// The shorter of two latencies, where there are some.
fn shorter(one: Option<Latency>, other: Option<Latency>) -> Option<Latency> {
    match (one, other) {
        (Some(one), Some(other)) if other < one => Some(other),
        (one, other) => one.or(other),
    }
}

/// `sum` and `seconds` more at `rate`; `None` where a rate is not known.
fn longer(sum: Option<Amount>, rate: Option<Rate>, seconds: f64) -> Option<Amount> {
    let (sum, rate) = (sum?, rate?);
    Some(Amount {
        ios: sum.ios + rate.iops.get() * seconds,
        mb: sum.mb + rate.mbps.get() * seconds,
    })
}

/// Counts `seconds` for the limit that holds the volume, where one does.
fn hold(held: &mut Vec<Held>, part: &VolumeSegment, seconds: f64) {
    let (by, throttles) = (part.bottleneck, part.throttled);
    if matches!(by, Bottleneck::Demand | Bottleneck::Unknown) {
        return;
    }
    let known = held
        .iter_mut()
        .find(|h| h.by == by && h.throttles == throttles);
    match known {
        Some(known) => known.seconds += seconds,
        None => held.push(Held {
            by,
            throttles,
            seconds,
        }),
    }
}

fn wait(run: &mut BacklogRun, part: &VolumeSegment, segment: &Segment) {
    let (before, now) = (run.left, part.backlog);
    // What waits may turn into smaller I/Os, of which there are more in fewer MB.
    if now.ios > run.peak.ios {
        run.peak.ios = now.ios;
        run.peak_ios_at = Some(segment.end);
    }
    if now.mb > run.peak.mb {
        run.peak.mb = now.mb;
        run.peak_at = Some(segment.end);
    }
    if now.mb > 0.0 || before.mb > 0.0 {
        run.seconds += segment.seconds();
        run.worked_off_at = (now.mb == 0.0).then_some(segment.end);
    }
    run.left = now;
}
