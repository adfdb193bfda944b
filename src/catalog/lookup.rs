//! Finding a name that somebody typed.

use super::vm::{Interface, VmSize};

/// How many suggestions an unknown name is answered with at most.
const SUGGESTIONS: usize = 4;

/// Why a VM size was not found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownVm {
    /// No size of this name.
    #[error("unknown VM size '{input}'{}", nearest_or_list(.nearest))]
    Unknown {
        /// The name as given.
        input: String,
        /// The nearest names.
        nearest: Vec<String>,
    },
    /// A pattern where one size is meant.
    #[error(
        "'{input}' stands for several VM sizes: name one; `diskcap skus list '{input}'` lists those that there are"
    )]
    Pattern {
        /// The pattern as given.
        input: String,
    },
    /// A disk where a VM size is meant.
    #[error(
        "'{input}' is a {what}, not a VM size; `diskcap skus show {input}` shows it, `diskcap skus list --tiers` lists disk tiers"
    )]
    Disk {
        /// The name as given.
        input: String,
        /// What it is.
        what: &'static str,
    },
    /// The spelling fits several sizes.
    #[error("'{input}' can be read as {}: write it with its separators", .candidates.join(" or "))]
    Ambiguous {
        /// The name as given.
        input: String,
        /// The sizes that it fits.
        candidates: Vec<String>,
    },
    /// The size exists, but not with this disk controller.
    #[error("{name} is not offered with {asked} controllers, only with {}", controllers(.offered))]
    Interface {
        /// The size.
        name: String,
        /// The controller that was asked for.
        asked: Interface,
        /// The controllers that it has.
        offered: Vec<Interface>,
    },
}

fn controllers(offered: &[Interface]) -> String {
    let names: Vec<String> = offered.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

/// The nearest sizes, or where the list is.
fn nearest_or_list(nearest: &[String]) -> String {
    match did_you_mean(nearest) {
        none if none.is_empty() => "; `diskcap skus list` lists those that there are".to_owned(),
        question => question,
    }
}

/// The tail of an error message: which known names are nearest.
#[must_use]
pub fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [one] => format!("; did you mean {one}?"),
        many => format!("; did you mean one of {}?", many.join(", ")),
    }
}

/// The names nearest to `input` by edit distance, at most four: those at the least distance, where that is near at
/// all (a third of the letters, four at most).
pub fn nearest<'a>(input: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let letters = Spelling::of(input).key.len();
    within(input, names, (letters / 3).clamp(1, 4))
}

/// As [`nearest`], and where none is so near the nearest of those at up to half of the letters: for names of few letters
/// of which most are right (`Dsv99`).
pub(super) fn nearest_few<'a>(
    input: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Vec<String> {
    let letters = Spelling::of(input).key.len();
    let near = nearest(input, names.clone());
    if near.is_empty() {
        return within(input, names, (letters / 2).min(4));
    }
    near
}

/// The names at the least distance of `input`, where that is at most `limit`.
fn within<'a>(input: &str, names: impl Iterator<Item = &'a str>, limit: usize) -> Vec<String> {
    let wanted = Spelling::of(input).key;
    let mut ranked: Vec<(usize, usize, &str)> = names
        .filter_map(|name| {
            let key = Spelling::of(name).key;
            let difference = key.len().abs_diff(wanted.len());
            if difference > limit {
                return None;
            }
            let distance = strsim::osa_distance(&wanted, &key);
            (distance <= limit).then_some((distance, difference, name))
        })
        .collect();
    ranked.sort_unstable();
    ranked.dedup();
    let best = ranked.first().map_or(0, |(distance, ..)| *distance);
    ranked
        .into_iter()
        .take_while(|(distance, ..)| *distance == best)
        .map(|(.., name)| name.to_owned())
        .take(SUGGESTIONS)
        .collect()
}

/// A name without case, without the word `Standard` and without separators; and where the separators stood.
#[derive(Debug, PartialEq, Eq)]
struct Spelling {
    key: String,
    separators: Vec<usize>,
}

impl Spelling {
    fn of(name: &str) -> Self {
        let mut key = String::with_capacity(name.len());
        let mut separators = Vec::new();
        for letter in without_standard(name.trim()).chars() {
            if is_separator(letter) {
                if separators.last() != Some(&key.len()) {
                    separators.push(key.len());
                }
            } else {
                key.push(letter.to_ascii_lowercase());
            }
        }
        Self { key, separators }
    }

    /// Whether every separator stands where `canonical` has one too.
    fn fits(&self, canonical: &Self) -> bool {
        self.separators
            .iter()
            .all(|position| canonical.separators.contains(position))
    }
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '-') || letter.is_whitespace()
}

/// The name behind a leading `Standard`.
fn without_standard(name: &str) -> &str {
    const WORD: &str = "standard";
    if let Some(start) = name.get(..WORD.len())
        && start.eq_ignore_ascii_case(WORD)
        && name.len() > WORD.len()
    {
        return name[WORD.len()..].trim_start_matches(is_separator);
    }
    name
}

/// Without a first word that was probably meant to be `Standard`.
fn without_misspelt_standard(name: &str) -> &str {
    name.trim()
        .split_once(is_separator)
        .filter(|(word, _)| strsim::osa_distance(&word.to_ascii_lowercase(), "standard") <= 3)
        .map_or(name, |(_, rest)| rest)
}

/// The names of VM sizes, indexed by their spelling.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct NameIndex {
    /// Spelling key and position of the row, sorted.
    keys: Vec<(String, usize)>,
}

impl NameIndex {
    pub(super) fn new(rows: &[VmSize]) -> Self {
        let mut keys: Vec<(String, usize)> = rows
            .iter()
            .enumerate()
            .map(|(position, row)| (Spelling::of(&row.name).key, position))
            .collect();
        keys.sort_unstable();
        Self { keys }
    }

    /// The rows of the size that `input` names, on the disk controller asked for.
    pub(super) fn find<'a>(
        &self,
        rows: &'a [VmSize],
        input: &str,
        interface: Option<Interface>,
    ) -> Result<&'a VmSize, UnknownVm> {
        let found = self.rows_of(rows, input)?;
        on_interface(&found, interface)
    }

    fn rows_of<'a>(&self, rows: &'a [VmSize], input: &str) -> Result<Vec<&'a VmSize>, UnknownVm> {
        let wanted = Spelling::of(input);
        let start = self.keys.partition_point(|(key, _)| *key < wanted.key);
        let fitting: Vec<&VmSize> = self.keys[start..]
            .iter()
            .take_while(|(key, _)| *key == wanted.key)
            .filter_map(|&(_, position)| rows.get(position))
            .filter(|row| wanted.fits(&Spelling::of(&row.name)))
            .collect();
        let Some(first) = fitting.first() else {
            let input = input.to_owned();
            return Err(match input.contains(['*', '?']) {
                true => UnknownVm::Pattern { input },
                false => UnknownVm::Unknown {
                    nearest: suggestions(rows, &input),
                    input,
                },
            });
        };
        if fitting.iter().all(|row| row.name == first.name) {
            return Ok(fitting);
        }
        let exact: Vec<&VmSize> = fitting
            .iter()
            .copied()
            .filter(|row| Spelling::of(&row.name) == wanted)
            .collect();
        if let Some(first) = exact.first()
            && exact.iter().all(|row| row.name == first.name)
        {
            return Ok(exact);
        }
        let mut candidates: Vec<String> = fitting.iter().map(|row| row.name.clone()).collect();
        candidates.dedup();
        Err(UnknownVm::Ambiguous {
            input: input.to_owned(),
            candidates,
        })
    }
}

/// What an unknown name may have meant: the versions of a name that lacks its own (`D2s`), else the nearest names.
fn suggestions(rows: &[VmSize], input: &str) -> Vec<String> {
    let input = without_misspelt_standard(input);
    let unversioned = format!("{}v", Spelling::of(input).key);
    let mut versions: Vec<String> = rows
        .iter()
        .filter(|row| Spelling::of(&row.name).key.starts_with(&unversioned))
        .map(|row| row.name.clone())
        .collect();
    versions.dedup();
    if versions.is_empty() {
        return nearest(input, rows.iter().map(|row| row.name.as_str()));
    }
    versions
}

/// Of the rows of one size, the one for the controller asked for; SCSI's where none was asked.
fn on_interface<'a>(
    rows: &[&'a VmSize],
    asked: Option<Interface>,
) -> Result<&'a VmSize, UnknownVm> {
    let wanted = asked.unwrap_or(Interface::Scsi);
    rows.iter()
        .find(|row| row.runs_on(wanted))
        .or_else(|| rows.first().filter(|_| asked.is_none()))
        .copied()
        .ok_or_else(|| UnknownVm::Interface {
            name: rows.first().map(|row| row.name.clone()).unwrap_or_default(),
            asked: wanted,
            offered: controllers_of(rows),
        })
}

/// The controllers that the rows of one size name.
fn controllers_of(rows: &[&VmSize]) -> Vec<Interface> {
    let mut all: Vec<Interface> = rows
        .iter()
        .flat_map(|row| row.controllers.iter().copied().chain(row.interface))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
