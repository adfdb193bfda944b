//! Block sizes.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::text::{grouped, parse_scaled};
use super::{GIB, KIB, MIB, UnitError};

/// The size of one I/O in bytes, from 1 byte to 1 GiB.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "u64", into = "u64")]
pub struct BlockSize(u64);

impl BlockSize {
    const WHAT: &'static str = "a block size";
    const RANGE: &'static str = "from 1 byte to 1 GiB";
    /// A number without a unit below this is hardly meant in bytes: disks are addressed in sectors of 512 bytes.
    pub(crate) const SECTOR: u64 = 512;

    /// 4 KiB, the block size that IOPS figures are quoted at.
    pub const KIB_4: Self = Self(4 * KIB);
    /// 8 KiB, the page of SQL Server, Oracle and PostgreSQL.
    pub const KIB_8: Self = Self(8 * KIB);
    /// 64 KiB, an extent of SQL Server.
    pub const KIB_64: Self = Self(64 * KIB);
    /// 1 MiB, the block size that throughput is measured at.
    pub const MIB_1: Self = Self(MIB);

    /// From bytes.
    ///
    /// # Errors
    /// [`UnitError::Range`] when it is 0 or more than 1 GiB.
    pub fn from_bytes(bytes: u64) -> Result<Self, UnitError> {
        if (1..=GIB).contains(&bytes) {
            Ok(Self(bytes))
        } else {
            Err(UnitError::Range {
                input: bytes.to_string(),
                what: Self::WHAT,
                range: Self::RANGE,
            })
        }
    }

    /// From whole KiB, for constants; 0 counts as 1 KiB.
    #[must_use]
    pub const fn kib(kib: u32) -> Self {
        let kib = if kib == 0 { 1 } else { kib };
        let kib = if kib > 1 << 20 { 1 << 20 } else { kib };
        Self(kib as u64 * KIB)
    }

    /// In bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// In bytes, as a float for rates.
    #[must_use]
    pub const fn bytes_f64(self) -> f64 {
        self.0 as f64
    }

    /// How many accounting units of size `unit` one I/O of this size counts as: the quotient, rounded up.
    #[must_use]
    pub const fn units_of(self, unit: Self) -> u64 {
        self.0.div_ceil(unit.0)
    }
}

impl TryFrom<u64> for BlockSize {
    type Error = UnitError;
    fn try_from(bytes: u64) -> Result<Self, UnitError> {
        Self::from_bytes(bytes)
    }
}

impl From<BlockSize> for u64 {
    fn from(value: BlockSize) -> u64 {
        value.0
    }
}

impl fmt::Display for BlockSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.0 {
            b if b.is_multiple_of(MIB) => format!("{} MiB", b / MIB),
            b if b.is_multiple_of(KIB) => format!("{} KiB", b / KIB),
            b => format!("{} B", grouped(b as f64, 0)),
        };
        f.pad(&text)
    }
}

impl FromStr for BlockSize {
    type Err = UnitError;

    /// `8KiB`, `8k`, `8KB` (all 8,192 bytes, as DBAs mean it), `1MiB`, `1M`, `8000B` or `8000` (bytes).
    fn from_str(input: &str) -> Result<Self, UnitError> {
        let (kib, mib) = (KIB as f64, MIB as f64);
        let suffixes = [
            ("", 1.0),
            ("b", 1.0),
            ("bytes", 1.0),
            ("k", kib),
            ("kb", kib),
            ("kib", kib),
            ("m", mib),
            ("mb", mib),
            ("mib", mib),
        ];
        let form = "a size such as 8KiB, 64k, 1MiB or 8000B";
        let number = input.trim().parse::<u64>().ok();
        if let Some(number) = number.filter(|number| (1..Self::SECTOR).contains(number)) {
            return Err(UnitError::NoUnit { number });
        }
        let bytes = parse_scaled(input, Self::WHAT, form, &suffixes)?;
        let range = || UnitError::Range {
            input: input.to_owned(),
            what: Self::WHAT,
            range: Self::RANGE,
        };
        if bytes.fract() != 0.0 || !(1.0..=GIB as f64).contains(&bytes) {
            return Err(range());
        }
        Self::from_bytes(bytes as u64).map_err(|_| range())
    }
}
