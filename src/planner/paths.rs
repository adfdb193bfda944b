//! Which way an I/O takes: through the host cache, to the disk, or both.

use super::system::Phase;
use crate::catalog::Lane;
use crate::deployment::HostCaching;
use crate::workload::Io;

/// How much of one average I/O passes each point, reads and writes apart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Shares {
    /// Reads that pass the cached ceiling (host cache or temp disk).
    pub cached_reads: f64,
    /// Writes that pass the cached ceiling.
    pub cached_writes: f64,
    /// Reads that reach the disk.
    pub disk_reads: f64,
    /// Writes that reach the disk.
    pub disk_writes: f64,
}

/// The shares of one average I/O of `io` on a disk in `lane` with `caching`.
///
/// * None: everything goes to the disk.
/// * ReadOnly: everything passes the cached ceiling; read misses and writes also go to the disk.
/// * ReadWrite: as ReadOnly, but while the cache still absorbs writes ([`Phase::Burst`]) they do not reach the disk;
///   in the long run ([`Phase::Sustained`]) what is written must be destaged at the same rate.
/// * The temp disk lies behind the cached ceiling; local NVMe disks lie behind none.
#[must_use]
pub fn shares(lane: Lane, caching: HostCaching, io: &Io, phase: Phase) -> Shares {
    let reads = io.read_share.get();
    let writes = io.read_share.rest();
    let direct = Shares {
        disk_reads: reads,
        disk_writes: writes,
        ..Shares::default()
    };
    match (lane, caching) {
        (Lane::LocalNvme, _) | (Lane::Remote | Lane::RemoteFast, HostCaching::None) => direct,
        (Lane::Temp, _) => Shares {
            cached_reads: reads,
            cached_writes: writes,
            ..direct
        },
        (_, HostCaching::ReadOnly | HostCaching::ReadWrite) => {
            let absorbed = caching == HostCaching::ReadWrite && phase == Phase::Burst;
            Shares {
                cached_reads: reads,
                cached_writes: writes,
                disk_reads: reads * io.hit_share.rest(),
                disk_writes: if absorbed { 0.0 } else { writes },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Share;

    const MIXED: Io = Io {
        read_share: Share::percent(70),
        hit_share: Share::percent(80),
        ..Io::RANDOM_4K
    };

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_read_only_cache_passes_misses_and_writes_on() {
        // 0.7 x 0.2 misses + 0.3 writes = 0.44 of the I/Os reach the disk.
        let s = shares(
            Lane::Remote,
            HostCaching::ReadOnly,
            &MIXED,
            Phase::Sustained,
        );
        assert!(close(s.disk_reads + s.disk_writes, 0.44));
        assert!(close(s.cached_reads + s.cached_writes, 1.0));
    }

    #[test]
    fn a_read_write_cache_absorbs_writes_only_for_a_while() {
        let burst = shares(Lane::Remote, HostCaching::ReadWrite, &MIXED, Phase::Burst);
        assert!(close(burst.disk_reads, 0.14) && burst.disk_writes == 0.0);
        let sustained = shares(
            Lane::Remote,
            HostCaching::ReadWrite,
            &MIXED,
            Phase::Sustained,
        );
        assert!(close(sustained.disk_writes, 0.3));
    }

    #[test]
    fn no_cache_no_cached_ceiling() {
        let s = shares(Lane::RemoteFast, HostCaching::None, &MIXED, Phase::Burst);
        assert_eq!(s.cached_reads + s.cached_writes, 0.0);
        assert!(close(s.disk_reads + s.disk_writes, 1.0));
    }

    #[test]
    fn the_temp_disk_lies_behind_the_cached_ceiling_and_local_nvme_behind_none() {
        let temp = shares(Lane::Temp, HostCaching::None, &MIXED, Phase::Burst);
        assert!(close(temp.cached_reads + temp.cached_writes, 1.0));
        let nvme = shares(Lane::LocalNvme, HostCaching::None, &MIXED, Phase::Burst);
        assert_eq!(nvme.cached_reads + nvme.cached_writes, 0.0);
    }
}
