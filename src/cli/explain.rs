//! `diskcap explain`.

use std::process::ExitCode;

use super::config::Settings;
use super::failure::Failure;
use super::output::OutputArgs;
use diskcap::report::views::explain::{Explained, Index};

/// What a finding means, the rule behind it, its source and what to do; without an id, a list of all
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  diskcap explain
  diskcap explain VM-UNCACHED-IOPS
  diskcap explain --columns all --format markdown")]
pub struct Args {
    /// The id of a finding, such as VM-UNCACHED-IOPS
    #[arg(value_name = "FINDING-ID")]
    id: Option<Explained>,
    #[command(flatten)]
    output: OutputArgs,
}

pub fn run(args: &Args, settings: &Settings) -> Result<ExitCode, Failure> {
    match &args.id {
        Some(id) => args.output.show(id, settings)?,
        None => args.output.show(&Index::default(), settings)?,
    }
    Ok(ExitCode::SUCCESS)
}
