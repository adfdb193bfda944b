//! Nushell, whose script is written out in full; lists that are long or change are asked of the command.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::generate;
use clap_complete_nushell::Nushell;

use super::NAME;
use super::values::is_of;

/// Arguments whose values the command lists, and how. The word stands for them until the script is written.
const LISTS: [(&str, &str, &str, &str); 3] = [
    (
        "vm",
        "SIZE",
        "@sizes@",
        "^diskcap skus list --format csv --columns size --no-header",
    ),
    (
        "disk",
        "SPEC",
        "@tiers@",
        "^diskcap skus list --tiers --format csv --columns tier --no-header",
    ),
    (
        "id",
        "FINDING-ID",
        "@findings@",
        "^diskcap explain --format csv --columns id --no-header",
    ),
];

/// The script.
pub fn script(command: Command) -> String {
    let mut script = Vec::new();
    generate(Nushell, &mut with_lists(command), NAME, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    for (.., word, list) in LISTS {
        let lists = format!("{list} | lines");
        script = script.replace(&format!("[ \"{word}\" ]"), &lists);
    }
    script
}

fn with_lists(command: Command) -> Command {
    command.mut_args(with_list).mut_subcommands(with_lists)
}

fn with_list(arg: Arg) -> Arg {
    let id = arg.get_id().as_str();
    let list = LISTS
        .iter()
        .find(|(known, value, ..)| *known == id && is_of(&arg, value));
    match list {
        Some((.., word, _)) => arg.value_parser(PossibleValuesParser::new([*word])),
        None => arg,
    }
}
