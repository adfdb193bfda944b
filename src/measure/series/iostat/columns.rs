//! What the columns of iostat mean, in text and JSON alike.
//!
//! sysstat 9 to 12 print different sets: `rsec/s` or `rkB/s` or `rMB/s` (`-k`, `-m`), `await` (one for both
//! directions, gone from `-x` since 11.7) beside or instead of `r_await` and `w_await`, `avgqu-sz` renamed to
//! `aqu-sz`, discards (`d/s`) and flushes (`f/s`) since 12. Without `-x` there are `tps`, `kB_read/s`, `kB_wrtn/s`.
//! Its kB and MB are KiB and MiB, its sectors and blocks 512 bytes. Source: iostat(1) of sysstat 12.

use crate::measure::series::model::GaugeKind;
use crate::measure::series::number::decimal;
use crate::measure::series::row::Row;
use crate::units::{KIB, MB, MIB};

/// Bytes of a sector or block as iostat counts them.
const SECTOR: f64 = 512.0;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Field {
    /// Reads per second.
    Reads,
    /// Writes per second.
    Writes,
    /// Reads and writes per second.
    Transfers,
    /// Bytes read per second, in units of so many bytes.
    ReadBytes(f64),
    /// Bytes written per second, in units of so many bytes.
    WrittenBytes(f64),
    /// Bytes read and written per second, in units of so many bytes.
    Bytes(f64),
    /// Bytes of a read, in units of so many bytes.
    ReadSize(f64),
    /// Bytes of a write, in units of so many bytes.
    WriteSize(f64),
    /// Bytes of an I/O, in units of so many bytes.
    Size(f64),
    /// Milliseconds per I/O.
    Await,
    /// Milliseconds per read.
    ReadAwait,
    /// Milliseconds per write.
    WriteAwait,
    /// I/Os outstanding.
    Queue,
    /// Percent of time in use.
    Busy,
}

impl Field {
    /// The meaning of a column head or JSON key; `None` for those that are not needed.
    pub fn of(name: &str) -> Option<Self> {
        let (kib, mib) = (KIB as f64, MIB as f64);
        Some(match name {
            "r/s" => Self::Reads,
            "w/s" => Self::Writes,
            "tps" => Self::Transfers,
            "rkB/s" | "kB_read/s" => Self::ReadBytes(kib),
            "wkB/s" | "kB_wrtn/s" => Self::WrittenBytes(kib),
            "kB/s" => Self::Bytes(kib),
            "rMB/s" | "MB_read/s" => Self::ReadBytes(mib),
            "wMB/s" | "MB_wrtn/s" => Self::WrittenBytes(mib),
            "MB/s" => Self::Bytes(mib),
            "rsec/s" | "Blk_read/s" => Self::ReadBytes(SECTOR),
            "wsec/s" | "Blk_wrtn/s" => Self::WrittenBytes(SECTOR),
            "sec/s" => Self::Bytes(SECTOR),
            "rareq-sz" => Self::ReadSize(kib),
            "wareq-sz" => Self::WriteSize(kib),
            "areq-sz" => Self::Size(kib),
            "avgrq-sz" => Self::Size(SECTOR),
            "await" => Self::Await,
            "r_await" => Self::ReadAwait,
            "w_await" => Self::WriteAwait,
            "avgqu-sz" | "aqu-sz" => Self::Queue,
            "%util" | "util" => Self::Busy,
            _ => return None,
        })
    }

    /// Puts a figure of this column into a row, in our units.
    pub fn put(self, figure: f64, row: &mut Row) {
        let mbps = |unit: f64| Some(figure * unit / MB);
        let micros = Some(figure * 1e3);
        match self {
            Self::Reads => row.read.iops = Some(figure),
            Self::Writes => row.write.iops = Some(figure),
            Self::Transfers => row.total.iops = Some(figure),
            Self::ReadBytes(unit) => row.read.mbps = mbps(unit),
            Self::WrittenBytes(unit) => row.write.mbps = mbps(unit),
            Self::Bytes(unit) => row.total.mbps = mbps(unit),
            // They make a throughput together with a rate.
            Self::ReadSize(_) | Self::WriteSize(_) | Self::Size(_) => {}
            Self::Await => row.total.latency = micros,
            Self::ReadAwait => row.read.latency = micros,
            Self::WriteAwait => row.write.latency = micros,
            Self::Queue => row.queue_depth = Some(figure),
            Self::Busy => row.gauge(GaugeKind::Busy, Some(figure)),
        }
    }

    /// The figure of a cell of text. With `--human`, one of bytes carries its own unit (`1.3M`), a share a `%`.
    pub fn figure(self, cell: &[u8]) -> Option<f64> {
        if let Some(plain) = decimal(cell) {
            return Some(plain);
        }
        let (suffix, digits) = cell.split_last()?;
        let figure = decimal(digits)?;
        match self {
            Self::ReadBytes(unit)
            | Self::WrittenBytes(unit)
            | Self::Bytes(unit)
            | Self::ReadSize(unit)
            | Self::WriteSize(unit)
            | Self::Size(unit) => Some(figure * bytes_of(*suffix)? / unit),
            _ if *suffix == b'%' => Some(figure),
            _ => Some(figure * thousands(*suffix)?),
        }
    }
}

/// The number of a cell, without the unit that `--human` prints behind it.
pub(super) fn digits_of(cell: &[u8]) -> Option<f64> {
    decimal(cell).or_else(|| decimal(cell.split_last()?.1))
}

/// Bytes in the unit that `--human` prints behind a figure.
fn bytes_of(suffix: u8) -> Option<f64> {
    let kib = KIB as f64;
    Some(match suffix {
        b's' => SECTOR,
        b'B' => 1.0,
        b'k' | b'K' => kib,
        b'M' => kib * kib,
        b'G' => kib.powi(3),
        b'T' => kib.powi(4),
        _ => return None,
    })
}

/// The factor that `--human` prints behind a count.
fn thousands(suffix: u8) -> Option<f64> {
    Some(match suffix {
        b'k' | b'K' => 1e3,
        b'M' => 1e6,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kb_of_iostat_are_kib() {
        let mut row = Row::default();
        Field::of("rkB/s").unwrap().put(1000.0, &mut row);
        Field::of("wMB/s").unwrap().put(1.0, &mut row);
        assert_eq!(row.read.mbps, Some(1.024));
        assert_eq!(row.write.mbps, Some(1.048_576));
        Field::of("rsec/s").unwrap().put(2000.0, &mut row);
        assert_eq!(row.read.mbps, Some(1.024));
    }

    #[test]
    fn human_figures_carry_their_unit() {
        let read = Field::of("kB_read/s").unwrap();
        assert_eq!(read.figure(b"1.5M"), Some(1536.0));
        assert_eq!(read.figure(b"0.0k"), Some(0.0));
        assert_eq!(Field::Busy.figure(b"98.5%"), Some(98.5));
        assert_eq!(Field::Reads.figure(b"1,2k"), Some(1200.0));
        assert_eq!(Field::Reads.figure(b"sda"), None);
    }
}
