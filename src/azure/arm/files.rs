//! Reads the files and folders that people name, several at a time.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read::read_stream;
use crate::azure::facts::fleet::FleetFacts;
use crate::azure::facts::problem::Problem;
use crate::azure::in_order::{all_processors, in_order};

/// How many files a thread reads at most before they are put to the others: small ones share their texts.
const TOGETHER: usize = 64;

/// Files that there are for each thread at least while several are read together.
const EACH: usize = 8;

/// File names of a folder that are read.
const EXTENSIONS: [&str; 5] = ["json", "ndjson", "jsonl", "csv", "txt"];

/// A path that cannot be what was meant.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such file or folder, or it cannot be opened.
    #[error("cannot open '{}': {source}", path.display())]
    Open {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A folder holds nothing to read.
    #[error("'{}' {NO_FILE}", path.display())]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
}

impl ReadError {
    /// Puts it among the problems of what else was read.
    pub fn note(&self, facts: &mut FleetFacts) {
        let (path, reason) = match self {
            Self::Open { path, source } => (path, source.to_string()),
            Self::EmptyFolder { path } => (path, format!("it {NO_FILE}")),
        };
        let mut collector = facts.collector(path.display().to_string().into());
        collector.problem(None, Problem::Unreadable { reason });
    }
}

/// What a folder lacks that cannot be read.
const NO_FILE: &str = "holds no file named .json, .ndjson, .jsonl, .csv or .txt";

/// Reads files and folders into facts. Folders are read with all that lies below them, in the order of names.
///
/// What cannot be used of a file is in [`FleetFacts::problems`]; so is a path that cannot be opened, beside others that can.
///
/// # Errors
/// [`ReadError`] where no path exists that holds something to read.
pub fn read_paths<P: AsRef<Path>>(paths: &[P]) -> Result<FleetFacts, ReadError> {
    let mut facts = read_paths_through(paths, |file| file)?;
    facts.conclude();
    Ok(facts)
}

/// Reads as [`read_paths`] does, each file through what `through` makes of it: a reader that counts, or slows down.
/// More may be read into the same facts; [`FleetFacts::conclude`] then says which lists are incomplete.
///
/// # Errors
/// Those of [`read_paths`].
pub fn read_paths_through<P: AsRef<Path>, R: Read>(
    paths: &[P],
    through: impl Fn(File) -> R + Sync,
) -> Result<FleetFacts, ReadError> {
    let mut facts = FleetFacts::default();
    let mut files = Vec::new();
    let mut refused = None;
    for path in paths {
        match files_of(path.as_ref(), &mut facts) {
            Ok(found) => files.extend(found),
            Err(error) => {
                error.note(&mut facts);
                refused.get_or_insert(error);
            }
        }
    }
    if let (true, Some(error)) = (files.is_empty(), refused) {
        return Err(error);
    }
    let threads = all_processors();
    let together = (files.len() / threads.get() / EACH).clamp(1, TOGETHER);
    let read = |files: &[PathBuf]| {
        let mut facts = FleetFacts::default();
        for file in files {
            read_file(file, &through, &mut facts);
        }
        facts
    };
    let Ok(()) = in_order(&files, together, threads, read, |read| {
        facts.absorb(read);
        Ok::<(), Infallible>(())
    });
    Ok(facts)
}

fn read_file<R: Read>(file: &Path, through: impl Fn(File) -> R, facts: &mut FleetFacts) {
    let source: Arc<str> = file.display().to_string().into();
    match File::open(file) {
        Ok(open) => read_stream(through(open), source, facts),
        Err(error) => {
            let reason = error.to_string();
            let mut collector = facts.collector(source);
            collector.problem(None, Problem::Unreadable { reason });
        }
    }
}

/// The files meant by a path, sorted.
fn files_of(path: &Path, facts: &mut FleetFacts) -> Result<Vec<PathBuf>, ReadError> {
    let open = |source| ReadError::Open {
        path: path.to_owned(),
        source,
    };
    if !path.metadata().map_err(open)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut all = Vec::new();
    files_below(path, &mut all).map_err(open)?;
    all.sort();
    let (files, skipped): (Vec<_>, Vec<_>) = all.into_iter().partition(|file| has_extension(file));
    if files.is_empty() {
        return Err(ReadError::EmptyFolder {
            path: path.to_owned(),
        });
    }
    if let Some(example) = skipped.first() {
        let mut collector = facts.collector(path.display().to_string().into());
        let problem = Problem::FilesSkipped {
            count: skipped.len(),
            example: example.display().to_string(),
        };
        collector.problem(None, problem);
    }
    Ok(files)
}

/// Every file below a folder; hidden ones and links to folders are left out.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            files_below(&path, found)?;
        } else if path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

fn has_extension(file: &Path) -> bool {
    file.extension().is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    })
}
