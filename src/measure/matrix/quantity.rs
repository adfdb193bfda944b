//! What a figure is of, as a head or a cell says it: `IOPS`, `read MB/s`, `lat ms`, `p99 (ms)`.

use super::super::csv::columns::{Column, Heading, Statistic};
use super::cell::Unit;
use super::head::is_disk;
use crate::units::Share;

/// What a figure is of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Quantity {
    /// A rate or a mean latency, in this unit.
    Mean(Unit),
    /// Another column of a plain CSV (`p99 ms`), or one whose cells say their unit (`latency`), by its head.
    Other(String),
}

/// A quantity, and the share of reads that it is of where its words tell it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub quantity: Quantity,
    pub side: Option<Share>,
    /// Whether its unit may have been meant as bits.
    pub maybe_bits: bool,
}

impl Said {
    /// Whether it stands beside a rate or a mean: percentiles, extremes, counts.
    pub fn is_beside(&self) -> bool {
        match &self.quantity {
            Quantity::Mean(_) => false,
            Quantity::Other(head) => {
                Heading::read(head).is_some_and(|heading| !heading.column.is_figure())
            }
        }
    }

    /// Reads words that say a quantity and nothing else.
    pub fn read(text: &str) -> Option<Self> {
        let Some(heading) = Heading::read(text) else {
            return Some(Self {
                quantity: Quantity::Mean(Unit::read(text).filter(|unit| !is_loose(text, unit))?),
                side: None,
                maybe_bits: false,
            });
        };
        let other = || Some(Quantity::Other(text.to_owned()));
        let quantity = match heading.column {
            Column::Iops => Some(Quantity::Mean(Unit::Iops(1.0))),
            Column::ThousandIops => Some(Quantity::Mean(Unit::Iops(1e3))),
            Column::Throughput(bytes) => Some(Quantity::Mean(Unit::Bytes(bytes))),
            Column::Latency(Statistic::Mean, Some(micros)) => {
                Some(Quantity::Mean(Unit::Micros(micros)))
            }
            Column::Latency(..) | Column::IoCount => other(),
            _ => None,
        };
        Some(Self {
            quantity: quantity?,
            side: heading.side,
            maybe_bits: heading.maybe_bits,
        })
    }
}

/// Whether a unit of time is a word or a name as well (`s`, `m`, `h`).
fn is_loose(text: &str, unit: &Unit) -> bool {
    matches!(unit, Unit::Micros(_)) && text.trim().chars().count() < 2
}

/// What parts the words of a head.
pub(super) fn parts_words(c: char) -> bool {
    c.is_whitespace() || "_-()[]:,/".contains(c)
}

/// A head in two: the words that name no quantity, and the quantity behind them or, where there is none, before them
/// (`data (IOPS)`, `data_read_mb_s`, `IOPS data`). `None` where no words at its ends say one.
pub(super) fn apart(head: &str) -> Option<(String, Said)> {
    let head = head.trim();
    let begins = |at: &usize| {
        let before = head
            .get(..*at)
            .and_then(|before| before.chars().next_back());
        let own = head.get(*at..).and_then(|rest| rest.chars().next());
        before.is_none_or(parts_words) && own.is_some_and(|c| !parts_words(c))
    };
    let places = head.char_indices().map(|(at, _)| at);
    let starts: Vec<usize> = places.filter(begins).collect();
    let said = |text: &str| Said::read(text.trim_matches(parts_words));
    let behind = starts.iter().find_map(|&at| {
        let words = head.get(at..).filter(|words| !begins_with_letter(words))?;
        Some((name(head.get(..at)?), said(words)?))
    });
    let before = || {
        let mut ends = starts.iter().rev();
        ends.find_map(|&at| Some((name(head.get(at..)?), said(head.get(..at)?)?)))
    };
    behind.or_else(before)
}

/// Whether words begin with `R` or `W`, which are drives rather than directions.
fn begins_with_letter(words: &str) -> bool {
    let first = words.split(parts_words).next();
    matches!(first, Some("R" | "W"))
}

/// What is left of a head, without what parted it from its quantity; a drive keeps its colon.
fn name(text: &str) -> String {
    let ends = |c: char| c != ':' && parts_words(c);
    let begins = |c: char| c != '/' && ends(c);
    let text = text.trim_end_matches(ends).trim_start_matches(begins);
    let plain = if is_disk(text) {
        text
    } else {
        text.trim_end_matches(parts_words)
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_and_quantities_of_heads() {
        let iops = Quantity::Mean(Unit::Iops(1.0));
        let mb = Quantity::Mean(Unit::Bytes(1e6));
        let ms = Quantity::Mean(Unit::Micros(1e3));
        let other = |text: &str| Quantity::Other(text.to_owned());
        for (head, name, quantity, side) in [
            ("data (IOPS)", "data", iops.clone(), None),
            ("data IOPS", "data", iops.clone(), None),
            ("disk_a_iops", "disk_a", iops.clone(), None),
            ("IOPS data", "data", iops.clone(), None),
            ("IOPS (Disk A)", "Disk A", iops.clone(), None),
            ("data_read_mb_s", "data", mb.clone(), Some(Share::ALL)),
            ("log write MB/s", "log", mb.clone(), Some(Share::NONE)),
            ("data (lat ms)", "data", ms.clone(), None),
            ("data ms", "data", ms, None),
            ("data p99 (ms)", "data", other("p99 (ms"), None),
            ("IOPS", "", iops, None),
            ("Laptop: MB/s", "Laptop", mb.clone(), None),
            ("D: (MB/s)", "D:", mb.clone(), None),
            ("R: (MB/s)", "R:", mb.clone(), None),
            ("/dev/sdc MB/s", "/dev/sdc", mb, None),
        ] {
            let (own, said) = apart(head).unwrap_or_else(|| panic!("{head}"));
            assert_eq!(own, name, "{head}");
            assert_eq!((said.quantity, said.side), (quantity, side), "{head}");
        }
        for head in ["data", "Disk s", "write back", "A (writeback)", ""] {
            assert_eq!(apart(head), None, "{head}");
        }
    }
}
