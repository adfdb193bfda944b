//! Runs the built command and puts exit code, stdout and stderr into one text.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test helper fails by panicking")]

use std::path::Path;
use std::process::{Command, Output};

/// The built command in a plain environment: no colour, no width, no settings of the user's.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskcap"));
    for name in ["NO_COLOR", "COLUMNS", "TERM", "COMPLETE"] {
        command.env_remove(name);
    }
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("DISKCAP_") {
            command.env_remove(name);
        }
    }
    command.env("DISKCAP_CONFIG", "none");
    // Sizes retire: what is tested is of one day.
    command.env("DISKCAP_TODAY", "2026-12-01");
    // No copy of prices and sizes that somebody refreshed on this machine.
    command.env(
        "XDG_CACHE_HOME",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/no-cache"),
    );
    command
}

/// Runs it with words split at blanks, in `folder`.
pub fn run_in(folder: &Path, words: &str) -> Output {
    command()
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Runs it with words split at blanks.
pub fn run(words: &str) -> Output {
    run_in(Path::new(env!("CARGO_MANIFEST_DIR")), words)
}

/// Exit code, stdout and stderr together, for a snapshot.
pub fn transcript(words: &str) -> String {
    shown(words, &run(words))
}

/// The transcript of an output.
pub fn shown(words: &str, output: &Output) -> String {
    format!(
        "$ diskcap {words}\nexit {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    )
}

/// Stdout of a run that must succeed.
pub fn stdout(words: &str) -> String {
    let output = run(words);
    assert!(output.status.success(), "{}", shown(words, &output));
    String::from_utf8(output.stdout).unwrap()
}

/// Writes three plans of a data and a log disk: `today.toml`, with a larger disk `tomorrow.toml`, on a larger size
/// `larger.toml`.
pub fn plans(folder: &std::path::Path) {
    let plan = |size: &str, data: &str, log: &str| {
        format!(
            "[vm]\nsize = '{size}'\n\n[[disk]]\nname = 'data'\nspec = '{data}'\n\n[[disk]]\nname = 'log'\nspec = '{log}'\n"
        )
    };
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).unwrap();
    write("today.toml", plan("D8s_v3", "P30", "P10"));
    write("tomorrow.toml", plan("D8s_v3", "P40", "P10"));
    write("larger.toml", plan("D16s_v3", "P30", "P10"));
}

/// That the report of `words` is written as a file of each ending, beginning as such a file does.
#[track_caller]
pub fn files_begin(words: &str, formats: &[(&str, &[u8])]) {
    let folder = tempfile::tempdir().unwrap();
    for (ending, start) in formats {
        let path = folder.path().join(format!("report.{ending}"));
        let output = command()
            .args(words.split_whitespace())
            .arg("--output")
            .arg(&path)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", shown(ending, &output));
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(&bytes[..start.len()], *start, "{ending}");
    }
}
