//! `diskcap render`.

use std::path::PathBuf;
use std::process::ExitCode;

use super::config::Settings;
use super::failure::Failure;
use super::input::read_text;
use super::output::OutputArgs;
use diskcap::report::saved;

/// A result that was saved as JSON, in any format
///
/// Takes what plan, simulate, bench, validate, recommend and compare printed with --format json; what it is, its "schema"
/// says. What skus, explain and config print is not read: these show it again in any format themselves.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  diskcap plan plan.toml --output plan.json && diskcap render plan.json --output plan.html
  diskcap compare vms 'D*s_v5' --format json | diskcap render - --format markdown")]
pub struct Args {
    /// The JSON file; - is stdin
    #[arg(value_name = "FILE.json")]
    file: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, settings: &Settings) -> Result<ExitCode, Failure> {
    let (text, name) = read_text(&args.file)?;
    let saved = saved::read(&text, &name)?;
    args.output.show_saved(saved.as_ref(), settings)?;
    Ok(ExitCode::SUCCESS)
}
