//! A series summed up as a benchmark result: per disk the mean over time, and the busiest sample.

use std::collections::BTreeMap;

use super::log::Log;
use super::model::{Aggregation, DiskSeries, Source};
use super::notice::Notice;
use crate::measure::model::{Format, LatencyStats, Run, Test, TestKind};
use crate::units::{BlockSize, Iops, Latency, MBps, Share, grouped};

/// The format and the tool's name of a kind of log.
const fn origin(source: Source) -> (Format, &'static str) {
    match source {
        Source::IostatText => (Format::IostatText, "iostat"),
        Source::IostatJson => (Format::IostatJson, "iostat"),
        Source::Perfmon => (Format::Perfmon, "PerfMon"),
        Source::AzureMonitor => (Format::AzureMonitor, "Azure Monitor"),
        Source::Csv => (Format::Csv, "CSV"),
        // A log over time has no summary format of its own.
        Source::FioLog => (Format::Csv, "fio log"),
    }
}

/// One run for each host of a log.
pub(super) fn runs(log: Log) -> Vec<Run> {
    let since_boot = log.notices.contains(&Notice::OnlySinceBoot);
    let mut hosts: BTreeMap<Option<&str>, Vec<&DiskSeries>> = BTreeMap::new();
    for disk in &log.disks {
        hosts.entry(disk.host.as_deref()).or_default().push(disk);
    }
    hosts
        .into_iter()
        .map(|(host, disks)| run(&log, host, &disks, since_boot))
        .collect()
}

fn run(log: &Log, host: Option<&str>, disks: &[&DiskSeries], since_boot: bool) -> Run {
    let busy: Vec<&DiskSeries> = disks.iter().copied().filter(|d| d.has_io()).collect();
    let mut notes: Vec<String> = log.notices.iter().map(ToString::to_string).collect();
    let idle = disks.len() - busy.len();
    let shown = if busy.is_empty() { disks } else { &busy };
    if idle > 0 && !busy.is_empty() {
        notes.push(Notice::IdleDisksLeftOut { disks: idle }.to_string());
    }
    let source = disks.first().map_or(Source::Csv, |disk| disk.source);
    let (format, tool) = origin(source);
    let start = disks
        .first()
        .and_then(|disk| disk.start)
        .map(|start| start.to_string());
    Run {
        format,
        tool: tool.to_owned(),
        version: None,
        host: host.map(str::to_owned),
        os: log.os.clone(),
        date: start.or_else(|| log.date.clone()),
        target: None,
        comment: None,
        tests: shown
            .iter()
            .flat_map(|disk| tests(disk, since_boot))
            .collect(),
        notes,
    }
}

/// The mean over time, the sample with the most I/Os, and that with the most bytes where it is another one.
fn tests(disk: &DiskSeries, since_boot: bool) -> Vec<Test> {
    let mut tests = vec![mean(disk, since_boot)];
    if disk.len() > 1 {
        let most = |of: &dyn Fn(usize) -> Option<f64>| {
            (0..disk.len()).filter(|i| of(*i).is_some()).max_by(|a, b| {
                of(*a)
                    .partial_cmp(&of(*b))
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
        };
        let iops = most(&|i| disk.total.iops.number(i));
        let mbps = most(&|i| disk.total.mbps.number(i));
        tests.extend(iops.map(|i| peak(disk, i, "most IOPS")));
        let other = mbps.filter(|i| iops != Some(*i));
        tests.extend(other.map(|i| peak(disk, i, "most MB/s")));
    }
    tests
}

fn mean(disk: &DiskSeries, since_boot: bool) -> Test {
    let mean = |of: &dyn Fn(usize) -> Option<f64>| weighted(disk, of, &|i| Some(disk.seconds(i)));
    let ios = |i: usize| Some(disk.total.iops.number(i)? * disk.seconds(i).max(1e-3));
    let latency = weighted(disk, &|i| disk.total.latency.number(i), &ios);
    let max = largest(disk, |i| disk.latency_max.number(i));
    let seconds: f64 = (0..disk.len()).map(|i| disk.seconds(i)).sum();
    let count: f64 = (0..disk.len())
        .filter_map(|i| Some(disk.total.iops.number(i)? * disk.seconds(i)))
        .sum();
    let what = match disk.aggregation {
        _ if since_boot => "since boot",
        Aggregation::Mean => "mean",
        Aggregation::Maximum => "mean of peaks",
        Aggregation::Minimum => "mean of lows",
    };
    let figures = Figures {
        iops: mean(&|i| disk.total.iops.number(i)),
        mbps: mean(&|i| disk.total.mbps.number(i)),
        read_iops: mean(&|i| disk.read.iops.number(i)),
        read_mbps: mean(&|i| disk.read.mbps.number(i)),
        latency: latency.or_else(|| mean(&|i| disk.total.latency.number(i))),
        max,
    };
    Test {
        io_count: (count >= 1.0).then_some(count.round() as u64),
        seconds: (seconds > 0.0).then_some(seconds),
        notes: queue_note(disk).into_iter().collect(),
        ..figures.test(disk, what)
    }
}

fn peak(disk: &DiskSeries, index: usize, what: &str) -> Test {
    let figures = Figures {
        iops: disk.total.iops.number(index),
        mbps: disk.total.mbps.number(index),
        read_iops: disk.read.iops.number(index),
        read_mbps: disk.read.mbps.number(index),
        latency: disk.total.latency.number(index),
        max: disk.latency_max.number(index),
    };
    let seconds = disk.seconds(index);
    Test {
        seconds: (seconds > 0.0).then_some(seconds),
        ..figures.test(disk, what)
    }
}

/// What a test says, as plain numbers in our units.
struct Figures {
    iops: Option<f64>,
    mbps: Option<f64>,
    read_iops: Option<f64>,
    read_mbps: Option<f64>,
    latency: Option<f64>,
    max: Option<f64>,
}

impl Figures {
    fn test(&self, disk: &DiskSeries, what: &str) -> Test {
        let positive = |v: Option<f64>| v.filter(|v| *v > 0.0);
        let share = |part: Option<f64>, whole: Option<f64>| {
            Share::new((part? / positive(whole)?).min(1.0)).ok()
        };
        let block = || {
            let bytes = positive(self.mbps)? * crate::units::MB / positive(self.iops)?;
            BlockSize::from_bytes(bytes.round() as u64).ok()
        };
        let latency = |us: Option<f64>| Latency::from_micros(us?).ok();
        let stats = LatencyStats {
            mean: latency(self.latency),
            max: latency(self.max),
            ..LatencyStats::default()
        };
        Test {
            name: format!("{}, {what}", disk.name),
            target: Some(disk.name.clone()),
            kind: TestKind {
                pattern: None,
                read_share: share(self.read_iops, self.iops)
                    .or_else(|| share(self.read_mbps, self.mbps)),
                block_size: block(),
                queue_depth: None,
                threads: None,
            },
            iops: self.iops.and_then(|v| Iops::new(v).ok()),
            mbps: self.mbps.and_then(|v| MBps::new(v).ok()),
            latency: (stats.mean.is_some() || stats.max.is_some()).then_some(stats),
            histogram: None,
            io_count: None,
            seconds: None,
            flushes: None,
            part_of: None,
            notes: Vec::new(),
        }
    }
}

/// The mean over the samples that say something, each with its weight.
fn weighted(
    disk: &DiskSeries,
    of: &dyn Fn(usize) -> Option<f64>,
    weight: &dyn Fn(usize) -> Option<f64>,
) -> Option<f64> {
    let (mut sum, mut weights, mut plain, mut count) = (0.0, 0.0, 0.0, 0.0);
    for i in 0..disk.len() {
        let Some(value) = of(i) else { continue };
        plain += value;
        count += 1.0;
        if let Some(weight) = weight(i) {
            sum += value * weight;
            weights += weight;
        }
    }
    if weights > 0.0 {
        return Some(sum / weights);
    }
    // One average since boot has no length.
    (count == 1.0).then_some(plain)
}

fn largest(disk: &DiskSeries, of: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    (0..disk.len()).filter_map(of).reduce(f64::max)
}

/// The fewest outstanding I/Os that are told by number: logs print two decimals.
const FEW: f64 = 0.1;

fn queue_note(disk: &DiskSeries) -> Option<String> {
    let mean = weighted(disk, &|i| disk.queue_depth.number(i), &|i| {
        Some(disk.seconds(i))
    })?;
    let most = largest(disk, |i| disk.queue_depth.number(i))?;
    if most < FEW {
        return Some(format!("fewer than {FEW} I/Os outstanding on average"));
    }
    if disk.len() == 1 {
        return Some(format!("{} I/Os outstanding on average", grouped(mean, 1)));
    }
    Some(format!(
        "{} I/Os outstanding on average, {} at most",
        grouped(mean, 1),
        grouped(most, 1)
    ))
}
