//! Peers and fleets as documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::series::{figures, footnotes, remark};
use crate::measure::series::Notice;
use crate::measure::series::twins::{
    ComparedBy, Delivery, FleetGroup, Layout, PeerReport, PeerVerdict, TwinsReport,
};
use crate::report::{Cell, Column, Document, Note, Notes, Report, Row, Section, Table, Tone};

/// Disks beside their peers, in groups of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PeersReport {
    /// `diskcap.peers/1`.
    pub schema: String,
    /// The groups. Where nothing is said of SKUs there is one, whose SKU is empty.
    pub groups: Vec<FleetGroup>,
    /// What is to be known of the figures.
    pub notices: Vec<Notice>,
}

impl PeersReport {
    /// A report of one group of peers.
    #[must_use]
    pub fn of_twins(report: TwinsReport, notices: Vec<Notice>) -> Self {
        let group = FleetGroup {
            sku: String::new(),
            size: None,
            report,
        };
        Self::of_fleet(vec![group], notices)
    }

    /// A report of a fleet.
    #[must_use]
    pub fn of_fleet(groups: Vec<FleetGroup>, notices: Vec<Notice>) -> Self {
        Self {
            schema: "diskcap.peers/1".to_owned(),
            groups,
            notices,
        }
    }

    fn peers(&self) -> impl Iterator<Item = (&FleetGroup, &PeerReport)> {
        self.groups
            .iter()
            .flat_map(|group| group.report.peers.iter().map(move |peer| (group, peer)))
    }
}

impl Report for PeersReport {
    fn document(&self) -> Document {
        let reports = self.peers().map(|(_, peer)| &peer.report);
        let mut sections = vec![
            Section::Table(self.verdicts()),
            Section::Table(figures("figures", reports)),
        ];
        let together = self.together();
        if !together.rows.is_empty() {
            sections.push(Section::Table(together));
        }
        sections.push(Section::Notes(self.remarks()));
        let suspicious = self.groups.iter().flat_map(FleetGroup::suspicious).count();
        Document {
            title: match suspicious {
                0 => "Peers: nothing speaks against any of them".to_owned(),
                1 => "Peers: one deserves a look".to_owned(),
                n => format!("Peers: {n} deserve a look"),
            },
            subtitle: None,
            sections,
            footnotes: footnotes(&self.notices),
        }
    }
}

/// A verdict in one word, and its emphasis.
const fn word(verdict: PeerVerdict) -> (&'static str, Tone) {
    match verdict {
        PeerVerdict::Slow => ("slow", Tone::Bad),
        PeerVerdict::Erratic => ("erratic", Tone::Warning),
        PeerVerdict::BusierThanOthers => ("busier", Tone::Plain),
        PeerVerdict::Alike => ("alike", Tone::Good),
        PeerVerdict::NotEnough => ("not enough samples", Tone::Faint),
    }
}

impl PeersReport {
    /// A column that says something only where SKUs are known.
    fn of_kind(&self, column: Column) -> Column {
        if self.groups.iter().any(|group| !group.sku.is_empty()) {
            column
        } else {
            column.on_request()
        }
    }

    /// Which peer is what, and how sure that is.
    fn verdicts(&self) -> Table {
        let rows = self.peers().map(|(group, peer)| {
            let (word, tone) = word(peer.verdict);
            let slowness = peer.slowness.as_ref();
            Row::new(vec![
                Cell::text(&peer.name),
                sku_cell(group),
                Cell::known(group.size.map(|size| size.get()), 0),
                Cell::text(word).toned(tone),
                Cell::known(slowness.map(|s| s.ratio), 2),
                Cell::known(slowness.map(|s| s.low), 2),
                Cell::known(slowness.map(|s| s.high), 2),
                Cell::known(slowness.map(|s| s.confidence * 100.0), 2),
                Cell::text(compared_by(group.report.compared_by)),
                Cell::number(peer.blocks as f64, 0),
            ])
        });
        Table {
            id: "peers".to_owned(),
            title: "Peers".to_owned(),
            columns: vec![
                Column::new("disk", "Disk"),
                self.of_kind(Column::new("sku", "SKU").ranked(2)),
                self.of_kind(Column::new("size_gib", "GiB").ranked(3)),
                Column::new("verdict", "Verdict"),
                Column::new("times_as_slow", "Times as slow"),
                Column::new("times_low", "at least").ranked(1),
                Column::new("times_high", "at most").ranked(1),
                Column::new("confidence_pct", "Sure, %").ranked(1),
                Column::new("compared_by", "By").ranked(3),
                Column::new("blocks", "Blocks").on_request(),
            ],
            rows: rows.collect(),
        }
    }

    /// What they deliver together.
    fn together(&self) -> Table {
        let rows = self.groups.iter().flat_map(|group| {
            let both = [&group.report.mirror, &group.report.stripe];
            both.into_iter().flatten().map(|d| delivery_row(group, d))
        });
        Table {
            id: "together".to_owned(),
            title: "Together: as fast as the slowest".to_owned(),
            columns: vec![
                self.of_kind(Column::new("sku", "SKU").ranked(2)),
                Column::new("layout", "Layout"),
                Column::new("iops", "IOPS"),
                Column::new("mbps", "MB/s"),
                Column::new("latency_ms", "Latency, ms").ranked(2),
                Column::new("slowest", "Waits for"),
                Column::new("replaced_iops", "IOPS, it replaced").ranked(1),
                Column::new("replaced_mbps", "MB/s, it replaced").ranked(1),
                Column::new("gain", "Times as much").ranked(1),
            ],
            rows: rows.collect(),
        }
    }

    /// Why, in words.
    fn remarks(&self) -> Notes {
        let items = self.peers().flat_map(|(_, peer)| {
            let (label, tone) = match peer.verdict {
                PeerVerdict::Slow => ("error", Tone::Bad),
                PeerVerdict::Erratic => ("warning", Tone::Warning),
                _ => ("info", Tone::Faint),
            };
            let text = peer.to_string();
            let own = Note {
                label: label.to_owned(),
                tone,
                id: "PEER".to_owned(),
                subject: peer.name.clone(),
                text: text
                    .strip_prefix(&format!("{}: ", peer.name))
                    .unwrap_or(&text)
                    .to_owned(),
                fix: None,
            };
            let over_time = peer.report.verdicts.iter().map(|v| remark(&peer.name, v));
            std::iter::once(own).chain(over_time).collect::<Vec<_>>()
        });
        Notes {
            id: "reasons".to_owned(),
            title: "Why".to_owned(),
            items: items.collect(),
        }
    }
}

const fn compared_by(by: Option<ComparedBy>) -> &'static str {
    match by {
        Some(ComparedBy::Latency) => "latency",
        Some(ComparedBy::Iops) => "IOPS",
        Some(ComparedBy::Mbps) => "MB/s",
        None => "nothing in common",
    }
}

fn sku_cell(group: &FleetGroup) -> Cell {
    match group.sku.as_str() {
        "" => Cell::EMPTY,
        sku => Cell::text(sku),
    }
}

fn delivery_row(group: &FleetGroup, delivery: &Delivery) -> Row {
    Row::new(vec![
        sku_cell(group),
        Cell::text(match delivery.layout {
            Layout::Mirror => "mirror",
            Layout::Stripe => "stripe",
        }),
        Cell::known(delivery.iops.map(|v| v.get()), 0),
        Cell::known(delivery.mbps.map(|v| v.get()), 1),
        Cell::known(delivery.latency.map(|v| v.millis()), 2),
        Cell::text(&delivery.slowest),
        Cell::known(delivery.replaced_iops.map(|v| v.get()), 0),
        Cell::known(delivery.replaced_mbps.map(|v| v.get()), 1),
        Cell::known(delivery.gain, 2),
    ])
}
