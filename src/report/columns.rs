//! Choosing what of a report is shown: one table, its columns, the order of its rows.

use std::cmp::Ordering;
use std::convert::Infallible;
use std::str::FromStr;

use super::document::{Column, Document, Notes, Row, Section, Table, Value};
use super::natural::natural;
use crate::catalog::lookup::did_you_mean;
use crate::catalog::price::Currency;

/// The word that stands for every column.
pub const ALL: &str = "all";

/// How alike two names must be (0 to 1) to be suggested: a slip or two in a word.
const ALIKE: f64 = 0.75;

/// What of a report is shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Only this table (or these remarks), by id; everything else goes.
    pub table: Option<String>,
    /// Only these columns, by id, in this order; none given means the usual ones, `all` every one.
    /// They are columns of `table`, or of the first table.
    pub columns: Vec<String>,
    /// The order of the rows of the same table: by the first key, equal ones by the next.
    pub sort: Vec<SortKey>,
}

/// One key to sort by: `sustained_iops`, `sustained_iops:desc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The column's id.
    pub column: String,
    /// Whether the largest comes first. Unknown values come last either way.
    pub descending: bool,
}

impl FromStr for SortKey {
    type Err = Infallible;

    /// A column, with `:asc` or `:desc` behind it where wanted. Which columns there are, only the table knows.
    fn from_str(input: &str) -> Result<Self, Infallible> {
        let (column, descending) = match input.trim().rsplit_once(':') {
            Some((column, order)) if order.eq_ignore_ascii_case("desc") => (column, true),
            Some((column, order)) if order.eq_ignore_ascii_case("asc") => (column, false),
            _ => (input.trim(), false),
        };
        Ok(Self {
            column: column.to_owned(),
            descending,
        })
    }
}

/// Why a selection does not fit a report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnError {
    /// No table has this id.
    #[error("no table '{input}'{} {}", leading(.nearest, "there are"), list(.known))]
    Table {
        /// What was given.
        input: String,
        /// The nearest ids.
        nearest: Vec<String>,
        /// Every id.
        known: Vec<String>,
    },
    /// The report has the table only with a flag that was not given.
    #[error("this report has no table '{table}': {flag} adds it")]
    ByFlag {
        /// The table.
        table: &'static str,
        /// The flag.
        flag: &'static str,
    },
    /// The table has no such column.
    #[error("table '{table}' has no column '{input}'{} {}{}", leading(.nearest, "it has"), list(.known), elsewhere(.others))]
    Column {
        /// What was given.
        input: String,
        /// The table.
        table: String,
        /// The nearest ids.
        nearest: Vec<String>,
        /// Every id of the table.
        known: Vec<String>,
        /// The other tables that have such a column.
        others: Vec<String>,
    },
    /// There is no table whose columns could be chosen.
    #[error("this report has no table, so no columns to choose or sort by")]
    NoTable,
}

/// What leads to a list of names: `; it has`, or after a question `? It has`.
fn leading(nearest: &[String], words: &str) -> String {
    let question = did_you_mean(nearest);
    let mut letters = words.chars();
    match letters.next() {
        Some(first) if !question.is_empty() => {
            format!(
                "{question} {}{}",
                first.to_ascii_uppercase(),
                letters.as_str()
            )
        }
        _ => format!("; {words}"),
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

fn elsewhere(tables: &[String]) -> String {
    match tables {
        [] => String::new(),
        [one] => format!(" (--table {one} has it)"),
        many => format!(" (--table {} has it)", many.join(", ")),
    }
}

impl Selection {
    /// Shows only what is selected.
    ///
    /// # Errors
    /// [`ColumnError`] when the table or a column is not there; the message names those that are.
    pub fn apply(&self, mut document: Document) -> Result<Document, ColumnError> {
        if let Some(id) = &self.table {
            let only = table_named(&document, id)?;
            document.sections = vec![Section::Table(only)];
            document.in_short.clear();
        }
        if self.columns.is_empty() && self.sort.is_empty() {
            return Ok(document);
        }
        let others = columns_of_tables(&document);
        let table = document
            .sections
            .iter_mut()
            .find_map(|section| match section {
                Section::Table(table) => Some(table),
                _ => None,
            });
        let table = table.ok_or(ColumnError::NoTable)?;
        sort_rows(table, &self.sort, &others)?;
        choose_columns(table, &self.columns, &others)?;
        Ok(document)
    }
}

/// Every table's id with its column ids.
type TablesColumns = Vec<(String, Vec<String>)>;

fn columns_of_tables(document: &Document) -> TablesColumns {
    let ids = |table: &Table| table.columns.iter().map(|c| c.id.to_string()).collect();
    let tables = document.tables();
    tables.map(|table| (table.id.clone(), ids(table))).collect()
}

/// The table (or the remarks as one) with this id.
fn table_named(document: &Document, id: &str) -> Result<Table, ColumnError> {
    let tables = document.tables().chain(&document.unfilled_tables);
    let table = tables
        .into_iter()
        .find(|table| same(&table.id, id))
        .cloned();
    let notes = || {
        document
            .notes()
            .chain(&document.unfilled)
            .find(|notes| same(&notes.id, id))
            .map(Notes::to_table)
    };
    table
        .or_else(notes)
        .ok_or_else(|| unknown_table(document, id))
}

/// Why `document` has no table `id`.
fn unknown_table(document: &Document, id: &str) -> ColumnError {
    let by_flag = document.by_flag.iter();
    if let Some((table, flag)) = by_flag.copied().find(|(table, _)| same(table, id)) {
        return ColumnError::ByFlag { table, flag };
    }
    ColumnError::Table {
        input: id.to_owned(),
        nearest: nearest(id, &document.ids()),
        known: document.ids().into_iter().map(ToOwned::to_owned).collect(),
    }
}

/// Whether two names are the same to somebody who types: no regard to case, `-` or a blank as good as `_`.
pub(super) fn same(a: &str, b: &str) -> bool {
    folded(a) == folded(b)
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', ' '], "_")
}

/// The known names that `input` may have meant, the likeliest first.
fn nearest(input: &str, known: &[&str]) -> Vec<String> {
    let wanted = folded(input);
    let mut scored: Vec<(f64, &str)> = known
        .iter()
        .map(|name| (likeness(&wanted, &folded(name)), *name))
        .filter(|(score, _)| *score >= ALIKE)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored
        .into_iter()
        .take(3)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// 0 to 1: of the whole names, or else of what was typed to a word of the known name.
fn likeness(typed: &str, known: &str) -> f64 {
    if !typed.is_empty() && (known.contains(typed) || typed.contains(known)) {
        return 0.95;
    }
    let words = known.split('_');
    let word = words
        .map(|word| strsim::normalized_damerau_levenshtein(typed, word))
        .fold(0.0, f64::max);
    strsim::normalized_damerau_levenshtein(typed, known).max(word * 0.95)
}

/// The column of money that machine formats call `input`: its id and the currency (`month_usd`).
fn money_head(table: &Table, input: &str) -> Option<usize> {
    let input = folded(input);
    let (id, currency) = input.rsplit_once('_')?;
    let asked: Currency = currency.parse().ok()?;
    let index = table.columns.iter().position(|c| same(&c.id, id))?;
    let declared = table.columns.get(index)?.currency.as_ref();
    if declared.is_some_and(|declared| *declared != asked.to_string()) {
        return None;
    }
    // Rows may be still to come: only those that are there can speak against it.
    let fits = |value: &Value| match value {
        Value::Empty => true,
        Value::Money { currency, .. } => *currency == asked.to_string(),
        _ => false,
    };
    let mut values = table.rows.iter().map(|row| &row.cell(index).value);
    values.all(fits).then_some(index)
}

/// The position of the column that `input` names, by id or else by head.
fn position(table: &Table, input: &str, tables: &TablesColumns) -> Result<usize, ColumnError> {
    let find = |name: fn(&Column) -> &str| table.columns.iter().position(|c| same(name(c), input));
    find(|column| &column.id)
        .or_else(|| find(|column| &column.title))
        .or_else(|| money_head(table, input))
        .ok_or_else(|| {
            let known: Vec<&str> = table.columns.iter().map(|column| &*column.id).collect();
            let has = |(id, columns): &&(String, Vec<String>)| {
                *id != table.id && columns.iter().any(|column| same(column, input))
            };
            ColumnError::Column {
                input: input.to_owned(),
                table: table.id.clone(),
                nearest: nearest(input, &known),
                known: known.into_iter().map(ToOwned::to_owned).collect(),
                others: tables
                    .iter()
                    .filter(has)
                    .map(|(id, _)| id.clone())
                    .collect(),
            }
        })
}

/// The positions of the columns asked for, each once; every one where none is asked for.
pub(super) fn chosen(table: &Table, wanted: &[String]) -> Result<Vec<usize>, ColumnError> {
    if wanted.is_empty() {
        return Ok((0..table.columns.len()).collect());
    }
    positions(table, wanted, &TablesColumns::new())
}

fn positions(
    table: &Table,
    wanted: &[String],
    tables: &TablesColumns,
) -> Result<Vec<usize>, ColumnError> {
    let mut chosen: Vec<usize> = Vec::new();
    for name in wanted {
        let added = if same(name, ALL) {
            (0..table.columns.len()).collect()
        } else {
            vec![position(table, name, tables)?]
        };
        for index in added {
            if !chosen.contains(&index) {
                chosen.push(index);
            }
        }
    }
    Ok(chosen)
}

/// Leaves only the columns asked for, in the order asked for, each once.
fn choose_columns(
    table: &mut Table,
    wanted: &[String],
    tables: &TablesColumns,
) -> Result<(), ColumnError> {
    if wanted.is_empty() {
        return Ok(());
    }
    let chosen = positions(table, wanted, tables)?;
    for row in &mut table.rows {
        row.cells = chosen
            .iter()
            .map(|index| row.cell(*index).clone())
            .collect();
    }
    let columns = chosen.iter().filter_map(|index| table.columns.get(*index));
    table.columns = columns
        .cloned()
        .map(|column| Column {
            default: true,
            ..column
        })
        .collect();
    Ok(())
}

/// Sorts the rows; equal ones keep their order.
fn sort_rows(
    table: &mut Table,
    keys: &[SortKey],
    tables: &TablesColumns,
) -> Result<(), ColumnError> {
    let mut positions = Vec::with_capacity(keys.len());
    for key in keys {
        let index = position(table, &key.column, tables)?;
        positions.push((index, key.descending));
        // Rows in the order of a column that is not there look like rows in no order.
        if let Some(column) = table.columns.get_mut(index) {
            (column.rank, column.default) = (0, true);
        }
    }
    table.rows.sort_by(|a, b| compare_rows(a, b, &positions));
    Ok(())
}

fn compare_rows(a: &Row, b: &Row, keys: &[(usize, bool)]) -> Ordering {
    keys.iter()
        .map(|(index, descending)| {
            let (a, b) = (&a.cell(*index).value, &b.cell(*index).value);
            match (a.is_unknown(), b.is_unknown()) {
                (false, false) if *descending => compare(b, a),
                (false, false) => compare(a, b),
                (unknown_a, unknown_b) => unknown_a.cmp(&unknown_b),
            }
        })
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Known values in order: no before yes, then numbers, amounts by currency, texts.
fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Flag(a), Value::Flag(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => natural(a, b),
        (Value::Duration { seconds: a }, Value::Duration { seconds: b }) => a.total_cmp(b),
        (
            Value::Number {
                value: x,
                at_most: bound_x,
                ..
            },
            Value::Number {
                value: y,
                at_most: bound_y,
                ..
            },
        ) => x.total_cmp(y).then(bound_x.cmp(bound_y)),
        (
            Value::Money {
                amount: x,
                currency: c,
            },
            Value::Money {
                amount: y,
                currency: d,
            },
        ) => c.cmp(d).then(x.total_cmp(y)),
        _ => kind(a).cmp(&kind(b)),
    }
}

fn kind(value: &Value) -> u8 {
    match value {
        Value::Flag(_) => 0,
        Value::Number { .. } => 1,
        Value::Duration { .. } => 2,
        Value::Money { .. } => 3,
        Value::Text(_) => 4,
        Value::Empty => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Cell;

    fn document() -> Document {
        let row = |name: &str, iops: Option<f64>| {
            Row::new(vec![
                Cell::text(name),
                Cell::known(iops, 0),
                Cell::flag(true),
            ])
        };
        let volumes = Table {
            id: "volumes".into(),
            title: "Volumes".into(),
            columns: vec![
                Column::new("name", "Name"),
                Column::new("sustained_iops", "Sustained IOPS"),
                Column::new("shared", "Shared").on_request(),
            ],
            rows: vec![
                row("P30", Some(5000.0)),
                row("p4", None),
                row("P10", Some(500.0)),
            ],
        };
        let ceilings = Table {
            id: "ceilings".into(),
            columns: vec![Column::new("ratio", "Ratio")],
            ..Table::default()
        };
        let findings = Notes {
            id: "findings".into(),
            ..Notes::default()
        };
        Document {
            sections: vec![
                Section::Table(volumes),
                Section::Table(ceilings),
                Section::Notes(findings),
            ],
            ..Document::default()
        }
    }

    fn selected(
        table: Option<&str>,
        columns: &[&str],
        sort: &[&str],
    ) -> Result<Document, ColumnError> {
        let selection = Selection {
            table: table.map(ToOwned::to_owned),
            columns: columns.iter().map(|&name| name.to_owned()).collect(),
            sort: sort.iter().filter_map(|key| key.parse().ok()).collect(),
        };
        selection.apply(document())
    }

    fn names(document: &Document) -> Vec<String> {
        let rows = &document.tables().next().unwrap().rows;
        rows.iter().map(|row| row.cell(0).for_people()).collect()
    }

    #[test]
    fn nothing_selected_changes_nothing() {
        assert_eq!(selected(None, &[], &[]).unwrap(), document());
    }

    #[test]
    fn columns_come_in_the_order_asked_for_each_once() {
        let document =
            selected(None, &["Sustained-IOPS", "shared", "name", "SHARED"], &[]).unwrap();
        let table = document.tables().next().unwrap();
        let ids: Vec<_> = table.columns.iter().map(|c| &*c.id).collect();
        assert_eq!(ids, ["sustained_iops", "shared", "name"]);
        assert_eq!(table.default_columns(), [0, 1, 2]);
        assert_eq!(table.rows[0].cells[2], Cell::text("P30"));
        let all = selected(None, &["all"], &[]).unwrap();
        assert_eq!(all.tables().next().unwrap().default_columns(), [0, 1, 2]);
    }

    #[test]
    fn unknown_sorts_last_both_ways_and_names_sort_by_number() {
        let sorted = |key: &str| names(&selected(None, &[], &[key]).unwrap());
        assert_eq!(sorted("sustained_iops"), ["P10", "P30", "p4"]);
        assert_eq!(sorted("sustained_iops:desc"), ["P30", "P10", "p4"]);
        assert_eq!(sorted("name"), ["p4", "P10", "P30"]);
        assert_eq!(sorted("name:DESC"), ["P30", "P10", "p4"]);
    }

    #[test]
    fn a_column_can_be_sorted_by_and_not_shown() {
        let document = selected(None, &["name"], &["sustained_iops"]).unwrap();
        assert_eq!(names(&document), ["P10", "P30", "p4"]);
    }

    #[test]
    fn what_is_sorted_by_is_shown_at_every_width() {
        let document = selected(None, &[], &["sustained_iops"]).unwrap();
        let columns = &document.tables().next().unwrap().columns;
        let by = columns.iter().find(|column| column.id == "sustained_iops");
        assert!(by.is_some_and(|column| column.rank == 0 && column.default));
    }

    #[test]
    fn one_table_can_be_picked_findings_too() {
        let picked = selected(Some("Ceilings"), &["ratio"], &[]).unwrap();
        assert_eq!(picked.ids(), ["ceilings"]);
        let findings = selected(Some("findings"), &["severity", "fix"], &[]).unwrap();
        assert_eq!(findings.tables().next().unwrap().columns.len(), 2);
    }

    #[test]
    fn mistakes_are_answered_with_the_valid_and_the_nearest_names() {
        let message = selected(None, &["sustaned_iops"], &[])
            .unwrap_err()
            .to_string();
        assert_eq!(
            message,
            "table 'volumes' has no column 'sustaned_iops'; did you mean sustained_iops? \
             It has name, sustained_iops, shared"
        );
        let message = selected(None, &[], &["iops"]).unwrap_err().to_string();
        assert!(
            message.contains("did you mean sustained_iops?"),
            "{message}"
        );
        let message = selected(None, &["iopss"], &[]).unwrap_err().to_string();
        assert!(
            message.contains("did you mean sustained_iops?"),
            "{message}"
        );
        let message = selected(None, &["ratio"], &[]).unwrap_err().to_string();
        assert!(message.contains("--table ceilings has it"), "{message}");
        let message = selected(Some("ceiling"), &[], &[]).unwrap_err().to_string();
        assert_eq!(
            message,
            "no table 'ceiling'; did you mean ceilings? There are volumes, ceilings, findings"
        );
    }
}
