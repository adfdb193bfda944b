//! Collects rows into series, in bounded memory: when a log has more samples than are kept, neighbours are merged.

use std::collections::HashMap;

use jiff::SignedDuration;

use super::clock::shifted;
use super::model::{Aggregation, DiskSeries, Quality, Source, StartTime};
use super::notice::Notice;
use super::row::Row;

/// The most samples that are kept of all disks of a log together: some 130 bytes each at worst.
const MOST_SAMPLES: usize = 1 << 20;
/// The most disks that the log of a host may name.
const MOST_OF_HOST: usize = 4096;
/// The most disks that the metrics of a cloud may name.
const MOST_OF_CLOUD: usize = 20_000;

/// A disk being collected.
#[derive(Debug)]
struct Building {
    series: DiskSeries,
    /// Rows that wait to be merged, and how many they are.
    pending: Option<(Row, u32)>,
    last_end: Option<u64>,
}

impl Building {
    /// Takes a row; `factor` rows make one sample.
    fn push(&mut self, row: &Row, factor: u32) {
        if factor == 1 {
            row.append_to(&mut self.series);
            return;
        }
        let (merged, count) = match self.pending.take() {
            Some((waiting, count)) => (Row::join(&waiting, row), count + 1),
            None => (*row, 1),
        };
        if count >= factor {
            merged.append_to(&mut self.series);
        } else {
            self.pending = Some((merged, count));
        }
    }

    /// Merges every two samples; an odd last one waits for its partner.
    fn halve(&mut self, factor: u32) {
        let mut rows = (0..self.series.len()).filter_map(|i| Row::of(&self.series, i));
        let mut halved = blank_like(&self.series);
        let mut odd = None;
        while let Some(first) = rows.next() {
            match rows.next() {
                Some(second) => Row::join(&first, &second).append_to(&mut halved),
                None => odd = Some(first),
            }
        }
        drop(rows);
        self.series = halved;
        self.pending = match (odd, self.pending.take()) {
            (Some(row), Some((waiting, count))) => {
                Some((Row::join(&row, &waiting), factor + count))
            }
            (Some(row), None) => Some((row, factor)),
            (None, pending) => pending,
        };
    }
}

/// An empty series with the names of `like`.
fn blank_like(like: &DiskSeries) -> DiskSeries {
    let mut blank = blank(like.name.clone(), like.source);
    blank.host.clone_from(&like.host);
    blank.aggregation = like.aggregation;
    blank.caps.clone_from(&like.caps);
    blank.quality = like.quality;
    blank
}

fn blank(name: String, source: Source) -> DiskSeries {
    DiskSeries {
        name,
        host: None,
        log: String::new(),
        source,
        aggregation: Aggregation::Mean,
        start: None,
        interval_ms: 0,
        end_ms: Vec::new(),
        length_ms: Vec::new(),
        total: Default::default(),
        read: Default::default(),
        write: Default::default(),
        queue_depth: Default::default(),
        latency_max: Default::default(),
        latency_p99: Default::default(),
        gauges: Vec::new(),
        caps: Vec::new(),
        io_latency: Vec::new(),
        quality: Quality {
            merged: 1,
            ..Quality::default()
        },
    }
}

/// More disks were named than so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyDisks(pub usize);

/// Collects the rows of one log.
#[derive(Debug)]
pub(super) struct SeriesBuilder {
    source: Source,
    disks: Vec<Building>,
    places: HashMap<Box<str>, usize>,
    kept: usize,
    most: usize,
    factor: u32,
}

impl SeriesBuilder {
    /// Starts with no disk.
    pub fn new(source: Source) -> Self {
        Self {
            source,
            disks: Vec::new(),
            places: HashMap::new(),
            kept: 0,
            most: MOST_SAMPLES,
            factor: 1,
        }
    }

    /// The place of the disk of this name, which is added when it is new.
    ///
    /// `guess` is where it probably is, so that logs with their disks always in the same order need no look-up.
    pub fn disk(&mut self, name: &str, guess: usize) -> Result<usize, TooManyDisks> {
        if self.disks.get(guess).is_some_and(|d| d.series.name == name) {
            return Ok(guess);
        }
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        let place = self.disks.len();
        let most = match self.source {
            Source::AzureMonitor => MOST_OF_CLOUD,
            _ => MOST_OF_HOST,
        };
        if place >= most {
            return Err(TooManyDisks(most));
        }
        self.places.insert(name.into(), place);
        self.disks.push(Building {
            series: blank(name.to_owned(), self.source),
            pending: None,
            last_end: None,
        });
        Ok(place)
    }

    /// The series at `place`, for what is said of the disk as a whole.
    pub fn series_mut(&mut self, place: usize) -> Option<&mut DiskSeries> {
        self.disks.get_mut(place).map(|disk| &mut disk.series)
    }

    /// Adds a row to the disk at `place`. Impossible figures are counted and left out; so is a second row for the
    /// same time.
    pub fn push(&mut self, place: usize, mut row: Row) {
        let Some(disk) = self.disks.get_mut(place) else {
            return;
        };
        if row.is_blank() || disk.last_end.is_some_and(|end| row.end_ms <= end) {
            return;
        }
        if row.impossible() {
            disk.series.quality.resets += 1;
            return;
        }
        disk.last_end = Some(row.end_ms);
        let before = disk.series.len();
        row.complete();
        disk.push(&row, self.factor);
        self.kept += disk.series.len() - before;
        if self.kept > self.most && self.disks.iter().any(|d| d.series.len() > 1) {
            self.halve();
        }
    }

    fn halve(&mut self) {
        for disk in &mut self.disks {
            disk.halve(self.factor);
        }
        self.factor = self.factor.saturating_mul(2);
        self.kept = self.disks.iter().map(|d| d.series.len()).sum();
    }

    /// The series of all disks that have samples, and what is to be known of them. `start` is the moment that the
    /// rows count their milliseconds from.
    pub fn finish(self, start: Option<StartTime>) -> (Vec<DiskSeries>, Vec<Notice>) {
        let factor = self.factor;
        let mut disks: Vec<DiskSeries> = self
            .disks
            .into_iter()
            .map(|disk| {
                let mut series = disk.series;
                if let Some((row, _)) = disk.pending {
                    row.append_to(&mut series);
                }
                series
            })
            .filter(|series| !series.is_empty())
            .collect();
        for series in &mut disks {
            series.start = start;
            series.quality.merged = factor;
            complete(series);
        }
        let notices = notices(factor, self.source, &disks);
        (disks, notices)
    }
}

fn notices(factor: u32, source: Source, disks: &[DiskSeries]) -> Vec<Notice> {
    let mut notices = Vec::new();
    if factor > 1 && source != Source::FioLog {
        notices.push(Notice::Merged { factor });
    }
    let samples = disks.iter().map(|d| d.quality.resets).sum();
    if samples > 0 {
        notices.push(Notice::CountersReset { samples });
    }
    notices
}

/// Fills in what can only be said at the end: the usual length, that of a first sample that had none, the gaps.
pub(super) fn complete(series: &mut DiskSeries) {
    series.interval_ms = usual_length(&series.length_ms);
    let usual = u64::from(series.interval_ms);
    if let Some(first) = series.length_ms.first_mut().filter(|ms| **ms == 0) {
        *first = series.interval_ms;
    }
    if let Some(early) = series
        .end_ms
        .first()
        .zip(series.length_ms.first())
        .and_then(|(end, length)| u64::from(*length).checked_sub(*end))
        .filter(|early| *early > 0)
    {
        for end in &mut series.end_ms {
            *end = end.saturating_add(early);
        }
        let by = SignedDuration::from_millis(i64::try_from(early).unwrap_or(i64::MAX));
        series.start = series.start.and_then(|start| shifted(start, -by));
    }
    for (ends, length) in series
        .end_ms
        .windows(2)
        .zip(series.length_ms.iter().skip(1))
    {
        let &[before, end] = ends else { continue };
        let pause = (end - before).saturating_sub(u64::from(*length));
        if pause * 2 > usual && usual > 0 {
            series.quality.gaps += 1;
            series.quality.gap_ms += pause;
        }
    }
}

/// The median length, of samples that have one.
fn usual_length(lengths: &[u32]) -> u32 {
    let mut known: Vec<u32> = lengths.iter().copied().filter(|ms| *ms > 0).collect();
    let middle = known.len() / 2;
    if known.is_empty() {
        return 0;
    }
    *known.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::series::row::Rates;
    use jiff::civil::date;

    fn row(end_ms: u64, length_ms: u32, iops: f64) -> Row {
        Row {
            end_ms,
            length_ms,
            total: Rates {
                iops: Some(iops),
                ..Rates::default()
            },
            ..Row::default()
        }
    }

    #[test]
    fn a_log_longer_than_the_budget_is_merged_evenly() {
        let mut builder = SeriesBuilder::new(Source::IostatText);
        builder.most = 4;
        let disk = builder.disk("sda", 0).unwrap();
        for i in 0..10 {
            builder.push(disk, row((i + 1) * 1000, 1000, i as f64));
        }
        let (disks, notices) = builder.finish(None);
        let sda = &disks[0];
        // Ten samples of 1 s into at most four: 4 s each, the last of them from the two that are left.
        assert_eq!(sda.end_ms, [4000, 8000, 10_000]);
        assert_eq!(sda.total.iops.numbers(3), [1.5, 5.5, 8.5]);
        assert_eq!(sda.quality.merged, 4);
        assert_eq!(notices, [Notice::Merged { factor: 4 }]);
    }

    #[test]
    fn gaps_are_counted_with_their_length() {
        let mut builder = SeriesBuilder::new(Source::Perfmon);
        let disk = builder.disk("0 C:", 0).unwrap();
        for (end, length) in [(1000, 1000), (2000, 1000), (9000, 1000), (10_000, 1000)] {
            builder.push(disk, row(end, length, 1.0));
        }
        let (disks, _) = builder.finish(None);
        assert_eq!((disks[0].quality.gaps, disks[0].quality.gap_ms), (1, 6000));
    }

    #[test]
    fn resets_and_repeats_are_left_out() {
        let mut builder = SeriesBuilder::new(Source::IostatText);
        let disk = builder.disk("sda", 0).unwrap();
        builder.push(disk, row(1000, 1000, 5.0));
        builder.push(disk, row(1000, 1000, 6.0));
        builder.push(disk, row(2000, 1000, -5.0));
        builder.push(disk, row(3000, 1000, 7.0));
        let (disks, notices) = builder.finish(None);
        assert_eq!(disks[0].end_ms, [1000, 3000]);
        assert_eq!(notices, [Notice::CountersReset { samples: 1 }]);
    }

    #[test]
    fn a_first_sample_without_length_gets_the_usual_one_and_time_starts_before_it() {
        let mut builder = SeriesBuilder::new(Source::Perfmon);
        let disk = builder.disk("0 C:", 0).unwrap();
        for (end, length) in [(0, 0), (10_000, 10_000), (20_000, 10_000)] {
            builder.push(disk, row(end, length, 1.0));
        }
        let ten_past = StartTime::Local(date(2024, 1, 1).at(0, 0, 10, 0));
        let (disks, _) = builder.finish(Some(ten_past));
        assert_eq!(disks[0].end_ms, [10_000, 20_000, 30_000]);
        assert_eq!(disks[0].start_of(0), Some(0));
        assert_eq!(
            disks[0].start,
            Some(StartTime::Local(date(2024, 1, 1).at(0, 0, 0, 0)))
        );
    }

    #[test]
    fn no_more_disks_than_any_host_has() {
        let mut builder = SeriesBuilder::new(Source::Csv);
        for i in 0..MOST_OF_HOST {
            builder.disk(&i.to_string(), usize::MAX).unwrap();
        }
        assert_eq!(builder.disk("one more", 0), Err(TooManyDisks(MOST_OF_HOST)));
    }
}
