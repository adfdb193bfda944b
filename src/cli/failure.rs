//! How a command fails: what it says on stderr, and its exit code.

use std::error::Error;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use diskcap::report::fold;

use super::width::of_words;

/// Findings at or above `--fail-on`.
pub const FINDINGS: u8 = 1;
/// Bad usage or input.
pub const USAGE: u8 = 2;
/// The cloud could not be read.
pub const CLOUD: u8 = 3;

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    error: Box<dyn Error + Send + Sync>,
}

impl Failure {
    /// The cloud could not be read.
    pub fn cloud(error: impl Error + Send + Sync + 'static) -> Self {
        Self {
            code: CLOUD,
            error: error.into(),
        }
    }

    /// Says what is wrong on stderr, and where the input is at fault what may have been meant.
    pub fn report(&self, tip: impl FnOnce() -> Option<String>) -> ExitCode {
        complain(&self.error.to_string());
        if let Some(tip) = (self.code == USAGE).then(tip).flatten() {
            say(&format!("\n  tip: {tip}"));
        }
        ExitCode::from(self.code)
    }
}

/// Unless said otherwise, what goes wrong is the input.
impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            code: USAGE,
            error: error.into(),
        }
    }
}

/// Writes `error: message` to stderr.
pub fn complain(message: &str) {
    say(&format!("error: {message}"));
}

/// Writes a line to stderr: notices go there, since stdout carries the result only. The one place that does.
pub fn say(line: &str) {
    let shown: String = line
        .chars()
        .map(|c| {
            if c.is_control() && c != '\n' {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect();
    let stderr = std::io::stderr();
    let shown = match of_words(stderr.is_terminal()) {
        Some(width) => fold(&shown, width),
        None => shown,
    };
    // Where nobody reads it any more, there is nobody to tell.
    let _ = writeln!(stderr.lock(), "{shown}");
}
