//! What the segments of a simulation come to for each volume.

use super::model::{Amount, BacklogRun, Held, Rate, Segment, VolumeRun, VolumeSegment};
use crate::deployment::Volume;
use crate::planner::evaluate::Bottleneck;
use crate::planner::unusable::{bursting, provisioned};

/// The run of the volume at `index` of every segment.
pub(super) fn volume_run(
    volume: &Volume,
    index: usize,
    segments: &[Segment],
    at_most: bool,
) -> VolumeRun {
    let parts = || {
        segments
            .iter()
            .filter_map(|s| Some((s, s.volumes.get(index)?)))
    };
    let sum = |rate: fn(&VolumeSegment) -> Option<Rate>| {
        parts().try_fold(Amount::default(), |sum, (segment, part)| {
            let rate = rate(part)?;
            Some(Amount {
                ios: sum.ios + rate.iops.get() * segment.seconds(),
                mb: sum.mb + rate.mbps.get() * segment.seconds(),
            })
        })
    };
    let throttled = parts().filter(|(_, part)| part.throttled);
    VolumeRun {
        name: volume.name.clone(),
        sku: volume.label(),
        caching: volume.caching(),
        limits: provisioned(volume),
        burst: bursting(volume),
        asked: sum(|part| part.asked),
        served: sum(|part| part.served),
        at_most,
        throttled_seconds: throttled.fold(0.0, |sum, (segment, _)| sum + segment.seconds()),
        held_by: held_by(parts()),
        backlog: backlog(parts()),
    }
}

fn held_by<'a>(parts: impl Iterator<Item = (&'a Segment, &'a VolumeSegment)>) -> Vec<Held> {
    let mut held: Vec<Held> = Vec::new();
    let holds = |by| !matches!(by, Bottleneck::Demand | Bottleneck::Unknown);
    for (segment, part) in parts.filter(|(_, part)| holds(part.bottleneck)) {
        let (by, seconds) = (part.bottleneck, segment.seconds());
        match held.iter_mut().find(|known| known.by == by) {
            Some(known) => known.seconds += seconds,
            None => held.push(Held { by, seconds }),
        }
    }
    held.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    held
}

fn backlog<'a>(parts: impl Iterator<Item = (&'a Segment, &'a VolumeSegment)>) -> BacklogRun {
    let mut run = BacklogRun::default();
    for (segment, part) in parts {
        let (before, now) = (run.left, part.backlog);
        if now.mb > run.peak.mb {
            run.peak = now;
            run.peak_at = Some(segment.end);
        }
        if now.mb > 0.0 || before.mb > 0.0 {
            run.seconds += segment.seconds();
            run.worked_off_at = (now.mb == 0.0).then_some(segment.end);
        }
        run.left = now;
    }
    run
}
