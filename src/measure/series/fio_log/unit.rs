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
pub(super) fn told(rows: &[Row], options: &ReadOptions) -> (LatencyUnit, UnitRule) {
    if let Some(unit) = options.fio_latency {
        return (unit, UnitRule::Told);
    }
    let lanes = || rows.iter().flat_map(|row| [row.read, row.write, row.total]);
    let mut values: Vec<f64> = lanes().filter_map(|rates| rates.latency).collect();
    let middle = values.len() / 2;
    if values.is_empty() {
        return (LatencyUnit::Nanoseconds, UnitRule::Usual);
    }
    let usual = *values.select_nth_unstable_by(middle, f64::total_cmp).1;
    let outstanding: f64 = lanes()
        .filter_map(|rates| Some(rates.iops? * rates.latency? / 1e9))
        .sum::<f64>()
        / rows.len() as f64;
    if lanes().any(|rates| rates.iops.is_some_and(|iops| iops > 0.0)) {
        if outstanding >= LEAST_OUTSTANDING {
            return (LatencyUnit::Nanoseconds, UnitRule::Outstanding);
        }
        if usual < FASTEST_DEVICE_NS {
            return (LatencyUnit::Microseconds, UnitRule::Outstanding);
        }
    }
    if usual < FASTEST_IO_NS {
        return (LatencyUnit::Microseconds, UnitRule::Size);
    }
    (LatencyUnit::Nanoseconds, UnitRule::Usual)
}

/// Brings the latencies to microseconds.
pub(super) fn scale(rows: &mut [Row], unit: LatencyUnit) {
    let per_micro = unit.per_micro();
    let scale = |value: &mut Option<f64>| *value = value.map(|v| v / per_micro);
    for row in rows {
        scale(&mut row.read.latency);
        scale(&mut row.write.latency);
        scale(&mut row.total.latency);
        scale(&mut row.latency_max);
        scale(&mut row.latency_p99);
    }
}
