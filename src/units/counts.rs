//! Queue depths and shares.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::UnitError;
use super::text::{grouped, parse_scaled};

/// How many I/Os are outstanding at once (queue depth times threads), at least 1.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct QueueDepth(NonZeroU32);

impl QueueDepth {
    /// One I/O at a time.
    pub const ONE: Self = Self(NonZeroU32::MIN);

    /// From a number of outstanding I/Os; `None` for 0.
    #[must_use]
    pub const fn new(depth: u32) -> Option<Self> {
        match NonZeroU32::new(depth) {
            Some(depth) => Some(Self(depth)),
            None => None,
        }
    }

    /// The number of outstanding I/Os.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// The outstanding I/Os of `threads` threads of this depth each.
    #[must_use]
    pub const fn times(self, threads: u32) -> Self {
        let product = self.0.get().saturating_mul(threads);
        match NonZeroU32::new(product) {
            Some(depth) => Self(depth),
            None => self,
        }
    }
}

impl fmt::Display for QueueDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&grouped(f64::from(self.0.get()), 0))
    }
}

impl FromStr for QueueDepth {
    type Err = UnitError;

    /// A whole number from 1 to 1,000,000.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let range = || UnitError::Range {
            input: input.to_owned(),
            what: "a queue depth",
            range: "a whole number from 1 to 1,000,000",
        };
        let depth: u32 = input.trim().parse().map_err(|_| range())?;
        if depth > 1_000_000 {
            return Err(range());
        }
        Self::new(depth).ok_or_else(range)
    }
}

/// A part of a whole, from 0 to 1, such as the share of reads or of cache hits.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(f64);

impl Share {
    /// Nothing of the whole.
    pub const NONE: Self = Self(0.0);
    /// All of the whole.
    pub const ALL: Self = Self(1.0);

    /// From a fraction.
    ///
    /// # Errors
    /// [`UnitError::Range`] when it is outside 0 to 1.
    pub fn new(value: f64) -> Result<Self, UnitError> {
        if (0.0..=1.0).contains(&value) {
            Ok(Self(value + 0.0))
        } else {
            Err(UnitError::Range {
                input: value.to_string(),
                what: "a share",
                range: "from 0 to 1 (or 0 % to 100 %)",
            })
        }
    }

    /// From whole percent, for constants; more than 100 counts as 100.
    #[must_use]
    pub const fn percent(percent: u8) -> Self {
        let percent = if percent > 100 { 100 } else { percent };
        Self(percent as f64 / 100.0)
    }

    /// The fraction.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// What is left of the whole.
    #[must_use]
    pub fn rest(self) -> f64 {
        1.0 - self.0
    }
}

impl TryFrom<f64> for Share {
    type Error = UnitError;
    fn try_from(value: f64) -> Result<Self, UnitError> {
        Self::new(value)
    }
}

impl From<Share> for f64 {
    fn from(value: Share) -> f64 {
        value.0
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} %", grouped(self.0 * 100.0, 1)))
    }
}

impl FromStr for Share {
    type Err = UnitError;

    /// `0.7` or `70%`.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let form = "a fraction such as 0.7 or a percentage such as 70%";
        // Scaled to percent, so that 70% is the very number that 0.7 is.
        let percent = parse_scaled(input, "a share", form, &[("", 100.0), ("%", 1.0)])?;
        Self::new(percent / 100.0).map_err(|_| {
            // A bare number that is a share once it is taken as percent.
            let number = input.trim().parse().ok();
            if number.is_some_and(|number: f64| (1.0..=100.0).contains(&number)) {
                return UnitError::Percent {
                    number: input.trim().to_owned(),
                };
            }
            UnitError::Range {
                input: input.to_owned(),
                what: "a share",
                range: "from 0 to 1 (or 0% to 100%)",
            }
        })
    }
}
