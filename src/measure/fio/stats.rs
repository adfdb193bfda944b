//! The shape of a job in fio's JSON, and its way into the model.
//!
//! fio repeats keys (unused percentiles are all `"0.00"`), leaves keys out and renames them between versions, and older
//! versions print `nan`; so every field is optional, of repeated ones the last counts, and what is not a number is
//! absent.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::bins::Bins;
use super::lenient::{Key, Num, Word, lenient};
use super::options::{Direction, Options};
use super::quantity::Time;
use super::report::{Between, Job, mean_block};
use crate::measure::model::{Bin, Flushes, Histogram, LatencyStats, Percentile, Test};
use crate::units::{Iops, KIB, MBps};

lenient! {
    /// An entry of `jobs` or `client_stats`.
    JobEntry {
        name: Word = "jobname",
        group: Num = "groupid",
        error: Num = "error",
        host: Word = "hostname",
        options: Options = "job options",
        read: Figures = "read",
        write: Figures = "write",
        trim: Figures = "trim",
        sync: Syncs = "sync",
        mixed: Figures = "mixed",
        depths: Depths = "iodepth_level",
        latency_depth: Num = "latency_depth",
    }
}

lenient! {
    /// The figures of one direction.
    Figures {
        io_bytes: Num = "io_bytes",
        io_kbytes: Num = "io_kbytes",
        bw_bytes: Num = "bw_bytes",
        bw: Num = "bw",
        iops: Num = "iops",
        runtime: Num = "runtime",
        total_ios: Num = "total_ios",
        short_ios: Num = "short_ios",
        lat_ns: Lat = "lat_ns",
        clat_ns: Lat = "clat_ns",
        lat: Lat = "lat",
        clat: Lat = "clat",
    }
}

lenient! {
    /// The flushes of a job (`fsync`, `fdatasync`, `sync_file_range`).
    Syncs {
        total_ios: Num = "total_ios",
        lat_ns: Lat = "lat_ns",
    }
}

lenient! {
    /// One kind of latency.
    Lat {
        samples: Num = "N",        min: Num = "min",
        max: Num = "max",
        mean: Num = "mean",
        percentiles: Percentiles = "percentile",
        bins: Num = "bins",
    }
}

lenient! {
    /// How often fio found how many I/Os outstanding, in percent.
    Depths {
        one: Num = "1",
    }
}

/// The least share of I/Os issued alone that is printed for all.
const ALL_ALONE: f64 = 99.995;

impl JobEntry {
    /// The job and its results; takes the histograms that it refers to. The version of fio tells some units.
    pub fn into_results(
        self,
        histograms: &mut [Bins],
        version: Option<&str>,
    ) -> (Job, Vec<(Direction, Test)>) {
        let mut results = Vec::with_capacity(1);
        let major: Option<u32> =
            version.and_then(|version| version.split('.').next()?.parse().ok());
        let exact = major.is_some_and(|major| major >= 3);
        let flushes = self.sync.flushes(&self.read);
        for (direction, figures) in [
            (Direction::Read, self.read),
            (Direction::Write, self.write),
            (Direction::Trim, self.trim),
            (Direction::Mixed, self.mixed),
        ] {
            results.extend(
                figures
                    .into_test(histograms, exact)
                    .map(|test| (direction, test)),
            );
        }
        let job = Job {
            name: self.name.0.unwrap_or_default(),
            group: self.group.0.map(|group| group as i64),
            host: self.host.0.map(Into::into),
            options: self.options,
            error: self.error.0.unwrap_or(0.0) as i64,
            flushes,
            latency_depth: self
                .latency_depth
                .0
                .map(|depth| depth as u32)
                .filter(|&depth| depth > 0),
            one_at_a_time: self
                .depths
                .one
                .0
                .is_some_and(|percent| percent >= ALL_ALONE),
        };
        (job, results)
    }
}

impl Syncs {
    /// The flushes. Engines that wait for each I/O leave their number out of `total_ios` and count them among the short
    /// reads instead, of which a job that does not read has none; later versions of 3.x say how many were timed.
    fn flushes(&self, reads: &Figures) -> Option<Flushes> {
        let latency = self.lat_ns.stats(Time::Nanos)?;
        let short = || {
            reads
                .short_ios
                .positive()
                .filter(|_| reads.total_ios.positive().is_none())
        };
        let timed = self.lat_ns.samples.positive();
        let count = timed.or(self.total_ios.positive()).or_else(short);
        Some(Flushes {
            count: count.map(|count| count as u64),
            latency: LatencyStats {
                percentiles: self.lat_ns.percentiles.scaled(Time::Nanos),
                ..latency
            },
        })
    }
}

impl Figures {
    /// The result of this direction, from a version that counts `exact` bytes or one that may not; `None` where it had no I/O, or nothing that was measured of it.
    fn into_test(self, histograms: &mut [Bins], exact: bool) -> Option<Test> {
        let count = self.total_ios.positive();
        let bytes = self.bytes(exact);
        let rates = [&self.iops, &self.bw, &self.bw_bytes];
        let rated = rates.iter().any(|rate| rate.positive().is_some());
        if count.is_none() && bytes.is_none() && !rated {
            return None;
        }
        let seconds = self.runtime.positive().map(|ms| ms / 1e3);
        let iops = exact_rate(self.iops.positive(), count, seconds);
        let ios = match (count, iops, seconds) {
            (Some(count), _, _) => Some(Between::exactly(count)),
            (None, Some(iops), Some(seconds)) => Some(cut_off(iops, seconds)),
            _ => None,
        };
        let mbps = self.mbps(bytes, seconds);
        let (latency, histogram) = self.latency(histograms);
        let mut test = Test {
            iops: iops.and_then(|iops| Iops::new(iops).ok()),
            mbps,
            latency,
            histogram,
            io_count: count.map(|count| count as u64),
            seconds,
            ..Test::default()
        };
        test.kind.block_size = bytes
            .zip(ios)
            .and_then(|(bytes, ios)| mean_block(bytes, ios));
        let measured = test.iops.is_some() || test.mbps.is_some() || test.latency.is_some();
        measured.then_some(test)
    }

    /// All bytes. fio 2.x means KiB by `io_bytes`, cut off; 3.x has the exact bytes, and `io_kbytes` beside.
    fn bytes(&self, exact: bool) -> Option<Between> {
        let given = self.io_bytes.positive()?;
        let new = self.io_kbytes.0.is_some() || self.bw_bytes.0.is_some();
        if exact || new || self.counts_single_bytes(given) {
            return Some(Between::exactly(given));
        }
        let kib = KIB as f64;
        Some(Between {
            low: given * kib,
            high: (given + 1.0) * kib,
        })
    }

    /// Whether `io_bytes` fits `bw` (KiB/s) and the run time only if it counts bytes; the two differ 1,024-fold.
    fn counts_single_bytes(&self, given: f64) -> bool {
        let kib = self.bw.positive().zip(self.runtime.positive());
        kib.is_some_and(|(bw, ms)| given > 32.0 * bw * ms / 1e3)
    }

    /// The exact bytes per second where given, else `bw` in KiB/s, else from bytes and run time.
    fn mbps(&self, bytes: Option<Between>, seconds: Option<f64>) -> Option<MBps> {
        let given = self
            .bw_bytes
            .positive()
            .or_else(|| Some(self.bw.positive()? * KIB as f64));
        let rate = given.or_else(|| Some(bytes?.low / seconds?))?;
        MBps::from_bytes_per_s(rate).ok()
    }

    /// The latency and its histogram, of `lat` where it was measured, else of `clat`.
    fn latency(self, histograms: &mut [Bins]) -> (Option<LatencyStats>, Option<Histogram>) {
        let kinds = [
            (self.lat_ns, Time::Nanos),
            (self.lat, Time::Micros),
            (self.clat_ns, Time::Nanos),
            (self.clat, Time::Micros),
        ];
        let stats = kinds.iter().find_map(|(lat, unit)| lat.stats(*unit));
        let mut percentiles = kinds
            .iter()
            .map(|(lat, unit)| lat.percentiles.scaled(*unit));
        let percentiles = percentiles
            .find(|list| !list.is_empty())
            .unwrap_or_default();
        let histogram = kinds
            .iter()
            .find_map(|(lat, unit)| lat.histogram(*unit, histograms));
        let stats = stats.map(|stats| LatencyStats {
            percentiles,
            ..stats
        });
        (stats, histogram)
    }
}

/// How far a rate of three printed digits may be from the exact one.
const THREE_DIGITS: f64 = 0.006;

/// I/Os a second: the exact quotient where the given figure is a whole number that was cut or rounded from it.
pub(super) fn exact_rate(
    given: Option<f64>,
    count: Option<f64>,
    seconds: Option<f64>,
) -> Option<f64> {
    let exact = count.zip(seconds).map(|(count, seconds)| count / seconds);
    match (given, exact) {
        (Some(given), Some(exact)) => {
            let rounding = (THREE_DIGITS * given).max(1.0);
            let same = given.fract() == 0.0 && (exact - given).abs() <= rounding;
            Some(if same { exact } else { given })
        }
        (given, exact) => given.or(exact),
    }
}

/// The I/Os of `seconds` at a rate that may have been cut off to a whole number.
pub(super) fn cut_off(iops: f64, seconds: f64) -> Between {
    let end = if iops.fract() == 0.0 {
        iops + 1.0
    } else {
        iops
    };
    Between {
        low: iops * seconds,
        high: end * seconds,
    }
}

impl Lat {
    /// Mean, least and most; `None` where it was not measured.
    fn stats(&self, unit: Time) -> Option<LatencyStats> {
        self.mean.positive()?;
        let micros = |figure: &Num| unit.latency(figure.0?);
        Some(LatencyStats {
            mean: micros(&self.mean),
            min: micros(&self.min),
            max: micros(&self.max),
            percentiles: Vec::new(),
        })
    }

    fn histogram(&self, unit: Time, histograms: &mut [Bins]) -> Option<Histogram> {
        let bins = std::mem::take(histograms.get_mut(self.bins.0? as usize)?);
        if bins.incomplete || bins.pairs.is_empty() {
            return None;
        }
        let bins = bins.pairs.iter().filter_map(|&(place, count)| {
            let value = if bins.by_index {
                value_of_index(place)?
            } else {
                place as f64
            };
            let latency = unit.latency(value)?;
            Some(Bin { latency, count })
        });
        Some(Histogram::from_bins(bins))
    }
}

/// The middle of a bin of fio's latency table: 64 bins for each doubling, of width 1 in the first two groups.
fn value_of_index(index: u64) -> Option<f64> {
    const PER_GROUP: u64 = 64;
    const GROUPS: u64 = 64;
    if index < 2 * PER_GROUP {
        return Some(index as f64);
    }
    let shift = index / PER_GROUP - 1;
    let width = 2_f64.powi(i32::try_from(shift).ok().filter(|_| shift < GROUPS)?);
    Some(width * (PER_GROUP as f64 + (index % PER_GROUP) as f64 + 0.5))
}

/// Percentiles as given; the unused `"0.00"` left out.
#[derive(Debug, Default)]
pub(super) struct Percentiles(Vec<(f64, f64)>);

impl Percentiles {
    fn scaled(&self, unit: Time) -> Vec<Percentile> {
        let known = self.0.iter().filter_map(|&(percent, value)| {
            let latency = unit.latency(value)?;
            Some(Percentile { percent, latency })
        });
        let mut list = Vec::with_capacity(self.0.len());
        list.extend(known);
        list
    }
}

/// Percentiles of one list: fio has at most 20.
const PERCENTILES_LIMIT: usize = 64;

impl<'de> Deserialize<'de> for Percentiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Percentiles;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of percentiles")
            }
            fn visit_unit<E>(self) -> Result<Percentiles, E> {
                Ok(Percentiles::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Percentiles, A::Error> {
                let mut list = Vec::new();
                while let Some((Key(key), Num(value))) = map.next_entry()? {
                    let percent = key.parse::<f64>().ok().filter(|p| *p > 0.0 && *p <= 100.0);
                    if list.len() < PERCENTILES_LIMIT {
                        list.extend(percent.zip(value));
                    }
                }
                Ok(Percentiles(list))
            }
        }
        deserializer.deserialize_any(Pairs)
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Settings;
        impl<'de> Visitor<'de> for Settings {
            type Value = Options;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of options")
            }
            fn visit_unit<E>(self) -> Result<Options, E> {
                Ok(Options::default())
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Options, A::Error> {
                let mut options = Options::default();
                while let Some((Key(name), Word(value))) = map.next_entry()? {
                    options.set(&name, value.as_deref().unwrap_or_default());
                }
                Ok(options)
            }
        }
        deserializer.deserialize_any(Settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_repeated_keys_counts() {
        let figures: Figures =
            serde_json::from_str(r#"{"iops": 5, "x": [1], "iops": 7.5}"#).unwrap();
        assert_eq!(figures.iops, Num(Some(7.5)));
    }

    #[test]
    fn what_is_not_a_number_is_absent() {
        let figures: Figures = serde_json::from_str(
            r#"{"iops": null, "bw": {"a": 1}, "runtime": "12", "total_ios": [1]}"#,
        )
        .unwrap();
        assert_eq!(figures.iops, Num(None));
        assert_eq!(figures.bw, Num(None));
        assert_eq!(figures.runtime, Num(Some(12.0)));
        assert_eq!(figures.total_ios, Num(None));
    }

    #[test]
    fn a_count_without_a_time_is_no_result() {
        let figures: Figures =
            serde_json::from_str(r#"{"total_ios": 5, "io_bytes": 20480}"#).unwrap();
        assert_eq!(figures.into_test(&mut [], false), None);
    }

    #[test]
    fn old_percentiles_lose_their_empty_places() {
        let lat: Lat = serde_json::from_str(
            r#"{"percentile": {"50.000000": 20, "0.00": 0, "1.000000": 10, "0.00": 0}}"#,
        )
        .unwrap();
        assert_eq!(lat.percentiles.0, [(50.0, 20.0), (1.0, 10.0)]);
    }

    #[test]
    fn bins_of_the_old_table() {
        // Two groups of width 1, then 64 bins of width 2 from 128, 64 of width 4 from 256.
        assert_eq!(value_of_index(100), Some(100.0));
        assert_eq!(value_of_index(128), Some(129.0));
        assert_eq!(value_of_index(191), Some(255.0));
        assert_eq!(value_of_index(192), Some(258.0));
        assert_eq!(value_of_index(u64::MAX), None);
    }
}
