//! The reports of iostat, one after the other: time, and the average since boot that comes first.

use crate::measure::series::builder::{SeriesBuilder, TooManyDisks};
use crate::measure::series::clock::{Clock, Tick};
use crate::measure::series::error::SeriesError;
use crate::measure::series::log::Wanted;
use crate::measure::series::model::{DiskSeries, Source, StartTime};
use crate::measure::series::notice::Notice;
use crate::measure::series::options::ReadOptions;
use crate::measure::series::row::Row;

/// Assumed time between reports that carry no stamp, milliseconds.
const ASSUMED_INTERVAL_MS: u32 = 1000;

/// Collects report after report.
#[derive(Debug)]
pub(super) struct Blocks<'o> {
    options: &'o ReadOptions,
    clock: Clock,
    stamped: bool,
    samples: SeriesBuilder,
    /// Averages since boot, for a log that holds nothing else.
    boot: SeriesBuilder,
    boot_blocks: u32,
    in_boot: bool,
    tick: Tick,
    /// The devices of the present report by their places: with `--pretty` it comes in several tables.
    report: Vec<Option<Row>>,
    place: usize,
    host: Option<String>,
    first_host: Option<String>,
    wanted: Wanted,
}

impl<'o> Blocks<'o> {
    /// Starts before the first report.
    pub fn new(source: Source, options: &'o ReadOptions) -> Self {
        Self {
            options,
            clock: Clock::new(options.interval_ms.unwrap_or(0)),
            stamped: false,
            samples: SeriesBuilder::new(source),
            boot: SeriesBuilder::new(source),
            boot_blocks: 0,
            in_boot: false,
            tick: Tick {
                end_ms: 0,
                length_ms: 0,
            },
            report: Vec::new(),
            place: 0,
            host: None,
            first_host: None,
            wanted: Wanted::default(),
        }
    }

    /// The host that the following reports are of.
    pub fn host(&mut self, name: &str) {
        if name.is_empty() {
            return;
        }
        // What is waiting is of the host before.
        self.end();
        self.host = Some(name.to_owned());
        self.first_host = self.first_host.take().or_else(|| self.host.clone());
    }

    /// Begins a report. The first one after the head of a run averages since boot.
    pub fn begin(&mut self, stamp: Option<StartTime>, first_of_run: bool) {
        self.end();
        self.stamped |= stamp.is_some();
        self.in_boot = first_of_run && !self.options.first_block_counts;
        self.boot_blocks += u32::from(self.in_boot);
        self.further();
        if stamp.is_none() && self.in_boot {
            return;
        }
        if stamp.is_none() && self.clock.start.is_none() && self.options.interval_ms.is_none() {
            self.clock.expect(ASSUMED_INTERVAL_MS);
        }
        self.tick = self.clock.tick(stamp);
    }

    /// Begins a further table of the same report.
    pub fn further(&mut self) {
        self.place = 0;
    }

    /// Hands the devices of the present report on.
    fn end(&mut self) {
        let builder = if self.in_boot {
            &mut self.boot
        } else {
            &mut self.samples
        };
        for (place, row) in self.report.drain(..).enumerate() {
            if let Some(row) = row {
                builder.push(place, row);
            }
        }
    }

    /// Adds the line of one device; what several tables say of it is put together.
    pub fn device(&mut self, name: &str, row: Row) -> Result<(), TooManyDisks> {
        if !self.wanted.check(name, self.options) {
            return Ok(());
        }
        let builder = if self.in_boot {
            &mut self.boot
        } else {
            &mut self.samples
        };
        // Logs of several hosts in one file: their devices have the same names.
        let place = match (&self.host, &self.first_host) {
            (Some(host), Some(first)) if host != first => {
                builder.disk(&format!("{host} {name}"), self.place)?
            }
            _ => builder.disk(name, self.place)?,
        };
        self.place = place + 1;
        if let Some(series) = builder.series_mut(place)
            && series.host.is_none()
        {
            series.host.clone_from(&self.host);
        }
        if self.report.len() <= place {
            self.report.resize(place + 1, None);
        }
        let row = Row {
            end_ms: if self.in_boot { 1 } else { self.tick.end_ms },
            length_ms: if self.in_boot { 0 } else { self.tick.length_ms },
            ..row
        };
        match self.report.get_mut(place) {
            Some(Some(before)) => before.add(&row),
            Some(slot) => *slot = Some(row),
            None => {}
        }
        Ok(())
    }

    /// The series, and what is to be known of them.
    pub fn finish(mut self, name: &str) -> Result<(Vec<DiskSeries>, Vec<Notice>), SeriesError> {
        self.end();
        let (disks, mut notices) = self.samples.finish(self.clock.start);
        if disks.is_empty() {
            let (disks, mut notices) = self.boot.finish(self.clock.start);
            if disks.is_empty() {
                let missing = self.wanted.none_there(name, self.options);
                return missing.map_or(Ok((disks, notices)), Err);
            }
            notices.push(Notice::OnlySinceBoot);
            return Ok((disks, notices));
        }
        if self.boot_blocks > 0 {
            notices.push(Notice::SinceBootLeftOut {
                blocks: self.boot_blocks,
            });
        }
        if !self.stamped && self.options.interval_ms.is_none() {
            notices.push(Notice::IntervalAssumed {
                ms: ASSUMED_INTERVAL_MS.into(),
            });
        }
        notices.extend(self.clock.notices());
        Ok((disks, notices))
    }
}
