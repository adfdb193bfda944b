//! Peers and fleets as documents.

use super::findings::{checked, notes, suppressed};
use super::series::{figures, footnotes};
use super::series_chart;
use crate::measure::over_time::{GroupBy, PeerGroup, PeersReport};
use crate::measure::series::analysis::Verdict;
use crate::measure::series::twins::{
    ComparedBy, Delivery, Layout, PeerReport, PeerVerdict, Slowness,
};
use crate::planner::{Finding, FindingId, Severity};
use crate::report::{Cell, Checked, Column, Document, Notes, Report, Row, Section, Table, Tone};

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
        sections.push(Section::Notes(Notes {
            id: "reasons".to_owned(),
            title: "Why".to_owned(),
            ..notes(&self.reasons())
        }));
        sections.extend(suppressed(&self.findings).map(Section::Notes));
        let charts = self.groups.iter().filter_map(series_chart::of_peers);
        sections.extend(charts.map(Section::Chart));
        let suspicious = self.groups.iter().flat_map(PeerGroup::suspicious).count();
        Document {
            title: match suspicious {
                0 if self.groups.iter().all(|group| group.report.is_alone()) => {
                    match self.groups.len() {
                        1 => "Peers: one disk only, none to compare it with".to_owned(),
                        _ => "Peers: each disk is the only one of its group".to_owned(),
                    }
                }
                0 if !self.some_judged() => "Peers: not enough samples to tell".to_owned(),
                0 => match self.unjudged().as_slice() {
                    [] => "Peers: nothing speaks against any of them".to_owned(),
                    open => format!(
                        "Peers: nothing speaks against those that could be compared; not told of {}",
                        open.join(", ")
                    ),
                },
                1 => "Peers: one deserves a look".to_owned(),
                n => format!("Peers: {n} deserve a look"),
            },
            subtitle: None,
            sections,
            footnotes: self
                .uneven()
                .into_iter()
                .chain(footnotes(&self.notices))
                .collect(),
            ..Document::default()
        }
    }

    fn checked(&self) -> Box<dyn Iterator<Item = Checked> + '_> {
        Box::new(std::iter::once(checked("peers", None, &self.findings)))
    }
}

/// A verdict in one word, and its emphasis.
const fn word(verdict: PeerVerdict) -> (&'static str, Tone) {
    match verdict {
        PeerVerdict::Slow => ("slow", Tone::Bad),
        PeerVerdict::Erratic => ("erratic", Tone::Warning),
        PeerVerdict::BusierThanOthers => ("busier", Tone::Plain),
        PeerVerdict::DidLess => ("did less", Tone::Plain),
        PeerVerdict::HardlyUsed => ("hardly used", Tone::Faint),
        PeerVerdict::Alike => ("alike", Tone::Good),
        PeerVerdict::NotEnough => ("not enough samples", Tone::Faint),
    }
}

impl PeersReport {
    /// A column that says something only where there are groups.
    fn of_kind(&self, column: Column) -> Column {
        if self.grouped_by != GroupBy::Nothing {
            column
        } else {
            column.on_request()
        }
    }

    /// Whether any peer could be compared with others.
    fn some_judged(&self) -> bool {
        let mut peers = self.peers();
        peers.any(|(_, peer)| peer.verdict != PeerVerdict::NotEnough)
    }

    /// The peers of which it is not told whether they are slow.
    fn unjudged(&self) -> Vec<&str> {
        let open = |verdict| {
            use PeerVerdict::{DidLess, HardlyUsed, NotEnough};
            matches!(verdict, NotEnough | DidLess | HardlyUsed)
        };
        let found = self.peers().filter(|(_, peer)| open(peer.verdict));
        found.map(|(_, peer)| peer.name.as_str()).collect()
    }

    /// What all deliver together, where it is not told.
    fn uneven(&self) -> Option<String> {
        let less = self
            .groups
            .iter()
            .flat_map(|group| &group.report.asked_less);
        let less: Vec<&str> = less.map(String::as_str).collect();
        (!less.is_empty()).then(|| {
            format!(
                "Together: not told where less was asked of {} than of the others; what they deliver \
                 together takes a load that is even.",
                less.join(", ")
            )
        })
    }

    /// What the groups are.
    const fn group_title(&self) -> &'static str {
        match self.grouped_by {
            GroupBy::Nothing => "Group",
            GroupBy::Sku => "SKU",
            GroupBy::Host => "Host",
            GroupBy::File => "File",
        }
    }

    /// Which peer is what, and how sure that is.
    fn verdicts(&self) -> Table {
        let rows = self.peers().map(|(group, peer)| {
            let (word, tone) = match group.report.is_alone() {
                true => ("no peer", Tone::Faint),
                false => word(peer.verdict),
            };
            let slowness = peer.slowness.as_ref();
            Row::new(vec![
                Cell::text(&peer.name),
                group_cell(group),
                Cell::known(group.size.map(|size| size.get()), 0),
                Cell::text(word).toned(tone),
                Cell::known(slowness.map(|s| s.ratio), 2),
                Cell::known(slowness.map(|s| s.low), 2),
                Cell::known(slowness.map(|s| s.high), 2),
                Cell::known(slowness.map(Slowness::sure_pct), 1),
                match group.report.is_alone() {
                    true => Cell::EMPTY,
                    false => Cell::text(compared_by(group.report.compared_by)),
                },
                Cell::number(peer.blocks as f64, 0),
            ])
        });
        Table {
            id: "peers".to_owned(),
            title: "Peers".to_owned(),
            columns: vec![
                Column::new("disk", "Disk"),
                self.of_kind(Column::new("group", self.group_title()).ranked(2)),
                self.of_kind(Column::new("size_gib", "GiB").ranked(3)),
                Column::new("verdict", "Verdict"),
                Column::new("times_as_slow", "Times as slow"),
                Column::new("times_low", "at least").ranked(1),
                Column::new("times_high", "at most").ranked(1),
                Column::new("confidence_pct", "Sure that it differs, %").ranked(1),
                Column::new("compared_by", "By").ranked(3),
                Column::new("blocks", "Blocks").on_request(),
            ],
            rows: rows.collect(),
        }
    }

    /// What they deliver together.
    fn together(&self) -> Table {
        let rows = self.groups.iter().flat_map(|group| {
            let told = |peer: &PeerReport| peer.verdict != PeerVerdict::NotEnough;
            let judged = group.report.peers.iter().any(told);
            let both = [&group.report.mirror, &group.report.stripe];
            both.into_iter()
                .flatten()
                .filter(move |_| judged)
                .map(|d| delivery_row(group, d))
        });
        Table {
            id: "together".to_owned(),
            title: "Together: as fast as the slowest".to_owned(),
            columns: vec![
                self.of_kind(Column::new("group", self.group_title()).ranked(2)),
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

    /// The findings, who is like the others, and what peers that deserve a look did over time.
    fn reasons(&self) -> Vec<Finding> {
        let info =
            |id, subject: &str, text: String| Finding::new(id, Severity::Info, subject, text);
        let mut told = self.findings.clone();
        for (_, peer) in self.peers() {
            if peer.verdict == PeerVerdict::Alike {
                told.push(info(FindingId::PeerAlike, &peer.name, peer.words()));
            }
        }
        for (_, peer) in self.peers() {
            let verdicts = peer.report.verdicts.iter();
            let verdicts = verdicts.filter(|verdict| **verdict != Verdict::Steady);
            told.extend(verdicts.map(|v| info(v.id(), &peer.name, v.to_string())));
        }
        told
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

fn group_cell(group: &PeerGroup) -> Cell {
    match group.name.as_str() {
        "" => Cell::EMPTY,
        name => Cell::text(name),
    }
}

fn delivery_row(group: &PeerGroup, delivery: &Delivery) -> Row {
    Row::new(vec![
        group_cell(group),
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
