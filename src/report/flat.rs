//! Tables as flat rows: what formats of one table (CSV, NDJSON, Parquet) have in common.
//!
//! Heads are the column ids, which name the unit. Two columns are added where the data calls for them: `…_at_most`
//! behind a column of which some figure is only an upper bound, and `…_currency` behind a column of money in several
//! currencies; money in one currency gets it as the ending of the head (`month` becomes `month_usd`), unless the head
//! names it already. A column that says its currency has that ending whether any amount is known or not.

use std::borrow::Cow;

use super::clean::clean;
use super::document::{Column, Document, Row, Table, Value};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Words.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Real,
    /// Yes or no.
    Flag,
    /// Money.
    Money,
}

/// The fields of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    fields: Vec<Field>,
}

/// One field of every row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name, with its unit.
    pub head: String,
    /// What it holds: never [`Kind::Money`], whose amount is a number and whose currency stands in the head or beside.
    pub kind: Kind,
    column: usize,
    part: Part,
}

/// What of a cell a field carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Value,
    AtMost,
    Currency,
}

/// What a field holds in one row.
#[derive(Debug, Clone, PartialEq)]
pub enum Plain<'r> {
    /// Unknown or not applicable.
    Empty,
    /// Words, without control characters.
    Text(Cow<'r, str>),
    /// A number that is finite.
    Number(f64),
    /// Yes or no.
    Flag(bool),
}

impl Layout {
    /// The fields that a whole table needs, by what it holds.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let columns = 0..table.columns.len();
        Self {
            fields: columns.flat_map(|index| fields_of(table, index)).collect(),
        }
    }

    /// The fields of a table whose rows are not known yet: `chosen` are positions in `columns`, `kind` says what a
    /// column holds by its id, `currencies` are those that money may be in; where there are none, columns that say one have its
    /// head all the same. No figure in it is an upper bound.
    #[must_use]
    pub fn declared(
        columns: &[Column],
        chosen: &[usize],
        kind: impl Fn(&str) -> Kind,
        currencies: &[String],
    ) -> Self {
        let mut fields = Vec::new();
        for &index in chosen {
            let Some(column) = columns.get(index) else {
                continue;
            };
            match kind(&column.id) {
                Kind::Money => {
                    let own = column.currency.as_slice();
                    let known = if currencies.is_empty() {
                        own
                    } else {
                        currencies
                    };
                    fields.extend(money_fields(&column.id, index, known));
                }
                kind => fields.push(Field {
                    head: column.id.to_string(),
                    kind,
                    column: index,
                    part: Part::Value,
                }),
            }
        }
        Self { fields }
    }

    /// The fields, in order.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

impl Field {
    /// What it holds in `row`.
    #[must_use]
    pub fn plain<'r>(&self, row: &'r Row) -> Plain<'r> {
        let value = &row.cell(self.column).value;
        match self.part {
            Part::Value => plain(value),
            Part::AtMost => match value {
                Value::Number { at_most, .. } if !value.is_unknown() => Plain::Flag(*at_most),
                _ => Plain::Empty,
            },
            Part::Currency => {
                currency(value).map_or(Plain::Empty, |name| Plain::Text(Cow::Borrowed(name)))
            }
        }
    }
}

/// The table that a format of one table shows.
pub(super) fn primary(document: &Document) -> Option<Cow<'_, Table>> {
    let table = document.tables().next().map(Cow::Borrowed);
    table.or_else(|| {
        let notes = document.notes().next()?;
        Some(Cow::Owned(notes.to_table()))
    })
}

/// The ids of what a format of one table leaves out.
pub(super) fn left_out(document: &Document) -> Vec<String> {
    let ids = document.ids();
    ids.into_iter().skip(1).map(ToOwned::to_owned).collect()
}

fn plain(value: &Value) -> Plain<'_> {
    match value {
        Value::Text(text) => Plain::Text(clean(text)),
        Value::Flag(flag) => Plain::Flag(*flag),
        Value::Empty | Value::Number { .. } | Value::Duration { .. } | Value::Money { .. } => {
            value.as_number().map_or(Plain::Empty, Plain::Number)
        }
    }
}

/// The fields that the column at `index` needs.
fn fields_of(table: &Table, index: usize) -> Vec<Field> {
    let values = || table.rows.iter().map(|row| &row.cell(index).value);
    let column = table.columns.get(index);
    let id = column.map_or("", |column| &*column.id);
    let declared = column.and_then(|column| column.currency.clone());
    let known = values().filter_map(currency).map(str::to_owned);
    let mut currencies: Vec<String> = declared.into_iter().chain(known).collect();
    currencies.sort_unstable();
    currencies.dedup();
    let mut fields = if currencies.is_empty() {
        vec![Field {
            head: id.to_owned(),
            kind: kind_of(values()),
            column: index,
            part: Part::Value,
        }]
    } else {
        money_fields(id, index, &currencies)
    };
    if values().any(|value| matches!(value, Value::Number { at_most: true, .. })) {
        fields.push(Field {
            head: format!("{id}_at_most"),
            kind: Kind::Flag,
            column: index,
            part: Part::AtMost,
        });
    }
    fields
}

/// Numbers or flags where there is nothing else; otherwise words.
fn kind_of<'v>(values: impl Iterator<Item = &'v Value>) -> Kind {
    let mut kinds = values.filter_map(|value| match value {
        Value::Empty => None,
        Value::Number { .. } | Value::Duration { .. } | Value::Money { .. } => Some(Kind::Real),
        Value::Flag(_) => Some(Kind::Flag),
        Value::Text(_) => Some(Kind::Text),
    });
    let first = kinds.next().unwrap_or(Kind::Text);
    if kinds.all(|kind| kind == first) {
        first
    } else {
        Kind::Text
    }
}

fn money_fields(id: &str, column: usize, currencies: &[String]) -> Vec<Field> {
    let field = |head: String, kind, part| Field {
        head,
        kind,
        column,
        part,
    };
    match currencies {
        [one] => vec![field(with_currency(id, one), Kind::Real, Part::Value)],
        [] => vec![field(id.to_owned(), Kind::Real, Part::Value)],
        _ => vec![
            field(id.to_owned(), Kind::Real, Part::Value),
            field(format!("{id}_currency"), Kind::Text, Part::Currency),
        ],
    }
}

/// The head of a column of money that names its currency, once.
fn with_currency(id: &str, currency: &str) -> String {
    let currency = currency.to_ascii_lowercase();
    if id.split('_').any(|part| part == currency) {
        id.to_owned()
    } else {
        format!("{id}_{currency}")
    }
}

/// The currency of an amount that is known.
fn currency(value: &Value) -> Option<&str> {
    match value {
        Value::Money { currency, .. } if !value.is_unknown() => Some(currency),
        _ => None,
    }
}
