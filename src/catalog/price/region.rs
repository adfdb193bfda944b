//! Region names, as people and APIs write them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The region whose prices are shown where none is asked for. Reports label them so.
pub const DEFAULT_REGION: &str = "eastus";

/// The name of a region in the form that Azure's APIs use: lower case, no blanks (`eastus2`).
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(from = "String")]
pub struct Region(String);

impl Region {
    /// From any spelling: `East US 2`, `EastUS2`, `east-us-2` are all `eastus2`.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(
            name.chars()
                .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_'))
                .flat_map(char::to_lowercase)
                .collect(),
        )
    }

    /// The region of [`DEFAULT_REGION`].
    #[must_use]
    pub fn default_region() -> Self {
        Self::new(DEFAULT_REGION)
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this can be a region at all: letters and digits only, beginning with a letter.
    /// The price list also has rows for `Global`, `Zone 1` and the like; [`Region::is_geographic`] tells those apart.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.0.starts_with(|c: char| c.is_ascii_lowercase())
            && self.0.chars().all(|c| c.is_ascii_alphanumeric())
    }

    /// Whether this is a place where machines stand, rather than a bracket of the price list (`Global`, `Zone 1`).
    #[must_use]
    pub fn is_geographic(&self) -> bool {
        let zone = self
            .0
            .strip_prefix("zone")
            .or_else(|| self.0.strip_prefix("dezone"))
            .or_else(|| self.0.strip_prefix("usgovzone"));
        self.is_well_formed()
            && self.0 != "global"
            && !zone.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
    }
}

impl From<String> for Region {
    fn from(name: String) -> Self {
        Self::new(&name)
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_the_same_region() {
        for name in ["eastus2", "East US 2", "EastUS2", " east-us_2 "] {
            assert_eq!(Region::new(name).as_str(), "eastus2");
        }
    }

    #[test]
    fn brackets_of_the_price_list_are_no_places() {
        for name in [
            "Global",
            "Zone 1",
            "Zone2",
            "US Gov Zone 1",
            "",
            "1",
            "eu/../x",
        ] {
            assert!(!Region::new(name).is_geographic(), "{name}");
        }
        for name in ["westeurope", "attatlanta1", "usgovvirginia", "eastus2"] {
            assert!(Region::new(name).is_geographic(), "{name}");
        }
    }
}
