//! Heads of columns and headings of sections: whose figures follow, which direction, which unit.

use super::super::test_name::direction_word;
use super::cell::Unit;
use super::quantity::{Quantity, Said, apart};
use crate::units::Share;

/// Words that head columns of settings and of single figures, not configurations.
const OF_COLUMNS: [&str; 19] = [
    "depth",
    "qd",
    "iodepth",
    "queue",
    "threads",
    "jobs",
    "numjobs",
    "block",
    "blocksize",
    "bs",
    "pattern",
    "rw",
    "runtime",
    "bw",
    "bandwidth",
    "throughput",
    "iops",
    "latency",
    "lat",
];

/// Words of which a head that names a setting consists.
const OF_SETTINGS: [&str; 10] = [
    "queue",
    "depth",
    "qd",
    "iodepth",
    "block",
    "size",
    "bs",
    "blocksize",
    "threads",
    "numjobs",
];

/// Heads of what is said of several runs, and is none.
const OF_SPREAD: [&str; 8] = [
    "stddev",
    "stdev",
    "std dev",
    "sd",
    "σ",
    "variance",
    "cv",
    "standard deviation",
];

/// What the head of a column says.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Head {
    /// The configuration; empty where the head is a direction or a unit alone.
    pub config: String,
    pub share: Option<Share>,
    /// Reads and writes together, whose share is not said.
    pub mixed: bool,
    pub unit: Option<Unit>,
}

/// Whether a word means reads and writes together.
fn is_mix(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "mix" | "mixed")
}

impl Head {
    /// Reads `Laptop Read (MB/s)`, `data_iops`, `IOPS data`, `Read`, `MB/s`, `A (writeback)`.
    pub fn read(text: &str) -> Self {
        match apart(text) {
            Some((name, said)) if !said.is_beside() => Self::of(&name, &said),
            _ => Self::of_words(text),
        }
    }

    /// A name, and the quantity that was said beside it.
    fn of(name: &str, said: &Said) -> Self {
        let own = Self::of_words(name);
        Self {
            share: said.side.or(own.share),
            unit: match said.quantity {
                Quantity::Mean(unit) => Some(unit),
                Quantity::Other(_) => None,
            },
            ..own
        }
    }

    /// A direction counts as the last word or before a dash (`write - A`) only: `write through` is a configuration.
    fn of_words(text: &str) -> Self {
        // A bracket parts a unit from a word without a blank too.
        let text = text.replace('(', " (").replace("  (", " (");
        let text = text.trim();
        let unit = Unit::read(text).or_else(|| Unit::within(text));
        let name = if unit.is_some() {
            without_unit(text)
        } else {
            text.to_owned()
        };
        let name = without_quantity(&name, unit);
        let (rest, last) = name.rsplit_once(char::is_whitespace).unwrap_or(("", &name));
        let mixed = is_mix(last);
        let share = share_of(last);
        let behind_dash = || {
            let (first, rest) = name.split_once(" - ")?;
            Some((share_of(first)?, rest))
        };
        let (share, config) = match behind_dash().filter(|_| share.is_none()) {
            Some((share, rest)) => (Some(share), rest),
            None if share.is_some() || mixed => (share, rest),
            None => (None, name.as_str()),
        };
        let config = config.trim();
        let config = if is_disk(config) {
            config
        } else {
            config.trim_end_matches([':', '-', ',']).trim_end()
        };
        Self {
            config: config.to_owned(),
            share,
            mixed,
            unit,
        }
    }

    /// Whether it names nothing but a setting (`qd`, `Block size`): no configuration is called so.
    pub fn is_setting(&self) -> bool {
        let lower = self.config.to_lowercase();
        let mut words = lower.split_whitespace().peekable();
        words.peek().is_some() && words.all(|word| OF_SETTINGS.contains(&word))
    }

    /// Whether its figures tell how far others are spread, or stand beside them (`p99 ms`).
    pub fn is_spread(&self) -> bool {
        let beside = || apart(&self.config).is_some_and(|(_, said)| said.is_beside());
        OF_SPREAD.contains(&self.config.trim_matches('.').to_lowercase().as_str()) || beside()
    }

    /// Whether it heads a column of settings (`Queue Depth`) or of a figure whose unit is not said.
    pub fn is_of_a_list(&self) -> bool {
        let lower = self.config.to_lowercase();
        lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| OF_COLUMNS.contains(&word))
    }
}

/// `text` without the word for what its unit says already.
pub(super) fn without_quantity(text: &str, unit: Option<Unit>) -> String {
    let words: &[&str] = match unit {
        Some(Unit::Micros(_)) => &["latency", "lat"],
        Some(Unit::Bytes(_)) => &["bandwidth", "bw", "throughput"],
        _ => &[],
    };
    let said = |word: &&str| !words.contains(&word.to_lowercase().as_str());
    if words.is_empty() {
        return text.to_owned();
    }
    text.split_whitespace()
        .filter(said)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a name is a disk's, not a configuration's: a drive letter with its colon, a device.
pub(super) fn is_disk(name: &str) -> bool {
    let mut chars = name.chars();
    let letter = chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    (letter && chars.as_str().trim_end_matches('\\') == ":")
        || name.starts_with("/dev/")
        || name.starts_with("\\\\.\\")
}

/// A heading of a section: a direction alone, with or without a unit (`[Read]`, `Write (IOPS):`, `## Lesen`,
/// `[Mix] Read 70%/Write 30%`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Section {
    pub share: Option<Share>,
    pub unit: Option<Unit>,
}

impl Section {
    pub fn read(text: &str) -> Option<Self> {
        let unit = Unit::within(text);
        let name = if unit.is_some() {
            without_unit(text)
        } else {
            text.to_owned()
        };
        let bare = name.trim_matches(|c: char| !c.is_alphanumeric());
        if let Some(share) = share_of(bare) {
            return Some(Self {
                share: Some(share),
                unit,
            });
        }
        let mix = bare.to_lowercase();
        let mix = mix.strip_prefix("mix")?;
        Some(Self {
            share: first_percentage(mix),
            unit,
        })
    }
}

/// The share of reads that a word for a direction means.
fn share_of(word: &str) -> Option<Share> {
    let word = word
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    direction_word(&word)
}

/// `text` without a unit in brackets or as a word.
pub(super) fn without_unit(text: &str) -> String {
    let is_unit = |word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        Unit::read(bare).is_some()
    };
    text.split_whitespace()
        .filter(|word| !is_unit(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// The first number of a text, as a share in percent.
fn first_percentage(text: &str) -> Option<Share> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let digits = text.get(start..)?;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let percent: f64 = digits.get(..end)?.parse().ok()?;
    Share::new(percent / 100.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(config: &str, share: Option<Share>, unit: Option<Unit>) -> Head {
        Head {
            config: config.into(),
            share,
            mixed: false,
            unit,
        }
    }

    #[test]
    fn heads_of_columns() {
        let mb = Some(Unit::Bytes(1e6));
        let cases = [
            ("A", head("A", None, None)),
            ("A (writeback)", head("A (writeback)", None, None)),
            ("write through", head("write through", None, None)),
            ("Read", head("", Some(Share::ALL), None)),
            ("Escrita (MB/s)", head("", Some(Share::NONE), mb)),
            ("Laptop Read", head("Laptop", Some(Share::ALL), None)),
            (
                "Old disk: Write MB/s",
                head("Old disk", Some(Share::NONE), mb),
            ),
            ("MB/s", head("", None, mb)),
            ("C:", head("C:", None, None)),
            ("D: Read", head("D:", Some(Share::ALL), None)),
            ("us", head("", None, Some(Unit::Micros(1.0)))),
        ];
        for (text, expected) in cases {
            assert_eq!(Head::read(text), expected, "{text}");
        }
    }

    #[test]
    fn disks_are_told_from_configurations() {
        for disk in ["C:", "d:", "E:\\", "/dev/sda", "\\\\.\\PhysicalDrive1"] {
            assert!(is_disk(disk), "{disk}");
        }
        for other in ["C", "", "none", "A:B", "writeback:"] {
            assert!(!is_disk(other), "{other}");
        }
    }

    #[test]
    fn headings_of_sections() {
        let section = |share, unit| Some(Section { share, unit });
        assert_eq!(Section::read("[Read]"), section(Some(Share::ALL), None));
        assert_eq!(
            Section::read("## Schreiben:"),
            section(Some(Share::NONE), None)
        );
        assert_eq!(
            Section::read("Write (IOPS)"),
            section(Some(Share::NONE), Some(Unit::Iops(1.0)))
        );
        assert_eq!(
            Section::read("[Mix] Read 70%/Write 30%"),
            section(Some(Share::new(0.7).unwrap()), None)
        );
        assert_eq!(Section::read("Reading list"), None);
        assert_eq!(Section::read("Results"), None);
    }
}
