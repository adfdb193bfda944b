//! Several disks as if they were one.

use super::align::aligned;
use super::model::{Aggregation, DiskSeries, Lane, Quality};

/// The disks added up, sample by sample where all of them have one: rates and queues are sums, latency is their mean
/// weighted by I/Os. `None` where they were not measured at the same time, or are extremes that do not add up.
#[must_use]
pub fn sum(disks: &[&DiskSeries], name: &str) -> Option<DiskSeries> {
    let first = *disks.first()?;
    if disks.iter().any(|d| d.aggregation != Aggregation::Mean) {
        return None;
    }
    let indices = aligned(disks)?;
    let count = indices.first()?.len();
    let own = indices.first()?;
    let mut all = DiskSeries {
        name: name.to_owned(),
        end_ms: own
            .iter()
            .filter_map(|i| first.end_ms.get(*i).copied())
            .collect(),
        length_ms: own
            .iter()
            .filter_map(|i| first.length_ms.get(*i).copied())
            .collect(),
        total: Lane::default(),
        read: Lane::default(),
        write: Lane::default(),
        queue_depth: Default::default(),
        latency_max: Default::default(),
        latency_p99: Default::default(),
        gauges: Vec::new(),
        caps: Vec::new(),
        io_latency: Vec::new(),
        quality: Quality::default(),
        ..first.clone()
    };
    for sample in 0..count {
        let at: Vec<(&DiskSeries, usize)> = disks
            .iter()
            .zip(&indices)
            .filter_map(|(disk, places)| Some((*disk, *places.get(sample)?)))
            .collect();
        add(&mut all, sample, &at);
    }
    (!all.is_empty()).then_some(all)
}

fn add(all: &mut DiskSeries, sample: usize, at: &[(&DiskSeries, usize)]) {
    let total = |of: fn(&DiskSeries, usize) -> Option<f64>| -> Option<f64> {
        at.iter().map(|(disk, i)| of(disk, *i)).sum()
    };
    let weighted = at.iter().map(|(disk, i)| {
        let ios = disk.total.iops.number(*i)?;
        // A disk that did nothing has no latency, and weighs nothing.
        let latency = disk.total.latency.number(*i);
        latency.map(|us| us * ios).or((ios == 0.0).then_some(0.0))
    });
    let weighted: Option<f64> = weighted.sum();
    let ios = total(|d, i| d.total.iops.number(i));
    let latency = weighted
        .zip(ios.filter(|ios| *ios > 0.0))
        .map(|(sum, ios)| sum / ios);
    all.total.iops.set(sample, ios);
    all.total
        .mbps
        .set(sample, total(|d, i| d.total.mbps.number(i)));
    all.total.latency.set(sample, latency);
    all.read
        .iops
        .set(sample, total(|d, i| d.read.iops.number(i)));
    all.read
        .mbps
        .set(sample, total(|d, i| d.read.mbps.number(i)));
    all.write
        .iops
        .set(sample, total(|d, i| d.write.iops.number(i)));
    all.write
        .mbps
        .set(sample, total(|d, i| d.write.mbps.number(i)));
    all.queue_depth.set(sample, total(DiskSeries::outstanding));
}
