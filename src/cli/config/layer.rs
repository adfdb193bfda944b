//! Where values come from, and how one goes over the other: file, then environment, then flags.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::key::Key;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A configuration file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
    },
    /// A variable of the environment.
    Environment {
        /// Its name.
        variable: &'static str,
    },
    /// A flag on the command line.
    Flag {
        /// The flag.
        flag: &'static str,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => {
                write!(f, "configuration '{}', line {line}", path.display())
            }
            Self::Environment { variable } => write!(f, "environment variable {variable}"),
            Self::Flag { flag } => write!(f, "flag {flag}"),
        }
    }
}

/// A value as it is written, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// As written.
    pub text: String,
    /// Where.
    pub origin: Origin,
}

/// The values of all layers, the highest of each key.
pub type Layers = BTreeMap<Key, Given>;

/// Looks a variable of the environment up.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The environment of this process.
pub fn process_environment(name: &str) -> Option<String> {
    std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// A variable's value; an empty one does not exist.
pub fn variable(environment: Environment<'_>, name: &str) -> Option<String> {
    environment(name).filter(|value| !value.trim().is_empty())
}

/// What the environment sets.
pub fn of_environment(environment: Environment<'_>) -> impl Iterator<Item = (Key, Given)> {
    Key::ALL.into_iter().filter_map(move |key| {
        let text = variable(environment, key.variable())?;
        let origin = Origin::Environment {
            variable: key.variable(),
        };
        Some((key, Given { text, origin }))
    })
}
