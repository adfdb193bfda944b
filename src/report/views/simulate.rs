//! A simulation as a document.

use super::{findings, money, traced};
use crate::planner::Simulation;
use crate::planner::findings::duration;
use crate::planner::timeline::model::{BucketPlace, BucketRun, VolumeRun};
use crate::report::{Cell, Checked, Column, Document, Report, Row, Section, Table, Tone};
use crate::units::{Share, grouped};

mod chart;
mod segments;
mod sizes;

impl Report for Simulation {
    fn document(&self) -> Document {
        let mut sections = vec![Section::Table(volumes(self))];
        sections.extend(chart::over_time(self).map(Section::Chart));
        sections.extend(segments::segments(self).map(Section::Table));
        sections.extend(buckets(self).map(Section::Table));
        sections.extend(throttling(self).map(Section::Table));
        sections.extend(sizes::sizes(self).map(Section::Table));
        sections.extend(sizes::paid_bursts(self).map(Section::Table));
        sections.extend(self.cost.as_ref().map(money::costs).map(Section::Table));
        sections.extend(self.traced.as_ref().map(traced::table).map(Section::Table));
        sections.extend(findings::sections(&self.findings));
        Document {
            title: title(self),
            subtitle: Some(subtitle(self)),
            sections,
            footnotes: footnotes(self),
            unfilled: findings::unfilled(),
            by_flag: money::by_flag(self.cost.as_ref()),
            ..Document::default()
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        let vm = self.vm.as_ref().map(|vm| vm.size.as_str());
        let name = self.name.as_deref().or(vm).unwrap_or("disks");
        Box::new(std::iter::once(findings::checked(name, vm, &self.findings)))
    }
}

fn title(simulation: &Simulation) -> String {
    let what = match &simulation.vm {
        Some(vm) => format!("disks on {} over time", vm.size),
        None => "disks by themselves over time (no VM, so no VM ceilings)".to_owned(),
    };
    let name = simulation.name.as_deref().unwrap_or("Simulation");
    format!("{name}: {what}")
}

fn subtitle(simulation: &Simulation) -> String {
    let credit = match simulation.start_credit {
        Share::ALL => "full burst credit".to_owned(),
        Share::NONE => "empty burst credit".to_owned(),
        share => format!("{share} of the burst credit"),
    };
    let when = simulation.traced.as_ref().and_then(traced::when);
    let when = when.map_or_else(String::new, |when| format!(", {when}"));
    format!("{} from {credit}{when}", duration(simulation.seconds))
}

/// A time that something bad lasted.
pub(super) fn bad_time(seconds: f64) -> Cell {
    let cell = Cell::duration(seconds);
    if seconds > 0.0 {
        cell.toned(Tone::Warning)
    } else {
        cell
    }
}

fn throttled(throttled: bool) -> Cell {
    Cell::flag(throttled).toned(if throttled {
        Tone::Warning
    } else {
        Tone::Plain
    })
}

fn some_time(seconds: Option<f64>) -> Cell {
    seconds.map_or(Cell::EMPTY, Cell::duration)
}

/// The column, shown by default only where it has something to say.
fn shown_if(says_something: bool, column: Column) -> Column {
    if says_something {
        column
    } else {
        column.on_request()
    }
}

fn volumes(simulation: &Simulation) -> Table {
    let volumes = || simulation.volumes.iter();
    let asked = volumes().any(|v| v.asked.is_some());
    let waits = volumes().any(|v| v.backlog.peak.mb > 0.0);
    let columns = vec![
        Column::new("volume", "Volume"),
        Column::new("sku", "SKU").ranked(2),
        Column::new("caching", "Cache").ranked(8),
        shown_if(asked, Column::new("asked_iops", "Asked IOPS").ranked(1)),
        Column::new("served_iops", "Served IOPS"),
        shown_if(asked, Column::new("asked_mbps", "Asked MB/s").ranked(1)),
        Column::new("served_mbps", "Served MB/s"),
        Column::new("throttled_s", "Throttled for"),
        Column::new("throttled_percent", "Throttled %").ranked(6),
        shown_if(
            waits,
            Column::new("backlog_peak_ios", "Most waiting I/Os").ranked(3),
        ),
        shown_if(
            waits,
            Column::new("backlog_peak_mb", "Most waiting MB").ranked(5),
        ),
        shown_if(waits, Column::new("backlog_s", "Waiting for").ranked(7)),
        shown_if(
            waits,
            Column::new("worked_off_at_s", "Worked off after").ranked(4),
        ),
        shown_if(
            waits,
            Column::new("backlog_left_ios", "Left waiting I/Os").ranked(4),
        ),
        Column::new("backlog_left_mb", "Left waiting MB").on_request(),
    ];
    let row = |volume: &VolumeRun| volume_row(volume, simulation.seconds);
    Table {
        id: "volumes".to_owned(),
        title: "What was asked and served, on average".to_owned(),
        columns,
        rows: simulation.volumes.iter().map(row).collect(),
    }
}

fn volume_row(volume: &VolumeRun, total: f64) -> Row {
    let mean = |amount: Option<f64>| amount.map(|amount| amount / total);
    let served = |value: Option<f64>, decimals| match mean(value) {
        Some(value) if volume.at_most => Cell::at_most(value, decimals),
        value => Cell::known(value, decimals),
    };
    let asked = |value: Option<f64>, decimals| match mean(value) {
        Some(value) => Cell::number(value, decimals),
        None => Cell::text("all it gets"),
    };
    let waiting = |value: f64| {
        let cell = Cell::number(value, 0);
        if value > 0.0 {
            cell.toned(Tone::Warning)
        } else {
            cell
        }
    };
    let (throttled, backlog) = (volume.throttled_seconds, volume.backlog);
    Row::new(vec![
        Cell::text(&volume.name),
        Cell::text(&volume.sku),
        Cell::text(volume.caching.name()),
        asked(volume.asked.map(|a| a.ios), 0),
        served(volume.served.map(|s| s.ios), 0),
        asked(volume.asked.map(|a| a.mb), 1),
        served(volume.served.map(|s| s.mb), 1),
        bad_time(throttled),
        Cell::number(100.0 * throttled / total, 1),
        Cell::number(backlog.peak.ios, 0),
        Cell::number(backlog.peak.mb, 0),
        Cell::duration(backlog.seconds),
        some_time(backlog.worked_off_at),
        waiting(backlog.left.ios),
        waiting(backlog.left.mb),
    ])
}

/// The name of a bucket's place: `v1 (each of 4 disks)`, `VM uncached`.
fn place(bucket: &BucketRun) -> String {
    match &bucket.place {
        BucketPlace::Disk { volume, disks: 1 } => volume.clone(),
        BucketPlace::Disk { volume, disks } => format!("{volume} (each of {disks} disks)"),
        BucketPlace::Vm { ceiling } => format!("VM {}", ceiling.name()),
    }
}

/// The buckets that were drawn on at some time; one that only filled was not.
fn drawn_on(simulation: &Simulation) -> impl Iterator<Item = &BucketRun> {
    let falls = |index: usize| {
        let mut levels = simulation
            .segments
            .iter()
            .map(move |s| s.buckets.get(index));
        levels.any(|level| level.is_some_and(|level| level.to < level.from))
    };
    let buckets = simulation.buckets.iter().enumerate();
    buckets
        .filter(move |(index, _)| falls(*index))
        .map(|(_, bucket)| bucket)
}

fn buckets(simulation: &Simulation) -> Option<Table> {
    let rows: Vec<Row> = drawn_on(simulation).map(bucket_row).collect();
    let columns = vec![
        Column::new("bucket", "Burst credit of"),
        Column::new("axis", "For"),
        Column::new("base", "Base"),
        Column::new("burst", "Burst").ranked(2),
        Column::new("full_credits", "Full: I/Os or MB").on_request(),
        Column::new("start_percent", "Start %").on_request(),
        Column::new("lowest_percent", "Lowest %").ranked(3),
        Column::new("end_percent", "End %").ranked(1),
        Column::new("first_empty_at_s", "First empty after"),
        Column::new("times_empty", "Times empty").ranked(5),
        Column::new("empty_s", "Empty for").ranked(4),
        Column::new("last_full_at_s", "Last filled after").on_request(),
        Column::new("refill_s", "Refill when idle").ranked(4),
    ];
    (!rows.is_empty()).then(|| Table {
        id: "buckets".to_owned(),
        title: "Burst credit that was drawn on".to_owned(),
        columns,
        rows,
    })
}

fn bucket_row(bucket: &BucketRun) -> Row {
    let percent = |level: f64| Cell::number(100.0 * level / bucket.full, 1);
    Row::new(vec![
        Cell::text(place(bucket)),
        Cell::text(bucket.axis.to_string()),
        Cell::number(bucket.base, 1),
        Cell::number(bucket.burst, 1),
        Cell::number(bucket.full, 0),
        percent(bucket.start),
        percent(bucket.lowest),
        percent(bucket.end),
        some_time(bucket.emptied_at.first().copied()),
        Cell::number(bucket.emptied_at.len() as f64, 0),
        bad_time(bucket.empty_seconds),
        some_time(bucket.filled_at.last().copied()),
        some_time(bucket.refill_seconds),
    ])
}

/// What held the volumes back, and for how long.
fn throttling(simulation: &Simulation) -> Option<Table> {
    let held = simulation.volumes.iter().flat_map(|volume| {
        volume.held_by.iter().map(move |held| {
            Row::new(vec![
                Cell::text(&volume.name),
                Cell::text(held.by.to_string()),
                throttled(held.throttles),
                Cell::duration(held.seconds),
                Cell::number(100.0 * held.seconds / simulation.seconds, 1),
            ])
        })
    });
    let rows: Vec<Row> = held.collect();
    (!rows.is_empty()).then(|| Table {
        id: "held-back".to_owned(),
        title: "What stopped a volume that wanted more".to_owned(),
        columns: vec![
            Column::new("volume", "Volume"),
            Column::new("limit", "Limit"),
            Column::new("throttles", "Throttled"),
            Column::new("held_s", "For"),
            Column::new("held_percent", "% of the time").ranked(1),
        ],
        rows,
    })
}

/// Where the most waiting I/Os and the most waiting MB are of different moments.
fn peaks_apart(simulation: &Simulation) -> Option<String> {
    let apart = |volume: &&VolumeRun| {
        let backlog = volume.backlog;
        let both = backlog.peak_ios_at.zip(backlog.peak_at);
        both.is_some_and(|(ios, mb)| ios != mb)
    };
    let volumes = simulation.volumes.iter().filter(apart);
    let told: Vec<String> = volumes
        .map(|volume| format!("{} {}", volume.name, volume.backlog.most()))
        .collect();
    (!told.is_empty()).then(|| {
        format!(
            "The most waiting I/Os and MB are of different moments: {}.",
            told.join("; ")
        )
    })
}

fn footnotes(simulation: &Simulation) -> Vec<String> {
    let mut notes = vec![
        "A volume that states its demand is throttled while a disk or the VM holds it below what it wants, a backlog \
         included; one that takes all it gets, while the limit that stops it is out of burst credit."
            .to_owned(),
    ];
    notes.extend(peaks_apart(simulation));
    notes.extend(sizes::from_credit(simulation).map(ToOwned::to_owned));
    notes.extend(sizes::counted_in_parts(simulation));
    notes.extend(simulation.cost.iter().flat_map(money::left_out));
    notes.extend(simulation.cost.as_ref().and_then(money::nothing_to_save));
    let bursts = simulation.volumes.iter();
    notes.extend(super::outcome::burst_doubts(
        bursts.map(|v| (v.name.as_str(), v.burst_doubt.as_deref())),
    ));
    if !simulation.sizing.unbounded.is_empty() {
        notes.push("No disk or VM size is enough for a volume that takes all it gets.".to_owned());
    }
    if drawn_on(simulation).next().is_none() {
        notes.push("No burst credit was drawn on.".to_owned());
    }
    if simulation.volumes.iter().any(|v| v.at_most) {
        notes.push(super::outcome::AT_MOST.to_owned());
    }
    let caches = simulation
        .volumes
        .iter()
        .any(|v| v.caching == crate::deployment::HostCaching::ReadWrite);
    if caches {
        notes.push(
            "ReadWrite caching is reckoned with destaging that keeps pace: what a cache absorbs before that is not \
             published."
                .to_owned(),
        );
    }
    notes.extend(simulation.traced.iter().flat_map(traced::notes));
    notes.push(format!("Data: {}.", simulation.data));
    notes.extend(
        simulation
            .prices
            .as_ref()
            .map(|p| format!("Money: {p}; 730 hours a month.")),
    );
    notes
}

/// A number of things, in words: `1 disk`, `4 disks`.
fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number as f64, 0))
}
