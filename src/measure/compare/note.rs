//! Notes of a comparison, each with a stable id.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::planner::findings::{Explanation, Figure, Severity};

/// One conclusion from the figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// Its stable id.
    pub id: NoteId,
    /// How much it weighs.
    pub severity: Severity,
    /// The columns that it is about.
    pub columns: Vec<usize>,
    /// The rows that show it.
    pub rows: Vec<usize>,
    /// What is the matter, with its numbers.
    pub message: String,
    /// The numbers by themselves, for scripts.
    pub figures: Vec<Figure>,
    /// What to do about it.
    pub fix: Option<String>,
}

/// Defines the ids with their codes and explanations from one list.
macro_rules! note_ids {
    ($($variant:ident, $code:literal, $severity:ident, $title:literal, $rule:literal;)*) => {
        /// The id of a note: stable over versions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        pub enum NoteId {
            $(
                #[doc = $title]
                #[serde(rename = $code)]
                $variant,
            )*
        }

        impl NoteId {
            /// Every id, in order of weight.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code that is printed.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$variant => $code,)*
                }
            }

            /// How much it weighs.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)*
                }
            }

            /// What it means.
            #[must_use]
            pub const fn explanation(self) -> Explanation {
                match self {
                    $(Self::$variant => Explanation {
                        title: $title,
                        rule: $rule,
                        source: "diskcap's rules for comparisons, with their thresholds",
                    },)*
                }
            }
        }
    };
}

note_ids! {
    HostCacheReads, "HOST-CACHE-READS", Warning, "reads that come from the host's memory, not from the disk",
        "In configurations of one disk, reads at queue depth 1 are at least 3 times those of a configuration in which the device needs 1 ms or more for each, or take less than any disk behind a network can (100 us and the transfer over 100 Gbit/s), or more than 10,000 MB/s are read. No cache or I/O mode makes the device itself faster. All reads that gain as much are named.";
    VolatileWriteCache, "VOLATILE-WRITE-CACHE", Warning, "writes that are acknowledged from memory",
        "In configurations of one disk, writes at queue depth 1 are at least 3 times those of a configuration in which the device needs 1 ms or more for each: they are acknowledged before they are on the medium. What is not flushed is lost when the host fails, unless a battery protects that memory.";
    WritesCollapse, "WRITES-COLLAPSE", Warning, "writes that collapse under a cache mode",
        "All sequential writes (all writes, where none are sequential) are at half of the other configuration's or less, and reads keep at least twice that part. Writing through makes every write wait for the medium, often twice (data, then the image's metadata), and empties the queue for it.";
    HypervisorShare, "HYPERVISOR-SHARE", Warning, "a volume at a third of its host's speed",
        "At least 3 tests, and every one of them, are at 25 to 45 % of the baseline. A share that is the same for all kinds of I/O is the price of the path (image format, emulated controller), not of the device: guests on image files are reported at 30 to 40 % of their host.";
    CacheHidesDevice, "CACHE-HIDES-DEVICE", Info, "cache mode hides the device, it does not mend it",
        "Some configurations answer from memory, while in the others random I/O at queue depth 1 takes 1 ms or more: what misses the cache still takes that long.";
    SameSlowDevice, "SAME-SLOW-DEVICE", Info, "the same slow device in several configurations",
        "Random I/O at queue depth 1, where rate and latency are one figure, takes 1 ms or more and is the same in both configurations: the device sets the time, not the configuration. All ratios of random and sequential tests, with one and with many outstanding, are within 15 %; of a device that takes 5 ms or more, so that few I/Os complete in a test, those of random tests within 30 %. Runs whose figures fit different limits are different devices.";
    NotARemoteDisk, "NOT-A-REMOTE-DISK", Info, "faster than any disk behind a network",
        "Reads at queue depth 1 take less than 100 us and the transfer over 100 Gbit/s, or more than 10,000 MB/s are read: a local disk, or a cache in memory.";
    NoCommonTest, "NO-COMMON-TEST", Info, "no test that two runs have in common",
        "Tests are the same when pattern, direction, block size, queue depth and threads are.";
}

impl NoteId {
    /// What to do about it; `None` where it only says something worth knowing.
    #[must_use]
    pub const fn remedy(self) -> Option<&'static str> {
        Some(match self {
            Self::HostCacheReads => {
                "to measure the disk, bypass the cache (cache=none in the host, direct I/O in the guest) or test a file \
                 several times the host's memory"
            }
            Self::VolatileWriteCache => {
                "use it only where every layer passes flushes on and the application asks for them; its sustained rate is \
                 the disk's"
            }
            Self::WritesCollapse => {
                "cache=none keeps the queue and still acknowledges no write that is not handed to the disk"
            }
            Self::HypervisorShare => {
                "a raw image or a block device instead of an image file, and a paravirtual controller with its own I/O \
                 thread"
            }
            Self::CacheHidesDevice => {
                "a faster disk or a shorter path to it; not another cache mode"
            }
            Self::SameSlowDevice | Self::NotARemoteDisk | Self::NoCommonTest => return None,
        })
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// An id that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{input}' is no id of a comparison's note")]
pub struct UnknownNote {
    /// The id as given.
    pub input: String,
}

impl FromStr for NoteId {
    type Err = UnknownNote;

    fn from_str(input: &str) -> Result<Self, UnknownNote> {
        let wanted = input.trim();
        let known = Self::ALL
            .iter()
            .find(|id| id.code().eq_ignore_ascii_case(wanted));
        known.copied().ok_or_else(|| UnknownNote {
            input: input.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_read_back() {
        for (index, id) in NoteId::ALL.iter().enumerate() {
            assert_eq!(id.code().to_lowercase().parse(), Ok(*id));
            assert!(
                NoteId::ALL
                    .iter()
                    .take(index)
                    .all(|other| other.code() != id.code())
            );
            assert_eq!(
                serde_json::to_string(id).unwrap(),
                format!("\"{}\"", id.code())
            );
        }
        assert!("HOST".parse::<NoteId>().is_err());
    }
}
