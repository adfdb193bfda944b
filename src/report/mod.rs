//! Results as terminal table, Markdown, CSV, NDJSON, Parquet, JSON, HTML, XLSX, SVG, PNG, SARIF or JUnit: one file a
//! format behind one trait.
//!
//! A result model says what it has to say as a [`Document`] ([`Report`]); [`render`] turns it into the bytes of any
//! [`Format`]; [`Selection`] picks a table, its columns and their order before that; [`output`] writes the bytes
//! where they belong. Nothing else here does I/O.

pub mod chart;
pub mod checked;
mod clean;
pub mod columns;
pub mod csv;
pub mod document;
mod flat;
pub mod fleet;
mod folded;
pub mod format;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
mod natural;
pub mod ndjson;
pub mod output;
pub mod parquet;
mod pieces;
mod plot;
pub mod png;
mod sample;
pub mod sarif;
pub mod saved;
mod scale;
pub mod svg;
pub mod terminal;
mod text;
mod value;
pub mod views;
pub mod xlsx;

use serde::Serialize;

use crate::planner::Severity;

pub use chart::{Axis, Bar, Cap, Chart, ChartKind, Panel, Scale, Series, Shape, Span};
pub use checked::{Checked, SourceFile};
pub use columns::{ColumnError, Selection, SortKey};
pub use document::{
    Cell, Column, Document, Note, Notes, Readers, Row, Section, Table, Tone, Value,
};
pub use format::{Format, FormatError};
pub use output::{Destination, OutputError};
pub use text::fold;

/// A result that can say itself in every format.
pub trait Report: Serialize {
    /// What there is to say, format-neutral, without what [`checked`](Self::checked) says.
    fn document(&self) -> Document;

    /// What was checked and what was found on it, one VM, plan or run after the other; nothing where nothing is
    /// judged.
    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        Box::new(std::iter::empty())
    }
}

impl Report for Document {
    fn document(&self) -> Document {
        self.clone()
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        Box::new(self.checked.iter().cloned())
    }
}

impl RenderOptions {
    /// No layout is narrower than this, however narrow the terminal.
    pub const NARROWEST: usize = 20;
}

/// How a report is to look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderOptions {
    /// Columns of the terminal that a table must fit; `None` fits nothing.
    pub width: Option<usize>,
    /// Whether the terminal shows colours.
    pub color: bool,
    /// Whether the terminal is to get ASCII signs and borders only.
    pub ascii: bool,
    /// Whether tables begin with the names of their columns. HTML tables always do, for they cannot be read
    /// aloud without.
    pub header: bool,
    /// From which severity on a finding is a failed test.
    pub fails_from: Severity,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            width: None,
            color: false,
            ascii: false,
            header: true,
            fails_from: Severity::Error,
        }
    }
}

/// Why a report could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The report holds nothing that the format can show.
    #[error("this report has no {wants}, so there is nothing to show as {format}")]
    Nothing {
        /// The format asked for.
        format: Format,
        /// What it needs.
        wants: &'static str,
    },
    /// This build leaves the format out.
    #[error("this build cannot write {format}: build it with the feature '{feature}'")]
    NotBuilt {
        /// The format asked for.
        format: Format,
        /// The cargo feature that has it.
        feature: &'static str,
    },
    /// The library that writes the format refused.
    #[error("cannot write {format}: {source}")]
    Library {
        /// The format asked for.
        format: Format,
        /// What the library says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl ReportError {
    /// For `map_err`: an error of the library that writes `format`.
    fn library<E>(format: Format) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        move |source| Self::Library {
            format,
            source: source.into(),
        }
    }
}

/// A format of documents. Pure: the same document and options give the same bytes.
pub trait Render {
    /// Draws a document whose texts hold no control characters besides `\n`.
    ///
    /// # Errors
    /// [`ReportError`] when the document has nothing for this format, or its library fails.
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError>;

    /// The ids of tables and remarks that this format has no room for, for a notice beside the output.
    fn left_out(&self, _document: &Document) -> Vec<String> {
        Vec::new()
    }
}

impl Format {
    /// The renderer of this format. That of [`Format::Json`] writes the document, for results that have no public
    /// JSON of their own.
    #[must_use]
    pub fn renderer(self) -> &'static dyn Render {
        match self {
            Self::Table => &terminal::Terminal,
            Self::Json => &json::Json,
            Self::Csv => &csv::Csv,
            Self::Ndjson => &ndjson::Ndjson,
            Self::Parquet => &parquet::Parquet,
            Self::Markdown => &markdown::Markdown,
            Self::Html => &html::Html,
            Self::Xlsx => &xlsx::Xlsx,
            Self::Svg => &svg::Svg,
            Self::Png => &png::Png,
            Self::Sarif => &sarif::Sarif,
            Self::Junit => &junit::Junit,
        }
    }
}

/// Renders any result. JSON is the result model itself, whole; every other format shows its document.
///
/// # Errors
/// [`ReportError`] when the result has nothing for this format, or the format's library fails.
pub fn render<R: Report>(
    report: &R,
    format: Format,
    options: &RenderOptions,
) -> Result<Vec<u8>, ReportError> {
    match format {
        Format::Json => json::pretty(report),
        _ if format.is_for_pipelines() => {
            let mut document = report.document();
            document.checked = report.checked().collect();
            render_document(&document, format, options)
        }
        _ => render_document(&report.document(), format, options),
    }
}

/// Renders a document, after making its texts harmless.
///
/// # Errors
/// [`ReportError`] when the document has nothing for this format, or the format's library fails.
pub fn render_document(
    document: &Document,
    format: Format,
    options: &RenderOptions,
) -> Result<Vec<u8>, ReportError> {
    let mut document = document.cleaned();
    document.keep_rows_for(format.readers());
    format.renderer().draw(&document, options)
}
