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
    #[error("no VM size is called '{wanted}'{}", did_you_mean(.nearest))]
    Name {
        /// The name as it was given.
        wanted: String,
        /// The nearest.
        nearest: Vec<String>,
    },
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
