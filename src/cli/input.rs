//! Reading texts that are named on the command line.

use std::io::Read;
use std::path::Path;

use diskcap::measure::text::decode;

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read '{name}': {source}")]
pub struct InputError {
    name: String,
    source: std::io::Error,
}

/// The text of the file at `path`, whatever its encoding (some shells redirect output as UTF-16), and what it is
/// called; `-` is standard input.
pub fn read_text(path: &Path) -> Result<(String, String), InputError> {
    let (read, name) = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().read_to_end(&mut bytes).map(|_| bytes);
        (read, "standard input".to_owned())
    } else {
        (std::fs::read(path), path.display().to_string())
    };
    match read {
        Ok(bytes) => Ok((decode(&bytes).into_owned(), name)),
        Err(source) => Err(InputError { name, source }),
    }
}
