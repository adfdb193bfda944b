//! A table within the width: borders, alignment, hints, and the columns there was no room for.

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, ContentLineStyle, LineStyle, TableStyle,
    Width,
};

use super::layout::{Fit, Need, fit};
use super::{Lines, Page};
use crate::report::document::{Cell, Table};
use crate::report::text::{jointed, one_line, widest_line, widest_part, widest_word, width, wrap};

/// Light lines under the head and between columns.
const LIGHT: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction('│'))
    .header_separator(LineStyle::none().fill('─').junction('┼'))
    .content_lines(ContentLineStyle::none().junction('│'));

/// The same in ASCII.
const ASCII: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction('|'))
    .header_separator(LineStyle::none().fill('-').junction('+'))
    .content_lines(ContentLineStyle::none().junction('|'));

/// A column that wraps its text keeps at least this much of it on a line.
const COMFORTABLE: usize = 16;

/// More rows than this do not read well as cards.
const MOST_CARDS: usize = 8;

/// A word longer than this may be broken.
const LONGEST_WORD: usize = 32;

/// A column of the table, said in the terminal's signs.
struct Col {
    index: usize,
    title: String,
    numeric: bool,
    /// Values, and the hints beside them (empty where there is none).
    cells: Vec<(String, String)>,
    /// The width of the widest value.
    values: usize,
    /// The width of the widest hint; 0 without any.
    hints: usize,
    rank: u8,
}

impl Col {
    fn new(page: &Page, table: &Table, index: usize) -> Self {
        let column = table.columns.get(index);
        let said = |cell: &Cell| {
            let hint = cell.hint.as_deref().filter(|hint| !hint.is_empty());
            let hint = hint.map(|hint| page.say(&format!("({hint})")));
            (page.say(&cell.value.for_people()), hint.unwrap_or_default())
        };
        let cells: Vec<(String, String)> =
            table.rows.iter().map(|row| said(row.cell(index))).collect();
        let values = cells.iter().map(|(value, _)| widest_line(value));
        let hints = cells.iter().map(|(_, hint)| width(hint));
        Self {
            index,
            title: column
                .map(|column| page.say(&column.title))
                .unwrap_or_default(),
            numeric: table.is_numeric(index),
            values: values.max().unwrap_or(0),
            hints: hints.max().unwrap_or(0),
            cells,
            rank: column.map_or(0, |column| column.rank),
        }
    }

    /// The width with hints beside their values.
    const fn inline(&self) -> usize {
        match self.hints {
            0 => self.values,
            hints => self.values + 1 + hints,
        }
    }

    fn need(&self, header: bool) -> Need {
        let title = |measure: fn(&str) -> usize| if header { measure(&self.title) } else { 0 };
        let word = |(value, hint): &(String, String)| {
            // A number must not be broken, nor torn from its sign.
            let value = if self.numeric {
                widest_line(value)
            } else {
                unbroken(value)
            };
            value.max(widest_word(hint))
        };
        let words = self.cells.iter().map(word).max().unwrap_or(0);
        let word = match words.max(title(unbroken)) {
            word if self.numeric => word,
            word => word.min(LONGEST_WORD),
        };
        let body = self.inline();
        Need {
            rank: self.rank,
            full: body.max(title(width)),
            body,
            tight: if self.numeric {
                word
            } else {
                word.max(body.min(COMFORTABLE))
            },
            word,
            figures: self.numeric,
        }
    }

    /// The cell's text in a column `room` wide: the hint beside the value where it fits, else below.
    fn cell(&self, row: usize, room: usize) -> String {
        let Some((value, hint)) = self.cells.get(row) else {
            return String::new();
        };
        if self.hints == 0 || (hint.is_empty() && (!self.numeric || self.inline() > room)) {
            // Words that are too long are broken at their joints here; between words the grid breaks.
            jointed(value, room).into_owned()
        } else if self.inline() > room {
            format!("{}\n{hint}", jointed(value, room))
        } else if self.numeric {
            // Blanks that cannot be trimmed keep the numbers below each other.
            let pad = "\u{a0}";
            let before = pad.repeat(self.values - width(value));
            let after = pad.repeat(self.hints - width(hint));
            format!("{before}{value}{pad}{hint}{after}")
        } else {
            format!("{value} {hint}")
        }
    }
}

/// The width that the words of a text need: a long one is broken at its joints.
fn unbroken(text: &str) -> usize {
    match widest_word(text) {
        word if word <= COMFORTABLE => word,
        _ => widest_part(text).max(COMFORTABLE),
    }
}

impl Page {
    /// The rows of a table; none where it has no rows or no columns.
    pub(super) fn table(&self, table: &Table) -> Lines {
        let columns = table.default_columns();
        if columns.is_empty() || table.rows.is_empty() {
            return Lines::new();
        }
        let cols: Vec<Col> = columns
            .iter()
            .map(|&index| Col::new(self, table, index))
            .collect();
        let needs: Vec<Need> = cols.iter().map(|col| col.need(self.header)).collect();
        let essential = cols.iter().any(|col| {
            let column = table.columns.get(col.index);
            column.is_some_and(|column| column.essential)
        });
        let cards = essential || table.rows.len() <= MOST_CARDS;
        match fit(&needs, self.width, cards) {
            Fit::Cards => self.cards(table, &cols),
            Fit::Columns(shown) => {
                let mut lines = self.grid(table, &cols, &shown);
                lines.extend(self.left_out(&cols, &shown));
                lines
            }
        }
    }

    fn grid(&self, table: &Table, cols: &[Col], shown: &[(usize, usize)]) -> Lines {
        let mut grid = comfy_table::Table::new();
        grid.load_style(if self.ascii { ASCII } else { LIGHT })
            .set_content_arrangement(ContentArrangement::Disabled);
        let shown: Vec<(&Col, usize)> = shown
            .iter()
            .filter_map(|(position, width)| Some((cols.get(*position)?, *width)))
            .collect();
        if self.header {
            let head = |(col, room): &(&Col, usize)| self.paint.bold(&jointed(&col.title, *room));
            grid.set_header(shown.iter().map(head));
        }
        for (position, row) in table.rows.iter().enumerate() {
            grid.add_row(shown.iter().map(|(col, room)| {
                self.paint
                    .tone(&col.cell(position, *room), row.tone_of(col.index))
            }));
        }
        for (position, (col, room)) in shown.iter().enumerate() {
            let Some(column) = grid.column_mut(position) else {
                continue;
            };
            let left = u16::from(position > 0);
            let right = u16::from(position + 1 < shown.len());
            column.set_padding((left, right));
            let width = u16::try_from(*room).unwrap_or(u16::MAX - 2).max(1);
            column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(
                width + left + right,
            )));
            if col.numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        grid.lines()
            .map(|line| line.replace('\u{a0}', " ").trim_end().to_owned())
            .collect()
    }

    /// One line that says which columns there was no room for.
    fn left_out(&self, cols: &[Col], shown: &[(usize, usize)]) -> Lines {
        let missing = cols
            .iter()
            .enumerate()
            .filter(|(position, _)| !shown.iter().any(|(kept, _)| kept == position));
        let names: Vec<&str> = missing.map(|(_, col)| col.title.as_str()).collect();
        if names.is_empty() {
            return Lines::new();
        }
        self.faint(&format!("Left out at this width: {}.", names.join(", ")))
    }

    /// Every row as a list of heads and values, a blank line between rows.
    fn cards(&self, table: &Table, cols: &[Col]) -> Lines {
        let room = self.width.unwrap_or(self.prose);
        let heads = cols.iter().map(|col| width(&col.title)).max().unwrap_or(0);
        let heads = if self.header { heads.min(room / 2) } else { 0 };
        let mut lines = Lines::new();
        for (position, row) in table.rows.iter().enumerate() {
            if position > 0 {
                lines.push(String::new());
            }
            for col in cols {
                let tone = row.tone_of(col.index);
                lines.extend(
                    self.card_line(col, position, heads, room)
                        .iter()
                        .map(|line| self.paint.tone(line, tone)),
                );
            }
        }
        lines
    }

    fn card_line(&self, col: &Col, row: usize, heads: usize, room: usize) -> Lines {
        let (value, hint) = col.cells.get(row).cloned().unwrap_or_default();
        let text = one_line(&format!("{value} {hint}"));
        if heads == 0 {
            return wrap(&text, room, "", "  ");
        }
        let indent = " ".repeat(heads + 2);
        let mut title = wrap(&col.title, heads.max(1), "", "");
        let last = title.pop().unwrap_or_default();
        let gap = " ".repeat(indent.len().saturating_sub(width(&last)).max(1));
        title.extend(wrap(&text, room, &format!("{last}{gap}"), &indent));
        title
    }
}
