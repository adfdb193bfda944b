//! How a result is shown: format, destination, columns, colour, width.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::config::Settings;
use super::failure::{Failure, say};
use super::number::whole;
use super::width::{no_color, of_result};
use diskcap::azure::arm::places::Places;
use diskcap::planner::Severity;
use diskcap::report::checked::{ChecksHead, Totals, nothing, write_all};
use diskcap::report::columns::ALL;
use diskcap::report::saved::Saved;
use diskcap::report::{
    Checked, Destination, Format, RenderOptions, Report, Selection, SortKey, SourceFile,
    render_document,
};

/// How the result is shown and where it goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// table, json, ndjson, csv, parquet, markdown, html, xlsx, svg, png, sarif or junit; without it the ending of
    /// --output decides, else the configuration, else table
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
    /// Width to fit everything into, in columns; without it the terminal's, or COLUMNS, or 100
    #[arg(long, value_name = "N", value_parser = wide_enough)]
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

/// What formats for pipelines are told beside the result itself.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// From which severity on findings fail, where that was asked.
    pub fail_on: Option<Severity>,
    /// The file that the result is about, where it does not know that itself.
    pub file: Option<SourceFile>,
    /// Where what was read stands in its files.
    pub places: Places,
}

impl Judged {
    /// With its file, as seen from the working folder, and its line; `seen` holds the paths that were looked at.
    fn placed(&self, checked: Checked, seen: &mut BTreeMap<String, String>) -> Checked {
        let place = checked.file.as_ref().zip(checked.id.as_ref());
        let line = place.and_then(|(file, id)| self.places.line(&file.path, id));
        let checked = match line {
            Some(line) => checked.at_line(line),
            None => checked,
        };
        let file = checked.file.or_else(|| self.file.clone());
        let file = file.map(|file| {
            let entry = seen.entry(file.path);
            let path = entry.or_insert_with_key(|path| from_here(path)).clone();
            SourceFile { path, ..file }
        });
        Checked { file, ..checked }
    }
}

/// The path from the working folder on, where it lies below that.
fn from_here(path: &str) -> String {
    let relative = || {
        let here = std::env::current_dir().ok()?.canonicalize().ok()?;
        let whole = Path::new(path).canonicalize().ok()?;
        Some(whole.strip_prefix(here).ok()?.display().to_string())
    };
    let absolute = || Some(std::path::absolute(path).ok()?.display().to_string());
    relative()
        .or_else(absolute)
        .unwrap_or_else(|| path.to_owned())
}

impl OutputArgs {
    /// Shows `report` as asked, else as set.
    pub fn show<R: Report>(&self, report: &R, settings: &Settings) -> Result<(), Failure> {
        self.show_saved(report, settings)
    }

    /// Shows a result that was read again, as asked, else as set.
    pub fn show_saved(&self, report: &dyn Saved, settings: &Settings) -> Result<(), Failure> {
        self.put(report, &Judged::default(), settings)
    }

    /// Shows a result whose findings were judged, as asked, else as set.
    pub fn show_judged<R: Report>(
        &self,
        report: &R,
        judged: &Judged,
        settings: &Settings,
    ) -> Result<(), Failure> {
        self.put(report, judged, settings)
    }

    /// Whether the column `id` is asked for, by its name or with all, to be seen or to sort by.
    pub fn names_column(&self, id: &str) -> bool {
        let is_it = |name: &str| name.eq_ignore_ascii_case(id);
        let mut shown = self.columns.iter();
        shown.any(|name| is_it(name) || name.eq_ignore_ascii_case(ALL))
            || self.sort.iter().any(|key| is_it(&key.column))
    }

    /// The format that is asked for, else that is set.
    pub fn format(&self, settings: &Settings) -> Result<Format, Failure> {
        let destination = Destination::from_argument(self.output.as_deref());
        // The ending of a file's name says what is wanted here and now, and goes over what is set for all.
        let set = (destination == Destination::Stdout).then_some(settings.format);
        Ok(destination.format(self.format.or(set.flatten()))?)
    }

    fn put(&self, report: &dyn Saved, judged: &Judged, settings: &Settings) -> Result<(), Failure> {
        let destination = Destination::from_argument(self.output.as_deref());
        let format = self.format(settings)?;
        let sink = destination.open(format)?;
        let options = RenderOptions {
            fails_from: judged.fail_on.unwrap_or(Severity::Error),
            ..self.options(&destination, settings)
        };
        let selection = Selection {
            table: self.table.clone(),
            columns: self.columns.clone(),
            sort: self.sort.clone(),
        };
        if format.is_for_pipelines() {
            let document = selection.apply(report.document())?;
            let mut seen = BTreeMap::new();
            let placed = report
                .checked()
                .map(|checked| judged.placed(checked, &mut seen));
            let head = ChecksHead {
                notes: document.remarks(),
                unread: document.unread.clone(),
                title: document.title,
                fails_from: options.fails_from,
                totals: Totals::of_all(report.checked(), options.fails_from),
            };
            if head.totals.is_none() {
                return Err(nothing(format).into());
            }
            return Ok(sink.commit_with(|out| write_all(out, format, &head, placed))?);
        }
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
        RenderOptions {
            width: Some(self.width.unwrap_or_else(|| of_result(on_terminal))),
            color: match self.color.or(settings.color).unwrap_or(ColorWhen::Auto) {
                ColorWhen::Always => true,
                ColorWhen::Never => false,
                ColorWhen::Auto => on_terminal && !no_color(),
            },
            ascii: self.ascii,
            header: !self.no_header,
            ..RenderOptions::default()
        }
    }
}

/// Reads a width that there is a layout for.
fn wide_enough(text: &str) -> Result<usize, String> {
    let width = whole(text)?;
    let least = RenderOptions::NARROWEST;
    (width >= least)
        .then_some(width)
        .ok_or_else(|| format!("write {least} or more: no layout is narrower"))
}
