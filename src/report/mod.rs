//! Results as terminal table, Markdown, CSV, JSON, HTML, XLSX or SVG: one file a format behind one trait.

pub mod document;

pub use document::{
    Cell, Chart, ChartKind, Column, Document, Note, Notes, Row, Section, Table, Tone, Value,
};
