//! Reading texts that are named on the command line.

use std::io::Read;
use std::path::Path;

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read '{name}': {source}")]
pub struct InputError {
    name: String,
    source: std::io::Error,
}

/// The text of the file at `path`, and what it is called; `-` is standard input.
pub fn read_text(path: &Path) -> Result<(String, String), InputError> {
    let (read, name) = if path.as_os_str() == "-" {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text).map(|_| text);
        (read, "standard input".to_owned())
    } else {
        (std::fs::read_to_string(path), path.display().to_string())
    };
    match read {
        Ok(text) => Ok((text, name)),
        Err(source) => Err(InputError { name, source }),
    }
}
