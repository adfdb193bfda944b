//! Nanoseconds or microseconds: what the latencies of a fio log are in, which the log does not say.

use crate::measure::series::notice::{LatencyUnit, UnitRule};
use crate::measure::series::options::ReadOptions;
use crate::measure::series::row::Row;

/// Fewer I/Os outstanding than this on average mean that the unit is wrong, or that fio was told to be slow: it keeps
/// at least one going otherwise.
const LEAST_OUTSTANDING: f64 = 0.1;
/// No device answers faster than this, nanoseconds.
const FASTEST_DEVICE_NS: f64 = 20_000.0;
/// No I/O at all is faster than this, nanoseconds: not even one answered from the page cache.
const FASTEST_IO_NS: f64 = 1000.0;

/// The unit of the latencies, and what tells it.
pub(super) fn told(
    rows: impl Iterator<Item = Row>,
    options: &ReadOptions,
) -> (LatencyUnit, UnitRule) {
    if let Some(unit) = options.fio_latency {
        return (unit, UnitRule::Told);
    }
    let mut latencies = Vec::new();
    let (mut outstanding, mut intervals, mut moves) = (0.0, 0.0, false);
    for row in rows {
        intervals += 1.0;
        for rates in [row.read, row.write, row.total] {
            latencies.extend(rates.latency);
            moves |= rates.iops.is_some_and(|iops| iops > 0.0);
            if let (Some(iops), Some(ns)) = (rates.iops, rates.latency) {
                outstanding += iops * ns / 1e9;
            }
        }
    }
    let middle = latencies.len() / 2;
    if latencies.is_empty() {
        return (LatencyUnit::Nanoseconds, UnitRule::Usual);
    }
    let usual = *latencies.select_nth_unstable_by(middle, f64::total_cmp).1;
    if moves && outstanding / intervals >= LEAST_OUTSTANDING {
        return (LatencyUnit::Nanoseconds, UnitRule::Outstanding);
    }
    if moves && usual < FASTEST_DEVICE_NS {
        return (LatencyUnit::Microseconds, UnitRule::Outstanding);
    }
    if usual < FASTEST_IO_NS {
        return (LatencyUnit::Microseconds, UnitRule::Size);
    }
    (LatencyUnit::Nanoseconds, UnitRule::Usual)
}

/// Brings the latencies of a row to microseconds.
pub(super) fn scale(row: &mut Row, unit: LatencyUnit) {
    for value in [
        &mut row.read.latency,
        &mut row.write.latency,
        &mut row.total.latency,
        &mut row.latency_max,
        &mut row.latency_p99,
    ] {
        *value = value.map(|v| v / unit.per_micro());
    }
}
