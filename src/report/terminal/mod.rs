//! The terminal: tables that fit the width, remarks with a hanging indent, charts over time as block bars.
//!
//! Colours only ever repeat what the words say. Bar charts are left out: their numbers stand in the tables.

mod bars;
mod layout;
mod paint;
mod table;

use self::paint::Paint;
use super::document::{Document, Note, Notes, Section};
use super::text::{width, wrap};
use super::value::signs;
use super::{Render, RenderOptions, ReportError};

/// Running text is no wider than this, however wide the terminal.
pub const WIDEST_TEXT: usize = 120;

/// Running text is so wide where nothing says how wide it may be.
const PROSE: usize = 100;

/// Tables and texts for a terminal.
#[derive(Debug, Clone, Copy)]
pub struct Terminal;

impl Render for Terminal {
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let page = Page::new(options);
        let mut blocks = vec![page.opening(document)];
        blocks.extend(
            document
                .sections
                .iter()
                .map(|section| page.in_document(section, document)),
        );
        let footnotes = document.footnotes.iter();
        blocks.push(footnotes.flat_map(|note| page.faint(note)).collect());
        blocks.retain(|block| !block.is_empty());
        let blocks: Vec<String> = blocks.iter().map(|block| block.join("\n")).collect();
        Ok((blocks.join("\n\n") + "\n").into_bytes())
    }
}

/// Lines without their ends.
type Lines = Vec<String>;

/// Where everything is laid out.
struct Page {
    paint: Paint,
    ascii: bool,
    header: bool,
    /// Columns that a table must fit.
    width: Option<usize>,
    /// Columns of running text.
    prose: usize,
}

impl Page {
    fn new(options: &RenderOptions) -> Self {
        let width = options
            .width
            .map(|width| width.max(RenderOptions::NARROWEST));
        Self {
            paint: Paint::new(options.color),
            ascii: options.ascii,
            header: options.header,
            width,
            prose: width.map_or(PROSE, |width| width.min(WIDEST_TEXT)),
        }
    }

    /// `text` in the signs that the terminal has.
    fn say(&self, text: &str) -> String {
        signs(text.to_owned(), self.ascii)
    }

    fn opening(&self, document: &Document) -> Lines {
        let mut lines = self.heading(&document.title);
        if let Some(subtitle) = &document.subtitle {
            lines.extend(wrap(&self.say(subtitle), self.prose, "", ""));
        }
        lines
    }

    fn heading(&self, title: &str) -> Lines {
        if title.is_empty() {
            return Lines::new();
        }
        let lines = wrap(&self.say(title), self.prose, "", "");
        lines.iter().map(|line| self.paint.bold(line)).collect()
    }

    /// A section, or the line in its place where it is long.
    fn in_document(&self, section: &Section, document: &Document) -> Lines {
        if let Section::Table(table) = section {
            let mut lines = document.in_short.iter();
            if let Some((_, text)) = lines.find(|(id, _)| *id == table.id) {
                return self.titled(&table.title, wrap(&self.say(text), self.prose, "", ""));
            }
        }
        self.section(section)
    }

    fn section(&self, section: &Section) -> Lines {
        match section {
            Section::Table(table) => self.titled(&table.title, self.table(table)),
            Section::Notes(notes) => self.titled(&notes.title, self.notes(notes)),
            Section::Text { title, paragraphs } => {
                let lines = paragraphs
                    .iter()
                    .flat_map(|text| wrap(&self.say(text), self.prose, "", ""));
                self.titled(title, lines.collect())
            }
            Section::Words { .. } => Lines::new(),
            Section::Chart(chart) => match self.bars(chart) {
                lines if lines.is_empty() => lines,
                lines => self.titled(&chart.title, lines),
            },
        }
    }

    /// A heading over lines; without lines the heading stands over "(none)".
    fn titled(&self, title: &str, lines: Lines) -> Lines {
        let mut out = self.heading(title);
        if lines.is_empty() {
            out.push("(none)".to_owned());
        }
        out.extend(lines);
        out
    }

    fn notes(&self, notes: &Notes) -> Lines {
        let labels = notes.items.iter().map(|note| width(&note.label));
        let longest = labels.max().unwrap_or(0).min(self.prose / 4);
        let indent = " ".repeat(longest + 2);
        let merged = notes.merged();
        let lines = merged.iter().flat_map(|note| self.note(note, &indent));
        lines.collect()
    }

    /// The label in a column of its own, and beside it: id and subject, the text, the fix.
    fn note(&self, note: &Note, indent: &str) -> Lines {
        let label = self.say(&note.label);
        let between = if note.id.is_empty() || note.subject.is_empty() {
            ""
        } else {
            "  "
        };
        let head = self.say(&format!("{}{between}{}", note.id, note.subject));
        let texts = if head.is_empty() {
            vec![self.say(&note.text)]
        } else {
            vec![head, self.say(&note.text)]
        };
        let mut lines = Lines::new();
        for text in texts.iter().filter(|text| !text.is_empty()) {
            lines.extend(wrap(text, self.prose, indent, indent));
        }
        if let Some(fix) = &note.fix {
            let hanging = format!("{indent}     ");
            lines.extend(wrap(
                &self.say(fix),
                self.prose,
                &format!("{indent}fix: "),
                &hanging,
            ));
        }
        let paint = |line: &str| self.paint.tone(line, note.tone);
        match lines.first_mut() {
            Some(first) if width(&label) + 2 <= indent.len() => {
                let gap = " ".repeat(indent.len() - width(&label));
                *first = format!("{}{gap}{}", paint(&label), first.trim_start());
            }
            // A label too long for its column stands above.
            _ => {
                let above = wrap(&label, self.prose, "", "");
                lines.splice(0..0, above.iter().map(|line| paint(line)));
            }
        }
        lines
    }

    /// Running text of less importance.
    fn faint(&self, text: &str) -> Lines {
        let lines = wrap(&self.say(text), self.prose, "", "  ");
        lines.iter().map(|line| self.paint.faint(line)).collect()
    }
}
