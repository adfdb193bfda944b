//! One example of a command line, as it is written beside a command and as the help shows it.

use diskcap::report::fold;

/// The width that examples are folded to where none is asked for, so that a terminal of 80 columns does not break them.
pub const WIDTH: usize = super::WIDTH;

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

impl Example {
    /// The comment above; a long line folded before flags and at pipes, else before words, so that a shell takes it as
    /// it stands.
    pub fn fitted(&self, width: usize) -> String {
        let mut lines = Vec::new();
        if let Some(comment) = &self.comment {
            lines.push(fold(&format!("{INDENT}# {comment}"), width));
        }
        let (mut rest, mut indent) = (self.line.as_str(), INDENT.to_owned());
        while let Some(at) = fold_at(rest, width.saturating_sub(indent.len() + 2)) {
            lines.push(format!("{indent}{} \\", &rest[..at]));
            rest = rest[at..].trim_start();
            indent = format!("{INDENT}    ");
        }
        lines.push(format!("{indent}{rest}"));
        lines.join("\n")
    }
}

/// Where a line is folded: the last place within `room` where a flag or another command begins; else before a word,
/// where words are short enough; else at the first flag or command behind.
fn fold_at(line: &str, room: usize) -> Option<usize> {
    if line.chars().count() <= room + 2 {
        return None;
    }
    let found = |places: &[&str]| -> Vec<usize> {
        let found = places.iter().flat_map(|place| line.match_indices(place));
        found.map(|(at, _)| at).filter(|at| *at > 0).collect()
    };
    let (flags, words) = (found(&[" --", " && ", " | ", " > "]), found(&[" "]));
    let quoted = |at: usize| line[..at].matches(['"', '\'']).count() % 2 == 1;
    let within = |places: &[usize]| {
        places
            .iter()
            .filter(|at| **at <= room && !quoted(**at))
            .max()
            .copied()
    };
    let short = line.split(' ').all(|word| word.chars().count() <= room);
    let before_word = || within(&words).filter(|_| short);
    within(&flags)
        .or_else(before_word)
        .or_else(|| flags.iter().min().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(block: &str) -> String {
        let texts: Vec<String> = Example::all(block).map(|e| e.fitted(WIDTH)).collect();
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

    #[test]
    fn a_narrow_terminal_gets_lines_that_a_shell_still_takes() {
        let examples = "Examples:\n  diskcap plan --vm D8s --disk P30      how fast is it?";
        let texts: Vec<String> = Example::all(examples).map(|e| e.fitted(20)).collect();
        assert_eq!(
            texts,
            ["  # how fast is it?\n  diskcap plan \\\n      --vm D8s \\\n      --disk P30"]
        );
        // A value that alone is too long stays beside its flag; a text in quotes is not torn.
        let quoted = "Examples:\n  diskcap a --for \"1 h 30 m\" x";
        let texts: Vec<String> = Example::all(quoted).map(|e| e.fitted(20)).collect();
        assert_eq!(
            texts,
            ["  diskcap a \\\n      --for \\\n      \"1 h 30 m\" x"]
        );
    }
}
