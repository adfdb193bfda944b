//! The configuration file: TOML with one key a line, each a [`Key`].

use std::path::{Path, PathBuf};

use toml::de::{DeArray, DeTable, DeValue};

use super::key::Key;
use super::layer::{Given, Origin};
use diskcap::catalog::lookup::{did_you_mean, nearest};
use diskcap::measure::text::decode;
use diskcap::report::Format;

/// A commented file with every key; what stands in braces is filled in by [`example`].
const EXAMPLE: &str = include_str!("example.toml");

/// A commented file with every key.
pub fn example() -> String {
    let names = Format::ALL.map(Format::name);
    let formats = match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    };
    EXAMPLE.replace("{formats}", &formats)
}

/// Why a configuration file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read the configuration '{}': {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not TOML.
    #[error("configuration '{}': {source}", .path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// What and where, with the line itself.
        source: Box<toml::de::Error>,
    },
    /// The file has keys or values that a configuration does not have.
    #[error("configuration '{}':{}", .path.display(), lines(.problems))]
    Content {
        /// The file.
        path: PathBuf,
        /// Every one of them.
        problems: Vec<Problem>,
    },
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong and what would be right.
    pub message: String,
}

/// One problem behind the file's name, several below it.
fn lines(problems: &[Problem]) -> String {
    let separator = if problems.len() == 1 { " " } else { "\n  " };
    let line = |problem: &Problem| format!("{separator}line {}: {}", problem.line, problem.message);
    problems.iter().map(line).collect()
}

/// Reads the file at `path`.
///
/// # Errors
/// [`FileError`], which names the file, the lines and what would be right.
pub fn read(path: &Path) -> Result<Vec<(Key, Given)>, FileError> {
    let bytes = std::fs::read(path).map_err(|source| FileError::Read {
        path: path.to_owned(),
        source,
    })?;
    parse(&decode(&bytes), path)
}

/// Reads `text`, which lies at `path`.
fn parse(text: &str, path: &Path) -> Result<Vec<(Key, Given)>, FileError> {
    let text = text.trim_start_matches('\u{feff}');
    let table = DeTable::parse(text).map_err(|mut source| {
        source.set_input(Some(text));
        FileError::Toml {
            path: path.to_owned(),
            source: Box::new(source),
        }
    })?;
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for (name, value) in table.into_inner() {
        let start = name.span().start.min(text.len());
        let line = 1 + text.as_bytes()[..start]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        match entry(name.get_ref(), value.get_ref()) {
            Ok((key, text)) => found.push((
                key,
                Given {
                    text,
                    origin: Origin::File {
                        path: path.to_owned(),
                        line,
                    },
                },
            )),
            Err(message) => problems.push(Problem { line, message }),
        }
    }
    if problems.is_empty() {
        return Ok(found);
    }
    problems.sort_by_key(|problem| problem.line);
    Err(FileError::Content {
        path: path.to_owned(),
        problems,
    })
}

/// The key of this name, and its value as text; numbers are taken as they are written.
fn entry(name: &str, value: &DeValue<'_>) -> Result<(Key, String), String> {
    let names = Key::ALL.map(Key::name);
    let Some(key) = Key::named(name) else {
        let near = nearest(name, names.into_iter());
        let hint = if near.is_empty() {
            format!("; the keys are {}", names.join(", "))
        } else {
            did_you_mean(&near)
        };
        return Err(format!("unknown key '{name}'{hint}"));
    };
    let text = match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Array(items) if key == Key::Auth => list(items)
            .ok_or_else(|| format!("{name} takes one value in quotes, or a list of such"))?,
        _ => return Err(format!("{name} takes one value in quotes")),
    };
    Ok((key, text))
}

/// The texts of a list, with commas.
fn list(items: &DeArray<'_>) -> Option<String> {
    let texts = items.iter().map(|item| item.get_ref().as_str());
    Some(texts.collect::<Option<Vec<&str>>>()?.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        parse(text, Path::new("c.toml")).unwrap_err().to_string()
    }

    #[test]
    fn lines_are_counted_from_the_top() {
        let found = parse(
            "# mine\n\nregion = 'westeurope'\ntolerance = 0.05\n",
            Path::new("c.toml"),
        )
        .unwrap();
        let texts: Vec<(Key, &str)> = found
            .iter()
            .map(|(key, given)| (*key, given.text.as_str()))
            .collect();
        assert_eq!(
            texts,
            [(Key::Region, "westeurope"), (Key::Tolerance, "0.05")]
        );
        let origin = Origin::File {
            path: "c.toml".into(),
            line: 3,
        };
        assert_eq!(found[0].1.origin, origin);
    }

    #[test]
    fn every_problem_is_told_with_its_line() {
        assert_eq!(
            problems("regoin = 'westeurope'"),
            "configuration 'c.toml': line 1: unknown key 'regoin'; did you mean region?"
        );
        assert_eq!(
            problems("color = ['auto']\n\ncolour = 'auto'\nwarp = 9\n"),
            "configuration 'c.toml':\n  line 1: color takes one value in quotes\n  line 3: unknown key 'colour'; did you \
             mean color?\n  line 4: unknown key 'warp'; the keys are region, currency, format, color, tolerance, data_dir, \
             fail_on, cloud, auth"
        );
        let message = problems("region = westeurope");
        assert!(
            message.contains("c.toml") && message.contains("line 1"),
            "{message}"
        );
    }
}
