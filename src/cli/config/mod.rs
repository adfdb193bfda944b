//! Settings that hold for every command: a configuration file, over it the environment, over that the flags.
//!
//! The file's values and the environment's become layers ([`layer`]), the layers one [`Settings`], and every command is
//! handed that. Flags stay with the commands, which put them over it.

mod command;
mod file;
mod key;
mod layer;
mod settings;

use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

pub use command::{Args, run};
use key::Key;
pub use settings::Settings;

use super::failure::Failure;
use diskcap::azure::client::token::TOKEN_VARIABLE;
use diskcap::catalog::lookup::{did_you_mean, nearest};
use layer::{Environment, Layers, of_environment, process_environment, variable};

/// The variable that names another configuration file.
const FILE_VARIABLE: &str = "DISKCAP_CONFIG";

/// What the names of our variables begin with.
const PREFIX: &str = "DISKCAP_";

/// Variables of ours that are no settings: completion, and a token to sign in with.
const OTHER_VARIABLES: [&str; 3] = [
    super::complete::VARIABLE,
    super::day::VARIABLE,
    TOKEN_VARIABLE,
];

/// The word that stands for no configuration file at all.
const NO_FILE: &str = "none";

/// Where the configuration file is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Location {
    /// Named by flag or variable: it must be there.
    Named(PathBuf),
    /// The user's own, which need not be there.
    Own(PathBuf),
    /// None is wanted.
    Unwanted,
    /// The user has no home folder, so there is no place for one.
    NoHome,
}

impl Location {
    fn find(flag: Option<&Path>, environment: Environment<'_>) -> Self {
        let named = flag.map(Path::to_owned);
        match named.or_else(|| variable(environment, FILE_VARIABLE).map(PathBuf::from)) {
            Some(path) if path.as_os_str() == NO_FILE => Self::Unwanted,
            Some(path) => Self::Named(path),
            None => match choose_base_strategy() {
                Ok(strategy) => {
                    Self::Own(strategy.config_dir().join("diskcap").join("config.toml"))
                }
                Err(_) => Self::NoHome,
            },
        }
    }

    /// The file, where there is a place for one.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Named(path) | Self::Own(path) => Some(path),
            Self::Unwanted | Self::NoHome => None,
        }
    }

    /// Why nobody can say whether the user's own file is there; `None` where one can.
    fn problem(&self) -> Option<String> {
        match self {
            Self::Own(path) => path.try_exists().err().map(|error| error.to_string()),
            _ => None,
        }
    }

    /// The file that is to be read.
    fn to_read(&self) -> Option<&Path> {
        match self {
            Self::Own(path) => Some(path.as_path()).filter(|path| path.exists()),
            _ => self.path(),
        }
    }
}

/// The folder of fetched data where none is set; `None` without a home folder.
fn data_dir_of_user() -> Option<PathBuf> {
    let folder = diskcap::catalog::refresh::PriceFolder::of_user().ok()?;
    folder.path().parent().map(Path::to_owned)
}

/// The variables of the environment that set something, and what.
pub fn environment() -> impl Iterator<Item = (&'static str, String)> {
    let keys = Key::ALL.into_iter();
    let keys = keys.map(|key| (key.variable(), key.meaning()));
    let file = "Another configuration file; none for no file at all".to_owned();
    keys.chain([(FILE_VARIABLE, file)])
}

/// What of the environment looks like a setting of ours and is none: a slip would go unseen otherwise.
pub fn unknown_variables() -> Vec<String> {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unknown: Vec<String> = names.filter_map(|name| unknown_variable(&name)).collect();
    unknown.sort_unstable();
    unknown
}

/// What to say of a variable that begins as ours do and that nothing reads.
fn unknown_variable(name: &str) -> Option<String> {
    let ending = name.strip_prefix(PREFIX)?;
    let settings = || environment().map(|(variable, _)| variable);
    if settings().chain(OTHER_VARIABLES).any(|known| known == name) {
        return None;
    }
    let endings = settings().filter_map(|variable| variable.strip_prefix(PREFIX));
    let near: Vec<String> = nearest(ending, endings)
        .into_iter()
        .map(|ending| format!("{PREFIX}{ending}"))
        .collect();
    let hint = match near.is_empty() {
        true => {
            "; `diskcap config show --columns key,variable` lists those that there are".to_owned()
        }
        false => did_you_mean(&near),
    };
    Some(format!(
        "the environment variable {name} sets nothing{hint}"
    ))
}

/// The values of file and environment, the latter over the former.
fn layers(location: &Location, environment: Environment<'_>) -> Result<Layers, Failure> {
    let mut layers = Layers::new();
    if let Some(path) = location.to_read() {
        let given = file::read(path)?;
        // Each layer is checked by itself: a mistake in the file is told even where a variable covers it.
        Settings::of(&given.iter().cloned().collect())?;
        layers.extend(given);
    }
    layers.extend(of_environment(environment));
    Ok(layers)
}

/// The settings of this process; `flag` names another configuration file.
///
/// # Errors
/// [`Failure`] with the file, line and key that cannot be used and what would be right.
pub fn load(flag: Option<&Path>) -> Result<Settings, Failure> {
    let location = Location::find(flag, &process_environment);
    Ok(Settings::of(&layers(&location, &process_environment)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::gate::FailOn;

    #[test]
    fn the_environment_goes_over_the_file_and_an_empty_variable_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("c.toml");
        std::fs::write(&path, "fail_on = 'error'\nregion = 'westeurope'\n").unwrap();
        let environment = |name: &str| match name {
            "DISKCAP_CONFIG" => Some(path.display().to_string()),
            "DISKCAP_FAIL_ON" => Some("info".to_owned()),
            "DISKCAP_REGION" => Some(String::new()),
            _ => None,
        };
        let location = Location::find(None, &environment);
        assert_eq!(location, Location::Named(path.clone()));
        let settings = Settings::of(&layers(&location, &environment).unwrap()).unwrap();
        assert_eq!(settings.fail_on, Some(FailOn::Info));
        assert_eq!(settings.region.as_deref(), Some("westeurope"));
        let none = Location::find(Some(Path::new("none")), &environment);
        assert_eq!(none, Location::Unwanted);
        assert_eq!(layers(&none, &environment).unwrap().len(), 1);
    }

    #[test]
    fn a_variable_that_sets_nothing_is_told() {
        assert_eq!(
            unknown_variable("DISKCAP_REGON").as_deref(),
            Some(
                "the environment variable DISKCAP_REGON sets nothing; did you mean DISKCAP_REGION?"
            )
        );
        let far = unknown_variable("DISKCAP_X").unwrap();
        assert!(far.contains("config show --columns key,variable"), "{far}");
        let ours = environment().map(|(name, _)| name);
        for known in ours.chain(["DISKCAP_COMPLETE", "DISKCAP_ACCESS_TOKEN", "REGION"]) {
            assert_eq!(unknown_variable(known), None);
        }
    }

    /// Below what is no folder, the system cannot say whether there is a file.
    #[cfg(unix)]
    #[test]
    fn what_cannot_be_looked_at_is_not_called_missing() {
        let folder = tempfile::tempdir().unwrap();
        let no_folder = folder.path().join("file");
        std::fs::write(&no_folder, "").unwrap();
        assert!(
            Location::Own(no_folder.join("config.toml"))
                .problem()
                .is_some()
        );
        assert_eq!(
            Location::Own(folder.path().join("config.toml")).problem(),
            None
        );
    }

    #[test]
    fn a_named_file_must_be_there_and_the_user_s_own_need_not() {
        let missing = PathBuf::from("no/such/config.toml");
        assert!(layers(&Location::Named(missing.clone()), &|_| None).is_err());
        assert!(
            layers(&Location::Own(missing), &|_| None)
                .unwrap()
                .is_empty()
        );
        assert!(layers(&Location::NoHome, &|_| None).unwrap().is_empty());
    }
}
