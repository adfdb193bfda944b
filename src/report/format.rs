//! The formats a report can take, their names and file endings.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::document::Readers;

/// A format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A table for a terminal.
    Table,
    /// The result model itself.
    Json,
    /// One table with the units in its column names.
    Csv,
    /// The same table, a JSON object a line.
    Ndjson,
    /// The same table in columns, for data lakes.
    Parquet,
    /// Tables and lists that paste into a pull request.
    Markdown,
    /// One self-contained page.
    Html,
    /// A workbook, a sheet a table.
    Xlsx,
    /// The charts.
    Svg,
    /// The charts as pixels.
    Png,
    /// Findings for code scanning.
    Sarif,
    /// Findings as tests of a CI server.
    Junit,
}

/// Why a format is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// No format has this name.
    #[error("'{input}' is not a format: write one of {}", Format::names())]
    Name {
        /// What was given.
        input: String,
    },
    /// There is a folder of that name, so no ending can tell.
    #[error("'{path}' is a folder: name a file in it")]
    Folder {
        /// The path as given.
        path: String,
    },
    /// The file's ending belongs to no format.
    #[error(
        "'{path}' does not end in a format's ending ({}): rename it or choose a format",
        Format::endings()
    )]
    Ending {
        /// The file as given.
        path: String,
    },
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 12] = [
        Self::Table,
        Self::Json,
        Self::Csv,
        Self::Ndjson,
        Self::Parquet,
        Self::Markdown,
        Self::Html,
        Self::Xlsx,
        Self::Svg,
        Self::Png,
        Self::Sarif,
        Self::Junit,
    ];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Ndjson => "ndjson",
            Self::Parquet => "parquet",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Xlsx => "xlsx",
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
        }
    }

    /// The endings of its files, without the dot, the usual one first.
    #[must_use]
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Table => &["txt"],
            Self::Json => &["json"],
            Self::Csv => &["csv"],
            Self::Ndjson => &["ndjson", "jsonl"],
            Self::Parquet => &["parquet"],
            Self::Markdown => &["md", "markdown"],
            Self::Html => &["html", "htm"],
            Self::Xlsx => &["xlsx"],
            Self::Svg => &["svg"],
            Self::Png => &["png"],
            Self::Sarif => &["sarif", "sarif.json"],
            Self::Junit => &["xml", "junit.xml"],
        }
    }

    /// Whether its bytes are no text, and so do not belong on a terminal.
    #[must_use]
    pub const fn is_binary(self) -> bool {
        matches!(self, Self::Xlsx | Self::Png | Self::Parquet)
    }

    /// Whether it is made of what was checked ([`Report::checked`](super::Report::checked)) alone.
    #[must_use]
    pub const fn is_for_pipelines(self) -> bool {
        matches!(self, Self::Sarif | Self::Junit)
    }

    /// Whose rows it shows: a workbook has them all, as it has every column.
    pub(super) const fn readers(self) -> Readers {
        match self {
            Self::Json | Self::Csv | Self::Ndjson | Self::Parquet | Self::Xlsx => Readers::Machines,
            _ => Readers::People,
        }
    }

    /// The format of a file by its ending, without regard to case.
    ///
    /// # Errors
    /// [`FormatError::Ending`] when the ending is missing or belongs to no format.
    pub fn from_path(path: &Path) -> Result<Self, FormatError> {
        let name = path.file_name().unwrap_or_default();
        let name = name.to_string_lossy().to_lowercase();
        let ending = |ending: &&'static str| {
            let stem = name.strip_suffix(ending).and_then(|s| s.strip_suffix('.'));
            stem.is_some_and(|stem| !stem.is_empty())
        };
        let longest = |format: &Self| {
            let endings = format.extensions().iter().copied().filter(ending);
            endings.map(str::len).max()
        };
        let fitting = Self::ALL.into_iter().filter(|f| longest(f).is_some());
        fitting
            .max_by_key(longest)
            .ok_or_else(|| FormatError::Ending {
                path: path.display().to_string(),
            })
    }

    fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    fn endings() -> String {
        let endings = Self::ALL.iter().flat_map(|format| format.extensions());
        endings
            .map(|ending| format!(".{ending}"))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    /// A format's name or the ending of its files, without regard to case.
    fn from_str(input: &str) -> Result<Self, FormatError> {
        let wanted = input.trim();
        let named = |format: &Self| {
            let mut names = format.extensions().iter().copied().chain([format.name()]);
            names.any(|name| name.eq_ignore_ascii_case(wanted))
        };
        Self::ALL
            .into_iter()
            .find(named)
            .ok_or_else(|| FormatError::Name {
                input: input.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_read_without_regard_to_case() {
        assert_eq!("Markdown".parse(), Ok(Format::Markdown));
        assert_eq!("md".parse(), Ok(Format::Markdown));
        assert_eq!("table".parse(), Ok(Format::Table));
        for (path, format) in [
            ("a/b.HTM", Format::Html),
            ("x.sarif", Format::Sarif),
            ("x.SARIF.json", Format::Sarif),
            ("x.y.json", Format::Json),
            ("x.junit.xml", Format::Junit),
            ("x.xml", Format::Junit),
        ] {
            assert_eq!(Format::from_path(Path::new(path)), Ok(format), "{path}");
        }
        assert!(Format::from_path(Path::new(".json")).is_err());
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
    }

    #[test]
    fn an_unknown_ending_is_answered_with_the_known_ones() {
        let error = Format::from_path(Path::new("out/plan.pdf"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("out/plan.pdf") && error.contains(".xlsx, .svg, .png"),
            "{error}"
        );
        assert!(Format::from_path(Path::new("plan")).is_err());
        let error = "yaml".parse::<Format>().unwrap_err().to_string();
        assert!(
            error.contains("'yaml'") && error.contains("table, json, csv"),
            "{error}"
        );
    }
}
