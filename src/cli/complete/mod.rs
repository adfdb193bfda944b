//! Completion in shells. The scripts are small: on TAB they call the command itself, which knows its flags, and the
//! catalogue's sizes, tiers and regions, as they are in this version.

mod bash;
mod nushell;
mod spec;
mod tables;
mod values;
mod volume;
mod zsh;

use std::process::ExitCode;

use clap::{Command, ValueEnum};
use clap_complete::CompleteEnv;
use clap_complete::env::{EnvCompleter, Fish, Powershell, Shells};

use super::failure::Failure;
use bash::Bash;
use diskcap::report::{Destination, Format};
use zsh::Zsh;

/// The variable by which a script asks for completions.
pub const VARIABLE: &str = "DISKCAP_COMPLETE";

/// The command as scripts and pages call it.
pub const NAME: &str = "diskcap";

/// The shells whose scripts ask the command itself.
const ASKING: Shells<'static> = Shells(&[&Bash, &Zsh, &Fish, &Powershell]);

/// Print a script that completes commands, flags, VM sizes, disk specs and regions in a shell
///
/// The script asks `diskcap` on each TAB, so it need not be made anew with a new version.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  diskcap completions bash
  diskcap completions fish > diskcap.fish

Where it goes:
  bash        source <(diskcap completions bash)                 in ~/.bashrc
  zsh         source <(diskcap completions zsh)                  in ~/.zshrc, behind compinit
  fish        diskcap completions fish > ~/.config/fish/completions/diskcap.fish
  powershell  diskcap completions powershell | Out-String | Invoke-Expression     in $PROFILE
  nushell     diskcap completions nushell | save -f diskcap.nu; then `use diskcap.nu *` in config.nu")]
pub struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// A shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
    Nushell,
}

/// Answers a script that asks for completions, and ends; returns where nobody does.
pub fn answer() {
    CompleteEnv::with_factory(command)
        .var(VARIABLE)
        .bin(NAME)
        .shells(ASKING)
        .complete();
}

/// Runs `diskcap completions`.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    match args.shell {
        Shell::Bash => register(&Bash, &mut script)?,
        Shell::Zsh => register(&Zsh, &mut script)?,
        Shell::Fish => register(&Fish, &mut script)?,
        Shell::Powershell => register(&Powershell, &mut script)?,
        Shell::Nushell => script = nushell::script(super::command(None)).into_bytes(),
    }
    Destination::Stdout.write(&script, Format::Table)?;
    Ok(ExitCode::SUCCESS)
}

fn register(shell: &dyn EnvCompleter, script: &mut Vec<u8>) -> std::io::Result<()> {
    shell.write_registration(VARIABLE, NAME, NAME, NAME, script)
}

/// The whole command line with what its arguments can be.
fn command() -> Command {
    with_values(super::command(None), "")
}

/// With the values of the command's arguments, and of those below it; `path` are the words of the command.
fn with_values(command: Command, path: &str) -> Command {
    tables::put_on(command, path)
        .mut_args(values::put_on)
        .mut_subcommands(|below| {
            let words = format!("{path} {}", below.get_name());
            with_values(below, words.trim())
        })
}
