//! The latency that is usual for one I/O on a volume: that of its disks, and that of the host cache where that may answer.

use super::Target;
use super::predict::CacheState;
use super::verdict::{ExpectedLatency, LatencySource};
use crate::catalog::Basis;
use crate::deployment::{HostCaching, Volume};
use crate::planner::{Phase, latency};
use crate::units::{BlockSize, Latency, Share};
use crate::workload::Io;

/// The largest block for which the latency figures of disks hold, 16 KiB: they are of 4 KiB, and up to this size the
/// transfer is small beside them.
pub const LATENCY_BLOCK: BlockSize = BlockSize::kib(16);

/// What is usual for one I/O, whatever was measured. Of large blocks only what they take at least is known.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Usual {
    /// Nothing in the host cache, and every write is waited for.
    pub disk: Option<ExpectedLatency>,
    /// The host cache answers what it may.
    pub cache: Option<ExpectedLatency>,
    /// What a block takes at least that is too large for a known latency: a small one on the disk takes no longer.
    pub least: Option<ExpectedLatency>,
}

impl Usual {
    /// That of I/Os of `block` bytes on the volume; nothing where none is known, and for blocks that no figure holds for.
    pub(super) fn new(target: Target<'_>, block: BlockSize, read_share: Share) -> Self {
        let volume = target.deployment.volumes.get(target.volume);
        let Some(volume) = volume else {
            return Self::default();
        };
        let io = Io {
            block_size: block,
            read_share,
            ..Io::RANDOM_4K
        };
        let cache = target.deployment.cache_latency;
        let of = |state, phase, basis| {
            let seconds = latency::of_one_io(volume, cache, &state_of(io, state), phase)?;
            Some(ExpectedLatency {
                latency_us: Latency::from_micros(seconds * 1e6).ok()?,
                source: LatencySource::Disk { basis },
            })
        };
        let own = latency::basis(volume);
        let disk = own.and_then(|basis| of(CacheState::Cold, Phase::Sustained, basis));
        if block > LATENCY_BLOCK {
            return Self {
                least: disk,
                ..Self::default()
            };
        }
        // The least sure of both: a mix is answered by disk and cache.
        let both = cache.map(|cache| own.map_or(cache.basis, |own| least_sure(own, cache.basis)));
        Self {
            disk,
            cache: both
                .filter(|_| may_answer(volume, read_share))
                .and_then(|basis| of(CacheState::Warm, Phase::Burst, basis)),
            least: None,
        }
    }

    /// Whether an I/O that `took` so long is faster than the disk answers, so that a cache or another disk did.
    pub(super) fn is_too_fast(&self, took: Latency, tolerance: f64) -> bool {
        let is =
            |of: &ExpectedLatency| took.micros() * of.slack(tolerance) < of.latency_us.micros();
        self.disk.as_ref().is_some_and(is)
    }

    /// Whether it is slower than the disk usually answers.
    pub(super) fn is_slow(&self, took: Latency, tolerance: f64) -> bool {
        let is =
            |of: &ExpectedLatency| took.micros() > of.latency_us.micros() * of.slack(tolerance);
        self.disk.as_ref().is_some_and(is)
    }

    /// Which of them an I/O that `took` so long is held against: the disk's, unless it is faster than the disk and as
    /// fast as the cache, or faster than both. Where the disk's is not known, what is slower than the cache is held
    /// against nothing: the disk may have taken it.
    pub(super) fn of(&self, took: Option<Latency>, tolerance: f64) -> Option<&ExpectedLatency> {
        let (Some(cache), Some(took)) = (&self.cache, took) else {
            return self.disk.as_ref();
        };
        let within = took.micros() <= cache.latency_us.micros() * cache.slack(tolerance);
        let is_slow = |disk: &&ExpectedLatency| {
            took.micros() * disk.slack(tolerance) >= disk.latency_us.micros()
        };
        let own = self.disk.as_ref().filter(|disk| !within || is_slow(disk));
        own.or(Some(cache).filter(|_| within))
    }
}

/// The longest that one I/O like `io` takes on the volume's disks and is still as usual; `None` where no usual latency is
/// known for such I/O.
pub(in crate::measure) fn longest_usual(
    target: Target<'_>,
    io: &Io,
    tolerance: f64,
) -> Option<Latency> {
    let usual = Usual::new(target, io.block_size, io.read_share).disk?;
    Latency::from_micros(usual.latency_us.micros() * usual.slack(tolerance)).ok()
}

/// `io` with what the host cache holds of its reads.
pub(super) const fn state_of(io: Io, cache: CacheState) -> Io {
    let hit_share = match cache {
        CacheState::Warm => Share::ALL,
        CacheState::Cold => Share::NONE,
    };
    Io { hit_share, ..io }
}

const fn least_sure(a: Basis, b: Basis) -> Basis {
    if a as u8 > b as u8 { a } else { b }
}

/// Whether the host cache may answer: reads of any cached volume, writes under ReadWrite.
pub(super) fn may_answer(volume: &Volume, read_share: Share) -> bool {
    match volume.caching() {
        HostCaching::None => false,
        HostCaching::ReadOnly => read_share != Share::NONE,
        HostCaching::ReadWrite => true,
    }
}
