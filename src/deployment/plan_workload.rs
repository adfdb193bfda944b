//! The workload keys of a plan file, of the whole plan, of a volume and of a step.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

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

/// Defines a table of a plan file that has the workload keys, and others besides. (Serde's `flatten` would do so too,
/// and would lose the lines of errors and the names of unknown keys.)
macro_rules! workload_table {
    ($(#[$doc:meta])* $name:ident { $($(#[$attribute:meta])* $key:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            $($(#[$attribute])* $key: $kind,)*
            profile: Option<String>,
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
            #[serde(default, deserialize_with = "quantity")]
            mbps: Option<MBps>,
        }

        impl $name {
            /// What the workload keys say.
            fn asked(&self) -> Result<Asked, UnknownProfile> {
                Ok(Asked {
                    profile: self.profile.as_deref().map(Profile::named).transpose()?,
                    settings: IoSettings {
                        pattern: self.pattern,
                        block_size: self.block_size,
                        read_share: self.read_share,
                        hit_share: self.hit_share,
                        queue_depth: self.queue_depth,
                        demand: self.iops.map(Demand::Iops).or(self.mbps.map(Demand::Mbps)),
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
    pub(super) fn resolve(&self) -> Result<Asked, UnknownProfile> {
        self.asked()
    }
}

impl RawStep {
    pub(super) fn resolve(&self) -> Result<StepSpec, UnknownProfile> {
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

/// As [`quantity`], for a key that must be there.
fn required<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display,
{
    quantity(deserializer)?.ok_or_else(|| de::Error::custom("a value is needed"))
}

/// Reads a quantity written as a number (`size = 512`) or as a text with its unit (`size = "1TiB"`).
pub(crate) fn quantity<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: fmt::Display,
{
    struct NumberOrText<T>(PhantomData<T>);

    impl<T> Visitor<'_> for NumberOrText<T>
    where
        T: FromStr,
        T::Err: fmt::Display,
    {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number, or a text with a unit")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_f64<E: de::Error>(self, number: f64) -> Result<T, E> {
            self.visit_str(&number.to_string())
        }
    }

    deserializer
        .deserialize_any(NumberOrText(PhantomData))
        .map(Some)
}
