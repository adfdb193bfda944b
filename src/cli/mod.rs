//! The command line: reads arguments, calls the library, hands the result to a report. No rules here.

mod bench;
mod catalog;
mod compare;
mod complete;
mod config;
mod day;
mod deployment;
mod explain;
mod failure;
mod gate;
mod help;
mod input;
mod like;
mod man;
mod money;
mod number;
mod output;
mod plan;
mod plan_source;
mod progress;
mod recommend;
mod render;
mod simulate;
mod sizes;
mod skus;
mod skus_update;
mod tip;
mod trace;
mod validate;
mod width;
mod workload;

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use diskcap::units::decimal_unit_note;
use failure::Failure;

/// How fast can these disks really go on this virtual machine, and what stops them?
#[derive(Debug, Parser)]
#[command(
    name = "diskcap",
    version,
    propagate_version = true,
    max_term_width = width::WIDEST_TEXT
)]
#[command(arg_required_else_help = true, subcommand_required = true)]
#[command(after_help = EXAMPLES)]
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

const EXAMPLES: &str = "\
Examples:
  diskcap plan --vm D8s_v5 --disk data=P30 --disk log=v2:size=256      how fast, and what stops them?
  diskcap bench result.txt --vm D8s_v5 --disk P30      what was my benchmark limited by?
  diskcap recommend --capacity 2TiB --iops 20000 --mbps 500      the cheapest that delivers this";

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
    let width = width::of_words(std::io::stdout().is_terminal());
    let matches = read(width).unwrap_or_else(|error| width::exit_with(&error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| width::exit_with(&error));
    for argument in std::env::args_os().skip(1) {
        for note in argument.to_str().into_iter().flat_map(decimal_unit_notes) {
            failure::say(&format!("note: {note}"));
        }
    }
    for problem in config::unknown_variables() {
        failure::say(&format!("warning: {problem}"));
    }
    match dispatch(cli.command, cli.config.as_deref()) {
        Ok(code) => code,
        Err(failure) => failure.report(|| tip::of(&matches)),
    }
}

/// The arguments as they were given.
fn read(width: Option<usize>) -> Result<ArgMatches, clap::Error> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let unknown = |error: &clap::Error| error.kind() == ErrorKind::InvalidSubcommand;
    let read = command(width).try_get_matches_from(&words);
    let asks_help = words.get(1).is_some_and(|word| word == "help");
    if asks_help && read.as_ref().is_err_and(unknown) {
        // `help pln` gets no suggestion of a similar command, `pln` does.
        words.remove(1);
        let suggested = command(width).try_get_matches_from(&words);
        return suggested.err().filter(unknown).map_or(read, Err);
    }
    read
}

/// What is said of the capacities in decimal units in `argument`: all of it, or values of keys (`v2:size=1TB,iops=3000`).
fn decimal_unit_notes(argument: &str) -> impl Iterator<Item = String> + '_ {
    let values = argument.split(['=', ':']);
    values.filter_map(|value| {
        let first = || value.split(',').next();
        decimal_unit_note(value).or_else(|| decimal_unit_note(first()?))
    })
}

/// Takes a negative number for the value of an option, so that what reads it can say what is wrong: by itself it would be a
/// flag that does not exist.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let option = |arg: clap::Arg| match arg.get_action().takes_values() && !arg.is_positional() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    command
        .mut_args(option)
        .mut_subcommands(with_negative_numbers)
}

/// The whole command line with its help, fitted to a width where there is one.
fn command(width: Option<usize>) -> clap::Command {
    let command = with_negative_numbers(Cli::command());
    let command = match width {
        Some(width) => command.term_width(width),
        None => command,
    };
    help::teach(command, width)
}

fn dispatch(command: Command, config: Option<&Path>) -> Result<ExitCode, Failure> {
    day::take()?;
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
    #[test]
    fn the_arguments_are_consistent() {
        super::command(None).debug_assert();
    }
}
