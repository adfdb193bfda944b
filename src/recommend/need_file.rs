//! Needs written down in a TOML file.
//!
//! `diskcap recommend --example` prints [`EXAMPLE`], a commented file with every key.

use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::need::{Hold, Need, NeedError, SizeNeed, VolumeNeed};
use super::need_values::{Architecture, Capacity, Hours, KnownProfile, Minutes, Stripe};
use crate::catalog::{Bounds, DiskRequest, Family, Interface, Redundancy};
use crate::deployment::DiskSpec;
use crate::deployment::plan_file::decoded;
use crate::deployment::toml_values::{Flag, Tables, Word, Words, quantity, required};
use crate::units::{BlockSize, GiB, Iops, Latency, MBps, QueueDepth, Share};

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
        let peak = |Minutes(minutes)| Hold::Peak { minutes };
        Ok(Self {
            region: raw.region.map(|region| region.0),
            need: Need {
                size: raw.size.into(),
                max_stripe: raw.max_stripe.map_or(plain.max_stripe, |most| most.0),
                headroom: raw.headroom.unwrap_or(plain.headroom),
                hold: raw.peak_minutes.map_or(plain.hold, peak),
                families: raw.families.map_or(plain.families, |list| list.0),
                busy_hours: raw.busy_hours.map_or(plain.busy_hours, |hours| hours.0),
                volumes: plain.volumes,
                kept: plain.kept,
            },
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNeed {
    region: Option<Word>,
    #[serde(default, deserialize_with = "quantity")]
    max_stripe: Option<Stripe>,
    #[serde(default, deserialize_with = "quantity")]
    headroom: Option<Share>,
    #[serde(default, deserialize_with = "quantity")]
    peak_minutes: Option<Minutes>,
    families: Option<FamilyList>,
    #[serde(default, deserialize_with = "quantity")]
    busy_hours: Option<Hours>,
    #[serde(default)]
    size: RawSize,
    #[serde(default, deserialize_with = "volumes")]
    volume: Vec<RawVolume>,
}

fn volumes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RawVolume>, D::Error> {
    deserializer.deserialize_any(Tables::new("volume"))
}

#[derive(Debug, Default, Deserialize)]
#[serde(
    deny_unknown_fields,
    default,
    expecting = "a table: [size] on a line, and below it vcpus = \"4..32\""
)]
struct RawSize {
    #[serde(deserialize_with = "quantity")]
    vcpus: Option<Bounds<u32>>,
    #[serde(deserialize_with = "quantity")]
    memory: Option<Bounds<GiB>>,
    series: Words,
    not_series: Words,
    #[serde(deserialize_with = "quantity")]
    generation: Option<Bounds<u32>>,
    #[serde(deserialize_with = "quantity")]
    arch: Option<Architecture>,
    local_disk: Flag,
    interface: Option<Interface>,
}

impl From<RawSize> for SizeNeed {
    fn from(raw: RawSize) -> Self {
        Self {
            vcpus: raw.vcpus.unwrap_or_default(),
            memory_gib: raw.memory.unwrap_or_default(),
            series: raw.series.0,
            not_series: raw.not_series.0,
            generation: raw.generation.unwrap_or_default(),
            arch: raw.arch.map(|arch| arch.0.to_owned()),
            local_disk: raw.local_disk.0,
            interface: raw.interface,
            in_service_on: None,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table: [[volume]] on a line, and below it size = \"2TiB\""
)]
struct RawVolume {
    name: Option<Word>,
    #[serde(deserialize_with = "required")]
    size: Capacity,
    #[serde(default, deserialize_with = "quantity")]
    iops: Option<Iops>,
    #[serde(default, deserialize_with = "quantity")]
    mbps: Option<MBps>,
    #[serde(default, deserialize_with = "quantity")]
    profile: Option<KnownProfile>,
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
    zrs: Flag,
}

impl RawVolume {
    fn into_need(self, index: usize) -> VolumeNeed {
        let given = self.name.map(|name| name.0);
        let name = given.unwrap_or_else(|| format!("volume-{}", index + 1));
        let profile = self.profile.map(|known| known.0);
        let plain = VolumeNeed::new(name, self.size.0).with_profile(profile);
        VolumeNeed {
            iops: self.iops,
            mbps: self.mbps,
            block_size: self.block_size.or(plain.block_size),
            read_share: self.read_share.unwrap_or(plain.read_share),
            hit_share: self.hit_share,
            queue_depth: self.queue_depth.or(plain.queue_depth),
            latency_below: self.latency,
            redundancy: Redundancy::of_zones(self.zrs.0),
            ..plain
        }
    }
}

/// The families that `text` names, in the words of disk specs, separated by commas.
///
/// # Errors
/// A message that names what is no family, and lists the words.
pub fn families(text: &str) -> Result<Vec<Family>, String> {
    let family = |word: &str| -> Result<Family, String> {
        let wrong = |what: &str| {
            format!("'{word}' is {what}: families are premium, standardssd, hdd, v2 and ultra")
        };
        let spec: DiskSpec = word.parse().map_err(|_| wrong("no family of disks"))?;
        let family = spec.request.family;
        if spec == DiskSpec::new(DiskRequest::new(family)) {
            Ok(family)
        } else {
            Err(wrong("one disk, not a family of them"))
        }
    };
    text.split(',').map(str::trim).map(family).collect()
}

#[derive(Debug)]
struct FamilyList(Vec<Family>);

impl<'de> Deserialize<'de> for FamilyList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Words(words) = Words::deserialize(deserializer)?;
        if words.is_empty() {
            return Err(D::Error::custom(NeedError::NoFamily));
        }
        families(&words.join(","))
            .map(Self)
            .map_err(D::Error::custom)
    }
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
    fn wrong_files_say_what_is_right() {
        let file = |text: &str| NeedFile::parse(text, "n.toml").unwrap_err().to_string();
        assert!(file("[[volume]]\nsize = 1\nisops = 5").contains("line 3"));
        assert!(file("[size]\nvcpus = 'many'").contains("line 2"));
        assert!(file("families = ['floppy']").contains("v2 and ultra"));
    }

    #[test]
    fn every_key_says_its_line_and_what_is_right() {
        let size = |keys: &str| format!("[size]\n{keys}\n[[volume]]\nsize = 1");
        let volume = |keys: &str| format!("[[volume]]\nsize = 1\n{keys}");
        for (text, line, right) in [
            ("headroom = 20".to_owned(), 1, "\"20%\""),
            ("max_stripe = 0".to_owned(), 1, "write 1 to 64"),
            ("peak_minutes = '20min'".to_owned(), 1, "such as 20"),
            ("peak_minutes = -3".to_owned(), 1, "above 0"),
            ("busy_hours = 800".to_owned(), 1, "write 0 to 744"),
            ("families = 'P30'".to_owned(), 1, "premium, standardssd"),
            ("families = []".to_owned(), 1, "at least one"),
            ("[volume]\nsize = 1".to_owned(), 1, "[[volume]]"),
            ("\n[[volume]]\nname = 'x'".to_owned(), 2, "`size`"),
            ("size = 'D8s_v5'".to_owned(), 1, "[size] on a line"),
            (size("vcpus = 4.5"), 2, "MIN..MAX"),
            (size("vcpus = '8..4'"), 2, "the least first"),
            (size("memory = '64 pounds'"), 2, "MIN..MAX"),
            (size("generation = 'v5'"), 2, "MIN..MAX"),
            (size("arch = 'mips'"), 2, "x64 or Arm64"),
            (size("series = 5"), 2, "a list of texts"),
            (size("local_disk = 'some'"), 2, "true or false"),
            (size("interface = 'sata'"), 2, "scsi"),
            ("[[volume]]\nsize = 0".to_owned(), 2, "above 0"),
            (volume("block_size = 8"), 3, "\"8KiB\""),
            (volume("read_share = 70"), 3, "\"70%\""),
            (volume("latency = 1"), 3, "in quotes"),
            (volume("queue_depth = 0"), 3, "from 1"),
            (volume("zrs = 'maybe'"), 3, "true or false"),
        ] {
            let message = NeedFile::parse(&text, "n.toml").unwrap_err().to_string();
            let says_line = message.contains(&format!("line {line}"));
            assert!(says_line && message.contains(right), "{text}: {message}");
            for inside in ["u32", "f64", "Raw", "sequence", "map"] {
                assert!(!message.contains(inside), "{text}: {message}");
            }
        }
    }
}
