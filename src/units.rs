//! Quantities with their units in the type: they parse, print and check themselves.
//!
//! Throughput is [`MBps`], 10^6 bytes per second, everywhere in this crate. Clouds and tools that speak MiB/s go
//! through [`MiBps`] and convert at the border; the two never compare. Block sizes ([`BlockSize`]) and capacities
//! ([`GiB`]) are powers of two, as storage people mean them.
//!
//! ```
//! use diskcap::units::{BlockSize, Iops, Latency, MBps};
//!
//! let iops: Iops = "3.2k".parse()?;
//! let block: BlockSize = "4KiB".parse()?;
//! assert_eq!(iops.throughput(block), MBps::new(13.1072)?);
//! assert_eq!("0.65ms".parse::<Latency>()?.queue_depth_1_ceiling().get().round(), 1538.0);
//! # Ok::<(), diskcap::units::UnitError>(())
//! ```

mod bits;
mod block;
mod counts;
mod text;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use block::BlockSize;
pub use counts::{QueueDepth, Share};
pub(crate) use text::and;
use text::parse_scaled;
pub use text::{grouped, without_noise};

/// Bytes in a KiB.
pub const KIB: u64 = 1024;
/// Bytes in a MiB.
pub const MIB: u64 = 1024 * KIB;
/// Bytes in a GiB.
pub const GIB: u64 = 1024 * MIB;
/// Bytes in a decimal megabyte, the unit of [`MBps`].
pub const MB: f64 = 1e6;

/// Why a text or a number is not the quantity that was wanted.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum UnitError {
    /// The text has not the form of the quantity.
    #[error("'{input}' is not {what}: write {form}")]
    Form {
        /// What was given, as it was written.
        input: String,
        /// The quantity that was wanted, with its article.
        what: &'static str,
        /// The accepted form, with an example.
        form: &'static str,
    },
    /// A block size without a unit that is less than a sector in bytes: KiB are meant.
    #[error("'{number}' is {number} bytes: write {number}KiB, or {number}B if that is meant")]
    NoUnit {
        /// The number.
        number: u64,
    },
    /// A throughput in bits a second, as networks have it.
    #[error("'{input}' is in bits: write {meant}MB/s if bits are meant, {as_bytes} if bytes are")]
    Bits {
        /// What was given, as it was written.
        input: String,
        /// The same in MB/s.
        meant: String,
        /// The same number of bytes.
        as_bytes: String,
    },
    /// A comma before the decimals.
    #[error("'{input}' is not {what}: a comma stands before three digits; did you mean {meant}?")]
    DecimalComma {
        /// What was given, as it was written.
        input: String,
        /// The quantity that was wanted, with its article.
        what: &'static str,
        /// The same with a point.
        meant: String,
    },
    /// A share above 1 that is one in percent.
    #[error(
        "'{number}' is not a share: it must be from 0 to 1 (or 0% to 100%); did you mean {number}%?"
    )]
    Percent {
        /// What was given, as it was written.
        number: String,
    },
    /// The number is outside what the quantity can be.
    #[error("'{input}' is not {what}: it must be {range}")]
    Range {
        /// What was given, as it was written.
        input: String,
        /// The quantity that was wanted, with its article.
        what: &'static str,
        /// The accepted range.
        range: &'static str,
    },
}

/// How a capacity in a decimal unit is read, where `text` is one: clouds print GB and TB for GiB and TiB.
#[must_use]
pub fn decimal_unit_note(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    let number = lower
        .strip_suffix("gb")
        .or_else(|| lower.strip_suffix("tb"))?;
    let gib: GiB = text.parse().ok()?;
    let unit = if lower.ends_with("tb") { "TiB" } else { "GiB" };
    let number = number.trim();
    let (typed, gib) = (text.trim(), grouped(gib.get(), 2));
    Some(match unit {
        "TiB" => format!("{typed} is read as {number} TiB ({gib} GiB), as clouds print it"),
        _ => format!("{typed} is read as {number} GiB, as clouds print it"),
    })
}

/// Defines a non-negative finite quantity over `f64`.
macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0.0);

            /// Wraps a number that is already in this unit.
            ///
            /// # Errors
            /// [`UnitError::Range`] when it is negative, infinite or not a number.
            pub fn new(value: f64) -> Result<Self, UnitError> {
                if value.is_finite() && value >= 0.0 {
                    Ok(Self(value + 0.0))
                } else {
                    Err(UnitError::Range {
                        input: value.to_string(),
                        what: $what,
                        range: "a finite number, 0 or more",
                    })
                }
            }

            /// A whole number of this unit, for constants.
            #[must_use]
            pub const fn whole(value: u32) -> Self {
                Self(value as f64)
            }

            /// The plain number in this unit.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }

            /// The smaller of two.
            #[must_use]
            pub fn min(self, other: Self) -> Self {
                Self(self.0.min(other.0))
            }

            /// The larger of two.
            #[must_use]
            pub fn max(self, other: Self) -> Self {
                Self(self.0.max(other.0))
            }
        }

        // Finite, and zero has one form: equality is total, and equal numbers have equal bits.
        impl Eq for $name {}

        impl std::hash::Hash for $name {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.to_bits().hash(state);
            }
        }

        impl TryFrom<f64> for $name {
            type Error = UnitError;
            fn try_from(value: f64) -> Result<Self, UnitError> {
                Self::new(value)
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> f64 {
                value.0
            }
        }
    };
}

mod seconds;

pub use seconds::Seconds;

quantity! {
    /// I/O operations per second.
    Iops, "an IOPS figure"
}
quantity! {
    /// Throughput in MB/s: 10^6 bytes per second.
    MBps, "a throughput in MB/s"
}
quantity! {
    /// Throughput in MiB/s: 2^20 bytes per second. Only for the border with clouds and tools that speak it.
    MiBps, "a throughput in MiB/s"
}
quantity! {
    /// A capacity in GiB: 2^30 bytes.
    GiB, "a capacity in GiB"
}
quantity! {
    /// The time one I/O takes, kept in microseconds.
    Latency, "a latency"
}

impl Iops {
    /// The throughput of this many I/Os of `block` bytes each.
    #[must_use]
    pub fn throughput(self, block: BlockSize) -> MBps {
        MBps(self.0 * block.bytes_f64() / MB)
    }
}

impl MBps {
    /// From an exact number of bytes per second, as cloud APIs report it.
    ///
    /// # Errors
    /// [`UnitError::Range`] when it is negative, infinite or not a number.
    pub fn from_bytes_per_s(bytes: f64) -> Result<Self, UnitError> {
        Self::new(bytes / MB)
    }

    /// Bytes per second.
    #[must_use]
    pub fn bytes_per_s(self) -> f64 {
        self.0 * MB
    }

    /// The I/Os per second that this throughput holds at `block` bytes each.
    #[must_use]
    pub fn iops_at(self, block: BlockSize) -> Iops {
        Iops(self.0 * MB / block.bytes_f64())
    }
}

impl From<MiBps> for MBps {
    fn from(value: MiBps) -> Self {
        Self(value.0 * MIB as f64 / MB)
    }
}

impl From<MBps> for MiBps {
    fn from(value: MBps) -> Self {
        Self(value.0 * MB / MIB as f64)
    }
}

impl GiB {
    /// From MiB, the unit of local disk sizes in cloud APIs.
    ///
    /// # Errors
    /// [`UnitError::Range`] when it is negative, infinite or not a number.
    pub fn from_mib(mib: f64) -> Result<Self, UnitError> {
        Self::new(mib / 1024.0)
    }

    /// Bytes of this capacity.
    #[must_use]
    pub fn bytes(self) -> f64 {
        self.0 * GIB as f64
    }
}

impl Latency {
    /// From microseconds.
    ///
    /// # Errors
    /// [`UnitError::Range`] when it is negative, infinite or not a number.
    pub fn from_micros(us: f64) -> Result<Self, UnitError> {
        Self::new(us)
    }

    /// From milliseconds.
    ///
    /// # Errors
    /// [`UnitError::Range`] when it is negative, infinite or not a number.
    pub fn from_millis(ms: f64) -> Result<Self, UnitError> {
        Self::new(ms * 1e3)
    }

    /// In microseconds.
    #[must_use]
    pub const fn micros(self) -> f64 {
        self.0
    }

    /// In milliseconds.
    #[must_use]
    pub fn millis(self) -> f64 {
        self.0 / 1e3
    }

    /// In seconds.
    #[must_use]
    pub fn seconds(self) -> f64 {
        self.0 / 1e6
    }

    /// The most I/Os a second that one outstanding I/O can make: 1 / latency (Little's law at queue depth 1).
    /// A latency of 0 gives [`f64::MAX`], never infinity.
    #[must_use]
    pub fn queue_depth_1_ceiling(self) -> Iops {
        self.ceiling(1.0)
    }

    /// The most I/Os a second that `outstanding` I/Os can make: outstanding / latency (Little's law).
    #[must_use]
    pub fn ceiling(self, outstanding: f64) -> Iops {
        Iops((outstanding / self.seconds()).min(f64::MAX))
    }

    /// The latency that `outstanding` I/Os at `rate` imply: outstanding / IOPS (Little's law).
    /// `None` at a rate of 0, where nothing finishes.
    #[must_use]
    pub fn implied(outstanding: f64, rate: Iops) -> Option<Self> {
        (rate.0 > 0.0)
            .then(|| Self::new(outstanding / rate.0 * 1e6).ok())
            .flatten()
    }

    /// The outstanding I/Os that keep `rate` flowing at this latency: IOPS x latency (Little's law).
    #[must_use]
    pub fn outstanding(self, rate: Iops) -> f64 {
        rate.0 * self.seconds()
    }
}

impl fmt::Display for Iops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&grouped(self.0, if self.0 < 10.0 { 1 } else { 0 }))
    }
}

impl fmt::Display for MBps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&grouped(self.0, if self.0 < 10.0 { 2 } else { 1 }))
    }
}

impl fmt::Display for MiBps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&grouped(self.0, if self.0 < 10.0 { 2 } else { 1 }))
    }
}

impl fmt::Display for GiB {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} GiB", grouped(self.0, 2)))
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.0 > 0.0 && self.0 < 0.1 {
            format!("{} ns", grouped(self.0 * 1e3, 0))
        } else if self.0 < 1e3 {
            format!("{} us", grouped(self.0, if self.0 < 10.0 { 1 } else { 0 }))
        } else if self.0 < 1e6 {
            format!("{} ms", grouped(self.millis(), 2))
        } else {
            format!("{} s", grouped(self.seconds(), 2))
        };
        f.pad(&text)
    }
}

impl FromStr for Iops {
    type Err = UnitError;

    /// `5000`, `5,000`, `5k`, `5000 IOPS`.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let suffixes = [
            ("", 1.0),
            ("iops", 1.0),
            ("k", 1e3),
            ("k iops", 1e3),
            ("kiops", 1e3),
            ("m", 1e6),
        ];
        Self::new(parse_scaled(
            input,
            "an IOPS figure",
            "a number such as 5000 or 5k",
            &suffixes,
        )?)
    }
}

impl FromStr for MBps {
    type Err = UnitError;

    /// `125`, `125MB/s`, `1.2GB/s`; `119.2MiB/s` is converted. Bits (`1Gbps`, `800Mbit/s`) are refused: who gives them
    /// may mean bytes.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        if let Some(bits) = bits::in_bits(input) {
            return Err(bits);
        }
        let mib = MIB as f64 / MB;
        let suffixes = [
            ("", 1.0),
            ("mb/s", 1.0),
            ("mbps", 1.0),
            ("gb/s", 1e3),
            ("gbps", 1e3),
            ("kb/s", 1e-3),
            ("mib/s", mib),
            ("gib/s", 1024.0 * mib),
        ];
        Self::new(parse_scaled(
            input,
            "a throughput",
            "MB/s such as 125, 125MB/s or 1.2GB/s (MiB/s is converted)",
            &suffixes,
        )?)
    }
}

impl FromStr for GiB {
    type Err = UnitError;

    /// `512`, `512GiB`, `1TiB`. Clouds print `GB` and `TB` for GiB and TiB, so these mean the same.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let suffixes = [
            ("", 1.0),
            ("g", 1.0),
            ("gb", 1.0),
            ("gib", 1.0),
            ("t", 1024.0),
            ("tb", 1024.0),
            ("tib", 1024.0),
            ("mib", 1.0 / 1024.0),
            ("mb", 1.0 / 1024.0),
        ];
        Self::new(parse_scaled(
            input,
            "a capacity",
            "GiB such as 512, 512GiB or 1TiB",
            &suffixes,
        )?)
    }
}

impl FromStr for Latency {
    type Err = UnitError;

    /// `650us`, `0.65ms`, `1s`. The unit is needed: a bare number would be a guess.
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let suffixes = [
            ("ns", 1e-3),
            ("us", 1.0),
            ("µs", 1.0),
            ("μs", 1.0),
            ("ms", 1e3),
            ("s", 1e6),
        ];
        let what = "a latency";
        let form = "a time with its unit, such as 650us or 0.65ms";
        let us = parse_scaled(input, what, form, &suffixes)?;
        if us == 0.0 {
            return Err(UnitError::Range {
                input: input.to_owned(),
                what,
                range: "more than 0",
            });
        }
        Self::new(us)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_128_is_131_megabytes() {
        let cap = MBps::from_bytes_per_s(131_072_000.0).unwrap();
        assert_eq!(cap.get(), 131.072);
        assert_eq!(cap.to_string(), "131.1");
    }

    #[test]
    fn mebibytes_are_converted_not_renamed() {
        let converted: MBps = "100MiB/s".parse().unwrap();
        assert!((converted.get() - 104.8576).abs() < 1e-9);
        assert!((MiBps::from(converted).get() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn forms_that_are_read() {
        assert_eq!("5,000".parse::<Iops>().unwrap(), Iops::whole(5000));
        assert_eq!("5k".parse::<Iops>().unwrap(), Iops::whole(5000));
        assert_eq!("1.2 GB/s".parse::<MBps>().unwrap(), MBps::whole(1200));
        assert_eq!("1TiB".parse::<GiB>().unwrap(), GiB::whole(1024));
        assert_eq!("8KB".parse::<BlockSize>().unwrap(), BlockSize::KIB_8);
        assert_eq!("8000".parse::<BlockSize>().unwrap().bytes(), 8000);
        assert_eq!("0.65ms".parse::<Latency>().unwrap().micros(), 650.0);
        assert_eq!("70%".parse::<Share>().unwrap().get(), 0.7);
    }

    #[test]
    fn forms_that_are_refused_say_what_is_right() {
        let error = "1,5TB".parse::<GiB>().unwrap_err();
        assert!(error.to_string().contains("did you mean 1.5TB?"));
        assert_eq!("1,536GB".parse(), Ok(GiB::whole(1536)));
        let note = decimal_unit_note("1.5TB");
        let said = "1.5TB is read as 1.5 TiB (1,536 GiB), as clouds print it";
        assert_eq!(note.as_deref(), Some(said));
        assert_eq!(decimal_unit_note("1.5TiB"), None);
        for text in [
            "", "x", "5,00", "1.2.3", "1,2.3,4", "nan", "inf", "1e5", "5 kk", "٣",
        ] {
            assert!(text.parse::<Iops>().is_err(), "{text:?} was read");
        }
        assert!(
            "-5".parse::<Iops>()
                .unwrap_err()
                .to_string()
                .contains("0 or more")
        );
        assert!("0".parse::<BlockSize>().is_err());
        assert!("2GiB".parse::<BlockSize>().is_err());
        assert!(
            "5".parse::<Latency>()
                .unwrap_err()
                .to_string()
                .contains("650us")
        );
        assert!("0ms".parse::<Latency>().is_err());
        assert!("0".parse::<QueueDepth>().is_err());
        assert!("120%".parse::<Share>().is_err());
        assert_eq!("0.7".parse::<Share>(), "70%".parse());
    }

    #[test]
    fn an_io_of_more_than_the_accounting_unit_counts_several_times() {
        let unit = BlockSize::kib(256);
        assert_eq!(BlockSize::KIB_4.units_of(unit), 1);
        assert_eq!(unit.units_of(unit), 1);
        assert_eq!(
            BlockSize::from_bytes(256 * KIB + 1).unwrap().units_of(unit),
            2
        );
        assert_eq!(BlockSize::MIB_1.units_of(unit), 4);
    }

    #[test]
    fn numbers_are_grouped_for_people() {
        assert_eq!(grouped(1_234_567.891, 2), "1,234,567.89");
        assert_eq!(grouped(999.96, 1), "1,000");
        assert_eq!(grouped(-1234.5, 0), "-1,234");
        assert_eq!(grouped(-0.2, 0), "0");
    }

    #[test]
    fn little_s_law_of_a_millisecond() {
        let ms = Latency::from_millis(1.0).unwrap();
        assert_eq!(ms.queue_depth_1_ceiling(), Iops::whole(1000));
        assert_eq!(ms.outstanding(Iops::whole(5000)), 5.0);
        assert_eq!(Latency::implied(32.0, Iops::whole(32000)), Some(ms));
        assert_eq!(Latency::implied(32.0, Iops::ZERO), None);
        assert!(Latency::ZERO.queue_depth_1_ceiling().get().is_finite());
    }
}
