//! Runs the commands of a page as a reader would: in a shell, in a folder that holds the examples.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::pages::{Page, book};
use crate::refresh::refreshed;
use crate::transcript::{Step, shows, steps};

/// The width of every transcript.
const COLUMNS: &str = "80";

/// A folder with the examples, which commands may write to.
struct Desk {
    folder: TempDir,
    last_exit: i32,
}

fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_file() {
            std::fs::copy(entry.path(), target).unwrap();
        } else {
            std::fs::create_dir(&target).unwrap();
            copy_files(&entry.path(), &target);
        }
    }
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy_files(&book().join("examples"), folder.path());
        std::fs::create_dir(folder.path().join("img")).unwrap();
        Self {
            folder,
            last_exit: 0,
        }
    }

    /// Runs a command; what it prints, on stdout and stderr, in its order.
    fn run(&mut self, command: &str) -> String {
        let built = Path::new(env!("CARGO_BIN_EXE_diskcap")).parent().unwrap();
        let script = format!("exec 2>&1; (exit {}); {command}\n", self.last_exit);
        let output = Command::new("sh")
            .args(["-c", &script])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", built.display()))
            .env("HOME", self.folder.path())
            .env("DISKCAP_TODAY", "2026-12-01")
            .env("COLUMNS", COLUMNS)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        self.last_exit = output.status.code().unwrap_or(-1);
        String::from_utf8(output.stdout).unwrap()
    }
}

/// What `command` prints, in a folder of its own.
pub fn output(command: &str) -> String {
    Desk::new().run(command)
}

/// What became of a page: what is wrong, and its text with the true output.
pub struct Outcome {
    pub problems: Vec<String>,
    pub corrected: String,
    /// The pictures that its commands made, in the folder `img`.
    pub pictures: Vec<(PathBuf, Vec<u8>)>,
}

/// Runs every command of `page` from top to bottom.
pub fn run(page: &Page) -> Outcome {
    let mut desk = Desk::new();
    let mut problems = Vec::new();
    let mut corrections = Vec::new();
    for (info, range) in page.blocks() {
        // Other languages show no commands; what needs a network is marked so.
        if !(info.is_empty() || info == "console") {
            continue;
        }
        let steps = steps(&page.text[range.clone()]);
        if !steps.iter().any(Step::runs) {
            continue;
        }
        let before = problems.len();
        let corrected = run_block(&mut desk, &steps, &mut problems);
        if problems.len() > before {
            corrections.push((range, corrected));
        }
    }
    let mut corrected = page.text.clone();
    for (range, text) in corrections.into_iter().rev() {
        corrected.replace_range(range, &text);
    }
    Outcome {
        problems,
        corrected,
        pictures: pictures(&desk.folder.path().join("img")),
    }
}

/// Runs a block; its text with the true output where that differs from what is shown.
fn run_block(desk: &mut Desk, steps: &[Step], problems: &mut Vec<String>) -> String {
    let mut corrected = String::new();
    for (index, step) in steps.iter().enumerate() {
        corrected += &format!("{}\n", step.shown);
        let mut shown = step.expected.clone();
        if step.runs() {
            let printed = desk.run(&step.command);
            let next_asks = steps.get(index + 1).is_some_and(Step::asks_for_exit_code);
            let code = desk.last_exit;
            // What a check is for: to fail where there are findings.
            let checked = code == 1 && step.command.contains("--fail-on");
            if code != 0 && !checked && !next_asks {
                problems.push(format!("$ {}\nexit {code}\n{printed}", step.command));
            }
            let lines: Vec<&str> = printed.lines().collect();
            if !step.expected.is_empty() && !shows(&step.expected, &lines) {
                problems.push(format!("$ {}\nprints\n{printed}", step.command));
                shown = refreshed(&step.expected, &lines);
            }
        }
        for line in shown {
            corrected += &format!("{line}\n");
        }
    }
    corrected
}

fn pictures(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (PathBuf::from(path.file_name().unwrap()), bytes)
        })
        .collect()
}
