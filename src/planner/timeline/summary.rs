//! What the segments of a simulation come to for each volume.

use super::model::{Amount, BacklogRun, Held, Segment, VolumeRun, VolumeSegment};
use crate::deployment::Volume;
use crate::planner::evaluate::Bottleneck;
use crate::planner::unusable::{bursting, provisioned};

/// The run of the volume at `index` of every segment.
pub(super) fn volume_run(volume: &Volume, index: usize, segments: &[Segment], at_most: bool) -> VolumeRun {
    let parts = || segments.iter().filter_map(|s| Some((s, s.volumes.get(index)?)));
    let sum = |rate: fn(&VolumeSegment) -> Option<(f64, f64)>| {
        parts().try_fold(Amount::default(), |sum, (segment, part)| {
            let (iops, mbps) = rate(part)?;
            Some(Amount {
                ios: sum.ios + iops * segment.seconds(),
                mb: sum.mb + mbps * segment.seconds(),
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
        asked: sum(|p| Some((p.asked_iops?.get(), p.asked_mbps?.get()))),
        served: sum(|p| Some((p.served_iops?.get(), p.served_mbps?.get()))),
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
        if part.backlog_mb > run.peak_mb {
            run.peak_mb = part.backlog_mb;
            run.peak_ios = part.backlog_ios;
            run.peak_at = Some(segment.end);
        }
        if part.backlog_mb > 0.0 || run.left_mb > 0.0 {
            run.seconds += segment.seconds();
        }
        if part.backlog_mb == 0.0 && run.left_mb > 0.0 {
            run.worked_off_at = Some(segment.end);
        }
        run.left_mb = part.backlog_mb;
        run.left_ios = part.backlog_ios;
    }
    if run.left_mb > 0.0 {
        run.worked_off_at = None;
    }
    run
}
