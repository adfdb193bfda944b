//! Words of a filter that no VM size has, and what there is instead.

use std::collections::BTreeSet;

use super::lookup::{did_you_mean, nearest, nearest_few};
use super::query::{NamePattern, architecture};
use super::vm::VmSize;

/// A word of a filter that no VM size has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// An architecture that is none.
    #[error("'{0}' is no CPU architecture: write x64 or Arm64")]
    Architecture(String),
    /// A series that no size is of.
    #[error(
        "no VM size is of a series like '{wanted}'{} `diskcap skus list --columns series,name` lists all",
        asking(.nearest)
    )]
    Series {
        /// The series as it was given.
        wanted: String,
        /// The nearest.
        nearest: Vec<String>,
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

/// The nearest names as a question, or what stands before a further sentence where none is near.
fn asking(nearest: &[String]) -> String {
    match did_you_mean(nearest) {
        none if none.is_empty() => ":".to_owned(),
        question => question,
    }
}

/// What the series of a size of this name would be called: without the vCPUs (`Dsv5` for `D8s_v5`, `NCads_A100_v4` for
/// `NC24ads_A100_v4`).
fn as_series(name: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let name = name.trim();
    let name = match name.get(..STANDARD.len()) {
        Some(start) if start.eq_ignore_ascii_case(STANDARD) => &name[STANDARD.len()..],
        _ => name,
    };
    let letters = name.find(|c| !is_letter(c)).unwrap_or(name.len());
    let (family, rest) = name.split_at(letters);
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
    match behind.is_empty() {
        true => name.to_owned(),
        false => format!("{family}{behind}"),
    }
}

const STANDARD: &str = "Standard_";

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
/// [`FilterError::Series`], which names the nearest; to the name of a size those nearest to its series.
pub fn known_series(wanted: &[String], rows: &[VmSize]) -> Result<(), FilterError> {
    let series = || rows.iter().map(|vm| vm.series.as_str());
    let unknown = wanted.iter().find(|wanted| {
        let pattern = NamePattern::new(wanted);
        !series().any(|name| pattern.fits(name))
    });
    unknown.map_or(Ok(()), |wanted| {
        let known: BTreeSet<&str> = series().collect();
        Err(FilterError::Series {
            nearest: nearest_few(&as_series(wanted), known.iter().copied()),
            wanted: wanted.clone(),
        })
    })
}
