//! Making a document's texts harmless: no control characters, no hidden change of reading direction.

use std::borrow::Cow;

use super::chart::{Cap, Chart, ChartKind, Series};
use super::checked::Checked;
use super::document::{Document, Notes, Section, Table, Value};
use super::text::one_line;

/// What stands in for a character that no format may carry.
const REPLACEMENT: char = '\u{FFFD}';

/// Replaces what could disturb a terminal, a spreadsheet or an XML parser: control characters become `�`, tabs
/// blanks, every kind of line end `\n`; marks that reverse the reading direction go.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c == '\n' || is_harmless(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' => out.push(' '),
            c if is_direction_mark(c) => {}
            c if is_harmless(c) => out.push(c),
            _ => out.push(REPLACEMENT),
        }
    }
    Cow::Owned(out)
}

/// Whether every format can carry `c` as it is.
fn is_harmless(c: char) -> bool {
    !(c.is_control()
        || is_direction_mark(c)
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}'))
}

/// Embeddings, overrides and isolates of the reading direction, with which text can be made to look like another.
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

impl Document {
    /// The same document with harmless texts: heads, names and paragraphs on one line each, cells with `\n` at most.
    #[must_use]
    pub fn cleaned(&self) -> Self {
        let mut document = self.clone();
        line(&mut document.title);
        document.subtitle.iter_mut().for_each(line);
        document.footnotes.iter_mut().for_each(line);
        document.checked.iter_mut().for_each(Checked::clean);
        for section in &mut document.sections {
            match section {
                Section::Table(table) => clean_table(table),
                Section::Notes(notes) => clean_notes(notes),
                Section::Text { title, paragraphs } | Section::Words { title, paragraphs } => {
                    line(title);
                    paragraphs.iter_mut().for_each(line);
                }
                Section::Chart(chart) => clean_chart(chart),
            }
        }
        document
    }
}

/// Makes a text harmless and puts it on one line.
fn line(text: &mut String) {
    *text = one_line(&clean(text));
}

fn clean_table(table: &mut Table) {
    line(&mut table.id);
    line(&mut table.title);
    for column in &mut table.columns {
        line(&mut column.title);
        column.id = Cow::Owned(one_line(&clean(&column.id)));
    }
    for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
        cell.hint.iter_mut().for_each(line);
        match &mut cell.value {
            Value::Text(text) => *text = clean(text).into_owned(),
            Value::Money { currency, .. } => line(currency),
            Value::Empty | Value::Number { .. } | Value::Duration { .. } | Value::Flag(_) => {}
        }
    }
}

fn clean_notes(notes: &mut Notes) {
    line(&mut notes.id);
    line(&mut notes.title);
    for note in &mut notes.items {
        line(&mut note.label);
        line(&mut note.id);
        line(&mut note.subject);
        line(&mut note.text);
        note.fix.iter_mut().for_each(line);
    }
}

fn clean_chart(chart: &mut Chart) {
    line(&mut chart.id);
    line(&mut chart.title);
    match &mut chart.kind {
        ChartKind::Bars {
            unit,
            series,
            groups,
            caps,
        } => {
            line(unit);
            series.iter_mut().for_each(line);
            groups.iter_mut().for_each(|(name, _)| line(name));
            caps.iter_mut().for_each(|cap| line(&mut cap.name));
        }
        ChartKind::Time { panels, spans } => {
            for panel in panels {
                line(&mut panel.title);
                line(&mut panel.unit);
                clean_series(&mut panel.series, &mut panel.caps);
            }
            spans.iter_mut().for_each(|span| line(&mut span.label));
        }
        ChartKind::Curve { x, y, series, caps } => {
            line(&mut x.title);
            line(&mut y.title);
            clean_series(series, caps);
        }
    }
}

fn clean_series(series: &mut [Series], caps: &mut [Cap]) {
    series.iter_mut().for_each(|series| line(&mut series.name));
    caps.iter_mut().for_each(|cap| line(&mut cap.name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_cannot_reach_an_output() {
        assert_eq!(clean("plain ≤ text"), "plain ≤ text");
        assert_eq!(clean("\u{1b}[31mred"), "\u{FFFD}[31mred");
        assert_eq!(clean("a\r\nb\rc\u{2028}d\te"), "a\nb\nc\nd e");
        assert_eq!(
            clean("safe\u{202E}txt.exe\u{0}\u{9b}"),
            "safetxt.exe\u{FFFD}\u{FFFD}"
        );
    }
}
