//! Throughput that is written in bits a second.

use super::text::{grouped, parse_scaled};
use super::{MB, MIB, UnitError};

/// Bits in a byte.
const BITS: f64 = 8.0;

/// The refusal of a throughput in bits a second, with what it is in bytes; `None` for all else. A small b behind a
/// capital letter is a bit (`Mbps`); all in small letters (`mbps`) nobody minded the case.
pub(super) fn in_bits(input: &str) -> Option<UnitError> {
    let text = input.trim();
    let (number, unit) = text.split_at(text.find(char::is_alphabetic)?);
    let (prefix, rest) = prefix(unit)?;
    let is_bit = rest.starts_with('b') && prefix.starts_with(|c: char| c.is_ascii_uppercase());
    let lower = rest.to_lowercase();
    if !is_bit && !lower.starts_with("bit") {
        return None;
    }
    let (unit, scale) = match (prefix.len(), prefix.to_lowercase().chars().next()?) {
        (1, 'k') => ("KB/s", 1e3 / MB),
        (1, 'm') => ("MB/s", 1.0),
        (1, _) => ("GB/s", 1e9 / MB),
        (_, 'k') => ("KiB/s", 1024.0 / MB),
        (_, 'm') => ("MiB/s", MIB as f64 / MB),
        (..) => ("GiB/s", 1024.0 * MIB as f64 / MB),
    };
    let suffixes = [("", scale / BITS)];
    let mbps = parse_scaled(number, "a throughput", "a number", &suffixes).ok()?;
    Some(UnitError::Bits {
        input: input.to_owned(),
        meant: grouped(mbps, 3).replace(',', ""),
        as_bytes: format!("{}{unit}", number.trim()),
    })
}

/// The prefix of a unit (`M`, `Mi`) and what follows, where that is a rate in bits or bytes.
fn prefix(unit: &str) -> Option<(&str, &str)> {
    let first = unit.chars().next()?;
    if !"kKmMgG".contains(first) {
        return None;
    }
    let length = if unit[1..].starts_with(['i', 'I']) {
        2
    } else {
        1
    };
    let (prefix, rest) = unit.split_at(length);
    let ends = ["b/s", "bps", "bit/s", "bits/s", "bitps", "bit", "bits"];
    ends.contains(&rest.to_lowercase().as_str())
        .then_some((prefix, rest))
}

#[cfg(test)]
mod tests {
    use crate::units::MBps;

    #[test]
    fn bits_are_refused_with_what_they_are_in_bytes() {
        // 200 / 8 = 25; 2 Gbit = 2,000 / 8; 800 x 1,048,576 / 8 / 10^6 = 104.8576
        for (bits, said) in [
            ("200Mbps", "25MB/s if bits are meant, 200MB/s"),
            ("800Mb/s", "100MB/s if bits are meant, 800MB/s"),
            ("2Gbps", "250MB/s if bits are meant, 2GB/s"),
            ("1,000 Mbit/s", "125MB/s if bits are meant, 1,000MB/s"),
            ("10gbit/s", "1250MB/s if bits are meant, 10GB/s"),
            ("800Mib/s", "104.858MB/s if bits are meant, 800MiB/s"),
        ] {
            let error = bits.parse::<MBps>().unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            assert!(
                error.starts_with(&format!("'{bits}' is in bits")),
                "{error}"
            );
        }
    }

    #[test]
    fn bytes_are_read_in_any_case_that_is_no_bit() {
        for bytes in [
            "200MBps", "200MB/s", "200mbps", "200mb/s", "0.2GB/s", "200MBPS", "200",
        ] {
            assert_eq!(bytes.parse(), Ok(MBps::whole(200)), "{bytes}");
        }
        // Neither is a rate of bytes nor of bits.
        assert!(
            "200Mb"
                .parse::<MBps>()
                .unwrap_err()
                .to_string()
                .contains("write MB/s")
        );
    }
}
