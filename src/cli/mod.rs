//! The command line: reads arguments, calls the library, hands the result to a report. No rules here.

mod bench;
mod compare;
mod complete;
mod config;
mod deployment;
mod explain;
mod failure;
mod input;
mod man;
mod money;
mod output;
mod plan;
mod recommend;
mod render;
mod simulate;
mod sizes;
mod skus;
mod skus_update;
mod trace;
mod validate;
mod workload;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// How fast can these disks really go on this virtual machine, and what stops them?
#[derive(Debug, Parser)]
#[command(
    name = "diskcap",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(arg_required_else_help = true, subcommand_required = true)]
#[command(after_help = EXIT_CODES)]
struct Cli {
    /// Another configuration file than the user's own
    ///
    /// DISKCAP_CONFIG does the same; `none` stands for no file at all.
    #[arg(
        long,
        value_name = "FILE",
        global = true,
        hide_short_help = true,
        display_order = 900
    )]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  findings at or above --fail-on
  2  bad usage or input, or a plan that cannot be deployed
  3  the cloud could not be read";

#[derive(Debug, Subcommand)]
enum Command {
    Plan(Box<plan::Args>),
    Bench(Box<bench::Args>),
    Validate(Box<validate::Args>),
    Recommend(Box<recommend::Args>),
    Simulate(Box<simulate::Args>),
    Compare(compare::Args),
    Render(render::Args),
    Skus(skus::Args),
    Explain(explain::Args),
    Config(config::Args),
    Completions(complete::Args),
    Man(man::Args),
}

/// Runs the command and says how it ended.
pub fn run() -> ExitCode {
    complete::answer();
    let cli = Cli::parse();
    match dispatch(cli.command, cli.config.as_deref()) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn dispatch(command: Command, config: Option<&Path>) -> Result<ExitCode, Failure> {
    let settings = || config::load(config);
    match command {
        Command::Plan(args) => plan::run(*args, &settings()?),
        Command::Bench(args) => bench::run(*args, &settings()?),
        Command::Validate(args) => validate::run(*args, &settings()?),
        Command::Recommend(args) => recommend::run(*args, &settings()?),
        Command::Simulate(args) => simulate::run(*args, &settings()?),
        Command::Compare(args) => compare::run(args, &settings()?),
        Command::Render(args) => render::run(&args, &settings()?),
        Command::Skus(args) => skus::run(args, &settings()?),
        Command::Explain(args) => explain::run(&args, &settings()?),
        Command::Config(args) => config::run(args, config),
        Command::Completions(args) => complete::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
