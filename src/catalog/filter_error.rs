//! Words of a filter that no VM size has, and what there is instead.

use std::collections::BTreeSet;

use super::lookup::{did_you_mean, nearest};
use super::query::{NamePattern, architecture};
use super::vm::VmSize;

/// A word of a filter that no VM size has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// An architecture that is none.
    #[error("'{0}' is no CPU architecture: write x64 or Arm64")]
    Architecture(String),
    /// A series that no size is of.
    #[error("no VM size is of a series like '{wanted}'{}", near_or(.nearest, .known))]
    Series {
        /// The series as it was given.
        wanted: String,
        /// The nearest.
        nearest: Vec<String>,
        /// All of them.
        known: Vec<String>,
    },
    /// A name, or a pattern of names, that no size has.
    #[error("no VM size is called '{wanted}'{}", near_or_beginnings(.nearest, .beginnings))]
    Name {
        /// The name as it was given.
        wanted: String,
        /// The nearest sizes, to a pattern the nearest series; where none is near, the nearest of the others.
        nearest: Vec<String>,
        /// The letters that names begin with.
        beginnings: Vec<String>,
    },
}

impl FilterError {
    /// What to say to a name or pattern that fits none of `rows`.
    #[must_use]
    pub fn no_name(wanted: &str, rows: &[VmSize]) -> Self {
        // What is looked for is near what it is without its signs for any letters.
        let plain = wanted.replace(['*', '?'], "");
        let sizes = nearest(&plain, rows.iter().map(|vm| vm.name.as_str()));
        let series = nearest(&plain, rows.iter().map(|vm| vm.series.as_str()));
        let beginning = |vm: &VmSize| {
            let name = vm.short_name();
            let letters = name.find(|c: char| !c.is_ascii_uppercase());
            name[..letters.unwrap_or(name.len())].to_owned()
        };
        let beginnings: BTreeSet<String> = rows.iter().map(beginning).collect();
        Self::Name {
            wanted: wanted.to_owned(),
            // One letter is near to all others.
            nearest: match (plain == wanted, sizes.is_empty(), series.is_empty()) {
                _ if plain.len() < 3 => Vec::new(),
                (true, true, _) | (false, _, false) => series,
                _ => sizes,
            },
            beginnings: beginnings.into_iter().filter(|b| !b.is_empty()).collect(),
        }
    }
}

/// The nearest names, or how names begin where none is near.
fn near_or_beginnings(nearest: &[String], beginnings: &[String]) -> String {
    if nearest.is_empty() {
        format!("; names begin with {}", beginnings.join(", "))
    } else {
        did_you_mean(nearest)
    }
}

/// The nearest names, or all of them where none is near.
fn near_or(nearest: &[String], known: &[String]) -> String {
    if nearest.is_empty() {
        format!("; series are {}", known.join(", "))
    } else {
        did_you_mean(nearest)
    }
}

/// The architecture that `word` means, as [`architecture`].
///
/// # Errors
/// [`FilterError::Architecture`], which names those that there are.
pub fn known_architecture(word: &str) -> Result<&'static str, FilterError> {
    architecture(word).ok_or_else(|| FilterError::Architecture(word.to_owned()))
}

/// Whether `rows` have sizes of each of these series, which may have `*` and `?`.
///
/// # Errors
/// [`FilterError::Series`], which names the nearest, else all.
pub fn known_series(wanted: &[String], rows: &[VmSize]) -> Result<(), FilterError> {
    let series = || rows.iter().map(|vm| vm.series.as_str());
    let unknown = wanted.iter().find(|wanted| {
        let pattern = NamePattern::new(wanted);
        !series().any(|name| pattern.fits(name))
    });
    unknown.map_or(Ok(()), |wanted| {
        let known: BTreeSet<&str> = series().collect();
        Err(FilterError::Series {
            nearest: nearest(wanted, known.iter().copied()),
            known: known.into_iter().map(ToOwned::to_owned).collect(),
            wanted: wanted.clone(),
        })
    })
}
