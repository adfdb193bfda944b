//! What the reference pages must name: every command, input format, key and schema that there is.

use diskcap::deployment::spec::KEYS;
use diskcap::measure::detect::FORMATS;
use diskcap::report::saved::KINDS;

use crate::generated::subcommands;
use crate::pages::{Page, book};
use crate::shell;

/// What is missing on which page.
pub fn missing() -> Vec<String> {
    let help = shell::output("diskcap --help");
    let commands = subcommands(&help).into_iter();
    let wanted: [(&str, Vec<String>); 4] = [
        (
            "commands.md",
            commands.map(|name| format!("\n## {name}\n")).collect(),
        ),
        (
            "input-formats.md",
            FORMATS
                .iter()
                .map(|entry| format!("\n## {}\n", entry.format.title()))
                .collect(),
        ),
        (
            "disk-spec.md",
            KEYS.iter().map(|key| format!("\n| `{key}` | ")).collect(),
        ),
        (
            "json.md",
            KINDS
                .iter()
                .map(|kind| format!("/schema/{}.json)", kind.schema.replace('/', "-")))
                .collect(),
        ),
    ];
    let mut missing = Vec::new();
    for (name, words) in wanted {
        let page = Page::read(book().join("reference").join(name));
        let lacking = words.iter().filter(|word| !page.text.contains(&**word));
        missing.extend(lacking.map(|word| format!("{} lacks {word:?}", page.name())));
    }
    missing
}
