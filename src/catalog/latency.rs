//! `sku-data/azure-latency.toml`: typical latencies at queue depth 1, by family.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::disk::{Basis, Family, LatencyFigure};
use super::table::DataError;
use crate::units::Latency;

/// The file's name.
pub const FILE: &str = "azure-latency.toml";

/// What is known of the latency of a family at queue depth 1 (4 KiB).
#[derive(Debug, Clone, PartialEq)]
pub struct TypicalLatency {
    /// The usual figure; `None` where nothing trustworthy is published.
    pub figure: Option<LatencyFigure>,
    /// Who measured the figure, and on what.
    pub source: Option<String>,
    /// When it was measured, `YYYY-MM`.
    pub date: Option<String>,
    /// What the provider says of the family, in words.
    pub promise: Option<String>,
    /// Where the provider says so.
    pub promise_source: Option<String>,
    /// The date of that document.
    pub promise_date: Option<String>,
    /// What else is worth knowing.
    pub remark: Option<String>,
}

/// The figures of all families that any are known of.
pub(super) type Latencies = Vec<(Family, TypicalLatency)>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    read_us: Option<f64>,
    write_us: Option<f64>,
    source: Option<String>,
    date: Option<String>,
    promise: Option<String>,
    promise_source: Option<String>,
    promise_date: Option<String>,
    remark: Option<String>,
}

/// Reads the file.
pub(super) fn read(file: &str, text: &str) -> Result<Latencies, DataError> {
    let wrong = |reason: String| DataError::Toml {
        file: file.to_owned(),
        reason,
    };
    let sections: BTreeMap<String, Section> =
        toml::from_str(text).map_err(|error| wrong(error.to_string().trim_end().to_owned()))?;
    sections
        .into_iter()
        .map(|(name, section)| {
            let family = Family::from_id(&name)
                .ok_or_else(|| wrong(format!("'{name}' is not a family of disks")))?;
            let figure = figure(&section).map_err(|reason| wrong(format!("[{name}]: {reason}")))?;
            Ok((family, typical(section, figure)))
        })
        .collect()
}

fn figure(section: &Section) -> Result<Option<LatencyFigure>, String> {
    let micros = |us: f64| {
        Latency::from_micros(us)
            .ok()
            .filter(|latency| latency.micros() > 0.0)
            .ok_or_else(|| format!("{us} is not a latency in microseconds, more than 0"))
    };
    match (section.read_us, section.write_us) {
        (Some(read), Some(write)) => Ok(Some(LatencyFigure {
            read: micros(read)?,
            write: micros(write)?,
            basis: Basis::Typical,
        })),
        (None, None) => Ok(None),
        _ => Err("read_us and write_us are given together or not at all".to_owned()),
    }
}

fn typical(section: Section, figure: Option<LatencyFigure>) -> TypicalLatency {
    TypicalLatency {
        figure,
        source: section.source,
        date: section.date,
        promise: section.promise,
        promise_source: section.promise_source,
        promise_date: section.promise_date,
        remark: section.remark,
    }
}
