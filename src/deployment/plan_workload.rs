//! The workload keys of a plan file, of the whole plan, of a volume and of a step.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::Deserialize;
use toml::Spanned;

use super::toml_values::{Quantity, quantity, required};
use crate::units::{BlockSize, Iops, MBps, QueueDepth, Seconds, Share};
use crate::workload::{Demand, IoSettings, Pattern, Profile, UnknownProfile};

/// What one place of a plan file says of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Asked {
    /// The named workload that the rest is put over.
    pub profile: Option<&'static Profile>,
    /// What is said besides.
    pub settings: IoSettings,
}

impl Asked {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.profile.is_none() && self.settings.is_empty()
    }
}

/// One step of a workload over time.
#[derive(Debug, Clone, PartialEq)]
pub struct StepSpec {
    /// How long it lasts.
    pub lasts: Seconds,
    /// What it asks of every volume.
    pub workload: Asked,
    /// What it asks of single volumes, by name.
    pub volumes: Vec<(String, Asked)>,
}

/// A demand in IOPS and one in MB/s in one place: a flow has one, and the other would be left out unseen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TwoDemands {
    /// Where the second stands in the text.
    pub(super) at: usize,
}

/// A profile by its name.
#[derive(Debug, Clone, Copy)]
struct Named(&'static Profile);

impl FromStr for Named {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Profile::named(name).map(Self)
    }
}

/// Defines a table of a plan file that has the workload keys, and others besides. (Serde's `flatten` would do so too,
/// and would lose the lines of errors and the names of unknown keys.)
macro_rules! workload_table {
    ($(#[$doc:meta])* $name:ident { $($(#[$attribute:meta])* $key:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields, expecting = "a table of workload keys, such as { profile = \"oltp\" }")]
        pub(super) struct $name {
            $($(#[$attribute])* $key: $kind,)*
            #[serde(default, deserialize_with = "quantity")]
            profile: Option<Named>,
            pattern: Option<Pattern>,
            #[serde(default, deserialize_with = "quantity")]
            block_size: Option<BlockSize>,
            #[serde(default, deserialize_with = "quantity")]
            read_share: Option<Share>,
            #[serde(default, deserialize_with = "quantity")]
            hit_share: Option<Share>,
            #[serde(default, deserialize_with = "quantity")]
            queue_depth: Option<QueueDepth>,
            #[serde(default, deserialize_with = "quantity")]
            iops: Option<Iops>,
            mbps: Option<Spanned<Quantity<MBps>>>,
        }

        impl $name {
            /// What the workload keys say.
            fn asked(&self) -> Result<Asked, TwoDemands> {
                let mbps = self.mbps.as_ref().map(|mbps| (mbps.get_ref().0, mbps.span().start));
                let demand = match (self.iops, mbps) {
                    (Some(_), Some((_, at))) => return Err(TwoDemands { at }),
                    (Some(iops), None) => Some(Demand::Iops(iops)),
                    (None, mbps) => mbps.map(|(mbps, _)| Demand::Mbps(mbps)),
                };
                Ok(Asked {
                    profile: self.profile.map(|named| named.0),
                    settings: IoSettings {
                        pattern: self.pattern,
                        block_size: self.block_size,
                        read_share: self.read_share,
                        hit_share: self.hit_share,
                        queue_depth: self.queue_depth,
                        demand,
                    },
                })
            }
        }
    };
}

workload_table! {
    /// `[workload]`, and `workload` of a disk.
    #[derive(Default)]
    RawWorkload {}
}

workload_table! {
    /// `[[step]]`.
    RawStep {
        #[serde(rename = "for", deserialize_with = "required")]
        lasts: Seconds,
        #[serde(default)]
        volume: BTreeMap<String, RawWorkload>,
    }
}

impl RawWorkload {
    pub(super) fn resolve(&self) -> Result<Asked, TwoDemands> {
        self.asked()
    }
}

impl RawStep {
    pub(super) fn resolve(&self) -> Result<StepSpec, TwoDemands> {
        let volumes = self.volume.iter();
        Ok(StepSpec {
            lasts: self.lasts,
            workload: self.asked()?,
            volumes: volumes
                .map(|(name, raw)| Ok((name.clone(), raw.resolve()?)))
                .collect::<Result<_, _>>()?,
        })
    }
}
