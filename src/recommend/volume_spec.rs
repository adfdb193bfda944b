//! The short form of what is needed of one volume: `data:size=2TiB,iops=20000`.

use std::str::FromStr;

use super::need::VolumeNeed;
use crate::catalog::Redundancy;
use crate::catalog::lookup::{did_you_mean, nearest};
use crate::units::{GiB, UnitError};
use crate::workload::{Profile, UnknownProfile};

/// The keys of a volume's short form.
pub const KEYS: [&str; 10] = [
    "size", "iops", "mbps", "profile", "block", "read", "hit", "depth", "latency", "zrs",
];

/// Why a text is not the short form of a volume.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VolumeError {
    /// A key that there is not.
    #[error("volume '{input}': unknown key '{key}'{}: keys are {}; a name stands before a colon, such as data:size=2TiB", did_you_mean(.nearest), KEYS.join(", "))]
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
    /// A profile that there is not.
    #[error("volume '{input}': {source}")]
    Profile {
        /// The whole text.
        input: String,
        /// Why, with the known ones.
        source: UnknownProfile,
    },
    /// No capacity.
    #[error(
        "volume '{0}' needs a capacity: write NAME:size=2TiB[,iops=N][,mbps=N][,latency=1ms]..."
    )]
    NoSize(String),
}

impl FromStr for VolumeNeed {
    type Err = VolumeError;

    /// `[NAME:]size=2TiB[,iops=N][,mbps=N][,profile=oltp][,block=8KiB][,read=70%][,hit=50%][,depth=N][,latency=1ms][,zrs]`;
    /// what stands beside a profile goes over it.
    fn from_str(input: &str) -> Result<Self, VolumeError> {
        let (name, keys) = input.split_once(':').unwrap_or((Self::PLAIN, input));
        let items = keys.split(',').map(str::trim).filter(|i| !i.is_empty());
        let mut pairs: Vec<(String, &str)> = items
            .map(|item| {
                let (key, value) = item.split_once('=').unwrap_or((item, ""));
                (key.trim().to_lowercase(), value.trim())
            })
            .collect();
        pairs.sort_by_key(|(key, _)| key != "profile");
        let mut volume = Self::new(name.trim(), GiB::ZERO);
        for (key, value) in pairs {
            set(&mut volume, input, key, value)?;
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
        volume.redundancy = Redundancy::of_zones(!matches!(value, "off" | "no" | "false"));
        return Ok(());
    }
    if KEYS.contains(&key.as_str()) && value.is_empty() {
        return Err(VolumeError::NoValue {
            input: input(),
            key,
        });
    }
    if key == "profile" {
        let profile = Profile::named(value).map_err(|source| VolumeError::Profile {
            input: input(),
            source,
        })?;
        *volume = volume.clone().with_profile(Some(profile));
        return Ok(());
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
    use crate::units::{BlockSize, Iops, QueueDepth, Share};

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

    /// OLTP is 8 KiB, 70 % reads, 32 outstanding; what is written beside it goes over it, before or behind.
    #[test]
    fn a_profile_says_block_size_reads_and_queue_depth() {
        let volume = |text: &str| text.parse::<VolumeNeed>().unwrap();
        let io = |v: &VolumeNeed| (v.block_size, v.read_share, v.queue_depth);
        assert_eq!(
            io(&volume("size=1TiB,iops=5000,profile=oltp")),
            (
                Some(BlockSize::KIB_8),
                Share::percent(70),
                QueueDepth::new(32)
            )
        );
        for text in [
            "size=1,read=50%,profile=OLTP,depth=8",
            "size=1,profile=oltp,depth=8,read=50%",
        ] {
            assert_eq!(
                io(&volume(text)),
                (
                    Some(BlockSize::KIB_8),
                    Share::percent(50),
                    QueueDepth::new(8)
                ),
                "{text}"
            );
        }
        let wrong = "size=1,profile=oltpp"
            .parse::<VolumeNeed>()
            .unwrap_err()
            .to_string();
        assert!(
            wrong.contains("oltpp") && wrong.contains("olap-scan"),
            "{wrong}"
        );
    }

    #[test]
    fn wrong_volumes_say_what_is_right() {
        let error = |text: &str| text.parse::<VolumeNeed>().unwrap_err().to_string();
        assert!(error("data:iops=5").contains("needs a capacity"));
        assert!(error("data:size=1,iosp=5").contains("did you mean iops?"));
        assert!(error("data:size=").contains("needs a value"));
        assert!(error("data:size=big").contains("data:size=big"));
    }
}
