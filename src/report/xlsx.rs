//! XLSX: a sheet a table, real numbers with number formats, frozen heads, filters.
//!
//! Every column is there; those that people's formats leave out are folded away. Heads are those that people read; hints
//! are notes at their cells. Remarks get sheets of their own, texts and sources a last one ("About"). The same report
//! gives the same bytes.

use rust_xlsxwriter::{
    ConditionalFormatCell, ConditionalFormatCellRule, DocProperties, ExcelDateTime,
    Format as Style, FormatAlign, FormatBorder, Note as CellNote, Workbook, Worksheet, XlsxError,
};

use super::document::{Cell, Document, Notes, Section, Table, Tone, Value};
use super::text::{capitalised, widest_line, widest_word, wrap};
use super::{Format, Render, RenderOptions, ReportError};
use crate::units::grouped;

/// The longest text a cell can hold.
const LONGEST_TEXT: usize = 32_767;
/// The longest name of a sheet.
const LONGEST_NAME: usize = 31;
/// Columns are no wider than this, in characters; longer texts wrap.
const WIDEST: usize = 60;
/// Characters of a column that its text leaves empty.
const MARGIN: usize = 3;
/// The height of a line of text, points.
const LINE: f64 = 15.0;
/// No row can be higher, points.
const HIGHEST_ROW: f64 = 409.0;
/// The width of the sheet of texts, in characters.
const ABOUT: usize = 80;
/// Seconds of a day: a workbook counts times in days.
const DAY: f64 = 86_400.0;
/// Beside a head stands the button of the filter.
const FILTER_BUTTON: usize = 3;

/// A workbook.
#[derive(Debug, Clone, Copy)]
pub struct Xlsx;

impl Render for Xlsx {
    fn draw(&self, document: &Document, options: &RenderOptions) -> Result<Vec<u8>, ReportError> {
        workbook(document, options.header).map_err(ReportError::library(Format::Xlsx))
    }
}

fn workbook(document: &Document, header: bool) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // A fixed date, for the time of writing is no part of a report and would make equal reports differ.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    let properties = DocProperties::new()
        .set_title(clipped(&document.title, 255))
        .set_creation_datetime(&made);
    book.set_properties(&properties);
    let mut names = Names::default();
    for section in &document.sections {
        match section {
            Section::Table(table) => {
                let sheet = book.add_worksheet();
                sheet.set_name(names.unique(&table.title, &table.id))?;
                write_table(sheet, table, header)?;
            }
            Section::Notes(notes) => {
                let sheet = book.add_worksheet();
                sheet.set_name(names.unique(&notes.title, &notes.id))?;
                write_notes(sheet, notes, header)?;
            }
            Section::Text { .. } | Section::Words { .. } | Section::Chart(_) => {}
        }
    }
    let sheet = book.add_worksheet();
    sheet.set_name(names.unique("About", ""))?;
    write_about(sheet, document)?;
    book.save_to_buffer()
}

/// The names of sheets so far.
#[derive(Default)]
struct Names {
    taken: Vec<String>,
}

impl Names {
    /// A name of at most 31 characters that no other sheet has: the title; where it is too long, what it begins with;
    /// else the id in words.
    fn unique(&mut self, title: &str, id: &str) -> String {
        let wanted = [
            beginning(title),
            in_words(id),
            title.to_owned(),
            "Table".to_owned(),
        ];
        let mut wanted = wanted.iter().map(|name| allowed(name));
        let base = wanted.find(|name| !name.is_empty()).unwrap_or_default();
        let mut name = clipped(&base, LONGEST_NAME)
            .trim_end_matches(['\'', ' '])
            .to_owned();
        let mut number = 2usize;
        while self.taken.contains(&name.to_lowercase()) {
            let ending = format!(" {number}");
            name = clipped(&base, LONGEST_NAME - ending.len()) + &ending;
            number += 1;
        }
        self.taken.push(name.to_lowercase());
        name
    }
}

/// The title, or the part of it before a bracket, colon or comma that fits; nothing where none does.
fn beginning(title: &str) -> String {
    let ends = [" (", ": ", "; ", ", "];
    let ends = ends.iter().flat_map(|end| title.match_indices(end));
    let parts = ends.filter_map(|(at, _)| title.get(..at)).chain([title]);
    let fitting = parts.filter(|part| part.encode_utf16().count() <= LONGEST_NAME);
    fitting
        .max_by_key(|part| part.len())
        .unwrap_or_default()
        .to_owned()
}

/// An id as people read it: `frontier-iops` is `Frontier IOPS`.
fn in_words(id: &str) -> String {
    let known = [
        ("iops", "IOPS"),
        ("mbps", "MBps"),
        ("vm", "VM"),
        ("vms", "VMs"),
        ("io", "IO"),
    ];
    let words = id.split(['-', '_', ' ']).filter(|word| !word.is_empty());
    let words = words.enumerate().map(|(index, word)| {
        let short = known.iter().find(|(plain, _)| *plain == word);
        match (short, index) {
            (Some((_, short)), _) => (*short).to_owned(),
            (None, 0) => capitalised(word),
            (None, _) => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The name without what a sheet's name must not have ("History" is reserved).
fn allowed(name: &str) -> String {
    let plain = name.replace(['[', ']', ':', '*', '?', '/', '\\'], " ");
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = plain.trim_matches(['\'', ' ']);
    if plain.eq_ignore_ascii_case("history") {
        format!("{plain} 1")
    } else {
        plain.to_owned()
    }
}

/// At most `most` UTF-16 units of the text, as Excel counts.
fn clipped(text: &str, most: usize) -> String {
    let mut units = 0;
    let kept = text.chars().take_while(|c| {
        units += c.len_utf16();
        units <= most
    });
    kept.collect()
}

fn write_table(sheet: &mut Worksheet, table: &Table, header: bool) -> Result<(), XlsxError> {
    let first = u32::from(header);
    let mut lines = vec![1; table.rows.len() + 1];
    for (index, column) in table.columns.iter().enumerate() {
        let col = column_number(index)?;
        let width = width_of(table, index);
        sheet.set_column_width(col, width as f64)?;
        let room = width.saturating_sub(1);
        if header {
            let style = if table.is_numeric(index) {
                head().set_align(FormatAlign::Right)
            } else {
                words(head())
            };
            sheet.write_string_with_format(0, col, clipped(&column.title, LONGEST_TEXT), &style)?;
            raise(
                &mut lines,
                0,
                &column.title,
                room.saturating_sub(FILTER_BUTTON),
            );
        }
        let decimals = decimals_of(table, index);
        for ((position, row), number) in table.rows.iter().enumerate().zip(first..) {
            let cell = row.cell(index);
            let style = toned(cell_style(cell, decimals), row.tone_of(index));
            write_cell(sheet, (number, col), cell, &style)?;
            if let Value::Text(text) = &cell.value {
                raise(&mut lines, position + 1, text, room);
            }
        }
    }
    fold(sheet, table)?;
    let lines = lines.iter().skip(usize::from(!header));
    for (lines, number) in lines.zip(0u32..) {
        set_lines(sheet, number, *lines)?;
    }
    let rows = u32::try_from(table.rows.len()).map_err(|_| XlsxError::RowColumnLimitError)?;
    page(sheet, table.columns.len(), rows, header)
}

/// Folds away the columns that people's formats do not show: a click on their outline unfolds them, and a print of the
/// rest stays readable.
fn fold(sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
    let mut first = 0;
    for run in table.columns.chunk_by(|a, b| a.default == b.default) {
        let last = first + run.len() - 1;
        if run.iter().all(|column| !column.default) {
            sheet.group_columns_collapsed(column_number(first)?, column_number(last)?)?;
        }
        first = last + 1;
    }
    Ok(())
}

/// Notes that a row needs as many lines as the text does in a column `room` characters wide.
fn raise(lines: &mut [usize], row: usize, text: &str, room: usize) {
    if let Some(lines) = lines.get_mut(row) {
        *lines = (*lines).max(wrap(text, room, "", "").len());
    }
}

/// Makes a row as high as its lines need: not every program does so by itself when it opens the file.
fn set_lines(sheet: &mut Worksheet, row: u32, lines: usize) -> Result<(), XlsxError> {
    if lines > 1 {
        sheet.set_row_height(row, (lines as f64 * LINE).min(HIGHEST_ROW))?;
    }
    Ok(())
}

/// Frozen heads, filters, and a page set-up that prints all columns side by side.
fn page(sheet: &mut Worksheet, columns: usize, rows: u32, header: bool) -> Result<(), XlsxError> {
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
    if let (true, Some(last)) = (header, columns.checked_sub(1)) {
        sheet.set_freeze_panes(1, u16::from(columns > 1))?;
        sheet.set_repeat_rows(0, 0)?;
        sheet.autofilter(0, 0, rows, column_number(last)?)?;
    }
    Ok(())
}

fn column_number(index: usize) -> Result<u16, XlsxError> {
    u16::try_from(index).map_err(|_| XlsxError::RowColumnLimitError)
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, col): (u32, u16),
    cell: &Cell,
    style: &Style,
) -> Result<(), XlsxError> {
    match &cell.value {
        Value::Text(text) => {
            sheet.write_string_with_format(row, col, clipped(text, LONGEST_TEXT), style)?;
        }
        Value::Flag(flag) => {
            sheet.write_boolean_with_format(row, col, *flag, style)?;
        }
        value => match value.as_number() {
            Some(seconds) if matches!(value, Value::Duration { .. }) => {
                sheet.write_number_with_format(row, col, seconds / DAY, style)?;
            }
            Some(number) => {
                sheet.write_number_with_format(row, col, number, style)?;
            }
            None => {
                sheet.write_blank(row, col, style)?;
            }
        },
    }
    if let Some(hint) = cell.hint.as_ref().filter(|hint| !hint.is_empty()) {
        let note = CellNote::new(clipped(hint, LONGEST_TEXT)).add_author_prefix(false);
        sheet.insert_note(row, col, &note)?;
    }
    Ok(())
}

fn write_notes(sheet: &mut Worksheet, notes: &Notes, header: bool) -> Result<(), XlsxError> {
    let mut table = notes.to_table();
    let mut labels: Vec<(&str, Tone)> = Vec::new();
    for (note, row) in notes.items.iter().zip(&mut table.rows) {
        // The rule below colours the label, so that it follows when somebody changes it.
        row.cells
            .iter_mut()
            .for_each(|cell| cell.tone = Tone::Plain);
        if !labels.contains(&(&note.label, note.tone)) {
            labels.push((&note.label, note.tone));
        }
    }
    write_table(sheet, &table, header)?;
    let first = u32::from(header);
    let rows = u32::try_from(notes.items.len()).map_err(|_| XlsxError::RowColumnLimitError)?;
    for (label, tone) in labels
        .into_iter()
        .filter(|(label, _)| !label.is_empty() && label.len() < 200)
    {
        let rule = ConditionalFormatCell::new()
            .set_rule(ConditionalFormatCellRule::EqualTo(label))
            .set_format(toned(Style::new(), tone));
        sheet.add_conditional_format(first, 0, first + rows.max(1) - 1, 0, &rule)?;
    }
    Ok(())
}

/// The headline, the texts and the footnotes, one below the other.
fn write_about(sheet: &mut Worksheet, document: &Document) -> Result<(), XlsxError> {
    let mut lines: Vec<(&str, bool)> = vec![(&document.title, true)];
    lines.extend(document.subtitle.as_deref().map(|text| (text, false)));
    for section in &document.sections {
        if let Section::Text { title, paragraphs } | Section::Words { title, paragraphs } = section
        {
            lines.push(("", false));
            lines.push((title, true));
            lines.extend(paragraphs.iter().map(|text| (text.as_str(), false)));
        }
    }
    if !document.footnotes.is_empty() {
        lines.push(("", false));
        lines.push(("Sources and notes", true));
        lines.extend(document.footnotes.iter().map(|text| (text.as_str(), false)));
    }
    sheet.set_column_width(0, (ABOUT + MARGIN) as f64)?;
    for ((text, bold), row) in lines.iter().zip(0u32..) {
        let style = Style::new().set_text_wrap().set_align(FormatAlign::Top);
        let style = if *bold { style.set_bold() } else { style };
        sheet.write_string_with_format(row, 0, clipped(text, LONGEST_TEXT), &style)?;
        set_lines(sheet, row, wrap(text, ABOUT, "", "").len())?;
    }
    sheet.set_print_fit_to_pages(1, 0);
    Ok(())
}

/// The most decimals that any cell of a column shows, so that the column has one number format.
fn decimals_of(table: &Table, index: usize) -> usize {
    let shown = table.rows.iter().map(|row| match &row.cell(index).value {
        Value::Number {
            value, decimals, ..
        } if value.is_finite() => {
            let text = grouped(*value, usize::from(*decimals).min(9));
            text.split_once('.')
                .map_or(0, |(_, fraction)| fraction.len())
        }
        _ => 0,
    });
    shown.max().unwrap_or(0)
}

fn cell_style(cell: &Cell, decimals: usize) -> Style {
    let fraction = match decimals {
        0 => String::new(),
        decimals => format!(".{}", "0".repeat(decimals)),
    };
    let style = Style::new().set_align(FormatAlign::Top);
    match &cell.value {
        Value::Number { at_most: true, .. } => {
            style.set_num_format(format!("\"≤ \"#,##0{fraction}"))
        }
        Value::Number { .. } => style.set_num_format(format!("#,##0{fraction}")),
        Value::Duration { .. } => style.set_num_format("[h]:mm:ss"),
        Value::Money { amount, currency } => {
            let currency: String = currency
                .chars()
                .filter(|c| c.is_alphanumeric())
                .take(8)
                .collect();
            let cents = if amount.abs() < 0.1 && *amount != 0.0 {
                "000000"
            } else {
                "00"
            };
            style.set_num_format(format!("#,##0.{cents} \"{currency}\""))
        }
        Value::Text(_) | Value::Flag(_) => words(style),
        Value::Empty => style,
    }
}

/// To the left, away from the numbers of the column before.
fn words(style: Style) -> Style {
    style
        .set_text_wrap()
        .set_align(FormatAlign::Left)
        .set_indent(1)
}

fn head() -> Style {
    Style::new()
        .set_bold()
        .set_text_wrap()
        .set_align(FormatAlign::Bottom)
        .set_background_color(0x00E8_ECF1)
        .set_border_bottom(FormatBorder::Thin)
}

/// The style with the colours of a tone: dark text on a light ground.
fn toned(style: Style, tone: Tone) -> Style {
    let (text, ground) = match tone {
        Tone::Plain => return style,
        Tone::Faint => return style.set_font_color(0x0059_5959),
        Tone::Good => (0x0000_6100, 0x00C6_EFCE),
        Tone::Warning => (0x0070_4A00, 0x00FF_EB9C),
        Tone::Bad => (0x009C_0006, 0x00FF_C7CE),
    };
    style.set_font_color(text).set_background_color(ground)
}

/// Wide enough for the widest cell and the longest word of the head.
fn width_of(table: &Table, index: usize) -> usize {
    let cells = table
        .rows
        .iter()
        .map(|row| widest_line(&row.cell(index).value.for_people()));
    let head = table
        .columns
        .get(index)
        .map_or(0, |column| widest_word(&column.title));
    let widest = cells.max().unwrap_or(0).max(head + FILTER_BUTTON);
    widest.clamp(8, WIDEST) + MARGIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_names_are_short_allowed_and_unique() {
        let mut names = Names::default();
        let long = "Sizes: what they reach with [these] disks";
        assert_eq!(names.unique(long, "reach"), "Sizes");
        assert_eq!(names.unique(long, "reach"), "Sizes 2");
        // The comma comes behind 38 characters.
        let words = "All that these sizes let through at once, of each";
        assert_eq!(names.unique(words, "frontier-iops"), "Frontier IOPS");
        assert_eq!(names.unique(words, "vm_caps"), "VM caps");
        assert_eq!(names.unique(words, ""), "All that these sizes let throug");
        assert_eq!(names.unique("''", "volumes"), "Volumes");
        assert_eq!(names.unique("VOLUMES", ""), "VOLUMES 2");
        assert_eq!(
            names.unique("a name of exactly 31 characters", ""),
            "a name of exactly 31 characters"
        );
        assert_eq!(names.unique("", ""), "Table");
        assert_eq!(names.unique("History", ""), "History 1");
        assert!(names.unique(&"盘".repeat(40), "").encode_utf16().count() <= LONGEST_NAME);
    }

    #[test]
    fn clipping_counts_as_excel_does() {
        assert_eq!(clipped("a😀b", 3), "a😀");
        assert_eq!(clipped("a😀b", 2), "a");
    }
}
