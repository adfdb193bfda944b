//! Latency and queue depth: Little's law, outstanding I/Os = IOPS x latency.

use super::paths::shares;
use super::system::Phase;
use crate::catalog::{Basis, DiskModel, LatencyFigure};
use crate::deployment::Volume;
use crate::units::{Iops, Latency};
use crate::workload::Io;

/// Mean latency in seconds of one I/O of `io` on `volume` when nothing queues, by where its data comes from.
/// `None` where the latency of a place on its path is unknown.
#[must_use]
pub fn of_one_io(
    volume: &Volume,
    cache: Option<LatencyFigure>,
    io: &Io,
    phase: Phase,
) -> Option<f64> {
    mean(volume, cache, io, phase, |model| {
        model.latency.map(|figure| (figure.read, figure.write))
    })
}

/// The most that this latency hardly ever exceeds: a disk of unknown latency takes as long as is promised at the most.
/// `None` where nothing is promised of a place on its path.
#[must_use]
pub fn bound_of_one_io(
    volume: &Volume,
    cache: Option<LatencyFigure>,
    io: &Io,
    phase: Phase,
) -> Option<f64> {
    mean(volume, cache, io, phase, |model| {
        let figure = model.latency.map(|figure| (figure.read, figure.write));
        figure.or(model.latency_bound.map(|bound| (bound.read, bound.write)))
    })
}

/// The mean over the members of `volume` and the places that answer, with what `of_disk` says of a read and a write.
fn mean(
    volume: &Volume,
    cache: Option<LatencyFigure>,
    io: &Io,
    phase: Phase,
    of_disk: impl Fn(&DiskModel) -> Option<(Latency, Latency)>,
) -> Option<f64> {
    let mut seconds = 0.0;
    for member in &volume.members {
        let shares = shares(member.model.lane, member.effective_caching(), io, phase);
        let disk = of_disk(&member.model);
        let answered_by_cache = [
            (
                io.read_share.get() - shares.disk_reads,
                cache.map(|l| l.read),
            ),
            (
                io.read_share.rest() - shares.disk_writes,
                cache.map(|l| l.write),
            ),
            (shares.disk_reads, disk.map(|(read, _)| read)),
            (shares.disk_writes, disk.map(|(_, write)| write)),
        ];
        for (share, latency) in answered_by_cache {
            // Shares are differences of fractions: what is left of a whole may be a rounding error.
            if share > 1e-12 {
                seconds += share * latency?.seconds();
            }
        }
    }
    Some(seconds / volume.members.len() as f64)
}

/// How sure the latencies on the path of `volume` are: the least sure of its members.
#[must_use]
pub fn basis(volume: &Volume) -> Option<Basis> {
    let bases = volume
        .members
        .iter()
        .map(|m| m.model.latency.map(|l| l.basis));
    bases
        .collect::<Option<Vec<_>>>()?
        .into_iter()
        .max_by_key(|basis| *basis as u8)
}

/// The outstanding I/Os that reach `rate` at `latency` seconds an I/O, rounded up to whole ones.
#[must_use]
pub fn queue_depth_to_reach(rate: Iops, latency_seconds: f64) -> f64 {
    let exact = rate.get() * latency_seconds;
    // 5,000 x 0.001 must be 5, not 6 for the sake of the last bit.
    (exact - exact.abs() * 1e-9).ceil().max(1.0)
}

/// The latency seen at `outstanding` I/Os when `rate` is what they achieve: never less than that of one I/O by itself,
/// more when they queue.
#[must_use]
pub fn at_depth(
    one_io_seconds: Option<f64>,
    outstanding: Option<f64>,
    rate: Iops,
) -> Option<Latency> {
    let queued = outstanding.and_then(|n| Latency::implied(n, rate));
    let alone = one_io_seconds.and_then(|s| Latency::from_micros(s * 1e6).ok());
    match (alone, queued) {
        (Some(alone), Some(queued)) => Some(alone.max(queued)),
        (alone, queued) => queued.or(alone),
    }
}

/// That a read takes longer than it does now, or that nobody knows whether it does, in words.
pub(crate) fn slower_read(now: Option<Latency>, then: Option<Latency>) -> Option<String> {
    match (now, then) {
        (Some(now), Some(then)) if then > now => {
            Some(format!("a read takes {then} in place of {now}"))
        }
        (Some(_), Some(_)) => None,
        _ => Some("how its latency compares is not known".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queue_depth_is_cap_times_latency() {
        // Published: 5,000 IOPS at 1 ms need 5 outstanding I/Os; four such disks need 20.
        assert_eq!(queue_depth_to_reach(Iops::whole(5000), 0.001), 5.0);
        assert_eq!(queue_depth_to_reach(Iops::whole(20_000), 0.001), 20.0);
        assert_eq!(queue_depth_to_reach(Iops::whole(3200), 0.00065), 3.0);
        assert_eq!(queue_depth_to_reach(Iops::whole(10), 0.001), 1.0);
    }

    #[test]
    fn latency_grows_once_a_cap_is_reached() {
        // 32 outstanding at 3,200 IOPS: 10 ms each, though the disk answers in 1 ms.
        let seen = at_depth(Some(0.001), Some(32.0), Iops::whole(3200)).unwrap();
        assert_eq!(seen.millis(), 10.0);
        let idle = at_depth(Some(0.001), Some(1.0), Iops::whole(1000)).unwrap();
        assert_eq!(idle.millis(), 1.0);
        assert_eq!(at_depth(None, None, Iops::whole(100)), None);
    }
}
