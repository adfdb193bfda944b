//! How a result is shown: format, destination, columns, colour, width, and the exit code that findings make.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::config::Settings;
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
    /// table, json, csv, markdown, html, xlsx, svg or png; without it the ending of --output decides, else the
    /// configuration, else table
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
    /// When to use colour; without it auto, which honours NO_COLOR
    #[arg(long, value_name = "WHEN")]
    pub color: Option<ColorWhen>,
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

impl ColorWhen {
    /// The word of the flag.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
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
    pub const fn threshold(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}

/// The width that output is fitted to when neither a terminal nor COLUMNS says one.
const DEFAULT_WIDTH: usize = 100;

impl OutputArgs {
    /// Shows `report` as asked, else as set.
    pub fn show<R: Report>(&self, report: &R, settings: &Settings) -> Result<(), Failure> {
        self.show_saved(report, settings)
    }

    /// Shows a result that was read again, as asked, else as set.
    pub fn show_saved(&self, report: &dyn Saved, settings: &Settings) -> Result<(), Failure> {
        let destination = Destination::from_argument(self.output.as_deref());
        // The ending of a file's name says what is wanted here and now, and goes over what is set for all.
        let set = (destination == Destination::Stdout).then_some(settings.format);
        let format = destination.format(self.format.or(set.flatten()))?;
        let sink = destination.open(format)?;
        let options = self.options(&destination, settings);
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

    fn options(&self, destination: &Destination, settings: &Settings) -> RenderOptions {
        let on_terminal = *destination == Destination::Stdout && std::io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        RenderOptions {
            width: Some(self.width.unwrap_or_else(|| width(on_terminal))),
            color: match self.color.or(settings.color).unwrap_or(ColorWhen::Auto) {
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

/// The exit code that `findings` make: of a plan that cannot be deployed, of findings at or above `fail_on` (where that
/// is not given, as set), or of success.
pub fn exit_code(findings: &[Finding], fail_on: Option<FailOn>, settings: &Settings) -> ExitCode {
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
    let fail_on = fail_on.or(settings.fail_on);
    let threshold = fail_on.and_then(FailOn::threshold);
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
