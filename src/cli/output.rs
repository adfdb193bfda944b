//! How a result is shown: format, destination, columns, colour, width, and the exit code that findings make.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::failure::{FINDINGS, Failure, USAGE, complain, say};
use diskcap::planner::{Finding, Severity};
use diskcap::report::saved::Saved;
use diskcap::report::{
    Destination, Format, RenderOptions, Report, Selection, SortKey, render_document,
};

/// How the result is shown and where it goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// table, json, csv, markdown, html, xlsx, svg or png; without it the ending of --output decides, else table
    #[arg(long, short, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Write to FILE, which is replaced whole or not at all; - is stdout
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Show only this table of the report
    #[arg(long, value_name = "ID")]
    pub table: Option<String>,
    /// Show these columns, in this order; `all` for every one
    #[arg(long, value_name = "ID,...", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Sort by a column; `:desc` turns the order
    #[arg(long, value_name = "ID[:desc],...", value_delimiter = ',')]
    pub sort: Vec<SortKey>,
    /// Leave out the names of the columns
    #[arg(long)]
    pub no_header: bool,
    /// When to use colour; NO_COLOR is honoured
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorWhen,
    /// Width in columns to fit tables into; without it the terminal's, or COLUMNS, or 100
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,
    /// ASCII borders and signs only
    #[arg(long)]
    pub ascii: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
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
}

impl From<FailOn> for Severity {
    fn from(fail_on: FailOn) -> Self {
        match fail_on {
            FailOn::Error => Self::Error,
            FailOn::Warning => Self::Warning,
            FailOn::Info => Self::Info,
        }
    }
}

/// The width that output is fitted to when neither a terminal nor COLUMNS says one.
const DEFAULT_WIDTH: usize = 100;

impl OutputArgs {
    /// Shows `report` as asked.
    pub fn show<R: Report>(&self, report: &R) -> Result<(), Failure> {
        self.show_saved(report)
    }

    /// Shows a result that was read again, as asked.
    pub fn show_saved(&self, report: &dyn Saved) -> Result<(), Failure> {
        let destination = Destination::from_argument(self.output.as_deref());
        let format = destination.format(self.format)?;
        let sink = destination.open(format)?;
        let options = self.options(&destination);
        let selection = Selection {
            table: self.table.clone(),
            columns: self.columns.clone(),
            sort: self.sort.clone(),
        };
        let bytes = if selection == Selection::default() && format == Format::Json {
            report.json()?
        } else {
            let document = selection.apply(report.document())?;
            let left_out = format.renderer().left_out(&document);
            if !left_out.is_empty() {
                let ids = left_out.join(", ");
                say(&format!(
                    "note: {format} holds one table; --table also shows: {ids}"
                ));
            }
            render_document(&document, format, &options)?
        };
        Ok(sink.commit(&bytes)?)
    }

    fn options(&self, destination: &Destination) -> RenderOptions {
        let on_terminal = *destination == Destination::Stdout && std::io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        RenderOptions {
            width: Some(self.width.unwrap_or_else(|| width(on_terminal))),
            color: match self.color {
                ColorWhen::Always => true,
                ColorWhen::Never => false,
                ColorWhen::Auto => on_terminal && !no_color,
            },
            ascii: self.ascii,
            header: !self.no_header,
        }
    }
}

/// The terminal's width; else that of COLUMNS; else [`DEFAULT_WIDTH`].
fn width(on_terminal: bool) -> usize {
    let terminal = on_terminal
        .then(terminal_size::terminal_size)
        .flatten()
        .map(|(width, _)| usize::from(width.0));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(variable).unwrap_or(DEFAULT_WIDTH)
}

/// The exit code that `findings` make: of a plan that cannot be deployed, of findings at or above `fail_on`, or of
/// success.
pub fn exit_code(findings: &[Finding], fail_on: Option<FailOn>) -> ExitCode {
    let errors = findings.iter().filter(|f| f.severity == Severity::Error);
    let errors: Vec<&Finding> = errors.collect();
    if !errors.is_empty() {
        for finding in errors {
            complain(&format!(
                "this cannot be deployed: {} ({}): {}",
                finding.id, finding.subject, finding.message
            ));
        }
        return ExitCode::from(USAGE);
    }
    let threshold = fail_on.map(Severity::from);
    let failing = |f: &&Finding| threshold.is_some_and(|t| f.severity <= t);
    match findings.iter().filter(failing).count() {
        0 => ExitCode::SUCCESS,
        count => {
            let word = threshold.map_or("", Severity::name);
            let noun = if count == 1 { "finding" } else { "findings" };
            say(&format!("{count} {noun} at or above --fail-on {word}"));
            ExitCode::from(FINDINGS)
        }
    }
}
