//! What is set for every command and where it comes from, as a document.

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::{Cell, Column, Document, Report, Row, Section, Table};

/// The schema of the JSON form.
pub const SCHEMA: &str = "diskcap.settings/1";

/// Every setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingsView {
    /// The schema of this JSON and its version.
    schema: &'static str,
    /// The configuration file; `None` where there is no place for one, or none is wanted.
    pub file: Option<String>,
    /// Whether it was read; the user's own is not where it does not exist.
    pub file_read: bool,
    /// Why nobody can say whether it is there; `None` where one can.
    pub file_problem: Option<String>,
    /// The settings.
    pub settings: Vec<SettingRow>,
}

/// One setting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SettingRow {
    /// Its key in the file.
    pub key: String,
    /// The value as written; `None` where nothing is set and no single value stands for that.
    pub value: Option<String>,
    /// Where the value comes from.
    pub origin: SettingOrigin,
    /// The environment variable that sets it.
    pub variable: String,
    /// What it does.
    pub meaning: String,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum SettingOrigin {
    /// Nobody set it.
    Default,
    /// A configuration file.
    File {
        /// The file.
        path: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// The environment.
    Environment {
        /// The variable.
        variable: String,
    },
    /// The command line.
    Flag {
        /// The flag.
        flag: String,
    },
}

impl SettingOrigin {
    fn words(&self) -> String {
        match self {
            Self::Default => "default".to_owned(),
            Self::File { line, .. } => format!("file, line {line}"),
            Self::Environment { variable } => format!("environment, {variable}"),
            Self::Flag { flag } => format!("flag {flag}"),
        }
    }
}

impl SettingsView {
    /// Of these settings.
    #[must_use]
    pub const fn new(
        file: Option<String>,
        file_read: bool,
        file_problem: Option<String>,
        settings: Vec<SettingRow>,
    ) -> Self {
        Self {
            schema: SCHEMA,
            file,
            file_read,
            file_problem,
            settings,
        }
    }
}

impl Report for SettingsView {
    fn document(&self) -> Document {
        let row = |setting: &SettingRow| {
            let value = setting.value.as_ref();
            Row::new(vec![
                Cell::text(&setting.key),
                value.map_or_else(Cell::default, Cell::text),
                Cell::text(setting.origin.words()),
                Cell::text(&setting.meaning),
                Cell::text(&setting.variable),
            ])
        };
        let file = match (&self.file, self.file_read, &self.file_problem) {
            (Some(path), true, _) => format!("File: {path}"),
            (Some(path), false, Some(problem)) => {
                format!("File: {path} (cannot be looked at: {problem})")
            }
            (Some(path), false, None) => {
                format!("File: {path} (not there; `diskcap config init` writes one)")
            }
            (None, ..) => "File: none".to_owned(),
        };
        Document {
            title: "Settings".to_owned(),
            subtitle: Some(file),
            sections: vec![Section::Table(Table {
                id: "settings".to_owned(),
                title: "Flags go over the environment, the environment over the file".to_owned(),
                columns: vec![
                    Column::new("key", "Key"),
                    Column::new("value", "Value"),
                    Column::new("from", "From").essential(),
                    Column::new("meaning", "What it does").ranked(1),
                    Column::new("variable", "Environment variable").on_request(),
                ],
                rows: self.settings.iter().map(row).collect(),
            })],
            ..Document::default()
        }
    }
}
