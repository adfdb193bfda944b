//! Disks over time as a document.

use super::decimals::decimals;
use super::findings::{checked, notes, suppressed};
use super::latency_chart::{self, Spread};
use super::series_chart;
use super::series_latency::io_latency;
use crate::catalog::Axis;
use crate::measure::over_time::{DiskOverTime, SeriesReport};
use crate::measure::series::Notice;
use crate::measure::series::analysis::{DiskReport, Distribution, Hold, Plateau};
use crate::planner::{Finding, FindingId, Severity};
use crate::report::{Cell, Checked, Column, Document, Notes, Report, Row, Section, Table};
use crate::units::Iops;

impl SeriesReport {
    /// The disks, and those of them that share a limit added up.
    pub(super) fn all(&self) -> impl Iterator<Item = &DiskOverTime> {
        self.disks.iter().chain(&self.together)
    }
}

impl Report for SeriesReport {
    fn document(&self) -> Document {
        let mut sections = vec![Section::Table(disks(self))];
        let plateaus = plateaus(self);
        if !plateaus.rows.is_empty() {
            sections.push(Section::Table(plateaus));
        }
        sections.extend(io_latency(self).map(Section::Table));
        sections.push(Section::Notes(Notes {
            title: "What happened".to_owned(),
            ..notes(&self.told())
        }));
        sections.extend(suppressed(&self.findings).map(Section::Notes));
        let (charts, left_out) = series_chart::of_disks(self.all());
        sections.extend(charts.into_iter().map(Section::Chart));
        let spreads: Vec<Spread<'_>> = self
            .disks
            .iter()
            .filter(|disk| !disk.report.io_latency.is_empty())
            .map(|disk| Spread {
                name: disk.report.disk.clone(),
                percentiles: &disk.report.io_latency,
                bins: &[],
            })
            .collect();
        sections.extend(
            latency_chart::charts(&spreads)
                .into_iter()
                .map(Section::Chart),
        );
        let limited = self.all().any(|disk| !disk.limits.is_empty());
        let data = limited.then(|| format!("Limits: {}.", self.data));
        Document {
            title: match &self.vm {
                Some(vm) => format!("Disks over time on {vm}"),
                None => "Disks over time".to_owned(),
            },
            subtitle: None,
            sections,
            footnotes: data
                .into_iter()
                .chain(footnotes(&self.notices))
                .chain(left_out)
                .collect(),
            ..Document::default()
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        Box::new(std::iter::once(checked(
            self.vm.as_deref().unwrap_or("disks over time"),
            self.vm.as_deref(),
            &self.findings,
        )))
    }
}

impl SeriesReport {
    /// The findings, and which disks are steady.
    fn told(&self) -> Vec<Finding> {
        let steady = self.all().filter_map(|disk| {
            let id = FindingId::SeriesSteady;
            let words = disk.steady()?;
            Some(Finding::new(id, Severity::Info, &disk.report.disk, words))
        });
        self.findings.iter().cloned().chain(steady).collect()
    }
}

/// The figures of the disks, with what they are.
fn disks(report: &SeriesReport) -> Table {
    let mut table = figures("disks", report.all().map(|disk| &disk.report));
    let bound = report.disks.iter().any(|disk| disk.volume.is_some());
    for (place, id, title) in [(1, "volume", "Volume"), (2, "sku", "SKU")] {
        let column = Column::new(id, title).ranked(3);
        let column = if bound { column } else { column.on_request() };
        table.columns.insert(place, column);
    }
    for (row, disk) in table.rows.iter_mut().zip(report.all()) {
        let text = |text: &Option<String>| text.as_ref().map_or(Cell::EMPTY, Cell::text);
        row.cells.insert(1, text(&disk.volume));
        row.cells.insert(2, text(&disk.sku));
    }
    table
}

/// What is to be known of the figures, each thing once.
pub(super) fn footnotes(notices: &[Notice]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in notices.iter().map(|notice| sentence(&notice.to_string())) {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// A remark as a sentence of its own.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), letters.as_str())
    })
}

/// The figures of disks.
pub(super) fn figures<'d>(id: &str, disks: impl Iterator<Item = &'d DiskReport>) -> Table {
    Table {
        id: id.to_owned(),
        title: "Figures".to_owned(),
        columns: vec![
            Column::new("disk", "Disk"),
            Column::new("host", "Host").on_request(),
            Column::new("samples", "Samples").ranked(3),
            Column::new("interval_s", "Interval, s").on_request(),
            Column::new("span_s", "Span, s").ranked(4),
            Column::new("iops_mean", "IOPS, mean"),
            Column::new("iops_p5", "IOPS, p5").ranked(5),
            Column::new("iops_p50", "IOPS, p50").ranked(2),
            Column::new("iops_p95", "IOPS, p95").ranked(5),
            Column::new("iops_max", "IOPS, max").ranked(1),
            Column::new("mbps_mean", "MB/s, mean"),
            Column::new("mbps_max", "MB/s, max").ranked(2),
            Column::new("latency_mean_ms", "Latency, mean ms"),
            Column::new("latency_p50_ms", "Latency, p50 ms").on_request(),
            Column::new("latency_p95_ms", "Latency, p95 ms").ranked(2),
            Column::new("latency_max_ms", "Latency, max ms").ranked(3),
            Column::new("outstanding_p50", "Outstanding, p50").ranked(3),
            Column::new("outstanding_p95", "Outstanding, p95").on_request(),
            Column::new("gaps", "Gaps").on_request(),
        ],
        rows: disks.map(figures_row).collect(),
    }
}

fn figures_row(disk: &DiskReport) -> Row {
    let iops =
        |of: fn(&Distribution<Iops>) -> Iops| rate(disk.iops.as_ref().map(|d| of(d).get()), 0);
    let mbps = disk.mbps.as_ref();
    let latency = disk.latency.as_ref();
    let waiting = disk.outstanding.map(|o| o.spread);
    Row::new(vec![
        Cell::text(&disk.disk),
        disk.host.as_ref().map_or(Cell::EMPTY, Cell::text),
        Cell::number(disk.samples as f64, 0),
        Cell::number(f64::from(disk.interval_ms) / 1e3, 3),
        Cell::number(disk.span_ms as f64 / 1e3, 1),
        iops(|d| d.mean),
        iops(|d| d.p5),
        iops(|d| d.p50),
        iops(|d| d.p95),
        iops(|d| d.max),
        rate(mbps.map(|d| d.mean.get()), 1),
        rate(mbps.map(|d| d.max.get()), 1),
        Cell::known(latency.map(|d| d.mean.millis()), 2),
        Cell::known(latency.map(|d| d.p50.millis()), 2),
        Cell::known(latency.map(|d| d.p95.millis()), 2),
        Cell::known(latency.map(|d| d.max.millis()), 2),
        Cell::known(waiting.map(|d| d.p50), 1),
        Cell::known(waiting.map(|d| d.p95), 1),
        Cell::number(f64::from(disk.quality.gaps), 0),
    ])
}

/// A rate with the decimals that are usual for it, and with more where it is so small that they matter.
fn rate(value: Option<f64>, usual: u8) -> Cell {
    let small = value.is_some_and(|v| v > 0.0 && v < 10.0);
    Cell::known(value, decimals(value, if small { 2 } else { usual }))
}

/// The plateaus of all disks.
fn plateaus(report: &SeriesReport) -> Table {
    let rows = report.all().flat_map(|disk| {
        let plateaus = disk.report.plateaus.iter();
        let shown = plateaus.filter(|plateau| plateau.is_shown());
        shown.map(|plateau| plateau_row(&disk.report.disk, plateau))
    });
    Table {
        id: "plateaus".to_owned(),
        title: "Constant rates".to_owned(),
        columns: vec![
            Column::new("disk", "Disk"),
            Column::new("level_iops", "IOPS"),
            Column::new("level_mbps", "MB/s"),
            Column::new("time_pct", "Time, %"),
            Column::new("longest_s", "Longest, s").ranked(2),
            Column::new("outstanding", "Outstanding").ranked(3),
            Column::new("held_by", "Held by"),
            Column::new("limit_pct", "Of that limit, %").ranked(1),
        ],
        rows: rows.collect(),
    }
}

fn plateau_row(disk: &str, plateau: &Plateau) -> Row {
    let on = |axis, decimals| rate((plateau.axis == axis).then_some(plateau.level), decimals);
    let (held_by, ratio) = match &plateau.hold {
        Hold::Cap { ratio, .. } => (plateau.hold.limits(), Some(*ratio)),
        Hold::Parts { disks } => (format!("limits of {}", disks.join(", ")), None),
        Hold::UnknownLimit => ("some limit".to_owned(), None),
        Hold::Load => ("the load".to_owned(), None),
        Hold::Unknown => ("unknown".to_owned(), None),
    };
    Row::new(vec![
        Cell::text(disk),
        on(Axis::Iops, 0),
        on(Axis::Mbps, 1),
        Cell::number(plateau.share.get() * 100.0, 1),
        Cell::number(plateau.longest_ms as f64 / 1e3, 1),
        Cell::known(plateau.outstanding, 1),
        Cell::text(held_by),
        Cell::known(ratio.map(|r| r * 100.0), 1),
    ])
}
