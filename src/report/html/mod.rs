//! HTML: one self-contained page that works without a network, prints, and is read by people and screen readers.
//!
//! Styles, script and pictures are in the page. The script only adds: sorting by a click on a head, and a filter
//! over longer tables; without it everything is there to read. Every chart is drawn twice, once for narrow screens.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chart::Chart;
use super::document::{Cell, Document, Note, Notes, Row, Section, Table, Tone, Value};
use super::svg::{Frame, Margins, NARROW, WIDE, dark_css, margins, picture};
use super::text::width;
use super::value::machine;
use super::{Render, RenderOptions, ReportError};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing may be loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A text is long from this many characters on.
const LONG: usize = 24;

/// The head of a row stands on one line of a wide screen up to this many characters.
const NAME: usize = 40;

/// Other words stand on one line of a table that scrolls up to this many.
const PHRASE: usize = 20;

/// A list of contents helps from this many sections on.
const CONTENTS_FROM: usize = 3;

/// A self-contained page.
#[derive(Debug, Clone, Copy)]
pub struct Html;

impl Render for Html {
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let mut parts = Vec::new();
        let widths = [("w", WIDE), ("n", NARROW)]
            .map(|(name, width)| (name, width, margins(document.charts(), width)));
        for (index, section) in document.sections.iter().enumerate() {
            parts.extend(body(section, index, &widths)?.map(|body| Part {
                index,
                section,
                body,
            }));
        }
        Ok(page(document, &parts).into_string().into_bytes())
    }
}

/// A section with what stands under its heading.
struct Part<'a> {
    index: usize,
    section: &'a Section,
    body: Markup,
}

impl Part<'_> {
    fn heading(&self) -> &str {
        match self.section {
            Section::Table(table) => &table.title,
            Section::Notes(notes) => &notes.title,
            Section::Text { title, .. } | Section::Words { title, .. } => title,
            Section::Chart(chart) => &chart.title,
        }
    }

    /// Charts may stand side by side.
    const fn class(&self) -> Option<&'static str> {
        match self.section {
            Section::Chart(_) => Some("half"),
            _ => None,
        }
    }
}

fn page(document: &Document, parts: &[Part]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("diskcap ", env!("CARGO_PKG_VERSION")));
                title { (document.title) }
                style { (PreEscaped(STYLE)) "@media screen and (prefers-color-scheme:dark){" (PreEscaped(dark_css(".chart"))) "}" }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header {
                    h1 { (document.title) }
                    @if let Some(subtitle) = &document.subtitle { p.lead { (subtitle) } }
                }
                @if parts.len() >= CONTENTS_FROM { (contents(parts)) }
                main #main {
                    @for part in parts { (section(part)) }
                }
                @if !document.footnotes.is_empty() {
                    footer {
                        h2 { "Sources and notes" }
                        ul { @for note in &document.footnotes { li { (note) } } }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn contents(parts: &[Part]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @for part in parts.iter().filter(|part| !part.heading().is_empty()) {
                    li { a href={ "#s" (part.index) } { (part.heading()) } }
                }
            }
        }
    }
}

fn section(part: &Part) -> Markup {
    let id = format!("s{}", part.index);
    html! {
        @if part.heading().is_empty() {
            section class=[part.class()] { (part.body) }
        } @else {
            section class=[part.class()] aria-labelledby=(id) {
                h2 id=(id) { (part.heading()) }
                (part.body)
            }
        }
    }
}

/// What stands under a section's heading; `None` for a chart without known values.
fn body(
    section: &Section,
    index: usize,
    widths: &[Width; 2],
) -> Result<Option<Markup>, ReportError> {
    Ok(match section {
        Section::Table(shown) => Some(table(shown)),
        Section::Notes(shown) => Some(notes(shown)),
        Section::Text { paragraphs, .. } | Section::Words { paragraphs, .. } => Some(html! {
            @for paragraph in paragraphs { p { (paragraph) } }
        }),
        Section::Chart(chart) => figure(chart, index, widths)?,
    })
}

/// A width that pictures are drawn in: its name, pixels, and the room beside plots over time.
type Width = (&'static str, i32, Margins);

fn figure(
    chart: &Chart,
    index: usize,
    [wide, narrow]: &[Width; 2],
) -> Result<Option<Markup>, ReportError> {
    let drawn = |(name, width, least): &Width| {
        let frame = Frame {
            id: format!("c{index}{name}"),
            width: *width,
            titled: false,
            least: *least,
        };
        picture(chart, &frame).map(|picture| picture.map(|picture| PreEscaped(picture.svg)))
    };
    let (wide, narrow) = (drawn(wide)?, drawn(narrow)?);
    Ok(wide.zip(narrow).map(|(wide, narrow)| {
        html! {
            figure.chart {
                div.wide { (wide) }
                div.narrow { (narrow) }
            }
        }
    }))
}

fn table(table: &Table) -> Markup {
    let columns = table.default_columns();
    if columns.is_empty() || table.rows.is_empty() {
        return html! { p { "(none)" } };
    }
    let numeric: Vec<bool> = columns
        .iter()
        .map(|&index| table.is_numeric(index))
        .collect();
    html! {
        div.scroll role="region" aria-label=(table.title) tabindex="0" {
            table.data {
                caption { (table.title) }
                thead {
                    tr {
                        @for (&index, numeric) in columns.iter().zip(&numeric) {
                            @if let Some(column) = table.columns.get(index) {
                                th scope="col" class=[head_class(table, index, *numeric)] { (column.title) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows { (table_row(row, &columns, &numeric)) }
                }
            }
        }
    }
}

/// Numbers stand to the right; columns of long texts must not become narrow in a wide table.
fn head_class(table: &Table, index: usize, numeric: bool) -> Option<&'static str> {
    let texts = table.rows.iter().map(|row| match &row.cell(index).value {
        Value::Text(text) => width(text),
        _ => 0,
    });
    match texts.max() {
        _ if numeric => Some("num"),
        Some(longest) if longest > LONG => Some("long"),
        _ => None,
    }
}

fn table_row(row: &Row, columns: &[usize], numeric: &[bool]) -> Markup {
    html! {
        tr {
            @for (position, (&index, &numeric)) in columns.iter().zip(numeric).enumerate() {
                @let cell = row.cell(index);
                @let class = class(row.tone_of(index), numeric);
                @if position == 0 && !numeric {
                    th scope="row" class=[class] data-name[is_short(&cell.value, NAME)] data-unknown[cell.value.is_unknown()] { (content(cell)) }
                } @else {
                    td class=[class] data-name[is_short(&cell.value, PHRASE)] data-value=[cell.value.as_number().map(machine)] data-unknown[cell.value.is_unknown()] {
                        (content(cell))
                    }
                }
            }
        }
    }
}

/// Whether the value is words that can stand on one line.
fn is_short(value: &Value, most: usize) -> bool {
    matches!(value, Value::Text(text) if width(text) <= most)
}

fn content(cell: &Cell) -> Markup {
    let value = cell.value.for_people();
    html! {
        @if cell.value.is_unknown() {
            abbr title="unknown or not applicable" { (value) }
        } @else {
            @for (index, line) in value.lines().enumerate() {
                @if index > 0 { br; }
                // A long name may break behind its underscores.
                @for (index, part) in line.split_inclusive('_').enumerate() {
                    @if index > 0 { wbr; }
                    (part)
                }
            }
        }
        @if let Some(hint) = cell.hint.as_ref().filter(|hint| !hint.is_empty()) {
            " " small { "(" (hint) ")" }
        }
    }
}

fn class(tone: Tone, numeric: bool) -> Option<String> {
    let tone = tone_class(tone);
    match (tone, numeric) {
        ("", false) => None,
        ("", true) => Some("num".to_owned()),
        (tone, false) => Some(tone.to_owned()),
        (tone, true) => Some(format!("num {tone}")),
    }
}

const fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Good => "good",
        Tone::Warning => "warning",
        Tone::Bad => "bad",
        Tone::Faint => "faint",
    }
}

fn notes(notes: &Notes) -> Markup {
    html! {
        @if notes.items.is_empty() {
            p { "(none)" }
        } @else {
            ul.notes {
                @for item in &notes.items { (note(item)) }
            }
        }
    }
}

fn note(note: &Note) -> Markup {
    html! {
        li class=(tone_class(note.tone)) {
            p.head {
                @if !note.label.is_empty() { strong.label { (note.label) } " " }
                @if !note.id.is_empty() { code { (note.id) } " " }
                @if !note.subject.is_empty() { span.subject { (note.subject) } }
            }
            p { (note.text) }
            @if let Some(fix) = &note.fix {
                p.fix { strong { "Fix:" } " " (fix) }
            }
        }
    }
}
