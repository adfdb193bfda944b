//! What is asked of the disks: block size, read share, queue depth, cache-hit share, demand; and named profiles.

pub mod schedule;
pub mod traced;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::lookup::{did_you_mean, nearest};
use crate::units::{BlockSize, Iops, MBps, QueueDepth, Share};
pub use schedule::{Schedule, ScheduleError, Step};

/// How much a workload wants.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Demand {
    /// As much as it gets.
    #[default]
    Max,
    /// So many I/Os a second.
    Iops(Iops),
    /// So many MB/s.
    Mbps(MBps),
}

impl Demand {
    /// Whether nothing at all is asked.
    #[must_use]
    pub fn is_nothing(self) -> bool {
        match self {
            Self::Max => false,
            Self::Iops(iops) => iops == Iops::ZERO,
            Self::Mbps(mbps) => mbps.get() <= 0.0,
        }
    }

    /// The demand in I/Os a second of `block` bytes each; `None` for as much as it gets.
    #[must_use]
    pub fn iops(self, block: BlockSize) -> Option<Iops> {
        match self {
            Self::Max => None,
            Self::Iops(iops) => Some(iops),
            Self::Mbps(mbps) => Some(mbps.iops_at(block)),
        }
    }
}

/// Whether consecutive I/Os are neighbours on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pattern {
    /// Random offsets.
    #[default]
    Random,
    /// One after the other.
    Sequential,
}

/// The I/O that one volume is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Io {
    /// Random or sequential.
    pub pattern: Pattern,
    /// Bytes of one I/O.
    #[serde(rename = "block_size_bytes")]
    pub block_size: BlockSize,
    /// Share of reads; the rest are writes.
    pub read_share: Share,
    /// Share of the reads that the host cache answers (counts only on cached disks).
    pub hit_share: Share,
    /// Outstanding I/Os; `None` means enough to reach every limit.
    pub queue_depth: Option<QueueDepth>,
    /// How much is wanted.
    pub demand: Demand,
}

impl Io {
    /// Random 4 KiB reads, uncached, as much as it gets.
    pub const RANDOM_4K: Self = Self {
        pattern: Pattern::Random,
        block_size: BlockSize::KIB_4,
        read_share: Share::ALL,
        hit_share: Share::NONE,
        queue_depth: None,
        demand: Demand::Max,
    };

    /// Whether one I/O of both is the same, however much and however deep is asked.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        let Self {
            queue_depth,
            demand,
            ..
        } = *self;
        *self
            == Self {
                queue_depth,
                demand,
                ..*other
            }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Random => "random",
            Self::Sequential => "sequential",
        })
    }
}

impl fmt::Display for Io {
    /// `random 8 KiB, 70 % reads, queue depth 32, 5,000 IOPS`: only what is stated.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, ", self.pattern, self.block_size)?;
        match self.read_share {
            Share::ALL => f.write_str("reads")?,
            Share::NONE => f.write_str("writes")?,
            share => write!(f, "{share} reads")?,
        }
        if self.hit_share != Share::NONE {
            write!(f, ", {} cache hits", self.hit_share)?;
        }
        if let Some(depth) = self.queue_depth {
            write!(f, ", queue depth {depth}")?;
        }
        match self.demand {
            Demand::Max => Ok(()),
            Demand::Iops(iops) => write!(f, ", {iops} IOPS"),
            Demand::Mbps(mbps) => write!(f, ", {mbps} MB/s"),
        }
    }
}

/// A named workload: one kind of I/O with the reason for its figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    /// The name to ask for it by.
    pub name: &'static str,
    /// What it stands for, in a few words.
    pub title: &'static str,
    /// The I/O.
    pub io: Io,
    /// Where the figures come from.
    pub source: &'static str,
}

const fn io(pattern: Pattern, block_size: BlockSize, read_percent: u8, depth: u32) -> Io {
    Io {
        pattern,
        block_size,
        read_share: Share::percent(read_percent),
        hit_share: Share::NONE,
        queue_depth: QueueDepth::new(depth),
        demand: Demand::Max,
    }
}

const CRYSTALDISKMARK: &str = "CrystalDiskMark 8 settings, default and NVMe profiles: block size, queues and threads as named \
     (queue depth here is queues times threads)";

/// The workloads that can be asked for by name.
pub const PROFILES: [Profile; 12] = [
    Profile {
        name: "oltp",
        title: "OLTP database: random 8 KiB, 70 % reads",
        io: io(Pattern::Random, BlockSize::KIB_8, 70, 32),
        source: "8 KiB is the page of SQL Server, PostgreSQL and Oracle; 70/30 fully random at 8 KiB is the OLTP test of storage \
                 vendors' reports (for example Dell VxRail performance analysis, 'OLTP 8 KB'); queue depth 32 is assumed",
    },
    Profile {
        name: "olap-scan",
        title: "analytic table scan: sequential 512 KiB reads",
        io: io(Pattern::Sequential, BlockSize::kib(512), 100, 16),
        source: "SQL Server read-ahead issues up to 512 KiB an I/O; 16 outstanding as in published DiskSpd table-scan settings",
    },
    Profile {
        name: "sql-log",
        title: "transaction log: sequential 60 KiB writes, one at a time",
        io: io(Pattern::Sequential, BlockSize::kib(60), 0, 1),
        source: "SQL Server writes log blocks of at most 60 KiB, and a commit waits for its own write: queue depth 1 is the bound \
                 that a commit sees",
    },
    Profile {
        name: "boot",
        title: "operating system start: random 16 KiB, 85 % reads",
        io: io(Pattern::Random, BlockSize::kib(16), 85, 4),
        source: "published traces of a Windows Server start: 453 read against 76 write IOPS, that is 86 % reads; block size and \
                 queue depth are assumed",
    },
    Profile {
        name: "paging",
        title: "page-in from the page file: random 4 KiB reads, one at a time",
        io: io(Pattern::Random, BlockSize::KIB_4, 100, 1),
        source: "a hard fault waits for one page of 4 KiB (x64, Arm64); the thread cannot ask for the next before it has this one",
    },
    Profile {
        name: "vdi",
        title: "virtual desktops at work: random 4 KiB, 20 % reads",
        io: io(Pattern::Random, BlockSize::KIB_4, 20, 8),
        source: "vendors' desktop sizing guides put steady state at 10 to 20 % reads, mostly 4 KiB; queue depth 8 is assumed",
    },
    Profile {
        name: "backup",
        title: "backup: sequential 1 MiB reads",
        io: io(Pattern::Sequential, BlockSize::MIB_1, 100, 32),
        source: "SQL Server BACKUP transfers up to 1 MiB an I/O (MAXTRANSFERSIZE default); 32 outstanding as in published DiskSpd \
                 backup settings",
    },
    Profile {
        name: "cdm-seq1m-q8t1",
        title: "CrystalDiskMark SEQ1M Q8T1, reads",
        io: io(Pattern::Sequential, BlockSize::MIB_1, 100, 8),
        source: CRYSTALDISKMARK,
    },
    Profile {
        name: "cdm-seq1m-q1t1",
        title: "CrystalDiskMark SEQ1M Q1T1, reads",
        io: io(Pattern::Sequential, BlockSize::MIB_1, 100, 1),
        source: CRYSTALDISKMARK,
    },
    Profile {
        name: "cdm-seq128k-q32t1",
        title: "CrystalDiskMark SEQ128K Q32T1, reads",
        io: io(Pattern::Sequential, BlockSize::kib(128), 100, 32),
        source: CRYSTALDISKMARK,
    },
    Profile {
        name: "cdm-rnd4k-q32t16",
        title: "CrystalDiskMark RND4K Q32T16, reads",
        io: io(Pattern::Random, BlockSize::KIB_4, 100, 512),
        source: CRYSTALDISKMARK,
    },
    Profile {
        name: "cdm-rnd4k-q1t1",
        title: "CrystalDiskMark RND4K Q1T1, reads",
        io: io(Pattern::Random, BlockSize::KIB_4, 100, 1),
        source: CRYSTALDISKMARK,
    },
];

/// A name that no profile has.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "unknown workload profile '{name}'{} profiles are {}{}",
    leading(&nearest(.name, PROFILES.iter().map(|p| p.name))),
    PROFILES.map(|p| p.name).join(", "),
    of_volume(.name)
)]
pub struct UnknownProfile {
    /// The name as given.
    pub name: String,
}

/// What stands between an unknown name and the known ones.
fn leading(nearest: &[String]) -> String {
    match did_you_mean(nearest) {
        question if question.is_empty() => ":".to_owned(),
        question => format!("{question} The"),
    }
}

/// Where a profile is that of all, and one was given to a volume.
fn of_volume(name: &str) -> &'static str {
    match name.split_once('=') {
        Some((_, profile)) if Profile::named(profile).is_ok() => {
            "; here it is that of every volume: leave out the volume and the ="
        }
        _ => "",
    }
}

impl Profile {
    /// The profile called `name`, whatever its case.
    ///
    /// # Errors
    /// [`UnknownProfile`], which lists the known ones.
    pub fn named(name: &str) -> Result<&'static Self, UnknownProfile> {
        PROFILES
            .iter()
            .find(|p| p.name.eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| UnknownProfile {
                name: name.to_owned(),
            })
    }
}

/// Parts of an [`Io`] that somebody set; what is not set stays as the profile or the default has it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct IoSettings {
    /// Random or sequential.
    pub pattern: Option<Pattern>,
    /// Block size.
    pub block_size: Option<BlockSize>,
    /// Share of reads.
    pub read_share: Option<Share>,
    /// Share of reads that the host cache answers.
    pub hit_share: Option<Share>,
    /// Outstanding I/Os.
    pub queue_depth: Option<QueueDepth>,
    /// Demand.
    pub demand: Option<Demand>,
}

impl IoSettings {
    /// `base` with everything that is set here put over it.
    #[must_use]
    pub fn over(self, base: Io) -> Io {
        Io {
            pattern: self.pattern.unwrap_or(base.pattern),
            block_size: self.block_size.unwrap_or(base.block_size),
            read_share: self.read_share.unwrap_or(base.read_share),
            hit_share: self.hit_share.unwrap_or(base.hit_share),
            queue_depth: self.queue_depth.or(base.queue_depth),
            demand: self.demand.unwrap_or(base.demand),
        }
    }

    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// One workload over a whole deployment: what each of its volumes is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// Short name, a key for results (`random-4k`, `oltp`).
    pub name: String,
    /// What it stands for.
    pub title: String,
    /// Where its figures come from; empty when the user gave them.
    pub source: String,
    /// The I/O of every volume, in the deployment's order.
    pub loads: Vec<Io>,
}

impl Workload {
    /// The same `profile` on each of `volumes` volumes.
    #[must_use]
    pub fn from_profile(profile: &Profile, volumes: usize) -> Self {
        Self {
            name: profile.name.to_owned(),
            title: profile.title.to_owned(),
            source: profile.source.to_owned(),
            loads: vec![profile.io; volumes],
        }
    }

    /// What is looked at when no workload is given: what CrystalDiskMark would measure. Random 4 KiB at depth for the
    /// IOPS limits, sequential 1 MiB for the MB/s limits, random 4 KiB at queue depth 1 for the latency.
    #[must_use]
    pub fn standard_set(volumes: usize) -> Vec<Self> {
        ["cdm-rnd4k-q32t16", "cdm-seq1m-q8t1", "cdm-rnd4k-q1t1"]
            .iter()
            .filter_map(|name| Profile::named(name).ok())
            .map(|profile| Self::from_profile(profile, volumes))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_found_by_name_and_unknown_ones_are_listed() {
        assert_eq!(
            Profile::named("OLTP").unwrap().io.block_size,
            BlockSize::KIB_8
        );
        let message = Profile::named("oltpp").unwrap_err().to_string();
        assert!(message.contains("olap-scan") && message.contains("cdm-rnd4k-q1t1"));
        let message = Profile::named("data=oltp").unwrap_err().to_string();
        assert!(
            message.ends_with("leave out the volume and the ="),
            "{message}"
        );
        assert!(PROFILES.iter().all(|p| !p.source.is_empty()));
    }

    #[test]
    fn settings_replace_only_what_they_name() {
        let settings = IoSettings {
            block_size: Some(BlockSize::KIB_64),
            ..IoSettings::default()
        };
        let oltp = Profile::named("oltp").unwrap().io;
        let io = settings.over(oltp);
        assert_eq!(io.block_size, BlockSize::KIB_64);
        assert_eq!(io.read_share, oltp.read_share);
        assert!(IoSettings::default().is_empty());
    }

    #[test]
    fn a_throughput_demand_is_a_rate_at_its_block_size() {
        let demand = Demand::Mbps(MBps::whole(200));
        let iops = demand
            .iops(BlockSize::from_bytes(256 * 1024).unwrap())
            .unwrap();
        assert!((iops.get() - 762.939_453).abs() < 1e-3);
        assert_eq!(Demand::Max.iops(BlockSize::KIB_4), None);
    }
}
