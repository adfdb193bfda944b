//! Reading the CSV files of `sku-data/`: typed cells, and errors that name file, line and column.

use crate::units::{GiB, Iops, MBps, UnitError};

/// Why a data file cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DataError {
    /// A cell does not hold what its column promises.
    #[error("{file}, line {line}, column '{column}': '{value}' is not {expected}")]
    Cell {
        /// The file's name.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// The column's name.
        column: &'static str,
        /// What the cell holds.
        value: String,
        /// What it should hold.
        expected: &'static str,
    },
    /// The head line is not the expected one.
    #[error("{file}, line 1: column {position} must be '{expected}', not '{found}'")]
    Header {
        /// The file's name.
        file: String,
        /// Which column, counted from 1.
        position: usize,
        /// The column that belongs there.
        expected: String,
        /// The column that stands there; empty where the line ends.
        found: String,
    },
    /// A line as a whole is wrong.
    #[error("{file}, line {line}: {reason}")]
    Line {
        /// The file's name.
        file: String,
        /// The line, counted from 1.
        line: u64,
        /// What is the matter.
        reason: String,
    },
    /// The file is not the TOML that it should be.
    #[error("{file}: {reason}")]
    Toml {
        /// The file's name.
        file: String,
        /// What the parser says, with the line.
        reason: String,
    },
}

/// One line of a CSV file, its cells addressed by the position of their column in `columns`.
pub(super) struct Row<'a> {
    file: &'a str,
    columns: &'static [&'static str],
    record: &'a csv::StringRecord,
}

/// Calls `each` with every line of `text`, whose head must name exactly `columns`.
pub(super) fn read_rows(
    file: &str,
    text: &str,
    columns: &'static [&'static str],
    mut each: impl FnMut(&Row<'_>) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut record = csv::StringRecord::with_capacity(512, columns.len());
    let mut line = |record: &mut csv::StringRecord| {
        reader
            .read_record(record)
            .map_err(|error| line_error(file, &error))
    };
    line(&mut record)?;
    check_header(file, &record, columns)?;
    while line(&mut record)? {
        each(&Row {
            file,
            columns,
            record: &record,
        })?;
    }
    Ok(())
}

fn line_error(file: &str, error: &csv::Error) -> DataError {
    let line = error.position().map_or(0, csv::Position::line);
    let reason = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} cells where the head has {expected_len}"),
        _ => error.to_string(),
    };
    DataError::Line {
        file: file.to_owned(),
        line,
        reason,
    }
}

fn check_header(
    file: &str,
    head: &csv::StringRecord,
    columns: &'static [&'static str],
) -> Result<(), DataError> {
    let longest = head.len().max(columns.len());
    for position in 0..longest {
        let found = head.get(position).unwrap_or_default();
        let expected = columns.get(position).copied().unwrap_or_default();
        if found != expected {
            return Err(DataError::Header {
                file: file.to_owned(),
                position: position + 1,
                expected: expected.to_owned(),
                found: found.to_owned(),
            });
        }
    }
    Ok(())
}

impl Row<'_> {
    /// The cell as it stands; empty where it is unknown.
    pub(super) fn text(&self, column: usize) -> &str {
        self.record.get(column).unwrap_or_default()
    }

    /// The cell as it stands, where it is known.
    pub(super) fn known(&self, column: usize) -> Option<&str> {
        Some(self.text(column)).filter(|text| !text.is_empty())
    }

    /// The cell as an owned text, where it is known.
    pub(super) fn owned(&self, column: usize) -> Option<String> {
        self.known(column).map(str::to_owned)
    }

    /// The error of a cell that does not hold `expected`.
    pub(super) fn wrong(&self, column: usize, expected: &'static str) -> DataError {
        DataError::Cell {
            file: self.file.to_owned(),
            line: self.line(),
            column: self.columns.get(column).copied().unwrap_or_default(),
            value: self.text(column).to_owned(),
            expected,
        }
    }

    /// The error of the whole line.
    pub(super) fn error(&self, reason: String) -> DataError {
        DataError::Line {
            file: self.file.to_owned(),
            line: self.line(),
            reason,
        }
    }

    fn line(&self) -> u64 {
        self.record.position().map_or(0, csv::Position::line)
    }

    fn parsed<T: std::str::FromStr>(
        &self,
        column: usize,
        expected: &'static str,
    ) -> Result<Option<T>, DataError> {
        self.known(column)
            .map(|text| text.parse().map_err(|_| self.wrong(column, expected)))
            .transpose()
    }

    /// A number divided by `unit`, wrapped in its quantity by `wrap`.
    pub(super) fn quantity<T>(
        &self,
        column: usize,
        unit: f64,
        wrap: impl FnOnce(f64) -> Result<T, UnitError>,
    ) -> Result<Option<T>, DataError> {
        let wrong = || self.wrong(column, "a number, 0 or more");
        self.known(column)
            .map(|text| {
                let number = number(text).ok_or_else(wrong)?;
                wrap(number / unit).map_err(|_| wrong())
            })
            .transpose()
    }

    /// IOPS.
    pub(super) fn iops(&self, column: usize) -> Result<Option<Iops>, DataError> {
        self.quantity(column, 1.0, Iops::new)
    }

    /// MB/s, written as such.
    pub(super) fn mbps(&self, column: usize) -> Result<Option<MBps>, DataError> {
        self.quantity(column, 1.0, MBps::new)
    }

    /// MB/s, written as bytes per second.
    pub(super) fn bytes_per_s(&self, column: usize) -> Result<Option<MBps>, DataError> {
        self.quantity(column, 1.0, MBps::from_bytes_per_s)
    }

    /// GiB, written in `per_gib`ths of it.
    pub(super) fn gib(&self, column: usize, per_gib: f64) -> Result<Option<GiB>, DataError> {
        self.quantity(column, per_gib, GiB::new)
    }

    /// A whole number.
    pub(super) fn count(&self, column: usize) -> Result<Option<u32>, DataError> {
        self.parsed(column, "a whole number, 0 or more")
    }

    /// `yes` or `no`.
    pub(super) fn flag(&self, column: usize) -> Result<Option<bool>, DataError> {
        match self.text(column) {
            "" => Ok(None),
            "yes" => Ok(Some(true)),
            "no" => Ok(Some(false)),
            _ => Err(self.wrong(column, "yes, no or empty")),
        }
    }

    /// The value of a cell that must not be empty.
    pub(super) fn needed<T>(
        &self,
        column: usize,
        value: Option<T>,
        expected: &'static str,
    ) -> Result<T, DataError> {
        value.ok_or_else(|| self.wrong(column, expected))
    }
}

/// A decimal number. Most cells are whole, and whole numbers are read much faster as such.
fn number(text: &str) -> Option<f64> {
    match text.parse::<u64>() {
        Ok(whole) => Some(whole as f64),
        Err(_) => text.parse().ok(),
    }
}
