//! `sku-data/azure-latency.toml`: typical latencies at queue depth 1, by family.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::disk::{Basis, Family, LatencyBound, LatencyFigure};
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
    /// The bounds that these words name.
    pub promised: Option<LatencyBound>,
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
    promised_read_us: Option<f64>,
    promised_write_us: Option<f64>,
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
            let known = typical(section).map_err(|reason| wrong(format!("[{name}]: {reason}")))?;
            Ok((family, known))
        })
        .collect()
}

/// A latency in microseconds, as a file has it.
fn micros(us: f64) -> Result<Latency, String> {
    Latency::from_micros(us)
        .ok()
        .filter(|latency| latency.micros() > 0.0)
        .ok_or_else(|| format!("{us} is not a latency in microseconds, more than 0"))
}

/// Those of a read and a write, given as `name` has it, together or not at all.
fn both(
    (read, write): (Option<f64>, Option<f64>),
    name: &str,
) -> Result<Option<(Latency, Latency)>, String> {
    match (read, write) {
        (Some(read), Some(write)) => Ok(Some((micros(read)?, micros(write)?))),
        (None, None) => Ok(None),
        _ => Err(format!(
            "{name}read_us and {name}write_us are given together or not at all"
        )),
    }
}

fn typical(section: Section) -> Result<TypicalLatency, String> {
    let figure = both((section.read_us, section.write_us), "")?;
    let promised = both(
        (section.promised_read_us, section.promised_write_us),
        "promised_",
    )?;
    Ok(TypicalLatency {
        figure: figure.map(|(read, write)| LatencyFigure {
            read,
            write,
            basis: Basis::Typical,
        }),
        source: section.source,
        date: section.date,
        promise: section.promise,
        promised: promised.map(|(read, write)| LatencyBound { read, write }),
        promise_source: section.promise_source,
        promise_date: section.promise_date,
        remark: section.remark,
    })
}
