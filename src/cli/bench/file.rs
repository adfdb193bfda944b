//! A file with a name in front of it, as arguments.

use std::path::PathBuf;
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
    /// Whether it is standard input.
    pub fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}
