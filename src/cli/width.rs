//! How wide what is said may be: the result by what it goes to, help, errors and notices by what they go to.

use std::ffi::OsStr;
use std::io::{IsTerminal, Write};

use terminal_size::{Width, terminal_size};

use super::failure::{USAGE, complain};
use diskcap::report::{Destination, Format, RenderOptions, fold};

/// The width that output is fitted to when neither a terminal nor COLUMNS says one.
const DEFAULT: usize = 100;

/// Running text is no wider than this, however wide the terminal: longer lines do not read well.
pub const WIDEST_TEXT: usize = diskcap::report::terminal::WIDEST_TEXT;

/// The width of a result: the terminal's that it goes to; else that of COLUMNS; else 100.
pub fn of_result(on_terminal: bool) -> usize {
    on_terminal
        .then(of_terminal)
        .flatten()
        .or_else(of_variable)
        .unwrap_or(DEFAULT)
}

/// The width of help, errors and notices: that of --width; else the terminal's that they go to; else that of COLUMNS.
/// `None` where nobody says: a log is not to be folded.
pub fn of_words(on_terminal: bool) -> Option<usize> {
    let width = asked()
        .or_else(|| on_terminal.then(of_terminal).flatten())
        .or_else(of_variable)?;
    Some(width.clamp(RenderOptions::NARROWEST, WIDEST_TEXT))
}

fn of_terminal() -> Option<usize> {
    terminal_size().map(|(Width(width), _)| usize::from(width))
}

fn of_variable() -> Option<usize> {
    let width: usize = std::env::var("COLUMNS").ok()?.parse().ok()?;
    (width > 0).then_some(width)
}

/// What --width says, found before the arguments are read: help and usage errors come of reading them.
fn asked() -> Option<usize> {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    let number = |word: &OsStr| {
        let width: usize = word.to_str()?.parse().ok()?;
        (width >= RenderOptions::NARROWEST).then_some(width)
    };
    words.iter().enumerate().find_map(|(index, word)| {
        if word == "--width" {
            return number(words.get(index + 1)?);
        }
        number(OsStr::new(word.to_str()?.strip_prefix("--width=")?))
    })
}

/// Shows help or what is wrong with the arguments, and ends.
pub fn exit_with(error: &clap::Error) -> ! {
    let on_terminal = if error.use_stderr() {
        std::io::stderr().is_terminal()
    } else {
        std::io::stdout().is_terminal()
    };
    let rendered = error.render();
    let plain = rendered.to_string();
    let width = of_words(on_terminal).unwrap_or(usize::MAX);
    let text = if on_terminal && !no_color() {
        fold(&rendered.ansi().to_string(), width)
    } else {
        fold(&plain, width)
    };
    let text = format!("{}\n", text.trim_end());
    if error.use_stderr() {
        // Where nobody reads it any more, there is nobody to tell.
        let _ = std::io::stderr().write_all(text.as_bytes());
    } else if let Err(problem) = Destination::Stdout.write(text.as_bytes(), Format::Table) {
        complain(&problem.to_string());
        std::process::exit(USAGE.into());
    }
    std::process::exit(error.exit_code())
}

/// Whether the environment asks for no colour.
pub fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
        || std::env::var_os("TERM").is_some_and(|v| v == "dumb")
}
