//! Help that teaches: every command opens with what it answers and a few real examples, and its long help explains the
//! words that its arguments are made of.
//!
//! A command only says its examples, in a block of `after_help` that begins with `Examples:`. Everything else is put
//! around them here, in one place: which examples come first, how long ones are folded, and the parts that several
//! commands share.

mod example;

use std::fmt::Write as _;

use clap::Command;

use super::failure::{CLOUD, FINDINGS, USAGE};
use diskcap::report::fold;
use diskcap::workload::PROFILES;
use example::Example;

/// How disk specs are written.
const DISK_SPEC: &str = include_str!("disk_spec.txt");

/// The width of what is laid out where no width is asked for, so that a terminal of 80 columns does not break it.
pub const WIDTH: usize = 78;

/// How many examples the help opens with.
const FIRST: usize = 3;

/// About, examples, usage, arguments, the rest.
const TEMPLATE: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Where a command that only leads to others says more.
const MORE: &str =
    "`diskcap COMMAND --help` says more: disk specs, profiles, exit codes and further examples.";

/// The head of the block that holds the examples.
const EXAMPLES: &str = "Examples:";

/// The command, and every command below it, with its help; in lines no longer than `width` where there is one.
pub fn teach(command: Command, width: Option<usize>) -> Command {
    let written = command
        .get_after_long_help()
        .or_else(|| command.get_after_help());
    let written = written.map(ToString::to_string).unwrap_or_default();
    let (examples, others): (Vec<&str>, Vec<&str>) = written
        .split("\n\n")
        .filter(|block| !block.trim().is_empty())
        .partition(|block| block.starts_with(EXAMPLES));
    let examples: Vec<Example> = examples.into_iter().flat_map(Example::all).collect();
    let (first, more) = examples.split_at(FIRST.min(examples.len()));
    let mut blocks: Vec<String> = others.into_iter().map(str::to_owned).collect();
    blocks.extend(shared(&command));
    if !more.is_empty() {
        blocks.push(block("More examples:", more, width));
    }
    blocks.push(exit_codes(&command));
    let command = if first.is_empty() {
        command
    } else {
        command
            .help_template(TEMPLATE)
            .before_help(block(EXAMPLES, first, width))
    };
    let short = command.get_subcommands().next().map(|_| MORE);
    command
        .after_help(short)
        .after_long_help(fold(&blocks.join("\n\n"), width.unwrap_or(usize::MAX)))
        .mut_subcommands(|command| teach(command, width))
}

/// Examples under a head.
fn block(head: &str, examples: &[Example], width: Option<usize>) -> String {
    let width = width.unwrap_or(example::WIDTH);
    let texts: Vec<String> = examples.iter().map(|one| one.fitted(width)).collect();
    format!("{head}\n{}", texts.join("\n"))
}

/// Whether the command, or one below it, has an argument of this id.
fn any_has(command: &Command, id: &str) -> bool {
    let own = command.get_arguments().any(|arg| arg.get_id() == id);
    own || command.get_subcommands().any(|below| any_has(below, id))
}

/// Whether the command has this name, or one below it.
fn any_is(command: &Command, name: &str) -> bool {
    command.get_name() == name || command.get_subcommands().any(|below| any_is(below, name))
}

/// The exit codes that the command, or one below it, has.
fn exit_codes(command: &Command) -> String {
    let plans = any_is(command, "plan") || any_is(command, "simulate");
    let needs = any_is(command, "recommend");
    let wrong = match (plans, needs) {
        (false, false) => "bad usage or input",
        (true, false) => "bad usage or input, or a plan that cannot be deployed",
        (false, true) => "bad usage or input, or a need that nothing meets",
        (true, true) => {
            "bad usage or input, a plan that cannot be deployed, or a need that nothing meets"
        }
    };
    let codes = [
        (
            FINDINGS,
            any_has(command, "fail_on"),
            "findings at or above --fail-on",
        ),
        (USAGE, true, wrong),
        (
            CLOUD,
            any_has(command, "cloud"),
            "the cloud could not be read",
        ),
    ];
    let mut text = "Exit codes:\n  0  done".to_owned();
    for (code, _, meaning) in codes.iter().filter(|(_, has, _)| *has) {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {code}  {meaning}");
    }
    text
}

/// What the arguments of this command are made of.
fn shared(command: &Command) -> impl Iterator<Item = String> {
    let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
    let spec = (has("disk") || has("disks")).then(|| DISK_SPEC.trim_end().to_owned());
    let profiles = has("profile").then(profiles);
    spec.into_iter().chain(profiles)
}

/// The workloads by name.
fn profiles() -> String {
    let mut text = "Profiles:".to_owned();
    let width = PROFILES.iter().map(|profile| profile.name.len()).max();
    let width = width.unwrap_or_default();
    for profile in &PROFILES {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {:width$}  {}", profile.name, profile.title);
    }
    text
}
