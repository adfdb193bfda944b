//! What each column of a table with settings beside configurations holds.

use super::super::super::csv::columns::{Column as Setting, Heading};
use super::super::super::rate::RateUnit;
use super::super::super::test_name;
use super::super::cell::{Cell, Unit};
use super::super::head::Head;
use super::super::quantity::{Quantity, Said, apart, parts_words};
use super::Row;
use crate::units::Share;

/// Words over figures that are neither rates nor latencies.
const OF_NO_RATE: [&str; 12] = [
    "runtime",
    "duration",
    "size",
    "cpu",
    "util",
    "utilisation",
    "utilization",
    "%util",
    "nr",
    "no",
    "#",
    "repeat",
];

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Column {
    /// A column of a plain CSV that says what was done, or where.
    Setting(Setting),
    /// Words of the test's name.
    Name,
    /// The unit of the figures of its row.
    Unit,
    /// The figures of a configuration.
    Figures(Figures),
    /// Nothing that is read.
    PassedOver,
}

/// What the head of a column of figures says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figures {
    /// The configuration; empty where the columns are tests.
    pub config: String,
    /// What the head says of the test.
    pub words: String,
    pub side: Option<Share>,
    pub quantity: Option<Quantity>,
}

/// The columns of a table.
#[derive(Debug)]
pub(super) struct Columns {
    pub heads: Vec<String>,
    pub columns: Vec<Column>,
    /// The unit of the figures whose columns and rows say none, where the head over the names of tests says one.
    pub unit: Option<Said>,
    /// What is to be told of heads.
    pub notes: Vec<String>,
}

/// Heads of a column that says the unit of its row.
const OF_UNITS: [&str; 5] = ["unit", "units", "metric", "measure", "quantity"];

/// Whether a line may be heads of such a table: one is of a setting or a unit, and none is a figure.
pub(super) fn may_be(heads: &[String]) -> bool {
    let tells = |head: &String| {
        let of_a_row = Heading::read(head).is_some_and(|heading| is_of_a_row(heading.column));
        of_a_row || OF_UNITS.contains(&head.to_lowercase().as_str())
    };
    heads.iter().any(tells) && !heads.iter().any(|head| Cell::read(head, false).is_figure())
}

/// Heads in two lines as one: names over groups of quantities (`data` over `IOPS` and `ms`), or heads of settings over the
/// unit of all or of each (`Test` over `IOPS`). `None` where they are not.
pub(super) fn joined(above: &[String], below: &[String]) -> Option<Vec<String>> {
    let is_quantity = |text: &String| Said::read(text).is_some();
    let known =
        |text: &String| text.is_empty() || is_quantity(text) || Heading::read(text).is_some();
    let gap = above
        .iter()
        .zip(below)
        .any(|(name, own)| name.is_empty() && is_quantity(own));
    let units = below.iter().all(|own| own.is_empty() || is_quantity(own));
    let is_unit = || units && may_be(above) && below.iter().any(is_quantity);
    let fits = above.len() == below.len() && below.iter().all(known);
    if !(fits
        && (gap || is_unit())
        && !above.iter().any(|head| Cell::read(head, false).is_figure()))
    {
        return None;
    }
    let mut group = "";
    let pairs = above.iter().zip(below);
    Some(
        pairs
            .map(|(name, own)| {
                if !name.is_empty() {
                    group = name;
                }
                if is_quantity(own) {
                    format!("{group} {own}")
                } else if own.is_empty() {
                    name.clone()
                } else {
                    own.clone()
                }
            })
            .collect(),
    )
}

impl Columns {
    /// Reads the columns of `heads`; `None` where they are not of settings beside configurations. A unit may stand in the
    /// heading above; heads that were `joined` of two lines need no settings.
    pub fn read(heads: &[String], rows: &[Row], above: Option<&str>, joined: bool) -> Option<Self> {
        let of_column = |at: usize| -> Vec<&str> {
            let cells = rows.iter().filter_map(|(_, row)| row.get(at));
            cells
                .map(String::as_str)
                .filter(|cell| !cell.is_empty())
                .collect()
        };
        let mut read = Self {
            heads: heads.to_vec(),
            columns: Vec::new(),
            unit: None,
            notes: Vec::new(),
        };
        for (at, head) in heads.iter().enumerate() {
            let column = read.column(at, head, &of_column(at))?;
            read.columns.push(column);
        }
        read.with_tiers();
        read.without_strangers(rows);
        let unit = read.unit.is_some()
            || read.has(|column| *column == Column::Unit)
            || above.and_then(Unit::within).is_some();
        (read.is_one(joined) && (unit || read.says_units(rows))).then_some(read)
    }

    /// What a column holds; `None` where no table with configurations has such a one.
    fn column(&mut self, at: usize, head: &str, cells: &[&str]) -> Option<Column> {
        if let Some(unit) = over_names(head, cells).filter(|_| at == 0) {
            self.unit = Some(unit);
            return Some(Column::Name);
        }
        if let Some(heading) = Heading::read(head) {
            let figures =
                !cells.is_empty() && cells.iter().all(|cell| Cell::read(cell, false).is_figure());
            return match heading.column {
                Setting::Os | Setting::Host | Setting::File if figures => Some(plain(head)),
                Setting::Test => Some(Column::Name),
                column => Some(Column::Setting(column)),
            };
        }
        let of_units = OF_UNITS.contains(&head.to_lowercase().as_str());
        if of_units && cells.iter().all(|cell| Said::read(cell).is_some()) {
            return Some(Column::Unit);
        }
        if let Some((config, said)) = apart(head).filter(|(config, _)| !config.is_empty()) {
            if said.maybe_bits {
                self.notes.push(RateUnit::doubt(head));
            }
            let (config, words) = match is_of_a_name(&config) {
                true => (String::new(), config),
                false => (config, String::new()),
            };
            return Some(Column::Figures(Figures {
                config,
                words,
                side: said.side,
                quantity: Some(said.quantity),
            }));
        }
        if cells.iter().any(|cell| Cell::read(cell, false).is_figure()) {
            return self.unsaid(head);
        }
        let first = at == 0 && !self.has(|column| *column == Column::Name);
        let named = !cells.is_empty() && cells.iter().all(|cell| is_of_a_name(cell));
        Some(if first || named {
            Column::Name
        } else {
            Column::PassedOver
        })
    }

    /// A column of figures whose head says no quantity.
    fn unsaid(&self, head: &str) -> Option<Column> {
        let own = Head::read(head);
        let lower = own.config.to_lowercase();
        let words = || lower.split(|c: char| c.is_whitespace() || c == '_');
        if own.is_spread() || words().any(|word| OF_NO_RATE.contains(&word)) {
            return Some(Column::PassedOver);
        }
        // The name of a test over a column is of another kind of table, and so is a direction alone.
        (!own.config.is_empty() && !is_of_a_name(&own.config)).then(|| {
            Column::Figures(Figures {
                config: own.config,
                words: String::new(),
                side: own.share,
                quantity: own.unit.map(Quantity::Mean),
            })
        })
    }

    /// Disk tiers are called like percentiles: `P30 ms` beside `P30 IOPS` is the latency of a configuration.
    fn with_tiers(&mut self) {
        let configs: Vec<String> = self
            .figures()
            .map(|(_, figures)| figures.config.clone())
            .collect();
        for (head, column) in self.heads.iter().zip(&mut self.columns) {
            if !matches!(column, Column::Setting(setting) if setting.is_measured()) {
                continue;
            }
            let of = configs.iter().find_map(|config| {
                let rest = head.strip_prefix(config.as_str())?;
                let said = Said::read(rest.trim_matches(parts_words))?;
                Some((config.clone(), said))
            });
            if let Some((config, said)) = of {
                *column = Column::Figures(Figures {
                    config,
                    words: String::new(),
                    side: said.side,
                    quantity: Some(said.quantity),
                });
            }
        }
    }

    /// Where heads say units, a column of figures without one is of something else.
    fn without_strangers(&mut self, rows: &[Row]) {
        if !self
            .figures()
            .any(|(_, figures)| figures.quantity.is_some())
        {
            return;
        }
        for (at, column) in self.columns.iter_mut().enumerate() {
            let mut cells = rows.iter().filter_map(|(_, row)| row.get(at));
            let unsaid = matches!(column, Column::Figures(figures) if figures.quantity.is_none());
            if unsaid && !cells.all(|cell| says_unit(cell)) {
                *column = Column::PassedOver;
            }
        }
    }

    fn has(&self, is: impl Fn(&Column) -> bool) -> bool {
        self.columns.iter().any(is)
    }

    /// What a row has in the first such column.
    pub fn cell<'r>(&self, row: &'r [String], of: &Column) -> Option<&'r str> {
        let at = self.columns.iter().position(|column| column == of)?;
        row.get(at).map(String::as_str)
    }

    /// The columns of figures, with their places.
    pub fn figures(&self) -> impl Iterator<Item = (usize, &Figures)> {
        let columns = self.columns.iter().enumerate();
        columns.filter_map(|(at, column)| match column {
            Column::Figures(figures) => Some((at, figures)),
            _ => None,
        })
    }

    /// Whether there are configurations, or tests, something beside a name says what the rows are, and no figure is of no
    /// configuration.
    fn is_one(&self, joined: bool) -> bool {
        let tests = self
            .figures()
            .filter(|(_, figures)| figures.config.is_empty())
            .count();
        let mixed = tests > 0 && tests < self.figures().count();
        let stray =
            |column: &Column| matches!(column, Column::Setting(setting) if setting.is_measured());
        let tells = |column: &Column| match column {
            Column::Setting(setting) => is_of_a_row(*setting),
            Column::Unit => true,
            _ => false,
        };
        let named = |column: &Column| match column {
            Column::Name => true,
            Column::Setting(setting) => setting.is_of_a_test() || *setting == Setting::QueueDepth,
            Column::Figures(figures) => !figures.words.is_empty(),
            _ => false,
        };
        let tells = joined || self.has(tells);
        self.figures().next().is_some() && tells && self.has(named) && !self.has(stray) && !mixed
    }

    /// Whether every column says its unit that must: one of a figure (`latency`, `bw`), and one alone, which may be any
    /// figure; several are configurations.
    fn says_units(&self, rows: &[Row]) -> bool {
        let alone = self.figures().count() == 1;
        self.figures().all(|(at, figures)| {
            let head = self.heads.get(at).map(String::as_str).unwrap_or_default();
            let must = alone || Head::read(head).is_of_a_list();
            let cells = rows.iter().filter_map(|(_, row)| row.get(at));
            figures.quantity.is_some() || !must || cells.clone().all(|cell| says_unit(cell))
        })
    }

    /// The heads of the columns that are not read.
    pub fn passed_over(&self) -> Vec<&str> {
        let all = self.heads.iter().zip(&self.columns);
        all.filter(|(head, column)| **column == Column::PassedOver && !head.is_empty())
            .map(|(head, _)| head.as_str())
            .collect()
    }
}

/// The unit that a head over names of tests says (`Test (IOPS)`, `IOPS`).
fn over_names(head: &str, cells: &[&str]) -> Option<Said> {
    let (rest, said) = apart(head)?;
    let of_a_test = rest.is_empty()
        || Heading::read(&rest).is_some_and(|heading| heading.column == Setting::Test);
    let named = !cells.is_empty() && !cells.iter().any(|cell| Cell::read(cell, false).is_figure());
    (of_a_test && named).then_some(said)
}

/// Whether no figure of a cell lacks its unit.
fn says_unit(cell: &str) -> bool {
    match Cell::read(cell, false) {
        Cell::Figures(figures) => figures.iter().all(|figure| figure.unit.is_some()),
        Cell::Missing | Cell::Derived => true,
    }
}

/// A configuration whose head says no unit.
fn plain(head: &str) -> Column {
    Column::Figures(Figures {
        config: head.to_owned(),
        words: String::new(),
        side: None,
        quantity: None,
    })
}

/// Whether a setting tells rows apart, as a table without configurations has it too.
const fn is_of_a_row(setting: Setting) -> bool {
    matches!(
        setting,
        Setting::Pattern
            | Setting::Direction
            | Setting::Type
            | Setting::ReadShare(_)
            | Setting::BlockSize(_)
            | Setting::QueueDepth
            | Setting::Threads
            | Setting::Target
            | Setting::Run
    )
}

/// Whether a text consists of words of a test's name (`4K`, `QD32`, `read`).
fn is_of_a_name(text: &str) -> bool {
    test_name::parse(&format!("random {text}")).is_some()
}
