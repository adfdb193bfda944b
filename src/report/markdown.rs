//! Markdown that pastes into a pull request: CommonMark with pipe tables.
//!
//! Tables show their usual columns, numbers to the right; remarks are a list. Every text is escaped, so that it
//! reads as it was written and cannot become markup.

use super::document::{Document, Note, Notes, Section, Table};
use super::text::width;
use super::{Render, RenderOptions, ReportError};

/// Cells are padded to this width at most, so that one long cell does not stretch its whole column.
const MOST_PADDING: usize = 40;

/// Markdown.
#[derive(Debug, Clone, Copy)]
pub struct Markdown;

impl Render for Markdown {
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        let mut blocks = Vec::new();
        heading(1, &document.title, &mut blocks);
        blocks.extend(document.subtitle.as_deref().map(paragraph));
        for section in &document.sections {
            match section {
                Section::Table(shown) => {
                    heading(2, &shown.title, &mut blocks);
                    blocks.push(table(shown, options.header));
                }
                Section::Notes(shown) => {
                    heading(2, &shown.title, &mut blocks);
                    blocks.push(notes(shown));
                }
                Section::Text { title, paragraphs } | Section::Words { title, paragraphs } => {
                    heading(2, title, &mut blocks);
                    blocks.extend(paragraphs.iter().map(|text| paragraph(text)));
                }
                Section::Chart(_) => {}
            }
        }
        if !document.footnotes.is_empty() {
            blocks.push("---".to_owned());
            let notes = document.footnotes.iter();
            let items: Vec<_> = notes.map(|note| format!("- {}", paragraph(note))).collect();
            blocks.push(items.join("\n"));
        }
        blocks.retain(|block| !block.is_empty());
        Ok((blocks.join("\n\n") + "\n").into_bytes())
    }
}

fn heading(level: usize, title: &str, blocks: &mut Vec<String>) {
    if !title.is_empty() {
        blocks.push(format!("{} {}", "#".repeat(level), escaped(title)));
    }
}

/// A text that begins a block: what would open a list or a heading there is escaped too.
fn paragraph(text: &str) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let mut chars = rest.chars();
    let (first, second) = (chars.next(), chars.next());
    let opens = match (number, first) {
        ("", Some('-' | '>')) => true,
        ("", Some('+')) => second.is_none_or(char::is_whitespace),
        ("", _) => false,
        (_, Some('.' | ')')) => second.is_none_or(char::is_whitespace),
        _ => false,
    };
    let slash = if opens { "\\" } else { "" };
    format!("{number}{slash}{}", escaped(rest))
}

fn table(table: &Table, header: bool) -> String {
    let columns = table.default_columns();
    if columns.is_empty() || table.rows.is_empty() {
        return "(none)".to_owned();
    }
    let heads = columns.iter().map(|&index| match table.columns.get(index) {
        Some(column) if header => cell(&column.title),
        _ => String::new(),
    });
    let mut lines: Vec<Vec<String>> = vec![heads.collect()];
    for row in &table.rows {
        let cells = columns
            .iter()
            .map(|&index| cell(&row.cell(index).for_people()));
        lines.push(cells.collect());
    }
    let right: Vec<bool> = columns.iter().map(|&i| table.is_numeric(i)).collect();
    let widths: Vec<usize> = (0..columns.len())
        .map(|i| column_width(&lines, i))
        .collect();
    let mut out: Vec<String> = lines
        .iter()
        .map(|cells| row(cells, &widths, &right))
        .collect();
    out.insert(1.min(out.len()), rule(&widths, &right));
    out.join("\n")
}

fn column_width(lines: &[Vec<String>], index: usize) -> usize {
    let cells = lines.iter().filter_map(|cells| cells.get(index));
    let widest = cells.map(|cell| width(cell)).max().unwrap_or(0);
    widest.clamp(3, MOST_PADDING)
}

fn row(cells: &[String], widths: &[usize], right: &[bool]) -> String {
    let padded = cells
        .iter()
        .zip(widths)
        .zip(right)
        .map(|((cell, width), right)| {
            let gap = " ".repeat(width.saturating_sub(self::width(cell)));
            if *right {
                format!("{gap}{cell}")
            } else {
                format!("{cell}{gap}")
            }
        });
    format!("| {} |", padded.collect::<Vec<_>>().join(" | "))
}

/// The line between head and rows, which also says which columns are set to the right.
fn rule(widths: &[usize], right: &[bool]) -> String {
    let dashes = widths.iter().zip(right).map(|(width, right)| {
        if *right {
            format!("{}:", "-".repeat(width - 1))
        } else {
            "-".repeat(*width)
        }
    });
    format!("| {} |", dashes.collect::<Vec<_>>().join(" | "))
}

fn cell(text: &str) -> String {
    let lines: Vec<String> = text
        .trim()
        .lines()
        .map(|line| escaped(line.trim()))
        .collect();
    lines.join("<br>")
}

fn notes(notes: &Notes) -> String {
    if notes.items.is_empty() {
        return "(none)".to_owned();
    }
    let merged = notes.merged();
    merged.iter().map(note).collect::<Vec<_>>().join("\n")
}

fn note(note: &Note) -> String {
    let mut head: Vec<String> = Vec::new();
    if !note.label.is_empty() {
        head.push(format!("**{}**", escaped(&note.label)));
    }
    if !note.id.is_empty() {
        head.push(code(&note.id));
    }
    if !note.subject.is_empty() {
        head.push(escaped(&note.subject));
    }
    let mut out = if head.is_empty() {
        format!("- {}", paragraph(&note.text))
    } else {
        format!("- {}: {}", head.join(" "), escaped(&note.text))
    };
    if let Some(fix) = &note.fix {
        out.push_str("\\\n  Fix: ");
        out.push_str(&with_code(fix));
    }
    out
}

/// A name as code, where it can be one.
fn code(name: &str) -> String {
    if name.contains('`') {
        escaped(name)
    } else {
        format!("`{name}`")
    }
}

/// The text with its commands, which stand between backticks, as code, and nothing else as markup.
fn with_code(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let is_code = |index: usize| index % 2 == 1;
    let spans = parts
        .iter()
        .enumerate()
        .filter(|(index, _)| is_code(*index));
    let is_whole = parts.len() % 2 == 1 && spans.clone().all(|(_, code)| !code.trim().is_empty());
    if !is_whole {
        return escaped(text);
    }
    let told = parts
        .iter()
        .enumerate()
        .map(|(index, part)| match is_code(index) {
            true => format!("`{part}`"),
            false => escaped(part),
        });
    told.collect()
}

/// The text with a backslash before every character that would be markup in the middle of a line.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for (index, c) in text.char_indices() {
        let rest = text.get(index + c.len_utf8()..).unwrap_or_default();
        let after = rest.chars().next().unwrap_or(' ');
        let markup = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '$' | '#' => true,
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => opens_entity(rest),
            _ => false,
        };
        if markup {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// Whether the text behind a `&` makes it a character reference (`&lt;`, `&#60;`).
fn opens_entity(rest: &str) -> bool {
    rest.split_once(';').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c == '#' || c.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sizes_stay_readable() {
        assert_eq!(escaped("Standard_D2s_v3"), "Standard_D2s_v3");
        assert_eq!(
            escaped("_x_ a|b <c> 2*3 R&D &lt;"),
            "\\_x\\_ a\\|b \\<c> 2\\*3 R&D \\&lt;"
        );
    }

    #[test]
    fn commands_stay_code() {
        assert_eq!(
            with_code("run `az disk update --set tier=P40 *` or *not*"),
            "run `az disk update --set tier=P40 *` or \\*not\\*"
        );
        assert_eq!(with_code("a `b"), "a \\`b");
        assert_eq!(with_code("a `` b"), "a \\`\\` b");
    }

    #[test]
    fn a_paragraph_cannot_open_a_list() {
        assert_eq!(paragraph("1. first"), "1\\. first");
        assert_eq!(paragraph("- dash"), "\\- dash");
        assert_eq!(paragraph("1.5 ms"), "1.5 ms");
        assert_eq!(paragraph("4,000 IOPS"), "4,000 IOPS");
    }
}
