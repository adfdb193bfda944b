//! HTML: one self-contained page that works without a network, prints, and is read by people and screen readers.
//!
//! Styles, script and pictures are in the page. The script only adds: sorting by a click on a head, and a filter
//! over longer tables; without it everything is there to read. Every chart is drawn twice, once for narrow screens.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::chart::Chart;
use super::document::{Cell, Document, Note, Notes, Row, Section, Table, Tone};
use super::svg::{Frame, NARROW, WIDE, dark_css, picture};
use super::value::machine;
use super::{Render, RenderOptions, ReportError};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Nothing may be loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A list of contents helps from this many sections on.
const CONTENTS_FROM: usize = 3;

/// A self-contained page.
#[derive(Debug, Clone, Copy)]
pub struct Html;

impl Render for Html {
    fn draw(&self, document: &Document, _options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let mut sections = Vec::new();
        for (index, section) in document.sections.iter().enumerate() {
            sections.extend(body(section, index)?.map(|body| (index, heading(section), body)));
        }
        Ok(page(document, &sections).into_string().into_bytes())
    }
}

/// A section's position, heading and content.
type Part<'a> = (usize, &'a str, Markup);

fn page(document: &Document, sections: &[Part]) -> Markup {
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
                @if sections.len() >= CONTENTS_FROM { (contents(sections)) }
                main #main {
                    @for (index, heading, body) in sections { (section(*index, heading, body)) }
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

fn contents(sections: &[Part]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @for (index, heading, _) in sections {
                    @if !heading.is_empty() { li { a href={ "#s" (index) } { (heading) } } }
                }
            }
        }
    }
}

fn section(index: usize, heading: &str, body: &Markup) -> Markup {
    let id = format!("s{index}");
    html! {
        @if heading.is_empty() {
            section { (body) }
        } @else {
            section aria-labelledby=(id) {
                h2 id=(id) { (heading) }
                (body)
            }
        }
    }
}

fn heading(section: &Section) -> &str {
    match section {
        Section::Table(table) => &table.title,
        Section::Notes(notes) => &notes.title,
        Section::Text { title, .. } => title,
        Section::Chart(chart) => &chart.title,
    }
}

/// What stands under a section's heading; `None` for a chart without known values.
fn body(section: &Section, index: usize) -> Result<Option<Markup>, ReportError> {
    Ok(match section {
        Section::Table(shown) => Some(table(shown)),
        Section::Notes(shown) => Some(notes(shown)),
        Section::Text { paragraphs, .. } => Some(html! {
            @for paragraph in paragraphs { p { (paragraph) } }
        }),
        Section::Chart(chart) => figure(chart, index)?,
    })
}

fn figure(chart: &Chart, index: usize) -> Result<Option<Markup>, ReportError> {
    let drawn = |name: &str, width| {
        let frame = Frame {
            id: format!("c{index}{name}"),
            width,
            titled: false,
        };
        picture(chart, &frame).map(|picture| picture.map(|picture| PreEscaped(picture.svg)))
    };
    let (wide, narrow) = (drawn("w", WIDE)?, drawn("n", NARROW)?);
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
                                th scope="col" class=[numeric.then_some("num")] { (column.title) }
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

fn table_row(row: &Row, columns: &[usize], numeric: &[bool]) -> Markup {
    html! {
        tr {
            @for (position, (&index, &numeric)) in columns.iter().zip(numeric).enumerate() {
                @let cell = row.cell(index);
                @let class = class(row.tone_of(index), numeric);
                @if position == 0 && !numeric {
                    th scope="row" class=[class] { (content(cell)) }
                } @else {
                    td class=[class] data-value=[cell.value.as_number().map(machine)] data-unknown[cell.value.is_unknown()] {
                        (content(cell))
                    }
                }
            }
        }
    }
}

fn content(cell: &Cell) -> Markup {
    let value = cell.value.for_people();
    html! {
        @if cell.value.is_unknown() {
            abbr title="unknown or not applicable" { (value) }
        } @else {
            @for (index, line) in value.lines().enumerate() {
                @if index > 0 { br; }
                (line)
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
