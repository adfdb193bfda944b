//! One result from several that ran at the same time: rates are added, latencies averaged by I/O count.

use crate::measure::model::{Flushes, Histogram, LatencyStats, Test, TestKind};
use crate::units::{BlockSize, Iops, Latency, MBps, Share};

/// The sum of tests that ran at the same time.
pub(in crate::measure) fn sum(parts: &[&Test], name: &str, threads: Option<u32>) -> Test {
    let histogram = merged_histogram(parts);
    let counts: Option<Vec<u64>> = parts.iter().map(|part| part.io_count).collect();
    let iops = total(parts, |part| part.iops.map(Iops::get)).and_then(|sum| Iops::new(sum).ok());
    let mbps = total(parts, |part| part.mbps.map(MBps::get)).and_then(|sum| MBps::new(sum).ok());
    let mut kind = common_kind(parts, threads);
    // Of rounded rates alone it would be a size that no I/O had.
    let known = parts.iter().all(|part| part.kind.block_size.is_some());
    let mean = || mean_block(mbps?, iops?).filter(|_| known);
    kind.block_size = kind.block_size.or_else(mean);
    Test {
        name: name.to_owned(),
        target: agreed(parts.iter().map(|part| part.target.clone())),
        kind,
        iops,
        mbps,
        latency: latency(parts, histogram.as_ref()),
        histogram,
        io_count: counts.map(added),
        seconds: parts
            .iter()
            .filter_map(|part| part.seconds)
            .reduce(f64::max),
        flushes: flushes(parts).map(Box::new),
        part_of: None,
        notes: notes(parts),
    }
}

/// How much longer one part may run than another before it is said.
const SAME_TIME: f64 = 1.1;

/// What a reader should know of a sum.
fn notes(parts: &[&Test]) -> Vec<String> {
    let mut notes = vec![format!(
        "sum of {} results that ran at the same time",
        parts.len()
    )];
    let times = || parts.iter().filter_map(|part| part.seconds);
    let (least, most) = (times().reduce(f64::min), times().reduce(f64::max));
    if let Some((least, most)) = least
        .zip(most)
        .filter(|(least, most)| *most > SAME_TIME * least)
    {
        notes.push(format!(
            "they ran for {least} to {most} s: the sum held only while all did"
        ));
    }
    notes
}

/// What tests that ran at the same time have in common; the share of reads is by I/O count.
pub(super) fn common_kind(parts: &[&Test], threads: Option<u32>) -> TestKind {
    TestKind {
        pattern: agreed(parts.iter().map(|part| part.kind.pattern)),
        read_share: read_share(parts),
        block_size: agreed(parts.iter().map(|part| part.kind.block_size)),
        queue_depth: agreed(parts.iter().map(|part| part.kind.queue_depth)),
        threads,
    }
}

/// The value on which all agree.
fn agreed<T: PartialEq>(mut values: impl Iterator<Item = Option<T>>) -> Option<T> {
    let first = values.next()??;
    values
        .all(|value| value.as_ref() == Some(&first))
        .then_some(first)
}

/// The sum of a figure that all have.
fn total(parts: &[&Test], figure: impl Fn(&Test) -> Option<f64>) -> Option<f64> {
    parts
        .iter()
        .try_fold(0.0, |sum, part| Some(sum + figure(part)?))
}

/// The mean size of I/Os of different sizes.
fn mean_block(mbps: MBps, iops: Iops) -> Option<BlockSize> {
    let bytes = mbps.bytes_per_s() / iops.get();
    (bytes >= 1.0)
        .then(|| BlockSize::from_bytes(bytes.round() as u64).ok())
        .flatten()
}

/// The I/Os of a test, as its weight.
fn weight(test: &Test) -> Option<f64> {
    let counted = test.io_count.map(|count| count as f64);
    counted.or_else(|| Some(test.iops?.get() * test.seconds?))
}

/// The latency of several together: the mean weighted by I/O count, percentiles only from histograms.
fn latency(parts: &[&Test], histogram: Option<&Histogram>) -> Option<LatencyStats> {
    let stats: Vec<&LatencyStats> = parts
        .iter()
        .filter_map(|part| part.latency.as_ref())
        .collect();
    if stats.len() < parts.len() {
        return None;
    }
    // At the same time, the rates are to each other as the counts.
    let counted = parts.iter().all(|part| weight(part).is_some());
    let weight = |part: &Test| {
        if counted {
            weight(part)
        } else {
            part.iops.map(Iops::get)
        }
    };
    let weights = total(parts, weight)?;
    let weighted = total(parts, |part| {
        Some(part.latency.as_ref()?.mean?.micros() * weight(part)?)
    });
    let percents: Vec<f64> = stats
        .first()?
        .percentiles
        .iter()
        .map(|p| p.percent)
        .collect();
    Some(LatencyStats {
        mean: weighted.and_then(|sum| Latency::from_micros(sum / weights).ok()),
        min: least(&stats),
        max: most(&stats),
        percentiles: histogram
            .map(|all| all.percentiles(&percents))
            .unwrap_or_default(),
    })
}

/// The flushes of several together: how many, and the mean of one; neither is known where one does not say how many.
fn flushes(parts: &[&Test]) -> Option<Flushes> {
    let each: Vec<&Flushes> = parts
        .iter()
        .filter_map(|part| part.flushes.as_deref())
        .collect();
    match each.as_slice() {
        [] => return None,
        [one] => return Some((*one).clone()),
        _ => {}
    }
    let counts: Option<Vec<u64>> = each.iter().map(|of| of.count).collect();
    let weight = |of: &Flushes| of.count.map(|count| count as f64);
    let sum = |figure: &dyn Fn(&Flushes) -> Option<f64>| -> Option<f64> {
        each.iter().map(|of| figure(of)).sum()
    };
    let time = sum(&|of| Some(weight(of)? * of.latency.mean?.micros()));
    let mean = time.zip(sum(&weight)).map(|(time, all)| time / all);
    let stats: Vec<&LatencyStats> = each.iter().map(|of| &of.latency).collect();
    Some(Flushes {
        count: counts.map(added),
        latency: LatencyStats {
            mean: mean.and_then(|mean| Latency::from_micros(mean).ok()),
            min: least(&stats),
            max: most(&stats),
            percentiles: Vec::new(),
        },
    })
}

/// The sum of counts: the greatest that there is, where a log claims more.
fn added(counts: Vec<u64>) -> u64 {
    counts.into_iter().fold(0, u64::saturating_add)
}

/// The least that all say.
fn least(stats: &[&LatencyStats]) -> Option<Latency> {
    let each = stats.iter().map(|stat| stat.min);
    each.reduce(|a, b| Some(a?.min(b?))).flatten()
}

/// The most that all say.
fn most(stats: &[&LatencyStats]) -> Option<Latency> {
    let each = stats.iter().map(|stat| stat.max);
    each.reduce(|a, b| Some(a?.max(b?))).flatten()
}

/// The histogram of several together, where all have one.
fn merged_histogram(parts: &[&Test]) -> Option<Histogram> {
    let all: Option<Vec<&Histogram>> = parts.iter().map(|part| part.histogram.as_ref()).collect();
    let bins = all?
        .into_iter()
        .flat_map(|histogram| histogram.bins.iter().copied());
    Some(Histogram::from_bins(bins))
}

/// The share of reads among results, by I/O count; `None` where one is not known or is neither read nor write.
pub(in crate::measure) fn read_share(parts: &[&Test]) -> Option<Share> {
    let (mut reads, mut all) = (0.0, 0.0);
    for part in parts {
        let weight = weight(part).or(part.iops.map(f64::from))?;
        reads += weight * part.kind.read_share?.get();
        all += weight;
    }
    Share::new((reads / all).clamp(0.0, 1.0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part with so many flushes of so many microseconds, the longest twice as long.
    fn flushed(count: Option<u64>, micros: f64) -> Test {
        let latency = LatencyStats {
            mean: Latency::from_micros(micros).ok(),
            max: Latency::from_micros(2.0 * micros).ok(),
            ..LatencyStats::default()
        };
        Test {
            flushes: Some(Box::new(Flushes { count, latency })),
            ..Test::default()
        }
    }

    fn together(one: &Test, other: &Test) -> Flushes {
        flushes(&[one, other]).unwrap()
    }

    #[test]
    fn flushes_are_averaged_by_their_count() {
        // (100 x 1 ms + 300 x 5 ms) / 400
        let of = together(&flushed(Some(100), 1000.0), &flushed(Some(300), 5000.0));
        assert_eq!(of.count, Some(400));
        assert_eq!(of.latency.mean, Some(Latency::whole(4000)));
        assert_eq!(of.latency.max, Some(Latency::whole(10_000)));
    }

    #[test]
    fn more_flushes_than_can_be_counted_are_as_many_as_can() {
        let many = flushed(Some(u64::MAX), 1000.0);
        let of = together(&many, &many);
        assert_eq!(of.count, Some(u64::MAX));
        assert_eq!(of.latency.mean, Some(Latency::whole(1000)));
    }

    #[test]
    fn where_one_does_not_say_how_many_the_longest_is_still_known() {
        let of = together(&flushed(Some(100), 1000.0), &flushed(None, 5000.0));
        assert_eq!((of.count, of.latency.mean), (None, None));
        assert_eq!(of.latency.max, Some(Latency::whole(10_000)));
    }
}
