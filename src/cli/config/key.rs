//! What can be set: one line a key, and nothing about where its value comes from.

use super::super::gate::FailOn;
use super::super::output::ColorWhen;
use diskcap::azure::client::AuthMethod;
use diskcap::azure::client::cloud::Cloud;
use diskcap::catalog::price::{DEFAULT_REGION, EMBEDDED_CURRENCY};
use diskcap::report::Format;

/// A setting that a configuration file, the environment or a flag gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// The region of prices, and of a plan that names none.
    Region,
    /// The currency of prices.
    Currency,
    /// The format of results on standard output.
    Format,
    /// When to use colour.
    Color,
    /// How far from a limit a measured figure may be and still be at it.
    Tolerance,
    /// The folder of fetched data.
    DataDir,
    /// From which severity on findings make a command exit with 1.
    FailOn,
    /// The Azure cloud.
    Cloud,
    /// The ways to sign in to it.
    Auth,
}

impl Key {
    /// Every key, in the order in which they are shown.
    pub const ALL: [Self; 9] = [
        Self::Region,
        Self::Currency,
        Self::Format,
        Self::Color,
        Self::Tolerance,
        Self::DataDir,
        Self::FailOn,
        Self::Cloud,
        Self::Auth,
    ];

    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Region => "region",
            Self::Currency => "currency",
            Self::Format => "format",
            Self::Color => "color",
            Self::Tolerance => "tolerance",
            Self::DataDir => "data_dir",
            Self::FailOn => "fail_on",
            Self::Cloud => "cloud",
            Self::Auth => "auth",
        }
    }

    /// The variable of the environment that goes over the file.
    pub const fn variable(self) -> &'static str {
        match self {
            Self::Region => "DISKCAP_REGION",
            Self::Currency => "DISKCAP_CURRENCY",
            Self::Format => "DISKCAP_FORMAT",
            Self::Color => "DISKCAP_COLOR",
            Self::Tolerance => "DISKCAP_TOLERANCE",
            Self::DataDir => "DISKCAP_DATA_DIR",
            Self::FailOn => "DISKCAP_FAIL_ON",
            Self::Cloud => "DISKCAP_CLOUD",
            Self::Auth => "DISKCAP_AUTH",
        }
    }

    /// The key of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// What holds where nothing is set, as it would be written; `None` where no single value says it.
    pub fn default(self) -> Option<String> {
        match self {
            Self::Region => Some(DEFAULT_REGION.to_owned()),
            Self::Currency => Some(EMBEDDED_CURRENCY.to_string()),
            Self::Format => Some(Format::Table.name().to_owned()),
            Self::Color => Some(ColorWhen::Auto.name().to_owned()),
            Self::Tolerance => Some(crate::cli::bench::DEFAULT_TOLERANCE.to_owned()),
            Self::DataDir => super::data_dir_of_user().map(|path| path.display().to_string()),
            Self::FailOn => Some(FailOn::Never.name().to_owned()),
            Self::Cloud => Some(Cloud::default().name().to_owned()),
            Self::Auth => None,
        }
    }

    /// What it does, in a few words.
    pub fn meaning(self) -> String {
        match self {
            Self::Region => "Region of prices, and of a plan that names none".to_owned(),
            Self::Currency => "Currency of prices".to_owned(),
            Self::Format => "Format of results on standard output".to_owned(),
            Self::Color => "When to use colour".to_owned(),
            Self::Tolerance => {
                "How far from a limit a measured figure may be and be at it".to_owned()
            }
            Self::DataDir => "Folder of fetched prices and sizes".to_owned(),
            Self::FailOn => "Severity from which on findings exit with 1".to_owned(),
            Self::Cloud => "Azure cloud".to_owned(),
            Self::Auth => {
                let names = AuthMethod::ALL.map(AuthMethod::name).join(", ");
                format!("Ways to sign in to Azure, in turn; without one {names}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_its_key_in_capitals() {
        for key in Key::ALL {
            let name = key.name().to_ascii_uppercase();
            assert_eq!(key.variable(), format!("DISKCAP_{name}"));
            assert_eq!(Key::named(key.name()), Some(key));
        }
    }
}
