//! The lines around CrystalDiskMark's results: version above, drive, passes, profile, date and system below.

use crate::measure::allowance::USED_UP;

/// What the lines below the results say.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// `C: 10% (12.0/120.0 GiB)`: the drive and how full it is.
    pub target: Option<String>,
    pub date: Option<String>,
    pub os: Option<String>,
    pub comment: Option<String>,
    /// How long each pass measured; printed since version 8.
    pub measure_seconds: Option<f64>,
    /// Results behind this run had to be left out.
    pub used_up: bool,
    test: Option<TestLine>,
    profile: Option<String>,
    zero_filled: bool,
    /// The line before was the OS line, below which versions up to 6 print the comment.
    after_os: bool,
}

/// `1024 MiB [C: 10.0% (12.0/120.0 GiB)] (x5)  [Interval=5 sec]`.
#[derive(Debug)]
struct TestLine {
    size: String,
    passes: Option<u32>,
}

/// The first version that labels the comment.
const COMMENT_LABELLED: u32 = 7;

impl Fields {
    /// The `Test` line was seen: it stands below all results of a run.
    pub fn is_complete(&self) -> bool {
        self.test.is_some()
    }

    /// Takes one line below a result.
    pub fn line(&mut self, line: &str, tool: Option<&Tool>) {
        let may_be_comment = std::mem::take(&mut self.after_os);
        let text = line
            .trim_start_matches(|c: char| !c.is_alphanumeric())
            .trim_end();
        match text
            .split_once(':')
            .map(|(key, value)| (key.trim(), value.trim()))
        {
            Some(("Test", value)) if self.test.is_none() => self.test_line(value),
            Some(("Date", value)) => fill(&mut self.date, value),
            Some(("OS", value)) if self.os.is_none() => {
                fill(&mut self.os, value);
                self.after_os = true;
            }
            Some(("Comment", value)) => fill(&mut self.comment, value),
            Some(("Profile", value)) => fill(&mut self.profile, value),
            Some(("Mode", value)) => self.zero_filled |= value.contains("0Fill"),
            Some(("Time", value)) => self.measure_seconds = self.measure_seconds.or(measure(value)),
            _ if may_be_comment => self.unlabelled_comment(line, tool),
            _ => {}
        }
    }

    fn test_line(&mut self, value: &str) {
        let size = value.split(['[', '(']).next().unwrap_or_default().trim();
        if !size.starts_with(|c: char| c.is_ascii_digit()) {
            return;
        }
        let passes = value
            .split_once("(x")
            .and_then(|(_, after)| after.split_once(')'));
        self.test = Some(TestLine {
            size: size.to_owned(),
            passes: passes.and_then(|(count, _)| count.trim().parse().ok()),
        });
        self.zero_filled |= ["0Fill", "0 Fill", "0x00"]
            .iter()
            .any(|mark| value.contains(mark));
        let drive = brackets(value).find(|inside| {
            let times = inside.starts_with("Interval") || inside.starts_with("Measure");
            !times && inside.contains(':')
        });
        self.target = drive.map(str::to_owned);
    }

    /// Versions up to 6 print the comment without a name, indented by two blanks, right below the OS line.
    fn unlabelled_comment(&mut self, line: &str, tool: Option<&Tool>) {
        let major = tool.and_then(Tool::major);
        if major.is_some_and(|major| major < COMMENT_LABELLED) && line.starts_with("  ") {
            fill(&mut self.comment, line.trim());
        }
    }

    /// What a reader should know of the whole run.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(TestLine { size, passes }) = &self.test {
            notes.push(match passes {
                Some(1) => format!("test file of {size}, one pass"),
                Some(passes) => format!("test file of {size}, best of {passes} passes"),
                None => format!("test file of {size}"),
            });
        }
        if let Some(profile) = self.profile.as_deref().filter(|name| *name != "Default") {
            notes.push(format!("profile {profile}"));
        }
        if self.zero_filled {
            notes.push("test data all zeros, which some disks compress or do not store".to_owned());
        }
        if self.used_up {
            notes.push(USED_UP.to_owned());
        }
        notes
    }
}

/// Sets an empty field, once.
fn fill(field: &mut Option<String>, value: &str) {
    if field.is_none() && !value.is_empty() {
        *field = Some(value.to_owned());
    }
}

/// The texts in square brackets.
fn brackets(text: &str) -> impl Iterator<Item = &str> {
    text.split('[')
        .skip(1)
        .filter_map(|part| Some(part.split_once(']')?.0.trim()))
}

/// The 5 of `Measure 5 sec / Interval 5 sec`.
fn measure(value: &str) -> Option<f64> {
    let seconds = value.strip_prefix("Measure")?.trim_start();
    let seconds = seconds.split_once(' ')?.0.parse::<f64>().ok()?;
    (seconds.is_finite() && seconds > 0.0).then_some(seconds)
}

/// The tool and its version, from the head of a run.
#[derive(Debug)]
pub(super) struct Tool {
    pub name: &'static str,
    pub version: String,
}

impl Tool {
    /// The name where no head says otherwise.
    pub const USUAL: &'static str = "CrystalDiskMark";

    /// Tools that print in this form: the original, and its likeness on Linux over fio.
    const NAMES: [&'static str; 2] = [Self::USUAL, "KDiskMark"];

    /// From a line that names the tool with its version (`CrystalDiskMark 8.0.4 x64 (C) ...`, `KDiskMark (3.1.2): ...`),
    /// the comment line apart.
    pub fn in_line(line: &str) -> Option<Self> {
        if line.trim_start().starts_with("Comment") {
            return None;
        }
        Self::NAMES.iter().find_map(|name| {
            let after = line.split_once(name)?.1.strip_prefix(' ')?;
            let version = after.trim_start_matches([' ', '(']);
            let end = version.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.'));
            let version = version
                .get(..end.unwrap_or(version.len()))?
                .trim_end_matches('.');
            version
                .starts_with(|c: char| c.is_ascii_digit())
                .then(|| Self {
                    name,
                    version: version.to_owned(),
                })
        })
    }

    fn major(&self) -> Option<u32> {
        self.version.split('.').next()?.parse().ok()
    }
}
