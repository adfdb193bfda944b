//! What is needed: volumes with their load, and what the VM size must be like.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kept::KeptVolume;
use crate::catalog::query::{
    FilterError, NamePattern, VmFilter, in_service, known_architecture, known_series,
};
use crate::catalog::{Bounds, Catalog, Family, Interface, Redundancy, VmSize};
use crate::deployment::spec::check_name;
use crate::planner::Resource;
use crate::units::{BlockSize, GiB, Iops, Latency, MBps, QueueDepth, Share};
use crate::workload::{Demand, Io, Pattern, Profile};

/// The most volumes of one need: the search is exact, and its answers are proven in every combination of loads.
pub const MAX_VOLUMES: usize = 10;

/// The most disks that a stripe may have: no size takes more data disks.
pub const MAX_STRIPE: u32 = 64;

/// How many disks are striped at most unless said otherwise: what is still simple to run.
pub(super) const DEFAULT_STRIPE: u32 = 4;

/// Hours of a month; a need is billed as if it held all the time, unless said otherwise.
const ALL_MONTH: f64 = crate::catalog::price::HOURS_PER_MONTH;

/// What is needed of one volume.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VolumeNeed {
    /// Its name, unique.
    pub name: String,
    /// Capacity.
    pub capacity_gib: GiB,
    /// I/Os a second.
    pub iops: Option<Iops>,
    /// MB/s.
    pub mbps: Option<MBps>,
    /// Block size of the IOPS; of the MB/s where no IOPS are asked. Where it does not say, IOPS are random 4 KiB and
    /// MB/s sequential 1 MiB, as they are quoted.
    #[serde(rename = "block_size_bytes")]
    pub block_size: Option<BlockSize>,
    /// Share of reads.
    pub read_share: Share,
    /// Share of the reads that the host cache answers; ReadOnly caching is looked at only where it is given.
    pub hit_share: Option<Share>,
    /// Outstanding I/Os at most; `None` means enough to reach every limit.
    pub queue_depth: Option<QueueDepth>,
    /// One I/O at a time must take less than this. An unknown latency never does.
    #[serde(rename = "latency_below_us")]
    pub latency_below: Option<Latency>,
    /// Redundancy.
    pub redundancy: Redundancy,
}

impl VolumeNeed {
    /// The name of a volume that is given without one.
    pub const PLAIN: &str = "data";

    /// A volume of which nothing but its capacity is said.
    #[must_use]
    pub fn new(name: impl Into<String>, capacity: GiB) -> Self {
        Self {
            name: name.into(),
            capacity_gib: capacity,
            iops: None,
            mbps: None,
            block_size: None,
            read_share: Share::ALL,
            hit_share: None,
            queue_depth: None,
            latency_below: None,
            redundancy: Redundancy::Lrs,
        }
    }

    /// With the block size, the share of reads and the queue depth of `profile`, where one is given.
    #[must_use]
    pub fn with_profile(self, profile: Option<&Profile>) -> Self {
        match profile {
            None => self,
            Some(profile) => Self {
                block_size: Some(profile.io.block_size),
                read_share: profile.io.read_share,
                queue_depth: profile.io.queue_depth,
                ..self
            },
        }
    }

    /// The block size in which its MB/s are moved: the one that is given where no IOPS are asked, which have it otherwise.
    #[must_use]
    pub fn block_of_mbps(&self) -> BlockSize {
        let given = self.block_size.filter(|_| self.iops.is_none());
        given.unwrap_or(BlockSize::MIB_1)
    }

    /// What it is asked for, at any time one of these: its IOPS, or its MB/s, each raised by `headroom`. A volume of
    /// which neither is wanted has one load that asks nothing.
    #[must_use]
    pub fn loads(&self, headroom: Share) -> Vec<Io> {
        let raise = 1.0 + headroom.get();
        let io = |pattern, block_size, demand| Io {
            pattern,
            block_size,
            read_share: self.read_share,
            hit_share: self.hit_share.unwrap_or(Share::NONE),
            queue_depth: self.queue_depth,
            demand,
        };
        let iops = self.iops.and_then(|v| Iops::new(v.get() * raise).ok());
        let mbps = self.mbps.and_then(|v| MBps::new(v.get() * raise).ok());
        let small = self.block_size.unwrap_or(BlockSize::KIB_4);
        let large = self.block_of_mbps();
        let random = |iops| io(Pattern::Random, small, Demand::Iops(iops));
        let sequential = |mbps| io(Pattern::Sequential, large, Demand::Mbps(mbps));
        let mut loads: Vec<Io> = iops.map(random).into_iter().collect();
        loads.extend(mbps.map(sequential));
        if loads.is_empty() {
            loads.push(random(Iops::ZERO));
        }
        loads
    }
}

/// For how long the need must be met.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Hold {
    /// Without end: burst credit does not count.
    #[default]
    Sustained,
    /// For so many minutes from full burst credit.
    Peak {
        /// How long.
        minutes: f64,
    },
}

impl Hold {
    /// What `resource` can do all this time; `None` where it is unknown. A full bucket of (burst - base) x its seconds
    /// lets (burst - base) x its seconds / time pass above the base, and never more than the burst.
    #[must_use]
    pub fn capacity(self, resource: &Resource) -> Option<f64> {
        let base = resource.base?;
        match (self, resource.burst, resource.bucket_seconds) {
            (Self::Peak { minutes }, Some(burst), Some(seconds)) => {
                Some(base + (burst - base).max(0.0) * (seconds / (minutes * 60.0)).min(1.0))
            }
            _ => Some(base),
        }
    }
}

/// What the VM size must be like. The default admits every size.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SizeNeed {
    /// vCPUs.
    pub vcpus: Bounds<u32>,
    /// Memory, GiB.
    pub memory_gib: Bounds<GiB>,
    /// Series that are allowed (`Dsv5`, `E*v5`); any where empty.
    pub series: Vec<String>,
    /// Series that are not wanted (`B*`).
    pub not_series: Vec<String>,
    /// Generation: the version in the name (`_v5`), 1 where there is none.
    pub generation: Bounds<u32>,
    /// CPU architecture (`x64`, `Arm64`).
    pub arch: Option<String>,
    /// It must have a local disk, SCSI temp or NVMe. What is needed is never put on it: it does not last.
    pub local_disk: bool,
    /// It can be deployed with this disk controller.
    pub interface: Option<Interface>,
    /// Sizes that are retired on this day are left out; without one, those that are on the day of the data.
    #[schemars(with = "Option<String>")]
    pub in_service_on: Option<Date>,
}

impl SizeNeed {
    /// The sizes that are like that and in service, and those that are like that and retired: on the day that is asked,
    /// else on that of the data.
    pub(super) fn in_service<'a>(
        &self,
        catalog: &'a Catalog,
    ) -> (Vec<&'a VmSize>, Vec<&'a VmSize>) {
        let day = self.in_service_on.or_else(|| catalog.info().newest());
        let any_day = Self {
            in_service_on: None,
            ..self.clone()
        };
        let all = any_day.of(catalog.vms()).into_iter();
        all.partition(|vm| day.is_none_or(|day| in_service(vm, day)))
    }

    /// The rows of `rows` that are like that.
    #[must_use]
    pub fn of<'a>(&self, rows: &'a [VmSize]) -> Vec<&'a VmSize> {
        let filter = VmFilter {
            vcpus: self.vcpus,
            memory: self.memory_gib,
            arch: self.arch.clone(),
            interface: self.interface,
            in_service_on: self.in_service_on,
            ..VmFilter::default()
        };
        let patterns = |of: &[String]| -> Vec<NamePattern> {
            of.iter().map(|series| NamePattern::new(series)).collect()
        };
        let (allowed, denied) = (patterns(&self.series), patterns(&self.not_series));
        let fits = |of: &[NamePattern], vm: &VmSize| of.iter().any(|p| p.fits(&vm.series));
        filter
            .of(rows)
            .filter(|vm| allowed.is_empty() || fits(&allowed, vm))
            .filter(|vm| !fits(&denied, vm))
            .filter(|vm| self.generation.admit(Some(vm.generation())))
            .filter(|vm| !self.local_disk || vm.temp.is_some() || vm.nvme.is_some())
            .collect()
    }
}

/// A whole need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Need {
    /// The volumes, all at work at once.
    pub volumes: Vec<VolumeNeed>,
    /// What the VM size must be like.
    pub size: SizeNeed,
    /// How many disks are striped to one volume at most.
    pub max_stripe: u32,
    /// How much more than asked must be possible.
    pub headroom: Share,
    /// For how long.
    pub hold: Hold,
    /// The families of disks to choose from.
    pub families: Vec<Family>,
    /// How many hours of the month the need is there, for disks that bill transactions.
    pub busy_hours: f64,
    /// Volumes that stay as they are, at work beside the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<KeptVolume>,
}

/// The families that are chosen from unless said otherwise. Standard HDD is not among them: its limits are "up to".
pub const FAMILIES: [Family; 4] = [
    Family::PremiumSsd,
    Family::StandardSsd,
    Family::PremiumSsdV2,
    Family::Ultra,
];

impl Need {
    /// A need of these volumes, nothing else said.
    #[must_use]
    pub fn new(volumes: Vec<VolumeNeed>) -> Self {
        Self {
            volumes,
            size: SizeNeed::default(),
            max_stripe: DEFAULT_STRIPE,
            headroom: Share::NONE,
            hold: Hold::Sustained,
            families: FAMILIES.to_vec(),
            busy_hours: ALL_MONTH,
            kept: Vec::new(),
        }
    }

    /// The volume of that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&VolumeNeed> {
        let mut volumes = self.volumes.iter();
        volumes.find(|volume| volume.name.eq_ignore_ascii_case(name))
    }

    /// Puts each of `volumes` in the place of the one that has its name, or behind the others. Two of the same name among
    /// them stay two, which [`Need::check`] refuses. A volume that stays as it is gives way to one of its name.
    pub fn put_over(&mut self, volumes: Vec<VolumeNeed>) {
        let is_given = |kept: &KeptVolume| {
            let mut names = volumes.iter().map(|volume| &volume.name);
            names.any(|name| name.eq_ignore_ascii_case(&kept.load.name))
        };
        self.kept.retain(|kept| !is_given(kept));
        let had = self.volumes.len();
        let mut replaced = vec![false; had];
        for volume in volumes {
            let same = |other: &VolumeNeed| other.name.eq_ignore_ascii_case(&volume.name);
            match self.volumes.iter().position(same) {
                Some(index) if index < had && !replaced[index] => {
                    self.volumes[index] = volume;
                    replaced[index] = true;
                }
                _ => self.volumes.push(volume),
            }
        }
    }

    /// Whether it can be looked for at all.
    ///
    /// # Errors
    /// [`NeedError`], which names what is wrong and what would be right.
    pub fn check(&self) -> Result<(), NeedError> {
        if self.volumes.is_empty() {
            return Err(NeedError::NoVolume);
        }
        if self.volumes.len() > MAX_VOLUMES {
            return Err(NeedError::TooManyVolumes {
                given: self.volumes.len(),
            });
        }
        for (index, volume) in self.volumes.iter().enumerate() {
            check_name(&volume.name).map_err(|e| NeedError::Name(e.to_string()))?;
            let same = |other: &VolumeNeed| other.name.eq_ignore_ascii_case(&volume.name);
            if self.volumes[..index].iter().any(same) {
                return Err(NeedError::DuplicateName(volume.name.clone()));
            }
            if volume.capacity_gib.get() <= 0.0 {
                return Err(NeedError::NoCapacity(volume.name.clone()));
            }
        }
        self.check_bounds()
    }

    fn check_bounds(&self) -> Result<(), NeedError> {
        if !(1..=MAX_STRIPE).contains(&self.max_stripe) {
            return Err(NeedError::Stripe(self.max_stripe));
        }
        NeedError::check_hours(self.busy_hours)?;
        self.hold.check()?;
        if let Some(arch) = &self.size.arch {
            known_architecture(arch)?;
        }
        match self.families.iter().find(|family| !family.is_managed()) {
            Some(family) => Err(NeedError::NotManaged(*family)),
            None if self.families.is_empty() => Err(NeedError::NoFamily),
            None => Ok(()),
        }
    }
}

impl SizeNeed {
    /// Whether `rows` have every series that is named: one without any is a slip, not a need.
    ///
    /// # Errors
    /// [`NeedError::Series`], which names the nearest.
    pub(super) fn check_series(&self, rows: &[VmSize]) -> Result<(), NeedError> {
        known_series(&self.series, rows)?;
        Ok(known_series(&self.not_series, rows)?)
    }
}

impl Hold {
    /// Whether it lasts at all.
    pub(super) fn check(self) -> Result<(), NeedError> {
        match self {
            Self::Peak { minutes } if !(minutes.is_finite() && minutes > 0.0) => {
                Err(NeedError::Peak(minutes))
            }
            _ => Ok(()),
        }
    }
}

impl NeedError {
    /// Whether a month has so many hours.
    pub(super) fn check_hours(hours: f64) -> Result<(), Self> {
        if (0.0..=744.0).contains(&hours) {
            Ok(())
        } else {
            Err(Self::BusyHours(hours))
        }
    }
}

/// Where the name of a volume comes from that was given without one.
fn plain_hint(name: &str) -> &'static str {
    if name.eq_ignore_ascii_case(VolumeNeed::PLAIN) {
        "; --capacity, and --volume without a name, are of that name"
    } else {
        ""
    }
}

/// Why a need cannot be looked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NeedError {
    /// No volume.
    #[error(
        "nothing is needed: give --capacity with --iops or --mbps, or --volume, or a need file"
    )]
    NoVolume,
    /// Too many volumes for an exact search.
    #[error(
        "{given} volumes are needed: at most {MAX_VOLUMES} can be searched exactly; split the need"
    )]
    TooManyVolumes {
        /// How many were given.
        given: usize,
    },
    /// A name that cannot be one.
    #[error("{0}")]
    Name(String),
    /// Two volumes share a name.
    #[error("two volumes are named '{0}': names must be unique{hint}", hint = plain_hint(.0))]
    DuplicateName(String),
    /// An architecture or a series that there is not.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A volume without capacity.
    #[error("volume '{0}' needs a capacity above 0, such as size=512GiB")]
    NoCapacity(String),
    /// The stripe is out of range.
    #[error("a stripe of at most {0} disks: write 1 to {MAX_STRIPE}")]
    Stripe(u32),
    /// The hours are out of range.
    #[error("{0} hours a month: write 0 to 744")]
    BusyHours(f64),
    /// The peak is out of range.
    #[error("a peak of {0} minutes: write a number above 0")]
    Peak(f64),
    /// A family that nothing durable is put on, or that has no price.
    #[error(
        "{0} cannot be recommended: choose from Premium SSD, Standard SSD, Standard HDD, Premium SSD v2 and Ultra Disk"
    )]
    NotManaged(Family),
    /// No family to choose from.
    #[error("no disk family is allowed: name at least one, such as premium or v2")]
    NoFamily,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_take_the_place_of_those_of_their_name() {
        let volume = |text: &str| text.parse::<VolumeNeed>().unwrap();
        let mut need = Need::new(vec![volume("data:size=1"), volume("log:size=2")]);
        need.put_over(vec![volume("Log:size=3"), volume("temp:size=4")]);
        let names: Vec<&str> = need.volumes.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["data", "Log", "temp"]);
        assert_eq!(need.volumes[1].capacity_gib, GiB::whole(3));
        // Two of one name are a slip.
        need.put_over(vec![volume("data:size=5"), volume("data:size=6")]);
        let refused = need.check().unwrap_err().to_string();
        assert!(
            refused.contains("'data'") && refused.contains("--capacity"),
            "{refused}"
        );
    }

    #[test]
    fn loads_are_quoted_as_people_quote_them_and_raised_by_the_headroom() {
        let mut need = VolumeNeed::new("data", GiB::whole(100));
        assert_eq!(
            need.loads(Share::NONE)[0].demand,
            Demand::Iops(Iops::whole(0))
        );
        need.iops = Some(Iops::whole(1000));
        need.mbps = Some(MBps::whole(200));
        let loads = need.loads(Share::percent(50));
        assert_eq!(loads[0].demand, Demand::Iops(Iops::whole(1500)));
        assert_eq!(loads[0].block_size, BlockSize::KIB_4);
        assert_eq!(loads[1].demand, Demand::Mbps(MBps::whole(300)));
        assert_eq!(loads[1].block_size, BlockSize::MIB_1);
        // The block size is that of the IOPS where both are asked, else of what is asked.
        need.block_size = Some(BlockSize::KIB_64);
        let blocks = |need: &VolumeNeed| -> Vec<BlockSize> {
            let loads = need.loads(Share::NONE);
            loads.iter().map(|io| io.block_size).collect()
        };
        assert_eq!(blocks(&need), [BlockSize::KIB_64, BlockSize::MIB_1]);
        need.iops = None;
        assert_eq!(blocks(&need), [BlockSize::KIB_64]);
    }

    #[test]
    fn wrong_needs_say_what_is_wrong() {
        let one = || VolumeNeed::new("data", GiB::whole(10));
        assert!(Need::new(vec![one()]).check().is_ok());
        assert_eq!(Need::new(vec![]).check(), Err(NeedError::NoVolume));
        let twice = Need::new(vec![one(), one()]).check();
        assert_eq!(twice, Err(NeedError::DuplicateName("data".to_owned())));
        let empty = Need::new(vec![VolumeNeed::new("x", GiB::ZERO)]).check();
        assert_eq!(empty, Err(NeedError::NoCapacity("x".to_owned())));
        let temp = Need {
            families: vec![Family::Temp],
            ..Need::new(vec![one()])
        };
        assert_eq!(temp.check(), Err(NeedError::NotManaged(Family::Temp)));
        let stripe = Need {
            max_stripe: 0,
            ..Need::new(vec![one()])
        };
        assert_eq!(stripe.check(), Err(NeedError::Stripe(0)));
    }
}
