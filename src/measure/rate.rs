//! Units of throughput as people write them in heads and cells.

use crate::units::{KIB, MB, MIB};

/// A unit of throughput.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RateUnit {
    /// Bytes per second of one.
    pub bytes: f64,
    /// Whether it may have been meant as bits: a capital prefix and a small `b` (`Mb/s`, `Mbps`), taken as bytes.
    pub maybe_bits: bool,
}

impl RateUnit {
    /// Reads `MB/s`, `MiBps`, `kb/sec`, `Mo/s` (octets), `Mbit/s`, `mb_per_s`, `mb_s`, `bytes per second`; without "per second"
    /// (`MiB`) only where `bare` says that a rate is meant anyway.
    pub(crate) fn read(text: &str, bare: bool) -> Option<Self> {
        let text = text.trim();
        let lower = text.to_lowercase();
        let size = lower
            .strip_suffix("_s")
            .filter(|size| !size.ends_with("per"));
        let slashed = size.map(|size| format!("{size}/s"));
        let plain = slashed.unwrap_or(lower).replace(['_', ' '], "");
        let ends = [
            "/seconds",
            "/second",
            "/sec",
            "/s",
            "persecond",
            "persec",
            "pers",
            "ps",
        ];
        let size = ends
            .iter()
            .find_map(|end| plain.strip_suffix(end))
            .or_else(|| bare.then_some(plain.as_str()))?;
        let (prefix, rest) = match size.chars().next()? {
            letter @ ('k' | 'm' | 'g' | 't') => (Some(letter), size.get(1..)?),
            _ => (None, size),
        };
        let binary = rest
            .strip_prefix('i')
            .filter(|_| prefix.is_some() && rest != "i");
        let whole = binary.unwrap_or(rest);
        let per_unit = match whole {
            "byte" | "bytes" | "octet" | "octets" => 1.0,
            "b" | "o" if prefix.is_some() || plain.contains('/') || plain.ends_with("pers") => 1.0,
            "bit" | "bits" => 1.0 / 8.0,
            _ => return None,
        };
        let factor = match (prefix, binary.is_some()) {
            (None, _) => 1.0,
            (Some('k'), false) => 1e3,
            (Some('k'), true) => KIB as f64,
            (Some('m'), false) => MB,
            (Some('m'), true) => MIB as f64,
            (Some('g'), false) => 1e3 * MB,
            (Some('g'), true) => (KIB * MIB) as f64,
            (Some(_), false) => 1e6 * MB,
            (Some(_), true) => (MIB * MIB) as f64,
        };
        let mut letters = text.chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        Some(Self {
            bytes: factor * per_unit,
            maybe_bits: whole == "b" && capital && letters.next() == Some('b'),
        })
    }

    /// What to tell of a unit that may have been meant as bits; `head` is where it stands.
    pub(crate) fn doubt(head: &str) -> String {
        format!("'{head}' was taken as bytes per second: write Mbit/s if it counts bits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_many_spellings() {
        for (text, bytes) in [
            ("MB/s", 1e6),
            ("MBps", 1e6),
            ("mb_per_s", 1e6),
            ("mb_s", 1e6),
            ("MiB/sec", 1_048_576.0),
            ("KB/s", 1e3),
            ("kib per second", 1024.0),
            ("Mo/s", 1e6),
            ("Mbit/s", 125_000.0),
            ("Gbit/s", 125e6),
            ("GiBps", 1_073_741_824.0),
            ("bytes_per_s", 1.0),
            ("B/s", 1.0),
        ] {
            let unit = RateUnit::read(text, false).unwrap();
            assert_eq!((unit.bytes, unit.maybe_bits), (bytes, false), "{text}");
        }
        for text in ["Mb/s", "Mbps", "Gb/s"] {
            assert!(RateUnit::read(text, false).unwrap().maybe_bits, "{text}");
        }
        assert_eq!(RateUnit::read("KiB", true).unwrap().bytes, 1024.0);
        for text in [
            "KiB", "s", "ms", "ps", "io/s", "iops", "m/s", "", "pers", "lat_s", "_s",
        ] {
            assert_eq!(RateUnit::read(text, false), None, "{text}");
        }
    }
}
