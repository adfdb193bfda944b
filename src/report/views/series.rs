//! Disks over time as a document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::catalog::Axis;
use crate::measure::series::Notice;
use crate::measure::series::analysis::{DiskReport, Distribution, Hold, Plateau, Verdict};
use crate::report::{Cell, Column, Document, Note, Notes, Report, Row, Section, Table, Tone};
use crate::units::Iops;

/// What disks did over time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SeriesReport {
    /// `diskcap.series/1`.
    pub schema: String,
    /// The disks.
    pub disks: Vec<DiskReport>,
    /// What is to be known of the figures.
    pub notices: Vec<Notice>,
}

impl SeriesReport {
    /// A report of these disks.
    #[must_use]
    pub fn new(disks: Vec<DiskReport>, notices: Vec<Notice>) -> Self {
        Self {
            schema: "diskcap.series/1".to_owned(),
            disks,
            notices,
        }
    }
}

impl Report for SeriesReport {
    fn document(&self) -> Document {
        let mut sections = vec![Section::Table(figures("disks", self.disks.iter()))];
        let plateaus = plateaus(&self.disks);
        if !plateaus.rows.is_empty() {
            sections.push(Section::Table(plateaus));
        }
        let said = self.disks.iter().flat_map(|disk| {
            let not_judged = disk
                .not_judged
                .iter()
                .map(|n| info(&disk.disk, n.to_string()));
            let verdicts = disk.verdicts.iter().map(|v| remark(&disk.disk, v));
            verdicts.chain(not_judged)
        });
        sections.push(Section::Notes(Notes {
            id: "verdicts".to_owned(),
            title: "What happened".to_owned(),
            items: said.collect(),
        }));
        Document {
            title: "Disks over time".to_owned(),
            subtitle: None,
            sections,
            footnotes: footnotes(&self.notices),
        }
    }
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

fn info(subject: &str, text: String) -> Note {
    Note {
        label: "info".to_owned(),
        tone: Tone::Faint,
        id: "SERIES-NOT-JUDGED".to_owned(),
        subject: subject.to_owned(),
        text,
        fix: None,
    }
}

/// A verdict as a remark.
pub(super) fn remark(subject: &str, verdict: &Verdict) -> Note {
    let (label, tone) = match verdict {
        verdict if verdict.blames_device() => ("warning", Tone::Warning),
        Verdict::Throttled(plateau) if matches!(plateau.hold, Hold::Cap { .. }) => {
            ("warning", Tone::Warning)
        }
        Verdict::Saturated(_) => ("warning", Tone::Warning),
        Verdict::Steady => ("info", Tone::Good),
        _ => ("info", Tone::Faint),
    };
    Note {
        label: label.to_owned(),
        tone,
        id: verdict.code().to_owned(),
        subject: subject.to_owned(),
        text: verdict.to_string(),
        fix: None,
    }
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
    let iops = |of: fn(&Distribution<Iops>) -> Iops| {
        Cell::known(disk.iops.as_ref().map(|d| of(d).get()), 0)
    };
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
        Cell::known(mbps.map(|d| d.mean.get()), 1),
        Cell::known(mbps.map(|d| d.max.get()), 1),
        Cell::known(latency.map(|d| d.mean.millis()), 2),
        Cell::known(latency.map(|d| d.p50.millis()), 2),
        Cell::known(latency.map(|d| d.p95.millis()), 2),
        Cell::known(latency.map(|d| d.max.millis()), 2),
        Cell::known(waiting.map(|d| d.p50), 1),
        Cell::known(waiting.map(|d| d.p95), 1),
        Cell::number(f64::from(disk.quality.gaps), 0),
    ])
}

/// The plateaus of all disks.
fn plateaus(disks: &[DiskReport]) -> Table {
    let rows = disks.iter().flat_map(|disk| {
        disk.plateaus
            .iter()
            .map(|plateau| plateau_row(&disk.disk, plateau))
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
    let on = |axis| Cell::known((plateau.axis == axis).then_some(plateau.level), 1);
    let (held_by, ratio) = match &plateau.hold {
        Hold::Cap { name, ratio } => (name.as_str(), Some(*ratio)),
        Hold::UnknownLimit => ("some limit", None),
        Hold::Load => ("the load", None),
        Hold::Unknown => ("unknown", None),
    };
    Row::new(vec![
        Cell::text(disk),
        on(Axis::Iops),
        on(Axis::Mbps),
        Cell::number(plateau.share.get() * 100.0, 1),
        Cell::number(plateau.longest_ms as f64 / 1e3, 1),
        Cell::known(plateau.outstanding, 1),
        Cell::text(held_by),
        Cell::known(ratio.map(|r| r * 100.0), 1),
    ])
}
