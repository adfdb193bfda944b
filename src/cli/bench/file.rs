//! A file with a name in front of it, as arguments.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file, and the name that it is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileArg {
    /// The name in front of it.
    pub name: Option<String>,
    /// The file; `-` is standard input.
    pub path: PathBuf,
}

impl FromStr for FileArg {
    type Err = std::convert::Infallible;

    /// `NAME=FILE`, unless there is a file of that whole name.
    fn from_str(input: &str) -> Result<Self, Self::Err> {
        let whole = PathBuf::from(input);
        let bound = input.split_once('=').filter(|(name, file)| {
            !name.is_empty() && !file.is_empty() && !whole.exists() && !name.contains(['/', '\\'])
        });
        Ok(match bound {
            Some((name, file)) => Self {
                name: Some(name.to_owned()),
                path: file.into(),
            },
            None => Self {
                name: None,
                path: whole,
            },
        })
    }
}

impl FileArg {
    /// The file, and the column of the table in it that is meant: `FILE#COLUMN`, unless there is a file of that whole name.
    /// A column may have blanks and marks of its own in its name.
    pub fn column(&self) -> (PathBuf, Option<&str>) {
        let whole = || (self.path.clone(), None);
        let Some(text) = self.path.to_str().filter(|_| !self.path.exists()) else {
            return whole();
        };
        let marks = text.match_indices('#').map(|(at, _)| at);
        let mut parts = marks.filter_map(|at| Some((text.get(..at)?, text.get(at + 1..)?)));
        let is_there = |file: &str| file == "-" || Path::new(file).is_file();
        match parts.find(|(file, column)| is_there(file) && !column.is_empty()) {
            Some((file, column)) => (file.into(), Some(column)),
            None => whole(),
        }
    }

    /// Whether it is standard input.
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}
