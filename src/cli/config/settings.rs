//! The settings with all layers put over one another, as the commands take them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::super::gate::FailOn;
use super::super::output::ColorWhen;
use super::key::Key;
use super::layer::{Given, Layers, Origin};
use diskcap::azure::client::AuthMethod;
use diskcap::azure::client::cache::SkuCache;
use diskcap::azure::client::cloud::Cloud;
use diskcap::catalog::price::Currency;
use diskcap::catalog::refresh::{PriceFolder, RefreshError};
use diskcap::deployment::known_region;
use diskcap::measure::judge::Options;
use diskcap::report::Format;
use diskcap::units::Share;

/// What holds where no flag says otherwise. `None` is: nobody set it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// The region, as the price lists spell it.
    pub region: Option<String>,
    /// The currency of prices.
    pub currency: Option<Currency>,
    /// The format of results on standard output.
    pub format: Option<Format>,
    /// When to use colour.
    pub color: Option<ColorWhen>,
    /// How far from a limit a measured figure may be and still be at it.
    pub tolerance: Option<Share>,
    /// The folder of fetched data.
    pub data_dir: Option<PathBuf>,
    /// From which severity on findings make a command exit with 1.
    pub fail_on: Option<FailOn>,
    /// The Azure cloud.
    pub cloud: Option<Cloud>,
    /// The ways to sign in to it, in the order that they are tried; none where nobody set one.
    pub auth: Vec<AuthMethod>,
}

/// A value that its key cannot take.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {key}: {problem}")]
pub struct BadValue {
    key: &'static str,
    origin: Origin,
    problem: String,
}

impl Settings {
    /// From what the layers give.
    ///
    /// # Errors
    /// [`BadValue`] for the first value that its key cannot take, with where it stands and what would be right.
    pub fn of(layers: &Layers) -> Result<Self, BadValue> {
        let mut settings = Self::default();
        for (key, given) in layers {
            settings.set(*key, given).map_err(|problem| BadValue {
                key: key.name(),
                origin: given.origin.clone(),
                problem,
            })?;
        }
        Ok(settings)
    }

    fn set(&mut self, key: Key, given: &Given) -> Result<(), String> {
        let text = given.text.trim();
        match key {
            Key::Region => self.region = Some(known_region(text).map_err(in_words)?),
            Key::Currency => self.currency = Some(text.parse().map_err(in_words)?),
            Key::Format => self.format = Some(text.parse().map_err(in_words)?),
            Key::Color => self.color = Some(one_of(text)?),
            Key::Tolerance => self.tolerance = Some(text.parse().map_err(in_words)?),
            Key::DataDir => self.data_dir = Some(folder(text, &given.origin)?),
            Key::FailOn => self.fail_on = Some(one_of(text)?),
            Key::Cloud => self.cloud = Some(text.parse().map_err(in_words)?),
            Key::Auth => {
                let ways = text.split(',').map(str::parse);
                self.auth = ways.collect::<Result<_, _>>().map_err(in_words)?;
            }
        }
        Ok(())
    }

    /// How far from a limit a figure may be and still be at it, as a fraction: what is asked for, else what is set.
    pub fn tolerance(&self, asked: Option<Share>) -> f64 {
        let given = asked.or(self.tolerance);
        given.map_or_else(|| Options::default().tolerance, Share::get)
    }

    /// The Azure cloud: the one asked for, else the one that is set, else the public one.
    pub fn cloud(&self, asked: Option<Cloud>) -> Cloud {
        asked.or(self.cloud).unwrap_or_default()
    }

    /// The ways to sign in, in the order that they are tried: those asked for, else those that are set, else all.
    pub fn sign_in(&self, asked: &[AuthMethod]) -> Vec<AuthMethod> {
        let ways = [asked, &self.auth, &AuthMethod::ALL];
        let ways = ways.into_iter().find(|ways| !ways.is_empty());
        ways.unwrap_or_default().to_vec()
    }

    /// The folder of fetched prices.
    ///
    /// # Errors
    /// [`RefreshError::NoHome`] where none is set and the user has no home folder.
    pub fn price_folder(&self) -> Result<PriceFolder, RefreshError> {
        match &self.data_dir {
            Some(folder) => Ok(PriceFolder::at(folder.join("prices"))),
            None => PriceFolder::of_user(),
        }
    }

    /// The folder of kept SKU lists; `None` where none is set and the user has no home folder.
    pub fn sku_cache(&self) -> Option<SkuCache> {
        match &self.data_dir {
            Some(folder) => Some(SkuCache::new(folder.join("skus"))),
            None => SkuCache::of_user(),
        }
    }
}

fn in_words(error: impl std::error::Error) -> String {
    error.to_string()
}

/// One of the words that a flag takes.
fn one_of<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, true).map_err(|_| {
        let words = T::value_variants().iter().filter_map(T::to_possible_value);
        let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
        format!("'{text}' is none of {}", words.join(", "))
    })
}

/// A folder: `~` is the home folder, and in a file a relative one starts at the file.
fn folder(text: &str, origin: &Origin) -> Result<PathBuf, String> {
    if text.is_empty() {
        return Err("name a folder".to_owned());
    }
    let path = match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
            let home = etcetera::home_dir().map_err(|error| format!("'{text}': {error}"))?;
            home.join(rest.trim_start_matches(['/', '\\']))
        }
        _ => PathBuf::from(text),
    };
    Ok(match origin {
        Origin::File { path: file, .. } => file.parent().unwrap_or(Path::new("")).join(path),
        _ => path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Given {
        Given {
            text: text.to_owned(),
            origin: Origin::File {
                path: "/etc/diskcap.toml".into(),
                line: 2,
            },
        }
    }

    #[test]
    fn values_are_read_as_flags_are() {
        let texts = [
            "West Europe",
            "eur",
            "JSON",
            "never",
            "5%",
            "data",
            "warning",
            "usgov",
            "env, cli",
        ];
        let layers = Key::ALL.into_iter().zip(texts.map(given)).collect();
        let settings = Settings::of(&layers).unwrap();
        assert_eq!(settings.region.as_deref(), Some("westeurope"));
        assert_eq!(settings.currency, "EUR".parse().ok());
        assert_eq!(settings.format, Some(Format::Json));
        assert_eq!(settings.color, Some(ColorWhen::Never));
        assert_eq!(settings.tolerance, Share::new(0.05).ok());
        assert_eq!(settings.data_dir, Some(PathBuf::from("/etc/data")));
        assert_eq!(settings.fail_on, Some(FailOn::Warning));
        assert_eq!(settings.cloud, Some(Cloud::UsGov));
        assert_eq!(
            settings.auth,
            [AuthMethod::Environment, AuthMethod::AzureCli]
        );
    }

    #[test]
    fn a_value_that_cannot_be_is_told_with_its_place() {
        let refused = |key, text| {
            let layers = Layers::from([(key, given(text))]);
            Settings::of(&layers).unwrap_err().to_string()
        };
        let place = "configuration '/etc/diskcap.toml', line 2: ";
        assert_eq!(
            refused(Key::FailOn, "warnings"),
            format!("{place}fail_on: 'warnings' is none of error, warning, info, never")
        );
        assert_eq!(
            refused(Key::Region, "westeurop"),
            format!("{place}region: unknown region 'westeurop'; did you mean westeurope?")
        );
        for key in Key::ALL.into_iter().filter(|key| *key != Key::DataDir) {
            let message = refused(key, "?!");
            assert!(
                message.starts_with(&format!("{place}{}: ", key.name())),
                "{message}"
            );
        }
    }
}
