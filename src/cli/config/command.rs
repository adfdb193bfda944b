//! `diskcap config`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use super::file::example;
use super::key::Key;
use super::layer::{Given, Layers, Origin, process_environment};
use super::{FILE_VARIABLE, Location, Settings, layers};
use crate::cli::failure::{Failure, say};
use crate::cli::output::OutputArgs;
use diskcap::report::views::settings::{SettingOrigin, SettingRow, SettingsView};
use diskcap::report::{Destination, Format};

/// What is set for every command, and where: show it, find its file, or begin one
///
/// Flags go over environment variables, these over the configuration file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  diskcap config show
  diskcap config init")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(Box<ShowArgs>),
    /// Where the configuration file is
    #[command(
        after_help = "Examples:\n  diskcap config path\n  diskcap config path --config team.toml"
    )]
    Path,
    /// Write a commented configuration file with every key; one that is there is left as it is
    #[command(
        after_help = "Examples:\n  diskcap config init\n  diskcap config init --config team.toml"
    )]
    Init,
}

/// Every setting, its value, and where it comes from
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  diskcap config show
  diskcap config show --columns all
  DISKCAP_REGION=westeurope diskcap config show --format json")]
struct ShowArgs {
    #[command(flatten)]
    output: OutputArgs,
}

/// Why there is no configuration file to speak of.
#[derive(Debug, thiserror::Error)]
enum NoFile {
    /// None is wanted.
    #[error("'none' stands for no configuration file: name one with --config or {FILE_VARIABLE}")]
    Unwanted,
    /// There is no place for one.
    #[error(
        "no home folder to keep a configuration in: name a file with --config or {FILE_VARIABLE}"
    )]
    NoHome,
    /// There is one already.
    #[error("'{}' exists and is left as it is", .0.display())]
    Exists(PathBuf),
    /// It cannot be written.
    #[error("cannot write '{}': {source}", .path.display())]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
}

/// Runs `diskcap config`; `flag` names another configuration file.
pub fn run(args: Args, flag: Option<&Path>) -> Result<ExitCode, Failure> {
    let location = Location::find(flag, &process_environment);
    match args.command {
        Command::Show(args) => show(&args, &location)?,
        Command::Path => path(&location)?,
        Command::Init => init(&location)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn show(args: &ShowArgs, location: &Location) -> Result<(), Failure> {
    let mut layers = layers(location, &process_environment)?;
    let settings = Settings::of(&layers)?;
    let flags = [
        (
            Key::Format,
            "--format",
            args.output.format.map(|format| format.name()),
        ),
        (
            Key::Color,
            "--color",
            args.output.color.map(|when| when.name()),
        ),
    ];
    for (key, flag, value) in flags {
        if let Some(value) = value {
            let text = value.to_owned();
            let origin = Origin::Flag { flag };
            layers.insert(key, Given { text, origin });
        }
    }
    args.output.show(&view(location, &layers), &settings)
}

fn view(location: &Location, layers: &Layers) -> SettingsView {
    let row = |key: Key| {
        let given = layers.get(&key);
        SettingRow {
            key: key.name().to_owned(),
            value: given.map_or_else(|| key.default(), |given| Some(given.text.clone())),
            origin: given.map_or(SettingOrigin::Default, |given| (&given.origin).into()),
            variable: key.variable().to_owned(),
            meaning: key.meaning(),
        }
    };
    SettingsView::new(
        location.path().map(|path| path.display().to_string()),
        location.to_read().is_some(),
        location.problem(),
        Key::ALL.into_iter().map(row).collect(),
    )
}

impl From<&Origin> for SettingOrigin {
    fn from(origin: &Origin) -> Self {
        match origin {
            Origin::File { path, line } => Self::File {
                path: path.display().to_string(),
                line: *line,
            },
            Origin::Environment { variable } => Self::Environment {
                variable: (*variable).to_owned(),
            },
            Origin::Flag { flag } => Self::Flag {
                flag: (*flag).to_owned(),
            },
        }
    }
}

/// The file, or why there is none.
fn file(location: &Location) -> Result<&Path, NoFile> {
    match location {
        Location::Named(path) | Location::Own(path) => Ok(path),
        Location::Unwanted => Err(NoFile::Unwanted),
        Location::NoHome => Err(NoFile::NoHome),
    }
}

fn path(location: &Location) -> Result<(), Failure> {
    let path = file(location)?;
    let line = format!("{}\n", path.display());
    Destination::Stdout.write(line.as_bytes(), Format::Table)?;
    match location.problem() {
        Some(problem) => say(&format!("note: it cannot be looked at: {problem}")),
        None if !path.exists() => {
            say("note: there is no such file yet; `diskcap config init` writes one");
        }
        None => {}
    }
    Ok(())
}

fn init(location: &Location) -> Result<(), Failure> {
    let path = file(location)?;
    write_new(path, &example())?;
    say(&format!(
        "written: {}\nevery key is a comment: nothing is set yet",
        path.display()
    ));
    Ok(())
}

/// Writes a file that must not be there, whole or not at all.
fn write_new(path: &Path, text: &str) -> Result<(), NoFile> {
    let failed = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::AlreadyExists => NoFile::Exists(path.to_owned()),
        _ => NoFile::Write {
            path: path.to_owned(),
            source,
        },
    };
    if path.symlink_metadata().is_ok() {
        return Err(NoFile::Exists(path.to_owned()));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut begun = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    begun.write_all(text.as_bytes()).map_err(failed)?;
    begun.as_file().sync_all().map_err(failed)?;
    begun
        .persist_noclobber(path)
        .map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::file;

    #[test]
    fn the_example_names_every_format() {
        let text = example();
        assert!(!text.contains('{'), "{text}");
        let formats =
            "table, json, csv, ndjson, parquet, markdown, html, xlsx, svg, png, sarif or junit.";
        assert!(text.contains(formats), "{text}");
    }

    #[test]
    fn the_example_has_every_key_and_each_line_of_it_works() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/er/config.toml");
        write_new(&path, &example()).unwrap();
        assert!(
            file::read(&path).unwrap().is_empty(),
            "the example sets nothing"
        );
        let uncommented: String = example()
            .lines()
            .map(|line| line.strip_prefix("#").filter(|rest| !rest.starts_with(' ')))
            .map(|line| format!("{}\n", line.unwrap_or_default()))
            .collect();
        std::fs::write(&path, uncommented).unwrap();
        let given: Layers = file::read(&path).unwrap().into_iter().collect();
        assert_eq!(given.keys().copied().collect::<Vec<_>>(), Key::ALL);
        Settings::of(&given).unwrap();
        let message = write_new(&path, &example()).unwrap_err().to_string();
        assert!(
            message.ends_with("exists and is left as it is"),
            "{message}"
        );
    }
}
