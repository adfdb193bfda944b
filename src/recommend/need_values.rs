//! Values of a need file that have rules of their own, checked where they stand so that an error names the line.

use std::str::FromStr;

use super::need::{Hold, MAX_STRIPE, NeedError};
use crate::catalog::query::{FilterError, known_architecture};
use crate::units::{GiB, UnitError};
use crate::workload::{Profile, UnknownProfile};

/// How many disks a stripe may have.
#[derive(Debug)]
pub(super) struct Stripe(pub(super) u32);

impl FromStr for Stripe {
    type Err = String;

    fn from_str(input: &str) -> Result<Self, String> {
        let asked = input.trim().parse().ok();
        let within = asked.filter(|asked| (1..=MAX_STRIPE).contains(asked));
        let wrong = || format!("'{input}' is not a number of disks: write 1 to {MAX_STRIPE}");
        within.map(Self).ok_or_else(wrong)
    }
}

/// How long a peak lasts.
#[derive(Debug)]
pub(super) struct Minutes(pub(super) f64);

impl FromStr for Minutes {
    type Err = String;

    fn from_str(input: &str) -> Result<Self, String> {
        let minutes = plain(input).ok_or_else(|| {
            format!("'{input}' is not a number of minutes: write it without a unit, such as 20")
        })?;
        Hold::Peak { minutes }.check().map_err(|e| e.to_string())?;
        Ok(Self(minutes))
    }
}

/// Hours of a month.
#[derive(Debug)]
pub(super) struct Hours(pub(super) f64);

impl FromStr for Hours {
    type Err = String;

    fn from_str(input: &str) -> Result<Self, String> {
        let hours = plain(input).ok_or_else(|| {
            format!("'{input}' is not a number of hours: write it without a unit, such as 200")
        })?;
        NeedError::check_hours(hours).map_err(|e| e.to_string())?;
        Ok(Self(hours))
    }
}

fn plain(number: &str) -> Option<f64> {
    number.trim().parse().ok()
}

/// A CPU architecture as the catalogue spells it.
#[derive(Debug)]
pub(super) struct Architecture(pub(super) &'static str);

impl FromStr for Architecture {
    type Err = FilterError;

    fn from_str(input: &str) -> Result<Self, FilterError> {
        known_architecture(input).map(Self)
    }
}

/// A workload of which a need takes block size, reads and queue depth.
#[derive(Debug)]
pub(super) struct KnownProfile(pub(super) &'static Profile);

impl FromStr for KnownProfile {
    type Err = UnknownProfile;

    fn from_str(input: &str) -> Result<Self, UnknownProfile> {
        Profile::named(input).map(Self)
    }
}

/// A capacity that something can be put on.
#[derive(Debug)]
pub(super) struct Capacity(pub(super) GiB);

impl FromStr for Capacity {
    type Err = UnitError;

    fn from_str(input: &str) -> Result<Self, UnitError> {
        let size: GiB = input.parse()?;
        if size == GiB::ZERO {
            return Err(UnitError::Range {
                input: input.to_owned(),
                what: "a capacity",
                range: "above 0, such as 512 or \"2TiB\"",
            });
        }
        Ok(Self(size))
    }
}
