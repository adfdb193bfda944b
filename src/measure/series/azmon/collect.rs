//! Points of many metrics, put together into rows of disks.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::head::{Head, Sink};
use super::metric::{Measure, Scope};
use super::point::Point;
use super::resource::Named;
use crate::catalog::Limits;
use crate::measure::series::builder::{SeriesBuilder, TooManyDisks};
use crate::measure::series::log::{Log, Wanted};
use crate::measure::series::model::{Aggregation, Cap, CapKind, DiskSeries, Source, StartTime};
use crate::measure::series::notice::Notice;
use crate::measure::series::options::ReadOptions;
use crate::measure::series::row::Row;
use crate::units::{Iops, MBps};

/// The name of the limit that a disk has without bursting, as the metrics state it.
const TARGET: &str = "target stated by Azure Monitor";
/// The name of the limit that a disk has while it bursts.
const BURST: &str = "burst stated by Azure Monitor";

/// Which disk a series is of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    host: Option<String>,
    disk: String,
}

impl Head {
    fn key(&self) -> Key {
        let host = self.resource.as_ref().map(|named| named.name.clone());
        let disk = match (self.meaning.0, &self.lun, &host) {
            (Scope::DataDisk, Some(lun), _) => format!("LUN {lun}"),
            (Scope::ManagedDisk, _, Some(name)) => name.clone(),
            (scope, ..) => scope.words().to_owned(),
        };
        Key { host, disk }
    }
}

/// A value of a series, by the series' number.
#[derive(Debug, Clone, Copy)]
struct Value {
    at_ms: i64,
    value: f64,
    head: u32,
    aggregation: Aggregation,
}

/// Collects series.
#[derive(Debug, Default)]
pub(super) struct Collector {
    heads: Vec<Head>,
    values: Vec<Value>,
    not_rates: BTreeSet<(String, &'static str)>,
    mean_over_disks: bool,
    wanted: Wanted,
}

impl Sink for Collector {
    fn heads(&self) -> usize {
        self.heads.len()
    }

    fn add(&mut self, head: Head, points: &mut dyn Iterator<Item = (i64, Point)>) {
        let (scope, measure) = head.meaning;
        let Ok(number) = u32::try_from(self.heads.len()) else {
            return;
        };
        let before = self.values.len();
        for (at_ms, point) in points {
            match measure.value(&point) {
                Some(Ok((value, aggregation))) => self.values.push(Value {
                    at_ms,
                    value,
                    head: number,
                    aggregation,
                }),
                Some(Err(instead)) => {
                    self.not_rates.insert((head.metric.clone(), instead));
                }
                None => {}
            }
        }
        if self.values.len() > before {
            self.mean_over_disks |= scope == Scope::DataDisk && head.lun.is_none();
            self.heads.push(head);
        }
    }

    fn fill(&mut self, from: usize, resource: Option<&Named>, interval_ms: Option<u32>) {
        for head in self.heads.get_mut(from..).unwrap_or_default() {
            head.fill(resource, interval_ms);
        }
    }
}

impl Collector {
    /// The disks asked for.
    pub fn finish(mut self, options: &ReadOptions) -> Result<(Log, Wanted), TooManyDisks> {
        let mut notices = self.notices();
        let mut disks: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
        for (number, head) in (0..).zip(&self.heads) {
            disks.entry(head.key()).or_default().push(number);
        }
        self.leave_out_sums(&mut disks, options, &mut notices);
        let first_host = disks.keys().next().map(|key| key.host.clone());
        let several = disks
            .keys()
            .any(|key| Some(&key.host) != first_host.as_ref());
        let base = self.values.iter().map(|v| v.at_ms).min().unwrap_or(0);
        // By disk, then by time: the values of one row are neighbours.
        let place_of = places(&disks, self.heads.len());
        let place = |value: &Value| place_of.get(value.head as usize).copied().flatten();
        self.values.retain(|value| place(value).is_some());
        self.values.sort_by_key(|value| (place(value), value.at_ms));
        let mut builder = SeriesBuilder::new(Source::AzureMonitor);
        let mut values = self.values.as_slice();
        for (number, key) in disks.keys().enumerate() {
            let until = values.partition_point(|value| place(value) <= Some(number));
            let (own, rest) = values.split_at(until);
            values = rest;
            if self.wanted.check(&key.disk, options) {
                let place = builder.disk(&name(key, several), usize::MAX)?;
                describe(key, own, &self.heads, builder.series_mut(place));
                push_rows(place, own, &self.heads, base, &mut builder);
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
    fn leave_out_sums(
        &self,
        disks: &mut BTreeMap<Key, Vec<u32>>,
        options: &ReadOptions,
        notices: &mut Vec<Notice>,
    ) {
        let sums = |numbers: &[u32]| self.any(numbers, |(scope, _)| scope == Scope::AllDisks);
        let single: BTreeSet<Option<String>> = disks
            .iter()
            .filter(|(_, numbers)| !sums(numbers) && self.any(numbers, |(_, m)| m.is_rate()))
            .map(|(key, _)| key.host.clone())
            .collect();
        let before = disks.len();
        disks.retain(|key, numbers| {
            !sums(numbers) || !single.contains(&key.host) || options.names(&key.disk)
        });
        if disks.len() < before {
            notices.push(Notice::TotalLeftOut);
        }
    }

    /// Whether any of these series has such a meaning.
    fn any(&self, numbers: &[u32], is: impl Fn((Scope, Measure)) -> bool) -> bool {
        let head = |number: &u32| self.heads.get(*number as usize);
        numbers.iter().filter_map(head).any(|head| is(head.meaning))
    }
}

/// For each series the number of its disk.
fn places(disks: &BTreeMap<Key, Vec<u32>>, heads: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; heads];
    for (number, heads) in disks.values().enumerate() {
        for head in heads {
            if let Some(place) = places.get_mut(*head as usize) {
                *place = Some(number);
            }
        }
    }
    places
}

fn name(key: &Key, several_hosts: bool) -> String {
    match &key.host {
        Some(host) if several_hosts && *host != key.disk => format!("{host} {}", key.disk),
        _ => key.disk.clone(),
    }
}

/// Puts the values of one disk, in the order of time, into rows.
fn push_rows(
    place: usize,
    values: &[Value],
    heads: &[Head],
    base: i64,
    builder: &mut SeriesBuilder,
) {
    for moment in values.chunk_by(|a, b| a.at_ms == b.at_ms) {
        let mut row = Row::default();
        for value in moment {
            if let Some(head) = heads.get(value.head as usize) {
                row.length_ms = row.length_ms.max(head.length_ms());
                let seconds = f64::from(head.length_ms()) / 1e3;
                head.meaning.1.put(value.value, seconds, &mut row);
            }
        }
        let begins = moment.first().map_or(0, |value| value.at_ms - base);
        row.end_ms = u64::try_from(begins).unwrap_or(0) + u64::from(row.length_ms);
        builder.push(place, row);
    }
}

/// Says what is known of a disk as a whole.
fn describe(key: &Key, values: &[Value], heads: &[Head], series: Option<&mut DiskSeries>) {
    let Some(series) = series else { return };
    let (mut target, mut burst) = (Limits::UNKNOWN, Limits::UNKNOWN);
    for value in values {
        let Some(head) = heads.get(value.head as usize) else {
            continue;
        };
        match head.meaning.1 {
            Measure::IopsLimit(bursting) | Measure::ByteLimit(bursting) => {
                let limits = if bursting { &mut burst } else { &mut target };
                raise(limits, head.meaning.1, value.value);
            }
            _ if value.aggregation != Aggregation::Mean => series.aggregation = value.aggregation,
            _ => {}
        }
    }
    series.host.clone_from(&key.host);
    series.caps = [(TARGET, target), (BURST, burst)]
        .into_iter()
        .filter(|(_, limits)| *limits != Limits::UNKNOWN)
        .map(|(name, limits)| Cap {
            name: name.to_owned(),
            limits,
            kind: CapKind::One,
            in_burst: name == BURST,
        })
        .collect();
}

/// Keeps the highest value of a limit.
fn raise(limits: &mut Limits, measure: Measure, value: f64) {
    if let Measure::IopsLimit(_) = measure {
        let limit = Iops::new(value).ok().filter(|l| *l > Iops::ZERO);
        limits.iops = limits.iops.into_iter().chain(limit).reduce(Iops::max);
    } else {
        let limit = MBps::from_bytes_per_s(value)
            .ok()
            .filter(|l| *l > MBps::ZERO);
        limits.mbps = limits.mbps.into_iter().chain(limit).reduce(MBps::max);
    }
}
