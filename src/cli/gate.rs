//! The arguments that decide what becomes of findings: suppression files, `--fail-on`, and the exit code.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::config::Settings;
use super::day::today;
use super::failure::{FINDINGS, Failure, USAGE, complain, say};
use super::input::read_text;
use super::output::Judged;
use diskcap::catalog::VmSize;
use diskcap::gate::{Gate, Suppression};
use diskcap::planner::{Finding, Severity};
use diskcap::report::SourceFile;

/// What becomes of findings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Findings")]
pub struct GateArgs {
    /// Exit with 1 when there are findings of this severity or above
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,
    /// Findings that are accepted, each with its reason (TOML; repeat for more): they are listed apart and do not count
    #[arg(long, value_name = "FILE.toml")]
    suppress: Vec<PathBuf>,
}

/// From which severity on findings make the command fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors.
    Error,
    /// Errors and warnings.
    Warning,
    /// Any finding.
    Info,
    /// None.
    Never,
}

impl FailOn {
    /// The word of the flag.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
            Self::Never => "never",
        }
    }

    /// The least severity that fails.
    const fn threshold(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}

impl GateArgs {
    /// Reads the suppression files; where no `--fail-on` is given, what is set holds.
    pub fn open(&self, settings: &Settings) -> Result<Gate, Failure> {
        let mut entries = Vec::new();
        for path in &self.suppress {
            let (text, name) = read_text(path)?;
            entries.extend(Suppression::parse_all(&text, &name)?);
        }
        let today = today();
        let fail_on = self.fail_on.or(settings.fail_on);
        Ok(Gate::new(
            entries,
            today,
            fail_on.and_then(FailOn::threshold),
        ))
    }
}

/// The names that a suppression may call a planned VM by: its size, also without `Standard_`, and the plan's name.
pub fn names<'a>(vm: Option<&'a VmSize>, plan: Option<&'a str>) -> Vec<&'a str> {
    let size = vm.map(|vm| vm.name.as_str());
    let short = vm.map(VmSize::short_name);
    [size, short, plan].into_iter().flatten().collect()
}

/// What formats for pipelines are told: what fails, and the file with its lines.
pub fn judged(
    gate: &Gate,
    file: Option<PathBuf>,
    lines: impl FnOnce() -> BTreeMap<String, usize>,
) -> Judged {
    let file = file.map(|path| SourceFile {
        path: path.display().to_string(),
        lines: lines(),
    });
    Judged {
        fail_on: gate.fail_on(),
        file,
        ..Judged::default()
    }
}

/// Says what there is to say of suppressions, and the exit code of what was judged: of findings at or above
/// `--fail-on`, or of success.
pub fn close(gate: &Gate) -> ExitCode {
    let verdict = gate.verdict();
    for remark in &verdict.remarks {
        let word = if remark.is_warning() {
            "warning"
        } else {
            "note"
        };
        say(&format!("{word}: {remark}"));
    }
    let Some(least) = gate.fail_on().filter(|_| verdict.failing > 0) else {
        return ExitCode::SUCCESS;
    };
    let noun = if verdict.failing == 1 {
        "finding"
    } else {
        "findings"
    };
    let suppressed = match verdict.suppressed {
        0 => String::new(),
        count => format!(", {count} suppressed"),
    };
    say(&format!(
        "{} {noun} at or above --fail-on {least}{suppressed}",
        verdict.failing
    ));
    ExitCode::from(FINDINGS)
}

/// The exit code of a plan, or of what was measured on one: as [`close`], and bad input where it cannot be deployed.
pub fn close_plan(gate: &Gate, findings: &[Finding]) -> ExitCode {
    let code = close(gate);
    let mut errors = findings
        .iter()
        .filter(|f| f.severity == Severity::Error && f.suppressed.is_none())
        .peekable();
    if errors.peek().is_none() {
        return code;
    }
    for finding in errors {
        complain(&format!(
            "this cannot be deployed: {} ({}): {}",
            finding.id, finding.subject, finding.message
        ));
    }
    ExitCode::from(USAGE)
}
