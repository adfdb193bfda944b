//! What one I/O at a time takes on a family of disks.

use serde::Serialize;

use crate::catalog::{Basis, Catalog, Family};
use crate::report::views::outcome::basis as basis_word;
use crate::units::Latency;

/// What one I/O of 4 KiB takes with nothing else outstanding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct QueueDepth1<'a> {
    /// A read.
    pub read_us: Latency,
    /// A write.
    pub write_us: Latency,
    /// How sure that is.
    pub basis: Basis,
    /// Who measured it, and on what.
    pub source: Option<&'a str>,
    /// When, `YYYY-MM`.
    pub date: Option<&'a str>,
}

impl<'a> QueueDepth1<'a> {
    /// That of `family`, where `catalog` has it.
    pub(super) fn of(catalog: &'a Catalog, family: Family) -> Option<Self> {
        let typical = catalog.latency(family)?;
        let figure = typical.figure?;
        Some(Self {
            read_us: figure.read,
            write_us: figure.write,
            basis: figure.basis,
            source: typical.source.as_deref(),
            date: typical.date.as_deref(),
        })
    }
}

/// What the provider promises of one I/O at a time, where no figure is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LatencyPromise<'a> {
    /// In its words.
    pub promise: &'a str,
    /// The most that these name, of a read.
    pub read_us: Option<Latency>,
    /// The same of a write.
    pub write_us: Option<Latency>,
    /// The document.
    pub source: Option<&'a str>,
    /// Its date.
    pub date: Option<&'a str>,
}

impl<'a> LatencyPromise<'a> {
    /// That of `family`, where `catalog` has one and no figure.
    pub(super) fn of(catalog: &'a Catalog, family: Family) -> Option<Self> {
        let known = catalog.latency(family).filter(|of| of.figure.is_none())?;
        Some(Self {
            promise: known.promise.as_deref()?,
            read_us: known.promised.map(|bound| bound.read),
            write_us: known.promised.map(|bound| bound.write),
            source: known.promise_source.as_deref(),
            date: known.promise_date.as_deref(),
        })
    }
}

/// The promise in a sentence, and where it is from.
pub(super) fn promise_note(promise: &LatencyPromise<'_>) -> String {
    let from: Vec<&str> = [promise.source, promise.date]
        .into_iter()
        .flatten()
        .collect();
    let from = match from.is_empty() {
        true => String::new(),
        false => format!(" ({})", from.join(", ")),
    };
    format!(
        "How long one I/O at a time takes is not known; promised: {}{from}.",
        promise.promise
    )
}

/// The latency in a sentence, and where it is from.
pub(super) fn latency_notes(one: &QueueDepth1<'_>) -> Option<String> {
    let word = basis_word(one.basis);
    let said: Vec<&str> = [one.source, one.date].into_iter().flatten().collect();
    let from = match said.is_empty() {
        true => String::new(),
        false => format!(": {}", said.join(", ")),
    };
    Some(format!(
        "One 4 KiB I/O at a time takes {} to read and {} to write ({word}{from}).",
        one.read_us, one.write_us
    ))
}
