//! Needs written down: a TOML file, and the short form of one volume, `data:size=2TiB,iops=20000`.
//!
//! `diskcap recommend --example` prints [`EXAMPLE`], a commented file with every key.

use std::path::Path;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::need::{Hold, Need, SizeNeed, VolumeNeed};
use crate::catalog::lookup::{did_you_mean, nearest};
use crate::catalog::{Bounds, Family, Interface, Redundancy};
use crate::deployment::DiskSpec;
use crate::deployment::plan_file::decoded;
use crate::deployment::plan_workload::quantity;
use crate::units::{BlockSize, GiB, Iops, Latency, MBps, QueueDepth, Share, UnitError};

/// A commented need file with every key.
pub const EXAMPLE: &str = include_str!("need_example.toml");

/// Why a need file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NeedFileError {
    /// The file cannot be read.
    #[error("cannot read need file '{path}': {source}")]
    Read {
        /// The path as given.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no text that can be read.
    #[error(
        "need file '{path}': it is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8"
    )]
    Encoding {
        /// The path as given.
        path: String,
    },
    /// The file is not TOML, or has a key or value that a need file does not have.
    #[error("need file '{path}': {source}")]
    Toml {
        /// The path as given.
        path: String,
        /// What and where, with the line itself.
        source: Box<toml::de::Error>,
    },
}

/// A need file, read.
#[derive(Debug, Clone, PartialEq)]
pub struct NeedFile {
    /// The need.
    pub need: Need,
    /// The region, where it names one.
    pub region: Option<String>,
}

impl NeedFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`NeedFileError`], which names the file, the line where there is one, and what would be right.
    pub fn read(path: &Path) -> Result<Self, NeedFileError> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| NeedFileError::Read {
            path: shown.clone(),
            source,
        })?;
        let text = decoded(&bytes).ok_or_else(|| NeedFileError::Encoding {
            path: shown.clone(),
        })?;
        Self::parse(&text, &shown)
    }

    /// Reads `text`; `path` is only named in errors.
    ///
    /// # Errors
    /// As [`NeedFile::read`].
    pub fn parse(text: &str, path: &str) -> Result<Self, NeedFileError> {
        let text = text.trim_start_matches('\u{feff}');
        let raw: RawNeed = toml::from_str(text).map_err(|source| NeedFileError::Toml {
            path: path.to_owned(),
            source: Box::new(source),
        })?;
        let volumes = raw.volume.into_iter().enumerate();
        let volumes = volumes.map(|(index, volume)| volume.into_need(index));
        let plain = Need::new(volumes.collect());
        let peak = |minutes| Hold::Peak { minutes };
        Ok(Self {
            region: raw.region,
            need: Need {
                size: raw.size.into(),
                max_stripe: raw.max_stripe.unwrap_or(plain.max_stripe),
                headroom: raw.headroom.unwrap_or(plain.headroom),
                hold: raw.peak_minutes.map_or(plain.hold, peak),
                families: raw.families.map_or(plain.families, |list| list.0),
                busy_hours: raw.busy_hours.unwrap_or(plain.busy_hours),
                volumes: plain.volumes,
            },
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNeed {
    region: Option<String>,
    max_stripe: Option<u32>,
    #[serde(default, deserialize_with = "quantity")]
    headroom: Option<Share>,
    peak_minutes: Option<f64>,
    families: Option<FamilyList>,
    busy_hours: Option<f64>,
    #[serde(default)]
    size: RawSize,
    #[serde(default)]
    volume: Vec<RawVolume>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawSize {
    #[serde(deserialize_with = "quantity")]
    vcpus: Option<Bounds<u32>>,
    #[serde(deserialize_with = "quantity")]
    memory: Option<Bounds<GiB>>,
    series: Vec<String>,
    not_series: Vec<String>,
    #[serde(deserialize_with = "quantity")]
    generation: Option<Bounds<u32>>,
    arch: Option<String>,
    local_disk: bool,
    interface: Option<Interface>,
}

impl From<RawSize> for SizeNeed {
    fn from(raw: RawSize) -> Self {
        Self {
            vcpus: raw.vcpus.unwrap_or_default(),
            memory_gib: raw.memory.unwrap_or_default(),
            series: raw.series,
            not_series: raw.not_series,
            generation: raw.generation.unwrap_or_default(),
            arch: raw.arch,
            local_disk: raw.local_disk,
            interface: raw.interface,
            in_service_on: None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVolume {
    name: Option<String>,
    #[serde(deserialize_with = "quantity")]
    size: Option<GiB>,
    #[serde(default, deserialize_with = "quantity")]
    iops: Option<Iops>,
    #[serde(default, deserialize_with = "quantity")]
    mbps: Option<MBps>,
    #[serde(default, deserialize_with = "quantity")]
    block_size: Option<BlockSize>,
    #[serde(default, deserialize_with = "quantity")]
    read_share: Option<Share>,
    #[serde(default, deserialize_with = "quantity")]
    hit_share: Option<Share>,
    #[serde(default, deserialize_with = "quantity")]
    queue_depth: Option<QueueDepth>,
    #[serde(default, deserialize_with = "quantity")]
    latency: Option<Latency>,
    #[serde(default)]
    zrs: bool,
}

impl RawVolume {
    fn into_need(self, index: usize) -> VolumeNeed {
        let name = self.name.unwrap_or_else(|| format!("volume-{}", index + 1));
        let plain = VolumeNeed::new(name, self.size.unwrap_or(GiB::ZERO));
        VolumeNeed {
            iops: self.iops,
            mbps: self.mbps,
            block_size: self.block_size,
            read_share: self.read_share.unwrap_or(plain.read_share),
            hit_share: self.hit_share,
            queue_depth: self.queue_depth,
            latency_below: self.latency,
            redundancy: redundancy(self.zrs),
            ..plain
        }
    }
}

const fn redundancy(zrs: bool) -> Redundancy {
    if zrs {
        Redundancy::Zrs
    } else {
        Redundancy::Lrs
    }
}

/// The families that `text` names, in the words of disk specs, separated by commas.
///
/// # Errors
/// The message of the disk spec, which lists the words.
pub fn families(text: &str) -> Result<Vec<Family>, String> {
    let family = |word: &str| -> Result<Family, String> {
        let spec: DiskSpec = word
            .parse()
            .map_err(|e: crate::deployment::SpecError| e.to_string())?;
        Ok(spec.request.family)
    };
    text.split(',').map(family).collect()
}

#[derive(Debug)]
struct FamilyList(Vec<Family>);

impl<'de> Deserialize<'de> for FamilyList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        families(&words.join(","))
            .map(Self)
            .map_err(D::Error::custom)
    }
}

/// The keys of a volume's short form.
const KEYS: [&str; 9] = [
    "size", "iops", "mbps", "block", "read", "hit", "depth", "latency", "zrs",
];

/// Why a text is not the short form of a volume.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VolumeError {
    /// A key that there is not.
    #[error("volume '{input}': unknown key '{key}'{}: keys are {}", did_you_mean(.nearest), KEYS.join(", "))]
    Key {
        /// The whole text.
        input: String,
        /// The key.
        key: String,
        /// The nearest known ones.
        nearest: Vec<String>,
    },
    /// A key without a value.
    #[error("volume '{input}': '{key}' needs a value, such as data:size=2TiB,iops=20000,mbps=500")]
    NoValue {
        /// The whole text.
        input: String,
        /// The key.
        key: String,
    },
    /// A value that is not the quantity that the key wants.
    #[error("volume '{input}': {key}: {source}")]
    Unit {
        /// The whole text.
        input: String,
        /// The key.
        key: String,
        /// Why.
        source: UnitError,
    },
    /// No capacity.
    #[error(
        "volume '{0}' needs a capacity: write NAME:size=2TiB[,iops=N][,mbps=N][,latency=1ms]..."
    )]
    NoSize(String),
}

impl FromStr for VolumeNeed {
    type Err = VolumeError;

    /// `[NAME:]size=2TiB[,iops=N][,mbps=N][,block=8KiB][,read=70%][,hit=50%][,depth=N][,latency=1ms][,zrs]`.
    fn from_str(input: &str) -> Result<Self, VolumeError> {
        let (name, keys) = input.split_once(':').unwrap_or(("data", input));
        let mut volume = Self::new(name.trim(), GiB::ZERO);
        for item in keys.split(',').map(str::trim).filter(|i| !i.is_empty()) {
            let (key, value) = item.split_once('=').unwrap_or((item, ""));
            set(&mut volume, input, key.trim().to_lowercase(), value.trim())?;
        }
        if volume.capacity_gib == GiB::ZERO {
            return Err(VolumeError::NoSize(input.to_owned()));
        }
        Ok(volume)
    }
}

fn set(volume: &mut VolumeNeed, input: &str, key: String, value: &str) -> Result<(), VolumeError> {
    let input = || input.to_owned();
    if key == "zrs" {
        volume.redundancy = redundancy(!matches!(value, "off" | "no" | "false"));
        return Ok(());
    }
    if KEYS.contains(&key.as_str()) && value.is_empty() {
        return Err(VolumeError::NoValue {
            input: input(),
            key,
        });
    }
    let result = match key.as_str() {
        "size" => value.parse().map(|v| volume.capacity_gib = v),
        "iops" => value.parse().map(|v| volume.iops = Some(v)),
        "mbps" => value.parse().map(|v| volume.mbps = Some(v)),
        "block" => value.parse().map(|v| volume.block_size = Some(v)),
        "read" => value.parse().map(|v| volume.read_share = v),
        "hit" => value.parse().map(|v| volume.hit_share = Some(v)),
        "depth" => value.parse().map(|v| volume.queue_depth = Some(v)),
        "latency" => value.parse().map(|v| volume.latency_below = Some(v)),
        _ => {
            let nearest = nearest(&key, KEYS.iter().copied());
            return Err(VolumeError::Key {
                input: input(),
                key,
                nearest,
            });
        }
    };
    result.map_err(|source| VolumeError::Unit {
        input: input(),
        key,
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_a_need() {
        let file = NeedFile::parse(EXAMPLE, "example").unwrap();
        file.need.check().unwrap();
        assert_eq!(file.need.volumes.len(), 3);
        assert_eq!(file.need.size.vcpus.min, Some(4));
        assert_eq!(file.need.volumes[0].capacity_gib, GiB::whole(2048));
        assert_eq!(file.region.as_deref(), Some("eastus"));
    }

    #[test]
    fn a_volume_in_short() {
        let volume: VolumeNeed =
            "log:size=128GiB,iops=5k,block=60KiB,read=0,depth=4,latency=1ms,zrs"
                .parse()
                .unwrap();
        assert_eq!(
            (volume.name.as_str(), volume.capacity_gib),
            ("log", GiB::whole(128))
        );
        assert_eq!(volume.iops, Some(Iops::whole(5000)));
        assert_eq!(volume.read_share, Share::NONE);
        assert_eq!(volume.latency_below.unwrap().millis(), 1.0);
        assert_eq!(volume.redundancy, Redundancy::Zrs);
    }

    #[test]
    fn wrong_volumes_and_files_say_what_is_right() {
        let error = |text: &str| text.parse::<VolumeNeed>().unwrap_err().to_string();
        assert!(error("data:iops=5").contains("needs a capacity"));
        assert!(error("data:size=1,iosp=5").contains("did you mean iops?"));
        assert!(error("data:size=").contains("needs a value"));
        assert!(error("data:size=big").contains("data:size=big"));
        let file = |text: &str| NeedFile::parse(text, "n.toml").unwrap_err().to_string();
        assert!(file("[[volume]]\nsize = 1\nisops = 5").contains("line 3"));
        assert!(file("[size]\nvcpus = 'many'").contains("line 2"));
        assert!(file("families = ['floppy']").contains("v2, ultra"));
    }
}
