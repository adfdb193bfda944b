//! Points of many metrics, put together into rows of disks.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::metric::{Measure, Scope};
use crate::catalog::Limits;
use crate::measure::series::builder::{SeriesBuilder, TooManyDisks};
use crate::measure::series::log::{Log, Wanted};
use crate::measure::series::model::{Aggregation, Cap, DiskSeries, Source, StartTime};
use crate::measure::series::notice::Notice;
use crate::measure::series::options::ReadOptions;
use crate::measure::series::row::Row;
use crate::units::{Iops, MBps};

/// The name of the limit that a disk has without bursting, as the metrics state it.
const TARGET: &str = "target stated by Azure Monitor";
/// The name of the limit that a disk has while it bursts.
const BURST: &str = "burst stated by Azure Monitor";

/// Which disk a point is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Key {
    /// The VM.
    pub host: Option<String>,
    /// The disk.
    pub disk: String,
}

/// The values of one point by aggregation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Point {
    pub average: Option<f64>,
    pub total: Option<f64>,
    pub maximum: Option<f64>,
    pub minimum: Option<f64>,
    pub count: Option<f64>,
}

impl Point {
    /// The value to take for a measure, and what it is of its interval. The error is the aggregation that there is
    /// instead of one.
    fn value(&self, measure: Measure) -> Option<Result<(f64, Aggregation), &'static str>> {
        if let Measure::ByteSum(_) = measure {
            let sum = self.total.map(|total| Ok((total, Aggregation::Mean)));
            return sum.or(self.average.map(|_| Err("average")));
        }
        let mean = self.average.or_else(|| {
            let count = self.count.filter(|count| *count > 0.0)?;
            Some(self.total? / count)
        });
        let named = |value: Option<f64>, of| value.map(|v| Ok((v, of)));
        named(mean, Aggregation::Mean)
            .or(named(self.maximum, Aggregation::Maximum))
            .or(named(self.minimum, Aggregation::Minimum))
            .or(self.total.map(|_| Err("total")))
            .or(self.count.map(|_| Err("count")))
    }
}

/// One disk being collected.
#[derive(Debug, Default)]
struct Disk {
    rows: BTreeMap<i64, (Row, u32)>,
    aggregation: Aggregation,
    target: Limits,
    burst: Limits,
    sums_others: bool,
}

/// Collects points.
#[derive(Debug, Default)]
pub(super) struct Collector {
    disks: BTreeMap<Key, Disk>,
    not_rates: BTreeSet<(String, &'static str)>,
    mean_over_disks: bool,
    wanted: Wanted,
}

/// What a point belongs to.
pub(super) struct Origin<'m> {
    /// The metric as it is named.
    pub metric: &'m str,
    /// What it is about and what it measures.
    pub meaning: (Scope, Measure),
    /// The VM or disk resource.
    pub host: Option<&'m str>,
    /// The LUN, where the metric is split by it.
    pub lun: Option<&'m str>,
    /// Length of an interval, milliseconds.
    pub interval_ms: u32,
}

impl Origin<'_> {
    fn key(&self) -> Key {
        let host = self.host.map(str::to_owned);
        let disk = match (self.meaning.0, self.lun, &host) {
            (Scope::DataDisk, Some(lun), _) => format!("LUN {lun}"),
            (Scope::ManagedDisk, _, Some(name)) => name.clone(),
            (scope, ..) => scope.words().to_owned(),
        };
        Key { host, disk }
    }
}

impl Collector {
    /// Takes one point; it begins at `at`.
    pub fn add(&mut self, origin: &Origin<'_>, at: Timestamp, point: &Point) {
        let (scope, measure) = origin.meaning;
        let (value, aggregation) = match point.value(measure) {
            Some(Ok(found)) => found,
            Some(Err(instead)) => {
                self.not_rates.insert((origin.metric.to_owned(), instead));
                return;
            }
            None => return,
        };
        self.mean_over_disks |= scope == Scope::DataDisk && origin.lun.is_none();
        let disk = self.disks.entry(origin.key()).or_default();
        disk.sums_others = scope == Scope::AllDisks;
        if disk.limit(measure, value) {
            return;
        }
        if aggregation != Aggregation::Mean {
            disk.aggregation = aggregation;
        }
        let row = disk.rows.entry(at.as_millisecond()).or_default();
        row.1 = row.1.max(origin.interval_ms);
        measure.put(value, f64::from(origin.interval_ms) / 1e3, &mut row.0);
    }

    /// The disks asked for.
    pub fn finish(mut self, options: &ReadOptions) -> Result<(Log, Wanted), TooManyDisks> {
        let mut notices = self.notices();
        self.leave_out_sums(options, &mut notices);
        let hosts: BTreeSet<&Option<String>> = self.disks.keys().map(|key| &key.host).collect();
        let several = hosts.len() > 1;
        let first = self
            .disks
            .values()
            .filter_map(|d| d.rows.keys().next())
            .min();
        let base = first.copied().unwrap_or(0);
        let mut builder = SeriesBuilder::new(Source::AzureMonitor);
        for (key, disk) in &self.disks {
            if !self.wanted.check(&key.disk, options) {
                continue;
            }
            let place = builder.disk(&name(key, several), usize::MAX)?;
            disk.describe(key, builder.series_mut(place));
            for (at, (row, length_ms)) in &disk.rows {
                let begins = u64::try_from(at - base).unwrap_or(0);
                builder.push(
                    place,
                    Row {
                        end_ms: begins + u64::from(*length_ms),
                        length_ms: *length_ms,
                        ..*row
                    },
                );
            }
        }
        let start = Timestamp::from_millisecond(base).ok();
        let (disks, more) = builder.finish(start.map(StartTime::Utc));
        notices.extend(more);
        let extreme = disks
            .iter()
            .map(|d| d.aggregation)
            .find(|a| *a != Aggregation::Mean);
        notices.extend(extreme.map(|aggregation| Notice::Extremes { aggregation }));
        let log = Log {
            disks,
            notices,
            ..Log::default()
        };
        Ok((log, self.wanted))
    }

    fn notices(&self) -> Vec<Notice> {
        let not_rates = self
            .not_rates
            .iter()
            .map(|(metric, aggregation)| Notice::NotARate {
                metric: metric.clone(),
                aggregation: (*aggregation).to_owned(),
            });
        let mean = self.mean_over_disks.then_some(Notice::MeanOverDisks);
        not_rates.chain(mean).collect()
    }

    /// Leaves out the sum over all disks of a VM whose single disks are there.
    fn leave_out_sums(&mut self, options: &ReadOptions, notices: &mut Vec<Notice>) {
        let single: BTreeSet<Option<String>> = self
            .disks
            .iter()
            .filter(|(_, disk)| !disk.sums_others && disk.has_rates())
            .map(|(key, _)| key.host.clone())
            .collect();
        let before = self.disks.len();
        self.disks.retain(|key, disk| {
            !disk.sums_others || !single.contains(&key.host) || options.names(&key.disk)
        });
        if self.disks.len() < before {
            notices.push(Notice::TotalLeftOut);
        }
    }
}

fn name(key: &Key, several_hosts: bool) -> String {
    match &key.host {
        Some(host) if several_hosts && *host != key.disk => format!("{host} {}", key.disk),
        _ => key.disk.clone(),
    }
}

impl Disk {
    /// Keeps the highest value of a limit; whether the measure is one.
    fn limit(&mut self, measure: Measure, value: f64) -> bool {
        let limits = match measure {
            Measure::IopsLimit(true) | Measure::ByteLimit(true) => &mut self.burst,
            Measure::IopsLimit(false) | Measure::ByteLimit(false) => &mut self.target,
            _ => return false,
        };
        match measure {
            Measure::IopsLimit(_) => {
                let limit = Iops::new(value).ok().filter(|l| *l > Iops::ZERO);
                limits.iops = limits.iops.into_iter().chain(limit).reduce(Iops::max);
            }
            _ => {
                let limit = MBps::from_bytes_per_s(value)
                    .ok()
                    .filter(|l| *l > MBps::ZERO);
                limits.mbps = limits.mbps.into_iter().chain(limit).reduce(MBps::max);
            }
        }
        true
    }

    fn has_rates(&self) -> bool {
        self.rows
            .values()
            .any(|(row, _)| row.read.iops.or(row.write.iops).or(row.read.mbps).is_some())
    }

    fn describe(&self, key: &Key, series: Option<&mut DiskSeries>) {
        let Some(series) = series else { return };
        series.host.clone_from(&key.host);
        series.aggregation = self.aggregation;
        series.caps = [(TARGET, self.target), (BURST, self.burst)]
            .into_iter()
            .filter(|(_, limits)| *limits != Limits::UNKNOWN)
            .map(|(name, limits)| Cap {
                name: name.to_owned(),
                limits,
            })
            .collect();
    }
}
