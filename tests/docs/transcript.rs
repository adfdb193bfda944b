//! A fenced block that shows commands and what they print.
//!
//! ```text
//! $ diskcap plan plan.toml --fail-on warning
//! Plan: ...
//! ...
//! $ echo $?
//! 1
//! ```
//!
//! Where output is shown, it must be what is printed: a line `...` stands for any number of lines, `…` for anything
//! within a line. Where none is shown, the command must only succeed; `$ echo $?` says otherwise. A line that begins
//! with `diskcap ` is a command of which no output is shown. A line that ends in `\` goes on in the next.

/// Stands for any number of lines.
pub const ELISION: &str = "...";

/// A command, and the lines that are shown of what it prints.
#[derive(Debug, PartialEq)]
pub struct Step {
    /// As it is written, with its continuation lines.
    pub shown: String,
    /// As the shell gets it.
    pub command: String,
    pub expected: Vec<String>,
}

/// Programs that a page may call; what begins with another (`cargo`, `git`) is for the reader alone.
const PROGRAMS: [&str; 5] = ["diskcap", "cat", "echo", "head", "ls"];

impl Step {
    /// Whether the tests run it.
    pub fn runs(&self) -> bool {
        // Variables may be set before the program: `DISKCAP_REGION=westeurope diskcap plan`.
        let mut words = self.command.split_whitespace();
        words
            .find(|word| !word.contains('='))
            .is_some_and(|program| PROGRAMS.contains(&program))
    }

    /// Whether it asks for the exit code of the command before.
    pub fn asks_for_exit_code(&self) -> bool {
        self.command.trim() == "echo $?"
    }
}

/// The steps of a block; none where it shows no command.
pub fn steps(block: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = block.lines();
    while let Some(line) = lines.next() {
        let command = match line.strip_prefix("$ ") {
            Some(command) => command,
            None if line.starts_with("diskcap ") => line,
            None => {
                if let Some(step) = steps.last_mut() {
                    step.expected.push(line.to_owned());
                }
                continue;
            }
        };
        let mut step = Step {
            shown: line.to_owned(),
            command: command.to_owned(),
            expected: Vec::new(),
        };
        while step.command.ends_with('\\') {
            let Some(more) = lines.next() else { break };
            step.shown = format!("{}\n{more}", step.shown);
            step.command = format!("{}\n{more}", step.command);
        }
        steps.push(step);
    }
    for step in &mut steps {
        while step.expected.last().is_some_and(String::is_empty) {
            step.expected.pop();
        }
    }
    steps
}

/// Whether what is printed is what is shown.
pub fn shows(expected: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else {
        return printed.iter().all(|line| line.trim().is_empty());
    };
    if first.trim() == ELISION {
        return (0..=printed.len()).any(|skipped| shows(rest, &printed[skipped..]));
    }
    match printed.split_first() {
        Some((line, others)) => line_shows(first, line) && shows(rest, others),
        None => false,
    }
}

fn line_shows(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (expected.trim_end(), printed.trim_end());
    let mut parts = expected.split('…');
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn a_transcript_is_read_and_elisions_count() {
    let block = "$ diskcap a \\\n    b\none\n...\nlast …\n$ echo $?\n1\ndiskcap c\n$ cargo x\n";
    let steps = steps(block);
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[0].command, "diskcap a \\\n    b");
    assert!(steps[1].asks_for_exit_code() && steps[2].expected.is_empty() && !steps[3].runs());
    let expected = &steps[0].expected;
    assert!(shows(expected, &["one", "two", "three", "last of all  "]));
    assert!(shows(expected, &["one", "last one", ""]));
    assert!(!shows(expected, &["one", "two"]));
    assert!(!shows(expected, &["none", "last one"]));
    assert!(line_shows("a … b … c", "a 1 b 2 c") && !line_shows("a … b", "a 1 b 2"));
}
