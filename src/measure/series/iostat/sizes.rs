//! Throughput from I/Os a second and their size, where that says more than a rounded MB/s: `0.02` may be 0.015 or 0.025,
//! while 4.00 r/s of 4.00 KiB are 0.0164.

use super::columns::Field;
use crate::measure::series::row::Row;
use crate::units::MB;

/// A figure as it is printed.
#[derive(Debug, Clone, Copy)]
struct Printed {
    value: f64,
    /// How far rounding may have moved it, as a share of it.
    error: f64,
}

/// The figures of one line that a throughput follows from.
#[derive(Debug, Default)]
pub(super) struct Sizes {
    /// Reads, writes, both.
    rates: [Option<Printed>; 3],
    bytes: [Option<Printed>; 3],
    sizes: [Option<Printed>; 3],
}

/// Decimals that iostat prints where a cell does not show them (JSON).
pub(super) const DECIMALS: usize = 2;

/// Decimals of a cell of text.
pub(super) fn decimals_of(cell: &[u8]) -> usize {
    let point = cell.iter().rposition(|byte| matches!(byte, b'.' | b','));
    point.map_or(0, |at| {
        let behind = cell.get(at + 1..).unwrap_or_default();
        behind
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    })
}

impl Sizes {
    /// Takes a figure of a column, printed with so many `decimals` as `digits`.
    pub fn take(&mut self, field: Field, figure: f64, digits: f64, decimals: usize) {
        let half = 0.5 * 0.1_f64.powi(decimals as i32);
        let error = if digits > 0.0 {
            half / digits
        } else {
            f64::INFINITY
        };
        let printed = |value| Some(Printed { value, error });
        match field {
            Field::Reads => self.rates[0] = printed(figure),
            Field::Writes => self.rates[1] = printed(figure),
            Field::Transfers => self.rates[2] = printed(figure),
            Field::ReadBytes(unit) => self.bytes[0] = printed(figure * unit),
            Field::WrittenBytes(unit) => self.bytes[1] = printed(figure * unit),
            Field::Bytes(unit) => self.bytes[2] = printed(figure * unit),
            Field::ReadSize(unit) => self.sizes[0] = printed(figure * unit),
            Field::WriteSize(unit) => self.sizes[1] = printed(figure * unit),
            Field::Size(unit) => self.sizes[2] = printed(figure * unit),
            _ => {}
        }
    }

    /// Puts what follows from sizes in place of what is rounded more.
    pub fn refine(&self, row: &mut Row) {
        let [reads, writes, both] = self.rates;
        let [read, written, all] = self.bytes;
        let [read_size, write_size, size] = self.sizes;
        row.read.mbps = finer(read, reads, read_size).or(row.read.mbps);
        row.write.mbps = finer(written, writes, write_size).or(row.write.mbps);
        // One size for both directions: it is that of each where the other does nothing.
        let none = |rate: Option<Printed>| rate.is_some_and(|rate| rate.value == 0.0);
        if none(writes) {
            row.read.mbps = finer(read, reads, size).or(row.read.mbps);
        }
        if none(reads) {
            row.write.mbps = finer(written, writes, size).or(row.write.mbps);
        }
        let rate = both.or_else(|| sum(reads, writes));
        let told = all.or_else(|| sum(read, written));
        row.total.mbps = finer(told, rate, size).or(row.total.mbps);
    }
}

/// How many times less rounded the other figures must be before they count: else what iostat says itself stays.
const CLEARLY: f64 = 2.0;

/// MB/s by rate and size, where these are rounded less than the `told` throughput.
fn finer(told: Option<Printed>, rate: Option<Printed>, size: Option<Printed>) -> Option<f64> {
    let (rate, size) = (rate?, size?);
    let error = told.map_or(f64::INFINITY, |told| told.error);
    (CLEARLY * (rate.error + size.error) < error).then_some(rate.value * size.value / MB)
}

/// Both together; the errors weighted by what they are of.
fn sum(a: Option<Printed>, b: Option<Printed>) -> Option<Printed> {
    let (a, b) = (a?, b?);
    let value = a.value + b.value;
    let off = |one: Printed| match one.value > 0.0 {
        true => one.value * one.error,
        false => 0.0,
    };
    let error = match value > 0.0 {
        true => (off(a) + off(b)) / value,
        false => f64::INFINITY,
    };
    Some(Printed { value, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MB/s of reads, writes and both by the columns of a line.
    fn mbps(columns: &[(&str, &str)]) -> [Option<f64>; 3] {
        let (mut row, mut sizes) = (Row::default(), Sizes::default());
        for (name, cell) in columns {
            let field = Field::of(name).unwrap();
            let figure = field.figure(cell.as_bytes()).unwrap();
            field.put(figure, &mut row);
            sizes.take(field, figure, figure, decimals_of(cell.as_bytes()));
        }
        sizes.refine(&mut row);
        [row.read.mbps, row.write.mbps, row.total.mbps].map(|rate| {
            let rate = rate?;
            Some((rate * 1e4).round() / 1e4)
        })
    }

    #[test]
    fn sizes_say_more_than_few_digits() {
        // 4 x 4 KiB = 16,384 bytes; 0.02 MiB would be 20,972.
        let read = [("r/s", "4.00"), ("rMB/s", "0.02"), ("rareq-sz", "4.00")];
        assert_eq!(mbps(&read)[0], Some(0.0164));
        // 0.00 says nothing at all: 0.25 x 8 KiB.
        let write = [("w/s", "0.25"), ("wMB/s", "0.00"), ("wareq-sz", "8.00")];
        assert_eq!(mbps(&write)[1], Some(0.002));
    }

    #[test]
    fn throughput_with_more_digits_stays() {
        let read = [
            ("r/s", "4.00"),
            ("rkB/s", "1600.00"),
            ("rareq-sz", "401.00"),
        ];
        assert_eq!(mbps(&read)[0], Some(1.6384));
    }

    #[test]
    fn one_size_is_of_both_directions_together() {
        // 8 sectors of 512 bytes: 6 x 4,096 bytes.
        let mixed = [
            ("r/s", "2.00"),
            ("w/s", "4.00"),
            ("rMB/s", "0.01"),
            ("wMB/s", "0.02"),
            ("avgrq-sz", "8.00"),
        ];
        let [read, written, both] = mbps(&mixed);
        assert_eq!(both, Some(0.0246));
        // Nothing tells the directions apart but their own columns.
        assert_eq!((read, written), (Some(0.0105), Some(0.021)));
        let alone = [
            ("r/s", "2.00"),
            ("w/s", "0.00"),
            ("rMB/s", "0.01"),
            ("avgrq-sz", "8.00"),
        ];
        assert_eq!(mbps(&alone)[0], Some(0.0082));
    }
}
