//! One example of a command line, as it is written beside a command and as the help shows it.

use std::fmt;

/// The width that examples are folded to, so that a terminal of 80 columns does not break them.
const WIDTH: usize = 78;

/// What an example starts with.
const INDENT: &str = "  ";

/// A command line, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    line: String,
    comment: Option<String>,
}

impl Example {
    /// The examples of a block: one a line below its head; behind two blanks, what it is for.
    pub fn all(block: &str) -> impl Iterator<Item = Self> {
        let lines = block.lines().skip(1).map(str::trim);
        lines.filter(|line| !line.is_empty()).map(|line| {
            let (line, comment) = line.split_once("  ").unwrap_or((line, ""));
            let comment = comment.trim();
            Self {
                line: line.trim().to_owned(),
                comment: (!comment.is_empty()).then(|| comment.to_owned()),
            }
        })
    }
}

impl fmt::Display for Example {
    /// The comment above; a long line folded before flags and at pipes, so that a shell takes it as it stands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(comment) = &self.comment {
            writeln!(f, "{INDENT}# {comment}")?;
        }
        let (mut rest, mut indent) = (self.line.as_str(), INDENT.to_owned());
        while let Some(at) = fold(rest, WIDTH - indent.len() - 2) {
            writeln!(f, "{indent}{} \\", &rest[..at])?;
            rest = rest[at..].trim_start();
            indent = format!("{INDENT}    ");
        }
        write!(f, "{indent}{rest}")
    }
}

/// Where a line is folded: the last place within `room` where a flag or another command begins, else the first behind.
fn fold(line: &str, room: usize) -> Option<usize> {
    if line.chars().count() <= room + 2 {
        return None;
    }
    let places = [" --", " && ", " | ", " > "];
    let found = places.iter().flat_map(|place| line.match_indices(place));
    let found: Vec<usize> = found.map(|(at, _)| at).filter(|at| *at > 0).collect();
    let within = found.iter().filter(|at| **at <= room).max();
    within.or(found.iter().min()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(block: &str) -> String {
        let texts: Vec<String> = Example::all(block).map(|e| e.to_string()).collect();
        texts.join("\n")
    }

    #[test]
    fn a_comment_stands_above_and_a_long_line_is_folded() {
        let block = "Examples:\n  diskcap a x      what is x?\n  diskcap b";
        assert_eq!(shown(block), "  # what is x?\n  diskcap a x\n  diskcap b");
        let long = format!(
            "Examples:\n  diskcap plan --vm A --disk {} --cost",
            "B".repeat(46)
        );
        let folded = format!(
            "  diskcap plan --vm A --disk {} \\\n      --cost",
            "B".repeat(46)
        );
        assert_eq!(shown(&long), folded);
        // 76 characters fit behind the indent without a fold.
        let fits = format!("diskcap --{}", "c".repeat(66));
        assert_eq!(shown(&format!("Examples:\n  {fits}")), format!("  {fits}"));
        let long = format!("Examples:\n  diskcap --id {} --cost", "d".repeat(80));
        let folded = format!(
            "  diskcap \\\n      --id {} \\\n      --cost",
            "d".repeat(80)
        );
        assert_eq!(shown(&long), folded);
        let word = format!("diskcap {}", "c".repeat(99));
        assert_eq!(shown(&format!("Examples:\n  {word}")), format!("  {word}"));
    }
}
