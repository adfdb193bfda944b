//! From series to the volumes of a deployment, side by side in time.

use super::clock::Origin;
use super::devices::{Device, assigned, devices, names};
use super::error::TraceError;
use super::pieces::{Piece, Range, averaged, completed, filled, merged, pieces, sum};
use super::{Gaps, Trace, TraceOptions, VolumeTrace};
use crate::measure::series::{DiskSeries, Lane, Notice, Series, Source};
use crate::units::{Iops, MBps, Seconds};
use crate::workload::traced::{Traced, TracedVolume};

impl Trace {
    /// What `logs` say of `volumes` (the names of a deployment's).
    ///
    /// # Errors
    /// [`TraceError`] when a log has no times or no rates, clocks differ, or devices and volumes do not match.
    pub fn of(
        logs: &[Series],
        volumes: &[String],
        options: &TraceOptions,
    ) -> Result<Self, TraceError> {
        check_times(logs, options)?;
        let single_ms = options.interval_ms()?;
        let every_ms = options.every.map(whole_ms).transpose()?;
        let devices = devices(logs);
        let places = assigned(&devices, volumes, &options.map)?;
        let used = || {
            let places = devices.iter().zip(&places).enumerate();
            places.filter_map(|(index, (device, place))| Some((index, device, (*place)?)))
        };
        let origin = Origin::of(used().map(|(_, device, _)| device))?;
        let names = names(&devices);
        let mut told = Vec::new();
        for (index, device, volume) in used() {
            told.push(Told::new(
                device,
                &names[index],
                volume,
                &origin,
                single_ms,
            )?);
        }
        let range = range(&told);
        for device in &mut told {
            device.fill(range, options.gaps);
        }
        let left_out = (names.iter().zip(&places)).filter(|(_, place)| place.is_none());
        let traced = Traced {
            start: (origin.start)
                .and_then(|start| start.later(range.from_ms))
                .map(|start| start.to_string()),
            lasts: seconds(range.to_ms - range.from_ms),
            every: options.every,
            volumes: Vec::new(),
            left_out: left_out.map(|(name, _)| name.clone()).collect(),
            notes: notes(logs, &origin, &told, options),
        };
        of_volumes(volumes, told, every_ms, traced)
    }
}

/// One device over the whole time of the traces.
struct Told {
    /// Which volume it is.
    volume: usize,
    name: String,
    logs: Vec<String>,
    pieces: Vec<Piece>,
    samples: usize,
    /// Whether its logs have no entry for time without I/O, so that a gap is none.
    logs_only_io: bool,
    gap_ms: u64,
    /// Pieces of which IOPS or MB/s were reckoned.
    reckoned: usize,
    /// The only direction that its logs tell of, where they should tell of both.
    only: Option<&'static str>,
}

impl Told {
    fn new(
        device: &Device<'_>,
        name: &str,
        volume: usize,
        origin: &Origin,
        single_ms: Option<u32>,
    ) -> Result<Self, TraceError> {
        let mut lists = Vec::new();
        for series in &device.series {
            let pieces = pieces(series, origin.shift_ms(series), single_ms);
            if pieces.is_empty() {
                return Err(without_pieces(series));
            }
            lists.push(pieces);
        }
        let usual_ms = device.series.iter().map(|series| series.interval_ms).max();
        let (pieces, twice_ms) = merged(lists);
        if twice_ms > usual_ms.unwrap_or(0).into() {
            return Err(twice(device));
        }
        Ok(Self {
            volume,
            name: name.to_owned(),
            logs: distinct(device.series.iter().map(|series| &series.log)),
            samples: pieces.len(),
            pieces,
            logs_only_io: (device.series.iter()).all(|series| series.source == Source::FioLog),
            gap_ms: 0,
            reckoned: 0,
            only: only_direction(&device.series),
        })
    }

    /// Fills the gaps, and reckons rates that are not said.
    fn fill(&mut self, range: Range, gaps: Gaps) {
        let idle = self.logs_only_io || gaps == Gaps::Idle;
        let pieces = std::mem::take(&mut self.pieces);
        let (pieces, gap_ms) = filled(pieces, range, idle);
        self.pieces = pieces;
        self.reckoned = completed(&mut self.pieces);
        if !self.logs_only_io {
            self.gap_ms = gap_ms;
        }
    }
}

/// Puts the devices of each volume together.
fn of_volumes(
    volumes: &[String],
    told: Vec<Told>,
    every_ms: Option<u64>,
    mut traced: Traced,
) -> Result<Trace, TraceError> {
    let mut its: Vec<Vec<Told>> = volumes.iter().map(|_| Vec::new()).collect();
    for device in told {
        its[device.volume].push(device);
    }
    let mut traces = Vec::new();
    let named = volumes.iter().zip(its).enumerate();
    for (volume, (name, devices)) in named.filter(|(_, (_, devices))| !devices.is_empty()) {
        let facts = |pieces: &[Piece]| facts(name, &devices, pieces);
        let mut pieces = sum(devices.iter().map(|device| device.pieces.clone()).collect());
        let all = |of: fn(&Piece) -> bool| pieces.iter().all(of);
        if !all(|piece| piece.load.iops.is_some()) && !all(|piece| piece.load.mbps.is_some()) {
            return Err(TraceError::NeverBoth {
                volume: name.clone(),
            });
        }
        if let Some(ms) = every_ms {
            pieces = averaged(&pieces, ms);
        }
        traced.volumes.push(facts(&pieces));
        traces.push(VolumeTrace { volume, pieces });
    }
    Ok(Trace {
        volumes: traces,
        traced,
    })
}

fn facts(name: &str, devices: &[Told], pieces: &[Piece]) -> TracedVolume {
    let whole_ms = pieces.iter().map(Piece::ms).sum();
    let mean = averaged(pieces, whole_ms).first().map(|piece| piece.load);
    let mean = mean.unwrap_or_default();
    let peak = |of: fn(&Piece) -> Option<f64>| {
        let values: Option<Vec<f64>> = pieces.iter().map(of).collect();
        values?.into_iter().reduce(f64::max)
    };
    let iops = |value: Option<f64>| Iops::new(value?).ok();
    let mbps = |value: Option<f64>| MBps::new(value?).ok();
    TracedVolume {
        volume: name.to_owned(),
        devices: devices.iter().map(|device| device.name.clone()).collect(),
        logs: distinct(devices.iter().flat_map(|device| &device.logs)),
        samples: devices
            .iter()
            .map(|device| device.samples)
            .max()
            .unwrap_or(0),
        unknown: seconds(
            devices
                .iter()
                .map(|device| device.gap_ms)
                .max()
                .unwrap_or(0),
        ),
        iops: iops(mean.iops),
        mbps: mbps(mean.mbps),
        peak_iops: iops(peak(|piece| piece.load.iops)),
        peak_mbps: mbps(peak(|piece| piece.load.mbps)),
        block_size: mean.block_size(),
        read_share: mean.read_share(),
    }
}

/// Refuses logs of which it is not known when their samples were.
fn check_times(logs: &[Series], options: &TraceOptions) -> Result<(), TraceError> {
    for log in logs {
        let name = || log.disks.first().map(|d| d.log.clone()).unwrap_or_default();
        let assumed = |notice: &Notice| matches!(notice, Notice::IntervalAssumed { .. });
        if log.notices.contains(&Notice::OnlySinceBoot) {
            return Err(TraceError::SinceBoot { log: name() });
        }
        if options.interval.is_none() && log.notices.iter().any(assumed) {
            return Err(TraceError::NoTimes { log: name() });
        }
    }
    Ok(())
}

/// The direction that is told of, where it is one only. (A job of fio may well only read.)
fn only_direction(series: &[&DiskSeries]) -> Option<&'static str> {
    let says = |lane: fn(&DiskSeries) -> &Lane| {
        let lanes = series.iter().map(|series| lane(series));
        lanes
            .into_iter()
            .any(|lane| !lane.iops.is_empty() || !lane.mbps.is_empty())
    };
    if series.iter().all(|series| series.source == Source::FioLog) {
        return None;
    }
    match (says(|series| &series.read), says(|series| &series.write)) {
        (true, false) => Some("reads"),
        (false, true) => Some("writes"),
        _ => None,
    }
}

/// Why nothing of a series can be used.
fn without_pieces(series: &DiskSeries) -> TraceError {
    let (log, device) = (series.log.clone(), series.name.clone());
    if series.total.iops.is_empty() && series.total.mbps.is_empty() {
        TraceError::NoRates { log, device }
    } else {
        TraceError::NoLength { log, device }
    }
}

fn twice(device: &Device<'_>) -> TraceError {
    let mut logs = device.series.iter().map(|series| series.log.clone());
    TraceError::Twice {
        device: device.name.to_owned(),
        first: logs.next().unwrap_or_default(),
        second: logs.next().unwrap_or_default(),
    }
}

/// From the first moment to the last that any of the devices tells of.
fn range(told: &[Told]) -> Range {
    let pieces = || told.iter().flat_map(|told| &told.pieces);
    Range {
        from_ms: pieces().map(|piece| piece.start_ms).min().unwrap_or(0),
        to_ms: pieces().map(|piece| piece.end_ms).max().unwrap_or(0),
    }
}

/// What is to be known of the figures besides.
fn notes(logs: &[Series], origin: &Origin, told: &[Told], options: &TraceOptions) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for log in logs {
        let name = log.disks.first().map_or("", |disk| disk.log.as_str());
        let matters = |notice: &&Notice| !matches!(notice, Notice::IdleDisksLeftOut { .. });
        let said = log
            .notices
            .iter()
            .filter(|notice| matters(notice) && !is_of_latency(notice));
        notes.extend(said.map(|notice| format!("{name}: {notice}")));
    }
    if origin.together {
        notes.push(
            "the logs count from their own start each: they were taken to start together"
                .to_owned(),
        );
    }
    notes.extend(told.iter().filter_map(|told| {
        let only = told.only?;
        Some(format!(
            "only {only} of '{}' are in the traces: the others were taken to be none",
            told.name
        ))
    }));
    let reckoned: usize = told.iter().map(|told| told.reckoned).sum();
    if reckoned > 0 {
        notes.push(format!(
            "{reckoned} sample(s) say IOPS or MB/s only: the other was reckoned with the block size of the sample before"
        ));
    }
    if told.iter().any(|told| told.gap_ms > 0) {
        notes.push(match options.gaps {
            Gaps::Hold => {
                "time without a sample was taken to go on as before (--gaps idle: without I/O)"
                    .to_owned()
            }
            Gaps::Idle => "time without a sample was taken to be without I/O".to_owned(),
        });
    }
    notes
}

/// Whether it is about latencies, which a workload does not have.
const fn is_of_latency(notice: &Notice) -> bool {
    matches!(
        notice,
        Notice::FioLatencyUnit { .. }
            | Notice::EqualDepthAssumed
            | Notice::NoCommonLatency
            | Notice::SubmissionLatencyOnly
            | Notice::CompletionLatency
    )
}

fn whole_ms(every: Seconds) -> Result<u64, TraceError> {
    let ms = (every.get() * 1e3).round();
    if ms < 1.0 {
        return Err(TraceError::TooShort);
    }
    Ok(ms as u64)
}

fn seconds(ms: u64) -> Seconds {
    Seconds::new(ms as f64 / 1e3).unwrap_or(Seconds::ZERO)
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}
