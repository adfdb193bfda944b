//! `diskcap man`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::complete::NAME;
use super::config::environment;
use super::failure::{Failure, say};
use diskcap::report::{Destination, Format};

/// The manual: its first page on standard output, or every page into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  diskcap man | man -l -
  diskcap man ~/.local/share/man/man1")]
pub struct Args {
    /// Write every page into this folder, which is made where it is missing
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Runs `diskcap man`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut command = super::command(None).disable_help_subcommand(true);
    command.build();
    match &args.folder {
        None => Destination::Stdout.write(&page(&command)?, Format::Table)?,
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|source| FolderError {
                folder: folder.clone(),
                source,
            })?;
            let count = write_all(&command, folder)?;
            say(&format!("{count} pages written to {}", folder.display()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make the folder '{}': {source}", .folder.display())]
struct FolderError {
    folder: PathBuf,
    source: std::io::Error,
}

/// Writes the pages of a command and of what is below it; how many.
fn write_all(command: &Command, folder: &Path) -> Result<usize, Failure> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    let file = folder.join(format!("{name}.1"));
    Destination::File(file).write(&page(command)?, Format::Table)?;
    let mut count = 1;
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        count += write_all(below, folder)?;
    }
    Ok(count)
}

/// One page: the crate's sections, with our own words behind the options instead of its `EXTRA`.
fn page(command: &Command) -> std::io::Result<Vec<u8>> {
    let name = command
        .get_display_name()
        .unwrap_or_else(|| command.get_name());
    let version = command.get_version().unwrap_or_default();
    let man = Man::new(command.clone())
        .title(name.to_uppercase())
        .source(format!("diskcap {version}"))
        .manual("diskcap manual");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    page.extend(more(command).to_roff().into_bytes());
    Ok(page)
}

/// What stands behind the options: the words of the help as they are laid out, and what holds for every command.
fn more(command: &Command) -> Roff {
    let mut roff = Roff::new();
    let parts = [command.get_before_help(), command.get_after_long_help()];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    for block in parts.iter().flat_map(|part| {
        part.split(
            "

",
        )
    }) {
        let Some((head, lines)) = block.split_once('\n') else {
            roff.control("PP", []);
            roff.text([roman(block)]);
            continue;
        };
        roff.control("SH", [head.trim_end_matches(':').to_uppercase().as_str()]);
        roff.control("nf", []);
        for line in lines.lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    if !command.has_subcommands() || command.get_name() == NAME {
        roff.control("SH", ["ENVIRONMENT"]);
        for (variable, meaning) in environment() {
            roff.control("TP", []);
            roff.text([bold(variable)]);
            roff.text([roman(meaning)]);
        }
        roff.control("SH", ["FILES"]);
        roff.control("TP", []);
        roff.text([bold("~/.config/diskcap/config.toml")]);
        roff.text([roman("Settings for every command; see diskcap-config(1).")]);
    }
    roff
}
