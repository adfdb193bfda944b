//! Pages that are written from the code.

use std::fmt::Write as _;

use diskcap::planner::FindingId;
use diskcap::workload::PROFILES;

use crate::shell;

const NOTE: &str =
    "<!-- Written from the code: UPDATE_DOCS=1 cargo test --test docs. Do not edit. -->\n\n";

/// Every generated page: its path in the book, and its text.
pub fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("findings.md", findings()),
        ("reference/profiles.md", profiles()),
        ("reference/command-line.md", command_line()),
    ]
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn findings() -> String {
    let mut page = String::from("# Findings\n\n");
    page += NOTE;
    page += "A finding says what is wrong with a plan or a measurement, or what is worth knowing about it. It has a \
             stable id, a severity (`error`: cannot be deployed; `warning`: costs performance, data or money; `info`: \
             worth knowing), the numbers that it was made from and, where there is one, a fix.\n\n\
             `diskcap explain ID` prints what stands here. Ids do not change their meaning, so that a pipeline can \
             rely on them.\n\n| id | what it says |\n| --- | --- |\n";
    for id in FindingId::ALL {
        let code = id.code();
        let title = cell(id.explanation().title);
        writeln!(page, "| [{code}](#{}) | {title} |", code.to_lowercase()).unwrap();
    }
    for id in FindingId::ALL {
        let said = id.explanation();
        write!(
            page,
            "\n## {}\n\n**{}.** {}\n",
            id.code(),
            capitalised(said.title),
            said.rule,
        )
        .unwrap();
        if let Some(fix) = id.what_to_do() {
            writeln!(page, "\nWhat to do: {fix}.").unwrap();
        }
        let related: Vec<String> = id
            .related()
            .map(|other| format!("[{}](#{})", other.code(), other.code().to_lowercase()))
            .collect();
        if !related.is_empty() {
            writeln!(page, "\nRelated: {}.", related.join(", ")).unwrap();
        }
        writeln!(page, "\n*Source: {}.*", said.source).unwrap();
    }
    page
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

fn profiles() -> String {
    let mut page = String::from("# Workload profiles\n\n");
    page += NOTE;
    page += "A profile is a named workload: `--profile oltp`, or `profile = \"oltp\"` in a plan file. Flags and keys \
             go over what it says: `--profile oltp --queue-depth 8`. A volume can have its own: `--profile data=oltp \
             --profile log=sql-log`. No profile states a demand; each takes as much \
             as it gets.\n\n\
             | name | what it stands for | pattern | block | reads | queue depth |\n\
             | --- | --- | --- | ---: | ---: | ---: |\n";
    for profile in &PROFILES {
        let io = &profile.io;
        let depth = io.queue_depth.map_or("-".to_owned(), |d| d.to_string());
        writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {depth} |",
            profile.name,
            cell(profile.title),
            io.pattern,
            io.block_size,
            io.read_share
        )
        .unwrap();
    }
    page += "\n## Where the figures come from\n\n";
    for profile in &PROFILES {
        writeln!(page, "* `{}`: {}.", profile.name, profile.source).unwrap();
    }
    page += "\nWithout a workload `plan` shows three of them: `cdm-rnd4k-q32t16`, `cdm-seq1m-q8t1` and \
             `cdm-rnd4k-q1t1`, what CrystalDiskMark would measure.\n";
    page
}

fn command_line() -> String {
    let mut page = String::from("# Command-line reference\n\n");
    page += NOTE;
    page += "What `--help` prints, command by command. [Commands](commands.md) says what each is for.\n";
    describe("", &mut page);
    page
}

/// The help of a command, and of those below it.
fn describe(command: &str, page: &mut String) {
    let help = shell::output(&format!("diskcap {command} --help"));
    let title = format!("diskcap {command}");
    write!(
        page,
        "\n## {}\n\n```text\n{}\n```\n",
        title.trim(),
        help.lines()
            .map(str::trim_end)
            .collect::<Vec<_>>()
            .join("\n")
            .trim()
    )
    .unwrap();
    for below in subcommands(&help) {
        describe(format!("{command} {below}").trim(), page);
    }
}

/// The names under `Commands:`, without `help`.
pub fn subcommands(help: &str) -> Vec<&str> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        // What goes on from the line before is indented further.
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect()
}
