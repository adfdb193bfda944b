//! The latency that is usual for one I/O on a volume: that of its disks, or of the host cache where that may answer.

use super::Target;
use super::consistency;
use crate::catalog::{Basis, LatencyFigure};
use crate::deployment::{HostCaching, Volume};
use crate::measure::model::Test;
use crate::units::{BlockSize, Latency, Share};

/// The largest block for which the latency figures of disks hold, 16 KiB: they are of 4 KiB, and up to this size the
/// transfer is small beside them.
pub const LATENCY_BLOCK: BlockSize = BlockSize::kib(16);

/// A usual latency, and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Usual {
    pub latency: Latency,
    pub basis: Basis,
}

/// The latency to hold `test` against, for I/O of `block` bytes. Of a cached volume it is the disk's or the cache's,
/// whichever is nearer to what was measured: a result does not tell what was in the cache. `None` where none is known,
/// and for blocks that no figure holds for.
pub(super) fn usual(
    target: Target<'_>,
    test: &Test,
    block: BlockSize,
    read_share: Share,
) -> Option<Usual> {
    if block > LATENCY_BLOCK {
        return None;
    }
    let volume = target.deployment.volumes.get(target.volume)?;
    let disk = of_disks(volume).map(|figure| mixed(figure, read_share));
    let cache = target
        .deployment
        .cache_latency
        .filter(|_| may_answer(volume, read_share));
    let cache = cache.map(|figure| mixed(figure, read_share));
    let Some(measured) = consistency::latency(test) else {
        return disk;
    };
    let distance = |usual: &Usual| (usual.latency.micros() / measured.micros()).ln().abs();
    disk.into_iter()
        .chain(cache)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Whether the host cache may answer: reads of any cached volume, writes under ReadWrite.
pub(super) fn may_answer(volume: &Volume, read_share: Share) -> bool {
    match volume.caching() {
        HostCaching::None => false,
        HostCaching::ReadOnly => read_share != Share::NONE,
        HostCaching::ReadWrite => true,
    }
}

/// The latency of the disks of a volume at queue depth 1, where all have one: the mean of its members.
fn of_disks(volume: &Volume) -> Option<LatencyFigure> {
    let members = volume.members.iter();
    let figures: Vec<LatencyFigure> = members
        .map(|disk| disk.model.latency)
        .collect::<Option<_>>()?;
    let mean = |of: fn(&LatencyFigure) -> Latency| {
        let sum: f64 = figures.iter().map(|figure| of(figure).micros()).sum();
        Latency::from_micros(sum / figures.len() as f64).ok()
    };
    let bases = figures.iter().map(|figure| figure.basis);
    Some(LatencyFigure {
        read: mean(|figure| figure.read)?,
        write: mean(|figure| figure.write)?,
        basis: bases.max_by_key(|basis| *basis as u8)?,
    })
}

/// The latency of a mix of reads and writes.
fn mixed(figure: LatencyFigure, read_share: Share) -> Usual {
    let micros =
        figure.read.micros() * read_share.get() + figure.write.micros() * read_share.rest();
    Usual {
        latency: Latency::from_micros(micros).unwrap_or(figure.read),
        basis: figure.basis,
    }
}
